//! The network as an ONNX graph.

use std::ops::Range;

use super::graph::{Element, Graph};
use super::{ILLEGAL_LOGIT, Precision};
use nodarium_env::Grid;

use crate::network::{Dense, Torso, Weights};

/// The bytes of an ONNX file that asks the network: `observation` and `mask` in, `logits`, `policy` and `value` out.
pub(super) fn model(weights: &Weights, precision: Precision, about: &[(&str, String)]) -> Vec<u8> {
    let shape = weights.shape();
    let mut graph = Graph::new(precision);
    graph.input("observation", Element::Float, shape.observation);
    graph.input("mask", Element::Bool, shape.actions);
    let hidden = torso(&mut graph, weights);
    heads(&mut graph, weights, &hidden);
    graph.output("logits", shape.actions);
    graph.output("policy", shape.actions);
    graph.output("value", shape.seats);
    graph.into_model("policy", about)
}

/// What stands between the observation and the heads; gives the name of what the heads read. Another kind of torso is
/// another function beside [`residual`] and [`convolutions`].
fn torso(graph: &mut Graph, weights: &Weights) -> String {
    match (weights.config().torso, &weights.shape().grid) {
        (Torso::Grid, Some(grid)) => convolutions(graph, weights, grid, "observation"),
        _ => residual(graph, weights, "observation"),
    }
}

/// Dense layers, each rectified, every one but the first added to what it read.
fn residual(graph: &mut Graph, weights: &Weights, input: &str) -> String {
    let mut hidden = input.to_owned();
    for (index, layer) in weights.torso.iter().enumerate() {
        let name = format!("torso.{index}");
        let [sum, relu, out] = ["sum", "relu", "out"].map(|part| format!("{name}.{part}"));
        graph.dense(&name, layer, &hidden, &sum);
        graph.node("Relu", &[&sum], &relu, &[]);
        hidden = match index {
            0 => relu,
            _ => {
                graph.node("Add", &[&hidden, &relu], &out, &[]);
                out
            }
        };
    }
    hidden
}

/// Layers over a board: each gathers every cell with its neighbours, adds what it makes of what is the same for all cells, is
/// rectified, and every one but the first is added to what it read. All cells, then what lies nowhere on the board, go to the
/// heads.
fn convolutions(graph: &mut Graph, weights: &Weights, grid: &Grid, input: &str) -> String {
    let cells = grid.cells() as i64;
    // Behind the last place comes a zero, for what lies beyond the edge.
    let places = |places: &[Option<usize>], last: usize| -> Vec<i64> {
        places.iter().map(|place| place.unwrap_or(last) as i64).collect()
    };
    graph.constant("nothing", 0.0);
    graph.integers("planes.pads", &[0, 0, 0, 1]);
    graph.integers("planes.places", &places(grid.numbers(), weights.shape().observation));
    graph.integers("planes.shape", &[0, cells, grid.planes() as i64]);
    graph.integers("cells.pads", &[0, 0, 0, 0, 1, 0]);
    graph.integers("cells.around", &places(grid.neighbours(), grid.cells()));
    graph.numbers("cells.mean", &[1, grid.cells()], &vec![1.0 / grid.cells() as f32; grid.cells()]);
    graph.node("Pad", &[input, "planes.pads", "nothing"], "planes.padded", &[]);
    graph.node("Gather", &["planes.padded", "planes.places"], "planes.flat", &[("axis", 1)]);
    graph.node("Reshape", &["planes.flat", "planes.shape"], "planes", &[]);
    // For every cell alike: first what lies nowhere on the board, then the mean of all cells.
    let mut common = rest(graph, grid, input);
    let mut hidden = "planes".to_owned();
    let mut width = grid.planes();
    for (index, layer) in weights.torso.iter().enumerate() {
        let name = format!("torso.{index}");
        let [padded, shape, gathered, around, by_around, by_common, sum, relu, out, mean] =
            ["padded", "shape", "gathered", "around", "by_around", "by_common", "sum", "relu", "out", "mean"]
                .map(|part| format!("{name}.{part}"));
        let neighbourhood = grid.reach() * width;
        graph.node("Pad", &[&hidden, "cells.pads", "nothing"], &padded, &[]);
        graph.node("Gather", &[&padded, "cells.around"], &gathered, &[("axis", 1)]);
        // The first axis stays what it is: the batch.
        graph.integers(&shape, &[0, cells, neighbourhood as i64]);
        graph.node("Reshape", &[&gathered, &shape], &around, &[]);
        let layer_around = Dense { bias: layer.bias.clone(), ..layer.reading(0..neighbourhood) };
        graph.dense_along(&name, &layer_around, &around, &by_around);
        let before = match &common {
            None => &by_around,
            Some(common) => {
                let layer_common = layer.reading(neighbourhood..layer.inputs);
                let weight = format!("{name}.common");
                graph.parameter(&weight, &[layer_common.inputs, layer.outputs], &layer_common.weight);
                graph.node("MatMul", &[common, &weight], &by_common, &[]);
                graph.node("Add", &[&by_around, &by_common], &sum, &[]);
                &sum
            }
        };
        graph.node("Relu", &[before], &relu, &[]);
        hidden = match index {
            0 => relu,
            _ => {
                graph.node("Add", &[&hidden, &relu], &out, &[]);
                out
            }
        };
        if index + 1 < weights.torso.len() {
            graph.node("MatMul", &["cells.mean", &hidden], &mean, &[]);
        }
        (common, width) = (Some(mean), layer.outputs);
    }
    graph.integers("board.shape", &[0, cells * weights.config().width as i64]);
    graph.node("Reshape", &[&hidden, "board.shape"], "board", &[]);
    if grid.rest().is_empty() {
        return "board".to_owned();
    }
    graph.node("Concat", &["board", "rest"], "features", &[("axis", 1)]);
    "features".to_owned()
}

/// What lies nowhere on the board: `rest` for the heads, and as a board of one cell for the first layer.
fn rest(graph: &mut Graph, grid: &Grid, input: &str) -> Option<String> {
    let rest: Vec<i64> = grid.rest().iter().map(|&number| number as i64).collect();
    if rest.is_empty() {
        return None;
    }
    graph.integers("rest.places", &rest);
    graph.integers("rest.shape", &[0, 1, rest.len() as i64]);
    graph.node("Gather", &[input, "rest.places"], "rest", &[("axis", 1)]);
    graph.node("Reshape", &["rest", "rest.shape"], "rest.everywhere", &[]);
    Some("rest.everywhere".to_owned())
}

/// A head, and what the observation adds to it by itself: those outputs of the direct layer.
fn head(
    graph: &mut Graph,
    weights: &Weights,
    name: &str,
    (dense, outputs): (&Dense, Range<usize>),
    hidden: &str,
    output: &str,
) {
    let Some(direct) = &weights.direct else { return graph.dense(name, dense, hidden, output) };
    let [by_torso, by_direct] = ["torso", "direct"].map(|part| format!("{name}.{part}"));
    graph.dense(name, dense, hidden, &by_torso);
    graph.dense(&format!("direct.{name}"), &direct.only(outputs), "observation", &by_direct);
    graph.node("Add", &[&by_torso, &by_direct], output, &[]);
}

fn heads(graph: &mut Graph, weights: &Weights, hidden: &str) {
    graph.constant("illegal", ILLEGAL_LOGIT);
    graph.constant("value_scale", weights.config().value_scale);
    let actions = weights.shape().actions;
    head(graph, weights, "policy", (&weights.policy, 0..actions), hidden, "logits.all");
    graph.node("Where", &["mask", "logits.all", "illegal"], "logits", &[]);
    graph.node("Softmax", &["logits"], "policy", &[("axis", -1)]);
    let values = actions..actions + weights.shape().seats;
    head(graph, weights, "value", (&weights.value, values), hidden, "value.sum");
    graph.node("Tanh", &["value.sum"], "value.share", &[]);
    graph.node("Mul", &["value.share", "value_scale"], "value", &[]);
}
