//! The formulas of Gumbel AlphaZero: completed Q values, their scale, the improved policy.

use super::tree::Edge;

/// Spreads of value below this count as noise and are not stretched to the full scale. (mctx has 1e-8 here, which
/// turns the rounding error of equal values into a preference.)
const LEAST_SPREAD: f32 = 1e-4;

/// How strongly values speak against the prior: the constants of `sigma`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strength {
    pub c_visit: f32,
    pub c_scale: f32,
    pub rescale: bool,
}

/// The completed Q values of a node and the map from values to logits.
///
/// Completed: an action that was tried has its mean value, every other one has `mixed`. Then
/// `sigma(q) = (c_visit + most visits) * c_scale * q`, with `q` first stretched so that the completed values of the node
/// span `[0, 1]` if values are rescaled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Completed {
    /// What an action that was never tried is worth: `v_mix` of the paper's appendix D,
    /// `(raw + N * sum(prior * q) / sum(prior)) / (1 + N)`, sums over tried actions, `N` their visits.
    pub mixed: f32,
    low: f32,
    slope: f32,
}

impl Completed {
    /// From the evaluator's value of the node, for the seat that acts there, and the edges that were tried; `all`
    /// says whether these are all the edges.
    #[inline]
    pub fn new(strength: &Strength, raw: f32, tried: &[Edge], all: bool) -> Self {
        let (mut mass, mut weighted, mut visits, mut most) = (0.0, 0.0, 0, 0);
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        for edge in tried {
            mass += edge.prior;
            weighted += edge.prior * edge.q;
            visits += edge.visits;
            most = most.max(edge.visits);
            low = low.min(edge.q);
            high = high.max(edge.q);
        }
        let visits = visits as f32;
        let mixed =
            if tried.is_empty() { raw } else { raw + (weighted / mass - raw) * (visits / (visits + 1.0)) };
        if !all {
            low = low.min(mixed);
            high = high.max(mixed);
        }
        let slope = (strength.c_visit + most as f32) * strength.c_scale;
        if strength.rescale {
            Self { mixed, low, slope: slope / (high - low).max(LEAST_SPREAD) }
        } else {
            Self { mixed, low: 0.0, slope }
        }
    }

    /// The value as a logit.
    #[inline]
    pub fn sigma(&self, q: f32) -> f32 {
        (q - self.low) * self.slope
    }
}

/// Numbers that a vector register holds.
const LANES: usize = 8;

/// Turns every logit into `e^(logit - most)`, whole vectors at a time, and returns their sum. The largest becomes 1, so
/// nothing overflows whatever the size of the logits.
#[inline]
pub(super) fn weigh(logits: &mut Vec<f32>, most: f32) -> f32 {
    let count = logits.len();
    logits.resize(count.next_multiple_of(LANES), f32::NEG_INFINITY);
    for lanes in logits.as_chunks_mut::<LANES>().0 {
        weigh_lanes(lanes, most);
    }
    logits.truncate(count);
    logits.iter().sum()
}

/// One vector. Not inlined: most nodes have one or two of them, and in a longer loop the compiler would unroll for many.
#[inline(never)]
fn weigh_lanes(lanes: &mut [f32; LANES], most: f32) {
    for x in lanes {
        *x = exp(*x - most);
    }
}

/// Turns logits into probabilities.
pub(super) fn softmax(logits: &mut Vec<f32>) {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum = weigh(logits, most);
    for x in logits {
        *x /= sum;
    }
}

/// `e^x` to about two units in the last place: the same bits on every machine, and loops over it are vectorised.
/// Below the range of normal numbers it is 0.
#[inline]
pub(super) fn exp(x: f32) -> f32 {
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    /// Adding it rounds to a whole number and leaves that number in the lowest bits.
    const ROUNDER: f32 = (3 << 22) as f32;
    let clamped = x.clamp(-87.0, 88.0);
    let rounded = clamped * std::f32::consts::LOG2_E + ROUNDER;
    let power = rounded - ROUNDER;
    let r = (clamped - power * LN_2_HIGH) - power * LN_2_LOW;
    // The minimax polynomial of Cephes' expf.
    let mut p = 1.987_569_1e-4;
    for c in [1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5] {
        p = p * r + c;
    }
    let mantissa = p * r * r + r + 1.0;
    let scaled = mantissa * f32::from_bits(rounded.to_bits().wrapping_add(127) << 23);
    if x < -87.0 { 0.0 } else { scaled }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(prior: f32, q: f32, visits: u32) -> Edge {
        Edge { logit: prior.ln(), prior, q, visits, ..Edge::default() }
    }

    const STRENGTH: Strength = Strength { c_visit: 50.0, c_scale: 0.1, rescale: true };

    #[test]
    fn exp_is_that_of_the_library() {
        for i in -8_700..8_800 {
            let x = i as f32 / 100.0;
            let exact = f64::from(x).exp();
            assert!((f64::from(exp(x)) - exact).abs() <= 4e-7 * exact, "e^{x} = {} against {exact}", exp(x));
        }
        assert_eq!((exp(0.0), exp(-1e9), exp(f32::NEG_INFINITY)), (1.0, 0.0, 0.0));
    }

    #[test]
    fn softmax_is_exact_in_its_extremes() {
        for (mut logits, expected) in [
            (vec![-3e38], vec![1.0]),
            (vec![1e30, 1e30], vec![0.5, 0.5]),
            (vec![1e4, 0.0], vec![1.0, 0.0]),
            (vec![7.0; 256], vec![1.0 / 256.0; 256]),
        ] {
            softmax(&mut logits);
            assert_eq!(logits, expected);
        }
    }

    /// Prior (0.5, 0.3, 0.2), the evaluator says 0.1; the first action was tried 3 times for a mean of 0.5, the second
    /// once for -0.5. By hand: the tried ones weigh 0.625 and 0.375, so their mean is 0.125; with N = 4,
    /// v_mix = (0.1 + 4 * 0.125) / 5 = 0.12. The completed values (0.5, -0.5, 0.12) stretch to (1, 0, 0.62), and
    /// (50 + 3) * 0.1 = 5.3 turns them into (5.3, 0, 3.286).
    #[test]
    fn completed_values_are_those_computed_by_hand() {
        let completed = Completed::new(&STRENGTH, 0.1, &[edge(0.5, 0.5, 3), edge(0.3, -0.5, 1)], false);
        let near = |a: f32, b: f32| assert!((a - b).abs() < 1e-5, "{a} against {b}");
        near(completed.mixed, 0.12);
        near(completed.sigma(0.5), 5.3);
        near(completed.sigma(-0.5), 0.0);
        near(completed.sigma(completed.mixed), 3.286);
        let plain = Strength { c_scale: 1.0, rescale: false, ..STRENGTH };
        let completed = Completed::new(&plain, 0.1, &[edge(0.5, 0.5, 3), edge(0.3, -0.5, 1)], false);
        near(completed.sigma(0.5), 26.5);
        near(completed.sigma(completed.mixed), 6.36);
    }

    #[test]
    fn equal_values_leave_the_prior_alone() {
        let completed = Completed::new(&STRENGTH, 0.3, &[edge(0.7, 0.3, 5), edge(0.1, 0.3, 2)], false);
        assert!(completed.sigma(0.3).abs() < 0.02 && completed.sigma(completed.mixed).abs() < 0.02);
    }

    #[test]
    fn without_a_visit_the_evaluator_is_believed() {
        let completed = Completed::new(&STRENGTH, -0.4, &[], false);
        assert_eq!((completed.mixed, completed.sigma(completed.mixed)), (-0.4, 0.0));
    }
}
