//! Agents without learning.

mod budget;
mod greedy;
mod mc;
mod random;
mod rollout;
mod uct;

pub use budget::{BadBudget, Budget};
pub use greedy::{Greedy, GreedyBot, Judgement, Quick, View};
pub use mc::MonteCarlo;
pub use random::Random;
pub(crate) use rollout::Rollouts;
pub use uct::Uct;
