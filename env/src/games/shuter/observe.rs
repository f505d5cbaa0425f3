//! The observation: yes-or-no facts first, packed as bits and spread to numbers in one go, then the counts.

use super::actions::{Cubes, THREES, TWOS};
use super::geometry::{CORNERS, EDGES, SQUARES, points};
use super::insight;
use super::pieces::BRANCHES;
use super::rules::{GOAL, Shuter};
use crate::flags::Flags;
use crate::grid::SQUARE;
use crate::{Grid, Layout, Seat};

/// What a field's numbers belong to, so that a symmetry knows how to move them.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Squares,
    Corners,
    Edges,
    /// One number a colour, in the order r y b g.
    Colours,
    /// One number a trade, in the order of the actions.
    Trades,
    Nowhere(usize),
}

impl Place {
    pub(super) const fn len(self) -> usize {
        match self {
            Self::Squares => SQUARES,
            Self::Corners => CORNERS,
            Self::Edges => EDGES,
            Self::Colours => 4,
            Self::Trades => THREES + TWOS,
            Self::Nowhere(len) => len,
        }
    }
}

/// A field: its name, what its numbers belong to, what it says.
pub(super) type Field = (&'static str, Place, &'static str);

/// How many numbers the fields have.
pub(super) const fn total(fields: &[Field]) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < fields.len() {
        sum += fields[i].1.len();
        i += 1;
    }
    sum
}

/// Puts fields behind a layout.
pub(super) fn extended(layout: Layout, fields: &[Field]) -> Layout {
    fields.iter().fold(layout, |layout, &(name, place, about)| layout.field(name, place.len(), about))
}

/// The yes-or-no fields.
const FLAGS: [Field; 27] = [
    ("red", Place::Squares, "1 where the square is red"),
    ("yellow", Place::Squares, "1 where it is yellow"),
    ("blue", Place::Squares, "1 where it is blue"),
    ("green", Place::Squares, "1 where it is green"),
    ("post", Place::Squares, "1 at the trading post"),
    ("limit.1", Place::Squares, "1 where the limit is 1"),
    ("limit.2", Place::Squares, "1 where the limit is 2"),
    ("limit.3", Place::Squares, "1 where the limit is 3"),
    ("exhausted", Place::Squares, "1 where the square is exhausted"),
    ("own.captured", Place::Squares, "1 where the viewer has captured the square"),
    ("other.captured", Place::Squares, "1 where the opponent has"),
    ("own.nodes", Place::Corners, "1 where the viewer has a node"),
    ("other.nodes", Place::Corners, "1 where the opponent has one"),
    ("own.node_spots", Place::Corners, "1 where the viewer's branches allow a node, whatever it costs"),
    ("other.node_spots", Place::Corners, "the same for the opponent"),
    ("owed", Place::Corners, "1 at the starting node whose branch is still to come"),
    ("own.branches", Place::Edges, "1 where the viewer has a branch"),
    ("other.branches", Place::Edges, "1 where the opponent has one"),
    ("own.branch_spots", Place::Edges, "1 where the viewer's branches allow another, whatever it costs"),
    ("other.branch_spots", Place::Edges, "the same for the opponent"),
    ("start_ply", Place::Nowhere(8), "one-hot: plies of the start made; zeros in the regular turns"),
    ("first", Place::Nowhere(1), "1 when the viewer is seat 0"),
    ("to_move", Place::Nowhere(1), "1 when the viewer is to act"),
    ("placed", Place::Nowhere(1), "1 when this turn has placed a piece"),
    ("three_used", Place::Nowhere(1), "1 when this turn's 3:1 trade is used"),
    ("own.largest", Place::Nowhere(1), "1 when the viewer has the two points for the largest network"),
    ("other.largest", Place::Nowhere(1), "1 when the opponent has them"),
];

/// The counts behind them.
const COUNTS: [Field; 11] = [
    ("own.cubes", Place::Colours, "the viewer's cubes r y b g, ÷ 10"),
    ("other.cubes", Place::Colours, "the opponent's cubes, ÷ 10"),
    ("bank", Place::Colours, "the bank's cubes, ÷ 10"),
    ("own.income", Place::Colours, "what the viewer's nodes earn now, r y b g, ÷ 10"),
    ("other.income", Place::Colours, "what the opponent's nodes earn now, ÷ 10"),
    ("score", Place::Nowhere(2), "points, viewer first, ÷ 10"),
    ("network", Place::Nowhere(2), "branches of the largest network, viewer first, ÷ 24"),
    ("branches_left", Place::Nowhere(2), "branches in the supply, viewer first, ÷ 24"),
    ("two_trades", Place::Nowhere(2), "2:1 trades that a whole turn allows, viewer first, ÷ 4"),
    ("two_used", Place::Nowhere(1), "2:1 trades that this turn has used, ÷ 4"),
    ("idle_turns", Place::Nowhere(1), "turns in a row without a placement, ÷ those that make a draw"),
];

const FLAG_COUNT: usize = total(&FLAGS);
const FLAG_WORDS: usize = FLAG_COUNT.div_ceil(64);
const COUNT_COUNT: usize = total(&COUNTS);

pub(super) fn layout() -> Layout {
    extended(extended(Layout::default(), &FLAGS), &COUNTS)
}

/// The observation with the insights behind it.
pub(super) fn insights() -> Layout {
    insight::layout(layout())
}

/// The diamond under the fields: squares, corners and edges as points of one square grid, each among those that touch it.
pub(super) fn grid() -> Grid {
    let mut places = [[0; 2]; SQUARES + CORNERS + EDGES];
    let (edges, corners) = (SQUARES + CORNERS, SQUARES);
    for (row, points) in (0..).step_by(2).zip(points()) {
        for (column, point) in (0..).step_by(2).zip(points) {
            let around = [
                (point.corner.map(|corner| corners + corner), [row, column]),
                (point.right.map(|edge| edges + edge), [row, column + 1]),
                (point.down.map(|edge| edges + edge), [row + 1, column]),
                (point.square, [row + 1, column + 1]),
            ];
            for (cell, place) in around {
                if let Some(cell) = cell {
                    places[cell] = place;
                }
            }
        }
    }
    Grid::new(&insights(), &places, &SQUARE, |field| match place_of(&field.name) {
        Place::Squares => Some((0..SQUARES).collect()),
        Place::Corners => Some((corners..edges).collect()),
        Place::Edges => Some((edges..edges + EDGES).collect()),
        Place::Colours | Place::Trades | Place::Nowhere(_) => None,
    })
}

/// What the numbers of a field belong to.
pub(super) fn place_of(name: &str) -> Place {
    let known = FLAGS.iter().chain(&COUNTS).find(|field| field.0 == name).map(|field| field.1);
    known.or_else(|| insight::place_of(name)).expect("a field of the layout")
}

#[inline]
pub(super) fn write(game: &Shuter, seat: Seat, out: &mut [f32]) {
    let (out, insights) = out.split_at_mut(FLAG_COUNT + COUNT_COUNT);
    if !insights.is_empty() {
        insight::write(game, seat, insights);
    }
    let (own, other) = (&game.sides[seat.index()], &game.sides[1 - seat.index()]);
    let (corners, edges) = (game.empty_corners(), game.empty_edges());
    let (own_largest, other_largest) = (own.largest(), other.largest());

    let mut flags = Flags::<FLAG_WORDS>::default();
    for set in game.ground.colours {
        flags.put(set.into(), SQUARES);
    }
    flags.put(game.ground.post.into(), SQUARES);
    for set in game.ground.limits {
        flags.put(set.into(), SQUARES);
    }
    flags.put(game.exhausted.into(), SQUARES);
    flags.put(own.captured.into(), SQUARES);
    flags.put(other.captured.into(), SQUARES);
    flags.put(own.nodes.into(), CORNERS);
    flags.put(other.nodes.into(), CORNERS);
    flags.put(own.node_spots(corners).into(), CORNERS);
    flags.put(other.node_spots(corners).into(), CORNERS);
    flags.put(game.owed.map_or(0, |corner| 1 << corner), CORNERS);
    flags.put(own.branches, EDGES);
    flags.put(other.branches, EDGES);
    flags.put(own.branch_spots(edges), EDGES);
    flags.put(other.branch_spots(edges), EDGES);
    flags.put(1 << game.start_plies & 0xff, 8);
    flags.put((seat.0 == 0).into(), 1);
    flags.put((game.to_move == Some(seat)).into(), 1);
    flags.put(game.placed.into(), 1);
    flags.put(game.three_used.into(), 1);
    flags.put((own_largest > other_largest).into(), 1);
    flags.put((other_largest > own_largest).into(), 1);
    let (flag_part, count_part) = out.split_at_mut(FLAG_COUNT);
    flags.spread(flag_part);

    let counts: &mut [f32; COUNT_COUNT] =
        count_part.try_into().expect("an observation has its declared length");
    let (cubes, rest) = counts.split_at_mut(20);
    let five = [own.cubes, other.cubes, game.bank(), own.income, other.income];
    for (four, cubes) in cubes.chunks_exact_mut(4).zip(five) {
        four.copy_from_slice(&Cubes::to_le_bytes(cubes).map(|n| f32::from(n) * (1.0 / 10.0)));
    }
    let sides = [seat.index(), 1 - seat.index()];
    let scalars = [
        game.score(sides[0]) as f32 * (1.0 / GOAL as f32),
        game.score(sides[1]) as f32 * (1.0 / GOAL as f32),
        own_largest as f32 * (1.0 / BRANCHES as f32),
        other_largest as f32 * (1.0 / BRANCHES as f32),
        (BRANCHES - own.branches.count_ones()) as f32 * (1.0 / BRANCHES as f32),
        (BRANCHES - other.branches.count_ones()) as f32 * (1.0 / BRANCHES as f32),
        game.two_trades(sides[0]) as f32 * 0.25,
        game.two_trades(sides[1]) as f32 * 0.25,
        f32::from(game.two_used) * 0.25,
        game.idle_turns as f32 / game.stalemate_turns as f32,
    ];
    rest.copy_from_slice(&scalars);
}
