//! What all calibration games have in common: a page, a pinned signature, readers that never panic.

use nodarium_env::calibration::NoOptions;
use nodarium_env::calibration::connect_four::ConnectFour;
use nodarium_env::calibration::kuhn::Kuhn;
use nodarium_env::calibration::leduc::Leduc;
use nodarium_env::calibration::tictactoe::TicTacToe;
use nodarium_env::measure::signature;
use nodarium_env::rng::Purpose;
use nodarium_env::{Rng, Text, conformance, random_action};
use proptest::prelude::*;
use serde_json::Value;

#[test]
fn the_page_shows_the_tables() {
    let page = include_str!("../docs/calibration.md");
    conformance::the_page_shows_the_tables::<TicTacToe>(&NoOptions {}, page);
    conformance::the_page_shows_the_tables::<ConnectFour>(&NoOptions {}, page);
    conformance::the_page_shows_the_tables::<Kuhn>(&NoOptions {}, page);
    conformance::the_page_shows_the_tables::<Leduc>(&NoOptions {}, page);
}

#[test]
fn a_changed_game_shows_in_its_signature() {
    assert_eq!(signature::<TicTacToe>(&NoOptions {}, 100), 0x685f_ee35_f777_3d06);
    assert_eq!(signature::<ConnectFour>(&NoOptions {}, 100), 0xa00f_ec22_6efb_cb7f);
    assert_eq!(signature::<Kuhn>(&NoOptions {}, 100), 0x4f99_cf2d_7ac0_8a5a);
    assert_eq!(signature::<Leduc>(&NoOptions {}, 100), 0x5caa_b9f1_e7e9_1bc6);
}

/// The position after some random plies.
fn random_position<G: Text<Rules = NoOptions>>(seed: u64, plies: u64) -> Value {
    let mut game = G::deal(&NoOptions {}, &mut Rng::keyed(Purpose::Deal, seed, 0, 0));
    let mut choices = Rng::keyed(Purpose::Choice, seed, 0, 0);
    for _ in 0..plies {
        let Some(action) = random_action(&game, &mut choices) else { break };
        game.apply(action);
    }
    serde_json::to_value(game.position()).expect("positions can be written")
}

/// Puts `text` and `to_move` somewhere into a position; whatever can still be read can be played.
fn survives<G: Text<Rules = NoOptions>>(seed: u64, text: &str, cut: usize, to_move: Option<u8>) {
    fn spoil(value: &mut Value, text: &str, cut: usize) {
        match value {
            Value::String(word) => {
                let kept: String = word.chars().take(cut).collect();
                let rest: String = word.chars().skip(cut + text.chars().count()).collect();
                *word = kept + text + &rest;
            }
            Value::Array(list) if !list.is_empty() => {
                let at = cut % list.len();
                spoil(&mut list[at], text, cut / 2);
            }
            _ => {}
        }
    }
    let whole = random_position::<G>(seed, seed % 12);
    for key in whole.as_object().expect("a map").keys() {
        let mut position = whole.clone();
        spoil(&mut position[key], text, cut);
        if key == "to_move" {
            position[key] = to_move.into();
        }
        let Ok(position) = serde_json::from_value(position) else { continue };
        if let Ok(mut game) = G::from_position(&NoOptions {}, &position) {
            assert_eq!(game.position(), position);
            if let Some(action) = random_action(&game, &mut Rng::keyed(Purpose::Choice, seed, 1, 0)) {
                game.apply(action);
            }
            let _ = game.parse_move(text);
        }
    }
}

proptest! {
    #[test]
    fn readers_never_panic(
        seed: u64,
        text in "[.xopbcrfJQKsh/é]{0,3}",
        cut in 0_usize..42,
        to_move in proptest::option::of(0_u8..3),
    ) {
        survives::<TicTacToe>(seed, &text, cut, to_move);
        survives::<ConnectFour>(seed, &text, cut, to_move);
        survives::<Kuhn>(seed, &text, cut, to_move);
        survives::<Leduc>(seed, &text, cut, to_move);
    }
}
