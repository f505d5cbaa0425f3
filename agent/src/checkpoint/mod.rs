//! Networks on disk, in a form that can be trusted.
//!
//! A checkpoint is a folder:
//!
//! | file | holds | limit |
//! |---|---|---|
//! | `manifest.json` | format, game, game version, rules, shape, network, how it wants to be searched with, counters, size and SHA-256 of each other file; last its own digest | [`MAX_MANIFEST`] |
//! | `policy.safetensors` | the weights, 32-bit floats, named as [`Weights::tensors`](crate::network::Weights::tensors) names them | 4 bytes a parameter + [`MAX_HEADER`] |
//! | further ones, such as `learner.safetensors` | whatever training needs to go on; playing does not read them | [`MAX_FILE`] each, [`MAX_FILES`] of them |
//!
//! **Writing.** [`save`] writes into `.NAME.partial` beside the place, syncs every file and the folder, renames it to
//! `NAME` and syncs the folder above. A crash at any moment leaves either nothing under `NAME` or all of it. What is whole
//! is never written over, with one exception: [`set_search`] puts another manifest in the place of the old one, by the same
//! steps.
//!
//! **Reading.** [`load`] checks in this order, and takes no more memory than the checks so far allow: the manifest's
//! size, that it is JSON, the format, the manifest's own digest, the game with its rules and sizes, the network's limits,
//! each file's size, each file's digest, each tensor's name, type and shape, that every number is finite. Nothing in a
//! checkpoint is ever run. Whatever is wrong is one [`CheckpointError`], and nothing on disk is touched.
//!
//! **Runs.** A run keeps its checkpoints in `checkpoints/STEP`; [`newest`] takes the newest whole one and says what was
//! wrong with newer ones.

mod describe;
mod error;
mod load;
mod manifest;
mod newest;
mod save;

pub use describe::{Description, describe};
pub use error::CheckpointError;
pub use load::{Checkpoint, load};
pub use manifest::{FileEntry, Manifest, Plays};
pub use newest::{Newest, NothingWhole, newest, step_folder};
pub use save::{Contents, save, set_search};

/// The format that this version writes, and the newest that it reads.
pub const FORMAT: u64 = 1;
/// The name of the manifest.
pub const MANIFEST: &str = "manifest.json";
/// The name of the weights.
pub const POLICY: &str = "policy.safetensors";
/// The largest manifest, in bytes.
pub const MAX_MANIFEST: u64 = 1 << 20;
/// The largest header of the weights, in bytes: names and shapes, not numbers.
pub const MAX_HEADER: u64 = 1 << 16;
/// The largest further file, in bytes.
pub const MAX_FILE: u64 = 1 << 31;
/// The most files beside the manifest.
pub const MAX_FILES: usize = 16;
/// The longest name of a file, in bytes.
pub const MAX_NAME: usize = 64;
