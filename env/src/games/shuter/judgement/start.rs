//! The placements of the start: what each is worth when those that follow are the best ones.

use super::super::geometry::CORNERS;
use super::super::rules::Shuter;
use super::turn::ByFirst;
use super::{Weights, judged, keep_best};
use crate::{Action, Mask, Seat};

/// Placements whose replies are looked at, of those that look best: the first of seat 0, then both of seat 1. The last one of all
/// needs no reply.
const LOOKED_AT: [usize; 3] = [12, 2, 2];
/// The most placements: a corner has four edges at most.
const PLACEMENTS: usize = CORNERS * 4;

/// A placement: its node and its branch, or the branch alone, and how good the board then looks.
#[derive(Clone, Copy)]
struct Placement {
    actions: [Option<Action>; 2],
    looks: f32,
}

/// What each legal action of a position in the start is worth to the seat to act.
pub(super) fn worths(game: &Shuter, weights: &Weights) -> ByFirst {
    let seat = game.to_move.expect("the game goes on");
    let mut placements = [Placement { actions: [None; 2], looks: 0.0 }; PLACEMENTS];
    let count = list(game, weights, seat, &mut placements);
    let placements = &mut placements[..count];
    let looked_at = LOOKED_AT.get(usize::from(game.start_plies) / 2);
    let kept = looked_at.map_or(0, |&most| keep_best(placements, most, |placement| placement.looks));
    let (kept, rest) = placements.split_at(kept);
    let mut by_first = [f32::NEG_INFINITY; _];
    let mut tell = |placement: &Placement, worth: f32| {
        let first = placement.actions[0].expect("a placement has an action").index();
        by_first[first] = worth.max(by_first[first]);
    };
    let mut lowest = f32::INFINITY;
    for placement in kept {
        let next = placed(game, placement);
        let best = worths(&next, weights).into_iter().fold(f32::NEG_INFINITY, f32::max);
        let worth = if next.to_move == Some(seat) { best } else { -best };
        lowest = lowest.min(worth);
        tell(placement, worth);
    }
    for placement in rest {
        // One that was not looked at is no better than those that were.
        let worth = kept.last().map_or(placement.looks, |last| lowest + placement.looks - last.looks);
        tell(placement, worth);
    }
    by_first
}

/// The placements that are left to make, a node and a branch or the branch alone, with how they look.
fn list(game: &Shuter, weights: &Weights, seat: Seat, out: &mut [Placement; PLACEMENTS]) -> usize {
    let mut count = 0;
    let mut legal = Mask::EMPTY;
    game.legal_actions(&mut legal);
    for first in legal.iter() {
        let mut next = game.clone();
        next.play(first);
        if game.owed.is_some() {
            out[count] = Placement { actions: [Some(first), None], looks: judged(&next, weights, seat) };
            count += 1;
            continue;
        }
        let mut branches = Mask::EMPTY;
        next.legal_actions(&mut branches);
        for branch in branches.iter() {
            let mut last = next.clone();
            last.play(branch);
            out[count] =
                Placement { actions: [Some(first), Some(branch)], looks: judged(&last, weights, seat) };
            count += 1;
        }
    }
    count
}

fn placed(game: &Shuter, placement: &Placement) -> Shuter {
    let mut game = game.clone();
    placement.actions.into_iter().flatten().for_each(|action| game.play(action));
    game
}
