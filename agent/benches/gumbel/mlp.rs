//! A small network without a framework, so that the search can be measured with the work of one: two hidden layers,
//! ReLU, a policy and a value head. Weights are random; the work is that of trained ones.
//!
//! Plain loops over arrays of a fixed size: the compiler keeps a block of `ROWS × LANES` sums in vector registers. A
//! row's numbers are added in the same order whatever stands beside it, so judgements do not depend on the batch.

use std::hint::black_box;
use std::sync::Mutex;

use nodarium_agent::Evaluator;
use nodarium_env::Rng;
use nodarium_env::rng::Purpose;

/// Columns of a packed block of weights.
const LANES: usize = 16;
/// Rows that go through a block of weights together.
const ROWS: usize = 6;
/// Columns of the sparse layer that fit into vector registers.
const SPARSE_LANES: usize = 64;

/// Rows that go through all layers together: what lies between the layers stays in the core's own cache.
const PART: usize = 8 * ROWS;

/// How the first layer reads the observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// As a matrix product.
    Dense,
    /// Skipping zeros: the sum of the weight rows of what is not zero.
    Sparse,
}

/// The network.
pub struct Mlp {
    sizes: [usize; 3],
    width: usize,
    first: First,
    /// `[block, observation, lane]`.
    first_dense: Packed<LANES>,
    first_sparse: Packed<SPARSE_LANES>,
    second: Packed<LANES>,
    heads: Packed<LANES>,
    memory: Mutex<Memory>,
}

/// Room for what lies between the layers.
#[derive(Default)]
struct Memory {
    one: Vec<f32>,
    two: Vec<f32>,
    out: Vec<f32>,
    places: Vec<u16>,
    ends: Vec<u32>,
}

/// A row of a block of weights, whole cache lines.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Line<const L: usize>([f32; L]);

/// Weights in blocks of columns, `[block, input, lane]`, and a bias for each column; filled up with zeros.
struct Packed<const L: usize> {
    inputs: usize,
    weights: Vec<Line<L>>,
    bias: Vec<f32>,
}

impl<const L: usize> Packed<L> {
    /// From `[inputs, outputs]`.
    fn new(weights: &[f32], inputs: usize, outputs: usize) -> Self {
        let blocks = outputs.div_ceil(L);
        let mut packed = vec![Line([0.0; L]); blocks * inputs];
        for (row, line) in weights.chunks_exact(outputs).enumerate() {
            for (column, &weight) in line.iter().enumerate() {
                packed[column / L * inputs + row].0[column % L] = weight;
            }
        }
        Self { inputs, weights: packed, bias: vec![0.01; blocks * L] }
    }

    fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// `out[n, outputs] = f(rows[n, inputs] · weights + bias)`.
    fn product(&self, rows: &[f32], out: &mut [f32], f: impl Fn(f32) -> f32 + Copy) {
        let (k, width) = (self.inputs, self.outputs());
        let n = rows.len() / k;
        let blocks = self.weights.chunks_exact(k).zip(self.bias.chunks_exact(L));
        for (block, (weights, bias)) in blocks.enumerate() {
            let mut row = 0;
            while row < n {
                let (from, to) = (&rows[row * k..], &mut out[row * width + block * L..]);
                row += match n - row {
                    ROWS.. => tile::<ROWS, L>(from, weights, bias, to, width, f),
                    4.. => tile::<4, L>(from, weights, bias, to, width, f),
                    2.. => tile::<2, L>(from, weights, bias, to, width, f),
                    _ => tile::<1, L>(from, weights, bias, to, width, f),
                };
            }
        }
    }
}

/// `R` rows through one block of weights; returns `R`.
#[inline(never)]
fn tile<const R: usize, const L: usize>(
    rows: &[f32],
    weights: &[Line<L>],
    bias: &[f32],
    out: &mut [f32],
    width: usize,
    f: impl Fn(f32) -> f32,
) -> usize {
    let k = weights.len();
    let rows: [&[f32]; R] = std::array::from_fn(|r| &rows[r * k..][..k]);
    let mut sums = [[0.0; L]; R];
    for sums in &mut sums {
        sums.copy_from_slice(&bias[..L]);
    }
    for (i, Line(weights)) in weights.iter().enumerate() {
        for r in 0..R {
            let x = rows[r][i];
            for lane in 0..L {
                sums[r][lane] = x.mul_add(weights[lane], sums[r][lane]);
            }
        }
    }
    for r in 0..R {
        let out = &mut out[r * width..][..L];
        for lane in 0..L {
            out[lane] = f(sums[r][lane]);
        }
    }
    R
}

impl Packed<SPARSE_LANES> {
    /// The same for rows that are mostly zeros.
    fn sparse_product(&self, rows: &[f32], out: &mut [f32], places: &mut Vec<u16>, ends: &mut Vec<u32>) {
        let (k, width) = (self.inputs, self.outputs());
        places.clear();
        places.resize(rows.len() + 1, 0);
        ends.clear();
        let mut found = 0;
        for row in rows.chunks_exact(k) {
            for (i, &x) in row.iter().enumerate() {
                places[found] = i as u16;
                found += usize::from(x != 0.0);
            }
            ends.push(found as u32);
        }
        let blocks = self.weights.chunks_exact(k).zip(self.bias.as_chunks::<SPARSE_LANES>().0);
        for (block, (weights, bias)) in blocks.enumerate() {
            let mut start = 0;
            for (n, (row, &end)) in rows.chunks_exact(k).zip(ends.iter()).enumerate() {
                let mut sums = *bias;
                for &place in &places[start..end as usize] {
                    let (x, weights) = (row[usize::from(place)], &weights[usize::from(place)].0);
                    for lane in 0..SPARSE_LANES {
                        sums[lane] = x.mul_add(weights[lane], sums[lane]);
                    }
                }
                start = end as usize;
                let out = &mut out[n * width + block * SPARSE_LANES..][..SPARSE_LANES];
                for (out, sum) in out.iter_mut().zip(sums) {
                    *out = sum.max(0.0);
                }
            }
        }
    }
}

impl Mlp {
    /// Two hidden layers of that width.
    pub fn new([observation, actions, seats]: [usize; 3], width: usize, first: First) -> Self {
        assert_eq!(width % SPARSE_LANES, 0, "layers are as wide as whole blocks");
        let mut rng = Rng::keyed(Purpose::Choice, 256, 0, 0);
        let mut weights = |inputs: usize, outputs: usize| -> Vec<f32> {
            let scale = (6.0 / inputs as f32).sqrt();
            (0..inputs * outputs).map(|_| (2.0 * rng.unit() - 1.0) * scale).collect()
        };
        let one = weights(observation, width);
        Self {
            sizes: [observation, actions, seats],
            width,
            first,
            first_dense: Packed::new(&one, observation, width),
            first_sparse: Packed::new(&one, observation, width),
            second: Packed::new(&weights(width, width), width, width),
            heads: Packed::new(&weights(width, actions + seats), width, actions + seats),
            memory: Mutex::default(),
        }
    }

    /// One product with the second layer's square of weights; returns its rows.
    pub fn square(&self, rows: usize) -> usize {
        let mut memory = self.memory.lock().expect("nobody panics with the memory in hand");
        let Memory { one, two, .. } = &mut *memory;
        one.resize(rows * self.width, 0.5);
        two.resize(rows * self.width, 0.0);
        self.second.product(black_box(one), two, |x| x);
        black_box(two);
        rows
    }

    /// All layers for a few rows.
    fn evaluate_part(&self, memory: &mut Memory, rows: &[f32], logits: &mut [f32], values: &mut [f32]) {
        let [observation, actions, seats] = self.sizes;
        let n = rows.len() / observation;
        let Memory { one, two, out, places, ends } = memory;
        one.resize(n * self.width, 0.0);
        two.resize(n * self.width, 0.0);
        let wide = self.heads.outputs();
        out.resize(n * wide, 0.0);
        let relu = |x: f32| x.max(0.0);
        match self.first {
            First::Dense => self.first_dense.product(rows, one, relu),
            First::Sparse => self.first_sparse.sparse_product(rows, one, places, ends),
        }
        self.second.product(one, two, relu);
        self.heads.product(two, out, |x| x);
        let outputs = logits.chunks_exact_mut(actions).zip(values.chunks_exact_mut(seats));
        for ((logits, values), out) in outputs.zip(out.chunks_exact(wide)) {
            logits.copy_from_slice(&out[..actions]);
            for (value, &x) in values.iter_mut().zip(&out[actions..]) {
                *value = squash(x);
            }
        }
    }

    /// Floating-point operations a position, the first layer counted dense.
    pub fn operations(&self) -> usize {
        let [observation, actions, seats] = self.sizes;
        2 * self.width * (observation + self.width + actions + seats)
    }
}

impl Evaluator for Mlp {
    fn observation(&self) -> usize {
        self.sizes[0]
    }

    fn actions(&self) -> usize {
        self.sizes[1]
    }

    fn seats(&self) -> usize {
        self.sizes[2]
    }

    fn evaluate(&self, observations: &[f32], logits: &mut [f32], values: &mut [f32]) {
        let [observation, actions, seats] = self.sizes;
        let mut memory = self.memory.lock().expect("nobody panics with the memory in hand");
        let parts = observations.chunks(PART * observation);
        let outputs = logits.chunks_mut(PART * actions).zip(values.chunks_mut(PART * seats));
        for (observations, (logits, values)) in parts.zip(outputs) {
            self.evaluate_part(&mut memory, observations, logits, values);
        }
    }
}

/// Between -1 and 1, as a fraction that is within 1e-4 of the hyperbolic tangent.
fn squash(x: f32) -> f32 {
    let x = x.clamp(-4.97, 4.97);
    let y = x * x;
    x * (135_135.0 + y * (17_325.0 + y * (378.0 + y)))
        / (135_135.0 + y * (62_370.0 + y * (3_150.0 + y * 28.0)))
}
