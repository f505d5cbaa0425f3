//! Tic-tac-toe: the smallest game of perfect information, and the shortest example of the contract.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{EnumeratedDeals, NoOptions};
use crate::{
    Action, ActionGroup, BadPosition, End, Game, Grid, Information, Ink, Layout, Mask, Paint, Rng, Seat,
    Spec, Symmetry, Text,
};

/// Cells of a side of the board.
const SIDE: usize = 3;
const CELLS: usize = SIDE * SIDE;
const FULL: u16 = (1 << CELLS) - 1;

/// Seat 0 (x) begins; three in a row win.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TicTacToe {
    /// The cells of each seat, bit = row × 3 + column.
    cells: [u16; 2],
    to_move: Option<Seat>,
}

/// The rows, columns and diagonals.
static LINES: [u16; 2 * SIDE + 2] = {
    let mut lines = [0; 2 * SIDE + 2];
    let mut i = 0;
    while i < CELLS {
        let (row, column) = (i / SIDE, i % SIDE);
        lines[row] |= 1 << i;
        lines[SIDE + column] |= 1 << i;
        if row == column {
            lines[2 * SIDE] |= 1 << i;
        }
        if row + column == SIDE - 1 {
            lines[2 * SIDE + 1] |= 1 << i;
        }
        i += 1;
    }
    lines
};

impl TicTacToe {
    const EMPTY: Self = Self { cells: [0; 2], to_move: Some(Seat(0)) };

    fn has_line(&self, seat: usize) -> bool {
        LINES.iter().any(|&line| self.cells[seat] & line == line)
    }

    fn winner(&self) -> Option<usize> {
        (0..2).find(|&seat| self.has_line(seat))
    }

    /// The seat to act, from the stones alone.
    fn next_seat(&self) -> Option<Seat> {
        let over = self.winner().is_some() || self.cells[0] | self.cells[1] == FULL;
        (!over).then(|| Seat((self.cells[0].count_ones() - self.cells[1].count_ones()) as u8))
    }
}

impl Game for TicTacToe {
    type Rules = NoOptions;

    fn spec(_rules: &Self::Rules) -> Spec {
        let names = (0..CELLS).map(cell_name);
        let observation = Layout::default()
            .field("own", CELLS, "1 where the viewer has a mark, row by row")
            .field("other", CELLS, "1 where the opponent has one");
        let symmetries = (0..8).map(|number| symmetry(number, &observation)).collect();
        Spec {
            id: "tictactoe",
            version: 1,
            title: "Tic-tac-toe",
            seats: 2,
            information: Information::Perfect,
            action_groups: vec![ActionGroup::new("mark the cell", names)],
            grid: Some(Arc::new(Grid::rectangle(&observation, SIDE, SIDE))),
            insights: observation.clone(),
            observation,
            longest_game: CELLS,
            ends: vec!["line", "full board"],
            symmetries,
        }
    }

    fn deal(_rules: &Self::Rules, _rng: &mut Rng) -> Self {
        Self::EMPTY
    }

    fn to_move(&self) -> Option<Seat> {
        self.to_move
    }

    fn legal(&self, mask: &mut Mask) {
        mask.clear();
        if self.to_move.is_some() {
            mask.insert_bits(0, u64::from(FULL & !(self.cells[0] | self.cells[1])));
        }
    }

    fn apply(&mut self, action: Action) {
        let seat = self.to_move.expect("the game goes on");
        self.cells[seat.index()] |= 1 << action.0;
        self.to_move = self.next_seat();
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

    fn observe(&self, seat: Seat, out: &mut [f32]) {
        for (half, cells) in out.chunks_exact_mut(CELLS).zip([seat.index(), 1 - seat.index()]) {
            for (i, x) in half.iter_mut().enumerate() {
                *x = f32::from(self.cells[cells] >> i & 1);
            }
        }
    }

    fn redeal_hidden(&mut self, _seat: Seat, _rng: &mut Rng) {}

    fn transform(&self, symmetry: usize) -> Self {
        let image = |cells: u16| {
            (0..CELLS).filter(|i| cells >> i & 1 == 1).fold(0, |to, i| to | 1 << turned(symmetry, i))
        };
        Self { cells: self.cells.map(image), to_move: self.to_move }
    }
}

impl EnumeratedDeals for TicTacToe {
    fn deals(_rules: &Self::Rules) -> Vec<(f64, Self)> {
        vec![(1.0, Self::EMPTY)]
    }
}

/// Where a cell goes: bit 2 of `number` mirrors, the rest counts quarter turns.
fn turned(number: usize, cell: usize) -> usize {
    let (mut row, mut column) = (cell / SIDE, cell % SIDE);
    if number & 4 != 0 {
        column = SIDE - 1 - column;
    }
    for _ in 0..number % 4 {
        (row, column) = (column, SIDE - 1 - row);
    }
    row * SIDE + column
}

fn symmetry(number: usize, layout: &Layout) -> Symmetry {
    let cells: Vec<usize> = (0..CELLS).map(|i| turned(number, i)).collect();
    let name = match number {
        0 => "identity".to_owned(),
        _ => format!("{}{} quarter turns", if number & 4 != 0 { "mirror, " } else { "" }, number % 4),
    };
    Symmetry {
        name,
        observation: Symmetry::of_layout(layout, |_| Some(cells.clone())),
        actions: cells.iter().map(|&i| i as u16).collect(),
        seats: vec![0, 1],
    }
}

/// `a1` at the top left, `c3` at the bottom right.
fn cell_name(cell: usize) -> String {
    format!("{}{}", char::from(b'a' + (cell % SIDE) as u8), cell / SIDE + 1)
}

/// STATE of the record format: `{"cells": "9 of . x o, row by row", "to_move": 0|1|null}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TicTacToePosition {
    cells: String,
    #[serde(deserialize_with = "Option::deserialize")]
    to_move: Option<u8>,
}

impl Text for TicTacToe {
    type Position = TicTacToePosition;

    fn position(&self) -> Self::Position {
        let letter = |i: usize| match [0, 1].map(|seat: usize| self.cells[seat] >> i & 1) {
            [1, _] => 'x',
            [_, 1] => 'o',
            _ => '.',
        };
        TicTacToePosition {
            cells: (0..CELLS).map(letter).collect(),
            to_move: self.to_move.map(|seat| seat.0),
        }
    }

    fn from_position(_rules: &Self::Rules, position: &Self::Position) -> Result<Self, BadPosition> {
        if position.cells.chars().count() != CELLS {
            let problem = format!("{} cells: expected {CELLS}", position.cells.chars().count());
            return Err(BadPosition::new("cells", problem));
        }
        let mut game = Self { cells: [0; 2], to_move: None };
        for (i, letter) in position.cells.chars().enumerate() {
            match letter {
                'x' => game.cells[0] |= 1 << i,
                'o' => game.cells[1] |= 1 << i,
                '.' => {}
                _ => {
                    return Err(BadPosition::new(
                        "cells",
                        format!("`{letter}` at place {i}: expected . x o"),
                    ));
                }
            }
        }
        let [x, o] = game.cells.map(u16::count_ones);
        if x != o && x != o + 1 {
            return Err(BadPosition::new("cells", format!("{x} x and {o} o: x begins and they take turns")));
        }
        if game.has_line(0) && game.has_line(1) || game.has_line(0) && x == o || game.has_line(1) && x > o {
            return Err(BadPosition::new("cells", "a mark was made after the game was over"));
        }
        game.to_move = game.next_seat();
        if game.to_move.map(|seat| seat.0) != position.to_move {
            let problem =
                format!("{:?}: the marks say {:?}", position.to_move, game.to_move.map(|seat| seat.0));
            return Err(BadPosition::new("to_move", problem));
        }
        Ok(game)
    }

    fn write_move(&self, action: Action, out: &mut String) {
        out.push_str(&cell_name(action.index()));
    }

    fn draw(&self, _seat: Option<Seat>, paint: Paint) -> String {
        let mut picture = String::from("  a b c\n");
        let cells = self.position().cells;
        for (row, line) in cells.as_bytes().chunks(SIDE).enumerate() {
            picture.push_str(&(row + 1).to_string());
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
        picture
    }
}
