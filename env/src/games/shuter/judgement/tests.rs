use std::collections::HashSet;

use super::super::actions::{END, THREE};
use super::super::geometry::SQUARE_CORNERS;
use super::super::rules::bought;
use super::super::symmetry::{SYMMETRIES, Transform};
use super::features::nodes_by_square;
use super::turn::{ended, explore};
use super::*;
use crate::games::shuter::{ShuterRules, Variant};
use crate::rng::Purpose;
use crate::{Action, Game, Mask, Rng, random_action};

fn legal(game: &Shuter) -> Mask {
    let mut mask = Mask::EMPTY;
    game.legal(&mut mask);
    mask
}

/// Positions of random play, from the first ply to far into the game.
fn positions(games: u64) -> impl Iterator<Item = Shuter> {
    let rules = ShuterRules { variant: Variant::Classic, ..ShuterRules::default() };
    (0..games).filter_map(move |index| {
        let mut rng = Rng::keyed(Purpose::Choice, 6, index, 0);
        let mut game = Shuter::deal(&rules, &mut rng);
        for _ in 0..index / 2 {
            game.apply(random_action(&game, &mut rng)?);
        }
        game.to_move().is_some().then_some(game)
    })
}

/// Between two turns, or two placements of the start.
fn settled(games: u64) -> impl Iterator<Item = Shuter> {
    positions(games).filter(|game| game.owed.is_none() && !(game.in_start() && game.start_plies == 0))
}

/// A turn without a width: every order of every action, each position once.
fn every_way(game: &Shuter, first: Option<usize>, seen: &mut HashSet<String>, by_first: &mut [f32; END + 1]) {
    let seat = game.to_move.expect("the turn goes on");
    let buys = bought(game.sides[seat.index()].cubes);
    for action in legal(game).iter().map(Action::index).filter(|&action| action < END) {
        let mut next = game.clone();
        next.apply(Action(action as u16));
        let more = bought(next.sides[seat.index()].cubes).into_iter().zip(buys).any(|(now, then)| now > then);
        let begins = first.unwrap_or(action);
        if first.is_some() && action >= THREE && !more || !seen.insert(format!("{begins} {next:?}")) {
            continue;
        }
        by_first[begins] = by_first[begins].max(judged(&ended(&next), &WEIGHTS, seat));
        if next.to_move.is_some() {
            every_way(&next, Some(begins), seen, by_first);
        }
    }
}

#[test]
fn the_best_rest_of_a_turn_is_found_where_it_has_few_ways() {
    let (mut compared, mut longer) = (0, 0);
    for game in positions(400).filter(|game| !game.in_start()) {
        let seat = game.to_move.expect("the game goes on");
        let mut seen = HashSet::new();
        let mut expected = [f32::NEG_INFINITY; END + 1];
        expected[END] = judged(&ended(&game), &WEIGHTS, seat);
        every_way(&game, None, &mut seen, &mut expected);
        // No ply has more ways than are followed.
        if seen.len() <= 16 {
            assert_eq!(explore::<16>(&game, &WEIGHTS, |_| ()), expected, "{game:?}");
            compared += 1;
            longer += usize::from(seen.len() > legal(&game).iter().count() - 1);
        }
    }
    assert!(compared > 50 && longer > 10, "{compared} turns were compared, {longer} of more than one ply");
}

#[test]
fn a_narrow_look_finds_nothing_that_is_not_there() {
    for game in positions(200).filter(|game| !game.in_start()) {
        let (narrow, wide) = (explore::<2>(&game, &WEIGHTS, |_| ()), explore::<16>(&game, &WEIGHTS, |_| ()));
        let mut expected = [f32::NEG_INFINITY; END + 1];
        expected[END] = narrow[END];
        every_way(&game, None, &mut HashSet::new(), &mut expected);
        for (found, most) in narrow.into_iter().chain(wide).zip(expected.into_iter().chain(expected)) {
            assert!(found <= most, "{found} of {most} in {game:?}");
        }
    }
}

#[test]
fn every_legal_action_has_a_worth_and_no_other() {
    for game in positions(300).step_by(3) {
        let worths = Worths::new(&game, &WEIGHTS);
        let legal = legal(&game);
        for (action, worth) in worths.by_action.into_iter().enumerate() {
            assert_eq!(worth.is_finite(), legal.contains(Action(action as u16)), "{action} in {game:?}");
        }
    }
}

#[test]
fn an_action_that_wins_at_once_is_worth_a_won_game_and_none_is_better() {
    let mut wins = 0;
    for index in 0..300 {
        let mut rng = Rng::keyed(Purpose::Choice, 8, index, 0);
        let mut game = Shuter::deal(&ShuterRules::default(), &mut rng);
        let mut before = game.clone();
        while let Some(action) = random_action(&game, &mut rng) {
            before = game.clone();
            game.apply(action);
            if game.winner().is_some() {
                let worths = Worths::new(&before, &WEIGHTS);
                assert_eq!(worths.by_action[action.index()], WON, "{before:?}");
                assert_eq!(worths.best(), WON);
                wins += 1;
            }
        }
        assert!(before.to_move.is_some());
    }
    assert!(wins > 200, "only {wins} games were won");
}

#[test]
fn the_last_placement_is_worth_what_the_board_then_looks_like() {
    let mut compared = 0;
    for game in positions(16).filter(|game| game.start_plies == 6) {
        let seat = game.to_move.expect("the game goes on");
        let worths = Worths::new(&game, &WEIGHTS);
        for node in legal(&game).iter() {
            let mut placed = game.clone();
            placed.apply(node);
            let looks = legal(&placed).iter().map(|branch| {
                let mut next = placed.clone();
                next.apply(branch);
                judged(&next, &WEIGHTS, seat)
            });
            assert_eq!(worths.by_action[node.index()], looks.fold(f32::NEG_INFINITY, f32::max));
            compared += 1;
        }
    }
    assert!(compared > 20);
}

#[test]
fn a_placement_that_was_looked_at_is_worth_what_the_best_reply_leaves() {
    let mut compared = 0;
    for game in positions(16).filter(|game| game.start_plies == 5) {
        // Purple's second branch: four edges at most, two of them looked at; orange then places its second node.
        let worths = Worths::new(&game, &WEIGHTS);
        let best = legal(&game)
            .iter()
            .max_by(|a, b| worths.by_action[a.index()].total_cmp(&worths.by_action[b.index()]));
        let best = best.expect("a branch can be placed");
        let mut next = game.clone();
        next.apply(best);
        assert_eq!(worths.by_action[best.index()], -Worths::new(&next, &WEIGHTS).best());
        compared += 1;
    }
    assert!(compared > 0);
}

#[test]
fn counts_and_worths_are_the_same_however_the_board_lies() {
    for (index, game) in settled(200).step_by(7).enumerate() {
        let transform = Transform::new(index % SYMMETRIES);
        let image = game.transformed(&transform);
        assert_eq!(Looks::new(&game), Looks::new(&image), "{game:?}");
        let actions = transform.symmetry(Variant::Classic).actions;
        let (here, there) = (Worths::new(&game, &WEIGHTS), Worths::new(&image, &WEIGHTS));
        for (action, worth) in here.by_action.into_iter().enumerate() {
            assert_eq!(worth, there.by_action[usize::from(actions[action])], "{action} in {game:?}");
        }
    }
}

#[test]
fn counts_say_what_is_on_the_board() {
    for game in settled(300) {
        let looks = Looks::new(&game);
        let first = looks.first.index();
        for (side, numbers) in [first, 1 - first].into_iter().zip(looks.numbers.as_chunks::<FEATURES>().0) {
            let own = &game.sides[side];
            assert_eq!(numbers[0], own.nodes.count_ones() as f32);
            assert_eq!(numbers[1], own.captured.count_ones() as f32);
            assert_eq!(numbers[2] == 1.0, own.largest() > game.sides[1 - side].largest());
            assert_eq!(numbers[10], own.branches.count_ones() as f32);
            // Of income: what lies below 1, 2, 3 and 5 a colour, red and blue first.
            let [red, yellow, blue, green] = own.income.to_le_bytes().map(|cubes| f32::from(cubes.min(5)));
            assert_eq!(numbers[11..15].iter().sum::<f32>(), red + blue);
            assert_eq!(numbers[18..22].iter().sum::<f32>(), yellow + green);
        }
        assert!((looks.stages.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        let standing = nodes_by_square(game.sides[0].nodes | game.sides[1].nodes);
        for (square, corners) in SQUARE_CORNERS.iter().enumerate() {
            let nodes = (game.sides[0].nodes | game.sides[1].nodes) & corners;
            assert!(standing[nodes.count_ones() as usize] >> square & 1 == 1, "square {square} of {game:?}");
        }
    }
}

#[test]
fn what_is_good_for_one_seat_is_as_bad_for_the_other() {
    for game in settled(200) {
        assert_eq!(judged(&game, &WEIGHTS, Seat(0)), -judged(&game, &WEIGHTS, Seat(1)));
    }
}

#[test]
fn what_is_worth_the_same_is_kept_or_left_out_together() {
    let kept = |mut list: Vec<f32>, most| {
        let count = keep_best(&mut list, most, |worth| *worth);
        list.truncate(count);
        list
    };
    assert_eq!(kept(vec![1.0, 3.0, 2.0], 3), [3.0, 2.0, 1.0]);
    assert_eq!(kept(vec![1.0, 3.0, 2.0], 2), [3.0, 2.0]);
    assert_eq!(kept(vec![1.0, 3.0, 1.0], 2), [3.0]);
    assert_eq!(kept(vec![1.0, 1.0, 1.0], 2), [0.0; 0]);
}

/// The judgement was made by play: who follows it beats whoever plays at random from the first ply on.
#[test]
fn who_follows_the_worths_beats_random_play() {
    let mut won = 0;
    for index in 0..20 {
        let mut rng = Rng::keyed(Purpose::Choice, 9, index, 0);
        let mut game = Shuter::deal(&ShuterRules::default(), &mut rng);
        let follows = index as usize % 2;
        while let Some(seat) = game.to_move() {
            let action = if seat.index() == follows {
                let worths = Worths::new(&game, &WEIGHTS);
                let best = worths.best();
                let action = worths.by_action.iter().position(|&worth| worth == best);
                Action(action.expect("one is the best") as u16)
            } else {
                random_action(&game, &mut rng).expect("the game goes on")
            };
            game.apply(action);
        }
        won += usize::from(game.winner() == Some(follows));
    }
    assert_eq!(won, 20, "games won");
}
