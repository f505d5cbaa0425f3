//! TensorBoard events: every line of the metrics, and histograms.
//!
//! Values and records are those of `tensorboard-rs`. Its own writer works in a thread that panics when the disk is full,
//! so the file is held here: an event that does not fit is taken back and the run goes on.

use std::fs::{self, File};
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use protobuf::Message as _;
use tensorboard_proto::event::{Event, SessionLog, SessionLog_SessionStatus};
use tensorboard_rs::record_writer::RecordWriter;
use tensorboard_rs::summary::{histogram_raw, scalar};

use super::RunError;
use super::metrics::Line;

/// Bars of a histogram.
const BARS: usize = 64;
/// The largest event that is read back, in bytes.
const LARGEST_EVENT: u64 = 1 << 26;

/// The events of one process. Each writes a file of its own, as TensorBoard expects.
pub struct TensorBoard {
    path: PathBuf,
    file: File,
    length: u64,
}

impl TensorBoard {
    /// Cuts off what stopped runs told after an iteration, and begins a new file.
    pub fn open(folder: &Path, iteration: u64) -> Result<Self, RunError> {
        fs::create_dir_all(folder).map_err(RunError::write(folder))?;
        for entry in fs::read_dir(folder).map_err(RunError::read(folder))? {
            let path = entry.map_err(RunError::read(folder))?.path();
            if path.file_name().is_some_and(|name| name.to_string_lossy().contains("tfevents")) {
                cut(&path, iteration).map_err(RunError::write(&path))?;
            }
        }
        let (path, file) = new_file(folder).map_err(RunError::write(folder))?;
        let mut board = Self { path, file, length: 0 };
        let mut version = Event::new();
        version.set_file_version("brain.Event:2".to_owned());
        board.write(version, 0)?;
        // A TensorBoard that watches has seen what was cut off; this tells it to forget.
        let mut log = SessionLog::new();
        log.set_status(SessionLog_SessionStatus::START);
        let mut start = Event::new();
        start.set_session_log(log);
        board.write(start, iteration + 1)?;
        Ok(board)
    }

    /// Adds the numbers of a line, and the histograms.
    pub fn add(&mut self, line: &Line, histograms: &[(String, Vec<f32>)]) -> Result<(), RunError> {
        let finite = line.numbers.iter().filter(|(_, number)| number.is_finite());
        let scalars = finite.map(|(name, number)| scalar(name, *number as f32));
        let bars = histograms.iter().filter_map(|(name, numbers)| histogram(name, numbers));
        let values = scalars.chain(bars).flat_map(|mut summary| summary.take_value().into_vec());
        let mut event = Event::new();
        event.mut_summary().set_value(values.collect());
        self.write(event, line.iteration)
    }

    fn write(&mut self, mut event: Event, step: u64) -> Result<(), RunError> {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        event.set_wall_time(since.map_or(0.0, |since| since.as_secs_f64()));
        event.set_step(step as i64);
        let mut record = Vec::new();
        let bytes = event.write_to_bytes().expect("an event has no required fields to miss");
        RecordWriter::new(&mut record).write(&bytes).expect("memory takes every byte");
        match io::Write::write_all(&mut self.file, &record) {
            Ok(()) => {
                self.length += record.len() as u64;
                Ok(())
            }
            Err(problem) => {
                let _ = self.file.set_len(self.length);
                let _ = self.file.seek(SeekFrom::Start(self.length));
                Err(RunError::write(&self.path)(problem))
            }
        }
    }
}

/// A file that no other process of the run has written.
fn new_file(folder: &Path) -> io::Result<(PathBuf, File)> {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let seconds = since.map_or(0, |since| since.as_secs());
    let mut number = 0;
    loop {
        // TensorBoard reads the files of a folder in the order of their names.
        let path = folder.join(format!("events.out.tfevents.{seconds:010}.nodarium.{number:04}"));
        match File::create_new(&path) {
            Err(problem) if problem.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(problem) => return Err(problem),
            Ok(file) => return Ok((path, file)),
        }
    }
}

/// Cuts a file before the first event after an iteration, or before the first that is not whole.
fn cut(path: &Path, iteration: u64) -> io::Result<()> {
    let file = File::options().read(true).write(true).open(path)?;
    let mut reader = BufReader::new(&file);
    let mut length = 0;
    while let Some((event, size)) = read_event(&mut reader) {
        // The start of a session bears the step after the one that it went on from.
        let last = iteration + u64::from(event.has_session_log());
        if event.get_step() as u64 > last {
            break;
        }
        length += size;
    }
    file.set_len(length)
}

fn read_event(reader: &mut impl io::Read) -> Option<(Event, u64)> {
    let mut head = [0; 12];
    reader.read_exact(&mut head).ok()?;
    let size = u64::from_le_bytes(head[..8].try_into().expect("eight bytes"));
    if size > LARGEST_EVENT {
        return None;
    }
    let mut bytes = Vec::new();
    reader.take(size).read_to_end(&mut bytes).ok().filter(|&read| read as u64 == size)?;
    reader.read_exact(&mut head[..4]).ok()?;
    Some((Event::parse_from_bytes(&bytes).ok()?, size + 16))
}

/// Bars of equal width from the smallest to the largest number; nothing when there are no finite numbers.
fn histogram(name: &str, numbers: &[f32]) -> Option<tensorboard_proto::summary::Summary> {
    let finite: Vec<f64> = numbers.iter().filter(|n| n.is_finite()).map(|&n| f64::from(n)).collect();
    let least = finite.iter().copied().reduce(f64::min)?;
    let most = finite.iter().copied().reduce(f64::max)?;
    let width = (most - least) / BARS as f64;
    let mut counts = vec![0.0; if width > 0.0 { BARS } else { 1 }];
    for number in &finite {
        let bar = if width > 0.0 { ((number - least) / width) as usize } else { 0 };
        counts[bar.min(BARS - 1)] += 1.0;
    }
    let limits: Vec<f64> = match counts.len() {
        1 => vec![most],
        _ => (1..=BARS).map(|bar| if bar == BARS { most } else { least + width * bar as f64 }).collect(),
    };
    let (sum, squares) = (finite.iter().sum(), finite.iter().map(|n| n * n).sum());
    Some(histogram_raw(name, least, most, finite.len() as f64, sum, squares, &limits, &counts))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(folder: &Path) -> Vec<Event> {
        let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let read = |path: PathBuf| {
            let mut reader = BufReader::new(File::open(path).unwrap());
            std::iter::from_fn(move || read_event(&mut reader).map(|(event, _)| event)).collect::<Vec<_>>()
        };
        paths.into_iter().flat_map(read).collect()
    }

    fn line(iteration: u64) -> Line {
        Line {
            iteration,
            numbers: vec![("loss".to_owned(), iteration as f64), ("odd".to_owned(), f64::INFINITY)],
        }
    }

    #[test]
    fn a_resumed_run_tells_every_step_once_and_half_an_event_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let mut board = TensorBoard::open(folder.path(), 0).unwrap();
        (1..=5).for_each(|iteration| board.add(&line(iteration), &[]).unwrap());
        board.file.set_len(board.length - 3).unwrap();
        drop(board);
        let mut board = TensorBoard::open(folder.path(), 3).unwrap();
        (4..=6).for_each(|iteration| board.add(&line(iteration), &[]).unwrap());
        let told = events(folder.path());
        let steps: Vec<i64> =
            told.iter().filter(|event| event.has_summary()).map(|event| event.get_step()).collect();
        assert_eq!(steps, [1, 2, 3, 4, 5, 6]);
        let values = told.iter().flat_map(|event| event.get_summary().get_value());
        let values: Vec<(&str, f32)> =
            values.map(|value| (value.get_tag(), value.get_simple_value())).collect();
        assert_eq!(values[..2], [("loss", 1.0), ("loss", 2.0)], "what is not finite is left out");
    }

    #[test]
    fn the_bars_of_a_histogram_hold_every_number() {
        let numbers: Vec<f32> = (0..1_000).map(|n| n as f32 / 100.0).chain([f32::NAN]).collect();
        let summary = histogram("values", &numbers).unwrap();
        let bars = summary.get_value()[0].get_histo();
        assert_eq!((bars.get_num(), bars.get_min()), (1_000.0, 0.0));
        assert_eq!(bars.get_bucket().iter().sum::<f64>(), 1_000.0);
        assert_eq!(bars.get_bucket_limit().len(), bars.get_bucket().len());
        assert!(bars.get_bucket().iter().all(|&count| (15.0..=17.0).contains(&count)));
        assert_eq!(histogram("same", &[2.0; 7]).unwrap().get_value()[0].get_histo().get_bucket(), [7.0]);
        assert!(histogram("none", &[]).is_none());
    }
}
