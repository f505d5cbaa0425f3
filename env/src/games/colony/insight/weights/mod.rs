//! The weights of [`Chances`](super::chance::Chances): what the counts of a seat and of the others add up to. `train/examples/judge_colony`
//! looks for better ones.

#[allow(clippy::approx_constant, reason = "fitted numbers, some near a constant by chance")]
mod four;
#[allow(clippy::approx_constant, reason = "fitted numbers, some near a constant by chance")]
mod three;

pub use four::FOR_FOUR;
pub use three::FOR_THREE;

use super::counts::COUNTS;

/// Units of the first layer.
pub const UNITS: usize = 48;
/// Units of the second layer.
pub const SECOND: usize = 16;

/// The weights for one number of players.
#[derive(Debug)]
pub struct Weights {
    /// From the counts of the seat itself, of the next one, …, to the first layer.
    pub first: &'static [[[f32; UNITS]; COUNTS]],
    /// What the units of the first layer begin with.
    pub first_bias: [f32; UNITS],
    /// From the first layer to the second.
    pub second: [[f32; SECOND]; UNITS],
    /// What its units begin with.
    pub second_bias: [f32; SECOND],
    /// From the second layer to the score.
    pub last: [f32; SECOND],
    /// From the seat's own counts to the score.
    pub straight: [f32; COUNTS],
}
