//! What touches what on the board of Shuter's Node, numbered row by row as the observation is.

use std::sync::LazyLock;

/// Cells of a side of the grid that the diamond lies in.
const SIDE: usize = 5;

/// The board.
pub(super) struct Diamond {
    /// The corners and edges of each square.
    pub(super) squares: Vec<([usize; 4], [usize; 4])>,
    /// The squares at each corner.
    pub(super) corner_squares: Vec<Vec<usize>>,
    /// The two corners of each edge.
    pub(super) edges: Vec<[usize; 2]>,
}

pub(super) static DIAMOND: LazyLock<Diamond> = LazyLock::new(Diamond::new);

/// Whether the cell of the grid is a square of the board.
fn is_square(row: usize, column: usize) -> bool {
    row < SIDE && column < SIDE && row.abs_diff(2) + column.abs_diff(2) <= 2
}

impl Diamond {
    fn new() -> Self {
        let cells = |n: usize| (0..n).flat_map(move |row| (0..n).map(move |column| (row, column)));
        let before = |i: usize| i.wrapping_sub(1);
        let at_square = |r: usize, c: usize| {
            [(r, c), (before(r), c), (r, before(c)), (before(r), before(c))]
                .iter()
                .any(|&(r, c)| is_square(r, c))
        };
        let corners: Vec<_> = cells(SIDE + 1).filter(|&(r, c)| at_square(r, c)).collect();
        let corner = |point| corners.iter().position(|&known| known == point).expect("the point is a corner");
        // The edges along a row of corners come before those that lead down from it.
        let mut edges = Vec::new();
        for row in 0..=SIDE {
            let right = (0..SIDE).filter(|&c| is_square(row, c) || is_square(before(row), c));
            edges.extend(right.map(|c| [corner((row, c)), corner((row, c + 1))]));
            let down = (0..=SIDE).filter(|&c| is_square(row, c) || is_square(row, before(c)));
            edges.extend(down.map(|c| [corner((row, c)), corner((row + 1, c))]));
        }
        let edge = |a, b| edges.iter().position(|&ends| ends == [a, b]).expect("the corners are neighbours");
        let square = |(r, c)| {
            let [a, b, c, d] = [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)].map(corner);
            ([a, b, c, d], [edge(a, b), edge(a, c), edge(b, d), edge(c, d)])
        };
        let squares: Vec<_> = cells(SIDE).filter(|&(r, c)| is_square(r, c)).map(square).collect();
        let touching =
            |corner: usize| (0..squares.len()).filter(|&s| squares[s].0.contains(&corner)).collect();
        Self { corner_squares: (0..corners.len()).map(touching).collect(), squares, edges }
    }
}

#[cfg(test)]
mod tests {
    use nodarium_env::games::shuter::Shuter;
    use nodarium_env::rng::Purpose;
    use nodarium_env::{Action, Game, Mask, Rng};

    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_game() {
        let Diamond { squares, corner_squares, edges } = &*DIAMOND;
        assert_eq!((squares.len(), corner_squares.len(), edges.len()), (13, 24, 36));
        let start = Shuter::deal(&Default::default(), &mut Rng::keyed(Purpose::Deal, 0, 0, 0));
        for corner in 0..24 {
            let mut game = start.clone();
            game.apply(Action(corner as u16));
            let mut mask = Mask::EMPTY;
            game.legal(&mut mask);
            let touching = (0..36).filter(|&edge| edges[edge].contains(&corner));
            assert_eq!(mask, touching.map(|edge| Action((24 + edge) as u16)).collect());
        }
    }
}
