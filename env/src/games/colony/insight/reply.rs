//! The turns of the others, as the viewer foresees them.
//!
//! Whoever replies counts Nodes, its own and those of the others, and looks one turn further: what it takes should not be taken
//! from it at once. Its hand is hidden: it is taken to put a certain Colony on a free Node, if there is one, and then to move.

use super::super::cards::Card;
use super::super::table::{Cells, beside, each, only};
use super::ahead::Ahead;
use super::line::{Best, Line};
use super::scene::Scene;
use super::weigh::WON;

/// Moves that are thought of: the rest win less at once.
pub(super) const THOUGHT_OF: usize = 4;
/// How much of what a move leads to counts for who replies; the rest is what it wins at once.
pub(super) const FURTHER: f32 = 0.8;
/// A hand in which so many Nodes are to be expected is taken to hold one.
pub(super) const HOLDS_NODE: f32 = 0.6;

impl Ahead<'_> {
    /// The turn of the seat that many turns on, with that card to put down. Whether it could.
    pub(super) fn reply(&self, line: &mut Line, on: usize, card: Card) -> bool {
        let placed = self.put_down(line, on, card);
        let scales = &self.turns[on];
        let seat = scales.viewer;
        let mut chosen = Best::<1>::new(line);
        for &(at_once, step) in self.best_moves::<THOUGHT_OF>(line, on, placed).found() {
            let mut then = line.clone();
            if let Some(step) = step {
                then.shift(seat, step);
            }
            let is_over = scales.outcome_for(&then.scene, seat).is_some();
            let further = if is_over { at_once } else { self.after_next(then, on, card) };
            chosen.offer(at_once + FURTHER * (further - at_once), step);
        }
        if let [(_, Some(step))] = *chosen.found() {
            line.shift(seat, step);
        }
        placed != 0
    }

    /// The moves that are best for the seat at once, or none.
    pub(super) fn best_moves<'l, const N: usize>(
        &self,
        line: &'l Line,
        on: usize,
        placed: Cells,
    ) -> Best<'l, N> {
        let scales = &self.turns[on];
        let mut best = Best::new(line);
        best.offer(self.seen(on, on, &line.scene), None);
        for step in line.moves(scales, placed) {
            best.offer(self.seen(on, on, &line.shifted(scales.viewer, step)), Some(step));
        }
        best
    }

    /// What a table is to the seat `on` turns on, which counts Nodes, at the end of the turn that comes `after` so many.
    fn seen(&self, on: usize, after: usize, scene: &Scene) -> f32 {
        let scales = &self.turns[on];
        let ended = self.turns[after].outcome_for(scene, scales.viewer).unwrap_or(0.0);
        scales.standing(scene) + WON * ended
    }

    /// The same when the next seat has had its turn, too: it puts such a card down and makes the move that is best for it at once.
    fn after_next(&self, mut line: Line, on: usize, card: Card) -> f32 {
        let next = on + 1;
        let placed = self.put_down(&mut line, next, card);
        if let [(_, Some(step))] = *self.best_moves::<1>(&line, next, placed).found() {
            line.shift(self.turns[next].viewer, step);
        }
        self.seen(on, next, &line.scene)
    }

    /// C-08: puts the card on the free Node where it is best for the seat. The Node, if there is any.
    /// C-07: where no Node is free, on one that it explores, if it is likely to hold one.
    fn put_down(&self, line: &mut Line, on: usize, card: Card) -> Cells {
        let scales = &self.turns[on];
        let (scene, seat) = (&line.scene, scales.viewer);
        let near = beside(scene.control[seat]);
        let in_first_turn = usize::from(self.game.turn) + on < self.players;
        let free = scene.nodes & !scene.occupied() & if in_first_turn { Cells::MAX } else { near };
        let explores = free == 0 && scene.hands[seat][Card::NODE.index()] > HOLDS_NODE;
        let cells = if explores { near & self.game.playable() & !scene.nodes } else { free };
        let mut best = Best::<1>::new(line);
        for cell in each(cells) {
            let mut scene = scene.clone();
            scene.nodes |= only(cell);
            scene.put(cell, seat, card);
            best.offer(scales.standing(&scene), Some([cell, cell]));
        }
        let &[(_, Some([cell, _]))] = best.found() else { return 0 };
        if explores {
            line.scene.explore(cell, seat);
        }
        line.put(cell, seat, card);
        only(cell)
    }
}
