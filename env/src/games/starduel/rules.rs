//! State and transitions. Spaces are numbered from Kurth's side throughout (`board`).

use super::actions::{self, Program, Step};
use super::board::{ALL, SPACES, Set, TIER_SPACES, own, own_set, spaces, turned, turned_set};
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
    fn gain(&mut self, [population, minerals, energy]: [u8; 3]) {
        self.population = (self.population + population).min(LIMIT);
        self.minerals = (self.minerals + minerals).min(LIMIT);
        self.energy = (self.energy + energy).min(LIMIT);
    }

    fn sum(self) -> u32 {
        u32::from(self.population) + u32::from(self.minerals) + u32::from(self.energy)
    }

    /// D-06
    pub(super) fn meet(self, values: &Values) -> bool {
        self.population >= values.needs[0] && self.minerals >= values.needs[1]
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

    pub(super) fn step(&mut self, step: Step) {
        let seat = self.acting as usize;
        match step {
            Step::Program(rank) => self.program(rank),
            Step::Execute(paid) => self.execute(paid),
            Step::Replace(at) => self.replace(own(seat, at)),
            Step::Exhaust(at) => self.exhaust(own(seat, at)),
            Step::From(at) => self.move_from(own(seat, at)),
            Step::To(at) => self.move_to(own(seat, at)),
            Step::End => self.end_turn(),
        }
    }

    /// D-02
    fn program(&mut self, rank: u8) {
        let seat = usize::from(self.programs[0] != NONE);
        self.programs[seat] = rank;
        if self.programs[1 - seat] != NONE {
            self.begin_turn(self.goes_first());
        }
    }

    /// D-02, D-03: the seat whose turn comes first.
    pub(super) fn goes_first(&self) -> u8 {
        let [kurth, enate] = self.programs;
        if kurth == enate { self.went_second } else { u8::from(enate < kurth) }
    }

    fn begin_turn(&mut self, seat: u8) {
        self.phase = Phase::Act;
        self.acting = seat;
        self.left = EXECUTE | EXHAUST | MOVE;
        self.activated = NONE;
        self.go_on();
    }

    /// D-04: a turn in which only `end` is left ends by itself.
    fn go_on(&mut self) {
        match self.choices() {
            0 => self.end_turn(),
            choices => self.legal = words(choices | 1 << actions::END),
        }
    }

    /// D-04: what the acting player can do besides ending the turn, as bits of action indices.
    pub(super) fn choices(&self) -> u128 {
        let seat = self.acting as usize;
        let mut choices = 0;
        if self.left & EXECUTE != 0 {
            choices |= self.executions(seat);
        }
        if self.left & EXHAUST != 0 {
            choices |= u128::from(own_set(seat, self.exhaustible(seat))) << actions::EXHAUST;
        }
        if self.left & MOVE != 0 {
            choices |= u128::from(own_set(seat, self.movable(seat))) << actions::FROM;
        }
        choices
    }

    /// D-11: every node controlled but the one activated this turn.
    fn exhaustible(&self, seat: usize) -> Set {
        self.owned[seat] & !bit(self.activated)
    }

    /// D-12: nodes with somewhere to go.
    fn movable(&self, seat: usize) -> Set {
        match self.owned[seat] {
            0 => 0,
            nodes => nodes & self.tables.map.spread(self.passable(seat)),
        }
    }

    /// D-12: where the node at `from` can go.
    pub(super) fn destinations(&self, seat: usize, from: usize) -> Set {
        let start = 1 << from;
        self.tables.map.region(start, self.passable(seat)) & !start
    }

    /// What executing the program can be, as bits of action indices.
    fn executions(&self, seat: usize) -> u128 {
        let plain = 1 << actions::EXECUTE;
        match Program::of(self.programs[seat]) {
            Program::Replace => u128::from(own_set(seat, self.replaceable())) << actions::REPLACE,
            Program::Produce if self.players[seat].energy < LIMIT => plain,
            Program::Produce => 0,
            Program::Target(at) => u128::from(self.payments(seat, own(seat, at))) << actions::EXECUTE,
        }
    }

    /// D-09: inactive nodes never move, so the space tells the tier.
    fn replaceable(&self) -> Set {
        let there = |tier: usize| if self.spares[tier][0] == NO_CARD { 0 } else { TIER_SPACES[tier + 1] };
        self.inactive() & self.up & (there(0) | there(1))
    }

    /// D-05 to D-08: the amounts of Population that can be paid to target a space, as bits; only 0 where nothing is
    /// paid but Energy.
    #[inline]
    fn payments(&self, seat: usize, target: usize) -> u32 {
        let there: Set = 1 << target;
        if self.occupied & there == 0 || self.owned[seat] & there != 0 {
            return 0;
        }
        let (player, values) = (self.players[seat], self.values(target));
        let payments = if self.owned[1 - seat] & there != 0 {
            mixes(player, values.defence)
        } else {
            u32::from(self.up & there == 0 || player.meet(values))
        };
        if payments == 0 {
            return 0;
        }
        match self.cost(seat, target) {
            Some(cost) if cost <= u32::from(player.energy) => payments,
            _ => 0,
        }
    }

    fn cost(&self, seat: usize, target: usize) -> Option<u32> {
        self.tables.map.cost(seat, self.passable(seat), 1 << target)
    }

    fn execute(&mut self, paid: u8) {
        let seat = self.acting as usize;
        self.left &= !EXECUTE;
        match Program::of(self.programs[seat]) {
            Program::Produce => self.players[seat].gain([0, 0, 2]),
            Program::Target(at) => self.target(seat, own(seat, at), paid),
            Program::Replace => unreachable!("Replace is executed by naming the node"),
        }
        if self.outcome.is_none() {
            self.go_on();
        }
    }

    /// D-05
    fn target(&mut self, seat: usize, space: usize, paid: u8) {
        let cost = self.cost(seat, space).expect("a legal target can be reached");
        self.players[seat].energy -= cost as u8;
        if self.owned[1 - seat] >> space & 1 == 1 {
            self.attack(seat, space, paid);
        } else {
            // D-07: the node is flipped first, and activated only if its needs are met.
            self.up |= 1 << space;
            if self.players[seat].meet(self.values(space)) {
                self.activate(seat, space);
            }
        }
    }

    /// D-06
    fn activate(&mut self, seat: usize, space: usize) {
        self.owned[seat] |= 1 << space;
        self.players[seat].gain(self.values(space).activation);
        self.up |= self.tables.map.links[space] & self.occupied;
        self.activated = space as u8;
    }

    /// D-08, D-13: the payment comes first, and paying the last Population loses before the node falls.
    fn attack(&mut self, seat: usize, space: usize, paid: u8) {
        let player = &mut self.players[seat];
        player.population -= paid;
        player.minerals -= self.tables.values[self.cards[space] as usize].defence - paid;
        if paid > 0 && player.population == 0 {
            return self.finish(POPULATION, Some(1 - seat));
        }
        self.remove(1 - seat, space);
        if self.owned[1 - seat] == 0 {
            self.finish(INFLUENCE, Some(seat));
        }
    }

    /// D-09
    fn replace(&mut self, space: usize) {
        let tier = usize::from(TIER_SPACES[2] >> space & 1 == 1);
        let [next, last] = self.spares[tier];
        self.cards[space] = next;
        self.spares[tier] = [last, NO_CARD];
        self.left &= !EXECUTE;
        self.go_on();
    }

    /// D-11, D-13: carried out in full even if it loses.
    fn exhaust(&mut self, space: usize) {
        let seat = self.acting as usize;
        self.players[seat].gain(self.values(space).exhaustion);
        self.remove(seat, space);
        self.left &= !EXHAUST;
        match self.owned[seat] {
            0 => self.finish(INFLUENCE, Some(1 - seat)),
            _ => self.go_on(),
        }
    }

    /// The node leaves the game, and its owner loses 1 Influence with it.
    fn remove(&mut self, owner: usize, space: usize) {
        let gone: Set = !(1 << space);
        self.cards[space] = NO_CARD;
        self.occupied &= gone;
        self.up &= gone;
        self.owned[owner] &= gone;
    }

    /// D-12
    fn move_from(&mut self, space: usize) {
        self.phase = Phase::MoveTo;
        self.moving = space as u8;
        self.legal = self.landings();
    }

    /// What is legal while a node is on the move.
    pub(super) fn landings(&self) -> [u64; 2] {
        let seat = self.acting as usize;
        let to = self.destinations(seat, self.moving as usize);
        words(u128::from(own_set(seat, to)) << actions::TO)
    }

    /// D-12: onto an open space, or in exchange with an own node. Nothing is flipped.
    fn move_to(&mut self, to: usize) {
        let from = self.moving as usize;
        self.cards.swap(from, to);
        for set in [&mut self.occupied, &mut self.up, &mut self.owned[self.acting as usize]] {
            let differ = (*set >> from ^ *set >> to) & 1;
            *set ^= differ << from | differ << to;
        }
        self.activated = match self.activated as usize {
            at if at == from => to as u8,
            at if at == to => from as u8,
            _ => self.activated,
        };
        self.moving = NONE;
        self.left &= !MOVE;
        self.phase = Phase::Act;
        self.go_on();
    }

    fn end_turn(&mut self) {
        match self.goes_first() {
            first if first == self.acting => self.begin_turn(1 - first),
            _ => self.end_round(),
        }
    }

    fn end_round(&mut self) {
        self.went_second = self.acting;
        self.phase = Phase::Program;
        self.programs = [NONE; 2];
        (self.acting, self.left, self.activated) = (NONE, 0, NONE);
        if let Some(winner) = self.dominating() {
            self.finish(ALL_NODES, Some(winner));
        } else if self.round == self.round_limit {
            self.finish(ROUND_LIMIT, self.ahead());
        } else {
            self.round += 1;
            self.legal = PROGRAMMING;
        }
    }

    /// D-15: who controls every node on the map.
    pub(super) fn dominating(&self) -> Option<usize> {
        (0..2).find(|&seat| self.occupied != 0 && self.owned[seat] == self.occupied)
    }

    /// D-16
    pub(super) fn ahead(&self) -> Option<usize> {
        let [kurth, enate] = [0, 1].map(|seat| (self.influence(seat), self.players[seat].sum()));
        (kurth != enate).then(|| usize::from(enate > kurth))
    }

    fn finish(&mut self, end: u8, winner: Option<usize>) {
        self.legal = [0; 2];
        self.outcome = Some(Outcome { end, winner });
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

/// D-08: the amounts of Population with which a defence can be paid, the rest in Minerals, as bits.
fn mixes(player: Resources, defence: u8) -> u32 {
    let least = defence.saturating_sub(player.minerals);
    let most = defence.min(player.population);
    if least > most { 0 } else { (2 << most) - (1 << least) }
}

/// The set of one space; none for [`NONE`].
fn bit(space: u8) -> Set {
    if space == NONE { 0 } else { 1 << space }
}

pub(super) fn words(bits: u128) -> [u64; 2] {
    [bits as u64, (bits >> 64) as u64]
}
