//! What the viewer's actions lead to within its turn.

use super::super::cards::{Card, KINDS};
use super::super::rules::reached;
use super::super::state::{Colony, NONE, SEATS};
use super::super::table::{Cells, each, only};
use super::scene::{Buried, Scene};
use super::weigh::Weighed;

/// What a Node in the hand is worth: put down too early it is room for others.
pub(super) const HELD_NODE: f32 = 0.3;

/// The table as it lies, and what lies ahead of the viewer.
pub(super) struct Prospect<'a> {
    pub game: &'a Colony,
    pub viewer: usize,
    /// What is worth 1 to another takes that much from the viewer: it is shared among the others.
    pub share: f32,
    pub scene: Scene,
    buried: Buried,
    /// C-11: the seats that own a card on the table.
    pub on_table: [bool; SEATS],
    /// C-11, C-13: the game is over after this turn, whatever it does.
    pub ends: bool,
    /// The seats that move before the viewer's next turn, and whether that comes at all. With two players, whose weights were
    /// found without it, an end that is near is not looked at.
    pub replies: [bool; SEATS],
    pub goes_on: bool,
    pub now: Weighed,
}

impl<'a> Prospect<'a> {
    pub(super) fn new(game: &'a Colony, viewer: usize) -> Self {
        let mut on_table = game.control.map(|held| held != 0);
        game.buried.iter().for_each(|(_, card)| on_table[card.owner()] = true);
        let mut prospect = Self {
            game,
            viewer,
            share: 1.0 / (f32::from(game.players) - 1.0),
            scene: Scene::of(game),
            buried: Buried::of(game),
            on_table,
            ends: game.deck.len() == 0 || game.turn + 1 >= game.turn_limit,
            replies: [true; SEATS],
            goes_on: true,
            now: Weighed::default(),
        };
        if game.players > 2 {
            let (left, players) = (prospect.turns_left(), usize::from(game.players));
            prospect.replies = std::array::from_fn(|seat| (seat + players - game.actor()) % players <= left);
            prospect.goes_on = !prospect.in_last_turn();
        }
        // What another has put down this turn cannot be told from what lay there before.
        let placed = if game.actor() == viewer { game.placed } else { NONE };
        prospect.now = prospect.weigh(&prospect.scene, placed, false);
        prospect
    }

    /// The seats of the others.
    pub(super) fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let viewer = self.viewer;
        (0..usize::from(self.game.players)).filter(move |&seat| seat != viewer)
    }

    /// The turns that may still follow this one.
    fn turns_left(&self) -> usize {
        usize::from(self.game.turn_limit - 1 - self.game.turn).min(self.game.deck.len())
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
        self.turns_left() < waits + players
    }

    /// Leaving the table as it lies, with which the turn ends.
    pub(super) fn staying(&self) -> Weighed {
        self.weigh(&self.scene, NONE, true)
    }

    /// Moving the top card of a Node, which ends the turn.
    pub(super) fn moving(&self, scene: &Scene, from: usize, to: usize) -> Weighed {
        let mut scene = scene.clone();
        let card = scene.lift(from, &self.buried);
        scene.put(to, self.viewer, card);
        self.weigh(&scene, NONE, true)
    }

    /// Moving that card where it is worth most, and where it wins most at once.
    pub(super) fn moving_from(&self, from: usize) -> [Weighed; 2] {
        let moves = each(self.game.reach(self.viewer, from)).map(|to| self.moving(&self.scene, from, to));
        best_and_quickest(moves).expect("a Colony that can move has somewhere to go")
    }

    /// Putting a card down: what the table is then, with the worth of the best rest of the turn.
    pub(super) fn colonising(&self, scene: &Scene, card: Card, cell: usize) -> Weighed {
        let mut scene = scene.clone();
        scene.put(cell, self.viewer, card);
        self.with_rest(&scene, cell as u8)
    }

    /// Putting that card where it is worth most, and where it wins most at once.
    pub(super) fn colonising_with(&self, card: Card) -> [Weighed; 2] {
        let cells = each(self.game.colonisable()).map(|cell| self.colonising(&self.scene, card, cell));
        best_and_quickest(cells).expect("who can colonise has somewhere to")
    }

    /// A table in the middle of the turn, with the worth of the best rest of it: of staying, and of the moves that win most Nodes,
    /// with more than two players of all moves to Nodes that are not the viewer's.
    fn with_rest(&self, scene: &Scene, placed: u8) -> Weighed {
        let mut middle = self.weigh(scene, placed, true);
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
        for from in each(own & !cell_of(placed) & !self.beneath_others(scene)) {
            let to = reached(self.game.movement, from, free | own | beaten[scene.top(from).index()]);
            let left = if spare & only(from) != 0 { 0.0 } else { 1.0 };
            let winning = |wins: f32, cells: Cells| if all || wins - left == middle.next { cells } else { 0 };
            let most = winning(1.0 + self.share, to & others) | winning(1.0, to & free);
            for to in each(most) {
                middle.worth = middle.worth.max(self.moving(scene, from, to).worth);
            }
        }
        middle
    }

    /// The worth of not exploring: the best of colonising and moving.
    pub(super) fn without_exploring(&self) -> f32 {
        let hand = &self.game.hands[self.viewer];
        let kinds = (0..KINDS).filter(|&kind| hand[kind] > 0 && self.game.can_colonise());
        let colonised = kinds.map(|kind| self.colonising_with(Card::new(kind))[0].worth);
        colonised.fold(self.without_colonising(), f32::max)
    }

    /// The worth of neither exploring nor colonising from here on. A turn must do something.
    pub(super) fn without_colonising(&self) -> f32 {
        if self.game.done != 0 {
            return self.with_rest(&self.scene, NONE).worth;
        }
        let moves = each(self.game.movable()).map(|from| self.moving_from(from)[0].worth);
        moves.fold(f32::NEG_INFINITY, f32::max)
    }

    /// Exploring a cell. A Colony may go onto the new Node; the rest of a turn that does something else is taken to add `rest` to
    /// the table, as it would without the new Node.
    pub(super) fn exploring(&self, cell: usize, rest: f32) -> Weighed {
        let mut scene = self.scene.clone();
        scene.explore(cell);
        let explored = self.with_rest(&scene, NONE);
        let hand = &self.game.hands[self.viewer];
        let kinds = (0..KINDS).filter(|&kind| hand[kind] > 0);
        let colonised = kinds.map(|kind| self.colonising(&scene, Card::new(kind), cell).worth);
        let worth = colonised.fold(explored.worth + rest.max(0.0), f32::max);
        let held = if self.goes_on { HELD_NODE } else { 0.0 };
        Weighed { worth: worth - held, ..explored }
    }

    /// What the best rest of the turn adds to that of a turn that only moves, or does nothing.
    pub(super) fn rest(&self, without_exploring: f32) -> f32 {
        without_exploring - self.with_rest(&self.scene, NONE).worth
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
