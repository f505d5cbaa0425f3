//! What can be wrong with a config.

use std::fmt;
use std::io;
use std::path::PathBuf;

use nodarium_agent::BadName;
use nodarium_agent::network::{BadNetwork, NoDevice};
use nodarium_env::BadRules;
use nodarium_env::catalog::UnknownGame;
use nodarium_env::rules::nearest;

/// Where something was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the file as a whole.
    File(PathBuf),
    /// In a line of the file, counted from 1.
    Line(PathBuf, usize),
    /// In an override, as it was given.
    Override(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(file) => write!(f, "{}", file.display()),
            Self::Line(file, line) => write!(f, "{}, line {line}", file.display()),
            Self::Override(text) => write!(f, "--set {text}"),
        }
    }
}

/// A config that cannot be followed: where, which key, what it holds, what is allowed.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read {}: {problem}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        problem: io::Error,
    },
    /// Not TOML, or an override that assigns nothing.
    #[error("{place}: {problem}")]
    Syntax {
        /// Where.
        place: Place,
        /// What is wrong.
        problem: String,
    },
    /// A key that nothing is called.
    #[error("{place}: unknown key `{key}`{}; {} takes: {}", suggestion(.key, .known), table(.key), .known.join(", "))]
    UnknownKey {
        /// Where.
        place: Place,
        /// The key with its table.
        key: String,
        /// What the table takes.
        known: Vec<String>,
    },
    /// A value of another type, or out of its range.
    #[error("{place}: `{key}` is {value}: expected {expected}")]
    Value {
        /// Where.
        place: Place,
        /// The key with its table.
        key: String,
        /// What it holds.
        value: String,
        /// What is allowed.
        expected: String,
    },
    /// A key that must be there.
    #[error("{place}: `{key}` is missing: expected {expected}")]
    Missing {
        /// Where it should be.
        place: Place,
        /// The key with its table.
        key: String,
        /// What is allowed.
        expected: String,
    },
    /// No such game.
    #[error("{place}: {problem}")]
    Game {
        /// Where.
        place: Place,
        /// What the catalogue says.
        problem: UnknownGame,
    },
    /// Rules that cannot be played.
    #[error("{place}: {problem}")]
    Rules {
        /// Where.
        place: Place,
        /// What the game says.
        problem: BadRules,
    },
    /// A network that cannot be built.
    #[error("{place}: {problem}")]
    Network {
        /// Where.
        place: Place,
        /// What is wrong with its size.
        problem: BadNetwork,
    },
    /// A device that cannot be had.
    #[error("{place}: `run.device`: {problem}")]
    Device {
        /// Where.
        place: Place,
        /// Why.
        problem: NoDevice,
    },
    /// An opponent, teacher or rival that is no agent.
    #[error("{place}: `{key}`: {problem}")]
    Agent {
        /// Where.
        place: Place,
        /// Which key names it.
        key: &'static str,
        /// What is wrong with the name.
        problem: Box<BadName>,
    },
    /// Both ways of learning, or none.
    #[error("{place}: expected exactly one of the tables [ppo] and [gumbel], found {found}")]
    Algorithm {
        /// Where.
        place: Place,
        /// What is there.
        found: &'static str,
    },
}

fn suggestion(key: &str, known: &[String]) -> String {
    let word = key.rsplit('.').next().unwrap_or(key);
    let near = nearest(word, known.iter().map(String::as_str));
    near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default()
}

fn table(key: &str) -> String {
    key.rsplit_once('.').map_or_else(|| "a config".to_owned(), |(table, _)| format!("[{table}]"))
}
