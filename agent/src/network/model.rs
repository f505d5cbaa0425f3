//! The network in Burn, for learning and for devices other than the processor.

use burn::module::{Module, Param};
use burn::nn::Linear;
use burn::tensor::activation::relu;
use burn::tensor::{Device, Tensor, TensorData};

use super::{Dense, NetworkConfig, Shape, Torso, Weights, convolution};
use crate::Evaluator;

/// The network as a Burn module. It runs on whatever device its tensors are on: the processor (`Device::flex()`), or a
/// graphics card where that feature is compiled in; on `device.autodiff()` it can be trained.
#[derive(Module, Debug)]
pub struct Network {
    pub(super) torso: Vec<Linear>,
    pub(super) policy: Linear,
    pub(super) value: Linear,
    pub(super) direct: Option<Linear>,
    #[module(skip)]
    pub(super) form: Form,
}

/// What gives the numbers of a network their meaning.
#[derive(Clone, Debug)]
pub(super) struct Form {
    pub(super) config: NetworkConfig,
    pub(super) shape: Shape,
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
            direct: weights.direct.as_ref().map(|layer| to_device(layer, device)),
            form: Form { config: *weights.config(), shape: weights.shape().clone() },
        }
    }

    /// Fetches the weights from the device.
    pub fn weights(&self) -> Weights {
        let mut weights = Weights::zeros(self.form.config, self.form.shape.clone())
            .expect("this network was built from weights of these sizes");
        for (layer, dense) in self.torso.iter().zip(&mut weights.torso) {
            from_device(layer, dense);
        }
        from_device(&self.policy, &mut weights.policy);
        from_device(&self.value, &mut weights.value);
        for (layer, dense) in self.direct.iter().zip(&mut weights.direct) {
            from_device(layer, dense);
        }
        weights
    }

    /// Judges a batch `[n, observation]`.
    pub fn forward(&self, observations: Tensor<2>) -> Output {
        let Form { config, shape } = &self.form;
        match (config.torso, &shape.grid) {
            (Torso::Grid, Some(grid)) => {
                self.heads(convolution::forward(grid, &self.torso, observations), None)
            }
            _ => {
                let direct = self.direct.as_ref().map(|layer| layer.forward(observations.clone()));
                self.behind_first(self.torso[0].forward(observations), direct)
            }
        }
    }

    /// Judges a batch from the sums of the first dense layer on, `[n, width]`, and of the direct one, if there is one: each layer
    /// is rectified, and every one but the first added to what it read.
    pub(super) fn behind_first(&self, sums: Tensor<2>, direct: Option<Tensor<2>>) -> Output {
        let further = self.torso[1..].iter();
        let hidden = further.fold(relu(sums), |hidden, layer| hidden.clone() + relu(layer.forward(hidden)));
        self.heads(hidden, direct)
    }

    pub(super) fn heads(&self, hidden: Tensor<2>, direct: Option<Tensor<2>>) -> Output {
        let (mut logits, mut values) = (self.policy.forward(hidden.clone()), self.value.forward(hidden));
        if let Some(direct) = direct {
            let actions = self.form.shape.actions;
            logits = logits + direct.clone().slice_dim(1, ..actions);
            values = values + direct.slice_dim(1, actions..);
        }
        Output { logits, values: values.tanh().mul_scalar(self.form.config.value_scale) }
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
        Self {
            network: Network::new(weights, device),
            device: device.clone(),
            shape: weights.shape().clone(),
        }
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
    use std::sync::Arc;

    use burn::optim::{AdamConfig, GradientsParams};
    use nodarium_env::{Grid, Layout};

    use super::*;

    fn weights() -> Weights {
        let config = NetworkConfig { width: 16, layers: 3, value_scale: 13.0, ..NetworkConfig::default() };
        Weights::draw(config, Shape { observation: 4, insights: 4, actions: 3, seats: 2, grid: None }, 1)
            .unwrap()
    }

    /// The same over a board of twelve cells.
    fn on_board() -> Weights {
        let layout = Layout::default().field("own", 12, "").field("turn", 2, "").field("other", 12, "");
        let grid = Some(Arc::new(Grid::rectangle(&layout, 3, 4)));
        let config = NetworkConfig {
            torso: Torso::Grid,
            width: 5,
            layers: 3,
            insights: false,
            direct: false,
            value_scale: 13.0,
        };
        Weights::draw(config, Shape { observation: 26, insights: 26, actions: 12, seats: 2, grid }, 1)
            .unwrap()
    }

    #[test]
    fn weights_come_back_from_the_device_bit_for_bit() {
        assert_eq!(Network::new(&weights(), &Device::flex()).weights(), weights());
        assert_eq!(Network::new(&on_board(), &Device::flex()).weights(), on_board());
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
