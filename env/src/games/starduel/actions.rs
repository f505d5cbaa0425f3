//! Actions as flat indices. Spaces are counted in the acting player's own coordinates, so that half a turn of the map
//! with the seats exchanged leaves every index as it is.

use super::board::{COORDINATES, SPACES};
use super::data::MOST_DEFENCE;
use crate::ActionGroup;

/// The first index of each group.
pub(super) const PROGRAM: usize = 0;
pub(super) const EXECUTE: usize = PROGRAM + PROGRAMS;
pub(super) const REPLACE: usize = EXECUTE + MOST_DEFENCE as usize + 1;
pub(super) const EXHAUST: usize = REPLACE + SPACES;
pub(super) const FROM: usize = EXHAUST + SPACES;
pub(super) const TO: usize = FROM + SPACES;
pub(super) const END: usize = TO + SPACES;
pub(super) const ACTIONS: usize = END + 1;

/// D-02: the 18 coordinates and the two special numbers.
pub(super) const PROGRAMS: usize = SPACES + 2;

/// The special numbers stand where row 1 would go on: behind its three coordinates.
const SPECIAL: usize = 3;

/// What a programmed number means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Program {
    /// The space with that number in the player's own coordinates.
    Target(usize),
    /// 14.
    Replace,
    /// 15.
    Produce,
}

impl Program {
    /// The program by its rank among the twenty numbers.
    #[inline]
    pub(super) const fn of(rank: u8) -> Self {
        match rank as usize {
            SPECIAL => Self::Replace,
            rank if rank == SPECIAL + 1 => Self::Produce,
            rank if rank < SPECIAL => Self::Target(rank),
            rank => Self::Target(rank - 2),
        }
    }
}

/// The twenty numbers, ascending.
pub(super) const NUMBERS: [u8; PROGRAMS] = {
    let mut numbers = [0; PROGRAMS];
    let mut rank = 0;
    while rank < PROGRAMS {
        numbers[rank] = match Program::of(rank as u8) {
            Program::Target(space) => COORDINATES[space],
            Program::Replace => 14,
            Program::Produce => 15,
        };
        rank += 1;
    }
    numbers
};

/// A decoded action; spaces in the acting player's own coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Program(u8),
    /// With that much Population paid.
    Execute(u8),
    Replace(usize),
    Exhaust(usize),
    From(usize),
    To(usize),
    End,
}

impl Step {
    #[inline]
    pub(super) fn of(index: usize) -> Self {
        match index {
            PROGRAM..EXECUTE => Self::Program((index - PROGRAM) as u8),
            EXECUTE..REPLACE => Self::Execute((index - EXECUTE) as u8),
            REPLACE..EXHAUST => Self::Replace(index - REPLACE),
            EXHAUST..FROM => Self::Exhaust(index - EXHAUST),
            FROM..TO => Self::From(index - FROM),
            TO..END => Self::To(index - TO),
            END => Self::End,
            _ => panic!("action {index} is beyond the last of {ACTIONS}"),
        }
    }
}

/// The groups of the spec.
pub(super) fn groups() -> Vec<ActionGroup> {
    let spaces = |verb: &'static str| COORDINATES.iter().map(move |at| format!("{verb} own {at}"));
    vec![
        ActionGroup::new(
            "program the number: a target in the player's own coordinates, 14 (Replace) or 15 (Produce)",
            NUMBERS.iter().map(|number| format!("program {number}")),
        ),
        ActionGroup::new(
            "execute the program; in an attack that much of the defence is paid in Population and the rest in \
             Minerals, elsewhere it is p0",
            (0..=MOST_DEFENCE).map(|paid| format!("execute p{paid}")),
        ),
        ActionGroup::new(
            "execute 14: replace the node there (spaces in the player's own coordinates, here and below)",
            spaces("replace"),
        ),
        ActionGroup::new("exhaust the node there", spaces("exhaust")),
        ActionGroup::new("pick up the node there to move it", spaces("from")),
        ActionGroup::new("put it down there, or swap with the own node there", spaces("to")),
        ActionGroup::new("end the turn", ["end"]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_a_hundred_actions_and_twenty_numbers() {
        assert_eq!(ACTIONS, 100);
        assert_eq!(groups().iter().map(|group| group.names.len()).sum::<usize>(), ACTIONS);
        assert_eq!(NUMBERS, [11, 12, 13, 14, 15, 21, 22, 23, 24, 31, 32, 33, 34, 41, 42, 43, 44, 51, 52, 53]);
        assert_eq!((Program::of(3), Program::of(4)), (Program::Replace, Program::Produce));
    }
}
