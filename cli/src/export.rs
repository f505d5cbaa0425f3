//! `nodarium export`: a trained policy for other programs.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use nodarium_agent::checkpoint::POLICY;
use nodarium_agent::export::{self, CARD, MODEL, Options, Precision, README};

use crate::arguments::{Export, read_file};
use crate::output::say;

pub fn run(arguments: &Export) -> anyhow::Result<()> {
    let out = &arguments.out;
    // Before the work: a name that is taken.
    let taken = taken(out, arguments.force)?;
    let options = Options {
        precision: if arguments.f16 { Precision::F16 } else { Precision::F32 },
        examples: arguments.examples,
        seed: arguments.seed,
        licence: arguments.licence.clone(),
    };
    let made = export::export(&arguments.checkpoint, &options, &read_file)?;
    write(out, &made.files, taken).with_context(|| format!("cannot write {}", out.display()))?;
    if arguments.quiet.quiet {
        return Ok(());
    }
    let mut words = format!("{}: a policy for {}\n", out.display(), made.game);
    for (name, bytes) in &made.files {
        words += &format!("  {name:<20} {} bytes\n", bytes.len());
    }
    if let Some(agreement) = made.agreement {
        words += &format!(
            "  16-bit weights       the same likeliest action in {} of {} positions, shares within {:.1e}, values within {:.1e}\n",
            agreement.same_best, agreement.positions, agreement.policy, agreement.value
        );
    }
    say(words.trim_end())
}

/// Whether something is at the place already; a refusal unless it may be replaced.
fn taken(out: &Path, force: bool) -> anyhow::Result<bool> {
    let Ok(metadata) = out.symlink_metadata() else { return Ok(false) };
    let name = out.display();
    if !force {
        bail!("{name} is there already: expected a new folder, or --force to replace it");
    }
    if !metadata.is_dir() {
        bail!("{name} is not a folder: --force replaces exports and nothing else");
    }
    // Whatever else lies there is not ours to throw away.
    for entry in fs::read_dir(out).with_context(|| format!("cannot read {name}"))? {
        let entry = entry.with_context(|| format!("cannot read {name}"))?.file_name();
        if ![MODEL, CARD, POLICY, README].iter().any(|&known| entry == *known) {
            bail!("{name} holds {entry:?}, which no export has: --force replaces exports and nothing else");
        }
    }
    Ok(true)
}

/// Writes all files beside the place and gives the folder its name when it is whole. What was there before is there until
/// then.
fn write(out: &Path, files: &[(&str, Vec<u8>)], taken: bool) -> io::Result<()> {
    let partial = beside(out, ".partial");
    if let Some(parent) = out.parent() {
        fs::create_dir_all(parent)?;
    }
    remove(&partial)?;
    let written = fill(&partial, files).and_then(|()| {
        let old = beside(out, ".old");
        if taken {
            remove(&old)?;
            fs::rename(out, &old)?;
        }
        fs::rename(&partial, out)?;
        remove(&old)
    });
    if written.is_err() {
        let _ = remove(&partial);
    }
    written
}

fn fill(folder: &Path, files: &[(&str, Vec<u8>)]) -> io::Result<()> {
    fs::create_dir(folder)?;
    for (name, bytes) in files {
        let mut file = File::create_new(folder.join(name))?;
        file.write_all(bytes)?;
        file.sync_all()?;
    }
    File::open(folder)?.sync_all()
}

/// Removes what a crash left behind; nobody else uses these names.
fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// `.NAME` with something behind it, in the same folder.
fn beside(path: &Path, behind: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(behind);
    path.with_file_name(name)
}
