//! How likely each seat is to win, by what can be counted: for three and four players, whose wins depend on who else is strong.
//!
//! A seat scores what a small network makes of its counts and those of the others in their order of play (two layers of rectified
//! units, and the seat's own counts straight away), and wins with a probability proportional to the exponential of its score. The
//! weights are in `weights`, with how they were found.

use super::super::cards::KINDS;
use super::super::options::Movement;
use super::super::state::Colony;
use super::super::table::Cells;
use super::counts::{Counts, beaten_by};
use super::hands::{self, Cards};
use super::scene::Scene;
use super::weigh::turns_left;
use super::weights::{FOR_FOUR, FOR_THREE, Weights};

/// No chance is so small or so large that its logarithm is beyond this.
const SUREST: f32 = 14.0;

/// What lies ahead at the end of a turn.
#[derive(Clone, Debug)]
pub(super) struct Chances {
    /// Whose hand is known.
    pub viewer: usize,
    pub players: usize,
    pub movement: Movement,
    pub playable: Cells,
    /// Whose turn comes next, and how many there are.
    pub next: usize,
    pub left: usize,
    /// The part of each kind among the cards that the viewer has not seen, and how large a part beats each kind of Colony.
    pub unseen: Cards,
    pub beaten_by: [f32; KINDS],
    weights: &'static Weights,
}

impl Chances {
    /// At the end of the turn under way. There are weights for straight lines and more than two players.
    pub(super) fn new(game: &Colony, viewer: usize) -> Option<Self> {
        let weights = match (game.players, game.movement) {
            (3, Movement::Line) => &FOR_THREE,
            (4, Movement::Line) => &FOR_FOUR,
            _ => return None,
        };
        Some(Self::by(weights, game, viewer))
    }

    /// By these weights.
    pub(super) fn by(weights: &'static Weights, game: &Colony, viewer: usize) -> Self {
        let players = usize::from(game.players);
        let unseen = hands::unseen(game, viewer);
        Self {
            viewer,
            players,
            movement: game.movement,
            playable: game.playable(),
            next: (game.actor() + 1) % players,
            left: turns_left(game),
            unseen,
            beaten_by: beaten_by(&unseen),
            weights,
        }
    }

    /// That many turns later.
    pub(super) fn later(&self, turns: usize) -> Self {
        let next = (self.next + turns) % self.players;
        Self { next, left: self.left.saturating_sub(turns), ..self.clone() }
    }

    /// The logarithm of a seat's chance to win beside its chance not to, on a table that is worth that much to the viewer.
    pub(super) fn odds(&self, scene: &Scene, seat: usize, worth: f32) -> f32 {
        let counts = self.counts(scene, worth);
        let score = |seat: usize| self.weights.score(&counts, self.players, seat);
        let own = score(seat);
        let others = (0..self.players).filter(|&other| other != seat);
        // In double precision, so that no library's rounding shows.
        let sum: f64 = others.map(|other| f64::from(score(other) - own).exp()).sum();
        (-sum.ln() as f32).clamp(-SUREST, SUREST)
    }

    /// The turns of others before a seat's next.
    pub(super) fn waits(&self, seat: usize) -> usize {
        (seat + self.players - self.next) % self.players
    }

    /// The turns that a seat still has.
    pub(super) fn turns(&self, seat: usize) -> usize {
        (self.left + self.players - 1 - self.waits(seat)) / self.players
    }
}

impl Weights {
    /// The score of a seat.
    fn score(&self, counts: &Counts, players: usize, seat: usize) -> f32 {
        let mut units = self.first_bias;
        for (ahead, weights) in self.first.iter().enumerate() {
            let counts = &counts[(seat + ahead) % players];
            // Most counts are 0.
            for (weights, &count) in weights.iter().zip(counts).filter(|&(_, &count)| count != 0.0) {
                units.iter_mut().zip(weights).for_each(|(unit, weight)| *unit += count * weight);
            }
        }
        let mut second = self.second_bias;
        for (weights, unit) in self.second.iter().zip(units).filter(|&(_, unit)| unit > 0.0) {
            second.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += unit * weight);
        }
        let straight: f32 =
            self.straight.iter().zip(&counts[seat]).map(|(weight, count)| weight * count).sum();
        straight + self.last.iter().zip(second).map(|(weight, sum)| weight * sum.max(0.0)).sum::<f32>()
    }
}
