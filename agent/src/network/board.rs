//! Learning over a board: the layers of the torso `grid` forward and back, with the kernel that inference uses.
//!
//! Burn could differentiate [`convolution::forward`](super::convolution::forward) too, but gathering neighbours takes it far
//! longer than the products that they are gathered for, and what it gathers for a whole batch lies in memory. Here one board
//! at a time goes through all layers, forward as in inference and back, so that what is gathered stays in the core's cache; it is
//! gathered twice, which costs less than keeping it.

use burn::tensor::TensorData;
use nodarium_env::Grid;
use pulp::{Arch, Simd, WithSimd};

use super::Dense;
use super::convolution::{self, Layer, Scratch, gather_around, mean};
use super::gradient::add_scaled;
use super::kernel::{self, Panels, Plain, VECTORS};

/// What a batch left behind on its way forward.
pub(super) struct Trace<'a> {
    grid: &'a Grid,
    layers: &'a [Dense],
    arch: Arch,
    rows: usize,
    /// For each layer, what it read of the cells: `[n, cells, width]`.
    cells: Vec<Vec<f32>>,
    /// For each layer, what it read that is the same for all cells of a board: `[n, common]`.
    common: Vec<Vec<f32>>,
    /// For each layer, what it added, rectified: `[n, cells, width]`.
    added: Vec<Vec<f32>>,
}

impl<'a> Trace<'a> {
    /// Takes rows of observations through the layers; also tells what the heads read of them, `[n, heads]`.
    pub fn forward(
        grid: &'a Grid,
        layers: &'a [Dense],
        observations: &[f32],
        width: usize,
    ) -> (Self, Vec<f32>) {
        let (arch, rows) = (Arch::new(), observations.len() / width);
        let mut trace = Self { grid, layers, arch, rows, cells: vec![], common: vec![], added: vec![] };
        let boards = observations.chunks_exact(width);
        let mut cells: Vec<f32> = boards.clone().flat_map(|row| convolution::planes(grid, row)).collect();
        let mut common: Vec<f32> = boards.clone().flat_map(|row| convolution::rest(grid, row)).collect();
        for (index, layer) in Layer::pack(layers, grid, kernel::lanes(arch)).iter().enumerate() {
            let outputs = layers[index].outputs;
            let mut added = vec![0.0; rows * grid.cells() * outputs];
            arch.dispatch(Forward { grid, layer, rows, cells: &cells, common: &common, added: &mut added });
            let mut after = added.clone();
            if index > 0 {
                after.iter_mut().zip(&cells).for_each(|(sum, before)| *sum += before);
            }
            trace.added.push(added);
            trace.cells.push(std::mem::replace(&mut cells, after));
            let mut means = Vec::with_capacity(rows * outputs);
            let mut of_board = Vec::new();
            for board in cells.chunks_exact(grid.cells() * outputs) {
                mean(board, outputs, &mut of_board);
                means.extend_from_slice(&of_board);
            }
            trace.common.push(std::mem::replace(&mut common, means));
        }
        let read = cells.chunks_exact(cells.len() / rows.max(1)).zip(boards);
        let read = read.flat_map(|(cells, row)| cells.iter().copied().chain(convolution::rest(grid, row)));
        (trace, read.collect())
    }

    /// How much a loss changes with the weights and biases of each layer, given how much it changes with what the heads read.
    pub fn back(&self, by_read: &[f32]) -> Vec<[TensorData; 2]> {
        let board = self.grid.cells() * self.layers[0].outputs;
        let rows = by_read.chunks_exact(board + self.grid.rest().len());
        let mut by_cells: Vec<f32> = rows.flat_map(|row| &row[..board]).copied().collect();
        let mut by_layers = Vec::new();
        for index in (0..self.layers.len()).rev() {
            by_layers.push(self.arch.dispatch(Back { trace: self, index, by_cells: &mut by_cells }));
        }
        by_layers.reverse();
        by_layers
    }
}

/// One layer on its way forward.
struct Forward<'a> {
    grid: &'a Grid,
    layer: &'a Layer,
    rows: usize,
    cells: &'a [f32],
    common: &'a [f32],
    added: &'a mut [f32],
}

impl WithSimd for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { grid, layer, rows, cells, common, added } = self;
        let mut scratch = Scratch::new();
        for row in 0..rows {
            let read = [cells, common].map(|of| of_row(of, row, rows));
            layer.apply(simd, grid, read, None, of_row_mut(added, row, rows), &mut scratch);
        }
    }
}

/// One layer on its way back: turns how much a loss changes with what the layer left of the cells into how much it changes with
/// what it read of them, and tells how much it changes with the weights and biases.
struct Back<'a> {
    trace: &'a Trace<'a>,
    index: usize,
    by_cells: &'a mut [f32],
}

impl WithSimd for Back<'_> {
    type Output = [TensorData; 2];

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> [TensorData; 2] {
        let Self { trace, index, by_cells } = self;
        let Trace { grid, rows, .. } = *trace;
        let (layer, cells, common) = (&trace.layers[index], &trace.cells[index], &trace.common[index]);
        let inputs = grid.reach() * cells.len() / (rows.max(1) * grid.cells());
        let turned = (index > 0).then(|| turned(layer, inputs, S::F32_LANES));
        let columns = layer.outputs.next_multiple_of(VECTORS * S::F32_LANES);
        let mut by_weight = vec![0.0; inputs * columns];
        let mut by_common = vec![0.0; (layer.inputs - inputs) * layer.outputs];
        let mut by_bias = vec![0.0; layer.outputs];
        let mut by_sums = vec![0.0; grid.cells() * columns];
        let mut by_flat = vec![0.0; grid.cells() * layer.outputs];
        let mut by_around = vec![0.0; grid.cells() * inputs];
        let mut around = Vec::new();
        for row in 0..rows {
            let [read, common, added] = [cells, common, &trace.added[index]].map(|of| of_row(of, row, rows));
            let by_cells = of_row_mut(by_cells, row, rows);
            let mut by_start = vec![0.0; layer.outputs];
            for (cell, (by, added)) in
                by_cells.chunks_exact(layer.outputs).zip(added.chunks_exact(layer.outputs)).enumerate()
            {
                let by_cell = &mut by_flat[cell * layer.outputs..][..layer.outputs];
                for ((to, &by), &added) in by_cell.iter_mut().zip(by).zip(added) {
                    // What is not positive was cut off.
                    *to = if added > 0.0 { by } else { 0.0 };
                }
                add_scaled(&mut by_start, 1.0, by_cell);
                by_sums[cell * columns..][..layer.outputs].copy_from_slice(by_cell);
            }
            add_scaled(&mut by_bias, 1.0, &by_start);
            for (&number, by_common) in common.iter().zip(by_common.chunks_exact_mut(layer.outputs)) {
                add_scaled(by_common, number, &by_start);
            }
            gather_around(grid, read, &mut around);
            kernel::add_transposed(simd, &around, inputs, &by_sums, &mut by_weight);
            if let Some(turned) = &turned {
                let mut plain = Plain { width: inputs, out: &mut by_around };
                kernel::multiply(simd, turned, &by_flat, &mut plain);
                scatter(grid, &by_around, by_cells);
                spread_mean(grid, layer, inputs, &by_start, by_cells);
            }
        }
        let rows = by_weight.chunks_exact(columns).flat_map(|row| &row[..layer.outputs]);
        let by_weight = rows.copied().chain(by_common).collect();
        [
            TensorData::new::<f32, _>(by_weight, [layer.inputs, layer.outputs]),
            TensorData::new(by_bias, [layer.outputs]),
        ]
    }
}

/// The numbers of one of several rows.
fn of_row(numbers: &[f32], row: usize, rows: usize) -> &[f32] {
    let width = numbers.len() / rows;
    &numbers[row * width..][..width]
}

fn of_row_mut(numbers: &mut [f32], row: usize, rows: usize) -> &mut [f32] {
    let width = numbers.len() / rows;
    &mut numbers[row * width..][..width]
}

/// The weights of a layer for a cell and its neighbours, outputs and inputs exchanged.
fn turned(layer: &Dense, inputs: usize, lanes: usize) -> Panels {
    let weight = |output: usize| (0..inputs).map(move |input| layer.weight[input * layer.outputs + output]);
    let turned: Vec<f32> = (0..layer.outputs).flat_map(weight).collect();
    Panels::new(layer.outputs, inputs, &turned, &vec![0.0; inputs], lanes)
}

/// Adds what was gathered back to where it came from.
#[inline(always)]
fn scatter(grid: &Grid, around: &[f32], board: &mut [f32]) {
    let width = board.len() / grid.cells();
    for (neighbour, numbers) in grid.neighbours().iter().zip(around.chunks_exact(width)) {
        if let Some(cell) = neighbour {
            let to = &mut board[cell * width..][..width];
            to.iter_mut().zip(numbers).for_each(|(to, number)| *to += number);
        }
    }
}

/// Adds what the mean of all cells does to the loss to every cell.
#[inline(always)]
fn spread_mean(grid: &Grid, layer: &Dense, neighbourhood: usize, by_start: &[f32], board: &mut [f32]) {
    let weights = &layer.weight[neighbourhood * layer.outputs..];
    let by_unit = |weights: &[f32]| weights.iter().zip(by_start).map(|(w, by)| w * by).sum::<f32>();
    let by_mean: Vec<f32> = weights.chunks_exact(layer.outputs).map(by_unit).collect();
    for cell in board.chunks_exact_mut(layer.inputs - neighbourhood) {
        add_scaled(cell, 1.0 / grid.cells() as f32, &by_mean);
    }
}
