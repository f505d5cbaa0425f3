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
    /// Play in the terminal, against agents or with other people
    Play(Play),
    /// Play in the browser, watch agents play, see what they think
    Serve(Serve),
    /// Let another program play through lines of text: games, agents, their thoughts
    Engine,
    /// Write a checkpoint's policy for other programs: an ONNX model and all that is needed to use it
    Export(Export),
    /// Measure how strong agents are: ratings with intervals, a report with pictures
    Eval(crate::eval::Eval),
    /// Let two agents play each other until it is clear who is stronger, or for a number of games
    Match(crate::eval::Match),
    /// Explain a checkpoint and check that it is whole, or say how it wants to be searched with
    #[command(subcommand)]
    Checkpoint(Checkpoint),
    /// Learn a game by self-play, as a config file says
    Train(Train),
    /// Show what a config file says, or what one can say
    #[command(subcommand)]
    Config(Config),
}

#[derive(Args)]
pub struct Train {
    /// The config, such as configs/kato.toml; the config.toml of a run to resume it
    pub config: PathBuf,
    #[command(flatten)]
    pub overrides: Overrides,
    /// The folder of the run; runs/NAME without it, after the name of the config
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Go on with the run in the folder, from its newest checkpoint
    #[arg(long)]
    pub resume: bool,
    /// Begin anew in the folder of an earlier run, which is lost
    #[arg(long, conflicts_with = "resume")]
    pub overwrite: bool,
    /// Stop after this iteration as if interrupted; the run can be resumed
    #[arg(long, value_name = "ITERATION")]
    pub until: Option<u64>,
    #[command(flatten)]
    pub quiet: Quiet,
}

#[derive(Subcommand)]
pub enum Config {
    /// Print a config with every key and every rule option
    Show {
        /// The config
        file: PathBuf,
        #[command(flatten)]
        overrides: Overrides,
    },
    /// Print the JSON schema of a config; editors complete from it
    Schema,
}

#[derive(Args)]
pub struct Overrides {
    /// Set a key of the config, such as ppo.rate=1e-3 or rules.size=4; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
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

#[derive(Args)]
pub struct Play {
    /// The game: shuter, kato, colony, starduel, …
    pub game: String,
    /// Who plays the other seats: random, greedy, uct:1000, policy:PATH, …
    #[arg(long, value_name = "AGENT", default_value = "uct:1000")]
    pub against: AgentName,
    /// A seat that you play; may be given several times. Seat 0 begins in most games
    #[arg(long, value_name = "N", default_values_t = [0])]
    pub seat: Vec<usize>,
    /// The seed of the deal and of the agents; without it every game is another
    #[arg(long)]
    pub seed: Option<u64>,
    /// Go on with a game that was saved
    #[arg(long, value_name = "FILE", conflicts_with_all = ["set", "seed"])]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    pub options: Options,
}

#[derive(Args)]
pub struct Serve {
    /// The port; 0 takes any that is free
    #[arg(long, default_value_t = 8017)]
    pub port: u16,
    /// The address to listen on; only this machine can connect unless another is given, such as 0.0.0.0
    #[arg(long, default_value = "127.0.0.1")]
    pub host: String,
    /// The folder of a trained policy to offer as an opponent; may be given several times
    #[arg(long, value_name = "PATH")]
    pub checkpoint: Vec<PathBuf>,
}

#[derive(Args)]
pub struct Export {
    /// The folder of the checkpoint
    pub checkpoint: PathBuf,
    /// The folder to write: policy.onnx, policy.json, policy.safetensors, README.md
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Replace an export that is there already
    #[arg(long)]
    pub force: bool,
    /// Store weights in 16 bits: half the size; what that costs is measured and written down
    #[arg(long)]
    pub f16: bool,
    /// How many recorded positions policy.json has, for frontends to test themselves
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub examples: usize,
    /// The seed of the games that these positions are from
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Under which licence the weights are given away
    #[arg(long, value_name = "TEXT", default_value = env!("CARGO_PKG_LICENSE"))]
    pub licence: String,
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
    /// Write into a checkpoint how it wants to be searched with, and tell what it says; without options only tell
    Search {
        /// The folder of the checkpoint
        path: PathBuf,
        /// Actions of the root that a search begins with, 1 to 256
        #[arg(long, value_name = "N")]
        considered: Option<u32>,
        /// How strongly values speak against the policy, 0 to 100
        #[arg(long, value_name = "X", allow_negative_numbers = true)]
        c_scale: Option<f32>,
        /// Whether the values at each node are stretched to the full range before they are weighed
        #[arg(long, value_name = "true|false")]
        rescale: Option<bool>,
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
            let (key, value) = setting(assignment)
                .ok_or_else(|| anyhow!("--set {assignment}: expected KEY=VALUE, such as variant=basic"))?;
            if given.insert(key.to_owned(), value).is_some() {
                return Err(anyhow!("--set {assignment}: `{key}` is set twice"));
            }
        }
        rules_from(&given, &read_file).context("--set")
    }
}

/// The key and the value of `KEY=VALUE`: numbers, lists and null are JSON; any other text stands for itself.
pub fn setting(assignment: &str) -> Option<(&str, Value)> {
    let (key, value) = assignment.split_once('=')?;
    Some((key, serde_json::from_str(value).unwrap_or_else(|_| Value::from(value))))
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
