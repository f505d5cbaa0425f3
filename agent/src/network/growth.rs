//! A larger network that says what a smaller one says: what was learned goes on in wider layers and in more of them.

use super::weights::{Dense, Weights};
use super::{BadNetwork, NetworkConfig};

/// How much smaller than usual a layer begins that the smaller network does not have: what it adds is next to nothing, and it can
/// still learn. (At 0 a ReLU would never wake up.)
const FURTHER_GAIN: f32 = 0.1;

impl Weights {
    /// Whether a network of that size holds this one: the same in kind, no narrower and no shallower.
    pub fn fits_into(&self, config: &NetworkConfig) -> bool {
        let own = self.config();
        let same_size = NetworkConfig { width: own.width, layers: own.layers, ..*config };
        *own == same_size && own.width <= config.width && own.layers <= config.layers
    }

    /// This network within a larger one that [it fits into](Self::fits_into); new weights are drawn by the seed. (The idea is that of
    /// Chen, Goodfellow, Shlens: "Net2Net", ICLR 2016.)
    ///
    /// What is new listens to what was there, and nothing that was there listens to what is new: with as many layers as before the
    /// larger network says the same to the last bit. Further layers begin small.
    ///
    /// # Panics
    /// When it does not fit.
    pub fn grown(&self, config: NetworkConfig, seed: u64) -> Result<Self, BadNetwork> {
        assert!(self.fits_into(&config), "who grows a network has asked whether it fits");
        // The smaller network's shape is what is left of the game's for it, and reads the same.
        let mut grown = Self::draw(config, self.shape().clone(), seed)?;
        let [from, to] = [self.config().width, config.width];
        for (index, layer) in grown.torso.iter_mut().enumerate() {
            match self.torso.get(index) {
                // The first layer reads the observation, every other one some cells' units, or one row of them.
                Some(learned) if index == 0 => layer.hold(learned, Some),
                Some(learned) => {
                    layer.hold(learned, |input| (input % to < from).then(|| input / to * from + input % to));
                }
                None => layer.weight.iter_mut().for_each(|weight| *weight *= FURTHER_GAIN),
            }
        }
        for (head, learned) in [(&mut grown.policy, &self.policy), (&mut grown.value, &self.value)] {
            let cells = (head.inputs - learned.inputs) / (to - from).max(1);
            // Behind the cells stands what the heads read of the observation itself.
            let (rest_from, rest_to) = (cells * from, cells * to);
            head.hold(learned, |input| match input {
                _ if to == from => Some(input),
                input if input >= rest_to => Some(input - rest_to + rest_from),
                input => (input % to < from).then(|| input / to * from + input % to),
            });
        }
        grown.direct.clone_from(&self.direct);
        Ok(grown)
    }
}

impl Dense {
    /// Takes a smaller layer over. `learned_input` tells which of its inputs one of this layer's was; what is read beside those adds
    /// nothing to the outputs that were there.
    fn hold(&mut self, learned: &Self, learned_input: impl Fn(usize) -> Option<usize>) {
        for (input, row) in self.weight.chunks_exact_mut(self.outputs).enumerate() {
            let there = &mut row[..learned.outputs];
            match learned_input(input) {
                Some(input) => {
                    there.copy_from_slice(&learned.weight[input * learned.outputs..][..learned.outputs]);
                }
                None => there.fill(0.0),
            }
        }
        self.bias[..learned.outputs].copy_from_slice(&learned.bias);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nodarium_env::{Grid, Layout};

    use super::*;
    use crate::Evaluator as _;
    use crate::network::{Inference, Shape, Torso};

    fn shape() -> Shape {
        let layout = Layout::default().field("own", 12, "").field("turn", 2, "").field("other", 12, "");
        let grid = Some(Arc::new(Grid::rectangle(&layout, 3, 4)));
        Shape { observation: 26, insights: 26, actions: 12, seats: 2, grid }
    }

    /// A network of which every number counts.
    fn small(torso: Torso, direct: bool) -> Weights {
        let config = NetworkConfig { torso, width: 5, layers: 3, direct, ..NetworkConfig::default() };
        let mut weights = Weights::draw(config, shape(), 1).expect("the sizes are allowed");
        for (number, (_, _, numbers)) in weights.tensors_mut().into_iter().enumerate() {
            let wave = |place: usize| ((place * 7 + number * 3) as f32).sin() * 0.3;
            numbers.iter_mut().enumerate().for_each(|(place, weight)| *weight += wave(place));
        }
        weights
    }

    /// What a network says about some observations: logits, then values.
    fn says(weights: &Weights) -> Vec<f32> {
        let observations: Vec<f32> = (0..26 * 4).map(|i| (i as f32 * 1.7).cos()).collect();
        let (mut logits, mut values) = (vec![0.0; 12 * 4], vec![0.0; 2 * 4]);
        Inference::new(weights).evaluate(&observations, &mut logits, &mut values);
        [logits, values].concat()
    }

    #[test]
    fn a_wider_network_says_the_same_to_the_last_bit() {
        for (torso, direct) in [(Torso::Mlp, false), (Torso::Mlp, true), (Torso::Grid, false)] {
            let small = small(torso, direct);
            for width in [5, 6, 16] {
                let grown = small.grown(NetworkConfig { width, ..*small.config() }, 2).expect("it fits");
                assert_eq!(says(&grown), says(&small), "{torso}, direct {direct}, {width} units");
                assert_eq!(width == 5, grown == small);
            }
        }
    }

    #[test]
    fn a_deeper_network_begins_close_by_and_all_of_it_can_learn() {
        for torso in [Torso::Mlp, Torso::Grid] {
            let small = small(torso, false);
            let config = NetworkConfig { width: 8, layers: 5, ..*small.config() };
            let grown = small.grown(config, 2).expect("it fits");
            let apart =
                |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            let (before, after) = (says(&small), says(&grown));
            let size = before.iter().fold(0.0_f32, |size, number| size.max(number.abs()));
            let change = apart(&before, &after);
            assert!(change > 0.0 && change < 0.2 * size, "{torso}: {change} of {size}");
            let silent = grown.torso.iter().filter(|layer| layer.weight.iter().all(|&weight| weight == 0.0));
            assert_eq!(silent.count(), 0);
        }
    }

    #[test]
    fn only_a_larger_network_of_the_same_kind_holds_another() {
        let small = small(Torso::Grid, false);
        let own = *small.config();
        assert!(small.fits_into(&own) && small.fits_into(&NetworkConfig { width: 6, layers: 4, ..own }));
        for other in [
            NetworkConfig { width: 4, ..own },
            NetworkConfig { layers: 2, ..own },
            NetworkConfig { torso: Torso::Mlp, ..own },
            NetworkConfig { insights: true, ..own },
            NetworkConfig { value_scale: 2.0, ..own },
        ] {
            assert!(!small.fits_into(&other), "{other:?}");
        }
    }
}
