//! Intervals of a share: Wilson's, also for scores of paired games.

use super::{Estimate, Z};

/// Wilson's interval of a share: `successes` of `trials`, which need not be whole numbers. Without trials it is everything.
pub fn wilson(successes: f64, trials: f64) -> Estimate {
    if trials <= 0.0 {
        return Estimate { value: 0.5, low: 0.0, high: 1.0 };
    }
    let share = successes / trials;
    let square = Z * Z;
    let centre = (share + square / (2.0 * trials)) / (1.0 + square / trials);
    let spread = share * (1.0 - share) / trials + square / (4.0 * trials * trials);
    let half = Z * spread.max(0.0).sqrt() / (1.0 + square / trials);
    Estimate { value: share, low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
}

/// The interval of a mean score from the scores of groups (0 to 1, ½ a draw), one number a group.
///
/// Wilson's formula with the number of independent games that would spread as much as the groups do. Where a deal decides
/// who wins, each pair is close to ½ and counts for more than two games; where it decides nothing, for two. One imaginary
/// group, won and lost in equal parts, joins in the measure of spread, so that a clean sweep is not taken for certainty:
/// it counts as one trial a group.
pub fn paired_score(scores: &[f64]) -> Estimate {
    let groups = scores.len() as f64;
    if scores.is_empty() {
        return wilson(0.0, 0.0);
    }
    let sum: f64 = scores.iter().sum();
    let mean = sum / groups;
    let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
    let spread = (squares + 0.5 * (mean * mean + (1.0 - mean).powi(2))) / groups;
    let smoothed = (sum + 0.5) / (groups + 1.0);
    let trials = groups * smoothed * (1.0 - smoothed) / spread;
    Estimate { value: mean, ..wilson(mean * trials, trials) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn close(found: Estimate, low: f64, high: f64) {
        assert!((found.low - low).abs() < 5e-5 && (found.high - high).abs() < 5e-5, "{found:.5}");
    }

    #[test]
    fn wilsons_interval_has_the_published_values() {
        // Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        close(wilson(81.0, 263.0), 0.2553, 0.3662);
        close(wilson(15.0, 148.0), 0.0624, 0.1605);
        close(wilson(0.0, 20.0), 0.0, 0.1611);
        close(wilson(1.0, 29.0), 0.0061, 0.1718);
    }

    #[test]
    fn without_a_game_every_score_is_possible() {
        close(paired_score(&[]), 0.0, 1.0);
        let one = paired_score(&[1.0]);
        assert!(one.low > 0.0 && one.low < 0.35 && one.high > 1.0 - 1e-9 && one.high <= 1.0, "{one}");
    }

    #[test]
    fn pairs_of_independent_games_count_as_two_games_each() {
        // 0, ½ and 1 as often as two fair coins fall.
        let scores: Vec<f64> = (0..400).map(|i| [0.0, 0.5, 0.5, 1.0][i % 4]).collect();
        let plain = wilson(400.0, 800.0);
        let paired = paired_score(&scores);
        assert!((paired.high - plain.high).abs() < 1e-3, "{paired} {plain}");
    }

    #[test]
    fn pairs_that_the_seat_decides_say_more_and_a_sweep_says_no_more_than_one_trial_a_pair() {
        let even = paired_score(&[0.5; 200]);
        assert!(even.high - even.low < 0.012 && even.high - even.low > 0.001, "{even}");
        let sweep = paired_score(&[1.0; 200]);
        let trials = wilson(200.0, 200.0);
        assert!((sweep.low - trials.low).abs() < 1e-3 && sweep.high == 1.0, "{sweep} {trials}");
    }
}
