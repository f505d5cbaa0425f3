//! Learning over a board: the layers of the torso `grid` forward and back, in plain code around matrix products.
//!
//! Burn could differentiate [`convolution::forward`](super::convolution::forward) too, but gathering neighbours takes it far
//! longer than the products that they are gathered for. Here a cell's neighbourhood is copied, and what it does to the loss is
//! added back where it came from; the products stay Burn's, but for the small ones with what is the same for all cells.

use burn::tensor::{Device, Tensor, TensorData};
use nodarium_env::Grid;

use super::Dense;
use super::convolution::mean;
use super::gradient::add_scaled;

/// What a batch left behind on its way forward.
pub(super) struct Trace<'a> {
    grid: &'a Grid,
    layers: &'a [Dense],
    device: &'a Device,
    /// For each layer, what it read: `[n · cells, reach · width]`.
    around: Vec<Tensor<2>>,
    /// For each layer, what is the same for all cells of a row: `[n, common]`.
    common: Vec<Vec<f32>>,
    /// For each layer, what it added, rectified: `[n · cells, width]`.
    added: Vec<Vec<f32>>,
    rows: usize,
}

impl<'a> Trace<'a> {
    /// Takes rows of observations through the layers; also tells what the heads read of them, `[n, heads]`.
    pub fn forward(
        grid: &'a Grid,
        layers: &'a [Dense],
        device: &'a Device,
        observations: &'a [f32],
        width: usize,
    ) -> (Self, Vec<f32>) {
        let rows = observations.len() / width;
        let mut trace = Self { grid, layers, device, around: vec![], common: vec![], added: vec![], rows };
        let rest = |row: &'a [f32]| grid.rest().iter().map(|&number| row[number]);
        let planes = observations
            .chunks_exact(width)
            .flat_map(|row| grid.numbers().iter().map(|number| number.map_or(0.0, |number| row[number])));
        let mut hidden: Vec<f32> = planes.collect();
        let mut common: Vec<f32> = observations.chunks_exact(width).flat_map(rest).collect();
        for (index, layer) in layers.iter().enumerate() {
            let around = gather(grid, &hidden, rows);
            let neighbourhood = around.len() / (rows * grid.cells()).max(1);
            let around = trace.tensor(around, neighbourhood);
            let mut added = numbers(around.clone().matmul(trace.weight(layer, neighbourhood)));
            let starts = starts(layer, neighbourhood, &common, rows);
            let boards = added.chunks_exact_mut(grid.cells() * layer.outputs);
            for (board, start) in boards.zip(starts.chunks_exact(layer.outputs)) {
                for cell in board.chunks_exact_mut(layer.outputs) {
                    cell.iter_mut().zip(start).for_each(|(sum, start)| *sum = (*sum + start).max(0.0));
                }
            }
            match index {
                0 => hidden.clone_from(&added),
                _ => hidden.iter_mut().zip(&added).for_each(|(hidden, added)| *hidden += added),
            }
            trace.around.push(around);
            trace.added.push(added);
            trace.common.push(common);
            common = Vec::with_capacity(rows * layer.outputs);
            let mut of_board = Vec::new();
            for board in hidden.chunks_exact(grid.cells() * layer.outputs) {
                mean(board, layer.outputs, &mut of_board);
                common.extend_from_slice(&of_board);
            }
        }
        let cells = hidden.len() / rows.max(1);
        let read = hidden.chunks_exact(cells).zip(observations.chunks_exact(width));
        let read = read.flat_map(|(cells, row)| cells.iter().copied().chain(rest(row)));
        (trace, read.collect())
    }

    /// How much a loss changes with the weights and biases of each layer, given how much it changes with what the heads read.
    pub fn back(&self, by_read: &[f32]) -> Vec<[TensorData; 2]> {
        let board = self.grid.cells() * self.layers[0].outputs;
        let rows = by_read.chunks_exact(board + self.grid.rest().len());
        let mut by_hidden: Vec<f32> = rows.flat_map(|row| &row[..board]).copied().collect();
        let mut by_layers = Vec::new();
        for (index, layer) in self.layers.iter().enumerate().rev() {
            let pairs = by_hidden.iter().zip(&self.added[index]);
            // What is not positive was cut off.
            let by_sums: Vec<f32> = pairs.map(|(by, &added)| if added > 0.0 { *by } else { 0.0 }).collect();
            let by_starts = by_starts(&by_sums, layer.outputs, self.rows);
            let [by_common_weight, by_bias] = self.by_common_weight(index, &by_starts);
            let by_sums = self.tensor(by_sums, layer.outputs);
            let mut by_weight = numbers(self.around[index].clone().transpose().matmul(by_sums.clone()));
            by_weight.extend(by_common_weight);
            by_layers.push([
                TensorData::new(by_weight, [layer.inputs, layer.outputs]),
                TensorData::new(by_bias, [layer.outputs]),
            ]);
            if index > 0 {
                let neighbourhood = self.grid.reach() * layer.outputs;
                let by_around = numbers(by_sums.matmul(self.weight(layer, neighbourhood).transpose()));
                scatter(self.grid, &by_around, &mut by_hidden, self.rows);
                self.spread_mean(layer, neighbourhood, &by_starts, &mut by_hidden);
            }
        }
        by_layers.reverse();
        by_layers
    }

    /// How much a loss changes with a layer's weights for what is the same for all cells, and with its biases, given how much it
    /// changes with where the sums of each row begin.
    fn by_common_weight(&self, index: usize, by_starts: &[f32]) -> [Vec<f32>; 2] {
        let (outputs, common) = (self.layers[index].outputs, &self.common[index]);
        let inputs = common.len() / self.rows.max(1);
        let (mut by_weight, mut by_bias) = (vec![0.0; inputs * outputs], vec![0.0; outputs]);
        for (row, by_start) in by_starts.chunks_exact(outputs).enumerate() {
            add_scaled(&mut by_bias, 1.0, by_start);
            let numbers = &common[row * inputs..][..inputs];
            for (&number, by_weight) in numbers.iter().zip(by_weight.chunks_exact_mut(outputs)) {
                add_scaled(by_weight, number, by_start);
            }
        }
        [by_weight, by_bias]
    }

    /// Adds what the mean of all cells does to the loss to every cell.
    fn spread_mean(&self, layer: &Dense, neighbourhood: usize, by_starts: &[f32], by_hidden: &mut [f32]) {
        let (cells, width) = (self.grid.cells(), layer.inputs - neighbourhood);
        let weights = &layer.weight[neighbourhood * layer.outputs..];
        let boards = by_hidden.chunks_exact_mut(cells * width);
        for (board, by_start) in boards.zip(by_starts.chunks_exact(layer.outputs)) {
            let by_unit = |weights: &[f32]| weights.iter().zip(by_start).map(|(w, by)| w * by).sum::<f32>();
            let by_mean: Vec<f32> = weights.chunks_exact(layer.outputs).map(by_unit).collect();
            for cell in board.chunks_exact_mut(width) {
                add_scaled(cell, 1.0 / cells as f32, &by_mean);
            }
        }
    }

    /// The weights of a layer for a cell and its neighbours.
    fn weight(&self, layer: &Dense, neighbourhood: usize) -> Tensor<2> {
        let weight = layer.weight[..neighbourhood * layer.outputs].to_vec();
        Tensor::from_data(TensorData::new(weight, [neighbourhood, layer.outputs]), self.device)
    }

    fn tensor(&self, numbers: Vec<f32>, width: usize) -> Tensor<2> {
        let rows = numbers.len() / width;
        Tensor::from_data(TensorData::new(numbers, [rows, width]), self.device)
    }
}

fn numbers(tensor: Tensor<2>) -> Vec<f32> {
    tensor.into_data().convert::<f32>().try_into_vec().expect("the data was converted to f32")
}

/// Where the sums of each row begin: the bias and what the layer makes of what is the same for all cells.
fn starts(layer: &Dense, neighbourhood: usize, common: &[f32], rows: usize) -> Vec<f32> {
    let mut starts = layer.bias.repeat(rows);
    let (inputs, weights) = (layer.inputs - neighbourhood, &layer.weight[neighbourhood * layer.outputs..]);
    for (row, start) in starts.chunks_exact_mut(layer.outputs).enumerate() {
        let numbers = &common[row * inputs..][..inputs];
        for (&number, weights) in numbers.iter().zip(weights.chunks_exact(layer.outputs)) {
            add_scaled(start, number, weights);
        }
    }
    starts
}

/// How much a loss changes with where the sums of each row begin: what it changes with the sums of all its cells.
fn by_starts(by_sums: &[f32], outputs: usize, rows: usize) -> Vec<f32> {
    let mut by_starts = vec![0.0; rows * outputs];
    let boards = by_sums.chunks_exact(by_sums.len() / rows.max(1));
    for (board, by_start) in boards.zip(by_starts.chunks_exact_mut(outputs)) {
        board.chunks_exact(outputs).for_each(|cell| add_scaled(by_start, 1.0, cell));
    }
    by_starts
}

/// Every cell of every row with its neighbours, side by side, with zeros beyond the edge.
fn gather(grid: &Grid, hidden: &[f32], rows: usize) -> Vec<f32> {
    let width = hidden.len() / (rows * grid.cells()).max(1);
    let mut around = Vec::with_capacity(hidden.len() * grid.reach());
    for board in hidden.chunks_exact(grid.cells() * width) {
        for neighbour in grid.neighbours() {
            match neighbour {
                Some(cell) => around.extend_from_slice(&board[cell * width..][..width]),
                None => around.resize(around.len() + width, 0.0),
            }
        }
    }
    around
}

/// Adds what was gathered back to where it came from.
fn scatter(grid: &Grid, around: &[f32], hidden: &mut [f32], rows: usize) {
    let width = hidden.len() / (rows * grid.cells()).max(1);
    let boards = hidden.chunks_exact_mut(grid.cells() * width);
    for (board, around) in boards.zip(around.chunks_exact(grid.neighbours().len() * width)) {
        for (neighbour, numbers) in grid.neighbours().iter().zip(around.chunks_exact(width)) {
            if let Some(cell) = neighbour {
                let to = &mut board[cell * width..][..width];
                to.iter_mut().zip(numbers).for_each(|(to, number)| *to += number);
            }
        }
    }
}
