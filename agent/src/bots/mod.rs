//! Agents without learning.

mod budget;
mod mc;
mod random;
mod rollout;
mod uct;

pub use budget::{BadBudget, Budget};
pub use mc::MonteCarlo;
pub use random::Random;
pub use uct::Uct;
