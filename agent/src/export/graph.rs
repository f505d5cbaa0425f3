//! An ONNX graph that is being built: nodes, weights, inputs, outputs.

use half::f16;

use super::Precision;
use super::protobuf::Message;
use crate::network::Dense;

/// What `onnx.proto3` calls the types of tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Float = 1,
    Long = 7,
    Bool = 9,
    Half = 10,
}

/// The version of the file format that belongs to [`OPSET`].
const IR_VERSION: i64 = 8;
/// The version of the operators: old enough for every runtime that is still cared for, new enough for all that is used.
pub const OPSET: i64 = 17;
/// The axis that grows with the positions asked about.
pub const BATCH_AXIS: &str = "batch";

/// A graph; values are known by their names.
pub(super) struct Graph {
    precision: Precision,
    nodes: Vec<Message>,
    weights: Vec<Message>,
    inputs: Vec<Message>,
    outputs: Vec<Message>,
}

impl Graph {
    pub(super) fn new(precision: Precision) -> Self {
        let empty = Vec::new;
        Self { precision, nodes: empty(), weights: empty(), inputs: empty(), outputs: empty() }
    }

    /// An input `[batch, width]`.
    pub(super) fn input(&mut self, name: &str, element: Element, width: usize) {
        self.inputs.push(row(name, element, width));
    }

    /// An output `[batch, width]` of numbers.
    pub(super) fn output(&mut self, name: &str, width: usize) {
        self.outputs.push(row(name, Element::Float, width));
    }

    /// A node that makes `output` from `inputs`.
    pub(super) fn node(&mut self, operator: &str, inputs: &[&str], output: &str, attributes: &[(&str, i64)]) {
        let attribute = |node: Message, (name, number): &(&str, i64)| {
            // AttributeProto: name, i, type (INT is 2)
            node.message(5, &Message::new().text(1, name).int(3, *number).int(20, 2))
        };
        // NodeProto: input, output, name, op_type, attribute
        let node = Message::new()
            .each(inputs, |node, input| node.text(1, input))
            .text(2, output)
            .text(3, &format!("{output}:{operator}"))
            .text(4, operator)
            .each(attributes, attribute);
        self.nodes.push(node);
    }

    /// A single number.
    pub(super) fn constant(&mut self, name: &str, number: f32) {
        self.numbers(name, &[], &[number]);
    }

    /// Numbers that no precision rounds.
    pub(super) fn numbers(&mut self, name: &str, dims: &[usize], numbers: &[f32]) {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.weights.push(tensor(name, dims, Element::Float, &bytes));
    }

    /// Whole numbers: places to gather from, sizes of a shape.
    pub(super) fn integers(&mut self, name: &str, numbers: &[i64]) {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.weights.push(tensor(name, &[numbers.len()], Element::Long, &bytes));
    }

    /// Weights in the precision of the graph; read under the same name, always as 32-bit floats.
    pub(super) fn parameter(&mut self, name: &str, dims: &[usize], numbers: &[f32]) {
        match self.precision {
            Precision::F32 => self.numbers(name, dims, numbers),
            Precision::F16 => {
                let stored = format!("{name}.f16");
                let bytes: Vec<u8> =
                    numbers.iter().flat_map(|&number| f16::from_f32(number).to_le_bytes()).collect();
                self.weights.push(tensor(&stored, dims, Element::Half, &bytes));
                // Runtimes do this once, when they load the file.
                self.node("Cast", &[&stored], name, &[("to", Element::Float as i64)]);
            }
        }
    }

    /// `output = input · weight + bias`.
    pub(super) fn dense(&mut self, name: &str, dense: &Dense, input: &str, output: &str) {
        let [weight, bias] = self.parameters(name, dense);
        self.node("Gemm", &[input, &weight, &bias], output, &[]);
    }

    /// The same for an input of any number of axes, along the last.
    pub(super) fn dense_along(&mut self, name: &str, dense: &Dense, input: &str, output: &str) {
        let [weight, bias] = self.parameters(name, dense);
        let product = format!("{name}.product");
        self.node("MatMul", &[input, &weight], &product, &[]);
        self.node("Add", &[&product, &bias], output, &[]);
    }

    fn parameters(&mut self, name: &str, dense: &Dense) -> [String; 2] {
        let [weight, bias] = ["weight", "bias"].map(|part| format!("{name}.{part}"));
        self.parameter(&weight, &[dense.inputs, dense.outputs], &dense.weight);
        self.parameter(&bias, &[dense.outputs], &dense.bias);
        [weight, bias]
    }

    /// The whole file.
    pub(super) fn into_model(self, name: &str, about: &[(&str, String)]) -> Vec<u8> {
        // GraphProto: node, name, initializer, input, output
        let graph = Message::new()
            .each(&self.nodes, |graph, node| graph.message(1, node))
            .text(2, name)
            .each(&self.weights, |graph, tensor| graph.message(5, tensor))
            .each(&self.inputs, |graph, input| graph.message(11, input))
            .each(&self.outputs, |graph, output| graph.message(12, output));
        // OperatorSetIdProto: domain (the empty one is ONNX itself), version
        let opset = Message::new().text(1, "").int(2, OPSET);
        // ModelProto: ir_version, producer_name, graph, opset_import, metadata_props (key, value)
        let model = Message::new()
            .int(1, IR_VERSION)
            .text(2, "nodarium")
            .message(7, &graph)
            .message(8, &opset)
            .each(about, |model, (key, value)| {
                model.message(14, &Message::new().text(1, key).text(2, value))
            });
        model.into_bytes()
    }
}

/// ValueInfoProto of a tensor `[batch, width]`.
fn row(name: &str, element: Element, width: usize) -> Message {
    // TensorShapeProto.Dimension: dim_value, dim_param
    let batch = Message::new().text(2, BATCH_AXIS);
    let width = Message::new().int(1, width as i64);
    let shape = Message::new().message(1, &batch).message(1, &width);
    // TypeProto.Tensor: elem_type, shape; TypeProto: tensor_type; ValueInfoProto: name, type
    let tensor = Message::new().int(1, element as i64).message(2, &shape);
    Message::new().text(1, name).message(2, &Message::new().message(1, &tensor))
}

/// TensorProto: dims, data_type, name, raw_data (little-endian).
fn tensor(name: &str, dims: &[usize], element: Element, bytes: &[u8]) -> Message {
    Message::new()
        .each(dims, |tensor, &dim| tensor.int(1, dim as i64))
        .int(2, element as i64)
        .text(8, name)
        .bytes(9, bytes)
}
