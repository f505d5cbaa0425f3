//! The agent that plays what Gumbel AlphaZero search chooses.

use std::time::Instant;

use nodarium_env::{Action, Game};

use super::{BadSearch, Found, Options, Search};
use crate::{Agent, Evaluator, Query, Thought};

/// Plays what [`Search`] chooses with the judgement of `E`.
#[derive(Clone, Debug)]
pub struct Gumbel<G, E> {
    evaluator: E,
    search: Search<G>,
    found: Found,
}

impl<G: Game, E: Evaluator> Gumbel<G, E> {
    /// The agent; refuses an evaluator for another game.
    pub fn new(rules: &G::Rules, evaluator: E, options: Options) -> Result<Self, BadSearch> {
        let mut search = Search::new(rules, options)?;
        search.plan.sizes = search.plan.sizes.for_evaluator(&evaluator)?;
        Ok(Self { evaluator, search, found: Found::default() })
    }

    fn search(&mut self, queries: &[Query<'_, G>]) -> &Found {
        self.search
            .run(&self.evaluator, queries, &mut self.found)
            .expect("the evaluator was checked when the agent was made");
        &self.found
    }
}

impl<G: Game, E: Evaluator> Agent<G> for Gumbel<G, E> {
    fn act(&mut self, queries: &[Query<'_, G>], actions: &mut Vec<Action>) {
        actions.clear();
        actions.extend_from_slice(&self.search(queries).actions);
    }

    /// The time of a thought is its share of the whole batch's.
    fn think(&mut self, queries: &[Query<'_, G>], thoughts: &mut Vec<Thought>) {
        let start = Instant::now();
        let found = self.search(queries);
        let time = start.elapsed() / queries.len().max(1) as u32;
        let seats = found.values.len() / queries.len().max(1);
        thoughts.clear();
        thoughts.extend((0..queries.len()).map(|game| {
            let row = found.row(game);
            let policy =
                found.legal[row.clone()].iter().copied().zip(found.policy[row.clone()].iter().copied());
            Thought {
                policy: policy.collect(),
                value: found.values[game * seats..][..seats].to_vec(),
                visits: found.visits[row].to_vec(),
                time,
            }
        }));
    }
}
