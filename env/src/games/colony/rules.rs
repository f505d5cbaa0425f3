//! The rules: what may be done, what comes of it, when it ends, what it pays.

use super::actions::{FIRST_KIND, SKIP, Step};
use super::cards::{Card, KINDS};
use super::options::Movement;
use super::state::{Colony, NONE, Phase, Reason, SEATS, done, has_colony};
use super::table::{Cells, along_lines, along_paths, beside, beside_one, each, only};
use crate::{Action, Mask};

/// What a player may do.
impl Colony {
    /// C-07: empty cells next to a Node that the seat controls.
    #[inline]
    pub(super) fn frontier(&self, seat: usize) -> Cells {
        beside(self.control[seat]) & self.playable() & !self.nodes
    }

    /// C-08: in its first turn a player colonises any unoccupied Node.
    #[inline]
    pub(super) fn in_first_turn(&self) -> bool {
        self.turn < u16::from(self.players)
    }

    /// C-08: Nodes that the acting player controls and unoccupied ones next to them.
    #[inline]
    pub(super) fn colonisable(&self) -> Cells {
        let own = self.control[self.actor()];
        let near = if self.in_first_turn() { Cells::MAX } else { beside(own) };
        own | self.unoccupied() & near
    }

    /// C-10: Nodes that a seat's Colony passes and may end on.
    #[inline]
    pub(super) fn open_to(&self, seat: usize, card: Card) -> Cells {
        self.unoccupied() | self.control[seat] | self.beaten_by(card)
    }

    /// C-10: where the top card of a Node can go.
    #[inline]
    pub(super) fn reach(&self, seat: usize, cell: usize) -> Cells {
        let open = self.open_to(seat, self.top(cell));
        reached(self.movement, cell, open)
    }

    /// C-10: the acting player's top cards, without the one placed this turn.
    #[inline]
    fn own_tops(&self) -> Cells {
        let placed = if self.placed == NONE { 0 } else { only(self.placed.into()) };
        self.control[self.actor()] & !placed
    }

    /// C-10: whether a card without an open Node of any kind beside it beats a neighbour.
    #[inline]
    fn beats_a_neighbour(&self, cell: usize) -> bool {
        self.beaten_by(self.top(cell)) & beside_one(cell) != 0
    }

    /// C-10: top cards that can move. Whatever a Colony passes it may also end on, so one step decides.
    #[inline]
    pub(super) fn movable(&self) -> Cells {
        let tops = self.own_tops();
        let free = tops & beside(self.unoccupied() | self.control[self.actor()]);
        each(tops & !free)
            .filter(|&cell| self.beats_a_neighbour(cell))
            .fold(free, |set, cell| set | only(cell))
    }

    #[inline]
    pub(super) fn can_explore(&self) -> bool {
        self.hands[self.actor()][Card::NODE.index()] > 0 && self.frontier(self.actor()) != 0
    }

    #[inline]
    pub(super) fn can_colonise(&self) -> bool {
        has_colony(&self.hands[self.actor()]) && self.colonisable() != 0
    }

    #[inline]
    pub(super) fn can_move(&self) -> bool {
        let tops = self.own_tops();
        tops & beside(self.unoccupied() | self.control[self.actor()]) != 0
            || each(tops).any(|cell| self.beats_a_neighbour(cell))
    }

    /// C-11: nothing can be done after the draw.
    pub(super) fn is_trapped(&self) -> bool {
        !self.can_explore() && !self.can_colonise() && !self.can_move()
    }

    /// C-06: a phase may be skipped as long as the turn does something: it has, or a later phase still can.
    #[inline]
    fn can_skip(&self) -> bool {
        self.done != 0
            || match self.phase {
                Phase::Explore => self.can_colonise() || self.can_move(),
                Phase::Colonise => self.can_move(),
                _ => false,
            }
    }

    /// Every legal action.
    #[inline]
    pub(super) fn options(&self, mask: &mut Mask) {
        mask.clear();
        if self.over.is_some() {
            return;
        }
        let cells = match self.phase {
            Phase::Explore => self.frontier(self.actor()),
            Phase::Colonise => 0,
            Phase::ColoniseAt => self.colonisable(),
            Phase::Move => self.movable(),
            Phase::MoveTo => self.reach(self.actor(), self.chosen.into()),
        };
        mask.insert_bits(0, cells as u64);
        mask.insert_bits(64, (cells >> 64) as u64);
        if self.phase == Phase::Colonise {
            let hand = &self.hands[self.actor()];
            let kinds = (0..KINDS).fold(0, |bits, kind| bits | u64::from(hand[kind] > 0) << kind);
            mask.insert_bits(FIRST_KIND, kinds);
        }
        if matches!(self.phase, Phase::Explore | Phase::Colonise | Phase::Move) && self.can_skip() {
            mask.insert(SKIP);
        }
    }
}

/// What comes of it.
impl Colony {
    /// Plays a legal action and everything that follows by itself.
    #[inline]
    pub(super) fn play(&mut self, action: Action) {
        match (self.phase, Step::of(action)) {
            (Phase::Explore, Step::Cell(cell)) => self.explore(cell),
            (Phase::Explore, _) => self.phase = Phase::Colonise,
            (Phase::Colonise, Step::Card(card)) => {
                self.chosen = card.index() as u8;
                self.phase = Phase::ColoniseAt;
                return;
            }
            (Phase::Colonise, _) => self.phase = Phase::Move,
            (Phase::ColoniseAt, Step::Cell(cell)) => self.colonise(cell),
            (Phase::Move, Step::Cell(cell)) => {
                self.chosen = cell as u8;
                self.phase = Phase::MoveTo;
                return;
            }
            (Phase::MoveTo, Step::Cell(cell)) => {
                self.invade(cell);
                return self.end_turn();
            }
            (Phase::Move, _) => return self.end_turn(),
            (Phase::ColoniseAt | Phase::MoveTo, _) => unreachable!("a chosen card goes to a cell"),
        }
        self.pass_over();
    }

    /// C-07
    #[inline]
    fn explore(&mut self, cell: usize) {
        self.hands[self.actor()][Card::NODE.index()] -= 1;
        self.nodes |= only(cell);
        self.done |= done::EXPLORE;
        self.phase = Phase::Colonise;
    }

    /// C-08
    #[inline]
    fn colonise(&mut self, cell: usize) {
        let (seat, card) = (self.actor(), Card::new(self.chosen.into()));
        self.hands[seat][card.index()] -= 1;
        self.put(cell, seat, card);
        self.placed = cell as u8;
        self.chosen = NONE;
        self.done |= done::COLONISE;
        self.phase = Phase::Move;
    }

    /// C-10
    #[inline]
    fn invade(&mut self, cell: usize) {
        let card = self.lift(self.chosen.into());
        self.put(cell, self.actor(), card);
        self.chosen = NONE;
        self.done |= done::MOVE;
    }

    /// C-06: phases in which nothing can be done are passed over; past the last one the turn is over.
    #[inline]
    fn pass_over(&mut self) {
        if self.phase == Phase::Explore && !self.can_explore() {
            self.phase = Phase::Colonise;
        }
        if self.phase == Phase::Colonise && !self.can_colonise() {
            self.phase = Phase::Move;
        }
        if self.phase == Phase::Move && !self.can_move() {
            self.end_turn();
        }
    }

    #[inline]
    fn end_turn(&mut self) {
        self.phase = Phase::Move;
        self.over = self.end_after_turn();
        if self.over.is_none() {
            self.turn += 1;
            self.seat = if self.seat + 1 == self.players { 0 } else { self.seat + 1 };
            self.begin_turn();
        }
    }

    /// C-06: a turn begins with a draw. C-11: who can then do nothing is trapped, and the game is over at once.
    #[inline]
    pub(super) fn begin_turn(&mut self) {
        let card = self.deck.draw();
        self.hands[self.actor()][card.index()] += 1;
        self.done = 0;
        self.placed = NONE;
        if self.is_trapped() {
            self.over = Some(Reason::Trapped);
        } else {
            self.phase = Phase::Explore;
            self.pass_over();
        }
    }

    /// C-11, C-13: why the game is over after this turn, if it is; the first reason that holds.
    #[inline]
    pub(super) fn end_after_turn(&self) -> Option<Reason> {
        let seats = 0..usize::from(self.players);
        if seats.clone().any(|seat| self.dominates(seat)) {
            Some(Reason::Domination)
        } else if seats.clone().any(|seat| self.is_eradicated(seat)) {
            Some(Reason::Eradication)
        } else if self.deck.len() == 0 {
            Some(Reason::Deck)
        } else if self.turn + 1 >= self.turn_limit {
            Some(Reason::TurnLimit)
        } else {
            None
        }
    }

    /// C-11: the seat controls all Nodes.
    #[inline]
    pub(super) fn dominates(&self, seat: usize) -> bool {
        self.control[seat] == self.nodes
    }

    /// C-11: the seat owns a card on the table and controls no Node.
    #[inline]
    pub(super) fn is_eradicated(&self, seat: usize) -> bool {
        self.control[seat] == 0 && self.buried.iter().any(|(_, card)| card.owner() == seat)
    }
}

/// What it pays.
impl Colony {
    /// The sum of the levels of the cards that control a seat's Nodes.
    #[inline]
    pub(super) fn level_sum(&self, seat: usize) -> u32 {
        (1..=3).map(|level| (self.control[seat] & self.of_level(level)).count_ones()).sum()
    }

    /// C-12: most controlled Nodes, then the higher sum of levels, then shared: n players, k winners, each winner
    /// (n/k − 1)/(n − 1), each other −1/(n − 1).
    pub(super) fn pay(&self, out: &mut [f32]) {
        let players = usize::from(self.players);
        let mut scores = [(0, 0); SEATS];
        for (seat, score) in scores[..players].iter_mut().enumerate() {
            *score = (self.control[seat].count_ones(), self.level_sum(seat));
        }
        let best = scores.into_iter().max().expect("there are seats");
        let winners = scores[..players].iter().filter(|&&score| score == best).count();
        let (n, k) = (players as f32, winners as f32);
        for (x, score) in out.iter_mut().zip(scores) {
            *x = if score == best { (n / k - 1.0) / (n - 1.0) } else { -1.0 / (n - 1.0) };
        }
    }
}

/// C-10: the `open` Nodes that a Colony reaches.
#[inline]
pub(super) fn reached(movement: Movement, from: usize, open: Cells) -> Cells {
    match movement {
        Movement::Line => along_lines(from, open),
        Movement::Path => along_paths(from, open),
    }
}
