//! `nodarium serve`: the page in the browser.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use nodarium_agent::checkpoint::MANIFEST;
use nodarium_serve::Roster;

use crate::arguments::Serve;
use crate::output::say;

/// Where trained policies come with the repository.
const SHIPPED: &str = "checkpoints";

pub fn run(arguments: &Serve) -> anyhow::Result<()> {
    let mut roster = Roster::bots();
    for folder in &arguments.checkpoint {
        roster.add_checkpoint(folder).context("--checkpoint")?;
    }
    for folder in shipped(Path::new(SHIPPED)) {
        // One that this version cannot play is no reason to play nothing.
        if let Err(problem) = roster.add_checkpoint(&folder) {
            eprintln!("nodarium: left out: {problem}");
        }
    }
    let (host, port) = (arguments.host.as_str(), arguments.port);
    let ready = |address: SocketAddr| {
        let _ = say(&format!("Nodarium is at http://{address} (stop it with Ctrl-C)"));
        Ok(())
    };
    nodarium_serve::run(roster, host, port, ready).with_context(|| format!("cannot serve at {host}:{port}"))
}

/// The checkpoints in a folder and in the folders of that, by name.
fn shipped(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for inner in folders(folder) {
        match inner.join(MANIFEST).is_file() {
            true => found.push(inner),
            false => found.extend(folders(&inner).into_iter().filter(|deep| deep.join(MANIFEST).is_file())),
        }
    }
    found
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    found.sort();
    found
}
