//! An evaluator that looks at a position from every side.

use std::cell::RefCell;

use nodarium_env::Spec;

use crate::Evaluator;

/// Asks another evaluator about every image of a position under the game's symmetries and answers with the mean.
///
/// To the game the images are the same position; to a network that has not learned that perfectly they are so many opinions,
/// and their mean is better than each. A position costs as many questions as there are images. Symmetries that exchange the
/// seats are left out: who acts first may depend on the seat.
#[derive(Clone, Debug)]
pub struct Symmetric<E> {
    inner: E,
    images: Vec<Image>,
}

/// Where the numbers of a position and its actions go.
#[derive(Clone, Debug)]
struct Image {
    observation: Vec<u32>,
    actions: Vec<u16>,
}

/// Room for one image of all positions of a call.
#[derive(Default)]
struct Room {
    observations: Vec<f32>,
    logits: Vec<f32>,
    values: Vec<f32>,
}

thread_local! {
    static ROOM: RefCell<Room> = RefCell::default();
}

impl<E: Evaluator> Symmetric<E> {
    /// Looks at positions of this game through the evaluator, which is made for it.
    pub fn new(spec: &Spec, inner: E) -> Self {
        let stays = |seats: &[u8]| seats.iter().enumerate().all(|(from, &to)| from == usize::from(to));
        let images = spec.symmetries.iter().filter(|symmetry| stays(&symmetry.seats));
        let images = images.map(|symmetry| Image {
            // Insights stay behind the observation, so that an evaluator without them reads the beginning.
            observation: symmetry.observation[..inner.observation()].to_vec(),
            actions: symmetry.actions.clone(),
        });
        Self { images: images.collect(), inner }
    }

    /// How many images a position has, itself included.
    pub fn images(&self) -> usize {
        self.images.len()
    }
}

impl<E: Evaluator> Evaluator for Symmetric<E> {
    fn observation(&self) -> usize {
        self.inner.observation()
    }

    fn actions(&self) -> usize {
        self.inner.actions()
    }

    fn seats(&self) -> usize {
        self.inner.seats()
    }

    fn evaluate(&self, observations: &[f32], logits: &mut [f32], values: &mut [f32]) {
        let (width, actions) = (self.observation(), self.actions());
        logits.fill(0.0);
        values.fill(0.0);
        ROOM.with_borrow_mut(|room| {
            room.observations.resize(observations.len(), 0.0);
            room.logits.resize(logits.len(), 0.0);
            room.values.resize(values.len(), 0.0);
            for Image { observation: places, actions: moved } in &self.images {
                let rows = observations.chunks_exact(width).zip(room.observations.chunks_exact_mut(width));
                for (row, image) in rows {
                    row.iter().zip(places).for_each(|(&number, &to)| image[to as usize] = number);
                }
                self.inner.evaluate(&room.observations, &mut room.logits, &mut room.values);
                let rows = logits.chunks_exact_mut(actions).zip(room.logits.chunks_exact(actions));
                for (row, image) in rows {
                    row.iter_mut().zip(moved).for_each(|(sum, &to)| *sum += image[usize::from(to)]);
                }
                values.iter_mut().zip(&room.values).for_each(|(sum, value)| *sum += value);
            }
        });
        let share = 1.0 / self.images.len() as f32;
        logits.iter_mut().chain(values).for_each(|sum| *sum *= share);
    }
}

#[cfg(test)]
mod tests {
    use nodarium_env::games::kato::Kato;
    use nodarium_env::games::shuter::Shuter;
    use nodarium_env::games::starduel::StarDuel;
    use nodarium_env::rng::Purpose;
    use nodarium_env::{Game, Rng, random_action};

    use super::*;
    use crate::network::{Inference, NetworkConfig, Shape, Weights};

    fn evaluator<G: Game>() -> Symmetric<Inference> {
        let spec = G::spec(&G::Rules::default());
        let config = NetworkConfig { width: 8, layers: 1, ..NetworkConfig::default() };
        let mut weights = Weights::draw(config, Shape::of(&spec), 1).unwrap();
        let mut rng = Rng::keyed(Purpose::Weights, 2, 0, 0);
        for (.., numbers) in weights.tensors_mut() {
            numbers.iter_mut().for_each(|number| *number += 0.2 * (rng.unit() - 0.5));
        }
        Symmetric::new(&spec, Inference::new(&weights))
    }

    /// What is thought of an image is the image of what is thought.
    fn images_are_judged_alike<G: Game>() {
        let spec = G::spec(&G::Rules::default());
        let evaluator = evaluator::<G>();
        let ask = |game: &G| {
            let mut observation = vec![0.0; spec.observation.len()];
            let (mut logits, mut values) = (vec![0.0; spec.actions()], vec![0.0; spec.seats]);
            game.observe(game.to_move().unwrap(), &mut observation);
            evaluator.evaluate(&observation, &mut logits, &mut values);
            (logits, values)
        };
        let mut rng = Rng::keyed(Purpose::Choice, 3, 0, 0);
        let mut game = G::deal(&G::Rules::default(), &mut rng);
        for _ in 0..20 {
            game.apply(random_action(&game, &mut rng).unwrap());
        }
        let (logits, values) = ask(&game);
        assert!(logits.iter().any(|logit| logit.abs() > 0.01), "the network says something");
        for (number, symmetry) in spec.symmetries.iter().enumerate() {
            let (image_logits, image_values) = ask(&game.transform(number));
            for (action, &logit) in logits.iter().enumerate() {
                let image = image_logits[usize::from(symmetry.actions[action])];
                assert!((logit - image).abs() < 1e-4, "{}, action {action}", symmetry.name);
            }
            assert!(values.iter().zip(&image_values).all(|(a, b)| (a - b).abs() < 1e-4));
        }
    }

    #[test]
    fn every_image_of_a_position_is_judged_alike() {
        images_are_judged_alike::<Kato>();
        images_are_judged_alike::<Shuter>();
    }

    #[test]
    fn symmetries_that_exchange_seats_are_left_out() {
        assert_eq!(evaluator::<StarDuel>().images(), 1);
        assert_eq!(evaluator::<Kato>().images(), 12);
    }
}
