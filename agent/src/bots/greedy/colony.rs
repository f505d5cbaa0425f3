//! Node and Colony: Nodes held, how safely, and by what levels.

use nodarium_env::Seat;
use nodarium_env::games::colony::{Colony, Standing};

use super::{Greedy, Quick, View};

/// The fields of Colonies as levels ÷ 3, by type.
const OWN: [&str; 3] = ["own.culture", "own.military", "own.economy"];
const OTHERS: [&str; 3] = ["others.culture", "others.military", "others.economy"];

/// A Node that is held, and one that somebody could take.
const HELD: f32 = 1.0;
const CONTESTED: f32 = 0.65;
/// A level of a card that holds a Node: it decides ties, and stands longer.
const LEVEL: f32 = 0.06;

/// What a Node is worth to its holder, by the level ÷ 3 of the card that holds it.
const fn worth(part: f32, contested: bool) -> f32 {
    let held = if contested { CONTESTED } else { HELD };
    held + LEVEL * 3.0 * part
}

/// The same by level − 1, then whether somebody could take it.
const WORTHS: [[f32; 2]; 3] = [
    [worth(1.0 / 3.0, false), worth(1.0 / 3.0, true)],
    [worth(2.0 / 3.0, false), worth(2.0 / 3.0, true)],
    [worth(1.0, false), worth(1.0, true)],
];

/// What the holders of the Nodes of these fields have.
fn standing(view: &View<'_>, types: [&str; 3]) -> f32 {
    let contested = view.field("contested");
    let worth =
        |(&part, &contested): (&f32, &f32)| if part > 0.0 { worth(part, contested > 0.0) } else { 0.0 };
    // A Node has one card on top: it shows in one of the fields.
    types.iter().flat_map(|name| view.field(name).iter().zip(contested)).map(worth).sum()
}

/// The viewer's Nodes against those of the others, shared among them.
fn compare(standing: Standing, others: usize) -> f32 {
    standing.own - standing.others / others as f32
}

/// The judgement from the table, all of which every seat sees.
fn appraise_table(game: &Colony, viewer: Seat) -> f32 {
    let worth = |level: usize, contested| WORTHS[level - 1][usize::from(contested)];
    compare(game.standing(viewer, worth), game.players() - 1)
}

impl Greedy for Colony {
    const QUICK: Option<Quick<Self>> =
        Some(Quick { appraise: appraise_table, unfinished: Self::is_mid_move });

    /// In the middle of a turn whoever acts looks worse than it is.
    const SETTLED_TURNS: u32 = 1;

    /// A random game from here is decided by cards that are not yet drawn.
    fn judged_after(_rules: &Self::Rules) -> Option<u32> {
        Some(0)
    }

    fn appraise(view: &View<'_>) -> f32 {
        let standing = Standing { own: standing(view, OWN), others: standing(view, OTHERS) };
        compare(standing, view.field("hands").len() - 1)
    }

    /// A Colony is chosen and its cell is not.
    fn unfinished(view: &View<'_>) -> bool {
        view.flag("phase", 2) || view.flag("phase", 4)
    }
}
