//! Learning by self-play.
//!
//! | module | holds |
//! |---|---|
//! | [`config`] | what a config file can say |
//! | [`crew`] | threads that share work without changing what comes of it |
//! | [`mod@learner`] | what every way of learning has in common: iterate, save, take up again |
//! | [`descent`] | one step down a gradient: Burn differentiates the network, Adam moves the weights |
//! | [`gumbel`] | search by self-play (Gumbel AlphaZero) |
//! | [`keep`] | weights beside the policy's in a checkpoint |
//! | [`ppo`] | policy gradients by self-play, for every game |
//! | [`start`] | the learner that a config asks for |
//! | [`run`] | run folders, metrics, matches during training, stop and resume |
//!
//! Playing and learning use as many threads as there are, and the same config and seed make the same run on any
//! number of them: work is cut into pieces by size, never by thread, and sums run over the pieces in their order.

pub mod beginning;
pub mod config;
pub mod crew;
pub mod descent;
pub mod gumbel;
pub mod keep;
pub mod learner;
pub mod ppo;
pub mod run;
pub mod start;

pub use config::Config;
pub use crew::Crew;
pub use learner::{Learner, Report, Trouble};
pub use start::learner;
