//! What an iteration of self-play tells.

use std::time::Duration;

use super::SelfPlay;
use super::lesson::Sums;
use super::played::Played;
use super::shard::Harvest;
use crate::descent::Pace;
use crate::learner::Report;

/// The most numbers of a histogram.
const MOST: usize = 8_192;

/// What the updates of an iteration told.
#[derive(Debug)]
pub struct Learned {
    /// Updates that moved the weights.
    pub updates: u64,
    /// Their rows.
    pub sums: Sums,
    /// The lengths of their gradients, summed.
    pub norm: f64,
    /// How they were made.
    pub pace: Pace,
    /// Positions that were searched anew.
    pub again: usize,
}

impl Learned {
    /// Nothing yet, at this pace.
    pub fn new(pace: Pace) -> Self {
        Self { updates: 0, sums: Sums::default(), norm: 0.0, pace, again: 0 }
    }
}

impl<G: nodarium_agent::Playable> SelfPlay<G> {
    pub(super) fn report_play(&self, report: &mut Report, harvests: &[Harvest], time: Duration) {
        let games: Vec<&Played> = harvests.iter().flat_map(|harvest| &harvest.games).collect();
        let plies = (self.config.slots * self.config.steps) as f64;
        let simulations: u64 = harvests.iter().map(|harvest| harvest.simulations).sum();
        let finished: usize = games.iter().map(|game| game.plies()).sum();
        report.ends = vec![0; self.spec.ends.len()];
        for &end in harvests.iter().flat_map(|harvest| &harvest.ends) {
            report.ends[usize::from(end)] += 1;
        }
        let seconds = time.as_secs_f64();
        report.scalars = vec![
            ("games/plies", plies),
            ("games/finished", games.len() as f64),
            ("games/length", finished as f64 / games.len().max(1) as f64),
            ("search/simulations", f64::from(self.manner(self.done.iterations).full.simulations)),
            ("progress/plies", self.done.plies as f64 + plies),
            ("progress/games", (self.done.games + games.len() as u64) as f64),
            ("time/play", seconds),
            ("time/plies_per_second", plies / seconds),
            ("time/simulations_per_second", simulations as f64 / seconds),
        ];
        let places = games.iter().flat_map(|game| game.searched().map(move |ply| (game, ply)));
        let from_search = self.config.value_from_search;
        report.histograms = vec![
            (
                "value/targets",
                places.clone().map(|(game, ply)| game.target(ply, 0, from_search)).take(MOST).collect(),
            ),
            (
                "policy/search_entropy",
                places.filter_map(|(game, ply)| entropy(game, ply)).take(MOST).collect(),
            ),
        ];
    }

    pub(super) fn report_learning(&self, report: &mut Report, learned: &Learned, time: Duration) {
        let Learned { updates, sums, norm, pace, again } = learned;
        let seconds = time.as_secs_f64();
        report.scalars.extend([
            ("learning/window", self.window.positions() as f64),
            ("learning/updates", self.done.updates as f64),
            ("learning/skipped", self.done.skipped as f64),
            ("search/reanalysed", *again as f64),
            ("learning/rate", f64::from(pace.rate)),
            ("time/learn", seconds),
            ("time/samples_per_second", sums.rows / seconds),
        ]);
        if *updates > 0 {
            let policies = sums.policies.max(1.0);
            report.scalars.extend([
                ("loss/policy", sums.policy / policies),
                ("loss/value", sums.value / sums.rows),
                ("policy/search_entropy", sums.target_entropy / policies),
                ("policy/entropy", sums.entropy / policies),
                ("policy/search_kl", sums.divergence()),
                ("value/explained_variance", sums.explained_variance()),
                ("learning/gradient_norm", norm / *updates as f64),
            ]);
        }
    }
}

/// The entropy of the improved policy of a ply; none after a cheap search.
fn entropy(game: &Played, ply: usize) -> Option<f32> {
    let shares = game.policy(ply);
    shares.clone().next()?;
    Some(shares.filter(|&share| share > 0.0).map(|share| -share * share.ln()).sum())
}
