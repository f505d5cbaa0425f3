//! The table `[ppo]`.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Learning by policy gradients.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PpoConfig {
    /// Games played side by side.
    #[schemars(range(min = 1, max = 1_048_576))]
    pub slots: usize,
    /// Plies that each of them plays in an iteration.
    #[schemars(range(min = 2, max = 65_536))]
    pub steps: usize,
    /// How often an iteration goes over what was played.
    #[schemars(range(min = 1, max = 100))]
    pub epochs: usize,
    /// Decisions in one step of the optimiser.
    #[schemars(range(min = 1, max = 1_048_576))]
    pub minibatch: usize,
    /// The learning rate at the start.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub rate: f32,
    /// The learning rate at the end as a share of that at the start; it falls in a straight line.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub rate_end: f32,
    /// What a return is worth one own decision later.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub discount: f32,
    /// λ of generalised advantage estimation: 1 trusts what games ended with, 0 what the network thinks of the next
    /// decision.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub lambda: f32,
    /// How far the share of an action may move in an iteration before its gain no longer counts.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub clip: f32,
    /// How far a value may move in an iteration before its gain no longer counts, as a share of the largest return; 0 does
    /// not clip values.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub value_clip: f32,
    /// The weight of the value loss.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub value_weight: f32,
    /// The weight of the entropy: keeps play varied.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub entropy: f32,
    /// The weight of the entropy at the end as a share of that at the start; it falls in a straight line.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub entropy_end: f32,
    /// The weight of the distance (KL) to the magnet, a slowly moving copy of the policy: what makes self-play settle in
    /// games of hidden information instead of turning in circles. 0 has no magnet.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub magnet: f32,
    /// How far the magnet moves towards the policy in an iteration: 0 stays at the first weights, 1 is always the newest.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub magnet_rate: f32,
    /// How far the policy that is kept moves towards the newest one in an iteration: below 1 it is an average over time, which
    /// in games of hidden information comes nearer to an equilibrium than any single moment does. 1 keeps the newest.
    #[schemars(range(min = 0.0001, max = 1.0))]
    pub average_rate: f32,
    /// The share of games in which one seat learns and past selves sit at the others.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub pool_share: f32,
    /// How many past selves the pool holds.
    #[schemars(range(min = 0, max = 64))]
    pub pool_size: usize,
    /// Iterations from one past self to the next.
    #[schemars(range(min = 1))]
    pub pool_every: u64,
    /// Agents by their names (greedy, policy:PATH, uct:100) that sit at the other seats of some games beside the past selves, so
    /// that play holds against others than itself. They do not learn.
    pub rivals: Vec<String>,
    /// The share of games in which one seat learns and a rival sits at the others; without rivals none.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub rival_share: f32,
    /// A checkpoint to learn against. It stays as it is and sits at every other seat of every game, so that what is learned
    /// is an approximate best response to it; there are no past selves and no rivals then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<PathBuf>,
    /// Learn every decision under one of the game's symmetries, drawn at random.
    pub symmetries: bool,
    /// The longest gradient: a longer one is shortened to this.
    #[schemars(range(min = 0.0, max = 1_000_000.0))]
    pub gradient_limit: f32,
}

impl Default for PpoConfig {
    fn default() -> Self {
        Self {
            slots: 512,
            steps: 32,
            epochs: 2,
            minibatch: 2_048,
            rate: 5e-4,
            rate_end: 0.1,
            discount: 1.0,
            lambda: 0.95,
            clip: 0.2,
            value_clip: 0.0,
            value_weight: 0.5,
            entropy: 0.01,
            entropy_end: 1.0,
            magnet: 0.0,
            magnet_rate: 0.05,
            average_rate: 1.0,
            pool_share: 0.2,
            pool_size: 8,
            pool_every: 20,
            rivals: Vec::new(),
            rival_share: 0.2,
            against: None,
            symmetries: true,
            gradient_limit: 1.0,
        }
    }
}
