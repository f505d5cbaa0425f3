//! Simulations a second of the Gumbel search on one core: `cargo bench --workspace --bench gumbel [-- WORD]` (games whose
//! name contains the word).
//!
//! 256 games play against themselves with 32 simulations a ply and are dealt again when over; only simulations count,
//! not the evaluations of the roots.
//!
//! | row | evaluator |
//! |---|---|
//! | tree alone | answers zeros without a look |
//! | 2×256 | `Inference`, two layers of 256 with fresh weights; the work is that of trained ones |
//!
//! `rows/s` is what the evaluator alone reaches on the 256 roots; its share of the peak counts every layer as a full
//! product (so that skipped zeros can take it past 100 %) against the fastest product of 256 × 256 by 256 × 256 in the
//! same rounds, by two libraries. Time is that of the thread on its core (waiting for a busy core does not count);
//! figures are the best of several rounds, and the rounds of the rows of a game alternate, so that a noisy machine
//! disturbs them alike.

use std::hint::black_box;
use std::time::{Duration, Instant};

use burn::tensor::{Device, Tensor, TensorData};
use nodarium_agent::network::{Inference, NetworkConfig, Shape, Torso, Weights};
use nodarium_agent::search::{Found, Options, Search};
use nodarium_agent::{Evaluator, Query};
use nodarium_env::calibration::connect_four::ConnectFour;
use nodarium_env::games::shuter::Shuter;
use nodarium_env::rng::Purpose;
use nodarium_env::{Game, Rng};

const GAMES: usize = 256;
const SIMULATIONS: u32 = 32;
const NETWORK: NetworkConfig = NetworkConfig {
    torso: Torso::Mlp,
    width: 256,
    layers: 2,
    insights: false,
    direct: false,
    value_scale: 1.0,
};
const ROUNDS: usize = 40;
const ROUND: Duration = Duration::from_millis(80);

/// What mctx on JAX reached on one core of the machine that the goal was set on, Connect Four, the same sizes.
const MCTX: f64 = 232_000.0;

fn main() {
    let word = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or_default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread pool can be started");
    println!(
        "| search | simulations/s | ns | to mctx's 232,000 | evaluator, rows/s | its share of the time | its share of the peak |\n\
         |---|---|---|---|---|---|---|"
    );
    pool.install(|| {
        rows::<ConnectFour>("connect_four", &word);
        rows::<Shuter>("shuter", &word);
    });
}

/// Answers zeros.
struct Constant(Shape);

impl Evaluator for Constant {
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

fn rows<G: Game>(id: &str, word: &str) {
    if !id.contains(word) {
        return;
    }
    let shape = Shape::of(&G::spec(&G::Rules::default()));
    let weights = Weights::draw(NETWORK, shape.clone(), 1).expect("the sizes are within the limits");
    let (constant, network) = (Constant(shape.clone()), Inference::new(&weights));
    let (mut alone, mut with_network) = (Player::<G>::new(), Player::<G>::new());
    let mut square = square();
    let mut best = [0.0_f64; 4];
    for _ in 0..ROUNDS {
        let rates = [
            rate(|| alone.play(&constant)),
            rate(|| with_network.play(&network)),
            rate(evaluation(&network, &with_network.games)),
            square(),
        ];
        for (best, rate) in best.iter_mut().zip(rates) {
            *best = best.max(rate);
        }
    }
    let [alone, found, rows, peak] = best;
    let to_mctx =
        |rate: f64| if id == "connect_four" { format!("{:.2}", rate / MCTX) } else { "–".to_owned() };
    println!("| `{id}`, tree alone | {alone:.0} | {:.0} | {} | – | – | – |", 1e9 / alone, to_mctx(alone));
    let Shape { observation, actions, seats, .. } = shape;
    let operations = 2 * NETWORK.width * (observation + NETWORK.width + actions + seats);
    let peak = peak * (2 * NETWORK.width * NETWORK.width) as f64;
    println!(
        "| `{id}`, 2×256 | {found:.0} | {:.0} | {} | {rows:.0} | {:.0} % | {:.0} % of {:.0} GFLOP/s |",
        1e9 / found,
        to_mctx(found),
        100.0 * found / rows,
        100.0 * rows * operations as f64 / peak,
        peak / 1e9
    );
}

/// Rows a second of a plain product with a square as large as a layer of the torso. Two libraries, and the faster one
/// counts: a slow yardstick would flatter everything.
fn square() -> impl FnMut() -> f64 {
    let side = NETWORK.width;
    let data = TensorData::new(vec![0.5_f32; side * side], [side, side]);
    let tensor = Tensor::<2>::from_data(data, &Device::flex());
    let array = ndarray::Array2::from_elem((side, side), 0.5_f32);
    move || {
        let burn = rate(|| {
            black_box(tensor.clone().matmul(tensor.clone()));
            side
        });
        let ndarray = rate(|| {
            black_box(array.dot(&array));
            side
        });
        burn.max(ndarray)
    }
}

/// Judges the roots again and again.
fn evaluation<'a, G: Game>(network: &'a Inference, games: &[G]) -> impl FnMut() -> usize + 'a {
    let mut observations = vec![0.0; games.len() * network.observation()];
    for (row, game) in observations.chunks_exact_mut(network.observation()).zip(games) {
        game.observe(game.to_move().expect("games that are over are dealt again"), row);
    }
    let n = games.len();
    let mut logits = vec![0.0; n * network.actions()];
    let mut values = vec![0.0; n * network.seats()];
    move || {
        network.evaluate(black_box(&observations), &mut logits, &mut values);
        black_box((&logits, &values));
        n
    }
}

/// What `work` counts, a second on the processor.
fn rate(mut work: impl FnMut() -> usize) -> f64 {
    let (wall, start) = (Instant::now(), on_processor());
    let mut count = 0;
    while wall.elapsed() < ROUND {
        count += work();
    }
    let time = on_processor().zip(start).map_or(wall.elapsed(), |(end, start)| end - start);
    count as f64 / time.as_secs_f64()
}

/// How long this thread has run, without the time that others had the core; known on Linux only.
fn on_processor() -> Option<Duration> {
    // The kernel brings the account up to date when a thread goes to sleep, else only every few milliseconds.
    std::thread::sleep(Duration::from_micros(1));
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Games that play against themselves.
struct Player<G: Game> {
    games: Vec<G>,
    plies: Vec<u32>,
    dealt: u64,
    search: Search<G>,
    found: Found,
}

impl<G: Game> Player<G> {
    fn new() -> Self {
        let options = Options { simulations: SIMULATIONS, ..Options::default() };
        let search = Search::new(&G::Rules::default(), options).expect("the options are good");
        let mut player =
            Self { games: Vec::new(), plies: vec![0; GAMES], dealt: 0, search, found: Found::default() };
        player.games = (0..GAMES).map(|_| player.deal()).collect();
        player
    }

    fn deal(&mut self) -> G {
        self.dealt += 1;
        G::deal(&G::Rules::default(), &mut Rng::keyed(Purpose::Deal, 0, self.dealt, 0))
    }

    /// A ply in every game; returns the simulations.
    fn play<E: Evaluator>(&mut self, evaluator: &E) -> usize {
        let games = self.games.iter().zip(&self.plies).zip(0..);
        let queries: Vec<_> = games.map(|((game, &ply), key)| Query { game, key, ply }).collect();
        self.search.run(evaluator, &queries, &mut self.found).expect("the evaluator fits");
        for i in 0..GAMES {
            self.games[i].apply(self.found.actions[i]);
            self.plies[i] += 1;
            if self.games[i].to_move().is_none() {
                self.games[i] = self.deal();
            }
        }
        self.found.visits.iter().sum::<u32>() as usize
    }
}
