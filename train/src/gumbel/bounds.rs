//! What a config may ask of self-play.

use nodarium_agent::checkpoint::MAX_FILE;
use nodarium_agent::network::NoDevice;
use nodarium_agent::search::BadSearch;
use nodarium_agent::{BadName, BuildError};
use nodarium_env::Spec;

use super::file;
use super::played::Played;
use crate::beginning::NoBeginning;
use crate::config::GumbelConfig;

/// A config that this way of learning cannot follow.
#[derive(Debug, thiserror::Error)]
pub enum BadSelfPlay {
    /// Another way of learning is meant.
    #[error("the config has no table [gumbel]")]
    NoTable,
    /// A key out of its range.
    #[error("[gumbel] `{key}` is {value}: expected {expected}")]
    Key {
        /// The key.
        key: &'static str,
        /// What was given.
        value: f64,
        /// What is allowed.
        expected: String,
    },
    /// Nobody is called as the teacher is.
    #[error("[gumbel] `teacher`: {0}")]
    Teacher(#[from] BadName),
    /// The teacher cannot be had.
    #[error("[gumbel] `teacher`: {0}")]
    NoTeacher(#[from] BuildError),
    /// There are no first weights.
    #[error(transparent)]
    Beginning(#[from] NoBeginning),
    /// The device to learn on cannot be had.
    #[error(transparent)]
    Device(#[from] NoDevice),
    /// Search cannot work so.
    #[error(transparent)]
    Search(#[from] BadSearch),
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// The most bytes that the window and the games under way take, in memory and in their file.
pub fn window_bytes(config: &GumbelConfig, spec: &Spec) -> usize {
    let ply = file::ply_bytes(spec.actions(), spec.seats) + size_of::<u32>();
    let games = size_of::<Played>() + file::GAME_BYTES;
    // At most one game for each position: games have a ply or more.
    let positions = config.window.saturating_add(config.slots * spec.longest_game);
    positions.saturating_mul(ply + games)
}

/// Refuses values that no run can work with.
pub fn check(config: &GumbelConfig, spec: &Spec) -> Result<(), BadSelfPlay> {
    let wrong =
        |key, value, expected: &str| Err(BadSelfPlay::Key { key, value, expected: expected.to_owned() });
    for (key, value, most) in [
        ("slots", config.slots, 1 << 16),
        ("steps", config.steps, 1 << 16),
        ("window", config.window, usize::MAX),
        ("minibatch", config.minibatch, 1 << 20),
    ] {
        if !(1..=most).contains(&value) {
            return wrong(key, value as f64, &format!("1 to {most}"));
        }
    }
    if config.opening_plies > 1_024 {
        return wrong("opening_plies", config.opening_plies.into(), "0 to 1024");
    }
    if window_bytes(config, spec) as u64 > MAX_FILE {
        let room = "positions that fit into a file of 2 GiB, each with all actions of the game";
        return wrong("window", config.window as f64, room);
    }
    for (key, value, most) in [
        ("full_share", config.full_share, 1.0),
        ("taught_share", config.taught_share, 1.0),
        ("reuse", config.reuse, 100.0),
        ("reanalyse", config.reanalyse, 1.0),
        ("rate", config.rate, 1.0),
        ("rate_end", config.rate_end, 1.0),
        ("average_rate", config.average_rate, 1.0),
        ("value_weight", config.value_weight, 100.0),
        ("value_from_search", config.value_from_search, 1.0),
        ("decay", config.decay, 1.0),
        ("gradient_limit", config.gradient_limit, 1e6),
    ] {
        if !(0.0..=most).contains(&value) {
            return wrong(key, value.into(), &format!("0 to {most}"));
        }
    }
    Ok(())
}
