//! The state: the table as bitboards, what is buried under the top cards, hands and deck as counters and nibbles.

use super::cards::{CARD_KINDS, Card, KINDS, trumped_by};
use super::options::Movement;
use super::table::{Cells, MIDDLES, only};

/// Seats that fit.
pub(super) const SEATS: usize = 4;
/// Stands for no cell and no card.
pub(super) const NONE: u8 = u8::MAX;

/// What the acting player is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Explore,
    Colonise,
    ColoniseAt,
    Move,
    MoveTo,
}

/// What a turn has done, as bits.
pub(super) mod done {
    pub const EXPLORE: u8 = 1;
    pub const COLONISE: u8 = 2;
    pub const MOVE: u8 = 4;
}

/// C-11, C-13: why the game is over. The order is that of [`Spec::ends`](crate::Spec::ends).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    Deck,
    Trapped,
    Domination,
    Eradication,
    TurnLimit,
}

/// The texts of the reasons.
pub(super) const ENDS: [&str; 5] = ["deck", "trapped", "domination", "eradication", "turn limit"];

/// A game of Node and Colony, from the deal to the end. A small plain value, about 300 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colony {
    /// Cells that hold a Node.
    pub(super) nodes: Cells,
    /// The Nodes that each seat controls: those with a top card of its own.
    pub(super) control: [Cells; SEATS],
    /// Nodes whose top card is Culture, Military; the other occupied ones are Economy.
    pub(super) types: [Cells; 2],
    /// Nodes whose top card has at least level 2, level 3.
    pub(super) levels: [Cells; 2],
    pub(super) buried: Buried,
    /// How many cards of each kind each seat holds.
    pub(super) hands: [[u8; CARD_KINDS]; SEATS],
    pub(super) deck: Deck,
    pub(super) turn: u16,
    pub(super) turn_limit: u16,
    pub(super) players: u8,
    /// Half the side of the table, rounded down.
    pub(super) half: u8,
    pub(super) movement: Movement,
    /// Whose turn it is: `turn` modulo `players`.
    pub(super) seat: u8,
    pub(super) phase: Phase,
    pub(super) done: u8,
    /// The cell of the Colony that this turn put down.
    pub(super) placed: u8,
    /// The kind to put down or the cell to move from, in the phases that follow such a choice.
    pub(super) chosen: u8,
    pub(super) over: Option<Reason>,
}

impl Colony {
    /// The seat whose turn it is.
    #[inline]
    pub(super) fn actor(&self) -> usize {
        self.seat as usize
    }

    /// The cells that can hold a Node.
    #[inline]
    pub(super) fn playable(&self) -> Cells {
        MIDDLES[self.half as usize]
    }

    #[inline]
    pub(super) fn occupied(&self) -> Cells {
        self.control[0] | self.control[1] | self.control[2] | self.control[3]
    }

    #[inline]
    pub(super) fn unoccupied(&self) -> Cells {
        self.nodes & !self.occupied()
    }

    /// Nodes whose top card has that type.
    #[inline]
    pub(super) fn of_type(&self, kind: usize) -> Cells {
        match self.types.get(kind) {
            Some(&set) => set,
            None => self.occupied() & !(self.types[0] | self.types[1]),
        }
    }

    /// Nodes whose top card has at least that level.
    #[inline]
    pub(super) fn of_level(&self, level: usize) -> Cells {
        match level {
            1 => self.occupied(),
            2 | 3 => self.levels[level - 2],
            _ => 0,
        }
    }

    /// Nodes whose top card `card` beats (C-01).
    #[inline]
    pub(super) fn beaten_by(&self, card: Card) -> Cells {
        self.of_type(card.kind()) & !self.of_level(card.level())
            | self.of_type(trumped_by(card.kind())) & !self.of_level(card.level() + 1)
    }

    /// The top card of an occupied Node.
    #[inline]
    pub(super) fn top(&self, cell: usize) -> Card {
        let at = |set: Cells| (set >> cell) as usize & 1;
        let kind = 2 - 2 * at(self.types[0]) - at(self.types[1]);
        Card::new(3 * kind + at(self.levels[0]) + at(self.levels[1]))
    }

    /// Who controls an occupied Node.
    #[inline]
    pub(super) fn owner(&self, cell: usize) -> usize {
        let at = |seat: usize| (self.control[seat] >> cell) as usize & 1;
        at(1) + 2 * at(2) + 3 * at(3)
    }

    /// Puts a seat's Colony on a Node; a card that is there is oppressed beneath it (C-09).
    #[inline]
    pub(super) fn put(&mut self, cell: usize, seat: usize, card: Card) {
        if self.occupied() & only(cell) != 0 {
            self.buried.push(cell, Owned::new(self.owner(cell), self.top(cell)));
            self.clear(cell);
        }
        self.show(cell, seat, card);
    }

    /// Takes the top card off a Node: the card below takes over; with none left the Node is unoccupied (C-09).
    #[inline]
    pub(super) fn lift(&mut self, cell: usize) -> Card {
        let card = self.top(cell);
        self.clear(cell);
        if let Some(below) = self.buried.pop(cell) {
            self.show(cell, below.owner(), below.card());
        }
        card
    }

    #[inline]
    fn clear(&mut self, cell: usize) {
        let rest = !only(cell);
        self.control.iter_mut().chain(&mut self.types).chain(&mut self.levels).for_each(|set| *set &= rest);
    }

    #[inline]
    fn show(&mut self, cell: usize, seat: usize, card: Card) {
        self.control[seat] |= only(cell);
        if let Some(set) = self.types.get_mut(card.kind()) {
            *set |= only(cell);
        }
        for set in &mut self.levels[..card.level() - 1] {
            *set |= only(cell);
        }
    }
}

/// C-01: Nodes whose top card each kind of Colony beats, from what [`Colony`] says about the top cards.
#[inline]
pub(super) fn beaten(occupied: Cells, types: [Cells; 2], levels: [Cells; 2]) -> [Cells; KINDS] {
    let [culture, military] = types;
    let types = [culture, military, occupied & !culture & !military];
    let [two, three] = levels;
    let below = [0, occupied & !two, occupied & !three, occupied];
    let mut beaten = [0; KINDS];
    for (kind, set) in beaten.iter_mut().enumerate() {
        let card = Card::new(kind);
        *set = types[card.kind()] & below[card.level() - 1]
            | types[trumped_by(card.kind())] & below[card.level()];
    }
    beaten
}

/// A Colony with its owner, in one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owned(u8);

impl Owned {
    #[inline]
    pub(super) fn new(owner: usize, card: Card) -> Self {
        Self((owner << 4 | card.index()) as u8)
    }

    #[inline]
    pub(super) fn owner(self) -> usize {
        usize::from(self.0 >> 4)
    }

    #[inline]
    pub(super) fn card(self) -> Card {
        Card::new(usize::from(self.0 & 15))
    }
}

/// Room for every Colony that can lie under another: all 39 but one, rounded up to whole vectors.
const BURIED: usize = 40;

/// The oppressed cards, sorted by cell and from the bottom of each stack to its top, so that equal tables are
/// equal values. Unused places hold [`NONE`] as their cell and 0 as their card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Buried {
    cells: [u8; BURIED],
    cards: [u8; BURIED],
}

impl Buried {
    pub(super) const EMPTY: Self = Self { cells: [NONE; BURIED], cards: [0; BURIED] };

    /// The place behind the last card of the cells up to this one.
    #[inline]
    fn behind(&self, cell: usize) -> usize {
        self.cells.iter().map(|&at| u8::from(at <= cell as u8)).sum::<u8>() as usize
    }

    #[inline]
    pub(super) fn push(&mut self, cell: usize, card: Owned) {
        let place = self.behind(cell);
        self.cells.copy_within(place..BURIED - 1, place + 1);
        self.cards.copy_within(place..BURIED - 1, place + 1);
        self.cells[place] = cell as u8;
        self.cards[place] = card.0;
    }

    /// The two cards right beneath the top one of a Node, where there are any.
    #[inline]
    pub(super) fn upper(&self, cell: usize) -> [Option<Owned>; 2] {
        let behind = self.behind(cell);
        [1, 2].map(|back| {
            let place = behind.checked_sub(back).filter(|&place| self.cells[place] == cell as u8)?;
            Some(Owned(self.cards[place]))
        })
    }

    #[inline]
    pub(super) fn pop(&mut self, cell: usize) -> Option<Owned> {
        let place = self.behind(cell).checked_sub(1).filter(|&place| self.cells[place] == cell as u8)?;
        let card = Owned(self.cards[place]);
        self.cells.copy_within(place + 1.., place);
        self.cards.copy_within(place + 1.., place);
        self.cells[BURIED - 1] = NONE;
        self.cards[BURIED - 1] = 0;
        Some(card)
    }

    /// Every oppressed card with its cell, in order.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, Owned)> {
        self.cells
            .iter()
            .zip(&self.cards)
            .take_while(|&(&cell, _)| cell != NONE)
            .map(|(&cell, &card)| (usize::from(cell), Owned(card)))
    }
}

/// Room for the largest deck: 45 cards with two players and five Nodes at the start, two in a byte.
const DECK_BYTES: usize = 23;

/// The deck, the card drawn next at the end; two cards in a byte, unused places 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Deck {
    bytes: [u8; DECK_BYTES],
    left: u8,
}

impl Deck {
    pub(super) const EMPTY: Self = Self { bytes: [0; DECK_BYTES], left: 0 };

    #[inline]
    pub(super) fn len(&self) -> usize {
        usize::from(self.left)
    }

    /// The cards, the next one first.
    pub(super) fn iter(&self) -> impl Iterator<Item = Card> {
        (0..self.len()).rev().map(|place| self.at(place))
    }

    #[inline]
    fn at(&self, place: usize) -> Card {
        Card::new(usize::from(self.bytes[place / 2] >> (4 * (place % 2)) & 15))
    }

    /// Puts a card on top.
    #[inline]
    pub(super) fn push(&mut self, card: Card) {
        let place = self.len();
        self.bytes[place / 2] |= (card.index() as u8) << (4 * (place % 2));
        self.left += 1;
    }

    /// Draws the top card.
    ///
    /// # Panics
    /// When there is none.
    #[inline]
    pub(super) fn draw(&mut self) -> Card {
        let place = self.len() - 1;
        let card = self.at(place);
        self.bytes[place / 2] &= 15 * (place % 2) as u8;
        self.left -= 1;
        card
    }
}

/// Whether a hand holds a Colony.
#[inline]
pub(super) fn has_colony(hand: &[u8; CARD_KINDS]) -> bool {
    hand[..KINDS].iter().fold(0, |any, &count| any | count) != 0
}
