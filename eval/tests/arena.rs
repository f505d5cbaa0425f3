//! The arena: balanced seats, equal deals, the same games for any number of threads, and nothing lost.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use nodarium_agent::play::{Finish, Foul};
use nodarium_agent::{Agent, AgentName, Playable, Query, Thought, build};
use nodarium_env::calibration::leduc::Leduc;
use nodarium_env::calibration::tictactoe::TicTacToe;
use nodarium_env::games::colony::Colony;
use nodarium_env::games::shuter::{SeriesLength, Shuter};
use nodarium_env::{Action, Game, Mask, conformance};
use nodarium_eval::arena::{
    Arena, Conditions, Entrant, Group, Meeting, Session, one_against_the_rest, round_robin,
};

fn entrants<'a, G: Playable>(names: &[&str], rules: &'a G::Rules) -> Vec<Entrant<'a, G>> {
    let named = |name: &&str| Entrant::named(&name.parse::<AgentName>().expect("a good name"), rules, 7);
    names.iter().map(named).collect()
}

fn tournament<G: Playable>(names: &[&str], conditions: Conditions<'_>, groups: u64) -> Session {
    let rules = G::Rules::default();
    let entrants = entrants::<G>(names, &rules);
    let meetings = round_robin(names.len(), G::spec(&rules).seats);
    let arena = Arena::new(&rules, 7, &entrants, conditions);
    arena.play(&meetings, 0..groups, &|_, _| {}).expect("the tables fit")
}

/// Answers as it is told to.
struct Puppet<F>(F);

impl<G: Game, F: FnMut(&Query<'_, G>) -> Action + Send> Agent<G> for Puppet<F> {
    fn act(&mut self, queries: &[Query<'_, G>], actions: &mut Vec<Action>) {
        actions.clear();
        actions.extend(queries.iter().map(&mut self.0));
    }

    fn think(&mut self, _queries: &[Query<'_, G>], _thoughts: &mut Vec<Thought>) {}
}

fn first_legal<G: Game>(query: &Query<'_, G>) -> Action {
    let mut mask = Mask::EMPTY;
    query.game.legal(&mut mask);
    mask.nth(0).expect("the game goes on")
}

#[test]
fn any_number_of_threads_plays_the_same_games() {
    let run = |threads| {
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
        let conditions = Conditions { keep_moves: true, ..Conditions::default() };
        pool.install(|| tournament::<Shuter>(&["greedy", "random", "uct:2"], conditions, 40))
    };
    let one = run(1);
    assert_eq!(one.groups.iter().map(Vec::len).collect::<Vec<_>>(), [40, 40, 40]);
    assert_eq!(one, run(2));
    assert_eq!(one, run(5));
}

#[test]
fn a_game_between_two_is_the_same_whoever_else_takes_part() {
    let two = tournament::<Shuter>(&["greedy", "random"], Conditions::default(), 5);
    let rules = Default::default();
    let three = entrants::<Shuter>(&["greedy", "random", "mc:20"], &rules);
    let arena = Arena::new(&rules, 7, &three, Conditions::default());
    let session = arena.play(&round_robin(3, 2), 0..5, &|_, _| {}).expect("the tables fit");
    assert_eq!(session.groups[0], two.groups[0]);
}

#[test]
fn a_pair_has_one_deal_and_exchanged_seats() {
    let session = tournament::<Leduc>(&["greedy", "random"], Conditions::default(), 3);
    for (number, group) in session.groups[0].iter().enumerate() {
        let games: Vec<_> = group.bouts.iter().flatten().flat_map(|bout| &bout.games).collect();
        assert!(games.iter().all(|game| game.deal == number as u64));
        assert_eq!([&games[0].seats[..], &games[1].seats[..]], [[0, 1], [1, 0]]);
        let points = group.bouts[1].as_ref().map(|bout| bout.points.clone());
        assert_eq!(points, Some(vec![f64::from(games[1].returns[1]), f64::from(games[1].returns[0])]));
    }
}

#[test]
fn larger_tables_rotate_and_every_choice_of_entrants_meets() {
    let rules = conformance::rules::<Colony>(r#"{"players": 3}"#);
    let entrants = entrants::<Colony>(&["greedy", "random", "random", "random"], &rules);
    let meetings = round_robin(4, 3);
    let players: Vec<&[usize]> = meetings.iter().map(|meeting| &meeting.players[..]).collect();
    assert_eq!(players, [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]);
    let arena = Arena::new(&rules, 1, &entrants, Conditions::default());
    let session = arena.play(&meetings, 0..8, &|_, _| {}).expect("the tables fit");
    let bouts: Vec<_> = session.groups[0].iter().flat_map(|group| group.bouts.iter().flatten()).collect();
    assert_eq!(bouts.len(), 24);
    let seats: Vec<&[usize]> = bouts[..3].iter().map(|bout| &bout.games[0].seats[..]).collect();
    assert_eq!(seats, [[0, 1, 2], [1, 2, 0], [2, 0, 1]]);
    let won: f64 = bouts.iter().map(|bout| bout.points[0]).sum();
    assert!(won > 12.0, "greedy won {won} of 24 at its three seats");
}

#[test]
fn fewer_entrants_than_seats_share_them() {
    let players: Vec<Vec<usize>> = round_robin(2, 3).into_iter().map(|meeting| meeting.players).collect();
    assert_eq!(players, [[0, 0, 1], [0, 1, 1]]);
}

#[test]
fn who_sits_alone_has_every_seat_of_a_deal_once() {
    let rules = conformance::rules::<Colony>(r#"{"players": 4}"#);
    let entrants = entrants::<Colony>(&["greedy", "random"], &rules);
    let arena = Arena::new(&rules, 1, &entrants, Conditions::default());
    let session = arena.play(&[one_against_the_rest(0, 1, 4)], 0..3, &|_, _| {}).expect("the table fits");
    for group in &session.groups[0] {
        let games: Vec<_> = group.bouts.iter().flatten().flat_map(|bout| &bout.games).collect();
        assert!(games.iter().all(|game| game.deal == group.number));
        let mut seats: Vec<_> =
            games.iter().map(|game| game.seats.iter().position(|&entrant| entrant == 0)).collect();
        seats.sort_unstable();
        assert_eq!(seats, [Some(0), Some(1), Some(2), Some(3)]);
        assert!(games.iter().all(|game| game.seats.iter().filter(|&&entrant| entrant == 1).count() == 3));
    }
}

#[test]
fn a_series_alternates_the_first_player_and_ends_when_it_is_decided() {
    let best_of = SeriesLength::new(5).expect("5 is odd");
    let conditions = Conditions { best_of, ..Conditions::default() };
    let session = tournament::<Shuter>(&["greedy", "random"], conditions, 4);
    for group in &session.groups[0] {
        for (rotation, bout) in group.bouts.iter().flatten().enumerate() {
            assert_eq!(bout.games.len(), 3, "greedy wins the first three");
            assert_eq!(bout.points, [3.0, -3.0]);
            for (number, game) in bout.games.iter().enumerate() {
                assert_eq!(game.seats[0], (rotation + number) % 2);
                assert_eq!(game.deal, group.number * 5 + number as u64);
            }
        }
    }
    let rules = conformance::rules::<Colony>(r#"{"players": 3}"#);
    let entrants = entrants::<Colony>(&["random", "random", "random"], &rules);
    let error = Arena::new(&rules, 1, &entrants, conditions).play(&round_robin(3, 3), 0..1, &|_, _| {});
    let words = error.unwrap_err().to_string();
    assert_eq!(words, "a series of 5 games for colony, which has 3 seats under these rules: expected 2");
}

#[test]
fn an_illegal_action_forfeits_that_game_and_no_other() {
    let rules = Default::default();
    // Legal in every game but those of the third deal.
    let sloppy = || {
        let act = |query: &Query<'_, TicTacToe>| match query.key / 2 {
            2 => Action(200),
            _ => first_legal(query),
        };
        Ok(Box::new(Puppet(act)) as Box<dyn Agent<TicTacToe>>)
    };
    let random = "random".parse().expect("a good name");
    let entrants = [Entrant::named(&random, &rules, 1), Entrant::new("sloppy", sloppy)];
    let arena = Arena::new(&rules, 1, &entrants, Conditions::default());
    let session = arena.play(&round_robin(2, 2), 0..6, &|_, _| {}).expect("the tables fit");
    assert_eq!((session.failure, session.groups[0].len()), (None, 6));
    for group in &session.groups[0] {
        assert!(group.is_whole());
        for bout in group.bouts.iter().flatten() {
            match (&bout.games[0].finish, group.number) {
                (Finish::Forfeit(forfeit), 2) => {
                    assert_eq!(forfeit.agent, 1);
                    assert!(matches!(forfeit.foul, Foul::Illegal(_)), "{forfeit}");
                    assert_eq!(bout.points, [1.0, -1.0]);
                }
                (Finish::Over(_), number) if number != 2 => {}
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn an_answer_beyond_the_clock_forfeits_and_one_within_does_not() {
    let rules = Default::default();
    let slow = || {
        let act = |query: &Query<'_, TicTacToe>| {
            std::thread::sleep(Duration::from_millis(30));
            first_legal(query)
        };
        Ok(Box::new(Puppet(act)) as Box<dyn Agent<TicTacToe>>)
    };
    let quick = || Ok(Box::new(Puppet(first_legal::<TicTacToe>)) as Box<dyn Agent<TicTacToe>>);
    let entrants = [Entrant::new("slow", slow), Entrant::new("quick", quick)];
    let play = |clock| {
        let conditions = Conditions { clock: Some(clock), ..Conditions::default() };
        let arena = Arena::new(&rules, 1, &entrants, conditions);
        arena.play(&round_robin(2, 2), 0..1, &|_, _| {}).expect("the tables fit")
    };
    let fouls = |session: &Session| -> Vec<Option<usize>> {
        let bouts = session.groups[0].iter().flat_map(|group| group.bouts.iter().flatten());
        bouts
            .map(|bout| match &bout.games[0].finish {
                Finish::Forfeit(forfeit) => Some(forfeit.agent),
                Finish::Over(_) => None,
            })
            .collect()
    };
    // 30 ms of sleep are more than 29 on any machine; an hour is enough on any.
    assert_eq!(fouls(&play(Duration::from_millis(29))).first(), Some(&Some(0)));
    assert_eq!(fouls(&play(Duration::from_secs(3_600))), [None, None]);
}

#[test]
fn what_was_played_before_a_stop_is_kept() {
    let stop = AtomicBool::new(false);
    let seen = AtomicU32::new(0);
    let rules = Default::default();
    let entrants = entrants::<Shuter>(&["greedy", "random", "random"], &rules);
    let conditions = Conditions { stop: Some(&stop), ..Conditions::default() };
    let arena = Arena::new(&rules, 1, &entrants, conditions);
    let watch = |_: usize, _: &_| {
        if seen.fetch_add(1, Ordering::SeqCst) + 1 == 150 {
            stop.store(true, Ordering::SeqCst);
        }
    };
    let session = arena.play(&round_robin(3, 2), 0..10_000, &watch).expect("the tables fit");
    let groups: Vec<&Group> = session.groups.iter().flatten().collect();
    let bouts = groups.iter().flat_map(|group| &group.bouts).flatten().count() as u32;
    assert_eq!(bouts, seen.load(Ordering::SeqCst), "what was told is what was kept");
    assert!((150..2_000).contains(&bouts), "{bouts} games");
}

#[test]
fn an_agent_that_cannot_be_made_half_way_loses_nothing_that_was_played() {
    let rules = Default::default();
    let name: AgentName = "random".parse().expect("a good name");
    let made = AtomicU32::new(0);
    let fragile = || match made.fetch_add(1, Ordering::SeqCst) {
        0 => build::<TicTacToe>(&name, &rules, 1).map_err(|error| error.to_string()),
        _ => Err("the disk is gone".to_owned()),
    };
    let entrants = [Entrant::named(&name, &rules, 1), Entrant::new("fragile", fragile)];
    let arena = Arena::new(&rules, 1, &entrants, Conditions::default());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("threads can be started");
    let told = Mutex::new(0);
    let session = pool.install(|| {
        arena
            .play(&round_robin(2, 2), 0..64, &|_, _| *told.lock().expect("one thread") += 1)
            .expect("it fits")
    });
    assert_eq!((session.failure, session.groups[0].len()), (None, 64), "one thread needs one agent");
    let other = Arena::new(&rules, 1, &entrants, Conditions::default());
    let session = other.play(&round_robin(2, 2), 0..64, &|_, _| {}).expect("it fits");
    assert_eq!((session.failure.as_deref(), session.groups[0].len()), (Some("the disk is gone"), 0));
}

#[test]
fn a_table_that_does_not_fit_is_refused() {
    let rules = Default::default();
    let entrants = entrants::<TicTacToe>(&["random"], &rules);
    let arena = Arena::new(&rules, 1, &entrants, Conditions::default());
    let error = arena.play(&[Meeting { players: vec![0, 0, 0] }], 0..1, &|_, _| {}).unwrap_err();
    assert_eq!(error.to_string(), "a table of 3 for tictactoe, which has 2 seats under these rules");
}

#[test]
fn openings_are_random_and_the_same_for_both_sides() {
    let conditions = Conditions { opening: 2, keep_moves: true, ..Conditions::default() };
    let session = tournament::<TicTacToe>(&["greedy", "random"], conditions, 30);
    let mut openings = Vec::new();
    for group in &session.groups[0] {
        let moves: Vec<_> = group
            .bouts
            .iter()
            .flatten()
            .map(|bout| bout.games[0].moves.clone().expect("they are kept"))
            .collect();
        assert_eq!(moves[0][..2], moves[1][..2]);
        openings.push(moves[0][..2].to_vec());
    }
    openings.sort_unstable();
    openings.dedup();
    assert!(openings.len() > 15, "{} different openings", openings.len());
}
