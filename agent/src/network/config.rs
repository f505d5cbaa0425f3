//! How large a network is.

use nodarium_env::{MAX_ACTIONS, Spec};
use serde::{Deserialize, Serialize};

/// The widest layer.
pub const MAX_WIDTH: usize = 8_192;
/// The most layers of a torso.
pub const MAX_LAYERS: usize = 64;
/// The longest observation.
pub const MAX_OBSERVATION: usize = 65_536;
/// The most seats.
pub const MAX_SEATS: usize = 8;
/// The most weights and biases of a network, 512 MiB of them.
pub const MAX_PARAMETERS: usize = 1 << 27;

/// The size of a network, as configs and checkpoints spell it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NetworkConfig {
    /// Units of every layer of the torso.
    pub width: usize,
    /// Layers of the torso: the first reads the observation, every further one is residual.
    pub layers: usize,
    /// The largest return that the value head can tell: 1 for games won or lost, more for games with stakes (13 covers
    /// Leduc poker). Values are `value_scale · tanh(…)`, so that search never meets one that no game could end with.
    pub value_scale: f32,
}

impl Default for NetworkConfig {
    fn default() -> Self {
        Self { width: 256, layers: 2, value_scale: 1.0 }
    }
}

/// What a network reads and tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Numbers of an observation.
    pub observation: usize,
    /// Logits.
    pub actions: usize,
    /// Values.
    pub seats: usize,
}

impl Shape {
    /// What a network for this game reads and tells.
    pub fn of(spec: &Spec) -> Self {
        Self { observation: spec.observation.len(), actions: spec.actions(), seats: spec.seats }
    }
}

/// A network that cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BadNetwork {
    /// A size of 0 or beyond its limit.
    #[error("network `{key}` is {value}: expected 1 to {limit}")]
    Size {
        /// What is too large or 0.
        key: &'static str,
        /// What was given.
        value: usize,
        /// The largest that is allowed.
        limit: usize,
    },
    /// A scale that no return can have.
    #[error("network `value_scale` is {0}: expected a finite number above 0")]
    Scale(f32),
    /// Every size is allowed but the whole is too large.
    #[error("the network has {0} weights and biases: expected at most {MAX_PARAMETERS}")]
    Parameters(u64),
}

impl NetworkConfig {
    /// Checks the sizes against their limits and counts weights and biases, before any memory is taken.
    pub fn parameters(&self, shape: &Shape) -> Result<usize, BadNetwork> {
        let sizes = [
            ("width", self.width, MAX_WIDTH),
            ("layers", self.layers, MAX_LAYERS),
            ("observation", shape.observation, MAX_OBSERVATION),
            ("actions", shape.actions, MAX_ACTIONS),
            ("seats", shape.seats, MAX_SEATS),
        ];
        for (key, value, limit) in sizes {
            if !(1..=limit).contains(&value) {
                return Err(BadNetwork::Size { key, value, limit });
            }
        }
        if !(self.value_scale.is_finite() && self.value_scale > 0.0) {
            return Err(BadNetwork::Scale(self.value_scale));
        }
        // Within the limits above nothing here comes near the end of 64 bits.
        let dense = |inputs: usize, outputs: usize| (inputs as u64 + 1) * outputs as u64;
        let total = dense(shape.observation, self.width)
            + (self.layers as u64 - 1) * dense(self.width, self.width)
            + dense(self.width, shape.actions + shape.seats);
        if total > MAX_PARAMETERS as u64 {
            return Err(BadNetwork::Parameters(total));
        }
        Ok(total as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { observation: 400, actions: 200, seats: 1 };

    #[test]
    fn the_count_is_that_of_the_layers() {
        let config = NetworkConfig { width: 512, layers: 2, value_scale: 1.0 };
        assert_eq!(config.parameters(&SHAPE), Ok(401 * 512 + 513 * 512 + 513 * 201));
    }

    #[test]
    fn sizes_of_nothing_or_beyond_their_limit_are_refused_by_name() {
        let refused = |config: NetworkConfig| config.parameters(&SHAPE).unwrap_err().to_string();
        let fine = NetworkConfig::default();
        assert_eq!(refused(NetworkConfig { width: 0, ..fine }), "network `width` is 0: expected 1 to 8192");
        assert_eq!(refused(NetworkConfig { layers: 65, ..fine }), "network `layers` is 65: expected 1 to 64");
        assert!(refused(NetworkConfig { value_scale: f32::NAN, ..fine }).contains("`value_scale` is NaN"));
        assert!(refused(NetworkConfig { width: 8_192, layers: 64, ..fine }).contains("at most 134217728"));
    }

    #[test]
    fn an_unknown_key_is_refused() {
        let error =
            serde_json::from_str::<NetworkConfig>(r#"{"width": 8, "depth": 2}"#).unwrap_err().to_string();
        assert!(error.contains("unknown field `depth`"), "{error}");
    }
}
