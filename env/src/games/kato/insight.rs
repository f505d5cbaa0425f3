//! The insights: where the cheapest connections of both players run, and how far they are.

use super::cells::Cells;
use super::geometry::{Board, MAX_CELLS};
use super::rules::Kato;
use super::ways::Ways;
use crate::{Layout, Seat};

/// Two planes a player and two distances a player.
const PLANES: usize = 4;
const DISTANCE_SCALE: f32 = 1.0 / 40.0;
/// Further than this, a distance says no more.
const FAR: u16 = 40;

pub(super) fn layout(board: &Board, observation: Layout) -> Layout {
    let n = board.cells;
    observation
        .field("own.way", n, "how near the viewer's cheapest connection through the cell is to its cheapest one: 1 on it, a third less for every step more")
        .field("other.way", n, "the same for the opponent")
        .field("own.opens", n, "empty outer cells: the most that a cell counts in both ways on which an anchor there would allow a node, ÷ 2")
        .field("other.opens", n, "the same for an anchor of the opponent's")
        .field("distance", 4, "what the viewer still has to pay to connect opposite sides and three sides, then the opponent, ÷ 40, at most 1")
}

pub(super) fn write(game: &Kato, viewer: Seat, out: &mut [f32]) {
    let n = game.board.cells;
    let players = [viewer.index(), 1 - viewer.index()];
    let ways = Ways::new(game.board, game.pieces, game.once, game.twice);
    let (planes, distances) = out.split_at_mut(PLANES * n);
    let (way_planes, open_planes) = planes.split_at_mut(2 * n);
    let mut through = [0; MAX_CELLS];
    for (half, player) in players.into_iter().enumerate() {
        let least = ways.nearest(player, &mut through);
        let nearest = least[0].min(least[1]);
        for (number, &cost) in way_planes[half * n..][..n].iter_mut().zip(&through) {
            *number = DISCOUNT[usize::from((cost - nearest).min(FAR))];
        }
        for (number, distance) in distances[2 * half..][..2].iter_mut().zip(least) {
            *number = f32::from(distance.min(FAR)) * DISTANCE_SCALE;
        }
    }
    let (own, other) = way_planes.split_at(n);
    open_planes.fill(0.0);
    let outer = game.free() & game.board.outer;
    for (half, player) in players.into_iter().enumerate() {
        for anchor in outer.iter() {
            let both = opened(game, player, anchor).iter().map(|cell| (own[cell] + other[cell]) * 0.5);
            open_planes[half * n + anchor] = both.fold(0.0, f32::max);
        }
    }
}

/// K-04: where a player could place a node together with a new anchor there.
fn opened(game: &Kato, player: usize, anchor: usize) -> Cells {
    let (lines, numbers) = (game.board.lines_through(anchor), game.board.line_of[anchor]);
    let mut open = Cells::EMPTY;
    for (axis, line) in lines.into_iter().enumerate() {
        // An anchor on a line that has one already adds nothing there.
        let known = game.anchored[player][axis] >> numbers[axis] & 1 == 1;
        open |= line & if known { game.twice[player] } else { game.once[player] };
    }
    open & game.free()
}

/// What a cell counts by how much more its connection costs than the cheapest one.
static DISCOUNT: [f32; FAR as usize + 1] = {
    let mut table = [1.0; FAR as usize + 1];
    let mut i = 1;
    while i < table.len() {
        table[i] = table[i - 1] * (2.0 / 3.0);
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::kato::KatoRules;
    use crate::rng::Purpose;
    use crate::{Action, Game, Rng, random_action};

    #[test]
    fn an_anchor_opens_what_it_allows_a_node_on() {
        for index in 0..50 {
            let mut rng = Rng::keyed(Purpose::Choice, 2, index, 0);
            let mut game = Kato::deal(&KatoRules::default(), &mut rng);
            for _ in 0..3 + index % 20 {
                let Some(action) = random_action(&game, &mut rng) else { break };
                game.apply(action);
            }
            let Some(Seat(seat)) = game.to_move() else { continue };
            if game.phase != super::super::rules::Phase::Anchor {
                continue;
            }
            for anchor in (game.free() & game.board.outer).iter() {
                let mut next = game.clone();
                next.apply(Action(anchor as u16));
                let owed = next.end.is_none() && next.anchor.is_some();
                let expected = if owed { next.placeable() } else { Cells::EMPTY };
                if next.end.is_none() {
                    assert_eq!(opened(&game, seat.into(), anchor), expected, "game {index}, anchor {anchor}");
                }
            }
        }
    }

    #[test]
    fn the_cheapest_connection_is_marked() {
        let game = Kato::start(&KatoRules::default());
        let mut out = vec![f32::NAN; PLANES * game.board.cells + 4];
        write(&game, Seat(0), &mut out);
        assert_eq!(out[0], 1.0, "the cheapest way runs along the rim");
        assert!(out[45] < 0.01, "and not over the middle, which lacks its anchors");
        assert_eq!(out[PLANES * game.board.cells], 11.0 * 2.0 / 40.0, "eleven outer cells");
    }
}
