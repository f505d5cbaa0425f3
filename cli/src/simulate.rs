//! `nodarium simulate`: games of random play or of an agent, written down and summed up.

use std::path::Path;
use std::time::Instant;

use nodarium_agent::{Agent, AgentName, Playable, Query, build};
use nodarium_env::tally::Place;
use nodarium_env::{Action, Tally, record, tally, with_game};
use rayon::prelude::*;

use crate::arguments::Simulate;
use crate::output::{Records, progress, say};

/// Games that are played between two looks at the progress bar.
const STRIDE: u64 = 4_096;
/// Games that one task plays.
const TASK: u64 = 64;
/// Records held in memory at once.
const WRITTEN_STRIDE: u64 = 128;

pub fn run(arguments: &Simulate) -> anyhow::Result<()> {
    with_game!(arguments.game.as_str(), G => simulate::<G>(arguments))?
}

fn simulate<G: Playable>(arguments: &Simulate) -> anyhow::Result<()> {
    let rules: G::Rules = arguments.options.rules()?;
    // An agent that cannot be had is named before anything is written.
    build::<G>(&arguments.agent, &rules, arguments.seed)?;
    let start = Instant::now();
    let mut records = Records::open(arguments.out.as_deref())?;
    let tally = match records {
        Records::Nowhere => play::<G>(&rules, arguments),
        _ => write::<G>(&rules, arguments, &mut records)?,
    };
    let piped = matches!(records, Records::Standard(_));
    records.finish()?;
    if arguments.quiet.quiet {
        return Ok(());
    }
    let seconds = start.elapsed().as_secs_f64();
    let mut words = format!(
        "{} with {} play, seed {}, in {seconds:.2} s ({:.2} million plies a second)\n{tally}",
        arguments.game,
        arguments.agent,
        arguments.seed,
        tally.plies() as f64 / seconds / 1e6,
    );
    match arguments.out.as_deref() {
        Some(path) if path != Path::new("-") => {
            let path = path.display();
            words += &format!("\n  records          {path} (check them: nodarium replay {path})");
        }
        _ => {}
    }
    if piped {
        eprintln!("{words}");
        return Ok(());
    }
    say(&words)
}

/// Plays without writing anything down.
fn play<G: Playable>(rules: &G::Rules, arguments: &Simulate) -> Tally {
    let spec = G::spec(rules);
    let bar = progress(arguments.games, arguments.quiet.quiet);
    let mut total = Tally::new(&spec);
    for first in (0..arguments.games).step_by(STRIDE as usize) {
        let last = arguments.games.min(first + STRIDE);
        let played = (0..(last - first).div_ceil(TASK))
            .into_par_iter()
            .map(|task| {
                let from = first + task * TASK;
                let indices = from..last.min(from + TASK);
                match arguments.agent {
                    AgentName::Random => tally::random_games::<G>(rules, &spec, arguments.seed, indices),
                    _ => {
                        let mut player = Player::<G>::new(rules, arguments);
                        tally::games::<G>(rules, &spec, arguments.seed, indices, |place, game, _| {
                            player.choose(place, game)
                        })
                    }
                }
            })
            .reduce(|| Tally::new(&spec), |a, b| a.plus(&b));
        total = total.plus(&played);
        bar.set_position(last);
    }
    bar.finish_and_clear();
    total
}

/// Plays and writes one record a line, in the order of the games.
fn write<G: Playable>(
    rules: &G::Rules,
    arguments: &Simulate,
    records: &mut Records,
) -> anyhow::Result<Tally> {
    let spec = G::spec(rules);
    let bar = progress(arguments.games, arguments.quiet.quiet);
    let mut total = Tally::new(&spec);
    for first in (0..arguments.games).step_by(WRITTEN_STRIDE as usize) {
        let last = arguments.games.min(first + WRITTEN_STRIDE);
        let told: Vec<(String, Tally)> = (first..last)
            .into_par_iter()
            .map(|index| {
                let told = match arguments.agent {
                    AgentName::Random => record::simulate::<G>(rules, arguments.seed, index),
                    _ => {
                        let mut player = Player::<G>::new(rules, arguments);
                        record::record(rules, arguments.seed, index, |place, game| player.choose(place, game))
                    }
                };
                let mut tally = Tally::new(&spec);
                told.count_in(&mut tally);
                (serde_json::to_string(&told).expect("a record can be written as JSON"), tally)
            })
            .collect();
        for (line, tally) in &told {
            records.write_line(line)?;
            total = total.plus(tally);
        }
        bar.set_position(last);
    }
    bar.finish_and_clear();
    Ok(total)
}

/// The agent at every seat. Its answers are a function of its seed, the game's index and the ply, so that a fresh one
/// for every task plays the same games.
struct Player<G> {
    agent: Box<dyn Agent<G>>,
    answers: Vec<Action>,
}

impl<G: Playable> Player<G> {
    fn new(rules: &G::Rules, arguments: &Simulate) -> Self {
        let agent = build::<G>(&arguments.agent, rules, arguments.seed).expect("it was built before");
        Self { agent, answers: Vec::new() }
    }

    fn choose(&mut self, Place { index, ply }: Place, game: &G) -> Action {
        self.agent.act(&[Query { game, key: index, ply }], &mut self.answers);
        self.answers[0]
    }
}
