//! Policy gradients by self-play, for every game: PPO (Schulman and others 2017) with a magnet (magnetic mirror descent:
//! Sokota and others 2023), past selves as opponents, and symmetries.
//!
//! An iteration: the slots play some plies each ([`rollout`]), every seat's decisions are judged along its own chain
//! ([`advantage`]), and the network goes over all of them a few times in batches ([`objective`], [`Descent`]).

pub mod advantage;
pub mod objective;
pub mod rollout;
mod saved;

use std::collections::BTreeMap;
use std::time::Instant;

use nodarium_agent::checkpoint::{self, Plays};
use nodarium_agent::network::{Inference, Weights, device};
use nodarium_agent::search::Settings;
use nodarium_agent::{AgentName, Playable, build};
use nodarium_env::rng::Purpose;
use nodarium_env::{Game, Information, Rng, Spec};
use serde::{Deserialize, Serialize};

use crate::beginning::{Beginning, beginning};
use crate::config::{Config, PpoConfig};
use crate::crew::Crew;
use crate::descent::{Descent, Objective as _, Pace};
use crate::learner::{Learner, NotStarted, Report, RestoreError, Trouble};
use advantage::Trust;
use objective::{PpoObjective, Sums, Terms};
use rollout::{Opponent, Rival, Rows, Shard, Table};

/// Slots that a thread plays in a row: a batch that suits the network.
const SLOTS: usize = 128;

/// So many updates in a row that are not finite stop a run.
const PATIENCE: u32 = 10;

/// A run of PPO.
pub struct Ppo<G: Game> {
    config: PpoConfig,
    seed: u64,
    iterations: u64,
    spec: Spec,
    crew: Crew,
    descent: Descent,
    magnet: Weights,
    /// The policy that is kept, where that is not the newest.
    average: Option<Weights>,
    pool: Vec<Weights>,
    /// Whom the run learns to beat, if not itself.
    frozen: Option<Weights>,
    /// How the checkpoint that the run began with wants to be searched with.
    search: Option<Settings>,
    shards: Vec<Shard<G>>,
    progress: Progress,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Progress {
    iterations: u64,
    plies: u64,
    games: u64,
    updates: u64,
    /// Updates left out because they were not finite.
    skipped: u64,
    /// How many of those were the last in a row.
    in_a_row: u32,
}

impl<G: Playable> Ppo<G> {
    /// A fresh run. `rules` have passed [`Rules::check`](nodarium_env::Rules::check); `config` has a table `ppo`.
    pub fn new(rules: &G::Rules, config: &Config) -> Result<Self, NotStarted> {
        let ppo = config.ppo.clone().ok_or(NotStarted::Table("ppo"))?;
        let spec = G::spec(rules);
        let Beginning { weights, search } = beginning::<G>(rules, config)?;
        let frozen = ppo.against.as_deref().map(|folder| checkpoint::load(folder, &Plays::of::<G>(rules)));
        let frozen = frozen.transpose().map_err(|problem| NotStarted::Against(Box::new(problem)))?;
        let firsts = (0..ppo.slots).step_by(SLOTS);
        let insights = weights.config().insights;
        if frozen.as_ref().is_some_and(|frozen| frozen.weights.config().insights && !insights) {
            return Err(NotStarted::AgainstInsights);
        }
        let mut shards = Vec::new();
        for first in firsts {
            let slots = first as u64..ppo.slots.min(first + SLOTS) as u64;
            shards.push(Shard::new(
                rules,
                slots,
                config.seed,
                insights,
                rivals::<G>(rules, &ppo, config.seed)?,
            ));
        }
        Ok(Self {
            seed: config.seed,
            iterations: config.iterations,
            crew: Crew::new(config.run.threads)?,
            shards,
            magnet: weights.clone(),
            average: (ppo.average_rate < 1.0).then(|| weights.clone()),
            descent: Descent::new(weights, device(&config.run.device)?),
            pool: Vec::new(),
            frozen: frozen.map(|checkpoint| checkpoint.weights),
            search,
            progress: Progress::default(),
            config: ppo,
            spec,
        })
    }
}

impl<G: Game> Ppo<G> {
    /// What falls in a straight line from 1 at the start to `end` at the last iteration.
    fn fading(&self, end: f32) -> f32 {
        let done = self.progress.iterations as f32 / self.iterations.max(1) as f32;
        1.0 + (end - 1.0) * done.min(1.0)
    }

    /// Every slot plays its plies.
    fn play(&mut self) {
        let learner = Inference::new(&self.descent.weights);
        let magnet = (self.config.magnet > 0.0).then(|| Inference::new(&self.magnet));
        let pool: Vec<Inference> = self.pool.iter().map(Inference::new).collect();
        let frozen = self.frozen.as_ref().map(Inference::new);
        // As `policy:PATH` plays.
        let frozen_draws = self.spec.information == Information::Hidden;
        let trust = Trust { discount: self.config.discount, lambda: self.config.lambda };
        let (config, seed, progress) = (&self.config, self.seed, self.progress);
        let shards = self.shards.iter_mut().collect();
        self.crew.each(shards, |index, shard: &mut Shard<G>| {
            // Shards meet different past selves, and others when the next one joins: who changed in every iteration would
            // play no game to its end.
            let past = ((progress.iterations / config.pool_every) as usize + index).checked_rem(pool.len());
            let past =
                past.map(|past| Opponent { policy: &pool[past], share: config.pool_share, draws: true });
            let frozen = frozen.as_ref().map(|policy| Opponent { policy, share: 1.0, draws: frozen_draws });
            let table = Table {
                learner: &learner,
                rival_share: if frozen.is_some() { 0.0 } else { config.rival_share },
                opponent: frozen.or(past),
                steps: config.steps,
                before: progress.iterations * config.steps as u64,
                seed,
                symmetries: config.symmetries,
            };
            shard.play(&table, magnet.as_ref(), trust);
        });
    }

    /// Goes over what was played.
    fn learn(&mut self) -> Result<Learned, Trouble> {
        let taught: Vec<(usize, usize)> = self
            .shards
            .iter()
            .enumerate()
            .flat_map(|(index, shard)| (0..shard.rows.len()).map(move |row| (index, row)))
            .filter(|&(index, row)| self.shards[index].rows.teaches(row))
            .collect();
        let (mean, spread) = self.advantages(&taught);
        let scaled = |advantage: f32| (advantage - mean) / spread;
        let terms = Terms {
            clip: self.config.clip,
            value_unit: self.descent.weights.config().value_scale,
            value_clip: self.config.value_clip,
            value_weight: self.config.value_weight,
            entropy: self.config.entropy * self.fading(self.config.entropy_end),
            magnet: self.config.magnet,
        };
        let rate = self.config.rate * self.fading(self.config.rate_end);
        let pace = Pace { rate, decay: 0.0, limit: self.config.gradient_limit };
        let mut learned = Learned { rate, ..Learned::default() };
        let mut order = taught;
        let played: Vec<&Rows> = self.shards.iter().map(|shard| &shard.rows).collect();
        for epoch in 0..self.config.epochs {
            let key = self.progress.iterations * 1_024 + epoch as u64;
            Rng::keyed(Purpose::Order, self.seed, 0, key).shuffle(&mut order);
            let batches = order.len().div_ceil(self.config.minibatch);
            for batch in 0..batches {
                // Batches of equal size, so that no small rest weighs as much as a whole one.
                let rows = &order[order.len() * batch / batches..order.len() * (batch + 1) / batches];
                let decision = |row: usize| {
                    let (shard, row) = rows[row];
                    played[shard].decision(row, scaled)
                };
                let objective = PpoObjective { decision, terms: &terms };
                match self.descent.step(&self.crew, &objective, rows.len(), pace) {
                    Ok(step) => {
                        PpoObjective::<fn(usize) -> objective::Decision<'static>>::add(
                            &mut learned.sums,
                            step.sums,
                        );
                        learned.norm += f64::from(step.norm);
                        learned.steps += 1;
                        self.progress.updates += 1;
                        self.progress.in_a_row = 0;
                    }
                    Err(problem) => {
                        self.progress.skipped += 1;
                        self.progress.in_a_row += 1;
                        if self.progress.in_a_row >= PATIENCE {
                            return Err(Trouble::NotFinite {
                                count: self.progress.in_a_row,
                                iteration: self.progress.iterations,
                                what: problem.to_string(),
                                batch: saved::batch_for_study(rows.len(), &decision),
                            });
                        }
                    }
                }
            }
        }
        Ok(learned)
    }

    /// Mean and spread of the advantages.
    fn advantages(&self, taught: &[(usize, usize)]) -> (f32, f32) {
        let all = || {
            let known = taught.iter().map(|&(shard, row)| f64::from(self.shards[shard].rows.advantages[row]));
            known.filter(|advantage| !advantage.is_nan())
        };
        let count = all().count().max(1) as f64;
        let mean = all().sum::<f64>() / count;
        let variance = all().map(|advantage| (advantage - mean).powi(2)).sum::<f64>() / count;
        (mean as f32, (variance.sqrt() as f32).max(1e-6))
    }

    /// The magnet and the average come after, and now and then the policy of today joins the past selves.
    fn move_on(&mut self) {
        self.progress.iterations += 1;
        self.magnet.approach(&self.descent.weights, self.config.magnet_rate);
        if let Some(average) = &mut self.average {
            average.approach(&self.descent.weights, self.config.average_rate);
        }
        let wanted = self.frozen.is_none() && self.config.pool_size > 0 && self.config.pool_share > 0.0;
        if wanted && self.progress.iterations.is_multiple_of(self.config.pool_every) {
            if self.pool.len() == self.config.pool_size {
                self.pool.remove(0);
            }
            self.pool.push(self.descent.weights.clone());
        }
    }

    fn report(&self, learned: &Learned, played: f64, learning: f64) -> Report {
        let Sums { decisions, policy, values, value, entropy, magnet, moved, clipped } = learned.sums;
        let per = |sum: f64, count: f64| if count > 0.0 { sum / count } else { 0.0 };
        let ended = || self.shards.iter().flat_map(|shard| &shard.ended);
        let games = ended().count() as f64;
        let mut ends = vec![0; self.spec.ends.len()];
        ended().for_each(|&(end, _)| ends[usize::from(end)] += 1);
        let plies = (self.config.slots * self.config.steps) as f64;
        let rows = || self.shards.iter().flat_map(|shard| (0..shard.rows.len()).map(move |row| (shard, row)));
        let judged: Vec<(f32, f32)> = rows()
            .filter(|(shard, row)| shard.rows.teaches(*row))
            .map(|(shard, row)| shard.rows.own_value(row))
            .filter(|(_, target)| !target.is_nan())
            .collect();
        let advantages = self.shards.iter().flat_map(|shard| &shard.rows.advantages).copied();
        let among_rivals = || self.shards.iter().flat_map(|shard| &shard.among_rivals);
        let paid = per(among_rivals().map(|&paid| f64::from(paid)).sum(), among_rivals().count() as f64);
        Report {
            scalars: vec![
                ("loss/policy", per(policy, decisions)),
                ("loss/value", per(value, values)),
                ("policy/entropy", per(entropy, decisions)),
                ("policy/kl", per(moved, decisions)),
                ("policy/clipped", per(clipped, decisions)),
                ("policy/magnet_kl", per(magnet, decisions)),
                ("value/explained_variance", explained(&judged)),
                ("learning/rate", f64::from(learned.rate)),
                ("learning/gradient_norm", per(learned.norm, f64::from(learned.steps))),
                ("learning/updates", self.progress.updates as f64),
                ("learning/skipped", self.progress.skipped as f64),
                ("games/finished", games),
                ("games/length", per(ended().map(|&(_, plies)| f64::from(plies)).sum(), games)),
                ("games/past_selves", self.pool.len() as f64),
                ("games/among_rivals", paid),
                ("progress/plies", self.progress.plies as f64),
                ("progress/games", self.progress.games as f64),
                ("time/play", played),
                ("time/learn", learning),
                ("time/plies_per_second", plies / (played + learning)),
                ("time/games_per_second", games / (played + learning)),
            ],
            histograms: vec![
                ("advantage", advantages.filter(|advantage| !advantage.is_nan()).collect()),
                ("value", judged.iter().map(|&(value, _)| value).collect()),
            ],
            ends,
        }
    }
}

/// The rivals of a shard: their answers depend on the game asked about, not on who is asked.
fn rivals<G: Playable>(rules: &G::Rules, config: &PpoConfig, seed: u64) -> Result<Vec<Rival<G>>, NotStarted> {
    let named = config.rivals.iter().filter(|_| config.against.is_none());
    named.map(|name| Ok(build::<G>(&name.parse::<AgentName>()?, rules, seed)?)).collect()
}

/// What an iteration of learning tells.
#[derive(Default)]
struct Learned {
    sums: Sums,
    norm: f64,
    steps: u32,
    rate: f32,
}

/// The share of the targets' variance that the values explain: 1 is all, 0 no more than their mean would.
fn explained(judged: &[(f32, f32)]) -> f64 {
    let n = judged.len().max(1) as f64;
    let variance = |numbers: &dyn Fn(&(f32, f32)) -> f64| {
        let mean = judged.iter().map(numbers).sum::<f64>() / n;
        judged.iter().map(|pair| (numbers(pair) - mean).powi(2)).sum::<f64>() / n
    };
    let targets = variance(&|&(_, target)| f64::from(target));
    let errors = variance(&|&(value, target)| f64::from(target) - f64::from(value));
    if targets > 0.0 { 1.0 - errors / targets } else { 0.0 }
}

impl<G: Game> Learner for Ppo<G> {
    fn iterate(&mut self) -> Result<Report, Trouble> {
        let start = Instant::now();
        self.play();
        let played = start.elapsed();
        self.progress.plies += (self.config.slots * self.config.steps) as u64;
        self.progress.games += self.shards.iter().map(|shard| shard.ended.len() as u64).sum::<u64>();
        let learned = self.learn()?;
        let learning = start.elapsed() - played;
        let report = self.report(&learned, played.as_secs_f64(), learning.as_secs_f64());
        self.move_on();
        Ok(report)
    }

    fn weights(&self) -> &Weights {
        self.average.as_ref().unwrap_or(&self.descent.weights)
    }

    fn counters(&self) -> BTreeMap<String, u64> {
        let Progress { iterations, plies, games, updates, skipped, .. } = self.progress;
        [
            ("iterations", iterations),
            ("plies", plies),
            ("games", games),
            ("updates", updates),
            ("skipped", skipped),
        ]
        .map(|(name, count)| (name.to_owned(), count))
        .into()
    }

    fn search(&self) -> Option<Settings> {
        self.search
    }

    fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        self.saved()
    }

    fn restore(&mut self, checkpoint: &checkpoint::Checkpoint) -> Result<(), RestoreError> {
        self.take_up(checkpoint)
    }

    fn memory(&self) -> u64 {
        let spec = &self.spec;
        let magnet = if self.config.magnet > 0.0 { spec.actions() } else { 0 };
        let row = 4 * (self.descent.weights.shape().observation + magnet + 3 * spec.seats + 4)
            + size_of::<nodarium_env::Mask>();
        let rows = self.config.slots * self.config.steps * row;
        let numbers: usize = self.descent.weights.tensors().iter().map(|(.., numbers)| numbers.len()).sum();
        // The weights, two moments, the magnet, the average, packed copies, a gradient for each thread and their sum, the pool twice.
        let copies = 7 + 2 * self.crew.len() + 2 * self.config.pool_size;
        (rows + 4 * numbers * copies) as u64
    }
}
