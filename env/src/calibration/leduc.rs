//! Leduc poker: six cards, two rounds of bets, a public card between them; the smallest poker with a story.

use serde::{Deserialize, Serialize};

use super::poker::{card_named, draw_card, letters, moves_line, play_letters, seat_lines, settle};
use super::{EnumeratedDeals, NoOptions};
use crate::{
    Action, ActionGroup, BadPosition, End, Game, Information, Ink, Layout, Mask, Paint, Rng, Seat, Spec,
    Symmetry, Text,
};

/// The cards: three ranks from the lowest to the highest, two suits of each.
const CARDS: [&str; 6] = ["Js", "Jh", "Qs", "Qh", "Ks", "Kh"];

const FOLD: Action = Action(0);
const CALL: Action = Action(1);
const RAISE: Action = Action(2);
const MOVES: [&str; 3] = ["fold", "call", "raise"];

const FOLDED: End = End(0);
const SHOWDOWN: End = End(1);

const ROUNDS: usize = 2;
/// Chips by which a raise goes beyond the other's stake, in each round.
const RAISES: [u8; ROUNDS] = [2, 4];
/// The most raises of a round.
const MOST_RAISES: u32 = 2;
/// The most plies of a round: call, raise, raise, call.
const PLIES: usize = 4;
/// The most chips that a seat can stake.
const MOST_PAID: u8 = 1 + MOST_RAISES as u8 * (RAISES[0] + RAISES[1]);

/// Both pay an ante of 1 and get one of six cards. A round of bets, a public card, another round; seat 0 begins both.
/// At the showdown a pair with the public card wins, then the higher rank; equal ranks share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Leduc {
    /// The card of each seat, an index into [`CARDS`].
    cards: [u8; 2],
    /// Dealt with the others, shown in the second round.
    public: u8,
    round: u8,
    /// The plies of each round; a fold is not counted.
    plies: [u8; ROUNDS],
    /// Bit `i` of each round: its ply with number `i` was a raise.
    raises: [u8; ROUNDS],
    /// Chips of each seat in the pot.
    paid: [u8; 2],
    end: Option<End>,
}

/// The rank of a card.
fn rank(card: u8) -> u8 {
    card / 2
}

/// The card of the same rank and the other suit.
fn twin(card: u8) -> u8 {
    card ^ 1
}

impl Leduc {
    fn new([first, second, public]: [u8; 3]) -> Self {
        Self {
            cards: [first, second],
            public,
            round: 0,
            plies: [0; ROUNDS],
            raises: [0; ROUNDS],
            paid: [1; 2],
            end: None,
        }
    }

    /// Whether the public card lies open.
    fn public_shown(&self) -> bool {
        self.round == 1
    }

    /// The worth of a seat's hand at the showdown: pairs above all others, then by rank.
    fn worth(&self, seat: usize) -> (bool, u8) {
        let own = rank(self.cards[seat]);
        (own == rank(self.public), own)
    }

    /// The seat that has lost, if the game is over and one has.
    fn loser(&self) -> Option<usize> {
        match self.end? {
            // Whoever folds faces a raise.
            FOLDED => Some(usize::from(self.paid[1] < self.paid[0])),
            _ => (0..2).find(|&seat| self.worth(seat) < self.worth(1 - seat)),
        }
    }

    /// The moves of a round.
    fn moves(&self, round: usize) -> impl Iterator<Item = &'static str> {
        let folded = self.end == Some(FOLDED) && round == usize::from(self.round);
        let raises = self.raises[round];
        let counted = (0..self.plies[round]).map(move |ply| MOVES[1 + usize::from(raises >> ply & 1)]);
        counted.chain(folded.then_some(MOVES[0]))
    }
}

impl Game for Leduc {
    type Rules = NoOptions;

    fn spec(_rules: &Self::Rules) -> Spec {
        let observation = Layout::default()
            .field("card", CARDS.len(), "1 at the viewer's card: Js, Jh, Qs, Qh, Ks, Kh")
            .field("public", CARDS.len(), "1 at the public card; zeros in the first round")
            .field("pair", 1, "1 if these two have the same rank")
            .field("first", 1, "1 for the seat that begins")
            .field("paid", 2, "chips in the pot / 13: the viewer's, the opponent's")
            .field("history", ROUNDS * PLIES * 2, "round by round, for each ply: 1 if a call, 1 if a raise");
        let identity = Symmetry::identity(observation.len(), MOVES.len(), 2);
        let twins = || (0..CARDS.len() as u8).map(|card| twin(card).into()).collect();
        let is_card = |name: &str| matches!(name, "card" | "public");
        let exchange = Symmetry {
            name: "suits exchanged".to_owned(),
            observation: Symmetry::of_layout(&observation, |field| is_card(&field.name).then(twins)),
            ..identity.clone()
        };
        Spec {
            id: "leduc",
            version: 1,
            title: "Leduc poker",
            seats: 2,
            information: Information::Hidden,
            action_groups: vec![
                ActionGroup::new("give up against a raise", [MOVES[0]]),
                ActionGroup::new("match the other's stake, or check where it is matched", [MOVES[1]]),
                ActionGroup::new("match it and add 2 chips, in the second round 4", [MOVES[2]]),
            ],
            insights: observation.clone(),
            observation,
            grid: None,
            longest_game: ROUNDS * PLIES,
            ends: vec!["fold", "showdown"],
            symmetries: vec![identity, exchange],
        }
    }

    fn deal(_rules: &Self::Rules, rng: &mut Rng) -> Self {
        let mut used = 0;
        Self::new([(); 3].map(|()| draw_card(CARDS.len(), &mut used, rng)))
    }

    fn to_move(&self) -> Option<Seat> {
        self.end.is_none().then(|| Seat(self.plies[usize::from(self.round)] % 2))
    }

    fn legal(&self, mask: &mut Mask) {
        mask.clear();
        if self.end.is_none() {
            mask.insert(CALL);
            if self.paid[0] != self.paid[1] {
                mask.insert(FOLD);
            }
            if self.raises[usize::from(self.round)].count_ones() < MOST_RAISES {
                mask.insert(RAISE);
            }
        }
    }

    fn apply(&mut self, action: Action) {
        if action == FOLD {
            self.end = Some(FOLDED);
            return;
        }
        let round = usize::from(self.round);
        let opens = self.plies[round] == 0;
        let seat = usize::from(self.plies[round] % 2);
        self.paid[seat] = self.paid[1 - seat];
        if action == RAISE {
            self.paid[seat] += RAISES[round];
            self.raises[round] |= 1 << self.plies[round];
        }
        self.plies[round] += 1;
        // A call ends the round unless it opens it; the second round ends the game.
        if action == CALL && !opens {
            (self.round, self.end) = (1, (round == 1).then_some(SHOWDOWN));
        }
    }

    fn returns(&self, out: &mut [f32]) {
        settle(self.loser(), self.paid, out);
    }

    fn end(&self) -> Option<End> {
        self.end
    }

    fn observe(&self, seat: Seat, out: &mut [f32]) {
        out.fill(0.0);
        let (card, rest) = out.split_at_mut(CARDS.len());
        let (public, rest) = rest.split_at_mut(CARDS.len());
        let (facts, history) = rest.split_at_mut(4);
        let own = seat.index();
        card[usize::from(self.cards[own])] = 1.0;
        if self.public_shown() {
            public[usize::from(self.public)] = 1.0;
            facts[0] = f32::from(rank(self.cards[own]) == rank(self.public));
        }
        facts[1] = f32::from(own == 0);
        facts[2] = f32::from(self.paid[own]) / f32::from(MOST_PAID);
        facts[3] = f32::from(self.paid[1 - own]) / f32::from(MOST_PAID);
        for (round, history) in history.chunks_exact_mut(PLIES * 2).enumerate() {
            for ply in 0..usize::from(self.plies[round]) {
                history[ply * 2 + usize::from(self.raises[round] >> ply & 1)] = 1.0;
            }
        }
    }

    /// The other's card, and the public one while it is hidden, are any that the seat does not see; a showdown has
    /// shown them.
    fn redeal_hidden(&mut self, seat: Seat, rng: &mut Rng) {
        if self.end == Some(SHOWDOWN) {
            return;
        }
        let mut used = 1 << self.cards[seat.index()] | u8::from(self.public_shown()) << self.public;
        self.cards[1 - seat.index()] = draw_card(CARDS.len(), &mut used, rng);
        if !self.public_shown() {
            self.public = draw_card(CARDS.len(), &mut used, rng);
        }
    }

    fn transform(&self, symmetry: usize) -> Self {
        match symmetry {
            0 => self.clone(),
            1 => Self { cards: self.cards.map(twin), public: twin(self.public), ..self.clone() },
            _ => panic!("there is no symmetry {symmetry}"),
        }
    }
}

impl EnumeratedDeals for Leduc {
    fn deals(_rules: &Self::Rules) -> Vec<(f64, Self)> {
        let n = CARDS.len() as u8;
        let triples = (0..n).flat_map(|a| (0..n).flat_map(move |b| (0..n).map(move |c| [a, b, c])));
        let dealt = triples.filter(|[a, b, c]| a != b && b != c && c != a);
        dealt.map(|cards| (1.0 / 120.0, Self::new(cards))).collect()
    }
}

/// STATE of the record format: `{"cards": ["Js", "Kh"], "public": "Ks", "history": ["cc", "r"], "to_move": 0|1|null}`;
/// the history holds the first letter of every move, round by round. The public card is in it from the deal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeducPosition {
    cards: [String; 2],
    public: String,
    history: [String; ROUNDS],
    #[serde(deserialize_with = "Option::deserialize")]
    to_move: Option<u8>,
}

impl Text for Leduc {
    type Position = LeducPosition;

    fn position(&self) -> Self::Position {
        let name = |card: u8| CARDS[usize::from(card)].to_owned();
        LeducPosition {
            cards: self.cards.map(name),
            public: name(self.public),
            history: [0, 1].map(|round| letters(self.moves(round))),
            to_move: self.to_move().map(|seat| seat.0),
        }
    }

    fn from_position(_rules: &Self::Rules, position: &Self::Position) -> Result<Self, BadPosition> {
        let card = |key, name| card_named(&CARDS, key, name);
        let [first, second] = [card("cards", &position.cards[0])?, card("cards", &position.cards[1])?];
        let public = card("public", &position.public)?;
        if first == second || second == public || public == first {
            return Err(BadPosition::new("cards", "a card is dealt twice"));
        }
        let dealt = Self::new([first, second, public]);
        let game = play_letters(dealt, &position.history.concat(), position.to_move)?;
        match game.position().history {
            told if told == position.history => Ok(game),
            told => Err(BadPosition::new("history", format!("the rounds are {told:?}"))),
        }
    }

    fn write_move(&self, action: Action, out: &mut String) {
        out.push_str(MOVES[action.index()]);
    }

    fn draw(&self, seat: Option<Seat>, paint: Paint) -> String {
        let name = |card: u8, shown| if shown { CARDS[usize::from(card)] } else { "??" };
        let seen = |i: usize| seat.is_none_or(|seat| seat.index() == i) || self.end == Some(SHOWDOWN);
        let cards = [0, 1].map(|i| name(self.cards[i], seen(i)));
        let public = name(self.public, seat.is_none() || self.public_shown());
        let rounds = (0..=usize::from(self.round))
            .map(|round| moves_line(["first round", "second round"][round], self.moves(round)));
        format!("public: {}\n", paint.ink(Ink::Bold, public))
            + &seat_lines(self, cards, self.paid, paint)
            + &rounds.collect::<String>()
    }
}
