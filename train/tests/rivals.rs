//! Rivals: who sits where, what is learned from their games, and names that are none.

use nodarium_agent::network::{Inference, NetworkConfig, Shape, Weights};
use nodarium_agent::{Agent, Query, Thought, build};
use nodarium_env::calibration::tictactoe::TicTacToe;
use nodarium_env::games::colony::Colony;
use nodarium_env::{Action, Batch, Frame, Game, Mask, Seat};
use nodarium_train::ppo::Ppo;
use nodarium_train::ppo::advantage::Trust;
use nodarium_train::ppo::rollout::{Shard, Table};
use nodarium_train::{Config, Learner as _};

/// Takes the last legal action, which a fresh network seldom does.
struct Last;

fn last(game: &TicTacToe) -> Action {
    let mut legal = Mask::EMPTY;
    game.legal(&mut legal);
    legal.iter().last().expect("the game goes on")
}

impl Agent<TicTacToe> for Last {
    fn act(&mut self, queries: &[Query<'_, TicTacToe>], actions: &mut Vec<Action>) {
        actions.clear();
        actions.extend(queries.iter().map(|query| last(query.game)));
    }

    fn think(&mut self, _: &[Query<'_, TicTacToe>], _: &mut Vec<Thought>) {
        unreachable!("whoever only plays is not asked what it thinks");
    }
}

#[test]
fn rivals_have_every_seat_but_one_of_their_share_of_the_games() {
    let spec = TicTacToe::spec(&Default::default());
    let config = NetworkConfig { width: 8, layers: 1, ..NetworkConfig::default() };
    let network = Inference::new(&Weights::draw(config, Shape::of(&spec), 1).unwrap());
    let table = |symmetries| Table {
        learner: &network,
        opponent: None,
        rival_share: 0.5,
        steps: 9,
        before: 0,
        seed: 1,
        symmetries,
    };
    let trust = Trust { discount: 1.0, lambda: 0.9 };
    let mut shard = Shard::<TicTacToe>::new(&Default::default(), 0..40, 1, false, vec![Box::new(Last)]);
    shard.play(&table(false), None, trust);
    // Every game goes on for five plies at least, and the first one of every slot ends within nine.
    for (step, slot) in (0..5).flat_map(|step| (0..40).map(move |slot| (step, slot))) {
        let row = step * 40 + slot;
        let learns = slot >= 20 || step % 2 == slot % 2;
        assert_eq!(shard.rows.teaches(row), learns, "step {step}, slot {slot}");
        let decision = shard.rows.decision(row, |advantage| advantage);
        let last = decision.legal.iter().last().expect("the game goes on");
        assert!(learns || decision.action == last.index(), "step {step}, slot {slot}");
    }
    // Under symmetries the rival still sees the game itself: what it plays is legal in every image.
    let mut turned = Shard::<TicTacToe>::new(&Default::default(), 0..40, 1, false, vec![Box::new(Last)]);
    turned.play(&table(true), None, trust);
    assert!(!turned.ended.is_empty(), "games were played to their end");
}

#[test]
fn insights_are_worked_out_where_the_policy_decides_and_its_games_among_rivals_are_told() {
    const SLOTS: usize = 6;
    const RIVALLED: usize = 3;
    const STEPS: usize = 200;
    let rules = Default::default();
    let spec = Colony::spec(&rules);
    let config = NetworkConfig { width: 8, layers: 1, insights: true, ..NetworkConfig::default() };
    let network = Inference::new(&Weights::draw(config, Shape::of(&spec), 1).unwrap());
    let table = Table {
        learner: &network,
        opponent: None,
        rival_share: RIVALLED as f32 / SLOTS as f32,
        steps: STEPS,
        before: 0,
        seed: 1,
        symmetries: false,
    };
    let rival = build::<Colony>(&"random".parse().unwrap(), &rules, 1).unwrap();
    let mut shard = Shard::<Colony>::new(&rules, 0..SLOTS as u64, 1, true, vec![rival]);
    shard.play(&table, None, Trust { discount: 1.0, lambda: 0.9 });
    // The same games once more, by what was played.
    let mut batch = Batch::<Colony>::new(&rules, SLOTS, 1);
    let mut frame = Frame::new(&spec, SLOTS);
    batch.observe(&mut frame.view_mut()).unwrap();
    let mut among_rivals = Vec::new();
    for step in 0..STEPS {
        let learners: Vec<usize> =
            (0..SLOTS).map(|slot| (slot + batch.episode(slot) as usize) % spec.seats).collect();
        let decision = |slot: usize| shard.rows.decision(step * SLOTS + slot, |advantage| advantage);
        for (slot, &learner) in learners.iter().enumerate() {
            let seat = frame.seats[slot];
            let mut seen = vec![0.0; spec.insights.len()];
            if slot >= RIVALLED || usize::from(seat) == learner {
                batch.game(slot).observe(Seat(seat), &mut seen);
            }
            assert!(decision(slot).observation == seen, "step {step}, slot {slot}");
        }
        let played: Vec<Action> = (0..SLOTS).map(|slot| Action(decision(slot).action as u16)).collect();
        batch.step(&played, &mut frame.view_mut()).unwrap();
        let ended = (0..RIVALLED).filter(|&slot| frame.done[slot]);
        among_rivals.extend(ended.map(|slot| frame.rewards[[slot, learners[slot]]]));
    }
    assert!(!among_rivals.is_empty(), "games were played to their end");
    assert_eq!(shard.among_rivals, among_rivals);
}

fn config(rivals: &str) -> Config {
    let text =
        format!("game = 'tictactoe'\niterations = 3\nseed = 1\n[ppo]\nslots = 64\nrivals = {rivals}\n");
    toml::from_str(&text).expect("the config is right")
}

#[test]
fn rivals_change_what_is_learned_and_a_name_that_is_none_is_told() {
    let after = |rivals: &str| {
        let mut learner =
            Ppo::<TicTacToe>::new(&Default::default(), &config(rivals)).expect("the run can start");
        learner.iterate().expect("nothing is in the way");
        learner.weights().clone()
    };
    assert_ne!(after("[]"), after("['greedy']"));
    assert_ne!(after("['random']"), after("['greedy']"));
    let refused = |rivals: &str| match Ppo::<TicTacToe>::new(&Default::default(), &config(rivals)) {
        Ok(_) => panic!("{rivals} was taken"),
        Err(problem) => problem.to_string(),
    };
    assert!(refused("['gredy']").starts_with("ppo.rivals: unknown agent `gredy` (did you mean `greedy`?)"));
    assert!(refused("['policy:nowhere']").starts_with("ppo.rivals: agent `policy:nowhere`: "));
}
