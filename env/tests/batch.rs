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

#[test]
fn the_parts_of_a_batch_play_its_games() {
    let rules = classic();
    let mut whole = Batch::<Shuter>::new(&rules, 12, 5);
    let mut parts = [Batch::<Shuter>::part(&rules, 0..5, 5), Batch::part(&rules, 5..12, 5)];
    let mut frame = Frame::new(whole.spec(), 12);
    let mut frames = [Frame::new(whole.spec(), 5), Frame::new(whole.spec(), 7)];
    let mut rng = Rng::keyed(Purpose::Choice, 5, 0, 0);
    let mut actions = vec![Action(0); 12];
    for _ in 0..300 {
        choose(&whole, &mut rng, &mut actions);
        whole.step(&actions, &mut frame.view_mut()).expect("the actions are legal");
        parts[0]
            .step(&actions[..5], &mut frames[0].view_mut())
            .expect("the same actions are legal in the part");
        parts[1]
            .step(&actions[5..], &mut frames[1].view_mut())
            .expect("the same actions are legal in the part");
    }
    for slot in 0..12 {
        let (part, within) = if slot < 5 { (0, slot) } else { (1, slot - 5) };
        assert_eq!(whole.game(slot), parts[part].game(within), "slot {slot}");
        assert_eq!(frame.observations.row(slot), frames[part].observations.row(within), "slot {slot}");
        assert!(whole.episode(slot) > 0, "slot {slot} has played games to their end");
    }
}

#[test]
fn a_slot_is_taken_up_again_where_it_was_left() {
    let rules = classic();
    let mut left = Batch::<Shuter>::new(&rules, 4, 9);
    let mut frame = Frame::new(left.spec(), 4);
    let mut rng = Rng::keyed(Purpose::Choice, 9, 0, 0);
    let mut actions = vec![Action(0); 4];
    let mut played: Vec<Vec<Action>> = vec![Vec::new(); 4];
    for _ in 0..333 {
        choose(&left, &mut rng, &mut actions);
        left.step(&actions, &mut frame.view_mut()).expect("the actions are legal");
        for (slot, played) in played.iter_mut().enumerate() {
            if frame.done[slot] { played.clear() } else { played.push(actions[slot]) }
        }
    }
    let mut taken_up = Batch::<Shuter>::new(&rules, 4, 9);
    for (slot, played) in played.iter().enumerate() {
        taken_up.restore(slot, left.episode(slot), played).expect("these actions were played");
    }
    let mut again = frame.clone();
    left.observe(&mut frame.view_mut()).expect("the arrays fit");
    taken_up.observe(&mut again.view_mut()).expect("the arrays fit");
    assert_eq!(frame, again);
    for _ in 0..200 {
        choose(&left, &mut rng, &mut actions);
        left.step(&actions, &mut frame.view_mut()).expect("the actions are legal");
        taken_up.step(&actions, &mut again.view_mut()).expect("the same actions are legal");
        assert_eq!(frame, again);
    }
}

#[test]
fn a_slot_cannot_be_taken_where_no_game_leads() {
    let mut batch = Batch::<nodarium_env::calibration::tictactoe::TicTacToe>::new(&Default::default(), 1, 0);
    let before = batch.game(0).clone();
    let twice = [Action(4), Action(4)];
    assert_eq!(batch.restore(0, 0, &twice), Err(BatchError::Illegal { slot: 0, action: Action(4) }));
    let over = [0, 3, 1, 4, 2].map(Action);
    assert_eq!(batch.restore(0, 0, &over), Err(BatchError::Over { slot: 0, plies: 5 }));
    assert_eq!(batch.game(0), &before, "a refused call leaves the slot alone");
}
