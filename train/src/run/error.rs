//! Why a run cannot begin or go on.

use std::io;
use std::path::{Path, PathBuf};

use nodarium_agent::checkpoint::{CheckpointError, NothingWhole};

use super::difference::Difference;
use super::strength::StrengthError;
use crate::config::ConfigError;
use crate::learner::{RestoreError, Trouble};

/// Why a run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The system says no.
    #[error("cannot {doing} {}: {problem}", .path.display())]
    System {
        /// `read` or `write`.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why.
        problem: io::Error,
    },
    /// The folder holds something.
    #[error("{} {}", .path.display(), if *.run {
        "holds a run: expected --resume to go on with it, --overwrite to begin anew, or another folder with --out"
    } else {
        "holds something that is not a run: expected an empty folder or a new one, --out names another"
    })]
    Exists {
        /// The folder.
        path: PathBuf,
        /// Whether it is a run.
        run: bool,
    },
    /// There is nothing to go on with.
    #[error("{} holds no run to resume: expected a folder with a config.toml; a run begins without --resume", .path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
    },
    /// Somebody trains there.
    #[error("{} is in use: another process trains there", .path.display())]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// A file of the run says what cannot be.
    #[error("{} is damaged: {problem}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The config differs in what a run cannot change on its way.
    #[error("{} cannot go on with this config: {}", .path.display(), told(.fixed))]
    Changed {
        /// The folder.
        path: PathBuf,
        /// What differs and cannot.
        fixed: Vec<Difference>,
    },
    /// The config of the run cannot be read.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// No checkpoint to go on from.
    #[error(transparent)]
    Nothing(#[from] NothingWhole),
    /// A checkpoint that cannot be read.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A checkpoint that the learner cannot go on from.
    #[error("cannot go on from {}: {problem}", .path.display())]
    Restore {
        /// The checkpoint.
        path: PathBuf,
        /// Why.
        problem: Box<RestoreError>,
    },
    /// Matches that cannot be played.
    #[error("strength: {0}")]
    Strength(Box<StrengthError>),
    /// The threads cannot be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Learning went wrong.
    #[error("{trouble}; {}", match .batch {
        Ok(path) => format!("the batch is in {} for study", path.display()),
        Err(problem) => format!("the batch could not be kept for study: {problem}"),
    })]
    Trouble {
        /// What.
        trouble: Trouble,
        /// Where the batch is.
        batch: Result<PathBuf, Box<RunError>>,
    },
}

impl From<StrengthError> for RunError {
    fn from(problem: StrengthError) -> Self {
        Self::Strength(Box::new(problem))
    }
}

fn told(differences: &[Difference]) -> String {
    differences.iter().map(Difference::to_string).collect::<Vec<_>>().join("; ")
}

impl RunError {
    pub(super) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |problem| Self::System { doing: "read", path, problem }
    }

    pub(super) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |problem| Self::System { doing: "write", path, problem }
    }
}
