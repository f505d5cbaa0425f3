//! The improved policy improves.

use nodarium_env::calibration::tictactoe::TicTacToe;
use nodarium_env::{Game, Mask};

use crate::evaluators::{Judge, exact, exact_after, exact_of_view, noise};
use crate::{greedy, random_states, search};
use nodarium_agent::search::Options;

/// One look at every action is enough for an evaluator that is always right, whatever its prior.
#[test]
fn with_perfect_values_every_choice_is_optimal() {
    let perfect = Judge::new::<TicTacToe>(|view, logits, values| {
        let value = exact_of_view(view);
        values.copy_from_slice(&[value, -value]);
        for (i, logit) in logits.iter_mut().enumerate() {
            *logit = noise(view, i as u64);
        }
    });
    for game in random_states::<TicTacToe>(100) {
        let mut mask = Mask::EMPTY;
        game.legal(&mut mask);
        let found = search(&game, &perfect, greedy(mask.count()));
        assert_eq!(exact_after(&game, found.actions[0]), exact(&game), "{:?} in {game:?}", found.actions[0]);
    }
}

/// With a perfect prior as well, looking deeper does not lead astray.
#[test]
fn with_perfect_knowledge_every_choice_stays_optimal() {
    let perfect = Judge::new::<TicTacToe>(|view, logits, values| {
        let value = exact_of_view(view);
        values.copy_from_slice(&[value, -value]);
        let mut next = [0.0; 18];
        for cell in 0..9 {
            // After the ply the other seat looks: the sides change places.
            next[..9].copy_from_slice(&view[9..]);
            next[9..].copy_from_slice(&view[..9]);
            next[9 + cell] = 1.0;
            let free = view[cell] + view[9 + cell] == 0.0;
            logits[cell] = if free && exact_of_view(&next) == -value { 0.0 } else { -8.0 };
        }
    });
    for simulations in [8, 32, 128] {
        for game in random_states::<TicTacToe>(50) {
            let found = search(&game, &perfect, greedy(simulations));
            assert_eq!(exact_after(&game, found.actions[0]), exact(&game), "in {game:?}: {found:?}");
        }
    }
}

/// Logits of noise and values that are right up to noise: what the improved policy gets under perfect play afterwards
/// is at least what the prior gets, nearly everywhere and by far on average.
#[test]
fn with_noisy_knowledge_the_improved_policy_is_not_worse_than_the_prior() {
    let noisy = |view: &[f32], logits: &mut [f32], values: &mut [f32]| {
        let value = 0.6 * exact_of_view(view) + 0.3 * noise(view, 99);
        values.copy_from_slice(&[value, -value]);
        for (i, logit) in logits.iter_mut().enumerate() {
            *logit = 2.0 * noise(view, i as u64);
        }
    };
    let judge = Judge::new::<TicTacToe>(noisy);
    for gumbel_scale in [0.0, 1.0] {
        let (mut gain, mut worse, mut states) = (0.0, 0, 0);
        for game in random_states::<TicTacToe>(80) {
            let mut mask = Mask::EMPTY;
            game.legal(&mut mask);
            let (mut view, mut logits, mut values) = ([0.0; 18], [0.0; 9], [0.0; 2]);
            game.observe(game.to_move().expect("it goes on"), &mut view);
            noisy(&view, &mut logits, &mut values);
            let sum: f32 = mask.iter().map(|a| logits[a.index()].exp()).sum();
            let prior: f32 = mask.iter().map(|a| logits[a.index()].exp() / sum * exact_after(&game, a)).sum();
            let found = search(&game, &judge, Options { gumbel_scale, ..greedy(32) });
            let improved: f32 =
                found.legal.iter().zip(&found.policy).map(|(&a, p)| p * exact_after(&game, a)).sum();
            gain += improved - prior;
            worse += usize::from(improved < prior - 0.02);
            states += 1;
        }
        assert!(gain / states as f32 > 0.15, "mean gain {} over {states} states", gain / states as f32);
        assert!(worse * 20 < states, "worse in {worse} of {states} states");
    }
}

/// With noise the choice is a sample: over many keys each action is chosen about as often as its prior says when values
/// say nothing.
#[test]
fn without_values_choices_follow_the_prior() {
    use nodarium_agent::Query;
    use nodarium_agent::search::{Found, Search};
    let judge = Judge::new::<TicTacToe>(|_, logits, _| logits[0] = 2.0);
    let game: TicTacToe = crate::played(&[]);
    let queries: Vec<_> = (0..4_000).map(|key| Query { game: &game, key, ply: 0 }).collect();
    let options = Options { simulations: 0, ..Options::default() };
    let mut found = Found::default();
    Search::new(&Default::default(), options)
        .expect("good options")
        .run(&judge, &queries, &mut found)
        .expect("fits");
    let share = found.actions.iter().filter(|a| a.0 == 0).count() as f64 / queries.len() as f64;
    let prior = 2_f64.exp() / (2_f64.exp() + 8.0);
    let deviation = (prior * (1.0 - prior) / queries.len() as f64).sqrt();
    assert!((share - prior).abs() < 4.0 * deviation, "{share} against {prior}");
}
