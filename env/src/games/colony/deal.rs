//! The deal, and the deal again of what a seat cannot see.

use super::cards::{CARD_KINDS, CARDS, COUNTS, Card};
use super::options::ColonyRules;
use super::state::{Buried, Colony, Deck, NONE, Phase, SEATS, has_colony};
use crate::Rng;

/// C-05: cards dealt to each player.
pub(super) const HAND: usize = 5;

impl Colony {
    /// An empty table, with the layout's Nodes on it and no card dealt.
    pub(super) fn bare(rules: &ColonyRules) -> Self {
        Self {
            nodes: rules.layout.cells(),
            control: [0; SEATS],
            types: [0; 2],
            levels: [0; 2],
            buried: Buried::EMPTY,
            hands: [[0; CARD_KINDS]; SEATS],
            deck: Deck::EMPTY,
            turn: 0,
            turn_limit: rules.turn_limit.min(u16::MAX.into()) as u16,
            players: rules.players,
            half: rules.table / 2,
            movement: rules.movement,
            seat: 0,
            phase: Phase::Explore,
            done: 0,
            placed: NONE,
            chosen: NONE,
            over: None,
        }
    }

    /// C-02: the Nodes that the layout does not need go back into the deck. C-05: shuffle, deal five to each; all
    /// over again when a hand has no Colony. Then seat 0, who is the first player (C-04), draws.
    pub(super) fn dealt(rules: &ColonyRules, rng: &mut Rng) -> Self {
        let mut game = Self::bare(rules);
        let mut counts = COUNTS;
        counts[Card::NODE.index()] -= game.nodes.count_ones() as u8;
        let mut cards = Pile::of(&counts);
        let players = usize::from(rules.players);
        loop {
            rng.shuffle(cards.all());
            game.hands = [[0; CARD_KINDS]; SEATS];
            for hand in &mut game.hands[..players] {
                cards.deal_again(HAND, hand);
            }
            if game.hands[..players].iter().all(has_colony) {
                break;
            }
            cards.collect();
        }
        cards.rest_to(&mut game.deck);
        game.begin_turn();
        game
    }

    /// Shuffles the deck and the other hands together and deals them out again in the same sizes. When another
    /// player is in the middle of a turn, that player's new hand still holds what the phase needs (the chosen
    /// Colony, a Colony, a Node), so that the game can go on; among such worlds all deals are equally likely.
    pub(super) fn redealt(&mut self, seat: usize, rng: &mut Rng) {
        let players = usize::from(self.players);
        let others = || (0..players).filter(|&other| other != seat);
        let mut unseen = [0; CARD_KINDS];
        for other in others() {
            unseen.iter_mut().zip(self.hands[other]).for_each(|(sum, count)| *sum += count);
        }
        self.deck.iter().for_each(|card| unseen[card.index()] += 1);
        let mut cards = Pile::of(&unseen);
        loop {
            rng.shuffle(cards.all());
            for other in others() {
                let size = self.hands[other].iter().sum::<u8>().into();
                self.hands[other] = [0; CARD_KINDS];
                cards.deal_again(size, &mut self.hands[other]);
            }
            if self.actor() == seat || self.over.is_some() || self.hand_fits_the_phase() {
                break;
            }
            cards.collect();
        }
        self.deck = Deck::EMPTY;
        cards.rest_to(&mut self.deck);
    }

    /// Whether the acting player holds what the phase needs.
    pub(super) fn hand_fits_the_phase(&self) -> bool {
        let hand = &self.hands[self.actor()];
        match self.phase {
            Phase::Explore => hand[Card::NODE.index()] > 0,
            Phase::Colonise => has_colony(hand),
            Phase::ColoniseAt => hand[usize::from(self.chosen)] > 0,
            Phase::Move | Phase::MoveTo => true,
        }
    }
}

/// Cards in a row, dealt from the front.
struct Pile {
    cards: [u8; CARDS],
    size: usize,
    dealt: usize,
}

impl Pile {
    fn of(counts: &[u8; CARD_KINDS]) -> Self {
        let mut pile = Self { cards: [0; CARDS], size: 0, dealt: 0 };
        for (kind, &count) in counts.iter().enumerate() {
            pile.cards[pile.size..pile.size + usize::from(count)].fill(kind as u8);
            pile.size += usize::from(count);
        }
        pile
    }

    fn all(&mut self) -> &mut [u8] {
        &mut self.cards[..self.size]
    }

    fn collect(&mut self) {
        self.dealt = 0;
    }

    fn deal_again(&mut self, size: usize, hand: &mut [u8; CARD_KINDS]) {
        for &kind in &self.cards[self.dealt..self.dealt + size] {
            hand[usize::from(kind)] += 1;
        }
        self.dealt += size;
    }

    fn rest_to(&self, deck: &mut Deck) {
        self.cards[self.dealt..self.size].iter().for_each(|&kind| deck.push(Card::new(kind.into())));
    }
}
