//! Where others could invade what the viewer might put down.

use super::super::cards::{Card, KINDS};
use super::super::options::Movement;
use super::super::state::{Colony, SEATS};
use super::super::table::{Cells, beside, cross, each, only};

impl Colony {
    /// The Nodes that others' Colonies could invade if a card of each kind of the viewer's lay there: those within their reach,
    /// and the first one in their way.
    pub(super) fn invadable_kinds(&self, viewer: usize) -> [Cells; KINDS] {
        let mut invadable = [0; KINDS];
        for seat in (0..SEATS).filter(|&seat| seat != viewer) {
            for cell in each(self.control[seat]) {
                let card = self.top(cell);
                let reached = self.reach(seat, cell);
                let mut ahead = beside(reached | only(cell)) & self.nodes & !only(cell);
                if self.movement == Movement::Line {
                    ahead &= cross(cell);
                }
                for (kind, set) in invadable.iter_mut().enumerate() {
                    if card.beats(Card::new(kind)) {
                        *set |= reached | ahead;
                    }
                }
            }
        }
        invadable
    }
}
