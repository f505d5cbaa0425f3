//! Node and Colony: Nodes held, how safely, and by what levels.

use nodarium_env::games::colony::Colony;

use super::{Greedy, View};

/// The fields of Colonies as levels ÷ 3, by type.
const OWN: [&str; 3] = ["own.culture", "own.military", "own.economy"];
const OTHERS: [&str; 3] = ["others.culture", "others.military", "others.economy"];

/// A Node that is held, and one that somebody could take.
const HELD: f32 = 1.0;
const CONTESTED: f32 = 0.65;
/// A level of a card that holds a Node: it decides ties, and stands longer.
const LEVEL: f32 = 0.06;

/// What the holders of the Nodes of these fields have.
fn standing(view: &View<'_>, types: [&str; 3]) -> f32 {
    let contested = view.field("contested");
    let worth = |(&level, &contested): (&f32, &f32)| {
        let held = if contested > 0.0 { CONTESTED } else { HELD };
        if level > 0.0 { held + LEVEL * 3.0 * level } else { 0.0 }
    };
    // A Node has one card on top: it shows in one of the fields.
    types.iter().flat_map(|name| view.field(name).iter().zip(contested)).map(worth).sum()
}

impl Greedy for Colony {
    /// In the middle of a turn whoever acts looks worse than it is.
    const SETTLED_TURNS: u32 = 1;

    /// A random game from here is decided by cards that are not yet drawn.
    fn judged_after(_rules: &Self::Rules) -> Option<u32> {
        Some(0)
    }

    /// The viewer's Nodes against those of the others, shared among them.
    fn appraise(view: &View<'_>) -> f32 {
        let others = view.field("hands").len() - 1;
        standing(view, OWN) - standing(view, OTHERS) / others as f32
    }

    /// A Colony is chosen and its cell is not.
    fn unfinished(view: &View<'_>) -> bool {
        view.flag("phase", 2) || view.flag("phase", 4)
    }
}
