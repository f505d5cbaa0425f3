//! One game under search: simulations from its root to a leaf and back.

use nodarium_env::rng::Purpose;
use nodarium_env::{Game, Mask, Rng, Seat};

use super::halving::Schedule;
use super::improve::Strength;
use super::sets::{Sets, fingerprint};
use super::tree::{OVER, Tree, UNTRIED};
use super::{Options, Sizes};
use crate::Query;
use crate::bots::Rollouts;

/// What is the same for all games of a search.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub sizes: Sizes,
    pub options: Options,
    pub schedule: Schedule,
}

impl Plan {
    fn strength(&self) -> Strength {
        let Options { c_visit, c_scale, rescale, .. } = self.options;
        Strength { c_visit, c_scale, rescale }
    }
}

/// A tree and the states that belong to it.
#[derive(Clone, Debug)]
pub(super) struct Walk<G> {
    tree: Tree,
    /// Perfect information: the state of every node. Hidden: the root alone.
    states: Vec<G>,
    /// Hidden information: the information sets, what the seat at the leaf sees, and what a world that ended paid.
    sets: Sets,
    view: Vec<f32>,
    returns: Vec<f32>,
    /// What random play from the leaf paid on average, seat 0 first, and room to mix it in.
    rolled: Vec<f32>,
    mixed: Vec<f32>,
    rollouts: Rollouts,
    /// The leaf that waits for the evaluator.
    waiting: Option<Leaf>,
    /// Simulations to do, and done.
    budget: usize,
    done: usize,
    key: (u64, u32),
}

/// A new position, not judged yet.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    seat: Seat,
    mask: Mask,
}

impl Leaf {
    fn of<G: Game>(game: &G) -> Option<Self> {
        let seat = game.to_move()?;
        let mut mask = Mask::EMPTY;
        game.legal(&mut mask);
        Some(Self { seat, mask })
    }
}

impl<G: Game> Walk<G> {
    pub fn new() -> Self {
        Self {
            tree: Tree::default(),
            states: Vec::new(),
            sets: Sets::default(),
            view: Vec::new(),
            waiting: None,
            budget: 0,
            done: 0,
            returns: Vec::new(),
            rolled: Vec::new(),
            mixed: Vec::new(),
            rollouts: Rollouts::default(),
            key: (0, 0),
        }
    }

    /// Takes up a game; its root is the first leaf.
    pub fn begin(&mut self, plan: &Plan, query: &Query<'_, G>) {
        let root = Leaf::of(query.game).expect("nobody asks about a game that is over");
        self.tree.clear();
        self.states.clear();
        self.states.push(query.game.clone());
        // A forced ply leaves nothing to improve.
        self.budget = if root.mask.count() > 1 { plan.options.simulations as usize } else { 0 };
        self.done = 0;
        self.key = (query.key, query.ply);
        if plan.sizes.hidden {
            self.sets.clear(self.budget);
            self.view.resize(plan.sizes.observation, 0.0);
            self.returns.resize(plan.sizes.seats, 0.0);
            query.game.observe(root.seat, &mut self.view);
        }
        self.rollouts = Rollouts::default();
        self.roll_out(plan, query.game);
        self.waiting = Some(root);
    }

    /// Plays from a new leaf to the end, at random, as often as the options say.
    fn roll_out(&mut self, plan: &Plan, leaf: &G) {
        let Options { rollouts, seed, .. } = plan.options;
        if rollouts == 0 || self.budget == 0 {
            return;
        }
        let (key, ply) = self.key;
        let number = u64::from(ply) << 32 | self.tree.nodes.len() as u64;
        let mut rng = Rng::keyed(Purpose::Rollout, seed, key, number);
        self.rolled.clear();
        self.rolled.resize(plan.sizes.seats, 0.0);
        for _ in 0..rollouts {
            let paid = self.rollouts.play(&mut leaf.clone(), plan.sizes.seats, None, &mut rng);
            self.rolled.iter_mut().zip(paid).for_each(|(sum, paid)| *sum += paid / rollouts as f32);
        }
    }

    /// The evaluator's values, the viewer's first, with what random play paid mixed in.
    fn mix(&mut self, plan: &Plan, values: &[f32], viewer: Seat) {
        let Options { rollouts, rollout_share, .. } = plan.options;
        self.mixed.clear();
        self.mixed.extend_from_slice(values);
        if rollouts == 0 || self.budget == 0 {
            return;
        }
        let seats = values.len();
        for (place, value) in self.mixed.iter_mut().enumerate() {
            *value += rollout_share * (self.rolled[(viewer.index() + place) % seats] - *value);
        }
    }

    /// The tree as the search left it.
    #[cfg(test)]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Whether a leaf waits for the evaluator.
    pub fn is_waiting(&self) -> bool {
        self.waiting.is_some()
    }

    /// Writes what the seat to act at the leaf sees.
    pub fn observe(&self, plan: &Plan, out: &mut [f32]) {
        if plan.sizes.hidden {
            out.copy_from_slice(&self.view);
        } else if let (Some(leaf), Some(state)) = (&self.waiting, self.states.last()) {
            state.observe(leaf.seat, out);
        }
    }

    /// Takes in the evaluator's judgement of the leaf and ends its simulation.
    #[inline]
    pub fn absorb(&mut self, plan: &Plan, logits: &[f32], values: &[f32]) {
        let Some(Leaf { seat, mask }) = self.waiting.take() else { return };
        self.mix(plan, values, seat);
        let values = &self.mixed[..];
        let node = self.tree.expand(seat, values[0], &mask, logits);
        if node == 0 {
            let Options { gumbel_scale, considered, seed, .. } = plan.options;
            let mut rng = Rng::keyed(Purpose::Choice, seed, self.key.0, self.key.1.into());
            let noise = || if gumbel_scale == 0.0 { 0.0 } else { gumbel_scale * gumbel(&mut rng) };
            self.tree.plant(values, considered as usize, noise);
        } else {
            self.tree.back_up(values, seat);
            self.done += 1;
        }
    }

    /// Simulates until a leaf waits or nothing is left to do. Games that end in the tree need no evaluator.
    #[inline]
    pub fn advance(&mut self, plan: &Plan) {
        while self.waiting.is_none() && self.done < self.budget {
            let visits = plan.schedule.visits(self.tree.considered(), self.done);
            if plan.sizes.hidden {
                self.simulate_world(plan, visits);
            } else {
                self.simulate(plan, visits);
            }
        }
    }

    /// One simulation with perfect information.
    #[inline]
    fn simulate(&mut self, plan: &Plan, visits: u32) {
        let (strength, seats) = (plan.strength(), plan.sizes.seats);
        let mut node = 0;
        let mut edge = self.tree.select_root(&strength, visits);
        loop {
            let child = self.tree.edges[edge].child;
            if child == UNTRIED {
                let mut state = self.states[node as usize].clone();
                state.apply(self.tree.edges[edge].action);
                let leaf = Leaf::of(&state);
                if leaf.is_none() {
                    let mark = self.tree.end(|out| state.returns(out), seats);
                    self.tree.edges[edge].child = mark;
                    continue;
                }
                self.tree.edges[edge].child = self.states.len() as u32;
                self.roll_out(plan, &state);
                self.states.push(state);
                self.waiting = leaf;
                return;
            }
            if child & OVER != 0 {
                self.tree.back_up_end(child, seats);
                self.done += 1;
                return;
            }
            node = child;
            edge = self.tree.select(&strength, node);
        }
    }

    /// One simulation in a world that the seat to act cannot tell from the true one: the next one for the action that it begins
    /// with. All actions are tried in the same worlds, so that luck does not decide between them.
    fn simulate_world(&mut self, plan: &Plan, visits: u32) {
        let strength = plan.strength();
        let mut world = self.states[0].clone();
        let searcher = world.to_move().expect("the root goes on");
        let (key, ply) = self.key;
        let number = u64::from(ply) << 32 | u64::from(visits);
        world.redeal_hidden(searcher, &mut Rng::keyed(Purpose::World, plan.options.seed, key, number));
        let mut edge = self.tree.select_root(&strength, visits);
        for depth in 1.. {
            world.apply(self.tree.edges[edge].action);
            let Some(leaf) = Leaf::of(&world) else {
                world.returns(&mut self.returns);
                self.tree.back_up(&self.returns, Seat(0));
                self.done += 1;
                return;
            };
            world.observe(leaf.seat, &mut self.view);
            let set = fingerprint(depth, leaf.seat, &leaf.mask, &self.view);
            let Some(node) = self.sets.find_or_insert(set, self.tree.nodes.len() as u32) else {
                self.roll_out(plan, &world);
                self.waiting = Some(leaf);
                return;
            };
            edge = self.tree.select(&strength, node);
        }
    }

    /// Writes what the search found.
    pub fn harvest(&mut self, plan: &Plan, found: &mut super::Found) {
        self.tree.harvest(&plan.strength(), found);
    }
}

/// A standard Gumbel variable from 24 random bits, none of which gives an infinity.
fn gumbel(rng: &mut Rng) -> f32 {
    let unit = f64::from(rng.unit()) + 0.5 / f64::from(1 << 24);
    -(-unit.ln()).ln() as f32
}
