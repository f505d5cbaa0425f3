//! The product of rows that are mostly zeros with a fixed matrix.
//!
//! Observations are planes of flags: of Connect Four's 84 numbers at most 42 are not zero. Only the weights of those are
//! read, in the order of the inputs, so that every output is the same chain of fused multiply-adds as in
//! [`kernel::multiply`](super::kernel::multiply) without the steps that add a zero times a finite weight. Such a step
//! changes no sum but for the sign of a zero, and the [`Finish`] of a hidden layer writes only one zero. Which of the two
//! ways is taken therefore never shows, and may depend on the whole batch.

use pulp::Simd;

use super::kernel::{Finish, Panels, VECTORS};

/// Whether skipping zeros pays for these rows. A product without gaps needs fewer loads for each multiply-add, so
/// that the two ways should meet somewhere above this density; that was reasoned, not measured.
#[inline(always)]
pub(super) fn pays(rows: &[f32]) -> bool {
    2 * rows.iter().filter(|&&number| number != 0.0).count() <= rows.len()
}

/// The numbers of a few rows that are not zero.
#[derive(Debug, Default)]
pub(super) struct Sparse {
    /// Input and number, row by row, in the order of the inputs.
    entries: Vec<(u32, f32)>,
    /// Where the entries of each row end.
    ends: Vec<usize>,
}

impl Sparse {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self { entries: Vec::new(), ends: Vec::new() }
    }

    /// Lists what is not zero in rows of `width` numbers.
    #[inline(always)]
    pub fn read(&mut self, rows: &[f32], width: usize) {
        self.ends.clear();
        if self.entries.len() < rows.len() {
            self.entries.resize(rows.len(), (0, 0.0));
        }
        let mut end = 0;
        for row in rows.chunks_exact(width) {
            // Every number is written and only some are kept: no branch that could be guessed wrong.
            let entries = &mut self.entries[end..][..width];
            let mut kept = 0;
            for (input, &number) in row.iter().enumerate() {
                entries[kept] = (input as u32, number);
                kept += usize::from(number != 0.0);
            }
            end += kept;
            self.ends.push(end);
        }
    }
}

/// Multiplies the rows with all panels.
#[inline(always)]
pub(super) fn multiply<S: Simd>(simd: S, panels: &Panels, rows: &Sparse, finish: &mut impl Finish) {
    let mut panel = 0;
    while panel < panels.count() {
        panel += match panels.count() - panel {
            4.. => product::<S, 4>(simd, panels, panel, rows, finish),
            2.. => product::<S, 2>(simd, panels, panel, rows, finish),
            _ => product::<S, 1>(simd, panels, panel, rows, finish),
        };
    }
}

/// All rows times `PANELS` panels from panel `first` on: with one row at a time it takes several of them to keep the adders
/// busy. Returns `PANELS`. In a function of its own for the reason that [`kernel`](super::kernel) has.
#[inline(never)]
fn product<S: Simd, const PANELS: usize>(
    simd: S,
    panels: &Panels,
    first: usize,
    rows: &Sparse,
    finish: &mut impl Finish,
) -> usize {
    let weights: [_; PANELS] = std::array::from_fn(|i| panels.weights::<S>(first + i));
    simd.vectorize(
        #[inline(always)]
        || {
            let biases: [_; PANELS] = std::array::from_fn(|i| panels.bias::<S>(first + i));
            let columns = VECTORS * S::F32_LANES;
            let mut start = 0;
            for (row, &end) in rows.ends.iter().enumerate() {
                let mut sums = biases;
                for &(input, number) in &rows.entries[start..end] {
                    let number = simd.splat_f32s(number);
                    for (sums, weights) in sums.iter_mut().zip(weights) {
                        let weights = &weights[input as usize];
                        sums[0] = simd.mul_add_f32s(number, weights[0], sums[0]);
                        sums[1] = simd.mul_add_f32s(number, weights[1], sums[1]);
                    }
                }
                start = end;
                for (i, sums) in sums.into_iter().enumerate() {
                    finish.finish(simd, row, (first + i) * columns, sums);
                }
            }
        },
    );
    PANELS
}
