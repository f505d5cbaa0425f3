//! The agents that a page can choose from, by number: what they are made of never comes from outside.

use std::path::Path;

use nodarium_agent::AgentName;
use nodarium_agent::bots::Budget;
use nodarium_agent::checkpoint::{Plays, describe};
use serde_json::{Value, json};

/// Simulations of a search with a network.
const SIMULATIONS: u32 = 64;
/// Simulations of the searching bots, from a weak one to a strong one. None takes more than seconds for an answer,
/// which is what bounds the time of every request.
const SEARCHES: [u32; 3] = [100, 1_000, 5_000];

/// An agent in the list.
#[derive(Clone, Debug)]
pub struct Listed {
    /// What people call it.
    pub label: String,
    /// How it is built.
    pub name: AgentName,
    /// What a trained one plays; `None` when it plays everything.
    pub plays: Option<Plays>,
}

/// A folder that cannot be played.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadCheckpoint(String);

/// The agents in the order in which pages show them.
#[derive(Clone, Debug)]
pub struct Roster(Vec<Listed>);

impl Default for Roster {
    fn default() -> Self {
        Self::bots()
    }
}

impl Roster {
    /// The bots.
    pub fn bots() -> Self {
        let bot = |name: AgentName| Listed { label: name.to_string(), name, plays: None };
        let searches = SEARCHES.map(|count| AgentName::Uct(Budget::Simulations(count)));
        Self([AgentName::Random, AgentName::Greedy].into_iter().chain(searches).map(bot).collect())
    }

    /// Adds what a checkpoint holds: its policy alone, and search with it.
    pub fn add_checkpoint(&mut self, folder: &Path) -> Result<(), BadCheckpoint> {
        let found = describe(folder).map_err(|error| BadCheckpoint(error.to_string()))?;
        let problem = found
            .unplayable
            .or_else(|| found.files.into_iter().find_map(|(_, problem)| Some(problem?.to_string())));
        if let Some(problem) = problem {
            return Err(BadCheckpoint(format!("{} cannot be played: {problem}", folder.display())));
        }
        let called = title(folder);
        let plays = Some(found.manifest.plays);
        let policy = AgentName::Policy(folder.to_owned());
        let search = AgentName::gumbel(folder, SIMULATIONS);
        self.0.push(Listed { label: format!("{called}, policy"), name: policy, plays: plays.clone() });
        self.0.push(Listed { label: format!("{called}, search {SIMULATIONS}"), name: search, plays });
        Ok(())
    }

    /// The agent with that number.
    pub fn get(&self, index: usize) -> Option<&Listed> {
        self.0.get(index)
    }

    /// The list as pages get it: labels, and what the trained ones are for. No paths.
    pub fn told(&self) -> Value {
        let told = self.0.iter().map(|listed| match &listed.plays {
            Some(plays) => json!({"label": listed.label, "game": plays.game, "rules": plays.rules}),
            None => json!({"label": listed.label}),
        });
        told.collect()
    }
}

/// The folder's name, and before it that of the run for folders that are called by their step.
fn title(folder: &Path) -> String {
    let names: Vec<String> = folder
        .iter()
        .map(|name| name.to_string_lossy().into_owned())
        .filter(|name| name != "checkpoints")
        .collect();
    match &names[..] {
        [.., run, step] if step.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{run} {}", step.trim_start_matches('0'))
        }
        [.., name] => name.clone(),
        [] => "checkpoint".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_is_called_by_its_run_and_step() {
        let cases = [
            ("runs/quickstart/checkpoints/00000300", "quickstart 300"),
            ("checkpoints/kato", "kato"),
            ("00000012", "00000012"),
        ];
        for (folder, expected) in cases {
            assert_eq!(title(Path::new(folder)), expected);
        }
    }

    #[test]
    fn a_folder_without_a_checkpoint_is_refused() {
        let error = Roster::bots().add_checkpoint(Path::new("/no/such/run")).unwrap_err();
        assert!(error.to_string().contains("manifest.json"), "{error}");
    }

    #[test]
    fn the_list_tells_labels_and_no_paths() {
        let told = Roster::bots().told().to_string();
        assert!(told.contains("{\"label\":\"uct:1000\"}") && !told.contains('/'), "{told}");
    }
}
