//! Star Duel: Kurth against Enate, two players, hidden cards and simultaneous programming.
//!
//! The rules with all their rulings (D-01 to D-16), the tables of observation and actions, the notation and the form of
//! the data files are in `docs/starduel.md`.

mod actions;
mod board;
mod data;
mod draw;
mod notation;
mod observe;
mod options;
mod position;
mod rules;
mod state;

pub use data::{CARDS as BUILT_IN_CARDS, MAP as BUILT_IN_MAP};
pub use options::StarDuelRules;
pub use position::StarDuelPosition;
pub use state::StarDuel;

use actions::Step;

use crate::{Action, End, Game, Information, Mask, Rng, Seat, Spec, Symmetry};

/// The plies of a round at most: two programs, and in each turn an execution, an exhaustion and the two steps of a
/// move. `end` stands in for one that is left out, since a turn that has used them all ends by itself.
const LONGEST_ROUND: usize = 2 + 2 * 4;

impl Game for StarDuel {
    type Rules = StarDuelRules;

    fn spec(rules: &Self::Rules) -> Spec {
        let observation = observe::layout();
        let identity = Symmetry::identity(observation.len(), actions::ACTIONS, 2);
        // Everything is seen and named in one's own coordinates: the turn moves nothing but the seats.
        let half_turn = Symmetry { name: "half turn".to_owned(), seats: vec![1, 0], ..identity.clone() };
        let symmetries = if rules.tables.symmetric { vec![identity, half_turn] } else { vec![identity] };
        Spec {
            id: "starduel",
            version: 1,
            title: "Star Duel",
            seats: 2,
            information: Information::Hidden,
            action_groups: actions::groups(),
            insights: observation.clone(),
            observation,
            grid: None,
            longest_game: (rules.round_limit as usize).saturating_mul(LONGEST_ROUND),
            ends: state::ENDS.to_vec(),
            symmetries,
        }
    }

    fn deal(rules: &Self::Rules, rng: &mut Rng) -> Self {
        Self::set_up(rules, rng)
    }

    #[inline]
    fn to_move(&self) -> Option<Seat> {
        self.seat_to_act().map(|seat| Seat(seat as u8))
    }

    #[inline]
    fn legal(&self, mask: &mut Mask) {
        mask.clear();
        mask.insert_bits(0, self.legal[0]);
        mask.insert_bits(64, self.legal[1]);
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        self.step(Step::of(action.index()));
    }

    fn returns(&self, out: &mut [f32]) {
        out.fill(0.0);
        if let Some(winner) = self.outcome.and_then(|outcome| outcome.winner) {
            out[winner] = 1.0;
            out[1 - winner] = -1.0;
        }
    }

    fn end(&self) -> Option<End> {
        self.outcome.map(|outcome| End(outcome.end))
    }

    #[inline]
    fn observe(&self, seat: Seat, out: &mut [f32]) {
        self.write_view(seat.index(), out);
    }

    fn redeal_hidden(&mut self, seat: Seat, rng: &mut Rng) {
        self.redeal(seat.index(), rng);
    }

    fn transform(&self, symmetry: usize) -> Self {
        match symmetry {
            0 => self.clone(),
            1 if self.tables.symmetric => self.half_turn(),
            _ => panic!("these rules have no symmetry {symmetry}"),
        }
    }
}
