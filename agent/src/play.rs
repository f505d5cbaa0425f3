//! The loop that lets agents play each other.

use std::collections::VecDeque;

use nodarium_env::rng::Purpose;
use nodarium_env::{Action, End, Game, IllegalAction, Rng, Seat};
use rayon::prelude::*;

use crate::{Agent, Query};

/// Games that are played side by side: enough to fill a network's batch, few enough to hold their search trees.
const AT_ONCE: usize = 256;

/// A game to play: which deal of the series, and which agent sits where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The deal: the same number and the same seed give the same deal, whoever plays.
    pub deal: u64,
    /// The index of the agent at each seat, seat 0 first.
    pub seats: Vec<usize>,
}

/// How a game went.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// What each seat won.
    pub returns: Vec<f32>,
    /// Why it was over.
    pub end: End,
    /// Plies played.
    pub plies: u32,
}

/// An agent, or whoever called, broke the rules; the games are given up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// An action that the state does not allow.
    #[error("game {game}, ply {ply}: agent {agent} at seat {} played what is not legal there: {problem}", .seat.0)]
    Illegal {
        /// The index of the pairing.
        game: usize,
        /// Plies played before.
        ply: u32,
        /// The index of the agent.
        agent: usize,
        /// Where it sits.
        seat: Seat,
        /// The action.
        problem: IllegalAction,
    },
    /// More or fewer answers than questions.
    #[error("agent {agent} gave {given} answers to {asked} queries: expected one each")]
    Answers {
        /// The index of the agent.
        agent: usize,
        /// Answers given.
        given: usize,
        /// Queries asked.
        asked: usize,
    },
    /// A game that its own rules should have ended.
    #[error("game {game} has gone on for {plies} plies: no game should be longer")]
    TooLong {
        /// The index of the pairing.
        game: usize,
        /// Plies played.
        plies: u32,
    },
    /// A pairing that does not fit the game or the agents.
    #[error("game {game} seats the agents {seats:?}: expected {expected} seats, agents below {agents}")]
    Seats {
        /// The index of the pairing.
        game: usize,
        /// The seats that were given.
        seats: Vec<usize>,
        /// How many there should be.
        expected: usize,
        /// How many agents there are.
        agents: usize,
    },
}

/// A game that is being played.
struct Live<'a, G> {
    index: usize,
    pairing: &'a Pairing,
    game: G,
    ply: u32,
}

/// Plays the pairings and says how each went, in their order.
///
/// Up to 256 games go on side by side, and each agent is asked about all games that wait for it in one call. Deals depend
/// on `seed` and [`Pairing::deal`] alone; the key of a query is the index of its pairing. Agents that keep the promise of
/// [`Agent`] make the outcomes independent of the number of threads.
pub fn play<G: Game>(
    rules: &G::Rules,
    seed: u64,
    agents: &mut [&mut dyn Agent<G>],
    pairings: &[Pairing],
) -> Result<Vec<Outcome>, PlayError> {
    let spec = G::spec(rules);
    let fits = |seats: &[usize]| seats.len() == spec.seats && seats.iter().all(|&agent| agent < agents.len());
    if let Some(game) = pairings.iter().position(|pairing| !fits(&pairing.seats)) {
        let (seats, agents) = (pairings[game].seats.clone(), agents.len());
        return Err(PlayError::Seats { game, seats, expected: spec.seats, agents });
    }
    let mut waiting: VecDeque<(usize, &Pairing)> = pairings.iter().enumerate().collect();
    let mut live: Vec<Live<'_, G>> = Vec::new();
    let mut outcomes: Vec<Option<Outcome>> = vec![None; pairings.len()];
    let mut actions = Vec::new();
    loop {
        let room = AT_ONCE - live.len();
        let next: Vec<_> = waiting.drain(..room.min(waiting.len())).collect();
        live.par_extend(next.into_par_iter().map(|(index, pairing)| {
            let game = G::deal(rules, &mut Rng::keyed(Purpose::Deal, seed, pairing.deal, 0));
            Live { index, pairing, game, ply: 0 }
        }));
        if live.is_empty() {
            break;
        }
        for (agent, player) in agents.iter_mut().enumerate() {
            ask(agent, *player, &mut live, &mut actions)?;
        }
        if let Some(long) = live.iter().find(|live| live.ply as usize > spec.longest_game) {
            return Err(PlayError::TooLong { game: long.index, plies: long.ply });
        }
        for over in live.extract_if(.., |live| live.game.to_move().is_none()) {
            agents.iter_mut().for_each(|agent| agent.forget(over.index as u64));
            outcomes[over.index] = Some(over.outcome(spec.seats));
        }
    }
    Ok(outcomes.into_iter().map(|outcome| outcome.expect("every game was played")).collect())
}

impl<G: Game> Live<'_, G> {
    /// The agent that has to act.
    fn agent(&self) -> Option<usize> {
        self.game.to_move().map(|seat| self.pairing.seats[seat.index()])
    }

    fn outcome(&self, seats: usize) -> Outcome {
        let mut returns = vec![0.0; seats];
        self.game.returns(&mut returns);
        let end = self.game.end().expect("the game is over");
        Outcome { returns, end, plies: self.ply }
    }
}

/// Asks one agent about every game that waits for it, and plays the answers.
fn ask<G: Game>(
    agent: usize,
    player: &mut dyn Agent<G>,
    live: &mut [Live<'_, G>],
    actions: &mut Vec<Action>,
) -> Result<(), PlayError> {
    let mut asked: Vec<&mut Live<'_, G>> =
        live.iter_mut().filter(|live| live.agent() == Some(agent)).collect();
    if asked.is_empty() {
        return Ok(());
    }
    let queries: Vec<Query<'_, G>> =
        asked.iter().map(|live| Query { game: &live.game, key: live.index as u64, ply: live.ply }).collect();
    player.act(&queries, actions);
    if actions.len() != queries.len() {
        return Err(PlayError::Answers { agent, given: actions.len(), asked: queries.len() });
    }
    for (live, &action) in asked.iter_mut().zip(&*actions) {
        let seat = live.game.to_move().expect("the agent was asked");
        let (game, ply) = (live.index, live.ply);
        let played = live.game.try_apply(action);
        played.map_err(|problem| PlayError::Illegal { game, ply, agent, seat, problem })?;
        live.ply += 1;
    }
    Ok(())
}
