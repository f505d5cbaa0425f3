//! Gumbel AlphaZero by self-play (Danihelka, Guez, Schrittwieser, Silver: "Policy improvement by planning with Gumbel",
//! ICLR 2022); where something is hidden, over worlds re-dealt for the seat to act.
//!
//! An iteration plays `steps` plies in every slot, then learns from positions that are drawn from the newest games. Both
//! phases take all threads: slots are played in shards of 32, and a gradient is computed in shards of rows.
//! `train/docs/gumbel.md` has the choices and what they were measured to be worth.
//!
//! | file | holds |
//! |---|---|
//! | `shard` | some slots and the searches that they share |
//! | `played` | one game: actions and what search thought, no tensors |
//! | `window` | the newest games, to draw positions from |
//! | `lesson` | positions played again, turned over by a symmetry; the loss and its derivatives |
//! | `again` | positions of the window searched anew |
//! | `bounds` | configs that are refused, and the memory that others may take |
//! | `file` | the games as a file of a checkpoint |
//! | `report` | what an iteration tells |
//!
//! Nothing random is kept: noise and coins are keyed by (slot, episode, ply), draws by the number of the update.

mod again;
mod bounds;
mod file;
mod lesson;
mod played;
mod report;
mod shard;
mod window;

use std::collections::BTreeMap;
use std::time::Instant;

use nodarium_agent::checkpoint::{Checkpoint, MANIFEST};
use nodarium_agent::network::{Inference, Weights, device};
use nodarium_agent::search::{Options, Settings};
use nodarium_agent::{Agent, Playable};
use nodarium_env::rng::Purpose;
use nodarium_env::{Game, Rng, Spec};

use crate::beginning::beginning;
use crate::config::{Config, GumbelConfig};
use crate::crew::Crew;
use crate::descent::{Descent, Objective as _, Pace, Step};
use crate::keep;
use crate::learner::{Learner, Report, RestoreError, Trouble};

pub use bounds::BadSelfPlay;

use bounds::{check, window_bytes};
use file::Reading;
use lesson::{Draw, Lesson, Stakes};
use played::Played;
use report::Learned;
use shard::{Harvest, Manner, SLOTS, Shard};
use window::Window;

/// The files of a checkpoint.
const WINDOW: &str = "window";
const ADAM: &str = "adam.safetensors";

/// The set of the newest weights in the optimiser's file, where the checkpoint's own are an average.
const NEWEST: &str = "newest";

/// Updates in a row that may be not finite before learning stops.
const MOST_SKIPPED: u64 = 10;

/// Learning by search.
pub struct SelfPlay<G: Game> {
    rules: G::Rules,
    spec: Spec,
    seed: u64,
    iterations: u64,
    config: GumbelConfig,
    crew: Crew,
    descent: Descent,
    /// The network that plays and is kept, where that is not the newest.
    average: Option<Weights>,
    shards: Vec<Shard<G>>,
    window: Window,
    done: Done,
}

/// What has been done since the run began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Done {
    iterations: u64,
    plies: u64,
    games: u64,
    simulations: u64,
    updates: u64,
    skipped: u64,
    skipped_in_a_row: u64,
}

/// Random streams beside those of the games.
#[derive(Clone, Copy)]
enum Stream {
    Noise,
    Coins,
    Draws,
    Again,
    Teacher,
}

/// The seed of a stream: no slot has the number that it is drawn under.
fn seed_of(stream: Stream, seed: u64) -> u64 {
    let mut rng = Rng::keyed(Purpose::Choice, seed, u64::MAX, stream as u64);
    u64::from(rng.bits()) << 32 | u64::from(rng.bits())
}

impl<G: Playable> SelfPlay<G> {
    /// Deals every slot its first game. `rules` have passed [`Rules::check`](nodarium_env::Rules::check).
    pub fn new(rules: G::Rules, config: &Config) -> Result<Self, BadSelfPlay> {
        let gumbel = config.gumbel.clone().ok_or(BadSelfPlay::NoTable)?;
        let spec = G::spec(&rules);
        check(&gumbel, &spec)?;
        let weights = beginning::<G>(&rules, config)?.weights;
        let mut learner = Self {
            seed: config.seed,
            iterations: config.iterations,
            crew: Crew::new(config.run.threads)?,
            average: (gumbel.average_rate < 1.0).then(|| weights.clone()),
            descent: Descent::new(weights, device(&config.run.device)?),
            shards: Vec::new(),
            window: Window::new(gumbel.window, 0),
            done: Done::default(),
            config: gumbel,
            rules,
            spec,
        };
        // Both ends of the schedule are tried: what a run would fail at later, it fails at now.
        Shard::<G>::new(&learner.rules, Vec::new(), learner.manner(config.iterations), None)?;
        learner.teacher()?;
        let manner = learner.manner(0);
        let fresh = |slot| manner.fresh(&learner.rules, learner.seed, slot, 0);
        learner.shards = learner.sharded((0..learner.config.slots as u32).map(fresh).collect())?;
        Ok(learner)
    }

    fn sharded(&self, games: Vec<(Played, G)>) -> Result<Vec<Shard<G>>, BadSelfPlay> {
        let (mut games, mut shards) = (games.into_iter(), Vec::new());
        while games.len() > 0 {
            let some = games.by_ref().take(SLOTS).collect();
            shards.push(Shard::new(&self.rules, some, self.manner(self.done.iterations), self.teacher()?)?);
        }
        Ok(shards)
    }

    /// One teacher a shard: their answers depend on the game asked about, not on who is asked.
    fn teacher(&self) -> Result<Option<Box<dyn Agent<G>>>, BadSelfPlay> {
        let Some(name) = self.config.teacher.as_deref() else { return Ok(None) };
        let seed = seed_of(Stream::Teacher, self.seed);
        Ok(Some(nodarium_agent::build::<G>(&name.parse()?, &self.rules, seed)?))
    }

    /// How far along the schedules an iteration is, from 0 to 1.
    fn progress(&self, iteration: u64) -> f64 {
        (iteration as f64 / (self.iterations.max(2) - 1) as f64).min(1.0)
    }

    fn manner(&self, iteration: u64) -> Manner {
        let config = &self.config;
        let [from, to] = [config.simulations, config.simulations_end].map(f64::from);
        let full = Options {
            simulations: (from + (to - from) * self.progress(iteration)).round() as u32,
            seed: seed_of(Stream::Noise, self.seed),
            ..Options::default()
        };
        let full = config.settings().in_options(full);
        Manner {
            full,
            cheap: config.cheap_simulations,
            full_share: config.full_share,
            taught_share: config.taught_share,
            drawn: config.temperature_plies,
            opening: config.opening_plies,
            coins: seed_of(Stream::Coins, self.seed),
            taught: config.is_taught(iteration),
        }
    }

    /// Plays in all slots and returns what came of it, in the order of the slots.
    fn play(&mut self) -> Vec<Harvest> {
        let (manner, inference) = (self.manner(self.done.iterations), Inference::new(self.weights()));
        let (rules, seed, steps) = (&self.rules, self.seed, self.config.steps);
        self.crew.each(self.shards.iter_mut().collect(), |_, shard| {
            shard
                .change(rules, manner)
                .and_then(|()| shard.play(rules, seed, &inference, steps))
                .expect("the options were tried and the network was made for the game")
        })
    }

    /// How many updates the positions that have come in are worth, beyond those made.
    fn owed(&self) -> u64 {
        let worth = f64::from(self.config.reuse) * self.window.entered() as f64;
        let owed = (worth / self.config.minibatch as f64) as u64;
        owed.saturating_sub(self.done.updates + self.done.skipped)
    }

    /// Draws the positions of an update.
    fn draws(&self, update: u64) -> Vec<Draw> {
        let mut rng = Rng::keyed(Purpose::Choice, seed_of(Stream::Draws, self.seed), update, 0);
        let symmetries = if self.config.symmetries { self.spec.symmetries.len() as u32 } else { 1 };
        let positions = self.window.positions() as u32;
        let mut draw = |_| Draw {
            place: self.window.place(rng.below(positions) as usize),
            symmetry: rng.below(symmetries) as usize,
        };
        (0..self.config.minibatch).map(&mut draw).collect()
    }

    fn pace(&self) -> Pace {
        let config = &self.config;
        let progress = self.progress(self.done.iterations) as f32;
        Pace {
            rate: config.rate * (1.0 - (1.0 - config.rate_end) * progress),
            decay: config.decay,
            limit: config.gradient_limit,
        }
    }

    fn learn(&mut self) -> Result<Learned, Trouble> {
        let mut learned = Learned::new(self.pace());
        if self.window.positions() == 0 {
            return Ok(learned);
        }
        let next = self.done.updates + self.done.skipped;
        let lessons: Vec<Vec<Draw>> = (next..next + self.owed()).map(|update| self.draws(update)).collect();
        learned.again = self.search_again(&lessons);
        for draws in &lessons {
            let stakes =
                Stakes { weight: self.config.value_weight, from_search: self.config.value_from_search };
            let symmetries = &self.spec.symmetries;
            let lesson = Lesson::<G>::new(&self.rules, self.seed, symmetries, &self.window, stakes, draws);
            match self.descent.step(&self.crew, &lesson, draws.len(), learned.pace) {
                Ok(Step { sums, norm }) => {
                    self.done.updates += 1;
                    self.done.skipped_in_a_row = 0;
                    learned.norm += f64::from(norm);
                    learned.updates += 1;
                    Lesson::<G>::add(&mut learned.sums, sums);
                }
                Err(problem) => {
                    self.done.skipped += 1;
                    self.done.skipped_in_a_row += 1;
                    if self.done.skipped_in_a_row >= MOST_SKIPPED {
                        return Err(Trouble::NotFinite {
                            count: self.done.skipped_in_a_row as u32,
                            iteration: self.done.iterations,
                            what: problem.to_string(),
                            batch: lesson.to_safetensors(self.descent.weights.shape()),
                        });
                    }
                }
            }
        }
        Ok(learned)
    }
}

impl<G: Playable> Learner for SelfPlay<G> {
    fn iterate(&mut self) -> Result<Report, Trouble> {
        let start = Instant::now();
        let harvests = self.play();
        let mut report = Report::default();
        self.report_play(&mut report, &harvests, start.elapsed());
        for harvest in harvests {
            self.done.games += harvest.games.len() as u64;
            self.done.simulations += harvest.simulations;
            harvest.games.into_iter().for_each(|game| self.window.push(game));
        }
        self.done.plies += (self.config.slots * self.config.steps) as u64;
        let start = Instant::now();
        let learned = self.learn()?;
        self.report_learning(&mut report, &learned, start.elapsed());
        if let Some(average) = &mut self.average {
            average.approach(&self.descent.weights, self.config.average_rate);
        }
        self.done.iterations += 1;
        Ok(report)
    }

    fn weights(&self) -> &Weights {
        self.average.as_ref().unwrap_or(&self.descent.weights)
    }

    fn counters(&self) -> BTreeMap<String, u64> {
        let mut done = self.done;
        done.named().into_iter().map(|(name, count)| (name.to_owned(), *count)).collect()
    }

    fn search(&self) -> Option<Settings> {
        Some(self.config.settings())
    }

    fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        let under_way: Vec<&Played> = self.shards.iter().flat_map(Shard::games).collect();
        let window = file::write(&self.window, under_way.into_iter());
        let newest = self.average.is_some().then_some((NEWEST, &self.descent.weights));
        let sets = keep::moments(&self.descent.adam).into_iter().chain(newest);
        vec![(WINDOW, window), (ADAM, keep::to_safetensors(sets))]
    }

    fn restore(&mut self, checkpoint: &Checkpoint) -> Result<(), RestoreError> {
        let wrong = |file| move |problem| RestoreError::Content { file, problem };
        let mut done = Done::default();
        for (name, count) in done.named() {
            let found = checkpoint.manifest.counters.get(name);
            *count = *found.ok_or_else(|| wrong(MANIFEST)(format!("has no counter `{name}`")))?;
        }
        let (weights, here) = (&checkpoint.weights, &self.descent.weights);
        if (weights.config(), weights.shape()) != (here.config(), here.shape()) {
            let problem = format!("a network of {:?}: expected {:?}", weights.config(), here.config());
            return Err(wrong(MANIFEST)(problem));
        }
        let bytes = checkpoint.read(ADAM)?;
        let adam = keep::from_moments(&bytes, ADAM, done.updates, weights)?;
        let average = self.average.is_some().then(|| weights.clone());
        let mut newest = weights.clone();
        if average.is_some() {
            keep::from_safetensors(&bytes, ADAM, NEWEST, &mut newest)?;
        }
        let reading = Reading::<G> {
            rules: &self.rules,
            spec: &self.spec,
            seed: self.seed,
            slots: self.config.slots,
            room: self.config.window,
        };
        let (window, games) = reading.read(&checkpoint.read(WINDOW)?).map_err(wrong(WINDOW))?;
        (self.descent.weights, self.descent.adam, self.average) = (newest, adam, average);
        (self.window, self.done) = (window, done);
        self.shards = self.sharded(games).expect("both ends of the schedule were tried");
        Ok(())
    }

    fn memory(&self) -> u64 {
        let tensors = self.descent.weights.tensors();
        let weights = 4 * tensors.iter().map(|(.., numbers)| numbers.len()).sum::<usize>();
        // Weights, moments, an average, the packed network; for every thread a copy, its derivatives and their sum.
        let network = weights * (5 + 3 * self.crew.len());
        let edge = 24;
        let node = 32 + size_of::<G>() + edge * self.spec.actions();
        let simulations = self.config.simulations.max(self.config.simulations_end) as usize;
        let trees = self.config.slots * node * (simulations + self.config.cheap_simulations as usize + 2);
        (network + trees + window_bytes(&self.config, &self.spec)) as u64
    }
}

impl Done {
    fn named(&mut self) -> [(&'static str, &mut u64); 7] {
        [
            ("iterations", &mut self.iterations),
            ("plies", &mut self.plies),
            ("games", &mut self.games),
            ("simulations", &mut self.simulations),
            ("updates", &mut self.updates),
            ("skipped", &mut self.skipped),
            ("skipped_in_a_row", &mut self.skipped_in_a_row),
        ]
    }
}
