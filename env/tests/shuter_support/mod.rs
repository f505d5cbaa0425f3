//! What the tests of Node share: a second implementation of its rules, and short ways to positions and games.

// Every test file uses its own part of this.
#![allow(dead_code)]

pub mod board;
pub mod naive;
pub mod seen;

use std::sync::LazyLock;

use board::Board;
use naive::Naive;
use nodarium_env::games::shuter::{Shuter, ShuterRules};
use nodarium_env::{Action, Game, Mask, Rng, Text, random_member};

/// The manual's example.
pub const MANUAL: &str = "R2 / G1 B2 R3 / G2 Y2 V G3 Y1 / B3 R1 B1 / Y3";

/// The same board with the trading post where the vacant square was.
pub const WITH_POST: &str = "R2 / G1 B2 R3 / G2 Y2 P G3 Y1 / B3 R1 B1 / Y3";

static BOARD: LazyLock<Board> = LazyLock::new(Board::read);

pub fn rules(json: &str) -> ShuterRules {
    nodarium_env::conformance::rules::<Shuter>(json)
}

/// `basic` on the manual's example.
pub fn manual() -> ShuterRules {
    rules(&format!(r#"{{"variant": "basic", "layout": "{MANUAL}"}}"#))
}

/// A variant with the trading post in the middle.
pub fn with_post(variant: &str) -> ShuterRules {
    rules(&format!(r#"{{"variant": "{variant}", "layout": "{WITH_POST}"}}"#))
}

/// A position of the regular turns, seat 1 to act, as `change` makes it; what follows from the pieces is worked out
/// by the naive rules. The rules have a fixed layout.
pub fn position(rules: &ShuterRules, change: impl FnOnce(&mut Naive<'_>)) -> Shuter {
    let layout = rules.layout.as_ref().expect("rules with a layout");
    let squares = layout.0.iter().map(ToString::to_string).collect();
    let advanced = rules.variant == nodarium_env::games::shuter::Variant::Advanced;
    let mut naive = Naive::new(&BOARD, advanced, rules.stalemate_turns, squares);
    naive.start = false;
    naive.to_move = Some(1);
    change(&mut naive);
    let state = serde_json::from_value(naive.state()).expect("a position");
    Shuter::from_position(rules, &state).unwrap_or_else(|e| panic!("{e}"))
}

/// A fresh game.
pub fn deal(rules: &ShuterRules) -> Shuter {
    Shuter::deal(rules, &mut Rng::keyed(nodarium_env::rng::Purpose::Deal, 0, 0, 0))
}

pub fn legal(game: &Shuter) -> Mask {
    let mut mask = Mask::EMPTY;
    game.legal(&mut mask);
    mask
}

/// The texts of every legal move.
pub fn moves(game: &Shuter) -> Vec<String> {
    legal(game).iter().map(|action| game.move_text(action)).collect()
}

/// Plays the moves, one text after the other.
///
/// # Panics
/// When one of them is not legal.
pub fn play(game: &mut Shuter, texts: &str) {
    for text in texts.split_whitespace() {
        let action = game.parse_move(text).unwrap_or_else(|e| panic!("{e}"));
        game.apply(action);
    }
}

/// A random choice in which a move counts as often as the weight of its first letter says.
pub fn weighted(game: &Shuter, rng: &mut Rng, weight: impl Fn(u8) -> u32) -> Action {
    let mask = legal(game);
    let weights: Vec<(Action, u32)> =
        mask.iter().map(|action| (action, weight(game.move_text(action).as_bytes()[0]))).collect();
    let total = weights.iter().map(|&(_, weight)| weight).sum();
    if total == 0 {
        return random_member(&mask, rng).expect("the game goes on");
    }
    let mut at = rng.below(total);
    for (action, weight) in weights {
        if at < weight {
            return action;
        }
        at -= weight;
    }
    unreachable!("the weights sum to the total")
}

/// What the seats have won, and why the game is over.
pub fn returns(game: &Shuter) -> ([f32; 2], &'static str) {
    let mut out = [f32::NAN; 2];
    game.returns(&mut out);
    let ends = Shuter::spec(&ShuterRules::default()).ends;
    (out, game.end().map_or("goes on", |end| ends[end.index()]))
}
