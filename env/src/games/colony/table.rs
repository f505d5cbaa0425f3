//! The table: 11×11 cells, their names, their neighbours, the lines and paths over them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Cells of a side of the largest table.
pub const SIDE: usize = 11;
/// Cells of the largest table. A smaller one is its middle: cells keep their names and numbers.
pub const CELLS: usize = SIDE * SIDE;

/// A set of cells, bit = row × 11 + column.
pub(super) type Cells = u128;

const ALL: Cells = (1 << CELLS) - 1;
const FIRST_COLUMN: Cells = column(0);
const LAST_COLUMN: Cells = column(SIDE - 1);

/// The set of one cell.
#[inline]
pub(super) const fn only(cell: usize) -> Cells {
    1 << cell
}

const fn column(column: usize) -> Cells {
    let (mut set, mut row) = (0, 0);
    while row < SIDE {
        set |= only(row * SIDE + column);
        row += 1;
    }
    set
}

/// The distances of a cell from the middle, down and across.
const fn from_middle(cell: usize) -> (usize, usize) {
    ((cell / SIDE).abs_diff(SIDE / 2), (cell % SIDE).abs_diff(SIDE / 2))
}

/// C-03: the playable cells of a table with that odd side.
pub(super) const fn middle(side: usize) -> Cells {
    let (mut set, mut cell) = (0, 0);
    while cell < CELLS {
        let (down, across) = from_middle(cell);
        if down <= side / 2 && across <= side / 2 {
            set |= only(cell);
        }
        cell += 1;
    }
    set
}

/// The cells at most that many orthogonal steps from the middle.
pub(super) const fn diamond(steps: usize) -> Cells {
    let (mut set, mut cell) = (0, 0);
    while cell < CELLS {
        let (down, across) = from_middle(cell);
        if down + across <= steps {
            set |= only(cell);
        }
        cell += 1;
    }
    set
}

/// The playable cells by half the side of the table.
pub(super) static MIDDLES: [Cells; SIDE / 2 + 1] = {
    let mut sets = [0; SIDE / 2 + 1];
    let mut half = 0;
    while half < sets.len() {
        sets[half] = middle(2 * half + 1);
        half += 1;
    }
    sets
};

/// The orthogonal neighbours of the cells of a set.
#[inline]
pub(super) const fn beside(set: Cells) -> Cells {
    (set & !LAST_COLUMN) << 1 | (set & !FIRST_COLUMN) >> 1 | (set << SIDE & ALL) | set >> SIDE
}

/// What lies beyond a cell in one direction, for every cell: right, down, left, up. Cells further along a ray have
/// higher numbers in the first two and lower ones in the others.
static RAYS: [[Cells; CELLS]; 4] = {
    let mut rays = [[0; CELLS]; 4];
    let mut cell = 0;
    while cell < CELLS {
        let (row, column) = (cell / SIDE, cell % SIDE);
        let mut other = 0;
        while other < CELLS {
            let (r, c) = (other / SIDE, other % SIDE);
            if r == row && c > column {
                rays[0][cell] |= only(other);
            } else if c == column && r > row {
                rays[1][cell] |= only(other);
            } else if r == row && c < column {
                rays[2][cell] |= only(other);
            } else if c == column && r < row {
                rays[3][cell] |= only(other);
            }
            other += 1;
        }
        cell += 1;
    }
    rays
};

/// C-10, `line`: the cells of `open` that a straight orthogonal line over cells of `open` reaches.
#[inline]
pub(super) fn along_lines(from: usize, open: Cells) -> Cells {
    let mut reached = 0;
    for rays in &RAYS[..2] {
        let stops = rays[from] & !open;
        // All cells before the lowest stop; without a stop, all.
        reached |= rays[from] & (stops & stops.wrapping_neg()).wrapping_sub(1);
    }
    for rays in &RAYS[2..] {
        let stops = rays[from] & !open;
        let beyond = if stops == 0 { 0 } else { Cells::MAX >> stops.leading_zeros() };
        reached |= rays[from] & !beyond;
    }
    reached
}

/// C-10, `path`: the cells of `open` that orthogonal steps over cells of `open` reach, without the first. Crossing
/// the first cell again leads nowhere new: every path from there could have begun there.
pub(super) fn along_paths(from: usize, open: Cells) -> Cells {
    let mut reached = beside(only(from)) & open;
    loop {
        let further = reached | beside(reached) & open;
        if further == reached {
            return reached & !only(from);
        }
        reached = further;
    }
}

/// Row and column of the cell together, for every cell: where a straight line could lead.
static CROSSES: [Cells; CELLS] = {
    let mut crosses = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        crosses[cell] = RAYS[0][cell] | RAYS[1][cell] | RAYS[2][cell] | RAYS[3][cell];
        cell += 1;
    }
    crosses
};

/// Where a straight line from the cell could lead.
#[inline]
pub(super) fn cross(cell: usize) -> Cells {
    CROSSES[cell]
}

/// The orthogonal neighbours of every cell.
static NEIGHBOURS: [Cells; CELLS] = {
    let mut sets = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        sets[cell] = beside(only(cell));
        cell += 1;
    }
    sets
};

/// The orthogonal neighbours of one cell.
#[inline]
pub(super) fn beside_one(cell: usize) -> Cells {
    NEIGHBOURS[cell]
}

/// Whether the cells hang together by orthogonal steps.
pub(super) fn connected(set: Cells) -> bool {
    match set {
        0 => true,
        _ => {
            let first = set.trailing_zeros() as usize;
            along_paths(first, set) | only(first) == set
        }
    }
}

/// The cells of a set from the first to the last, a machine word at a time.
#[inline]
pub(super) fn each(set: Cells) -> impl Iterator<Item = usize> {
    let (mut word, mut next, mut first) = (set as u64, (set >> 64) as u64, 0);
    std::iter::from_fn(move || {
        if word == 0 {
            (word, next, first) = (next, 0, 64);
        }
        (word != 0).then(|| {
            let cell = first + word.trailing_zeros() as usize;
            word &= word - 1;
            cell
        })
    })
}

/// How many symmetries the square has.
pub(super) const TURNS: usize = 8;

/// Where a cell goes: bit 2 of `number` mirrors, the rest counts quarter turns.
pub(super) fn turned(number: usize, cell: usize) -> usize {
    let (mut row, mut column) = (cell / SIDE, cell % SIDE);
    if number & 4 != 0 {
        column = SIDE - 1 - column;
    }
    for _ in 0..number % 4 {
        (row, column) = (column, SIDE - 1 - row);
    }
    row * SIDE + column
}

/// A cell by number, row by row from the top left; `a1` … `k11` as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Cell(u8);

impl Cell {
    /// The cell with that number.
    ///
    /// # Panics
    /// When there is none.
    pub fn new(number: usize) -> Self {
        assert!(number < CELLS, "no cell has the number {number}");
        Self(number as u8)
    }

    /// Its number, row by row.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = char::from(b'a' + (self.index() % SIDE) as u8);
        write!(f, "{column}{}", self.index() / SIDE + 1)
    }
}

impl From<Cell> for String {
    fn from(cell: Cell) -> Self {
        cell.to_string()
    }
}

impl FromStr for Cell {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        (0..CELLS)
            .map(Self::new)
            .find(|cell| cell.to_string() == text)
            .ok_or_else(|| format!("`{text}` is no cell: expected a1 to k11"))
    }
}

impl TryFrom<String> for Cell {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> Cells {
        names.iter().map(|name| only(name.parse::<Cell>().expect("a cell").index())).sum()
    }

    #[test]
    fn tables_and_diamonds_have_the_sizes_of_their_definition() {
        assert_eq!(MIDDLES.map(Cells::count_ones), [1, 9, 25, 49, 81, 121]);
        assert_eq!([0, 1, 2].map(|steps| diamond(steps).count_ones()), [1, 5, 13]);
        assert_eq!(middle(3), set(&["e5", "f5", "g5", "e6", "f6", "g6", "e7", "f7", "g7"]));
    }

    #[test]
    fn neighbours_do_not_wrap_round_the_edges() {
        assert_eq!(beside(set(&["k3"])), set(&["k2", "k4", "j3"]));
        assert_eq!(beside(set(&["a4"])), set(&["a3", "a5", "b4"]));
        assert_eq!(beside(set(&["k11"])), set(&["k10", "j11"]));
        let pairs: u32 = (0..CELLS).map(|cell| beside(only(cell)).count_ones()).sum();
        assert_eq!(pairs as usize, 2 * 2 * SIDE * (SIDE - 1));
    }

    #[test]
    fn lines_stop_before_the_first_closed_cell_and_may_reach_the_edge() {
        let open = set(&["a6", "b6", "c6", "e6", "f5", "f4", "f1", "f7", "g6", "i6"]);
        let from = "f6".parse::<Cell>().expect("a cell").index();
        assert_eq!(along_lines(from, open), set(&["e6", "f5", "f4", "f7", "g6"]));
        assert_eq!(along_lines(from, ALL), cross(from));
        assert_eq!(along_lines(from, 0), 0);
        assert_eq!(along_lines(0, ALL).count_ones(), 20);
    }

    #[test]
    fn paths_turn_and_never_end_where_they_began() {
        let open = set(&["f6", "f7", "g7", "h7", "a1"]);
        let from = "f6".parse::<Cell>().expect("a cell").index();
        assert_eq!(along_paths(from, open), set(&["f7", "g7", "h7"]));
        assert!(connected(set(&["f6", "f7", "g7"])) && !connected(open));
    }

    #[test]
    fn names_run_row_by_row_and_are_read_back() {
        assert_eq!([0, 1, 11, 60, 120].map(|i| Cell::new(i).to_string()), ["a1", "b1", "a2", "f6", "k11"]);
        assert!((0..CELLS).map(Cell::new).all(|cell| cell.to_string().parse() == Ok(cell)));
        assert!(
            ["", "a", "a0", "a12", "l1", "A1", "a01", " a1"].iter().all(|text| text.parse::<Cell>().is_err())
        );
    }
}
