//! `nodarium checkpoint`: what is in a folder of weights, and how it wants to be searched with.

use std::path::Path;

use anyhow::anyhow;
use nodarium_agent::checkpoint::{describe, set_search};
use nodarium_agent::search::{Overrides, Settings};

use crate::arguments::Checkpoint;
use crate::output::say;

pub fn run(arguments: &Checkpoint) -> anyhow::Result<()> {
    match arguments {
        Checkpoint::Show { path } => show(path),
        Checkpoint::Search { path, considered, c_scale, rescale } => {
            search(path, &Overrides::new(*considered, *c_scale, *rescale)?)
        }
    }
}

/// A damaged one is described as far as it can be, and is a failure all the same.
fn show(path: &Path) -> anyhow::Result<()> {
    let description = describe(path)?;
    say(&description.to_string())?;
    if description.is_whole() { Ok(()) } else { Err(anyhow!("{} is damaged", path.display())) }
}

/// Writes only where something is to be changed.
fn search(path: &Path, overrides: &Overrides) -> anyhow::Result<()> {
    let told = match overrides.is_empty() {
        true => describe(path)?.manifest.search,
        false => Some(set_search(path, overrides)?),
    };
    let words = match told {
        Some(settings) => settings.to_string(),
        None => format!("{} (by default)", Settings::default()),
    };
    say(&format!("{}: search {words}", path.display()))
}
