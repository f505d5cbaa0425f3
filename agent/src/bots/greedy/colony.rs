//! Node and Colony: Nodes held, how safely, and by what levels.

use nodarium_env::games::colony::Colony;

use super::{Greedy, View};

/// Cells of a side of the table.
const SIDE: usize = 11;
const TYPES: [&str; 3] = ["culture", "military", "economy"];

/// A Node that is held, and one that somebody could take.
const HELD: f32 = 1.0;
const CONTESTED: f32 = 0.65;
/// A level of a card that holds a Node: it decides ties, and stands longer.
const LEVEL: f32 = 0.06;

/// The field of one player's Colonies as levels ÷ 3, all types together.
fn levels(view: &View<'_>, whose: &str) -> Vec<f32> {
    let planes = TYPES.map(|kind| view.field(&format!("{whose}.{kind}")));
    (0..SIDE * SIDE).map(|cell| planes.iter().map(|plane| plane[cell]).sum()).collect()
}

/// What the holders of those Nodes have.
fn standing(view: &View<'_>, levels: &[f32]) -> f32 {
    let worth = |(&level, &contested): (&f32, &f32)| {
        let held = if contested > 0.0 { CONTESTED } else { HELD };
        if level > 0.0 { held + LEVEL * 3.0 * level } else { 0.0 }
    };
    levels.iter().zip(view.field("contested")).map(worth).sum()
}

impl Greedy for Colony {
    /// A random game from here is decided by cards that are not yet drawn.
    const JUDGED_AFTER: Option<u32> = Some(0);

    /// The viewer's Nodes against those of the others, shared among them.
    fn appraise(view: &View<'_>) -> f32 {
        let others = view.field("hands").len() - 1;
        standing(view, &levels(view, "own")) - standing(view, &levels(view, "others")) / others as f32
    }

    /// A Colony is chosen and its cell is not.
    fn unfinished(view: &View<'_>) -> bool {
        view.flag("phase", 2) || view.flag("phase", 4)
    }
}
