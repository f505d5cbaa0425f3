//! What every way of learning has in common.

use std::collections::BTreeMap;

use nodarium_agent::checkpoint::{Checkpoint, CheckpointError};
use nodarium_agent::network::{NoDevice, Weights};
use nodarium_agent::search::Settings;
use nodarium_agent::{BadName, BuildError};
use rayon::ThreadPoolBuildError;

use crate::beginning::NoBeginning;

/// A way of learning, from one iteration to the next.
///
/// Between two calls of [`iterate`](Learner::iterate) everything is at rest: what [`files`](Learner::files) and
/// [`weights`](Learner::weights) tell then is all that a run needs to go on bit for bit. Nothing depends on the clock or on
/// the number of threads.
pub trait Learner: Send {
    /// Plays and learns for one iteration.
    fn iterate(&mut self) -> Result<Report, Trouble>;

    /// What has been learned.
    fn weights(&self) -> &Weights;

    /// How far it has come, for the manifest of a checkpoint: `iterations`, `plies`, `games`, `updates` and others.
    fn counters(&self) -> BTreeMap<String, u64>;

    /// How what has been learned wants to be searched with, for the manifest of a checkpoint; `None` where nothing is known of
    /// that.
    fn search(&self) -> Option<Settings> {
        None
    }

    /// Everything beside the weights that is needed to go on, as files of a checkpoint.
    fn files(&self) -> Vec<(&'static str, Vec<u8>)>;

    /// Goes on from where a checkpoint of the same config left off.
    fn restore(&mut self, checkpoint: &Checkpoint) -> Result<(), RestoreError>;

    /// How many bytes the learner will hold at most, for the line that a run prints at its start.
    fn memory(&self) -> u64;
}

/// What an iteration tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Numbers by name, such as `loss/policy`. Names that begin with `time/` are seconds of this machine; every other
    /// number is the same in every run of the same config.
    pub scalars: Vec<(&'static str, f64)>,
    /// Many numbers by name, for histograms.
    pub histograms: Vec<(&'static str, Vec<f32>)>,
    /// How often games ended for each reason of the game's spec.
    pub ends: Vec<u64>,
}

impl Report {
    /// The scalar of that name.
    pub fn scalar(&self, name: &str) -> Option<f64> {
        self.scalars.iter().find(|(known, _)| *known == name).map(|&(_, value)| value)
    }
}

/// A run that cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum NotStarted {
    /// The config does not say how to learn.
    #[error("the config has no table `{0}`")]
    Table(&'static str),
    /// Nobody is called as a rival is.
    #[error("ppo.rivals: {0}")]
    RivalName(#[from] BadName),
    /// A rival that cannot be had.
    #[error("ppo.rivals: {0}")]
    Rival(#[from] BuildError),
    /// The checkpoint to learn against does not load for this game and these rules.
    #[error("ppo.against: {0}")]
    Against(Box<CheckpointError>),
    /// The frozen policy reads more than the learner does.
    #[error(
        "`ppo.against` reads the game's insights and `network.insights` is false: expected true, the games are seen once for both"
    )]
    AgainstInsights,
    /// There are no first weights.
    #[error(transparent)]
    Beginning(#[from] NoBeginning),
    /// The device to learn on cannot be had.
    #[error(transparent)]
    Device(#[from] NoDevice),
    /// Threads cannot be had.
    #[error("cannot start threads: {0}")]
    Threads(#[from] ThreadPoolBuildError),
}

/// Learning cannot go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Trouble {
    /// Too many steps in a row had a loss or a gradient that is not finite.
    #[error("{count} updates in a row were not finite, the last at iteration {iteration}: {what}")]
    NotFinite {
        /// How many.
        count: u32,
        /// When.
        iteration: u64,
        /// What was not finite.
        what: String,
        /// The batch of the last one, as a safetensors file for study.
        batch: Vec<u8>,
    },
}

/// A checkpoint that a learner cannot go on from.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// A file of it cannot be read.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A file of it says what cannot be.
    #[error("{file} of the checkpoint: {problem}")]
    Content {
        /// The file.
        file: &'static str,
        /// What is wrong.
        problem: String,
    },
}
