//! The transitions, one function a rule. Spaces are numbered from Kurth's side throughout (`board`).

use super::actions::{self, Program, Step};
use super::board::{Set, TIER_SPACES, own, own_set};
use super::data::{LIMIT, NO_CARD};
use super::state::{
    ALL_NODES, EXECUTE, EXHAUST, INFLUENCE, MOVE, NONE, Outcome, POPULATION, PROGRAMMING, Phase, ROUND_LIMIT,
    Resources, StarDuel,
};

impl StarDuel {
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
}

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
