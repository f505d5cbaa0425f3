//! The tree for hidden information: single-tree information-set search.
//!
//! Every simulation re-deals what the viewer (the seat that asks) cannot see, so the tree is walked in many worlds. A
//! node is what the viewer knows: the observations along the way. Two actions of another seat that look alike to the
//! viewer lead to the same node, and one action whose consequences look different leads to different ones; so nothing
//! that the viewer plans depends on what it will not know. Which actions there are depends on the world; each counts
//! how often it was available, and its bound is taken over those times.
//!
//! The other seats are thought to know what the viewer knows: they answer its hidden choices as if they had seen them.
//! That is the price of a single tree, and it errs on the side of caution.

use nodarium_env::{Action, Game, Mask, Rng, Seat};

use super::Search;
use super::tree::{bound, spread};
use crate::bots::rollout::{Judge, Returns, Rollouts};

/// A stretch of a vector that can grow: it moves to the end when it is full.
#[derive(Clone, Copy, Debug, Default)]
struct Stretch {
    first: u32,
    len: u32,
    capacity: u32,
}

impl Stretch {
    fn of<T>(self, items: &[T]) -> &[T] {
        &items[self.first as usize..][..self.len as usize]
    }

    /// Adds an item; says where.
    fn push<T: Copy + Default>(&mut self, items: &mut Vec<T>, item: T) -> usize {
        if self.len == self.capacity {
            let from = self.first as usize..(self.first + self.len) as usize;
            self.first = items.len() as u32;
            self.capacity = (2 * self.capacity).max(4);
            items.extend_from_within(from);
            items.resize((self.first + self.capacity) as usize, T::default());
        }
        let at = (self.first + self.len) as usize;
        items[at] = item;
        self.len += 1;
        at
    }
}

/// What the viewer knows.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    edges: Stretch,
    outcomes: Stretch,
}

/// An action that a seat was seen to have at a node.
#[derive(Clone, Copy, Debug, Default)]
struct Edge {
    action: u16,
    seat: u8,
    visits: u32,
    /// Simulations that came to the node in a world where the seat had this action.
    available: u32,
    /// What the simulations through this edge paid the seat.
    paid: f32,
    /// Where leaves are judged: what the action looked like at a glance. It counts as one visit.
    prior: f32,
}

/// What the viewer saw after an action, and what it knows then.
#[derive(Clone, Copy, Debug, Default)]
struct Outcome {
    seen: u64,
    node: u32,
}

/// The nodes, edges and outcomes of a tree, each in one vector.
#[derive(Clone, Debug, Default)]
struct Arena {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    outcomes: Vec<Outcome>,
}

impl Arena {
    fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.outcomes.clear();
    }
}

const ROOT: usize = 0;

/// The tree; see the module.
#[derive(Clone, Debug)]
pub(super) struct InfoTree {
    arena: Arena,
    /// Where the kept part is copied to when the root moves on.
    spare: Arena,
    /// The edges of the current simulation.
    path: Vec<u32>,
    /// The edges of the node at hand that this world allows.
    available: Vec<u32>,
    observation: Vec<f32>,
    pub(super) rollouts: Rollouts,
}

impl InfoTree {
    pub(super) fn new(observation: usize) -> Self {
        let arena = Arena { nodes: vec![Node::default()], ..Arena::default() };
        Self {
            arena,
            spare: Arena::default(),
            path: Vec::new(),
            available: Vec::new(),
            observation: vec![0.0; observation],
            rollouts: Rollouts::default(),
        }
    }

    /// Throws everything away.
    pub(super) fn clear(&mut self) {
        self.arena.clear();
        self.arena.nodes.push(Node::default());
    }

    /// One simulation in one world: walk down, add a leaf, play at random to the end, add up what it paid.
    pub(super) fn simulate<G: Game>(
        &mut self,
        search: &Search<G>,
        viewer: Seat,
        state: &mut G,
        largest: f32,
        rng: &mut Rng,
    ) -> Returns {
        self.path.clear();
        let mut at = ROOT;
        let mut mask = Mask::EMPTY;
        while let Some(seat) = state.to_move() {
            state.legal(&mut mask);
            let exploration = search.exploration * largest;
            let (edge, new) = match &search.judge {
                None => self.choose(at, seat, &mask, exploration, rng),
                Some(judge) => self.choose_judged(at, state, &mask, exploration, search, judge),
            };
            self.path.push(edge as u32);
            state.apply(Action(self.arena.edges[edge].action));
            if new && self.arena.nodes.len() >= search.most_nodes {
                break;
            }
            let seen = self.seen(state, viewer);
            at = self.outcome(at, seen);
            if new {
                break;
            }
        }
        let returns = self.rollouts.play(state, search.seats, search.judge.as_ref(), rng);
        for &edge in &self.path {
            let edge = &mut self.arena.edges[edge as usize];
            edge.visits += 1;
            edge.paid += returns[usize::from(edge.seat)];
        }
        returns
    }

    /// An action without an edge at random, then whether it is new; where all have edges, the one with the highest
    /// upper confidence bound.
    fn choose(
        &mut self,
        at: usize,
        seat: Seat,
        mask: &Mask,
        exploration: f32,
        rng: &mut Rng,
    ) -> (usize, bool) {
        let tried = self.find_available(at, seat, mask);
        let Arena { nodes, edges, .. } = &mut self.arena;
        for &edge in &self.available {
            edges[edge as usize].available += 1;
        }
        let untried = mask.count() - self.available.len() as u32;
        if untried > 0 {
            let drawn = rng.below(untried) as usize;
            let action = mask.iter().filter(|&action| !tried.contains(action)).nth(drawn);
            let Action(action) = action.expect("as many are untried");
            let edge = Edge { action, seat: seat.0, available: 1, ..Edge::default() };
            return (nodes[at].edges.push(edges, edge), true);
        }
        let mut best = (0, f32::NEG_INFINITY);
        for &i in &self.available {
            let edge = &edges[i as usize];
            let bound = bound(edge.paid, edge.visits, spread(exploration, edge.available));
            if bound > best.1 {
                best = (i as usize, bound);
            }
        }
        (best.0, false)
    }

    /// Where leaves are judged: the edge with the highest upper confidence bound, in which what the action looked like at
    /// a glance counts as a visit; then whether it is new. So the search need not try everything before it looks deeper,
    /// and begins with what looks best.
    fn choose_judged<G: Game>(
        &mut self,
        at: usize,
        state: &G,
        mask: &Mask,
        exploration: f32,
        search: &Search<G>,
        judge: &Judge<G>,
    ) -> (usize, bool) {
        let seat = state.to_move().expect("somebody acts");
        let known = self.find_available(at, seat, mask);
        for action in mask.iter().filter(|&action| !known.contains(action)) {
            let prior = self.rollouts.glance(state, action, search.seats, judge);
            let edge = Edge { action: action.0, seat: seat.0, prior, ..Edge::default() };
            self.arena.nodes[at].edges.push(&mut self.arena.edges, edge);
        }
        if known.count() < mask.count() {
            // The edges may have moved.
            self.find_available(at, seat, mask);
        }
        let edges = &mut self.arena.edges;
        let mut best = (0, f32::NEG_INFINITY);
        for &i in &self.available {
            let edge = &mut edges[i as usize];
            edge.available += 1;
            let spread = spread(exploration, edge.available);
            let bound = bound(edge.paid + edge.prior, edge.visits + 1, spread);
            if bound > best.1 {
                best = (i as usize, bound);
            }
        }
        (best.0, edges[best.0].visits == 0)
    }

    /// Lists the edges of the node that this world allows, and says which actions they are.
    fn find_available(&mut self, at: usize, seat: Seat, mask: &Mask) -> Mask {
        let Arena { nodes, edges, .. } = &self.arena;
        let stretch = nodes[at].edges;
        let mut found = Mask::EMPTY;
        self.available.clear();
        for (i, edge) in stretch.of(edges).iter().enumerate() {
            if edge.seat == seat.0 && mask.contains(Action(edge.action)) {
                found.insert(Action(edge.action));
                self.available.push(stretch.first + i as u32);
            }
        }
        found
    }

    /// A hash of what the viewer sees.
    pub(super) fn seen<G: Game>(&mut self, state: &G, viewer: Seat) -> u64 {
        seen(state, viewer, &mut self.observation)
    }

    /// The node below `at` for what was seen, new if need be.
    fn outcome(&mut self, at: usize, seen: u64) -> usize {
        let Arena { nodes, outcomes, .. } = &mut self.arena;
        let known = nodes[at].outcomes.of(outcomes).iter().find(|outcome| outcome.seen == seen);
        if let Some(outcome) = known {
            return outcome.node as usize;
        }
        let node = nodes.len();
        nodes[at].outcomes.push(outcomes, Outcome { seen, node: node as u32 });
        nodes.push(Node::default());
        node
    }

    /// The tried actions at the root with their visits and what they paid on average.
    pub(super) fn tried(&self, viewer: Seat) -> impl Iterator<Item = (Action, u32, f32)> {
        let edges = self.arena.nodes[ROOT].edges.of(&self.arena.edges);
        edges
            .iter()
            .filter(move |edge| edge.seat == viewer.0 && edge.visits > 0)
            .map(|edge| (Action(edge.action), edge.visits, edge.paid / edge.visits as f32))
    }

    /// Moves the root on to the node, `plies` plies below it, at which the viewer saw `seen`, and forgets the rest;
    /// says whether there is one.
    pub(super) fn advance(&mut self, seen: u64, plies: u32) -> bool {
        let Some(root) = self.find(ROOT, seen, plies) else { return false };
        self.keep_below(root);
        true
    }

    fn find(&self, at: usize, seen: u64, plies: u32) -> Option<usize> {
        let below = self.arena.nodes[at].outcomes.of(&self.arena.outcomes);
        match plies {
            0 => None,
            1 => below.iter().find(|outcome| outcome.seen == seen).map(|outcome| outcome.node as usize),
            _ => below.iter().find_map(|outcome| self.find(outcome.node as usize, seen, plies - 1)),
        }
    }

    /// Copies the part below a node, level by level, so that it becomes the whole tree.
    fn keep_below(&mut self, root: usize) {
        let (old, new) = (&self.arena, &mut self.spare);
        new.clear();
        new.nodes.push(old.nodes[root]);
        let mut at = 0;
        while at < new.nodes.len() {
            let Node { edges, outcomes } = new.nodes[at];
            let mut moved = Node::default();
            for &edge in edges.of(&old.edges) {
                moved.edges.push(&mut new.edges, edge);
            }
            for outcome in outcomes.of(&old.outcomes) {
                let node = new.nodes.len() as u32;
                moved.outcomes.push(&mut new.outcomes, Outcome { node, ..*outcome });
                new.nodes.push(old.nodes[outcome.node as usize]);
            }
            new.nodes[at] = moved;
            at += 1;
        }
        std::mem::swap(&mut self.arena, &mut self.spare);
    }
}

/// A hash of what a seat sees; `numbers` is room for its observation.
pub(super) fn seen<G: Game>(state: &G, seat: Seat, numbers: &mut [f32]) -> u64 {
    state.observe(seat, numbers);
    hash(numbers)
}

/// Pairs of numbers that are taken up at once: two vectors of most processors.
const PAIRS: usize = 8;
/// What the numbers of a pair are moved by before they are multiplied: odd numbers without a pattern.
const MOVED: [[u32; PAIRS]; 2] = [
    [0x9e37_79b1, 0x85eb_ca6b, 0xc2b2_ae35, 0x27d4_eb2f, 0x1656_67b1, 0xd3a2_646d, 0xfd70_46c5, 0xb55a_4f09],
    [0x2545_f491, 0x6c62_272d, 0x8422_2325, 0x5851_f42d, 0x4c95_7f2d, 0x1405_7b7f, 0x7feb_352d, 0x846c_a68b],
];

/// A hash of the numbers with their places: sums of products of pairs, which vectors work out side by side.
fn hash(numbers: &[f32]) -> u64 {
    let mut sums = [0_u64; PAIRS];
    let (chunks, rest) = numbers.as_chunks::<{ 2 * PAIRS }>();
    let mut last = [0.0; 2 * PAIRS];
    last[..rest.len()].copy_from_slice(rest);
    for chunk in chunks.iter().chain([&last]) {
        for (pair, sum) in sums.iter_mut().enumerate() {
            // One zero for both signs.
            let [one, other] = [chunk[pair], chunk[PAIRS + pair]].map(|number| (number + 0.0).to_bits());
            let one = u64::from(one.wrapping_add(MOVED[0][pair]));
            let other = u64::from(other.wrapping_add(MOVED[1][pair]));
            *sum = (*sum << 5).wrapping_add(*sum).wrapping_add(one * other);
        }
    }
    sums.iter().fold(0xcbf2_9ce4_8422_2325, |hash, sum| {
        (hash ^ sum).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_counts_and_the_sign_of_a_zero_does_not() {
        const LENGTH: usize = 2_000;
        let with = |numbers: &[(usize, f32)]| {
            let mut all = [0.0; LENGTH];
            numbers.iter().for_each(|&(at, number)| all[at] = number);
            hash(&all)
        };
        let mut hashes = std::collections::BTreeSet::from([hash(&[0.0; LENGTH])]);
        for at in 0..LENGTH {
            for number in [1.0, 0.5, 1.0 / 3.0, -0.25] {
                hashes.insert(with(&[(at, number)]));
            }
            hashes.insert(with(&[(at, 1.0), ((at + 1 + at % 7) % LENGTH, 1.0)]));
        }
        assert_eq!(hashes.len(), 1 + 5 * LENGTH);
        assert_eq!(with(&[(3, -0.0), (40, 0.5)]), with(&[(40, 0.5)]));
    }
}
