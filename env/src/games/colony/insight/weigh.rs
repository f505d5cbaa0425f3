//! What a table is worth to the viewer. The weights are those with which a bot that goes by them wins most games against one
//! that counts Nodes and threats alone. With two players, one other and its one reply, most of what is said here of others falls
//! together.

use std::cmp::Ordering;

use super::super::cards::Card;
use super::super::options::Movement;
use super::super::rules::reached;
use super::super::standing::invadable;
use super::super::state::{Colony, SEATS};
use super::super::table::{Cells, beside, each, only};
use super::chance::Chances;
use super::prospect::cell_of;
use super::scene::Scene;

/// What a Node is worth to whoever holds it safely, and where another could invade it, at a glance.
pub(super) const SAFE: f32 = 1.0;
pub(super) const AT_RISK: f32 = 0.65;
/// What a level of the card on top adds: it decides ties, and stands longer.
pub(super) const LEVEL: f32 = 0.06;

/// Only one Node is taken in a turn: that one is the reply. What others could be taken is worth less.
pub(super) const OTHER_RISK: f32 = 0.1;
pub(super) const REPLY: f32 = 1.0;
/// What the replies of all but the one that takes most count: each other has a turn before the viewer's next.
pub(super) const OTHER_REPLIES: f32 = 0.5;
/// What is left of the reply of a seat that invades somebody else.
pub(super) const ELSEWHERE: f32 = 0.5;
pub(super) const NEXT: f32 = 0.5;
pub(super) const ROOM: f32 = 0.1;
/// Others come first to what is next to theirs.
pub(super) const ROOM_OF_OTHERS: f32 = 0.2;
pub(super) const REACH: f32 = 0.02;
/// What a Node in the hand is worth: put down too early it is room for others.
pub(super) const HELD_NODE: f32 = 0.3;
/// What the odds of a win count, where there are any, and what is left of what is weighed here beside them: the odds know what wins
/// games on the whole, and together they are better than each alone.
pub(super) const CHANCES: f32 = 2.4;
pub(super) const BESIDE_CHANCES: f32 = 0.3;
/// What a return of 1 is worth beside the worth of a game that goes on.
pub(super) const WON: f32 = 100.0;

/// What there is to say about a table. Everything follows from counts, so that turned tables are worth the same to the last bit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Weighed {
    /// With the best rest of the turn, where that has been looked for.
    pub worth: f32,
    /// Nodes held, those at risk for less, and their levels: the viewer's less the others'.
    pub standing: f32,
    pub reply: f32,
    pub next: f32,
    pub room: f32,
    pub reach: f32,
    /// Nodes of the viewer and of others.
    pub at_risk: [u32; 2],
    /// Whether a move could take the only Node of another, of the viewer.
    pub eradication: [bool; 2],
}

impl Weighed {
    /// The better one. What is worth the same is told apart by the rest, never by the order of the cells, which turn.
    pub(super) fn better(self, other: Self) -> Self {
        if self.compare(&other).is_lt() { other } else { self }
    }

    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let key = |it: &Self| [it.worth, it.standing, it.next, -it.reply, it.room, it.reach];
        let order = key(self).into_iter().zip(key(other)).map(|(a, b)| a.total_cmp(&b));
        order.fold(Ordering::Equal, Ordering::then)
    }

    /// The one that wins more at once.
    pub(super) fn quicker(self, other: Self) -> Self {
        if self.standing < other.standing { other } else { self }
    }
}

/// The turns that may still follow the one under way.
pub(super) fn turns_left(game: &Colony) -> usize {
    usize::from(game.turn_limit - 1 - game.turn).min(game.deck.len())
}

/// What the Colonies of one seat, or of all others, can do.
#[derive(Default)]
struct Reached {
    /// Nodes of the other side.
    invaded: Cells,
    /// Counted for each Colony.
    nodes: u32,
    /// The most that a move changes the viewer's lead by, in favour of who moves; without the Colony put down this turn, and
    /// with it.
    most: f32,
    later: f32,
}

/// The seat that a table is weighed for, and what lies ahead of it.
pub(super) struct Scales {
    pub viewer: usize,
    players: usize,
    pub movement: Movement,
    /// What is worth 1 to another takes that much from the viewer: it is shared among the others.
    pub share: f32,
    /// C-11: the seats that own a card on the table.
    pub on_table: [bool; SEATS],
    /// C-11, C-13: the game is over after this turn, whatever it does.
    pub ends: bool,
    /// The seats that move before the viewer's next turn, and whether that comes at all.
    replies: [bool; SEATS],
    pub goes_on: bool,
    pub chances: Option<Chances>,
}

impl Scales {
    /// For a seat that acts in or waits for a turn, that many turns on from the one under way.
    pub(super) fn new(game: &Colony, viewer: usize, on: usize, chances: Option<Chances>) -> Self {
        let players = usize::from(game.players);
        let mut on_table = game.control.map(|held| held != 0);
        game.buried.iter().for_each(|(_, card)| on_table[card.owner()] = true);
        let left = turns_left(game).saturating_sub(on);
        let acts = (game.actor() + on) % players;
        let waits = (viewer + players - acts) % players;
        Self {
            viewer,
            players,
            movement: game.movement,
            share: 1.0 / (players as f32 - 1.0),
            on_table,
            ends: left == 0,
            replies: std::array::from_fn(|seat| (seat + players - acts) % players <= left),
            goes_on: left >= waits + players,
            chances,
        }
    }

    /// What a Node is worth that stays in the hand.
    pub(super) fn held_node(&self) -> f32 {
        match &self.chances {
            _ if !self.goes_on => 0.0,
            Some(_) => BESIDE_CHANCES * HELD_NODE,
            None => HELD_NODE,
        }
    }

    /// The seats of the others.
    pub(super) fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let viewer = self.viewer;
        (0..self.players).filter(move |&seat| seat != viewer)
    }

    /// Weighs a table. `placed` is the cell of a Colony that cannot move in this turn, if any; the worth is that at the end of the
    /// turn, and with `over` it knows when that ends the game.
    pub(super) fn weigh(&self, scene: &Scene, placed: u8, over: bool) -> Weighed {
        let (viewer, share) = (self.viewer, self.share);
        let own = scene.control[viewer];
        let occupied = scene.occupied();
        let others = occupied & !own;
        let free = scene.nodes & !occupied;
        let beaten = scene.beaten();
        let (beneath_own, beneath_others) = (scene.beneath[viewer], self.beneath_others(scene));

        let mut mine = Reached::default();
        let stays = cell_of(placed);
        for cell in each(own) {
            let to = reached(self.movement, cell, free | own | beaten[scene.top(cell).index()]);
            mine.invaded |= to & others;
            mine.nodes += to.count_ones();
            let wins = if to & others != 0 { 1.0 + share } else { f32::from(to & free != 0) };
            let loses = match () {
                () if beneath_own & only(cell) != 0 => 0.0,
                () if beneath_others & only(cell) != 0 => 1.0 + share,
                () => 1.0,
            };
            mine.later = mine.later.max(wins - loses);
            if stays & only(cell) == 0 {
                mine.most = mine.most.max(wins - loses);
            }
        }

        let mut theirs = Reached::default();
        let mut their_room = 0;
        let (mut hardest, mut replies) = (0.0_f32, 0.0);
        for seat in self.others() {
            let held = scene.control[seat];
            their_room += (beside(held) & free).count_ones();
            let (mut most, mut hits, mut aims) = (0.0_f32, 0, 0);
            for cell in each(held) {
                let to = reached(self.movement, cell, free | held | beaten[scene.top(cell).index()]);
                theirs.invaded |= to & own;
                theirs.nodes += to.count_ones();
                // Between others Nodes change hands without a change of the viewer's lead over all of them.
                let wins = match () {
                    () if to & own != 0 => 1.0 + share,
                    () if to & free != 0 => share,
                    () => 0.0,
                };
                let loses = match () {
                    () if beneath_own & only(cell) != 0 => 1.0 + share,
                    () if beneath_others & only(cell) != 0 => 0.0,
                    () => share,
                };
                most = most.max(wins - loses);
                hits += (to & own).count_ones();
                aims += (to & occupied & !held).count_ones();
            }
            theirs.most = theirs.most.max(most);
            if self.replies[seat] {
                let turned_here = if aims > 0 { hits as f32 / aims as f32 } else { 1.0 };
                let expected = most * (ELSEWHERE + (1.0 - ELSEWHERE) * turned_here);
                hardest = hardest.max(expected);
                replies += expected;
            }
        }
        let reply = hardest + OTHER_REPLIES * (replies - hardest);

        let count = |cells: Cells| cells.count_ones() as f32;
        let side = |nodes: Cells, invaded: Cells, risk: f32| {
            count(nodes) + LEVEL * scene.level_sum(nodes) as f32 - risk * count(nodes & invaded)
        };
        let strongest = self
            .others()
            .map(|seat| side(scene.control[seat], mine.invaded, OTHER_RISK))
            .fold(f32::NEG_INFINITY, f32::max);
        let (own_room, their_room) = (count(beside(own) & free), share * their_room as f32);
        let reach = mine.nodes as f32 - share * theirs.nodes as f32;
        let later = f32::from(self.goes_on);
        let worth = side(own, theirs.invaded, OTHER_RISK) - strongest - REPLY * reply
            + later * NEXT * mine.later
            + later * ROOM * own_room
            - later * ROOM_OF_OTHERS * their_room
            + later * REACH * reach;
        let worth = self.chances.as_ref().map_or(worth, |chances| {
            let hand = later * HELD_NODE * scene.hands[viewer][Card::NODE.index()];
            BESIDE_CHANCES * worth + CHANCES * chances.odds(scene, viewer, worth + hand)
        });
        let ended = if over { self.outcome_for(scene, viewer) } else { None };
        let only_node = |seat: usize| scene.control[seat].count_ones() == 1;
        Weighed {
            worth: worth + WON * ended.unwrap_or(0.0),
            standing: self.standing_with(scene, mine.invaded, theirs.invaded),
            reply: theirs.most,
            next: mine.most,
            room: own_room - their_room,
            reach,
            at_risk: [theirs.invaded.count_ones(), mine.invaded.count_ones()],
            eradication: [
                (0..SEATS).any(|seat| only_node(seat) && scene.control[seat] & mine.invaded != 0),
                only_node(viewer) && own & theirs.invaded != 0,
            ],
        }
    }

    /// [`Weighed::standing`] alone: others go by it, hundreds of times.
    pub(super) fn standing(&self, scene: &Scene) -> f32 {
        let own = scene.control[self.viewer];
        let occupied = scene.occupied();
        let free = scene.nodes & !occupied;
        let beaten = scene.beaten();
        let invaded = |held: Cells, prey: Cells| {
            each(held).fold(0, |invaded, cell| {
                let beaten = beaten[scene.top(cell).index()];
                let open = free | held | beaten;
                invaded | invadable(self.movement, cell, beaten & prey & !invaded, open)
            })
        };
        let theirs = self.others().fold(0, |all, seat| all | invaded(scene.control[seat], own));
        self.standing_with(scene, invaded(own, occupied & !own), theirs)
    }

    fn standing_with(&self, scene: &Scene, invaded_by_viewer: Cells, invaded_by_others: Cells) -> f32 {
        let own = scene.control[self.viewer];
        let side = |nodes: Cells, invaded: Cells| {
            let at_risk = (nodes & invaded).count_ones() as f32;
            nodes.count_ones() as f32 + LEVEL * scene.level_sum(nodes) as f32 - (SAFE - AT_RISK) * at_risk
        };
        side(own, invaded_by_others) - self.share * side(scene.occupied() & !own, invaded_by_viewer)
    }

    /// Nodes where the card beneath the top one is not the viewer's.
    #[inline]
    pub(super) fn beneath_others(&self, scene: &Scene) -> Cells {
        (0..SEATS).filter(|&seat| seat != self.viewer).fold(0, |set, seat| set | scene.beneath[seat])
    }

    /// C-11, C-12: what a seat gets if the game is over after a turn that leaves the table so.
    pub(super) fn outcome_for(&self, scene: &Scene, viewer: usize) -> Option<f32> {
        let seats = 0..self.players;
        let dominates = |seat: usize| scene.control[seat] == scene.nodes;
        let is_eradicated = |seat: usize| scene.control[seat] == 0 && self.on_table[seat];
        if !self.ends && !seats.clone().any(|seat| dominates(seat) || is_eradicated(seat)) {
            return None;
        }
        let score = |seat: usize| (scene.control[seat].count_ones(), scene.level_sum(scene.control[seat]));
        let best = seats.clone().map(score).max().expect("there are seats");
        if score(viewer) < best {
            return Some(-self.share);
        }
        let winners = seats.clone().filter(|&seat| score(seat) == best).count();
        Some((seats.len() as f32 / winners as f32 - 1.0) * self.share)
    }
}
