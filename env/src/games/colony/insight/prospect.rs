//! What the viewer's actions lead to within its turn.

use super::super::cards::{Card, KINDS};
use super::super::rules::reached;
use super::super::state::{Colony, NONE, SEATS};
use super::super::table::{Cells, each, only};
use super::chance::Chances;
use super::scene::Scene;
use super::shortlist::{Plan, Shortlist};
use super::weigh::{Scales, Weighed, turns_left};

/// The table as it lies, and what lies ahead of the viewer.
pub(super) struct Prospect<'a> {
    pub game: &'a Colony,
    pub viewer: usize,
    pub scales: Scales,
    pub scene: Scene,
    pub now: Weighed,
}

impl<'a> Prospect<'a> {
    pub(super) fn new(game: &'a Colony, viewer: usize) -> Self {
        Self::with_chances(game, viewer, Chances::new(game, viewer))
    }

    pub(super) fn with_chances(game: &'a Colony, viewer: usize, chances: Option<Chances>) -> Self {
        let scales = Scales::new(game, viewer, 0, chances);
        let scene = Scene::of(game, viewer);
        // What another has put down this turn cannot be told from what lay there before.
        let placed = if game.actor() == viewer { game.placed } else { NONE };
        let now = scales.weigh(&scene, placed, false);
        Self { game, viewer, scales, scene, now }
    }

    /// Without the odds: what can be held against a reference that knows nothing of them.
    #[cfg(test)]
    pub(super) fn by_nodes(game: &'a Colony, viewer: usize) -> Self {
        Self::with_chances(game, viewer, None)
    }

    /// Nodes of the viewer, less those of the best other.
    pub(super) fn lead(&self) -> f32 {
        let nodes = |seat: usize| self.game.control[seat].count_ones();
        let best = (0..SEATS).filter(|&seat| seat != self.viewer).map(nodes).max();
        nodes(self.viewer) as f32 - best.unwrap_or(0) as f32
    }

    /// Whether the viewer has no turn behind the one that it is in or waits for.
    pub(super) fn in_last_turn(&self) -> bool {
        let (game, players) = (self.game, usize::from(self.game.players));
        let waits = (self.viewer + players - game.actor()) % players;
        turns_left(game) < waits + players
    }

    /// Leaving the table as it lies, with which the turn ends.
    pub(super) fn staying(&self) -> Weighed {
        self.scales.weigh(&self.scene, NONE, true)
    }

    /// Moving the top card of a Node, which ends the turn.
    pub(super) fn moving(&self, scene: &Scene, from: usize, to: usize) -> Weighed {
        let mut scene = scene.clone();
        let card = scene.lift(from, &self.game.buried);
        scene.put(to, self.viewer, card);
        self.scales.weigh(&scene, NONE, true)
    }

    /// Moving that card where it is worth most, and where it wins most at once.
    pub(super) fn moving_from(&self, from: usize, list: &mut Shortlist) -> [Weighed; 2] {
        let moves = each(self.game.reach(self.viewer, from)).map(|to| {
            let moved = self.moving(&self.scene, from, to);
            list.add(moved.worth, Plan { from: from as u8, to: to as u8, ..Plan::NOTHING });
            moved
        });
        best_and_quickest(moves).expect("a Colony that can move has somewhere to go")
    }

    /// Putting a card down: what the table is then, with the worth of the best rest of the turn.
    pub(super) fn colonising(
        &self,
        scene: &Scene,
        card: Card,
        cell: usize,
        mut rest: impl FnMut(f32, Plan),
    ) -> Weighed {
        let mut scene = scene.clone();
        scene.colonise(cell, self.viewer, card);
        let (kind, at) = (card.index() as u8, cell as u8);
        self.with_rest(&scene, at, |worth, plan| rest(worth, Plan { kind, at, ..plan }))
    }

    /// Putting that card where it is worth most, and where it wins most at once.
    pub(super) fn colonising_with(&self, card: Card, list: &mut Shortlist) -> [Weighed; 2] {
        let cells = each(self.game.colonisable())
            .map(|cell| self.colonising(&self.scene, card, cell, |worth, plan| list.add(worth, plan)));
        best_and_quickest(cells).expect("who can colonise has somewhere to")
    }

    /// A table in the middle of the turn, with the worth of the best rest of it: of staying, and of the moves that win most Nodes,
    /// with more than two players of all moves to Nodes that are not the viewer's.
    fn with_rest(&self, scene: &Scene, placed: u8, mut rest: impl FnMut(f32, Plan)) -> Weighed {
        let mut middle = self.scales.weigh(scene, placed, true);
        rest(middle.worth, Plan::NOTHING);
        let all = self.game.players > 2;
        if middle.next == 0.0 && !all {
            return middle;
        }
        let own = scene.control[self.viewer];
        let free = scene.nodes & !scene.occupied();
        let others = scene.occupied() & !own;
        let beaten = scene.beaten();
        let spare = scene.beneath[self.viewer];
        // What leaves a Node to another wins nothing.
        for from in each(own & !cell_of(placed) & !self.scales.beneath_others(scene)) {
            let to = reached(self.scales.movement, from, free | own | beaten[scene.top(from).index()]);
            let left = if spare & only(from) != 0 { 0.0 } else { 1.0 };
            let winning = |wins: f32, cells: Cells| if all || wins - left == middle.next { cells } else { 0 };
            let most = winning(1.0 + self.scales.share, to & others) | winning(1.0, to & free);
            for to in each(most) {
                let worth = self.moving(scene, from, to).worth;
                rest(worth, Plan { from: from as u8, to: to as u8, ..Plan::NOTHING });
                middle.worth = middle.worth.max(worth);
            }
        }
        middle
    }

    /// The worth of not exploring: the best of colonising and moving.
    pub(super) fn without_exploring(&self, list: &mut Shortlist) -> f32 {
        let hand = &self.game.hands[self.viewer];
        let kinds = (0..KINDS).filter(|&kind| hand[kind] > 0 && self.game.can_colonise());
        let moved = self.without_colonising(list);
        let colonised = kinds.map(|kind| self.colonising_with(Card::new(kind), list)[0].worth);
        colonised.fold(moved, f32::max)
    }

    /// The worth of neither exploring nor colonising from here on. A turn must do something.
    pub(super) fn without_colonising(&self, list: &mut Shortlist) -> f32 {
        if self.game.done != 0 {
            return self.with_rest(&self.scene, NONE, |worth, plan| list.add(worth, plan)).worth;
        }
        let moves = each(self.game.movable()).map(|from| self.moving_from(from, list)[0].worth);
        moves.fold(f32::NEG_INFINITY, f32::max)
    }

    /// Exploring a cell. A Colony may go onto the new Node; the rest of a turn that does something else is taken to add `rest` to
    /// the table, as it would without the new Node.
    pub(super) fn exploring(&self, cell: usize, rest: f32, mut plans: impl FnMut(f32, Plan)) -> Weighed {
        let mut scene = self.scene.clone();
        scene.explore(cell, self.viewer);
        let spent = self.spent(&Plan { explored: cell as u8, ..Plan::NOTHING });
        let explored = self.with_rest(&scene, NONE, |_, _| ());
        let elsewhere = explored.worth + rest.max(0.0);
        plans(elsewhere - spent, Plan::NOTHING);
        let hand = &self.game.hands[self.viewer];
        let kinds = (0..KINDS).filter(|&kind| hand[kind] > 0);
        let colonised = kinds.map(|kind| {
            self.colonising(&scene, Card::new(kind), cell, |worth, plan| plans(worth - spent, plan)).worth
        });
        let worth = colonised.fold(elsewhere, f32::max);
        Weighed { worth: worth - spent, ..explored }
    }

    /// What the cards are worth that a plan takes from the hand and that count there.
    pub(super) fn spent(&self, plan: &Plan) -> f32 {
        if plan.explored != NONE { self.scales.held_node() } else { 0.0 }
    }

    /// What the best rest of the turn adds to that of a turn that only moves, or does nothing.
    pub(super) fn rest(&self, without_exploring: f32) -> f32 {
        without_exploring - self.with_rest(&self.scene, NONE, |_, _| ()).worth
    }
}

/// The set of a cell that may be [`NONE`].
#[inline]
pub(super) fn cell_of(cell: u8) -> Cells {
    if cell == NONE { 0 } else { only(cell.into()) }
}

/// The one that is worth most, and the one that wins most at once.
fn best_and_quickest(all: impl Iterator<Item = Weighed>) -> Option<[Weighed; 2]> {
    all.map(|one| [one, one]).reduce(|[best, quickest], [one, _]| [best.better(one), quickest.quicker(one)])
}
