//! The insights: what nodes, branches and trades would bring, worked out ahead.

mod side;
#[cfg(test)]
mod tests;
mod trades;
mod worth;

use super::observe::{Field, Place, extended};
use super::rules::Shuter;
use crate::{Layout, Seat};

/// The fields of both sides, the viewer's before the opponent's, then those of the trades and of all actions.
pub(super) fn layout(observation: Layout) -> Layout {
    let sides = ["own", "other"].iter().fold(observation, |layout, side| {
        side::FIELDS.iter().fold(layout, |layout, &(name, place, about)| {
            layout.field(format!("{side}.{name}"), place.len(), about)
        })
    });
    extended(extended(sides, &trades::FIELDS), &worth::FIELDS)
}

/// The number behind the observation that says whether an action is the best one.
pub(super) fn best(action: usize) -> usize {
    2 * side::LEN + trades::LEN + worth::best(action)
}

/// What the numbers of a field belong to.
pub(super) fn place_of(name: &str) -> Option<Place> {
    let of_side = name.strip_prefix("own.").or_else(|| name.strip_prefix("other."));
    let (fields, name): ([&[Field]; 2], _) = match of_side {
        Some(field) => ([&side::FIELDS, &[]], field),
        None => ([&trades::FIELDS, &worth::FIELDS], name),
    };
    fields.into_iter().flatten().find(|known| known.0 == name).map(|known| known.1)
}

pub(super) fn write(game: &Shuter, viewer: Seat, out: &mut [f32]) {
    out.fill(0.0);
    let (sides, out) = out.split_at_mut(2 * side::LEN);
    let (trades, worths) = out.split_at_mut(trades::LEN);
    for (side, out) in [viewer.index(), 1 - viewer.index()].into_iter().zip(sides.chunks_exact_mut(side::LEN))
    {
        side::write(game, side, out);
    }
    trades::write(game, viewer, trades);
    worth::write(game, viewer, worths);
}
