//! Simulations a second of the rollout bots in every game: `cargo bench -p nodarium-agent --bench uct [-- WORD]` (rows that
//! contain the word).
//!
//! | column | work, on one core, from the start position |
//! |---|---|
//! | rollouts | copy the state (re-deal it where something is hidden), play at random to the end |
//! | uct | the same below a tree: select, expand, play at random to the end, back up |
//! | share | the second as a share of the first: what the tree costs |
//!
//! Every figure is the best of several rounds, and the rounds of the columns alternate, so that a noisy machine disturbs
//! them alike.

use std::time::Instant;

use nodarium_agent::bots::{Budget, Uct};
use nodarium_agent::{Agent, Query};
use nodarium_env::rng::Purpose;
use nodarium_env::{Game, Rng, catalog, conformance, random_action, with_game};

const ROUNDS: u64 = 9;
/// Simulations of a round.
const SIMULATIONS: u32 = 20_000;

fn main() {
    let word = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or_default();
    println!("| game | rollouts/s | plies | uct, simulations/s | µs | share |\n|---|---|---|---|---|---|");
    for &id in catalog::IDS {
        if id.contains(&word) {
            with_game!(id, G => row::<G>(id)).expect("the catalogue knows its games");
        }
    }
}

fn row<G: Game>(id: &str) {
    let rules = conformance::rules::<G>("{}");
    let game = G::deal(&rules, &mut Rng::keyed(Purpose::Deal, 0, 0, 0));
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started");
    let (mut rollouts, mut uct, mut plies) = (0.0_f64, 0.0_f64, 0);
    for round in 0..ROUNDS {
        rollouts = rollouts.max(rate(|| plies += roll_out(&game, round)));
        let mut agent = Uct::<G>::new(&rules, Budget::Simulations(SIMULATIONS), round);
        let mut actions = Vec::new();
        let query = Query { game: &game, key: 0, ply: 0 };
        uct = uct.max(one.install(|| rate(|| agent.act(&[query], &mut actions))));
    }
    let length = plies as f64 / (ROUNDS * u64::from(SIMULATIONS)) as f64;
    println!(
        "| `{id}` | {rollouts:.0} | {length:.1} | {uct:.0} | {:.2} | {:.0} % |",
        1e6 / uct,
        100.0 * uct / rollouts
    );
}

/// Simulations a second of `work`, which does [`SIMULATIONS`] of them.
fn rate(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    f64::from(SIMULATIONS) / start.elapsed().as_secs_f64()
}

/// Plies of the rollouts.
fn roll_out<G: Game>(game: &G, round: u64) -> u64 {
    let seat = game.to_move().expect("a fresh game goes on");
    let mut choices = Rng::keyed(Purpose::Choice, 1, round, 0);
    let mut worlds = Rng::keyed(Purpose::World, 1, round, 0);
    let mut plies = 0;
    for _ in 0..SIMULATIONS {
        let mut state = game.clone();
        state.redeal_hidden(seat, &mut worlds);
        while let Some(action) = random_action(&state, &mut choices) {
            state.apply(action);
            plies += 1;
        }
    }
    plies
}
