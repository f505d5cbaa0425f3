//! Gumbel AlphaZero learns Connect Four and plays `uct:5000`:
//! `cargo run --release -p nodarium-train --example connect_four [-- KEY=VALUE …]`.
//!
//! Keys are those of a config (`iterations=200`, `network.width=128`, `gumbel.reuse=2`), and of the proof itself: `every`
//! (iterations from one short match to the next, 0 for none), `short` and `pairs` (pairs of games of the short matches and of
//! the last), `opponent`, `out` (a folder for the checkpoint at the end, which `gumbel:FOLDER@64` then plays with).

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use nodarium_agent::checkpoint::{self, Contents, Plays};
use nodarium_agent::network::{Inference, NetworkConfig, Weights};
use nodarium_agent::search::{Gumbel, Options};
use nodarium_agent::{AgentName, Interval, Policy, build, duel};
use nodarium_env::calibration::connect_four::ConnectFour;
use nodarium_train::config::GumbelConfig;
use nodarium_train::gumbel::SelfPlay;
use nodarium_train::{Config, Learner as _};
use serde_json::{Map, json};

/// Simulations that the learned network plays with.
const SIMULATIONS: u32 = 64;

/// The deals and the opponents of matches; training has its own.
const SEED: u64 = 1_000_003;

fn main() -> Result<(), Box<dyn Error>> {
    let mut proof = Proof { every: 20, short: 25, pairs: 200, opponent: "uct:5000".to_owned(), out: None };
    let mut config = serde_json::to_value(config())?;
    for argument in std::env::args().skip(1) {
        let (key, value) = argument.split_once('=').ok_or("expected KEY=VALUE")?;
        match key {
            "every" => proof.every = value.parse()?,
            "short" => proof.short = value.parse()?,
            "pairs" => proof.pairs = value.parse()?,
            "out" => proof.out = Some(value.into()),
            "opponent" => value.clone_into(&mut proof.opponent),
            _ => {
                let place = config.pointer_mut(&format!("/{}", key.replace('.', "/")));
                *place.ok_or_else(|| format!("no key {key}"))? = serde_json::from_str(value)?;
            }
        }
    }
    proof.run(&serde_json::from_value(config)?)
}

fn config() -> Config {
    Config {
        game: "connect_four".to_owned(),
        rules: Map::new(),
        seed: 1,
        iterations: 200,
        network: NetworkConfig { width: 128, layers: 3, ..NetworkConfig::default() },
        run: Default::default(),
        strength: Default::default(),
        ppo: None,
        gumbel: Some(GumbelConfig::default()),
    }
}

struct Proof {
    every: u64,
    short: usize,
    pairs: usize,
    opponent: String,
    out: Option<PathBuf>,
}

impl Proof {
    fn run(&self, config: &Config) -> Result<(), Box<dyn Error>> {
        println!("{}", json!({ "network": config.network, "gumbel": config.gumbel, "seed": config.seed }));
        let mut learner = SelfPlay::<ConnectFour>::new(Default::default(), config)?;
        println!("at most {:.0} MB", learner.memory() as f64 / 1e6);
        // Only iterations count, not the matches between them.
        let mut seconds = 0.0;
        for iteration in 1..=config.iterations {
            let start = Instant::now();
            let report = learner.iterate()?;
            seconds += start.elapsed().as_secs_f64();
            if iteration.is_multiple_of(10) {
                let scalars = report.scalars.iter().map(|(name, value)| format!("{name} {value:.4}"));
                println!("{iteration}: {seconds:.0} s, {}", scalars.collect::<Vec<_>>().join(", "));
            }
            if self.every > 0 && iteration.is_multiple_of(self.every) && iteration < config.iterations {
                self.table(learner.weights(), iteration, seconds, self.short)?;
            }
        }
        self.table(learner.weights(), config.iterations, seconds, self.pairs)?;
        println!("{}", json!(learner.counters()));
        if let Some(folder) = &self.out {
            let plays = Plays::of::<ConnectFour>(&Default::default());
            let (weights, counters) = (learner.weights(), learner.counters());
            checkpoint::save(folder, &Contents { plays: &plays, weights, counters, further: &[] })?;
        }
        Ok(())
    }

    fn table(
        &self,
        weights: &Weights,
        iteration: u64,
        seconds: f64,
        pairs: usize,
    ) -> Result<(), Box<dyn Error>> {
        let start = Instant::now();
        let options = Options { simulations: SIMULATIONS, gumbel_scale: 0.0, ..Options::default() };
        let rules = Default::default();
        let mut search = Gumbel::<ConnectFour, _>::new(&rules, Inference::new(weights), options)?;
        let mut policy = Policy::new::<ConnectFour>(&rules, Inference::new(weights), 0);
        let name: AgentName = self.opponent.parse()?;
        let scores: [Interval; 2] = [
            duel::<ConnectFour>(&rules, SEED, &mut search, build(&name, &rules, SEED)?.as_mut(), pairs)?
                .score(),
            duel::<ConnectFour>(&rules, SEED, &mut policy, build(&name, &rules, SEED)?.as_mut(), pairs)?
                .score(),
        ];
        println!(
            "after {iteration} iterations, {:.1} minutes: against {} in {} games: {SIMULATIONS} simulations {:.3}, \
             policy alone {:.3} (the match took {:.0} s)",
            seconds / 60.0,
            self.opponent,
            2 * pairs,
            scores[0],
            scores[1],
            start.elapsed().as_secs_f64()
        );
        Ok(())
    }
}
