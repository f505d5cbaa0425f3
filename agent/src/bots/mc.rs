//! `mc`: flat Monte Carlo.

use std::time::Instant;

use nodarium_env::rng::Purpose;
use nodarium_env::{Action, Game, Mask, Rng};
use rayon::prelude::*;

use super::Budget;
use super::rollout::{MAX_SEATS, Rollouts};
use crate::{Agent, Query, Thought};

/// Tries every legal action equally often, plays at random to the end, and plays what paid most on average. With hidden
/// information every simulation is in a world re-dealt for the seat that asks.
#[derive(Clone, Debug)]
pub struct MonteCarlo {
    seed: u64,
    budget: Budget,
    seats: usize,
}

/// What the simulations of a query paid.
struct Tried {
    actions: Vec<Action>,
    /// What each action paid the seat that asks.
    paid: Vec<f64>,
    visits: Vec<u32>,
    /// What all of them paid every seat.
    totals: [f64; MAX_SEATS],
}

impl MonteCarlo {
    /// The bot; the same seed and budget in simulations give the same answers.
    pub fn new<G: Game>(rules: &G::Rules, budget: Budget, seed: u64) -> Self {
        Self { seed, budget, seats: G::spec(rules).seats }
    }

    fn simulate<G: Game>(&self, query: &Query<'_, G>) -> Tried {
        let viewer = query.game.to_move().expect("nobody asks about a game that is over");
        let mut choices = Rng::keyed(Purpose::Choice, self.seed, query.key, query.ply.into());
        let mut worlds = Rng::keyed(Purpose::World, self.seed, query.key, query.ply.into());
        let mut mask = Mask::EMPTY;
        query.game.legal(&mut mask);
        let actions: Vec<Action> = mask.iter().collect();
        let (mut paid, mut visits) = (vec![0.0; actions.len()], vec![0; actions.len()]);
        let mut totals = [0.0; MAX_SEATS];
        let mut state = query.game.clone();
        let mut rollouts = Rollouts::default();
        let mut next = 0;
        self.budget.spend(|| {
            state.clone_from(query.game);
            state.redeal_hidden(viewer, &mut worlds);
            state.apply(actions[next]);
            let returns = rollouts.play(&mut state, self.seats, None, &mut choices);
            paid[next] += f64::from(returns[viewer.index()]);
            visits[next] += 1;
            totals.iter_mut().zip(returns).for_each(|(sum, paid)| *sum += f64::from(paid));
            next = (next + 1) % actions.len();
        });
        Tried { actions, paid, visits, totals }
    }
}

impl Tried {
    /// The index of the action that paid most on average, the first of several; untried ones are out.
    fn best(&self) -> usize {
        let mean = |i: usize| self.paid[i] / f64::from(self.visits[i]);
        let tried = (0..self.actions.len()).filter(|&i| self.visits[i] > 0);
        tried.rev().max_by(|&a, &b| mean(a).total_cmp(&mean(b))).expect("something was tried")
    }
}

impl<G: Game> Agent<G> for MonteCarlo {
    fn act(&mut self, queries: &[Query<'_, G>], actions: &mut Vec<Action>) {
        let answer = |query| {
            let tried = self.simulate(query);
            tried.actions[tried.best()]
        };
        queries.par_iter().with_max_len(1).map(answer).collect_into_vec(actions);
    }

    fn think(&mut self, queries: &[Query<'_, G>], thoughts: &mut Vec<Thought>) {
        let answer = |query| {
            let start = Instant::now();
            let tried = self.simulate(query);
            let all = f64::from(tried.visits.iter().sum::<u32>());
            let best = tried.best();
            let share = |i: usize| f32::from(u8::from(i == best));
            Thought {
                policy: tried.actions.iter().enumerate().map(|(i, &action)| (action, share(i))).collect(),
                value: tried.totals[..self.seats].iter().map(|sum| (sum / all) as f32).collect(),
                visits: tried.visits,
                time: start.elapsed(),
            }
        };
        queries.par_iter().with_max_len(1).map(answer).collect_into_vec(thoughts);
    }
}
