//! Star Duel: Influence, resources, what can be targeted.

use nodarium_env::games::starduel::StarDuel;

use super::{Greedy, View};

const SPACES: usize = 18;
/// Numbers of a space in the observation, and the places of those that are read here.
const SPACE_NUMBERS: usize = 16;
const UP: usize = 1;
const OTHERS: usize = 3;
const DEFENCE: usize = 7;
const BONUS: std::ops::Range<usize> = 8..11;
const NEAR: usize = 14;

/// A node controlled.
const INFLUENCE: f32 = 3.0;
/// A Population or a Mineral, up to what the dearest nodes need, and beyond.
const NEEDED: f32 = 0.45;
const SPARE: f32 = 0.12;
const MOST_NEEDED: f32 = 5.0;
/// An Energy, up to what the farthest nodes cost, and beyond.
const ENERGY: f32 = 0.3;
const SPARE_ENERGY: f32 = 0.05;
const FARTHEST: f32 = 6.0;
/// A node that could be targeted next.
const TARGET: f32 = 0.25;
/// A face-down node may turn out to need too much.
const LOOK: f32 = 0.5;
/// Programs that are no targets.
const REPLACE: usize = 3;
const PRODUCE: usize = 4;

/// What a player has.
fn standing(resources: &[f32], targets: &[f32]) -> f32 {
    let [influence, population, minerals, energy] = [0, 1, 2, 3].map(|i| resources[i] * 12.0);
    let needed = |n: f32| NEEDED * n.min(MOST_NEEDED) + SPARE * (n - MOST_NEEDED).max(0.0);
    INFLUENCE * influence * SPACES as f32 / 12.0
        + needed(population)
        + needed(minerals)
        + ENERGY * energy.min(FARTHEST)
        + SPARE_ENERGY * (energy - FARTHEST).max(0.0)
        + TARGET * targets.iter().sum::<f32>()
}

/// What a program promises to the player who has made it.
fn promise(view: &View<'_>, program: usize) -> f32 {
    let space = match program {
        REPLACE => return 0.0,
        PRODUCE => return 2.0 * ENERGY,
        0..REPLACE => program,
        _ => program - 2,
    };
    if !view.flag("own.targets", space) {
        return 0.0;
    }
    let numbers = &view.field("spaces")[space * SPACE_NUMBERS..][..SPACE_NUMBERS];
    let way = ENERGY * (13.0 - 12.0 * numbers[NEAR]);
    let gain = if numbers[OTHERS] > 0.0 {
        INFLUENCE - NEEDED * 6.0 * numbers[DEFENCE]
    } else if numbers[UP] > 0.0 {
        INFLUENCE + NEEDED * 12.0 * numbers[BONUS].iter().sum::<f32>()
    } else {
        LOOK * (INFLUENCE + NEEDED * 3.0)
    };
    (gain - way).max(0.0)
}

impl Greedy for StarDuel {
    const WORLDS: usize = 4;

    /// Most programs of a random player come to nothing.
    fn judged_after(_rules: &Self::Rules) -> Option<u32> {
        Some(0)
    }

    /// The viewer's standing against the opponent's, and what the viewer's program promises while it is not executed.
    fn appraise(view: &View<'_>) -> f32 {
        let own = standing(view.field("own.resources"), view.field("own.targets"));
        let other = standing(view.field("other.resources"), view.field("other.targets"));
        let program = |field| view.field(field).iter().position(|&number| number > 0.0);
        let (programmed, answer) = (program("own.program"), program("other.program"));
        // The lower number goes first: while the other acts, the viewer's turn may be over.
        let to_come = if view.flag("acting", 0) {
            view.flag("left", 0)
        } else {
            answer.is_none() || programmed > answer
        };
        let promised = programmed.filter(|_| to_come).map_or(0.0, |program| promise(view, program));
        own - other + promised
    }

    /// A node is picked up and not put down.
    fn unfinished(view: &View<'_>) -> bool {
        view.flag("phase", 2)
    }
}
