//! What a run lives through, and what it stops for.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use nodarium_train::run::{Entry, Iteration, Notice, Observer, Plan, run};

use crate::fake::{Fake, config};
use crate::{metrics, train};

#[test]
fn a_loss_that_is_not_finite_stops_the_run_and_leaves_the_batch() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(&[]);
    let mut learner = Fake::new(&config);
    learner.trouble = Some(5);
    let (outcome, _) = train(&config, &mut learner, folder.path(), Entry::Fresh, None);
    let told = outcome.unwrap_err().to_string();
    let batch = folder.path().join("trouble-00000004.safetensors");
    assert!(told.contains("10 updates in a row were not finite"), "{told}");
    assert!(told.contains(batch.to_str().unwrap()), "{told}");
    assert_eq!(fs::read(&batch).unwrap(), b"batch");
    let (outcome, watcher) = train(&config, &mut Fake::new(&config), folder.path(), Entry::Resume, None);
    assert_eq!(outcome.unwrap().iteration, 8);
    assert_eq!(watcher.begun.map(|(iteration, _)| iteration), Some(3));
}

/// Raises the flag after an iteration.
struct StopsAt<'a>(u64, &'a AtomicBool);

impl Observer for StopsAt<'_> {
    fn iterated(&mut self, iteration: &Iteration<'_>) {
        if iteration.line.iteration == self.0 {
            self.1.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn a_stop_finishes_the_iteration_and_saves_it() {
    let folder = tempfile::tempdir().unwrap();
    let (config, stop) = (config(&[]), AtomicBool::new(false));
    let plan =
        Plan { config: &config, folder: folder.path(), entry: Entry::Fresh, until: None, command: "test" };
    let summary = run(&plan, &mut Fake::new(&config), &mut StopsAt(4, &stop), &stop).unwrap();
    assert_eq!((summary.iteration, summary.stopped, summary.checkpoint.0), (5, true, 5));
    assert!(summary.checkpoint.1.ends_with("checkpoints/00000005") && summary.checkpoint.1.is_dir());
    assert_eq!(metrics(folder.path()).len(), 5);
}

/// Takes the place of the checkpoints away for some iterations, as a full disk would.
struct Blocks {
    folder: PathBuf,
    during: std::ops::Range<u64>,
    notices: Vec<String>,
}

impl Blocks {
    /// No checkpoint can be made where a file is.
    fn block(&self, iteration: u64) {
        let (place, aside) = (self.folder.join("checkpoints"), self.folder.join("aside"));
        if iteration == self.during.start {
            fs::rename(&place, &aside).unwrap();
            fs::write(&place, "no folder").unwrap();
        } else if iteration == self.during.end {
            fs::remove_file(&place).unwrap();
            fs::rename(&aside, &place).unwrap();
        }
    }
}

impl Observer for Blocks {
    fn iterated(&mut self, iteration: &Iteration<'_>) {
        self.block(iteration.line.iteration);
    }

    fn noted(&mut self, notice: &Notice) {
        self.notices.push(notice.to_string());
    }
}

fn blocked(folder: &Path, during: std::ops::Range<u64>) -> (nodarium_train::run::Summary, Vec<String>) {
    let config = config(&["strength.every=0"]);
    let plan = Plan { config: &config, folder, entry: Entry::Fresh, until: None, command: "test" };
    let mut blocks = Blocks { folder: folder.to_owned(), during, notices: Vec::new() };
    let summary = run(&plan, &mut Fake::new(&config), &mut blocks, &AtomicBool::new(false)).unwrap();
    (summary, blocks.notices)
}

#[test]
fn a_checkpoint_that_cannot_be_written_is_told_once_and_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    // Iteration 6 wants to save and cannot; 7 neither; 8 can again.
    let (summary, notices) = blocked(folder.path(), 5..7);
    assert_eq!((summary.iteration, summary.checkpoint.0, summary.unsaved), (8, 8, None));
    assert_eq!(notices.len(), 2, "{notices:?}");
    assert!(notices[0].contains("what was saved before stays"), "{notices:?}");
    assert!(notices[1].contains("saving works again"), "{notices:?}");
    assert_eq!(metrics(folder.path()).len(), 8);
}

#[test]
fn a_run_that_could_not_save_its_end_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let (summary, notices) = blocked(folder.path(), 5..100);
    assert_eq!((summary.iteration, summary.checkpoint.0), (8, 3));
    assert!(summary.unsaved.is_some());
    assert_eq!(notices.len(), 1, "{notices:?}");
}
