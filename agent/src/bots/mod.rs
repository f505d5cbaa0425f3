//! Agents without learning.

mod random;

pub use random::Random;
