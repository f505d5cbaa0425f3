//! Who watches a run: the library itself is silent.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::RunError;
use super::difference::Difference;
use super::metrics::Line;
use super::strength::Bout;

/// Told what happens, as it happens.
pub trait Observer {
    /// Everything is checked and opened; the first iteration comes.
    fn begins(&mut self, _start: &Start<'_>) {}

    /// A match is about to be played.
    fn plays(&mut self, _iteration: u64) {}

    /// An iteration is over.
    fn iterated(&mut self, _iteration: &Iteration<'_>) {}

    /// Something that the run lives through, and that a person should know.
    fn noted(&mut self, _notice: &Notice) {}
}

/// Nobody watches.
impl Observer for () {}

/// How a run starts.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// Its folder.
    pub folder: &'a Path,
    /// Iterations that are behind it.
    pub iteration: u64,
    /// Iterations that it is to go through in all.
    pub iterations: u64,
    /// Weights and biases of the network.
    pub parameters: usize,
    /// Bytes that the learner holds at most.
    pub memory: u64,
}

/// How an iteration went.
#[derive(Clone, Copy, Debug)]
pub struct Iteration<'a> {
    /// What it told.
    pub line: &'a Line,
    /// The matches that were played after it.
    pub bouts: &'a [Bout],
    /// The checkpoint that was written after it.
    pub checkpoint: Option<&'a Path>,
}

/// Something that the run lives through.
#[derive(Debug)]
pub enum Notice {
    /// A resume takes up another config.
    Changed(Vec<Difference>),
    /// The run had no checkpoint yet and begins at its first iteration.
    FromTheStart,
    /// A newer checkpoint is damaged: the run goes on from an older one.
    Damaged(nodarium_agent::checkpoint::CheckpointError),
    /// Metrics or a checkpoint could not be written; the older checkpoint stays, and the next iteration tries again.
    NotWritten(RunError),
    /// Events for TensorBoard could not be written: it will miss some iterations, which the metrics have.
    NotShown(RunError),
    /// What could not be written before is written now.
    WrittenAgain(PathBuf),
    /// An old checkpoint could not be slimmed.
    NotSlimmed(RunError),
    /// The earlier self is not there to play against.
    NoEarlierSelf(nodarium_agent::checkpoint::CheckpointError),
}

impl std::fmt::Display for Notice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Changed(differences) => {
                f.write_str("goes on with another config:")?;
                differences.iter().try_for_each(|difference| write!(f, " {difference};"))
            }
            Self::FromTheStart => f.write_str("no checkpoint yet: begins at the first iteration"),
            Self::Damaged(problem) => write!(f, "goes on from an older checkpoint: {problem}"),
            Self::NotWritten(problem) => {
                write!(f, "{problem}; what was saved before stays, the next iteration tries again")
            }
            Self::NotShown(problem) => write!(f, "{problem}; TensorBoard will miss iterations"),
            Self::WrittenAgain(path) => write!(f, "{} is written: saving works again", path.display()),
            Self::NotSlimmed(problem) => write!(f, "an old checkpoint keeps its size: {problem}"),
            Self::NoEarlierSelf(problem) => write!(f, "no match against an earlier self: {problem}"),
        }
    }
}

/// How a run ended, or paused.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Iterations that are behind it.
    pub iteration: u64,
    /// Iterations that it is to go through in all.
    pub iterations: u64,
    /// Whether it was asked to stop before its end.
    pub stopped: bool,
    /// The newest checkpoint, and the iteration that it holds.
    pub checkpoint: (u64, PathBuf),
    /// Why the last iteration could not be saved, if it could not.
    pub unsaved: Option<String>,
    /// Plies, games, updates and whatever else the learner counts.
    pub counters: std::collections::BTreeMap<String, u64>,
    /// What the last iteration told; nothing when there was none to go through.
    pub last: Option<Line>,
    /// The last matches.
    pub bouts: Vec<Bout>,
    /// How well a finished run against a frozen policy exploits it, and the file that says so.
    pub response: Option<(Bout, PathBuf)>,
    /// How long this process trained.
    pub time: Duration,
}
