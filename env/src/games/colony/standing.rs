//! Who holds what and how safely: the top cards as the observation and a judgement need them.

use super::cards::KINDS;
use super::options::Movement;
use super::rules::reached;
use super::state::{Colony, Phase, beaten};
use super::table::{Cells, beside_one, cross};
use crate::Seat;

/// What the top cards are to the nine kinds, worked out once for a whole view.
pub(super) struct Tops {
    pub(super) occupied: Cells,
    /// Nodes whose top card each kind of Colony beats.
    pub(super) beaten: [Cells; KINDS],
}

impl Tops {
    #[inline]
    pub(super) fn of(game: &Colony) -> Self {
        let occupied = game.occupied();
        Self { occupied, beaten: beaten(occupied, game.types, game.levels) }
    }
}

/// A top card.
#[derive(Clone, Copy)]
pub(super) struct Top {
    pub(super) cell: usize,
    /// Culture, Military, Economy.
    pub(super) kind: usize,
    /// 1 to 3.
    pub(super) level: usize,
    pub(super) seat: usize,
}

impl Top {
    /// The index of its kind of card.
    #[inline]
    pub(super) fn card(self) -> usize {
        3 * self.kind + self.level - 1
    }
}

/// What a seat's Nodes and those of all others are worth together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The sum over the seat's Nodes.
    pub own: f32,
    /// The sum over the Nodes of all others.
    pub others: f32,
}

/// Nodes of `prey`, all beaten, that the Colony on `cell` could invade over `open` Nodes; most cards are ruled out by a glance.
#[inline]
pub(super) fn invadable(movement: Movement, cell: usize, prey: Cells, open: Cells) -> Cells {
    let beside = beside_one(cell);
    let mut far = prey & !beside;
    if movement == Movement::Line {
        far &= cross(cell);
    }
    // Neighbours need no way; nor is there one where every neighbour is closed.
    if far == 0 || open & beside == 0 {
        return prey & beside;
    }
    prey & reached(movement, cell, open)
}

impl Colony {
    /// Tells every top card, in the order of the cells.
    #[inline]
    pub(super) fn each_top(&self, tops: &Tops, mut tell: impl FnMut(Top)) {
        for half in [0, 64] {
            // One word of each set: a bit of a word is cheaper to look up than one of two.
            let word = |set: Cells| (set >> half) as u64;
            let (types, levels, control) =
                (self.types.map(word), self.levels.map(word), self.control.map(word));
            let mut rest = word(tops.occupied);
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                let at = |word: u64| (word >> bit) as usize & 1;
                tell(Top {
                    cell: half + bit as usize,
                    kind: 2 - 2 * at(types[0]) - at(types[1]),
                    level: 1 + at(levels[0]) + at(levels[1]),
                    seat: at(control[1]) + 2 * at(control[2]) + 3 * at(control[3]),
                });
            }
        }
    }

    /// Nodes that `top` makes contested to the viewer, but for those `known` to be: of others if it is the viewer's, of
    /// the viewer if it is another's.
    #[inline]
    pub(super) fn contested_by(&self, tops: &Tops, viewer: usize, top: Top, known: Cells) -> Cells {
        let own = self.control[viewer];
        let prey = if top.seat == viewer { tops.occupied & !own } else { own };
        let beaten = tops.beaten[top.card()];
        let free = self.nodes & !tops.occupied;
        invadable(self.movement, top.cell, prey & beaten & !known, free | self.control[top.seat] | beaten)
    }

    /// What the Nodes of the viewer and of the others are worth together, where one whose top card has a level is worth
    /// `worth(level, contested)`. Contested is what the observation's field of that name says, and everything else here
    /// lies open on the table.
    ///
    /// The Nodes are added up by type (Culture, Military, Economy), those of a type in the order of their cells: a sum over
    /// the observation's fields has the same bits.
    #[inline]
    pub fn standing(&self, viewer: Seat, worth: impl Fn(usize, bool) -> f32) -> Standing {
        let tops = Tops::of(self);
        let mut contested = 0;
        self.each_top(&tops, |top| contested |= self.contested_by(&tops, viewer.index(), top, contested));
        let mut standing = Standing { own: 0.0, others: 0.0 };
        for kind in 0..3 {
            let of_type = self.of_type(kind);
            for half in [0, 64] {
                let word = |set: Cells| (set >> half) as u64;
                let (levels, contested) = (self.levels.map(word), word(contested));
                let own = word(self.control[viewer.index()]);
                let mut rest = word(of_type);
                while rest != 0 {
                    let at = |set: u64| (set >> rest.trailing_zeros()) as usize & 1;
                    let worth = worth(1 + at(levels[0]) + at(levels[1]), at(contested) != 0);
                    // Adding nothing is cheaper than guessing whose the Node is.
                    let (mine, theirs) = if at(own) != 0 { (worth, 0.0) } else { (0.0, worth) };
                    standing.own += mine;
                    standing.others += theirs;
                    rest &= rest - 1;
                }
            }
        }
        standing
    }

    /// How many play.
    #[inline]
    pub fn players(&self) -> usize {
        usize::from(self.players)
    }

    /// Whether the seat is in the middle of a move: it has chosen a Colony and is asked where to.
    #[inline]
    pub fn is_mid_move(&self, seat: Seat) -> bool {
        self.acts(seat.index()) && matches!(self.phase, Phase::ColoniseAt | Phase::MoveTo)
    }
}
