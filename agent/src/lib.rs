//! Whatever picks an action: bots, search, the network, checkpoints.
//!
//! Everything that plays stands behind one interface, [`Agent`], which works on many games at once.

mod agent;
pub mod bots;
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
pub use duel::{Duel, Interval, duel};
pub use evaluator::Evaluator;
pub use name::{AgentName, BadName, BuildError, Playable, build};
pub use play::play;
pub use policy::Policy;
pub use seen::is_seen;
pub use symmetric::Symmetric;
pub use table::{Agents, Table};
