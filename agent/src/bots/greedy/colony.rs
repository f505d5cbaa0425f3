//! Node and Colony: Nodes held and how safely, Nodes within reach, levels.

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
/// An unoccupied Node beside one's own: a place for the next Colony.
const BESIDE: f32 = 0.25;
/// A card in hand is a turn's work to come; high levels are worth keeping for where they are needed.
const IN_HAND: f32 = 0.12;

/// The field of one player's Colonies as levels ÷ 3, all types together.
fn levels(view: &View<'_>, whose: &str) -> Vec<f32> {
    let planes = TYPES.map(|kind| view.field(&format!("{whose}.{kind}")));
    (0..SIDE * SIDE).map(|cell| planes.iter().map(|plane| plane[cell]).sum()).collect()
}

fn beside(cell: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (cell / SIDE, cell % SIDE);
    let steps = [
        (row > 0, -(SIDE as isize)),
        (row + 1 < SIDE, SIDE as isize),
        (column > 0, -1),
        (column + 1 < SIDE, 1),
    ];
    steps.into_iter().filter(|&(inside, _)| inside).map(move |(_, step)| cell.wrapping_add_signed(step))
}

/// What the holders of those Nodes have.
fn standing(view: &View<'_>, levels: &[f32]) -> f32 {
    let contested = view.field("contested");
    let unoccupied = view.field("unoccupied");
    let held = |cell: usize| {
        let safe = if contested[cell] > 0.0 { CONTESTED } else { HELD };
        safe + LEVEL * 3.0 * levels[cell]
    };
    let holds = |cell: &usize| levels[*cell] > 0.0;
    let reached = |&cell: &usize| unoccupied[cell] > 0.0 && beside(cell).any(|next| levels[next] > 0.0);
    let cells = 0..SIDE * SIDE;
    let nodes: f32 = cells.clone().filter(holds).map(held).sum();
    nodes + BESIDE * cells.filter(reached).count() as f32
}

impl Greedy for Colony {
    const JUDGED_AFTER: Option<u32> = Some(0);

    /// The viewer's Nodes against those of the others together, and the hand.
    fn appraise(view: &View<'_>) -> f32 {
        let others = view.field("hands").len() - 1;
        let hand = view.field("hand");
        let colonies = &hand[..hand.len() - 1];
        let kept: f32 =
            colonies.iter().enumerate().map(|(kind, n)| 4.0 * n * (1.0 + 0.5 * (kind % 3) as f32)).sum();
        let own = standing(view, &levels(view, "own"));
        own - standing(view, &levels(view, "others")) / others as f32 + IN_HAND * kept
    }

    /// A Colony is chosen and its cell is not.
    fn unfinished(view: &View<'_>) -> bool {
        view.flag("phase", 2) || view.flag("phase", 4)
    }
}
