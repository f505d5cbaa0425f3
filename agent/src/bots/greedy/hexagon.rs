//! What touches what on a hexagon of hexes, numbered row by row from the top as the observation of Kato's Node is.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Sides of the board, clockwise from the top.
pub(super) const SIDES: usize = 6;

/// The board with `n` cells a side.
#[derive(Debug)]
pub(super) struct Hexagon {
    /// The neighbours of each cell.
    pub(super) neighbours: Vec<Vec<usize>>,
    /// The sides that each cell lies on.
    pub(super) sides: Vec<Vec<usize>>,
}

/// Cells of the board with `n` cells a side.
fn cells(n: usize) -> usize {
    3 * n * n - 3 * n + 1
}

impl Hexagon {
    /// The board with that many cells.
    ///
    /// # Panics
    /// When no board has that many.
    pub(super) fn with_cells(count: usize) -> Arc<Self> {
        static BOARDS: Mutex<BTreeMap<usize, Arc<Hexagon>>> = Mutex::new(BTreeMap::new());
        let mut boards = BOARDS.lock().expect("nobody panics while holding the boards");
        let n = (1..).find(|&n| cells(n) >= count).filter(|&n| cells(n) == count);
        let n = n.expect("the cells of a hexagon");
        boards.entry(n).or_insert_with(|| Arc::new(Self::new(n as isize))).clone()
    }

    /// Rows `r` and diagonals `q` from the middle; `s` = −q − r.
    fn new(n: isize) -> Self {
        let far = n - 1;
        let on_board = |q: isize, r: isize| q.abs().max(r.abs()).max((q + r).abs()) <= far;
        let all: Vec<(isize, isize)> = (-far..=far)
            .flat_map(|r| (-far..=far).map(move |q| (q, r)))
            .filter(|&(q, r)| on_board(q, r))
            .collect();
        let near = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];
        let index = |cell| all.iter().position(|&known| known == cell);
        let neighbours_of =
            |&(q, r): &(isize, isize)| near.iter().filter_map(|(dq, dr)| index((q + dq, r + dr))).collect();
        let sides_of = |&(q, r): &(isize, isize)| {
            let ends = [-r, q, q + r, r, -q, -q - r];
            (0..SIDES).filter(|&side| ends[side] == far).collect()
        };
        Self {
            neighbours: all.iter().map(neighbours_of).collect(),
            sides: all.iter().map(sides_of).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_has_its_cells_sides_and_neighbours() {
        let board = Hexagon::with_cells(91);
        assert_eq!(board.neighbours.len(), 91);
        for side in 0..SIDES {
            let on_side = board.sides.iter().filter(|sides| sides.contains(&side)).count();
            assert_eq!(on_side, 6, "cells of side {side}");
            let shared = |other: usize| {
                board.sides.iter().filter(|sides| sides.contains(&side) && sides.contains(&other)).count()
            };
            assert_eq!(shared((side + 1) % SIDES), 1, "neighbouring sides share a corner");
            assert_eq!(shared((side + 2) % SIDES) + shared((side + 3) % SIDES), 0);
        }
        assert_eq!(board.neighbours[45].len(), 6, "the middle");
        assert_eq!(board.neighbours[0].len(), 3, "a corner");
        assert!(board.sides[0].contains(&0) && board.sides[0].contains(&5), "the top left corner");
    }
}
