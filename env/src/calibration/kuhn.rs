//! Kuhn poker: three cards, one bet, solved on paper in 1950.

use serde::{Deserialize, Serialize};

use super::poker::{card_named, draw_card, letters, moves_line, play_letters, seat_lines, settle};
use super::{EnumeratedDeals, NoOptions};
use crate::{
    Action, ActionGroup, BadPosition, End, Game, Information, Layout, Mask, Paint, Rng, Seat, Spec, Symmetry,
    Text,
};

/// The cards from the lowest to the highest.
const CARDS: [&str; 3] = ["J", "Q", "K"];

const PASS: Action = Action(0);
const BET: Action = Action(1);
const MOVES: [&str; 2] = ["pass", "bet"];

const FOLD: End = End(0);
const SHOWDOWN: End = End(1);

/// The most plies: pass, bet, and the answer.
const PLIES: usize = 3;

/// Both pay an ante of 1 and get one of three cards. Seat 0 begins. A bet is 1 chip; the other answers it with a bet
/// too (and the higher card wins 2) or passes (and loses 1). Without a bet the higher card wins 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Kuhn {
    /// The card of each seat, an index into [`CARDS`].
    cards: [u8; 2],
    plies: u8,
    /// Bit `i`: the ply with number `i` was a bet.
    bets: u8,
}

impl Kuhn {
    fn new(cards: [u8; 2]) -> Self {
        Self { cards, plies: 0, bets: 0 }
    }

    /// Chips of each seat in the pot.
    fn paid(&self) -> [u8; 2] {
        // Seat 0 acts in the plies 0 and 2, seat 1 in ply 1.
        [1 + u8::from(self.bets & 0b101 != 0), 1 + u8::from(self.bets & 0b010 != 0)]
    }

    /// The seat that has lost, if the game is over.
    fn loser(&self) -> Option<usize> {
        match self.end()? {
            // Whoever folds has not matched the bet.
            FOLD => Some(usize::from(self.paid()[1] < self.paid()[0])),
            _ => Some(usize::from(self.cards[1] < self.cards[0])),
        }
    }

    fn moves(&self) -> impl Iterator<Item = &'static str> {
        let bets = self.bets;
        (0..self.plies).map(move |ply| MOVES[usize::from(bets >> ply & 1)])
    }
}

impl Game for Kuhn {
    type Rules = NoOptions;

    fn spec(_rules: &Self::Rules) -> Spec {
        let observation = Layout::default()
            .field("card", CARDS.len(), "1 at the viewer's card: J, Q, K")
            .field("first", 1, "1 for the seat that begins")
            .field("history", PLIES * MOVES.len(), "for each ply: 1 if it was a pass, 1 if it was a bet");
        let symmetries = vec![Symmetry::identity(observation.len(), MOVES.len(), 2)];
        Spec {
            id: "kuhn",
            version: 1,
            title: "Kuhn poker",
            seats: 2,
            information: Information::Hidden,
            action_groups: vec![
                ActionGroup::new("check, or give up against a bet", [MOVES[0]]),
                ActionGroup::new("bet a chip, or match the other's", [MOVES[1]]),
            ],
            insights: observation.clone(),
            observation,
            grid: None,
            longest_game: PLIES,
            ends: vec!["fold", "showdown"],
            symmetries,
        }
    }

    fn deal(_rules: &Self::Rules, rng: &mut Rng) -> Self {
        let mut used = 0;
        Self::new([(); 2].map(|()| draw_card(CARDS.len(), &mut used, rng)))
    }

    fn to_move(&self) -> Option<Seat> {
        self.end().is_none().then_some(Seat(self.plies % 2))
    }

    fn legal(&self, mask: &mut Mask) {
        mask.clear();
        if self.end().is_none() {
            mask.insert(PASS);
            mask.insert(BET);
        }
    }

    fn apply(&mut self, action: Action) {
        self.bets |= u8::from(action == BET) << self.plies;
        self.plies += 1;
    }

    fn returns(&self, out: &mut [f32]) {
        settle(self.loser(), self.paid(), out);
    }

    fn end(&self) -> Option<End> {
        match (self.plies, self.bets) {
            (2, 0b00) | (2, 0b11) | (3, 0b110) => Some(SHOWDOWN),
            (2, 0b01) | (3, 0b010) => Some(FOLD),
            _ => None,
        }
    }

    fn observe(&self, seat: Seat, out: &mut [f32]) {
        out.fill(0.0);
        let (card, rest) = out.split_at_mut(CARDS.len());
        card[usize::from(self.cards[seat.index()])] = 1.0;
        let (first, history) = rest.split_at_mut(1);
        first[0] = f32::from(seat.0 == 0);
        for (ply, passed_bet) in history.chunks_exact_mut(MOVES.len()).take(self.plies.into()).enumerate() {
            passed_bet[usize::from(self.bets >> ply & 1)] = 1.0;
        }
    }

    /// The other's card is one of the two that the seat does not hold; a showdown has shown it.
    fn redeal_hidden(&mut self, seat: Seat, rng: &mut Rng) {
        if self.end() != Some(SHOWDOWN) {
            let mut used = 1 << self.cards[seat.index()];
            self.cards[1 - seat.index()] = draw_card(CARDS.len(), &mut used, rng);
        }
    }

    fn transform(&self, symmetry: usize) -> Self {
        assert_eq!(symmetry, 0, "there is no other symmetry");
        self.clone()
    }
}

impl EnumeratedDeals for Kuhn {
    fn deals(_rules: &Self::Rules) -> Vec<(f64, Self)> {
        let n = CARDS.len() as u8;
        let pairs = (0..n).flat_map(|a| (0..n).map(move |b| [a, b]));
        pairs.filter(|[a, b]| a != b).map(|cards| (1.0 / 6.0, Self::new(cards))).collect()
    }
}

/// STATE of the record format: `{"cards": ["J", "K"], "history": "pb", "to_move": 0|1|null}`; the history holds the
/// first letter of every move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KuhnPosition {
    cards: [String; 2],
    history: String,
    #[serde(deserialize_with = "Option::deserialize")]
    to_move: Option<u8>,
}

impl Text for Kuhn {
    type Position = KuhnPosition;

    fn position(&self) -> Self::Position {
        KuhnPosition {
            cards: self.cards.map(|card| CARDS[usize::from(card)].to_owned()),
            history: letters(self.moves()),
            to_move: self.to_move().map(|seat| seat.0),
        }
    }

    fn from_position(_rules: &Self::Rules, position: &Self::Position) -> Result<Self, BadPosition> {
        let card = |name| card_named(&CARDS, "cards", name);
        let cards = [card(&position.cards[0])?, card(&position.cards[1])?];
        if cards[0] == cards[1] {
            return Err(BadPosition::new("cards", "a card is dealt twice"));
        }
        play_letters(Self::new(cards), &position.history, position.to_move)
    }

    fn write_move(&self, action: Action, out: &mut String) {
        out.push_str(MOVES[action.index()]);
    }

    fn draw(&self, seat: Option<Seat>, paint: Paint) -> String {
        let seen = |i: usize| seat.is_none_or(|seat| seat.index() == i) || self.end() == Some(SHOWDOWN);
        let cards = [0, 1].map(|i| if seen(i) { CARDS[usize::from(self.cards[i])] } else { "?" });
        seat_lines(self, cards, self.paid(), paint) + &moves_line("moves", self.moves())
    }
}
