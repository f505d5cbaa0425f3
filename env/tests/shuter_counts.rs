//! Node by its counts: perft and signatures.

mod shuter_support;

use nodarium_env::games::shuter::{Shuter, ShuterRules, Variant, parse_line};
use nodarium_env::rng::Purpose;
use nodarium_env::{Game, Rng, Text, conformance, measure};
use serde_json::{Value, json};
use shuter_support::board::Board;
use shuter_support::naive::Naive;
use shuter_support::rules;

const PERFT: &str = include_str!("data/shuter.perft.json");
const MIDDLE: &str = include_str!("data/shuter.middle.json");

fn list(file: &str) -> Vec<Value> {
    serde_json::from_str(file).expect("a list")
}

#[test]
fn perft_counts_hold() {
    conformance::perft_counts_hold::<Shuter>(PERFT);
}

/// The sequences of that many moves, by the naive rules.
fn naive_perft(game: &Naive<'_>, depth: u32) -> u64 {
    let moves = game.clone().legal();
    match depth {
        1 => moves.len() as u64,
        _ => moves
            .iter()
            .map(|text| {
                let mut next = game.clone();
                next.play(text);
                naive_perft(&next, depth - 1)
            })
            .sum(),
    }
}

/// The naive rules in the state of the game.
fn naive_of<'a>(board: &'a Board, rules: &ShuterRules, game: &Shuter) -> Naive<'a> {
    let state = game.position();
    let squares = state.squares.iter().map(ToString::to_string).collect();
    let digits = |text: &str| text.bytes().map(|digit| digit - b'0').collect::<Vec<u8>>();
    Naive {
        corners: digits(&state.corners),
        edges: digits(&state.edges),
        captured: digits(&state.captured),
        cubes: state.cubes.map(|hand| hand.map(u32::from)),
        three_used: state.three_used,
        two_used: state.two_used.into(),
        idle_turns: state.idle_turns,
        placed: state.placed,
        owed: state.owed.map(usize::from),
        start: state.phase == serde_json::from_value(json!("start")).expect("a phase"),
        to_move: state.to_move.map(usize::from),
        ..Naive::new(board, rules.variant == Variant::Advanced, rules.stalemate_turns, squares)
    }
}

#[test]
fn the_naive_rules_count_the_same_from_the_deal() {
    let board = Board::read();
    for line in list(PERFT) {
        let rules = rules(&line["rules"].to_string());
        let number = |key: &str| line[key].as_u64().expect("a number");
        let deal = Shuter::deal(&rules, &mut Rng::keyed(Purpose::Deal, number("seed"), number("index"), 0));
        let naive = naive_of(&board, &rules, &deal);
        for depth in 1..=5 {
            assert_eq!(
                line["counts"][depth as usize - 1],
                naive_perft(&naive, depth),
                "{line}, depth {depth}"
            );
        }
    }
}

/// Every deal starts alike; what the rules are worth shows in the middle of a game.
#[test]
fn perft_counts_hold_in_the_middle_of_games_and_the_naive_rules_count_the_same() {
    let board = Board::read();
    for line in list(MIDDLE) {
        let rules = rules(&line["rules"].to_string());
        let game = parse_line(&rules, line["line"].as_str().expect("a text")).expect("a position");
        let naive = naive_of(&board, &rules, &game);
        let counts = line["counts"].as_array().expect("counts");
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(count, &measure::perft(&game, depth), "{line}, depth {depth}");
            if count.as_u64() < Some(20_000) {
                assert_eq!(count, &naive_perft(&naive, depth), "{line}, depth {depth}");
            }
        }
    }
}

#[test]
fn random_play_has_its_signatures() {
    let signature =
        |variant: &str| measure::signature::<Shuter>(&rules(&format!(r#"{{"variant": "{variant}"}}"#)), 100);
    let found = ["basic", "classic", "advanced"].map(signature);
    assert_eq!(
        found.map(|hash| format!("{hash:016x}")),
        ["5445f7aca5c9a7e3", "6e9e995da1a70f6f", "127368f50cf4747f"]
    );
}
