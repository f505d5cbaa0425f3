//! Kuhn and Leduc poker: a hand's strength times what is at stake.

use nodarium_env::calibration::kuhn::Kuhn;
use nodarium_env::calibration::leduc::Leduc;

use super::{Greedy, View};

/// Enough worlds that the other's card shows in its proportions.
const WORLDS: usize = 60;

/// The place of the 1 in a field.
fn held(field: &[f32]) -> Option<usize> {
    field.iter().position(|&number| number != 0.0)
}

impl Greedy for Kuhn {
    const WON: f32 = 1.0;
    const WORLDS: usize = WORLDS;

    /// With a jack it hopes for a cheap end, with a king for a dear one.
    fn appraise(view: &View<'_>) -> f32 {
        const STRENGTHS: [f32; 3] = [-1.0, 0.0, 1.0];
        let strength = STRENGTHS[held(view.field("card")).expect("every seat holds a card")];
        let bets = view.field("history").chunks_exact(2).filter(|ply| ply[1] != 0.0).count();
        strength * (1 + bets.min(1)) as f32
    }
}

impl Greedy for Leduc {
    const WON: f32 = 1.0;
    const WORLDS: usize = WORLDS;

    /// A pair wins almost always; without one it is the rank that counts.
    fn appraise(view: &View<'_>) -> f32 {
        const LARGEST_STAKE: f32 = 13.0;
        const BEFORE: [f32; 3] = [-0.4, 0.0, 0.4];
        const AFTER: [f32; 3] = [-0.6, -0.1, 0.4];
        let rank = held(view.field("card")).expect("every seat holds a card") / 2;
        let strength = match held(view.field("public")) {
            _ if view.flag("pair", 0) => 0.9,
            None => BEFORE[rank],
            Some(_) => AFTER[rank],
        };
        strength * view.number("paid") * LARGEST_STAKE
    }
}
