//! What each action leads to, with the best rest of the turn and the best reply to it.

use super::super::actions::{BRANCH, END, NODE, THREE, THREES, TWOS};
use super::super::geometry::{CORNERS, EDGES};
use super::super::judgement::{WEIGHTS, Worths};
use super::super::observe::{Field, Place, total};
use super::super::options::Variant;
use super::super::rules::Shuter;
use crate::Seat;

/// How far behind the best action one may be before it no longer shows, as logarithms of odds.
const BEHIND: f32 = 4.0;
const CLOSE_BEHIND: f32 = 0.25;
/// Odds beyond the exponential of this are told as if they were as high as that.
const CLEAR: f32 = 8.0;

/// One number an action, in the order of the actions, twice; then one for the whole. For the viewer alone.
pub(super) const FIELDS: [Field; 9] = [
    (
        "worth.nodes",
        Place::Corners,
        "to the viewer in its turn, but for `advanced`: 1 for the node that leads to the best odds of winning, down to 0 for those that leave \
         them e⁴ times lower",
    ),
    ("worth.branches", Place::Edges, "the same for branches"),
    ("worth.trades", Place::Trades, "the same for trades"),
    ("worth.end", Place::Nowhere(1), "the same for the end of the turn"),
    ("best.nodes", Place::Corners, "the same with 0 for those that leave the odds 1.28 times lower"),
    ("best.branches", Place::Edges, "the same for branches"),
    ("best.trades", Place::Trades, "the same for trades"),
    ("best.end", Place::Nowhere(1), "the same for the end of the turn"),
    ("outlook", Place::Nowhere(1), "the logarithm of the best odds of winning, ÷ 8, from −1 to 1"),
];

/// How many numbers they have.
pub(super) const LEN: usize = total(&FIELDS);

/// The actions that they tell about.
const ACTIONS: usize = END + 1;
const _: () = assert!(NODE + CORNERS == BRANCH && BRANCH + EDGES == THREE && THREE + THREES + TWOS == END);
const _: () = assert!(2 * ACTIONS + 1 == LEN, "fields come in the order of the actions");

/// The number of `best` that speaks for an action, counted from the first number of these fields.
pub(super) fn best(action: usize) -> usize {
    ACTIONS + action
}

pub(super) fn write(game: &Shuter, viewer: Seat, out: &mut [f32]) {
    if game.to_move != Some(viewer) || game.variant == Variant::Advanced {
        return;
    }
    let worths = Worths::new(game, &WEIGHTS);
    let highest = worths.best();
    let (worth, out) = out.split_at_mut(ACTIONS);
    let (best, outlook) = out.split_at_mut(ACTIONS);
    for ((worth, best), of_action) in worth.iter_mut().zip(best).zip(worths.by_action) {
        *worth = (1.0 - (highest - of_action) / BEHIND).max(0.0);
        *best = (1.0 - (highest - of_action) / CLOSE_BEHIND).max(0.0);
    }
    outlook[0] = (highest / CLEAR).clamp(-1.0, 1.0);
}
