//! The few options that belong to a network rather than to whoever searches with it: a checkpoint says them of itself, and a
//! name can say otherwise.

use std::fmt;
use std::str::FromStr;

use nodarium_env::rules::nearest;
use serde::{Deserialize, Serialize};

use super::Options;

/// The most actions that a checkpoint, a name or a config lets a search begin with.
pub const MOST_CONSIDERED: u32 = 256;

/// The largest `c_scale` of a checkpoint, a name or a config.
pub const MOST_C_SCALE: f32 = 100.0;

const KEYS: [&str; 3] = ["considered", "c_scale", "rescale"];

/// How a network wants to be searched with; the fields are those of [`Options`], and so are the defaults.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Actions of the root that sequential halving starts with.
    pub considered: u32,
    /// How strongly values speak against the prior.
    pub c_scale: f32,
    /// Whether the values at each node are stretched to `[0, 1]` before they are weighed.
    pub rescale: bool,
}

impl Default for Settings {
    fn default() -> Self {
        let Options { considered, c_scale, rescale, .. } = Options::default();
        Self { considered, c_scale, rescale }
    }
}

impl Settings {
    /// Refuses values out of their ranges.
    pub fn check(&self) -> Result<(), BadSetting> {
        if !(1..=MOST_CONSIDERED).contains(&self.considered) {
            return Err(BadSetting::considered(&self.considered.to_string()));
        }
        if !(0.0..=MOST_C_SCALE).contains(&self.c_scale) {
            return Err(BadSetting::c_scale(&self.c_scale.to_string()));
        }
        Ok(())
    }

    /// These options with the settings in place of their own.
    pub fn in_options(self, options: Options) -> Options {
        let Self { considered, c_scale, rescale } = self;
        Options { considered, c_scale, rescale, ..options }
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { considered, c_scale, rescale } = self;
        write!(f, "considered={considered},c_scale={c_scale},rescale={rescale}")
    }
}

/// Some settings, to take the place of a checkpoint's own; none of them is out of its range, so that `c_scale` is a number and
/// equal to itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overrides {
    considered: Option<u32>,
    c_scale: Option<f32>,
    rescale: Option<bool>,
}

impl Eq for Overrides {}

impl Overrides {
    /// Those that are given, if they are in their ranges.
    pub fn new(
        considered: Option<u32>,
        c_scale: Option<f32>,
        rescale: Option<bool>,
    ) -> Result<Self, BadSetting> {
        let overrides = Self { considered, c_scale, rescale };
        overrides.over(Settings::default()).check()?;
        Ok(overrides)
    }

    /// Whether nothing is to be changed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The settings with these in place of their own.
    pub fn over(&self, settings: Settings) -> Settings {
        Settings {
            considered: self.considered.unwrap_or(settings.considered),
            c_scale: self.c_scale.unwrap_or(settings.c_scale),
            rescale: self.rescale.unwrap_or(settings.rescale),
        }
    }
}

/// `KEY=VALUE` with commas between, always in the same order.
impl fmt::Display for Overrides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = [
            self.considered.map(|value| value.to_string()),
            self.c_scale.map(|value| value.to_string()),
            self.rescale.map(|value| value.to_string()),
        ];
        let given = KEYS.iter().zip(values).filter_map(|(key, value)| Some(format!("{key}={}", value?)));
        f.write_str(&given.collect::<Vec<_>>().join(","))
    }
}

impl FromStr for Overrides {
    type Err = BadSetting;

    fn from_str(text: &str) -> Result<Self, BadSetting> {
        let mut read = Self::default();
        for part in text.split(',') {
            let (key, value) =
                part.split_once('=').ok_or_else(|| BadSetting::Form { part: part.to_owned() })?;
            let twice = match key {
                "considered" => {
                    let number = value.parse().map_err(|_| BadSetting::considered(value))?;
                    read.considered.replace(number).is_some()
                }
                "c_scale" => {
                    let number = value.parse().map_err(|_| BadSetting::c_scale(value))?;
                    read.c_scale.replace(number).is_some()
                }
                "rescale" => {
                    let flag = value.parse().map_err(|_| BadSetting::rescale(value))?;
                    read.rescale.replace(flag).is_some()
                }
                _ => return Err(BadSetting::Unknown { key: key.to_owned() }),
            };
            if twice {
                return Err(BadSetting::Twice { key: key.to_owned() });
            }
        }
        Self::new(read.considered, read.c_scale, read.rescale)
    }
}

/// Settings that no search takes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSetting {
    /// Not a key with a value.
    #[error(
        "`{part}` sets nothing: expected considered=N, c_scale=X or rescale=true|false, with commas between"
    )]
    Form {
        /// What was given.
        part: String,
    },
    /// Nothing is called so.
    #[error("unknown search setting `{key}`{}: expected considered, c_scale or rescale", suggestion(.key))]
    Unknown {
        /// What was given.
        key: String,
    },
    /// Which of the two is meant?
    #[error("search setting `{key}` is given twice")]
    Twice {
        /// The key.
        key: String,
    },
    /// Out of its range, or nothing of its kind.
    #[error("search setting `{key}` is {value}: expected {expected}")]
    Value {
        /// The key.
        key: &'static str,
        /// What was given.
        value: String,
        /// What is allowed.
        expected: String,
    },
}

fn suggestion(key: &str) -> String {
    nearest(key, KEYS).map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default()
}

impl BadSetting {
    fn value(key: &'static str, value: &str, expected: String) -> Self {
        Self::Value { key, value: value.to_owned(), expected }
    }

    fn considered(value: &str) -> Self {
        Self::value("considered", value, format!("a whole number from 1 to {MOST_CONSIDERED}"))
    }

    fn c_scale(value: &str) -> Self {
        Self::value("c_scale", value, format!("a number from 0 to {MOST_C_SCALE}"))
    }

    fn rescale(value: &str) -> Self {
        Self::value("rescale", value, "true or false".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_in_any_order_and_written_in_one() {
        let cases = [
            ("considered=8", "considered=8"),
            ("rescale=false,considered=256", "considered=256,rescale=false"),
            ("rescale=true,c_scale=0.2,considered=1", "considered=1,c_scale=0.2,rescale=true"),
            ("c_scale=1e1", "c_scale=10"),
            ("c_scale=0.1", "c_scale=0.1"),
        ];
        for (text, written) in cases {
            let read: Overrides = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(read.to_string(), written);
            assert_eq!(written.parse(), Ok(read));
        }
        let all: Overrides = "considered=4,c_scale=0.5,rescale=false".parse().expect("all three");
        assert_eq!(all.over(Settings::default()).to_string(), all.to_string());
    }

    #[test]
    fn what_is_not_given_stays_as_it_was() {
        let own = Settings { considered: 5, c_scale: 2.0, rescale: false };
        assert_eq!(Overrides::default().over(own), own);
        let some: Overrides = "c_scale=0".parse().expect("zero is in the range");
        assert_eq!(some.over(own), Settings { c_scale: 0.0, ..own });
        assert!(Overrides::default().is_empty() && !some.is_empty());
    }

    #[test]
    fn bad_settings_are_answered_with_what_was_expected() {
        let cases = [
            ("", "`` sets nothing: expected considered=N"),
            ("considered", "`considered` sets nothing"),
            ("considered=8,", "`` sets nothing"),
            ("c_scal=1", "unknown search setting `c_scal` (did you mean `c_scale`?): expected considered"),
            ("c_visit=1,considered=2", "unknown search setting `c_visit`"),
            ("considered=0", "search setting `considered` is 0: expected a whole number from 1 to 256"),
            ("considered=257", "search setting `considered` is 257"),
            ("considered=1.5", "search setting `considered` is 1.5: expected a whole number"),
            ("c_scale=-0.5", "search setting `c_scale` is -0.5: expected a number from 0 to 100"),
            ("c_scale=101", "search setting `c_scale` is 101"),
            ("c_scale=NaN", "search setting `c_scale` is NaN"),
            ("c_scale=inf", "search setting `c_scale` is inf"),
            ("rescale=yes", "search setting `rescale` is yes: expected true or false"),
            ("rescale=true,rescale=true", "search setting `rescale` is given twice"),
        ];
        for (text, expected) in cases {
            let error = text.parse::<Overrides>().unwrap_err().to_string();
            assert!(error.starts_with(expected) && !error.contains('\n'), "{text}: {error}");
        }
    }
}
