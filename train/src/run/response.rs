//! What came of learning against a frozen policy, `best_response.json`.

use std::path::Path;

use nodarium_agent::network::Weights;
use nodarium_agent::{AgentName, Interval};
use serde::Serialize;

use super::RunError;
use super::folder::write_whole;
use super::strength::{self, Bout};
use crate::config::Config;

/// Deals that measure a finished response: enough for an interval of two or three hundredths.
const DEALS: usize = 1_000;

/// A lower bound on how far the frozen policy can be exploited, as reports take it in.
#[derive(Serialize)]
struct Response {
    /// The frozen agent.
    against: String,
    /// How the responder was trained.
    method: String,
    /// Plies of training.
    steps: u64,
    /// Games that measured it after training, on deals that it was not trained on.
    games: u64,
    /// What the responder won on average in a game.
    mean_return: Estimate,
    /// Its share of the wins, a draw for half of one.
    score: Estimate,
}

/// A number with its 95 % interval.
#[derive(Serialize)]
struct Estimate {
    value: f64,
    low: f64,
    high: f64,
}

impl From<Interval> for Estimate {
    fn from(interval: Interval) -> Self {
        let Interval { mean, margin } = interval;
        Self { value: mean, low: mean - margin, high: mean + margin }
    }
}

fn method(config: &Config) -> String {
    let beginning =
        config.begin_with.as_deref().map(|folder| format!(", beginning with {}", folder.display()));
    format!("PPO, {} iterations, seed {}{}", config.iterations, config.seed, beginning.unwrap_or_default())
}

/// Measures the finished response to the policy in `against` and writes what came out.
pub fn measure(
    config: &Config,
    against: &Path,
    weights: &Weights,
    plies: u64,
    file: &Path,
) -> Result<Bout, RunError> {
    let name = AgentName::Policy(against.to_owned());
    let bout = strength::one(config, weights, &name, DEALS)?;
    let response = Response {
        against: name.to_string(),
        method: method(config),
        steps: plies,
        games: bout.games as u64,
        mean_return: bout.returns.into(),
        score: bout.score.into(),
    };
    let json = serde_json::to_vec_pretty(&response).expect("numbers and names can be written as JSON");
    write_whole(file, &json)?;
    Ok(bout)
}
