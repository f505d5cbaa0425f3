//! Random play from the leaves, beside the evaluator.

use nodarium_agent::search::Options;
use nodarium_env::calibration::connect_four::ConnectFour;
use nodarium_env::calibration::tictactoe::TicTacToe;

use crate::evaluators::Judge;
use crate::{greedy, played, search, uniform};

/// Seat 0 has two in the middle column with room above, and it is seat 1's turn: only the middle stops four in a column later.
const MIDDLE: [u16; 5] = [3, 0, 3, 0, 3];

#[test]
fn they_see_a_threat_that_an_evaluator_without_values_cannot_tell() {
    let game: ConnectFour = played(&MIDDLE);
    let found = search(&game, &uniform::<ConnectFour>(), Options { rollouts: 200, ..greedy(7) });
    // One simulation an action: no search sees the reply, but in random play the three in a column often become four.
    let best = (0..found.q.len()).max_by(|&a, &b| found.q[a].total_cmp(&found.q[b]));
    assert_eq!(best.map(|place| found.legal[place].0), Some(3), "{:?}", found.q);
    let blind = search(&game, &uniform::<ConnectFour>(), greedy(7));
    assert!(blind.q.iter().all(|&q| q == 0.0), "{:?}", blind.q);
}

#[test]
fn their_share_is_what_the_options_say() {
    // Whatever is played, the last two cells bring a draw for sure: random play pays 0, the evaluator promises 0.5.
    let game: TicTacToe = played(&[2, 5, 8, 0, 1, 4, 3]);
    let judge = Judge::new::<TicTacToe>(|_, _, values| values.copy_from_slice(&[0.5, -0.5]));
    let root = |rollout_share: f32| {
        let options = Options { rollouts: 3, rollout_share, ..greedy(0) };
        search(&game, &judge, options).values
    };
    // No simulation: nothing is rolled out, and the evaluator is believed.
    assert_eq!(root(1.0), [-0.5, 0.5]);
    let values = |rollout_share: f32| {
        search(&game, &judge, Options { rollouts: 3, rollout_share, ..greedy(2) }).values[1]
    };
    // The root's own judgement and two leaves of one ply more, in which seat 0 is to act and is promised 0.5.
    let leaves = -2.0 * 0.5;
    for share in [0.0, 0.25, 1.0] {
        let expected = (0.5 + leaves) * (1.0 - share) / 3.0;
        assert!((values(share) - expected).abs() < 1e-6, "{share}: {} {expected}", values(share));
    }
}
