//! How large a network is.

use std::fmt;
use std::sync::Arc;

use nodarium_env::{Grid, MAX_ACTIONS, Spec};
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

/// What stands between the observation and the heads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Torso {
    /// Dense layers over the whole observation.
    #[default]
    Mlp,
    /// Convolutions over the board.
    Grid,
}

impl fmt::Display for Torso {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mlp => "mlp",
            Self::Grid => "grid",
        })
    }
}

/// The size of a network, as configs and checkpoints spell it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NetworkConfig {
    /// What stands between the observation and the heads: mlp, dense layers over the whole observation, or grid,
    /// convolutions over the board, for games that have one.
    #[schemars(with = "String", extend("enum" = ["mlp", "grid"]))]
    pub torso: Torso,
    /// Units of every layer of the torso; with a grid, units of every cell.
    pub width: usize,
    /// Layers of the torso: the first reads the observation, every further one is residual.
    pub layers: usize,
    /// Whether the network also reads the game's insights: numbers behind the observation that take longer to work out, such as
    /// the cheapest connections in `kato`.
    pub insights: bool,
    /// Whether the heads also read the observation itself, beside what the dense layers make of it: what a number says about one
    /// action, it then says straight away.
    pub direct: bool,
    /// The largest return that the value head can tell: 1 for games won or lost, more for games with stakes (13 covers
    /// Leduc poker). Values are `value_scale · tanh(…)`, so that search never meets one that no game could end with.
    pub value_scale: f32,
}

impl Default for NetworkConfig {
    fn default() -> Self {
        Self { torso: Torso::Mlp, width: 256, layers: 2, insights: false, direct: false, value_scale: 1.0 }
    }
}

/// What a network reads and tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Numbers of an observation.
    pub observation: usize,
    /// Logits.
    pub actions: usize,
    /// Values.
    pub seats: usize,
    /// Numbers of an observation with the game's insights behind it. A manifest does not hold this and the board: they
    /// follow from the game and its rules.
    #[serde(skip)]
    pub insights: usize,
    /// The board under the observation.
    #[serde(skip)]
    pub grid: Option<Arc<Grid>>,
}

impl Shape {
    /// What a network for this game reads and tells.
    pub fn of(spec: &Spec) -> Self {
        Self {
            observation: spec.observation.len(),
            insights: spec.insights.len(),
            actions: spec.actions(),
            seats: spec.seats,
            grid: spec.grid.clone(),
        }
    }

    /// What is left of it for a network that reads insights or does not.
    pub(crate) fn read_by(self, config: &NetworkConfig) -> Self {
        let observation = if config.insights { self.insights } else { self.observation };
        Self { observation, grid: self.grid.map(|grid| Arc::new(grid.within(observation))), ..self }
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
    /// Insights that the game does not have.
    #[error("network `insights` is true: expected false, this game has none")]
    NoInsights,
    /// A direct way beside convolutions.
    #[error("network `direct` is true: expected false, with torso grid the heads read every cell")]
    DirectGrid,
    /// Convolutions without a board.
    #[error("network `torso` is grid: expected mlp, this game has no board that the observation lies on")]
    NoGrid,
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
        if self.direct && self.torso == Torso::Grid {
            return Err(BadNetwork::DirectGrid);
        }
        let read = shape.clone().read_by(self);
        let Inputs { first, further, heads } = self.inputs(&read)?;
        // Within the limits above nothing here comes near the end of 64 bits.
        let dense = |inputs: usize, outputs: usize| (inputs as u64 + 1) * outputs as u64;
        let total = dense(first, self.width)
            + (self.layers as u64 - 1) * dense(further, self.width)
            + dense(heads, shape.actions + shape.seats)
            + if self.direct { dense(read.observation, shape.actions + shape.seats) } else { 0 };
        if total > MAX_PARAMETERS as u64 {
            return Err(BadNetwork::Parameters(total));
        }
        Ok(total as usize)
    }

    /// What the layers read of a shape that is left for this network.
    pub(super) fn inputs(&self, shape: &Shape) -> Result<Inputs, BadNetwork> {
        match (self.torso, &shape.grid) {
            (Torso::Mlp, _) => {
                Ok(Inputs { first: shape.observation, further: self.width, heads: self.width })
            }
            (Torso::Grid, Some(grid)) => Ok(Inputs {
                first: grid.reach() * grid.planes() + grid.rest().len(),
                further: (grid.reach() + 1) * self.width,
                heads: grid.cells() * self.width + grid.rest().len(),
            }),
            (Torso::Grid, None) => Err(BadNetwork::NoGrid),
        }
    }
}

/// Numbers that each layer reads.
pub(super) struct Inputs {
    pub first: usize,
    pub further: usize,
    pub heads: usize,
}

#[cfg(test)]
mod tests {
    use nodarium_env::Layout;

    use super::*;

    const SHAPE: Shape = Shape { observation: 400, insights: 400, actions: 200, seats: 1, grid: None };

    #[test]
    fn the_count_is_that_of_the_layers() {
        let config = NetworkConfig { width: 512, layers: 2, ..NetworkConfig::default() };
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
    fn a_board_is_needed_for_convolutions_and_gives_them_their_sizes() {
        let config = NetworkConfig { torso: Torso::Grid, width: 8, layers: 3, ..NetworkConfig::default() };
        assert_eq!(
            config.parameters(&SHAPE).unwrap_err().to_string(),
            "network `torso` is grid: expected mlp, this game has no board that the observation lies on"
        );
        let layout = Layout::default().field("own", 12, "").field("turn", 2, "").field("other", 12, "");
        let grid = Some(Arc::new(Grid::rectangle(&layout, 3, 4)));
        let shape = Shape { observation: 26, insights: 26, actions: 12, seats: 2, grid };
        let heads = (12 * 8 + 2 + 1) * 14;
        assert_eq!(config.parameters(&shape), Ok((9 * 2 + 2 + 1) * 8 + 2 * (10 * 8 + 1) * 8 + heads));
    }

    #[test]
    fn insights_are_read_where_they_are_asked_for() {
        let plain = Layout::default().field("own", 12, "").field("turn", 2, "");
        let whole = plain.clone().field("near", 12, "");
        let grid = Some(Arc::new(Grid::rectangle(&whole, 3, 4)));
        let shape = Shape { observation: 14, insights: 26, actions: 12, seats: 2, grid };
        let config = NetworkConfig { width: 8, layers: 1, ..NetworkConfig::default() };
        let seeing = NetworkConfig { insights: true, ..config };
        assert_eq!(config.parameters(&shape), Ok(15 * 8 + 9 * 14));
        assert_eq!(seeing.parameters(&shape), Ok(27 * 8 + 9 * 14));
        let [config, seeing] = [config, seeing].map(|config| NetworkConfig { torso: Torso::Grid, ..config });
        let heads = (12 * 8 + 2 + 1) * 14;
        assert_eq!(config.parameters(&shape), Ok((9 + 2 + 1) * 8 + heads));
        assert_eq!(seeing.parameters(&shape), Ok((9 * 2 + 2 + 1) * 8 + heads));
    }

    #[test]
    fn a_config_without_a_torso_means_the_dense_one() {
        let config: NetworkConfig = serde_json::from_str(r#"{"width": 8}"#).unwrap();
        assert_eq!(config.torso, Torso::Mlp);
    }

    #[test]
    fn an_unknown_key_is_refused() {
        let error =
            serde_json::from_str::<NetworkConfig>(r#"{"width": 8, "depth": 2}"#).unwrap_err().to_string();
        assert!(error.contains("unknown field `depth`"), "{error}");
    }
}
