//! The newest checkpoint of a run that is whole.

use std::fs;
use std::path::{Path, PathBuf};

use super::load::verify_for;
use super::{Checkpoint, CheckpointError, Plays};

/// Where a run keeps the checkpoint of a step. The zeros in front let a listing sort by step.
pub fn step_folder(run: &Path, step: u64) -> PathBuf {
    checkpoints(run).join(format!("{step:08}"))
}

fn checkpoints(run: &Path) -> PathBuf {
    run.join("checkpoints")
}

/// What a run can go on from.
#[derive(Debug)]
pub struct Newest {
    /// The newest whole checkpoint; every file of it has been checked.
    pub checkpoint: Checkpoint,
    /// Its step.
    pub step: u64,
    /// What is wrong with the newer ones, newest first. They are left as they are.
    pub refused: Vec<CheckpointError>,
}

/// A run without a whole checkpoint.
#[derive(Debug, thiserror::Error)]
#[error("{} holds no whole checkpoint{}", .folder.display(), reasons(.refused))]
pub struct NothingWhole {
    /// The folder of the checkpoints.
    pub folder: PathBuf,
    /// What is wrong with those that are there, newest first; empty when there are none.
    pub refused: Vec<CheckpointError>,
}

fn reasons(refused: &[CheckpointError]) -> String {
    refused
        .iter()
        .enumerate()
        .map(|(i, error)| format!("{} {error}", if i == 0 { ":" } else { ";" }))
        .collect()
}

/// Finds the newest whole checkpoint of a run. Folders whose name is not a number are none of ours and are passed over:
/// a partial one that a crash left behind, a damaged one that was moved aside.
pub fn newest(run: &Path, plays: &Plays) -> Result<Newest, NothingWhole> {
    let folder = checkpoints(run);
    let mut refused = Vec::new();
    let mut steps: Vec<(u64, PathBuf)> = match fs::read_dir(&folder) {
        Ok(entries) => entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter_map(|path| Some((step_of(path.file_name()?.to_str()?)?, path)))
            .collect(),
        Err(error) => {
            refused.push(CheckpointError::read(&folder)(error));
            Vec::new()
        }
    };
    steps.sort_by(|a, b| b.cmp(a));
    for (step, path) in steps {
        match verify_for(&path, plays) {
            Ok(checkpoint) => return Ok(Newest { checkpoint, step, refused }),
            Err(error) => refused.push(error),
        }
    }
    Err(NothingWhole { folder, refused })
}

fn step_of(name: &str) -> Option<u64> {
    name.bytes().all(|byte| byte.is_ascii_digit()).then(|| name.parse().ok())?
}
