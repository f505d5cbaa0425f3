//! The rules: options, state, transitions.

use serde::{Deserialize, Serialize};

use super::actions::Play;
use super::cells::Cells;
use super::geometry::{Board, SIDES, SIZES};
use crate::rules::Reader;
use crate::{BadRules, End, RuleOption, Rules, Seat};

/// The rule options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KatoRules {
    /// Cells a side of the board, 4 to 8.
    pub size: u8,
    /// Whether Black may take White's first piece over.
    pub swap: bool,
}

impl Default for KatoRules {
    fn default() -> Self {
        Self { size: 6, swap: false }
    }
}

impl Rules for KatoRules {
    const OPTIONS: &'static [RuleOption] = &[
        RuleOption { key: "size", allowed: "a whole number from 4 to 8", about: "cells a side of the board" },
        RuleOption {
            key: "swap",
            allowed: "true or false",
            about: "Black may take White's first piece over instead of placing its own",
        },
    ];

    fn check(&mut self, _read: &Reader<'_>) -> Result<(), BadRules> {
        match SIZES.contains(&usize::from(self.size)) {
            true => Ok(()),
            false => Err(BadRules::value("size", self.size, "a whole number from 4 to 8")),
        }
    }
}

/// What the seat to act has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Phase {
    /// The first three pieces.
    Prepare,
    /// The first half of a turn.
    Anchor,
    /// The second half of a turn.
    Node,
}

/// The two ends, in the order of the spec.
pub(super) const OPPOSITE_SIDES: End = End(0);
pub(super) const THREE_SIDES: End = End(1);

/// The state: White is seat 0, Black is seat 1.
///
/// `once`, `twice`, `anchored` and `touch` follow from the pieces; they are kept so that no ply walks the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Kato {
    pub(super) board: &'static Board,
    pub(super) pieces: [Cells; 2],
    /// Inner cells with a seat's anchors on at least one line through them.
    pub(super) once: [Cells; 2],
    /// Inner cells with a seat's anchors on at least two lines through them.
    pub(super) twice: [Cells; 2],
    /// Where a piece of a seat would be connected to each side: on it, or next to a piece that is.
    pub(super) touch: [[Cells; SIDES]; 2],
    /// Which lines of each axis hold a seat's anchors.
    pub(super) anchored: [[u16; 3]; 2],
    pub(super) swap: bool,
    /// Who acts; the winner when the game is over.
    pub(super) seat: u8,
    pub(super) phase: Phase,
    /// The anchor whose node is still owed.
    pub(super) anchor: Option<u8>,
    pub(super) end: Option<End>,
}

/// How a group that touches these sides ends the game (K-08, K-11).
const fn win(sides: u32) -> Option<End> {
    const ALTERNATE: u32 = 0b01_0101;
    if sides & sides >> 3 != 0 {
        Some(OPPOSITE_SIDES)
    } else if sides & ALTERNATE == ALTERNATE || sides >> 1 & ALTERNATE == ALTERNATE {
        Some(THREE_SIDES)
    } else {
        None
    }
}

/// Every set of sides looked up.
static WINS: [Option<End>; 1 << SIDES] = {
    let mut wins = [None; 1 << SIDES];
    let mut sides = 0;
    while sides < wins.len() {
        wins[sides] = win(sides as u32);
        sides += 1;
    }
    wins
};

impl Kato {
    /// K-01: the empty board, White to place the first piece.
    pub(super) fn start(rules: &KatoRules) -> Self {
        Self::empty(Board::of(usize::from(rules.size)), rules.swap)
    }

    pub(super) fn empty(board: &'static Board, swap: bool) -> Self {
        Self {
            board,
            pieces: [Cells::EMPTY; 2],
            once: [Cells::EMPTY; 2],
            twice: [Cells::EMPTY; 2],
            touch: [board.sides; 2],
            anchored: [[0; 3]; 2],
            swap,
            seat: 0,
            phase: Phase::Prepare,
            anchor: None,
            end: None,
        }
    }

    /// The cells without a piece.
    #[inline]
    pub(super) fn free(&self) -> Cells {
        (self.board.outer | self.board.inner) & !(self.pieces[0] | self.pieces[1])
    }

    /// K-05: where the seat may place a node without a new anchor.
    #[inline]
    pub(super) fn open(&self, seat: usize) -> Cells {
        self.twice[seat] & !(self.pieces[0] | self.pieces[1])
    }

    /// K-04: where the seat to act may place the node that goes with `anchor`. The anchor's own line makes one of
    /// the two; no cell but itself is on two lines with it, so another anchor makes the other.
    #[inline]
    fn open_with(&self, anchor: usize) -> Cells {
        self.open(usize::from(self.seat)) & self.board.in_line_with[anchor]
    }

    /// The cells on which the seat to act may place a piece (K-01, K-02, K-04, K-05).
    #[inline]
    pub(super) fn placeable(&self) -> Cells {
        match (self.phase, self.anchor) {
            _ if self.end.is_some() => Cells::EMPTY,
            (Phase::Prepare | Phase::Anchor, _) => self.board.outer & !(self.pieces[0] | self.pieces[1]),
            (Phase::Node, Some(anchor)) => self.open_with(usize::from(anchor)),
            (Phase::Node, None) => self.open(usize::from(self.seat)),
        }
    }

    /// K-06: the anchor may be skipped only when a node can be placed.
    #[inline]
    pub(super) fn may_skip(&self) -> bool {
        self.phase == Phase::Anchor && self.end.is_none() && !self.open(usize::from(self.seat)).is_empty()
    }

    /// K-10: Black's first ply, if the option is on.
    #[inline]
    pub(super) fn may_swap(&self) -> bool {
        self.swap && self.phase == Phase::Prepare && self.seat == 1 && self.pieces[1].is_empty()
    }

    #[inline]
    pub(super) fn play(&mut self, play: Play) {
        match play {
            Play::Cell(cell) => self.place(cell),
            Play::SkipAnchor => self.phase = Phase::Node,
            Play::Swap => self.take_over(),
        }
    }

    #[inline]
    fn place(&mut self, cell: usize) {
        self.end = self.put(usize::from(self.seat), cell);
        if self.end.is_some() {
            self.anchor = None;
            return;
        }
        match self.phase {
            Phase::Prepare => self.go_on_preparing(),
            Phase::Anchor => self.owe_a_node(cell),
            Phase::Node => self.end_turn(),
        }
    }

    /// K-01: one piece, then two of the other seat, then the first seat's turn. After a swap (K-10) Black's is the
    /// one and White's are the two.
    fn go_on_preparing(&mut self) {
        match self.pieces[0].count() + self.pieces[1].count() {
            1 => self.seat ^= 1,
            2 => {}
            _ => {
                self.seat ^= 1;
                self.phase = Phase::Anchor;
            }
        }
    }

    /// K-10: White's piece becomes Black's and White places two.
    fn take_over(&mut self) {
        self.pieces.swap(0, 1);
        self.once.swap(0, 1);
        self.twice.swap(0, 1);
        self.touch.swap(0, 1);
        self.anchored.swap(0, 1);
        self.seat = 0;
    }

    /// K-06: the node is compulsory where one can be placed, and left out otherwise.
    #[inline]
    fn owe_a_node(&mut self, anchor: usize) {
        if self.open_with(anchor).is_empty() {
            self.end_turn();
        } else {
            self.anchor = Some(anchor as u8);
            self.phase = Phase::Node;
        }
    }

    /// K-07: a seat with nothing to do is passed over.
    ///
    /// One pass is enough. Once the ring is full, each of the three lines through an empty inner cell ends in
    /// anchors, so one of the seats has anchors on two of them: while a cell is empty, somebody can act. And on a
    /// full board somebody has won (K-09).
    #[inline]
    fn end_turn(&mut self) {
        self.anchor = None;
        self.phase = Phase::Anchor;
        self.seat ^= 1;
        if self.is_blocked() {
            self.seat ^= 1;
            assert!(!self.is_blocked(), "K-09: a full board has a winner");
        }
    }

    /// Whether the seat to act can place neither an anchor nor a node at the start of its turn.
    #[inline]
    pub(super) fn is_blocked(&self) -> bool {
        (self.placeable() | self.open(usize::from(self.seat))).is_empty()
    }

    /// Puts a piece on the board and says how that wins (K-08), if it does.
    #[inline]
    pub(super) fn put(&mut self, seat: usize, cell: usize) -> Option<End> {
        self.pieces[seat].insert(cell);
        if self.board.outer.contains(cell) {
            self.add_anchor_lines(seat, cell);
        }
        self.connect(seat, cell)
    }

    /// K-03: an anchor's three lines, over their whole length, whatever stands on them.
    #[inline]
    fn add_anchor_lines(&mut self, seat: usize, cell: usize) {
        let lines = self.board.lines_through(cell);
        for ((line, &number), anchored) in
            lines.into_iter().zip(&self.board.line_of[cell]).zip(&mut self.anchored[seat])
        {
            let seen = *anchored >> number & 1 == 1;
            *anchored |= 1 << number;
            if !seen {
                self.twice[seat] |= self.once[seat] & line;
                self.once[seat] |= line;
            }
        }
    }

    /// K-08: the sides that the new piece's group touches, and what they win.
    #[inline]
    fn connect(&mut self, seat: usize, cell: usize) -> Option<End> {
        let own = self.pieces[seat];
        let touch = &mut self.touch[seat];
        let sides = touch.iter().rev().fold(0, |sides, touch| sides << 1 | touch.bit(cell) as usize);
        let mut rest = sides;
        while rest != 0 {
            spread(self.board, own, &mut touch[rest.trailing_zeros() as usize], cell);
            rest &= rest - 1;
        }
        WINS[sides]
    }

    /// How the seat has won, told from the board alone; `None` when it has not.
    pub(super) fn won(&self, seat: usize) -> Option<End> {
        let sides_of = |cell: usize| {
            (0..SIDES)
                .filter(|&side| self.touch[seat][side].contains(cell))
                .fold(0, |all, side| all | 1 << side)
        };
        let ends = self.pieces[seat].iter().filter_map(|cell| WINS[sides_of(cell)]);
        ends.min_by_key(|end| end.0)
    }

    /// The empty cells on which a piece of the seat would win at once, could it be placed there.
    #[inline]
    pub(super) fn winning(&self, seat: usize) -> Cells {
        let [a, b, c, d, e, f] = self.touch[seat];
        let opposite = a & d | b & e | c & f;
        let three = a & c & e | b & d & f;
        self.free() & (opposite | three)
    }

    /// The state with these pieces, in the same phase of the same turn.
    pub(super) fn with_pieces(&self, pieces: [Cells; 2], anchor: Option<u8>) -> Self {
        let mut state = Self::empty(self.board, self.swap);
        for (seat, cells) in pieces.into_iter().enumerate() {
            for cell in cells.iter() {
                state.put(seat, cell);
            }
        }
        Self { seat: self.seat, phase: self.phase, anchor, end: self.end, ..state }
    }

    pub(super) fn to_act(&self) -> Option<Seat> {
        self.end.is_none().then_some(Seat(self.seat))
    }
}

/// A piece at `cell` is now connected to the side of `touch`: so is every own piece that hangs together with it.
#[inline]
fn spread(board: &Board, own: Cells, touch: &mut Cells, cell: usize) {
    let mut next = Some(cell);
    let mut fresh = Cells::EMPTY;
    while let Some(cell) = next {
        let around = board.neighbours[cell];
        fresh |= around & own & !*touch;
        *touch |= around;
        next = fresh.pop();
    }
}
