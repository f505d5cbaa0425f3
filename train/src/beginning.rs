//! The weights that a run begins with.

use nodarium_agent::checkpoint::{self, CheckpointError, Plays};
use nodarium_agent::network::{BadNetwork, NetworkConfig, Weights};
use nodarium_env::Game;

use crate::Config;

/// A run that has nothing to begin with.
#[derive(Debug, thiserror::Error)]
pub enum NoBeginning {
    /// The network cannot be built.
    #[error(transparent)]
    Network(#[from] BadNetwork),
    /// The checkpoint does not load, or is one of another game.
    #[error("begin_with: {0}")]
    Checkpoint(#[from] Box<CheckpointError>),
    /// The checkpoint has another network than the config.
    #[error("begin_with: the network of the checkpoint is {found}: expected that of the config, {expected}")]
    Other {
        /// What the checkpoint has.
        found: String,
        /// What the config says.
        expected: String,
    },
}

/// Weights drawn by the seed, or those of the checkpoint that the config names.
pub(crate) fn first_weights<G: Game>(rules: &G::Rules, config: &Config) -> Result<Weights, NoBeginning> {
    let plays = Plays::of::<G>(rules);
    let Some(folder) = config.begin_with.as_deref() else {
        return Ok(Weights::draw(config.network, plays.shape, config.seed)?);
    };
    // What was learned under other rules is a beginning too, as long as it sees and does the same.
    let told = checkpoint::describe(folder).map_err(Box::new)?.manifest.plays.rules;
    let weights = checkpoint::load(folder, &Plays { rules: told, ..plays }).map_err(Box::new)?.weights;
    if *weights.config() != config.network {
        let (found, expected) = (words(weights.config()), words(&config.network));
        return Err(NoBeginning::Other { found, expected });
    }
    Ok(weights)
}

fn words(network: &NetworkConfig) -> String {
    let NetworkConfig { torso, width, layers, insights, direct, value_scale } = network;
    let sees = if *insights { "with" } else { "without" };
    let way = if *direct { ", a direct way to the heads" } else { "" };
    format!("{torso} with {layers} layers of {width}, {sees} insights{way}, values up to {value_scale}")
}
