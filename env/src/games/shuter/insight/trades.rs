//! What cubes buy, before and after a trade.

use super::super::actions::{
    Cubes, THREE_TRADES, THREES, THREES_IN_HAND, TWO_TRADES, TWOS, TWOS_IN_HAND, trade_key,
};
use super::super::geometry::bits;
use super::super::observe::{Field, Place, total};
use super::super::rules::{self, Shuter};
use crate::Seat;

/// One number a trade, in the order of their actions; for the viewer alone.
pub(super) const FIELDS: [Field; 2] = [
    (
        "trade.branches",
        Place::Trades,
        "trades that the viewer may make now, 3:1 then 2:1: branches that its cubes buy after it minus before, ÷ 2",
    ),
    ("trade.nodes", Place::Trades, "the same for nodes, ÷ 2"),
];

/// How many numbers they have.
pub(super) const LEN: usize = total(&FIELDS);

pub(super) fn write(game: &Shuter, viewer: Seat, out: &mut [f32]) {
    if game.to_move != Some(viewer) {
        return;
    }
    let (branches, nodes) = out.split_at_mut(THREES + TWOS);
    let hand = game.sides[viewer.index()].cubes;
    let before = bought(hand);
    for trade in bits(game.open_trades(viewer.index())) {
        let after = bought(traded(hand, trade));
        branches[trade] = (after[0] - before[0]) * 0.5;
        nodes[trade] = (after[1] - before[1]) * 0.5;
    }
}

/// Branches and nodes that a side's cubes buy, then the same with the one trade that is best for each.
pub(super) fn write_buys(game: &Shuter, side: usize, out: &mut [f32]) {
    let own = &game.sides[side];
    let (hand, open) = if game.to_move == Some(Seat(side as u8)) {
        (own.cubes, game.open_trades(side))
    } else {
        let hand = own.cubes + own.income;
        let twos = if game.two_trades(side) > 0 { TWOS_IN_HAND[trade_key(hand)] } else { 0 };
        (hand, THREES_IN_HAND[trade_key(hand)] | twos << THREES)
    };
    let before = bought(hand);
    let best = bits(open)
        .map(|trade| bought(traded(hand, trade)))
        .fold(before, |best, after| [best[0].max(after[0]), best[1].max(after[1])]);
    for (number, count) in out.iter_mut().zip(before.into_iter().chain(best)) {
        *number = count * 0.25;
    }
}

/// Branches and nodes that a hand buys, each kind alone.
fn bought(hand: Cubes) -> [f32; 2] {
    rules::bought(hand).map(|count| count as f32)
}

/// The hand after a trade, by the place of the trade among the actions.
fn traded(hand: Cubes, trade: usize) -> Cubes {
    let trade = if trade < THREES { THREE_TRADES[trade] } else { TWO_TRADES[trade - THREES] };
    hand - trade.gives + trade.receives
}
