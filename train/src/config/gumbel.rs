//! The table `[gumbel]`.

use nodarium_agent::search::{MOST_C_SCALE, MOST_CONSIDERED, Settings};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Learning by search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GumbelConfig {
    /// Games played side by side.
    #[schemars(range(min = 1, max = 65_536))]
    pub slots: usize,
    /// Plies that each of them plays in an iteration.
    #[schemars(range(min = 1, max = 65_536))]
    pub steps: usize,
    /// Simulations of a full search at the start of training.
    #[schemars(range(min = 1, max = 65_536))]
    pub simulations: u32,
    /// Simulations of a full search at the end; they rise in a straight line.
    #[schemars(range(min = 1, max = 65_536))]
    pub simulations_end: u32,
    /// Simulations of a cheap search, which moves the game on and trains the value alone.
    #[schemars(range(min = 1, max = 65_536))]
    pub cheap_simulations: u32,
    /// The share of plies that get a full search; only these train the policy.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub full_share: f32,
    /// Actions of the root that a search starts with.
    #[schemars(range(min = 1, max = MOST_CONSIDERED))]
    pub considered: u32,
    /// How strongly values speak against the prior in search.
    #[schemars(range(min = 0.0, max = MOST_C_SCALE))]
    pub c_scale: f32,
    /// Stretch the values at each node of a search to the full range before they are weighed against the prior.
    pub rescale: bool,
    /// The longest opening: a game begins behind 0 to this many random plies, so that positions are learned that good play
    /// never leads to.
    #[schemars(range(max = 1_024))]
    pub opening_plies: u32,
    /// Plies at the start of a game in which the action is drawn from the improved policy; after them the best one is
    /// played.
    pub temperature_plies: u32,
    /// A bot to learn from at first, by its name: greedy, uct:100. It plays every seat instead of search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub teacher: Option<String>,
    /// The iterations that the teacher plays; search takes over behind them.
    pub taught_iterations: u64,
    /// The share of its plies that the teacher plays itself; the others are random, so that it also shows how to get out of
    /// trouble.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub taught_share: f32,
    /// The newest positions that learning draws from.
    #[schemars(range(min = 1))]
    pub window: usize,
    /// How often each new position is learned, on average.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub reuse: f32,
    /// The share of learned positions that are searched anew with the current network.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub reanalyse: f32,
    /// Positions in one step of the optimiser.
    #[schemars(range(min = 1, max = 1_048_576))]
    pub minibatch: usize,
    /// The learning rate at the start.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub rate: f32,
    /// The learning rate at the end as a share of that at the start; it falls in a straight line.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub rate_end: f32,
    /// How far the network that plays and is kept moves towards the newest one in an iteration: below 1 it is an average over
    /// time, which is steadier than what a large learning rate leaves behind.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub average_rate: f32,
    /// The weight of the value loss.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub value_weight: f32,
    /// What a value target takes from the search's own value instead of the game's outcome.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub value_from_search: f32,
    /// Decay of the weights a step, as a share of the learning rate.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub decay: f32,
    /// Learn every position under one of the game's symmetries, drawn at random.
    pub symmetries: bool,
    /// The longest gradient: a longer one is shortened to this.
    #[schemars(range(min = 0.0, max = 1_000_000.0))]
    pub gradient_limit: f32,
}

impl GumbelConfig {
    /// How the run searches, and how its checkpoints say that they want to be searched with.
    pub fn settings(&self) -> Settings {
        Settings { considered: self.considered, c_scale: self.c_scale, rescale: self.rescale }
    }

    /// Whether a teacher plays in that iteration, counted from 0.
    pub fn is_taught(&self, iteration: u64) -> bool {
        self.teacher.is_some() && iteration < self.taught_iterations
    }
}

impl Default for GumbelConfig {
    fn default() -> Self {
        Self {
            slots: 256,
            steps: 16,
            simulations: 16,
            simulations_end: 64,
            cheap_simulations: 8,
            full_share: 0.5,
            considered: 16,
            c_scale: 0.1,
            rescale: true,
            opening_plies: 4,
            temperature_plies: 20,
            teacher: None,
            taught_iterations: 0,
            taught_share: 0.9,
            window: 200_000,
            reuse: 4.0,
            reanalyse: 0.0,
            minibatch: 1_024,
            rate: 2e-3,
            rate_end: 0.1,
            average_rate: 1.0,
            value_weight: 1.0,
            value_from_search: 0.25,
            decay: 1e-4,
            symmetries: true,
            gradient_limit: 5.0,
        }
    }
}
