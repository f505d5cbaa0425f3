//! `metrics.jsonl`: what every iteration told, one line each.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::RunError;

/// The longest line that a run writes, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// What an iteration told: numbers by name. Those that begin with `time/` are of this machine, all others are the same in
/// every run of the same config.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The iteration, counted from 1.
    pub iteration: u64,
    /// The numbers, in the order in which they came.
    pub numbers: Vec<(String, f64)>,
}

impl Line {
    /// The number of that name.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.numbers.iter().find(|(known, _)| known == name).map(|&(_, number)| number)
    }

    /// The line as JSON; a number that is not finite is null there.
    pub fn to_json(&self) -> String {
        let mut object = Map::from_iter([("iteration".to_owned(), Value::from(self.iteration))]);
        object.extend(self.numbers.iter().map(|(name, number)| (name.clone(), Value::from(*number))));
        Value::Object(object).to_string()
    }
}

/// The file, and the lines that it could not take yet because the disk was full.
#[derive(Debug)]
pub struct Metrics {
    path: PathBuf,
    file: File,
    length: u64,
    waiting: Vec<String>,
}

impl Metrics {
    /// Opens the file and cuts off what comes after an iteration: lines that a stopped run wrote after its last
    /// checkpoint, and half a line that a crash left.
    pub fn open(path: &Path, iteration: u64) -> Result<Self, RunError> {
        let file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .map_err(RunError::write(path))?;
        let length = length_until(&file, iteration).map_err(RunError::read(path))?;
        let mut metrics = Self { path: path.to_owned(), file, length, waiting: Vec::new() };
        metrics.cut().map_err(RunError::write(path))?;
        Ok(metrics)
    }

    /// Adds a line. When the file cannot take it, it stays as it was, and the line waits for the next call.
    pub fn add(&mut self, line: &Line) -> Result<(), RunError> {
        self.waiting.push(line.to_json() + "\n");
        let text = self.waiting.concat();
        match self.file.write_all(text.as_bytes()) {
            Ok(()) => {
                self.length += text.len() as u64;
                self.waiting.clear();
                Ok(())
            }
            Err(problem) => {
                // Should this fail too, half a line stays and the next resume cuts it off.
                let _ = self.cut();
                Err(RunError::write(&self.path)(problem))
            }
        }
    }

    /// Makes sure that every line is on disk: a checkpoint must not be ahead of its metrics.
    pub fn sync(&mut self) -> Result<(), RunError> {
        if !self.waiting.is_empty() {
            let problem = io::Error::new(io::ErrorKind::StorageFull, "lines are still waiting to be written");
            return Err(RunError::write(&self.path)(problem));
        }
        self.file.sync_all().map_err(RunError::write(&self.path))
    }

    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::Start(self.length)).map(drop)
    }
}

/// The bytes of all whole lines up to and with an iteration.
fn length_until(file: &File, iteration: u64) -> io::Result<u64> {
    let mut reader = BufReader::new(file);
    let mut length = 0;
    loop {
        let mut line = Vec::new();
        let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        let told = || serde_json::from_slice::<Value>(&line).ok()?.get("iteration")?.as_u64();
        if !line.ends_with(b"\n") || told().is_none_or(|told| told > iteration) {
            return Ok(length);
        }
        length += read as u64;
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn line(iteration: u64) -> Line {
        Line { iteration, numbers: vec![("loss".to_owned(), 0.5), ("odd".to_owned(), f64::NAN)] }
    }

    #[test]
    fn lines_after_the_checkpoint_and_half_lines_are_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        let mut metrics = Metrics::open(&path, 0).unwrap();
        (1..=5).for_each(|iteration| metrics.add(&line(iteration)).unwrap());
        drop(metrics);
        fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(br#"{"iteration":6,"lo"#).unwrap();
        let mut metrics = Metrics::open(&path, 3).unwrap();
        metrics.add(&line(4)).unwrap();
        let expected: String = (1..=4).map(|iteration| line(iteration).to_json() + "\n").collect();
        assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    }

    #[test]
    fn a_number_that_is_not_finite_is_null() {
        assert_eq!(line(2).to_json(), r#"{"iteration":2,"loss":0.5,"odd":null}"#);
    }
}
