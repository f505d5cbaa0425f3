//! `nodarium simulate`: random games, written down and summed up.

use std::path::Path;
use std::time::Instant;

use nodarium_env::{Tally, Text, record, tally, with_game};
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

fn simulate<G: Text>(arguments: &Simulate) -> anyhow::Result<()> {
    let rules: G::Rules = arguments.options.rules()?;
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
        "{} with random play, seed {}, in {seconds:.2} s ({:.2} million plies a second)\n{tally}",
        arguments.game,
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
fn play<G: Text>(rules: &G::Rules, arguments: &Simulate) -> Tally {
    let spec = G::spec(rules);
    let bar = progress(arguments.games, arguments.quiet.quiet);
    let mut total = Tally::new(&spec);
    for first in (0..arguments.games).step_by(STRIDE as usize) {
        let last = arguments.games.min(first + STRIDE);
        let played = (0..(last - first).div_ceil(TASK))
            .into_par_iter()
            .map(|task| {
                let from = first + task * TASK;
                tally::random_games::<G>(rules, &spec, arguments.seed, from..last.min(from + TASK))
            })
            .reduce(|| Tally::new(&spec), |a, b| a.plus(&b));
        total = total.plus(&played);
        bar.set_position(last);
    }
    bar.finish_and_clear();
    total
}

/// Plays and writes one record a line, in the order of the games.
fn write<G: Text>(rules: &G::Rules, arguments: &Simulate, records: &mut Records) -> anyhow::Result<Tally> {
    let spec = G::spec(rules);
    let bar = progress(arguments.games, arguments.quiet.quiet);
    let mut total = Tally::new(&spec);
    for first in (0..arguments.games).step_by(WRITTEN_STRIDE as usize) {
        let last = arguments.games.min(first + WRITTEN_STRIDE);
        let told: Vec<(String, Tally)> = (first..last)
            .into_par_iter()
            .map(|index| {
                let told = record::simulate::<G>(rules, arguments.seed, index);
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
