//! Checks exported policies with tract, an ONNX runtime in Rust that shares no code with Nodarium.
//!
//! `cargo run --manifest-path scripts/check_onnx_rust/Cargo.toml -- EXPORT...`
//!
//! On every recorded example of policy.json the outputs are within 1e-4 of the recorded ones and the likeliest action is the
//! recorded one (or one whose share is as large to within 1e-6). Examples are asked in batches of 1 and of 100.

use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde::Deserialize;
use tract_onnx::prelude::*;

const TOLERANCE: f32 = 1e-4;
const TIE: f32 = 1e-6;

#[derive(Deserialize)]
struct Card {
    game: Game,
    model: Model,
    observation: Observation,
    actions: Actions,
    examples: Vec<Example>,
}

#[derive(Deserialize)]
struct Game {
    id: String,
}

#[derive(Deserialize)]
struct Model {
    file: String,
}

#[derive(Deserialize)]
struct Observation {
    length: usize,
}

#[derive(Deserialize)]
struct Actions {
    count: usize,
}

#[derive(Deserialize)]
struct Example {
    legal: Vec<usize>,
    observation: Vec<f32>,
    logits: Vec<f32>,
    policy: Vec<f32>,
    value: Vec<f32>,
    best: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    for folder in std::env::args().skip(1) {
        check(Path::new(&folder))?;
    }
    Ok(())
}

fn check(folder: &Path) -> Result<(), Box<dyn Error>> {
    let card: Card = serde_json::from_reader(BufReader::new(File::open(folder.join("policy.json"))?))?;
    if card.examples.len() < 8 {
        return Err(format!("{} examples: expected at least 8", card.examples.len()).into());
    }
    let model = onnx().model_for_path(folder.join(&card.model.file))?.into_optimized()?.into_runnable()?;
    let mut worst = 0.0_f32;
    let mut same = 0;
    for size in [1, 100] {
        same = 0;
        for batch in card.examples.chunks(size) {
            let mut mask = vec![false; batch.len() * card.actions.count];
            for (row, example) in mask.chunks_exact_mut(card.actions.count).zip(batch) {
                example.legal.iter().for_each(|&action| row[action] = true);
            }
            let observation: Vec<f32> = batch.iter().flat_map(|example| example.observation.clone()).collect();
            let observation = Tensor::from_shape(&[batch.len(), card.observation.length], &observation)?;
            let mask = Tensor::from_shape(&[batch.len(), card.actions.count], &mask)?;
            let outputs = model.run(tvec!(observation.into(), mask.into()))?;
            let numbers = |index: usize| -> TractResult<Vec<f32>> {
                Ok(outputs[index].cast_to::<f32>()?.to_plain_array_view::<f32>()?.iter().copied().collect())
            };
            let [logits, policy, value] = [numbers(0)?, numbers(1)?, numbers(2)?];
            let parts: [(&str, &[f32], fn(&Example) -> &[f32]); 3] = [
                ("logits", &logits, |example| &example.logits),
                ("policy", &policy, |example| &example.policy),
                ("value", &value, |example| &example.value),
            ];
            for (name, got, expected) in parts {
                let expected: Vec<f32> = batch.iter().flat_map(|example| expected(example).to_vec()).collect();
                let farthest = got.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                if got.len() != expected.len() || !(farthest <= TOLERANCE) {
                    return Err(format!("{}: {name} differs by {farthest}", folder.display()).into());
                }
                worst = worst.max(farthest);
            }
            for (row, example) in policy.chunks_exact(card.actions.count).zip(batch) {
                let best = (0..row.len()).rev().max_by(|&a, &b| row[a].total_cmp(&row[b])).unwrap_or(0);
                if example.policy[example.best] - example.policy[best] > TIE {
                    return Err(format!("{}: another action is best", folder.display()).into());
                }
                same += usize::from(best == example.best);
            }
        }
    }
    println!(
        "{}: {}, {} examples, largest difference {worst:.1e}, same best action in {same} (tract)",
        folder.display(),
        card.game.id,
        card.examples.len()
    );
    Ok(())
}
