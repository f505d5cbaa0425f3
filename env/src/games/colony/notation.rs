//! Positions and moves as text.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::actions::Step;
use super::cards::Card;
use super::options::ColonyRules;
use super::state::{Colony, NONE, Phase};
use super::table::{Cell, each};
use crate::{Action, BadPosition, Paint, Seat, Text};

/// STATE of the record format: the whole truth, hidden cards included.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColonyPosition {
    /// The Nodes, each with its stack from the bottom to the top, row by row.
    pub table: BTreeMap<Cell, Vec<Stacked>>,
    /// The hands, each in the order N, C1, C2, C3, M1 … E3.
    pub hands: Vec<Vec<Card>>,
    /// The deck; the first card is drawn next.
    pub deck: Vec<Card>,
    /// Single turns that are over.
    pub turn: u32,
    /// What this turn has done, in order.
    pub done: Vec<Done>,
    /// Where this turn's Colony went.
    pub placed: Option<Cell>,
    /// What is asked of the player to act.
    pub phase: PhaseName,
    /// The Colony to put down or the Node to move from.
    pub chosen: Option<Chosen>,
    /// The seat to act; none when the game is over.
    pub to_move: Option<u8>,
}

/// What a turn can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Done {
    Explore,
    Colonise,
    Move,
}

impl Done {
    pub(super) const ALL: [Self; 3] = [Self::Explore, Self::Colonise, Self::Move];

    /// Its bit in the state.
    pub(super) const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// What is asked of the player to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum PhaseName {
    Explore,
    Colonise,
    ColoniseAt,
    Move,
    MoveTo,
}

impl PhaseName {
    /// The names and the phases of the state, side by side.
    pub(super) const ALL: [(Self, Phase); 5] = [
        (Self::Explore, Phase::Explore),
        (Self::Colonise, Phase::Colonise),
        (Self::ColoniseAt, Phase::ColoniseAt),
        (Self::Move, Phase::Move),
        (Self::MoveTo, Phase::MoveTo),
    ];

    fn of(phase: Phase) -> Self {
        Self::ALL[phase as usize].0
    }
}

/// A Colony on the table with its owner: `0:C1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Stacked {
    /// The seat that played it.
    pub owner: u8,
    /// The Colony.
    pub card: Card,
}

impl fmt::Display for Stacked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.owner, self.card)
    }
}

impl From<Stacked> for String {
    fn from(stacked: Stacked) -> Self {
        stacked.to_string()
    }
}

impl FromStr for Stacked {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let problem = || format!("`{text}` is no Colony with its owner: expected something like 0:C1");
        let (owner, card) = text.split_once(':').ok_or_else(problem)?;
        let owner = ["0", "1", "2", "3"].iter().position(|&digit| digit == owner).ok_or_else(problem)? as u8;
        let card: Card = card.parse()?;
        if card.is_colony() { Ok(Self { owner, card }) } else { Err(problem()) }
    }
}

impl TryFrom<String> for Stacked {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// A choice that the next ply completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Chosen {
    /// The Colony to put down.
    Card(Card),
    /// The Node whose top card moves.
    Cell(Cell),
}

impl Text for Colony {
    type Position = ColonyPosition;

    fn position(&self) -> Self::Position {
        let mut table: BTreeMap<Cell, Vec<Stacked>> =
            each(self.nodes).map(|cell| (Cell::new(cell), Vec::new())).collect();
        let mut stack = |cell: usize, owner: usize, card| {
            table.entry(Cell::new(cell)).or_default().push(Stacked { owner: owner as u8, card });
        };
        self.buried.iter().for_each(|(cell, below)| stack(cell, below.owner(), below.card()));
        each(self.occupied()).for_each(|cell| stack(cell, self.owner(cell), self.top(cell)));
        let chosen = match self.phase {
            Phase::ColoniseAt => Some(Chosen::Card(Card::new(self.chosen.into()))),
            Phase::MoveTo => Some(Chosen::Cell(Cell::new(self.chosen.into()))),
            _ => None,
        };
        ColonyPosition {
            table,
            hands: (0..usize::from(self.players)).map(|seat| self.hand(seat).collect()).collect(),
            deck: self.deck.iter().collect(),
            turn: self.turn.into(),
            done: Done::ALL.into_iter().filter(|done| self.done & done.bit() != 0).collect(),
            placed: (self.placed != NONE).then(|| Cell::new(self.placed.into())),
            phase: PhaseName::of(self.phase),
            chosen,
            to_move: self.over.is_none().then_some(self.seat),
        }
    }

    fn from_position(rules: &ColonyRules, position: &Self::Position) -> Result<Self, BadPosition> {
        Self::read(rules, position)
    }

    fn write_move(&self, action: Action, out: &mut String) {
        let word = match self.phase {
            Phase::Explore => "explore",
            Phase::Colonise => "card",
            Phase::ColoniseAt => "at",
            Phase::Move => "from",
            Phase::MoveTo => "to",
        };
        let _ = match Step::of(action) {
            Step::Cell(cell) => write!(out, "{word} {}", Cell::new(cell)),
            Step::Card(card) => write!(out, "{word} {card}"),
            Step::Skip => out.write_str("skip"),
        };
    }

    fn draw(&self, seat: Option<Seat>, paint: Paint) -> String {
        self.picture(seat.map(Seat::index), paint)
    }
}

impl Colony {
    /// The cards of a hand, sorted.
    pub(super) fn hand(&self, seat: usize) -> impl Iterator<Item = Card> {
        let hand = self.hands[seat];
        Card::all().flat_map(move |card| std::iter::repeat_n(card, hand[card.index()].into()))
    }
}
