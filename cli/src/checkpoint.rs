//! `nodarium checkpoint`: what is in a folder of weights.

use std::path::Path;

use anyhow::anyhow;
use nodarium_agent::checkpoint::describe;

use crate::arguments::Checkpoint;
use crate::output::say;

pub fn run(arguments: &Checkpoint) -> anyhow::Result<()> {
    match arguments {
        Checkpoint::Show { path } => show(path),
    }
}

/// A damaged one is described as far as it can be, and is a failure all the same.
fn show(path: &Path) -> anyhow::Result<()> {
    let description = describe(path)?;
    say(&description.to_string())?;
    if description.is_whole() { Ok(()) } else { Err(anyhow!("{} is damaged", path.display())) }
}
