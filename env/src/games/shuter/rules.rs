//! The state and its transitions.

use super::actions::{self, Cubes, Move, Trade, bank_key, covers, cube, trade_key};
use super::geometry::{
    BORDER, CORNER_EDGES, CORNERS, Corners, EDGE_SQUARES, EDGES, Edges, SQUARE_CORNERS, SQUARE_EDGES,
    SQUARES, Squares,
};
use super::options::{Colour, ShuterRules, Square, Variant};
use super::pieces::{Ground, Side, inner_edges, networks};
use crate::{Action, End, Game, Mask, Rng, Seat};

/// Points that end the game.
pub const GOAL: u32 = 10;
/// Cubes of each colour.
const CUBES: u32 = 10;
/// All the cubes there are.
const ALL_CUBES: Cubes = CUBES * 0x0101_0101;
/// S-12: points for the largest network.
pub(super) const NETWORK_POINTS: u32 = 2;
/// S-02: 1 red + 1 blue.
pub(super) const BRANCH_COST: Cubes = cube(Colour::Red as usize) + cube(Colour::Blue as usize);
/// S-03: 2 yellow + 2 green.
pub(super) const NODE_COST: Cubes = 2 * (cube(Colour::Yellow as usize) + cube(Colour::Green as usize));
/// S-02, S-03: how many branches a hand buys, and how many nodes when it buys no branch.
pub(super) fn bought(hand: Cubes) -> [u32; 2] {
    [BRANCH_COST, NODE_COST].map(|cost| (1..).take_while(|&count| covers(hand, count * cost)).count() as u32)
}

/// S-01: who makes each ply of the start, node and branch by turns.
pub(super) const START_ORDER: [u8; 8] = [0, 0, 1, 1, 1, 1, 0, 0];
/// Who takes the first regular turn.
const FIRST: usize = 1;

/// Every corner.
const ALL_CORNERS: Corners = (1 << CORNERS) - 1;
/// Every edge.
const ALL_EDGES: Edges = (1 << EDGES) - 1;

/// Node by Jeffrey Shuter, from the shuffle to the tenth point. Seat 0 is orange, seat 1 purple.
#[derive(Clone, Debug, PartialEq)]
pub struct Shuter {
    pub(super) ground: Ground,
    pub(super) sides: [Side; 2],
    /// S-05: squares that pay nobody because too many nodes stand on them.
    pub(super) exhausted: Squares,
    /// Plies of the start made; all eight when the regular turns have begun.
    pub(super) start_plies: u8,
    /// S-01: the corner of a starting node whose branch is still to come.
    pub(super) owed: Option<u8>,
    pub(super) to_move: Option<Seat>,
    pub(super) three_used: bool,
    pub(super) two_used: u8,
    /// Whether this turn has placed a piece.
    pub(super) placed: bool,
    /// S-14: finished turns in a row without a placement.
    pub(super) idle_turns: u32,
    pub(super) stalemate_turns: u32,
    pub(super) variant: Variant,
}

impl Shuter {
    /// An empty board.
    pub(super) fn new(rules: &ShuterRules, squares: &[Square]) -> Self {
        Self {
            ground: Ground::new(squares),
            sides: [Side::default(); 2],
            exhausted: 0,
            start_plies: 0,
            owed: None,
            to_move: Some(Seat(START_ORDER[0])),
            three_used: false,
            two_used: 0,
            placed: false,
            idle_turns: 0,
            stalemate_turns: rules.stalemate_turns,
            variant: rules.variant,
        }
    }

    /// Shuffles the box and lays 13 squares.
    pub(super) fn shuffled(rules: &ShuterRules, rng: &mut Rng) -> Self {
        let mut squares = Square::BOX;
        rng.shuffle(&mut squares[..Square::in_play(rules.variant)]);
        Self::new(rules, &squares[..SQUARES])
    }

    pub(super) fn in_start(&self) -> bool {
        usize::from(self.start_plies) < START_ORDER.len()
    }

    pub(super) fn empty_corners(&self) -> Corners {
        ALL_CORNERS & !(self.sides[0].nodes | self.sides[1].nodes)
    }

    pub(super) fn empty_edges(&self) -> Edges {
        ALL_EDGES & !(self.sides[0].branches | self.sides[1].branches)
    }

    /// Cubes that nobody holds.
    pub(super) fn bank(&self) -> Cubes {
        ALL_CUBES - self.sides[0].cubes - self.sides[1].cubes
    }

    /// S-12
    pub(super) fn score(&self, side: usize) -> u32 {
        let own = &self.sides[side];
        let largest = own.largest() > self.sides[1 - side].largest();
        own.nodes.count_ones() + own.captured.count_ones() + NETWORK_POINTS * u32::from(largest)
    }

    /// S-08: 2:1 trades that a side may make in one turn.
    pub(super) fn two_trades(&self, side: usize) -> u32 {
        (self.sides[side].nodes & self.ground.post_corners()).count_ones()
    }

    /// S-13: the colour that has reached the goal.
    pub(super) fn at_goal(&self) -> Option<usize> {
        (0..2).find(|&side| self.score(side) >= GOAL)
    }

    /// S-01: corners that are empty and have an empty edge; then the edges of the chosen corner.
    fn legal_start(&self, mask: &mut Mask) {
        let edges = self.empty_edges();
        if let Some(corner) = self.owed {
            mask.insert_bits(actions::BRANCH, CORNER_EDGES[usize::from(corner)] & edges);
        } else {
            let open = |corner: &usize| CORNER_EDGES[*corner] & edges != 0;
            let with_edge = (0..CORNERS).filter(open).fold(0, |set, corner| set | 1 << corner);
            mask.insert_bits(actions::NODE, u64::from(self.empty_corners() & with_edge));
        }
    }

    /// S-08: the trades that a seat may make now in its turn, as bits in the order of their actions.
    #[inline]
    pub(super) fn open_trades(&self, seat: usize) -> u64 {
        let (hand, bank) = (trade_key(self.sides[seat].cubes), bank_key(self.bank()));
        let mut open = 0;
        if !self.three_used {
            open |= actions::THREES_IN_HAND[hand] & actions::THREES_IN_BANK[bank];
        }
        if u32::from(self.two_used) < self.two_trades(seat) {
            open |= (actions::TWOS_IN_HAND[hand] & actions::TWOS_IN_BANK[bank]) << actions::THREES;
        }
        open
    }

    #[inline]
    fn legal_turn(&self, seat: usize, mask: &mut Mask) {
        let own = &self.sides[seat];
        let (corners, edges) = (self.empty_corners(), self.empty_edges());
        let (buys_node, buys_branch) = (covers(own.cubes, NODE_COST), covers(own.cubes, BRANCH_COST));
        let mut place = |nodes_from, branches_from, side: &Side| {
            if buys_node {
                mask.insert_bits(nodes_from, u64::from(side.node_spots(corners)));
            }
            if buys_branch {
                mask.insert_bits(branches_from, side.branch_spots(edges));
            }
        };
        place(actions::NODE, actions::BRANCH, own);
        if self.variant == Variant::Advanced {
            place(actions::OTHER_NODE, actions::OTHER_BRANCH, &self.sides[1 - seat]);
        }
        mask.insert_bits(actions::THREE, self.open_trades(seat));
        mask.insert_bits(actions::END, 1);
    }

    pub(super) fn legal_actions(&self, mask: &mut Mask) {
        mask.clear();
        match self.to_move {
            Some(_) if self.in_start() => self.legal_start(mask),
            Some(seat) => self.legal_turn(seat.index(), mask),
            None => {}
        }
    }

    pub(super) fn play(&mut self, action: Action) {
        let seat = self.to_move.expect("the game goes on").index();
        match Move::from_action(action) {
            _ if self.in_start() => self.play_start(seat, action),
            Move::Node(corner) => self.buy_node(seat, seat, corner),
            Move::Branch(edge) => self.buy_branch(seat, seat, edge),
            Move::OtherNode(corner) => self.buy_node(seat, 1 - seat, corner),
            Move::OtherBranch(edge) => self.buy_branch(seat, 1 - seat, edge),
            Move::Three(trade) => {
                self.three_used = true;
                self.swap_cubes(seat, trade);
            }
            Move::Two(trade) => {
                self.two_used += 1;
                self.swap_cubes(seat, trade);
            }
            Move::End => self.end_turn(seat),
        }
    }

    /// S-01
    fn play_start(&mut self, seat: usize, action: Action) {
        match Move::from_action(action) {
            Move::Node(corner) => {
                self.place_node(seat, corner);
                self.owed = Some(corner as u8);
            }
            Move::Branch(edge) => {
                self.place_branch(seat, edge);
                self.owed = None;
            }
            other => panic!("{other:?} in the start"),
        }
        self.start_plies += 1;
        match START_ORDER.get(usize::from(self.start_plies)) {
            Some(&next) => self.to_move = Some(Seat(next)),
            None => self.begin_turn(FIRST),
        }
    }

    /// S-03, S-15: `side` is the colour of the node, `seat` pays.
    fn buy_node(&mut self, seat: usize, side: usize, corner: usize) {
        self.sides[seat].cubes -= NODE_COST;
        self.place_node(side, corner);
        self.after_placement(side);
    }

    /// S-02, S-15
    fn buy_branch(&mut self, seat: usize, side: usize, edge: usize) {
        self.sides[seat].cubes -= BRANCH_COST;
        self.place_branch(side, edge);
        self.after_placement(side);
    }

    fn place_node(&mut self, side: usize, corner: usize) {
        self.sides[side].nodes |= 1 << corner;
        self.settle();
    }

    /// S-06: capture is tested after each branch. Only a branch that closes a loop can enclose anything.
    pub(super) fn place_branch(&mut self, side: usize, edge: usize) {
        if self.sides[side].add_branch(edge) && self.capture(side, EDGE_SQUARES[edge]) {
            self.settle();
        }
    }

    /// S-13, S-14: a placement ends the count of idle turns, and may end the game.
    fn after_placement(&mut self, side: usize) {
        self.placed = true;
        self.idle_turns = 0;
        if self.score(side) >= GOAL {
            self.to_move = None;
        }
    }

    /// S-08
    fn swap_cubes(&mut self, seat: usize, trade: Trade) {
        self.sides[seat].cubes += trade.receives;
        self.sides[seat].cubes -= trade.gives;
    }

    /// S-14: tested when a turn ends, before the next income.
    fn end_turn(&mut self, seat: usize) {
        if !self.placed {
            self.idle_turns += 1;
        }
        if self.idle_turns >= self.stalemate_turns {
            self.to_move = None;
        } else {
            self.begin_turn(1 - seat);
        }
    }

    fn begin_turn(&mut self, seat: usize) {
        self.to_move = Some(Seat(seat as u8));
        self.three_used = false;
        self.two_used = 0;
        self.placed = false;
        self.collect(seat);
    }

    /// S-04, S-10: cubes come from the bank; where it runs short, from an opponent who holds more of that colour.
    fn collect(&mut self, seat: usize) {
        let income = self.sides[seat].income;
        if covers(self.bank(), income) {
            self.sides[seat].cubes += income;
            return;
        }
        let [mut own, mut other, bank, income] =
            [self.sides[seat].cubes, self.sides[1 - seat].cubes, self.bank(), income].map(Cubes::to_le_bytes);
        for colour in 0..4 {
            let taken = income[colour].min(bank[colour]);
            own[colour] += taken;
            if other[colour] > own[colour] {
                let owed = (income[colour] - taken).min(other[colour]);
                own[colour] += owed;
                other[colour] -= owed;
            }
        }
        self.sides[seat].cubes = Cubes::from_le_bytes(own);
        self.sides[1 - seat].cubes = Cubes::from_le_bytes(other);
    }

    /// S-06: captures the regions around the given squares that are enclosed; says whether there were any.
    pub(super) fn capture(&mut self, side: usize, near: Squares) -> bool {
        let before = self.sides[side].captured;
        for square in (0..SQUARES).filter(|square| near >> square & 1 == 1) {
            if self.sides[side].captured >> square & 1 == 0 {
                self.sides[side].captured |= self.enclosed(side, square);
            }
        }
        let captured = self.sides[side].captured;
        if captured != before {
            self.sides[1 - side].closed = inner_edges(captured);
        }
        captured != before
    }

    /// S-06: floods from a square across every edge without a branch of the colour. The region, or nothing when the
    /// flood reaches the outside or a branch of the other colour inside.
    fn enclosed(&self, side: usize, square: usize) -> Squares {
        let (walls, intruders) = (self.sides[side].branches, self.sides[1 - side].branches);
        let mut region: Squares = 1 << square;
        let mut frontier = region;
        while frontier != 0 {
            let open = SQUARE_EDGES[frontier.trailing_zeros() as usize] & !walls;
            if open & (BORDER | intruders) != 0 {
                return 0;
            }
            frontier &= frontier - 1;
            let mut rest = open;
            while rest != 0 {
                let beyond = EDGE_SQUARES[rest.trailing_zeros() as usize] & !region;
                region |= beyond;
                frontier |= beyond;
                rest &= rest - 1;
            }
        }
        region
    }

    /// Works out everything that follows from the pieces. `Err` names a colour with more networks than two starting
    /// branches can grow.
    pub(super) fn derive(&mut self) -> Result<(), usize> {
        for side in 0..2 {
            let Side { nodes, branches, cubes, .. } = self.sides[side];
            let networks = networks(branches).ok_or(side)?;
            let touched = networks[0].corners | networks[1].corners;
            let near = (0..CORNERS).filter(|corner| touched >> corner & 1 == 1);
            let near = near.fold(0, |edges, corner| edges | CORNER_EDGES[corner]);
            self.sides[side] = Side { nodes, branches, cubes, touched, near, networks, ..Side::default() };
        }
        for side in 0..2 {
            self.capture(side, (1 << SQUARES) - 1);
        }
        self.settle();
        Ok(())
    }

    /// S-04, S-05: which squares are exhausted, and what each side's nodes earn.
    pub(super) fn settle(&mut self) {
        let [a, b] = self.sides;
        let mut income = [0; 2];
        self.exhausted = 0;
        for (colour, &set) in self.ground.colours.iter().enumerate() {
            let mut rest = set;
            while rest != 0 {
                let square = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let nodes = [a, b].map(|side| (side.nodes & SQUARE_CORNERS[square]).count_ones());
                let captured = [a, b].map(|side| side.captured >> square & 1 == 1);
                let exhausted = captured == [false; 2] && nodes[0] + nodes[1] > self.ground.limit(square);
                self.exhausted |= Squares::from(exhausted) << square;
                for side in 0..2 {
                    if !exhausted && !captured[1 - side] {
                        income[side] += nodes[side] * cube(colour);
                    }
                }
            }
        }
        self.sides[0].income = income[0];
        self.sides[1].income = income[1];
    }

    /// S-13, S-14
    pub(super) fn reason(&self) -> Option<End> {
        self.to_move.is_none().then(|| End(u8::from(self.at_goal().is_none())))
    }

    /// S-13: who wins; in `advanced` the colour at the goal has lost.
    pub(super) fn winner(&self) -> Option<usize> {
        let at_goal = self.at_goal().filter(|_| self.to_move.is_none())?;
        Some(if self.variant == Variant::Advanced { 1 - at_goal } else { at_goal })
    }
}

/// No game is longer: a start, at most one piece a corner and edge, and between two placements fewer idle turns than
/// make a stalemate, each with one 3:1 trade, a 2:1 trade for each corner of the post, and its end.
pub(super) fn longest_game(rules: &ShuterRules) -> usize {
    let pieces = CORNERS + EDGES;
    let turn = 1 + 4 + 1;
    START_ORDER.len() + pieces + (pieces + 1) * rules.stalemate_turns as usize * turn
}

/// The deal of [`Game`].
pub(super) fn deal(rules: &<Shuter as Game>::Rules, rng: &mut Rng) -> Shuter {
    match &rules.layout {
        Some(layout) => Shuter::new(rules, &layout.0),
        None => Shuter::shuffled(rules, rng),
    }
}
