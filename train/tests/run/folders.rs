//! What a run writes, and which folders it takes.

use std::fs;

use nodarium_agent::checkpoint::{describe, newest, step_folder};
use nodarium_train::Config;
use nodarium_train::run::Entry;

use crate::fake::{Fake, config};
use crate::{files, metrics, train};

#[test]
fn a_run_leaves_config_record_metrics_events_and_checkpoints() {
    let folder = tempfile::tempdir().unwrap();
    let (config, run) = (config(&[]), folder.path().join("a/b"));
    let (outcome, watcher) = train(&config, &mut Fake::new(&config), &run, Entry::Fresh, None);
    let summary = outcome.unwrap();
    assert_eq!((summary.iteration, summary.stopped, &summary.unsaved), (8, false, &None));
    assert_eq!(watcher.begun, Some((0, 123_456)));
    assert_eq!(watcher.iterations, (1..=8).collect::<Vec<_>>());
    assert_eq!(watcher.notices, Vec::<String>::new());
    assert_eq!(Config::read(&run.join("config.toml"), &[]).unwrap(), config);
    let record: serde_json::Value = serde_json::from_slice(&fs::read(run.join("run.json")).unwrap()).unwrap();
    assert_eq!((&record["seed"], &record["command"]), (&3.into(), &"test".into()));
    assert_eq!(record["version"], env!("CARGO_PKG_VERSION"));
    let lines = metrics(&run);
    assert_eq!(lines.len(), 8);
    assert_eq!(lines[2]["iteration"], 3);
    assert_eq!(lines[2]["progress/plies"], 300.0);
    assert_eq!(lines[2]["ends/line"], 0.75);
    let opponents = ["random", "greedy", "earlier_self"];
    let played = |line: &serde_json::Map<_, _>| {
        opponents.iter().all(|name| line.contains_key(&format!("strength/{name}/score_margin")))
    };
    assert_eq!(lines.iter().map(played).collect::<Vec<_>>(), [0, 0, 0, 1, 0, 0, 0, 1].map(|due| due == 1));
    assert_eq!(summary.bouts.len(), 3);
    assert!(files(&run).keys().any(|name| name.starts_with("tensorboard/events.out.tfevents.")));
}

#[test]
fn old_checkpoints_are_slimmed_and_stay_whole() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(&[]);
    train(&config, &mut Fake::new(&config), folder.path(), Entry::Fresh, None).0.unwrap();
    let kept = |iteration| {
        let path = step_folder(folder.path(), iteration);
        assert!(describe(&path).unwrap().is_whole(), "{iteration}");
        fs::read_dir(path).unwrap().count() > 2
    };
    assert_eq!([0, 3, 6, 8].map(kept), [false, false, true, true]);
    assert_eq!(fs::read_dir(folder.path().join("checkpoints")).unwrap().count(), 4);
    let all = tempfile::tempdir().unwrap();
    let config = crate::fake::config(&["run.keep=0"]);
    train(&config, &mut Fake::new(&config), all.path(), Entry::Fresh, None).0.unwrap();
    assert!(fs::read_dir(step_folder(all.path(), 0)).unwrap().count() > 2);
}

#[test]
fn a_crash_while_slimming_is_set_right() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(&[]);
    train(&config, &mut Fake::new(&config), folder.path(), Entry::Fresh, Some(6)).0.unwrap();
    let place = |name: &str| folder.path().join("checkpoints").join(name);
    // The full one had given up its name and the slim one had not taken it yet.
    fs::rename(place("00000003"), place("00000003.full")).unwrap();
    fs::create_dir(place("00000003.slim")).unwrap();
    // The slim one had its name and the full one was not gone yet.
    fs::create_dir(place("00000000.full")).unwrap();
    train(&config, &mut Fake::new(&config), folder.path(), Entry::Resume, None).0.unwrap();
    let mut names: Vec<_> =
        fs::read_dir(place("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["00000000", "00000003", "00000006", "00000008"]);
}

#[test]
fn a_folder_that_holds_something_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(&[]);
    let attempt = |entry| {
        let (outcome, _) = train(&config, &mut Fake::new(&config), folder.path(), entry, None);
        outcome.map(|summary| summary.iteration).map_err(|error| error.to_string())
    };
    assert!(attempt(Entry::Resume).unwrap_err().contains("holds no run to resume"));
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    for entry in [Entry::Fresh, Entry::Overwrite] {
        let words = attempt(entry).unwrap_err();
        assert!(words.contains("holds something that is not a run"), "{words}");
    }
    assert_eq!(files(folder.path()).len(), 1, "nothing was made");
    fs::remove_file(folder.path().join("notes.txt")).unwrap();
    assert_eq!(attempt(Entry::Fresh), Ok(8));
    let before = files(folder.path());
    let words = attempt(Entry::Fresh).unwrap_err();
    assert!(words.contains("expected --resume to go on with it, --overwrite to begin anew"), "{words}");
    assert_eq!(files(folder.path()), before);
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    assert_eq!(attempt(Entry::Overwrite), Ok(8));
    assert_eq!(fs::read_to_string(folder.path().join("notes.txt")).unwrap(), "mine");
    assert_eq!(metrics(folder.path()).len(), 8);
}

#[test]
fn two_processes_cannot_train_in_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(&[]);
    train(&config, &mut Fake::new(&config), folder.path(), Entry::Fresh, Some(2)).0.unwrap();
    let _held = nodarium_train::run::Folder::open(folder.path()).unwrap();
    let (outcome, _) = train(&config, &mut Fake::new(&config), folder.path(), Entry::Resume, None);
    assert!(outcome.unwrap_err().to_string().contains("another process trains there"));
}

#[test]
fn an_opponent_that_cannot_be_had_is_refused_before_anything_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(&[r#"strength.opponents=["policy:/no/such"]"#]);
    let run = folder.path().join("run");
    let (outcome, _) = train(&config, &mut Fake::new(&config), &run, Entry::Fresh, None);
    assert!(outcome.unwrap_err().to_string().contains("agent `policy:/no/such`"));
    assert!(!run.exists());
    assert!(newest(&run, &plays(&config)).is_err());
}

fn plays(config: &Config) -> nodarium_agent::checkpoint::Plays {
    nodarium_agent::checkpoint::Plays::of::<nodarium_env::calibration::tictactoe::TicTacToe>(
        &config.rules_of::<nodarium_env::calibration::tictactoe::TicTacToe>().unwrap(),
    )
}
