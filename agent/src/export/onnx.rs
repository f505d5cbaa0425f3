//! The network as an ONNX graph.

use super::graph::{Element, Graph};
use super::{ILLEGAL_LOGIT, Precision};
use crate::network::Weights;

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
/// another function beside [`residual`].
fn torso(graph: &mut Graph, weights: &Weights) -> String {
    residual(graph, weights, "observation")
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

fn heads(graph: &mut Graph, weights: &Weights, hidden: &str) {
    graph.constant("illegal", ILLEGAL_LOGIT);
    graph.constant("value_scale", weights.config().value_scale);
    graph.dense("policy", &weights.policy, hidden, "logits.all");
    graph.node("Where", &["mask", "logits.all", "illegal"], "logits", &[]);
    graph.node("Softmax", &["logits"], "policy", &[("axis", -1)]);
    graph.dense("value", &weights.value, hidden, "value.sum");
    graph.node("Tanh", &["value.sum"], "value.share", &[]);
    graph.node("Mul", &["value.share", "value_scale"], "value", &[]);
}
