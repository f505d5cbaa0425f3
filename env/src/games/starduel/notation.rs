//! Moves as text.

use std::fmt::Write as _;

use super::actions::{NUMBERS, Program, Step};
use super::board::{COORDINATES, own};
use super::position::StarDuelPosition;
use super::state::StarDuel;
use crate::{Action, BadPosition, Paint, Seat, Text};

impl Text for StarDuel {
    type Position = StarDuelPosition;

    fn position(&self) -> Self::Position {
        self.to_position()
    }

    fn from_position(rules: &Self::Rules, position: &Self::Position) -> Result<Self, BadPosition> {
        Self::of_position(rules, position)
    }

    fn write_move(&self, action: Action, out: &mut String) {
        let seat = self.seat_to_act().unwrap_or(0);
        let coordinate = |at: usize| COORDINATES[own(seat, at)];
        let _ = match Step::of(action.index()) {
            Step::Program(rank) => write!(out, "program {}", NUMBERS[usize::from(rank)]),
            Step::Execute(paid) if self.attacks(seat) => write!(out, "attack p{paid}"),
            Step::Execute(_) => write!(out, "execute"),
            Step::Replace(at) => write!(out, "replace {}", coordinate(at)),
            Step::Exhaust(at) => write!(out, "exhaust {}", coordinate(at)),
            Step::From(at) => write!(out, "from {}", coordinate(at)),
            Step::To(at) => write!(out, "to {}", coordinate(at)),
            Step::End => write!(out, "end"),
        };
    }

    fn draw(&self, seat: Option<Seat>, paint: Paint) -> String {
        self.picture(seat.map(Seat::index), paint)
    }
}

impl StarDuel {
    /// Whether executing the program means to attack.
    fn attacks(&self, seat: usize) -> bool {
        match Program::of(self.programs[seat]) {
            Program::Target(at) => self.owned[1 - seat] >> own(seat, at) & 1 == 1,
            _ => false,
        }
    }
}
