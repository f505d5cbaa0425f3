//! Finds the weights of `shuter`'s judgement by play: `cargo run --release -p nodarium-env --example judge_shuter > weights`.
//!
//! Round by round the judgement plays itself, some plies at random, and its weights are fitted to who won (logistic regression on
//! every position between two turns). The first round knows that points and income are good. `GAMES` and `ROUNDS` may be given
//! as arguments; seven rounds of 20,000 games take some ten minutes.

use nodarium_env::games::shuter::judgement::{FEATURES, Looks, NUMBERS, STAGES, Weights, Worths};
use nodarium_env::games::shuter::{Shuter, ShuterRules};
use nodarium_env::rng::Purpose;
use nodarium_env::{Action, Game, Mask, Rng, random_member};

/// How far apart two worths may be for the lesser one still to be played at times, and the share of random plies: in the first
/// plies of a game, and later.
const TEMPERATURE: f32 = 0.3;
const RANDOM_AT_FIRST: f32 = 0.25;
const FIRST_PLIES: usize = 16;
const RANDOM: f32 = 0.03;
/// How much of a position's aim comes from the later positions of its game; the rest is what the next one looks like.
const LATER: f32 = 0.92;
/// Steps over each position, positions in one, and the rate that falls to nothing.
const EPOCHS: usize = 6;
const BATCH: usize = 512;
const RATE: f32 = 0.01;
const DECAY: f32 = 1e-4;

struct Sample {
    looks: Looks,
    /// How likely the first side is to win.
    aim: f32,
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse().expect("expected a number"));
    let games: u64 = arguments.next().unwrap_or(20_000);
    let rounds = arguments.next().unwrap_or(7);
    let mut weights = first_weights();
    let mut samples = Vec::new();
    for round in 0..rounds {
        // Half of what earlier judgements played is kept.
        samples.drain(..samples.len() / 2);
        (0..games).for_each(|index| play(&weights, round, index, &mut samples));
        let before = loss(&samples, &weights);
        fit(&samples, &mut weights);
        eprintln!(
            "round {round}: {} positions, loss {before:.4}, then {:.4}",
            samples.len(),
            loss(&samples, &weights)
        );
    }
    for stage in &weights {
        println!("{}", stage.map(|weight| format!("{weight:.3}")).join(", "));
    }
}

/// Nodes, captured squares, the largest network, branches and the first cubes of each colour speak for their side.
fn first_weights() -> Weights {
    let mut stage = [0.0; NUMBERS];
    for (number, weight) in
        [(0, 0.6), (1, 0.6), (2, 1.0), (10, 0.1), (11, 0.3), (12, 0.2), (18, 0.3), (19, 0.2)]
    {
        stage[number] = weight;
        stage[FEATURES + number] = -weight;
    }
    [stage; STAGES]
}

/// Plays a game of the judgement against itself and adds its positions.
fn play(weights: &Weights, round: u64, index: u64, samples: &mut Vec<Sample>) {
    let mut rng = Rng::keyed(Purpose::Choice, round, index, 0);
    let mut game = Shuter::deal(&ShuterRules::default(), &mut Rng::keyed(Purpose::Deal, round, index, 0));
    let explores = rng.below(4) > 0;
    let from = samples.len();
    for ply in 0.. {
        if game.to_move().is_none() {
            break;
        }
        let random = if ply < FIRST_PLIES { RANDOM_AT_FIRST } else { RANDOM };
        let mut legal = Mask::EMPTY;
        game.legal(&mut legal);
        let action = if explores && rng.unit() < random {
            random_member(&legal, &mut rng).expect("a game that goes on has an action")
        } else {
            draw(&Worths::at_a_glance(&game, weights), if explores { TEMPERATURE } else { 0.05 }, &mut rng)
        };
        let seat = game.to_move();
        game.apply(action);
        // A turn has ended, or a placement of the start is whole.
        let settled = if ply < 8 { ply % 2 == 1 } else { game.to_move() != seat };
        if settled && game.to_move().is_some() {
            samples.push(Sample { looks: Looks::new(&game), aim: 0.0 });
        }
    }
    let mut returns = [0.0; 2];
    game.returns(&mut returns);
    let mut aim = (returns[0] + 1.0) / 2.0;
    for sample in samples[from..].iter_mut().rev() {
        let of_first = |chance: f32| if sample.looks.first.index() == 0 { chance } else { 1.0 - chance };
        let looks = of_first(chance(sample.looks.weighed(weights)));
        sample.aim = of_first(aim);
        aim = LATER * aim + (1.0 - LATER) * looks;
    }
}

/// Draws an action, the likelier the more it is worth.
fn draw(worths: &Worths, temperature: f32, rng: &mut Rng) -> Action {
    let best = worths.best();
    let shares = worths.by_action.map(|worth| ((worth - best) / temperature).exp());
    let mut left = rng.unit() * shares.iter().sum::<f32>();
    let drawn = shares.iter().position(|share| {
        left -= share;
        left <= 0.0 && *share > 0.0
    });
    let likeliest = || worths.by_action.iter().position(|&worth| worth == best).expect("one is the best");
    Action(drawn.unwrap_or_else(likeliest) as u16)
}

fn chance(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

/// The mean of −log of the chance that was given to what happened.
fn loss(samples: &[Sample], weights: &Weights) -> f64 {
    let of = |sample: &Sample| {
        let chance = chance(sample.looks.weighed(weights)).clamp(1e-6, 1.0 - 1e-6);
        f64::from(-sample.aim * chance.ln() - (1.0 - sample.aim) * (1.0 - chance).ln())
    };
    samples.iter().map(of).sum::<f64>() / samples.len() as f64
}

/// Adam.
fn fit(samples: &[Sample], weights: &mut Weights) {
    let mut rng = Rng::keyed(Purpose::Choice, u64::MAX, 0, 0);
    let (mut mean, mut square) = ([[0.0_f32; NUMBERS]; STAGES], [[0.0_f32; NUMBERS]; STAGES]);
    let steps = samples.len() / BATCH * EPOCHS;
    for step in 0..steps {
        let mut gradient = [[0.0; NUMBERS]; STAGES];
        for _ in 0..BATCH {
            let Sample { looks, aim } = &samples[rng.below(samples.len() as u32) as usize];
            let error = (chance(looks.weighed(weights)) - aim) / BATCH as f32;
            for (gradient, part) in gradient.iter_mut().zip(looks.stages).filter(|(_, part)| *part > 0.0) {
                gradient
                    .iter_mut()
                    .zip(looks.numbers)
                    .for_each(|(sum, number)| *sum += error * part * number);
            }
        }
        let time = step as i32 + 1;
        let rate = RATE * (1.0 - step as f32 / steps as f32);
        let moments = mean.as_flattened_mut().iter_mut().zip(square.as_flattened_mut());
        for ((weight, gradient), (mean, square)) in
            weights.as_flattened_mut().iter_mut().zip(gradient.as_flattened()).zip(moments)
        {
            let gradient = gradient + DECAY * *weight;
            *mean += 0.1 * (gradient - *mean);
            *square += 0.001 * (gradient * gradient - *square);
            let size = (*square / (1.0 - 0.999_f32.powi(time))).sqrt() + 1e-8;
            *weight -= rate * *mean / (1.0 - 0.9_f32.powi(time)) / size;
        }
    }
}
