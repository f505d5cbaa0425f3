//! What differs between two configs of a run, and which of it may.

use std::collections::BTreeMap;
use std::fmt;

use toml::{Table, Value};

use crate::config::Config;

/// A key that two configs do not agree about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The key with its table.
    pub key: String,
    /// What the run follows.
    pub was: Option<String>,
    /// What is asked for.
    pub is: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "absent".to_owned());
        write!(f, "`{}` was {}, is {}", self.key, value(&self.was), value(&self.is))
    }
}

impl Difference {
    /// What the second config says otherwise than the first, in the order of the keys.
    pub fn between(was: &Config, is: &Config) -> Vec<Self> {
        let (was, is) = (leaves(was), leaves(is));
        let keys = was.keys().chain(is.keys().filter(|key| !was.contains_key(*key)));
        keys.filter(|key| was.get(*key) != is.get(*key))
            .map(|key| Self { key: key.clone(), was: was.get(key).cloned(), is: is.get(key).cloned() })
            .collect()
    }

    /// Whether a run can take this up on its way.
    pub fn is_allowed(&self) -> bool {
        let (table, key) = self.key.split_once('.').unwrap_or(("", &self.key));
        match table {
            "run" | "strength" => true,
            "ppo" => self.is_change() && !PPO_STATE.contains(&key),
            "gumbel" => self.is_change() && !GUMBEL_STATE.contains(&key),
            "" => key == "iterations" && self.grows(),
            _ => false,
        }
    }

    /// A table that comes or goes is another way of learning, not another number.
    fn is_change(&self) -> bool {
        self.was.is_some() && self.is.is_some()
    }

    fn grows(&self) -> bool {
        let number = |value: &Option<String>| value.as_deref().and_then(|value| value.parse::<u64>().ok());
        number(&self.is) >= number(&self.was)
    }
}

/// Numbers that shape what the learner holds from one iteration to the next.
const PPO_STATE: &[&str] = &["slots", "steps", "pool_size", "against", "average_rate"];
const GUMBEL_STATE: &[&str] = &["slots", "steps", "window", "average_rate"];

/// Every value that is no table, by its dotted key, as TOML writes it.
fn leaves(config: &Config) -> BTreeMap<String, String> {
    let table: Table = config.to_toml().parse().expect("a config is written as TOML");
    let mut found = BTreeMap::new();
    collect(&table, "", &mut found);
    found
}

fn collect(table: &Table, path: &str, found: &mut BTreeMap<String, String>) {
    for (key, value) in table {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match value {
            Value::Table(inner) => collect(inner, &path, found),
            other => drop(found.insert(path, other.to_string())),
        }
    }
}
