//! The insights: what a node on each corner would earn, what a branch on each edge leads to, squares half enclosed.

use super::actions::Cubes;
use super::geometry::{
    CORNERS, EDGE_CORNERS, EDGE_SQUARES, EDGES, SQUARE_CORNERS, SQUARE_EDGES, SQUARES, Squares,
};
use super::observe::Place;
use super::rules::Shuter;
use crate::{Layout, Seat};

/// A cube a turn.
const CUBE: f32 = 0.25;

/// The fields of one side, the viewer's before the opponent's.
const SIDE_FIELDS: [(&str, Place, &str); 6] = [
    ("earns", Place::Corners, "empty corners: cubes a turn that a node there would earn, ÷ 4"),
    ("earns_new", Place::Corners, "the same, of colours that do not come yet"),
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
];

pub(super) fn layout(observation: Layout) -> Layout {
    ["own", "other"].iter().fold(observation, |layout, side| {
        SIDE_FIELDS.iter().fold(layout, |layout, &(name, place, about)| {
            layout.field(format!("{side}.{name}"), place.len(), about)
        })
    })
}

/// What the numbers of a field belong to.
pub(super) fn place_of(name: &str) -> Option<Place> {
    let (_, field) = name.split_once('.')?;
    SIDE_FIELDS.iter().find(|known| known.0 == field).map(|known| known.1)
}

pub(super) fn write(game: &Shuter, viewer: Seat, out: &mut [f32]) {
    out.fill(0.0);
    let half = out.len() / 2;
    for (side, out) in [viewer.index(), 1 - viewer.index()].into_iter().zip(out.chunks_exact_mut(half)) {
        write_side(game, side, out);
    }
}

fn write_side(game: &Shuter, side: usize, out: &mut [f32]) {
    let (own, other) = (&game.sides[side], &game.sides[1 - side]);
    let (earns, out) = out.split_at_mut(CORNERS);
    let (earns_new, out) = out.split_at_mut(CORNERS);
    let (denies, out) = out.split_at_mut(CORNERS);
    let (leads, out) = out.split_at_mut(EDGES);
    let (encloses, enclosed) = out.split_at_mut(EDGES);
    let income = Cubes::to_le_bytes(own.income);
    for (colour, squares) in game.ground.colours.into_iter().enumerate() {
        for square in bits(squares.into()) {
            let empty = SQUARE_CORNERS[square] & game.empty_corners();
            let earned = if pays_after(game, side, square, 1) { CUBE } else { 0.0 };
            let stops = pays_after(game, 1 - side, square, 0) && !pays_after(game, 1 - side, square, 1);
            let denied =
                if stops { (other.nodes & SQUARE_CORNERS[square]).count_ones() as f32 * CUBE } else { 0.0 };
            for corner in bits(empty.into()) {
                earns[corner] += earned;
                earns_new[corner] += if income[colour] == 0 { earned } else { 0.0 };
                denies[corner] += denied;
            }
        }
    }
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

/// S-04, S-05: whether a coloured square pays a side once that many more nodes stand on its corners.
fn pays_after(game: &Shuter, side: usize, square: usize, more: u32) -> bool {
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

/// The members of a set.
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let member = set.trailing_zeros() as usize;
        let some = set != 0;
        set &= set.wrapping_sub(1);
        some.then_some(member)
    })
}

#[cfg(test)]
mod tests {
    use super::super::actions::NODE;
    use super::*;
    use crate::games::shuter::ShuterRules;
    use crate::rng::Purpose;
    use crate::{Action, Game, Mask, Rng, random_action};

    #[test]
    fn a_node_earns_and_denies_what_was_told() {
        let mut nodes = 0;
        for index in 0..200 {
            let mut rng = Rng::keyed(Purpose::Choice, 4, index, 0);
            let mut game = Shuter::deal(&ShuterRules::default(), &mut rng);
            for _ in 0..index / 2 {
                let Some(action) = random_action(&game, &mut rng) else { break };
                game.apply(action);
            }
            let Some(seat) = game.to_move() else { continue };
            let spec = Shuter::spec(&ShuterRules::default());
            let mut seen = vec![0.0; spec.insights.len()];
            game.observe(seat, &mut seen);
            let told = |name: &str, corner: usize| seen[spec.insights.range(name).unwrap()][corner] * 4.0;
            let mut mask = Mask::EMPTY;
            game.legal(&mut mask);
            for corner in (0..CORNERS).filter(|&corner| mask.contains(Action((NODE + corner) as u16))) {
                let mut next = game.clone();
                next.apply(Action((NODE + corner) as u16));
                if next.to_move().is_none() {
                    continue;
                }
                let total = |of: &Shuter, side: usize| {
                    Cubes::to_le_bytes(of.sides[side].income).iter().map(|&n| f32::from(n)).sum::<f32>()
                };
                let side = seat.index();
                let own_lost = |square: usize| {
                    let stops = pays_after(&game, side, square, 0) && !pays_after(&game, side, square, 1);
                    let coloured = game.ground.colours.iter().any(|set| set >> square & 1 == 1);
                    let touches = SQUARE_CORNERS[square] >> corner & 1 == 1;
                    let standing = (game.sides[side].nodes & SQUARE_CORNERS[square]).count_ones();
                    if stops && coloured && touches { standing as f32 } else { 0.0 }
                };
                let lost: f32 = (0..SQUARES).map(own_lost).sum();
                assert_eq!(total(&next, side) - total(&game, side), told("own.earns", corner) - lost);
                assert_eq!(total(&game, 1 - side) - total(&next, 1 - side), told("own.denies", corner));
                nodes += 1;
            }
        }
        assert!(nodes > 200, "only {nodes} nodes were tried");
    }
}
