//! The fit: the two layers over the counts in Burn, and Adam.

use burn::module::{Module, Param};
use burn::nn::Linear;
use burn::optim::{AdamWConfig, GradientsParams};
use burn::tensor::activation::{log_softmax, relu};
use burn::tensor::{Device, Tensor, TensorData};
use nodarium_env::Rng;
use nodarium_env::games::colony::odds::{COUNTS, SECOND, UNITS, Weights};
use nodarium_env::rng::Purpose;

use crate::play::{Ended, Lessons, Tried};

/// How often each turn is looked at, how many at once, and the rate that falls to nothing.
const EPOCHS: usize = 5;
const TURNS: usize = 64;
const RATE: f64 = 5e-4;
const DECAY: f32 = 1e-3;
/// How much of an error does not count that the plans of a turn have in common: the odds are there to tell plans apart.
const IN_COMMON: f32 = 0.7;
/// Ends of games that are looked at with each turn, and how much each counts beside a plan.
const ENDS: usize = 4;
const OF_ENDS: f32 = 0.25;
/// One turn in so many is not learned from, but asked what was learned.
const ASKED: usize = 20;

/// Fits the weights to what plans have led to, and to who won.
pub fn fit(weights: &Weights, lessons: &Lessons) -> Weights {
    let device = Device::flex().autodiff();
    let scale = Scale::of(&lessons.ends);
    let (asked, learned) = lessons.turns.split_at(lessons.turns.len() / ASKED);
    let mut odds = Odds::new(&scale.standard(weights), &device);
    eprintln!("before: {}", odds.told(asked, &scale, &device));
    let mut adam = AdamWConfig::new().with_weight_decay(DECAY).init();
    let mut rng = Rng::keyed(Purpose::Choice, 0, 0, 0);
    let mut draw = |length: usize| rng.below(length as u32) as usize;
    let steps = (EPOCHS * learned.len()).div_ceil(TURNS);
    for step in 0..steps {
        let turns: Vec<&Vec<Tried>> = (0..TURNS).map(|_| &learned[draw(learned.len())]).collect();
        let ends: Vec<&Ended> = (0..ENDS * TURNS).map(|_| &lessons.ends[draw(lessons.ends.len())]).collect();
        let loss = odds.loss_of_plans(&turns, &scale, &device) + odds.loss_of_ends(&ends, &scale, &device);
        let gradients = GradientsParams::from_grads(loss.backward(), &odds);
        odds = adam.step(RATE * (1.0 - step as f64 / steps as f64), odds, gradients);
    }
    eprintln!("{steps} steps later: {}", odds.told(asked, &scale, &device));
    scale.raw(&odds.weights())
}

/// The mean and the spread of each count, by which they are brought to one scale.
struct Scale {
    means: [f32; COUNTS],
    spreads: [f32; COUNTS],
}

impl Scale {
    fn of(ends: &[Ended]) -> Self {
        let seats = || ends.iter().flat_map(|end| &end.counts);
        let number = seats().count().max(1) as f64;
        let mean = |count: usize, power: i32| {
            seats().map(|counts| f64::from(counts[count]).powi(power)).sum::<f64>() / number
        };
        let spread = |count: usize| (mean(count, 2) - mean(count, 1).powi(2)).max(0.0).sqrt() as f32;
        Self {
            means: std::array::from_fn(|count| mean(count, 1) as f32),
            // A count that hardly changes is left at its own scale.
            spreads: std::array::from_fn(spread).map(|spread: f32| if spread > 1e-3 { spread } else { 1.0 }),
        }
    }

    /// What was counted on that scale, `[rows, players × COUNTS]`.
    fn tensor<'a>(&self, rows: impl Iterator<Item = &'a Vec<[f32; COUNTS]>>, device: &Device) -> Tensor<2> {
        let (mut numbers, mut height) = (Vec::new(), 0);
        for counts in rows {
            for seat in counts {
                let scaled = seat.iter().zip(&self.means).zip(&self.spreads);
                numbers.extend(scaled.map(|((count, mean), spread)| (count - mean) / spread));
            }
            height += 1;
        }
        let width = numbers.len() / height;
        Tensor::from_data(TensorData::new(numbers, [height, width]), device)
    }

    /// Weights for counts on that scale.
    fn standard(&self, weights: &Weights) -> Weights {
        let means: [f32; COUNTS] = std::array::from_fn(|count| -self.means[count] / self.spreads[count]);
        Self { means, spreads: self.spreads.map(|spread| 1.0 / spread) }.raw(weights)
    }

    /// Weights for counts as they are. What all seats score alike makes no difference.
    fn raw(&self, weights: &Weights) -> Weights {
        let mut first = weights.first.to_vec();
        let (mut first_bias, mut straight) = (weights.first_bias, weights.straight);
        for (count, (mean, spread)) in self.means.iter().zip(self.spreads).enumerate() {
            for seat in &mut first {
                seat[count].iter_mut().for_each(|weight| *weight /= spread);
                first_bias.iter_mut().zip(&seat[count]).for_each(|(bias, weight)| *bias -= weight * mean);
            }
            straight[count] /= spread;
        }
        Weights { first: first.leak(), first_bias, straight, ..*weights }
    }
}

/// What the counts of a seat score beside those of the others.
#[derive(Module, Debug)]
struct Odds {
    first: Linear,
    second: Linear,
    last: Linear,
    straight: Linear,
}

impl Odds {
    fn new(weights: &Weights, device: &Device) -> Self {
        let layer = |numbers: &[f32], width: usize, bias: Option<&[f32]>| {
            let shape = [numbers.len() / width, width];
            Linear {
                weight: Param::from_data(TensorData::new(numbers.to_vec(), shape), device),
                bias: bias.map(|bias| Param::from_data(TensorData::new(bias.to_vec(), [width]), device)),
            }
        };
        let first = weights.first.as_flattened().as_flattened();
        Self {
            first: layer(first, UNITS, Some(&weights.first_bias)),
            second: layer(weights.second.as_flattened(), SECOND, Some(&weights.second_bias)),
            last: layer(&weights.last, 1, None),
            straight: layer(&weights.straight, 1, None),
        }
    }

    fn weights(&self) -> Weights {
        let bias = |layer: &Linear| layer.bias.as_ref().map_or(Vec::new(), |bias| numbers(bias.val()));
        let first = numbers(self.first.weight.val());
        let fixed = "layers keep their widths";
        Weights {
            first: first.as_chunks::<UNITS>().0.as_chunks::<COUNTS>().0.to_vec().leak(),
            first_bias: bias(&self.first).try_into().expect(fixed),
            second: numbers(self.second.weight.val()).as_chunks().0.try_into().expect(fixed),
            second_bias: bias(&self.second).try_into().expect(fixed),
            last: numbers(self.last.weight.val()).try_into().expect(fixed),
            straight: numbers(self.straight.weight.val()).try_into().expect(fixed),
        }
    }

    /// The score of every seat, `[rows, players]`.
    fn scores(&self, counts: &Tensor<2>) -> Tensor<2> {
        let width = counts.dims()[1];
        let score = |from: usize| {
            let part = |from: usize, length: usize| counts.clone().narrow(1, from, length);
            let turned = match from {
                0 => counts.clone(),
                _ => Tensor::cat(vec![part(from, width - from), part(0, from)], 1),
            };
            let units = relu(self.second.forward(relu(self.first.forward(turned))));
            self.last.forward(units) + self.straight.forward(part(from, COUNTS))
        };
        Tensor::cat((0..width).step_by(COUNTS).map(score).collect(), 1)
    }

    /// The logarithm of the player's chance to win beside its chance not to, `[rows, 1]`.
    fn odds(&self, counts: &Tensor<2>) -> Tensor<2> {
        let scores = self.scores(counts);
        let others = scores.dims()[1] - 1;
        scores.clone().narrow(1, 0, 1) - scores.narrow(1, 1, others).exp().sum_dim(1).log()
    }

    /// Its gradient is that of the logistic loss of every plan, but for the part that counts less.
    fn loss_of_plans(&self, turns: &[&Vec<Tried>], scale: &Scale, device: &Device) -> Tensor<1> {
        let plans = turns.iter().flat_map(|turn| turn.iter()).map(|plan| &plan.counts);
        let odds = self.odds(&scale.tensor(plans, device));
        let chances: Vec<f32> = numbers(odds.clone()).into_iter().map(chance).collect();
        let mut errors = Vec::with_capacity(chances.len());
        for turn in turns {
            let from = errors.len();
            errors.extend(chances[from..].iter().zip(turn.iter()).map(|(chance, plan)| chance - plan.led_to));
            let in_common = IN_COMMON * errors[from..].iter().sum::<f32>() / turn.len() as f32;
            errors[from..].iter_mut().for_each(|error| *error -= in_common);
        }
        let rows = errors.len();
        (odds * Tensor::from_data(TensorData::new(errors, [rows, 1]), device)).sum()
    }

    /// Minus the logarithm of the chance that was given to what happened.
    fn loss_of_ends(&self, ends: &[&Ended], scale: &Scale, device: &Device) -> Tensor<1> {
        let scores = self.scores(&scale.tensor(ends.iter().map(|end| &end.counts), device));
        let shares: Vec<f32> = ends.iter().flat_map(|end| &end.shares).copied().collect();
        let shares = Tensor::<2>::from_data(TensorData::new(shares, scores.dims()), device);
        (log_softmax(scores, 1) * shares).sum() * -OF_ENDS
    }

    /// How well the odds go with what the plans of a turn led to, and what is lost by going by them.
    fn told(&self, turns: &[Vec<Tried>], scale: &Scale, device: &Device) -> String {
        if turns.is_empty() {
            return "too few turns to ask".to_owned();
        }
        let plans = turns.iter().flatten().map(|plan| &plan.counts);
        let chances: Vec<f32> =
            numbers(self.odds(&scale.tensor(plans, device))).into_iter().map(chance).collect();
        let (mut both, mut told, mut found, mut lost, mut from) = (0.0, 0.0, 0.0, 0.0, 0);
        for turn in turns {
            let here = &chances[from..][..turn.len()];
            from += turn.len();
            let number = turn.len() as f32;
            let chance_mean = here.iter().sum::<f32>() / number;
            let led_to_mean = turn.iter().map(|plan| plan.led_to).sum::<f32>() / number;
            for (chance, plan) in here.iter().zip(turn) {
                let (chance, led_to) = (chance - chance_mean, plan.led_to - led_to_mean);
                both += chance * led_to;
                told += chance * chance;
                found += led_to * led_to;
            }
            let chosen = here.iter().zip(turn).max_by(|one, other| one.0.total_cmp(other.0));
            let most = turn.iter().map(|plan| plan.led_to).fold(0.0, f32::max);
            lost += most - chosen.map_or(most, |(_, plan)| plan.led_to);
        }
        let correlation = both / (told * found).sqrt().max(f32::MIN_POSITIVE);
        format!(
            "correlation {correlation:.3} within turns, {:.4} lost by the choice",
            lost / turns.len() as f32
        )
    }
}

fn chance(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

fn numbers<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    tensor.into_data().try_into_vec().expect("tensors hold single precision")
}
