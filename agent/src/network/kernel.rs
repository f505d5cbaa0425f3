//! The product of many rows with a fixed matrix, and what a dense layer does to it.
//!
//! Every output is one chain of fused multiply-adds: the bias first, then input 0, input 1, and so on. Vectors run over
//! outputs, never over inputs, so that a row's result is the same bit for bit whatever rows stand beside it and however
//! wide the machine's vectors are. Search can then be reproducible whatever else is asked in the same call; a general
//! matrix product, which picks its order of summation by the shape of the batch, could not promise that.
//!
//! **Weights** lie in panels of two vectors of outputs, `[panel][input][output in panel]`, packed once. **Activations**
//! lie in tiles of a few rows, `[tile][unit][row in tile]`: what a layer writes is what the next one reads in order. A
//! tile times a panel stays in registers from the first input to the last.

use pulp::Simd;

/// Vectors in a panel: with two, 6 rows fill 16 registers and 12 rows fill 32.
pub(super) const VECTORS: usize = 2;

/// The widest panel that any machine has, in numbers.
pub(super) const WIDEST: usize = VECTORS * 16;

/// The tallest tile.
pub(super) const TALLEST: usize = 12;

/// Numbers on a cache line; panels begin on one, so that no vector lies across two.
const LINE: usize = 16;

/// A dense layer's weights and bias, ready for the kernel.
#[derive(Clone, Debug)]
pub(super) struct Panels {
    pub inputs: usize,
    pub outputs: usize,
    columns: usize,
    bias: Vec<f32>,
    weights: Vec<f32>,
    first: usize,
}

impl Panels {
    /// Packs a matrix `[inputs, outputs]` for vectors of `lanes` numbers.
    pub fn new(inputs: usize, outputs: usize, weights: &[f32], bias: &[f32], lanes: usize) -> Self {
        let columns = VECTORS * lanes;
        let panels = outputs.div_ceil(columns);
        let mut padded = bias.to_vec();
        padded.resize(panels * columns, 0.0);
        let mut packed = vec![0.0; panels * inputs * columns + LINE];
        let first = packed.as_ptr().align_offset(LINE * size_of::<f32>()).min(LINE);
        for (panel, packed) in packed[first..].chunks_exact_mut(inputs * columns).take(panels).enumerate() {
            for (input, packed) in packed.chunks_exact_mut(columns).enumerate() {
                let begin = panel * columns;
                let end = outputs.min(begin + columns);
                packed[..end - begin].copy_from_slice(&weights[input * outputs..][begin..end]);
            }
        }
        Self { inputs, outputs, columns, bias: padded, weights: packed, first }
    }

    /// How many panels there are.
    pub fn count(&self) -> usize {
        self.bias.len() / self.columns
    }

    /// The weights of one panel, input by input.
    #[inline(always)]
    pub fn weights<S: Simd>(&self, panel: usize) -> &[[S::f32s; VECTORS]] {
        let len = self.inputs * self.columns;
        S::as_simd_f32s(&self.weights[self.first + panel * len..][..len]).0.as_chunks().0
    }

    /// The biases of one panel.
    #[inline(always)]
    pub fn bias<S: Simd>(&self, panel: usize) -> [S::f32s; VECTORS] {
        let bias = S::as_simd_f32s(&self.bias[panel * self.columns..][..self.columns]).0;
        [bias[0], bias[1]]
    }
}

/// Takes the finished sums of one tile and one panel.
pub(super) trait Finish {
    /// `sums` holds `[rows in tile, columns]`; the tile begins at row `row`, the panel at output `column`.
    fn finish(&mut self, row: usize, height: usize, column: usize, columns: usize, sums: &[f32]);
}

/// Rows of a full tile on this machine.
#[inline(always)]
pub(super) const fn tile<S: Simd>() -> usize {
    if S::REGISTER_COUNT >= 32 { TALLEST } else { 6 }
}

/// Rows that `rows` of them take up in tiles: a last tile that is not full is as small as a kernel allows.
#[inline(always)]
pub(super) fn padded<S: Simd>(rows: usize) -> usize {
    let full = rows / tile::<S>() * tile::<S>();
    full + height(rows - full)
}

/// The height of the kernel for that many rows.
#[inline(always)]
pub(super) fn height(rows: usize) -> usize {
    match rows {
        0..=2 => rows,
        3..=4 => 4,
        5..=6 => 6,
        _ => TALLEST,
    }
}

/// Puts `rows` rows of `width` numbers, row by row, into tiles.
#[inline(always)]
pub(super) fn to_tiles<S: Simd>(source: &[f32], width: usize, tiles: &mut [f32]) {
    for (source, tiles) in source.chunks(tile::<S>() * width).zip(tiles.chunks_mut(tile::<S>() * width)) {
        let height = height(source.len() / width);
        for (row, source) in source.chunks_exact(width).enumerate() {
            for (unit, &number) in tiles.chunks_exact_mut(height).zip(source) {
                unit[row] = number;
            }
        }
    }
}

/// Multiplies all tiles with all panels.
#[inline(always)]
pub(super) fn multiply<S: Simd>(
    simd: S,
    panels: &Panels,
    rows: usize,
    tiles: &[f32],
    finish: &mut impl Finish,
) {
    let inputs = panels.inputs;
    let tile = tile::<S>();
    // A panel is read once and stays in the nearest cache while all tiles pass by it.
    for panel in 0..panels.count() {
        let column = panel * panels.columns;
        let (weights, bias) = (panels.weights::<S>(panel), panels.bias::<S>(panel));
        for (index, tiles) in tiles[..padded::<S>(rows) * inputs].chunks(tile * inputs).enumerate() {
            let row = index * tile;
            match height(rows - row) {
                1 => one::<S, 1>(simd, weights, bias, tiles, row, column, finish),
                2 => one::<S, 2>(simd, weights, bias, tiles, row, column, finish),
                4 => one::<S, 4>(simd, weights, bias, tiles, row, column, finish),
                6 => one::<S, 6>(simd, weights, bias, tiles, row, column, finish),
                _ if tile == 6 => one::<S, 6>(simd, weights, bias, tiles, row, column, finish),
                _ => one::<S, TALLEST>(simd, weights, bias, tiles, row, column, finish),
            }
        }
    }
}

/// One tile times one panel.
#[inline(always)]
fn one<S: Simd, const HEIGHT: usize>(
    simd: S,
    weights: &[[S::f32s; VECTORS]],
    bias: [S::f32s; VECTORS],
    tile: &[f32],
    row: usize,
    column: usize,
    finish: &mut impl Finish,
) {
    let mut sums = [bias; HEIGHT];
    let (units, _) = tile.as_chunks::<HEIGHT>();
    for (unit, weights) in units.iter().zip(weights) {
        for (sums, &number) in sums.iter_mut().zip(unit) {
            let number = simd.splat_f32s(number);
            sums[0] = simd.mul_add_f32s(number, weights[0], sums[0]);
            sums[1] = simd.mul_add_f32s(number, weights[1], sums[1]);
        }
    }
    let mut flat = [0.0; TALLEST * WIDEST];
    let columns = VECTORS * S::F32_LANES;
    let flat = &mut flat[..HEIGHT * columns];
    for (slots, sums) in S::as_mut_simd_f32s(flat).0.as_chunks_mut::<VECTORS>().0.iter_mut().zip(sums) {
        *slots = sums;
    }
    finish.finish(row, HEIGHT, column, columns, flat);
}
