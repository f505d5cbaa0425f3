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

/// The least allocations in stretches of 250 steps, with games ending and dealt again among them.
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
    // What a step itself would allocate, it would in every stretch; the pool may need memory of its own in some.
    let mut stretch = || {
        let region = Region::new(ALLOCATOR);
        run(250);
        let change = region.change();
        change.allocations + change.reallocations
    };
    let least = (0..4).map(|_| stretch()).min().expect("there were stretches");
    assert!(ended > 1_000, "too few games ended to have tried deals in every stretch");
    least
}
