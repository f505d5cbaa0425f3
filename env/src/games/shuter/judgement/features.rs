//! What is counted about each side.

use super::super::geometry::{
    CORNER_EDGES, CORNER_SQUARES, Corners, EDGE_CORNERS, SQUARE_CORNERS, SQUARE_EDGES, SQUARES, Squares, bits,
};
use super::super::pieces::Side;
use super::super::rules::{GOAL, NETWORK_POINTS, Shuter};

/// How many numbers tell about one side.
pub const FEATURES: usize = 71;

/// Branches that a way to a corner may still need to be counted.
const FARTHEST: usize = 3;

/// What both sides have in common.
pub(super) struct Table<'a> {
    game: &'a Shuter,
    empty: Corners,
    captured: Squares,
    coloured: Squares,
    /// S-05: coloured squares that nobody has captured and that would pay one more node.
    room: Squares,
    /// S-05: those that pay and would not with one more.
    full: Squares,
    /// Corners that each side touches, and that it would with one, two and three branches more.
    reached: [[Corners; FARTHEST + 1]; 2],
}

impl<'a> Table<'a> {
    pub(super) fn new(game: &'a Shuter) -> Self {
        let [a, b] = &game.sides;
        let captured = a.captured | b.captured;
        let coloured = game.ground.colours.iter().fold(0, |all, set| all | set);
        let standing = nodes_by_square(a.nodes | b.nodes);
        let [mut room, mut full] = [0; 2];
        for (limit, squares) in game.ground.limits.into_iter().enumerate() {
            room |= standing[..=limit].iter().fold(0, |set, squares| set | squares) & squares;
            full |= standing[limit + 1] & squares;
        }
        let reached = [a, b].map(|side| reached(game, side));
        Self {
            game,
            empty: game.empty_corners(),
            captured,
            coloured,
            room: room & !captured,
            full: full & !captured,
            reached,
        }
    }

    /// Writes the numbers of one side.
    pub(super) fn write(&self, side: usize, out: &mut [f32; FEATURES]) {
        let mut counts = Counts { out, len: 0 };
        let standing = self.points(side, &mut counts);
        self.income(side, &mut counts);
        let hand = self.hand(side, &mut counts);
        let room = self.space(side, &mut counts);
        let threes = self.enclosures(side, &mut counts);
        counts.steps(self.game.two_trades(side), [1, 2]);
        reach(standing, hand, room, threes, &mut counts);
        self.ground(side, &mut counts);
        self.territory(side, &mut counts);
        assert_eq!(counts.len, FEATURES, "every number is written");
    }

    /// S-12: points, how near they are to the goal, and the race for the largest network.
    fn points(&self, side: usize, counts: &mut Counts<'_>) -> Standing {
        let (own, other) = (&self.game.sides[side], &self.game.sides[1 - side]);
        let (nodes, captured) = (own.nodes.count_ones(), own.captured.count_ones());
        let lead = own.largest() as i32 - other.largest() as i32;
        let score = nodes + captured + NETWORK_POINTS * u32::from(lead > 0);
        counts.put(nodes);
        counts.put(captured);
        counts.put(u32::from(lead > 0));
        counts.put(u32::from(lead == 0));
        counts.put(lead.clamp(0, 3) as u32);
        counts.put((-lead).clamp(0, 3) as u32);
        [6, 7, 8, 9].into_iter().for_each(|points| counts.put(u32::from(score >= points)));
        counts.put(own.branches.count_ones());
        Standing { score, lead }
    }

    /// S-04: the first cube of a colour is worth most, and two colours have to come together.
    fn income(&self, side: usize, counts: &mut Counts<'_>) {
        let [red, yellow, blue, green] = self.game.sides[side].income.to_le_bytes().map(u32::from);
        for [a, b] in [[red, blue], [yellow, green]] {
            let below = |n: u32| a.min(n) + b.min(n);
            counts.put(below(1));
            counts.put(below(2) - below(1));
            counts.put(below(3) - below(2));
            counts.put(below(5) - below(3));
            counts.steps(a.min(b), [1, 2, 4]);
        }
        counts.steps(red + yellow + blue + green, [4, 6, 8, 12]);
    }

    /// What the cubes of the side's next turn buy, as if no colour ran short.
    fn hand(&self, side: usize, counts: &mut Counts<'_>) -> Hand {
        let own = &self.game.sides[side];
        let acts = self.game.to_move.is_some_and(|seat| seat.index() == side) && !self.game.in_start();
        let cubes = if acts { own.cubes } else { own.cubes + own.income };
        let [red, yellow, blue, green] = cubes.to_le_bytes().map(u32::from);
        let (branches, nodes) = (red.min(blue), (yellow / 2).min(green / 2));
        counts.steps(branches, [1, 2, 4]);
        counts.steps(nodes, [1, 2, 3]);
        counts.put(red.min(6) + blue.min(6));
        counts.put(yellow.min(6) + green.min(6));
        let missing = 2_u32.saturating_sub(yellow) + 2_u32.saturating_sub(green);
        let spare = red + blue + yellow.saturating_sub(2) + green.saturating_sub(2);
        let price = if self.game.two_trades(side) > 0 { 2 } else { 3 };
        let by_trade = missing == 1 && spare >= price;
        counts.put(u32::from(by_trade));
        Hand { branches, nodes: nodes + u32::from(by_trade) }
    }

    /// Cubes that a node on the corner would earn the side.
    fn earns(&self, side: usize, corner: usize) -> u32 {
        let paying = self.room | self.game.sides[side].captured & self.coloured;
        (paying & CORNER_SQUARES[corner]).count_ones()
    }

    /// Corners for nodes, and edges for branches.
    fn space(&self, side: usize, counts: &mut Counts<'_>) -> Space {
        let own = &self.game.sides[side];
        let spots = own.node_spots(self.empty);
        counts.steps(spots.count_ones(), [1, 2, 4]);
        let [mut best, mut second, mut total] = [0; 3];
        for corner in bits(spots.into()) {
            let earned = self.earns(side, corner);
            second = second.max(earned.min(best));
            best = best.max(earned);
            total += earned;
        }
        counts.put(best);
        counts.put(second);
        counts.put(total.min(12));
        let open = own.branch_spots(self.game.empty_edges());
        // S-11: without a branch left nothing is near.
        let near = if open == 0 { 0 } else { self.reached[side][1] & self.empty & !own.touched };
        counts.steps(near.count_ones(), [2, 6]);
        counts.put(self.most(side, near));
        counts.steps(open.count_ones(), [2, 4, 10]);
        Space { spots: spots.count_ones(), beyond: near != 0 }
    }

    /// The most that a node on one of the corners would earn.
    fn most(&self, side: usize, corners: Corners) -> u32 {
        bits(corners.into()).map(|corner| self.earns(side, corner)).max().unwrap_or(0)
    }

    /// S-06: squares that the side has begun to enclose and the other side has no branch around; how many lack one branch.
    fn enclosures(&self, side: usize, counts: &mut Counts<'_>) -> u32 {
        let (own, other) = (&self.game.sides[side], &self.game.sides[1 - side]);
        let mut by_branches = [0; 5];
        for square in bits(u64::from(!self.captured & ((1 << SQUARES) - 1))) {
            if other.branches & SQUARE_EDGES[square] == 0 {
                by_branches[(own.branches & SQUARE_EDGES[square]).count_ones() as usize] += 1;
            }
        }
        counts.steps(by_branches[3], [1, 3]);
        counts.put(by_branches[2]);
        counts.put(by_branches[1]);
        by_branches[3]
    }

    /// S-05: what the nodes stand on, and how much of it one more node would exhaust.
    fn ground(&self, side: usize, counts: &mut Counts<'_>) {
        let (own, other) = (&self.game.sides[side], &self.game.sides[1 - side]);
        let (mut limits, mut squares, mut at_limit) = (0, 0, 0);
        for corner in bits(own.nodes.into()) {
            let touched = CORNER_SQUARES[corner] & self.coloured & !other.captured;
            squares += touched.count_ones();
            at_limit += (touched & self.full).count_ones();
            let by_limit = (1..).zip(self.game.ground.limits);
            limits += by_limit.map(|(limit, set)| limit * (touched & set).count_ones()).sum::<u32>();
        }
        counts.put(limits);
        counts.put(squares);
        counts.put(at_limit);
        counts.put(own.income.to_le_bytes().iter().filter(|&&income| income == 0).count() as u32);
    }

    /// Corners that are nearer to this side than to the other, those two branches away, and colours that nodes could still bring.
    fn territory(&self, side: usize, counts: &mut Counts<'_>) {
        let (own, other) = (&self.reached[side], &self.reached[1 - side]);
        // Every set holds those before it: who has a corner in one where the other has not is there first.
        let nearer = own.iter().zip(other).fold(0, |nearer, (own, other)| nearer | own & !other) & self.empty;
        counts.put(nearer.count_ones());
        counts.put(bits(nearer.into()).map(|corner| self.earns(side, corner)).sum());
        let second = own[2] & !own[1] & self.empty;
        counts.put(second.count_ones());
        counts.put(self.most(side, second));
        counts.put(bits(second.into()).map(|corner| self.earns(side, corner)).sum());
        let paying = self.room | self.game.sides[side].captured & self.coloured;
        let mut brought = [0; FARTHEST];
        let incomes = self.game.sides[side].income.to_le_bytes();
        for (colour, _) in incomes.into_iter().enumerate().filter(|&(_, income)| income == 0) {
            let squares = bits(u64::from(paying & self.game.ground.colours[colour]));
            let corners = squares.fold(0, |set, square| set | SQUARE_CORNERS[square]) & self.empty;
            for (count, reached) in brought.iter_mut().zip(own) {
                *count += u32::from(corners & reached != 0);
            }
        }
        brought.into_iter().for_each(|count| counts.put(count));
    }
}

/// The squares by how many of the nodes stand on their corners.
pub(super) fn nodes_by_square(nodes: Corners) -> [Squares; 5] {
    // Adds all corners' squares at once, as numbers of three bits of which each is a set.
    let [mut ones, mut twos, mut fours]: [Squares; 3] = [0; 3];
    for corner in bits(nodes.into()) {
        let squares = CORNER_SQUARES[corner];
        let carried = ones & squares;
        ones ^= squares;
        fours |= twos & carried;
        twos ^= carried;
    }
    [!ones & !twos & !fours, ones & !twos, twos & !ones, ones & twos, fours]
}

/// S-02, S-07: the corners that a side touches, and that it would touch with more branches.
fn reached(game: &Shuter, side: &Side) -> [Corners; FARTHEST + 1] {
    let open = game.empty_edges() & !side.closed;
    let mut reached = [side.touched; FARTHEST + 1];
    let mut newest = side.touched;
    for steps in 1..=FARTHEST {
        let edges = bits(newest.into()).fold(0, |edges, corner| edges | CORNER_EDGES[corner]) & open;
        newest = bits(edges).fold(0, |corners, edge| corners | EDGE_CORNERS[edge]) & !reached[steps - 1];
        reached[steps] = reached[steps - 1] | newest;
    }
    reached
}

#[derive(Clone, Copy)]
struct Standing {
    score: u32,
    lead: i32,
}

#[derive(Clone, Copy)]
struct Hand {
    branches: u32,
    nodes: u32,
}

#[derive(Clone, Copy)]
struct Space {
    spots: u32,
    /// Whether a branch would lead to a corner for a node.
    beyond: bool,
}

/// Whether the next turn could reach the goal or come within a point of it, as far as a glance tells.
fn reach(standing: Standing, hand: Hand, space: Space, threes: u32, counts: &mut Counts<'_>) {
    let nodes = hand.nodes.min(space.spots + u32::from(space.beyond && hand.branches > 0));
    let network = NETWORK_POINTS * u32::from(standing.lead <= 0 && hand.branches as i32 > -standing.lead);
    let score = standing.score + nodes + threes.min(hand.branches) + network;
    counts.put(u32::from(score >= GOAL));
    counts.put(u32::from(score + 1 >= GOAL));
    counts.put(nodes);
}

/// Numbers, written one behind the other.
struct Counts<'a> {
    out: &'a mut [f32; FEATURES],
    len: usize,
}

impl Counts<'_> {
    #[inline]
    fn put(&mut self, count: u32) {
        self.out[self.len] = count as f32;
        self.len += 1;
    }

    /// A count in parts: how much of it lies below the first bound, between that and the second, and so on.
    #[inline]
    fn steps<const N: usize>(&mut self, count: u32, bounds: [u32; N]) {
        let mut from = 0;
        for to in bounds {
            self.put(count.min(to) - count.min(from));
            from = to;
        }
    }
}
