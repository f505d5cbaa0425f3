//! The torso over a board: every layer reads each cell together with its neighbours, by the same weights everywhere, and
//! what is the same for all cells: the first layer the numbers of the observation that lie nowhere on the board, every further
//! one the mean of all cells. What happens far away, and what a player holds, so changes what is made of a cell.
//!
//! A convolution is a product: what lies at a cell and its neighbours, side by side, times the weights. Square and hexagonal
//! boards differ in their [`Grid`] alone. Behind the last layer all cells stand in a row, then the numbers that lie nowhere;
//! that is what the heads read.

use burn::nn::Linear;
use burn::tensor::activation::relu;
use burn::tensor::{Int, Tensor, TensorData};
use nodarium_env::Grid;
use pulp::Simd;

use super::Dense;
use super::kernel::{self, Finish, Hidden, Panels, VECTORS};

/// A batch `[n, observation]` through the layers, in Burn; `[n, what the heads read]`.
pub(super) fn forward(grid: &Grid, layers: &[Linear], observations: Tensor<2>) -> Tensor<2> {
    let [n, observation] = observations.dims();
    let device = observations.device();
    let cells = grid.cells();
    let numbers = places(grid.numbers(), observation);
    let neighbours = places(grid.neighbours(), cells);
    let rest = grid.rest().iter().map(|&number| number as i64).collect();
    let rest = (!grid.rest().is_empty()).then(|| observations.clone().select(1, indices(rest, &device)));
    let mut hidden = gather(observations.reshape([n, observation, 1]), numbers);
    hidden = hidden.reshape([n, cells, grid.planes()]);
    let mut common = rest.clone();
    for (index, layer) in layers.iter().enumerate() {
        let [.., width] = hidden.dims();
        let inputs = grid.reach() * width;
        let around = gather(hidden.clone(), neighbours.clone()).reshape([n * cells, inputs]);
        let weight = layer.weight.val();
        let [_, width] = weight.dims();
        let bias = layer.bias.as_ref().expect("every layer was given a bias").val();
        let mut sums = around.matmul(weight.clone().slice_dim(0, ..inputs)).reshape([n, cells, width])
            + bias.reshape([1, 1, width]);
        if let Some(common) = common {
            sums = sums + common.matmul(weight.slice_dim(0, inputs..)).reshape([n, 1, width]);
        }
        hidden = if index == 0 { relu(sums) } else { hidden + relu(sums) };
        common = Some(hidden.clone().mean_dim(1).reshape([n, width]));
    }
    let [.., width] = hidden.dims();
    let hidden = hidden.reshape([n, cells * width]);
    match rest {
        Some(rest) => Tensor::cat(vec![hidden, rest], 1),
        None => hidden,
    }
}

/// Places, and the one behind the last for those that are not there.
fn places(places: &[Option<usize>], last: usize) -> Vec<i64> {
    places.iter().map(|place| place.unwrap_or(last) as i64).collect()
}

/// What lies at these places of `[n, places, width]`, with zeros behind the last place.
fn gather(from: Tensor<3>, places: Vec<i64>) -> Tensor<3> {
    let [n, _, width] = from.dims();
    let device = from.device();
    let nothing = Tensor::zeros([n, 1, width], &device);
    Tensor::cat(vec![from, nothing], 1).select(1, indices(places, &device))
}

fn indices(places: Vec<i64>, device: &burn::tensor::Device) -> Tensor<1, Int> {
    let len = places.len();
    Tensor::from_data(TensorData::new(places, [len]), device)
}

/// A layer packed for inference.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// What it makes of a cell and its neighbours.
    around: Panels,
    /// What it makes of what is the same for all cells, with the bias; none where nothing is.
    common: Option<Panels>,
}

impl Layer {
    /// Takes a board through the layer: `from` are its cells, `common` is what is the same for all of them. What the layer makes of
    /// each cell is rectified, added to `residual` and written to `to`.
    #[inline(always)]
    pub fn apply<S: Simd>(
        &self,
        simd: S,
        grid: &Grid,
        [from, common]: [&[f32]; 2],
        residual: Option<&[f32]>,
        to: &mut [f32],
        Scratch { around, start }: &mut Scratch,
    ) {
        gather_around(grid, from, around);
        start.clear();
        start.extend_from_slice(self.around.padded_bias());
        if let Some(panels) = &self.common {
            kernel::multiply(simd, panels, common, &mut Start(start));
        }
        let mut hidden = Hidden { width: self.around.outputs, residual, out: to };
        kernel::multiply_from(simd, &self.around, start, around, &mut hidden);
    }

    /// Packs the layers of a torso over this board.
    pub fn pack(torso: &[Dense], grid: &Grid, lanes: usize) -> Vec<Self> {
        let widths = std::iter::once(grid.planes()).chain(torso.iter().map(|layer| layer.outputs));
        let layers = torso.iter().zip(widths);
        layers.map(|(layer, width)| Self::new(layer, grid.reach() * width, lanes)).collect()
    }

    /// Packs a layer that reads the neighbourhood of a cell as its first inputs.
    fn new(layer: &Dense, neighbourhood: usize, lanes: usize) -> Self {
        let pack = |dense: &Dense, bias: &[f32]| {
            Panels::new(dense.inputs, dense.outputs, &dense.weight, bias, lanes)
        };
        let around = layer.reading(0..neighbourhood);
        let common = layer.reading(neighbourhood..layer.inputs);
        Self {
            around: pack(&around, &layer.bias),
            common: (common.inputs > 0).then(|| pack(&common, &layer.bias)),
        }
    }
}

/// Where the sums of all cells begin.
struct Start<'a>(&'a mut [f32]);

impl Finish for Start<'_> {
    #[inline(always)]
    fn finish<S: Simd>(&mut self, _: S, _: usize, column: usize, sums: [S::f32s; VECTORS]) {
        let columns = VECTORS * S::F32_LANES;
        S::as_mut_simd_f32s(&mut self.0[column..][..columns]).0.copy_from_slice(&sums);
    }
}

/// What a layer works with.
#[derive(Debug)]
pub(super) struct Scratch {
    /// Every cell with its neighbours.
    around: Vec<f32>,
    /// Where the sums begin: the bias and what comes of the common numbers.
    start: Vec<f32>,
}

impl Scratch {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self { around: Vec::new(), start: Vec::new() }
    }
}

/// Room to work in.
#[derive(Debug)]
pub(super) struct Room {
    /// What a layer reads and what it writes, cell by cell.
    cells: [Vec<f32>; 2],
    /// What is the same for all cells.
    common: Vec<f32>,
    scratch: Scratch,
}

impl Room {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self { cells: [Vec::new(), Vec::new()], common: Vec::new(), scratch: Scratch::new() }
    }
}

/// One position through the layers; `out` is what the heads read of it.
#[inline(always)]
pub(super) fn one<S: Simd>(
    simd: S,
    grid: &Grid,
    layers: &[Layer],
    observation: &[f32],
    out: &mut [f32],
    room: &mut Room,
) {
    let Room { cells: [from, to], common, scratch } = room;
    from.clear();
    from.extend(planes(grid, observation));
    common.clear();
    common.extend(rest(grid, observation));
    for (index, layer) in layers.iter().enumerate() {
        to.resize(grid.cells() * layer.around.outputs, 0.0);
        layer.apply(simd, grid, [from, common], (index > 0).then_some(&from[..]), to, scratch);
        std::mem::swap(from, to);
        mean(from, layer.around.outputs, common);
    }
    let (cells, rest) = out.split_at_mut(from.len());
    cells.copy_from_slice(from);
    rest.iter_mut().zip(self::rest(grid, observation)).for_each(|(to, number)| *to = number);
}

/// What lies on the board, cell by cell.
pub(super) fn planes<'a>(grid: &'a Grid, observation: &'a [f32]) -> impl Iterator<Item = f32> + use<'a> {
    grid.numbers().iter().map(|number| number.map_or(0.0, |number| observation[number]))
}

/// What lies nowhere on it.
pub(super) fn rest<'a>(grid: &'a Grid, observation: &'a [f32]) -> impl Iterator<Item = f32> + use<'a> {
    grid.rest().iter().map(|&number| observation[number])
}

/// Every cell of a board with its neighbours, side by side, with zeros beyond the edge.
#[inline(always)]
pub(super) fn gather_around(grid: &Grid, board: &[f32], around: &mut Vec<f32>) {
    let width = board.len() / grid.cells();
    around.clear();
    for neighbour in grid.neighbours() {
        match neighbour {
            Some(cell) => around.extend_from_slice(&board[cell * width..][..width]),
            None => around.resize(around.len() + width, 0.0),
        }
    }
}

/// The mean of all cells of a board.
pub(super) fn mean(board: &[f32], width: usize, out: &mut Vec<f32>) {
    out.clear();
    out.resize(width, 0.0);
    for cell in board.chunks_exact(width) {
        out.iter_mut().zip(cell).for_each(|(sum, number)| *sum += number);
    }
    let share = width as f32 / board.len() as f32;
    out.iter_mut().for_each(|sum| *sum *= share);
}
