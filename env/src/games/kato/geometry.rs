//! The hexagon: cells, sides, lines, neighbours and symmetries, all computed from the coordinates.
//!
//! A cell has three coordinates that sum to zero and lie within ±(size − 1): `y` counts the rows from the top, `x`
//! grows to the right, `z` to the left. A line is the set of cells that share one coordinate, a side the set of
//! cells in which one coordinate is extreme.

use std::fmt;
use std::sync::LazyLock;

use super::cells::Cells;

/// Cells a side that a game may have.
pub(super) const SIZES: std::ops::RangeInclusive<usize> = 4..=8;
/// Smaller boards serve the exhaustive test of K-09 only.
const SMALLEST: usize = 2;
const LARGEST: usize = *SIZES.end();

pub(super) const MAX_CELLS: usize = cells(LARGEST);
const MAX_LINES: usize = 2 * LARGEST - 1;
pub(super) const SIDES: usize = 6;
const AXES: usize = 3;
/// Six rotations, each plain and mirrored.
pub(super) const SYMMETRIES: usize = 12;

/// How many cells a board of that size has.
pub(super) const fn cells(size: usize) -> usize {
    3 * size * (size - 1) + 1
}

/// Everything that is fixed about a board of one size.
pub(super) struct Board {
    /// Cells a side.
    pub(super) size: usize,
    /// Cells in all.
    pub(super) cells: usize,
    pub(super) outer: Cells,
    pub(super) inner: Cells,
    /// The cells of each side, clockwise from the top; a corner is in two of them.
    pub(super) sides: [Cells; SIDES],
    pub(super) neighbours: [Cells; MAX_CELLS],
    /// The neighbours one by one; where a cell has fewer than six, itself in place of the others.
    pub(super) around: [[u8; SIDES]; MAX_CELLS],
    /// The number of the line of each axis that a cell lies on.
    pub(super) line_of: [[u8; AXES]; MAX_CELLS],
    /// The inner cells of every line of each axis.
    pub(super) lines: [[Cells; MAX_LINES]; AXES],
    /// The inner cells on any line through a cell.
    pub(super) in_line_with: [Cells; MAX_CELLS],
    coordinates: [[i8; AXES]; MAX_CELLS],
    images: [[u8; MAX_CELLS]; SYMMETRIES],
}

impl Board {
    /// The board of that size.
    ///
    /// # Panics
    /// When the size is not between 2 and 8.
    pub(super) fn of(size: usize) -> &'static Self {
        static BOARDS: [LazyLock<Box<Board>>; LARGEST - SMALLEST + 1] = [
            LazyLock::new(|| Board::new(SMALLEST)),
            LazyLock::new(|| Board::new(SMALLEST + 1)),
            LazyLock::new(|| Board::new(SMALLEST + 2)),
            LazyLock::new(|| Board::new(SMALLEST + 3)),
            LazyLock::new(|| Board::new(SMALLEST + 4)),
            LazyLock::new(|| Board::new(SMALLEST + 5)),
            LazyLock::new(|| Board::new(SMALLEST + 6)),
        ];
        &BOARDS[size - SMALLEST]
    }

    /// The board with that many cells.
    pub(super) fn with_cells(count: usize) -> Option<&'static Self> {
        SIZES.into_iter().find(|&size| cells(size) == count).map(Self::of)
    }

    fn new(size: usize) -> Box<Self> {
        let edge = size as i8 - 1;
        let rows = -edge..=edge;
        let coordinates: Vec<[i8; AXES]> = rows
            .flat_map(|y| (-edge..=edge).map(move |x| [y, x, -x - y]))
            .filter(|[_, _, z]| z.abs() <= edge)
            .collect();
        let mut board = Box::new(Self {
            size,
            cells: coordinates.len(),
            outer: Cells::EMPTY,
            inner: Cells::EMPTY,
            sides: [Cells::EMPTY; SIDES],
            neighbours: [Cells::EMPTY; MAX_CELLS],
            around: [[0; SIDES]; MAX_CELLS],
            line_of: [[0; AXES]; MAX_CELLS],
            lines: [[Cells::EMPTY; MAX_LINES]; AXES],
            in_line_with: [Cells::EMPTY; MAX_CELLS],
            coordinates: [[0; AXES]; MAX_CELLS],
            images: [[0; MAX_CELLS]; SYMMETRIES],
        });
        board.coordinates[..coordinates.len()].copy_from_slice(&coordinates);
        let at = |wanted: [i8; AXES]| coordinates.iter().position(|&c| c == wanted);
        for (cell, &place) in coordinates.iter().enumerate() {
            let [y, x, z] = place;
            // Clockwise from the top, as the rules page numbers them.
            for (side, at_edge) in [-y, x, -z, y, -x, z].into_iter().enumerate() {
                if at_edge == edge {
                    board.sides[side].insert(cell);
                }
            }
            let steps = [[0, 1, -1], [1, 0, -1], [1, -1, 0], [0, -1, 1], [-1, 0, 1], [-1, 1, 0]];
            board.neighbours[cell] = steps
                .into_iter()
                .filter_map(|step: [i8; AXES]| at(std::array::from_fn(|axis| place[axis] + step[axis])))
                .collect();
            board.around[cell] = [cell as u8; SIDES];
            for (place, neighbour) in board.around[cell].iter_mut().zip(board.neighbours[cell].iter()) {
                *place = neighbour as u8;
            }
            for (number, images) in board.images.iter_mut().enumerate() {
                images[cell] = at(turned(number, place)).expect("the board maps onto itself") as u8;
            }
        }
        board.outer = board.sides.into_iter().fold(Cells::EMPTY, |all, side| all | side);
        board.inner = (0..coordinates.len()).filter(|&cell| !board.outer.contains(cell)).collect();
        for (cell, place) in coordinates.iter().enumerate() {
            for (axis, coordinate) in place.iter().enumerate() {
                let line = (coordinate + edge) as usize;
                board.line_of[cell][axis] = line as u8;
                if board.inner.contains(cell) {
                    board.lines[axis][line].insert(cell);
                }
            }
        }
        for cell in 0..coordinates.len() {
            let lines = board.lines_through(cell);
            board.in_line_with[cell] = lines.into_iter().fold(Cells::EMPTY, |all, line| all | line);
        }
        board
    }

    /// The inner cells of the three lines through a cell, axis by axis.
    #[inline]
    pub(super) fn lines_through(&self, cell: usize) -> [Cells; AXES] {
        std::array::from_fn(|axis| self.lines[axis][self.line_of[cell][axis] as usize])
    }

    /// Where a cell goes under a symmetry.
    pub(super) fn image(&self, symmetry: usize, cell: usize) -> usize {
        self.images[symmetry][cell] as usize
    }

    /// The first two coordinates of a cell; the third follows from them.
    pub(super) fn axial(&self, cell: usize) -> [i16; 2] {
        let [y, x, _] = self.coordinates[cell];
        [y.into(), x.into()]
    }

    /// The row from the top and the place in the row, both from 0.
    pub(super) fn place(&self, cell: usize) -> (usize, usize) {
        let [y, x, _] = self.coordinates[cell];
        let edge = self.size as i8 - 1;
        ((y + edge) as usize, (x - (-edge).max(-edge - y)) as usize)
    }

    /// `a1`: the row's letter and the place in the row from the left.
    pub(super) fn name(&self, cell: usize) -> String {
        let (row, place) = self.place(cell);
        format!("{}{}", char::from(b'a' + row as u8), place + 1)
    }

    /// The cell with that name.
    pub(super) fn cell(&self, name: &str) -> Option<usize> {
        (0..self.cells).find(|&cell| self.name(cell) == name)
    }
}

/// Where a place goes: the number counts sixths of a turn clockwise, from 6 on after a mirror from left to right.
fn turned(number: usize, place: [i8; AXES]) -> [i8; AXES] {
    let [mut y, mut x, mut z] = place;
    if number >= SYMMETRIES / 2 {
        (x, z) = (z, x);
    }
    for _ in 0..number % (SYMMETRIES / 2) {
        (y, x, z) = (-z, -y, -x);
    }
    [y, x, z]
}

/// A symmetry's name for people.
pub(super) fn symmetry_name(number: usize) -> String {
    let mirror = if number >= SYMMETRIES / 2 { "mirror, " } else { "" };
    match number {
        0 => "identity".to_owned(),
        _ => format!("{mirror}{} sixths of a turn", number % (SYMMETRIES / 2)),
    }
}

/// There is one board a size.
impl PartialEq for Board {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board of size {}", self.size)
    }
}
