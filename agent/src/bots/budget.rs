//! How long a searching bot may think.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// What one answer may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// That many simulations: the same answers on every machine.
    Simulations(u32),
    /// That much time: better answers on a faster machine, and never quite the same ones.
    Time(Duration),
}

/// A text that is no budget.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no budget: expected a number of simulations from 1 to {max}, or a time as in `250ms` or `1s`",
    max = Budget::MOST_SIMULATIONS
)]
pub struct BadBudget(pub String);

impl Budget {
    /// The most simulations of an answer.
    pub const MOST_SIMULATIONS: u32 = 1_000_000_000;
    /// The longest time of an answer, a day.
    const LONGEST_MILLIS: u64 = 24 * 60 * 60 * 1_000;
    /// Simulations between two looks at the clock, which costs as much as a short game.
    const CLOCK_STEP: u32 = 16;

    /// Runs `simulate` until the budget is spent, at least once.
    pub(super) fn spend(self, mut simulate: impl FnMut()) {
        match self {
            Self::Simulations(count) => (0..count.max(1)).for_each(|_| simulate()),
            Self::Time(limit) => {
                let start = Instant::now();
                loop {
                    (0..Self::CLOCK_STEP).for_each(|_| simulate());
                    if start.elapsed() >= limit {
                        break;
                    }
                }
            }
        }
    }
}

impl FromStr for Budget {
    type Err = BadBudget;

    fn from_str(text: &str) -> Result<Self, BadBudget> {
        let whole = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| digits.parse::<u64>().ok()).flatten()
        };
        let millis = |n: Option<u64>| {
            n.filter(|n| (1..=Self::LONGEST_MILLIS).contains(n)).map(|n| Self::Time(Duration::from_millis(n)))
        };
        let read = if let Some(digits) = text.strip_suffix("ms") {
            millis(whole(digits))
        } else if let Some(digits) = text.strip_suffix('s') {
            millis(whole(digits).and_then(|n| n.checked_mul(1_000)))
        } else {
            let count = whole(text).filter(|n| (1..=Self::MOST_SIMULATIONS.into()).contains(n));
            count.map(|n| Self::Simulations(n as u32))
        };
        read.ok_or_else(|| BadBudget(text.to_owned()))
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Simulations(count) => write!(f, "{count}"),
            Self::Time(time) if time.subsec_millis() == 0 => write!(f, "{}s", time.as_secs()),
            Self::Time(time) => write!(f, "{}ms", time.as_millis()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_read_back_as_written() {
        for text in ["1", "1000", "1000000000", "250ms", "1s", "90s"] {
            assert_eq!(text.parse::<Budget>().map(|budget| budget.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("2000ms".parse::<Budget>(), "2s".parse(), "one time, one value");
    }

    #[test]
    fn what_is_no_budget_is_refused() {
        for text in ["", "0", "0s", "s", "ms", "-1", "+5", "1.5s", "1e3", "1000000001", "86401s", "9 s", "1m"]
        {
            assert_eq!(text.parse::<Budget>(), Err(BadBudget(text.to_owned())));
        }
    }
}
