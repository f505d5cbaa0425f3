//! Two agents against each other on the same deals.

use std::fmt;

use nodarium_env::Game;

use crate::Agent;
use crate::play::{Outcome, Pairing, PlayError, play};

/// What the first agent made of each pair of games; the two games of a pair have the same deal and exchanged seats.
#[derive(Clone, Debug, PartialEq)]
pub struct Duel {
    /// Its score: 1 a win, ½ a draw, as the mean of the two games.
    pub scores: Vec<f64>,
    /// Its return, as the mean of the two games. Where games are for more than a point (poker) this is what counts.
    pub returns: Vec<f64>,
    /// Mean length of a game.
    pub plies: f64,
}

/// A mean with its 95 % interval, which is the mean ± `margin` (normal approximation over pairs).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// Half the width.
    pub margin: f64,
}

impl Interval {
    /// The interval of a sample.
    pub fn of(sample: &[f64]) -> Self {
        let n = sample.len() as f64;
        let mean = sample.iter().sum::<f64>() / n;
        let variance = sample.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        Self { mean, margin: 1.96 * (variance / n).sqrt() }
    }

    /// Whether the whole interval lies above a number.
    pub fn is_above(&self, number: f64) -> bool {
        self.mean - self.margin > number
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let precision = f.precision().unwrap_or(3);
        write!(f, "{:.precision$} ± {:.precision$}", self.mean, self.margin)
    }
}

impl Duel {
    /// The first agent's mean score; 0.5 is even.
    pub fn score(&self) -> Interval {
        Interval::of(&self.scores)
    }

    /// The first agent's mean return; 0 is even.
    pub fn mean_return(&self) -> Interval {
        Interval::of(&self.returns)
    }
}

/// A duel that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DuelError {
    /// Two agents take two seats.
    #[error("{game} has {seats} seats under these rules: expected 2 for a duel")]
    Seats {
        /// The game.
        game: &'static str,
        /// Its seats.
        seats: usize,
    },
    /// An agent broke the rules.
    #[error(transparent)]
    Play(#[from] PlayError),
}

/// Plays `pairs` deals twice each, with the seats exchanged.
pub fn duel<G: Game>(
    rules: &G::Rules,
    seed: u64,
    first: &mut dyn Agent<G>,
    second: &mut dyn Agent<G>,
    pairs: usize,
) -> Result<Duel, DuelError> {
    let spec = G::spec(rules);
    if spec.seats != 2 {
        return Err(DuelError::Seats { game: spec.id, seats: spec.seats });
    }
    let both = |deal| [[0, 1], [1, 0]].map(|seats| Pairing { deal, seats: seats.to_vec() });
    let pairings: Vec<Pairing> = (0..pairs as u64).flat_map(both).collect();
    let outcomes = play::<G>(rules, seed, 0, &mut [first, second], &pairings)?;
    Ok(scored(&outcomes))
}

/// Sums up outcomes that come in pairs, the first agent at seat 0 and then at seat 1.
fn scored(outcomes: &[Outcome]) -> Duel {
    let won = |paid: f32| if paid == 0.0 { 0.5 } else { f64::from(u8::from(paid > 0.0)) };
    let mean = |worth: &dyn Fn(f32) -> f64| {
        let pairs = outcomes.chunks_exact(2);
        pairs.map(|pair| (worth(pair[0].returns[0]) + worth(pair[1].returns[1])) / 2.0).collect()
    };
    let plies =
        outcomes.iter().map(|outcome| f64::from(outcome.plies)).sum::<f64>() / outcomes.len().max(1) as f64;
    Duel { scores: mean(&won), returns: mean(&|paid| f64::from(paid)), plies }
}
