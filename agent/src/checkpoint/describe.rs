//! A checkpoint explained to people.

use std::fmt;
use std::path::{Path, PathBuf};

use nodarium_env::{Rules, rules, rules_from, with_game};

use super::load::{read_listed, read_manifest, read_weights};
use super::manifest::Manifest;
use super::{CheckpointError, MANIFEST, POLICY, Plays};
use crate::search::Settings;

/// What there is to say about a checkpoint.
#[derive(Debug)]
pub struct Description {
    /// Where it lies.
    pub folder: PathBuf,
    /// What it says about itself.
    pub manifest: Manifest,
    /// Each file with what is wrong with it, if anything.
    pub files: Vec<(String, Option<CheckpointError>)>,
    /// Why this version cannot play it, if it cannot.
    pub unplayable: Option<String>,
}

/// Reads a checkpoint and checks every file of it, whatever game it is for. An error means that not even the manifest
/// can be believed; damage elsewhere is part of the description.
pub fn describe(folder: &Path) -> Result<Description, CheckpointError> {
    let manifest = read_manifest(folder)?;
    manifest.check(&folder.join(MANIFEST))?;
    let check = |name: &String| match name.as_str() {
        POLICY => read_weights(folder, &manifest).err(),
        name => read_listed(folder, &manifest, name).err(),
    };
    let files = manifest.files.keys().map(|name| (name.clone(), check(name))).collect();
    let unplayable = unplayable(&manifest, &folder.join(MANIFEST));
    Ok(Description { folder: folder.to_owned(), manifest, files, unplayable })
}

impl Description {
    /// Whether every file is there and as it was written.
    pub fn is_whole(&self) -> bool {
        self.files.iter().all(|(_, problem)| problem.is_none())
    }
}

/// Why the games of this version do not fit the checkpoint.
fn unplayable(manifest: &Manifest, path: &Path) -> Option<String> {
    let id = manifest.plays.game.as_str();
    let known = with_game!(id, G => known_rules(manifest, Plays::of::<G>));
    match known {
        Err(unknown) => Some(unknown.to_string()),
        Ok(Err(problem)) => Some(problem),
        Ok(Ok(plays)) => manifest.check_plays(&plays, path).err().map(|error| error.to_string()),
    }
}

fn known_rules<R: Rules>(manifest: &Manifest, plays: impl FnOnce(&R) -> Plays) -> Result<Plays, String> {
    let rules: R = rules_from(&manifest.plays.rules, &rules::no_files).map_err(|error| error.to_string())?;
    Ok(plays(&rules))
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Manifest { format, plays, network, search, counters, files } = &self.manifest;
        let parameters = network.parameters(&plays.shape).map_err(|_| fmt::Error)?;
        writeln!(f, "{}: checkpoint, format {format}", self.folder.display())?;
        writeln!(f, "game      {} (version {})", plays.game, plays.version)?;
        let rules: Vec<String> = plays.rules.iter().map(|(key, value)| format!("{key}={value}")).collect();
        writeln!(
            f,
            "rules     {}",
            if rules.is_empty() { "no options".to_owned() } else { rules.join(" ") }
        )?;
        writeln!(
            f,
            "network   {} → {} {} × {}{} → {} logits + {} values (±{}), {parameters} parameters",
            plays.shape.observation,
            network.torso,
            network.layers,
            network.width,
            if network.direct { " and a direct way" } else { "" },
            plays.shape.actions,
            plays.shape.seats,
            network.value_scale,
        )?;
        match search {
            Some(settings) => writeln!(f, "search    {settings}")?,
            None => writeln!(f, "search    {} (by default)", Settings::default())?,
        }
        for (name, count) in counters {
            writeln!(f, "{name:<9} {count}")?;
        }
        for (name, problem) in &self.files {
            let size = files[name].size;
            match problem {
                None => writeln!(f, "file      {name}, {size} bytes, whole")?,
                Some(problem) => writeln!(f, "file      {name}: {problem}")?,
            }
        }
        match &self.unplayable {
            None => write!(f, "playable  yes"),
            Some(reason) => write!(f, "playable  no: {reason}"),
        }
    }
}
