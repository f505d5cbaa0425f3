//! The search for short games with hidden information: from the deal on, every seat with its own information sets.
//!
//! In a long game one searches from where one stands, in worlds that are all equally likely. In a game of a few plies that
//! misses the point: what the others have done says what they hold, and what they will do depends on what they think
//! that the asking seat holds. So here every simulation begins with a deal and goes to the end, and every seat chooses by
//! what it knows itself, at nodes of its own.
//!
//! Choices are by regret matching, which settles near a mixed strategy where an upper confidence bound would not
//! (Monte Carlo counterfactual regret minimisation with external sampling: Lanctot, Waugh, Zinkevich, Bowling, NIPS 2009;
//! regrets that fall below zero are forgotten and later strategies count more, as in CFR+). A simulation is one deal in
//! which one seat tries everything that it could do and the others draw what they do.
//!
//! The asking seat is the one that tries in half of them, every second time in a deal that would look to it as the game
//! does now, where up to the question it does what it has done. Those deals come back to the question in which the others
//! do what they did: worlds count by how likely they are. The others learn from any deal: they do not know what the
//! asking seat holds. The answer is drawn from the average strategy: a player who always does the best-looking thing can be
//! read.

use std::collections::BTreeMap;

use nodarium_env::{Action, Game, Mask, Rng, Seat};

use super::Search;
use crate::bots::rollout::{MAX_SEATS, Returns, returns};

/// Deals that are tried to find one that looks as the game does now.
const TRIES: usize = 10_000;

/// The question is visited at least once in so many simulations, however unlikely the others' play was.
const SELDOM: u32 = 32;

/// Smaller shares are left over from the first strategies, and not played.
const LEAST_SHARE: f32 = 0.1;

/// What a seat knows, and what it thinks of its actions there.
#[derive(Clone, Debug, Default)]
struct Node {
    edges: Vec<Edge>,
    visits: u32,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    action: Action,
    /// How much better it would have been to do this always.
    regret: f32,
    /// How often it was done, later times counting more.
    share: f32,
    /// What it paid, summed over the visits.
    paid: f32,
}

impl Node {
    /// The probability of an edge: its share of the regrets.
    fn probability(&self, edge: usize) -> f32 {
        let all: f32 = self.edges.iter().map(|edge| edge.regret).sum();
        if all > 0.0 { self.edges[edge].regret / all } else { 1.0 / self.edges.len() as f32 }
    }

    fn draw(&self, rng: &mut Rng) -> usize {
        let mut rest = rng.unit();
        let drawn = (0..self.edges.len()).find(|&edge| {
            rest -= self.probability(edge);
            rest < 0.0
        });
        // Shares sum to 1 but for rounding; what rounding leaves over goes to the first that can be.
        drawn.or_else(|| (0..self.edges.len()).find(|&edge| self.probability(edge) > 0.0)).unwrap_or(0)
    }
}

/// A node's place: the seat that acts there and what it sees.
type Place = (u8, u64);

/// The nodes of all seats, by what each sees.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    nodes: BTreeMap<Place, Node>,
    /// What was played up to the question.
    played: Vec<Action>,
    /// What the asking seat sees at the question.
    question: Place,
    /// Simulations since the question, and since the tree was begun.
    simulations: u32,
    all_simulations: u32,
    observation: Vec<f32>,
}

/// How the others and the seat that tries go through one simulation.
struct Walk<'a, G> {
    search: &'a Search<G>,
    /// The seat that tries everything.
    tries: Seat,
    /// Up to the question it does what it has done.
    retraces: bool,
    /// And so do the others.
    all_retrace: bool,
    rng: &'a mut Rng,
}

impl Whole {
    pub(super) fn new(observation: usize) -> Self {
        Self {
            nodes: BTreeMap::new(),
            played: Vec::new(),
            question: (0, 0),
            simulations: 0,
            all_simulations: 0,
            observation: vec![0.0; observation],
        }
    }

    /// Throws everything away.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.all_simulations = 0;
    }

    /// Begins with a question about a state after `plies` plies, and says whether a game can be found that looks so.
    pub(super) fn begin<G: Game>(&mut self, rules: &G::Rules, game: &G, plies: u32, rng: &mut Rng) -> bool {
        let viewer = game.to_move().expect("nobody asks about a game that is over");
        self.question = self.place(game, viewer);
        self.simulations = 0;
        (0..TRIES).any(|_| {
            self.played.clear();
            self.retrace(&G::deal(rules, rng), plies)
        })
    }

    /// Finds the actions that lead from a deal to what is seen at the question.
    fn retrace<G: Game>(&mut self, game: &G, plies: u32) -> bool {
        let Some(seat) = game.to_move() else { return false };
        if plies == 0 {
            return self.place(game, seat) == self.question;
        }
        let mut mask = Mask::EMPTY;
        game.legal(&mut mask);
        mask.iter().any(|action| {
            let mut next = game.clone();
            next.apply(action);
            self.played.push(action);
            let found = self.retrace(&next, plies - 1);
            if !found {
                self.played.pop();
            }
            found
        })
    }

    /// Whether the deal, played as it was, leads to the question.
    fn fits<G: Game>(&mut self, deal: &G) -> bool {
        let mut game = deal.clone();
        let played = (0..self.played.len()).all(|i| game.try_apply(self.played[i]).is_ok());
        played && game.to_move().is_some_and(|seat| self.place(&game, seat) == self.question)
    }

    /// One simulation: a deal, played to the end by everything that one seat could do. Says what each seat can expect at
    /// the question by now.
    pub(super) fn simulate<G: Game>(
        &mut self,
        search: &Search<G>,
        rules: &G::Rules,
        state: &mut G,
        worlds: &mut Rng,
        rng: &mut Rng,
    ) -> Returns {
        self.simulations += 1;
        self.all_simulations += 1;
        let viewer = Seat(self.question.0);
        // The asking seat every second time, the others in turns.
        let turn = self.simulations as usize / 2;
        let (tries, retraces) = if self.simulations.is_multiple_of(2) {
            let ahead = 1 + turn % (search.seats - 1);
            (Seat(((viewer.index() + ahead) % search.seats) as u8), false)
        } else {
            (viewer, turn.is_multiple_of(2))
        };
        *state = G::deal(rules, worlds);
        if retraces {
            for _ in 0..TRIES {
                if self.fits(state) {
                    break;
                }
                *state = G::deal(rules, worlds);
            }
        }
        let visits = self.nodes.get(&self.question).map_or(0, |node| node.visits);
        let all_retrace = retraces && visits * SELDOM < self.simulations;
        let mut walk = Walk { search, tries, retraces, all_retrace, rng };
        self.walk(&mut walk, state, 0, retraces);
        self.expected(search.seats)
    }

    /// What each seat can expect at the question: what the asking seat gets there, and the others' part of the opposite.
    fn expected(&self, seats: usize) -> Returns {
        let (mut worth, mut visits) = (0.0, 0);
        for (_, part, paid) in self.tried() {
            worth += part as f32 * paid;
            visits += part;
        }
        let worth = worth / visits.max(1) as f32;
        let mut expected = [0.0; MAX_SEATS];
        expected[..seats].fill(-worth / (seats - 1) as f32);
        expected[usize::from(self.question.0)] = worth;
        expected
    }

    /// What the seat that tries gets from here on.
    fn walk<G: Game>(&mut self, walk: &mut Walk<'_, G>, state: &G, ply: usize, as_played: bool) -> f32 {
        let Some(seat) = state.to_move() else {
            let returns: Returns = returns(state, walk.search.seats);
            return returns[walk.tries.index()];
        };
        let known = self.played.get(ply).copied().filter(|_| as_played);
        let next = |action: Action| {
            let mut next = state.clone();
            next.apply(action);
            (next, known == Some(action) || known.is_none() && as_played)
        };
        if let Some(action) = known.filter(|_| walk.all_retrace || walk.retraces && seat == walk.tries) {
            return self.walk(walk, &next(action).0, ply + 1, true);
        }
        let place = self.place(state, seat);
        let node = self.nodes.entry(place).or_insert_with(|| {
            let mut mask = Mask::EMPTY;
            state.legal(&mut mask);
            let edge = |action| Edge { action, regret: 0.0, share: 0.0, paid: 0.0 };
            Node { edges: mask.iter().map(edge).collect(), visits: 0 }
        });
        if seat != walk.tries {
            let action = node.edges[node.draw(walk.rng)].action;
            let (next, as_played) = next(action);
            return self.walk(walk, &next, ply + 1, as_played);
        }
        let strategy: Vec<(Action, f32)> =
            node.edges.iter().enumerate().map(|(i, edge)| (edge.action, node.probability(i))).collect();
        let mut paid = Vec::with_capacity(strategy.len());
        for &(action, _) in &strategy {
            let (next, as_played) = next(action);
            paid.push(self.walk(walk, &next, ply + 1, as_played));
        }
        let mean: f32 = strategy.iter().zip(&paid).map(|((_, share), paid)| share * paid).sum();
        let weight = self.all_simulations as f32;
        let node = self.nodes.get_mut(&place).expect("it was visited above");
        node.visits += 1;
        for ((edge, paid), (_, share)) in node.edges.iter_mut().zip(paid).zip(strategy) {
            edge.regret = (edge.regret + paid - mean).max(0.0);
            edge.share += weight * share;
            edge.paid += paid;
        }
        mean
    }

    /// The actions at the question with their part of the visits and what they paid on average.
    pub(super) fn tried(&self) -> impl Iterator<Item = (Action, u32, f32)> {
        let visited = self.nodes.get(&self.question).filter(|node| node.visits > 0);
        visited.into_iter().flat_map(|node| {
            let all: f32 = node.edges.iter().map(|edge| edge.share).sum();
            let visits = node.visits as f32;
            let part = move |edge: &Edge| (visits * edge.share / all).ceil() as u32;
            node.edges.iter().map(move |edge| (edge.action, part(edge), edge.paid / visits))
        })
    }

    /// An action by its part of the visits, those aside that are left over from the first strategies.
    pub(super) fn draw(&self, rng: &mut Rng) -> Option<Action> {
        let tried: Vec<_> = self.tried().collect();
        let all: u32 = tried.iter().map(|&(_, visits, _)| visits).sum();
        let serious = |&&(_, visits, _): &&(Action, u32, f32)| visits as f32 >= LEAST_SHARE * all as f32;
        let left: u32 = tried.iter().filter(serious).map(|&(_, visits, _)| visits).sum();
        let mut drawn = rng.below(left.max(1));
        let found = tried.iter().filter(serious).find(|&&(_, visits, _)| match drawn.checked_sub(visits) {
            Some(rest) => {
                drawn = rest;
                false
            }
            None => true,
        });
        found.map(|&(action, ..)| action)
    }

    /// What a seat sees, as the place of its node.
    pub(super) fn place<G: Game>(&mut self, state: &G, seat: Seat) -> Place {
        (seat.0, super::infoset::seen(state, seat, &mut self.observation))
    }
}
