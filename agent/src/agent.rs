//! The one interface of everything that plays.

use std::time::Duration;

use nodarium_env::{Action, Game};

/// A question: what to play in this game, for the seat to act.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a, G> {
    /// The state. It is the referee's: an agent must not look at what the seat to act cannot see, and comes by that
    /// with `observe`, or plays on after `redeal_hidden`.
    pub game: &'a G,
    /// Which game of the series this is. An agent may keep what it found out about a game under this number, and its
    /// random numbers are keyed by it, so that answers do not depend on what else is asked in the same call.
    pub key: u64,
    /// Plies played in it so far.
    pub ply: u32,
}

/// What an agent thinks of a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thought {
    /// The legal actions with the share that the agent would give each; the shares sum to 1.
    pub policy: Vec<(Action, f32)>,
    /// The expected return of each seat, seat 0 first; empty when the agent has no opinion.
    pub value: Vec<f32>,
    /// How often search tried each action, in the order of `policy`; empty without search.
    pub visits: Vec<u32>,
    /// How long it took.
    pub time: Duration,
}

/// Anything that picks actions.
///
/// Answers are a function of the agent's seed and of each query (its key, its ply, what the seat can see): the same
/// question gets the same answer whoever is asked beside it, on any number of threads. Agents with a time limit are
/// the exception, and say so.
pub trait Agent<G: Game>: Send {
    /// Answers every query with a legal action.
    ///
    /// # Panics
    /// When a game is over.
    fn act(&mut self, queries: &[Query<'_, G>], actions: &mut Vec<Action>);

    /// What the agent thinks of every state; it may take as long as [`act`](Agent::act).
    fn think(&mut self, queries: &[Query<'_, G>], thoughts: &mut Vec<Thought>);

    /// The game is over or given up: what was kept about it can go.
    fn forget(&mut self, _key: u64) {}
}
