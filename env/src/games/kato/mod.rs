//! Node, by Kanare Kato: a connection game on a hexagon of hexes. Anchors go on the rim, nodes where the lines of
//! two anchors cross; who connects two opposite sides, or three that do not touch, wins. The page is
//! `env/docs/kato.md`.

mod actions;
mod cells;
mod draw;
mod geometry;
mod insight;
mod notation;
mod observe;
mod rules;
#[cfg(test)]
mod tests;
mod ways;

pub use notation::KatoPosition;
pub use rules::{Kato, KatoRules};
pub use ways::Ways;

use std::sync::Arc;

use crate::{Action, End, Game, Information, Mask, Rng, Seat, Spec, Symmetry};
use actions::Play;
use geometry::{Board, SYMMETRIES};

impl Game for Kato {
    type Rules = KatoRules;

    fn spec(rules: &Self::Rules) -> Spec {
        let board = Board::of(usize::from(rules.size));
        let action_groups = actions::groups(rules, board);
        let observation = observe::layout(board);
        let insights = insight::layout(board, observation.clone());
        let others = board.cells..board.cells + 1 + usize::from(rules.swap);
        let symmetry = |number| {
            let cells: Vec<usize> = (0..board.cells).map(|cell| board.image(number, cell)).collect();
            Symmetry {
                name: geometry::symmetry_name(number),
                observation: Symmetry::of_layout(&insights, |field| {
                    (field.range.len() == board.cells).then(|| cells.clone())
                }),
                actions: cells.iter().copied().chain(others.clone()).map(|i| i as u16).collect(),
                seats: vec![0, 1],
            }
        };
        let symmetries = (0..SYMMETRIES).map(symmetry).collect();
        Spec {
            id: "kato",
            version: 2,
            title: "Node by Kanare Kato",
            seats: 2,
            information: Information::Perfect,
            action_groups,
            // A ply a piece, a skip before every node, a swap.
            longest_game: board.cells + board.inner.count() as usize + usize::from(rules.swap),
            ends: vec!["opposite sides", "three sides"],
            symmetries,
            grid: Some(Arc::new(observe::grid(board, &insights))),
            observation,
            insights,
        }
    }

    fn deal(rules: &Self::Rules, _rng: &mut Rng) -> Self {
        Self::start(rules)
    }

    #[inline]
    fn to_move(&self) -> Option<Seat> {
        self.to_act()
    }

    #[inline]
    fn legal(&self, mask: &mut Mask) {
        actions::legal(self, mask);
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        self.play(Play::of(self.board, action));
    }

    fn returns(&self, out: &mut [f32]) {
        out.fill(0.0);
        if self.end.is_some() {
            let winner = usize::from(self.seat);
            out[winner] = 1.0;
            out[1 - winner] = -1.0;
        }
    }

    #[inline]
    fn end(&self) -> Option<End> {
        self.end
    }

    #[inline]
    fn observe(&self, seat: Seat, out: &mut [f32]) {
        let (plain, insights) = out.split_at_mut(observe::len(self.board));
        observe::observe(self, seat, plain);
        if !insights.is_empty() {
            insight::write(self, seat, insights);
        }
    }

    fn redeal_hidden(&mut self, _seat: Seat, _rng: &mut Rng) {}

    fn transform(&self, symmetry: usize) -> Self {
        assert!(symmetry < SYMMETRIES, "there is no symmetry {symmetry}");
        let image = |cell: usize| self.board.image(symmetry, cell);
        let pieces = self.pieces.map(|cells| cells.iter().map(image).collect());
        let anchor = self.anchor.map(|cell| image(usize::from(cell)) as u8);
        self.with_pieces(pieces, anchor)
    }
}
