//! Golden trees: whole searches written down, so that a change of a formula shows as a change of the text.

use std::fmt::Write as _;

use nodarium_env::calibration::tictactoe::TicTacToe;
use nodarium_env::{Action, Game};

use super::tree::{OVER, Tree, UNTRIED};
use super::{Found, Options, Search};
use crate::{Evaluator, Query};

/// Likes cells by a fixed pattern, and marks in the middle and in the corners.
struct Pattern;

impl Evaluator for Pattern {
    fn observation(&self) -> usize {
        18
    }

    fn actions(&self) -> usize {
        9
    }

    fn seats(&self) -> usize {
        2
    }

    fn evaluate(&self, observations: &[f32], logits: &mut [f32], values: &mut [f32]) {
        const WORTH: [f32; 9] = [0.25, 0.0, 0.25, 0.0, 0.5, 0.0, 0.25, 0.0, 0.25];
        let rows = logits.chunks_exact_mut(9).zip(values.chunks_exact_mut(2));
        for (view, (logits, values)) in observations.chunks_exact(18).zip(rows) {
            let worth = |side: &[f32]| side.iter().zip(WORTH).map(|(mark, worth)| mark * worth).sum::<f32>();
            let value = 0.5 * (worth(&view[..9]) - worth(&view[9..]));
            values.copy_from_slice(&[value, -value]);
            for (cell, logit) in logits.iter_mut().enumerate() {
                *logit = (cell * 7 % 4) as f32 * 0.5;
            }
        }
    }
}

/// The tree after `simulations`, two plies deep: `visits`, `q` and the prior of every action that was tried.
fn told(moves: &[u16], options: Options) -> String {
    let rules = Default::default();
    let mut game =
        TicTacToe::deal(&rules, &mut nodarium_env::Rng::keyed(nodarium_env::rng::Purpose::Deal, 0, 0, 0));
    moves.iter().for_each(|&action| game.apply(Action(action)));
    let mut search = Search::new(&rules, options).expect("the options are good");
    let mut found = Found::default();
    let query = Query { game: &game, key: 3, ply: moves.len() as u32 };
    search.run(&Pattern, &[query], &mut found).expect("the evaluator fits");
    let mut text =
        format!("chosen {} values {:.3} {:.3}\n", found.actions[0].0, found.values[0], found.values[1]);
    let tree = search.walks[0].tree();
    for (i, edge) in tree.sorted(0).into_iter().enumerate() {
        let _ = write!(text, "{} n{} q{:+.3} ", edge.action.0, edge.visits, found.q[i]);
        let _ = writeln!(text, "prior {:.3} policy {:.3}", edge.prior, found.policy[i]);
        if edge.child != UNTRIED && edge.child & OVER == 0 {
            for edge in tree.sorted(edge.child).iter().filter(|edge| edge.visits > 0) {
                let over = if edge.child & OVER != 0 { " over" } else { "" };
                let _ = writeln!(
                    text,
                    "  {} n{} q{:+.3} prior {:.3}{over}",
                    edge.action.0, edge.visits, edge.q, edge.prior
                );
            }
        }
    }
    text
}

impl Tree {
    /// The edges of a node in the order of their actions.
    fn sorted(&self, node: u32) -> Vec<super::tree::Edge> {
        let mut edges = self.edges_of(node).to_vec();
        edges.sort_unstable_by_key(|edge| edge.action);
        edges
    }
}

#[test]
fn the_empty_board_is_searched_as_before() {
    let options = Options { simulations: 32, gumbel_scale: 0.0, ..Options::default() };
    insta::assert_snapshot!(told(&[], options), @"
    chosen 4 values 0.110 -0.110
    0 n3 q+0.125 prior 0.048 policy 0.054
      1 n1 q-0.125 prior 0.228
      5 n1 q-0.125 prior 0.228
    1 n1 q+0.000 prior 0.217 policy 0.007
    2 n10 q+0.038 prior 0.131 policy 0.013
      1 n1 q-0.125 prior 0.249
      5 n1 q-0.125 prior 0.249
      6 n7 q+0.000 prior 0.151
    3 n1 q+0.000 prior 0.080 policy 0.003
    4 n11 q+0.216 prior 0.048 policy 0.711
      1 n1 q-0.250 prior 0.228
      2 n8 q-0.203 prior 0.138
      5 n1 q-0.250 prior 0.228
    5 n1 q+0.000 prior 0.217 policy 0.007
    6 n3 q+0.125 prior 0.131 policy 0.148
      1 n1 q-0.125 prior 0.249
      5 n1 q-0.125 prior 0.249
    7 n1 q+0.000 prior 0.080 policy 0.003
    8 n1 q+0.125 prior 0.048 policy 0.054
    ");
}

#[test]
fn a_won_position_is_searched_as_before() {
    let options = Options { simulations: 24, gumbel_scale: 0.0, considered: 4, ..Options::default() };
    insta::assert_snapshot!(told(&[0, 3, 1, 8], options), @"
    chosen 2 values 0.320 -0.320
    2 n9 q+1.000 prior 0.216 policy 0.985
    4 n0 q+0.186 prior 0.080 policy 0.004
    5 n3 q-0.042 prior 0.357 policy 0.006
      2 n2 q+0.062 prior 0.336
    6 n9 q-0.083 prior 0.216 policy 0.003
      2 n7 q+0.143 prior 0.276
      5 n1 q-0.125 prior 0.455
    7 n3 q-0.042 prior 0.131 policy 0.002
      2 n1 q+0.125 prior 0.249
      5 n1 q+0.000 prior 0.410
    ");
}

#[test]
fn noise_and_plain_values_are_searched_as_before() {
    let options = Options { simulations: 16, c_scale: 1.0, rescale: false, seed: 9, ..Options::default() };
    insta::assert_snapshot!(told(&[4, 0], options), @"
    chosen 2 values 0.184 -0.184
    1 n1 q+0.125 prior 0.240 policy 0.002
    2 n5 q+0.200 prior 0.145 policy 0.059
      1 n1 q-0.250 prior 0.280
      5 n1 q-0.250 prior 0.280
      6 n2 q-0.125 prior 0.170
    3 n1 q+0.125 prior 0.088 policy 0.001
    5 n1 q+0.125 prior 0.240 policy 0.002
    6 n2 q+0.250 prior 0.145 policy 0.916
      1 n1 q-0.250 prior 0.280
    7 n1 q+0.125 prior 0.088 policy 0.001
    8 n5 q+0.200 prior 0.053 policy 0.022
      1 n1 q-0.250 prior 0.253
      2 n2 q-0.125 prior 0.154
      5 n1 q-0.250 prior 0.253
    ");
}
