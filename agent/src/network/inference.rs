//! Asking the network about many positions at once, on the processor.

use std::cell::RefCell;
use std::sync::Arc;

use nodarium_env::Grid;
use pulp::{Arch, Simd, WithSimd};

use super::kernel::{self, Finish, Hidden, Panels, VECTORS, WIDEST};
use super::sparse::{self, Sparse};
use super::{Dense, Shape, Torso, Weights, convolution};
use crate::Evaluator;

/// Rows that go through all layers together: as many as keep their activations in the second cache.
const BLOCK: usize = 96;

/// What stands between the observation and the heads.
#[derive(Clone, Debug)]
enum Layers {
    Dense(Vec<Panels>),
    OnBoard(Arc<Grid>, Vec<convolution::Layer>),
}

/// A network packed for inference.
///
/// A call keeps to the thread that makes it, so that any number of threads can ask at once, each with its own batch, and
/// none waits for another. Each row's answer is a function of that row alone, to the last bit: the batch it came in, its
/// place there and the number of threads change nothing.
#[derive(Clone, Debug)]
pub struct Inference {
    arch: Arch,
    shape: Shape,
    value_scale: f32,
    torso: Layers,
    /// Both heads in one product: first the logits, then the values.
    heads: Panels,
    /// What the observation adds to them by itself.
    direct: Option<Panels>,
}

impl Inference {
    /// Packs weights for this machine.
    pub fn new(weights: &Weights) -> Self {
        let arch = Arch::new();
        Self::packed(weights, arch, kernel::lanes(arch))
    }

    /// Packs weights for vectors of `lanes` numbers.
    fn packed(weights: &Weights, arch: Arch, lanes: usize) -> Self {
        let pack =
            |dense: &Dense| Panels::new(dense.inputs, dense.outputs, &dense.weight, &dense.bias, lanes);
        Self {
            arch,
            shape: weights.shape().clone(),
            value_scale: weights.config().value_scale,
            torso: match (weights.config().torso, &weights.shape().grid) {
                (Torso::Grid, Some(grid)) => {
                    Layers::OnBoard(grid.clone(), convolution::Layer::pack(&weights.torso, grid, lanes))
                }
                _ => Layers::Dense(weights.torso.iter().map(pack).collect()),
            },
            heads: pack(&side_by_side(&weights.policy, &weights.value)),
            direct: weights.direct.as_ref().map(pack),
        }
    }
}

/// One layer that does what two layers do to the same input.
fn side_by_side(left: &Dense, right: &Dense) -> Dense {
    let rows = left.weight.chunks_exact(left.outputs).zip(right.weight.chunks_exact(right.outputs));
    Dense {
        inputs: left.inputs,
        outputs: left.outputs + right.outputs,
        weight: rows.flat_map(|(left, right)| left.iter().chain(right)).copied().collect(),
        bias: [&left.bias[..], &right.bias].concat(),
    }
}

impl Evaluator for Inference {
    fn observation(&self) -> usize {
        self.shape.observation
    }

    fn actions(&self) -> usize {
        self.shape.actions
    }

    fn seats(&self) -> usize {
        self.shape.seats
    }

    /// # Panics
    /// When the three slices do not hold the same number of whole rows.
    fn evaluate(&self, observations: &[f32], logits: &mut [f32], values: &mut [f32]) {
        let Shape { observation, actions, seats, .. } = self.shape;
        let rows = observations.len() / observation;
        assert_eq!(observations.len(), rows * observation, "observations are whole rows of {observation}");
        assert_eq!(logits.len(), rows * actions, "there are {actions} logits for each of {rows} rows");
        assert_eq!(values.len(), rows * seats, "there are {seats} values for each of {rows} rows");
        ROOM.with_borrow_mut(|room| {
            self.arch.dispatch(Forward { network: self, observations, logits, values, room });
        });
    }
}

/// Room to work in. It grows to what is needed once and stays.
struct Room {
    /// What a layer reads and what it writes.
    activations: [Vec<f32>; 2],
    /// What the observation adds to the heads by itself.
    direct: Vec<f32>,
    /// What the first layer reads, where most of it is zeros.
    sparse: Sparse,
    /// What the torso over a board needs beside them.
    convolution: convolution::Room,
}

impl Room {
    const fn new() -> Self {
        let convolution = convolution::Room::new();
        let activations = [Vec::new(), Vec::new()];
        Self { activations, direct: Vec::new(), sparse: Sparse::new(), convolution }
    }
}

thread_local! {
    static ROOM: RefCell<Room> = const { RefCell::new(Room::new()) };
}

struct Forward<'a> {
    network: &'a Inference,
    observations: &'a [f32],
    logits: &'a mut [f32],
    values: &'a mut [f32],
    room: &'a mut Room,
}

impl WithSimd for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { network, observations, logits, values, room } = self;
        let Shape { observation, actions, seats, .. } = network.shape;
        let blocks = observations
            .chunks(BLOCK * observation)
            .zip(logits.chunks_mut(BLOCK * actions))
            .zip(values.chunks_mut(BLOCK * seats));
        for ((observations, logits), values) in blocks {
            let rows = observations.len() / observation;
            for buffer in &mut room.activations {
                buffer.resize(rows * network.heads.inputs, 0.0);
            }
            room.direct.resize(if network.direct.is_some() { rows * network.heads.outputs } else { 0 }, 0.0);
            let [hidden, direct] = match &network.torso {
                Layers::Dense(layers) => network.dense(simd, layers, observations, room),
                Layers::OnBoard(grid, layers) => {
                    [network.on_grid(simd, grid, layers, observations, room), &[]]
                }
            };
            let value_scale = network.value_scale;
            let mut heads = Heads { actions, seats, value_scale, direct, logits, values };
            kernel::multiply(simd, &network.heads, hidden, &mut heads);
        }
    }
}

impl Inference {
    /// Takes a block of rows through dense layers; what the heads read, and what is added to them.
    #[inline(always)]
    fn dense<'a, S: Simd>(
        &self,
        simd: S,
        layers: &[Panels],
        block: &[f32],
        room: &'a mut Room,
    ) -> [&'a [f32]; 2] {
        let [mut from, mut to] = room.activations.each_mut();
        let (first, further) = layers.split_first().expect("a torso has at least one layer");
        let mut hidden = Hidden { width: first.outputs, residual: None, out: from };
        let mut direct = Direct { width: self.heads.outputs, out: &mut room.direct };
        if sparse::pays(block) {
            room.sparse.read(block, first.inputs);
            sparse::multiply(simd, first, &room.sparse, &mut hidden);
            if let Some(panels) = &self.direct {
                sparse::multiply(simd, panels, &room.sparse, &mut direct);
            }
        } else {
            kernel::multiply(simd, first, block, &mut hidden);
            if let Some(panels) = &self.direct {
                kernel::multiply(simd, panels, block, &mut direct);
            }
        }
        for layer in further {
            let mut hidden = Hidden { width: layer.outputs, residual: Some(from), out: to };
            kernel::multiply(simd, layer, from, &mut hidden);
            std::mem::swap(&mut from, &mut to);
        }
        [from, &room.direct]
    }

    /// Takes a block of rows over the board, one after the other; what the heads read.
    #[inline(always)]
    fn on_grid<'a, S: Simd>(
        &self,
        simd: S,
        grid: &Grid,
        layers: &[convolution::Layer],
        block: &[f32],
        room: &'a mut Room,
    ) -> &'a [f32] {
        let [hidden, _] = &mut room.activations;
        let positions = block.chunks_exact(self.shape.observation);
        for (observation, out) in positions.zip(hidden.chunks_exact_mut(self.heads.inputs)) {
            convolution::one(simd, grid, layers, observation, out, &mut room.convolution);
        }
        hidden
    }
}

/// What the observation adds to the heads: written row by row as it is.
struct Direct<'a> {
    width: usize,
    out: &'a mut [f32],
}

impl Finish for Direct<'_> {
    #[inline(always)]
    fn finish<S: Simd>(&mut self, _: S, row: usize, column: usize, sums: [S::f32s; VECTORS]) {
        let mut flat = [0.0; WIDEST];
        let columns = VECTORS * S::F32_LANES;
        S::as_mut_simd_f32s(&mut flat[..columns]).0.copy_from_slice(&sums);
        let len = columns.min(self.width - column);
        // One zero for both signs: see `sparse`.
        let numbers = flat[..len].iter().map(|number| number + 0.0);
        self.out[row * self.width + column..][..len]
            .iter_mut()
            .zip(numbers)
            .for_each(|(out, sum)| *out = sum);
    }
}

/// Both heads: logits and values go where the caller wants them, row by row.
struct Heads<'a> {
    actions: usize,
    seats: usize,
    value_scale: f32,
    /// What is added to the sums, or nothing.
    direct: &'a [f32],
    logits: &'a mut [f32],
    values: &'a mut [f32],
}

impl Finish for Heads<'_> {
    #[inline(always)]
    fn finish<S: Simd>(&mut self, _: S, row: usize, column: usize, sums: [S::f32s; VECTORS]) {
        let mut flat = [0.0; WIDEST];
        let columns = VECTORS * S::F32_LANES;
        S::as_mut_simd_f32s(&mut flat[..columns]).0.copy_from_slice(&sums);
        let width = self.actions + self.seats;
        if let Some(direct) = self.direct.get(row * width + column..(row + 1) * width) {
            flat.iter_mut().zip(direct).for_each(|(sum, more)| *sum += more);
        }
        // The panel holds `logits` logits, then `values` values, then padding.
        let logits = self.actions.saturating_sub(column).min(columns);
        let first = (column + logits) - self.actions.min(column + logits);
        let values = (self.seats - first).min(columns - logits);
        if logits > 0 {
            self.logits[row * self.actions + column..][..logits].copy_from_slice(&flat[..logits]);
        }
        for (value, sum) in self.values[row * self.seats + first..][..values].iter_mut().zip(&flat[logits..])
        {
            *value = self.value_scale * sum.tanh();
        }
    }
}

#[cfg(test)]
mod tests {
    use burn::tensor::Device;
    use nodarium_env::rng::Purpose;
    use nodarium_env::{Layout, Rng};

    use super::*;
    use crate::network::{NetworkConfig, OnDevice};

    /// Weights that were moved away from their first values, so that biases and heads count too.
    fn weights(config: NetworkConfig, shape: Shape) -> Weights {
        let mut weights = Weights::draw(config, shape, 3).unwrap();
        let mut rng = Rng::keyed(Purpose::Weights, 4, 0, 0);
        for (_, _, numbers) in weights.tensors_mut() {
            numbers.iter_mut().for_each(|number| *number += 0.1 * (rng.unit() - 0.5));
        }
        weights
    }

    fn rows(rows: usize, width: usize) -> Vec<f32> {
        let mut rng = Rng::keyed(Purpose::Choice, 5, 0, 0);
        (0..rows * width).map(|_| 2.0 * rng.unit() - 1.0).collect()
    }

    /// Mostly zeros, as observations are.
    fn sparse_rows(n: usize, width: usize) -> Vec<f32> {
        let mut rng = Rng::keyed(Purpose::Choice, 6, 0, 0);
        rows(n, width).into_iter().map(|number| if rng.below(6) == 0 { number } else { 0.0 }).collect()
    }

    fn ask(evaluator: &impl Evaluator, observations: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let rows = observations.len() / evaluator.observation();
        let mut logits = vec![f32::NAN; rows * evaluator.actions()];
        let mut values = vec![f32::NAN; rows * evaluator.seats()];
        evaluator.evaluate(observations, &mut logits, &mut values);
        (logits, values)
    }

    /// Sizes around those of vectors, panels, tiles and blocks.
    fn networks() -> impl Iterator<Item = Weights> {
        let sizes = [
            (1, 1, 1, 1, 1),
            (5, 3, 2, 3, 2),
            (400, 64, 2, 200, 1),
            (33, 100, 3, 30, 4),
            (16, 512, 1, 31, 2),
        ];
        let layout = Layout::default().field("own", 12, "").field("turn", 2, "").field("other", 12, "");
        let grid = Some(Arc::new(Grid::rectangle(&layout, 3, 4)));
        let board = Shape { observation: 26, insights: 26, actions: 12, seats: 2, grid };
        // Nothing lies beside this one.
        let layout = Layout::default().field("own", 12, "").field("other", 12, "");
        let grid = Some(Arc::new(Grid::rectangle(&layout, 3, 4)));
        let bare = Shape { observation: 24, insights: 24, actions: 12, seats: 2, grid };
        let on_board = [(1, &board), (17, &board), (40, &board), (17, &bare)].map(|(width, shape)| {
            let config = NetworkConfig {
                torso: Torso::Grid,
                width,
                layers: 3,
                value_scale: 2.0,
                ..NetworkConfig::default()
            };
            weights(config, shape.clone())
        });
        let dense = |direct: bool| {
            sizes.into_iter().map(move |(observation, width, layers, actions, seats)| {
                let config =
                    NetworkConfig { width, layers, direct, value_scale: 2.0, ..NetworkConfig::default() };
                weights(config, Shape { observation, insights: observation, actions, seats, grid: None })
            })
        };
        dense(false).chain(dense(true)).chain(on_board)
    }

    #[test]
    fn it_says_what_burn_says() {
        for weights in networks() {
            let (packed, burn) = (Inference::new(&weights), OnDevice::new(&weights, &Device::flex()));
            let numbers = [1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 96, 97, 250];
            for (n, rows) in numbers.into_iter().flat_map(|n| [(n, rows as fn(_, _) -> _), (n, sparse_rows)])
            {
                let observations = rows(n, weights.shape().observation);
                let (ours, theirs) = (ask(&packed, &observations), ask(&burn, &observations));
                for (ours, theirs) in [(&ours.0, &theirs.0), (&ours.1, &theirs.1)] {
                    // The two add in different orders: what cancels leaves an error of the size of the largest terms.
                    let scale = theirs.iter().fold(1.0_f32, |scale, number| scale.max(number.abs()));
                    for (ours, theirs) in ours.iter().zip(theirs) {
                        assert!(
                            (ours - theirs).abs() <= 1e-5 * scale,
                            "{n} rows: {ours} {theirs}, scale {scale}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_row_gets_the_same_bits_in_every_batch() {
        for weights in networks() {
            let packed = Inference::new(&weights);
            let (width, actions, seats) = (packed.observation(), packed.actions(), packed.seats());
            let observations = [rows(110, width), sparse_rows(93, width)].concat();
            let (logits, values) = ask(&packed, &observations);
            for (from, to) in [(0, 1), (17, 18), (5, 7), (100, 104), (90, 101), (1, 203), (202, 203)] {
                let (some_logits, some_values) = ask(&packed, &observations[from * width..to * width]);
                assert_eq!(some_logits, logits[from * actions..to * actions]);
                assert_eq!(some_values, values[from * seats..to * seats]);
            }
        }
    }

    #[test]
    fn skipping_zeros_gives_the_same_bits_as_reading_them() {
        for mut weights in networks() {
            weights.torso[0].bias[0] = -0.0;
            let packed = Inference::new(&weights);
            let (width, bits) = (packed.observation(), |number: &f32| number.to_bits());
            let few = [sparse_rows(20, width), vec![0.0; width]].concat();
            let among_others = [few.clone(), rows(60, width)].concat();
            assert!(sparse::pays(&few) && !sparse::pays(&among_others), "one way each");
            let (skipped, read) = (ask(&packed, &few), ask(&packed, &among_others));
            assert!(skipped.0.iter().map(bits).eq(read.0[..skipped.0.len()].iter().map(bits)));
            assert!(skipped.1.iter().map(bits).eq(read.1[..skipped.1.len()].iter().map(bits)));
        }
    }

    #[test]
    fn vectors_of_any_width_give_the_same_bits() {
        for weights in networks() {
            let width = weights.shape().observation;
            let observations = [rows(29, width), rows(67, width), sparse_rows(29, width)].concat();
            let here = ask(&Inference::new(&weights), &observations);
            let packed = Inference::packed(&weights, Arch::Scalar, 1);
            assert_eq!(ask(&packed, &observations), here);
        }
    }

    #[test]
    fn several_threads_ask_at_once_and_get_what_one_gets() {
        let weights = weights(
            NetworkConfig::default(),
            Shape { observation: 40, insights: 40, actions: 20, seats: 2, grid: None },
        );
        let packed = Inference::new(&weights);
        let observations = rows(150, 40);
        let alone = ask(&packed, &observations);
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| ask(&packed, &observations))).collect();
            assert!(threads.into_iter().all(|thread| thread.join().unwrap() == alone));
        });
    }

    #[test]
    fn no_rows_are_no_work() {
        let packed = Inference::new(&networks().next().unwrap());
        assert_eq!(ask(&packed, &[]), (vec![], vec![]));
    }

    #[test]
    fn values_stay_within_their_scale() {
        let mut weights = networks().next().unwrap();
        weights.value.bias.fill(1e30);
        assert_eq!(ask(&Inference::new(&weights), &rows(1, 1)).1, [2.0]);
    }

    #[test]
    #[should_panic(expected = "observations are whole rows of 5")]
    fn half_a_row_is_refused() {
        let weights = weights(
            NetworkConfig::default(),
            Shape { observation: 5, insights: 5, actions: 3, seats: 2, grid: None },
        );
        Inference::new(&weights).evaluate(&[0.0; 7], &mut [0.0; 3], &mut [0.0; 2]);
    }
}
