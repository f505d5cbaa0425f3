//! What a config file can say, and how one is read.
//!
//! The types here are the one source of what is allowed: the JSON schema is made from them, a file is checked against that
//! schema, and whatever is wrong is told with its file, line and key ([`ConfigError`]).

mod document;
mod error;
mod gumbel;
mod ppo;
mod read;
mod schema;

use std::path::PathBuf;

use nodarium_agent::network::NetworkConfig;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use error::{ConfigError, Place};
pub use gumbel::GumbelConfig;
pub use ppo::PpoConfig;
pub use schema::schema;

/// A training run. Exactly one of the tables `ppo` and `gumbel` says how to learn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The game to learn: shuter, kato, colony, starduel, tictactoe, connect_four, kuhn or leduc.
    #[schemars(extend("enum" = read::game_ids()))]
    pub game: String,
    /// Rule options of the game, as `nodarium games GAME` lists them.
    #[serde(default)]
    pub rules: Map<String, Value>,
    /// The seed of everything: first weights, deals, choices. The same config and seed make the same run.
    #[serde(default)]
    pub seed: u64,
    /// How many iterations of playing and learning to go through.
    #[schemars(range(min = 1))]
    pub iterations: u64,
    /// A checkpoint whose weights the run begins with, where others draw theirs: of the same game and the same network, or a
    /// smaller one of its kind; its rules may be other ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begin_with: Option<PathBuf>,
    /// The size of the network.
    #[serde(default)]
    pub network: NetworkConfig,
    /// What is kept and when.
    #[serde(default)]
    pub run: RunConfig,
    /// Matches during training.
    #[serde(default)]
    pub strength: StrengthConfig,
    /// Learn by policy gradients (PPO): for every game, and for hidden information above all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ppo: Option<PpoConfig>,
    /// Learn by search (Gumbel AlphaZero): for perfect information above all; what is hidden is re-dealt for every simulation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gumbel: Option<GumbelConfig>,
}

/// What a run keeps and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RunConfig {
    /// Threads to play and learn on; 0 takes every core. The number changes the speed and nothing else.
    #[schemars(range(max = 1024))]
    pub threads: usize,
    /// Where the network learns: cpu, or a graphics card (wgpu, cuda) where the program was built with that feature. Playing
    /// stays on the processor. Only on the processor do two runs of a config agree to the last bit.
    #[schemars(extend("enum" = nodarium_agent::network::DEVICES))]
    pub device: String,
    /// Iterations from one checkpoint to the next.
    #[schemars(range(min = 1))]
    pub checkpoint_every: u64,
    /// How many of the newest checkpoints to keep in full; older ones keep their weights for the strength curve and lose
    /// what only a resume needs. 0 keeps all in full.
    pub keep: usize,
}

impl Default for RunConfig {
    fn default() -> Self {
        Self { threads: 0, device: "cpu".into(), checkpoint_every: 20, keep: 2 }
    }
}

/// Matches during training, each with its interval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StrengthConfig {
    /// Iterations from one match to the next; 0 plays none.
    pub every: u64,
    /// Pairs of games against each opponent: the same deal with the seats exchanged.
    #[schemars(range(min = 1))]
    pub pairs: usize,
    /// Random plies after each deal of a match: for games without chance, where two agents that always do the same would
    /// play the same two games over and over.
    #[schemars(range(max = 64))]
    pub opening: u32,
    /// The opponents, by the names of agents: random, greedy, uct:200, …
    pub opponents: Vec<String>,
    /// Also play against the checkpoint of half as many iterations.
    pub earlier_self: bool,
}

impl Default for StrengthConfig {
    fn default() -> Self {
        Self {
            every: 20,
            pairs: 100,
            opening: 0,
            opponents: vec!["random".into(), "greedy".into()],
            earlier_self: true,
        }
    }
}
