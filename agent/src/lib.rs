//! Whatever picks an action: bots, search, the network, checkpoints.
//!
//! Everything that plays stands behind one interface, [`Agent`], which works on many games at once.

mod agent;
pub mod bots;
pub mod checkpoint;
pub mod evaluator;
pub mod network;
pub mod search;

pub use agent::{Agent, Query, Thought};
pub use evaluator::Evaluator;
