//! Gumbel AlphaZero search, seen from outside.

mod batches;
mod evaluators;
mod hidden;
mod improvement;
mod reference;
mod refusals;
mod rollouts;
mod seats;
mod toys;
mod wins;

use evaluators::Judge;
use nodarium_agent::search::{Found, Options, Search};
use nodarium_agent::{Evaluator, Query};
use nodarium_env::rng::Purpose;
use nodarium_env::{Action, Game, Rng, random_action};

/// Searches one game.
fn search<G: Game, E: Evaluator>(game: &G, evaluator: &E, options: Options) -> Found {
    let mut search = Search::new(&G::Rules::default(), options).expect("the options are good");
    let mut found = Found::default();
    search.run(evaluator, &[Query { game, key: 0, ply: 0 }], &mut found).expect("the evaluator fits");
    found
}

/// Without noise.
fn greedy(simulations: u32) -> Options {
    Options { simulations, gumbel_scale: 0.0, ..Options::default() }
}

/// The first game of a seed.
fn deal<G: Game>(seed: u64) -> G {
    G::deal(&G::Rules::default(), &mut Rng::keyed(Purpose::Deal, seed, 0, 0))
}

/// The game after these actions.
fn played<G: Game>(actions: &[u16]) -> G {
    let mut game: G = deal(0);
    for &action in actions {
        game.try_apply(Action(action)).expect("the test plays legal actions");
    }
    game
}

/// Every state of random games that is not over.
fn random_states<G: Game>(games: u64) -> Vec<G> {
    let mut states = Vec::new();
    for seed in 0..games {
        let mut game: G = deal(seed);
        let mut rng = Rng::keyed(Purpose::Choice, seed, 0, 0);
        while let Some(action) = random_action(&game, &mut rng) {
            states.push(game.clone());
            game.apply(action);
        }
    }
    states
}

/// An evaluator that knows nothing.
fn uniform<G: Game>() -> impl Evaluator {
    Judge::new::<G>(|_, _, _| {})
}
