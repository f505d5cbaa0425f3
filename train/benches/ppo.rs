//! Where the time of PPO goes: `cargo bench -p nodarium-train --bench ppo`
//!
//! First one update (forward, backward, Adam) of the network that other frameworks were measured with, on one core, as
//! samples for each second that the core works, beside a plain matrix product of the same run. Then the whole loop on
//! `shuter` with a 2×512 network: plies a second, and which part of the time is no matrix product, measured by doing the
//! same work with a network that answers nothing.

use std::hint::black_box;
use std::time::Duration;

use burn::tensor::{Device, Tensor, TensorData};
use nodarium_agent::Evaluator;
use nodarium_agent::network::{NetworkConfig, Shape, Torso, Weights};
use nodarium_env::games::shuter::Shuter;
use nodarium_env::{Action, Game, Mask};
use nodarium_train::descent::{Adam, Descent, Objective as _, Pace};
use nodarium_train::ppo::Ppo;
use nodarium_train::ppo::advantage::Trust;
use nodarium_train::ppo::objective::{Decision, PpoObjective, Sums, Terms};
use nodarium_train::ppo::rollout::{Opponent, Shard, Table};
use nodarium_train::{Config, Crew, Learner};
use rustix::time::{ClockId, clock_gettime};

const SHAPE: Shape = Shape { observation: 400, insights: 400, actions: 200, seats: 1, grid: None };
const NETWORK: NetworkConfig = NetworkConfig {
    torso: Torso::Mlp,
    width: 512,
    layers: 2,
    insights: false,
    direct: false,
    value_scale: 1.0,
};
/// Rows of an update, as the shipped configs have them.
const ROWS: usize = 2_048;
const SIDE: usize = 1_024;
const ROUNDS: usize = 12;
const TERMS: Terms =
    Terms { clip: 0.2, value_unit: 1.0, value_clip: 0.0, value_weight: 0.5, entropy: 0.01, magnet: 0.05 };
const PACE: Pace = Pace { rate: 1e-4, decay: 0.0, limit: 1.0 };

fn main() {
    update();
    whole_loop();
}

/// Seconds that cores have worked for this process.
fn worked() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32).as_secs_f64()
}

/// The seconds of work that something took, the least of several tries.
fn least(tries: usize, mut work: impl FnMut()) -> f64 {
    let one = |_| {
        let before = worked();
        work();
        worked() - before
    };
    (0..tries).map(one).fold(f64::INFINITY, f64::min)
}

fn update() {
    let observations: Vec<f32> = (0..ROWS * SHAPE.observation).map(|i| (i % 13) as f32 / 13.0).collect();
    let magnet = vec![0.1; SHAPE.actions];
    let legal: Mask = (0..SHAPE.actions as u16).step_by(5).map(Action).collect();
    let decision = |row: usize| Decision {
        observation: &observations[row * SHAPE.observation..][..SHAPE.observation],
        legal: &legal,
        action: row % 40 * 5,
        log_share: -3.7,
        advantage: Some((row % 7) as f32 - 3.0),
        values: &[0.0],
        targets: &[0.5],
        magnet: &magnet,
    };
    let objective = PpoObjective { decision, terms: &TERMS };
    let crew = Crew::new(1).expect("a thread can be started");
    let weights = Weights::draw(NETWORK, SHAPE, 1).expect("the sizes are within the limits");
    let mut descent = Descent::new(weights, Device::flex());
    let square = || {
        let data = TensorData::new(vec![0.5_f32; SIDE * SIDE], [SIDE, SIDE]);
        Tensor::<2>::from_data(data, &Device::flex())
    };
    let (left, right) = (square(), square());
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started");
    let (mut product, mut step) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        let multiply = || drop(black_box(left.clone().matmul(right.clone())));
        product = product.min(one.install(|| least(3, multiply)));
        step = step.min(least(1, || drop(black_box(descent.step(&crew, &objective, ROWS, PACE)))));
    }
    let peak = 2.0 * (SIDE as f64).powi(3) / product;
    // Forward, and backward to the weights of every layer and to the inputs of every layer but the first.
    let forward = 400 * 512 + 512 * 512 + 512 * 201;
    let flops = 2.0 * (2 * forward + 512 * 512 + 512 * 201) as f64 * ROWS as f64;
    println!("One update of 400-512-512-(200+1), {ROWS} rows, one core:");
    println!("  {:.0} samples/s", ROWS as f64 / step);
    println!(
        "  {:.1} GFLOP/s, {:.0} % of the plain {SIDE}³ product ({:.1} GFLOP/s)",
        flops / step / 1e9,
        100.0 * flops / step / peak,
        peak / 1e9
    );
}

/// A network that answers nothing.
struct Nothing(Shape);

impl Evaluator for Nothing {
    fn observation(&self) -> usize {
        self.0.observation
    }

    fn actions(&self) -> usize {
        self.0.actions
    }

    fn seats(&self) -> usize {
        self.0.seats
    }

    fn evaluate(&self, _observations: &[f32], logits: &mut [f32], values: &mut [f32]) {
        logits.fill(0.0);
        values.fill(0.0);
    }
}

fn whole_loop() {
    let config: Config = toml::from_str(
        r#"
        game = "shuter"
        iterations = 1000000
        network = { width = 512, layers = 2 }
        [ppo]
        slots = 512
        steps = 32
        epochs = 2
        minibatch = 2048
        magnet = 0.05
        pool_share = 0.2
        pool_every = 1
        "#,
    )
    .expect("the config is right");
    let ppo = config.ppo.as_ref().expect("the config is one of PPO");
    let rules = Default::default();
    let mut learner = Ppo::<Shuter>::new(&rules, &config).expect("the config is right");
    for _ in 0..3 {
        learner.iterate().expect("numbers stay finite");
    }
    let (mut play, mut learn, mut iterations) = (0.0, 0.0, 0.0);
    let before = worked();
    for _ in 0..ROUNDS {
        let report = learner.iterate().expect("numbers stay finite");
        play += report.scalar("time/play").expect("it is told");
        learn += report.scalar("time/learn").expect("it is told");
        iterations += 1.0;
    }
    let work = (worked() - before) / iterations;
    let plies = (ppo.slots * ppo.steps) as f64;
    println!("\nPPO on shuter, 2×512, every core, {plies} plies an iteration:");
    println!(
        "  {:.0} plies/s; playing {:.0} % of the time",
        plies * iterations / (play + learn),
        100.0 * play / (play + learn)
    );

    let spec = Shuter::spec(&rules);
    let nothing = Nothing(Shape::of(&spec));
    let mut shards: Vec<Shard<Shuter>> =
        (0..4).map(|i| Shard::new(&rules, i * 128..(i + 1) * 128, 0, false, Vec::new())).collect();
    let mut before = 0;
    let playing = least(3, || {
        let opponent = Some(Opponent { policy: &nothing, share: ppo.pool_share, draws: true });
        let table = Table {
            learner: &nothing,
            rival_share: 0.0,
            opponent,
            steps: ppo.steps,
            before,
            seed: 0,
            symmetries: true,
        };
        let trust = Trust { discount: ppo.discount, lambda: ppo.lambda };
        shards.iter_mut().for_each(|shard| shard.play(&table, Some(&nothing), trust));
        before += ppo.steps as u64;
    });
    let rows = shards[0].rows.len();
    let learning = least(3, || {
        let (mut observation, mut sums) = (vec![0.0; spec.observation.len()], Sums::default());
        for played in shards.iter().map(|shard| &shard.rows) {
            let decision = |row: usize| played.decision(row, |advantage| advantage);
            let objective = PpoObjective { decision, terms: &TERMS };
            let logits = vec![0.1; spec.actions()];
            for row in 0..rows {
                objective.observe(row, &mut observation);
                let (mut by_logits, mut by_values) = (vec![0.0; spec.actions()], vec![0.0; spec.seats]);
                objective.row(row, &logits, &[0.0, 0.0], &mut by_logits, &mut by_values, &mut sums);
            }
        }
        black_box(sums);
    }) * ppo.epochs as f64;
    let mut weights = learner.weights().clone();
    let (mut adam, gradient) = (Adam::new(&weights), weights.clone());
    let updates = (plies / ppo.minibatch as f64).ceil() * ppo.epochs as f64;
    let moving = least(3, || adam.step(&mut weights, &gradient, 1.0, 1e-4, 0.0)) * updates;
    let share = |part: f64| 100.0 * part / work;
    println!("  environment, choices, judging: {:.1} % of the work", share(playing));
    println!("  gathering rows, the loss:      {:.1} %", share(learning));
    println!("  Adam:                          {:.1} %", share(moving));
    println!(
        "  the network (products, activations, copies of weights): {:.1} %",
        100.0 - share(playing + learning + moving)
    );
}
