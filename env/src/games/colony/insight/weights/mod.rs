//! The weights of [`Chances`](super::chance::Chances): what the counts of a seat and of the others add up to.

#[allow(clippy::approx_constant, reason = "fitted numbers, some near a constant by chance")]
mod four;
#[allow(clippy::approx_constant, reason = "fitted numbers, some near a constant by chance")]
mod three;

pub(super) use four::FOR_FOUR;
pub(super) use three::FOR_THREE;

use super::counts::COUNTS;

/// Units of the first and of the second layer.
pub(super) const UNITS: usize = 48;
pub(super) const SECOND: usize = 16;

/// The weights for one number of players.
#[derive(Debug)]
pub(super) struct Weights {
    /// From the counts of the seat itself, of the next one, …, to the first layer.
    pub first: &'static [[[f32; UNITS]; COUNTS]],
    pub first_bias: [f32; UNITS],
    pub second: [[f32; SECOND]; UNITS],
    pub second_bias: [f32; SECOND],
    /// From the second layer to the score.
    pub last: [f32; SECOND],
    /// From the seat's own counts to the score.
    pub straight: [f32; COUNTS],
}
