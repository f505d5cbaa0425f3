//! Positions and moves as text.

use serde::{Deserialize, Serialize};

use super::actions::Play;
use super::cells::Cells;
use super::geometry::Board;
use super::rules::{Kato, KatoRules, Phase};
use crate::{Action, BadPosition, Paint, Seat, Text};

/// STATE of the record format: `{"cells": "3n²−3n+1 of . w b, row by row", "phase": "prepare"|"anchor"|"node",
/// "anchor": "a3"|null, "to_move": 0|1|null}`. `anchor` is the anchor just placed while its node is still owed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KatoPosition {
    cells: String,
    phase: Phase,
    anchor: Option<String>,
    to_move: Option<u8>,
}

impl Text for Kato {
    type Position = KatoPosition;

    fn position(&self) -> Self::Position {
        KatoPosition {
            cells: (0..self.board.cells).map(|cell| self.letter(cell)).collect(),
            phase: self.phase,
            anchor: self.anchor.map(|cell| self.board.name(usize::from(cell))),
            to_move: self.to_act().map(|seat| seat.0),
        }
    }

    fn from_position(rules: &KatoRules, position: &Self::Position) -> Result<Self, BadPosition> {
        let mut state = Self::start(rules);
        state.phase = position.phase;
        state = state.with_pieces(pieces(state.board, &position.cells)?, None);
        match (position.to_move, state.won(0), state.won(1)) {
            (_, Some(_), Some(_)) => return Err(BadPosition::new("cells", "both seats have won")),
            (Some(seat), None, None) if seat < 2 => state.seat = seat,
            (Some(seat), None, None) => {
                return Err(BadPosition::new("to_move", format!("{seat}: expected 0, 1 or null")));
            }
            (None, None, None) => {
                return Err(BadPosition::new("to_move", "null: nobody has won yet"));
            }
            (Some(seat), ..) => {
                return Err(BadPosition::new("to_move", format!("{seat}: the game is won, expected null")));
            }
            (None, Some(end), None) => (state.seat, state.end) = (0, Some(end)),
            (None, None, Some(end)) => (state.seat, state.end) = (1, Some(end)),
        }
        state.anchor = state.owing_anchor(position.anchor.as_deref())?;
        match state.phase {
            Phase::Prepare => state.check_preparation()?,
            Phase::Anchor | Phase::Node => state.check_main()?,
        }
        Ok(state)
    }

    fn write_move(&self, action: Action, out: &mut String) {
        match Play::of(self.board, action) {
            Play::Cell(cell) => out.push_str(&self.board.name(cell)),
            Play::SkipAnchor => out.push('-'),
            Play::Swap => out.push_str("swap"),
        }
    }

    fn draw(&self, _seat: Option<Seat>, paint: Paint) -> String {
        super::draw::draw(self, paint)
    }
}

fn pieces(board: &Board, letters: &str) -> Result<[Cells; 2], BadPosition> {
    let found = letters.chars().count();
    if found != board.cells {
        return Err(BadPosition::new("cells", format!("{found} cells: expected {}", board.cells)));
    }
    let mut pieces = [Cells::EMPTY; 2];
    for (cell, letter) in letters.chars().enumerate() {
        match letter {
            '.' => {}
            'w' => pieces[0].insert(cell),
            'b' => pieces[1].insert(cell),
            _ => {
                let problem = format!("`{letter}` at {}: expected . w b", board.name(cell));
                return Err(BadPosition::new("cells", problem));
            }
        }
    }
    Ok(pieces)
}

/// What no play could have reached.
impl Kato {
    /// `w`, `b` or `.`.
    pub(super) fn letter(&self, cell: usize) -> char {
        match [0, 1].map(|seat: usize| self.pieces[seat].contains(cell)) {
            [true, _] => 'w',
            [_, true] => 'b',
            _ => '.',
        }
    }

    fn anchors(&self, seat: usize) -> u32 {
        (self.pieces[seat] & self.board.outer).count()
    }

    fn nodes(&self, seat: usize) -> u32 {
        (self.pieces[seat] & self.board.inner).count()
    }

    /// `anchor` of the position: a piece on the rim of the seat that owes the node.
    fn owing_anchor(&self, name: Option<&str>) -> Result<Option<u8>, BadPosition> {
        let Some(name) = name else { return Ok(None) };
        let problem = if self.phase != Phase::Node || self.end.is_some() {
            "expected null: no node is owed".to_owned()
        } else {
            match self.board.cell(name) {
                None => "not a cell of this board".to_owned(),
                Some(cell) if !self.board.outer.contains(cell) => "expected an outer cell".to_owned(),
                Some(cell) if self.pieces[usize::from(self.seat)].contains(cell) => {
                    return Ok(Some(cell as u8));
                }
                Some(_) => format!("expected a piece of seat {}", self.seat),
            }
        };
        Err(BadPosition::new("anchor", format!("\"{name}\": {problem}")))
    }

    fn check_preparation(&self) -> Result<(), BadPosition> {
        if !((self.pieces[0] | self.pieces[1]) & self.board.inner).is_empty() {
            return Err(BadPosition::new("cells", "a node before the preparation is over"));
        }
        let seat = match (self.anchors(0), self.anchors(1)) {
            (0, 0) => 0,
            (1, 0) => 1,
            (0, 1) if self.swap => 0,
            // With a swap either seat may have placed the second piece.
            (1, 1) if self.swap => self.seat,
            (1, 1) => 1,
            (white, black) => {
                let problem = format!("{white} w and {black} b: White prepares one piece, Black two");
                return Err(BadPosition::new("cells", problem));
            }
        };
        match self.seat == seat {
            true => Ok(()),
            false => Err(BadPosition::new("to_move", format!("{}: seat {seat} prepares now", self.seat))),
        }
    }

    fn check_main(&self) -> Result<(), BadPosition> {
        for seat in 0..2 {
            if let Some(cell) = (self.pieces[seat] & self.board.inner & !self.twice[seat]).pop() {
                let problem = format!("the node at {} lacks anchors on two lines", self.board.name(cell));
                return Err(BadPosition::new("cells", problem));
            }
        }
        if !(0..=u8::from(self.swap)).any(|first| self.turns_alternate(first)) {
            let [white, black] = [0, 1].map(|seat| (self.anchors(seat), self.nodes(seat)));
            let problem = format!(
                "{} anchors and {} nodes of White, {} and {} of Black: no alternating turns lead here",
                white.0, white.1, black.0, black.1
            );
            return Err(BadPosition::new("cells", problem));
        }
        if self.end.is_some() {
            return self.check_last_piece();
        }
        if self.phase == Phase::Node && self.placeable().is_empty() {
            return Err(BadPosition::new("phase", format!("seat {} has no cell for a node", self.seat)));
        }
        if self.is_blocked() {
            return Err(BadPosition::new("to_move", format!("seat {} can do nothing: it passes", self.seat)));
        }
        Ok(())
    }

    /// Whether the seats can have made as many turns as their pieces ask for, if `first` had the first main turn.
    /// A turn places an anchor, a node, or both; nobody is passed over before the ring is full.
    fn turns_alternate(&self, first: u8) -> bool {
        let mut placed = [0_u8, 1].map(|seat| {
            let prepared = if seat == first { 1 } else { 2 };
            i64::from(self.anchors(usize::from(seat))) - prepared
        });
        // A turn that has only begun is not counted.
        let won_by_anchor = self.end.is_some() && self.phase == Phase::Anchor;
        if self.anchor.is_some() || won_by_anchor {
            placed[usize::from(self.seat)] -= 1;
        }
        if placed.iter().any(|&anchors| anchors < 0) {
            return false;
        }
        if (self.free() & self.board.outer).is_empty() {
            return true;
        }
        let won_by_node = self.end.is_some() && self.phase == Phase::Node;
        let next = self.seat ^ u8::from(won_by_node);
        let turns = |seat: u8, more: i64| {
            let (anchors, nodes) = (placed[usize::from(seat)], i64::from(self.nodes(usize::from(seat))));
            (anchors.max(nodes) + more, anchors + nodes + more)
        };
        let (least, most) = turns(first, 0);
        let (other_least, other_most) = turns(1 - first, i64::from(next != first));
        least.max(other_least) <= most.min(other_most)
    }

    /// The win came with one piece, of the kind that the phase places.
    fn check_last_piece(&self) -> Result<(), BadPosition> {
        let seat = usize::from(self.seat);
        let kind = if self.phase == Phase::Node { self.board.inner } else { self.board.outer };
        let wins_last = |cell: usize| {
            let mut pieces = self.pieces;
            pieces[seat] = pieces[seat] & !Cells::of(cell);
            self.with_pieces(pieces, None).won(seat).is_none()
        };
        match (self.pieces[seat] & kind).iter().any(wins_last) {
            true => Ok(()),
            false => Err(BadPosition::new("phase", "no piece placed in this phase can have won the game")),
        }
    }
}
