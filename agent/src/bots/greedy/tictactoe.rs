//! Tic-tac-toe: open lines.

use nodarium_env::calibration::tictactoe::TicTacToe;

use super::{Greedy, View};

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

impl Greedy for TicTacToe {
    /// Lines that the opponent has not touched count by their marks; two marks of the opponent are about to win.
    fn appraise(view: &View<'_>) -> f32 {
        let (own, other) = (view.field("own"), view.field("other"));
        let marks = |of: &[f32], line: &[usize; 3]| line.iter().map(|&cell| of[cell]).sum::<f32>() as usize;
        let worth = |line| match (marks(own, line), marks(other, line)) {
            (mine, 0) => [0.0, 1.0, 3.0, 0.0][mine],
            (0, theirs) => -[0.0, 1.0, 20.0, 0.0][theirs],
            _ => 0.0,
        };
        LINES.iter().map(worth).sum()
    }
}
