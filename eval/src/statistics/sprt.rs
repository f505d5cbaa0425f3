//! Stopping as soon as a claim is decided: the generalised sequential probability ratio test over pairs of games.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::expected_score;

/// The test of "stronger by `elo1`" against "stronger by `elo0` at most".
///
/// A pair of games has one of five scores. For each claim, the likeliest distribution of pairs whose mean is what the claim
/// says is found; the logarithm of how much likelier the results are under the second than under the first is the measure
/// (Van den Bergh's generalised test, as Fishtest uses it, with logistic Elo). Pairs are what makes it honest: the games
/// of a pair share their deal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// What is believed until shown otherwise.
    pub elo0: f64,
    /// The claim.
    pub elo1: f64,
    /// The chance to accept the claim where `elo0` is the truth.
    pub alpha: f64,
    /// The chance to refuse it where `elo1` is the truth.
    pub beta: f64,
}

/// What the games so far decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// `elo1` is accepted.
    Accepted,
    /// `elo0` is accepted.
    Refused,
    /// More games are needed.
    Open,
}

/// A test that cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "`{text}` is no test: {problem}; expected elo0=0,elo1=30 with elo0 below elo1, and if you like alpha=0.05,beta=0.05"
)]
pub struct BadSprt {
    /// What was given.
    pub text: String,
    /// What is wrong with it.
    pub problem: String,
}

impl FromStr for Sprt {
    type Err = BadSprt;

    fn from_str(text: &str) -> Result<Self, BadSprt> {
        let bad = |problem: String| BadSprt { text: text.to_owned(), problem };
        let [mut elo0, mut elo1, mut alpha, mut beta] = [None; 4];
        for part in text.split(',') {
            let (key, value) = part.split_once('=').ok_or_else(|| bad(format!("`{part}` has no value")))?;
            let slot = match key.trim() {
                "elo0" => &mut elo0,
                "elo1" => &mut elo1,
                "alpha" => &mut alpha,
                "beta" => &mut beta,
                other => return Err(bad(format!("`{other}` is not a key"))),
            };
            let number = value.trim().parse::<f64>().ok().filter(|number| number.is_finite());
            if slot.replace(number.ok_or_else(|| bad(format!("`{value}` is not a number")))?).is_some() {
                return Err(bad(format!("`{key}` is given twice")));
            }
        }
        let test = Self {
            elo0: elo0.unwrap_or(0.0),
            elo1: elo1.ok_or_else(|| bad("`elo1` is missing".to_owned()))?,
            alpha: alpha.unwrap_or(0.05),
            beta: beta.unwrap_or(0.05),
        };
        if test.elo0 >= test.elo1 {
            return Err(bad("elo0 is not below elo1".to_owned()));
        }
        if [test.elo0, test.elo1].iter().any(|elo| elo.abs() > 1_000.0) {
            return Err(bad("a difference beyond 1000 Elo".to_owned()));
        }
        match [test.alpha, test.beta].iter().all(|chance| (1e-6..0.5).contains(chance)) {
            true => Ok(test),
            false => Err(bad("alpha and beta lie between 0.000001 and 0.5".to_owned())),
        }
    }
}

/// What stands for "never seen" of a score, so that no distribution rules it out.
const UNSEEN: f64 = 1e-3;

impl Sprt {
    /// The log-likelihood ratio below which `elo0` is accepted and above which `elo1` is.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of pairs, counted by their score: 0, ¼, ½, ¾, 1.
    pub fn llr(&self, pairs: &[u64; 5]) -> f64 {
        if pairs.iter().sum::<u64>() == 0 {
            return 0.0;
        }
        let counts = pairs.map(|n| (n as f64).max(UNSEEN));
        let [s0, s1] = [self.elo0, self.elo1].map(expected_score);
        let (tilt0, tilt1) = (tilt(&counts, s0), tilt(&counts, s1));
        let ratio = |i: usize| {
            let score = i as f64 / 4.0;
            (1.0 + tilt0 * (score - s0)).ln() - (1.0 + tilt1 * (score - s1)).ln()
        };
        counts.iter().enumerate().map(|(i, n)| n * ratio(i)).sum()
    }

    /// What the pairs decide.
    pub fn decide(&self, pairs: &[u64; 5]) -> Decision {
        let (low, high) = self.bounds();
        match self.llr(pairs) {
            llr if llr >= high => Decision::Accepted,
            llr if llr <= low => Decision::Refused,
            _ => Decision::Open,
        }
    }
}

/// The multiplier of the likeliest distribution with the given mean: its probabilities are the observed shares divided by
/// 1 + tilt · (score − mean).
fn tilt(counts: &[f64; 5], mean: f64) -> f64 {
    let excess = |tilt: f64| -> f64 {
        let of = |(i, n): (usize, &f64)| {
            let off = i as f64 / 4.0 - mean;
            n * off / (1.0 + tilt * off)
        };
        counts.iter().enumerate().map(of).sum()
    };
    // Falls from plus to minus infinity in between, where all probabilities are positive.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        match excess(middle) > 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    #[test]
    fn the_ratio_is_that_of_published_fishtest_runs() {
        // Stockfish pull requests 2950, 2951, 2971, 3098, 3209, 3232 of 2020, whose bounds are in logistic Elo.
        let runs: [(f64, f64, [u64; 5], f64); 8] = [
            (-0.5, 1.5, [133, 1751, 5094, 1849, 165], 2.94),
            (0.25, 1.75, [149, 4748, 32785, 5063, 159], 2.95),
            (-0.5, 1.5, [59, 754, 2467, 865, 75], 2.95),
            (-0.5, 1.5, [17, 253, 1042, 337, 39], 2.96),
            (-0.25, 1.25, [491, 7345, 29693, 7670, 465], 2.96),
            (-0.25, 1.25, [253, 4282, 17604, 4431, 286], 2.94),
            (0.25, 1.25, [58, 3302, 33130, 3518, 84], 2.97),
            (-0.25, 1.25, [85, 1800, 8241, 1930, 100], 2.94),
        ];
        for (elo0, elo1, pairs, published) in runs {
            let found = test(elo0, elo1).llr(&pairs);
            assert!((found - published).abs() < 0.01, "{pairs:?}: {found}, published {published}");
        }
    }

    #[test]
    fn the_bounds_are_walds() {
        let (low, high) = test(0.0, 30.0).bounds();
        assert!((high - 2.944_438_979).abs() < 1e-8 && (low + high).abs() < 1e-12);
    }

    #[test]
    fn a_sweep_is_decided_after_some_games_and_not_after_none() {
        let claim = test(0.0, 30.0);
        assert_eq!(claim.decide(&[0; 5]), Decision::Open);
        assert_eq!(claim.decide(&[0, 0, 0, 0, 2]), Decision::Open);
        assert_eq!(claim.decide(&[0, 0, 0, 0, 200]), Decision::Accepted);
        assert_eq!(claim.decide(&[200, 0, 0, 0, 0]), Decision::Refused);
    }

    #[test]
    fn tests_are_read_and_bad_ones_named() {
        let read: Sprt = "elo0=0,elo1=30".parse().expect("a good test");
        assert_eq!(read, test(0.0, 30.0));
        let cases = [
            ("elo1", "`elo1` has no value"),
            ("elo0=5", "`elo1` is missing"),
            ("elo0=5,elo1=5", "elo0 is not below elo1"),
            ("elo1=x", "`x` is not a number"),
            ("elo1=inf", "`inf` is not a number"),
            ("elo2=1", "`elo2` is not a key"),
            ("elo1=3,elo1=4", "`elo1` is given twice"),
            ("elo1=30,alpha=0.7", "alpha and beta lie between"),
            ("elo1=5000", "beyond 1000 Elo"),
        ];
        for (text, expected) in cases {
            let error = text.parse::<Sprt>().unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
