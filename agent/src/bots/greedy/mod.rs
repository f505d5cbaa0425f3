//! `greedy`: a hand-made judgement of what each action leads to, one file a game.

mod appraiser;
mod colony;
mod connect_four;
mod diamond;
mod kato;
mod poker;
mod shuter;
mod starduel;
mod tictactoe;
mod view;

use nodarium_env::rng::Purpose;
use nodarium_env::{Action, Game, Information, Mask, Rng, Seat};
use rayon::prelude::*;

pub(super) use appraiser::Appraiser;
pub use appraiser::Quick;
pub use view::View;

use super::rollout::MAX_SEATS;
use crate::{Agent, Query, Thought};

/// How good a state looks to the viewer; higher is better.
pub type Judgement = fn(&View<'_>) -> f32;

/// A game that can be judged at a glance.
///
/// The judgement reads the observation by its field names and nothing else, so that it cannot peek. Where a game also
/// offers a quick one ([`QUICK`](Self::QUICK)), a test holds it against that.
pub trait Greedy: Game {
    /// What a return of 1 is worth beside the judgement of a game that goes on.
    const WON: f32 = 1e6;

    /// In how many worlds an action is judged where something is hidden.
    const WORLDS: usize = 1;

    /// How many turns of a seat a rollout plays as `greedy` would before it is judged, the one under way first: where a turn has
    /// several plies, states in its middle cannot be compared with states at its end.
    const SETTLED_TURNS: u32 = 0;

    /// A way to the same judgement without an observation, where there is a quicker one. It reads nothing that the
    /// observation does not show.
    const QUICK: Option<Quick<Self>> = None;

    /// How good the state looks to the viewer; higher is better. The game goes on.
    fn appraise(view: &View<'_>) -> f32;

    /// Where random play to the end says little about a state, the plies after which a rollout of `uct` is judged instead.
    fn judged_after(_rules: &Self::Rules) -> Option<u32> {
        None
    }

    /// The judgement under these rules, where some of them turn the goal around.
    fn judgement(_rules: &Self::Rules) -> Judgement {
        Self::appraise
    }

    /// Whether the viewer is in the middle of a move (a card is chosen, its cell is not): such a state is worth what its
    /// best continuation is.
    fn unfinished(_view: &View<'_>) -> bool {
        false
    }
}

/// Plays the action that leads to the state that looks best; of several, each with the same probability. With hidden
/// information it looks at worlds re-dealt for the seat that asks.
#[derive(Clone, Debug)]
pub struct GreedyBot<G> {
    seed: u64,
    seats: usize,
    information: Information,
    appraiser: Appraiser<G>,
}

impl<G: Greedy> GreedyBot<G> {
    /// The bot; the same seed plays the same games.
    pub fn new(rules: &G::Rules, seed: u64) -> Self {
        let spec = G::spec(rules);
        let appraiser = Appraiser::new(rules);
        Self { seed, seats: spec.seats, information: spec.information, appraiser }
    }

    /// The legal actions with their worth.
    fn judge(&self, query: &Query<'_, G>) -> Vec<(Action, f32)> {
        let viewer = query.game.to_move().expect("nobody asks about a game that is over");
        let mut rng = Rng::keyed(Purpose::World, self.seed, query.key, query.ply.into());
        let mut mask = Mask::EMPTY;
        query.game.legal(&mut mask);
        let mut judged: Vec<(Action, f32)> = mask.iter().map(|action| (action, 0.0)).collect();
        let mut numbers = vec![0.0; self.appraiser.room()];
        let worlds = if self.information == Information::Perfect { 1 } else { G::WORLDS };
        for _ in 0..worlds {
            let mut world = query.game.clone();
            world.redeal_hidden(viewer, &mut rng);
            for (action, worth) in &mut judged {
                let mut next = world.clone();
                next.apply(*action);
                *worth += self.worth(&next, viewer, &mut numbers) / worlds as f32;
            }
        }
        judged
    }

    /// What a state is worth to the viewer.
    fn worth(&self, game: &G, viewer: Seat, numbers: &mut [f32]) -> f32 {
        if game.to_move().is_none() {
            let mut returns = [0.0; MAX_SEATS];
            game.returns(&mut returns[..self.seats]);
            return returns[viewer.index()] * G::WON;
        }
        if let Some(worth) = self.appraiser.appraise_finished(game, viewer, numbers) {
            return worth;
        }
        let mut mask = Mask::EMPTY;
        game.legal(&mut mask);
        let continuations = mask.iter().map(|action| {
            let mut next = game.clone();
            next.apply(action);
            self.worth(&next, viewer, numbers)
        });
        continuations.fold(f32::NEG_INFINITY, f32::max)
    }
}

/// The actions of the highest worth.
fn best(judged: &[(Action, f32)]) -> Vec<Action> {
    // Sums of the same parts in another order may differ in the last bits.
    const ALIKE: f32 = 1e-4;
    let highest = judged.iter().map(|&(_, worth)| worth).fold(f32::NEG_INFINITY, f32::max);
    judged.iter().filter(|&&(_, worth)| worth >= highest - ALIKE).map(|&(action, _)| action).collect()
}

impl<G: Greedy> Agent<G> for GreedyBot<G> {
    fn act(&mut self, queries: &[Query<'_, G>], actions: &mut Vec<Action>) {
        let answer = |query: &Query<'_, G>| {
            let best = best(&self.judge(query));
            let mut rng = Rng::keyed(Purpose::Choice, self.seed, query.key, query.ply.into());
            best[rng.below(best.len() as u32) as usize]
        };
        queries.par_iter().with_max_len(16).map(answer).collect_into_vec(actions);
    }

    fn think(&mut self, queries: &[Query<'_, G>], thoughts: &mut Vec<Thought>) {
        let answer = |query: &Query<'_, G>| {
            let judged = self.judge(query);
            let best = best(&judged);
            let share = 1.0 / best.len() as f32;
            let share_of = |action| if best.contains(&action) { share } else { 0.0 };
            let policy = judged.iter().map(|&(action, _)| (action, share_of(action))).collect();
            Thought { policy, ..Thought::default() }
        };
        queries.par_iter().with_max_len(16).map(answer).collect_into_vec(thoughts);
    }
}
