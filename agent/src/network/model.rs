//! The network in Burn, for learning and for devices other than the processor.

use burn::module::{Module, Param};
use burn::nn::Linear;
use burn::tensor::activation::relu;
use burn::tensor::{Device, Tensor, TensorData};

use super::{Dense, NetworkConfig, Shape, Weights};
use crate::Evaluator;

/// The network as a Burn module. It runs on whatever device its tensors are on: the processor (`Device::flex()`), or a
/// graphics card where that feature is compiled in; on `device.autodiff()` it can be trained.
#[derive(Module, Debug)]
pub struct Network {
    torso: Vec<Linear>,
    policy: Linear,
    value: Linear,
    value_scale: f32,
}

/// What the network says about a batch.
#[derive(Clone, Debug)]
pub struct Output {
    /// `[n, actions]`, not masked.
    pub logits: Tensor<2>,
    /// `[n, seats]`, in the units of the game's returns.
    pub values: Tensor<2>,
}

impl Output {
    /// Fetches logits and values from the device.
    pub fn read(&self) -> (Vec<f32>, Vec<f32>) {
        (numbers(self.logits.clone().into_data()), numbers(self.values.clone().into_data()))
    }
}

impl Network {
    /// Puts the weights on a device.
    pub fn new(weights: &Weights, device: &Device) -> Self {
        Self {
            torso: weights.torso.iter().map(|layer| to_device(layer, device)).collect(),
            policy: to_device(&weights.policy, device),
            value: to_device(&weights.value, device),
            value_scale: weights.config().value_scale,
        }
    }

    /// Fetches the weights from the device.
    pub fn weights(&self) -> Weights {
        let mut weights = self.zeros();
        for (layer, dense) in self.torso.iter().zip(&mut weights.torso) {
            from_device(layer, dense);
        }
        from_device(&self.policy, &mut weights.policy);
        from_device(&self.value, &mut weights.value);
        weights
    }

    /// Weights of the sizes of this network.
    fn zeros(&self) -> Weights {
        let [observation, width] = self.torso[0].weight.val().dims();
        let [_, actions] = self.policy.weight.val().dims();
        let [_, seats] = self.value.weight.val().dims();
        let config = NetworkConfig { width, layers: self.torso.len(), value_scale: self.value_scale };
        Weights::zeros(config, Shape { observation, actions, seats })
            .expect("this network was built from weights of these sizes")
    }

    /// How much a loss changes with each weight, given how much it changes with each logit (`[n, actions]`) and each value
    /// (`[n, seats]`) of an output of this network on `device.autodiff()`; in the form of the weights.
    ///
    /// A loss need not be written in tensors that way: whoever has one works out the derivatives by the outputs in plain
    /// code, and the network is all that Burn differentiates.
    ///
    /// # Panics
    /// When the network is not on a device that differentiates, or a length is not that of the output.
    pub fn gradients(&self, output: Output, by_logits: Vec<f32>, by_values: Vec<f32>) -> Weights {
        let Output { logits, values } = output;
        let constant = |numbers, like: &Tensor<2>| {
            Tensor::<2>::from_data(TensorData::new(numbers, like.dims()), &like.device())
        };
        let (by_logits, by_values) = (constant(by_logits, &logits), constant(by_values, &values));
        let mut gradients = ((logits * by_logits).sum() + (values * by_values).sum()).backward();
        let mut weights = self.zeros();
        let layers = self.torso.iter().chain([&self.policy, &self.value]);
        let places = weights.torso.iter_mut().chain([&mut weights.policy, &mut weights.value]);
        for (layer, place) in layers.zip(places) {
            let bias = layer.bias.as_ref().expect("every layer was given a bias");
            let by_weight = layer.weight.val().grad_remove(&mut gradients);
            let by_bias = bias.val().grad_remove(&mut gradients);
            place.weight = numbers(by_weight.expect("the loss depends on every layer").into_data());
            place.bias = numbers(by_bias.expect("the loss depends on every layer").into_data());
        }
        weights
    }

    /// Judges a batch `[n, observation]`.
    pub fn forward(&self, observations: Tensor<2>) -> Output {
        let mut layers = self.torso.iter();
        let first = layers.next().expect("a torso has at least one layer");
        let mut hidden = relu(first.forward(observations));
        for layer in layers {
            hidden = hidden.clone() + relu(layer.forward(hidden));
        }
        let logits = self.policy.forward(hidden.clone());
        let values = self.value.forward(hidden).tanh().mul_scalar(self.value_scale);
        Output { logits, values }
    }
}

fn to_device(dense: &Dense, device: &Device) -> Linear {
    let weight = TensorData::new(dense.weight.clone(), [dense.inputs, dense.outputs]);
    let bias = TensorData::new(dense.bias.clone(), [dense.outputs]);
    Linear { weight: Param::from_data(weight, device), bias: Some(Param::from_data(bias, device)) }
}

fn from_device(layer: &Linear, dense: &mut Dense) {
    let bias = layer.bias.as_ref().expect("every layer was given a bias");
    dense.weight = numbers(layer.weight.val().into_data());
    dense.bias = numbers(bias.val().into_data());
}

fn numbers(data: TensorData) -> Vec<f32> {
    data.convert::<f32>().try_into_vec().expect("the data was converted to f32")
}

/// Asks the network on the device where it is: for graphics cards. On the processor [`Inference`](super::Inference) is
/// faster, keeps to the calling thread and gives each row the same answer in every batch.
#[derive(Debug)]
pub struct OnDevice {
    network: Network,
    device: Device,
    shape: Shape,
}

impl OnDevice {
    /// Puts the weights on a device.
    pub fn new(weights: &Weights, device: &Device) -> Self {
        Self { network: Network::new(weights, device), device: device.clone(), shape: *weights.shape() }
    }
}

impl Evaluator for OnDevice {
    fn observation(&self) -> usize {
        self.shape.observation
    }

    fn actions(&self) -> usize {
        self.shape.actions
    }

    fn seats(&self) -> usize {
        self.shape.seats
    }

    fn evaluate(&self, observations: &[f32], logits: &mut [f32], values: &mut [f32]) {
        let rows = observations.len() / self.shape.observation;
        let data = TensorData::new(observations.to_vec(), [rows, self.shape.observation]);
        let output = self.network.forward(Tensor::from_data(data, &self.device));
        logits.copy_from_slice(&numbers(output.logits.into_data()));
        values.copy_from_slice(&numbers(output.values.into_data()));
    }
}

#[cfg(test)]
mod tests {
    use burn::optim::{AdamConfig, GradientsParams};

    use super::*;

    fn weights() -> Weights {
        let config = NetworkConfig { width: 16, layers: 3, value_scale: 13.0 };
        Weights::draw(config, Shape { observation: 4, actions: 3, seats: 2 }, 1).unwrap()
    }

    #[test]
    fn weights_come_back_from_the_device_bit_for_bit() {
        assert_eq!(Network::new(&weights(), &Device::flex()).weights(), weights());
        assert_eq!(Network::new(&weights(), &Device::flex().autodiff()).weights(), weights());
    }

    #[test]
    fn fresh_networks_know_nothing() {
        let evaluator = OnDevice::new(&weights(), &Device::flex());
        let (mut logits, mut values) = ([1.0; 3], [1.0; 2]);
        evaluator.evaluate(&[1.0, 0.0, 1.0, 0.5], &mut logits, &mut values);
        assert!(logits.iter().all(|logit| logit.abs() < 0.1), "{logits:?}");
        assert!(values.iter().all(|value| value.abs() < 1.0), "{values:?}");
    }

    #[test]
    fn a_few_steps_of_training_bring_the_values_to_what_was_paid() {
        let device = Device::flex().autodiff();
        let mut network = Network::new(&weights(), &device);
        let mut optimiser = AdamConfig::new().init();
        let observations = TensorData::new(vec![1.0_f32, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0], [2, 4]);
        let returns = TensorData::new(vec![5.0_f32, -5.0, -12.0, 12.0], [2, 2]);
        let loss_of = |network: &Network| {
            let values = network.forward(Tensor::from_data(observations.clone(), &device)).values;
            (values - Tensor::from_data(returns.clone(), &device)).powi_scalar(2).mean()
        };
        let first = numbers(loss_of(&network).into_data())[0];
        for _ in 0..200 {
            let gradients = GradientsParams::from_grads(loss_of(&network).backward(), &network);
            network = optimiser.step(0.01, network, gradients);
        }
        let last = numbers(loss_of(&network).into_data())[0];
        assert!(last < 0.01 * first, "the loss went from {first} to {last}");
    }
}
