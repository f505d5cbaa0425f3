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
    torso: Vec<Linear>,
    policy: Linear,
    value: Linear,
    #[module(skip)]
    form: Form,
}

/// What gives the numbers of a network their meaning.
#[derive(Clone, Debug)]
struct Form {
    config: NetworkConfig,
    shape: Shape,
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

/// How much a loss changes with each weight: by weight and by bias, layer by layer, where Burn left it.
#[derive(Debug)]
pub struct Gradient(Vec<[TensorData; 2]>);

impl Gradient {
    /// Adds it to a sum of gradients in the form of the weights.
    ///
    /// # Panics
    /// When the sum is one of another network.
    pub fn add_to(&self, sum: &mut Weights) {
        let places = sum.torso.iter_mut().chain([&mut sum.policy, &mut sum.value]);
        for (place, [by_weight, by_bias]) in places.zip(&self.0) {
            for (place, data) in [(&mut place.weight, by_weight), (&mut place.bias, by_bias)] {
                let numbers = data.as_slice::<f32>().expect("the data was converted to f32");
                assert_eq!(place.len(), numbers.len(), "the sum has the sizes of the network");
                place.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
            }
        }
    }
}

impl Network {
    /// Puts the weights on a device.
    pub fn new(weights: &Weights, device: &Device) -> Self {
        Self {
            torso: weights.torso.iter().map(|layer| to_device(layer, device)).collect(),
            policy: to_device(&weights.policy, device),
            value: to_device(&weights.value, device),
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
        weights
    }

    /// How much a loss changes with each weight, given how much it changes with each logit (`[n, actions]`) and each value
    /// (`[n, seats]`) of an output of this network on `device.autodiff()`.
    ///
    /// A loss need not be written in tensors that way: whoever has one works out the derivatives by the outputs in plain
    /// code, and the network is all that Burn differentiates.
    ///
    /// # Panics
    /// When the network is not on a device that differentiates, or a length is not that of the output.
    pub fn gradient(&self, output: Output, by_logits: Vec<f32>, by_values: Vec<f32>) -> Gradient {
        let Output { logits, values } = output;
        let constant = |numbers, like: &Tensor<2>| {
            Tensor::<2>::from_data(TensorData::new(numbers, like.dims()), &like.device())
        };
        let (by_logits, by_values) = (constant(by_logits, &logits), constant(by_values, &values));
        let mut gradients = ((logits * by_logits).sum() + (values * by_values).sum()).backward();
        let mut by_layer = |layer: &Linear| {
            let bias = layer.bias.as_ref().expect("every layer was given a bias");
            let by_weight = layer.weight.val().grad_remove(&mut gradients);
            let by_bias = bias.val().grad_remove(&mut gradients);
            let read = |data: TensorData| data.convert::<f32>();
            [
                read(by_weight.expect("the loss depends on every layer").into_data()),
                read(by_bias.expect("the loss depends on every layer").into_data()),
            ]
        };
        Gradient(self.torso.iter().chain([&self.policy, &self.value]).map(&mut by_layer).collect())
    }

    /// Judges a batch `[n, observation]`.
    pub fn forward(&self, observations: Tensor<2>) -> Output {
        let Form { config, shape } = &self.form;
        let hidden = match (config.torso, &shape.grid) {
            (Torso::Grid, Some(grid)) => convolution::forward(grid, &self.torso, observations),
            _ => dense(&self.torso, observations),
        };
        let logits = self.policy.forward(hidden.clone());
        let values = self.value.forward(hidden).tanh().mul_scalar(config.value_scale);
        Output { logits, values }
    }
}

/// Dense layers, each rectified, every one but the first added to what it read.
fn dense(layers: &[Linear], observations: Tensor<2>) -> Tensor<2> {
    let (first, further) = layers.split_first().expect("a torso has at least one layer");
    further
        .iter()
        .fold(relu(first.forward(observations)), |hidden, layer| hidden.clone() + relu(layer.forward(hidden)))
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
    use nodarium_env::rng::Purpose;
    use nodarium_env::{Grid, Layout, Rng};

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
        let config =
            NetworkConfig { torso: Torso::Grid, width: 5, layers: 3, insights: false, value_scale: 13.0 };
        Weights::draw(config, Shape { observation: 26, insights: 26, actions: 12, seats: 2, grid }, 1)
            .unwrap()
    }

    #[test]
    fn the_gradient_is_what_small_changes_of_the_weights_do() {
        const STEP: f32 = 1e-3;
        let mut rng = Rng::keyed(Purpose::Choice, 1, 0, 0);
        for mut weights in [weights(), on_board()] {
            for (.., numbers) in weights.tensors_mut() {
                numbers.iter_mut().for_each(|number| *number += 0.2 * (rng.unit() - 0.5));
            }
            let Shape { observation, actions, seats, .. } = *weights.shape();
            let mut some = |count: usize| -> Vec<f32> { (0..count).map(|_| rng.unit() - 0.5).collect() };
            let (rows, by_logits, by_values) = (some(3 * observation), some(3 * actions), some(3 * seats));
            let loss = |weights: &Weights| {
                let (mut logits, mut values) = (vec![0.0; 3 * actions], vec![0.0; 3 * seats]);
                OnDevice::new(weights, &Device::flex()).evaluate(&rows, &mut logits, &mut values);
                let sum =
                    |numbers: &[f32], by: &[f32]| -> f32 { numbers.iter().zip(by).map(|(a, b)| a * b).sum() };
                sum(&logits, &by_logits) + sum(&values, &by_values)
            };
            let device = Device::flex().autodiff();
            let network = Network::new(&weights, &device);
            let output =
                network.forward(Tensor::from_data(TensorData::new(rows.clone(), [3, observation]), &device));
            let mut sum = Weights::zeros(*weights.config(), weights.shape().clone()).unwrap();
            network.gradient(output, by_logits.clone(), by_values.clone()).add_to(&mut sum);
            for (tensor, (name, _, gradient)) in sum.tensors().into_iter().enumerate() {
                let place = gradient.len() / 2;
                let moved = |by: f32| {
                    let mut weights = weights.clone();
                    weights.tensors_mut()[tensor].2[place] += by;
                    loss(&weights)
                };
                let found = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
                let told = gradient[place];
                assert!((found - told).abs() < 0.02 * told.abs() + 0.01, "{name}: {found}, told {told}");
            }
        }
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
