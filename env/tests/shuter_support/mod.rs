//! What the tests of Node share: a second implementation of its rules, and short ways to positions and games.

// Every test file uses its own part of this.
#![allow(dead_code)]

pub mod board;
pub mod naive;

use nodarium_env::games::shuter::{Shuter, ShuterRules};
use nodarium_env::{Action, Game, Mask, Rng, Text, random_member};

/// The manual's example.
pub const MANUAL: &str = "R2 / G1 B2 R3 / G2 Y2 V G3 Y1 / B3 R1 B1 / Y3";

pub fn rules(json: &str) -> ShuterRules {
    nodarium_env::conformance::rules::<Shuter>(json)
}

pub fn basic() -> ShuterRules {
    rules(&format!(r#"{{"variant": "basic", "layout": "{MANUAL}"}}"#))
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
