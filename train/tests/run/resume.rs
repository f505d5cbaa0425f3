//! A run that was stopped ends as one that was not, byte by byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use nodarium_train::run::Entry;
use nodarium_train::{Config, Learner};

use crate::fake::{Fake, config};
use crate::{files, metrics, train};

/// The newest checkpoint, every file of it.
fn newest(run: &Path) -> BTreeMap<String, Vec<u8>> {
    let names = fs::read_dir(run.join("checkpoints")).unwrap().map(|entry| entry.unwrap().path());
    files(&names.max().expect("there is a checkpoint"))
}

/// A run in one go and one in three, with a crash in the middle that leaves lines behind, on other numbers of threads.
fn goes_on_bit_for_bit(make: &dyn Fn(&Config) -> Box<dyn Learner>, config: &dyn Fn(usize) -> Config) {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    let one = config(1);
    train(&one, &mut *make(&one), &whole, Entry::Fresh, None).0.unwrap();
    for threads in [1, 2] {
        let parts = folder.path().join(format!("parts{threads}"));
        let config = config(threads);
        let go = |entry, until| {
            let (outcome, watcher) = train(&config, &mut *make(&config), &parts, entry, until);
            (outcome.unwrap(), watcher)
        };
        let half = config.iterations / 2;
        let (summary, _) = go(Entry::Fresh, Some(half));
        assert!(summary.stopped);
        assert_eq!(summary.iteration, half);
        // Killed after some more iterations that no checkpoint holds.
        let (_, watcher) = go(Entry::Resume, Some(half + 1));
        assert_eq!(watcher.iterations, [half + 1]);
        fs::remove_dir_all(parts.join(format!("checkpoints/{:08}", half + 1))).unwrap();
        let (summary, watcher) = go(Entry::Resume, None);
        assert_eq!(watcher.iterations, (half + 1..=config.iterations).collect::<Vec<_>>());
        assert!(!summary.stopped);
        assert!(newest(&parts) == newest(&whole), "weights or the learner's files differ");
        assert_eq!(metrics(&parts), metrics(&whole));
    }
}

#[test]
fn a_fake_run_goes_on_bit_for_bit() {
    let make = |config: &Config| Box::new(Fake::new(config)) as Box<dyn Learner>;
    goes_on_bit_for_bit(&make, &|threads| config(&[&format!("run.threads={threads}")]));
}

#[test]
fn a_run_of_ppo_goes_on_bit_for_bit() {
    let text = r#"
        game = "leduc"
        seed = 11
        iterations = 4
        network = { width = 16, layers = 2, value_scale = 13.0 }
        run = { checkpoint_every = 2 }
        strength = { every = 2, pairs = 10 }
        ppo = { slots = 130, steps = 4, epochs = 1, minibatch = 600, magnet = 0.1, pool_size = 2, pool_every = 1, pool_share = 0.5 }
    "#;
    real_goes_on_bit_for_bit(text);
}

#[test]
fn a_run_of_search_goes_on_bit_for_bit() {
    let text = r#"
        game = "tictactoe"
        seed = 12
        iterations = 4
        network = { width = 16, layers = 2 }
        run = { checkpoint_every = 2 }
        strength = { every = 2, pairs = 10 }
        [gumbel]
        slots = 40
        steps = 4
        simulations = 4
        simulations_end = 8
        cheap_simulations = 2
        window = 300
        minibatch = 64
        reuse = 2.0
        reanalyse = 0.25
    "#;
    real_goes_on_bit_for_bit(text);
}

fn real_goes_on_bit_for_bit(text: &str) {
    let make = |config: &Config| nodarium_train::learner(config).unwrap();
    let config =
        |threads| Config::parse(Path::new("real.toml"), text, &[format!("run.threads={threads}")]).unwrap();
    goes_on_bit_for_bit(&make, &config);
}

#[test]
fn a_run_that_was_killed_before_its_first_checkpoint_begins_anew() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(&[]);
    train(&config, &mut Fake::new(&config), folder.path(), Entry::Fresh, Some(1)).0.unwrap();
    fs::remove_dir_all(folder.path().join("checkpoints")).unwrap();
    let (outcome, watcher) = train(&config, &mut Fake::new(&config), folder.path(), Entry::Resume, None);
    assert_eq!(outcome.unwrap().iteration, 8);
    assert_eq!(watcher.notices, ["no checkpoint yet: begins at the first iteration"]);
    assert_eq!(metrics(folder.path()).len(), 8);
}

#[test]
fn a_damaged_checkpoint_is_passed_over_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(&[]);
    train(&config, &mut Fake::new(&config), folder.path(), Entry::Fresh, Some(6)).0.unwrap();
    fs::write(folder.path().join("checkpoints/00000006/replay.bin"), "cut").unwrap();
    let (outcome, watcher) = train(&config, &mut Fake::new(&config), folder.path(), Entry::Resume, None);
    outcome.unwrap();
    assert_eq!(watcher.begun.map(|(iteration, _)| iteration), Some(3));
    assert!(watcher.notices[0].contains("goes on from an older checkpoint"), "{:?}", watcher.notices);
    assert_eq!(metrics(folder.path()).len(), 8);
}

#[test]
fn a_resume_says_what_differs_and_refuses_what_cannot_change() {
    let folder = tempfile::tempdir().unwrap();
    let begun = config(&[]);
    train(&begun, &mut Fake::new(&begun), folder.path(), Entry::Fresh, Some(2)).0.unwrap();
    let attempt = |overrides: &[&str], until| {
        let config = config(overrides);
        let (outcome, watcher) = train(&config, &mut Fake::new(&config), folder.path(), Entry::Resume, until);
        (outcome.map(drop).map_err(|error| error.to_string()), watcher)
    };
    let refused = [
        ("seed=4", "`seed` was 3, is 4"),
        ("network.width=9", "`network.width` was 8, is 9"),
        ("gumbel.window=5", "`gumbel.window` was 200000, is 5"),
        ("iterations=7", "`iterations` was 8, is 7"),
    ];
    let before = files(folder.path());
    for (change, words) in refused {
        let told = attempt(&[change], None).0.unwrap_err();
        assert!(told.contains("cannot go on with this config: ") && told.contains(words), "{told}");
    }
    assert_eq!(files(folder.path()), before);
    let changes =
        ["iterations=9", "run.keep=1", "strength.pairs=2", "gumbel.rate=0.5", "run.checkpoint_every=2"];
    let (outcome, watcher) = attempt(&changes, Some(4));
    outcome.unwrap();
    let rate = begun.gumbel.as_ref().expect("the run is one of search").rate;
    for words in ["`iterations` was 8, is 9;", &format!("`gumbel.rate` was {rate}, is 0.5;")] {
        assert!(watcher.notices[0].contains(words), "{:?}", watcher.notices);
    }
    let stored = Config::read(&folder.path().join("config.toml"), &[]).unwrap();
    assert_eq!(stored, config(&changes));
    let record = fs::read_to_string(folder.path().join("run.json")).unwrap();
    assert!(record.contains("`run.keep` was 2, is 1"), "{record}");
}

#[test]
fn another_way_of_learning_is_another_run() {
    let folder = tempfile::tempdir().unwrap();
    let begun = config(&[]);
    train(&begun, &mut Fake::new(&begun), folder.path(), Entry::Fresh, Some(2)).0.unwrap();
    let config = config(&["gumbel=null", "ppo={}"]);
    let (outcome, _) = train(&config, &mut Fake::new(&config), folder.path(), Entry::Resume, None);
    let told = outcome.unwrap_err().to_string();
    assert!(told.contains("`ppo.rate` was absent, is 0.0005"), "{told}");
}
