//! What a number of games says about the players, and how sure that is.
//!
//! Games come in groups that share a deal: the two games of a pair with the seats exchanged, or one game for each rotation
//! of a larger table. Games of a group are not independent, groups are; everything here counts groups. How, and what it
//! was checked against, is told in `eval/docs/statistics.md`.

mod bootstrap;
mod rating;
mod sprt;
mod wilson;

use std::fmt;

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF as _, StudentsT};

pub use bootstrap::{RESAMPLES, bootstrap_mean};
pub use rating::{Contest, ELO, Ratings, rate};
pub use sprt::{BadSprt, Decision, Sprt};
pub use wilson::{paired_score, wilson};

/// The quantile of the normal distribution that leaves 2.5 % above.
pub const Z: f64 = 1.959_963_984_540_054;

/// How many standard errors an interval reaches where the error is itself told by the spread of so many groups: Student's
/// quantile, which is [`Z`] for many of them and 12.7 for two. One group shows no spread.
fn reach(groups: usize) -> Option<f64> {
    let freedom = groups.checked_sub(1).filter(|&freedom| freedom > 0)?;
    let student = StudentsT::new(0.0, 1.0, freedom as f64).expect("a degree of freedom is above 0");
    Some(student.inverse_cdf(0.975))
}

/// A number with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The best single guess.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// Whether the interval holds a number.
    pub fn covers(&self, truth: f64) -> bool {
        (self.low..=self.high).contains(&truth)
    }

    /// Whether there was any spread, but for rounding. An interval without width would promise a certainty that nobody has.
    pub fn has_width(&self) -> bool {
        self.high - self.low > 1e-9
    }
}

/// The value, and its interval where there is one.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let precision = f.precision().unwrap_or(3);
        write!(f, "{:.precision$}", self.value)?;
        if self.has_width() {
            write!(f, " [{:.precision$}, {:.precision$}]", self.low, self.high)?;
        }
        Ok(())
    }
}

/// The score that a player expects against one who is weaker by that much Elo.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_groups_have_students_quantiles_and_many_the_normal_one() {
        // Any table of Student's distribution, two-sided 95 %.
        let published = [(2, 12.706), (3, 4.303), (6, 2.571), (11, 2.228), (31, 2.042), (1_001, 1.962)];
        for (groups, published) in published {
            let found = reach(groups).expect("there is a spread");
            assert!((found - published).abs() < 5e-4, "{groups}: {found}");
        }
        assert!((reach(10_001).expect("there is a spread") - Z).abs() < 3e-4);
        assert_eq!((reach(0), reach(1)), (None, None));
    }
}
