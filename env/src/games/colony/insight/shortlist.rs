//! The ways through the rest of the viewer's turn that look best at a glance.

use super::super::actions::{FIRST_KIND, SKIP};
use super::super::state::{NONE, Phase};
use crate::Action;

/// What a turn still does: cells, and a kind of Colony; [`NONE`] where it does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plan {
    pub explored: u8,
    pub kind: u8,
    pub at: u8,
    pub from: u8,
    pub to: u8,
}

impl Plan {
    pub(super) const NOTHING: Self = Self { explored: NONE, kind: NONE, at: NONE, from: NONE, to: NONE };

    /// The action with which it begins.
    pub(super) fn first(&self, phase: Phase) -> Action {
        let (number, first) = match phase {
            Phase::Explore => (self.explored, 0),
            Phase::Colonise => (self.kind, FIRST_KIND),
            Phase::ColoniseAt => (self.at, 0),
            Phase::Move => (self.from, 0),
            Phase::MoveTo => (self.to, 0),
        };
        if number == NONE { SKIP } else { Action((first + usize::from(number)) as u16) }
    }
}

/// Plans kept at most.
const SIZE: usize = 16;

/// The plans that are worth most at a glance, the best first.
#[derive(Clone)]
pub(super) struct Shortlist {
    plans: [(f32, Plan); SIZE],
    len: usize,
    /// The most that a plan which found no place is worth: of those worth the same some may be missing, and which ones depends on
    /// the order of the cells.
    missed: f32,
}

impl Shortlist {
    pub(super) fn new() -> Self {
        Self { plans: [(f32::NEG_INFINITY, Plan::NOTHING); SIZE], len: 0, missed: f32::NEG_INFINITY }
    }

    /// All that found a place.
    pub(super) fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.plans[..self.len].iter().map(|(_, plan)| plan)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub(super) fn add(&mut self, worth: f32, plan: Plan) {
        if self.len == SIZE {
            if worth <= self.plans[SIZE - 1].0 {
                self.miss(worth);
                return;
            }
            self.miss(self.plans[SIZE - 1].0);
            self.len -= 1;
        }
        let mut place = self.len;
        while place > 0 && self.plans[place - 1].0 < worth {
            self.plans[place] = self.plans[place - 1];
            place -= 1;
        }
        self.plans[place] = (worth, plan);
        self.len += 1;
    }

    /// Leaves out whatever is worth no more than this.
    #[inline]
    pub(super) fn miss(&mut self, worth: f32) {
        self.missed = self.missed.max(worth);
    }

    /// The plans from that place on that are worth the same, all of them.
    pub(super) fn alike(&self, from: usize) -> &[(f32, Plan)] {
        let rest = &self.plans[from..self.len];
        match rest.first() {
            Some(&(worth, _)) if worth > self.missed => {
                let end = rest.iter().position(|&(other, _)| other < worth).unwrap_or(rest.len());
                &rest[..end]
            }
            _ => &[],
        }
    }
}
