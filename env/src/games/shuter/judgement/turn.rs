//! The ways through the rest of a turn.

use super::super::actions::{Cubes, END, THREE};
use super::super::geometry::{Corners, Edges, bits};
use super::super::rules::{Shuter, bought};
use super::{Weights, judged, keep_best};
use crate::{Action, Mask};

/// The most plies of a turn that are looked ahead: pieces and trades beyond them are left for then.
const LONGEST: usize = 12;

/// Actions that a turn can begin with, as bits.
pub(super) type Firsts = u128;

/// A position in the turn, and how good it looks if the turn ends there.
#[derive(Clone)]
pub(super) struct Stop {
    pub game: Shuter,
    pub firsts: Firsts,
    pub looks: f32,
}

/// A position in the middle of the turn, told by what has changed and by how to get there.
#[derive(Clone, Copy)]
struct Way {
    looks: f32,
    from: u8,
    action: u8,
    two_used: u8,
    three_used: bool,
    nodes: Corners,
    cubes: Cubes,
    branches: Edges,
    firsts: Firsts,
}

impl Way {
    const NONE: Self = Self {
        looks: 0.0,
        from: 0,
        action: 0,
        two_used: 0,
        three_used: false,
        nodes: 0,
        cubes: 0,
        branches: 0,
        firsts: 0,
    };

    fn leads_to(&self, game: &Shuter, seat: usize) -> bool {
        let own = &game.sides[seat];
        self.branches == own.branches
            && self.cubes == own.cubes
            && self.nodes == own.nodes
            && self.two_used == game.two_used
            && self.three_used == game.three_used
    }
}

/// How good the turn may look when it ends, by the action that it begins with; less than everything for those that are not legal.
pub(super) type ByFirst = [f32; END + 1];

/// Goes through the turn ply by ply, from each ply on with the `WIDTH` ways alone that look best if the turn ended there. `stop` is
/// told where the turn begins and every place that it went on from.
pub(super) fn explore<const WIDTH: usize>(
    game: &Shuter,
    weights: &Weights,
    mut stop: impl FnMut(&Stop),
) -> ByFirst {
    let seat = game.to_move.expect("the game goes on");
    let mut by_first = [f32::NEG_INFINITY; END + 1];
    let start = Stop { game: game.clone(), firsts: 1 << END, looks: judged(&ended(game), weights, seat) };
    by_first[END] = start.looks;
    stop(&start);
    let mut followed: [Stop; WIDTH] = std::array::from_fn(|_| start.clone());
    let mut count = 1;
    let mut ways = [[Way::NONE; END]; WIDTH];
    let ways = ways.as_flattened_mut();
    for ply in 0..LONGEST {
        let mut len = 0;
        for (from, before) in followed[..count].iter().enumerate() {
            len = go_on(before, from, ply, weights, ways, len);
        }
        for way in &ways[..len] {
            for first in members(way.firsts) {
                by_first[first] = by_first[first].max(way.looks);
            }
        }
        let kept = keep_best(&mut ways[..len], WIDTH, |way| way.looks);
        let before = followed.clone();
        count = 0;
        for way in &ways[..kept] {
            let mut game = before[usize::from(way.from)].game.clone();
            game.play(Action(way.action.into()));
            followed[count] = Stop { game, firsts: way.firsts, looks: way.looks };
            stop(&followed[count]);
            // Behind the last point there is no way on.
            count += usize::from(followed[count].game.to_move.is_some());
        }
        if count == 0 {
            break;
        }
    }
    by_first
}

/// Adds the ways that lead on from a place; says how many ways there are then.
fn go_on(
    before: &Stop,
    from: usize,
    ply: usize,
    weights: &Weights,
    ways: &mut [Way],
    mut len: usize,
) -> usize {
    let seat = before.game.to_move.expect("the turn goes on");
    let buys = bought(before.game.sides[seat.index()].cubes);
    let mut legal = Mask::EMPTY;
    before.game.legal_actions(&mut legal);
    for action in legal.iter().filter(|action| action.index() < END) {
        let mut next = before.game.clone();
        next.play(action);
        let own = &next.sides[seat.index()];
        // Trades that do not buy more are many. As the first action each has to be told about; later on they are left out.
        let more = bought(own.cubes).into_iter().zip(buys).any(|(now, before)| now > before);
        if ply > 0 && action.index() >= THREE && !more {
            continue;
        }
        let firsts = if ply == 0 { 1 << action.index() } else { before.firsts };
        if let Some(known) = ways[..len].iter_mut().find(|way| way.leads_to(&next, seat.index())) {
            known.firsts |= firsts;
            continue;
        }
        ways[len] = Way {
            looks: 0.0,
            from: from as u8,
            action: action.index() as u8,
            two_used: next.two_used,
            three_used: next.three_used,
            nodes: own.nodes,
            cubes: own.cubes,
            branches: own.branches,
            firsts,
        };
        ways[len].looks = judged(&ended(&next), weights, seat);
        len += 1;
    }
    len
}

/// The game with the turn ended, if it is not over.
pub(super) fn ended(game: &Shuter) -> Shuter {
    let mut game = game.clone();
    if game.to_move.is_some() {
        game.play(Action(END as u16));
    }
    game
}

/// The actions of a set.
pub(super) fn members(set: Firsts) -> impl Iterator<Item = usize> {
    const HALF: u32 = u64::BITS;
    let halves = [(set as u64, 0), ((set >> HALF) as u64, HALF as usize)];
    halves.into_iter().flat_map(|(half, first)| bits(half).map(move |member| first + member))
}
