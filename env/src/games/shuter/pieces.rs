//! What lies on the table: the squares, and the pieces of each colour with what follows from them.

use super::actions::Cubes;
use super::geometry::{
    Corners, EDGE_CORNERS, EDGE_NEIGHBOURS, EDGES, Edges, SQUARE_CORNERS, SQUARE_EDGES, SQUARES, Squares,
};
use super::options::{Colour, LARGEST_LIMIT, Square};

/// S-11: branches of each colour.
pub const BRANCHES: u32 = 24;

/// The squares as they lie: sets, one for each colour, limit and the trading post.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ground {
    pub colours: [Squares; 4],
    pub limits: [Squares; LARGEST_LIMIT as usize],
    pub post: Squares,
}

impl Ground {
    pub fn new(squares: &[Square]) -> Self {
        let mut ground = Self::default();
        for (i, &square) in squares.iter().enumerate() {
            match square {
                Square::Coloured(colour, limit) => {
                    ground.colours[colour as usize] |= 1 << i;
                    ground.limits[usize::from(limit) - 1] |= 1 << i;
                }
                Square::TradingPost => ground.post |= 1 << i,
                Square::Vacant => {}
            }
        }
        ground
    }

    pub fn squares(&self) -> [Square; SQUARES] {
        std::array::from_fn(|i| {
            let colour = Colour::ALL.into_iter().find(|&colour| self.colours[colour as usize] >> i & 1 == 1);
            match colour {
                Some(colour) => Square::Coloured(colour, self.limit(i) as u8),
                None if self.post >> i & 1 == 1 => Square::TradingPost,
                None => Square::Vacant,
            }
        })
    }

    /// The white dots of a coloured square.
    pub fn limit(&self, square: usize) -> u32 {
        (0..).zip(self.limits).map(|(i, set)| (i + 1) * u32::from(set >> square & 1)).sum()
    }

    /// The corners of the trading post.
    pub fn post_corners(&self) -> Corners {
        SQUARE_CORNERS.get(self.post.trailing_zeros() as usize).map_or(0, |&corners| corners)
    }
}

/// A connected set of branches of one colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Network {
    pub corners: Corners,
    pub branches: u32,
}

/// The pieces and cubes of one colour. What follows from the pieces is kept beside them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Side {
    pub nodes: Corners,
    pub branches: Edges,
    pub cubes: Cubes,
    /// Corners that an own branch touches.
    pub touched: Corners,
    /// Edges that share a corner with an own branch.
    pub near: Edges,
    /// S-07: edges that the other colour's captures close.
    pub closed: Edges,
    /// S-12: at most two, because everything grows from two starting branches; in descending order of corners.
    pub networks: [Network; 2],
    pub captured: Squares,
    /// S-04: what a turn collects now.
    pub income: Cubes,
}

impl Side {
    /// The size of the largest network.
    pub fn largest(&self) -> u32 {
        self.networks[0].branches.max(self.networks[1].branches)
    }

    /// S-03: corners that a branch of this colour touches and that are empty.
    #[inline]
    pub fn node_spots(&self, empty: Corners) -> Corners {
        self.touched & empty
    }

    /// S-02, S-07, S-11: empty edges next to a branch of this colour that are not closed to it.
    #[inline]
    pub fn branch_spots(&self, empty: Edges) -> Edges {
        if self.branches.count_ones() < BRANCHES { self.near & empty & !self.closed } else { 0 }
    }

    /// Adds a branch; says whether it closes a loop of branches of this colour.
    pub fn add_branch(&mut self, edge: usize) -> bool {
        let ends = EDGE_CORNERS[edge];
        self.branches |= 1 << edge;
        self.touched |= ends;
        self.near |= EDGE_NEIGHBOURS[edge];
        let [a, b] = self.networks;
        let closes_loop = a.corners & ends == ends || b.corners & ends == ends;
        let grown =
            |network: Network| Network { corners: network.corners | ends, branches: network.branches + 1 };
        self.networks = match (a.corners & ends != 0, b.corners & ends != 0) {
            (true, true) => {
                let joined = Network { corners: a.corners | b.corners, branches: a.branches + b.branches };
                [grown(joined), Network::default()]
            }
            (true, false) => [grown(a), b],
            (false, true) => [a, grown(b)],
            (false, false) if a.branches == 0 => [grown(a), b],
            (false, false) => [a, grown(b)],
        };
        // One order, so that equal positions are equal states.
        if self.networks[0].corners < self.networks[1].corners {
            self.networks.swap(0, 1);
        }
        closes_loop
    }
}

/// S-12: the connected sets of branches; `None` when there are more than two.
pub fn networks(branches: Edges) -> Option<[Network; 2]> {
    let mut found = [Network::default(); 2];
    let mut rest = branches;
    let mut count = 0;
    while rest != 0 {
        let mut network = rest & rest.wrapping_neg();
        let mut corners = 0;
        loop {
            let members = (0..EDGES).filter(|edge| network >> edge & 1 == 1);
            let grown = members.clone().fold(network, |set, edge| set | EDGE_NEIGHBOURS[edge]) & branches;
            corners = members.fold(corners, |set, edge| set | EDGE_CORNERS[edge]);
            if grown == network {
                break;
            }
            network = grown;
        }
        *found.get_mut(count)? = Network { corners, branches: network.count_ones() };
        count += 1;
        rest &= !network;
    }
    if found[0].corners < found[1].corners {
        found.swap(0, 1);
    }
    Some(found)
}

/// Edges with a square of the set on both sides.
pub fn inner_edges(squares: Squares) -> Edges {
    let (mut once, mut twice) = (0, 0);
    for (square, edges) in SQUARE_EDGES.iter().enumerate() {
        if squares >> square & 1 == 1 {
            twice |= once & edges;
            once |= edges;
        }
    }
    twice
}
