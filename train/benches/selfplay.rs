//! A minute of Gumbel AlphaZero training with a shipped config, and where it goes:
//! `cargo bench --workspace --bench selfplay [-- CONFIG [SECONDS]]`.
//!
//! | column | what it says |
//! |---|---|
//! | plies/s, simulations/s | of the playing phase |
//! | samples/s | of the learning phase |
//! | network | share of a thread's playing time in the network: the same number of rows, in batches of a shard, on one thread |
//! | search | the rest of playing: trees, engine, bookkeeping |
//! | learning | share of the whole time |
//! | replay | share of a thread's learning time in playing drawn games again |
//! | busy | processor time of the process over wall time × threads |
//! | wanted | the same with the time in which a thread was ready and the machine ran others: what `busy` would be alone here |

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use nodarium_agent::network::Inference;
use nodarium_agent::{Evaluator as _, Playable};
use nodarium_env::calibration::connect_four::ConnectFour;
use nodarium_env::games::kato::Kato;
use nodarium_env::games::shuter::Shuter;
use nodarium_env::rng::Purpose;
use nodarium_env::{Rng, random_action};
use nodarium_train::gumbel::SelfPlay;
use nodarium_train::{Config, Learner as _, Report};
use rustix::time::{ClockId, clock_gettime};

/// Iterations before anything is counted: the window fills and threads find their memory.
const WARM_UP: u64 = 4;
/// Plies after which most games are over.
const TYPICAL_GAME: u64 = 100;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let word = words.first().map_or("", String::as_str);
    let seconds = words.get(1).map_or(60, |word| word.parse().expect("SECONDS is a whole number"));
    println!(
        "| config | plies/s | simulations/s | samples/s | network | search | learning | replay | busy | wanted |\n\
         |---|---|---|---|---|---|---|---|---|---|"
    );
    let time = Duration::from_secs(seconds);
    for (name, row) in [
        ("connect_four", row::<ConnectFour> as fn(&str, Duration)),
        ("kato", row::<Kato>),
        ("shuter-gumbel", row::<Shuter>),
    ] {
        if name.contains(word) {
            row(name, time);
        }
    }
}

fn row<G: Playable>(name: &str, time: Duration) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../configs/{name}.toml"));
    // Neither the simulations nor the learning rate should change within the minute, and nobody but search should play.
    let steady = [
        "iterations=1000000",
        "gumbel.taught_iterations=0",
        "gumbel.simulations=32",
        "gumbel.simulations_end=32",
    ];
    let config = Config::read(&file, &steady.map(str::to_owned)).expect("the shipped configs are right");
    let rules = config.rules_of::<G>().expect("the shipped configs are right");
    let steps = config.gumbel.as_ref().expect("the config learns by search").steps as u64;
    let mut learner = SelfPlay::<G>::new(rules.clone(), &config).expect("the config is right");
    for _ in 0..WARM_UP.max(2 * TYPICAL_GAME / steps) {
        learner.iterate().expect("numbers stay finite");
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    let (start, processor, wanted) = (Instant::now(), processor_time(), wanted_time());
    let mut reports: Vec<Report> = Vec::new();
    while start.elapsed() < time {
        reports.push(learner.iterate().expect("numbers stay finite"));
    }
    let wall = start.elapsed().as_secs_f64() * threads;
    let (busy, wanted) = ((processor_time() - processor) / wall, (wanted_time() - wanted) / wall);
    let total = |name: &str| reports.iter().filter_map(|report| report.scalar(name)).sum::<f64>();
    let per = |rate: &str, time: &str| {
        let counted = reports.iter().map(|r| r.scalar(rate).unwrap_or(0.0) * r.scalar(time).unwrap_or(0.0));
        counted.sum::<f64>()
    };
    let (play, learn) = (total("time/play"), total("time/learn"));
    let simulations = per("time/simulations_per_second", "time/play");
    let samples = per("time/samples_per_second", "time/learn");
    // As busy as the threads were: on a shared machine a row takes as long as it does here.
    let network =
        (simulations + total("games/plies")) * row_time(learner.weights()) / (play * threads * busy);
    let replay = samples * replay_time::<G>(&rules) / (learn * threads * busy);
    println!(
        "| `{name}` | {:.0} | {:.0} | {:.0} | {:.0} % | {:.0} % | {:.0} % | {:.1} % | {:.1} % | {:.1} % |",
        total("games/plies") / play,
        simulations / play,
        samples / learn,
        100.0 * network,
        100.0 * (1.0 - network),
        100.0 * learn / (play + learn),
        100.0 * replay,
        100.0 * busy,
        100.0 * wanted
    );
}

/// Seconds of one row of the network in a batch of half a shard.
fn row_time(weights: &nodarium_agent::network::Weights) -> f64 {
    const ROWS: usize = 16;
    const ROUNDS: usize = 500;
    let (inference, shape) = (Inference::new(weights), weights.shape());
    let observations = vec![0.5; ROWS * shape.observation];
    let (mut logits, mut values) = (vec![0.0; ROWS * shape.actions], vec![0.0; ROWS * shape.seats]);
    let processor = processor_time();
    for _ in 0..ROUNDS {
        inference.evaluate(&observations, &mut logits, &mut values);
    }
    (processor_time() - processor) / (ROWS * ROUNDS) as f64
}

/// Seconds to come back to a position by playing half of a random game, and to observe it.
fn replay_time<G: Playable>(rules: &G::Rules) -> f64 {
    const GAMES: u64 = 2_000;
    let deal = |number| G::deal(rules, &mut Rng::keyed(Purpose::Deal, 0, number, 0));
    let play = |number| {
        let mut rng = Rng::keyed(Purpose::Choice, 0, number, 0);
        let mut game: G = deal(number);
        let mut actions = Vec::new();
        while let Some(action) = random_action(&game, &mut rng) {
            game.apply(action);
            actions.push(action);
        }
        actions
    };
    let games: Vec<_> = (0..GAMES).map(play).collect();
    let mut observation = vec![0.0; G::spec(rules).observation.len()];
    let processor = processor_time();
    for (number, actions) in (0..).zip(&games) {
        let mut game = deal(number);
        actions[..actions.len() / 2].iter().for_each(|&action| game.apply(action));
        game.observe(game.to_move().expect("half a game goes on"), &mut observation);
    }
    (processor_time() - processor) / GAMES as f64
}

/// Seconds that all threads of the process have run for.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Seconds that the threads of the process have run for or were ready to run; 0 where the system does not tell.
fn wanted_time() -> f64 {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let times = tasks.filter_map(|task| {
        let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
        let mut numbers = text.split_whitespace().map(|number| number.parse::<f64>());
        Some(numbers.next()?.ok()? + numbers.next()?.ok()?)
    });
    times.sum::<f64>() / 1e9
}
