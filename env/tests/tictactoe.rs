//! Tic-tac-toe: the laws of the contract, and the numbers that are known of it.

use std::collections::HashSet;

use nodarium_env::calibration::{NoOptions, tictactoe::TicTacToe};
use nodarium_env::rng::Purpose;
use nodarium_env::{Game, Mask, Rng};

nodarium_env::conformance! {
    laws: TicTacToe = "{}";
}

#[test]
fn exactly_5478_states_can_be_reached() {
    let mut seen = HashSet::new();
    let mut open = vec![TicTacToe::deal(&NoOptions {}, &mut Rng::keyed(Purpose::Deal, 0, 0, 0))];
    while let Some(game) = open.pop() {
        if seen.insert(game.clone()) {
            let mut mask = Mask::EMPTY;
            game.legal(&mut mask);
            for action in mask.iter() {
                let mut next = game.clone();
                next.apply(action);
                open.push(next);
            }
        }
    }
    assert_eq!(seen.len(), 5_478);
}

#[test]
fn a_playthrough_reads_as_before() {
    insta::assert_snapshot!(nodarium_env::text::playthrough::<TicTacToe>(&NoOptions {}, 1, 4));
}
