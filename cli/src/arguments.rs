//! What can be typed.

use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use clap::{Args, Parser, Subcommand};
use nodarium_agent::AgentName;
use nodarium_env::{Rules, rules_from};
use serde_json::{Map, Value};

/// Play, record and check the Node games.
#[derive(Parser)]
#[command(name = "nodarium", version, about, disable_help_subcommand = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// List the games, or show one with its options, observation and actions
    Games(Games),
    /// Play games of random legal moves or of an agent, write them down, print what they have in common
    Simulate(Simulate),
    /// Check recorded games against the rules, ply by ply, and draw them if asked
    Replay(Replay),
    /// Explain a checkpoint and check that it is whole
    #[command(subcommand)]
    Checkpoint(Checkpoint),
}

#[derive(Args)]
pub struct Games {
    /// The game to show; all are listed without it
    pub game: Option<String>,
    #[command(flatten)]
    pub options: Options,
}

#[derive(Args)]
pub struct Simulate {
    /// The game: shuter, kato, colony, starduel, …
    #[arg(long)]
    pub game: String,
    /// How many games
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// The seed: the same seed tells the same games
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Who plays, at every seat: random, greedy, uct:1000, policy:PATH, …
    #[arg(long, default_value = "random")]
    pub agent: AgentName,
    #[command(flatten)]
    pub options: Options,
    /// Write one record a line to this file; `-` is standard output. Without it, records go to standard output
    /// unless that is a terminal
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub quiet: Quiet,
}

#[derive(Args)]
pub struct Replay {
    /// The file of records, one a line; `-` is standard input
    pub file: PathBuf,
    /// Draw every position
    #[arg(long)]
    pub draw: bool,
    /// Only the record in this line, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub line: Option<u64>,
    #[command(flatten)]
    pub quiet: Quiet,
}

#[derive(Subcommand)]
pub enum Checkpoint {
    /// Show what a checkpoint plays, how large its network is, how far it was trained, and what is wrong with it
    Show {
        /// The folder of the checkpoint
        path: PathBuf,
    },
}

#[derive(Args)]
pub struct Quiet {
    /// No progress bar and no summary
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Args)]
pub struct Options {
    /// Set a rule option, such as variant=basic; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

impl Options {
    /// The rules of a game under these options.
    pub fn rules<R: Rules>(&self) -> anyhow::Result<R> {
        let mut given = Map::new();
        for assignment in &self.set {
            let (key, value) = assignment
                .split_once('=')
                .ok_or_else(|| anyhow!("--set {assignment}: expected KEY=VALUE, such as variant=basic"))?;
            // Numbers, lists and null are JSON; any other text stands for itself.
            let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
            if given.insert(key.to_owned(), value).is_some() {
                return Err(anyhow!("--set {assignment}: `{key}` is set twice"));
            }
        }
        rules_from(&given, &read_file).context("--set")
    }
}

/// The largest file that a rule option may name, in bytes.
const LARGEST_FILE: u64 = 1 << 20;

/// Reads a file that a rule option names.
pub fn read_file(name: &str) -> Result<String, String> {
    let size = std::fs::metadata(name).map_err(|e| format!("cannot read {name}: {e}"))?.len();
    if size > LARGEST_FILE {
        return Err(format!("cannot read {name}: {size} bytes, more than the {LARGEST_FILE} allowed"));
    }
    std::fs::read_to_string(name).map_err(|e| format!("cannot read {name}: {e}"))
}
