//! Reading a checkpoint without trusting it.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use safetensors::SafeTensors;
use safetensors::tensor::Dtype;

use super::manifest::{Manifest, Plays, digest};
use super::{CheckpointError, MANIFEST, MAX_MANIFEST, POLICY};
use crate::network::Weights;

/// A checkpoint whose weights have passed every check.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// What it says about itself.
    pub manifest: Manifest,
    /// What the network has learned.
    pub weights: Weights,
    folder: PathBuf,
}

impl Checkpoint {
    /// Where it lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Reads a further file, such as `learner.safetensors`, and checks it against the manifest.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, CheckpointError> {
        read_listed(&self.folder, &self.manifest, name)
    }
}

/// Loads the weights of the checkpoint in `folder` for what is to be played. Further files are not read and may be
/// absent: playing needs the weights alone.
pub fn load(folder: &Path, plays: &Plays) -> Result<Checkpoint, CheckpointError> {
    let manifest = read_manifest(folder)?;
    manifest.check_plays(plays, &folder.join(MANIFEST))?;
    manifest.check(&folder.join(MANIFEST))?;
    let weights = read_weights(folder, &manifest)?;
    Ok(Checkpoint { manifest, weights, folder: folder.to_owned() })
}

/// Checks that all of a checkpoint is there and as it was written, whatever it plays.
pub(super) fn verify(folder: &Path) -> Result<Checkpoint, CheckpointError> {
    let manifest = read_manifest(folder)?;
    let plays = manifest.plays.clone();
    verify_for(folder, &plays)
}

/// The same, for what is to be played.
pub(super) fn verify_for(folder: &Path, plays: &Plays) -> Result<Checkpoint, CheckpointError> {
    let checkpoint = load(folder, plays)?;
    for name in checkpoint.manifest.files.keys().filter(|name| *name != POLICY) {
        checkpoint.read(name)?;
    }
    Ok(checkpoint)
}

/// Reads the manifest and checks its size, format and digest.
pub(super) fn read_manifest(folder: &Path) -> Result<Manifest, CheckpointError> {
    let path = folder.join(MANIFEST);
    let size = size_of_file(&path)?;
    if size > MAX_MANIFEST {
        return Err(CheckpointError::TooLarge { path, size, limit: MAX_MANIFEST });
    }
    Manifest::from_bytes(&read_bytes(&path, size)?, &path)
}

/// Reads a listed file; the limits of the listing have been checked.
pub(super) fn read_listed(
    folder: &Path,
    manifest: &Manifest,
    name: &str,
) -> Result<Vec<u8>, CheckpointError> {
    let Some(entry) = manifest.files.get(name) else {
        let problem = format!("no {name}: expected one of {:?}", manifest.files.keys().collect::<Vec<_>>());
        return Err(CheckpointError::Listing { path: folder.join(MANIFEST), problem });
    };
    let path = folder.join(name);
    let size = size_of_file(&path)?;
    if size != entry.size {
        return Err(CheckpointError::Size { path, found: size, expected: entry.size });
    }
    let bytes = read_bytes(&path, size)?;
    if digest(&bytes) != entry.sha256 {
        return Err(CheckpointError::Digest { path });
    }
    Ok(bytes)
}

/// Reads the weights; the manifest has been checked.
pub(super) fn read_weights(folder: &Path, manifest: &Manifest) -> Result<Weights, CheckpointError> {
    let bytes = read_listed(folder, manifest, POLICY)?;
    from_safetensors(&bytes, manifest, &folder.join(POLICY))
}

fn from_safetensors(bytes: &[u8], manifest: &Manifest, path: &Path) -> Result<Weights, CheckpointError> {
    let path = || path.to_owned();
    let file = SafeTensors::deserialize(bytes)
        .map_err(|error| CheckpointError::NotTensors { path: path(), problem: error.to_string() })?;
    let mut weights = Weights::zeros(manifest.network, manifest.plays.shape.clone())
        .map_err(|problem| CheckpointError::Network { path: path(), problem })?;
    let mut tensors = weights.tensors_mut();
    for (name, dims, numbers) in &mut tensors {
        let expected = || format!("F32 {dims:?}");
        let wrong = |found| CheckpointError::Tensor {
            path: path(),
            tensor: name.clone(),
            found,
            expected: expected(),
        };
        let view = file.tensor(name).map_err(|_| wrong("absent".to_owned()))?;
        if view.dtype() != Dtype::F32 || view.shape() != dims {
            return Err(wrong(format!("{:?} {:?}", view.dtype(), view.shape())));
        }
        let (quads, _) = view.data().as_chunks::<4>();
        for (number, &quad) in numbers.iter_mut().zip(quads) {
            *number = f32::from_le_bytes(quad);
        }
        if let Some(index) = numbers.iter().position(|number| !number.is_finite()) {
            return Err(CheckpointError::NotFinite { path: path(), tensor: name.clone(), index });
        }
    }
    if let Some(extra) = file.names().into_iter().find(|name| tensors.iter().all(|(known, ..)| known != name))
    {
        let (found, expected) = ("there".to_owned(), "absent, this network has none of that name".to_owned());
        return Err(CheckpointError::Tensor { path: path(), tensor: extra.to_owned(), found, expected });
    }
    Ok(weights)
}

/// The size of a plain file. Anything else (a folder, a pipe that would never end) is refused unopened.
fn size_of_file(path: &Path) -> Result<u64, CheckpointError> {
    let metadata = fs::metadata(path).map_err(CheckpointError::read(path))?;
    if !metadata.is_file() {
        return Err(CheckpointError::NotAFile { path: path.to_owned() });
    }
    Ok(metadata.len())
}

/// Reads exactly `size` bytes; a file that has changed its size since is refused.
fn read_bytes(path: &Path, size: u64) -> Result<Vec<u8>, CheckpointError> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(size as usize + 1).map_err(|error| CheckpointError::read(path)(error.into()))?;
    let file = File::open(path).map_err(CheckpointError::read(path))?;
    file.take(size + 1).read_to_end(&mut bytes).map_err(CheckpointError::read(path))?;
    if bytes.len() as u64 != size {
        return Err(CheckpointError::Size {
            path: path.to_owned(),
            found: bytes.len() as u64,
            expected: size,
        });
    }
    Ok(bytes)
}
