//! What can be typed after `eval` and `match`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use nodarium_agent::bots::Budget;
use nodarium_env::games::shuter::SeriesLength;
use nodarium_eval::statistics::Sprt;

use crate::arguments::{Options, Quiet};

#[derive(Args)]
pub struct Eval {
    /// Who plays: names (greedy, uct:1000, policy:PATH, …) or folders of checkpoints. One is measured against the game's
    /// ladder of bots, several play all against all, the folder of a run gives its strength over time
    #[arg(value_name = "AGENT")]
    pub agents: Vec<String>,
    /// The game: shuter, kato, colony, starduel, …; a checkpoint knows its own
    #[arg(long)]
    pub game: Option<String>,
    #[command(flatten)]
    pub options: Options,
    /// Let the game's bots play among themselves
    #[arg(long)]
    pub ladder: bool,
    /// Checkpoints of a run that are measured, first and last among them
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..))]
    pub points: u64,
    /// Let folders of checkpoints search with that many simulations instead of playing their policy
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub simulations: Option<u32>,
    #[command(flatten)]
    pub playing: Playing,
}

#[derive(Args)]
pub struct Match {
    /// The first agent
    pub first: String,
    /// The second agent
    pub second: String,
    /// The game: shuter, kato, colony, starduel, …; a checkpoint knows its own
    #[arg(long)]
    pub game: Option<String>,
    #[command(flatten)]
    pub options: Options,
    /// Stop as soon as it is decided whether the first is stronger by elo1 rather than by elo0
    #[arg(long, value_name = "elo0=0,elo1=30")]
    pub sprt: Option<Sprt>,
    /// At tables of three or four: the first has one seat and the second all others; tells its share of the wins
    #[arg(long)]
    pub alone: bool,
    #[command(flatten)]
    pub playing: Playing,
}

#[derive(Args)]
pub struct Playing {
    /// Games for every two that meet (every table, in games for more): 200, or at most 20000 with --sprt. Rounded up so
    /// that each deal is played from every seat
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub games: Option<u64>,
    /// The seed: the same seed gives the same games
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Play series in which the first player alternates: best of 1, 3, 5 or 7; --games then counts series
    #[arg(long, value_name = "N", default_value = "1", value_parser = best_of)]
    pub best_of: SeriesLength,
    /// Random plies after each deal: for agents that always do the same, in games without chance
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    pub opening: u32,
    /// The most time for an answer, as in 250ms or 1s; who takes longer forfeits the game
    #[arg(long, value_name = "TIME", value_parser = clock)]
    pub clock: Option<Duration>,
    /// Who has rating 0; `random` where it takes part
    #[arg(long, value_name = "AGENT")]
    pub anchor: Option<String>,
    /// Write report.html, report.json and the pictures to this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace an earlier report there
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Write every finished game to this file, one record a line
    #[arg(long, value_name = "FILE")]
    pub records: Option<PathBuf>,
    /// Show the outcome of a best-response training in the report; may be given several times
    #[arg(long, value_name = "FILE")]
    pub best_response: Vec<PathBuf>,
    #[command(flatten)]
    pub quiet: Quiet,
}

fn best_of(text: &str) -> Result<SeriesLength, String> {
    let length = text.parse().ok().and_then(SeriesLength::new);
    length.ok_or_else(|| "expected 1, 3, 5 or 7".to_owned())
}

fn clock(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(Budget::Time(time)) => Ok(time),
        _ => Err("expected a time as in `250ms` or `1s`".to_owned()),
    }
}
