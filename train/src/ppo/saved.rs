//! A run of PPO on disk.

use nodarium_agent::checkpoint::Checkpoint;
use nodarium_env::{Action, Game};
use serde::{Deserialize, Serialize};

use super::objective::Decision;
use super::{Ppo, Progress};
use crate::keep;
use crate::learner::RestoreError;

/// Moments of the optimiser, the magnet, past selves; the newest weights where the checkpoint's own are an average.
const WEIGHTS: &str = "learner.safetensors";
/// Counters and the games that go on.
const STATE: &str = "learner.json";

/// The set of the newest weights.
const NEWEST: &str = "newest";

/// What is no weight.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    progress: Progress,
    optimiser_steps: u64,
    past_selves: usize,
    /// For each slot: games finished, and the actions of the one that goes on.
    games: Vec<(u64, Vec<u16>)>,
}

impl<G: Game> Ppo<G> {
    pub(super) fn saved(&self) -> Vec<(&'static str, Vec<u8>)> {
        let games = self.shards.iter().flat_map(|shard| shard.games());
        let state = State {
            progress: self.progress,
            optimiser_steps: self.descent.adam.steps,
            past_selves: self.pool.len(),
            games: games
                .map(|(episode, played)| (episode, played.iter().map(|action| action.0).collect()))
                .collect(),
        };
        let names: Vec<String> = (0..self.pool.len()).map(past).collect();
        let sets = keep::moments(&self.descent.adam).into_iter().chain([("magnet", &self.magnet)]);
        let newest = self.average.is_some().then_some((NEWEST, &self.descent.weights));
        let sets = sets.chain(newest).chain(names.iter().map(String::as_str).zip(&self.pool));
        vec![
            (WEIGHTS, keep::to_safetensors(sets)),
            (STATE, serde_json::to_vec(&state).expect("numbers can be written as JSON")),
        ]
    }

    pub(super) fn take_up(&mut self, checkpoint: &Checkpoint) -> Result<(), RestoreError> {
        let state: State = keep::from_json(checkpoint, STATE)?;
        let wrong = |problem: String| RestoreError::Content { file: STATE, problem };
        if state.games.len() != self.config.slots {
            return Err(wrong(format!("{} games: expected {}", state.games.len(), self.config.slots)));
        }
        if state.past_selves > self.config.pool_size {
            let most = self.config.pool_size;
            return Err(wrong(format!("{} past selves: expected at most {most}", state.past_selves)));
        }
        let bytes = checkpoint.read(WEIGHTS)?;
        let mut descent = self.descent.clone();
        descent.weights = checkpoint.weights.clone();
        descent.adam = keep::from_moments(&bytes, WEIGHTS, state.optimiser_steps, &checkpoint.weights)?;
        let average = self.average.is_some().then(|| checkpoint.weights.clone());
        if average.is_some() {
            keep::from_safetensors(&bytes, WEIGHTS, NEWEST, &mut descent.weights)?;
        }
        let mut magnet = self.magnet.clone();
        keep::from_safetensors(&bytes, WEIGHTS, "magnet", &mut magnet)?;
        let mut pool = vec![self.magnet.clone(); state.past_selves];
        for (index, weights) in pool.iter_mut().enumerate() {
            keep::from_safetensors(&bytes, WEIGHTS, &past(index), weights)?;
        }
        let mut games = state.games.into_iter();
        for shard in &mut self.shards {
            for (slot, (episode, played)) in (0..shard.slots()).zip(games.by_ref()) {
                let played = played.into_iter().map(Action).collect();
                shard.restore(slot, episode, played).map_err(|error| wrong(error.to_string()))?;
            }
        }
        (self.descent, self.magnet, self.average) = (descent, magnet, average);
        (self.pool, self.progress) = (pool, state.progress);
        // What the run has said so far it goes on saying, whatever has become of the checkpoint that it began with.
        self.search = checkpoint.manifest.search;
        Ok(())
    }
}

fn past(index: usize) -> String {
    format!("past{index}")
}

/// A batch whose gradient was not finite, as a safetensors file.
pub(super) fn batch_for_study<'a>(rows: usize, decision: &impl Fn(usize) -> Decision<'a>) -> Vec<u8> {
    let bytes = |part: &dyn Fn(&Decision<'a>) -> Vec<f32>| -> (usize, Vec<u8>) {
        let numbers: Vec<f32> = (0..rows).flat_map(|row| part(&decision(row))).collect();
        (numbers.len() / rows.max(1), numbers.into_iter().flat_map(f32::to_le_bytes).collect())
    };
    let tensors = [
        ("observations", bytes(&|decision| decision.observation.to_vec())),
        ("actions", bytes(&|decision| vec![decision.action as f32])),
        ("log_shares", bytes(&|decision| vec![decision.log_share])),
        ("advantages", bytes(&|decision| vec![decision.advantage.unwrap_or(f32::NAN)])),
        ("values", bytes(&|decision| decision.values.to_vec())),
        ("targets", bytes(&|decision| decision.targets.to_vec())),
    ];
    keep::floats(tensors.map(|(name, (width, bytes))| (name.to_owned(), vec![rows, width], bytes)))
}
