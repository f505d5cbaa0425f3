//! What no search can work with is refused with a sentence.

use nodarium_agent::search::{Gumbel, Options, Search};
use nodarium_env::calibration::connect_four::ConnectFour;
use nodarium_env::calibration::tictactoe::TicTacToe;

use crate::uniform;

#[test]
fn an_evaluator_of_another_game_is_refused() {
    let agent =
        Gumbel::<ConnectFour, _>::new(&Default::default(), uniform::<TicTacToe>(), Options::default());
    let error = agent.map(|_| ()).expect_err("sizes differ").to_string();
    assert_eq!(error, "the evaluator has 18 numbers of an observation: the game has 84");
}

#[test]
fn options_out_of_range_are_refused_by_name() {
    let refused = |options: Options| {
        Search::<TicTacToe>::new(&Default::default(), options).expect_err("it is refused").to_string()
    };
    let base = Options::default();
    assert_eq!(
        refused(Options { considered: 0, ..base }),
        "search option `considered` is 0: expected 1 or more"
    );
    assert_eq!(
        refused(Options { c_scale: f32::NAN, ..base }),
        "search option `c_scale` is NaN: expected a finite number that is not negative"
    );
    assert_eq!(
        refused(Options { gumbel_scale: -1.0, ..base }),
        "search option `gumbel_scale` is -1: expected a finite number that is not negative"
    );
    assert_eq!(
        refused(Options { rollouts: u32::MAX, ..base }),
        "search option `rollouts` is 4294967295: expected at most 65536"
    );
    assert_eq!(
        refused(Options { rollout_share: 1.5, ..base }),
        "search option `rollout_share` is 1.5: expected a number from 0 to 1"
    );
    assert_eq!(
        refused(Options { simulations: u32::MAX, ..base }),
        "search option `simulations` is 4294967295: expected at most 16777216"
    );
}
