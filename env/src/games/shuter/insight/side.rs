//! What one side's pieces lead to: earnings of nodes, prospects of branches, squares half enclosed.

use super::super::geometry::{
    CORNER_EDGES, CORNERS, EDGE_CORNERS, EDGE_SQUARES, EDGES, SQUARE_CORNERS, SQUARE_EDGES, SQUARES, Squares,
    bits,
};
use super::super::observe::{Field, Place, total};
use super::super::pieces::BRANCHES;
use super::super::rules::Shuter;
use super::trades;

/// A cube a turn, of any colour and of one.
const CUBE: f32 = 0.25;
const CUBE_OF_COLOUR: f32 = 0.5;
/// How many more branches a corner may need for a node to be told.
const FARTHEST: u32 = 3;

/// The fields of one side.
pub(super) const FIELDS: [Field; 14] = [
    ("earns", Place::Corners, "empty corners: cubes a turn that a node there would earn, ÷ 4"),
    ("earns.red", Place::Corners, "the red ones of them, ÷ 2"),
    ("earns.yellow", Place::Corners, "the yellow ones, ÷ 2"),
    ("earns.blue", Place::Corners, "the blue ones, ÷ 2"),
    ("earns.green", Place::Corners, "the green ones, ÷ 2"),
    (
        "denies",
        Place::Corners,
        "empty corners: cubes a turn that a node there would take from the other side, ÷ 4",
    ),
    (
        "leads",
        Place::Edges,
        "open edges: the most that a node would earn on a free corner that only this branch reaches, ÷ 4",
    ),
    (
        "encloses",
        Place::Edges,
        "open edges: the most own branches around a square beside it that can still be captured, ÷ 3",
    ),
    ("enclosed", Place::Squares, "squares that can still be captured: own branches around, ÷ 4"),
    (
        "reach",
        Place::Corners,
        "empty corners: 1 ÷ (1 + the branches still needed for a node there); 0 where that is more than three",
    ),
    ("captures", Place::Edges, "open edges: squares that a branch there would capture, ÷ 3"),
    (
        "grows",
        Place::Edges,
        "open edges: branches by which one there would make the largest network larger, ÷ 5",
    ),
    (
        "points",
        Place::Edges,
        "open edges: what a branch there would change in this side's points minus the other's, ÷ 4",
    ),
    (
        "buys",
        Place::Nowhere(4),
        "branches and nodes that the cubes buy, each kind alone, then the same with one trade, the best, ÷ 4. \
         To act: cubes and trades of now; otherwise those of the next turn, as if no colour ran short",
    ),
];

/// How many numbers they have.
pub(super) const LEN: usize = total(&FIELDS);

pub(super) fn write(game: &Shuter, side: usize, out: &mut [f32]) {
    let (earns, out) = out.split_at_mut(CORNERS);
    let (by_colour, out) = out.split_at_mut(4 * CORNERS);
    let (denies, out) = out.split_at_mut(CORNERS);
    let (leads, out) = out.split_at_mut(EDGES);
    let (encloses, out) = out.split_at_mut(EDGES);
    let (enclosed, out) = out.split_at_mut(SQUARES);
    let (reach, out) = out.split_at_mut(CORNERS);
    let (branch, buys) = out.split_at_mut(3 * EDGES);
    write_nodes(game, side, earns, by_colour, denies);
    write_branches(game, side, branch);
    write_reach(game, side, reach);
    trades::write_buys(game, side, buys);

    let own = &game.sides[side];
    let open = capturable(game, side);
    for square in bits(open.into()) {
        enclosed[square] = (own.branches & SQUARE_EDGES[square]).count_ones() as f32 * 0.25;
    }
    for edge in bits(own.branch_spots(game.empty_edges())) {
        for corner in bits((EDGE_CORNERS[edge] & game.empty_corners() & !own.touched).into()) {
            leads[edge] = leads[edge].max(earns[corner]);
        }
        for square in bits((EDGE_SQUARES[edge] & open).into()) {
            let around = (own.branches & SQUARE_EDGES[square]).count_ones() as f32;
            encloses[edge] = encloses[edge].max(around * (1.0 / 3.0));
        }
    }
}

/// What a node on each empty corner would earn, all in all and by colour, and deny.
fn write_nodes(game: &Shuter, side: usize, earns: &mut [f32], by_colour: &mut [f32], denies: &mut [f32]) {
    let other = &game.sides[1 - side];
    for (squares, of_colour) in game.ground.colours.into_iter().zip(by_colour.chunks_exact_mut(CORNERS)) {
        for square in bits(squares.into()) {
            let earned = f32::from(u8::from(pays_after(game, side, square, 1)));
            let stops = pays_after(game, 1 - side, square, 0) && !pays_after(game, 1 - side, square, 1);
            let denied =
                if stops { (other.nodes & SQUARE_CORNERS[square]).count_ones() as f32 * CUBE } else { 0.0 };
            for corner in bits((SQUARE_CORNERS[square] & game.empty_corners()).into()) {
                earns[corner] += earned * CUBE;
                of_colour[corner] += earned * CUBE_OF_COLOUR;
                denies[corner] += denied;
            }
        }
    }
}

/// What a branch on each open edge would capture, add to the largest network and change in the points: it is placed on a copy.
fn write_branches(game: &Shuter, side: usize, out: &mut [f32]) {
    let (captures, out) = out.split_at_mut(EDGES);
    let (grows, points) = out.split_at_mut(EDGES);
    let own = &game.sides[side];
    let lead = |game: &Shuter| game.score(side) as f32 - game.score(1 - side) as f32;
    let before = lead(game);
    for edge in bits(own.branch_spots(game.empty_edges())) {
        let mut next = game.clone();
        next.place_branch(side, edge);
        let after = &next.sides[side];
        captures[edge] = (after.captured & !own.captured).count_ones() as f32 * (1.0 / 3.0);
        grows[edge] = (after.largest() - own.largest()) as f32 * (1.0 / 5.0);
        points[edge] = (lead(&next) - before) * 0.25;
    }
}

/// S-02, S-07, S-11: how near a node is to each empty corner, over edges that are empty and not closed.
fn write_reach(game: &Shuter, side: usize, reach: &mut [f32]) {
    let own = &game.sides[side];
    let open = game.empty_edges() & !own.closed;
    let supply = BRANCHES - own.branches.count_ones();
    let (mut reached, mut newest) = (own.touched, own.touched);
    for needed in 0..=FARTHEST.min(supply) {
        for corner in bits((newest & game.empty_corners()).into()) {
            reach[corner] = 1.0 / (1 + needed) as f32;
        }
        let edges = bits(newest.into()).fold(0, |edges, corner| edges | CORNER_EDGES[corner]) & open;
        newest = bits(edges).fold(0, |corners, edge| corners | EDGE_CORNERS[edge]) & !reached;
        reached |= newest;
    }
}

/// S-04, S-05: whether a coloured square pays a side once that many more nodes stand on its corners.
pub(super) fn pays_after(game: &Shuter, side: usize, square: usize, more: u32) -> bool {
    let captured = |side: usize| game.sides[side].captured >> square & 1 == 1;
    let nodes = (game.sides[0].nodes | game.sides[1].nodes) & SQUARE_CORNERS[square];
    captured(side) || !captured(1 - side) && nodes.count_ones() + more <= game.ground.limit(square)
}

/// S-06: squares that nobody has captured and that the other side has no branch around.
fn capturable(game: &Shuter, side: usize) -> Squares {
    let captured = game.sides[0].captured | game.sides[1].captured;
    let free = |square: &usize| game.sides[1 - side].branches & SQUARE_EDGES[*square] == 0;
    (0..SQUARES).filter(free).fold(0, |set, square| set | 1 << square) & !captured
}
