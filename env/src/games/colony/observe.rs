//! What a seat sees, as numbers: planes of 121 cells, then counters.
//!
//! At most 21 Nodes lie on the table, so a plane is mostly zeros: all are cleared at once and the few cells that
//! matter are written one by one.

use super::actions::turned_actions;
use super::cards::{CARD_KINDS, COUNTS, Card, KINDS};
use super::standing::Tops;
use super::state::{Colony, NONE, Phase};
use super::table::{CELLS, Cells, TURNS, each, turned};
use crate::{Layout, Symmetry};

/// The planes that every number of players has.
const PLANES: usize = 11;
const UNOCCUPIED: usize = 0;
const FRONTIER: usize = 1;
/// Three planes by type.
const OWN: usize = 2;
/// Three planes by type.
const OTHERS: usize = 5;
const OPPRESSED: usize = 8;
const CONTESTED: usize = 9;
const MARKED: usize = 10;
/// With more than two players: who of the others controls a Node.
const SEAT: usize = PLANES;

const PHASES: usize = 5;
/// Explore and Colonise; a turn that has moved is over.
const DONE: usize = 2;

/// The most cards left of a deck after the first draw, rounded to a scale.
const DECK_SCALE: f32 = 1.0 / 45.0;
const HAND_SCALE: f32 = 1.0 / 4.0;
const HAND_SIZE_SCALE: f32 = 1.0 / 16.0;
const NODES_SCALE: f32 = 1.0 / 21.0;
const LEVELS_SCALE: f32 = 1.0 / 40.0;
const BEATS_SCALE: f32 = 1.0 / 8.0;

pub(super) fn planes(players: usize) -> usize {
    if players > 2 { PLANES + players - 1 } else { PLANES }
}

/// Numbers behind the planes.
pub(super) fn counters(players: usize) -> usize {
    2 * CARD_KINDS + 2 * KINDS + PHASES + DONE + 4 * players + 3
}

/// The fields of an observation.
pub(super) fn layout(players: usize) -> Layout {
    let mut layout = Layout::default()
        .field("unoccupied", CELLS, "1 where an unoccupied Node lies, row by row from a1")
        .field("frontier", CELLS, "1 on the empty cells next to a Node that the viewer controls")
        .field("own.culture", CELLS, "level ÷ 3 where the viewer controls a Node with a Culture Colony")
        .field("own.military", CELLS, "the same, Military")
        .field("own.economy", CELLS, "the same, Economy")
        .field("others.culture", CELLS, "level ÷ 3 where another player controls a Node with a Culture Colony")
        .field("others.military", CELLS, "the same, Military")
        .field("others.economy", CELLS, "the same, Economy")
        .field("oppressed", CELLS, "the card right below the top one: level ÷ 3 if it is the viewer's, else −level ÷ 3")
        .field(
            "contested",
            CELLS,
            "1 on Nodes of others that the viewer's Colonies could invade, and on the viewer's that others' could",
        )
        .field(
            "marked",
            CELLS,
            "to the viewer in its turn: 1 on the Colony chosen to move, 0.5 on the one placed this turn",
        );
    if players > 2 {
        for other in 1..players {
            let about = ["", "1 where the next player controls a Node", "the second next", "the third next"];
            layout = layout.field(format!("seat{other}"), CELLS, about[other]);
        }
    }
    layout
        .field("hand", CARD_KINDS, "the viewer's cards of each kind ÷ 4: C1 C2 C3 M1 … E3, Node")
        .field("unseen", CARD_KINDS, "the part of each kind that is in the deck or in other hands")
        .field("beats", KINDS, "how many top cards of others each kind of Colony beats, ÷ 8")
        .field("chosen", KINDS, "to the viewer in its turn: the kind that is being put down")
        .field("phase", PHASES, "to the viewer in its turn: explore, colonise, colonise-at, move, move-to")
        .field("done", DONE, "to the viewer in its turn: whether it has explored, colonised")
        .field(
            "acting",
            players,
            "whose turn it is: the viewer's, the next player's, …; zeros when the game is over",
        )
        .field("nodes", players, "Nodes that each player controls ÷ 21, the viewer first")
        .field("levels", players, "sum of the levels of the controlling cards ÷ 40, the viewer first")
        .field("hands", players, "cards in each hand ÷ 16, the viewer first")
        .field("deck", 1, "cards in the deck ÷ 45")
        .field(
            "turns",
            1,
            "turns that may still follow this one ÷ 45: the deck or the turn limit, whichever is less",
        )
        .field("first", 1, "1 until the viewer's first turn is over")
}

/// The eight symmetries of the square.
pub(super) fn symmetries(layout: &Layout, players: usize) -> Vec<Symmetry> {
    let symmetry = |number: usize| {
        let cells: Vec<usize> = (0..CELLS).map(|cell| turned(number, cell)).collect();
        let name = match number {
            0 => "identity".to_owned(),
            _ => format!("{}{} quarter turns", if number & 4 != 0 { "mirror, " } else { "" }, number % 4),
        };
        Symmetry {
            name,
            observation: Symmetry::of_layout(layout, |field| {
                (field.range.len() == CELLS).then(|| cells.clone())
            }),
            actions: turned_actions(number),
            seats: (0..players as u8).collect(),
        }
    };
    (0..TURNS).map(symmetry).collect()
}

impl Colony {
    /// Writes what `viewer` may know.
    #[inline]
    pub(super) fn view(&self, viewer: usize, out: &mut [f32]) {
        let players = usize::from(self.players);
        out.fill(0.0);
        let (cells, counters) = out.split_at_mut(planes(players) * CELLS);
        let (cells, _) = cells.as_chunks_mut();
        let tops = Tops::of(self);
        let mut unseen = COUNTS;
        self.write_cells(viewer, &tops, cells, &mut unseen);
        self.write_counters(viewer, &tops, counters, &unseen);
    }

    /// Writes the planes and takes what lies on the table out of `unseen`.
    #[inline]
    fn write_cells(
        &self,
        viewer: usize,
        tops: &Tops,
        out: &mut [[f32; CELLS]],
        unseen: &mut [u8; CARD_KINDS],
    ) {
        mark(&mut out[UNOCCUPIED], self.nodes & !tops.occupied);
        mark(&mut out[FRONTIER], self.frontier(viewer));
        unseen[Card::NODE.index()] -= self.nodes.count_ones() as u8;
        let mut contested = 0;
        self.each_top(tops, |top| {
            unseen[top.card()] -= 1;
            let first = if top.seat == viewer { OWN } else { OTHERS };
            out[first + top.kind][top.cell] = LEVEL_PART[top.level];
            contested |= self.contested_by(tops, viewer, top, contested);
        });
        if self.players > 2 {
            for ahead in 1..usize::from(self.players) {
                mark(&mut out[SEAT + ahead - 1], self.control[self.seat_ahead(viewer, ahead)]);
            }
        }
        mark(&mut out[CONTESTED], contested);
        // A later card of the same cell lies higher and takes the place of an earlier one.
        for (cell, below) in self.buried.iter() {
            unseen[below.card().index()] -= 1;
            let part = LEVEL_PART[below.card().level()];
            out[OPPRESSED][cell] = if below.owner() == viewer { part } else { -part };
        }
        if self.acts(viewer) {
            if self.placed != NONE {
                out[MARKED][usize::from(self.placed)] = 0.5;
            }
            if self.phase == Phase::MoveTo {
                out[MARKED][usize::from(self.chosen)] = 1.0;
            }
        }
    }

    #[inline]
    fn write_counters(&self, viewer: usize, tops: &Tops, out: &mut [f32], unseen: &[u8; CARD_KINDS]) {
        let players = usize::from(self.players);
        let (hand, out) = out.split_at_mut(CARD_KINDS);
        let (hidden, out) = out.split_at_mut(CARD_KINDS);
        let (beats, out) = out.split_at_mut(KINDS);
        let (chosen, out) = out.split_at_mut(KINDS);
        let (phase, out) = out.split_at_mut(PHASES);
        let (done, out) = out.split_at_mut(DONE);
        let (acting, out) = out.split_at_mut(players);
        let (nodes, out) = out.split_at_mut(players);
        let (levels, out) = out.split_at_mut(players);
        let (hands, out) = out.split_at_mut(players);
        let held = &self.hands[viewer];
        for kind in 0..CARD_KINDS {
            hand[kind] = f32::from(held[kind]) * HAND_SCALE;
            hidden[kind] = f32::from(unseen[kind] - held[kind]) * UNSEEN_SCALE[kind];
        }
        let others = tops.occupied & !self.control[viewer];
        for (x, beaten) in beats.iter_mut().zip(tops.beaten) {
            *x = (beaten & others).count_ones() as f32 * BEATS_SCALE;
        }
        if self.acts(viewer) {
            phase[self.phase as usize] = 1.0;
            for (bit, x) in done.iter_mut().enumerate() {
                *x = f32::from(self.done >> bit & 1);
            }
            if self.phase == Phase::ColoniseAt {
                chosen[usize::from(self.chosen)] = 1.0;
            }
            acting[0] = 1.0;
        } else if self.over.is_none() {
            acting[self.actor() + if self.actor() < viewer { players } else { 0 } - viewer] = 1.0;
        }
        for ahead in 0..players {
            let seat = self.seat_ahead(viewer, ahead);
            nodes[ahead] = self.control[seat].count_ones() as f32 * NODES_SCALE;
            levels[ahead] = self.level_sum(seat) as f32 * LEVELS_SCALE;
            hands[ahead] = f32::from(self.hands[seat].iter().sum::<u8>()) * HAND_SIZE_SCALE;
        }
        let turns = usize::from(self.turn_limit - 1 - self.turn).min(self.deck.len());
        out[0] = self.deck.len() as f32 * DECK_SCALE;
        out[1] = turns as f32 * DECK_SCALE;
        out[2] = if usize::from(self.turn) <= viewer { 1.0 } else { 0.0 };
    }

    /// Whether the seat is to act. Only then does it see phase, choice and what the turn has done: of others they
    /// would tell skips.
    #[inline]
    pub(super) fn acts(&self, seat: usize) -> bool {
        self.actor() == seat && self.over.is_none()
    }

    /// The seat that many places after the viewer in the order of play.
    #[inline]
    fn seat_ahead(&self, viewer: usize, ahead: usize) -> usize {
        let seat = viewer + ahead;
        if seat < usize::from(self.players) { seat } else { seat - usize::from(self.players) }
    }
}

/// Writes 1 on every cell of a set.
#[inline]
fn mark(plane: &mut [f32; CELLS], set: Cells) {
    each(set).for_each(|cell| plane[cell] = 1.0);
}

/// Level ÷ 3.
const LEVEL_PART: [f32; 4] = [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0];

/// One by the number of cards of each kind.
const UNSEEN_SCALE: [f32; CARD_KINDS] = {
    let mut scale = [0.0; CARD_KINDS];
    let mut kind = 0;
    while kind < CARD_KINDS {
        scale[kind] = 1.0 / COUNTS[kind] as f32;
        kind += 1;
    }
    scale
};
