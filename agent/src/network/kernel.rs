//! The product of many rows with a fixed matrix, and what a dense layer does to it.
//!
//! Every output is one chain of fused multiply-adds: the bias first, then input 0, input 1, and so on. Vectors run over
//! outputs, never over inputs, so that a row's result is the same bit for bit whatever rows stand beside it and however
//! wide the machine's vectors are. Search can then be reproducible whatever else is asked in the same call; a general
//! matrix product, which picks its order of summation by the shape of the batch, could not promise that.
//!
//! **Weights** lie in panels of two vectors of outputs, `[panel][input][output in panel]`, packed once. **Activations** lie
//! row by row. A few rows times a panel stay in registers from the first input until the layer's [`Finish`] writes them where
//! the next layer reads them.

use pulp::{Arch, Simd, WithSimd};

/// Vectors in a panel: with two, 6 rows at once fill 16 registers and 12 fill 32.
pub(super) const VECTORS: usize = 2;

/// The widest panel that any machine has, in numbers.
pub(super) const WIDEST: usize = VECTORS * 16;

/// Numbers on a cache line; panels begin on one, so that no vector lies across two.
const LINE: usize = 16;

/// Numbers in a vector of this machine.
pub(super) fn lanes(arch: Arch) -> usize {
    struct Lanes;

    impl WithSimd for Lanes {
        type Output = usize;

        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) -> usize {
            S::F32_LANES
        }
    }

    arch.dispatch(Lanes)
}

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

    /// The biases, with zeros up to the width of all panels.
    pub fn padded_bias(&self) -> &[f32] {
        &self.bias
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

/// Takes the sums of a layer, row by row and panel by panel.
pub(super) trait Finish {
    /// `sums` are those of row `row` from output `column` on. The last panel may reach beyond the last output.
    fn finish<S: Simd>(&mut self, simd: S, row: usize, column: usize, sums: [S::f32s; VECTORS]);
}

/// A layer of a torso: rectified, added to what it read, written row by row.
pub(super) struct Hidden<'a> {
    pub width: usize,
    pub residual: Option<&'a [f32]>,
    pub out: &'a mut [f32],
}

impl Finish for Hidden<'_> {
    #[inline(always)]
    fn finish<S: Simd>(&mut self, simd: S, row: usize, column: usize, sums: [S::f32s; VECTORS]) {
        let columns = VECTORS * S::F32_LANES;
        let first = row * self.width + column;
        let len = columns.min(self.width - column);
        let zero = simd.splat_f32s(0.0);
        // One zero for all that is not positive, also for a sum of -0: see `sparse`.
        let mut units = sums.map(|sum| simd.select_f32s(simd.greater_than_f32s(sum, zero), sum, zero));
        let out = &mut self.out[first..][..len];
        if len == columns {
            if let Some(residual) = self.residual {
                let read = S::as_simd_f32s(&residual[first..][..columns]).0;
                units = [simd.add_f32s(units[0], read[0]), simd.add_f32s(units[1], read[1])];
            }
            S::as_mut_simd_f32s(out).0.copy_from_slice(&units);
        } else {
            let mut flat = [0.0; WIDEST];
            S::as_mut_simd_f32s(&mut flat[..columns]).0.copy_from_slice(&units);
            for (unit, (out, number)) in out.iter_mut().zip(flat).enumerate() {
                *out = number + self.residual.map_or(0.0, |residual| residual[first + unit]);
            }
        }
    }
}

/// Sums as they are, row by row.
pub(super) struct Plain<'a> {
    pub width: usize,
    pub out: &'a mut [f32],
}

impl Finish for Plain<'_> {
    #[inline(always)]
    fn finish<S: Simd>(&mut self, _: S, row: usize, column: usize, sums: [S::f32s; VECTORS]) {
        let columns = VECTORS * S::F32_LANES;
        let out = &mut self.out[row * self.width + column..][..columns.min(self.width - column)];
        if out.len() == columns {
            S::as_mut_simd_f32s(out).0.copy_from_slice(&sums);
        } else {
            let mut flat = [0.0; WIDEST];
            S::as_mut_simd_f32s(&mut flat[..columns]).0.copy_from_slice(&sums);
            out.copy_from_slice(&flat[..out.len()]);
        }
    }
}

/// Multiplies rows, one after the other, with all panels.
#[inline(always)]
pub(super) fn multiply<S: Simd>(simd: S, panels: &Panels, rows: &[f32], finish: &mut impl Finish) {
    multiply_from(simd, panels, &panels.bias, rows, finish);
}

/// The same with sums that begin elsewhere than at the bias; `start` is as long as all panels are wide.
#[inline(always)]
pub(super) fn multiply_from<S: Simd>(
    simd: S,
    panels: &Panels,
    start: &[f32],
    rows: &[f32],
    finish: &mut impl Finish,
) {
    let count = rows.len() / panels.inputs;
    // A panel is read once and stays in the nearest cache while all rows pass by it.
    for panel in 0..panels.count() {
        let mut row = 0;
        while row < count {
            row += match count - row {
                12.. if S::REGISTER_COUNT >= 32 => {
                    product::<S, 12>(simd, panels, panel, start, rows, row, finish)
                }
                6.. => product::<S, 6>(simd, panels, panel, start, rows, row, finish),
                4.. => product::<S, 4>(simd, panels, panel, start, rows, row, finish),
                2.. => product::<S, 2>(simd, panels, panel, start, rows, row, finish),
                _ => product::<S, 1>(simd, panels, panel, start, rows, row, finish),
            };
        }
    }
}

/// `HEIGHT` rows from row `row` on times one panel; returns `HEIGHT`.
///
/// In a function of its own: among other code the compiler has kept a sum in memory instead of in a register, which took away
/// a third of the speed.
#[inline(never)]
fn product<S: Simd, const HEIGHT: usize>(
    simd: S,
    panels: &Panels,
    panel: usize,
    start: &[f32],
    rows: &[f32],
    row: usize,
    finish: &mut impl Finish,
) -> usize {
    let inputs = panels.inputs;
    let start = S::as_simd_f32s(&start[panel * panels.columns..][..panels.columns]).0;
    let rows: [_; HEIGHT] = std::array::from_fn(|i| &rows[(row + i) * inputs..][..inputs]);
    let weights = &panels.weights::<S>(panel)[..inputs];
    simd.vectorize(
        #[inline(always)]
        || {
            let mut sums = [[start[0], start[1]]; HEIGHT];
            for (input, weights) in weights.iter().enumerate() {
                for (sums, row) in sums.iter_mut().zip(rows) {
                    let number = simd.splat_f32s(row[input]);
                    sums[0] = simd.mul_add_f32s(number, weights[0], sums[0]);
                    sums[1] = simd.mul_add_f32s(number, weights[1], sums[1]);
                }
            }
            for (i, sums) in sums.into_iter().enumerate() {
                finish.finish(simd, row + i, panel * panels.columns, sums);
            }
        },
    );
    HEIGHT
}

/// Adds the product of the transposed `rows`, `[n, inputs]`, with `by`, `[n, columns]`, to `sums`, `[inputs, columns]`; `columns` is
/// a whole number of panels. That is what a loss changes by the weights of a layer that read `rows`, where it changes by `by` with
/// what the layer summed up.
#[inline(always)]
pub(super) fn add_transposed<S: Simd>(simd: S, rows: &[f32], inputs: usize, by: &[f32], sums: &mut [f32]) {
    let columns = sums.len() / inputs;
    for column in (0..columns).step_by(VECTORS * S::F32_LANES) {
        let mut input = 0;
        while input < inputs {
            let place = Place { inputs, columns, input, column };
            input += match inputs - input {
                12.. if S::REGISTER_COUNT >= 32 => transposed::<S, 12>(simd, place, rows, by, sums),
                6.. => transposed::<S, 6>(simd, place, rows, by, sums),
                4.. => transposed::<S, 4>(simd, place, rows, by, sums),
                2.. => transposed::<S, 2>(simd, place, rows, by, sums),
                _ => transposed::<S, 1>(simd, place, rows, by, sums),
            };
        }
    }
}

/// Where in a matrix of sums some of them stand.
#[derive(Clone, Copy)]
struct Place {
    inputs: usize,
    columns: usize,
    input: usize,
    column: usize,
}

/// `HEIGHT` inputs from `input` on and one panel from `column` on; returns `HEIGHT`. A function of its own, as [`product`] is.
#[inline(never)]
fn transposed<S: Simd, const HEIGHT: usize>(
    simd: S,
    Place { inputs, columns, input, column }: Place,
    rows: &[f32],
    by: &[f32],
    sums: &mut [f32],
) -> usize {
    let panel = column..column + VECTORS * S::F32_LANES;
    simd.vectorize(
        #[inline(always)]
        || {
            let mut tile: [[S::f32s; VECTORS]; HEIGHT] = std::array::from_fn(|i| {
                let row = &sums[(input + i) * columns..][panel.clone()];
                let vectors = S::as_simd_f32s(row).0;
                [vectors[0], vectors[1]]
            });
            for (row, by) in rows.chunks_exact(inputs).zip(by.chunks_exact(columns)) {
                let by = S::as_simd_f32s(&by[panel.clone()]).0;
                let numbers: &[f32; HEIGHT] =
                    row[input..].first_chunk().expect("there are as many inputs left");
                for (sums, &number) in tile.iter_mut().zip(numbers) {
                    let number = simd.splat_f32s(number);
                    sums[0] = simd.mul_add_f32s(number, by[0], sums[0]);
                    sums[1] = simd.mul_add_f32s(number, by[1], sums[1]);
                }
            }
            for (i, tile) in tile.into_iter().enumerate() {
                let row = &mut sums[(input + i) * columns..][panel.clone()];
                S::as_mut_simd_f32s(row).0.copy_from_slice(&tile);
            }
        },
    );
    HEIGHT
}
