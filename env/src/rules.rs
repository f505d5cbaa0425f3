//! Rule options: what a user may choose about a game, and how a wrong choice is named.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// One rule option, as help and docs show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleOption {
    /// The key in configs and records.
    pub key: &'static str,
    /// What may be given.
    pub allowed: &'static str,
    /// What it does.
    pub about: &'static str,
}

/// The rule options of a game. Serialised, they are the `rules` of a record: every option, resolved.
///
/// Implementors derive serde with `default` and `deny_unknown_fields`.
pub trait Rules:
    Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// Every option, in the order of the serialised form.
    const OPTIONS: &'static [RuleOption];

    /// Checks the values against each other and loads what they name: `read` gives the text of a file. The
    /// environment itself opens no files; whoever calls decides what a name means.
    fn check(&mut self, read: &Reader<'_>) -> Result<(), BadRules>;
}

/// Gives the text of a named file, or says why it cannot.
pub type Reader<'a> = dyn Fn(&str) -> Result<String, String> + 'a;

/// A [`Reader`] for callers without files.
pub fn no_files(name: &str) -> Result<String, String> {
    Err(format!("cannot read {name}: files are not available here"))
}

/// Rule options that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRules {
    /// No such option.
    #[error("unknown rule option `{key}`{}; the options are: {}", suggestion(.nearest.as_deref()), .known.join(", "))]
    UnknownKey {
        /// What was given.
        key: String,
        /// The known key that looks most like it.
        nearest: Option<String>,
        /// All known keys.
        known: Vec<&'static str>,
    },
    /// A value that the option does not take.
    #[error("rule option `{key}` is {value}: expected {expected}")]
    BadValue {
        /// The option.
        key: String,
        /// What was given.
        value: String,
        /// What is allowed.
        expected: String,
    },
}

impl BadRules {
    /// The error for a value that an option does not take.
    pub fn value(key: &str, value: impl Serialize, expected: impl Into<String>) -> Self {
        let value = serde_json::to_string(&value).unwrap_or_else(|_| "unreadable".to_owned());
        Self::BadValue { key: key.to_owned(), value, expected: expected.into() }
    }
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map(|key| format!(" (did you mean `{key}`?)")).unwrap_or_default()
}

/// The candidate that looks most like `word`, if any looks alike at all.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(word, candidate), candidate))
        .filter(|&(likeness, _)| likeness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// Reads rule options from their keys and values; what is not given has its default.
pub fn rules_from<R: Rules>(given: &Map<String, Value>, read: &Reader<'_>) -> Result<R, BadRules> {
    let known: Vec<&'static str> = R::OPTIONS.iter().map(|option| option.key).collect();
    for (key, value) in given {
        let Some(option) = R::OPTIONS.iter().find(|option| option.key == key) else {
            let nearest = nearest(key, known.iter().copied()).map(str::to_owned);
            return Err(BadRules::UnknownKey { key: key.clone(), nearest, known });
        };
        // Each key alone, so that the error can name it.
        let alone = Map::from_iter([(key.clone(), value.clone())]);
        serde_json::from_value::<R>(Value::Object(alone))
            .map_err(|_| BadRules::value(key, value, option.allowed))?;
    }
    let mut rules: R = serde_json::from_value(Value::Object(given.clone()))
        .expect("options that can be read one by one can be read together");
    rules.check(read)?;
    Ok(rules)
}
