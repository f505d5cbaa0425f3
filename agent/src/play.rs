//! The loop that lets agents play each other.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nodarium_env::rng::Purpose;
use nodarium_env::{Action, End, Game, IllegalAction, Rng, Seat, random_action};
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

/// A game to play, and the number under which agents are asked about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// [`Query::key`] of every question about this game; no two games that go on at once may share one.
    pub key: u64,
    /// Who plays which deal.
    pub pairing: Pairing,
}

/// How games are played, whoever plays them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner<'a> {
    /// The most time that an answer may take. Agents are then asked about one game at a time, so that the clock is theirs
    /// alone.
    pub clock: Option<Duration>,
    /// Plies of random play after the deal, the same for every game of that deal: where the deal leaves nothing to
    /// chance, agents that always do the same would otherwise play the same game again and again.
    pub opening: u32,
    /// Set from outside to stop: games that are not over then are given up.
    pub stop: Option<&'a AtomicBool>,
}

/// How a game came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// By its rules.
    Over(End),
    /// By what an agent did against them.
    Forfeit(Forfeit),
}

/// A game lost without regard to the position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ply {ply}, seat {}: {foul}", .seat.0)]
pub struct Forfeit {
    /// Who lost it.
    pub seat: Seat,
    /// The index of the agent.
    pub agent: usize,
    /// Plies played before.
    pub ply: u32,
    /// For what.
    pub foul: Foul,
}

/// What loses a game at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Foul {
    /// An action that the state does not allow.
    #[error("{0}")]
    Illegal(IllegalAction),
    /// An answer that took too long.
    #[error("took {:.3} s to answer, allowed are {:.3} s", .took.as_secs_f64(), .allowed.as_secs_f64())]
    Clock {
        /// How long it took.
        took: Duration,
        /// How long it may take.
        allowed: Duration,
    },
}

/// A game from the deal to the end.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// What each seat won. Who forfeits loses 1, which the others share.
    pub returns: Vec<f32>,
    /// How it ended.
    pub finish: Finish,
    /// Every action, those of the opening included.
    pub actions: Vec<Action>,
}

/// A game that is being played.
struct Live<'a, G> {
    index: usize,
    table: &'a Table,
    game: G,
    actions: Vec<Action>,
    foul: Option<Forfeit>,
}

/// Plays the pairings and says how each went, in their order.
///
/// Up to 256 games go on side by side, and each agent is asked about all games that wait for it in one call. Deals depend
/// on `seed` and [`Pairing::deal`] alone; the key of a query is the index of its pairing. Agents that keep the promise of
/// [`Agent`] make the outcomes independent of the number of threads. An illegal action ends everything. `opening` is
/// [`Manner::opening`].
pub fn play<G: Game>(
    rules: &G::Rules,
    seed: u64,
    opening: u32,
    agents: &mut [&mut dyn Agent<G>],
    pairings: &[Pairing],
) -> Result<Vec<Outcome>, PlayError> {
    let keyed = |(key, pairing): (usize, &Pairing)| Table { key: key as u64, pairing: pairing.clone() };
    let tables: Vec<Table> = pairings.iter().enumerate().map(keyed).collect();
    let mut outcomes: Vec<Option<Outcome>> = vec![None; pairings.len()];
    let mut illegal = None;
    let manner = Manner { opening, ..Manner::default() };
    referee(rules, seed, agents, &tables, &manner, &mut |game, told| {
        let (returns, plies) = (told.returns, told.actions.len() as u32);
        match told.finish {
            Finish::Over(end) => outcomes[game] = Some(Outcome { returns, end, plies }),
            Finish::Forfeit(Forfeit { seat, agent, ply, foul: Foul::Illegal(problem) }) => {
                illegal = Some(PlayError::Illegal { game, ply, agent, seat, problem });
                return ControlFlow::Break(());
            }
            Finish::Forfeit(_) => unreachable!("there is no clock"),
        }
        ControlFlow::Continue(())
    })?;
    match illegal {
        Some(error) => Err(error),
        None => Ok(outcomes.into_iter().map(|outcome| outcome.expect("every game was played")).collect()),
    }
}

/// Plays the games of the tables and hands each to `over` with its index as soon as it is finished.
///
/// The same as [`play`], but an illegal action or an answer that took too long loses that game alone. Ends early, without
/// an error, when `over` breaks or [`Manner::stop`] is set.
pub fn referee<G: Game>(
    rules: &G::Rules,
    seed: u64,
    agents: &mut [&mut dyn Agent<G>],
    tables: &[Table],
    manner: &Manner<'_>,
    over: &mut dyn FnMut(usize, Told) -> ControlFlow<()>,
) -> Result<(), PlayError> {
    let spec = G::spec(rules);
    let fits = |seats: &[usize]| seats.len() == spec.seats && seats.iter().all(|&agent| agent < agents.len());
    if let Some(game) = tables.iter().position(|table| !fits(&table.pairing.seats)) {
        let (seats, agents) = (tables[game].pairing.seats.clone(), agents.len());
        return Err(PlayError::Seats { game, seats, expected: spec.seats, agents });
    }
    let mut waiting: VecDeque<(usize, &Table)> = tables.iter().enumerate().collect();
    let mut live: Vec<Live<'_, G>> = Vec::new();
    let mut actions = Vec::new();
    let mut stopped = false;
    loop {
        let room = AT_ONCE - live.len();
        let next: Vec<_> = waiting.drain(..room.min(waiting.len())).collect();
        let deal = |(index, table)| Live::deal(rules, seed, manner.opening, index, table);
        live.par_extend(next.into_par_iter().map(deal));
        stopped |= manner.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        if live.is_empty() || stopped {
            break;
        }
        for (agent, player) in agents.iter_mut().enumerate() {
            ask(agent, *player, &mut live, &mut actions, manner.clock)?;
        }
        if let Some(long) = live.iter().find(|live| live.actions.len() > spec.longest_game) {
            return Err(PlayError::TooLong { game: long.index, plies: long.actions.len() as u32 });
        }
        for done in live.extract_if(.., |live| live.foul.is_some() || live.game.to_move().is_none()) {
            agents.iter_mut().for_each(|agent| agent.forget(done.table.key));
            stopped |= !stopped && over(done.index, done.told(spec.seats)).is_break();
        }
    }
    for given_up in &live {
        agents.iter_mut().for_each(|agent| agent.forget(given_up.table.key));
    }
    Ok(())
}

impl<'a, G: Game> Live<'a, G> {
    fn deal(rules: &G::Rules, seed: u64, opening: u32, index: usize, table: &'a Table) -> Self {
        let deal = table.pairing.deal;
        let mut game = G::deal(rules, &mut Rng::keyed(Purpose::Deal, seed, deal, 0));
        // No agent asks for this stream: its episodes are plies.
        let mut choices = Rng::keyed(Purpose::Choice, seed, deal, u64::MAX);
        let mut actions = Vec::new();
        for _ in 0..opening {
            let Some(action) = random_action(&game, &mut choices) else { break };
            game.apply(action);
            actions.push(action);
        }
        Self { index, table, game, actions, foul: None }
    }

    /// The agent that has to act.
    fn agent(&self) -> Option<usize> {
        self.game.to_move().map(|seat| self.table.pairing.seats[seat.index()])
    }

    fn query(&self) -> Query<'_, G> {
        Query { game: &self.game, key: self.table.key, ply: self.actions.len() as u32 }
    }

    /// Plays an answer; a foul ends the game.
    fn answer(&mut self, agent: usize, action: Action, clock: Option<(Duration, Duration)>) {
        let seat = self.game.to_move().expect("the agent was asked");
        let late = clock.filter(|(took, allowed)| took > allowed);
        let foul = match late {
            Some((took, allowed)) => Some(Foul::Clock { took, allowed }),
            None => self.game.try_apply(action).err().map(Foul::Illegal),
        };
        match foul {
            None => self.actions.push(action),
            Some(foul) => {
                self.foul = Some(Forfeit { seat, agent, ply: self.actions.len() as u32, foul });
            }
        }
    }

    fn told(self, seats: usize) -> Told {
        let mut returns = vec![0.0; seats];
        let finish = match self.foul {
            Some(forfeit) => {
                returns.fill(1.0 / (seats - 1) as f32);
                returns[forfeit.seat.index()] = -1.0;
                Finish::Forfeit(forfeit)
            }
            None => {
                self.game.returns(&mut returns);
                Finish::Over(self.game.end().expect("the game is over"))
            }
        };
        Told { returns, finish, actions: self.actions }
    }
}

/// Asks one agent about every game that waits for it, and plays the answers.
fn ask<G: Game>(
    agent: usize,
    player: &mut dyn Agent<G>,
    live: &mut [Live<'_, G>],
    actions: &mut Vec<Action>,
    clock: Option<Duration>,
) -> Result<(), PlayError> {
    let mut asked: Vec<&mut Live<'_, G>> =
        live.iter_mut().filter(|live| live.foul.is_none() && live.agent() == Some(agent)).collect();
    let at_once = if clock.is_some() { 1 } else { asked.len().max(1) };
    for asked in asked.chunks_mut(at_once) {
        let queries: Vec<Query<'_, G>> = asked.iter().map(|live| live.query()).collect();
        let start = Instant::now();
        player.act(&queries, actions);
        let times = clock.map(|allowed| (start.elapsed(), allowed));
        if actions.len() != queries.len() {
            return Err(PlayError::Answers { agent, given: actions.len(), asked: queries.len() });
        }
        for (live, &action) in asked.iter_mut().zip(&*actions) {
            live.answer(agent, action, times);
        }
    }
    Ok(())
}
