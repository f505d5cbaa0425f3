//! The plans of a turn with what can be counted behind each of them: what the weights of the odds are found by
//! (`train/examples/judge_colony`). With three and four players and straight lines, where there are odds.

use super::super::cards::Card;
use super::super::state::{Colony, NONE};
use super::ahead::Ahead;
use super::chance::Chances;
use super::counts::Counts;
use super::prospect::Prospect;
use super::shortlist::Plan;
use super::weigh::{CHANCES, Scales};
use super::weights::Weights;
use super::{Fields, layout};
use crate::{Game, Layout};

/// A way through a whole turn.
#[derive(Clone, Debug)]
pub struct Planned {
    plan: Plan,
    /// How likely the player is to win behind it, as far as it looks: by the odds, with the worth of the table beside them.
    pub chance: f32,
    /// What can be counted of every seat behind it.
    pub counts: Counts,
}

impl Planned {
    /// Plays it in a game whose turn has just begun, to the end of the turn.
    pub fn play(&self, game: &mut Colony) {
        let turn = game.turn;
        while game.over.is_none() && game.turn == turn {
            game.apply(self.plan.first(game.phase));
        }
    }
}

impl Colony {
    /// The plans that look best to the player whose turn has just begun, by odds with these weights: the best first, and of those
    /// behind which everything counts the same one.
    pub fn plans(&self, weights: &'static Weights) -> Vec<Planned> {
        let viewer = self.actor();
        let chances = Chances::by(weights, self, viewer);
        let by_nodes = Scales::new(self, viewer, 0, None);
        let prospect = Prospect::with_chances(self, viewer, Some(chances.clone()));
        let mut unwritten = vec![0.0; layout(Layout::default()).len()];
        let (_, list) = self.write_glance(&prospect, &mut Fields::new(&mut unwritten));
        let ahead = Ahead::new(&prospect);
        let planned = |plan: &Plan| {
            let scene = ahead.played(plan).scene;
            let worth = prospect.scales.weigh(&scene, NONE, true).worth - prospect.spent(plan);
            let held = by_nodes.held_node() * scene.hands[viewer][Card::NODE.index()];
            let counts = chances.counts(&scene, by_nodes.weigh(&scene, NONE, false).worth + held);
            Planned { plan: *plan, chance: 1.0 / (1.0 + (-worth / CHANCES).exp()), counts }
        };
        let mut plans: Vec<Planned> = list.plans().map(planned).collect();
        plans.sort_by(|one, other| other.chance.total_cmp(&one.chance));
        plans.dedup_by(|one, other| one.counts == other.counts);
        plans
    }
}
