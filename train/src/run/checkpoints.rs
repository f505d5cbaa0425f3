//! The checkpoints of a run: written, slimmed, found again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use nodarium_agent::checkpoint::{self, CheckpointError, Contents, MANIFEST, POLICY, Plays, step_folder};
use nodarium_agent::network::Weights;

use super::RunError;
use super::folder::Folder;
use crate::learner::Learner;

/// What a checkpoint was before it was slimmed, until the slim one has its name.
const FULL: &str = "full";
/// The slim one, until it has its name.
const SLIM: &str = "slim";

/// The checkpoints of a run.
#[derive(Debug)]
pub struct Checkpoints {
    run: PathBuf,
    folder: PathBuf,
    plays: Plays,
}

impl Checkpoints {
    /// Those of a folder. What a crash left half done is set right.
    pub fn open(folder: &Folder, plays: Plays) -> Result<Self, RunError> {
        let checkpoints = Self { run: folder.path().to_owned(), folder: folder.checkpoints(), plays };
        checkpoints.tidy().map_err(RunError::write(&checkpoints.folder))?;
        Ok(checkpoints)
    }

    /// What the run's networks play.
    pub fn plays(&self) -> &Plays {
        &self.plays
    }

    /// The folder of an iteration.
    pub fn of(&self, iteration: u64) -> PathBuf {
        step_folder(&self.run, iteration)
    }

    /// Saves where the learner is. A whole checkpoint of that iteration that is there already stays.
    pub fn save(&self, iteration: u64, learner: &dyn Learner) -> Result<PathBuf, CheckpointError> {
        let path = self.of(iteration);
        let files = learner.files();
        let further: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (*name, &bytes[..])).collect();
        let contents = Contents {
            plays: &self.plays,
            weights: learner.weights(),
            search: learner.search(),
            counters: learner.counters(),
            further: &further,
        };
        match checkpoint::save(&path, &contents) {
            Ok(()) | Err(CheckpointError::AlreadyThere { .. }) => Ok(path),
            Err(problem) => Err(problem),
        }
    }

    /// The weights of an iteration.
    pub fn weights(&self, iteration: u64) -> Result<Weights, CheckpointError> {
        checkpoint::load(&self.of(iteration), &self.plays).map(|checkpoint| checkpoint.weights)
    }

    /// Takes from all but the `keep` newest what only a resume needs; 0 keeps all. One that cannot be slimmed stays as it
    /// is, and the first such is told.
    pub fn slim(&self, keep: usize) -> Result<(), RunError> {
        if keep == 0 {
            return Ok(());
        }
        let mut iterations = self.iterations().map_err(RunError::read(&self.folder))?;
        iterations.sort_unstable();
        let old = iterations.len().saturating_sub(keep);
        let mut outcome = Ok(());
        for &iteration in &iterations[..old] {
            let path = self.of(iteration);
            let slimmed = match is_full(&path) {
                Ok(true) => self.slim_one(&path),
                Ok(false) => Ok(()),
                Err(problem) => Err(RunError::read(&path)(problem)),
            };
            outcome = outcome.and(slimmed);
        }
        outcome
    }

    /// The slim one is written as a whole before the full one gives up its name; a crash between is set right by
    /// [`tidy`](Self::tidy).
    fn slim_one(&self, path: &Path) -> Result<(), RunError> {
        let checkpoint = checkpoint::load(path, &self.plays)?;
        let (slim, full) = (path.with_extension(SLIM), path.with_extension(FULL));
        let contents = Contents {
            plays: &self.plays,
            weights: &checkpoint.weights,
            search: checkpoint.manifest.search,
            counters: checkpoint.manifest.counters.clone(),
            further: &[],
        };
        checkpoint::save(&slim, &contents)?;
        fs::rename(path, &full)
            .and_then(|()| fs::rename(&slim, path))
            .and_then(|()| fs::remove_dir_all(&full))
            .map_err(RunError::write(path))
    }

    fn tidy(&self) -> io::Result<()> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Ok(()) };
        for path in entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()? {
            let place = path.with_extension("");
            let number = place.file_name().and_then(|name| name.to_str()).and_then(iteration_of).is_some();
            match path.extension().and_then(|extension| extension.to_str()) {
                Some(FULL) if number && !place.exists() => fs::rename(&path, &place)?,
                Some(FULL | SLIM) if number => fs::remove_dir_all(&path)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn iterations(&self) -> io::Result<Vec<u64>> {
        let names = fs::read_dir(&self.folder)?.map(|entry| Ok(entry?.file_name()));
        let names: Vec<_> = names.collect::<io::Result<_>>()?;
        Ok(names.iter().filter_map(|name| iteration_of(name.to_str()?)).collect())
    }
}

fn iteration_of(name: &str) -> Option<u64> {
    name.bytes().all(|byte| byte.is_ascii_digit()).then(|| name.parse().ok())?
}

/// Whether a checkpoint holds more than playing needs.
fn is_full(path: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(path)? {
        let name = entry?.file_name();
        if name != MANIFEST && name != POLICY {
            return Ok(true);
        }
    }
    Ok(false)
}
