//! Softmax over the legal actions.
//!
//! Exact where it matters: what is illegal has exactly 0, a single legal action exactly 1, and logits may be as large as
//! numbers get. The largest legal logit is taken off first, so that the sum is never below 1 and never overflows.
//! A logit that is not a number makes the whole row not a number.

use burn::tensor::{Bool, Tensor};
use nodarium_env::Mask;

/// Writes the share of each action; `out` is as long as `logits`. Where nothing is legal, all shares are 0.
pub fn masked_softmax(logits: &[f32], legal: &Mask, out: &mut [f32]) {
    out.fill(0.0);
    let largest = largest(logits, legal);
    let mut sum = 0.0;
    for action in legal.iter() {
        let share = (finite(logits[action.index()]) - largest).exp();
        out[action.index()] = share;
        sum += share;
    }
    for action in legal.iter() {
        out[action.index()] /= sum;
    }
}

/// Writes the logarithm of the share of each action; minus infinity for what is illegal.
pub fn masked_log_softmax(logits: &[f32], legal: &Mask, out: &mut [f32]) {
    out.fill(f32::NEG_INFINITY);
    let largest = largest(logits, legal);
    let sum: f32 = legal.iter().map(|action| (finite(logits[action.index()]) - largest).exp()).sum();
    for action in legal.iter() {
        // Finite, so that a share too small to be told from 0 is still told from illegal.
        out[action.index()] = finite(finite(logits[action.index()]) - largest - sum.ln());
    }
}

/// A network of finite weights can still overflow: infinite logits stand for the largest numbers there are.
#[inline]
fn finite(logit: f32) -> f32 {
    logit.clamp(f32::MIN, f32::MAX)
}

fn largest(logits: &[f32], legal: &Mask) -> f32 {
    legal.iter().map(|action| finite(logits[action.index()])).fold(f32::MIN, f32::max)
}

/// The logarithms of the shares of a batch `[n, actions]`, to be differentiated. What is illegal has 0 here: it is
/// always multiplied by a share of exactly 0, and infinity times 0 would poison the loss. Where nothing is legal, all
/// are 0.
pub fn log_softmax(logits: Tensor<2>, legal: Tensor<2, Bool>) -> Tensor<2> {
    let illegal = legal.bool_not();
    let logits = logits.clamp(LOWEST, -LOWEST);
    // The lowest logit for what is illegal: the largest of the row is then that of the legal ones.
    let masked = logits.mask_fill(illegal.clone(), LOWEST);
    let largest = masked.clone().detach().max_dim(1);
    let shifted = masked - largest;
    let sum = shifted.clone().exp().mask_fill(illegal.clone(), 0.0).sum_dim(1);
    // Where nothing is legal the sum is 0, and 0 has no logarithm.
    let empty = sum.clone().equal_elem(0.0);
    let logarithm = sum.mask_fill(empty, 1.0).log();
    (shifted - logarithm).mask_fill(illegal, 0.0)
}

/// The shares of a batch `[n, actions]`, to be differentiated; exactly 0 for what is illegal.
pub fn softmax(logits: Tensor<2>, legal: Tensor<2, Bool>) -> Tensor<2> {
    let illegal = legal.clone().bool_not();
    log_softmax(logits, legal).exp().mask_fill(illegal, 0.0)
}

/// Half of the lowest number: two logits are never further apart than numbers reach.
const LOWEST: f32 = f32::MIN / 2.0;

#[cfg(test)]
mod tests {
    use burn::tensor::{Device, TensorData};
    use nodarium_env::rng::Purpose;
    use nodarium_env::{Action, Rng};

    use super::*;

    fn mask(actions: impl IntoIterator<Item = u16>) -> Mask {
        actions.into_iter().map(Action).collect()
    }

    /// The shares by the functions over slices, after the functions over tensors have said the same.
    fn shares(logits: &[f32], legal: &Mask) -> Vec<f32> {
        let n = logits.len();
        let (mut shares, mut logs) = (vec![f32::NAN; n], vec![f32::NAN; n]);
        masked_softmax(logits, legal, &mut shares);
        masked_log_softmax(logits, legal, &mut logs);
        let mut flags = vec![false; n];
        legal.write(&mut flags);
        let device = Device::flex();
        let tensors = || {
            let logits = Tensor::<2>::from_data(TensorData::new(logits.to_vec(), [1, n]), &device);
            (logits, Tensor::<2, Bool>::from_data(TensorData::new(flags.clone(), [1, n]), &device))
        };
        let (logits, legal) = tensors();
        let by_tensor: Vec<f32> = softmax(logits, legal).into_data().try_into_vec().unwrap();
        let (logits, legal) = tensors();
        let logs_by_tensor: Vec<f32> = log_softmax(logits, legal).into_data().try_into_vec().unwrap();
        for action in 0..n {
            assert!((shares[action] - by_tensor[action]).abs() < 1e-6, "{shares:?} {by_tensor:?}");
            if flags[action] {
                assert!(logs[action].is_finite() && (logs[action].exp() - shares[action]).abs() < 1e-5);
                let scale = logs[action].abs().max(1.0);
                assert!(
                    (logs[action] - logs_by_tensor[action]).abs() / scale < 1e-5,
                    "{logs:?} {logs_by_tensor:?}"
                );
            } else {
                assert_eq!((shares[action], by_tensor[action]), (0.0, 0.0));
                assert_eq!((logs[action], logs_by_tensor[action]), (f32::NEG_INFINITY, 0.0));
            }
        }
        shares
    }

    #[test]
    fn one_legal_action_has_exactly_1_whatever_its_logit() {
        for logit in [0.0, -1e30, 1e30, f32::MIN, f32::MAX, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(shares(&[5.0, logit, 1e30], &mask([1])), [0.0, 1.0, 0.0]);
        }
    }

    #[test]
    fn hundreds_of_equal_actions_have_equal_shares() {
        for logit in [0.0, 1e30, -1e30] {
            let shares = shares(&[logit; 256], &mask(0..256));
            assert!(shares.iter().all(|&share| share == 1.0 / 256.0), "{shares:?}");
        }
    }

    #[test]
    fn huge_logits_leave_everything_to_the_largest_legal_one() {
        assert_eq!(shares(&[1e30, -1e30, 1e38, f32::MAX], &mask([0, 1])), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(shares(&[f32::MAX, f32::MIN, f32::MAX], &mask([0, 1, 2])), [0.5, 0.0, 0.5]);
        assert_eq!(shares(&[-1e30, -1e30, 0.0], &mask([0, 1])), [0.5, 0.5, 0.0]);
    }

    #[test]
    fn where_nothing_is_legal_all_shares_are_0() {
        assert_eq!(shares(&[1.0, 2.0], &Mask::EMPTY), [0.0, 0.0]);
    }

    #[test]
    fn shares_of_random_rows_sum_to_1_and_follow_the_definition() {
        for row in 0..200 {
            let mut rng = Rng::keyed(Purpose::Choice, 1, row, 0);
            let logits: Vec<f32> = (0..200).map(|_| 20.0 * rng.unit() - 10.0).collect();
            let legal = mask((0..200).filter(|_| rng.below(3) == 0).chain([7]));
            let shares = shares(&logits, &legal);
            let sum: f64 = legal.iter().map(|action| f64::from(logits[action.index()]).exp()).sum();
            for action in legal.iter() {
                let exact = f64::from(logits[action.index()]).exp() / sum;
                assert!((f64::from(shares[action.index()]) - exact).abs() < 1e-6);
            }
            assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn the_gradient_of_a_loss_over_huge_logits_and_illegal_actions_is_finite() {
        let device = Device::flex().autodiff();
        let logits = TensorData::new(vec![1e30_f32, -1e30, 3.0, 1.0, 2.0, f32::MAX], [2, 3]);
        let legal = TensorData::new(vec![true, true, false, true, true, false], [2, 3]);
        let logits = Tensor::<2>::from_data(logits, &device).require_grad();
        let logs = log_softmax(logits.clone(), Tensor::from_data(legal, &device));
        let target =
            Tensor::<2>::from_data(TensorData::new(vec![0.5_f32, 0.5, 0.0, 0.5, 0.5, 0.0], [2, 3]), &device);
        let gradients = (logs * target).sum().neg().backward();
        let gradient: Vec<f32> = logits.grad(&gradients).unwrap().into_data().try_into_vec().unwrap();
        assert!(gradient.iter().all(|number| number.is_finite()), "{gradient:?}");
        assert_eq!((gradient[2], gradient[5]), (0.0, 0.0), "nothing flows into what is illegal");
        // Share minus target: softmax(1, 2) = (0.2689, 0.7311).
        assert!(
            (gradient[3] - (0.268_941 - 0.5)).abs() < 1e-5 && (gradient[4] - (0.731_059 - 0.5)).abs() < 1e-5
        );
    }
}
