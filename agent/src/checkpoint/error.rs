//! What can be wrong with a checkpoint.

use std::io;
use std::path::{Path, PathBuf};

use crate::network::BadNetwork;
use crate::search::BadSetting;

/// A checkpoint that cannot be read or written: which file, what is wrong, what was expected.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
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
    /// Not a plain file.
    #[error("{} is not a file", .path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// Larger than anything that belongs there.
    #[error("{} has {size} bytes: expected at most {limit}", .path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        size: u64,
        /// The limit.
        limit: u64,
    },
    /// The manifest is not what a manifest is.
    #[error("{} is not a manifest: {problem}", .path.display())]
    NotAManifest {
        /// The file.
        path: PathBuf,
        /// What the parser says.
        problem: String,
    },
    /// Written by a version that knows more, or by something else.
    #[error("{} has format {found}: expected {}, the one that this version reads", .path.display(), super::FORMAT)]
    Format {
        /// The file.
        path: PathBuf,
        /// The format that it names.
        found: u64,
    },
    /// The manifest is not as it was written.
    #[error("{} does not match its own digest: it was cut, damaged or edited", .path.display())]
    Seal {
        /// The file.
        path: PathBuf,
    },
    /// For another game, other rules, or another version of the game.
    #[error("{} is for {what} {found}: expected {expected}", .path.display())]
    PlaysOther {
        /// The file.
        path: PathBuf,
        /// What differs: `game`, `rule option …`.
        what: String,
        /// What the checkpoint was made for.
        found: String,
        /// What was asked for.
        expected: String,
    },
    /// A network beyond the limits.
    #[error("{}: {problem}", .path.display())]
    Network {
        /// The file.
        path: PathBuf,
        /// What is wrong with its size.
        problem: BadNetwork,
    },
    /// Settings that no search takes.
    #[error("{}: {problem}", .path.display())]
    Search {
        /// The file.
        path: PathBuf,
        /// What is wrong with them.
        problem: BadSetting,
    },
    /// A list of files that no checkpoint has.
    #[error("{} lists {problem}", .path.display())]
    Listing {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Longer or shorter than it was written.
    #[error("{} has {found} bytes: expected {expected}, as the manifest says", .path.display())]
    Size {
        /// The file.
        path: PathBuf,
        /// Its size.
        found: u64,
        /// Its size when it was written.
        expected: u64,
    },
    /// Not the bytes that were written.
    #[error("{} does not match its digest in the manifest: it was damaged or exchanged", .path.display())]
    Digest {
        /// The file.
        path: PathBuf,
    },
    /// Not a safetensors file.
    #[error("{} is not a safetensors file: {problem}", .path.display())]
    NotTensors {
        /// The file.
        path: PathBuf,
        /// What the parser says.
        problem: String,
    },
    /// Not the tensors of this network.
    #[error("{}: tensor `{tensor}` is {found}: expected {expected}", .path.display())]
    Tensor {
        /// The file.
        path: PathBuf,
        /// The tensor's name.
        tensor: String,
        /// What is there.
        found: String,
        /// What the network needs.
        expected: String,
    },
    /// A weight that is not a number or infinite.
    #[error("{}: tensor `{tensor}` has a number that is not finite at index {index}", .path.display())]
    NotFinite {
        /// The file.
        path: PathBuf,
        /// The tensor's name.
        tensor: String,
        /// Where in it.
        index: usize,
    },
    /// A whole checkpoint is never written over.
    #[error("{} already holds a whole checkpoint: it is not written over", .path.display())]
    AlreadyThere {
        /// The folder.
        path: PathBuf,
    },
}

impl CheckpointError {
    pub(super) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |problem| Self::System { doing: "read", path, problem }
    }

    pub(super) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |problem| Self::System { doing: "write", path, problem }
    }
}
