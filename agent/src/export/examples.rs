//! Positions with what the network says about them, so that a frontend can test itself.

use nodarium_env::record::legal_moves;
use nodarium_env::rng::Purpose;
use nodarium_env::{Action, Mask, Rng, Text, random_action};
use serde::Serialize;
use serde_json::Value;

use super::ILLEGAL_LOGIT;
use crate::Evaluator;
use crate::network::softmax::masked_softmax;

/// One position and what is to come out of it.
#[derive(Clone, Debug, Serialize)]
pub struct Example {
    /// The seat to act, from whose side all of this is.
    pub seat: u8,
    /// The position as a record has it: a frontend can test its own encoding of it against `observation`.
    pub state: Value,
    /// The text of every legal move, in the order of `legal`.
    pub moves: Vec<String>,
    /// The indices of the legal actions: `mask` is true there and nowhere else.
    pub legal: Vec<u16>,
    /// The input.
    pub observation: Vec<f32>,
    /// The masked logits.
    pub logits: Vec<f32>,
    /// The shares.
    pub policy: Vec<f32>,
    /// The expected returns: the viewer's, then the others' in the order of play.
    pub value: Vec<f32>,
    /// The index of the likeliest action, the first of equals.
    pub best: u16,
}

/// States of random play, each from another game, at any moment of it.
pub(super) fn positions<G: Text>(rules: &G::Rules, seed: u64, count: usize) -> Vec<G> {
    let draw = |index| {
        let mut states = vec![G::deal(rules, &mut Rng::keyed(Purpose::Deal, seed, index, 0))];
        let mut choices = Rng::keyed(Purpose::Choice, seed, index, 0);
        while let Some(action) = random_action(&states[states.len() - 1], &mut choices) {
            let mut next = states[states.len() - 1].clone();
            next.apply(action);
            states.push(next);
        }
        // The last one is over, and nobody is asked about it.
        let moment = choices.below(states.len() as u32 - 1);
        states.swap_remove(moment as usize)
    };
    (0..count as u64).map(draw).collect()
}

/// What an evaluator says about the states.
pub(super) fn examples<G: Text>(states: &[G], evaluator: &impl Evaluator) -> Vec<Example> {
    states.iter().map(|state| example(state, evaluator)).collect()
}

fn example<G: Text>(state: &G, evaluator: &impl Evaluator) -> Example {
    let seat = state.to_move().expect("a state that goes on");
    let mut mask = Mask::EMPTY;
    state.legal(&mut mask);
    let mut observation = vec![0.0; evaluator.observation()];
    let mut logits = vec![0.0; evaluator.actions()];
    let mut policy = vec![0.0; evaluator.actions()];
    let mut value = vec![0.0; evaluator.seats()];
    state.observe(seat, &mut observation);
    evaluator.evaluate(&observation, &mut logits, &mut value);
    masked_softmax(&logits, &mask, &mut policy);
    for (index, logit) in logits.iter_mut().enumerate() {
        if !mask.contains(Action(index as u16)) {
            *logit = ILLEGAL_LOGIT;
        }
    }
    let best = mask.iter().max_by(|a, b| policy[a.index()].total_cmp(&policy[b.index()]).then(b.cmp(a)));
    Example {
        seat: seat.0,
        state: serde_json::to_value(state.position()).expect("a position can be written as JSON"),
        moves: legal_moves(state),
        legal: mask.iter().map(|action| action.0).collect(),
        observation,
        logits,
        policy,
        value,
        best: best.expect("a state that goes on has a legal action").0,
    }
}
