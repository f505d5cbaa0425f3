//! A learner that learns nothing: its weights move by keyed random numbers, and it counts.

use std::collections::BTreeMap;
use std::path::Path;

use nodarium_agent::checkpoint::Checkpoint;
use nodarium_agent::network::{Shape, Weights};
use nodarium_env::rng::Purpose;
use nodarium_env::{Game, Rng, with_game};
use nodarium_train::learner::RestoreError;
use nodarium_train::{Config, Learner, Report, Trouble};

pub(crate) struct Fake {
    weights: Weights,
    seed: u64,
    count: u64,
    /// The iteration that goes wrong.
    pub(crate) trouble: Option<u64>,
}

impl Fake {
    pub(crate) fn new(config: &Config) -> Self {
        let shape =
            with_game!(config.game.as_str(), G => Shape::of(&G::spec(&config.rules_of::<G>().unwrap())));
        let weights = Weights::draw(config.network, shape.unwrap(), config.seed).unwrap();
        Self { weights, seed: config.seed, count: 0, trouble: None }
    }
}

impl Learner for Fake {
    fn iterate(&mut self) -> Result<Report, Trouble> {
        if self.trouble == Some(self.count + 1) {
            let what = "the gradient is not finite".to_owned();
            return Err(Trouble::NotFinite {
                count: 10,
                iteration: self.count,
                what,
                batch: b"batch".into(),
            });
        }
        let mut rng = Rng::keyed(Purpose::Choice, self.seed, self.count, 0);
        for (.., numbers) in self.weights.tensors_mut() {
            numbers.iter_mut().for_each(|number| *number += 0.1 * (rng.unit() - 0.5));
        }
        self.count += 1;
        let mean = f64::from(rng.unit());
        Ok(Report {
            scalars: vec![("loss/policy", mean), ("time/play", 0.5)],
            histograms: vec![("advantage", vec![0.0, 1.0, 1.0])],
            ends: vec![self.count, 1],
        })
    }

    fn weights(&self) -> &Weights {
        &self.weights
    }

    fn counters(&self) -> BTreeMap<String, u64> {
        [("iterations", self.count), ("plies", self.count * 100), ("games", self.count * 7)]
            .map(|(name, count)| (name.to_owned(), count))
            .into()
    }

    fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        vec![("learner.json", self.count.to_string().into_bytes()), ("replay.bin", vec![7; 10_000])]
    }

    fn restore(&mut self, checkpoint: &Checkpoint) -> Result<(), RestoreError> {
        let text = String::from_utf8(checkpoint.read("learner.json")?).expect("it was written as text");
        self.count =
            text.parse().map_err(|_| RestoreError::Content { file: "learner.json", problem: text })?;
        self.weights = checkpoint.weights.clone();
        Ok(())
    }

    fn memory(&self) -> u64 {
        123_456
    }
}

const CONFIG: &str = r#"
game = "tictactoe"
seed = 3
iterations = 8

[network]
width = 8

[run]
threads = 1
checkpoint_every = 3
keep = 2

[strength]
every = 4
pairs = 5
opponents = ["random", "greedy"]

[gumbel]
"#;

pub(crate) fn config(overrides: &[&str]) -> Config {
    let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
    Config::parse(Path::new("fake.toml"), CONFIG, &overrides).unwrap()
}
