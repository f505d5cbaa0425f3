//! Weights as plain arrays.

use nodarium_env::Rng;
use nodarium_env::rng::Purpose;

use super::config::Inputs;
use super::{BadNetwork, NetworkConfig, Shape};

/// How much smaller than usual the heads begin: the first policy is close to uniform, the first values close to 0.
const HEAD_GAIN: f32 = 0.01;

/// One dense layer, `outputs = inputs · weight + bias`.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    /// Numbers read.
    pub inputs: usize,
    /// Numbers written.
    pub outputs: usize,
    /// `[inputs, outputs]`, row by row.
    pub weight: Vec<f32>,
    /// `[outputs]`.
    pub bias: Vec<f32>,
}

impl Dense {
    fn zeros(inputs: usize, outputs: usize) -> Self {
        Self { inputs, outputs, weight: vec![0.0; inputs * outputs], bias: vec![0.0; outputs] }
    }

    /// The layer that writes only some of the outputs.
    pub(crate) fn only(&self, outputs: std::ops::Range<usize>) -> Self {
        let rows = self.weight.chunks_exact(self.outputs);
        Self {
            inputs: self.inputs,
            outputs: outputs.len(),
            weight: rows.flat_map(|row| &row[outputs.clone()]).copied().collect(),
            bias: self.bias[outputs.clone()].to_vec(),
        }
    }

    /// The layer that reads only some of the inputs, without its bias.
    pub(crate) fn reading(&self, inputs: std::ops::Range<usize>) -> Self {
        Self {
            inputs: inputs.len(),
            outputs: self.outputs,
            weight: self.weight[inputs.start * self.outputs..inputs.end * self.outputs].to_vec(),
            bias: vec![0.0; self.outputs],
        }
    }

    /// Weights uniform in ±`bound`, biases 0.
    fn draw(&mut self, bound: f32, rng: &mut Rng) {
        self.weight.fill_with(|| (2.0 * rng.unit() - 1.0) * bound);
    }
}

/// Everything that a network has learned, with the sizes that give it its meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    config: NetworkConfig,
    shape: Shape,
    /// The torso, first layer first.
    pub torso: Vec<Dense>,
    /// The policy head.
    pub policy: Dense,
    /// The value head.
    pub value: Dense,
    /// What the observation adds to logits and values by itself, where the network has that.
    pub direct: Option<Dense>,
}

impl Weights {
    /// All zeros: a form to be filled in.
    pub fn zeros(config: NetworkConfig, shape: Shape) -> Result<Self, BadNetwork> {
        config.parameters(&shape)?;
        let shape = shape.read_by(&config);
        let Inputs { first, further, heads } = config.inputs(&shape)?;
        let first = Dense::zeros(first, config.width);
        let further = (1..config.layers).map(|_| Dense::zeros(further, config.width));
        Ok(Self {
            policy: Dense::zeros(heads, shape.actions),
            value: Dense::zeros(heads, shape.seats),
            direct: config.direct.then(|| Dense::zeros(shape.observation, shape.actions + shape.seats)),
            config,
            shape,
            torso: std::iter::once(first).chain(further).collect(),
        })
    }

    /// Fresh weights, the same for the same seed on every machine.
    ///
    /// The first layer keeps the size of its input (He). Residual layers add to it: each is smaller by the root of their
    /// number, so that the sum at the end of a deep torso is no larger than at the end of a shallow one. The direct way begins
    /// at 0.
    pub fn draw(config: NetworkConfig, shape: Shape, seed: u64) -> Result<Self, BadNetwork> {
        let mut weights = Self::zeros(config, shape)?;
        let residual = 1.0 / (config.layers.max(2) as f32 - 1.0).sqrt();
        for (index, layer) in weights.torso.iter_mut().enumerate() {
            let gain = if index == 0 { 1.0 } else { residual };
            let bound = gain * (6.0 / layer.inputs as f32).sqrt();
            layer.draw(bound, &mut Rng::keyed(Purpose::Weights, seed, 0, index as u64));
        }
        for (index, head) in [&mut weights.policy, &mut weights.value].into_iter().enumerate() {
            let bound = HEAD_GAIN * (3.0 / head.inputs as f32).sqrt();
            head.draw(bound, &mut Rng::keyed(Purpose::Weights, seed, 1, index as u64));
        }
        Ok(weights)
    }

    /// The size of the network.
    pub fn config(&self) -> &NetworkConfig {
        &self.config
    }

    /// What it reads and tells.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Every tensor with its name and its dimensions, in a fixed order.
    pub fn tensors(&self) -> Vec<(String, Vec<usize>, &[f32])> {
        let mut tensors = Vec::new();
        for (name, dense) in self.named() {
            tensors.push((format!("{name}.weight"), vec![dense.inputs, dense.outputs], &dense.weight[..]));
            tensors.push((format!("{name}.bias"), vec![dense.outputs], &dense.bias[..]));
        }
        tensors
    }

    /// The same as [`tensors`](Self::tensors), to be filled in.
    pub fn tensors_mut(&mut self) -> Vec<(String, Vec<usize>, &mut [f32])> {
        let torso = self.torso.iter_mut().enumerate().map(|(index, layer)| (format!("torso.{index}"), layer));
        let heads = [("policy".to_owned(), &mut self.policy), ("value".to_owned(), &mut self.value)];
        let direct = self.direct.iter_mut().map(|layer| ("direct".to_owned(), layer));
        let mut tensors = Vec::new();
        for (name, dense) in torso.chain(heads).chain(direct) {
            tensors.push((
                format!("{name}.weight"),
                vec![dense.inputs, dense.outputs],
                &mut dense.weight[..],
            ));
            tensors.push((format!("{name}.bias"), vec![dense.outputs], &mut dense.bias[..]));
        }
        tensors
    }

    /// Moves by that share of the way towards others of the same sizes.
    pub fn approach(&mut self, ahead: &Self, share: f32) {
        for ((.., numbers), (.., ahead)) in self.tensors_mut().into_iter().zip(ahead.tensors()) {
            numbers.iter_mut().zip(ahead).for_each(|(number, &ahead)| *number += share * (ahead - *number));
        }
    }

    /// The first number that is not finite, as the name of its tensor and its place there.
    pub fn not_finite(&self) -> Option<(String, usize)> {
        self.tensors().into_iter().find_map(|(name, _, numbers)| {
            numbers.iter().position(|number| !number.is_finite()).map(|index| (name, index))
        })
    }

    fn named(&self) -> impl Iterator<Item = (String, &Dense)> {
        let torso = self.torso.iter().enumerate().map(|(index, layer)| (format!("torso.{index}"), layer));
        let heads = [("policy".to_owned(), &self.policy), ("value".to_owned(), &self.value)];
        torso.chain(heads).chain(self.direct.iter().map(|layer| ("direct".to_owned(), layer)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Torso;

    const SHAPE: Shape = Shape { observation: 5, insights: 5, actions: 3, seats: 2, grid: None };
    const CONFIG: NetworkConfig = NetworkConfig {
        torso: Torso::Mlp,
        width: 4,
        layers: 3,
        insights: false,
        direct: false,
        value_scale: 1.0,
    };

    #[test]
    fn the_same_seed_draws_the_same_weights_and_another_seed_others() {
        let draw = |seed| Weights::draw(CONFIG, SHAPE, seed).unwrap();
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert_ne!(draw(1).torso[1], draw(1).torso[2], "layers have streams of their own");
    }

    #[test]
    fn the_first_weights_of_a_seed_are_pinned_for_good() {
        let weights = Weights::draw(CONFIG, SHAPE, 7).unwrap();
        assert_eq!(
            weights.torso[0].weight[..3],
            [0.473_346_23, -0.416_374_27, -0.932_824_1],
            "old seeds must keep drawing the same networks"
        );
    }

    #[test]
    fn tensors_add_up_to_the_parameters_and_have_one_name_each() {
        let mut weights = Weights::zeros(CONFIG, SHAPE).unwrap();
        let tensors = weights.tensors();
        let total: usize = tensors.iter().map(|(_, _, numbers)| numbers.len()).sum();
        assert_eq!(Ok(total), CONFIG.parameters(&SHAPE));
        assert!(tensors.iter().all(|(_, dims, numbers)| dims.iter().product::<usize>() == numbers.len()));
        let names: Vec<String> = tensors.into_iter().map(|(name, ..)| name).collect();
        assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), names.len());
        assert_eq!(weights.tensors_mut().into_iter().map(|(name, ..)| name).collect::<Vec<_>>(), names);
    }

    #[test]
    fn a_number_that_is_not_finite_is_found_by_name() {
        let mut weights = Weights::zeros(CONFIG, SHAPE).unwrap();
        assert_eq!(weights.not_finite(), None);
        weights.policy.bias[2] = f32::INFINITY;
        assert_eq!(weights.not_finite(), Some(("policy.bias".to_owned(), 2)));
    }
}
