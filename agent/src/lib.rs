//! Whatever picks an action: bots, search, the network, checkpoints.
//!
//! Everything that plays stands behind one interface, [`Agent`], which works on many games at once.

mod agent;
pub mod bots;
mod build;
pub mod checkpoint;
pub mod duel;
pub mod evaluator;
pub mod export;
pub mod name;
pub mod network;
pub mod play;
mod policy;
pub mod search;
mod seen;
mod symmetric;
pub mod table;

pub use agent::{Agent, Query, Thought};
pub use build::{BuildError, Playable, build};
pub use duel::{Duel, Interval, duel};
pub use evaluator::Evaluator;
pub use name::{AgentName, BadName};
pub use play::play;
pub use policy::Policy;
pub use seen::is_seen;
pub use symmetric::Symmetric;
pub use table::{Agents, Table};
