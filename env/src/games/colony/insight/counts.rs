//! What can be counted of every seat at the end of a turn, as far as the viewer knows. How likely each seat is to win follows from
//! it ([`Chances`]).
//!
//! Everything is summed seat by seat or kind by kind, never cell by cell, so that turned tables have the same counts to the last
//! bit.

use super::super::cards::{Card, KINDS};
use super::super::rules::reached;
use super::super::state::SEATS;
use super::super::table::{Cells, beside, cross, each, only};
use super::chance::Chances;
use super::hands::Cards;
use super::scene::Scene;

/// Numbers of a seat.
pub const COUNTS: usize = 60;
/// The last of them: what the table is worth to the viewer, by [`Scales`](super::weigh::Scales); 0 of others.
const WORTH: usize = COUNTS - 1;

/// The numbers of all seats; those of seats that nobody has are 0.
pub type Counts = [[f32; COUNTS]; SEATS];

/// Shares of the unseen cards below this are nothing to fear.
const NOTHING_TO_FEAR: f32 = 0.02;
/// Differences of gains below this are none.
const ALIKE: f32 = 0.01;
/// The least that a move must win to be made for what it wins.
const LEAST_GAIN: f32 = 0.1;

/// What the Colonies of a seat can do.
#[derive(Clone, Copy, Default)]
struct Reach {
    /// Nodes of others that its moves take; Nodes that they reach, each Colony's counted.
    takes: Cells,
    reaches: u32,
    /// Nodes of others whose card one of its own beats, whether there is a way or not.
    beats: Cells,
    /// The most that a move of one of its Colonies wins, and of another.
    gains: [f32; 2],
    /// Nodes where it could invade a card of each kind.
    strikes: [Cells; KINDS],
    /// Invasions by whether the Node that is left stays its own, and then by whether no other could take the card there.
    invades: [[Cells; 2]; 2],
    /// Free Nodes to which a Colony can go that leaves a Node of its own behind, by the same.
    spreads: [Cells; 2],
    /// Among the moves that win most at once: how many there are, and how many of them take a Node of each seat.
    most: f32,
    aims: [u32; SEATS],
    all_aims: u32,
}

impl Reach {
    /// A move to any of those Nodes wins as much.
    fn offer(&mut self, gain: f32, cells: Cells, control: &[Cells; SEATS]) {
        if cells == 0 || gain < LEAST_GAIN || gain < self.most - ALIKE {
            return;
        }
        if gain > self.most + ALIKE {
            (self.most, self.aims, self.all_aims) = (gain, [0; SEATS], 0);
        }
        self.all_aims += cells.count_ones();
        for (aims, held) in self.aims.iter_mut().zip(control) {
            *aims += (cells & held).count_ones();
        }
    }

    /// The part of those moves that takes a Node of that seat.
    fn aims_at(&self, seat: usize) -> f32 {
        if self.all_aims > 0 { self.aims[seat] as f32 / self.all_aims as f32 } else { 0.0 }
    }
}

/// Where one Colony can go.
#[derive(Clone, Copy, Default)]
struct Way {
    from: usize,
    kind: usize,
    to: Cells,
}

/// More Colonies than Nodes there are none.
const WAYS: usize = 21;

fn count(cells: Cells) -> f32 {
    cells.count_ones() as f32
}

impl Chances {
    /// What the odds are made of, in the order of the weights. `worth` is what the table is worth to the viewer.
    pub(super) fn counts(&self, scene: &Scene, worth: f32) -> Counts {
        let seats = self.look(scene);
        let mut counts = [[0.0; COUNTS]; SEATS];
        for (seat, counts) in counts[..self.players].iter_mut().enumerate() {
            *counts = self.counts_of(scene, &seats, seat);
        }
        counts[self.viewer][WORTH] = worth;
        counts
    }

    fn counts_of(&self, scene: &Scene, seats: &[Reach; SEATS], seat: usize) -> [f32; COUNTS] {
        let players = self.players;
        let others = || (0..players).filter(move |&other| other != seat);
        let (held, it, hand) = (scene.control[seat], &seats[seat], &scene.hands[seat]);
        let occupied = scene.occupied();
        let free = scene.nodes & !occupied;
        let (waits, turns) = (self.waits(seat), self.turns(seat));
        let acts = f32::from(turns > 0);
        let room = beside(held) & free;
        let frontier = beside(held) & self.playable & !scene.nodes;
        let [two, three] = scene.higher(held);

        let (mut at_risk, mut at_risk_next, mut beatable) = (0, 0, 0);
        let (mut invaders, mut invasions) = (0.0, 0.0);
        let (mut exposed, mut exposed_next) = ([[0; 2]; 2], 0);
        let (mut aimed, mut aimed_next, mut aimed_elsewhere) = (0.0, 0.0, 0.0);
        for other in others() {
            let its = &seats[other];
            beatable |= its.beats & held;
            let takes = its.takes & held;
            if self.turns(other) > 0 && takes != 0 {
                at_risk |= takes;
                invaders += 1.0;
                invasions += count(takes) / count(its.takes);
            }
            for (exposed, invades) in exposed.as_flattened_mut().iter_mut().zip(its.invades.as_flattened()) {
                *exposed |= invades & held;
            }
            aimed += its.aims_at(seat);
            aimed_elsewhere +=
                others().filter(|&third| third != other).map(|third| its.aims_at(third)).sum::<f32>();
            if other == self.next {
                // An invasion that leaves a Node and may be answered is seldom made.
                let [[_, lasting], spare] = its.invades;
                at_risk_next = if self.turns(other) > 0 { takes } else { 0 };
                exposed_next = (lasting | spare[0] | spare[1]) & held;
                aimed_next = its.aims_at(seat);
            }
        }

        let score = |seat: usize| (scene.control[seat].count_ones(), scene.level_sum(scene.control[seat]));
        let wins_by_eradication = |victim: usize| {
            let (nodes, levels) = score(seat);
            let rest = others().filter(|&other| other != victim);
            scene.control[victim].count_ones() == 1
                && it.takes & scene.control[victim] != 0
                && rest.map(score).max().is_none_or(|best| (nodes + 1, levels) > best)
        };
        let ends = turns > 0 && others().any(wins_by_eradication);
        let grows = match () {
            () if turns == 0 => 0.0,
            () if room != 0 => 1.0,
            () if frontier != 0 => self.holds_node(seat, hand),
            () => 0.0,
        };
        let [attack, attacks] = self.attacks(scene, seat, beside(held | room));
        let others_cells = occupied & !held;
        let near_others = beside(others_cells | beside(others_cells) & free);
        let by_kind = scene.by_kind(held);
        let frail = |cells: Cells| -> f32 {
            by_kind.iter().zip(self.beaten_by).map(|(kind, beaten)| count(kind & cells) * beaten).sum()
        };
        let fearless = by_kind.iter().zip(self.beaten_by).filter(|&(_, beaten)| beaten < NOTHING_TO_FEAR);
        let size: f32 = hand.iter().sum();
        let level = |level: usize| hand[level - 1] + hand[level + 2] + hand[level + 5];
        let best_other = others().map(|other| scene.control[other].count_ones()).max().unwrap_or(0);
        let takes_from = |ahead: usize| match ahead < players {
            true => acts * count(it.takes & scene.control[(seat + ahead) % players]),
            false => 0.0,
        };
        [
            // When its turns come.
            turns as f32 - self.left as f32 / players as f32,
            f32::from(waits == 0),
            f32::from(waits == 1),
            f32::from(waits == 2),
            // What it holds, and who could take it.
            count(held),
            two as f32,
            three as f32,
            count(at_risk),
            invaders,
            count(at_risk_next),
            // What its moves could win.
            acts * it.gains[0].max(0.0),
            acts * count(it.takes),
            acts * count(room),
            it.reaches as f32 * 0.1,
            // What it holds in the hand, and beneath other cards.
            hand[Card::NODE.index()].min(turns as f32 + 1.0),
            level(1),
            level(2),
            level(3),
            count(scene.beneath[seat] & held),
            count(scene.beneath[seat] & others_cells),
            // The end that may come at once.
            f32::from(held.count_ones() == 1 && at_risk != 0),
            f32::from(ends),
            f32::from(ends && waits == 0),
            // What lasts, and what grows.
            count(held & !beatable),
            grows,
            invasions,
            // How much is left, and who looks.
            turns as f32 * 0.2,
            self.left as f32 * 0.1,
            f32::from(seat == self.viewer),
            // What cards in hands could do, its own and those unseen.
            attack,
            attacks * 0.3,
            frail(held),
            frail(held & near_others),
            // Its second best move, and from whom it could take.
            acts * it.gains[1].max(-1.0),
            takes_from(1),
            takes_from(2),
            takes_from(3),
            // Where it stands, and its room.
            count(held) - best_other as f32,
            scene.level_sum(held) as f32 * 0.2,
            hand[Card::NODE.index()],
            size * 0.2,
            count(frontier) * 0.1,
            f32::from(turns == 1),
            count(free) * 0.1,
            // Its invasions, those from a pile of its own first, and of each those that cannot be answered first.
            count(it.invades[1][1]),
            count(it.invades[1][0]),
            count(it.invades[0][1]),
            count(it.invades[0][0]),
            count(it.spreads[1]) * 0.3,
            count(it.spreads[0]) * 0.3,
            // The same of invasions that it is exposed to.
            count(exposed[1][1]),
            count(exposed[1][0]),
            count(exposed[0][1]),
            count(exposed[0][0]),
            fearless.map(|(kind, _)| count(*kind)).sum(),
            count(exposed_next),
            // Where those aim that take what wins most.
            aimed,
            aimed_next,
            aimed_elsewhere,
            // The worth, of the viewer alone.
            0.0,
        ]
    }

    /// How likely it is that a hand has a Node to explore with, after the next draw where the hand is hidden.
    fn holds_node(&self, seat: usize, hand: &Cards) -> f32 {
        if seat == self.viewer {
            return f32::from(hand[Card::NODE.index()] >= 0.5);
        }
        let other = 1.0 - self.unseen[Card::NODE.index()];
        let cards = hand.iter().sum::<f32>().round() as u32;
        1.0 - (0..=cards).fold(1.0, |none, _| none * other)
    }

    /// What the cards of a hand beat near the seat's Nodes: the best of them, and all together.
    fn attacks(&self, scene: &Scene, seat: usize, near: Cells) -> [f32; 2] {
        let (hand, beaten) = (&scene.hands[seat], scene.beaten());
        let prey = scene.occupied() & !scene.control[seat] & near;
        let (mut best, mut all) = (0.0_f32, 0.0);
        for kind in (0..KINDS).filter(|&kind| hand[kind] > 0.0) {
            let beats = count(beaten[kind] & prey);
            let held = if seat == self.viewer { 1.0 } else { hand[kind].min(1.0) };
            best = best.max(beats * held);
            all += beats * hand[kind];
        }
        [best, all]
    }

    /// What the Colonies of all seats can do.
    fn look(&self, scene: &Scene) -> [Reach; SEATS] {
        let mut seats = [Reach::default(); SEATS];
        let mut ways = [[Way::default(); WAYS]; SEATS];
        let occupied = scene.occupied();
        let free = scene.nodes & !occupied;
        let beaten = scene.beaten();
        // A Node taken from another also takes its share from the lead of the others.
        let taken = 1.0 + 1.0 / (self.players as f32 - 1.0);
        let all_beneath = scene.beneath.iter().fold(0, |all, &set| all | set);
        for (seat, it) in seats[..self.players].iter_mut().enumerate() {
            let held = scene.control[seat];
            let others = occupied & !held;
            let beneath_others = all_beneath & !scene.beneath[seat];
            let acts = self.turns(seat) > 0;
            it.gains = [-2.0; 2];
            for (from, way) in each(held).zip(&mut ways[seat]) {
                let card = scene.top(from);
                let beats = beaten[card.index()];
                let to = reached(self.movement, from, free | held | beats);
                *way = Way { from, kind: card.index(), to };
                it.beats |= beats & others;
                it.takes |= to & others;
                it.reaches += to.count_ones();
                let first_closed = beside(to | only(from)) & scene.nodes & !only(from) & cross(from);
                for (kind, strikes) in it.strikes.iter_mut().enumerate() {
                    if card.beats(Card::new(kind)) {
                        *strikes |= to | first_closed;
                    }
                }
                let loses = match () {
                    () if scene.beneath[seat] & only(from) != 0 => 0.0,
                    () if beneath_others & only(from) != 0 => taken,
                    () => 1.0,
                };
                let wins = match () {
                    () if to & others != 0 => taken,
                    () => f32::from(to & free != 0),
                };
                let gain = wins - loses;
                match it.gains {
                    [most, _] if gain > most => it.gains = [gain, most],
                    [most, second] => it.gains = [most, second.max(gain)],
                }
                if acts {
                    it.offer(taken - loses, to & others, &scene.control);
                    it.offer(1.0 - loses, to & free, &scene.control);
                }
            }
        }
        for seat in (0..self.players).filter(|&seat| self.turns(seat) > 0) {
            let held = scene.control[seat];
            let others = occupied & !held;
            for way in &ways[seat][..(held.count_ones() as usize).min(WAYS)] {
                let answers = (0..self.players).filter(|&other| other != seat && self.turns(other) > 0);
                let struck = answers.fold(0, |set, other| set | seats[other].strikes[way.kind]);
                let stays = scene.beneath[seat] & only(way.from) != 0;
                let it = &mut seats[seat];
                it.invades[usize::from(stays)][1] |= way.to & others & !struck;
                it.invades[usize::from(stays)][0] |= way.to & others & struck;
                if stays {
                    it.spreads[1] |= way.to & free & !struck;
                    it.spreads[0] |= way.to & free & struck;
                }
            }
        }
        seats
    }
}

/// How large a part of the unseen cards beats each kind of Colony.
pub(super) fn beaten_by(unseen: &Cards) -> [f32; KINDS] {
    std::array::from_fn(|kind| {
        let beats = |other: &usize| Card::new(*other).beats(Card::new(kind));
        (0..KINDS).filter(beats).map(|other| unseen[other]).sum()
    })
}
