//! Where the numbers of an observation lie on the board, for networks that look at neighbours.

use std::fmt;

use crate::{Field, Layout};

/// A cell and the eight around it, as steps down and to the right.
pub const SQUARE: [[i16; 2]; 9] =
    [[0, 0], [0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1], [-1, 0], [-1, 1]];

/// A cell and the six around it, as steps in the first two of three coordinates that sum to zero.
pub const HEXAGON: [[i16; 2]; 7] = [[0, 0], [0, 1], [1, 0], [1, -1], [0, -1], [-1, 0], [-1, 1]];

/// The cells of a board, their neighbours, and the planes of an observation that lie on them.
#[derive(Clone, PartialEq, Eq)]
pub struct Grid {
    cells: usize,
    planes: usize,
    reach: usize,
    numbers: Vec<Option<usize>>,
    neighbours: Vec<Option<usize>>,
    rest: Vec<usize>,
}

impl Grid {
    /// A board whose cells lie at `places` and whose neighbourhoods are `steps`. `on_board` gives, for a field that lies on
    /// the board, the cell of each of its numbers; such a field is a plane. Every other field belongs to the rest.
    pub fn new(
        layout: &Layout,
        places: &[[i16; 2]],
        steps: &[[i16; 2]],
        on_board: impl Fn(&Field) -> Option<Vec<usize>>,
    ) -> Self {
        let at = |[row, column]: [i16; 2], [down, right]: [i16; 2]| {
            places.iter().position(|&place| place == [row + down, column + right])
        };
        let fields = layout.fields().iter();
        let (planes, others): (Vec<_>, Vec<_>) =
            fields.map(|field| (field, on_board(field))).partition(|(_, cells)| cells.is_some());
        let mut numbers = vec![None; places.len() * planes.len()];
        for (plane, (field, cells)) in planes.iter().enumerate() {
            for (number, &cell) in field.range.clone().zip(cells.iter().flatten()) {
                numbers[cell * planes.len() + plane] = Some(number);
            }
        }
        Self {
            cells: places.len(),
            planes: planes.len(),
            reach: steps.len(),
            numbers,
            neighbours: places
                .iter()
                .flat_map(|&place| steps.iter().map(move |&step| at(place, step)))
                .collect(),
            rest: others.into_iter().flat_map(|(field, _)| field.range.clone()).collect(),
        }
    }

    /// A board of that many rows and columns, its cells row by row, on which every field of as many numbers lies.
    pub fn rectangle(layout: &Layout, rows: usize, columns: usize) -> Self {
        let places: Vec<_> =
            (0..rows * columns).map(|i| [(i / columns) as i16, (i % columns) as i16]).collect();
        Self::new(layout, &places, &SQUARE, |field| {
            (field.range.len() == places.len()).then(|| (0..places.len()).collect())
        })
    }

    /// The same board under the first numbers of the observation alone. No plane may lie on both sides of that border.
    pub fn within(&self, numbers: usize) -> Self {
        let inside = |number: &Option<usize>| number.is_some_and(|number| number < numbers);
        let stays = |&plane: &usize| self.numbers[plane..].iter().step_by(self.planes).any(inside);
        let planes: Vec<usize> = (0..self.planes).filter(stays).collect();
        let cells = self.numbers.chunks_exact(self.planes.max(1));
        Self {
            planes: planes.len(),
            numbers: cells.flat_map(|cell| planes.iter().map(|&plane| cell[plane])).collect(),
            rest: self.rest.iter().copied().filter(|&number| number < numbers).collect(),
            ..self.clone()
        }
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// How many planes lie on them.
    pub fn planes(&self) -> usize {
        self.planes
    }

    /// How many cells a neighbourhood has, the cell itself included.
    pub fn reach(&self) -> usize {
        self.reach
    }

    /// `[cells, planes]`: where in the observation the number of a plane at a cell lies; none where the plane has none.
    pub fn numbers(&self) -> &[Option<usize>] {
        &self.numbers
    }

    /// `[cells, reach]`: the neighbourhood of each cell; none beyond the edge.
    pub fn neighbours(&self) -> &[Option<usize>] {
        &self.neighbours
    }

    /// The numbers of the observation that lie nowhere on the board.
    pub fn rest(&self) -> &[usize] {
        &self.rest
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cells, {} planes, {} neighbours", self.cells, self.planes, self.reach)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_lie_on_cells_and_the_rest_beside_them() {
        let layout = Layout::default().field("own", 6, "").field("turn", 2, "").field("other", 6, "");
        let grid = Grid::rectangle(&layout, 2, 3);
        assert_eq!((grid.cells(), grid.planes(), grid.reach()), (6, 2, 9));
        assert_eq!(grid.numbers()[..4], [Some(0), Some(8), Some(1), Some(9)]);
        assert_eq!(grid.rest(), [6, 7]);
    }

    #[test]
    fn a_board_can_be_cut_to_the_first_numbers() {
        let plain = Layout::default().field("own", 6, "").field("turn", 2, "");
        let whole = plain.clone().field("near", 6, "").field("far", 1, "");
        assert_eq!(Grid::rectangle(&whole, 2, 3).within(8), Grid::rectangle(&plain, 2, 3));
        assert_eq!(Grid::rectangle(&whole, 2, 3).within(15), Grid::rectangle(&whole, 2, 3));
    }

    #[test]
    fn neighbours_end_at_the_edge() {
        let layout = Layout::default().field("own", 6, "");
        let grid = Grid::rectangle(&layout, 2, 3);
        let [corner, middle] = [0, 1].map(|cell| &grid.neighbours()[9 * cell..][..9]);
        assert_eq!(corner, [Some(0), Some(1), Some(4), Some(3), None, None, None, None, None]);
        assert_eq!(middle.iter().flatten().count(), 6);
    }
}
