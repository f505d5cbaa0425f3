//! The policy of a network, without search.

use std::time::Instant;

use nodarium_env::rng::Purpose;
use nodarium_env::{Action, Game, Information, Mask, Rng};
use rayon::prelude::*;

use crate::network::softmax::masked_softmax;
use crate::{Agent, Evaluator, Query, Thought};

/// Positions that one task judges: what suits the caches.
const BLOCK: usize = 256;

/// Plays what an evaluator's policy says.
///
/// With perfect information that is the likeliest action. With hidden information it is a sample of the policy: there
/// a player who always does the likeliest thing can be read.
pub struct Policy<E> {
    evaluator: E,
    samples: bool,
    seed: u64,
}

/// What the network says about one position.
struct Answer {
    mask: Mask,
    shares: Vec<f32>,
    values: Vec<f32>,
}

impl<E: Evaluator> Policy<E> {
    /// The agent.
    ///
    /// # Panics
    /// When the evaluator is made for another game; a checkpoint that was loaded for these rules is not.
    pub fn new<G: Game>(rules: &G::Rules, evaluator: E, seed: u64) -> Self {
        let spec = G::spec(rules);
        let sees = [false, true].map(|insights| spec.layout(insights).len());
        assert!(sees.contains(&evaluator.observation()), "the evaluator sees what the game shows");
        let sizes = [evaluator.actions(), evaluator.seats()];
        assert_eq!(sizes, [spec.actions(), spec.seats], "the evaluator fits the game");
        Self { evaluator, samples: spec.information == Information::Hidden, seed }
    }

    /// The same, but it never draws.
    pub fn likeliest(self) -> Self {
        Self { samples: false, ..self }
    }

    fn answers<G: Game>(&self, queries: &[Query<'_, G>]) -> Vec<Answer> {
        queries.par_chunks(BLOCK).flat_map_iter(|queries| self.block(queries)).collect()
    }

    fn block<G: Game>(&self, queries: &[Query<'_, G>]) -> Vec<Answer> {
        let [width, actions, seats] =
            [self.evaluator.observation(), self.evaluator.actions(), self.evaluator.seats()];
        let mut observations = vec![0.0; queries.len() * width];
        let mut logits = vec![0.0; queries.len() * actions];
        let mut values = vec![0.0; queries.len() * seats];
        for (query, row) in queries.iter().zip(observations.chunks_exact_mut(width)) {
            let seat = query.game.to_move().expect("nobody asks about a game that is over");
            query.game.observe(seat, row);
        }
        self.evaluator.evaluate(&observations, &mut logits, &mut values);
        let rows = logits.chunks_exact(actions).zip(values.chunks_exact(seats));
        queries.iter().zip(rows).map(|(query, (logits, values))| answer(query.game, logits, values)).collect()
    }

    fn choose<G: Game>(&self, query: &Query<'_, G>, answer: &Answer) -> Action {
        let likeliest = answer.mask.iter().max_by(|a, b| {
            let share = |action: &Action| answer.shares[action.index()];
            // The first of equals, so that equal shares do not depend on their order in memory.
            share(a).total_cmp(&share(b)).then(b.cmp(a))
        });
        let likeliest = likeliest.expect("a game that goes on has a legal action");
        if !self.samples {
            return likeliest;
        }
        let mut rest = Rng::keyed(Purpose::Choice, self.seed, query.key, query.ply.into()).unit();
        let drawn = answer.mask.iter().find(|action| {
            rest -= answer.shares[action.index()];
            rest < 0.0
        });
        // Shares sum to 1 but for rounding; what rounding leaves over goes to the likeliest.
        drawn.unwrap_or(likeliest)
    }
}

fn answer<G: Game>(game: &G, logits: &[f32], values: &[f32]) -> Answer {
    let mut mask = Mask::EMPTY;
    game.legal(&mut mask);
    let mut shares = vec![0.0; logits.len()];
    masked_softmax(logits, &mask, &mut shares);
    // The evaluator tells the viewer's value first; a thought tells seat 0's first.
    let seat = game.to_move().map_or(0, |seat| seat.index());
    let mut values = values.to_vec();
    values.rotate_right(seat);
    Answer { mask, shares, values }
}

impl<G: Game, E: Evaluator> Agent<G> for Policy<E> {
    fn act(&mut self, queries: &[Query<'_, G>], actions: &mut Vec<Action>) {
        let answers = self.answers(queries);
        actions.clear();
        actions.extend(queries.iter().zip(&answers).map(|(query, answer)| self.choose(query, answer)));
    }

    fn think(&mut self, queries: &[Query<'_, G>], thoughts: &mut Vec<Thought>) {
        let start = Instant::now();
        let answers = self.answers(queries);
        let time = start.elapsed();
        thoughts.clear();
        thoughts.extend(answers.into_iter().map(|answer| Thought {
            policy: answer.mask.iter().map(|action| (action, answer.shares[action.index()])).collect(),
            value: answer.values,
            visits: Vec::new(),
            time,
        }));
    }
}
