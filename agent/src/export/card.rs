//! `policy.json`: all that another program must know to use the model.

use std::collections::BTreeMap;

use nodarium_env::{Information, Layout, Spec};
use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::graph::{BATCH_AXIS, OPSET};
use super::{Agreement, Example, FORMAT, ILLEGAL_LOGIT, MODEL, Precision};
use crate::checkpoint::Checkpoint;

#[derive(Clone, Debug, Serialize)]
struct Game<'a> {
    id: &'a str,
    title: &'a str,
    version: u32,
    rules: &'a Map<String, Value>,
    seats: usize,
    information: &'static str,
    longest_game: usize,
    ends: &'a [&'static str],
}

#[derive(Clone, Debug, Serialize)]
struct Model<'a> {
    file: &'static str,
    sha256: String,
    opset: i64,
    weights: Precision,
    parameters: usize,
    network: Value,
    inputs: [Port; 2],
    outputs: [Port; 3],
    #[serde(skip_serializing_if = "Option::is_none")]
    agreement: Option<&'a Agreement>,
}

/// An input or an output.
#[derive(Clone, Debug, Serialize)]
struct Port {
    name: &'static str,
    #[serde(rename = "type")]
    element: &'static str,
    shape: (&'static str, usize),
    about: String,
}

#[derive(Clone, Debug, Serialize)]
struct Observation<'a> {
    length: usize,
    about: &'static str,
    fields: Vec<Field<'a>>,
}

#[derive(Clone, Debug, Serialize)]
struct Field<'a> {
    name: &'a str,
    offset: usize,
    length: usize,
    about: &'a str,
}

#[derive(Clone, Debug, Serialize)]
struct Actions<'a> {
    count: usize,
    groups: Vec<Group<'a>>,
    names: Vec<&'a str>,
}

#[derive(Clone, Debug, Serialize)]
struct Group<'a> {
    offset: usize,
    length: usize,
    about: &'a str,
}

/// Advice in words.
#[derive(Clone, Debug, Serialize)]
struct Usage {
    mask: String,
    choosing: &'static str,
    value: String,
    several_plies: &'static str,
    examples: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct Provenance<'a> {
    /// The name of the checkpoint's folder; the rest of its path is nobody's business.
    checkpoint: String,
    weights_sha256: &'a str,
    training: &'a BTreeMap<String, u64>,
}

/// What goes into the card beside the checkpoint.
pub(super) struct About<'a> {
    pub spec: &'a Spec,
    pub checkpoint: &'a Checkpoint,
    pub model: &'a [u8],
    pub precision: Precision,
    pub agreement: Option<&'a Agreement>,
    pub licence: &'a str,
    pub examples: &'a [Example],
}

/// The text of the card.
pub(super) fn card(about: &About<'_>) -> String {
    let About { spec, checkpoint, .. } = about;
    let manifest = &checkpoint.manifest;
    let game = Game {
        id: spec.id,
        title: spec.title,
        version: spec.version,
        rules: &manifest.plays.rules,
        seats: spec.seats,
        information: match spec.information {
            Information::Perfect => "perfect",
            Information::Hidden => "hidden",
        },
        longest_game: spec.longest_game,
        ends: &spec.ends,
    };
    let name = checkpoint.folder().file_name();
    let provenance = Provenance {
        checkpoint: name.map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        weights_sha256: &manifest.files[crate::checkpoint::POLICY].sha256,
        training: &manifest.counters,
    };
    let examples: Vec<String> = about.examples.iter().map(json).collect();
    let parts = [
        ("format", json(&FORMAT)),
        ("producer", json(&format!("nodarium {}", env!("CARGO_PKG_VERSION")))),
        ("game", json(&game)),
        ("model", json(&model(about))),
        ("observation", json(&observation(spec.layout(manifest.network.insights)))),
        ("actions", json(&actions(spec))),
        ("usage", json(&usage(spec))),
        ("licence", json(&about.licence)),
        ("provenance", json(&provenance)),
        ("examples", format!("[\n{}\n]", examples.join(",\n"))),
    ];
    // A line a part: people read it too, and thousands of numbers on lines of their own would hide the rest.
    let lines: Vec<String> = parts.iter().map(|(key, value)| format!("\"{key}\": {value}")).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

fn json(part: &impl Serialize) -> String {
    serde_json::to_string(part).expect("a card has text keys and finite numbers")
}

fn model<'a>(about: &About<'a>) -> Model<'a> {
    let manifest = &about.checkpoint.manifest;
    let shape = about.checkpoint.weights.shape();
    let port = |name, element, width, about: &str| Port {
        name,
        element,
        shape: (BATCH_AXIS, width),
        about: about.to_owned(),
    };
    Model {
        file: MODEL,
        sha256: Sha256::digest(about.model).iter().map(|byte| format!("{byte:02x}")).collect(),
        opset: OPSET,
        weights: about.precision,
        parameters: manifest.network.parameters(&manifest.plays.shape).expect("the checkpoint was loaded"),
        network: serde_json::to_value(manifest.network).expect("a config can be written as JSON"),
        inputs: [
            port("observation", "float32", shape.observation, "what the seat to act sees, see `observation`"),
            port("mask", "bool", shape.actions, "true for each legal action, see `actions`"),
        ],
        outputs: [
            port(
                "logits",
                "float32",
                shape.actions,
                &format!("the logits of the legal actions; {ILLEGAL_LOGIT:e} for what is illegal"),
            ),
            port("policy", "float32", shape.actions, "their softmax: exactly 0 for what is illegal"),
            port("value", "float32", shape.seats, "expected returns, the viewer's first, see `usage.value`"),
        ],
        agreement: about.agreement,
    }
}

fn observation(layout: &Layout) -> Observation<'_> {
    let fields = layout.fields().iter();
    Observation {
        length: layout.len(),
        about: "numbers in this order, from the side of the seat to act: itself first, then the others in the order \
                of play",
        fields: fields
            .map(|field| Field {
                name: &field.name,
                offset: field.range.start,
                length: field.range.len(),
                about: field.about,
            })
            .collect(),
    }
}

fn actions(spec: &Spec) -> Actions<'_> {
    let mut offset = 0;
    let groups = spec.action_groups.iter().map(|group| {
        let length = group.names.len();
        offset += length;
        Group { offset: offset - length, length, about: group.about }
    });
    Actions { count: spec.actions(), groups: groups.collect(), names: spec.action_names().collect() }
}

fn usage(spec: &Spec) -> Usage {
    let seats = spec.seats;
    Usage {
        mask: format!(
            "at least one action must be legal: where the mask is false everywhere, all logits are \
             {ILLEGAL_LOGIT:e} and the policy is uniform and means nothing"
        ),
        choosing: match spec.information {
            Information::Perfect => "play the action with the largest share",
            Information::Hidden => {
                "draw the action by the shares: with hidden information a player who always does the likeliest \
                 thing can be read"
            }
        },
        value: format!(
            "value[0] is the expected return of the seat to act, value[k] that of seat (seat + k) mod {seats}; in the \
             units of the game's returns"
        ),
        several_plies: "one action is one ply, and a seat may act several plies in a row: after each, observe again \
                        for whoever is to act then, often the same seat, and ask again; never take several actions \
                        from one answer",
        examples: "feed `observation` and a mask that is true at `legal`: logits, policy and value are to differ by \
                   less than 0.0001, and `best` is to be the likeliest action. `state` and `moves` are the position \
                   and the legal moves as the game's records write them, for whoever encodes positions",
    }
}
