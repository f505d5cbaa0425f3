//! Positions a second of a checkpoint's network on one thread, to be compared with other runtimes on the same network:
//! `cargo run --release --example time_policy -- CHECKPOINT [BATCH]`, beside `scripts/time_onnx.py EXPORT [BATCH]`.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use nodarium_agent::Evaluator as _;
use nodarium_agent::checkpoint::{describe, load};
use nodarium_agent::network::Inference;
use rustix::time::{ClockId, clock_gettime};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("expected CHECKPOINT [BATCH]")?;
    let batch: usize = arguments.next().map_or(Ok(256), |text| text.parse())?;
    let plays = describe(Path::new(&folder))?.manifest.plays;
    let network = Inference::new(&load(Path::new(&folder), &plays)?.weights);
    let observations: Vec<f32> =
        (0..batch * network.observation()).map(|i| (i * 7 % 13) as f32 / 13.0).collect();
    let mut logits = vec![0.0; batch * network.actions()];
    let mut values = vec![0.0; batch * network.seats()];
    let mut best = 0.0_f64;
    let end = Instant::now() + Duration::from_secs(10);
    while Instant::now() < end {
        let before = worked();
        network.evaluate(black_box(&observations), &mut logits, &mut values);
        best = best.max(batch as f64 / (worked() - before).as_secs_f64());
    }
    println!("nodarium, one thread, batch {batch}: {best:.0} positions/s");
    Ok(())
}

/// How long a core has worked for this thread, which other people's work on the machine changes little.
fn worked() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
