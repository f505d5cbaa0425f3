//! The policy and value network: what it is made of ([`NetworkConfig`], [`Weights`]), how it learns ([`Network`], in
//! Burn) and how it is asked ([`Inference`], many positions in one call).
//!
//! One family, sized by config. With `x` the observation as the seat to act sees it:
//!
//! ```text
//! h   = relu(x W0 + b0)                  the first layer, observation → width
//! h   = h + relu(h Wi + bi)              every further layer, width → width, residual
//! logits = h Wp + bp                     one for each action, not masked
//! values = scale · tanh(h Wv + bv)       one for each seat: the viewer's, then the others' in the order of play
//! ```
//!
//! That torso is called `mlp`. The other one, `grid`, lies over the board that the game's [`Grid`](nodarium_env::Grid)
//! describes: with `x` the planes of the observation, `[cells, planes]`, and `around` what lies at a cell and its
//! neighbours (zeros beyond the edge), the same for every cell:
//!
//! ```text
//! h   = relu(around(x) W0 + b0)          the first layer, reach · planes → width
//! h   = h + relu(around(h) Wi + bi)      every further layer, reach · width → width, residual
//! ```
//!
//! Its heads read all cells of `h`, and behind them the numbers of the observation that lie nowhere on the board.
//!
//! [`Weights`] are plain arrays and the form in which everything meets: drawn by seed, written to a
//! [checkpoint](crate::checkpoint), given to Burn for training, packed for inference.

mod board;
mod config;
mod convolution;
mod device;
mod gradient;
mod growth;
mod inference;
mod kernel;
mod model;
pub mod softmax;
mod sparse;
mod weights;

pub use config::{
    BadNetwork, MAX_LAYERS, MAX_OBSERVATION, MAX_PARAMETERS, MAX_SEATS, MAX_WIDTH, NetworkConfig, Shape,
    Torso,
};
pub use device::{DEVICES, NoDevice, device};
pub use gradient::{Gradient, Judge};
pub use inference::Inference;
pub use model::{Network, OnDevice, Output};
pub use weights::{Dense, Weights};
