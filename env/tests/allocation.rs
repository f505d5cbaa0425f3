//! A step of the batch allocates nothing. Alone in its file: the counter sees the whole process.

use std::alloc::System;

use nodarium_env::rng::Purpose;
use nodarium_env::{Action, Batch, Frame, Game, Rng, catalog, random_member, with_game};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

#[test]
fn a_step_allocates_nothing() {
    for threads in [1, 2] {
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool can be started");
        for &id in catalog::IDS {
            let count = with_game!(id, G => pool.install(allocations_in_steps::<G>)).expect("a known game");
            assert_eq!(count, 0, "{id} on {threads} threads");
        }
    }
}

/// Allocations in 500 steps, with games ending and dealt again among them.
fn allocations_in_steps<G: Game>() -> usize {
    let slots = 256;
    let mut batch = Batch::<G>::new(&G::Rules::default(), slots, 5);
    let mut frame = Frame::new(batch.spec(), slots);
    let mut rng = Rng::keyed(Purpose::Choice, 5, 0, 0);
    let mut actions = vec![Action(0); slots];
    let mut ended = 0;
    let mut run = |steps: usize| {
        for _ in 0..steps {
            for (slot, action) in actions.iter_mut().enumerate() {
                *action = random_member(batch.mask(slot), &mut rng).expect("games in a batch go on");
            }
            batch.step(&actions, &mut frame.view_mut()).expect("the actions are legal");
            ended += frame.done.iter().filter(|&&done| done).count();
        }
    };
    // The first steps set up the thread pool's own queues.
    run(50);
    let region = Region::new(ALLOCATOR);
    run(500);
    let change = region.change();
    assert!(ended > 0, "no game ended, so no deal was tried");
    change.allocations + change.reallocations
}
