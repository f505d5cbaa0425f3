//! The tree for perfect information.

use nodarium_env::{Action, Game, Mask, Rng};

use super::Search;
use crate::bots::rollout::{Returns, Rollouts};

/// A node and the action that leads to it.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// Where its children begin; they lie in a row.
    first: u32,
    /// How many there are; none before the node is opened.
    children: u16,
    /// How many of them have been tried: they come first.
    tried: u16,
    action: u16,
    visits: u32,
    /// What the simulations through this node paid the seat that chose it.
    paid: f32,
}

const ROOT: usize = 0;

/// States that re-rooting tries before it gives up and begins afresh.
const MOST_TRIED: u32 = 50_000;

/// All nodes in one vector, the children of each side by side.
///
/// Every node is chosen by the seat to act at its parent and keeps what that seat was paid, so that any number of seats
/// may act in any order. A node is opened on its second visit: the first is a rollout from it.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Where the kept part is copied to when the root moves on.
    spare: Vec<Node>,
    /// The nodes of the current simulation, each with the seat that chose it.
    path: Vec<(u32, u8)>,
    pub(super) rollouts: Rollouts,
}

impl Default for Tree {
    fn default() -> Self {
        Self {
            nodes: vec![Node::default()],
            spare: Vec::new(),
            path: Vec::new(),
            rollouts: Rollouts::default(),
        }
    }
}

impl Tree {
    /// Throws everything away.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::default());
    }

    /// One simulation: walk down, open a leaf, play at random to the end, add up what it paid.
    #[inline]
    pub(super) fn simulate<G: Game>(
        &mut self,
        search: &Search<G>,
        root: &G,
        state: &mut G,
        largest: f32,
        rng: &mut Rng,
    ) -> Returns {
        state.clone_from(root);
        self.path.clear();
        let mut at = ROOT;
        while let Some(seat) = state.to_move() {
            if self.nodes[at].children == 0 && !self.open(at, state, search.most_nodes) {
                break;
            }
            at = self.choose(at, search.exploration * largest, rng);
            state.apply(Action(self.nodes[at].action));
            self.path.push((at as u32, seat.0));
        }
        let returns = self.rollouts.play(state, search.seats, search.judge.as_ref(), rng);
        self.nodes[ROOT].visits += 1;
        for &(node, seat) in &self.path {
            let node = &mut self.nodes[node as usize];
            node.visits += 1;
            node.paid += returns[usize::from(seat)];
        }
        returns
    }

    /// Gives a node its children, unless it is new or the tree is full.
    #[inline]
    fn open<G: Game>(&mut self, at: usize, state: &G, most_nodes: usize) -> bool {
        if at != ROOT && (self.nodes[at].visits == 0 || self.nodes.len() >= most_nodes) {
            return false;
        }
        let mut mask = Mask::EMPTY;
        state.legal(&mut mask);
        let first = self.nodes.len();
        self.nodes.extend(mask.iter().map(|action| Node { action: action.0, ..Node::default() }));
        let children = (self.nodes.len() - first) as u16;
        self.nodes[at] = Node { first: first as u32, children, tried: 0, ..self.nodes[at] };
        true
    }

    /// An untried child at random; where all are tried, the one with the highest upper confidence bound.
    #[inline]
    fn choose(&mut self, at: usize, exploration: f32, rng: &mut Rng) -> usize {
        let Node { first, children, tried, visits, .. } = self.nodes[at];
        let first = first as usize;
        if tried < children {
            let next = first + usize::from(tried);
            let drawn = next + rng.below(u32::from(children - tried)) as usize;
            self.nodes.swap(next, drawn);
            self.nodes[at].tried += 1;
            return next;
        }
        let spread = spread(exploration, visits);
        let (mut best, mut highest) = (first, f32::NEG_INFINITY);
        for (i, child) in self.nodes[first..first + usize::from(children)].iter().enumerate() {
            let bound = bound(child.paid, child.visits, spread);
            if bound > highest {
                (best, highest) = (first + i, bound);
            }
        }
        best
    }

    /// The tried actions at the root with their visits and what they paid on average.
    pub(super) fn tried(&self) -> impl Iterator<Item = (Action, u32, f32)> {
        let Node { first, tried, .. } = self.nodes[ROOT];
        let tried = &self.nodes[first as usize..][..usize::from(tried)];
        tried.iter().map(|node| (Action(node.action), node.visits, node.paid / node.visits as f32))
    }

    /// Moves the root on to where `plies` plies lead from `from` to `to`, and forgets the rest; says whether that
    /// state is in the tree.
    pub(super) fn advance<G: Game>(&mut self, from: &G, to: &G, plies: u32) -> bool {
        let mut left = MOST_TRIED;
        let Some(root) = self.find(ROOT, from, to, plies, &mut left) else { return false };
        if root != ROOT {
            self.keep_below(root);
        }
        true
    }

    /// The node of the state `to`, that many plies below a node of the state `from`.
    fn find<G: Game>(&self, at: usize, from: &G, to: &G, plies: u32, left: &mut u32) -> Option<usize> {
        if plies == 0 {
            return (from == to).then_some(at);
        }
        let Node { first, tried, .. } = self.nodes[at];
        (first as usize..first as usize + usize::from(tried)).find_map(|child| {
            *left = left.checked_sub(1)?;
            let mut next = from.clone();
            next.apply(Action(self.nodes[child].action));
            self.find(child, &next, to, plies - 1, left)
        })
    }

    /// Copies the part below a node, level by level, so that it becomes the whole tree.
    fn keep_below(&mut self, root: usize) {
        self.spare.clear();
        self.spare.push(self.nodes[root]);
        let mut at = 0;
        while at < self.spare.len() {
            let Node { first, children, .. } = self.spare[at];
            self.spare[at].first = self.spare.len() as u32;
            self.spare.extend_from_slice(&self.nodes[first as usize..][..usize::from(children)]);
            at += 1;
        }
        std::mem::swap(&mut self.nodes, &mut self.spare);
    }
}

/// The part of the upper confidence bound that children share; the logarithm in double precision, so that no library's
/// rounding shows.
#[inline]
pub(super) fn spread(exploration: f32, visits: u32) -> f32 {
    exploration * f64::from(visits.max(1)).ln().sqrt() as f32
}

/// The upper confidence bound: the mean and `spread` ÷ √visits.
#[inline]
pub(super) fn bound(paid: f32, visits: u32, spread: f32) -> f32 {
    let inverse = 1.0 / (visits as f32).sqrt();
    (paid * inverse + spread) * inverse
}
