//! The insights: where the cheapest connections of both players run, how far they are, and what a piece would change about that.

use super::cells::Cells;
use super::geometry::{Board, MAX_CELLS};
use super::rules::Kato;
use super::ways::{Trial, Ways};
use crate::{Layout, Seat};

/// Two planes a player, then two distances a player, then two planes of what a piece would change.
const PLANES: usize = 4;
const DISTANCES: usize = 4;
const DISTANCE_SCALE: f32 = 1.0 / 40.0;
/// Further than this, a distance says no more.
const FAR: u16 = 40;
const GAIN_SCALE: f32 = 1.0 / 3.0;

pub(super) fn layout(board: &Board, observation: Layout) -> Layout {
    let n = board.cells;
    observation
        .field("own.way", n, "how near the viewer's cheapest connection through the cell is to its cheapest one: 1 on it, a third less for every step more")
        .field("other.way", n, "the same for the opponent")
        .field("own.opens", n, "empty outer cells: the most that a cell counts in both ways on which an anchor there would allow a node, ÷ 2")
        .field("other.opens", n, "the same for an anchor of the opponent's")
        .field("distance", DISTANCES, "what the viewer still has to pay to connect opposite sides and three sides, then the opponent, ÷ 40, at most 1")
        .field("own.after", n, "where the viewer may place a piece now: how much nearer a win is with it, ÷ 3, at most 1; 1 if it wins")
        .field("other.after", n, "the same cells: how much further away the opponent's win is with it, ÷ 3, at most 1; 1 if it wins")
}

pub(super) fn write(game: &Kato, viewer: Seat, out: &mut [f32]) {
    let n = game.board.cells;
    let players = [viewer.index(), 1 - viewer.index()];
    let ways = Ways::new(game.board, game.pieces, game.once, game.twice);
    let (planes, rest) = out.split_at_mut(PLANES * n);
    let (distances, after) = rest.split_at_mut(DISTANCES);
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
    after.fill(0.0);
    if game.to_act() == Some(viewer) {
        let mut trial = Trial::new(game, &ways, viewer.index());
        for cell in game.placeable().iter() {
            let gains = trial.gains(cell).map_or([1.0; 2], |gains| gains.map(scaled));
            [after[cell], after[n + cell]] = gains;
        }
    }
}

fn scaled(gain: f32) -> f32 {
    (gain * GAIN_SCALE).clamp(-1.0, 1.0)
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
        let mut out = vec![f32::NAN; (PLANES + 2) * game.board.cells + DISTANCES];
        write(&game, Seat(0), &mut out);
        assert_eq!(out[0], 1.0, "the cheapest way runs along the rim");
        assert!(out[45] < 0.01, "and not over the middle, which lacks its anchors");
        assert_eq!(out[PLANES * game.board.cells], 11.0 * 2.0 / 40.0, "eleven outer cells");
    }

    #[test]
    fn a_piece_changes_what_it_is_said_to_change() {
        let (mut compared, mut won, mut blocked) = (0, 0, 0);
        for index in 0..150 {
            let rules = KatoRules { size: 4 + (index % 5) as u8, swap: index % 2 == 0 };
            let mut rng = Rng::keyed(Purpose::Choice, 3, index, 0);
            let mut game = Kato::deal(&rules, &mut rng);
            for _ in 0..rng.below(90) {
                let Some(action) = random_action(&game, &mut rng) else { break };
                game.apply(action);
            }
            let n = game.board.cells;
            for viewer in [0, 1] {
                let mut out = vec![f32::NAN; (PLANES + 2) * n + DISTANCES];
                write(&game, Seat(viewer), &mut out);
                let after = &out[PLANES * n + DISTANCES..];
                let acts = game.to_move() == Some(Seat(viewer));
                let placeable = if acts { game.placeable() } else { Cells::EMPTY };
                let (own, other) = (usize::from(viewer), 1 - usize::from(viewer));
                let ways = |game: &Kato| Ways::new(game.board, game.pieces, game.once, game.twice);
                let before = ways(&game);
                for cell in 0..n {
                    let found = [after[cell], after[n + cell]];
                    if !placeable.contains(cell) {
                        assert_eq!(found, [0.0; 2], "game {index}, cell {cell}");
                        continue;
                    }
                    let mut next = game.clone();
                    next.apply(Action(cell as u16));
                    if next.end.is_some() {
                        assert_eq!(found, [1.0; 2], "game {index}, winning cell {cell}");
                        won += 1;
                        continue;
                    }
                    let next = ways(&next);
                    let expected = [
                        scaled(next.nearness(own) - before.nearness(own)),
                        scaled(before.nearness(other) - next.nearness(other)),
                    ];
                    assert_eq!(found, expected, "game {index}, cell {cell}");
                    compared += 1;
                    blocked += usize::from(expected[1] > 0.0);
                }
            }
        }
        assert!(compared > 1_000 && won > 0 && blocked > 100, "{compared}, {won}, {blocked}");
    }
}
