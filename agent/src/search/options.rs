//! What a search can be told.

use nodarium_env::{Information, Spec};

use crate::Evaluator;

/// The options of a search; the defaults are those of mctx.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Simulations a game.
    pub simulations: u32,
    /// Actions of the root that sequential halving starts with; fewer where fewer are legal.
    pub considered: u32,
    /// `c_visit`: how many visits the values at a node are worth before the first.
    pub c_visit: f32,
    /// `c_scale`: how strongly values speak against the prior. The default of 0.1 goes with `rescale`; the paper takes
    /// 1.0 for board games with values that are not rescaled.
    pub c_scale: f32,
    /// Stretches the values at each node to `[0, 1]` before they are weighed, so that games with small and with large
    /// returns are searched alike.
    pub rescale: bool,
    /// The size of the root's noise: 1 for learning, where the choice is a sample of the improved policy; 0 for play.
    pub gumbel_scale: f32,
    /// Games played at random from every leaf to the end; what they pay on average speaks beside the evaluator's values.
    pub rollouts: u32,
    /// How much it speaks: 0 nothing, 1 instead of the evaluator. Without rollouts nothing.
    pub rollout_share: f32,
    /// Seeds the noise, the re-dealt worlds and the rollouts.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            simulations: 32,
            considered: 16,
            c_visit: 50.0,
            c_scale: 0.1,
            rescale: true,
            gumbel_scale: 1.0,
            rollouts: 0,
            rollout_share: 0.5,
            seed: 0,
        }
    }
}

/// The most simulations of a game: a tree numbers its nodes with 31 bits and an open table holds two places for each.
pub const MOST_SIMULATIONS: u32 = 1 << 24;

/// The most rollouts of a leaf.
pub const MOST_ROLLOUTS: u32 = 1 << 16;

/// A search that cannot work.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BadSearch {
    /// An option out of its range.
    #[error("search option `{option}` is {value}: expected {expected}")]
    Option {
        /// Its name.
        option: &'static str,
        /// What was given.
        value: f64,
        /// What is allowed.
        expected: String,
    },
    /// An evaluator for something else.
    #[error("the evaluator has {found} {what}: the game has {expected}")]
    Evaluator {
        /// What was counted.
        what: &'static str,
        /// The evaluator's count.
        found: usize,
        /// The game's count.
        expected: usize,
    },
}

impl Options {
    /// Refuses values that no search can work with.
    pub fn check(&self) -> Result<(), BadSearch> {
        let wrong = |option, value: f64, expected: &str| {
            Err(BadSearch::Option { option, value, expected: expected.to_owned() })
        };
        if self.simulations > MOST_SIMULATIONS {
            return wrong("simulations", self.simulations.into(), &format!("at most {MOST_SIMULATIONS}"));
        }
        if self.considered == 0 {
            return wrong("considered", 0.0, "1 or more");
        }
        if self.rollouts > MOST_ROLLOUTS {
            return wrong("rollouts", self.rollouts.into(), &format!("at most {MOST_ROLLOUTS}"));
        }
        if !(0.0..=1.0).contains(&self.rollout_share) {
            return wrong("rollout_share", self.rollout_share.into(), "a number from 0 to 1");
        }
        for (option, value) in
            [("c_visit", self.c_visit), ("c_scale", self.c_scale), ("gumbel_scale", self.gumbel_scale)]
        {
            if !value.is_finite() || value < 0.0 {
                return wrong(option, value.into(), "a finite number that is not negative");
            }
        }
        Ok(())
    }
}

/// The sizes of a game that search works with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// What the evaluator reads: one of the two below.
    pub observation: usize,
    /// Numbers of an observation without the game's insights and with them.
    views: [usize; 2],
    pub actions: usize,
    pub seats: usize,
    pub hidden: bool,
}

impl Sizes {
    pub fn of(spec: &Spec) -> Self {
        Self {
            observation: spec.observation.len(),
            views: [spec.observation.len(), spec.insights.len()],
            actions: spec.actions(),
            seats: spec.seats,
            hidden: spec.information == Information::Hidden,
        }
    }

    /// The sizes as this evaluator reads them; one for other sizes is refused.
    pub fn for_evaluator(self, evaluator: &impl Evaluator) -> Result<Self, BadSearch> {
        let known = self.views.into_iter().find(|&view| view == evaluator.observation());
        let sizes = Self { observation: known.unwrap_or(self.views[0]), ..self };
        for (what, found, expected) in [
            ("numbers of an observation", evaluator.observation(), sizes.observation),
            ("actions", evaluator.actions(), self.actions),
            ("seats", evaluator.seats(), self.seats),
        ] {
            if found != expected {
                return Err(BadSearch::Evaluator { what, found, expected });
            }
        }
        Ok(sizes)
    }
}
