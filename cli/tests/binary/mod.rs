//! The binary, run as a person runs it.

use std::process::{Command, Output};

use tempfile::TempDir;

pub fn nodarium(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nodarium")).args(arguments).output().expect("the binary runs")
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the binary speaks UTF-8")
}

/// What a refused command says: one sentence on standard error, nothing on standard output.
pub fn refused(arguments: &[&str]) -> String {
    let output = nodarium(arguments);
    assert!(!output.status.success(), "{arguments:?} was not refused");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    let words = text(&output.stderr);
    assert!(!words.contains("panicked"), "{words}");
    words.trim_end().to_owned()
}

pub fn accepted(arguments: &[&str]) -> String {
    let output = nodarium(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

pub fn folder() -> TempDir {
    tempfile::tempdir().expect("a scratch folder")
}

pub fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().expect("a plain path").to_owned()
}
