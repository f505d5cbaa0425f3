//! The diamond of 13 squares: which corners, edges and squares touch, and how the board turns onto itself.
//!
//! Everything follows from one definition: the squares are the cells of a 5 × 5 grid at most two steps from its
//! centre. Corners, edges and squares are numbered row by row, as public programs for this game number them.

/// Squares on the board.
pub const SQUARES: usize = 13;
/// Corners of those squares.
pub const CORNERS: usize = 24;
/// Edges of those squares.
pub const EDGES: usize = 36;
/// Symmetries of the diamond.
pub const TURNS: usize = 8;

/// Cells of a side of the grid that the diamond lies in.
const SIDE: usize = 5;
/// Points of a side of that grid.
const POINTS: usize = SIDE + 1;
/// Stands for "no such corner, edge or square".
const NONE: u8 = u8::MAX;

/// A set of corners.
pub type Corners = u32;
/// A set of edges.
pub type Edges = u64;
/// A set of squares.
pub type Squares = u16;

/// The edges that touch each corner.
pub static CORNER_EDGES: [Edges; CORNERS] = BOARD.corner_edges;
/// The two corners of each edge.
pub static EDGE_CORNERS: [Corners; EDGES] = BOARD.edge_corners;
/// The edges that share a corner with each edge, itself included.
pub static EDGE_NEIGHBOURS: [Edges; EDGES] = BOARD.edge_neighbours;
/// The one or two squares on the sides of each edge.
pub static EDGE_SQUARES: [Squares; EDGES] = BOARD.edge_squares;
/// The four corners of each square.
pub static SQUARE_CORNERS: [Corners; SQUARES] = BOARD.square_corners;
/// The squares that each corner touches.
pub static CORNER_SQUARES: [Squares; CORNERS] = BOARD.corner_squares();
/// The four edges of each square.
pub static SQUARE_EDGES: [Edges; SQUARES] = BOARD.square_edges;
/// The edges with a square on one side only.
pub const BORDER: Edges = BOARD.border;

const BOARD: Board = Board::new();

/// Whether the grid's cell is a square of the diamond.
const fn is_square(row: usize, column: usize) -> bool {
    row < SIDE && column < SIDE && row.abs_diff(SIDE / 2) + column.abs_diff(SIDE / 2) <= SIDE / 2
}

/// The board's numbering and what touches what.
struct Board {
    square_at: [[u8; SIDE]; SIDE],
    corner_at: [[u8; POINTS]; POINTS],
    /// The edge from a point to the right, and from a point downwards.
    right_at: [[u8; POINTS]; POINTS],
    down_at: [[u8; POINTS]; POINTS],
    corner_edges: [Edges; CORNERS],
    edge_corners: [Corners; EDGES],
    edge_neighbours: [Edges; EDGES],
    edge_squares: [Squares; EDGES],
    square_corners: [Corners; SQUARES],
    square_edges: [Edges; SQUARES],
    border: Edges,
}

impl Board {
    const fn new() -> Self {
        let mut board = Self {
            square_at: [[NONE; SIDE]; SIDE],
            corner_at: [[NONE; POINTS]; POINTS],
            right_at: [[NONE; POINTS]; POINTS],
            down_at: [[NONE; POINTS]; POINTS],
            corner_edges: [0; CORNERS],
            edge_corners: [0; EDGES],
            edge_neighbours: [0; EDGES],
            edge_squares: [0; EDGES],
            square_corners: [0; SQUARES],
            square_edges: [0; SQUARES],
            border: 0,
        };
        board.number();
        board.connect();
        board
    }

    /// Gives numbers row by row: the edges along a row of corners come before those that lead down from it.
    const fn number(&mut self) {
        let (mut squares, mut corners, mut edges) = (0, 0, 0);
        let mut row = 0;
        while row < POINTS {
            let mut column = 0;
            while column < POINTS {
                let (above, before) = (row.wrapping_sub(1), column.wrapping_sub(1));
                if is_square(row, column) {
                    self.square_at[row][column] = squares;
                    squares += 1;
                }
                let touches = is_square(row, column)
                    || is_square(above, column)
                    || is_square(row, before)
                    || is_square(above, before);
                if touches {
                    self.corner_at[row][column] = corners;
                    corners += 1;
                }
                if is_square(row, column) || is_square(above, column) {
                    self.right_at[row][column] = edges;
                    edges += 1;
                }
                column += 1;
            }
            column = 0;
            while column < POINTS {
                if is_square(row, column) || is_square(row, column.wrapping_sub(1)) {
                    self.down_at[row][column] = edges;
                    edges += 1;
                }
                column += 1;
            }
            row += 1;
        }
        assert!(squares as usize == SQUARES && corners as usize == CORNERS && edges as usize == EDGES);
    }

    const fn connect(&mut self) {
        let mut row = 0;
        while row < POINTS {
            let mut column = 0;
            while column < POINTS {
                if self.right_at[row][column] != NONE {
                    self.join(self.right_at[row][column], [row, column], [row, column + 1]);
                }
                if self.down_at[row][column] != NONE {
                    self.join(self.down_at[row][column], [row, column], [row + 1, column]);
                }
                if is_square(row, column) {
                    self.surround(row, column);
                }
                column += 1;
            }
            row += 1;
        }
        let mut edge = 0;
        while edge < EDGES {
            let mut corner = 0;
            while corner < CORNERS {
                if self.edge_corners[edge] >> corner & 1 == 1 {
                    self.edge_neighbours[edge] |= self.corner_edges[corner];
                }
                corner += 1;
            }
            if self.edge_squares[edge].count_ones() == 1 {
                self.border |= 1 << edge;
            }
            edge += 1;
        }
    }

    const fn corner_squares(&self) -> [Squares; CORNERS] {
        let mut squares = [0; CORNERS];
        let mut corner = 0;
        while corner < CORNERS {
            let mut square = 0;
            while square < SQUARES {
                squares[corner] |= ((self.square_corners[square] >> corner & 1) as Squares) << square;
                square += 1;
            }
            corner += 1;
        }
        squares
    }

    const fn join(&mut self, edge: u8, a: [usize; 2], b: [usize; 2]) {
        let (a, b) = (self.corner_at[a[0]][a[1]], self.corner_at[b[0]][b[1]]);
        self.edge_corners[edge as usize] = 1 << a | 1 << b;
        self.corner_edges[a as usize] |= 1 << edge;
        self.corner_edges[b as usize] |= 1 << edge;
    }

    const fn surround(&mut self, row: usize, column: usize) {
        let square = self.square_at[row][column];
        let edges = [
            self.right_at[row][column],
            self.right_at[row + 1][column],
            self.down_at[row][column],
            self.down_at[row][column + 1],
        ];
        let mut i = 0;
        while i < edges.len() {
            self.square_edges[square as usize] |= 1 << edges[i];
            self.edge_squares[edges[i] as usize] |= 1 << square;
            self.square_corners[square as usize] |= 1 << self.corner_at[row + i / 2][column + i % 2];
            i += 1;
        }
    }
}

/// What stands at a point of the picture: a corner, the edges that lead from it to the right and down, and the square
/// between them.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    pub corner: Option<usize>,
    pub right: Option<usize>,
    pub down: Option<usize>,
    pub square: Option<usize>,
}

/// The points of the picture, row by row.
pub fn points() -> impl Iterator<Item = [Point; POINTS]> {
    let known = |number: u8| (number != NONE).then_some(usize::from(number));
    (0..POINTS).map(move |row| {
        std::array::from_fn(|column| Point {
            corner: known(BOARD.corner_at[row][column]),
            right: known(BOARD.right_at[row][column]),
            down: known(BOARD.down_at[row][column]),
            square: if is_square(row, column) { known(BOARD.square_at[row][column]) } else { None },
        })
    })
}

/// Where a symmetry takes each square, corner and edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// A name for people.
    pub name: &'static str,
    /// The square that each square becomes.
    pub squares: [usize; SQUARES],
    /// The corner that each corner becomes.
    pub corners: [usize; CORNERS],
    /// The edge that each edge becomes.
    pub edges: [usize; EDGES],
}

impl Turn {
    /// The symmetry with that number below [`TURNS`]: a mirror image from 4 on, then quarter turns clockwise.
    pub fn new(number: usize) -> Self {
        const NAMES: [&str; TURNS] = [
            "identity",
            "quarter turn",
            "half turn",
            "three-quarter turn",
            "mirror",
            "mirror, quarter turn",
            "mirror, half turn",
            "mirror, three-quarter turn",
        ];
        // In a grid of `n` × `n` things, where the one at (row, column) goes.
        let turned = |n: usize, mut row: usize, mut column: usize| {
            if number >= TURNS / 2 {
                column = n - 1 - column;
            }
            for _ in 0..number % 4 {
                (row, column) = (column, n - 1 - row);
            }
            (row, column)
        };
        let mut turn =
            Self { name: NAMES[number], squares: [0; SQUARES], corners: [0; CORNERS], edges: [0; EDGES] };
        for row in 0..POINTS {
            for column in 0..POINTS {
                if is_square(row, column) {
                    let to = turned(SIDE, row, column);
                    turn.squares[BOARD.square_at[row][column] as usize] =
                        BOARD.square_at[to.0][to.1] as usize;
                }
                if BOARD.corner_at[row][column] != NONE {
                    let to = turned(POINTS, row, column);
                    turn.corners[BOARD.corner_at[row][column] as usize] =
                        BOARD.corner_at[to.0][to.1] as usize;
                }
            }
        }
        for (edge, to) in turn.edges.iter_mut().enumerate() {
            let image = image(EDGE_CORNERS[edge].into(), &turn.corners) as Corners;
            *to = EDGE_CORNERS.iter().position(|&corners| corners == image).expect("edges become edges");
        }
        turn
    }
}

/// The members of a set.
pub fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let member = set.trailing_zeros() as usize;
        let some = set != 0;
        set &= set.wrapping_sub(1);
        some.then_some(member)
    })
}

/// The image of a set under a permutation of its elements.
pub fn image(set: u64, map: &[usize]) -> u64 {
    map.iter().enumerate().filter(|&(from, _)| set >> from & 1 == 1).fold(0, |to, (_, &bit)| to | 1 << bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_totals_are_those_of_the_board() {
        assert_eq!(BORDER.count_ones(), 20);
        assert_eq!(EDGES - BORDER.count_ones() as usize, 16, "edges inside");
        let edges_at = |n| CORNER_EDGES.iter().filter(|edges| edges.count_ones() == n).count();
        assert_eq!([1, 2, 3, 4].map(edges_at), [0, 12, 0, 12]);
        let squares_at = |corner: usize| SQUARE_CORNERS.iter().filter(|c| *c >> corner & 1 == 1).count();
        let corners_with = |n| (0..CORNERS).filter(|&corner| squares_at(corner) == n).count();
        assert_eq!([1, 2, 3, 4].map(corners_with), [12, 0, 8, 4]);
        assert!(SQUARE_EDGES.iter().all(|edges| edges.count_ones() == 4));
        assert!(SQUARE_CORNERS.iter().all(|corners| corners.count_ones() == 4));
        assert!(EDGE_CORNERS.iter().all(|corners| corners.count_ones() == 2));
    }

    #[test]
    fn numbers_are_those_of_the_picture() {
        assert_eq!(EDGE_CORNERS[0], 1 << 0 | 1 << 1);
        assert_eq!(EDGE_CORNERS[7], 1 << 3 | 1 << 8);
        assert_eq!(EDGE_CORNERS[15], 1 << 6 | 1 << 12);
        assert_eq!(EDGE_CORNERS[35], 1 << 22 | 1 << 23);
        assert_eq!(SQUARE_EDGES[6], 1 << 12 | 1 << 17 | 1 << 18 | 1 << 23);
        assert_eq!(SQUARE_CORNERS[12], 1 << 19 | 1 << 20 | 1 << 22 | 1 << 23);
    }

    #[test]
    fn turns_keep_what_touches_and_are_all_different() {
        let turns: Vec<Turn> = (0..TURNS).map(Turn::new).collect();
        for (i, turn) in turns.iter().enumerate() {
            assert!(turns[..i].iter().all(|other| other.corners != turn.corners));
            for square in 0..SQUARES {
                let to = turn.squares[square];
                assert_eq!(
                    image(SQUARE_CORNERS[square].into(), &turn.corners),
                    u64::from(SQUARE_CORNERS[to])
                );
                assert_eq!(image(SQUARE_EDGES[square], &turn.edges), SQUARE_EDGES[to]);
            }
        }
    }
}
