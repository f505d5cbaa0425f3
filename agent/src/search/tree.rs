//! The tree of one game as plain arrays: statistics of actions, and nothing about the game itself.

use nodarium_env::{Action, Mask, Seat};

use super::improve::{Completed, Strength, exp, softmax, weigh};

/// [`Edge::child`] of an action that has led nowhere yet.
pub(super) const UNTRIED: u32 = u32::MAX;

/// Bit of [`Edge::child`]: the game was over, and the rest is a row of [`Tree::ends`].
pub(super) const OVER: u32 = 1 << 31;

/// The probability that an action keeps however small its logit, so that means over tried actions stay finite.
const LEAST_PRIOR: f32 = f32::MIN_POSITIVE;

/// A legal action at a node, with what simulations have found out about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The evaluator's logit; the largest at the node is 0.
    pub logit: f32,
    /// Softmax of the logits.
    pub prior: f32,
    /// The mean outcome for the seat that acts at the node.
    pub q: f32,
    pub visits: u32,
    /// A node, [`UNTRIED`], or [`OVER`] with a row of returns.
    pub child: u32,
    pub action: Action,
}

impl Default for Edge {
    fn default() -> Self {
        Self { logit: 0.0, prior: 0.0, q: 0.0, visits: 0, child: UNTRIED, action: Action(0) }
    }
}

/// A position that the evaluator has judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Its edges are `edges[first..first + count]`, the tried ones first.
    first: u32,
    count: u16,
    tried: u16,
    /// The seat that acts.
    seat: Seat,
    /// The evaluator's value for that seat.
    raw: f32,
    /// The prior of all untried edges as a multiple of the prior of the first of them, which is the largest.
    rest: f32,
    /// Simulations that went on from here.
    visits: u32,
}

/// One search tree. All arrays keep their memory from search to search.
///
/// | array | shape | holds |
/// |---|---|---|
/// | `nodes` | `[node]` | node 0 is the root |
/// | `edges` | `[edges of node 0, edges of node 1, …]` | legal actions only |
/// | `gumbels` | `[edges of the root]` | the root's noise |
/// | `ends` | `[end, seat]` | returns of games that ended in the tree |
/// | `path` | `[depth, (node, edge)]` | the simulation under way |
/// | `total` | `[seat]` | sum of all outcomes at the root, the evaluator's own judgement among them |
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    gumbels: Vec<f32>,
    ends: Vec<f32>,
    path: Vec<(u32, u32)>,
    total: Vec<f32>,
    scratch: Vec<f32>,
    considered: usize,
}

/// Whether the first comes before the second: the larger score, and among equals the smaller action.
#[inline]
fn before(a: (f32, Action), b: (f32, Action)) -> bool {
    a.0 > b.0 || a.0 == b.0 && a.1 < b.1
}

impl Tree {
    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.gumbels.clear();
        self.ends.clear();
        self.path.clear();
        self.total.clear();
    }

    /// Adds a node with an edge for every action of the mask; returns its number.
    pub fn expand(&mut self, seat: Seat, raw: f32, mask: &Mask, logits: &[f32]) -> u32 {
        let first = self.edges.len();
        self.edges.extend(mask.iter().map(|action| Edge {
            logit: logits[action.index()],
            action,
            ..Edge::default()
        }));
        let edges = &mut self.edges[first..];
        let best = best_by(edges, |edge| edge.logit);
        let most = edges[best].logit;
        self.scratch.clear();
        self.scratch.extend(edges.iter().map(|edge| edge.logit));
        let sum = weigh(&mut self.scratch, most);
        let scale = 1.0 / sum;
        for (edge, weight) in edges.iter_mut().zip(&self.scratch) {
            edge.logit -= most;
            edge.prior = (weight * scale).max(LEAST_PRIOR);
        }
        edges.swap(0, best);
        let count = edges.len() as u16;
        self.nodes.push(Node { first: first as u32, count, tried: 0, seat, raw, rest: sum, visits: 0 });
        self.nodes.len() as u32 - 1
    }

    /// Makes node 0 the root of a search: its values from the side of its own seat, and noise for its edges in the order of their
    /// actions. Puts the `considered` edges with the best noisy logits first.
    pub fn plant(&mut self, values: &[f32], considered: usize, mut noise: impl FnMut() -> f32) {
        self.total.resize(values.len(), 0.0);
        add(&mut self.total, values, self.nodes[0].seat);
        self.considered = considered.min(self.edges.len());
        self.edges.sort_unstable_by_key(|edge| edge.action);
        self.gumbels.extend(self.edges.iter().map(|_| noise()));
        for place in 0..self.considered {
            let mut best = place;
            for i in place + 1..self.edges.len() {
                let key = |i: usize| (self.gumbels[i] + self.edges[i].logit, self.edges[i].action);
                if before(key(i), key(best)) {
                    best = i;
                }
            }
            self.edges.swap(place, best);
            self.gumbels.swap(place, best);
        }
    }

    /// How many actions of the root sequential halving starts with.
    pub fn considered(&self) -> usize {
        self.considered
    }

    /// Edges of the root.
    pub fn root_edges(&self) -> usize {
        usize::from(self.nodes[0].count)
    }

    /// The edges of a node.
    #[cfg(test)]
    pub fn edges_of(&self, node: u32) -> &[Edge] {
        let node = &self.nodes[node as usize];
        &self.edges[node.first as usize..][..usize::from(node.count)]
    }

    /// Begins a simulation with the best considered action that has just that many visits.
    #[inline]
    pub fn select_root(&mut self, strength: &Strength, visits: u32) -> usize {
        let root = &mut self.nodes[0];
        let edge = if visits == 0 {
            root.tried += 1;
            usize::from(root.tried) - 1
        } else {
            self.best_of_root(strength, visits)
        };
        self.path.clear();
        self.path.push((0, edge as u32));
        edge
    }

    /// The edge of the root with just that many visits and the best `gumbel + logit + sigma(q)`.
    fn best_of_root(&self, strength: &Strength, visits: u32) -> usize {
        let completed = self.completed(strength, 0);
        let mut best: Option<(usize, (f32, Action))> = None;
        for (i, (edge, gumbel)) in self.edges[..self.root_edges()].iter().zip(&self.gumbels).enumerate() {
            if edge.visits == visits {
                let q = if visits > 0 { edge.q } else { completed.mixed };
                let key = (gumbel + edge.logit + completed.sigma(q), edge.action);
                if best.is_none_or(|(_, other)| before(key, other)) {
                    best = Some((i, key));
                }
            }
            if visits > 0 && i + 1 == self.considered {
                break;
            }
        }
        best.expect("sequential halving asks for a visit count that some action has").0
    }

    #[inline]
    fn completed(&self, strength: &Strength, node: u32) -> Completed {
        let node = &self.nodes[node as usize];
        let tried = &self.edges[node.first as usize..][..usize::from(node.tried)];
        Completed::new(strength, node.raw, tried, node.tried == node.count)
    }

    /// Continues a simulation below the root: the edge whose share of the improved policy is furthest above its share
    /// of the visits, `argmax p(a) - visits(a) / (1 + visits)`.
    ///
    /// Untried edges have the same completed value, so the best of them is the one with the largest prior; it stands
    /// behind the tried ones, and the work is proportional to the tried edges only.
    #[inline]
    pub fn select(&mut self, strength: &Strength, number: u32) -> usize {
        let node = self.nodes[number as usize];
        let (first, tried) = (node.first as usize, usize::from(node.tried));
        let chosen = if tried == 0 { 0 } else { self.most_behind(strength, number, &node) };
        if chosen == tried {
            self.nodes[number as usize].tried += 1;
            self.line_up(number);
        }
        self.path.push((number, (first + chosen) as u32));
        first + chosen
    }

    fn most_behind(&mut self, strength: &Strength, number: u32, node: &Node) -> usize {
        let completed = self.completed(strength, number);
        let tried = usize::from(node.tried);
        let untried = node.tried < node.count;
        let edges = &self.edges[node.first as usize..][..tried + usize::from(untried)];
        let scratch = &mut self.scratch;
        scratch.clear();
        scratch.extend(edges[..tried].iter().map(|edge| edge.logit + completed.sigma(edge.q)));
        if untried {
            scratch.push(edges[tried].logit + completed.sigma(completed.mixed));
        }
        let most = scratch.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut sum = weigh(scratch, most);
        if untried {
            sum += scratch[tried] * (node.rest - 1.0);
        }
        // The scores times `sum * (1 + visits)`.
        let all = node.visits as f32 + 1.0;
        let mut best = (0, (f32::NEG_INFINITY, Action(0)));
        for (i, (edge, weight)) in edges.iter().zip(scratch.iter()).enumerate() {
            let key = (weight * all - edge.visits as f32 * sum, edge.action);
            if before(key, best.1) {
                best = (i, key);
            }
        }
        best.0
    }

    /// Puts the untried edge with the largest prior behind the tried ones.
    fn line_up(&mut self, number: u32) {
        let node = &mut self.nodes[number as usize];
        let start = node.first as usize + usize::from(node.tried);
        let untried = &mut self.edges[start..node.first as usize + usize::from(node.count)];
        if untried.is_empty() {
            return;
        }
        let best = best_by(untried, |edge| edge.logit);
        untried.swap(0, best);
        let Edge { logit, prior, .. } = untried[0];
        node.rest = if prior > 1e-30 {
            untried.iter().map(|edge| edge.prior).sum::<f32>() / prior
        } else {
            untried.iter().map(|edge| exp(edge.logit - logit)).sum()
        };
    }

    /// Keeps the returns of a game that ended; the mark for [`Edge::child`].
    pub fn end(&mut self, returns: impl FnOnce(&mut [f32]), seats: usize) -> u32 {
        let start = self.ends.len();
        self.ends.resize(start + seats, 0.0);
        returns(&mut self.ends[start..]);
        OVER | (start / seats) as u32
    }

    /// Ends the simulation with what each seat gets, the viewer first and then the others in the order of play.
    #[inline]
    pub fn back_up(&mut self, values: &[f32], viewer: Seat) {
        add(&mut self.total, values, viewer);
        walk_back(&mut self.nodes, &mut self.edges, &self.path, values, viewer);
    }

    /// Ends the simulation at a finished game.
    #[inline]
    pub fn back_up_end(&mut self, mark: u32, seats: usize) {
        let values = &self.ends[(mark & !OVER) as usize * seats..][..seats];
        add(&mut self.total, values, Seat(0));
        walk_back(&mut self.nodes, &mut self.edges, &self.path, values, Seat(0));
    }

    /// Writes what the search found at the root, actions from the smallest to the largest.
    pub fn harvest(&mut self, strength: &Strength, found: &mut super::Found) {
        let root = self.nodes[0];
        let completed = self.completed(strength, 0);
        let edges = self.root_edges();
        let most = self.edges[..edges].iter().map(|edge| edge.visits).max().unwrap_or(0);
        found.actions.push(self.edges[self.best_of_root(strength, most)].action);
        // The tree is not searched on: the root's edges can go back into the order of their actions.
        self.edges[..edges].sort_unstable_by_key(|edge| edge.action);
        self.scratch.clear();
        for edge in &self.edges[..edges] {
            let q = if edge.visits > 0 { edge.q } else { completed.mixed };
            self.scratch.push(edge.logit + completed.sigma(q));
            found.legal.push(edge.action);
            found.visits.push(edge.visits);
            found.q.push(q);
        }
        softmax(&mut self.scratch);
        found.policy.extend_from_slice(&self.scratch);
        found.first.push(found.legal.len());
        let scale = 1.0 / (root.visits as f32 + 1.0);
        found.values.extend(self.total.iter().map(|sum| sum * scale));
    }
}

/// The place of the edge with the largest key; among equals the smallest action.
#[inline]
fn best_by(edges: &[Edge], key: impl Fn(&Edge) -> f32) -> usize {
    let mut best = 0;
    for (i, edge) in edges.iter().enumerate().skip(1) {
        if before((key(edge), edge.action), (key(&edges[best]), edges[best].action)) {
            best = i;
        }
    }
    best
}

/// The number of a seat in a row that begins with the viewer's.
#[inline]
fn from(viewer: Seat, seat: usize, values: &[f32]) -> f32 {
    let place = seat + values.len() - viewer.index();
    values[if place < values.len() { place } else { place - values.len() }]
}

#[inline]
fn add(total: &mut [f32], values: &[f32], viewer: Seat) {
    for (seat, sum) in total.iter_mut().enumerate() {
        *sum += from(viewer, seat, values);
    }
}

/// Each node on the path learns what its own seat got.
#[inline]
fn walk_back(nodes: &mut [Node], edges: &mut [Edge], path: &[(u32, u32)], values: &[f32], viewer: Seat) {
    for &(node, edge) in path {
        let (node, edge) = (&mut nodes[node as usize], &mut edges[edge as usize]);
        node.visits += 1;
        edge.visits += 1;
        edge.q += (from(viewer, node.seat.index(), values) - edge.q) / edge.visits as f32;
    }
}
