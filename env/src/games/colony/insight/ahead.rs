//! What comes of the viewer's turn: the turns of the others behind it, and the viewer's next move.
//!
//! Each other seat does what is best for itself at a glance. Its hand is hidden: it is taken to put a Colony of level 2 and of any
//! type on a free Node, if there is one, and then to move.

use std::cmp::Ordering;

use super::super::actions::ACTIONS;
use super::super::cards::{Card, KINDS};
use super::super::rules::reached;
use super::super::state::{Buried, Colony, NONE, Owned, SEATS};
use super::super::table::{Cells, TURNS, beside, each, only, turned};
use super::prospect::Prospect;
use super::scene::Scene;
use super::shortlist::{Plan, Shortlist};
use super::weigh::{Scales, WON, Weighed};

/// Plans looked at, where no more of them look as good as the last one.
pub(super) const LOOKED_AT: usize = 4;
/// How much of what a plan leads to counts; the rest is how it looks. Others do not always do what is foreseen.
pub(super) const FORESEEN: f32 = 0.5;
/// The level of the Colonies that others are taken to put down: neither the best nor the worst that a hand may hold.
pub(super) const COLONISED: usize = 2;
/// A hand in which so many Nodes are to be expected is taken to hold one.
const HOLDS_NODE: f32 = 0.6;
/// What a return of 1 is worth that lies ahead: others can still see to it that it does not come.
pub(super) const LATER: f32 = 5.0;

/// What the plans that were looked at are worth, by the action that they begin with.
pub(super) struct Foreseen {
    /// Less than everything where no plan was looked at.
    pub worth: [f32; ACTIONS],
    /// The lowest of them, and what the worst looking plan among them looked like.
    pub lowest: f32,
    pub glance: f32,
}

impl Foreseen {
    /// What an action is worth that looks like that. One that was not looked at is no better than those that were.
    pub(super) fn of(&self, action: usize, looks: f32) -> f32 {
        let worth = self.worth[action];
        if worth > f32::NEG_INFINITY { worth } else { self.lowest.min(self.lowest + looks - self.glance) }
    }
}

impl Prospect<'_> {
    /// Looks at the best plans, if it can be said which ones these are.
    pub(super) fn foresee(&self, list: &Shortlist) -> Option<Foreseen> {
        let ahead = Ahead::new(self);
        let mut foreseen =
            Foreseen { worth: [f32::NEG_INFINITY; ACTIONS], lowest: f32::INFINITY, glance: f32::INFINITY };
        let mut looked_at = 0;
        loop {
            let plans = list.alike(looked_at);
            if plans.is_empty() || looked_at > 0 && looked_at + plans.len() > LOOKED_AT {
                break;
            }
            for &(looks, plan) in plans {
                let leads_to = ahead.worth(&plan) - self.spent(&plan);
                let worth = looks + FORESEEN * (leads_to - looks);
                let best = &mut foreseen.worth[plan.first(self.game.phase).index()];
                *best = best.max(worth);
                foreseen.lowest = foreseen.lowest.min(worth);
                foreseen.glance = looks;
            }
            looked_at += plans.len();
        }
        (looked_at > 0).then_some(foreseen)
    }
}

/// The table while several turns are played on it.
#[derive(Clone)]
struct Line {
    scene: Scene,
    buried: Buried,
}

impl Line {
    fn put(&mut self, cell: usize, seat: usize, card: Card) {
        if let Some(owner) = self.scene.owner(cell) {
            self.buried.push(cell, Owned::new(owner, self.scene.top(cell)));
        }
        self.scene.put(cell, seat, card);
    }

    /// C-08: the viewer's, whose hand is known.
    fn colonise(&mut self, cell: usize, seat: usize, card: Card) {
        self.scene.hands[seat][card.index()] -= 1.0;
        self.put(cell, seat, card);
    }

    fn shift(&mut self, seat: usize, [from, to]: [usize; 2]) {
        let card = self.scene.lift(from, &self.buried);
        self.buried.pop(from);
        self.put(to, seat, card);
    }

    /// The table after a move.
    fn shifted(&self, seat: usize, [from, to]: [usize; 2]) -> Scene {
        let mut scene = self.scene.clone();
        let card = scene.lift(from, &self.buried);
        scene.put(to, seat, card);
        scene
    }

    /// The moves of a seat to Nodes that it does not hold, without those of the Colony on that Node.
    fn moves(&self, scales: &Scales, placed: Cells) -> impl Iterator<Item = [usize; 2]> {
        let scene = &self.scene;
        let own = scene.control[scales.viewer];
        let open = scene.nodes & !scene.occupied() | own;
        let (beaten, movement) = (scene.beaten(), scales.movement);
        each(own & !placed).flat_map(move |from| {
            let to = reached(movement, from, open | beaten[scene.top(from).index()]);
            each(to & !own).map(move |to| [from, to])
        })
    }
}

/// The turns that follow the viewer's.
pub(super) struct Ahead<'a> {
    game: &'a Colony,
    players: usize,
    start: Line,
    /// Whether others look at the Nodes alone that they hold and that are at risk: where there are odds, which know the rest.
    count_nodes: bool,
    /// For each seat in its turn: the viewer's of now first, the viewer's next behind those of the others.
    turns: [Scales; SEATS + 1],
}

impl<'a> Ahead<'a> {
    pub(super) fn new(prospect: &Prospect<'a>) -> Self {
        let (game, viewer, players) = (prospect.game, prospect.viewer, usize::from(prospect.game.players));
        let turns = std::array::from_fn(|on| {
            // The odds are the viewer's, who knows one hand.
            let chances = prospect.scales.chances.as_ref().filter(|_| on % players == 0);
            let chances = chances.map(|chances| chances.later(on));
            let mut scales = Scales::new(game, (viewer + on) % players, on, chances);
            // C-11: a first Colony may be taken in the turns that follow.
            (0..=on).for_each(|before| scales.on_table[(viewer + before) % players] = true);
            scales
        });
        let start = Line { scene: prospect.scene.clone(), buried: game.buried.clone() };
        Self { game, players, start, count_nodes: prospect.scales.chances.is_some(), turns }
    }

    /// What a table is to the seat that many turns on, at a glance.
    fn weigh(&self, on: usize, scene: &Scene, over: bool) -> Weighed {
        let scales = &self.turns[on];
        let weighed = scales.weigh(scene, NONE, over);
        if !self.count_nodes {
            return weighed;
        }
        let ended = if over { scales.outcome_for(scene, scales.viewer) } else { None };
        Weighed { worth: weighed.standing + WON * ended.unwrap_or(0.0), ..weighed }
    }

    /// What the table is worth to the viewer after its plan, the turns of the others, and its next move.
    pub(super) fn worth(&self, plan: &Plan) -> f32 {
        let mut line = self.played(plan);
        let now = &self.turns[0];
        if now.outcome_for(&line.scene, now.viewer).is_some() {
            return now.weigh(&line.scene, NONE, true).worth;
        }
        let next = &self.turns[self.players];
        for on in 1..self.players {
            self.reply(&mut line, on);
            if let Some(result) = self.turns[on].outcome_for(&line.scene, now.viewer) {
                return next.weigh(&line.scene, NONE, false).worth + LATER * result;
            }
        }
        let worth = |scene: &Scene| {
            let result = next.outcome_for(scene, next.viewer).unwrap_or(0.0);
            next.weigh(scene, NONE, false).worth + LATER * result
        };
        let moves = line.moves(next, 0).map(|step| worth(&line.shifted(next.viewer, step)));
        moves.fold(worth(&line.scene), f32::max)
    }

    /// The table after the viewer's plan.
    pub(super) fn behind(&self, plan: &Plan) -> Scene {
        self.played(plan).scene
    }

    fn played(&self, plan: &Plan) -> Line {
        let (mut line, viewer) = (self.start.clone(), self.turns[0].viewer);
        if plan.explored != NONE {
            line.scene.explore(plan.explored.into(), viewer);
        }
        if plan.at != NONE {
            line.colonise(plan.at.into(), viewer, Card::new(plan.kind.into()));
        }
        if plan.from != NONE {
            line.shift(viewer, [plan.from.into(), plan.to.into()]);
        }
        line
    }

    /// The turn of another.
    fn reply(&self, line: &mut Line, on: usize) {
        let scales = &self.turns[on];
        let placed = self.colonise(line, on);
        let mut best = Choice::new(self.weigh(on, &line.scene, true));
        for step in line.moves(scales, placed) {
            best.offer(line, step, self.weigh(on, &line.shifted(scales.viewer, step), true));
        }
        if let Some(step) = best.step {
            line.shift(scales.viewer, step);
        }
    }

    /// C-08: puts a Colony of [`COLONISED`] level on the free Node where it is best for the seat. The Node, if there is any.
    /// C-07: where odds are known and no Node is free, on one that it explores, if it is likely to hold one.
    fn colonise(&self, line: &mut Line, on: usize) -> Cells {
        let scales = &self.turns[on];
        let scene = &line.scene;
        let in_first_turn = usize::from(self.game.turn) + on < self.players;
        let near = if in_first_turn { Cells::MAX } else { beside(scene.control[scales.viewer]) };
        let free = scene.nodes & !scene.occupied() & near;
        let explores =
            free == 0 && self.count_nodes && scene.hands[scales.viewer][Card::NODE.index()] > HOLDS_NODE;
        let cells = match explores {
            true => beside(scene.control[scales.viewer]) & self.game.playable() & !scene.nodes,
            false => free,
        };
        let mut best: Option<(Choice, Card)> = None;
        for card in (0..KINDS).map(Card::new).filter(|card| card.level() == COLONISED) {
            let mut choice = Choice::new(Weighed { worth: f32::NEG_INFINITY, ..Weighed::default() });
            for cell in each(cells) {
                let mut scene = scene.clone();
                if explores {
                    scene.explore(cell, scales.viewer);
                }
                scene.put(cell, scales.viewer, card);
                choice.offer(line, [cell, cell], self.weigh(on, &scene, false));
            }
            if best.as_ref().is_none_or(|(best, _)| choice.weighed.compare(&best.weighed).is_gt()) {
                best = Some((choice, card));
            }
        }
        match best {
            Some((Choice { step: Some([cell, _]), .. }, card)) => {
                if explores {
                    line.scene.explore(cell, scales.viewer);
                }
                line.put(cell, scales.viewer, card);
                only(cell)
            }
            _ => 0,
        }
    }
}

/// The best step found so far, if any is better than none.
struct Choice {
    weighed: Weighed,
    step: Option<[usize; 2]>,
    /// What [`turned_tables`] says, once it has been asked.
    tables: Option<[u64; TURNS]>,
}

impl Choice {
    fn new(without: Weighed) -> Self {
        Self { weighed: without, step: None, tables: None }
    }

    /// Of steps that lead to the same the one with the lowest number on any turned table is taken, so that turned tables choose
    /// turned steps.
    fn offer(&mut self, line: &Line, step: [usize; 2], weighed: Weighed) {
        match (weighed.compare(&self.weighed), self.step) {
            (Ordering::Greater, _) => (self.weighed, self.step) = (weighed, Some(step)),
            (Ordering::Equal, Some(other)) => {
                let tables = *self.tables.get_or_insert_with(|| turned_tables(line));
                if lowest(&tables, step) < lowest(&tables, other) {
                    self.step = Some(step);
                }
            }
            _ => {}
        }
    }
}

#[inline]
fn mix(hash: u64, number: usize) -> u64 {
    let hash = (hash ^ number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ hash >> 29
}

/// A step on the table turned in every way, as the lowest of the numbers that these have.
fn lowest(tables: &[u64; TURNS], [from, to]: [usize; 2]) -> u64 {
    let numbers = tables.iter().enumerate();
    let numbers = numbers.map(|(turn, &table)| mix(mix(table, turned(turn, from)), turned(turn, to)));
    numbers.min().expect("the square has symmetries")
}

/// A number for the table, turned in every way. Sums do not depend on the order of the cells, which turns.
fn turned_tables(line: &Line) -> [u64; TURNS] {
    let scene = &line.scene;
    let mut sums = [0_u64; TURNS];
    let mut count = |cell: usize, what: usize| {
        for (turn, sum) in sums.iter_mut().enumerate() {
            *sum = sum.wrapping_add(mix(mix(1, turned(turn, cell)), what));
        }
    };
    let numbered = |owner: usize, card: Card| SEATS * card.index() + owner;
    for cell in each(scene.nodes) {
        count(cell, scene.owner(cell).map_or(0, |owner| 1 + numbered(owner, scene.top(cell))));
    }
    let (mut pile, mut depth) = (usize::MAX, 0);
    for (cell, card) in line.buried.iter() {
        depth = if cell == pile { depth + 1 } else { 1 };
        pile = cell;
        count(cell, 1 + SEATS * KINDS * depth + numbered(card.owner(), card.card()));
    }
    sums
}
