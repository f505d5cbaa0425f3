//! The batch: the same games for any number of threads, bad calls refused whole.

use ndarray::Array2;
use nodarium_env::games::shuter::Shuter;
use nodarium_env::rng::Purpose;
use nodarium_env::{
    Action, Batch, BatchError, Frame, Game, Rng, Seat, catalog, conformance, random_member, with_game,
};

fn classic() -> <Shuter as Game>::Rules {
    conformance::rules::<Shuter>(r#"{"variant": "classic"}"#)
}

/// Random players, one stream of choices for all slots.
fn choose<G: Game>(batch: &Batch<G>, rng: &mut Rng, actions: &mut [Action]) {
    for (slot, action) in actions.iter_mut().enumerate() {
        *action = random_member(batch.mask(slot), rng).expect("games in a batch go on");
    }
}

fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("a thread pool can be started")
        .install(work)
}

/// Everything that a batch shows over some steps.
fn frames<G: Game>(threads: usize, slots: usize, steps: usize) -> Vec<Frame> {
    in_pool(threads, || {
        let mut batch = Batch::<G>::new(&G::Rules::default(), slots, 11);
        let mut frame = Frame::new(batch.spec(), slots);
        let mut rng = Rng::keyed(Purpose::Choice, 11, 0, 0);
        let mut actions = vec![Action(0); slots];
        batch.observe(&mut frame.view_mut()).expect("the arrays fit");
        let mut shown = vec![frame.clone()];
        for _ in 0..steps {
            choose(&batch, &mut rng, &mut actions);
            batch.step(&actions, &mut frame.view_mut()).expect("the actions are legal");
            shown.push(frame.clone());
        }
        shown
    })
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for &id in catalog::IDS {
        with_game!(id, G => {
            let one = frames::<G>(1, 300, 60);
            assert_eq!(one, frames::<G>(2, 300, 60), "{id}: two threads");
            assert_eq!(one, frames::<G>(8, 300, 60), "{id}: eight threads");
        })
        .expect("the catalogue knows its games");
    }
}

#[test]
fn a_batch_tells_what_single_games_tell() {
    let slots = 40;
    let mut batch = Batch::<Shuter>::new(&classic(), slots, 3);
    let mut frame = Frame::new(batch.spec(), slots);
    let mut rng = Rng::keyed(Purpose::Choice, 3, 0, 0);
    let mut actions = vec![Action(0); slots];
    let deal = |slot, episode| Shuter::deal(&classic(), &mut Rng::keyed(Purpose::Deal, 3, slot, episode));
    let mut games: Vec<(Shuter, u64, u32)> = (0..slots as u64).map(|slot| (deal(slot, 0), 0, 0)).collect();
    let mut ended = 0;
    for _ in 0..600 {
        choose(&batch, &mut rng, &mut actions);
        batch.step(&actions, &mut frame.view_mut()).expect("the actions are legal");
        for (slot, (game, episode, plies)) in games.iter_mut().enumerate() {
            game.apply(actions[slot]);
            *plies += 1;
            assert_eq!(frame.plies[slot], *plies);
            assert_eq!(frame.done[slot], game.to_move().is_none());
            let mut returns = [0.0; 2];
            game.returns(&mut returns);
            assert_eq!(frame.rewards.row(slot).to_vec(), returns);
            if let Some(end) = game.end() {
                assert_eq!(frame.ends[slot], end.0);
                ended += 1;
                *episode += 1;
                (*game, *plies) = (deal(slot as u64, *episode), 0);
            }
            assert_eq!(batch.game(slot), game);
            let seat = game.to_move().expect("a dealt game goes on");
            assert_eq!(Seat(frame.seats[slot]), seat);
            let mut seen = vec![f32::NAN; batch.spec().observation.len()];
            game.observe(seat, &mut seen);
            assert_eq!(frame.observations.row(slot).to_vec(), seen);
            for (action, &legal) in frame.masks.row(slot).iter().enumerate() {
                assert_eq!(legal, batch.mask(slot).contains(Action(action as u16)));
            }
        }
    }
    assert!(ended > slots, "every slot plays several games");
}

#[test]
fn a_bad_call_is_refused_and_nothing_is_stepped() {
    let slots = 4;
    let mut batch = Batch::<Shuter>::new(&classic(), slots, 1);
    let mut frame = Frame::new(batch.spec(), slots);
    let before: Vec<Shuter> = (0..slots).map(|slot| batch.game(slot).clone()).collect();
    let legal = batch.mask(0).nth(0).expect("something is legal");

    let end_turn = Action(124);
    let error = batch.step(&[legal, legal, end_turn, legal], &mut frame.view_mut()).unwrap_err();
    assert_eq!(error.to_string(), "action 124 is not legal in slot 2");

    let error = batch.step(&[legal; 3], &mut frame.view_mut()).unwrap_err();
    assert_eq!(error.to_string(), "3 actions for 4 slots");

    let mut narrow = Frame::new(batch.spec(), slots);
    narrow.observations = Array2::zeros((slots, 7));
    let error = batch.step(&[legal; 4], &mut narrow.view_mut()).unwrap_err();
    assert!(matches!(error, BatchError::Shape { array: "observations", .. }), "{error}");

    let width = batch.spec().observation.len();
    let mut turned = Array2::zeros((width, slots));
    let mut view = frame.view_mut();
    view.observations = turned.view_mut().reversed_axes();
    let error = batch.step(&[legal; 4], &mut view).unwrap_err();
    assert!(matches!(error, BatchError::Shape { array: "observations", .. }), "{error}");

    assert!((0..slots).all(|slot| *batch.game(slot) == before[slot]), "a refused step left a trace");
}
