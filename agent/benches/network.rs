//! Positions a second of the network, as a share of what a plain matrix product reaches in the same run.
//!
//! `cargo bench -p nodarium-agent --bench network`
//!
//! Rates are for each second that a core works for the thread, which other people's work on the machine does not change
//! much; every figure is the best of many short measurements, and those of one table take turns, so that all of them
//! meet the same quiet moments.

use std::hint::black_box;
use std::time::Duration;

use burn::tensor::{Device, Tensor, TensorData};
use nodarium_agent::Evaluator;
use nodarium_agent::network::{Inference, NetworkConfig, OnDevice, Shape, Torso, Weights};
use rustix::time::{ClockId, clock_gettime};

/// The network that other frameworks were measured with: 400-512-512-(200+1).
const SHAPE: Shape = Shape { observation: 400, insights: 400, actions: 200, seats: 1, grid: None };
const CONFIG: NetworkConfig = NetworkConfig {
    torso: Torso::Mlp,
    width: 512,
    layers: 2,
    insights: false,
    direct: false,
    value_scale: 1.0,
};
const BATCHES: [usize; 4] = [1, 32, 256, 1024];
const SIDE: usize = 1024;
const ROUNDS: usize = 60;
/// How long each figure is measured in each round.
const SLICE: Duration = Duration::from_millis(20);

fn main() {
    let weights = Weights::draw(CONFIG, SHAPE, 1).expect("the sizes are within the limits");
    let flops = 2.0 * ((400 * 512) + (512 * 512) + (512 * 201)) as f64;
    let packed = Inference::new(&weights);
    let burn = OnDevice::new(&weights, &Device::flex());
    // Burn's products run in the pool of the thread that calls them: a pool of one thread keeps them to one core.
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool of one thread");
    let square = || {
        let data = TensorData::new(vec![0.5_f32; SIDE * SIDE], [SIDE, SIDE]);
        Tensor::<2>::from_data(data, &Device::flex())
    };
    let (left, right) = (square(), square());
    let array = ndarray::Array2::from_elem((SIDE, SIDE), 0.5_f32);

    let mut peak = Best::default();
    let mut rows = BATCHES.map(|batch| (batch, [Best::default(); 3]));
    for _ in 0..ROUNDS {
        // Two libraries, and the faster one counts: a slow yardstick would flatter everything.
        one.install(|| peak.measure(1, || drop(black_box(left.clone().matmul(right.clone())))));
        peak.measure(1, || drop(black_box(array.dot(&array))));
        for (batch, [ours, twice, theirs]) in &mut rows {
            let mut buffers = Buffers::new(*batch);
            ours.measure(*batch, || buffers.ask(&packed));
            one.install(|| theirs.measure(*batch, || buffers.ask(&burn)));
            twice.fold(two_threads(&packed, *batch));
        }
    }

    let peak = peak.rate * 2.0 * (SIDE as f64).powi(3);
    println!("Plain {SIDE}³ matrix product, one thread: {:.1} GFLOP/s\n", peak / 1e9);
    println!(
        "| batch | one thread, positions/s | of the plain product | two threads | Burn, one thread | of the plain product |"
    );
    println!("|---|---|---|---|---|---|");
    for (batch, [ours, twice, theirs]) in rows {
        let share = |best: Best| 100.0 * best.rate * flops / peak;
        println!(
            "| {batch} | {:.0} | {:.0} % | {:.0} | {:.0} | {:.0} % |",
            ours.rate,
            share(ours),
            twice.rate,
            theirs.rate,
            share(theirs)
        );
    }
}

/// The best rate seen.
#[derive(Clone, Copy, Default)]
struct Best {
    rate: f64,
}

impl Best {
    /// Calls `work`, which does `count` things, until the slice is over.
    fn measure(&mut self, count: usize, mut work: impl FnMut()) {
        let end = worked() + SLICE;
        while worked() < end {
            let before = worked();
            work();
            self.fold(count as f64 / (worked() - before).as_secs_f64());
        }
    }

    fn fold(&mut self, rate: f64) {
        self.rate = self.rate.max(rate);
    }
}

/// What one thread owns.
struct Buffers {
    observations: Vec<f32>,
    logits: Vec<f32>,
    values: Vec<f32>,
}

impl Buffers {
    fn new(batch: usize) -> Self {
        let observations = (0..batch * SHAPE.observation).map(|i| (i % 13) as f32 / 13.0).collect();
        Self { observations, logits: vec![0.0; batch * SHAPE.actions], values: vec![0.0; batch] }
    }

    fn ask(&mut self, evaluator: &impl Evaluator) {
        evaluator.evaluate(black_box(&self.observations), &mut self.logits, &mut self.values);
    }
}

/// Two calls on two threads at once: the sum of their rates.
fn two_threads(evaluator: &Inference, batch: usize) -> f64 {
    let calls = 1 + 1024 / batch;
    let start = std::sync::Barrier::new(2);
    let worker = || {
        let mut buffers = Buffers::new(batch);
        buffers.ask(evaluator);
        start.wait();
        let before = worked();
        (0..calls).for_each(|_| buffers.ask(evaluator));
        (calls * batch) as f64 / (worked() - before).as_secs_f64()
    };
    std::thread::scope(|scope| {
        let threads = [scope.spawn(worker), scope.spawn(worker)];
        threads.into_iter().map(|thread| thread.join().expect("a thread of the bench")).sum()
    })
}

/// How long a core has worked for this thread.
fn worked() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
