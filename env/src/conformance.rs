//! The laws that every game obeys, as functions that panic where one is broken.
//!
//! A game passes the suite by naming itself in a test file:
//!
//! ```text
//! nodarium_env::conformance! {
//!     size_4: Kato = r#"{"size": 4}"#;
//!     with_swap: Kato = r#"{"swap": true}"#;
//! }
//! ```
//! Each line becomes a module with one test a law, each run over [`GAMES`] games of random play.

use std::collections::HashSet;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::measure::perft;
use crate::record::{self, Record};
use crate::rng::Purpose;
use crate::rules::no_files;
use crate::spec::Information;
use crate::{Action, Game, Mask, Rng, Rules, Seat, Spec, Text, random_action, rules_from};

/// How many random games each law is tried on.
pub const GAMES: u64 = 1_000;

/// Writes one module a rule set, with one test a law; see the module's page.
#[macro_export]
macro_rules! conformance {
    ($($name:ident: $game:ty = $rules:expr;)+) => {
        $(mod $name {
            #[allow(unused_imports)]
            use super::*;
            $crate::conformance!(@laws $game, $rules,
                the_spec_describes_the_game,
                the_mask_holds_exactly_what_can_be_applied,
                observations_are_finite_and_whole,
                games_end_in_time_with_zero_sum_returns,
                the_same_seed_tells_the_same_game,
                a_clone_plays_as_the_original_does,
                moves_and_positions_survive_being_written,
                records_survive_being_written_and_replayed,
                symmetries_commute_with_seeing_and_playing,
                nothing_hidden_leaks_into_a_view,
            );
        })+
    };
    (@laws $game:ty, $rules:expr, $($law:ident,)+) => {
        $(#[test]
        fn $law() {
            $crate::conformance::$law::<$game>(&$crate::conformance::rules::<$game>($rules));
        })+
    };
}

/// Rules from their JSON form.
///
/// # Panics
/// When they cannot be played.
pub fn rules<G: Game>(json: &str) -> G::Rules {
    let given = serde_json::from_str(json).expect("rules are given as a JSON object");
    rules_from(&given, &no_files).expect("the rules can be played")
}

/// One line of a game's file of perft counts: how many action sequences of length 1, 2, 3 … start at that deal.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Perft {
    rules: Map<String, Value>,
    seed: u64,
    index: u64,
    counts: Vec<u64>,
}

/// Compares the game with counts kept in a data file, so that no change of a rule passes unseen. The file is a JSON
/// list of `{"rules": {…}, "seed": 0, "index": 0, "counts": [7, 49, …]}`.
///
/// # Panics
/// When a count differs or the file cannot be read.
pub fn perft_counts_hold<G: Game>(file: &str) {
    let lines: Vec<Perft> = serde_json::from_str(file).expect("a list of perft counts");
    assert!(!lines.is_empty(), "a file without counts proves nothing");
    for Perft { rules, seed, index, counts } in lines {
        let rules: G::Rules = rules_from(&rules, &no_files).expect("the rules can be played");
        let game = G::deal(&rules, &mut Rng::keyed(Purpose::Deal, seed, index, 0));
        let found: Vec<u64> = (1..=counts.len() as u32).map(|depth| perft(&game, depth)).collect();
        assert_eq!(found, counts, "{rules:?}, seed {seed}, index {index}");
    }
}

/// The game's page holds the tables that the spec makes, so that it cannot drift from the code.
///
/// # Panics
/// When it does not.
pub fn the_page_shows_the_tables<G: Game>(rules: &G::Rules, page: &str) {
    let spec = G::spec(rules);
    for table in [spec.observation_table(), spec.action_table()].into_iter().chain(spec.insight_table()) {
        assert!(page.contains(&table), "the page of {} lacks this table:\n{table}", spec.id);
    }
    for option in G::Rules::OPTIONS {
        assert!(
            page.contains(&format!("`{}`", option.key)),
            "the page of {} lacks `{}`",
            spec.id,
            option.key
        );
    }
}

/// Plays random games and shows every state, the last one included, to `visit`.
fn visit<G: Game>(rules: &G::Rules, games: u64, mut visit: impl FnMut(u64, &G)) {
    for index in 0..games {
        let mut game = deal::<G>(rules, index);
        let mut choices = Rng::keyed(Purpose::Choice, 0, index, 0);
        visit(index, &game);
        while let Some(action) = random_action(&game, &mut choices) {
            game.apply(action);
            visit(index, &game);
        }
    }
}

fn deal<G: Game>(rules: &G::Rules, index: u64) -> G {
    G::deal(rules, &mut Rng::keyed(Purpose::Deal, 0, index, 0))
}

fn legal<G: Game>(game: &G) -> Mask {
    // Full at first: `legal` sets the mask, it does not add to it.
    let mut mask: Mask = (0..crate::MAX_ACTIONS as u16).map(Action).collect();
    game.legal(&mut mask);
    mask
}

fn seats(spec: &Spec) -> impl Iterator<Item = Seat> + use<> {
    (0..spec.seats as u8).map(Seat)
}

/// Writes the view over rubbish: what is not written shows. Insights take long to work out and are part of the view in every
/// tenth game.
fn view<G: Game>(index: u64, game: &G, seat: Seat, out: &mut Vec<f32>, spec: &Spec) {
    out.clear();
    out.resize(spec.layout(index.is_multiple_of(10)).len(), f32::NAN);
    game.observe(seat, out);
}

/// Names are there and unique, sizes fit, the symmetries are permutations and the first is the identity, the rule
/// options are those of the serialised form.
pub fn the_spec_describes_the_game<G: Game>(rules: &G::Rules) {
    let spec = G::spec(rules);
    assert!((2..=4).contains(&spec.seats), "2 to 4 seats, not {}", spec.seats);
    assert!(spec.actions() <= crate::MAX_ACTIONS, "{} actions do not fit a mask", spec.actions());
    let names: Vec<&str> = spec.action_names().collect();
    assert!(names.iter().all(|name| !name.is_empty()), "an action without a name");
    assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len(), "an action's name is used twice");
    let fields: HashSet<&str> = spec.insights.fields().iter().map(|field| field.name.as_str()).collect();
    assert_eq!(fields.len(), spec.insights.fields().len(), "a field's name is used twice");
    assert!(spec.insights.fields().starts_with(spec.observation.fields()), "insights follow the observation");
    assert!(spec.insights.fields().iter().all(|field| !field.range.is_empty()), "an empty field");
    let ends: HashSet<&&str> = spec.ends.iter().collect();
    assert_eq!(ends.len(), spec.ends.len(), "an end's name is used twice");

    let identity = crate::Symmetry::identity(spec.insights.len(), spec.actions(), spec.seats);
    assert_eq!(spec.symmetries.first(), Some(&identity), "the first symmetry is the identity");
    for symmetry in &spec.symmetries {
        let sorted = |mut map: Vec<usize>| {
            map.sort_unstable();
            map
        };
        let name = &symmetry.name;
        let observation = symmetry.observation.iter().map(|&i| i as usize).collect();
        assert!(sorted(observation).into_iter().eq(0..spec.insights.len()), "{name}: observation");
        let plain = symmetry.observation[..spec.observation.len()].iter().map(|&i| i as usize).collect();
        assert!(sorted(plain).into_iter().eq(0..spec.observation.len()), "{name}: insights stay behind");
        let actions = symmetry.actions.iter().map(|&i| i as usize).collect();
        assert!(sorted(actions).into_iter().eq(0..spec.actions()), "{name}: actions");
        let seats = symmetry.seats.iter().map(|&i| i as usize).collect();
        assert!(sorted(seats).into_iter().eq(0..spec.seats), "{name}: seats");
    }

    if let Some(grid) = &spec.grid {
        let mut numbers: Vec<usize> = grid.numbers().iter().flatten().chain(grid.rest()).copied().collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..spec.insights.len()), "each number lies on one cell, or on none");
        let neighbourhoods: Vec<_> = grid.neighbours().chunks_exact(grid.reach()).collect();
        assert_eq!(neighbourhoods.len(), grid.cells());
        for (cell, neighbours) in neighbourhoods.iter().enumerate() {
            assert_eq!(neighbours[0], Some(cell), "a neighbourhood begins with its own cell");
            let mutual = |&other: &usize| neighbourhoods[other].contains(&Some(cell));
            assert!(neighbours.iter().flatten().all(mutual), "neighbours are neighbours of each other");
        }
    }

    let written = record::options_of(rules);
    let options: Vec<&str> = G::Rules::OPTIONS.iter().map(|option| option.key).collect();
    assert_eq!(
        written.keys().map(String::as_str).collect::<Vec<_>>(),
        options,
        "options in serialised order"
    );
    assert_eq!(&rules_from::<G::Rules>(&written, &no_files).expect("rules survive being written"), rules);
}

/// In every visited state and for every action: `try_apply` succeeds exactly where the mask says so, and a refused
/// action leaves the state as it was. Some action is legal unless the game is over.
pub fn the_mask_holds_exactly_what_can_be_applied<G: Game>(rules: &G::Rules) {
    let spec = G::spec(rules);
    visit::<G>(rules, GAMES, |index, game| {
        let mask = legal(game);
        assert_eq!(mask.is_empty(), game.to_move().is_none(), "game {index}: nothing legal in {game:?}");
        assert_eq!(game.to_move().is_none(), game.end().is_some(), "game {index}: over for no reason");
        assert!(
            mask.iter().all(|action| action.index() < spec.actions()),
            "game {index}: beyond the last action"
        );
        for action in (0..=spec.actions() as u16).map(Action) {
            let mut next = game.clone();
            let applied = next.try_apply(action);
            assert_eq!(applied.is_ok(), mask.contains(action), "game {index}: {action:?} in {game:?}");
            if applied.is_err() {
                assert_eq!(&next, game, "game {index}: refused {action:?} left a trace");
            }
        }
    });
}

/// Every element of every seat's view is written and finite, in the declared length, and insights change nothing before them.
pub fn observations_are_finite_and_whole<G: Game>(rules: &G::Rules) {
    let spec = G::spec(rules);
    let (mut out, mut plain) = (Vec::new(), vec![0.0; spec.observation.len()]);
    visit::<G>(rules, GAMES, |index, game| {
        for seat in seats(&spec) {
            view(index, game, seat, &mut out, &spec);
            if let Some(at) = out.iter().position(|x| !x.is_finite()) {
                panic!("game {index}: element {at} of the view of {seat:?} is {} in {game:?}", out[at]);
            }
            game.observe(seat, &mut plain);
            assert!(
                out.starts_with(&plain),
                "game {index}: insights changed the view of {seat:?} in {game:?}"
            );
        }
    });
}

/// Games end within the spec's limit for a reason of the spec's list; returns sum to zero and are zero before.
pub fn games_end_in_time_with_zero_sum_returns<G: Game>(rules: &G::Rules) {
    let spec = G::spec(rules);
    let (mut last, mut plies) = (u64::MAX, 0);
    let mut returns = vec![f32::NAN; spec.seats];
    visit::<G>(rules, GAMES, |index, game| {
        plies = if index == last { plies + 1 } else { 0 };
        last = index;
        assert!(plies <= spec.longest_game, "game {index} is longer than {}", spec.longest_game);
        returns.fill(f32::NAN);
        game.returns(&mut returns);
        match game.end() {
            None => assert!(returns.iter().all(|&x| x == 0.0), "game {index} pays before it is over"),
            Some(end) => assert!(end.index() < spec.ends.len(), "game {index}: unknown end"),
        }
        let sum: f32 = returns.iter().sum();
        assert!(sum.abs() < 1e-6, "game {index}: returns {returns:?} do not sum to zero");
    });
}

/// Two deals from the same key are the same game to the end; another seed gives another game somewhere.
pub fn the_same_seed_tells_the_same_game<G: Game>(rules: &G::Rules) {
    let play = |seed, index| {
        let mut states: Vec<G> = Vec::new();
        let mut game = G::deal(rules, &mut Rng::keyed(Purpose::Deal, seed, index, 0));
        let mut choices = Rng::keyed(Purpose::Choice, seed, index, 0);
        while let Some(action) = random_action(&game, &mut choices) {
            game.apply(action);
            states.push(game.clone());
        }
        states
    };
    let mut others = 0;
    for index in 0..GAMES {
        let states = play(1, index);
        assert_eq!(states, play(1, index), "game {index}");
        others += usize::from(states != play(2, index));
    }
    assert!(others > 0, "the seed changes nothing");
}

/// Playing on with a clone leaves the original alone and leads where the original leads.
pub fn a_clone_plays_as_the_original_does<G: Game>(rules: &G::Rules) {
    visit::<G>(rules, GAMES, |index, game| {
        let before = format!("{game:?}");
        let mut choices = Rng::keyed(Purpose::Choice, 1, index, 0);
        let (mut a, mut b) = (game.clone(), game.clone());
        for _ in 0..3 {
            let Some(action) = random_action(&a, &mut choices) else { break };
            a.apply(action);
            b.apply(action);
            assert_eq!(a, b, "game {index}");
        }
        assert_eq!(format!("{game:?}"), before, "game {index}: a clone's play reached the original");
    });
}

/// Legal moves have different texts, each read back as its action; positions survive JSON and `from_position`,
/// and the state read back is equal in every respect, so also in what follows.
pub fn moves_and_positions_survive_being_written<G: Text>(rules: &G::Rules) {
    visit::<G>(rules, GAMES, |index, game| {
        let mut texts = HashSet::new();
        for action in legal(game).iter() {
            let text = game.move_text(action);
            assert_eq!(game.parse_move(&text), Ok(action), "game {index}");
            assert!(texts.insert(text), "game {index}: two legal moves have the text of {action:?}");
        }
        assert!(game.parse_move("no such move").is_err());
        let position = game.position();
        let json = serde_json::to_string(&position).expect("positions can be written");
        let read: G::Position = serde_json::from_str(&json).expect("positions can be read");
        assert_eq!(read, position, "game {index}");
        if index == 0 {
            no_key_can_be_left_out(&position);
        }
        match G::from_position(rules, &read) {
            Ok(back) => assert_eq!(&back, game, "game {index}"),
            Err(error) => panic!("game {index}: {error} in {json}"),
        }
    });
}

/// A position lacks nothing silently: without any one of its keys it is refused, also where the key may be null.
fn no_key_can_be_left_out<P: Serialize + DeserializeOwned>(position: &P) {
    let Ok(Value::Object(whole)) = serde_json::to_value(position) else {
        panic!("a position is a JSON object");
    };
    for key in whole.keys() {
        let mut cut = whole.clone();
        cut.shift_remove(key);
        assert!(
            serde_json::from_value::<P>(Value::Object(cut)).is_err(),
            "a position without `{key}` was read"
        );
    }
}

/// A record survives being written and read, passes `replay`, and does not when it is cut or altered.
pub fn records_survive_being_written_and_replayed<G: Text>(rules: &G::Rules) {
    for index in 0..GAMES {
        let told = record::simulate::<G>(rules, 3, index);
        let line = serde_json::to_string(&told).expect("records can be written");
        assert!(!line.contains('\n'));
        assert_eq!(record::game_of(&line).expect("a record names its game"), told.game);
        let read = record::replay::<G>(&line, &no_files).unwrap_or_else(|e| panic!("game {index}: {e}"));
        assert_eq!(read, told);
        assert!(record::replay::<G>(&line[..line.len() - 1], &no_files).is_err(), "a cut record passed");
        for (what, altered) in alterations(&told) {
            assert!(record::check::<G>(&altered, &no_files).is_err(), "game {index}: {what} passed");
        }
    }
}

fn alterations<P: Clone>(told: &Record<P>) -> Vec<(&'static str, Record<P>)> {
    let altered = |change: fn(&mut Record<P>)| {
        let mut copy = told.clone();
        change(&mut copy);
        copy
    };
    vec![
        ("a record without its last ply", altered(|r| drop(r.plies.pop()))),
        ("a record with a missing legal move", altered(|r| drop(r.plies[0].legal.pop()))),
        ("a record with an illegal move", altered(|r| r.plies[0].played = "rubbish".to_owned())),
        ("a record with another seat", altered(|r| r.plies[0].seat ^= 1)),
        ("a record with other returns", altered(|r| r.returns[0] += 0.5)),
        ("a record with another end", altered(|r| r.end.push('?'))),
        ("a record of another game", altered(|r| r.game.push('?'))),
        ("a record of a newer format", altered(|r| r.format += 1)),
        (
            "a record with a stale state",
            altered(|r| {
                let last = r.plies.len() - 1;
                r.plies[last].state = r.start.clone();
            }),
        ),
    ]
}

/// The law of [`Symmetry`](crate::Symmetry), for every symmetry of the spec: each in its turn, state by state, and all of
/// them in the first games. Advice turns with the rest.
pub fn symmetries_commute_with_seeing_and_playing<G: Game>(rules: &G::Rules) {
    let spec = G::spec(rules);
    let advice = G::advice(rules);
    for symmetry in &spec.symmetries {
        for &(number, action) in &advice {
            let image = (symmetry.observation[number] as usize, Action(symmetry.actions[action.index()]));
            assert!(advice.contains(&image), "{}: number {number} speaks for {action:?}", symmetry.name);
        }
    }
    let (mut here, mut there) = (Vec::new(), Vec::new());
    let mut states = 0;
    visit::<G>(rules, GAMES, |index, game| {
        states += 1;
        let turn = states % spec.symmetries.len();
        let all = index < GAMES / 20;
        for (number, symmetry) in
            spec.symmetries.iter().enumerate().filter(|(number, _)| all || *number == turn)
        {
            let image = game.transform(number);
            let name = &symmetry.name;
            for seat in seats(&spec) {
                view(index, game, seat, &mut here, &spec);
                view(index, &image, Seat(symmetry.seats[seat.index()]), &mut there, &spec);
                for (i, &x) in here.iter().enumerate() {
                    let to = symmetry.observation[i] as usize;
                    assert_eq!(x, there[to], "game {index}, {name}: element {i} of {seat:?} in {game:?}");
                }
            }
            // A hidden commitment is asked of the seats in a fixed order, which a symmetry that exchanges them
            // cannot turn round: there only the views are compared.
            let mapped = game.to_move().map(|seat| Seat(symmetry.seats[seat.index()]));
            if image.to_move() != mapped {
                assert_eq!(
                    spec.information,
                    Information::Hidden,
                    "game {index}, {name}: another seat is to act"
                );
                continue;
            }
            let expected: Mask = legal(game).iter().map(|a| Action(symmetry.actions[a.index()])).collect();
            assert_eq!(legal(&image), expected, "game {index}, {name}: legal actions in {game:?}");
            let mut choices = Rng::keyed(Purpose::Choice, 2, index, number as u64);
            if let Some(action) = random_action(game, &mut choices) {
                let (mut next, mut next_image) = (game.clone(), image);
                next.apply(action);
                next_image.apply(Action(symmetry.actions[action.index()]));
                if next_image.to_move() == next.to_move().map(|seat| Seat(symmetry.seats[seat.index()])) {
                    assert_eq!(
                        next.transform(number),
                        next_image,
                        "game {index}, {name}: {action:?} in {game:?}"
                    );
                }
            }
        }
    });
}

/// After `redeal_hidden` the seat sees bit for bit what it saw and may do what it could do, and the same stream draws
/// the same world whatever is really hidden; with perfect information the state is untouched, and with hidden information something is resampled somewhere.
pub fn nothing_hidden_leaks_into_a_view<G: Game>(rules: &G::Rules) {
    let spec = G::spec(rules);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut resampled = false;
    let mut worlds = Rng::keyed(Purpose::World, 0, 0, 0);
    visit::<G>(rules, GAMES, |index, game| {
        for seat in seats(&spec) {
            let mut world = game.clone();
            world.redeal_hidden(seat, &mut worlds);
            resampled |= &world != game;
            // What is drawn depends on the stream and on what the seat sees, not on what is really there.
            let mut again = [game.clone(), world.clone()];
            again
                .iter_mut()
                .for_each(|from| from.redeal_hidden(seat, &mut Rng::keyed(Purpose::World, 1, index, 0)));
            assert_eq!(again[0], again[1], "game {index}: the truth shows through the worlds of {seat:?}");
            view(index, game, seat, &mut before, &spec);
            view(index, &world, seat, &mut after, &spec);
            let same = before.iter().zip(&after).all(|(a, b)| a.to_bits() == b.to_bits());
            assert!(same, "game {index}: the view of {seat:?} changed in {game:?}");
            assert_eq!(world.to_move(), game.to_move(), "game {index}: another seat is to act");
            if game.to_move() == Some(seat) {
                assert_eq!(legal(&world), legal(game), "game {index}: what {seat:?} may do changed");
            }
        }
    });
    assert_eq!(resampled, spec.information == Information::Hidden, "what is hidden is resampled");
}
