//! The insights: what nodes, branches and trades would bring, worked out ahead.

mod side;
#[cfg(test)]
mod tests;
mod trades;

use super::observe::{Field, Place, extended};
use super::rules::Shuter;
use crate::{Layout, Seat};

/// The fields of both sides, the viewer's before the opponent's, then those of the trades.
pub(super) fn layout(observation: Layout) -> Layout {
    let sides = ["own", "other"].iter().fold(observation, |layout, side| {
        side::FIELDS.iter().fold(layout, |layout, &(name, place, about)| {
            layout.field(format!("{side}.{name}"), place.len(), about)
        })
    });
    extended(sides, &trades::FIELDS)
}

/// What the numbers of a field belong to.
pub(super) fn place_of(name: &str) -> Option<Place> {
    let of_side = name.strip_prefix("own.").or_else(|| name.strip_prefix("other."));
    let (fields, name): (&[Field], _) = match of_side {
        Some(field) => (&side::FIELDS, field),
        None => (&trades::FIELDS, name),
    };
    fields.iter().find(|known| known.0 == name).map(|known| known.1)
}

pub(super) fn write(game: &Shuter, viewer: Seat, out: &mut [f32]) {
    out.fill(0.0);
    let (sides, trades) = out.split_at_mut(2 * side::LEN);
    for (side, out) in [viewer.index(), 1 - viewer.index()].into_iter().zip(sides.chunks_exact_mut(side::LEN))
    {
        side::write(game, side, out);
    }
    trades::write(game, viewer, trades);
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
