//! How a loss changes with the weights: what learning asks of the network.

use burn::module::Module as _;
use burn::nn::Linear;
use burn::tensor::{Device, Gradients, Tensor, TensorData};

use nodarium_env::Grid;

use super::board::Trace;
use super::{Dense, Network, Output, Torso, Weights};

/// How much a loss changes with each weight: by weight and by bias, layer by layer, where Burn left it.
#[derive(Debug)]
pub struct Gradient(Vec<[TensorData; 2]>);

impl Gradient {
    /// Adds it to a sum of gradients in the form of the weights.
    ///
    /// # Panics
    /// When the sum is one of another network.
    pub fn add_to(&self, sum: &mut Weights) {
        let places = sum.torso.iter_mut().chain([&mut sum.policy, &mut sum.value]).chain(&mut sum.direct);
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
    /// Puts rows of observations through the network of `weights`, which this is on `device`, asks `judge` how much a loss changes
    /// with each logit (`[n, actions]`) and each value (`[n, seats]`) of them, and carries that back to every weight.
    ///
    /// A loss need not be written in tensors that way: whoever has one works out the derivatives by the outputs in plain
    /// code, and the network is all that Burn differentiates. Where observations are mostly zeros, the first of several
    /// dense layers and the direct one are worked out apart, since most of their products would be with zeros; so are the
    /// layers over a board.
    ///
    /// # Panics
    /// When a length is not that of the output.
    pub fn gradient(
        &self,
        weights: &Weights,
        device: &Device,
        observations: Vec<f32>,
        judge: impl Judge,
    ) -> Gradient {
        // The weights are shared, and what Burn notes down about them is not: threads do not wait for each other.
        let network = self.clone().train();
        match (self.form.config.torso, &self.form.shape.grid) {
            (Torso::Grid, Some(grid)) => {
                network.gradient_on_board(grid, weights, device, &observations, judge)
            }
            _ if FewNumbers::pay(&observations) => {
                network.gradient_of_few(weights, device, &observations, judge)
            }
            _ => network.gradient_of_all(device, observations, judge),
        }
    }

    fn gradient_of_all(&self, device: &Device, observations: Vec<f32>, judge: impl Judge) -> Gradient {
        let width = self.form.shape.observation;
        let rows = observations.len() / width;
        let observations = TensorData::new(observations, [rows, width]);
        let output = self.forward(Tensor::from_data(observations, &device.clone().autodiff()));
        let mut gradients = backward(output, judge);
        let layers = self.torso.iter().chain([&self.policy, &self.value]).chain(&self.direct);
        Gradient(layers.map(|layer| by_layer(layer, &mut gradients)).collect())
    }

    fn gradient_of_few(
        &self,
        weights: &Weights,
        device: &Device,
        observations: &[f32],
        judge: impl Judge,
    ) -> Gradient {
        let few = FewNumbers::new(observations, self.form.shape.observation);
        let sums = |layer: &Dense| leaf(few.sums(layer), layer.outputs, device);
        let (first, direct) = (sums(&weights.torso[0]), weights.direct.as_ref().map(sums));
        let mut gradients = backward(self.behind_first(first.clone(), direct.clone()), judge);
        let further = self.torso[1..].iter().chain([&self.policy, &self.value]);
        let further: Vec<_> = further.map(|layer| by_layer(layer, &mut gradients)).collect();
        let mut by_few =
            |sums: &Tensor<2>, layer: &Dense| few.by_layer(&by_leaf(sums, &mut gradients), layer);
        let by_first = by_few(&first, &weights.torso[0]);
        let by_direct = direct.iter().zip(&weights.direct).map(|(sums, layer)| by_few(sums, layer));
        Gradient(std::iter::once(by_first).chain(further).chain(by_direct).collect())
    }

    fn gradient_on_board(
        &self,
        grid: &Grid,
        weights: &Weights,
        device: &Device,
        observations: &[f32],
        judge: impl Judge,
    ) -> Gradient {
        let (trace, read) = Trace::forward(grid, &weights.torso, observations, self.form.shape.observation);
        let read = leaf(read, weights.policy.inputs, device);
        let mut gradients = backward(self.heads(read.clone(), None), judge);
        let by_heads = [&self.policy, &self.value].map(|layer| by_layer(layer, &mut gradients));
        let by_torso = trace.back(&by_leaf(&read, &mut gradients));
        Gradient(by_torso.into_iter().chain(by_heads).collect())
    }
}

/// Tells how much a loss changes with each logit and each value of a batch.
pub trait Judge: FnOnce(&[f32], &[f32]) -> (Vec<f32>, Vec<f32>) {}

impl<T: FnOnce(&[f32], &[f32]) -> (Vec<f32>, Vec<f32>)> Judge for T {}

/// Numbers that Burn differentiates by, in rows of that width.
fn leaf(numbers: Vec<f32>, width: usize, device: &Device) -> Tensor<2> {
    let rows = numbers.len() / width;
    Tensor::from_data(TensorData::new(numbers, [rows, width]), &device.clone().autodiff()).require_grad()
}

/// How much the loss changes with them.
fn by_leaf(leaf: &Tensor<2>, gradients: &mut Gradients) -> Vec<f32> {
    let by = leaf.grad_remove(gradients).expect("the loss depends on every layer");
    by.into_data().convert::<f32>().try_into_vec().expect("the data was converted to f32")
}

/// Asks how the loss changes with the output, and carries that back.
fn backward(output: Output, judge: impl Judge) -> Gradients {
    let (logits, values) = output.read();
    let (by_logits, by_values) = judge(&logits, &values);
    let Output { logits, values } = output;
    let constant = |numbers, like: &Tensor<2>| {
        Tensor::<2>::from_data(TensorData::new(numbers, like.dims()), &like.device())
    };
    let (by_logits, by_values) = (constant(by_logits, &logits), constant(by_values, &values));
    ((logits * by_logits).sum() + (values * by_values).sum()).backward()
}

/// Fetches what a layer's weights and biases do to the loss.
fn by_layer(layer: &Linear, gradients: &mut Gradients) -> [TensorData; 2] {
    let bias = layer.bias.as_ref().expect("every layer was given a bias");
    let by_weight = layer.weight.val().grad_remove(gradients).map(Tensor::into_data);
    let by_bias = bias.val().grad_remove(gradients).map(Tensor::into_data);
    [by_weight, by_bias].map(|by| by.expect("the loss depends on every layer").convert::<f32>())
}

/// The numbers of some rows that are not zero, for a dense layer that learns: each costs a row of the weights on the way
/// forward and one on the way back, a zero costs nothing.
struct FewNumbers {
    /// Input and number, row by row.
    entries: Vec<(u32, f32)>,
    /// `[rows]`: where the entries of each row end.
    ends: Vec<usize>,
}

impl FewNumbers {
    /// Whether that is less work than Burn's products, which take all numbers and need fewer loads for each.
    fn pay(rows: &[f32]) -> bool {
        4 * rows.iter().filter(|&&number| number != 0.0).count() <= rows.len()
    }

    fn new(rows: &[f32], width: usize) -> Self {
        let (mut entries, mut ends) = (Vec::new(), Vec::new());
        for row in rows.chunks_exact(width) {
            let there = row.iter().enumerate().filter(|&(_, &number)| number != 0.0);
            entries.extend(there.map(|(input, &number)| (input as u32, number)));
            ends.push(entries.len());
        }
        Self { entries, ends }
    }

    /// The entries of each row.
    fn rows(&self) -> impl Iterator<Item = &[(u32, f32)]> {
        let begins = std::iter::once(&0).chain(&self.ends);
        begins.zip(&self.ends).map(|(&begin, &end)| &self.entries[begin..end])
    }

    /// What the layer sums up, `[rows, outputs]`.
    fn sums(&self, layer: &Dense) -> Vec<f32> {
        let mut sums = layer.bias.repeat(self.ends.len());
        for (row, sums) in self.rows().zip(sums.chunks_exact_mut(layer.outputs)) {
            for &(input, number) in row {
                add_scaled(sums, number, &layer.weight[input as usize * layer.outputs..][..layer.outputs]);
            }
        }
        sums
    }

    /// How much a loss changes with the layer's weights and biases, given how much it changes with its sums.
    fn by_layer(&self, by_sums: &[f32], layer: &Dense) -> [TensorData; 2] {
        let (mut by_weight, mut by_bias) = (vec![0.0; layer.weight.len()], vec![0.0; layer.outputs]);
        for (row, by_sums) in self.rows().zip(by_sums.chunks_exact(layer.outputs)) {
            add_scaled(&mut by_bias, 1.0, by_sums);
            for &(input, number) in row {
                add_scaled(
                    &mut by_weight[input as usize * layer.outputs..][..layer.outputs],
                    number,
                    by_sums,
                );
            }
        }
        [TensorData::new(by_weight, [layer.inputs, layer.outputs]), TensorData::new(by_bias, [layer.outputs])]
    }
}

/// Adds a row times a number to another.
pub(super) fn add_scaled(to: &mut [f32], number: f32, row: &[f32]) {
    to.iter_mut().zip(row).for_each(|(to, from)| *to = number.mul_add(*from, *to));
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nodarium_env::rng::Purpose;
    use nodarium_env::{Grid, Layout, Rng};

    use super::*;
    use crate::Evaluator as _;
    use crate::network::{NetworkConfig, OnDevice, Shape};

    const ROWS: usize = 3;

    /// Weights away from their first values, of a network over a board of twelve cells, of a dense one and of one with a direct
    /// way.
    fn networks(rng: &mut Rng) -> [Weights; 3] {
        let layout = Layout::default().field("own", 12, "").field("turn", 2, "").field("other", 12, "");
        let grid = Some(Arc::new(Grid::rectangle(&layout, 3, 4)));
        let shape = Shape { observation: 26, insights: 26, actions: 12, seats: 2, grid };
        [(Torso::Grid, 5, false), (Torso::Mlp, 16, false), (Torso::Mlp, 16, true)].map(
            |(torso, width, direct)| {
                let config =
                    NetworkConfig { torso, width, layers: 3, insights: false, direct, value_scale: 13.0 };
                let mut weights = Weights::draw(config, shape.clone(), 1).unwrap();
                for (.., numbers) in weights.tensors_mut() {
                    numbers.iter_mut().for_each(|number| *number += 0.2 * (rng.unit() - 0.5));
                }
                weights
            },
        )
    }

    fn some(rng: &mut Rng, count: usize) -> Vec<f32> {
        (0..count).map(|_| rng.unit() - 0.5).collect()
    }

    /// The same rows with one number in six left.
    fn few(rng: &mut Rng, rows: &[f32]) -> Vec<f32> {
        rows.iter().map(|&number| if rng.below(6) == 0 { number } else { 0.0 }).collect()
    }

    fn gradient(weights: &Weights, rows: &[f32], by: &(Vec<f32>, Vec<f32>)) -> Weights {
        let network = Network::new(weights, &Device::flex());
        let mut sum = Weights::zeros(*weights.config(), weights.shape().clone()).unwrap();
        network.gradient(weights, &Device::flex(), rows.to_vec(), |_, _| by.clone()).add_to(&mut sum);
        sum
    }

    #[test]
    fn the_gradient_is_what_small_changes_of_the_weights_do() {
        const STEP: f32 = 1e-3;
        let mut rng = Rng::keyed(Purpose::Choice, 1, 0, 0);
        for weights in networks(&mut rng) {
            let Shape { observation, actions, seats, .. } = *weights.shape();
            let all = some(&mut rng, ROWS * observation);
            let by = (some(&mut rng, ROWS * actions), some(&mut rng, ROWS * seats));
            for rows in [few(&mut rng, &all), all] {
                let loss = |weights: &Weights| {
                    let (mut logits, mut values) = (vec![0.0; ROWS * actions], vec![0.0; ROWS * seats]);
                    OnDevice::new(weights, &Device::flex()).evaluate(&rows, &mut logits, &mut values);
                    let pairs = logits.iter().zip(&by.0).chain(values.iter().zip(&by.1));
                    pairs.map(|(number, by)| number * by).sum::<f32>()
                };
                let told = gradient(&weights, &rows, &by);
                for (tensor, (name, _, told)) in told.tensors().into_iter().enumerate() {
                    let place = told.len() / 2;
                    let moved = |by: f32| {
                        let mut weights = weights.clone();
                        weights.tensors_mut()[tensor].2[place] += by;
                        loss(&weights)
                    };
                    let found = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
                    let told = told[place];
                    // A step may cross the edge at which some unit is cut off.
                    assert!((found - told).abs() < 0.06 * told.abs() + 0.01, "{name}: {found}, told {told}");
                }
            }
        }
    }

    #[test]
    fn the_gradient_on_a_board_is_the_one_that_burn_works_out() {
        let mut rng = Rng::keyed(Purpose::Choice, 3, 0, 0);
        let [weights, ..] = networks(&mut rng);
        let Shape { observation, actions, seats, .. } = *weights.shape();
        let rows = some(&mut rng, ROWS * observation);
        let by = (some(&mut rng, ROWS * actions), some(&mut rng, ROWS * seats));
        let ours = gradient(&weights, &rows, &by);
        let mut theirs = Weights::zeros(*weights.config(), weights.shape().clone()).unwrap();
        let network = Network::new(&weights, &Device::flex()).train();
        network.gradient_of_all(&Device::flex(), rows, |_, _| by.clone()).add_to(&mut theirs);
        for ((name, _, ours), (_, _, theirs)) in ours.tensors().into_iter().zip(theirs.tensors()) {
            for (ours, theirs) in ours.iter().zip(theirs) {
                assert!((ours - theirs).abs() <= 1e-4 * theirs.abs().max(1.0), "{name}: {ours}, {theirs}");
            }
        }
    }

    #[test]
    fn few_numbers_have_the_gradient_that_they_have_among_many() {
        let mut rng = Rng::keyed(Purpose::Choice, 2, 0, 0);
        let [.., weights] = networks(&mut rng);
        let Shape { observation, actions, seats, .. } = *weights.shape();
        let all = some(&mut rng, ROWS * observation);
        let rows = few(&mut rng, &all);
        let by = (some(&mut rng, ROWS * actions), some(&mut rng, ROWS * seats));
        let alone = gradient(&weights, &rows, &by);
        // Beside full rows whose outputs do not count.
        let beside = [rows.clone(), some(&mut rng, 2 * ROWS * observation)].concat();
        let nothing = |by: &[f32]| [by.to_vec(), vec![0.0; 2 * by.len()]].concat();
        let among = gradient(&weights, &beside, &(nothing(&by.0), nothing(&by.1)));
        assert!(FewNumbers::pay(&rows) && !FewNumbers::pay(&beside), "one way each");
        for ((name, _, alone), (_, _, among)) in alone.tensors().into_iter().zip(among.tensors()) {
            for (alone, among) in alone.iter().zip(among) {
                assert!((alone - among).abs() <= 1e-4 * among.abs().max(1.0), "{name}: {alone}, {among}");
            }
        }
    }
}
