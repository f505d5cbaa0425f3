//! The folder of a run: what is in it, and who may write there.
//!
//! | name | holds |
//! |---|---|
//! | `config.toml` | the config, resolved: every key and every rule option |
//! | `run.json` | seed, version, command and start, and the same of every resume |
//! | `metrics.jsonl` | one line an iteration |
//! | `tensorboard/` | the same for TensorBoard, with histograms |
//! | `checkpoints/ITERATION/` | the network, and what the learner needs to go on |
//! | `best_response.json` | how well a run against a frozen policy exploits it, written at the end |
//! | `trouble-ITERATION.safetensors` | the batch that could not be learned from |
//! | `run.lock` | held while a process trains here |

use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::RunError;
use crate::config::Config;

const CONFIG: &str = "config.toml";
const RECORD: &str = "run.json";
const METRICS: &str = "metrics.jsonl";
const TENSORBOARD: &str = "tensorboard";
const CHECKPOINTS: &str = "checkpoints";
const RESPONSE: &str = "best_response.json";
const LOCK: &str = "run.lock";
const TROUBLE: &str = "trouble-";

/// What to do about a folder that is there, or is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A new run; a folder that holds something is refused.
    Fresh,
    /// Go on where the run in the folder was.
    Resume,
    /// A new run in place of the one that is there.
    Overwrite,
}

/// How a run began and went on, `run.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The game.
    pub game: String,
    /// The seed of everything.
    pub seed: u64,
    /// Who began it.
    #[serde(flatten)]
    pub began: Session,
    /// Who went on with it.
    pub resumed: Vec<Session>,
}

/// One process that trained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// The version of this program.
    pub version: String,
    /// What was typed.
    pub command: String,
    /// When, in seconds since 1970.
    pub started_unix: u64,
    /// The iteration from which it went on.
    pub iteration: u64,
    /// What it changed about the config.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
}

impl Session {
    /// A session that begins now.
    pub fn now(command: &str, iteration: u64, changed: Vec<String>) -> Self {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: command.to_owned(),
            started_unix: since.map_or(0, |since| since.as_secs()),
            iteration,
            changed,
        }
    }
}

/// The folder of a run, which nobody else writes to while this is held.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    /// Takes a folder for a new run: it must hold nothing, or `overwrite` allows to remove what a run left there.
    pub fn create(path: &Path, overwrite: bool) -> Result<Self, RunError> {
        let entries = entries(path)?;
        let ours = entries.iter().any(|name| is_ours(name));
        if !(entries.is_empty() || overwrite && ours) {
            return Err(RunError::Exists { path: path.to_owned(), run: ours });
        }
        fs::create_dir_all(path).map_err(RunError::write(path))?;
        let folder = Self::lock(path)?;
        for name in entries.iter().filter(|name| is_ours(name)) {
            let path = path.join(name);
            let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            removed.map_err(RunError::write(&path))?;
        }
        Ok(folder)
    }

    /// Takes the folder of a run that is there.
    pub fn open(path: &Path) -> Result<Self, RunError> {
        if !path.join(CONFIG).is_file() {
            return Err(RunError::NoRun { path: path.to_owned() });
        }
        Self::lock(path)
    }

    fn lock(path: &Path) -> Result<Self, RunError> {
        let name = path.join(LOCK);
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&name)
            .map_err(RunError::write(&name))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(RunError::Busy { path: path.to_owned() }),
            Err(TryLockError::Error(problem)) => Err(RunError::write(&name)(problem)),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file of the metrics.
    pub fn metrics(&self) -> PathBuf {
        self.path.join(METRICS)
    }

    /// The folder of the TensorBoard events.
    pub fn tensorboard(&self) -> PathBuf {
        self.path.join(TENSORBOARD)
    }

    /// The folder of the checkpoints.
    pub fn checkpoints(&self) -> PathBuf {
        self.path.join(CHECKPOINTS)
    }

    /// The file of what came of learning against a frozen policy.
    pub fn response(&self) -> PathBuf {
        self.path.join(RESPONSE)
    }

    /// The file of a batch that could not be learned from.
    pub fn trouble(&self, iteration: u64) -> PathBuf {
        self.path.join(format!("{TROUBLE}{iteration:08}.safetensors"))
    }

    /// The config that the run follows.
    pub fn config(&self) -> Result<Config, RunError> {
        Ok(Config::read(&self.path.join(CONFIG), &[])?)
    }

    /// Writes the config.
    pub fn write_config(&self, config: &Config) -> Result<(), RunError> {
        write_whole(&self.path.join(CONFIG), config.to_toml().as_bytes())
    }

    /// How the run began.
    pub fn record(&self) -> Result<Record, RunError> {
        let path = self.path.join(RECORD);
        let text = fs::read_to_string(&path).map_err(RunError::read(&path))?;
        serde_json::from_str(&text)
            .map_err(|problem| RunError::Damaged { path: path.clone(), problem: problem.to_string() })
    }

    /// Writes how the run began.
    pub fn write_record(&self, record: &Record) -> Result<(), RunError> {
        let text = serde_json::to_string_pretty(record).expect("text keys and plain values");
        write_whole(&self.path.join(RECORD), format!("{text}\n").as_bytes())
    }
}

/// What is in a folder, but for the lock; nothing when there is no folder.
fn entries(path: &Path) -> Result<Vec<String>, RunError> {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(problem) if problem.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(problem) => return Err(RunError::read(path)(problem)),
    };
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let names: Vec<String> = names.collect::<io::Result<_>>().map_err(RunError::read(path))?;
    Ok(names.into_iter().filter(|name| name != LOCK).collect())
}

/// Whether a run writes under that name.
fn is_ours(name: &str) -> bool {
    [CONFIG, RECORD, METRICS, TENSORBOARD, CHECKPOINTS, RESPONSE].contains(&name.trim_end_matches(".partial"))
        || name.starts_with(TROUBLE)
}

/// Writes a file that is there as a whole or as it was before.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let written = File::create(&partial)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&partial, path))
        .and_then(|()| File::open(path.parent().expect("a file lies in a folder"))?.sync_all());
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written.map_err(RunError::write(path))
}
