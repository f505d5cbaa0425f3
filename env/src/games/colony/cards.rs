//! The 60 cards: 21 Nodes and 39 Colonies of nine kinds.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Kinds of Colony: three types of three levels.
pub const KINDS: usize = 9;
/// Kinds of card: the Colonies and the Node.
pub const CARD_KINDS: usize = KINDS + 1;
/// Cards in the box.
pub const CARDS: usize = 60;
const LEVELS: usize = 3;
const NODES: u8 = 21;
/// Cards of one kind of Colony, by level.
const BY_LEVEL: [u8; LEVELS] = [7, 4, 2];
const LETTERS: [char; 3] = ['C', 'M', 'E'];

/// How many cards of each kind there are; the index is [`Card::index`].
pub const COUNTS: [u8; CARD_KINDS] = {
    let mut counts = [NODES; CARD_KINDS];
    let mut kind = 0;
    while kind < KINDS {
        counts[kind] = BY_LEVEL[kind % LEVELS];
        kind += 1;
    }
    counts
};

/// A kind of card: `C1` … `E3` by type and level, then the Node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Card(u8);

impl Card {
    /// The Node.
    pub const NODE: Self = Self(KINDS as u8);

    /// The kind with that number: 0 to 8 the Colonies C1 C2 C3 M1 … E3, 9 the Node.
    ///
    /// # Panics
    /// When there is none.
    #[inline]
    pub const fn new(number: usize) -> Self {
        assert!(number < CARD_KINDS, "there are ten kinds of card");
        Self(number as u8)
    }

    /// Its number.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether it is a Colony.
    #[inline]
    pub const fn is_colony(self) -> bool {
        self.index() < KINDS
    }

    /// The type of a Colony: 0 Culture, 1 Military, 2 Economy.
    #[inline]
    pub(super) const fn kind(self) -> usize {
        self.index() / LEVELS
    }

    /// The level of a Colony, 1 to 3.
    #[inline]
    pub const fn level(self) -> usize {
        self.index() % LEVELS + 1
    }

    /// C-01: a Colony beats one of its own type with a lower level, and one of the type that it trumps (Culture over
    /// Military over Economy over Culture) with an equal or lower level. C-04: a Node loses to any Colony.
    pub const fn beats(self, other: Self) -> bool {
        if !self.is_colony() || !other.is_colony() {
            return self.is_colony() && !other.is_colony();
        }
        self.kind() == other.kind() && self.level() > other.level()
            || trumped_by(self.kind()) == other.kind() && self.level() >= other.level()
    }

    /// All ten kinds in the order of a written hand: the Node first.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::NODE).chain((0..KINDS).map(Self::new))
    }
}

/// The type that a type trumps.
#[inline]
pub(super) const fn trumped_by(kind: usize) -> usize {
    (kind + 1) % LETTERS.len()
}

/// C-04: who starts when each player has drawn one card: the one whose Colony beats every other card, if there is
/// one. Seats are numbered from the first player on and the deck is shuffled afterwards, so the deal has no need to
/// act this out: it would change nothing.
pub fn first_player(drawn: &[Card]) -> Option<usize> {
    (0..drawn.len()).find(|&player| {
        drawn.iter().enumerate().all(|(other, &card)| other == player || drawn[player].beats(card))
    })
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_colony() {
            true => write!(f, "{}{}", LETTERS[self.kind()], self.level()),
            false => f.write_str("N"),
        }
    }
}

impl From<Card> for String {
    fn from(card: Card) -> Self {
        card.to_string()
    }
}

impl FromStr for Card {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::all()
            .find(|card| card.to_string() == text)
            .ok_or_else(|| format!("`{text}` is no card: expected N or C1 C2 C3 M1 M2 M3 E1 E2 E3"))
    }
}

impl TryFrom<String> for Card {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}
