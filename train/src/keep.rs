//! Weights beside the policy's in a checkpoint: moments of an optimiser, magnets, past selves.

use nodarium_agent::checkpoint::Checkpoint;
use nodarium_agent::network::Weights;
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};

use crate::descent::Adam;
use crate::learner::RestoreError;

/// Several sets of weights in one safetensors file; every tensor's name begins with the name of its set.
pub fn to_safetensors<'a>(sets: impl IntoIterator<Item = (&'a str, &'a Weights)>) -> Vec<u8> {
    floats(sets.into_iter().flat_map(|(set, weights)| {
        let tensors = weights.tensors().into_iter();
        tensors.map(move |(name, dims, numbers)| {
            let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            (format!("{set}.{name}"), dims, bytes)
        })
    }))
}

/// Tensors of 32-bit floats as a safetensors file.
pub fn floats(tensors: impl IntoIterator<Item = (String, Vec<usize>, Vec<u8>)>) -> Vec<u8> {
    let tensors: Vec<_> = tensors.into_iter().collect();
    let views = tensors.iter().map(|(name, dims, bytes)| {
        let view = TensorView::new(Dtype::F32, dims.clone(), bytes).expect("four bytes for each number");
        (name.as_str(), view)
    });
    safetensors::serialize(views, None).expect("every name is used once")
}

/// What an optimiser remembers, as the sets `mean` and `square`.
pub fn moments(adam: &Adam) -> [(&'static str, &Weights); 2] {
    [("mean", &adam.mean), ("square", &adam.square)]
}

/// Reads the sets `mean` and `square` back, after so many steps.
pub fn from_moments(
    bytes: &[u8],
    file: &'static str,
    steps: u64,
    weights: &Weights,
) -> Result<Adam, RestoreError> {
    let mut adam = Adam::new(weights);
    adam.steps = steps;
    from_safetensors(bytes, file, "mean", &mut adam.mean)?;
    from_safetensors(bytes, file, "square", &mut adam.square)?;
    match adam.square.tensors().into_iter().find(|(.., numbers)| numbers.iter().any(|&number| number < 0.0)) {
        Some((name, ..)) => {
            let problem = format!("tensor square.{name} has a negative number: expected means of squares");
            Err(RestoreError::Content { file, problem })
        }
        None => Ok(adam),
    }
}

/// Reads one set back into weights of the right sizes.
pub fn from_safetensors(
    bytes: &[u8],
    file: &'static str,
    set: &str,
    into: &mut Weights,
) -> Result<(), RestoreError> {
    let wrong = |problem: String| RestoreError::Content { file, problem };
    let tensors = SafeTensors::deserialize(bytes).map_err(|error| wrong(error.to_string()))?;
    for (name, dims, numbers) in into.tensors_mut() {
        let name = format!("{set}.{name}");
        let view =
            tensors.tensor(&name).map_err(|_| wrong(format!("no tensor {name}: expected F32 {dims:?}")))?;
        if view.dtype() != Dtype::F32 || view.shape() != dims {
            let found = format!("{:?} {:?}", view.dtype(), view.shape());
            return Err(wrong(format!("tensor {name} is {found}: expected F32 {dims:?}")));
        }
        let (quads, _) = view.data().as_chunks::<4>();
        numbers.iter_mut().zip(quads).for_each(|(number, &quad)| *number = f32::from_le_bytes(quad));
        if let Some(index) = numbers.iter().position(|number| !number.is_finite()) {
            return Err(wrong(format!("number {index} of tensor {name} is not finite")));
        }
    }
    Ok(())
}

/// Reads a file of a checkpoint that holds JSON.
pub fn from_json<T: serde::de::DeserializeOwned>(
    checkpoint: &Checkpoint,
    file: &'static str,
) -> Result<T, RestoreError> {
    let bytes = checkpoint.read(file)?;
    serde_json::from_slice(&bytes).map_err(|error| RestoreError::Content { file, problem: error.to_string() })
}

#[cfg(test)]
mod tests {
    use nodarium_agent::network::{NetworkConfig, Shape};

    use super::*;

    #[test]
    fn what_an_optimiser_remembers_is_written_and_read_and_what_is_damaged_is_refused() {
        let config = NetworkConfig { width: 3, layers: 2, ..NetworkConfig::default() };
        let shape = Shape { observation: 4, insights: 4, actions: 2, seats: 2, grid: None };
        let weights = Weights::draw(config, shape.clone(), 1).unwrap();
        let mut adam = Adam::new(&weights);
        let mut moved = weights.clone();
        adam.step(&mut moved, &weights, 1.0, 0.1, 0.0);
        let bytes = to_safetensors(moments(&adam));
        assert_eq!(from_moments(&bytes, "f", 1, &weights).unwrap(), adam);
        let refused = |bytes: &[u8], weights| from_moments(bytes, "f", 1, weights).unwrap_err().to_string();
        assert!(refused(&bytes[..bytes.len() - 1], &weights).starts_with("f of the checkpoint: "));
        let wider = Weights::draw(NetworkConfig { width: 4, ..config }, shape, 1).unwrap();
        assert!(refused(&bytes, &wider).contains("expected F32 [4, 4]"));
        adam.square.policy.bias[0] = -1.0;
        assert!(refused(&to_safetensors(moments(&adam)), &weights).contains("square.policy.bias"));
        adam.square.policy.bias[0] = f32::NAN;
        assert!(refused(&to_safetensors(moments(&adam)), &weights).contains("not finite"));
    }
}
