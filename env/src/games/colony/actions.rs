//! Action indices: 121 cells row by row, nine kinds of Colony, skip. The phase says what a cell means.

use super::cards::{Card, KINDS};
use super::table::{CELLS, Cell, turned};
use crate::{Action, ActionGroup};

/// How many actions there are.
pub(super) const ACTIONS: usize = CELLS + KINDS + 1;
/// The first action that chooses a kind of Colony.
pub(super) const FIRST_KIND: usize = CELLS;
/// The action that passes over a phase.
pub(super) const SKIP: Action = Action((ACTIONS - 1) as u16);

/// What an index stands for, before the phase gives it a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Explore there, colonise there, move from there, move to there.
    Cell(usize),
    /// The Colony to put down.
    Card(Card),
    /// On to the next phase.
    Skip,
}

impl Step {
    #[inline]
    pub(super) fn of(action: Action) -> Self {
        match action.index() {
            cell @ 0..CELLS => Self::Cell(cell),
            SKIP_INDEX => Self::Skip,
            kind => Self::Card(Card::new(kind - FIRST_KIND)),
        }
    }
}

const SKIP_INDEX: usize = ACTIONS - 1;

/// The actions with their names.
pub(super) fn groups() -> Vec<ActionGroup> {
    vec![
        ActionGroup::new(
            "the cell to explore, to colonise, to move from, or to move to, as the phase asks",
            (0..CELLS).map(|cell| Cell::new(cell).to_string()),
        ),
        ActionGroup::new(
            "the Colony to put down; the cell is asked next",
            (0..KINDS).map(|kind| Card::new(kind).to_string()),
        ),
        ActionGroup::new("pass over the phase", ["skip"]),
    ]
}

/// Where a symmetry takes each action: cells turn, the rest stays.
pub(super) fn turned_actions(number: usize) -> Vec<u16> {
    (0..ACTIONS).map(|i| if i < CELLS { turned(number, i) } else { i } as u16).collect()
}
