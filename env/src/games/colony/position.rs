//! Reading positions: what no play could reach is refused, as far as the position alone can tell.

use super::cards::{CARD_KINDS, COUNTS, Card};
use super::deal::HAND;
use super::deck_size;
use super::notation::{Chosen, ColonyPosition, Done, PhaseName};
use super::options::ColonyRules;
use super::state::{Colony, NONE, Phase, Reason, SEATS, done};
use super::table::{connected, only};
use crate::BadPosition;

type Checked = Result<(), BadPosition>;

fn check(holds: bool, key: &'static str, problem: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(BadPosition::new(key, problem())) }
}

impl Colony {
    /// The state that a position tells.
    pub(super) fn read(rules: &ColonyRules, position: &ColonyPosition) -> Result<Self, BadPosition> {
        check_cards(rules, position)?;
        check_turn(rules, position)?;
        check_done(position)?;
        let mut game = Self::bare(rules);
        game.read_table(position)?;
        for (hand, cards) in game.hands.iter_mut().zip(&position.hands) {
            cards.iter().for_each(|card| hand[card.index()] += 1);
        }
        position.deck.iter().rev().for_each(|&card| game.deck.push(card));
        game.turn = position.turn as u16;
        game.seat = (game.turn % u16::from(game.players)) as u8;
        game.done = position.done.iter().fold(0, |bits, done| bits | done.bit());
        game.read_phase(position)?;
        if position.to_move.is_none() {
            game.over = Some(game.reason()?);
        }
        game.check_players()?;
        if game.over.is_none() {
            game.check_that_play_goes_on()?;
        }
        Ok(game)
    }

    /// The Nodes and what lies on them.
    fn read_table(&mut self, position: &ColonyPosition) -> Checked {
        let layout = self.nodes;
        self.nodes = position.table.keys().fold(0, |nodes, cell| nodes | only(cell.index()));
        check(layout & !self.nodes == 0, "table", || "a Node of the start layout is missing".to_owned())?;
        if let Some(cell) = position.table.keys().find(|cell| self.playable() & only(cell.index()) == 0) {
            return Err(BadPosition::new("table", format!("{cell} lies beyond the table")));
        }
        check(connected(self.nodes), "table", || "the Nodes do not hang together".to_owned())?;
        for (cell, stack) in &position.table {
            for stacked in stack {
                let owner = usize::from(stacked.owner);
                check(stacked.owner < self.players, "table", || {
                    format!("{stacked} on {cell}: there are {} players", self.players)
                })?;
                self.put(cell.index(), owner, stacked.card);
            }
        }
        Ok(())
    }

    /// Phase, choice and the Colony placed.
    fn read_phase(&mut self, position: &ColonyPosition) -> Checked {
        self.phase = PhaseName::ALL[position.phase as usize].1;
        self.chosen = match (self.phase, position.chosen) {
            (Phase::ColoniseAt, Some(Chosen::Card(card))) if card.is_colony() => card.index() as u8,
            (Phase::MoveTo, Some(Chosen::Cell(cell))) => cell.index() as u8,
            (Phase::Explore | Phase::Colonise | Phase::Move, None) => NONE,
            (phase, _) => {
                let expected = match phase {
                    Phase::ColoniseAt => "a kind of Colony",
                    Phase::MoveTo => "a cell",
                    _ => "null",
                };
                return Err(BadPosition::new("chosen", format!("expected {expected} in this phase")));
            }
        };
        let before = match self.phase {
            Phase::Explore => 0,
            Phase::Colonise | Phase::ColoniseAt => done::EXPLORE,
            Phase::Move | Phase::MoveTo => done::EXPLORE | done::COLONISE,
        };
        check(position.to_move.is_none() || self.done & !before == 0, "done", || {
            "lists what comes later in the turn than the phase".to_owned()
        })?;
        self.placed = position.placed.map_or(NONE, |cell| cell.index() as u8);
        check(position.placed.is_some() == (self.done & done::COLONISE != 0), "placed", || {
            "expected a cell when `done` lists colonise, else null".to_owned()
        })?;
        check(
            position.placed.is_none_or(|cell| self.control[self.actor()] & only(cell.index()) != 0),
            "placed",
            || "the acting player does not control that Node".to_owned(),
        )
    }

    /// Why a game that nobody is to move in is over.
    fn reason(&self) -> Result<Reason, BadPosition> {
        let goes_on = |problem: &str| BadPosition::new("to_move", format!("null, but {problem}"));
        check(self.phase == Phase::Move, "phase", || "expected \"move\" when the game is over".to_owned())?;
        match self.done {
            0 if self.is_trapped() => Ok(Reason::Trapped),
            0 => Err(goes_on("the player can still do something")),
            _ => self.end_after_turn().ok_or_else(|| goes_on("nothing ends the game after this turn")),
        }
    }

    /// Turns that a seat has begun.
    fn begun(&self, seat: usize) -> usize {
        let (turn, players) = (usize::from(self.turn), usize::from(self.players));
        (turn + players - seat) / players
    }

    /// Whether the current turn is complete: it then ended the game.
    fn turn_is_complete(&self) -> bool {
        self.over.is_some_and(|reason| reason != Reason::Trapped)
    }

    /// Each player's cards and Nodes against the turns that it had: C-06, C-08, C-11.
    fn check_players(&self) -> Checked {
        let mut owned = [0; SEATS];
        self.buried.iter().for_each(|(_, card)| owned[card.owner()] += 1);
        for seat in 0..usize::from(self.players) {
            let acting = seat == self.actor();
            let owned = owned[seat] + self.control[seat].count_ones() as usize;
            let begun = self.begun(seat);
            let finished = begun - usize::from(acting && !self.turn_is_complete());
            let now = |bit: u8| usize::from(acting && self.done & bit != 0);
            let running = |bit: u8| if self.turn_is_complete() { 0 } else { now(bit) };
            let (least, most) =
                (usize::from(finished > 0).max(now(done::COLONISE)), finished + running(done::COLONISE));
            check((least..=most).contains(&owned), "table", || {
                format!("{owned} Colonies of seat {seat} after {finished} turns: expected {least} to {most}")
            })?;
            let drawn = HAND + begun;
            let held: usize = self.hands[seat].iter().map(|&count| usize::from(count)).sum();
            // The first turn has no Node to explore from.
            let most = finished.saturating_sub(1) + if begun > 1 { running(done::EXPLORE) } else { 0 };
            let explored = drawn.checked_sub(held + owned);
            check(explored.is_some_and(|n| (now(done::EXPLORE)..=most).contains(&n)), "hands", || {
                format!(
                    "seat {seat} drew {drawn} cards, holds {held} and has {owned} Colonies on the table: the rest cannot be the Nodes that it explored"
                )
            })?;
            check(finished == 0 || self.control[seat] != 0 || self.turn_is_complete(), "table", || {
                format!("seat {seat} controls no Node: the game would be over")
            })?;
            check(
                !self.dominates(seat) || self.turn_is_complete() || running(done::COLONISE) == 1,
                "table",
                || format!("seat {seat} controls all Nodes: the game would be over"),
            )?;
        }
        check(!self.in_first_turn() || self.done & !done::COLONISE == 0, "done", || {
            "a player's first turn can only colonise".to_owned()
        })
    }

    /// A turn in progress: the phase asks for something that can be done.
    fn check_that_play_goes_on(&self) -> Checked {
        let possible = match self.phase {
            Phase::Explore => self.can_explore(),
            Phase::Colonise => self.can_colonise(),
            Phase::ColoniseAt => self.can_colonise() && self.hand_fits_the_phase(),
            Phase::Move => self.can_move(),
            Phase::MoveTo => self.movable() & only(self.chosen.into()) != 0,
        };
        check(possible, "phase", || "the acting player can do nothing in this phase".to_owned())
    }
}

/// All 60 cards are there, and the right number of hands.
fn check_cards(rules: &ColonyRules, position: &ColonyPosition) -> Checked {
    let players = usize::from(rules.players);
    check(position.hands.len() == players, "hands", || {
        format!("{} hands: expected {players}", position.hands.len())
    })?;
    let mut counts = [0; CARD_KINDS];
    counts[Card::NODE.index()] = position.table.len();
    let stacked = position.table.values().flatten().map(|stacked| &stacked.card);
    for card in stacked.chain(position.hands.iter().flatten()).chain(&position.deck) {
        counts[card.index()] += 1;
    }
    for card in Card::all() {
        let (found, expected) = (counts[card.index()], usize::from(COUNTS[card.index()]));
        check(found == expected, "deck", || {
            format!("{found} cards {card} on the table, in hands and in the deck: expected {expected}")
        })?;
    }
    Ok(())
}

/// One card is drawn each turn, and the seat follows from the turn.
fn check_turn(rules: &ColonyRules, position: &ColonyPosition) -> Checked {
    check(position.turn < rules.turn_limit, "turn", || {
        format!("{}: the turn limit is {}", position.turn, rules.turn_limit)
    })?;
    let all = deck_size(rules);
    check(position.deck.len() as u64 + u64::from(position.turn) + 1 == all as u64, "deck", || {
        format!("{} cards in turn {}: expected {all} less one a turn", position.deck.len(), position.turn)
    })?;
    let seat = position.turn % u32::from(rules.players);
    check(position.to_move.is_none_or(|to_move| u32::from(to_move) == seat), "to_move", || {
        format!("expected {seat} or null in turn {}", position.turn)
    })
}

/// Each thing once and in order; a turn that has moved is over.
fn check_done(position: &ColonyPosition) -> Checked {
    check(position.done.is_sorted_by(|a, b| a < b), "done", || {
        "expected explore, colonise, move in this order, each at most once".to_owned()
    })?;
    check(position.to_move.is_none() || !position.done.contains(&Done::Move), "done", || {
        "a turn that has moved is over".to_owned()
    })
}
