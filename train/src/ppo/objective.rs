//! The loss of a decision, and how it changes with what the network says.
//!
//! With `p` the policy now, `q` the policy that decided, `m` the magnet, `a` the action, `A` its advantage:
//!
//! ```text
//! r      = p(a) / q(a)
//! policy = −min(r A, clip(r, 1 − ε, 1 + ε) A)
//! loss   = policy − entropy · H(p) + magnet · KL(p ‖ m) + value_weight · ½ Σ ((v − target) / u)²
//! ```
//!
//! `u` is the largest return of the game. Without it values in chips would outweigh the policy by the square of that: in
//! Leduc poker, where one wins up to 13, policies then hardly move.

use nodarium_agent::network::softmax::{masked_log_softmax, masked_softmax};
use nodarium_env::Mask;

use crate::descent::Objective;

/// A decision to learn from.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'a> {
    /// What the seat saw.
    pub observation: &'a [f32],
    /// What it could do.
    pub legal: &'a Mask,
    /// What it did.
    pub action: usize,
    /// The logarithm of the share that the policy gave it then.
    pub log_share: f32,
    /// How much better than expected it went, in units of the whole batch's spread; `None` teaches values alone.
    pub advantage: Option<f32>,
    /// What the network expected then: the viewer's value first.
    pub values: &'a [f32],
    /// What it should have expected; not a number where nothing is known.
    pub targets: &'a [f32],
    /// The logits of the magnet; empty without one.
    pub magnet: &'a [f32],
}

/// The weights of the loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// How far a share may move.
    pub clip: f32,
    /// The largest return: values are counted in this unit.
    pub value_unit: f32,
    /// How far a value may move, in that unit; 0 does not clip.
    pub value_clip: f32,
    /// The weight of the value loss.
    pub value_weight: f32,
    /// The weight of the entropy.
    pub entropy: f32,
    /// The weight of the distance to the magnet.
    pub magnet: f32,
}

/// What a batch tells, summed over its decisions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// Decisions with an advantage.
    pub decisions: f64,
    /// The clipped loss of the policy.
    pub policy: f64,
    /// Values with a target.
    pub values: f64,
    /// Half the squared error of those, in units of the largest return.
    pub value: f64,
    /// Entropy of the policy.
    pub entropy: f64,
    /// Distance to the magnet.
    pub magnet: f64,
    /// Distance to the policy that decided, by Schulman's estimate `r − 1 − ln r`, which is never negative.
    pub moved: f64,
    /// Decisions whose gain was clipped.
    pub clipped: f64,
}

/// A batch of decisions and what to make of them.
pub struct PpoObjective<'a, F> {
    /// The decision of each row.
    pub decision: F,
    /// The weights of the loss.
    pub terms: &'a Terms,
}

impl<'a, F: Fn(usize) -> Decision<'a> + Sync> Objective for PpoObjective<'_, F> {
    type Sums = Sums;

    fn observe(&self, row: usize, observation: &mut [f32]) {
        observation.copy_from_slice((self.decision)(row).observation);
    }

    fn row(
        &self,
        row: usize,
        logits: &[f32],
        values: &[f32],
        by_logits: &mut [f32],
        by_values: &mut [f32],
        sums: &mut Sums,
    ) {
        let decision = (self.decision)(row);
        value_loss(&decision, self.terms, values, by_values, sums);
        if let Some(advantage) = decision.advantage {
            policy_loss(&decision, advantage, self.terms, logits, by_logits, sums);
        }
    }

    fn add(into: &mut Sums, more: Sums) {
        into.decisions += more.decisions;
        into.policy += more.policy;
        into.values += more.values;
        into.value += more.value;
        into.entropy += more.entropy;
        into.magnet += more.magnet;
        into.moved += more.moved;
        into.clipped += more.clipped;
    }
}

fn value_loss(
    decision: &Decision<'_>,
    terms: &Terms,
    values: &[f32],
    by_values: &mut [f32],
    sums: &mut Sums,
) {
    let rows = values.iter().zip(decision.targets).zip(decision.values);
    for (((&value, &target), &before), by_value) in rows.zip(by_values) {
        if target.is_nan() {
            continue;
        }
        let (value, target, before) =
            (value / terms.value_unit, target / terms.value_unit, before / terms.value_unit);
        let error = value - target;
        let clipped = if terms.value_clip > 0.0 {
            before + (value - before).clamp(-terms.value_clip, terms.value_clip) - target
        } else {
            error
        };
        // The worse of the two counts; a clipped value that is the worse one cannot be moved.
        let (loss, slope) =
            if clipped * clipped > error * error { (clipped * clipped, 0.0) } else { (error * error, error) };
        sums.values += 1.0;
        sums.value += f64::from(0.5 * loss);
        *by_value = terms.value_weight * slope / terms.value_unit;
    }
}

fn policy_loss(
    decision: &Decision<'_>,
    advantage: f32,
    terms: &Terms,
    logits: &[f32],
    by_logits: &mut [f32],
    sums: &mut Sums,
) {
    let mut shares = [0.0; nodarium_env::MAX_ACTIONS];
    let mut logs = [0.0; nodarium_env::MAX_ACTIONS];
    let (shares, logs) = (&mut shares[..logits.len()], &mut logs[..logits.len()]);
    masked_softmax(logits, decision.legal, shares);
    masked_log_softmax(logits, decision.legal, logs);
    let moved = logs[decision.action] - decision.log_share;
    let ratio = moved.exp();
    let limited = ratio.clamp(1.0 - terms.clip, 1.0 + terms.clip);
    let (free, held) = (ratio * advantage, limited * advantage);
    let is_held = held < free;
    sums.decisions += 1.0;
    sums.policy -= f64::from(free.min(held));
    sums.moved += f64::from(ratio - 1.0 - moved);
    sums.clipped += f64::from(u8::from(is_held));
    // d ratio / d logit_k = ratio · ([k = a] − p_k)
    let pull = if is_held { 0.0 } else { -advantage * ratio };
    let entropy = -decision.legal.iter().map(|k| shares[k.index()] * logs[k.index()]).sum::<f32>();
    sums.entropy += f64::from(entropy);
    for k in decision.legal.iter().map(nodarium_env::Action::index) {
        let chosen = f32::from(u8::from(k == decision.action));
        by_logits[k] = pull * (chosen - shares[k]) + terms.entropy * shares[k] * (logs[k] + entropy);
    }
    if !decision.magnet.is_empty() {
        let mut magnet = [0.0; nodarium_env::MAX_ACTIONS];
        let magnet = &mut magnet[..logits.len()];
        masked_log_softmax(decision.magnet, decision.legal, magnet);
        let away = |k: usize| logs[k] - magnet[k];
        let legal = || decision.legal.iter().map(nodarium_env::Action::index);
        let distance: f32 = legal().map(|k| shares[k] * away(k)).sum();
        sums.magnet += f64::from(distance);
        for k in legal() {
            by_logits[k] += terms.magnet * shares[k] * (away(k) - distance);
        }
    }
}

#[cfg(test)]
mod tests {
    use nodarium_env::Action;

    use super::*;

    const TERMS: Terms =
        Terms { clip: 0.2, value_unit: 1.5, value_clip: 0.0, value_weight: 0.7, entropy: 0.05, magnet: 0.3 };

    /// The whole loss of a decision and its derivatives.
    fn loss(
        decision: Decision<'_>,
        terms: &Terms,
        logits: &[f32],
        values: &[f32],
    ) -> (f64, Vec<f32>, Vec<f32>) {
        let objective = PpoObjective { decision: |_| decision, terms };
        let (mut by_logits, mut by_values) = (vec![0.0; logits.len()], vec![0.0; values.len()]);
        let mut sums = Sums::default();
        objective.row(0, logits, values, &mut by_logits, &mut by_values, &mut sums);
        let weigh = |weight: f32, sum: f64| f64::from(weight) * sum;
        let loss = sums.policy - weigh(terms.entropy, sums.entropy)
            + weigh(terms.magnet, sums.magnet)
            + weigh(terms.value_weight, sums.value);
        (loss, by_logits, by_values)
    }

    #[test]
    fn derivatives_are_those_of_finite_differences() {
        let legal: Mask = [0, 1, 3].map(Action).into_iter().collect();
        let logits = [0.3, -0.5, 9.0, 1.1];
        let values = [0.4, -0.2];
        for (advantage, log_share) in [(0.8, -0.9), (-1.3, -0.9), (2.0, -3.0), (-2.0, -0.1), (1.0, -0.1)] {
            let decision = Decision {
                observation: &[],
                legal: &legal,
                action: 3,
                log_share,
                advantage: Some(advantage),
                values: &[0.0, 0.0],
                targets: &[1.0, f32::NAN],
                magnet: &[1.0, 0.5, 2.0, -0.3],
            };
            let (_, by_logits, by_values) = loss(decision, &TERMS, &logits, &values);
            let step = 1e-3;
            let slope = |change: &dyn Fn(f32) -> (Vec<f32>, Vec<f32>)| {
                let at = |h| {
                    let (logits, values) = change(h);
                    loss(decision, &TERMS, &logits, &values).0
                };
                (at(step) - at(-step)) / f64::from(2.0 * step)
            };
            for k in 0..4 {
                let moved = |h| {
                    let mut logits = logits.to_vec();
                    logits[k] += h;
                    (logits, values.to_vec())
                };
                let (found, expected) = (f64::from(by_logits[k]), slope(&moved));
                assert!((found - expected).abs() < 2e-3, "logit {k}: {found} {expected}");
            }
            for j in 0..2 {
                let moved = |h| {
                    let mut values = values.to_vec();
                    values[j] += h;
                    (logits.to_vec(), values)
                };
                let (found, expected) = (f64::from(by_values[j]), slope(&moved));
                assert!((found - expected).abs() < 2e-3, "value {j}: {found} {expected}");
            }
            assert_eq!(by_logits[2], 0.0, "nothing flows into what is illegal");
        }
    }

    #[test]
    fn a_gain_beyond_the_clip_pulls_no_further_and_a_loss_does() {
        let legal: Mask = [0, 1].map(Action).into_iter().collect();
        let terms = Terms { entropy: 0.0, magnet: 0.0, ..TERMS };
        let at = |advantage, log_share| {
            let decision = Decision {
                observation: &[],
                legal: &legal,
                action: 0,
                log_share,
                advantage: Some(advantage),
                values: &[0.0],
                targets: &[f32::NAN],
                magnet: &[],
            };
            loss(decision, &terms, &[0.0, 0.0], &[0.0]).1[0]
        };
        let half = 0.5_f32.ln();
        assert!(at(1.0, half) < 0.0, "a gain pulls up");
        assert_eq!(at(1.0, half - 0.5), 0.0, "it has risen by e^0.5 already");
        assert!(at(-1.0, half - 0.5) > 0.0, "what turned out bad is still pushed down");
        assert_eq!(at(-1.0, half + 0.5), 0.0, "it has fallen enough");
    }

    #[test]
    fn a_value_that_was_clipped_stays_where_it_is() {
        let legal: Mask = [0].map(Action).into_iter().collect();
        let terms = Terms { value_clip: 0.1, ..TERMS };
        let decision = Decision {
            observation: &[],
            legal: &legal,
            action: 0,
            log_share: 0.0,
            advantage: None,
            values: &[0.0],
            targets: &[1.0],
            magnet: &[],
        };
        assert_eq!(loss(decision, &terms, &[0.0], &[0.5]).2, [0.0], "moved up by more than 0.1 already");
        assert!(loss(decision, &terms, &[0.0], &[0.05]).2[0] < 0.0);
        assert!(loss(decision, &terms, &[0.0], &[-0.5]).2[0] < 0.0, "moved the wrong way: comes back");
    }
}
