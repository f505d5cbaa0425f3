//! Gumbel AlphaZero search over a batch of games at once (Danihelka, Guez, Schrittwieser, Silver: "Policy improvement by
//! planning with Gumbel", ICLR 2022; the reference is mctx's `gumbel_muzero_policy`).
//!
//! In every round each game walks from its root to a new leaf, all leaves are written into one flat array, **one** call
//! of the [`Evaluator`] judges them, and each game takes its row back up its own path. What is done at the root, inside
//! the tree, with several seats and with hidden information is told in `agent/docs/search.md`.
//!
//! | file | holds |
//! |---|---|
//! | `halving` | the table of sequential halving |
//! | `improve` | completed Q values, `sigma`, softmax |
//! | `tree` | one tree as plain arrays: expand, select, back up |
//! | `sets` | hidden information: nodes by information set |
//! | `walk` | one game: simulations between root and leaf |
//! | `options` | what can be told, and what is refused |
//! | `settings` | of these, what a checkpoint says of itself and a name can say otherwise |
//! | `gumbel` | the [`Agent`](crate::Agent) |

#[cfg(test)]
mod golden;
mod gumbel;
mod halving;
mod improve;
mod options;
mod sets;
mod settings;
mod tree;
mod walk;

use nodarium_env::{Action, Game};
use rayon::prelude::*;

pub use gumbel::Gumbel;
pub use options::{BadSearch, MOST_ROLLOUTS, MOST_SIMULATIONS, Options};
pub use settings::{BadSetting, MOST_C_SCALE, MOST_CONSIDERED, Overrides, Settings};

use halving::Schedule;
use options::Sizes;
use walk::{Plan, Walk};

use crate::{Evaluator, Query};

/// Games that one task walks through; fewer are not worth another thread.
const CHUNK: usize = 32;

/// Searches batches of games; keeps its memory from call to call.
#[derive(Clone, Debug)]
pub struct Search<G> {
    plan: Plan,
    walks: Vec<Walk<G>>,
    /// The games whose leaf waits: row `i` of the arrays below is that of game `waiting[i]`.
    waiting: Vec<u32>,
    rows: Vec<u32>,
    /// `[n, observation]`, `[n, actions]`, `[n, seats]`.
    observations: Vec<f32>,
    logits: Vec<f32>,
    values: Vec<f32>,
}

/// What a search found, for `n` games whose legal actions stand back to back: those of game `i` are
/// `first[i]..first[i + 1]`, from the smallest to the largest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// `[n]`: the chosen action: the best of those that sequential halving visited most.
    pub actions: Vec<Action>,
    /// `[n + 1]`: where the games' rows begin in the arrays over legal actions.
    pub first: Vec<usize>,
    /// `[legal]`: the legal actions.
    pub legal: Vec<Action>,
    /// `[legal]`: the improved policy, the target for learning; sums to 1 over a game.
    pub policy: Vec<f32>,
    /// `[legal]`: simulations that began with the action.
    pub visits: Vec<u32>,
    /// `[legal]`: the completed Q value for the seat to act: the mean outcome, or what an untried action is thought to
    /// be worth.
    pub q: Vec<f32>,
    /// `[n, seats]`: the mean outcome for each seat over all simulations and the evaluator's judgement of the root.
    pub values: Vec<f32>,
}

impl Found {
    fn clear(&mut self) {
        self.actions.clear();
        self.first.clear();
        self.first.push(0);
        self.legal.clear();
        self.policy.clear();
        self.visits.clear();
        self.q.clear();
        self.values.clear();
    }

    /// Where the legal actions of a game stand.
    pub fn row(&self, game: usize) -> std::ops::Range<usize> {
        self.first[game]..self.first[game + 1]
    }
}

impl<G: Game> Search<G> {
    /// A search for games with these rules.
    pub fn new(rules: &G::Rules, options: Options) -> Result<Self, BadSearch> {
        options.check()?;
        let sizes = Sizes::of(&G::spec(rules));
        let considered = (options.considered as usize).min(sizes.actions);
        let schedule = Schedule::new(considered, options.simulations as usize);
        let options = Options { considered: considered as u32, ..options };
        Ok(Self {
            plan: Plan { sizes, options, schedule },
            walks: Vec::new(),
            waiting: Vec::new(),
            rows: Vec::new(),
            observations: Vec::new(),
            logits: Vec::new(),
            values: Vec::new(),
        })
    }

    /// The options, with no more considered actions than the game has.
    pub fn options(&self) -> &Options {
        &self.plan.options
    }

    /// Searches all games and replaces what `found` holds. A game in which only one action is legal is not searched:
    /// its values are the evaluator's.
    ///
    /// Each game's rows depend on its own query and on the options, not on the other games or on the number of
    /// threads, as long as the evaluator's rows do not depend on each other.
    ///
    /// # Panics
    /// When a game is over.
    pub fn run<E: Evaluator>(
        &mut self,
        evaluator: &E,
        queries: &[Query<'_, G>],
        found: &mut Found,
    ) -> Result<(), BadSearch> {
        let sizes = self.plan.sizes.for_evaluator(evaluator)?;
        self.plan.sizes = sizes;
        let games = queries.len();
        self.observations.resize(self.walks.len().max(games) * sizes.observation, 0.0);
        if self.walks.len() < games {
            self.walks.resize_with(games, Walk::new);
            self.logits.resize(games * sizes.actions, 0.0);
            self.values.resize(games * sizes.seats, 0.0);
        }
        self.rows.resize(self.walks.len(), 0);
        for (walk, query) in self.walks.iter_mut().zip(queries) {
            walk.begin(&self.plan, query);
        }
        self.line_up(games);
        while !self.waiting.is_empty() {
            let n = self.waiting.len();
            evaluator.evaluate(
                &self.observations[..n * sizes.observation],
                &mut self.logits[..n * sizes.actions],
                &mut self.values[..n * sizes.seats],
            );
            if alone(games) {
                self.advance(games);
            } else {
                self.advance_on_all_threads(games);
            }
        }
        found.clear();
        for walk in &mut self.walks[..games] {
            walk.harvest(&self.plan, found);
        }
        Ok(())
    }

    /// Gives every game that waits a row, without gaps, and writes what is seen there.
    fn line_up(&mut self, games: usize) {
        self.waiting.clear();
        for (game, walk) in self.walks[..games].iter().enumerate() {
            if walk.is_waiting() {
                self.rows[game] = self.waiting.len() as u32;
                self.waiting.push(game as u32);
            }
        }
        let (plan, walks) = (&self.plan, &self.walks);
        let observe = |(row, &game): (&mut [f32], &u32)| walks[game as usize].observe(plan, row);
        let width = plan.sizes.observation;
        if alone(games) {
            self.observations.chunks_exact_mut(width).zip(&self.waiting).for_each(observe);
        } else {
            let rows = self.observations.par_chunks_exact_mut(width).zip(&self.waiting);
            rows.with_min_len(CHUNK).for_each(observe);
        }
    }

    /// Takes the rows in, walks every game to its next leaf and lines the leaves up: one pass over the trees, so that
    /// each comes into the core's cache once.
    fn advance(&mut self, games: usize) {
        let Sizes { observation, actions, seats, .. } = self.plan.sizes;
        self.waiting.clear();
        for (game, (walk, row)) in self.walks[..games].iter_mut().zip(&mut self.rows).enumerate() {
            if walk.is_waiting() {
                let from = *row as usize;
                let logits = &self.logits[from * actions..][..actions];
                walk.absorb(&self.plan, logits, &self.values[from * seats..][..seats]);
                walk.advance(&self.plan);
                if walk.is_waiting() {
                    let to = self.waiting.len();
                    walk.observe(&self.plan, &mut self.observations[to * observation..][..observation]);
                    *row = to as u32;
                    self.waiting.push(game as u32);
                }
            }
        }
    }

    /// The same in two passes: the rows of the leaves are known when all games have got to theirs.
    fn advance_on_all_threads(&mut self, games: usize) {
        let Sizes { actions, seats, .. } = self.plan.sizes;
        let (plan, logits, values) = (&self.plan, &self.logits, &self.values);
        let walks = self.walks[..games].par_iter_mut().zip(&self.rows[..games]);
        walks.with_min_len(CHUNK).for_each(|(walk, &row)| {
            if walk.is_waiting() {
                let row = row as usize;
                walk.absorb(plan, &logits[row * actions..][..actions], &values[row * seats..][..seats]);
                walk.advance(plan);
            }
        });
        self.line_up(games);
    }
}

/// Whether there is no work for a second thread.
fn alone(games: usize) -> bool {
    games <= CHUNK || rayon::current_num_threads() == 1
}
