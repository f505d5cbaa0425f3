//! Plies a second of every game, as one table: `cargo bench -p nodarium-env [-- WORD]` (rows that contain the word).
//!
//! | column | work |
//! |---|---|
//! | engine | one core: legal actions, a uniformly random one, apply, deal again when over |
//! | batch | one core: the same for 1,024 games, with observations and masks written to flat arrays |
//! | floor | the time to write that many bytes of observation and mask and do nothing else |
//! | two cores | two threads with half of the batch each ([`Batch::part`]), as trainers play, as a ratio to one |
//! | one call | two threads that share every step of one batch, as a ratio to one |
//!
//! The rounds of the columns alternate, so that a noisy machine disturbs them alike. A speed is the best of its
//! rounds; a ratio is the median of the ratios of neighbouring rounds, since two bests need not come from the same
//! state of the machine.

use std::hint::black_box;
use std::time::{Duration, Instant};

use nodarium_env::measure::signature;
use nodarium_env::rng::Purpose;
use nodarium_env::{Action, Batch, Frame, Game, Mask, Rng, conformance, random_member, with_game};
use rayon::prelude::*;

const SLOTS: usize = 1_024;
const ROUNDS: usize = 21;
const ROUND: Duration = Duration::from_millis(120);
const SIGNATURE_GAMES: u64 = 100;

/// The rows: a game and its rules.
const ROWS: &[(&str, &str)] = &[
    ("shuter", r#"{"variant": "basic"}"#),
    ("shuter", r#"{"variant": "classic"}"#),
    ("shuter", r#"{"variant": "advanced"}"#),
    ("kato", r#"{"size": 4}"#),
    ("kato", r#"{"size": 6}"#),
    ("kato", r#"{"size": 8}"#),
    ("colony", r#"{"players": 2}"#),
    ("colony", r#"{"players": 4}"#),
    ("starduel", "{}"),
    ("tictactoe", "{}"),
    ("connect_four", "{}"),
    ("kuhn", "{}"),
    ("leduc", "{}"),
];

fn main() {
    let word = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or_default();
    println!(
        "| game | engine, M plies/s | ns | batch, M plies/s | ns | floor, ns | two cores | one call | plies/game | signature |\n\
         |---|---|---|---|---|---|---|---|---|---|"
    );
    for &(id, rules) in ROWS {
        let label = format!("`{id}` {rules}");
        if label.contains(&word) {
            with_game!(id, G => row::<G>(&label, rules)).expect("the rows name games of the catalogue");
        }
    }
}

fn row<G: Game>(label: &str, rules: &str) {
    let rules = conformance::rules::<G>(rules);
    let pool = |threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a thread pool can be started")
    };
    let (one, other, two) = (pool(1), pool(1), pool(2));
    let mut engine = Engine::<G>::new(&rules);
    let mut batch_one = Stepper::<G>::new(&rules, 0..SLOTS as u64);
    let mut batch_two = Stepper::<G>::new(&rules, 0..SLOTS as u64);
    let half = SLOTS as u64 / 2;
    let mut halves = [Stepper::<G>::new(&rules, 0..half), Stepper::<G>::new(&rules, half..2 * half)];
    let (mut fastest_engine, mut fastest_one, mut floor) = (0.0_f64, 0.0_f64, 0.0_f64);
    let (mut by_two, mut by_call) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        fastest_engine = fastest_engine.max(rate(|| engine.run(SLOTS)));
        let one_core = one.install(|| rate(|| batch_one.step()));
        fastest_one = fastest_one.max(one_core);
        by_two.push(both(&mut halves, [&one, &other]) / one_core);
        by_call.push(two.install(|| rate(|| batch_two.step())) / one_core);
        floor = floor.max(rate(|| batch_one.write_only()));
    }
    let ns = |rate: f64| 1e9 / rate;
    println!(
        "| {label} | {:.1} | {:.0} | {:.1} | {:.0} | {:.0} | {:.2} | {:.2} | {:.1} | {:016x} |",
        fastest_engine / 1e6,
        ns(fastest_engine),
        fastest_one / 1e6,
        ns(fastest_one),
        ns(floor),
        median(by_two),
        median(by_call),
        engine.plies as f64 / engine.games as f64,
        signature::<G>(&rules, SIGNATURE_GAMES),
    );
}

/// The middle one of an odd number of ratios.
fn median(mut ratios: Vec<f64>) -> f64 {
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}

/// Plies a second of two threads together, each with its own half: from the common start to the common end.
fn both<G: Game>(halves: &mut [Stepper<G>; 2], pools: [&rayon::ThreadPool; 2]) -> f64 {
    let start = Instant::now();
    let until = start + ROUND;
    let play = |half: &mut Stepper<G>| {
        let mut plies = 0;
        while Instant::now() < until {
            plies += half.step();
        }
        plies
    };
    let [left, right] = halves;
    let plies = std::thread::scope(|scope| {
        let left = scope.spawn(|| pools[0].install(|| play(left)));
        let right = pools[1].install(|| play(right));
        left.join().expect("the thread plays to its end") + right
    });
    plies as f64 / start.elapsed().as_secs_f64()
}

/// Plies a second of `work`, which says how many it did.
fn rate(mut work: impl FnMut() -> usize) -> f64 {
    let start = Instant::now();
    let mut plies = 0;
    while start.elapsed() < ROUND {
        plies += work();
    }
    plies as f64 / start.elapsed().as_secs_f64()
}

/// One game after the other.
struct Engine<G: Game> {
    rules: G::Rules,
    game: G,
    choices: Rng,
    plies: u64,
    games: u64,
}

impl<G: Game> Engine<G> {
    fn new(rules: &G::Rules) -> Self {
        let game = G::deal(rules, &mut Rng::keyed(Purpose::Deal, 0, 0, 0));
        Self { rules: rules.clone(), game, choices: Rng::keyed(Purpose::Choice, 0, 0, 0), plies: 0, games: 0 }
    }

    fn run(&mut self, plies: usize) -> usize {
        let mut mask = Mask::EMPTY;
        for _ in 0..plies {
            self.game.legal(&mut mask);
            let action = random_member(&mask, &mut self.choices).expect("the game goes on");
            self.game.apply(action);
            if self.game.to_move().is_none() {
                self.games += 1;
                self.game = G::deal(&self.rules, &mut Rng::keyed(Purpose::Deal, 0, 0, self.games));
            }
        }
        self.plies += plies as u64;
        plies
    }
}

/// A batch with random players.
struct Stepper<G: Game> {
    batch: Batch<G>,
    frame: Frame,
    actions: Vec<Action>,
    choices: Vec<Rng>,
    written: f32,
}

/// Slots whose actions one task chooses.
const CHOOSERS: usize = 64;

impl<G: Game> Stepper<G> {
    fn new(rules: &G::Rules, numbers: std::ops::Range<u64>) -> Self {
        let batch = Batch::part(rules, numbers, 0);
        let slots = batch.len();
        let frame = Frame::new(batch.spec(), slots);
        let choices =
            (0..slots.div_ceil(CHOOSERS) as u64).map(|i| Rng::keyed(Purpose::Choice, 0, i, 0)).collect();
        Self { batch, frame, actions: vec![Action(0); slots], choices, written: 0.0 }
    }

    fn step(&mut self) -> usize {
        let batch = &self.batch;
        let chunks = self.actions.par_chunks_mut(CHOOSERS).zip(&mut self.choices).enumerate();
        chunks.for_each(|(chunk, (actions, rng))| {
            for (i, action) in actions.iter_mut().enumerate() {
                *action = random_member(batch.mask(chunk * CHOOSERS + i), rng).expect("games go on");
            }
        });
        self.batch.step(&self.actions, &mut self.frame.view_mut()).expect("the actions are legal");
        black_box(&self.frame);
        self.actions.len()
    }

    fn write_only(&mut self) -> usize {
        self.written += 1.0;
        self.frame.observations.fill(self.written);
        self.frame.masks.fill(self.written > 0.0);
        black_box(&self.frame);
        SLOTS
    }
}
