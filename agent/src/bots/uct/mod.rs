//! `uct`: tree search with random rollouts.

mod infoset;
mod tree;
mod whole;

use std::collections::BTreeMap;
use std::time::Instant;

use nodarium_env::rng::Purpose;
use nodarium_env::{Action, Game, Information, Mask, Rng, Seat};
use rayon::prelude::*;

use self::infoset::InfoTree;
use self::tree::Tree;
use self::whole::Whole;
use super::greedy::Appraiser;
use super::rollout::{Judge, MAX_SEATS, Returns, Rollouts};
use super::{Budget, Greedy};
use crate::{Agent, Query, Thought};

/// What a search has to know beside the state.
#[derive(Clone, Debug)]
struct Search<G> {
    seed: u64,
    budget: Budget,
    exploration: f32,
    seats: usize,
    information: Information,
    /// Whether something is hidden and the game so short that it is searched from the deal on.
    whole: bool,
    /// Numbers of an observation.
    observation: usize,
    /// The tree does not grow beyond this many nodes.
    most_nodes: usize,
    judge: Option<Judge<G>>,
}

/// Tree search with random rollouts: walks down by upper confidence bounds, adds a leaf, plays at random to the end, and
/// plays what it has visited most. Each seat is thought to maximise its own return.
///
/// What was found out is kept for the next ply of the same game ([`Query::key`]); an answer is a function of the seed, the
/// query, and the earlier queries about the same game. The same question asked again is answered from memory. With
/// hidden information one tree is walked in many worlds, each re-dealt for the seat that asks.
#[derive(Clone, Debug)]
pub struct Uct<G: Game> {
    rules: G::Rules,
    search: Search<G>,
    games: BTreeMap<(u64, u8), Memory<G>>,
    /// Memories of games that are over, for the vectors in them.
    spare: Vec<Memory<G>>,
}

impl<G: Game> Uct<G> {
    /// The weight of the exploring term, for returns between −1 and 1. Larger returns scale it.
    pub const EXPLORATION: f32 = 0.7;
    /// The same where rollouts are judged: a judgement has less noise than a game, and differs less.
    pub const JUDGED_EXPLORATION: f32 = 0.2;
    /// Games of at most so many plies in which something is hidden are searched from the deal on: a thousand simulations
    /// visit all that can happen in them many times over.
    const SHORT: usize = 4;
    /// Nodes of a tree at most, a third of a gigabyte.
    const MOST_NODES: usize = 1 << 24;

    /// The bot; the same seed and budget in simulations give the same answers.
    pub fn new(rules: &G::Rules, budget: Budget, seed: u64) -> Self {
        let spec = G::spec(rules);
        let search = Search {
            seed,
            budget,
            exploration: Self::EXPLORATION,
            seats: spec.seats,
            information: spec.information,
            whole: spec.information == Information::Hidden && spec.longest_game <= Self::SHORT,
            observation: spec.observation.len(),
            most_nodes: Self::MOST_NODES,
            judge: None,
        };
        Self { rules: rules.clone(), search, games: BTreeMap::new(), spare: Vec::new() }
    }

    /// The same bot with another weight of the exploring term.
    #[must_use]
    pub fn with_exploration(mut self, exploration: f32) -> Self {
        self.search.exploration = exploration;
        self
    }

    /// The same bot as the game would have it: where random play to the end says little
    /// ([`Greedy::judged_after`]), rollouts stop there and are judged.
    #[must_use]
    pub fn as_judged(mut self, rules: &G::Rules) -> Self
    where
        G: Greedy,
    {
        let after = G::judged_after(rules);
        if after.is_some() {
            self.search.exploration = Self::JUDGED_EXPLORATION;
        }
        self.search.judge = after.map(|after| Judge {
            after,
            settled_turns: G::SETTLED_TURNS,
            appraiser: Appraiser::new(rules),
        });
        self
    }

    /// Searches for every query, and hands what was found to `tell`.
    fn answer(&mut self, queries: &[Query<'_, G>], mut tell: impl FnMut(&Memory<G>)) {
        let mut jobs: Vec<_> = queries
            .iter()
            .map(|query| {
                let known = self.games.remove(&self.search.place(query)).or_else(|| self.spare.pop());
                (query, known.unwrap_or_else(|| Memory::new(&self.search, query.game)))
            })
            .collect();
        let (search, rules) = (&self.search, &self.rules);
        jobs.par_iter_mut().with_max_len(1).for_each(|(query, memory)| memory.think(search, rules, query));
        for (query, memory) in jobs {
            tell(&memory);
            self.games.insert(self.search.place(query), memory);
        }
    }
}

impl<G: Game> Search<G> {
    /// Where the memory of a query's game is: with hidden information each seat has its own.
    fn place(&self, query: &Query<'_, G>) -> (u64, u8) {
        match self.information {
            Information::Perfect => (query.key, 0),
            Information::Hidden => (query.key, asked(query.game).0),
        }
    }
}

fn asked<G: Game>(game: &G) -> Seat {
    game.to_move().expect("nobody asks about a game that is over")
}

/// What was found out about a game.
#[derive(Clone, Debug)]
struct Memory<G> {
    /// The query that the tree stands at: its key and ply, then the state and what the seat saw of it.
    asked: Option<(u64, u32)>,
    root: G,
    seen: u64,
    forest: Forest,
    /// What was answered.
    answer: Option<Action>,
    /// What the simulations of the last search paid.
    paid: [f64; MAX_SEATS],
    simulations: u32,
    /// The largest return yet, at least 1: games for more than a point need more exploring.
    largest: f32,
    seconds: f64,
    /// The state that simulations play on.
    state: G,
}

#[derive(Clone, Debug)]
enum Forest {
    Perfect(Tree),
    Hidden(InfoTree),
    Short(Whole),
}

impl Forest {
    fn new<G>(search: &Search<G>) -> Self {
        match search.information {
            Information::Perfect => Self::Perfect(Tree::default()),
            Information::Hidden if search.whole => Self::Short(Whole::new(search.observation)),
            Information::Hidden => Self::Hidden(InfoTree::new(search.observation)),
        }
    }

    fn rollouts(&mut self) -> Option<&mut Rollouts> {
        match self {
            Self::Perfect(tree) => Some(&mut tree.rollouts),
            Self::Hidden(tree) => Some(&mut tree.rollouts),
            Self::Short(_) => None,
        }
    }
}

impl<G: Game> Memory<G> {
    fn new(search: &Search<G>, game: &G) -> Self {
        Self {
            asked: None,
            root: game.clone(),
            seen: 0,
            forest: Forest::new(search),
            answer: None,
            paid: [0.0; MAX_SEATS],
            simulations: 0,
            largest: 1.0,
            seconds: 0.0,
            state: game.clone(),
        }
    }

    /// Finds out about the query: moves the tree on to it, or begins afresh, and spends the budget.
    fn think(&mut self, search: &Search<G>, rules: &G::Rules, query: &Query<'_, G>) {
        let start = Instant::now();
        let viewer = asked(query.game);
        let plies = match self.asked {
            Some((key, ply)) if key == query.key => query.ply.checked_sub(ply),
            _ => None,
        };
        let seen = match &mut self.forest {
            Forest::Perfect(_) => 0,
            Forest::Hidden(tree) => tree.seen(query.game, viewer),
            Forest::Short(tree) => tree.place(query.game, viewer).1,
        };
        if plies == Some(0) && seen == self.seen && (seen != 0 || self.root == *query.game) {
            return;
        }
        let kept = plies.filter(|&plies| plies > 0).is_some_and(|plies| match &mut self.forest {
            Forest::Perfect(tree) => tree.advance(&self.root, query.game, plies),
            Forest::Hidden(tree) => tree.advance(seen, plies),
            // It begins with the deal, which has not changed.
            Forest::Short(_) => true,
        });
        if !kept {
            match &mut self.forest {
                Forest::Perfect(tree) => tree.clear(),
                Forest::Hidden(tree) => tree.clear(),
                Forest::Short(tree) => tree.clear(),
            }
            if search.whole && matches!(self.forest, Forest::Hidden(_)) {
                self.forest = Forest::new(search);
            }
            self.largest = 1.0;
        }
        self.asked = Some((query.key, query.ply));
        self.root.clone_from(query.game);
        self.seen = seen;
        self.spend(search, rules, query, viewer);
        self.seconds = start.elapsed().as_secs_f64();
    }

    fn spend(&mut self, search: &Search<G>, rules: &G::Rules, query: &Query<'_, G>, viewer: Seat) {
        let mut choices = Rng::keyed(Purpose::Choice, search.seed, query.key, query.ply.into());
        let mut worlds = Rng::keyed(Purpose::World, search.seed, query.key, query.ply.into());
        (self.paid, self.simulations) = ([0.0; MAX_SEATS], 0);
        if let Forest::Short(tree) = &mut self.forest
            && !tree.begin(rules, &self.root, query.ply.min(Uct::<G>::SHORT as u32), &mut worlds)
        {
            // No deal leads here in so many plies: whoever asks counts otherwise.
            self.forest = Forest::Hidden(InfoTree::new(search.observation));
        }
        let Self { root, state, forest, paid, simulations, largest, .. } = self;
        // What the other seats think of the state before is judged in a world of the viewer's, too.
        state.clone_from(root);
        state.redeal_hidden(viewer, &mut worlds);
        if let Some(rollouts) = forest.rollouts() {
            rollouts.begin(state, search.seats, search.judge.as_ref());
        }
        search.budget.spend(|| {
            let returns: Returns = match forest {
                Forest::Perfect(tree) => tree.simulate(search, root, state, *largest, &mut choices),
                Forest::Hidden(tree) => {
                    state.clone_from(root);
                    state.redeal_hidden(viewer, &mut worlds);
                    tree.simulate(search, viewer, state, *largest, &mut choices)
                }
                Forest::Short(tree) => tree.simulate(search, rules, state, &mut worlds, &mut choices),
            };
            *simulations += 1;
            for (sum, paid) in paid.iter_mut().zip(returns) {
                *sum += f64::from(paid);
                *largest = largest.max(paid.abs());
            }
        });
        self.answer = match &self.forest {
            Forest::Short(tree) => tree.draw(&mut choices),
            _ => self.best(),
        };
    }

    /// The tried actions of the root with their visits and mean returns.
    fn tried(&self) -> Vec<(Action, u32, f32)> {
        match &self.forest {
            Forest::Perfect(tree) => tree.tried().collect(),
            Forest::Hidden(tree) => tree.tried(asked(&self.root)).collect(),
            Forest::Short(tree) => tree.tried().collect(),
        }
    }

    /// The most visited action; of several, the one that paid more, then the one with the smaller index.
    fn best(&self) -> Option<Action> {
        let better = |a: &(Action, u32, f32), b: &(Action, u32, f32)| {
            a.1.cmp(&b.1).then(a.2.total_cmp(&b.2)).then(b.0.cmp(&a.0))
        };
        self.tried().into_iter().max_by(better).map(|(action, ..)| action)
    }

    fn thought(&self, seats: usize) -> Thought {
        let mut mask = Mask::EMPTY;
        self.root.legal(&mut mask);
        let tried = self.tried();
        let all = tried.iter().map(|&(_, visits, _)| visits).sum::<u32>().max(1) as f32;
        let visits_of = |action| tried.iter().find(|tried| tried.0 == action).map_or(0, |tried| tried.1);
        let visits: Vec<u32> = mask.iter().map(visits_of).collect();
        let mean = |&sum: &f64| (sum / f64::from(self.simulations)) as f32;
        Thought {
            policy: mask.iter().zip(&visits).map(|(action, &n)| (action, n as f32 / all)).collect(),
            value: self.paid[..seats].iter().map(mean).collect(),
            visits,
            time: std::time::Duration::from_secs_f64(self.seconds),
        }
    }
}

impl<G: Game> Agent<G> for Uct<G> {
    fn act(&mut self, queries: &[Query<'_, G>], actions: &mut Vec<Action>) {
        actions.clear();
        self.answer(queries, |memory| actions.push(memory.answer.expect("a search tries something")));
    }

    fn think(&mut self, queries: &[Query<'_, G>], thoughts: &mut Vec<Thought>) {
        thoughts.clear();
        let seats = self.search.seats;
        self.answer(queries, |memory| thoughts.push(memory.thought(seats)));
    }

    fn forget(&mut self, key: u64) {
        for seat in 0..MAX_SEATS as u8 {
            let known = self.games.remove(&(key, seat));
            self.spare.extend(known.map(|memory| Memory { asked: None, answer: None, ..memory }));
        }
    }
}
