//! What the network learns from some positions of the window: the policy that search found there and what came of it.

use std::sync::OnceLock;

use nodarium_agent::network::Shape;
use nodarium_agent::network::softmax::masked_log_softmax;
use nodarium_env::{Action, Game, Mask, Symmetry};

use super::window::{Place, Window};
use crate::descent::Objective;
use crate::keep;

/// A position to learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// Where it is in the window.
    pub place: Place,
    /// The symmetry to see it under.
    pub symmetry: usize,
}

/// A minibatch: the positions come back by playing their games again, on whichever thread needs them.
pub struct Lesson<'a, G: Game> {
    rules: &'a G::Rules,
    seed: u64,
    symmetries: &'a [Symmetry],
    window: &'a Window,
    stakes: Stakes,
    draws: &'a [Draw],
    /// `[draws]`: what came to light when the observation was asked for.
    targets: Vec<OnceLock<Target>>,
}

/// How values are learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stakes {
    /// The weight of the value loss.
    pub weight: f32,
    /// The share that a target takes from the search's value instead of the outcome.
    pub from_search: f32,
}

/// What the network should say about a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Target {
    /// What is legal.
    pub legal: Mask,
    /// The legal actions from the smallest, with their shares; empty after a cheap search.
    pub policy: Vec<(Action, f32)>,
    /// The returns: the viewer's, then the others' in the order of play.
    pub values: Vec<f32>,
}

/// What the rows of a lesson tell, summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// Rows.
    pub rows: f64,
    /// Rows whose policy is learned.
    pub policies: f64,
    /// Cross entropy of the target and the network.
    pub policy: f64,
    /// Entropy of the target.
    pub target_entropy: f64,
    /// Entropy of the network.
    pub entropy: f64,
    /// Squared error of the values, mean over the seats.
    pub value: f64,
    /// The viewer's target, its square, the viewer's error, its square.
    pub moments: [f64; 4],
}

impl<'a, G: Game> Lesson<'a, G> {
    /// The positions of a window that were drawn, seen under these symmetries of the game.
    pub fn new(
        rules: &'a G::Rules,
        seed: u64,
        symmetries: &'a [Symmetry],
        window: &'a Window,
        stakes: Stakes,
        draws: &'a [Draw],
    ) -> Self {
        let targets = draws.iter().map(|_| OnceLock::new()).collect();
        Self { rules, seed, symmetries, window, stakes, draws, targets }
    }

    /// Writes the observation of a row and returns what the network should say about it.
    pub fn position(&self, row: usize, observation: &mut [f32]) -> Target {
        let Draw { place, symmetry } = self.draws[row];
        let played = &self.window.games()[place.game];
        let game: G = played.replay(self.rules, self.seed, place.ply);
        let seat = game.to_move().expect("a game goes on before each of its plies");
        game.observe(seat, observation);
        let mut legal = Mask::EMPTY;
        game.legal(&mut legal);
        let seats = played.returns().len();
        let target = Target {
            legal,
            policy: legal.iter().zip(played.policy(place.ply)).collect(),
            values: (0..seats).map(|seat| played.target(place.ply, seat, self.stakes.from_search)).collect(),
        };
        turned(&self.symmetries[symmetry], symmetry > 0, seat.index(), observation, target)
    }
}

impl<G: Game> Lesson<'_, G> {
    /// All of the lesson as tensors, for study: `observations`, `legal` (1 or 0), `policy`, `values`.
    pub fn to_safetensors(&self, shape: &Shape) -> Vec<u8> {
        let rows = self.draws.len();
        let widths = [shape.observation, shape.actions, shape.actions, shape.seats];
        let mut tensors = widths.map(|width| vec![0.0_f32; rows * width]);
        let [observations, legal, policy, values] = &mut tensors;
        for row in 0..rows {
            let target =
                self.position(row, &mut observations[row * shape.observation..][..shape.observation]);
            target.legal.iter().for_each(|action| legal[row * shape.actions + action.index()] = 1.0);
            for (action, share) in target.policy {
                policy[row * shape.actions + action.index()] = share;
            }
            values[row * shape.seats..][..shape.seats].copy_from_slice(&target.values);
        }
        let named = ["observations", "legal", "policy", "values"].into_iter().zip(widths).zip(tensors);
        keep::floats(named.map(|((name, width), numbers)| {
            let bytes = numbers.into_iter().flat_map(f32::to_le_bytes).collect();
            (name.to_owned(), vec![rows, width], bytes)
        }))
    }
}

/// Turns an observation and its target over by a symmetry. Their values come in by seat, seat 0 first, and go out as the
/// viewer's network tells them.
fn turned(
    symmetry: &Symmetry,
    moves: bool,
    viewer: usize,
    observation: &mut [f32],
    mut target: Target,
) -> Target {
    if moves {
        let before = observation.to_vec();
        for (number, &to) in before.into_iter().zip(&symmetry.observation) {
            observation[to as usize] = number;
        }
        let to = |action: Action| Action(symmetry.actions[action.index()]);
        target.legal = target.legal.iter().map(to).collect();
        target.policy.iter_mut().for_each(|(action, _)| *action = to(*action));
        target.policy.sort_unstable_by_key(|&(action, _)| action);
        let before = target.values.clone();
        for (value, &to) in before.into_iter().zip(&symmetry.seats) {
            target.values[usize::from(to)] = value;
        }
        target.values.rotate_left(symmetry.seats[viewer].into());
    } else {
        target.values.rotate_left(viewer);
    }
    target
}

impl<G: Game> Objective for Lesson<'_, G> {
    type Sums = Sums;

    fn observe(&self, row: usize, observation: &mut [f32]) {
        let target = self.position(row, observation);
        // Whoever asks twice finds the same.
        let _ = self.targets[row].set(target);
    }

    fn row(
        &self,
        row: usize,
        logits: &[f32],
        values: &[f32],
        by_logits: &mut [f32],
        by_values: &mut [f32],
        sums: &mut Sums,
    ) {
        let target = self.targets[row].get().expect("a row is observed before it is judged");
        target.judge(self.stakes.weight, logits, values, by_logits, by_values, sums);
    }

    fn add(into: &mut Sums, more: Sums) {
        into.rows += more.rows;
        into.policies += more.policies;
        into.policy += more.policy;
        into.target_entropy += more.target_entropy;
        into.entropy += more.entropy;
        into.value += more.value;
        into.moments.iter_mut().zip(more.moments).for_each(|(sum, more)| *sum += more);
    }
}

impl Target {
    /// The loss of what the network says: the cross entropy of its policy, and the squared error of its values, mean over
    /// the seats, with that weight.
    pub fn judge(
        &self,
        weight: f32,
        logits: &[f32],
        values: &[f32],
        by_logits: &mut [f32],
        by_values: &mut [f32],
        sums: &mut Sums,
    ) {
        sums.rows += 1.0;
        if !self.policy.is_empty() {
            sums.policies += 1.0;
            masked_log_softmax(logits, &self.legal, by_logits);
            for &(action, share) in &self.policy {
                let logarithm = by_logits[action.index()];
                sums.policy -= f64::from(share * logarithm);
                sums.entropy -= f64::from(logarithm.exp() * logarithm);
                if share > 0.0 {
                    sums.target_entropy -= f64::from(share * share.ln());
                }
                by_logits[action.index()] = logarithm.exp() - share;
            }
            // What is illegal has a logarithm of minus infinity, and no part in the loss.
            for by_logit in by_logits {
                if *by_logit == f32::NEG_INFINITY {
                    *by_logit = 0.0;
                }
            }
        }
        let seats = values.len() as f32;
        for ((by_value, value), target) in by_values.iter_mut().zip(values).zip(&self.values) {
            let error = value - target;
            sums.value += f64::from(error * error / seats);
            *by_value = weight * 2.0 * error / seats;
        }
        let (target, error) = (f64::from(self.values[0]), f64::from(values[0] - self.values[0]));
        let moments = [target, target * target, error, error * error];
        sums.moments.iter_mut().zip(moments).for_each(|(sum, moment)| *sum += moment);
    }
}

impl Sums {
    /// How much of the viewer's outcome the network tells beforehand: 1 all, 0 nothing, negative worse than a constant.
    pub fn explained_variance(&self) -> f64 {
        let [target, target_square, error, error_square] = self.moments.map(|sum| sum / self.rows.max(1.0));
        let variance = target_square - target * target;
        if variance > 0.0 { 1.0 - (error_square - error * error) / variance } else { 0.0 }
    }

    /// How far the network's policy is from the target (Kullback–Leibler).
    pub fn divergence(&self) -> f64 {
        (self.policy - self.target_entropy) / self.policies.max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use nodarium_env::games::starduel::StarDuel;
    use nodarium_env::rng::Purpose;
    use nodarium_env::{Rng, Seat, random_action};

    use super::*;

    fn mask(actions: &[u16]) -> Mask {
        actions.iter().map(|&action| Action(action)).collect()
    }

    /// The loss of one row, in double precision and without derivatives.
    fn loss(target: &Target, weight: f64, logits: &[f64], values: &[f64]) -> f64 {
        let sum: f64 = target.legal.iter().map(|action| logits[action.index()].exp()).sum();
        let policy = target
            .policy
            .iter()
            .map(|&(action, share)| -f64::from(share) * (logits[action.index()].exp() / sum).ln());
        let errors = values.iter().zip(&target.values).map(|(value, &target)| value - f64::from(target));
        policy.sum::<f64>() + weight * errors.map(|error| error * error).sum::<f64>() / values.len() as f64
    }

    #[test]
    fn derivatives_are_those_of_the_loss() {
        let full = Target {
            legal: mask(&[0, 2, 3]),
            policy: vec![(Action(0), 0.5), (Action(2), 0.5), (Action(3), 0.0)],
            values: vec![0.25, -0.75, 0.5],
        };
        let cheap = Target { policy: vec![], ..full.clone() };
        let (logits, values) = ([0.3_f32, 5.0, -1.2, 0.8], [0.1_f32, 0.2, -0.3]);
        for target in [full, cheap] {
            let (mut by_logits, mut by_values, mut sums) = ([0.0; 4], [0.0; 3], Sums::default());
            target.judge(0.7, &logits, &values, &mut by_logits, &mut by_values, &mut sums);
            let wide = |numbers: &[f32]| numbers.iter().map(|&x| f64::from(x)).collect::<Vec<f64>>();
            let at = |nudged: usize, by: f64| {
                let (mut logits, mut values) = (wide(&logits), wide(&values));
                let all = logits.iter_mut().chain(&mut values);
                *all.into_iter().nth(nudged).unwrap() += by;
                loss(&target, 0.7, &logits, &values)
            };
            for (i, &derivative) in by_logits.iter().chain(&by_values).enumerate() {
                let slope = (at(i, 1e-5) - at(i, -1e-5)) / 2e-5;
                assert!((slope - f64::from(derivative)).abs() < 1e-5, "{i}: {slope} {derivative}");
            }
            let told = sums.policy + 0.7 * sums.value;
            // 0.7 in single precision is a little less.
            assert!((told - at(0, 0.0)).abs() < 1e-5, "{told} {}", at(0, 0.0));
        }
    }

    #[test]
    fn logits_beyond_all_bounds_leave_the_derivatives_finite() {
        let target = Target {
            legal: mask(&[0, 1]),
            policy: vec![(Action(0), 0.5), (Action(1), 0.5)],
            values: vec![0.0],
        };
        let (mut by_logits, mut by_values) = ([0.0; 3], [0.0; 1]);
        let logits = [f32::MAX, f32::MIN, f32::INFINITY];
        target.judge(1.0, &logits, &[0.0], &mut by_logits, &mut by_values, &mut Sums::default());
        assert_eq!((by_logits, by_values), ([0.5, -0.5, 0.0], [0.0]));
    }

    #[test]
    fn a_perfect_prophet_explains_all_and_a_constant_nothing() {
        let mut sums = [Sums::default(); 2];
        for outcome in [1.0, -1.0, 1.0] {
            let target = Target { values: vec![outcome], ..Target::default() };
            for (sums, says) in sums.iter_mut().zip([outcome, 0.2]) {
                target.judge(1.0, &[], &[says], &mut [], &mut [0.0], sums);
            }
        }
        assert!((sums[0].explained_variance() - 1.0).abs() < 1e-9);
        assert!(sums[1].explained_variance().abs() < 1e-6);
    }

    /// The image of a position has the image of its observation, its legal actions and its values by the image's own
    /// seats, also where the symmetry exchanges the seats.
    #[test]
    fn a_symmetry_that_exchanges_seats_takes_the_values_along() {
        let rules = Default::default();
        let spec = StarDuel::spec(&rules);
        assert!(spec.symmetries.iter().any(|symmetry| symmetry.seats != [0, 1]), "one exchanges seats");
        let mut compared = 0;
        for deal in 0..20 {
            let mut game = StarDuel::deal(&rules, &mut Rng::keyed(Purpose::Deal, 1, deal, 0));
            let mut choices = Rng::keyed(Purpose::Choice, 1, deal, 0);
            while let Some(seat) = game.to_move() {
                for (number, symmetry) in spec.symmetries.iter().enumerate() {
                    let (image, viewer) = (game.transform(number), Seat(symmetry.seats[seat.index()]));
                    // Where a commitment is asked for in a fixed order, another seat is to act.
                    if image.to_move() != Some(viewer) {
                        continue;
                    }
                    let mut legal = Mask::EMPTY;
                    game.legal(&mut legal);
                    let policy = legal.iter().map(|action| (action, f32::from(action.0))).collect();
                    let target = Target { legal, policy, values: vec![0.25, -0.25] };
                    let mut observation = vec![0.0; spec.observation.len()];
                    game.observe(seat, &mut observation);
                    let target = turned(symmetry, number > 0, seat.index(), &mut observation, target);
                    let mut expected = vec![0.0; spec.observation.len()];
                    image.observe(viewer, &mut expected);
                    assert_eq!(observation, expected);
                    image.legal(&mut legal);
                    assert_eq!(target.legal, legal);
                    assert!(target.policy.iter().map(|&(action, _)| action).eq(legal.iter()));
                    for &(action, share) in &target.policy {
                        assert_eq!(action, Action(symmetry.actions[share as usize]));
                    }
                    let viewers = if seat == Seat(0) { 0.25 } else { -0.25 };
                    assert_eq!(target.values, [viewers, -viewers], "the viewer's own comes first");
                    compared += usize::from(symmetry.seats != [0, 1]);
                }
                game.apply(random_action(&game, &mut choices).unwrap());
            }
        }
        assert!(compared > 0, "some images of exchanged seats were compared");
    }

    #[test]
    fn three_seats_that_are_mirrored_are_told_in_the_image_s_order_of_play() {
        let mut mirror = Symmetry::identity(1, 1, 3);
        mirror.seats = vec![0, 2, 1];
        let target = Target { values: vec![10.0, 11.0, 12.0], ..Target::default() };
        // Seat 1 looks on, and its image is seat 2: behind it come the images of seats 0 and 2, which are 0 and 1.
        let image = turned(&mirror, true, 1, &mut [0.0], target.clone());
        assert_eq!(image.values, [11.0, 10.0, 12.0]);
        assert_eq!(turned(&mirror, false, 1, &mut [0.0], target).values, [11.0, 12.0, 10.0]);
    }
}
