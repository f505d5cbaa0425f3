//! Kato's Node: how far each side is from connecting enough of the border.

use nodarium_env::games::kato::{Kato, Ways};

use super::{Greedy, View};

impl Greedy for Kato {
    /// The viewer's nearness against the opponent's. A cell where the opponent could win at once has to be taken, and one
    /// where the viewer could is worth keeping.
    fn appraise(view: &View<'_>) -> f32 {
        let (own, other) = (view.field("own"), view.field("other"));
        let (own_lines, other_lines) = (view.field("own.lines"), view.field("other.lines"));
        let ways = Ways::seen([own, other], [own_lines, other_lines]);
        let (near, far) = (ways.nearness(0), ways.nearness(1));
        let acts = view.flag("to_act", 0);
        let placeable = view.field("placeable");
        // The opponent completes a turn before the viewer acts again, unless the viewer still has a node to place.
        let within_reach = |lines: &[f32], cell: usize| ways.is_outer(cell) || lines[cell] > 0.0;
        let threats = (0..own.len())
            .filter(|&cell| view.flag("other.wins", cell) && within_reach(other_lines, cell))
            .count();
        let wins =
            (0..own.len()).filter(|&cell| view.flag("own.wins", cell) && placeable[cell] > 0.0).count();
        let answered =
            acts && (0..own.len()).any(|cell| view.flag("other.wins", cell) && placeable[cell] > 0.0);
        let open_threats = threats - usize::from(answered && threats > 0);
        let win = if acts && wins > 0 { 1_000.0 } else { 0.0 };
        near - far + win - 20.0 * open_threats as f32
    }
}
