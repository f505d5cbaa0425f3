//! What each action of the seat to act is worth: the best rest of the turn, and the best reply to it.

use super::super::actions::END;
use super::super::rules::Shuter;
use super::turn::{self, ByFirst, Stop};
use super::{WON, Weights, keep_best, start};

/// Ways that are followed at each ply of a turn, and at each ply of a reply.
const WAYS: usize = 16;
const WAYS_OF_REPLY: usize = 8;
/// Ends of the turn whose replies are looked at.
const LOOKED_AT: usize = 8;
/// How much of what an end leads to counts; the rest is how it looks.
const FORESEEN: f32 = 0.5;

/// What the legal actions are worth to the seat to act, as logarithms of odds.
#[derive(Clone, Debug, PartialEq)]
pub struct Worths {
    /// By action; less than everything for those that are not legal.
    pub by_action: [f32; END + 1],
}

impl Worths {
    /// Looks through the rest of the turn, or of the start.
    ///
    /// # Panics
    /// When the game is over.
    pub fn new(game: &Shuter, weights: &Weights) -> Self {
        let by_action = if game.in_start() { start::worths(game, weights) } else { of_turn(game, weights) };
        Self { by_action }
    }

    /// The same without replies to the turn: how good it looks when it ends.
    ///
    /// # Panics
    /// When the game is over.
    pub fn at_a_glance(game: &Shuter, weights: &Weights) -> Self {
        let by_action = if game.in_start() {
            start::worths(game, weights)
        } else {
            turn::explore::<WAYS>(game, weights, |_| ())
        };
        Self { by_action }
    }

    /// The highest of them.
    pub fn best(&self) -> f32 {
        self.by_action.iter().copied().fold(f32::NEG_INFINITY, f32::max)
    }
}

fn of_turn(game: &Shuter, weights: &Weights) -> ByFirst {
    let nothing = Stop { game: game.clone(), firsts: 0, looks: f32::NEG_INFINITY };
    let mut ends: [Stop; LOOKED_AT + 1] = std::array::from_fn(|_| nothing.clone());
    let mut count = 0;
    // What is worth no more than one that was left out is left out too.
    let mut left_out = f32::NEG_INFINITY;
    let mut worths = turn::explore::<WAYS>(game, weights, |stop| {
        // Nothing replies to a turn that wins.
        if stop.looks > left_out && stop.looks < WON {
            ends[count] = stop.clone();
            let len = count + 1;
            count = keep_best(&mut ends[..len], LOOKED_AT, |end| end.looks);
            left_out = if count < len { ends[count].looks } else { left_out };
        }
    });
    let Some(glance) = ends[..count].last().map(|end| end.looks) else { return worths };
    let mut foreseen = [f32::NEG_INFINITY; END + 1];
    let mut lowest = f32::INFINITY;
    for end in &ends[..count] {
        let worth = end.looks + FORESEEN * (leads_to(end, weights) - end.looks);
        lowest = lowest.min(worth);
        for first in turn::members(end.firsts) {
            foreseen[first] = foreseen[first].max(worth);
        }
    }
    for (worth, foreseen) in worths.iter_mut().zip(foreseen).filter(|(worth, _)| **worth < WON) {
        // One that was not looked at is no better than those that were.
        *worth = if foreseen > f32::NEG_INFINITY { foreseen } else { lowest.min(lowest + *worth - glance) };
    }
    worths
}

/// What an end of the turn is worth behind the best reply.
fn leads_to(end: &Stop, weights: &Weights) -> f32 {
    let next = turn::ended(&end.game);
    if next.to_move.is_none() {
        return end.looks;
    }
    let replies = turn::explore::<WAYS_OF_REPLY>(&next, weights, |_| ());
    -replies.into_iter().fold(f32::NEG_INFINITY, f32::max)
}
