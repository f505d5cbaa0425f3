//! `random`: every legal action with the same probability.

use nodarium_env::rng::Purpose;
use nodarium_env::{Action, Game, Mask, Rng, random_action};

use crate::{Agent, Query, Thought};

/// Plays every legal action with the same probability.
#[derive(Clone, Debug)]
pub struct Random {
    seed: u64,
}

impl Random {
    /// The bot; the same seed plays the same games.
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }
}

impl<G: Game> Agent<G> for Random {
    fn act(&mut self, queries: &[Query<'_, G>], actions: &mut Vec<Action>) {
        actions.clear();
        actions.extend(queries.iter().map(|query| {
            let mut rng = Rng::keyed(Purpose::Choice, self.seed, query.key, query.ply.into());
            random_action(query.game, &mut rng).expect("nobody asks about a game that is over")
        }));
    }

    fn think(&mut self, queries: &[Query<'_, G>], thoughts: &mut Vec<Thought>) {
        thoughts.clear();
        thoughts.extend(queries.iter().map(|query| {
            let mut mask = Mask::EMPTY;
            query.game.legal(&mut mask);
            let share = 1.0 / mask.count() as f32;
            Thought { policy: mask.iter().map(|action| (action, share)).collect(), ..Thought::default() }
        }));
    }
}
