//! The state: what it holds, how it is dealt, what of it is hidden, how it is turned round. Spaces are numbered from
//! Kurth's side throughout (`board`).

use super::actions;
use super::board::{ALL, SPACES, Set, TIER_SPACES, spaces, turned, turned_set};
use super::data::{LIMIT, NO_CARD, TIER_2, TIER_3, Tables, Values};
use super::options::StarDuelRules;
use crate::Rng;

/// In place of a seat, a space or a program where there is none.
pub(super) const NONE: u8 = u8::MAX;

/// What a player can still do in a turn (D-04), as bits of `left`.
pub(super) const EXECUTE: u8 = 1;
pub(super) const EXHAUST: u8 = 2;
pub(super) const MOVE: u8 = 4;

/// The ends, as indices of the spec's list.
pub(super) const ENDS: [&str; 4] = ["influence", "population", "all nodes", "round limit"];
pub(super) const INFLUENCE: u8 = 0;
pub(super) const POPULATION: u8 = 1;
pub(super) const ALL_NODES: u8 = 2;
pub(super) const ROUND_LIMIT: u8 = 3;

/// How far a round has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Program,
    Act,
    MoveTo,
}

/// What a player has besides Influence, which is the number of its nodes (D-14).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Resources {
    pub(super) population: u8,
    pub(super) minerals: u8,
    pub(super) energy: u8,
}

impl Resources {
    /// D-14: no gain goes past the limit.
    pub(super) fn gain(&mut self, [population, minerals, energy]: [u8; 3]) {
        self.population = (self.population + population).min(LIMIT);
        self.minerals = (self.minerals + minerals).min(LIMIT);
        self.energy = (self.energy + energy).min(LIMIT);
    }

    pub(super) fn sum(self) -> u32 {
        u32::from(self.population) + u32::from(self.minerals) + u32::from(self.energy)
    }

    /// D-06
    pub(super) fn meet(self, values: &Values) -> bool {
        self.population >= values.needs[0] && self.minerals >= values.needs[1]
    }

    /// D-08
    pub(super) fn can_pay(self, defence: u8) -> bool {
        self.population + self.minerals >= defence
    }
}

/// Why a game is over, and for whom: no winner is a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) end: u8,
    pub(super) winner: Option<usize>,
}

/// A game of Star Duel. Seat 0 is Kurth, seat 1 is Enate.
#[derive(Clone, Debug, PartialEq)]
pub struct StarDuel {
    pub(super) tables: &'static Tables,
    /// What is legal, as bits in the order of the action indices. Kept, because every step must know whether
    /// anything but `end` is left.
    pub(super) legal: [u64; 2],
    /// The card on each space.
    pub(super) cards: [u8; SPACES],
    pub(super) occupied: Set,
    pub(super) up: Set,
    /// The nodes that each seat controls.
    pub(super) owned: [Set; 2],
    /// The spares of Tier 2 and Tier 3, the next one first.
    pub(super) spares: [[u8; 2]; 2],
    pub(super) players: [Resources; 2],
    pub(super) round: u32,
    pub(super) round_limit: u32,
    pub(super) went_second: u8,
    /// Ranks among the twenty numbers.
    pub(super) programs: [u8; 2],
    pub(super) acting: u8,
    pub(super) left: u8,
    pub(super) activated: u8,
    pub(super) moving: u8,
    pub(super) phase: Phase,
    pub(super) outcome: Option<Outcome>,
}

impl StarDuel {
    /// D-01
    pub(super) fn set_up(rules: &StarDuelRules, rng: &mut Rng) -> Self {
        let tables = rules.tables;
        let (mut tier_1, mut tier_2, mut tier_3) = (tables.tier_1, tables.tier_2, tables.tier_3);
        tier_1.iter_mut().for_each(|side| rng.shuffle(side));
        rng.shuffle(&mut tier_2);
        rng.shuffle(&mut tier_3);
        let mut game = Self::empty(rules);
        let tiers: [&[u8]; 3] = [tier_1.as_flattened(), &tier_2, &tier_3];
        for (set, cards) in TIER_SPACES.into_iter().zip(tiers) {
            spaces(set).zip(cards).for_each(|(space, &card)| game.cards[space] = card);
        }
        (game.occupied, game.up) = (ALL, TIER_SPACES[0]);
        game.spares = [[tier_2[TIER_2 - 2], tier_2[TIER_2 - 1]], [tier_3[TIER_3 - 2], tier_3[TIER_3 - 1]]];
        game.legal = PROGRAMMING;
        game
    }

    /// The first round on a map without cards.
    pub(super) fn empty(rules: &StarDuelRules) -> Self {
        Self {
            tables: rules.tables,
            legal: [0; 2],
            cards: [NO_CARD; SPACES],
            occupied: 0,
            up: 0,
            owned: [0; 2],
            spares: [[NO_CARD; 2]; 2],
            players: [Resources { energy: 3, ..Resources::default() }; 2],
            round: 1,
            round_limit: rules.round_limit,
            went_second: 0,
            programs: [NONE; 2],
            acting: NONE,
            left: 0,
            activated: NONE,
            moving: NONE,
            phase: Phase::Program,
            outcome: None,
        }
    }

    /// D-02: seat 0 programs first. The image of a state under half a turn may have it the other way round.
    pub(super) fn seat_to_act(&self) -> Option<usize> {
        match (self.outcome, self.phase) {
            (Some(_), _) => None,
            (None, Phase::Program) => Some(usize::from(self.programs[0] != NONE)),
            _ => Some(self.acting as usize),
        }
    }

    /// D-14: Influence is the number of nodes controlled.
    pub(super) fn influence(&self, seat: usize) -> u32 {
        self.owned[seat].count_ones()
    }

    /// D-05, D-12: what a seat's ways may lead through: open spaces and own nodes.
    #[inline]
    pub(super) fn passable(&self, seat: usize) -> Set {
        ALL & !self.occupied | self.owned[seat]
    }

    /// Nodes that nobody controls.
    pub(super) fn inactive(&self) -> Set {
        self.occupied & !(self.owned[0] | self.owned[1])
    }

    #[inline]
    pub(super) fn values(&self, space: usize) -> &'static Values {
        &self.tables.values[self.cards[space] as usize]
    }

    /// Shuffles what nobody sees: the face-down nodes and the spares of a tier. A viewer who does not see the
    /// other's number is given any of the twenty.
    pub(super) fn redeal(&mut self, viewer: usize, rng: &mut Rng) {
        for tier in 0..2 {
            let hidden = self.occupied & !self.up & TIER_SPACES[tier + 1];
            let mut pool = [NO_CARD; TIER_2];
            let mut count = 0;
            for card in spaces(hidden).map(|space| self.cards[space]).chain(self.spares[tier]) {
                if card != NO_CARD {
                    pool[count] = card;
                    count += 1;
                }
            }
            rng.shuffle(&mut pool[..count]);
            let mut next = pool.into_iter();
            spaces(hidden).zip(&mut next).for_each(|(space, card)| self.cards[space] = card);
            self.spares[tier].iter_mut().zip(&mut next).for_each(|(spare, card)| *spare = card);
        }
        let other = &mut self.programs[1 - viewer];
        if self.phase == Phase::Program && *other != NONE {
            *other = rng.below(actions::PROGRAMS as u32) as u8;
        }
    }

    /// Half a turn of the map, with the seats exchanged.
    pub(super) fn half_turn(&self) -> Self {
        let seat = |seat: u8| if seat == NONE { NONE } else { 1 - seat };
        let space = |space: u8| if space == NONE { NONE } else { turned(space as usize) as u8 };
        let mut cards = self.cards;
        cards.reverse();
        let [kurth, enate] = self.owned;
        Self {
            cards,
            occupied: turned_set(self.occupied),
            up: turned_set(self.up),
            owned: [turned_set(enate), turned_set(kurth)],
            players: [self.players[1], self.players[0]],
            programs: [self.programs[1], self.programs[0]],
            went_second: seat(self.went_second),
            acting: seat(self.acting),
            activated: space(self.activated),
            moving: space(self.moving),
            outcome: self.outcome.map(|o| Outcome { winner: o.winner.map(|winner| 1 - winner), ..o }),
            ..self.clone()
        }
    }
}

/// What is legal while programming: every number.
pub(super) const PROGRAMMING: [u64; 2] = [(1 << actions::PROGRAMS) - 1, 0];
