//! `nodarium replay`: recorded games checked and drawn.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;

use anyhow::{Context as _, bail};
use nodarium_env::record::{self, BadRecord, Record};
use nodarium_env::{Tally, Text, with_game};
use rayon::prelude::*;

use crate::arguments::{Replay, read_file};
use crate::output::{paint, progress, say};

/// Records held in memory at once.
const STRIDE: usize = 128;
/// The longest line that is read, in bytes: far beyond any game, and no more than memory bears.
const LONGEST_LINE: u64 = 1 << 30;
/// How many wrong records are shown.
const SHOWN: usize = 10;

pub fn run(arguments: &Replay) -> anyhow::Result<()> {
    let name = arguments.file.display().to_string();
    let mut reader: Box<dyn BufRead> = match arguments.file == Path::new("-") {
        true => Box::new(BufReader::new(io::stdin())),
        false => {
            let file = File::open(&arguments.file).with_context(|| format!("cannot read {name}"))?;
            Box::new(BufReader::with_capacity(1 << 20, file))
        }
    };
    let bar = progress(0, arguments.quiet.quiet);
    let mut outcome = Outcome::default();
    let mut line_number = 0;
    loop {
        let lines = read_lines(&mut *reader, &mut line_number, arguments.line)
            .with_context(|| format!("{name}, line {line_number}"))?;
        if lines.is_empty() {
            break;
        }
        let draw = arguments.draw;
        let checked: Vec<_> = lines.par_iter().map(|(number, line)| (*number, check(line, draw))).collect();
        for (number, result) in checked {
            bar.inc(1);
            outcome.add(&name, number, result, &bar)?;
        }
        bar.set_length(line_number);
    }
    bar.finish_and_clear();
    outcome.close(&name, arguments)
}

/// The next lines that hold something, with their numbers from 1.
fn read_lines(
    reader: &mut dyn BufRead,
    number: &mut u64,
    only: Option<u64>,
) -> anyhow::Result<Vec<(u64, String)>> {
    let mut lines = Vec::new();
    while lines.len() < STRIDE && only.is_none_or(|only| *number < only) {
        let mut bytes = Vec::new();
        *number += 1;
        let read = reader.take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
        if read == 0 {
            *number -= 1;
            break;
        }
        if read as u64 == LONGEST_LINE {
            bail!("longer than {LONGEST_LINE} bytes: expected one record");
        }
        let Ok(line) = String::from_utf8(bytes) else {
            bail!("not UTF-8 text: expected one JSON object a line")
        };
        if !line.trim().is_empty() && only.is_none_or(|only| only == *number) {
            lines.push((*number, line));
        }
    }
    Ok(lines)
}

/// A record that holds: its game, what it adds to the summary, its drawing.
struct Checked {
    game: String,
    tally: Tally,
    drawing: Option<String>,
}

fn check(line: &str, draw: bool) -> Result<Checked, String> {
    let game = record::game_of(line).map_err(|e| e.to_string())?;
    let id = game.as_str();
    let checked = with_game!(id, G => replay::<G>(line, draw)).map_err(|e| e.to_string())?;
    let (tally, drawing) = checked.map_err(|e| e.to_string())?;
    Ok(Checked { game, tally, drawing })
}

fn replay<G: Text>(line: &str, draw: bool) -> Result<(Tally, Option<String>), BadRecord> {
    let told = record::replay::<G>(line, &read_file)?;
    let mut tally = Tally::new(&G::spec(&told.rules_of::<G>(&read_file)?));
    told.count_in(&mut tally);
    let drawing = if draw { Some(picture::<G>(&told)?) } else { None };
    Ok((tally, drawing))
}

/// Every position of a game, with the moves between them.
fn picture<G: Text>(told: &Record<G::Position>) -> Result<String, BadRecord> {
    let rules = told.rules_of::<G>(&read_file)?;
    let draw = |position| G::from_position(&rules, position).map(|game| game.draw(None, paint()));
    let wrong = |e: nodarium_env::BadPosition| BadRecord::Unreadable(e.to_string());
    let mut text = format!("{} game {} of seed {}\n", told.game, told.index, told.seed);
    text += &draw(&told.start).map_err(wrong)?;
    for (number, ply) in told.plies.iter().enumerate() {
        text += &format!("\n{}. seat {}: {}\n", number + 1, ply.seat, ply.played);
        text += &draw(&ply.state).map_err(wrong)?;
    }
    text += &format!("end: {}, returns {:?}\n", told.end, told.returns);
    Ok(text)
}

/// What has come of all records so far.
#[derive(Default)]
struct Outcome {
    tallies: Vec<(String, Tally)>,
    wrong: usize,
    right: usize,
}

impl Outcome {
    fn add(
        &mut self,
        name: &str,
        number: u64,
        result: Result<Checked, String>,
        bar: &indicatif::ProgressBar,
    ) -> anyhow::Result<()> {
        match result {
            Err(problem) => {
                self.wrong += 1;
                if self.wrong <= SHOWN {
                    bar.suspend(|| eprintln!("nodarium: {name}, line {number}: {problem}"));
                }
            }
            Ok(Checked { game, tally, drawing }) => {
                self.right += 1;
                if let Some(drawing) = drawing {
                    bar.suspend(|| say(&drawing))?;
                }
                match self.tallies.iter_mut().find(|(known, _)| *known == game) {
                    Some((_, sum)) => *sum = sum.clone().plus(&tally),
                    None => self.tallies.push((game, tally)),
                }
            }
        }
        Ok(())
    }

    fn close(&self, name: &str, arguments: &Replay) -> anyhow::Result<()> {
        if self.wrong > 0 {
            bail!("{name}: {} of {} records do not hold", self.wrong, self.wrong + self.right);
        }
        if self.right == 0 {
            match arguments.line {
                Some(line) => bail!("{name}: no record in line {line}"),
                None => bail!("{name}: no record in it"),
            }
        }
        if !arguments.quiet.quiet {
            for (game, tally) in &self.tallies {
                let held = match tally.games() {
                    1 => "1 record holds".to_owned(),
                    several => format!("{several} records hold"),
                };
                say(&format!("{game}: {held}\n{tally}"))?;
            }
        }
        Ok(())
    }
}
