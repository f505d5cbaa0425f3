//! Learning against a frozen policy.

use std::fs;
use std::path::Path;

use nodarium_agent::checkpoint::{self, Contents, Plays};
use nodarium_agent::network::{Shape, Weights};
use nodarium_env::Game as _;
use nodarium_env::calibration::kuhn::Kuhn;
use nodarium_train::Config;
use nodarium_train::run::Entry;
use serde_json::Value;

use crate::train;

fn config(against: &Path) -> Config {
    toml::from_str(&format!(
        r#"
        game = "kuhn"
        seed = 1
        iterations = 80
        network = {{ width = 32, layers = 1, value_scale = 2.0 }}
        run = {{ threads = 1, checkpoint_every = 80 }}
        strength.every = 0
        [ppo]
        slots = 256
        steps = 8
        minibatch = 512
        rate = 5e-3
        lambda = 1.0
        entropy = 0.0
        against = '{}'
        "#,
        against.display()
    ))
    .expect("the config is right")
}

/// A network whose policy is as good as uniform.
fn fresh(folder: &Path) {
    let rules = Default::default();
    let weights =
        Weights::draw(Default::default(), Shape::of(&Kuhn::spec(&rules)), 7).expect("it can be built");
    let plays = Plays::of::<Kuhn>(&rules);
    let contents = Contents {
        plays: &plays,
        weights: &weights,
        search: None,
        counters: Default::default(),
        further: &[],
    };
    checkpoint::save(folder, &contents).expect("the checkpoint can be written");
}

#[test]
fn a_response_to_uniform_play_in_kuhn_wins_nearly_what_the_best_one_does() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (frozen, run) = (folder.path().join("frozen"), folder.path().join("run"));
    fresh(&frozen);
    let config = config(&frozen);
    let mut learner = nodarium_train::learner(&config).expect("the run can start");
    let (summary, _) = train(&config, &mut *learner, &run, Entry::Fresh, Some(40));
    assert!(summary.expect("half of the run").response.is_none(), "a run that was stopped is not measured");
    let mut learner = nodarium_train::learner(&config).expect("the run can start");
    let (summary, _) = train(&config, &mut *learner, &run, Entry::Resume, None);
    let (bout, file) = summary.expect("the run ends").response.expect("it is measured at its end");
    // Against uniform play a best response wins 11/24 on average over the seats.
    let best = 11.0 / 24.0;
    assert!(bout.returns.mean > 0.8 * best, "{:?}", bout.returns);
    assert!(bout.returns.mean < best + 0.08 + bout.returns.margin, "{:?}", bout.returns);
    let told: Value = serde_json::from_slice(&fs::read(file).expect("it was written")).expect("it is JSON");
    assert_eq!(told["games"], 2_000);
    assert_eq!(told["steps"], 80 * 256 * 8);
    assert_eq!(told["against"], format!("policy:{}", frozen.display()));
    assert_eq!(told["mean_return"]["value"], bout.returns.mean);
}

#[test]
fn a_policy_to_learn_against_that_is_not_there_is_named_before_anything_is_made() {
    let problem =
        nodarium_train::learner(&config(Path::new("/no/such"))).err().expect("nothing to learn against");
    let told = problem.to_string();
    assert!(told.starts_with("ppo.against: ") && told.contains("/no/such/manifest.json"), "{told}");
}
