//! A search allocates nothing once its memory has grown. Alone in its file: the counter sees the whole process.

use std::alloc::System;

use nodarium_agent::search::{Found, Options, Search};
use nodarium_agent::{Evaluator, Query};
use nodarium_env::calibration::connect_four::ConnectFour;
use nodarium_env::calibration::leduc::Leduc;
use nodarium_env::games::shuter::Shuter;
use nodarium_env::rng::Purpose;
use nodarium_env::{Game, Rng, Spec};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

struct Zeros(Spec);

impl Evaluator for Zeros {
    fn observation(&self) -> usize {
        self.0.observation.len()
    }

    fn actions(&self) -> usize {
        self.0.actions()
    }

    fn seats(&self) -> usize {
        self.0.seats
    }

    fn evaluate(&self, _observations: &[f32], logits: &mut [f32], values: &mut [f32]) {
        logits.fill(0.0);
        values.fill(0.0);
    }
}

fn allocations<G: Game>() -> usize {
    let rules = G::Rules::default();
    let games: Vec<G> = (0..80).map(|i| G::deal(&rules, &mut Rng::keyed(Purpose::Deal, 1, i, 0))).collect();
    let queries: Vec<_> = games.iter().zip(0..).map(|(game, key)| Query { game, key, ply: 0 }).collect();
    let evaluator = Zeros(G::spec(&rules));
    let mut search = Search::new(&rules, Options::default()).expect("the options are good");
    let mut found = Found::default();
    let mut run = || search.run(&evaluator, &queries, &mut found).expect("the evaluator fits");
    run();
    // What search itself would allocate, it would in every run; a thread pool may need memory of its own in some.
    let mut again = || {
        let region = Region::new(ALLOCATOR);
        run();
        let change = region.change();
        change.allocations + change.reallocations
    };
    (0..8).map(|_| again()).min().expect("there were runs")
}

#[test]
fn a_further_search_allocates_nothing() {
    for threads in [1, 2] {
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool can be started");
        assert_eq!(pool.install(allocations::<ConnectFour>), 0, "connect_four on {threads} threads");
        assert_eq!(pool.install(allocations::<Shuter>), 0, "shuter on {threads} threads");
        assert_eq!(pool.install(allocations::<Leduc>), 0, "leduc on {threads} threads");
    }
}
