//! Writing a checkpoint so that a crash at any moment leaves either none or a whole one.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use safetensors::tensor::{Dtype, TensorView};

use super::load::{read_manifest, verify};
use super::manifest::{FileEntry, Manifest, Plays, is_file_name};
use super::{CheckpointError, FORMAT, MANIFEST, POLICY};
use crate::network::Weights;
use crate::search::{Overrides, Settings};

/// What goes into a checkpoint.
#[derive(Clone, Debug)]
pub struct Contents<'a> {
    /// What the network plays.
    pub plays: &'a Plays,
    /// Its weights.
    pub weights: &'a Weights,
    /// How it wants to be searched with, where it wants something.
    pub search: Option<Settings>,
    /// How far training has come.
    pub counters: BTreeMap<String, u64>,
    /// Further files by name, such as `learner.safetensors`.
    pub further: &'a [(&'a str, &'a [u8])],
}

/// Writes a checkpoint to `folder`, all of it or nothing. A whole one that is there already is left alone and named in
/// the error; a damaged one is moved aside to `NAME.damaged`, so that a run which fell back behind it can go on.
pub fn save(folder: &Path, contents: &Contents<'_>) -> Result<(), CheckpointError> {
    let (manifest, policy) = prepare(folder, contents)?;
    let parent = match folder.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(parent).map_err(CheckpointError::write(parent))?;
    if folder.symlink_metadata().is_ok() {
        if verify(folder).is_ok() {
            return Err(CheckpointError::AlreadyThere { path: folder.to_owned() });
        }
        let aside = free_name(folder, "damaged");
        fs::rename(folder, &aside).map_err(CheckpointError::write(&aside))?;
    }
    let partial = beside(folder, ".", ".partial");
    // Left behind by a crash: nobody else writes under this name.
    if partial.symlink_metadata().is_ok() {
        fs::remove_dir_all(&partial).map_err(CheckpointError::write(&partial))?;
    }
    let written = write_all(&partial, &manifest, &policy, contents.further)
        .and_then(|()| fs::rename(&partial, folder).map_err(CheckpointError::write(folder)))
        .and_then(|()| sync_folder(parent));
    if written.is_err() {
        let _ = fs::remove_dir_all(&partial);
    }
    written
}

/// Checks what is to be written and puts it into bytes: what [`load`](super::load()) would refuse is not written.
fn prepare(folder: &Path, contents: &Contents<'_>) -> Result<(Manifest, Vec<u8>), CheckpointError> {
    let Contents { plays, weights, search, counters, further } = contents;
    let path = folder.join(MANIFEST);
    if let Some((tensor, index)) = weights.not_finite() {
        return Err(CheckpointError::NotFinite { path: folder.join(POLICY), tensor, index });
    }
    let shape = plays.shape.clone().read_by(weights.config());
    if *weights.shape() != shape {
        let (found, expected) = (format!("{:?}", weights.shape()), format!("{shape:?}"));
        return Err(CheckpointError::PlaysOther { path, what: "shape".to_owned(), found, expected });
    }
    let policy = to_safetensors(weights);
    let mut files = BTreeMap::from([(POLICY.to_owned(), FileEntry::of(&policy))]);
    for (name, bytes) in *further {
        let known = files.insert((*name).to_owned(), FileEntry::of(bytes));
        if known.is_some() || !is_file_name(name) {
            let problem = format!("a file {name:?}: expected plain names, each once");
            return Err(CheckpointError::Listing { path, problem });
        }
    }
    let network = *weights.config();
    let plays = Plays { shape, ..(*plays).clone() };
    let counters = counters.clone();
    let manifest = Manifest { format: FORMAT, plays, network, search: *search, counters, files };
    manifest.check(&path)?;
    Ok((manifest, policy))
}

/// The weights as a safetensors file.
pub(super) fn to_safetensors(weights: &Weights) -> Vec<u8> {
    let tensors: Vec<(String, Vec<usize>, Vec<u8>)> = weights
        .tensors()
        .into_iter()
        .map(|(name, dims, numbers)| {
            (name, dims, numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
        })
        .collect();
    let views = tensors.iter().map(|(name, dims, bytes)| {
        let view = TensorView::new(Dtype::F32, dims.clone(), bytes).expect("four bytes for each number");
        (name.as_str(), view)
    });
    safetensors::serialize(views, None).expect("names and shapes can be written as JSON")
}

fn write_all(
    folder: &Path,
    manifest: &Manifest,
    policy: &[u8],
    further: &[(&str, &[u8])],
) -> Result<(), CheckpointError> {
    fs::create_dir(folder).map_err(CheckpointError::write(folder))?;
    let manifest = manifest.to_text();
    let files = [(POLICY, policy)]
        .into_iter()
        .chain(further.iter().copied())
        .chain([(MANIFEST, manifest.as_bytes())]);
    for (name, bytes) in files {
        let path = folder.join(name);
        File::create_new(&path)
            .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
            .map_err(CheckpointError::write(&path))?;
    }
    sync_folder(folder)
}

/// Says in the manifest of a checkpoint how it wants to be searched with; what is not given stays as it says or, where it
/// says nothing, as every network is searched with. Returns what it says now. A crash at any moment leaves the old manifest or
/// the new one.
pub fn set_search(folder: &Path, overrides: &Overrides) -> Result<Settings, CheckpointError> {
    let path = folder.join(MANIFEST);
    let mut manifest = read_manifest(folder)?;
    manifest.check(&path)?;
    let settings = overrides.over(manifest.search.unwrap_or_default());
    manifest.search = Some(settings);
    // No listed file has such a name, and what a crash leaves behind is written over.
    let partial = beside(&path, ".", ".partial");
    let written = File::create(&partial)
        .and_then(|mut file| file.write_all(manifest.to_text().as_bytes()).and_then(|()| file.sync_all()))
        .map_err(CheckpointError::write(&partial))
        .and_then(|()| fs::rename(&partial, &path).map_err(CheckpointError::write(&path)))
        .and_then(|()| sync_folder(folder));
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written.map(|()| settings)
}

/// Makes names in a folder last, not only what is in the files.
fn sync_folder(folder: &Path) -> Result<(), CheckpointError> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(CheckpointError::write(folder))
}

/// The path with something before and behind its last name.
fn beside(path: &Path, before: &str, behind: &str) -> PathBuf {
    let mut name = OsString::from(before);
    name.push(path.file_name().unwrap_or_default());
    name.push(behind);
    path.with_file_name(name)
}

/// `PATH.WORD`, or `PATH.WORD-2` and so on when that is taken.
fn free_name(path: &Path, word: &str) -> PathBuf {
    let first = beside(path, "", &format!(".{word}"));
    std::iter::once(first)
        .chain((2_u64..).map(|n| beside(path, "", &format!(".{word}-{n}"))))
        .find(|path| path.symlink_metadata().is_err())
        .expect("some number is free")
}
