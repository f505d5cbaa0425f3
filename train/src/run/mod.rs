//! A training run: its folder, its loop, its stop and its resume.
//!
//! After every iteration a line goes to the metrics and to TensorBoard; every so often the policy plays matches and a
//! checkpoint is written, metrics first. Between two iterations a stop is obeyed. A resume takes the newest whole
//! checkpoint, cuts metrics and events back to it, and goes on bit for bit: a run that was stopped, or killed, ends as one
//! that was not.

mod checkpoints;
mod difference;
mod error;
mod folder;
mod metrics;
mod observer;
mod response;
mod strength;
mod tensorboard;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nodarium_agent::checkpoint::{Plays, newest};
use nodarium_env::{Game, with_game};
use rayon::{ThreadPool, ThreadPoolBuilder};

pub use checkpoints::Checkpoints;
pub use difference::Difference;
pub use error::RunError;
pub use folder::{Entry, Folder, Record, Session};
pub use metrics::{Line, Metrics};
pub use observer::{Iteration, Notice, Observer, Start, Summary};
pub use strength::{Bout, EARLIER_SELF, StrengthError};
pub use tensorboard::TensorBoard;

use crate::config::Config;
use crate::learner::{Learner, Report, Trouble};

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The config, read and checked.
    pub config: &'a Config,
    /// The folder of the run.
    pub folder: &'a Path,
    /// What to do about a folder that is there.
    pub entry: Entry,
    /// Stop after this iteration as if asked to.
    pub until: Option<u64>,
    /// What was typed, for `run.json`.
    pub command: &'a str,
}

/// Goes through the iterations of a run until its end, or until `stop` becomes true. The learner is fresh from the same
/// config; a resume restores it. Everything that can be checked is checked before the folder is made.
pub fn run(
    plan: &Plan<'_>,
    learner: &mut dyn Learner,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) -> Result<Summary, RunError> {
    strength::check(plan.config)?;
    let pool = ThreadPoolBuilder::new().num_threads(plan.config.run.threads).build()?;
    let (plays, ends) = of_game(plan.config)?;
    let (folder, iteration) = match plan.entry {
        Entry::Resume => resume(plan, learner, &plays, observer)?,
        entry => (create(plan, entry == Entry::Overwrite)?, 0),
    };
    let run = Run {
        config: plan.config,
        checkpoints: Checkpoints::open(&folder, plays)?,
        metrics: Metrics::open(&folder.metrics(), iteration)?,
        board: TensorBoard::open(&folder.tensorboard(), iteration)?,
        saved: iteration,
        failed: None,
        unshown: false,
        folder,
        pool,
        ends,
    };
    if iteration == 0 {
        // The first weights are somebody to play against, and a disk that takes nothing is found out now.
        run.checkpoints.save(0, learner)?;
    }
    observer.begins(&Start {
        folder: run.folder.path(),
        iteration,
        iterations: plan.config.iterations,
        parameters: learner.weights().tensors().iter().map(|(.., numbers)| numbers.len()).sum(),
        memory: learner.memory(),
    });
    run.go(plan, iteration, learner, observer, stop)
}

/// What the run's networks play, and why its games can end.
fn of_game(config: &Config) -> Result<(Plays, Vec<&'static str>), RunError> {
    fn of<G: Game>(config: &Config) -> Result<(Plays, Vec<&'static str>), StrengthError> {
        let rules = config.rules_of::<G>()?;
        Ok((Plays::of::<G>(&rules), G::spec(&rules).ends))
    }
    Ok(with_game!(config.game.as_str(), G => of::<G>(config)).map_err(StrengthError::from)??)
}

fn create(plan: &Plan<'_>, overwrite: bool) -> Result<Folder, RunError> {
    let folder = Folder::create(plan.folder, overwrite)?;
    folder.write_record(&Record {
        game: plan.config.game.clone(),
        seed: plan.config.seed,
        began: Session::now(plan.command, 0, Vec::new()),
        resumed: Vec::new(),
    })?;
    // Last, because a folder with a config is one that can be resumed.
    folder.write_config(plan.config)?;
    Ok(folder)
}

fn resume(
    plan: &Plan<'_>,
    learner: &mut dyn Learner,
    plays: &Plays,
    observer: &mut dyn Observer,
) -> Result<(Folder, u64), RunError> {
    let folder = Folder::open(plan.folder)?;
    let mut record = folder.record()?;
    let differences = Difference::between(&folder.config()?, plan.config);
    let (allowed, fixed): (Vec<_>, Vec<_>) = differences.into_iter().partition(Difference::is_allowed);
    if !fixed.is_empty() {
        return Err(RunError::Changed { path: plan.folder.to_owned(), fixed });
    }
    Checkpoints::open(&folder, plays.clone())?;
    let iteration = match newest(plan.folder, plays) {
        Ok(newest) => {
            newest.refused.into_iter().for_each(|problem| observer.noted(&Notice::Damaged(problem)));
            learner.restore(&newest.checkpoint).map_err(|problem| RunError::Restore {
                path: newest.checkpoint.folder().to_owned(),
                problem: Box::new(problem),
            })?;
            newest.step
        }
        // Killed before its first checkpoint: the same config makes the same run.
        Err(nothing) if !nothing.folder.exists() || nothing.refused.is_empty() => {
            observer.noted(&Notice::FromTheStart);
            0
        }
        Err(nothing) => return Err(nothing.into()),
    };
    let changed = allowed.iter().map(Difference::to_string).collect();
    record.resumed.push(Session::now(plan.command, iteration, changed));
    folder.write_record(&record)?;
    if !allowed.is_empty() {
        folder.write_config(plan.config)?;
        observer.noted(&Notice::Changed(allowed));
    }
    Ok((folder, iteration))
}

/// A run on its way.
struct Run<'a> {
    config: &'a Config,
    folder: Folder,
    checkpoints: Checkpoints,
    metrics: Metrics,
    board: TensorBoard,
    pool: ThreadPool,
    ends: Vec<&'static str>,
    /// The iteration of the newest checkpoint.
    saved: u64,
    /// Why the last thing that should be on disk is not.
    failed: Option<String>,
    /// Whether it has been told that TensorBoard misses something.
    unshown: bool,
}

impl Run<'_> {
    fn go(
        mut self,
        plan: &Plan<'_>,
        first: u64,
        learner: &mut dyn Learner,
        observer: &mut dyn Observer,
        stop: &AtomicBool,
    ) -> Result<Summary, RunError> {
        let start = Instant::now();
        let end = self.config.iterations;
        let mut iteration = first;
        let (mut last, mut bouts) = (None, Vec::new());
        let asked =
            |iteration| stop.load(Ordering::Relaxed) || plan.until.is_some_and(|until| iteration >= until);
        let mut stopped = asked(iteration);
        while iteration < end && !stopped {
            let begun = Instant::now();
            let before = learner.counters();
            let report = learner.iterate().map_err(|trouble| self.keep(trouble))?;
            let time = begun.elapsed();
            iteration += 1;
            stopped = asked(iteration);
            let matches = Instant::now();
            let played = self.strength(iteration, learner, observer)?;
            let mut line = self.line(iteration, &report, &played);
            rates(&mut line, &before, learner, time);
            if !played.is_empty() {
                line.numbers.push(("time/strength".to_owned(), matches.elapsed().as_secs_f64()));
            }
            let checkpoint = self.write(iteration, &line, report, stopped, learner, observer);
            observer.iterated(&Iteration { line: &line, bouts: &played, checkpoint: checkpoint.as_deref() });
            last = Some(line);
            if !played.is_empty() {
                bouts = played;
            }
        }
        let response = match self.config.ppo.as_ref().and_then(|ppo| ppo.against.as_deref()) {
            Some(against) if iteration == end => {
                observer.plays(iteration);
                let (config, weights, file) = (self.config, learner.weights(), self.folder.response());
                let plies = learner.counters().get("plies").copied().unwrap_or_default();
                let measured =
                    self.pool.install(|| response::measure(config, against, weights, plies, &file))?;
                Some((measured, file))
            }
            _ => None,
        };
        Ok(Summary {
            iteration,
            iterations: end,
            response,
            stopped: iteration < end,
            checkpoint: (self.saved, self.checkpoints.of(self.saved)),
            unsaved: self.failed.filter(|_| self.saved < iteration),
            counters: learner.counters(),
            last,
            bouts,
            time: start.elapsed(),
        })
    }

    /// Keeps the batch that could not be learned from.
    fn keep(&self, trouble: Trouble) -> RunError {
        let Trouble::NotFinite { iteration, batch, .. } = &trouble;
        let path = self.folder.trouble(*iteration);
        let batch = folder::write_whole(&path, batch).map(|()| path).map_err(Box::new);
        RunError::Trouble { trouble, batch }
    }

    /// The matches that are due, in the threads of the run.
    fn strength(
        &self,
        iteration: u64,
        learner: &dyn Learner,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Bout>, RunError> {
        let due = |every| iteration.is_multiple_of(every) || iteration == self.config.iterations;
        if self.config.strength.every == 0 || !due(self.config.strength.every) {
            return Ok(Vec::new());
        }
        observer.plays(iteration);
        let earlier = match self.config.strength.earlier_self {
            // Only those that are always written: a stop must not change whom the run plays.
            true => match self.checkpoints.weights(self.scheduled(iteration / 2)) {
                Ok(weights) => Some(weights),
                Err(problem) => {
                    observer.noted(&Notice::NoEarlierSelf(problem));
                    None
                }
            },
            false => None,
        };
        let (config, weights) = (self.config, learner.weights());
        Ok(self.pool.install(|| strength::matches(config, iteration, weights, earlier.as_ref()))?)
    }

    /// The last iteration up to this one after which a checkpoint is written whether or not a run is stopped.
    fn scheduled(&self, iteration: u64) -> u64 {
        iteration - iteration % self.config.run.checkpoint_every
    }

    fn line(&self, iteration: u64, report: &Report, bouts: &[Bout]) -> Line {
        let mut numbers: Vec<(String, f64)> =
            report.scalars.iter().map(|&(name, number)| (name.to_owned(), number)).collect();
        let games: u64 = report.ends.iter().sum();
        for (end, &count) in self.ends.iter().zip(&report.ends).filter(|_| games > 0) {
            numbers.push((format!("ends/{end}"), count as f64 / games as f64));
        }
        for bout in bouts {
            let opponent = &bout.opponent;
            numbers.push((format!("strength/{opponent}/score"), bout.score.mean));
            numbers.push((format!("strength/{opponent}/score_margin"), bout.score.margin));
            numbers.push((format!("strength/{opponent}/return"), bout.returns.mean));
            numbers.push((format!("strength/{opponent}/return_margin"), bout.returns.margin));
        }
        Line { iteration, numbers }
    }

    /// Writes what an iteration leaves behind. What cannot be written is told once, and tried again after the next one.
    fn write(
        &mut self,
        iteration: u64,
        line: &Line,
        report: Report,
        stopped: bool,
        learner: &dyn Learner,
        observer: &mut dyn Observer,
    ) -> Option<PathBuf> {
        let due = iteration.is_multiple_of(self.config.run.checkpoint_every)
            || iteration == self.config.iterations
            || stopped
            || self.failed.is_some();
        let mut histograms: Vec<(String, Vec<f32>)> =
            report.histograms.into_iter().map(|(name, numbers)| (name.to_owned(), numbers)).collect();
        if due {
            let weights = learner.weights().tensors().into_iter();
            histograms
                .extend(weights.map(|(name, _, numbers)| (format!("weights/{name}"), numbers.to_vec())));
        }
        if let Err(problem) = self.board.add(line, &histograms)
            && !std::mem::replace(&mut self.unshown, true)
        {
            observer.noted(&Notice::NotShown(problem));
        }
        let metrics = self.metrics.add(line);
        let saved = match due {
            true => metrics
                .and_then(|()| self.metrics.sync())
                .and_then(|()| Ok(self.checkpoints.save(iteration, learner)?))
                .map(Some),
            false => metrics.map(|()| None),
        };
        match saved {
            Ok(path) => {
                if let Some(path) = &path {
                    self.saved = iteration;
                    if self.failed.take().is_some() {
                        observer.noted(&Notice::WrittenAgain(path.clone()));
                    }
                    if let Err(problem) = self.checkpoints.slim(self.config.run.keep) {
                        observer.noted(&Notice::NotSlimmed(problem));
                    }
                }
                path
            }
            Err(problem) => {
                let told = problem.to_string();
                if self.failed.is_none() {
                    observer.noted(&Notice::NotWritten(problem));
                }
                self.failed = Some(told);
                None
            }
        }
    }
}

/// Adds how far the learner has come and how fast it went, where it has not said so itself.
fn rates(line: &mut Line, before: &BTreeMap<String, u64>, learner: &dyn Learner, time: Duration) {
    line.numbers.push(("time/iteration".to_owned(), time.as_secs_f64()));
    let after = learner.counters();
    for name in ["plies", "games"] {
        let (Some(&total), Some(&was)) = (after.get(name), before.get(name)) else { continue };
        let rate = total.saturating_sub(was) as f64 / time.as_secs_f64().max(1e-9);
        let told = [(format!("progress/{name}"), total as f64), (format!("time/{name}_per_second"), rate)];
        for (name, number) in told {
            if line.number(&name).is_none() {
                line.numbers.push((name, number));
            }
        }
    }
}
