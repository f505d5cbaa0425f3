//! The bootstrap over groups of games.

use nodarium_env::Rng;
use nodarium_env::rng::Purpose;

use super::Estimate;

/// How often a sample is drawn anew.
pub const RESAMPLES: u32 = 2_000;

/// The mean of a sample with the interval that [`RESAMPLES`] samples drawn from it show (percentiles). Nothing is assumed
/// about how the numbers are spread; a sample without spread has no width, so it is no guard against a clean sweep.
pub fn bootstrap_mean(sample: &[f64], seed: u64) -> Estimate {
    let n = sample.len();
    if n == 0 {
        return Estimate { value: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY };
    }
    let value = sample.iter().sum::<f64>() / n as f64;
    let drawn_mean = |episode: u32| {
        // No game has this slot.
        let mut rng = Rng::keyed(Purpose::Choice, seed, u64::MAX, episode.into());
        (0..n).map(|_| sample[rng.below(n as u32) as usize]).sum::<f64>() / n as f64
    };
    let mut means: Vec<f64> = (0..RESAMPLES).map(drawn_mean).collect();
    means.sort_by(f64::total_cmp);
    let at = |share: f64| means[((RESAMPLES - 1) as f64 * share).round() as usize];
    Estimate { value, low: at(0.025), high: at(0.975) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_sample_has_the_normal_interval() {
        let sample: Vec<f64> = (0..1_000).map(|i| f64::from(i % 10 < 3)).collect();
        let found = bootstrap_mean(&sample, 1);
        let margin = 1.96 * (0.3_f64 * 0.7 / 1_000.0).sqrt();
        assert_eq!(found.value, 0.3);
        assert!((found.low - (0.3 - margin)).abs() < 0.003, "{found}");
        assert!((found.high - (0.3 + margin)).abs() < 0.003, "{found}");
        assert_eq!(found, bootstrap_mean(&sample, 1), "the same seed draws the same samples");
    }

    #[test]
    fn a_sample_without_spread_shows_no_interval() {
        let shown = |sample: &[f64]| bootstrap_mean(sample, 1).to_string();
        assert_eq!(shown(&[0.25]), "0.250", "one deal");
        assert_eq!(shown(&[1.0 / 3.0, 1.0 - 2.0 / 3.0]), "0.333", "deals alike but for rounding");
        assert_eq!(shown(&[0.0, 1.0]), "0.500 [0.000, 1.000]");
    }
}
