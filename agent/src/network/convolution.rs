//! The torso over a board: every layer reads each cell together with its neighbours, by the same weights everywhere.
//!
//! A convolution is a product: what lies at a cell and its neighbours, side by side, times the weights. Square and hexagonal
//! boards differ in their [`Grid`] alone. Behind the last layer all cells stand in a row, then the numbers of the
//! observation that lie nowhere on the board; that is what the heads read.

use burn::nn::Linear;
use burn::tensor::activation::relu;
use burn::tensor::{Int, Tensor, TensorData};
use nodarium_env::Grid;
use pulp::Simd;

use super::kernel::{self, Hidden, Panels};

/// A batch `[n, observation]` through the layers, in Burn; `[n, what the heads read]`.
pub(super) fn forward(grid: &Grid, layers: &[Linear], observations: Tensor<2>) -> Tensor<2> {
    let [n, observation] = observations.dims();
    let cells = grid.cells();
    let numbers = places(grid.numbers(), observation);
    let neighbours = places(grid.neighbours(), cells);
    let mut hidden = gather(observations.clone().reshape([n, observation, 1]), numbers);
    hidden = hidden.reshape([n, cells, grid.planes()]);
    for (index, layer) in layers.iter().enumerate() {
        let [.., width] = hidden.dims();
        let around = gather(hidden.clone(), neighbours.clone()).reshape([n * cells, grid.reach() * width]);
        let [_, width] = layer.weight.val().dims();
        let out = relu(layer.forward(around)).reshape([n, cells, width]);
        hidden = if index == 0 { out } else { hidden + out };
    }
    let [.., width] = hidden.dims();
    let hidden = hidden.reshape([n, cells * width]);
    if grid.rest().is_empty() {
        return hidden;
    }
    let rest = grid.rest().iter().map(|&number| number as i64).collect();
    let device = observations.device();
    let rest = observations.select(1, indices(rest, &device));
    Tensor::cat(vec![hidden, rest], 1)
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

/// Room to work in.
#[derive(Debug)]
pub(super) struct Room {
    /// What a layer reads and what it writes, cell by cell.
    cells: [Vec<f32>; 2],
    /// Every cell with its neighbours.
    around: Vec<f32>,
}

impl Room {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self { cells: [Vec::new(), Vec::new()], around: Vec::new() }
    }
}

/// One position through the layers; `out` is what the heads read of it.
#[inline(always)]
pub(super) fn one<S: Simd>(
    simd: S,
    grid: &Grid,
    layers: &[Panels],
    observation: &[f32],
    out: &mut [f32],
    room: &mut Room,
) {
    let Room { cells: [from, to], around } = room;
    from.clear();
    from.extend(grid.numbers().iter().map(|number| number.map_or(0.0, |number| observation[number])));
    for (index, layer) in layers.iter().enumerate() {
        let width = from.len() / grid.cells();
        around.clear();
        for neighbour in grid.neighbours() {
            match neighbour {
                Some(cell) => around.extend_from_slice(&from[cell * width..][..width]),
                None => around.resize(around.len() + width, 0.0),
            }
        }
        to.resize(grid.cells() * layer.outputs, 0.0);
        let residual = (index > 0).then_some(&from[..]);
        let mut hidden = Hidden { width: layer.outputs, residual, out: to };
        kernel::multiply(simd, layer, around, &mut hidden);
        std::mem::swap(from, to);
    }
    let (cells, rest) = out.split_at_mut(from.len());
    cells.copy_from_slice(from);
    for (number, &place) in rest.iter_mut().zip(grid.rest()) {
        *number = observation[place];
    }
}
