//! One step down a gradient.
//!
//! An [`Objective`] is plain code: it tells, row by row, how its loss changes with the logits and values of the network.
//! Burn carries that back through the network, in shards of some hundred rows that the threads of a [`Crew`] share;
//! the shards' gradients are summed in their order, so that the number of threads does not change a bit. [`Adam`] moves
//! the weights.

mod adam;

use burn::tensor::Device;
use nodarium_agent::network::{Gradient, Network, Torso, Weights};

pub use adam::Adam;

use crate::crew::Crew;

/// Rows that go through the network together, at most: more would gain nothing, fewer spend more of the time on summing up
/// gradients.
const MOST: usize = 512;

/// And at least, where a batch is cut in two to keep two threads busy.
const LEAST: usize = 256;

/// Over a board every row has as many rows as cells in its products: fewer of them stay in the caches.
const ON_BOARD: usize = 32;

/// What the network should become better at, row by row of a batch.
pub trait Objective: Sync {
    /// What a row has to tell, such as parts of its loss; summed over the batch.
    type Sums: Default + Send;

    /// Writes the observation of a row.
    fn observe(&self, row: usize, observation: &mut [f32]);

    /// Tells how the loss of a row changes with each logit and each value of the network; `by_logits` and `by_values` come
    /// filled with zeros.
    fn row(
        &self,
        row: usize,
        logits: &[f32],
        values: &[f32],
        by_logits: &mut [f32],
        by_values: &mut [f32],
        sums: &mut Self::Sums,
    );

    /// Adds what later rows have to tell to what earlier ones had.
    fn add(into: &mut Self::Sums, more: Self::Sums);
}

/// The weights on their way down.
#[derive(Clone, Debug, PartialEq)]
pub struct Descent {
    /// Where they are.
    pub weights: Weights,
    /// What the optimiser remembers.
    pub adam: Adam,
    /// Where the gradient is worked out.
    pub device: Device,
}

/// How a step went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<S> {
    /// What the rows told.
    pub sums: S,
    /// The length of the gradient before it was limited.
    pub norm: f32,
}

/// How to make a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// The learning rate.
    pub rate: f32,
    /// Decay of the weights as a share of the rate.
    pub decay: f32,
    /// The longest gradient.
    pub limit: f32,
}

/// A gradient that is not finite; nothing was moved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the gradient is not finite{}", .tensor.as_ref().map(|name| format!(" in {name}")).unwrap_or_default())]
pub struct NotFinite {
    /// The first tensor in which it is not.
    pub tensor: Option<String>,
}

impl Descent {
    /// From these weights on.
    pub fn new(weights: Weights, device: Device) -> Self {
        Self { adam: Adam::new(&weights), weights, device }
    }

    /// Makes one step along the mean gradient over `rows` rows.
    pub fn step<O: Objective>(
        &mut self,
        crew: &Crew,
        objective: &O,
        rows: usize,
        pace: Pace,
    ) -> Result<Step<O::Sums>, NotFinite> {
        let (gradient, sums) = self.gradient(crew, objective, rows);
        let squares = gradient.tensors().into_iter().flat_map(|(.., numbers)| numbers.chunks(4_096));
        let length =
            squares.map(|chunk| chunk.iter().map(|g| g * g).sum::<f32>()).map(f64::from).sum::<f64>();
        // The rows' gradients are summed; what counts is their mean.
        let norm = (length.sqrt() / rows as f64) as f32;
        if !norm.is_finite() {
            return Err(NotFinite { tensor: gradient.not_finite().map(|(tensor, _)| tensor) });
        }
        let shorten = if norm > pace.limit { pace.limit / norm } else { 1.0 };
        self.adam.step(&mut self.weights, &gradient, shorten / rows as f32, pace.rate, pace.decay);
        Ok(Step { sums, norm })
    }

    /// The sum of the rows' gradients, and what they told.
    pub fn gradient<O: Objective>(&self, crew: &Crew, objective: &O, rows: usize) -> (Weights, O::Sums) {
        // By the number of rows alone: the number of threads must not change what is summed.
        let shard = match self.weights.config().torso {
            Torso::Mlp => rows.div_ceil(2).clamp(LEAST, MOST),
            Torso::Grid => ON_BOARD,
        };
        let shards: Vec<_> = (0..rows).step_by(shard).map(|first| first..rows.min(first + shard)).collect();
        let network = Network::new(&self.weights, &self.device);
        let parts = crew.each(shards, |_, shard| self.shard(&network, objective, shard));
        let mut gradient = Weights::zeros(*self.weights.config(), self.weights.shape().clone())
            .expect("weights of these sizes are there");
        let mut sums = O::Sums::default();
        for (part, more) in parts {
            part.add_to(&mut gradient);
            O::add(&mut sums, more);
        }
        (gradient, sums)
    }

    fn shard<O: Objective>(
        &self,
        network: &Network,
        objective: &O,
        rows: std::ops::Range<usize>,
    ) -> (Gradient, O::Sums) {
        let shape = self.weights.shape();
        let mut observations = vec![0.0; rows.len() * shape.observation];
        for (row, observation) in rows.clone().zip(observations.chunks_exact_mut(shape.observation)) {
            objective.observe(row, observation);
        }
        let mut sums = O::Sums::default();
        let gradient = network.gradient(&self.weights, &self.device, observations, |logits, values| {
            let (mut by_logits, mut by_values) = (vec![0.0; logits.len()], vec![0.0; values.len()]);
            let read = logits.chunks_exact(shape.actions).zip(values.chunks_exact(shape.seats));
            let written =
                by_logits.chunks_exact_mut(shape.actions).zip(by_values.chunks_exact_mut(shape.seats));
            for (row, ((logits, values), (by_logits, by_values))) in rows.zip(read.zip(written)) {
                objective.row(row, logits, values, by_logits, by_values, &mut sums);
            }
            (by_logits, by_values)
        });
        (gradient, sums)
    }
}
