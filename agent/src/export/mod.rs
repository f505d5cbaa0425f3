//! A checkpoint for other programs: an ONNX model, and beside it all that is needed to use it.
//!
//! | file | holds |
//! |---|---|
//! | `policy.onnx` | the network with its weights; inputs `observation` `[batch, observation]` (float) and `mask` `[batch, actions]` (bool); outputs masked `logits`, `policy`, `value` |
//! | `policy.json` | game, rules, versions, observation layout, action names, advice, provenance, and recorded examples |
//! | `policy.safetensors` | the weights as the checkpoint has them |
//! | `README.md` | how to load it |
//!
//! This module makes bytes; where they go is for the caller.

mod card;
mod examples;
mod graph;
mod onnx;
mod protobuf;
mod readme;

use std::path::Path;

use half::f16;
use nodarium_env::catalog::UnknownGame;
use nodarium_env::rules::Reader;
use nodarium_env::{BadRules, Text, rules_from, with_game};
use serde::Serialize;

use crate::checkpoint::{self, Checkpoint, CheckpointError, Plays};
use crate::network::{Inference, Weights};

pub use examples::Example;
pub use graph::OPSET;

/// The format of `policy.json`.
pub const FORMAT: u32 = 1;
/// The name of the model.
pub const MODEL: &str = "policy.onnx";
/// The name of the description.
pub const CARD: &str = "policy.json";
/// The name of the page for people.
pub const README: &str = "README.md";
/// The logit of an illegal action. Finite, because not every runtime and no JSON likes infinities, and so low that its
/// share is exactly 0 beside any logit of a network.
pub const ILLEGAL_LOGIT: f32 = -1e9;
/// The fewest recorded examples.
pub const FEWEST_EXAMPLES: usize = 8;
/// The most recorded examples.
pub const MOST_EXAMPLES: usize = 10_000;

/// How weights are stored. Arithmetic is in 32-bit floats either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// As they were trained.
    F32,
    /// Rounded to 16 bits: half the size.
    F16,
}

/// What may be chosen about an export.
#[derive(Clone, Debug)]
pub struct Options {
    /// How weights are stored.
    pub precision: Precision,
    /// How many examples are recorded, [`FEWEST_EXAMPLES`] to [`MOST_EXAMPLES`].
    pub examples: usize,
    /// The seed of the examples' games.
    pub seed: u64,
    /// Under which licence the weights are given away.
    pub licence: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            precision: Precision::F32,
            examples: 16,
            seed: 0,
            licence: env!("CARGO_PKG_LICENSE").to_owned(),
        }
    }
}

/// How far rounded weights agree with the trained ones.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// Positions of random play that were compared.
    pub positions: usize,
    /// In how many of them the likeliest action is the same.
    pub same_best: usize,
    /// The largest difference of a share.
    pub policy: f32,
    /// The largest difference of a value.
    pub value: f32,
}

/// Positions that rounded weights are compared on.
const COMPARED: usize = 1_000;

/// An export as bytes.
#[derive(Clone, Debug)]
pub struct Export {
    /// The game.
    pub game: &'static str,
    /// Every file with its name.
    pub files: Vec<(&'static str, Vec<u8>)>,
    /// What rounding has cost, where weights were rounded.
    pub agreement: Option<Agreement>,
}

/// A checkpoint that cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// It cannot be read, or is not for the games of this version.
    #[error(transparent)]
    Checkpoint(#[from] Box<CheckpointError>),
    /// It is for no game of this version.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// Its rules cannot be played.
    #[error("the rules of the checkpoint: {0}")]
    Rules(#[from] BadRules),
    /// Too few or too many examples.
    #[error("{0} examples: expected {FEWEST_EXAMPLES} to {MOST_EXAMPLES}")]
    Examples(usize),
    /// A weight that 16 bits cannot hold.
    #[error("tensor `{tensor}` has {number} at index {index}, beyond what 16 bits can hold: expected at most {max}", max = f16::MAX)]
    TooLarge {
        /// The tensor's name.
        tensor: String,
        /// Where in it.
        index: usize,
        /// The weight.
        number: f32,
    },
}

/// Reads the checkpoint in `folder` and makes its export; `read` gives the text of a file that a rule option names.
pub fn export(folder: &Path, options: &Options, read: &Reader<'_>) -> Result<Export, ExportError> {
    if !(FEWEST_EXAMPLES..=MOST_EXAMPLES).contains(&options.examples) {
        return Err(ExportError::Examples(options.examples));
    }
    let manifest = checkpoint::describe(folder).map_err(Box::new)?.manifest;
    let game = manifest.plays.game.as_str();
    with_game!(game, G => {
        let rules = rules_from(&manifest.plays.rules, read)?;
        let checkpoint = checkpoint::load(folder, &Plays::of::<G>(&rules)).map_err(Box::new)?;
        make::<G>(&rules, &checkpoint, options)
    })?
}

fn make<G: Text>(
    rules: &G::Rules,
    checkpoint: &Checkpoint,
    options: &Options,
) -> Result<Export, ExportError> {
    let spec = G::spec(rules);
    let weights = match options.precision {
        Precision::F32 => checkpoint.weights.clone(),
        Precision::F16 => rounded(&checkpoint.weights)?,
    };
    let evaluator = Inference::new(&weights);
    let states = examples::positions::<G>(rules, options.seed, options.examples);
    let recorded = examples::examples(&states, &evaluator);
    let agreement = (options.precision == Precision::F16).then(|| {
        let states = examples::positions::<G>(rules, options.seed, COMPARED);
        let trained = examples::examples(&states, &Inference::new(&checkpoint.weights));
        compare(&trained, &examples::examples(&states, &evaluator))
    });
    let about = [
        ("game", spec.id.to_owned()),
        ("game_version", spec.version.to_string()),
        ("rules", serde_json::to_string(&checkpoint.manifest.plays.rules).expect("options are JSON")),
    ];
    let model = onnx::model(&weights, options.precision, &about);
    let card = card::card(&card::About {
        spec: &spec,
        checkpoint,
        model: &model,
        precision: options.precision,
        agreement: agreement.as_ref(),
        licence: &options.licence,
        examples: &recorded,
    });
    let trained = checkpoint.read(checkpoint::POLICY).map_err(Box::new)?;
    let readme =
        readme::readme(&spec, weights.config(), &options.licence, recorded.len(), agreement.as_ref());
    let files = vec![
        (MODEL, model),
        (CARD, card.into_bytes()),
        (checkpoint::POLICY, trained),
        (README, readme.into_bytes()),
    ];
    Ok(Export { game: spec.id, files, agreement })
}

/// The weights as 16 bits hold them.
fn rounded(weights: &Weights) -> Result<Weights, ExportError> {
    let mut weights = weights.clone();
    for (tensor, _, numbers) in weights.tensors_mut() {
        for (index, number) in numbers.iter_mut().enumerate() {
            let half = f16::from_f32(*number);
            if !half.is_finite() {
                return Err(ExportError::TooLarge { tensor, index, number: *number });
            }
            *number = half.to_f32();
        }
    }
    Ok(weights)
}

fn compare(trained: &[Example], rounded: &[Example]) -> Agreement {
    let farthest = |of: fn(&Example) -> &[f32]| {
        let pairs = trained.iter().zip(rounded).flat_map(|(a, b)| of(a).iter().zip(of(b)));
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    };
    Agreement {
        positions: trained.len(),
        same_best: trained.iter().zip(rounded).filter(|(a, b)| a.best == b.best).count(),
        policy: farthest(|example| &example.policy),
        value: farthest(|example| &example.value),
    }
}
