//! Connect Four: the game of perfect information that every framework plays, on the usual bitboard.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::NoOptions;
use crate::{
    Action, ActionGroup, BadPosition, End, Game, Grid, Information, Ink, Layout, Mask, Paint, Rng, Seat,
    Spec, Symmetry, Text,
};

const ROWS: usize = 6;
const COLUMNS: usize = 7;
const CELLS: usize = ROWS * COLUMNS;

/// Bits of a column. The one above the board stays empty, so that no line runs on into the next column.
const STEP: usize = ROWS + 1;

/// The lowest column, and the lowest cell of every column.
const COLUMN: u64 = (1 << ROWS) - 1;
const BOTTOM: u64 = {
    let (mut cells, mut column) = (0, 0);
    while column < COLUMNS {
        cells |= 1 << (column * STEP);
        column += 1;
    }
    cells
};
const BOARD: u64 = BOTTOM * COLUMN;

/// From a cell to its neighbour above, below right, right, above right.
const DIRECTIONS: [usize; 4] = [1, STEP - 1, STEP, STEP + 1];

/// Seat 0 (x) begins; four in a row, upright, level or slanting, win.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ConnectFour {
    /// The stones of each seat, bit = column × 7 + row, rows from the bottom.
    stones: [u64; 2],
    to_move: Option<Seat>,
}

/// Whether four of the stones lie in a row.
#[inline]
fn has_four(stones: u64) -> bool {
    DIRECTIONS.iter().any(|direction| {
        let pairs = stones & stones >> direction;
        pairs & pairs >> (2 * direction) != 0
    })
}

impl ConnectFour {
    #[inline]
    fn all(&self) -> u64 {
        self.stones[0] | self.stones[1]
    }

    /// The lowest empty cell of every column that is not full.
    #[inline]
    fn landing(&self) -> u64 {
        (self.all() + BOTTOM) & BOARD
    }

    fn winner(&self) -> Option<usize> {
        (0..2).find(|&seat| has_four(self.stones[seat]))
    }
}

impl Game for ConnectFour {
    type Rules = NoOptions;

    fn spec(_rules: &Self::Rules) -> Spec {
        let observation = Layout::default()
            .field(
                "own",
                CELLS,
                "1 where the viewer has a stone; columns from the left, each from the bottom",
            )
            .field("other", CELLS, "1 where the opponent has one");
        let identity = Symmetry::identity(observation.len(), COLUMNS, 2);
        let mirrored = |i: usize| (COLUMNS - 1 - i / ROWS) * ROWS + i % ROWS;
        let mirror = Symmetry {
            name: "mirror".to_owned(),
            observation: Symmetry::of_layout(&observation, |_| Some((0..CELLS).map(mirrored).collect())),
            actions: (0..COLUMNS as u16).rev().collect(),
            seats: vec![0, 1],
        };
        Spec {
            id: "connect_four",
            version: 1,
            title: "Connect Four",
            seats: 2,
            information: Information::Perfect,
            action_groups: vec![ActionGroup::new(
                "drop a stone into the column",
                (0..COLUMNS).map(column_name),
            )],
            // Columns are what other boards call rows.
            grid: Some(Arc::new(Grid::rectangle(&observation, COLUMNS, ROWS))),
            insights: observation.clone(),
            observation,
            longest_game: CELLS,
            ends: vec!["four", "full board"],
            symmetries: vec![identity, mirror],
        }
    }

    fn deal(_rules: &Self::Rules, _rng: &mut Rng) -> Self {
        Self { stones: [0; 2], to_move: Some(Seat(0)) }
    }

    #[inline]
    fn to_move(&self) -> Option<Seat> {
        self.to_move
    }

    #[inline]
    fn legal(&self, mask: &mut Mask) {
        mask.clear();
        if self.to_move.is_some() {
            let tops = !self.all() >> (ROWS - 1);
            mask.insert_bits(0, (0..COLUMNS).fold(0, |open, c| open | (tops >> (c * STEP) & 1) << c));
        }
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        let seat = self.to_move.expect("the game goes on");
        self.stones[seat.index()] |= self.landing() & COLUMN << (action.index() * STEP);
        let over = has_four(self.stones[seat.index()]) || self.all() == BOARD;
        self.to_move = (!over).then_some(Seat(1 - seat.0));
    }

    fn returns(&self, out: &mut [f32]) {
        out.fill(0.0);
        if let Some(winner) = self.winner() {
            out[winner] = 1.0;
            out[1 - winner] = -1.0;
        }
    }

    fn end(&self) -> Option<End> {
        self.to_move.is_none().then(|| End(u8::from(self.winner().is_none())))
    }

    #[inline]
    fn observe(&self, seat: Seat, out: &mut [f32]) {
        let planes = [self.stones[seat.index()], self.stones[1 - seat.index()]];
        for (plane, bits) in out.chunks_exact_mut(CELLS).zip(planes) {
            for (column, cells) in plane.chunks_exact_mut(ROWS).enumerate() {
                cells.copy_from_slice(&EXPANDED[(bits >> (column * STEP) & COLUMN) as usize]);
            }
        }
    }

    fn redeal_hidden(&mut self, _seat: Seat, _rng: &mut Rng) {}

    fn transform(&self, symmetry: usize) -> Self {
        let mirror =
            |stones: u64| (0..COLUMNS).fold(0, |image, c| image << STEP | stones >> (c * STEP) & COLUMN);
        match symmetry {
            0 => self.clone(),
            1 => Self { stones: self.stones.map(mirror), to_move: self.to_move },
            _ => panic!("there is no symmetry {symmetry}"),
        }
    }
}

/// The numbers of every column of bits.
static EXPANDED: [[f32; ROWS]; 1 << ROWS] = {
    let mut table = [[0.0; ROWS]; 1 << ROWS];
    let mut i = 0;
    while i < ROWS << ROWS {
        table[i / ROWS][i % ROWS] = ((i / ROWS) >> (i % ROWS) & 1) as f32;
        i += 1;
    }
    table
};

/// `a` at the left, `g` at the right.
fn column_name(column: usize) -> String {
    char::from(b'a' + column as u8).to_string()
}

/// STATE of the record format: `{"cells": "42 of . x o, row by row from the top", "to_move": 0|1|null}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConnectFourPosition {
    cells: String,
    #[serde(deserialize_with = "Option::deserialize")]
    to_move: Option<u8>,
}

/// The bit of a place in the text of a position.
fn bit_of_place(place: usize) -> usize {
    place % COLUMNS * STEP + (ROWS - 1 - place / COLUMNS)
}

/// Refuses stones that no game leaves behind.
fn check_stones(game: &ConnectFour) -> Result<(), BadPosition> {
    let wrong = |problem: String| Err(BadPosition::new("cells", problem));
    let [x, o] = game.stones.map(u64::count_ones);
    if x != o && x != o + 1 {
        return wrong(format!("{x} x and {o} o: x begins and they take turns"));
    }
    if game.all() & !(game.all() << 1 | BOTTOM) != 0 {
        return wrong("a stone hangs in the air".to_owned());
    }
    // The last stone is on top of a column, and without it there was no four.
    let last = game.stones[usize::from(x == o)];
    let tops = game.all() & !(game.all() >> 1);
    let goes_back = |bit: usize| (last & tops) >> bit & 1 == 1 && !has_four(last & !(1 << bit));
    let before = game.stones[usize::from(x > o)];
    if x > 0 && (has_four(before) || !(0..COLUMNS * STEP).any(goes_back)) {
        return wrong("a stone was dropped after the game was over".to_owned());
    }
    Ok(())
}

impl Text for ConnectFour {
    type Position = ConnectFourPosition;

    fn position(&self) -> Self::Position {
        let letter = |place| match self.stones.map(|stones| stones >> bit_of_place(place) & 1) {
            [1, _] => 'x',
            [_, 1] => 'o',
            _ => '.',
        };
        ConnectFourPosition {
            cells: (0..CELLS).map(letter).collect(),
            to_move: self.to_move.map(|seat| seat.0),
        }
    }

    fn from_position(_rules: &Self::Rules, position: &Self::Position) -> Result<Self, BadPosition> {
        let wrong = |problem: String| Err(BadPosition::new("cells", problem));
        if position.cells.chars().count() != CELLS {
            return wrong(format!("{} cells: expected {CELLS}", position.cells.chars().count()));
        }
        let mut game = Self { stones: [0; 2], to_move: None };
        for (place, letter) in position.cells.chars().enumerate() {
            match letter {
                'x' => game.stones[0] |= 1 << bit_of_place(place),
                'o' => game.stones[1] |= 1 << bit_of_place(place),
                '.' => {}
                _ => return wrong(format!("`{letter}` at place {place}: expected . x o")),
            }
        }
        check_stones(&game)?;
        let [x, o] = game.stones.map(u64::count_ones);
        let over = game.winner().is_some() || game.all() == BOARD;
        game.to_move = (!over).then_some(Seat((x - o) as u8));
        if game.to_move.map(|seat| seat.0) != position.to_move {
            let told = game.to_move.map(|seat| seat.0);
            let problem = format!("{:?}: the stones say {told:?}", position.to_move);
            return Err(BadPosition::new("to_move", problem));
        }
        Ok(game)
    }

    fn write_move(&self, action: Action, out: &mut String) {
        out.push_str(&column_name(action.index()));
    }

    fn draw(&self, _seat: Option<Seat>, paint: Paint) -> String {
        let mut picture = String::new();
        for (row, line) in self.position().cells.as_bytes().chunks(COLUMNS).enumerate() {
            picture.push_str(&(ROWS - row).to_string());
            for &cell in line {
                let ink = match cell {
                    b'x' => Ink::Orange,
                    b'o' => Ink::Purple,
                    _ => Ink::Dim,
                };
                picture.push(' ');
                picture.push_str(&paint.ink(ink, &char::from(cell).to_string()));
            }
            picture.push('\n');
        }
        picture + "  a b c d e f g\n"
    }
}
