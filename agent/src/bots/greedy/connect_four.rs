//! Connect Four: open lines.

use nodarium_env::calibration::connect_four::ConnectFour;

use super::{Greedy, View};

const ROWS: usize = 6;
const COLUMNS: usize = 7;

/// Steps in columns and rows from a cell to the next of a line.
const DIRECTIONS: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// The place of a cell in a plane: columns from the left, each from the bottom.
fn place(column: isize, row: isize) -> Option<usize> {
    let inside = (0..COLUMNS as isize).contains(&column) && (0..ROWS as isize).contains(&row);
    inside.then_some((column * ROWS as isize + row) as usize)
}

/// Every four cells in a row.
fn lines() -> impl Iterator<Item = [usize; 4]> {
    let starts = (0..COLUMNS as isize).flat_map(|column| (0..ROWS as isize).map(move |row| (column, row)));
    starts.flat_map(|(column, row)| {
        DIRECTIONS.into_iter().filter_map(move |(right, up)| {
            let cell = |i| place(column + right * i, row + up * i);
            Some([cell(0)?, cell(1)?, cell(2)?, cell(3)?])
        })
    })
}

impl Greedy for ConnectFour {
    /// Lines that only one side has stones in count by their stones; three of the opponent's with a playable fourth cell
    /// are about to win.
    fn appraise(view: &View<'_>) -> f32 {
        let (own, other) = (view.field("own"), view.field("other"));
        let taken = |cell: usize| own[cell] + other[cell] > 0.0;
        let playable = |cell: usize| !taken(cell) && (cell.is_multiple_of(ROWS) || taken(cell - 1));
        let worth = |line: [usize; 4]| {
            let stones = |of: &[f32]| line.iter().map(|&cell| of[cell]).sum::<f32>() as usize;
            match (stones(own), stones(other)) {
                (mine, 0) => [0.0, 1.0, 4.0, 12.0, 0.0][mine],
                (0, 3) if line.iter().any(|&cell| playable(cell)) => -1_000.0,
                (0, theirs) => -[0.0, 1.0, 4.0, 12.0, 0.0][theirs],
                _ => 0.0,
            }
        };
        lines().map(worth).sum()
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_board_has_69_lines() {
        assert_eq!(super::lines().count(), 69);
    }
}
