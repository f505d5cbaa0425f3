//! Adam (Kingma, Ba 2015), with decay apart from the gradient (Loshchilov, Hutter 2019).

use nodarium_agent::network::Weights;

/// How fast the mean of the gradient forgets.
const BETA_1: f32 = 0.9;
/// How fast the mean of its square forgets.
const BETA_2: f32 = 0.999;
/// Keeps weights still whose gradient has always been 0.
const EPSILON: f32 = 1e-8;

/// What Adam remembers.
///
/// Our own few lines and not Burn's: moments are in the form of the weights, so that a checkpoint holds them as it holds
/// weights, and one pass over memory does what a dozen tensor operations would.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// Steps made.
    pub steps: u64,
    /// The mean of the gradient.
    pub mean: Weights,
    /// The mean of its square.
    pub square: Weights,
}

impl Adam {
    /// Nothing remembered yet, for weights of this form.
    pub fn new(weights: &Weights) -> Self {
        let zeros = || {
            Weights::zeros(*weights.config(), weights.shape().clone())
                .expect("weights of these sizes are there already")
        };
        Self { steps: 0, mean: zeros(), square: zeros() }
    }

    /// Moves the weights against the gradient. `decay` draws matrices, not biases, towards 0 by that share of the rate.
    pub fn step(&mut self, weights: &mut Weights, gradient: &Weights, scale: f32, rate: f32, decay: f32) {
        self.steps += 1;
        // In double precision: after some thousand steps the powers are too close to 0 for single.
        let corrected = |beta: f32| 1.0 - f64::from(beta).powf(self.steps as f64);
        let rate_1 = (f64::from(rate) / corrected(BETA_1)) as f32;
        let correct_2 = (1.0 / corrected(BETA_2)) as f32;
        let tensors = weights.tensors_mut().into_iter().zip(gradient.tensors());
        let moments = self.mean.tensors_mut().into_iter().zip(self.square.tensors_mut());
        for (((_, dims, weights), (.., gradient)), ((.., mean), (.., square))) in tensors.zip(moments) {
            let keep = if dims.len() > 1 { 1.0 - rate * decay } else { 1.0 };
            let rows = weights.iter_mut().zip(gradient).zip(mean.iter_mut().zip(square.iter_mut()));
            for ((weight, &gradient), (mean, square)) in rows {
                let gradient = gradient * scale;
                *mean = BETA_1 * *mean + (1.0 - BETA_1) * gradient;
                *square = BETA_2 * *square + (1.0 - BETA_2) * gradient * gradient;
                *weight = *weight * keep - rate_1 * *mean / ((*square * correct_2).sqrt() + EPSILON);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use nodarium_agent::network::{NetworkConfig, Shape};

    use super::*;

    fn filled(number: f32) -> Weights {
        let config = NetworkConfig { width: 2, layers: 1, ..NetworkConfig::default() };
        let mut weights =
            Weights::zeros(config, Shape { observation: 1, insights: 1, actions: 1, seats: 1, grid: None })
                .unwrap();
        weights.tensors_mut().into_iter().for_each(|(.., numbers)| numbers.fill(number));
        weights
    }

    #[test]
    fn the_first_step_is_as_long_as_the_rate_whatever_the_gradient() {
        for gradient in [1e-3, 1.0, -50.0] {
            let mut weights = filled(1.0);
            Adam::new(&weights).step(&mut weights, &filled(gradient), 1.0, 0.01, 0.0);
            let expected = 1.0 - 0.01 * gradient.signum();
            assert!((weights.policy.weight[0] - expected).abs() < 1e-5, "{}", weights.policy.weight[0]);
        }
    }

    #[test]
    fn three_steps_follow_the_paper() {
        let (mut weights, mut adam) = (filled(0.5), Adam::new(&filled(0.0)));
        let (mut m, mut v, mut w) = (0.0_f64, 0.0_f64, 0.5_f64);
        for (t, g) in [(1, 0.3_f64), (2, -0.1), (3, 0.7)] {
            adam.step(&mut weights, &filled(2.0 * g as f32), 0.5, 0.1, 0.0);
            (m, v) = (0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g);
            let (m_hat, v_hat) = (m / (1.0 - 0.9_f64.powi(t)), v / (1.0 - 0.999_f64.powi(t)));
            w -= 0.1 * m_hat / (v_hat.sqrt() + 1e-8);
        }
        assert!(
            (f64::from(weights.torso[0].weight[1]) - w).abs() < 1e-5,
            "{} {w}",
            weights.torso[0].weight[1]
        );
    }

    #[test]
    fn decay_shrinks_matrices_and_leaves_biases() {
        let mut weights = filled(1.0);
        Adam::new(&weights).step(&mut weights, &filled(0.0), 1.0, 0.1, 0.5);
        assert_eq!((weights.policy.weight[0], weights.policy.bias[0]), (0.95, 1.0));
    }
}
