//! What was found out, as data (`report.json`), as a page (`report.html`) and as pictures (`*.svg`).
//!
//! The data is the report; the page shows nothing else. Its keys are described in `eval/docs/statistics.md`.

mod alone;
mod example;
mod html;
mod plot;
mod summary;
mod text;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::statistics::{Decision, Estimate, Sprt};

pub use alone::AloneRow;
pub use example::Example;
pub use html::page;
pub use plot::plots;
pub use summary::{Asked, pair_counts, summarise};
pub use text::table;

/// The version of `report.json`. Since 2 there is `alone`; what 1 has reads as before.
pub const FORMAT: u32 = 2;

/// What kind of evaluation it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The game's bots among themselves.
    Ladder,
    /// All against all.
    Tournament,
    /// The checkpoints of a run against the ladder.
    Run,
    /// Two agents.
    Match,
}

/// An evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// [`FORMAT`].
    pub format: u32,
    /// The version of Nodarium that made it.
    pub version: String,
    /// What kind of evaluation it was.
    pub kind: Kind,
    /// The game's id.
    pub game: String,
    /// The game's name.
    pub title: String,
    /// Every rule option.
    pub rules: Map<String, Value>,
    /// How many seats a game has.
    pub table: usize,
    /// The seed.
    pub seed: u64,
    /// Games of a bout at most.
    pub best_of: u8,
    /// Random plies after the deal.
    pub opening: u32,
    /// The clock of an answer in seconds, if there was one.
    pub clock: Option<f64>,
    /// Why the evaluation ended before all games were played; `null` when it did not.
    pub partial: Option<String>,
    /// What a reader should know before believing the numbers.
    pub notes: Vec<String>,
    /// Games finished.
    pub games: u64,
    /// Of them, games of groups that were not finished: their seats are not balanced, so ratings and scores leave them out.
    pub left_out: u64,
    /// The index of the entrant whose rating is 0.
    pub anchor: usize,
    /// Who took part, in the order in which they were named.
    pub entrants: Vec<EntrantRow>,
    /// Every two that met.
    pub pairs: Vec<PairRow>,
    /// How the entrant fared that had one seat against the same opponent at all others, if that was asked for.
    pub alone: Option<AloneRow>,
    /// How each seat fared, over all games.
    pub seats: Vec<SeatRow>,
    /// Lengths of games.
    pub lengths: Lengths,
    /// How games ended, and how many did.
    pub ends: Vec<(String, u64)>,
    /// Games that were forfeited.
    pub forfeits: Vec<ForfeitRow>,
    /// The sequential test, if one was asked for.
    pub sprt: Option<SprtRow>,
    /// Approximate best responses that were trained against an entrant.
    pub best_responses: Vec<BestResponse>,
    /// One game, drawn move by move.
    pub example: Option<Example>,
}

/// An entrant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntrantRow {
    /// The name.
    pub name: String,
    /// The step of training, for checkpoints of a run.
    pub step: Option<u64>,
    /// Games played.
    pub games: u64,
    /// The mean score over all games of whole groups.
    pub score: Estimate,
    /// Elo above the anchor; `null` where nothing links the two.
    pub rating: Option<Estimate>,
    /// Elo above the next weaker one.
    pub lead: Option<Estimate>,
    /// Games that it forfeited.
    pub forfeits: u64,
    /// What its opponents could win on average by a best response; for games that can be searched to the end.
    pub exploitability: Option<f64>,
}

/// Two entrants against each other; scores are the first one's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairRow {
    /// The index of the first.
    pub first: usize,
    /// The index of the second.
    pub second: usize,
    /// Bouts in which the first came before the second, level with it, after it.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Losses.
    pub losses: u64,
    /// Independent groups behind the intervals.
    pub groups: u64,
    /// The mean score with Wilson's interval for groups.
    pub score: Estimate,
    /// The same score with the bootstrap's interval over groups.
    pub bootstrap: Estimate,
    /// The mean return of a game, with the bootstrap's interval over groups.
    pub returns: Estimate,
    /// Games with moves that no other game of the two has; only where every deal is alike.
    pub distinct: Option<u64>,
}

/// How a seat fared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatRow {
    /// The share of games that it won, a shared win in parts.
    pub wins: Estimate,
    /// What it won on average.
    pub mean_return: f64,
}

/// Lengths of games in plies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lengths {
    /// The shortest.
    pub shortest: u32,
    /// The mean.
    pub mean: f64,
    /// The longest.
    pub longest: u32,
    /// Plies of a bin of the histogram.
    pub bin: u32,
    /// Games in each bin, from the one that holds 0.
    pub counts: Vec<u64>,
}

/// A forfeited game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForfeitRow {
    /// The index of the entrant.
    pub entrant: usize,
    /// The deal of the game.
    pub deal: u64,
    /// What happened.
    pub words: String,
}

/// A sequential test and what it came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtRow {
    /// The test.
    pub test: Sprt,
    /// Pairs by their score: 0, ¼, ½, ¾, 1.
    pub pairs: [u64; 5],
    /// The log-likelihood ratio.
    pub llr: f64,
    /// The bounds at which it is decided.
    pub bounds: (f64, f64),
    /// What it came to.
    pub decision: Decision,
}

/// The outcome of training a fresh agent against a frozen one: a lower bound on how far the frozen one can be exploited.
/// Training is not done here; whoever has trained hands this in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BestResponse {
    /// The frozen agent.
    pub against: String,
    /// How the responder was trained.
    pub method: String,
    /// Plies of training.
    pub steps: u64,
    /// Games that measured it after training.
    pub games: u64,
    /// What the responder won on average in a game.
    pub mean_return: Estimate,
    /// Its share of the wins, a draw for half of one.
    pub score: Estimate,
}

/// A file of best responses that cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum BadBestResponse {
    /// Not the keys of a best response.
    #[error(
        "not a best response: {0}; expected against, method, steps, games, mean_return and score {{value, low, high}}"
    )]
    Unreadable(#[from] serde_json::Error),
    /// Numbers that no measurement gives.
    #[error("a best response against `{against}` has {problem}")]
    Numbers {
        /// The frozen agent.
        against: String,
        /// What is wrong.
        problem: &'static str,
    },
}

impl BestResponse {
    /// Reads the JSON of a best response.
    pub fn read(text: &str) -> Result<Self, BadBestResponse> {
        let read: Self = serde_json::from_str(text)?;
        let estimates = [read.mean_return, read.score];
        let finite = |estimate: &Estimate| {
            [estimate.value, estimate.low, estimate.high].into_iter().all(f64::is_finite)
        };
        let inside = |estimate: &Estimate| (estimate.low..=estimate.high).contains(&estimate.value);
        let problem = match () {
            () if read.games == 0 => Some("no games behind it"),
            () if !estimates.iter().all(finite) => Some("a number that is not finite"),
            () if !estimates.iter().all(inside) => Some("a mean outside its interval"),
            () => None,
        };
        match problem {
            Some(problem) => Err(BadBestResponse::Numbers { against: read.against, problem }),
            None => Ok(read),
        }
    }
}

impl Report {
    /// The report as `report.json` holds it.
    pub fn to_json(&self) -> String {
        let mut json = serde_json::to_string_pretty(self).expect("a report has text keys and finite numbers");
        json.push('\n');
        json
    }

    /// The entrants from the strongest to the weakest, those without a rating last.
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.entrants.len()).collect();
        let strength = |&entrant: &usize| {
            let row = &self.entrants[entrant];
            row.rating.map_or(f64::NEG_INFINITY, |rating| rating.value)
        };
        order.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
        order
    }
}
