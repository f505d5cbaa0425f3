//! The table while several turns are played on it.

use super::super::cards::{Card, KINDS};
use super::super::rules::reached;
use super::super::state::{Buried, Owned, SEATS};
use super::super::table::{Cells, TURNS, each, turned};
use super::scene::Scene;
use super::weigh::Scales;

/// From a Node to another.
pub(super) type Step = [usize; 2];

#[derive(Clone)]
pub(super) struct Line {
    pub scene: Scene,
    pub buried: Buried,
}

impl Line {
    pub(super) fn put(&mut self, cell: usize, seat: usize, card: Card) {
        if let Some(owner) = self.scene.owner(cell) {
            self.buried.push(cell, Owned::new(owner, self.scene.top(cell)));
        }
        self.scene.put(cell, seat, card);
    }

    /// C-08: the viewer's, whose hand is known.
    pub(super) fn colonise(&mut self, cell: usize, seat: usize, card: Card) {
        self.scene.hands[seat][card.index()] -= 1.0;
        self.put(cell, seat, card);
    }

    pub(super) fn shift(&mut self, seat: usize, [from, to]: Step) {
        let card = self.scene.lift(from, &self.buried);
        self.buried.pop(from);
        self.put(to, seat, card);
    }

    /// The table after a move.
    pub(super) fn shifted(&self, seat: usize, [from, to]: Step) -> Scene {
        let mut scene = self.scene.clone();
        let card = scene.lift(from, &self.buried);
        scene.put(to, seat, card);
        scene
    }

    /// The moves of a seat to Nodes that it does not hold, without those of the Colony on that Node.
    pub(super) fn moves(&self, scales: &Scales, placed: Cells) -> impl Iterator<Item = Step> + use<'_> {
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

/// The best steps on a table found so far, the best first; `None` is to take no step.
///
/// Of steps that are worth the same none comes first, and then the one with the lowest number on any turned table, so that turned
/// tables choose turned steps.
pub(super) struct Best<'a, const N: usize> {
    line: &'a Line,
    found: [(f32, Option<Step>); N],
    len: usize,
    /// What [`turned_tables`] says, once it has been asked.
    tables: Option<[u64; TURNS]>,
}

impl<'a, const N: usize> Best<'a, N> {
    pub(super) fn new(line: &'a Line) -> Self {
        Self { line, found: [(f32::NEG_INFINITY, None); N], len: 0, tables: None }
    }

    pub(super) fn offer(&mut self, worth: f32, step: Option<Step>) {
        let mut place = self.len;
        while place > 0 && self.comes_before((worth, step), self.found[place - 1]) {
            place -= 1;
        }
        if place == N {
            return;
        }
        self.len = (self.len + 1).min(N);
        self.found.copy_within(place..self.len - 1, place + 1);
        self.found[place] = (worth, step);
    }

    pub(super) fn found(&self) -> &[(f32, Option<Step>)] {
        &self.found[..self.len]
    }

    fn comes_before(&mut self, one: (f32, Option<Step>), other: (f32, Option<Step>)) -> bool {
        match (one.1, other.1) {
            _ if one.0 != other.0 => one.0 > other.0,
            (Some(step), Some(beside)) => {
                let tables = *self.tables.get_or_insert_with(|| turned_tables(self.line));
                lowest(&tables, step) < lowest(&tables, beside)
            }
            (step, _) => step.is_none(),
        }
    }
}

#[inline]
fn mix(hash: u64, number: usize) -> u64 {
    let hash = (hash ^ number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ hash >> 29
}

/// A step on the table turned in every way, as the lowest of the numbers that these have.
fn lowest(tables: &[u64; TURNS], [from, to]: Step) -> u64 {
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
