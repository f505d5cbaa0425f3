//! PPO: the same run for the same seed, taken up again bit for bit, and learning what there is to learn.

use nodarium_agent::checkpoint::{self, Contents, Plays};
use nodarium_agent::network::Weights;
use nodarium_agent::network::softmax::masked_softmax;
use nodarium_agent::{Evaluator as _, Playable, network::Inference};
use nodarium_env::calibration::kuhn::Kuhn;
use nodarium_env::calibration::tictactoe::TicTacToe;
use nodarium_env::games::colony::Colony;
use nodarium_env::games::starduel::StarDuel;
use nodarium_env::rng::Purpose;
use nodarium_env::{Game, Mask, Rng};
use nodarium_train::ppo::Ppo;
use nodarium_train::{Config, Learner};

/// A small run with everything on: a magnet, past selves, rivals, symmetries.
fn config(game: &str, threads: usize) -> Config {
    toml::from_str(&format!(
        r#"
        game = "{game}"
        seed = 3
        iterations = 6
        network = {{ width = 16, layers = 2 }}
        run.threads = {threads}
        [ppo]
        slots = 150
        steps = 12
        minibatch = 700
        magnet = 0.1
        average_rate = 0.5
        pool_share = 0.4
        pool_size = 2
        pool_every = 2
        rivals = ["greedy", "uct:2"]
        rival_share = 0.2
        "#
    ))
    .expect("the config is right")
}

fn after<G: Playable>(config: &Config, iterations: usize) -> Ppo<G> {
    let mut learner = Ppo::<G>::new(&G::Rules::default(), config).expect("the run can start");
    for _ in 0..iterations {
        learner.iterate().expect("nothing is in the way");
    }
    learner
}

fn same<G: Game>(one: &Ppo<G>, other: &Ppo<G>) {
    assert_eq!(one.weights(), other.weights());
    assert_eq!(one.counters(), other.counters());
    assert!(one.files() == other.files(), "every file is the same to the last byte");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    same(&after::<TicTacToe>(&config("tictactoe", 1), 5), &after(&config("tictactoe", 3), 5));
    same(&after::<StarDuel>(&config("starduel", 1), 2), &after(&config("starduel", 2), 2));
}

#[test]
fn a_run_taken_up_again_equals_one_that_was_never_left() {
    fn check<G: Playable>(game: &str, insights: bool) {
        let mut config = config(game, 1);
        config.network.insights = insights;
        let half = after::<G>(&config, 3);
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("checkpoint");
        let plays = Plays::of::<G>(&G::Rules::default());
        let files = half.files();
        let further: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (*name, &bytes[..])).collect();
        let contents = Contents {
            plays: &plays,
            weights: half.weights(),
            search: None,
            counters: half.counters(),
            further: &further,
        };
        checkpoint::save(&path, &contents).expect("the checkpoint can be written");
        let mut again = after::<G>(&config, 0);
        again.restore(&checkpoint::load(&path, &plays).expect("it was just written")).expect("it fits");
        same(&half, &again);
        for _ in 0..3 {
            again.iterate().expect("nothing is in the way");
        }
        same(&after::<G>(&config, 6), &again);
    }
    check::<TicTacToe>("tictactoe", false);
    check::<Colony>("colony", false);
    check::<Colony>("colony", true);
}

#[test]
fn a_frozen_policy_may_see_less_than_the_learner_and_not_more() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let run = |insights: bool, against: Option<bool>| {
        let mut config = config("colony", 1);
        config.network.insights = insights;
        let path = |insights: bool| folder.path().join(insights.to_string());
        config.ppo.as_mut().expect("the run is one of PPO").against = against.map(path);
        let mut learner =
            Ppo::<Colony>::new(&Default::default(), &config).map_err(|problem| problem.to_string())?;
        learner.iterate().expect("nothing is in the way");
        if against.is_none() {
            let plays = Plays::of::<Colony>(&Default::default());
            let weights = learner.weights();
            let contents =
                Contents { plays: &plays, weights, search: None, counters: Default::default(), further: &[] };
            checkpoint::save(&path(insights), &contents).expect("the checkpoint can be written");
        }
        Ok::<(), String>(())
    };
    for insights in [false, true] {
        run(insights, None).expect("the run can start");
    }
    run(true, Some(false)).expect("what it reads stands before the insights");
    run(true, Some(true)).expect("both see the same");
    let refused = run(false, Some(true)).expect_err("there is nothing to show it");
    assert!(refused.starts_with("`ppo.against` reads the game's insights"), "{refused}");
}

#[test]
fn another_seed_makes_another_run() {
    let other = Config { seed: 4, ..config("tictactoe", 1) };
    assert_ne!(
        after::<TicTacToe>(&config("tictactoe", 1), 1).weights(),
        after::<TicTacToe>(&other, 1).weights()
    );
}

/// The share of games that a policy wins against random moves, half of them from each seat; a draw is half a win.
fn score_against_random(weights: &Weights) -> f64 {
    let network = Inference::new(weights);
    let (mut logits, mut values) = (vec![0.0; network.actions()], vec![0.0; network.seats()]);
    let (mut observation, mut shares) = (vec![0.0; network.observation()], vec![0.0; network.actions()]);
    let mut score = 0.0;
    let games = 400;
    for number in 0..games {
        let mut rng = Rng::keyed(Purpose::Choice, 99, number, 0);
        let mut game = TicTacToe::deal(&Default::default(), &mut rng);
        while let Some(seat) = game.to_move() {
            let mut legal = Mask::EMPTY;
            game.legal(&mut legal);
            let action = if u64::from(seat.0) == number % 2 {
                game.observe(seat, &mut observation);
                network.evaluate(&observation, &mut logits, &mut values);
                masked_softmax(&logits, &legal, &mut shares);
                legal
                    .iter()
                    .max_by(|a, b| shares[a.index()].total_cmp(&shares[b.index()]))
                    .expect("it goes on")
            } else {
                nodarium_env::random_member(&legal, &mut rng).expect("it goes on")
            };
            game.apply(action);
        }
        let mut returns = [0.0; 2];
        game.returns(&mut returns);
        score += f64::from(returns[(number % 2) as usize] + 1.0) / 2.0;
    }
    score / games as f64
}

#[test]
fn a_short_run_learns_to_beat_random_moves() {
    let mut config = config("tictactoe", 1);
    config.iterations = 30;
    config.network.width = 32;
    let ppo = config.ppo.as_mut().expect("the run is one of PPO");
    (ppo.slots, ppo.steps, ppo.minibatch, ppo.rate) = (256, 16, 512, 3e-3);
    (ppo.entropy, ppo.magnet, ppo.pool_share) = (0.05, 0.0, 0.0);
    let before = score_against_random(after::<TicTacToe>(&config, 0).weights());
    let learned = score_against_random(after::<TicTacToe>(&config, 30).weights());
    assert!(learned > 0.7 && learned > before + 0.2, "{before} before, {learned} after");
}

#[test]
fn a_run_tells_what_it_does_in_finite_numbers() {
    let mut learner = after::<Kuhn>(&config("kuhn", 1), 0);
    let memory = learner.memory();
    let report = learner.iterate().expect("nothing is in the way");
    assert!(report.scalars.iter().all(|(_, number)| number.is_finite()), "{report:?}");
    assert!(report.scalar("policy/entropy").unwrap() > 0.5, "a fresh policy is nearly uniform");
    assert_eq!(report.ends.iter().sum::<u64>() as f64, report.scalar("games/finished").unwrap());
    assert!(memory > 150 * 12 * 4 * 6, "{memory}");
}
