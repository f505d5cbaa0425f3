//! How likely each seat is to win, by what can be counted: for three and four players, whose wins depend on who else is strong.
//!
//! A seat scores a weighted sum of its counts, and wins with a probability proportional to the exponential of its score. The
//! weights are in `weights`, with how they were found.

use super::super::options::Movement;
use super::super::rules::reached;
use super::super::state::{Colony, SEATS};
use super::super::table::{Cells, beside, each, only};
use super::scene::Scene;
use super::weigh::turns_left;
use super::weights::{COUNTS, FOR_FOUR, FOR_THREE, STAGES, Weights};

/// No chance is so small or so large that its logarithm is beyond this.
const SUREST: f32 = 14.0;

/// What lies ahead at the end of a turn.
#[derive(Clone, Debug)]
pub(super) struct Chances {
    /// Whose hand is known.
    viewer: usize,
    players: usize,
    movement: Movement,
    playable: Cells,
    /// Whose turn comes next, and how many there are.
    next: usize,
    left: usize,
    weights: &'static Weights,
}

/// What the Colonies of a seat can do, and what others can do to it.
#[derive(Clone, Copy, Default)]
struct Seat {
    /// Nodes of others that its moves take; Nodes that they reach, each Colony's counted; the most that one wins.
    takes: Cells,
    reaches: u32,
    gains: f32,
    /// Its Nodes that a card on the table beats; those that others could invade, and that the next to move could.
    beatable: Cells,
    at_risk: Cells,
    at_risk_next: Cells,
    /// Others that could invade it, and how many of them will, if each takes any of the Nodes that it could.
    invaders: u32,
    invasions: f32,
}

impl Chances {
    /// At the end of the turn under way. There are weights for straight lines and more than two players.
    pub(super) fn new(game: &Colony, viewer: usize) -> Option<Self> {
        let weights = match (game.players, game.movement) {
            (3, Movement::Line) => &FOR_THREE,
            (4, Movement::Line) => &FOR_FOUR,
            _ => return None,
        };
        let players = usize::from(game.players);
        Some(Self {
            viewer,
            players,
            movement: game.movement,
            playable: game.playable(),
            next: (game.actor() + 1) % players,
            left: turns_left(game),
            weights,
        })
    }

    /// That many turns later.
    pub(super) fn later(&self, turns: usize) -> Self {
        let next = (self.next + turns) % self.players;
        Self { next, left: self.left.saturating_sub(turns), ..self.clone() }
    }

    /// The logarithm of a seat's chance to win beside its chance not to.
    pub(super) fn odds(&self, scene: &Scene, seat: usize) -> f32 {
        let scores = self.counts(scene).map(|counts| self.score(&counts));
        let others = (0..self.players).filter(|&other| other != seat);
        // In double precision, so that no library's rounding shows.
        let sum: f64 = others.map(|other| f64::from(scores[other] - scores[seat]).exp()).sum();
        (-sum.ln() as f32).clamp(-SUREST, SUREST)
    }

    fn score(&self, counts: &[f32; COUNTS]) -> f32 {
        let stage = self.stage();
        self.weights.iter().zip(counts).map(|(weights, count)| weights[stage] * count).sum()
    }

    /// How far the game is from its end: the turns of the last round one by one, then rounds.
    pub(super) fn stage(&self) -> usize {
        let stage = match self.left.div_ceil(self.players) {
            0 => 0,
            1 => self.left - 1,
            2 => 4,
            3 => 5,
            4 | 5 => 6,
            6..=8 => 7,
            _ => 8,
        };
        debug_assert!(stage < STAGES);
        stage
    }

    /// The turns of others before a seat's next.
    fn waits(&self, seat: usize) -> usize {
        (seat + self.players - self.next) % self.players
    }

    /// The turns that a seat still has.
    fn turns(&self, seat: usize) -> usize {
        (self.left + self.players - 1 - self.waits(seat)) / self.players
    }

    /// What the scores are made of, in the order of the weights.
    pub(super) fn counts(&self, scene: &Scene) -> [[f32; COUNTS]; SEATS] {
        let seats = self.look(scene);
        let count = |cells: Cells| cells.count_ones() as f32;
        let occupied = scene.occupied();
        let free = scene.nodes & !occupied;
        let score = |seat: usize| (scene.control[seat].count_ones(), scene.level_sum(scene.control[seat]));
        std::array::from_fn(|seat| {
            if seat >= self.players {
                return [0.0; COUNTS];
            }
            let (held, it, hand) = (scene.control[seat], &seats[seat], &scene.hands[seat]);
            let (waits, turns) = (self.waits(seat), self.turns(seat));
            let acts = f32::from(turns > 0);
            let [two, three] = scene.higher(held);
            let room = beside(held) & free;
            let wins_by_eradication = |victim: usize| {
                let (nodes, levels) = score(seat);
                let rest = (0..self.players).filter(|&other| other != seat && other != victim);
                victim != seat
                    && scene.control[victim].count_ones() == 1
                    && it.takes & scene.control[victim] != 0
                    && rest.map(score).max().is_none_or(|best| (nodes + 1, levels) > best)
            };
            let ends = turns > 0 && (0..self.players).any(wins_by_eradication);
            let grows = match () {
                () if turns == 0 => 0.0,
                () if room != 0 => 1.0,
                () if beside(held) & self.playable & !scene.nodes != 0 => self.holds_node(seat, hand),
                () => 0.0,
            };
            [
                turns as f32 - self.left as f32 / self.players as f32,
                f32::from(waits == 0),
                f32::from(waits == 1),
                f32::from(waits == 2 && self.players > 3),
                count(held),
                two as f32,
                three as f32,
                count(it.at_risk),
                it.invaders as f32,
                count(it.at_risk_next),
                acts * it.gains,
                acts * count(it.takes),
                acts * count(room),
                it.reaches as f32 * 0.1,
                hand[0].min(turns as f32 + 1.0),
                hand[1],
                hand[2],
                hand[3],
                count(scene.beneath[seat] & held),
                count(scene.beneath[seat] & occupied & !held),
                f32::from(held.count_ones() == 1 && it.at_risk != 0),
                f32::from(ends),
                f32::from(ends && waits == 0),
                count(held & !it.beatable),
                grows,
                it.invasions,
            ]
        })
    }

    /// How likely it is that a hand has a Node to explore with, after the next draw where the hand is hidden.
    fn holds_node(&self, seat: usize, hand: &[f32; 4]) -> f32 {
        if seat == self.viewer {
            return f32::from(hand[0] >= 0.5);
        }
        let cards: f32 = hand.iter().sum::<f32>().max(1.0);
        let other = 1.0 - hand[0] / cards;
        1.0 - (0..=cards.round() as u32).fold(1.0, |none, _| none * other)
    }

    fn look(&self, scene: &Scene) -> [Seat; SEATS] {
        let mut seats = [Seat::default(); SEATS];
        let occupied = scene.occupied();
        let free = scene.nodes & !occupied;
        let beaten = scene.beaten();
        // A Node taken from another also takes its share from the lead of the others.
        let taken = 1.0 + 1.0 / (self.players as f32 - 1.0);
        for seat in 0..self.players {
            let held = scene.control[seat];
            let others = occupied & !held;
            let beneath_others = scene.beneath.iter().fold(0, |all, &set| all | set) & !scene.beneath[seat];
            let mut beats = 0;
            for cell in each(held) {
                let beaten = beaten[scene.top(cell).index()];
                let to = reached(self.movement, cell, free | held | beaten);
                beats |= beaten & others;
                let wins = match () {
                    () if to & others != 0 => taken,
                    () => f32::from(to & free != 0),
                };
                let loses = match () {
                    () if scene.beneath[seat] & only(cell) != 0 => 0.0,
                    () if beneath_others & only(cell) != 0 => taken,
                    () => 1.0,
                };
                let it = &mut seats[seat];
                it.takes |= to & others;
                it.reaches += to.count_ones();
                it.gains = it.gains.max(wins - loses);
            }
            let (takes, acts) = (seats[seat].takes, self.turns(seat) > 0);
            for other in (0..self.players).filter(|&other| other != seat) {
                let (it, nodes) = (&mut seats[other], scene.control[other]);
                it.beatable |= beats & nodes;
                if acts && takes & nodes != 0 {
                    it.at_risk |= takes & nodes;
                    it.invaders += 1;
                    it.invasions += (takes & nodes).count_ones() as f32 / takes.count_ones() as f32;
                    if seat == self.next {
                        it.at_risk_next |= takes & nodes;
                    }
                }
            }
        }
        seats
    }
}
