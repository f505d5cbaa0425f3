//! Actions by index: the cells row by row, `-`, and `swap` where the option is on.

use super::geometry::Board;
use super::rules::{Kato, KatoRules};
use crate::{Action, ActionGroup, Mask};

/// What an action means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Play {
    /// A piece on a cell: the phase says whether it is an anchor or a node.
    Cell(usize),
    SkipAnchor,
    Swap,
}

impl Play {
    #[inline]
    pub(super) fn of(board: &Board, action: Action) -> Self {
        let index = action.index();
        if index < board.cells {
            Self::Cell(index)
        } else if index == board.cells {
            Self::SkipAnchor
        } else {
            Self::Swap
        }
    }
}

#[inline]
const fn skip_anchor(board: &Board) -> Action {
    Action(board.cells as u16)
}

#[inline]
const fn swap(board: &Board) -> Action {
    Action(board.cells as u16 + 1)
}

#[inline]
pub(super) fn legal(game: &Kato, mask: &mut Mask) {
    mask.clear();
    for (i, &word) in game.placeable().0.iter().enumerate() {
        mask.insert_bits(i * 64, word);
    }
    if game.may_skip() {
        mask.insert(skip_anchor(game.board));
    }
    if game.may_swap() {
        mask.insert(swap(game.board));
    }
}

pub(super) fn groups(rules: &KatoRules, board: &Board) -> Vec<ActionGroup> {
    let mut groups = vec![
        ActionGroup::new(
            "place a piece: a first piece or an anchor on an outer cell, a node on an inner cell",
            (0..board.cells).map(|cell| board.name(cell)),
        ),
        ActionGroup::new("skip the anchor", ["-"]),
    ];
    if rules.swap {
        groups.push(ActionGroup::new("take White's first piece over", ["swap"]));
    }
    groups
}
