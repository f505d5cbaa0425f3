//! What is hidden, and how it is dealt again.

use std::collections::BTreeMap;

use nodarium_env::games::starduel::{StarDuel, StarDuelRules};
use nodarium_env::rng::Purpose;
use nodarium_env::{Game, Paint, Rng, Seat, Text};
use serde_json::json;

use crate::board::{Board, state};

const DRAWS: u32 = 24_000;

/// Re-deals a state many times and counts what `seen` says of it.
fn count(board: Board, moves: &[&str], seat: u8, seen: impl Fn(&serde_json::Value) -> String) -> Vec<u32> {
    let game = board.after(moves);
    let mut rng = Rng::keyed(Purpose::World, 9, 0, 0);
    let mut counts = BTreeMap::new();
    for _ in 0..DRAWS {
        let mut world = game.clone();
        world.redeal_hidden(Seat(seat), &mut rng);
        *counts.entry(seen(&state(&world))).or_default() += 1;
    }
    counts.into_values().collect()
}

/// Chi-square against equal shares; `limit` lies beyond 1 in 1,000.
fn is_uniform(counts: &[u32], classes: usize, limit: f64) {
    assert_eq!(counts.len(), classes, "every class is met: {counts:?}");
    let expected = f64::from(DRAWS) / classes as f64;
    let chi2: f64 = counts.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
    assert!(chi2 < limit, "chi-square {chi2} with {} degrees of freedom", classes - 1);
}

#[test]
fn every_order_of_the_unseen_cards_of_a_tier_is_equally_likely() {
    // Two face-down Tier 3 nodes and both spares: 24 orders.
    let board = Board::start().up("31").up("32");
    let counts = count(board, &[], 0, |world| {
        let at = |space: &str| world["spaces"][space]["card"].as_str().expect("a card").to_owned();
        format!("{}{}{}", at("33"), at("34"), world["spares"]["3"])
    });
    is_uniform(&counts, 24, 49.8);
}

#[test]
fn a_face_down_tier_two_node_can_be_any_unseen_card_of_its_tier() {
    let counts = count(Board::start(), &[], 1, |world| world["spaces"]["21"]["card"].to_string());
    is_uniform(&counts, 10, 27.9);
    let counts = count(Board::start(), &[], 1, |world| world["spares"]["2"][1].to_string());
    is_uniform(&counts, 10, 27.9);
}

#[test]
fn d02_the_first_number_can_be_any_of_the_twenty_for_the_second_to_program() {
    let counts = count(Board::start(), &["program 14"], 1, |world| world["programs"].to_string());
    is_uniform(&counts, 20, 43.9);
    let own = count(Board::start(), &["program 14"], 0, |world| world["programs"].to_string());
    assert_eq!(own, [DRAWS], "one's own number is known");
    let revealed =
        count(Board::start(), &["program 14", "program 15"], 0, |world| world["programs"].to_string());
    assert_eq!(revealed, [DRAWS], "revealed numbers are known");
}

#[test]
fn what_lies_open_stays() {
    let game = Board::start().up("21").owned("32", 1).game();
    let mut rng = Rng::keyed(Purpose::World, 9, 1, 0);
    for _ in 0..200 {
        let mut world = game.clone();
        world.redeal_hidden(Seat(0), &mut rng);
        let (before, after) = (state(&game), state(&world));
        for at in ["11", "12", "13", "21", "32", "51", "52", "53"] {
            assert_eq!(before["spaces"][at], after["spaces"][at]);
        }
        assert_eq!(before["players"], after["players"]);
    }
}

#[test]
fn the_second_to_program_sees_the_same_whatever_the_first_has_chosen() {
    let spec = StarDuel::spec(&StarDuelRules::default());
    let view = |number: u8| {
        let game = Board::start().after(&[&format!("program {number}")]);
        let mut out = vec![f32::NAN; spec.observation.len()];
        game.observe(Seat(1), &mut out);
        (out, game.draw(Some(Seat(1)), Paint::Plain))
    };
    assert_eq!(view(12), view(53));
}

#[test]
fn a_drawing_for_a_seat_hides_what_the_seat_does_not_see() {
    let game = Board::start().after(&["program 12"]);
    let shown = game.draw(Some(Seat(1)), Paint::Plain);
    assert!(shown.contains("program ??") && shown.contains("? tier 3") && !shown.contains("(N)"), "{shown}");
    let own = game.draw(Some(Seat(0)), Paint::Plain);
    assert!(own.contains("program 12"), "{own}");
    let referee = game.draw(None, Paint::Plain);
    assert!(referee.contains("(N) tier 3") && referee.contains("tier 2: J K"), "{referee}");
    assert!(game.draw(None, Paint::Colour).contains('\u{1b}'));
}

#[test]
fn the_view_counts_what_is_unseen_and_shows_own_things_first() {
    let spec = StarDuel::spec(&StarDuelRules::default());
    let game = Board::start().owned("11", 0).up("21").has(0, [3, 0, 6]).set("round", json!(30)).game();
    let part = |seat: u8, field: &str| {
        let mut out = vec![f32::NAN; spec.observation.len()];
        game.observe(Seat(seat), &mut out);
        out[spec.observation.range(field).expect("a field")].to_vec()
    };
    assert_eq!(part(0, "unseen").iter().sum::<f32>(), 15.0, "16 but for the one face up");
    assert_eq!(part(0, "own.resources"), [1.0 / 18.0, 0.25, 0.0, 0.5]);
    assert_eq!(part(1, "other.resources"), [1.0 / 18.0, 0.25, 0.0, 0.5]);
    assert_eq!(part(0, "own.targets"), part(1, "other.targets").into_iter().rev().collect::<Vec<_>>());
    let own: Vec<usize> = (0..18).filter(|&at| part(0, "own.targets")[at] == 1.0).collect();
    assert_eq!(own, [1, 2, 4], "12, 13, the face-down 22; 21 asks for Minerals");
    assert_eq!(part(0, "spaces")[..4], [1.0, 1.0, 1.0, 0.0], "a node, face up, own");
    assert_eq!(part(1, "spaces")[17 * 16..17 * 16 + 4], [1.0, 1.0, 0.0, 1.0], "Enate 53 is Kurth 11");
    assert_eq!(part(0, "round"), [0.5]);
    assert_eq!((part(0, "tie"), part(1, "tie")), (vec![1.0], vec![0.0]));
}
