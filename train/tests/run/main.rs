//! Runs from their folder to their summary, with a learner that learns nothing and with real ones.

mod fake;
mod folders;
mod guards;
mod response;
mod resume;
mod settings;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use nodarium_train::run::{Entry, Notice, Observer, Plan, RunError, Summary, run};
use nodarium_train::{Config, Learner};

/// Remembers what it was told.
#[derive(Default)]
pub(crate) struct Watcher {
    pub(crate) notices: Vec<String>,
    pub(crate) iterations: Vec<u64>,
    pub(crate) begun: Option<(u64, u64)>,
}

impl Observer for Watcher {
    fn begins(&mut self, start: &nodarium_train::run::Start<'_>) {
        self.begun = Some((start.iteration, start.memory));
    }

    fn iterated(&mut self, iteration: &nodarium_train::run::Iteration<'_>) {
        self.iterations.push(iteration.line.iteration);
    }

    fn noted(&mut self, notice: &Notice) {
        self.notices.push(notice.to_string());
    }
}

pub(crate) fn train(
    config: &Config,
    learner: &mut dyn Learner,
    folder: &Path,
    entry: Entry,
    until: Option<u64>,
) -> (Result<Summary, RunError>, Watcher) {
    let mut watcher = Watcher::default();
    let plan = Plan { config, folder, entry, until, command: "test" };
    let outcome = run(&plan, learner, &mut watcher, &AtomicBool::new(false));
    (outcome, watcher)
}

/// Every file below a folder, by its path.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn below(folder: &Path, root: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                below(&path, root, found);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    below(folder, folder, &mut found);
    found
}

/// The metrics without what belongs to this machine.
pub(crate) fn metrics(folder: &Path) -> Vec<serde_json::Map<String, serde_json::Value>> {
    let text = fs::read_to_string(folder.join("metrics.jsonl")).unwrap();
    let object = |line| serde_json::from_str::<serde_json::Map<_, _>>(line).unwrap();
    let timeless = |mut line: serde_json::Map<String, _>| {
        line.retain(|name, _| !name.starts_with("time/"));
        line
    };
    text.lines().map(object).map(timeless).collect()
}
