//! Learning over a board: the layers of the torso `grid` forward and back, in plain code around matrix products.
//!
//! Burn could differentiate [`convolution::forward`](super::convolution::forward) too, but gathering neighbours takes it far
//! longer than the products that they are gathered for. Here a cell's neighbourhood is copied, and what it does to the loss is
//! added back where it came from; the products stay Burn's.

use burn::tensor::{Device, Tensor, TensorData};
use nodarium_env::Grid;

use super::Dense;

/// What a batch left behind on its way forward.
pub(super) struct Trace<'a> {
    grid: &'a Grid,
    layers: &'a [Dense],
    device: &'a Device,
    /// For each layer, what it read: `[n · cells, reach · width]`.
    around: Vec<Tensor<2>>,
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
        observations: &[f32],
        width: usize,
    ) -> (Self, Vec<f32>) {
        let rows = observations.len() / width;
        let mut trace = Self { grid, layers, device, around: Vec::new(), added: Vec::new(), rows };
        let planes = observations
            .chunks_exact(width)
            .flat_map(|row| grid.numbers().iter().map(|number| number.map_or(0.0, |number| row[number])));
        let mut hidden: Vec<f32> = planes.collect();
        for (index, layer) in layers.iter().enumerate() {
            let around = trace.tensor(gather(grid, &hidden, rows), layer.inputs);
            let weight = Tensor::from_data(
                TensorData::new(layer.weight.clone(), [layer.inputs, layer.outputs]),
                device,
            );
            let mut added = numbers(around.clone().matmul(weight));
            for cell in added.chunks_exact_mut(layer.outputs) {
                cell.iter_mut().zip(&layer.bias).for_each(|(sum, bias)| *sum = (*sum + bias).max(0.0));
            }
            match index {
                0 => hidden.clone_from(&added),
                _ => hidden.iter_mut().zip(&added).for_each(|(hidden, added)| *hidden += added),
            }
            trace.around.push(around);
            trace.added.push(added);
        }
        let cells = hidden.len() / rows.max(1);
        let read = hidden.chunks_exact(cells).zip(observations.chunks_exact(width));
        let read = read.flat_map(|(cells, row)| {
            cells.iter().copied().chain(grid.rest().iter().map(|&number| row[number]))
        });
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
            let mut by_bias = vec![0.0; layer.outputs];
            for cell in by_sums.chunks_exact(layer.outputs) {
                by_bias.iter_mut().zip(cell).for_each(|(sum, by)| *sum += by);
            }
            let by_sums = self.tensor(by_sums, layer.outputs);
            let by_weight = self.around[index].clone().transpose().matmul(by_sums.clone());
            by_layers
                .push([by_weight.into_data().convert::<f32>(), TensorData::new(by_bias, [layer.outputs])]);
            if index > 0 {
                let weight = TensorData::new(layer.weight.clone(), [layer.inputs, layer.outputs]);
                let weight = Tensor::<2>::from_data(weight, self.device);
                let by_around = numbers(by_sums.matmul(weight.transpose()));
                scatter(self.grid, &by_around, &mut by_hidden, self.rows);
            }
        }
        by_layers.reverse();
        by_layers
    }

    fn tensor(&self, numbers: Vec<f32>, width: usize) -> Tensor<2> {
        let rows = numbers.len() / width;
        Tensor::from_data(TensorData::new(numbers, [rows, width]), self.device)
    }
}

fn numbers(tensor: Tensor<2>) -> Vec<f32> {
    tensor.into_data().convert::<f32>().try_into_vec().expect("the data was converted to f32")
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
