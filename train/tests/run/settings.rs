//! The checkpoints of a run say how they want to be searched with.

use std::path::Path;

use nodarium_agent::checkpoint::{describe, set_search, step_folder};
use nodarium_agent::search::Settings;
use nodarium_train::run::Entry;
use nodarium_train::{Config, learner};

use crate::train;

fn config(way: &str) -> Config {
    let text = format!(
        "game = 'tictactoe'\niterations = 3\nnetwork = {{ width = 8, layers = 1 }}\n\
         run = {{ checkpoint_every = 1, keep = 1, threads = 1 }}\nstrength = {{ every = 0 }}\n{way}"
    );
    Config::parse(Path::new("real.toml"), &text, &[]).unwrap()
}

fn go(config: &Config, folder: &Path, entry: Entry, until: Option<u64>) {
    train(config, &mut *learner(config).unwrap(), folder, entry, until).0.unwrap();
}

fn says(run: &Path, iteration: u64) -> Option<Settings> {
    let told = describe(&step_folder(run, iteration)).unwrap();
    assert!(told.is_whole());
    told.manifest.search
}

#[test]
fn a_run_of_search_says_its_own_settings_in_full_checkpoints_and_in_slim_ones() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(
        "gumbel = { slots = 8, steps = 4, simulations = 4, minibatch = 16, window = 100, considered = 5, c_scale = 0.3 }",
    );
    go(&config, folder.path(), Entry::Fresh, None);
    let own = Settings { considered: 5, c_scale: 0.3, rescale: true };
    assert_eq!([0, 1, 2, 3].map(|iteration| says(folder.path(), iteration)), [Some(own); 4]);
}

#[test]
fn a_run_of_policy_gradients_goes_on_saying_what_it_said() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
    let ppo = "ppo = { slots = 8, steps = 4, minibatch = 16 }";
    go(&config(ppo), &first, Entry::Fresh, None);
    assert_eq!(says(&first, 3), None);
    let start = step_folder(&first, 3);
    let told = set_search(&start, &"considered=4".parse().unwrap()).unwrap();
    let config = config(&format!("begin_with = '{}'\n{ppo}", start.display()));
    go(&config, &second, Entry::Fresh, Some(1));
    // What becomes of the beginning later is nothing to the run.
    set_search(&start, &"considered=9".parse().unwrap()).unwrap();
    go(&config, &second, Entry::Resume, None);
    assert_eq!([0, 1, 2, 3].map(|iteration| says(&second, iteration)), [Some(told); 4]);
}
