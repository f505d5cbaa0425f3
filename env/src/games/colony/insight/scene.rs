//! The table as an action of the viewer would leave it: less than a state, so that hundreds can be looked at.

use super::super::cards::{Card, KINDS};
use super::super::state::{Buried, Colony, SEATS, beaten};
use super::super::table::{Cells, only};
use super::hands::{self, Cards};

/// The table, and what lies right beneath the top cards.
#[derive(Clone)]
pub(super) struct Scene {
    pub nodes: Cells,
    pub control: [Cells; SEATS],
    types: [Cells; 2],
    levels: [Cells; 2],
    /// Nodes where the card right beneath the top one is that seat's.
    pub beneath: [Cells; SEATS],
    /// What the hands hold, as far as is known.
    pub hands: [Cards; SEATS],
}

impl Scene {
    /// The table as it lies, with what the viewer knows of the hands.
    pub(super) fn of(game: &Colony, viewer: usize) -> Self {
        let mut beneath = [0; SEATS];
        // A later card of the same cell lies higher.
        for (cell, card) in game.buried.iter() {
            beneath.iter_mut().for_each(|set| *set &= !only(cell));
            beneath[card.owner()] |= only(cell);
        }
        let &Colony { nodes, control, types, levels, .. } = game;
        Self { nodes, control, types, levels, beneath, hands: hands::expected(game, viewer) }
    }

    #[inline]
    pub(super) fn occupied(&self) -> Cells {
        self.control[0] | self.control[1] | self.control[2] | self.control[3]
    }

    /// Who controls a Node, if anybody does.
    #[inline]
    pub(super) fn owner(&self, cell: usize) -> Option<usize> {
        (0..SEATS).find(|&seat| self.control[seat] & only(cell) != 0)
    }

    /// The top card of an occupied Node.
    #[inline]
    pub(super) fn top(&self, cell: usize) -> Card {
        let at = |set: Cells| (set >> cell) as usize & 1;
        let kind = 2 - 2 * at(self.types[0]) - at(self.types[1]);
        Card::new(3 * kind + at(self.levels[0]) + at(self.levels[1]))
    }

    /// The sum of the levels of the cards that control these Nodes.
    #[inline]
    pub(super) fn level_sum(&self, held: Cells) -> u32 {
        held.count_ones() + self.levels.iter().map(|&set| (held & set).count_ones()).sum::<u32>()
    }

    /// How many cards of level 2, and of level 3, control these Nodes.
    #[inline]
    pub(super) fn higher(&self, held: Cells) -> [u32; 2] {
        let [two, three] = self.levels.map(|set| (held & set).count_ones());
        [two - three, three]
    }

    /// These Nodes by the kind of their top cards.
    pub(super) fn by_kind(&self, held: Cells) -> [Cells; KINDS] {
        let [culture, military] = self.types;
        let types = [held & culture, held & military, held & !culture & !military];
        let [two, three] = self.levels;
        let levels = [!two, two & !three, three];
        std::array::from_fn(|kind| types[kind / levels.len()] & levels[kind % levels.len()])
    }

    /// C-01: Nodes whose top card each kind of Colony beats.
    #[inline]
    pub(super) fn beaten(&self) -> [Cells; KINDS] {
        let occupied = self.occupied();
        beaten(occupied, self.types, self.levels)
    }

    /// C-07
    #[inline]
    pub(super) fn explore(&mut self, cell: usize, seat: usize) {
        self.hands[seat][Card::NODE.index()] -= 1.0;
        self.nodes |= only(cell);
    }

    /// C-08: a card out of a hand that is known.
    #[inline]
    pub(super) fn colonise(&mut self, cell: usize, seat: usize, card: Card) {
        self.hands[seat][card.index()] -= 1.0;
        self.put(cell, seat, card);
    }

    /// C-09: puts a seat's card on a Node; what is there is then beneath it.
    #[inline]
    pub(super) fn put(&mut self, cell: usize, seat: usize, card: Card) {
        let at = only(cell);
        for (beneath, control) in self.beneath.iter_mut().zip(self.control) {
            *beneath = *beneath & !at | control & at;
        }
        self.show(cell, seat, card);
    }

    /// C-09: takes the top card off a Node; what is beneath it takes over.
    #[inline]
    pub(super) fn lift(&mut self, cell: usize, buried: &Buried) -> Card {
        let card = self.top(cell);
        let [below, deeper] = buried.upper(cell);
        self.beneath.iter_mut().for_each(|set| *set &= !only(cell));
        if let Some(deeper) = deeper {
            self.beneath[deeper.owner()] |= only(cell);
        }
        match below {
            Some(below) => self.show(cell, below.owner(), below.card()),
            None => self.clear(cell),
        }
        card
    }

    #[inline]
    fn clear(&mut self, cell: usize) {
        let rest = !only(cell);
        self.control.iter_mut().chain(&mut self.types).chain(&mut self.levels).for_each(|set| *set &= rest);
    }

    /// Puts a card in the place of the top one.
    #[inline]
    fn show(&mut self, cell: usize, seat: usize, card: Card) {
        self.clear(cell);
        self.control[seat] |= only(cell);
        if let Some(set) = self.types.get_mut(card.kind()) {
            *set |= only(cell);
        }
        for set in &mut self.levels[..card.level() - 1] {
            *set |= only(cell);
        }
    }
}
