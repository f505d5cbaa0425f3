//! Node by Jeffrey Shuter: two players build networks of nodes and branches on a diamond of 13 resource squares.
//! The rules, with the rulings that the comments name (S-01 …), are on the page `env/docs/shuter.md`.

mod actions;
mod draw;
mod geometry;
mod insight;
pub mod judgement;
mod line;
mod notation;
mod observe;
mod options;
mod pieces;
mod rules;
mod series;
mod symmetry;

pub use line::{BadLine, parse_line, parse_line_move, write_line, write_line_move};
pub use notation::ShuterPosition;
pub use options::{Colour, Layout as FixedLayout, ShuterRules, Square, Variant};
pub use rules::Shuter;
pub use series::{Series, SeriesLength};

use std::sync::Arc;

use crate::{Action, End, Game, Information, Mask, Rng, Seat, Spec};

impl Game for Shuter {
    type Rules = ShuterRules;

    fn spec(rules: &ShuterRules) -> Spec {
        Spec {
            id: "shuter",
            version: 3,
            title: "Node by Jeffrey Shuter",
            seats: 2,
            information: Information::Perfect,
            action_groups: actions::groups(rules.variant == Variant::Advanced),
            observation: observe::layout(),
            insights: observe::insights(),
            grid: Some(Arc::new(observe::grid())),
            longest_game: rules::longest_game(rules),
            ends: vec!["ten points", "stalemate"],
            symmetries: (0..symmetry::SYMMETRIES)
                .map(|number| symmetry::Transform::new(number).symmetry(rules.variant))
                .collect(),
        }
    }

    /// Which actions are the best ones as far as counting tells. Where ten points lose, nothing is counted.
    fn advice(rules: &ShuterRules) -> Vec<(usize, Action)> {
        let first = observe::layout().len();
        let actions = if rules.variant == Variant::Advanced { 0 } else { actions::END + 1 };
        (0..actions).map(|action| (first + insight::best(action), Action(action as u16))).collect()
    }

    fn deal(rules: &ShuterRules, rng: &mut Rng) -> Self {
        rules::deal(rules, rng)
    }

    #[inline]
    fn to_move(&self) -> Option<Seat> {
        self.to_move
    }

    #[inline]
    fn legal(&self, mask: &mut Mask) {
        self.legal_actions(mask);
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        self.play(action);
    }

    fn returns(&self, out: &mut [f32]) {
        out.fill(0.0);
        if let Some(winner) = self.winner() {
            out[winner] = 1.0;
            out[1 - winner] = -1.0;
        }
    }

    fn end(&self) -> Option<End> {
        self.reason()
    }

    #[inline]
    fn observe(&self, seat: Seat, out: &mut [f32]) {
        observe::write(self, seat, out);
    }

    fn redeal_hidden(&mut self, _seat: Seat, _rng: &mut Rng) {}

    fn transform(&self, symmetry: usize) -> Self {
        self.transformed(&symmetry::Transform::new(symmetry))
    }
}
