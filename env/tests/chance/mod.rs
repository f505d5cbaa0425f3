//! Whether chance is fair: chi-square tests on deals and on redealt worlds.

use std::collections::HashMap;
use std::hash::Hash;

use nodarium_env::calibration::{EnumeratedDeals, NoOptions};
use nodarium_env::rng::Purpose;
use nodarium_env::{Game, Rng, Seat};

/// Draws of each possible outcome, on average.
const EACH: usize = 1_000;

/// The listed deals are `expected` different ones whose probabilities sum to 1, and `deal` gives all of them equally
/// often.
pub fn deals_are_uniform<G: EnumeratedDeals<Rules = NoOptions> + Eq + Hash>(expected: usize) {
    let listed = G::deals(&NoOptions {});
    assert_eq!(listed.len(), expected);
    assert!((listed.iter().map(|(p, _)| p).sum::<f64>() - 1.0).abs() < 1e-12);
    assert!(listed.iter().all(|(p, _)| *p == listed[0].0));
    let seen = counted(expected, |index| G::deal(&NoOptions {}, &mut Rng::keyed(Purpose::Deal, 5, index, 0)));
    assert!(listed.iter().all(|(_, game)| seen.contains_key(game)), "a listed deal is never dealt");
    check(&seen, expected);
}

/// What `seat` cannot see takes `expected` different forms, all equally often.
pub fn redeals_are_uniform<G: Game + Eq + Hash>(game: &G, seat: Seat, expected: usize) {
    let mut rng = Rng::keyed(Purpose::World, 5, 0, 0);
    let redealt = |_| {
        let mut world = game.clone();
        world.redeal_hidden(seat, &mut rng);
        world
    };
    check(&counted(expected, redealt), expected);
}

fn counted<T: Eq + Hash>(outcomes: usize, draw: impl FnMut(u64) -> T) -> HashMap<T, usize> {
    let mut seen = HashMap::new();
    (0..(outcomes * EACH) as u64).map(draw).for_each(|drawn| *seen.entry(drawn).or_insert(0) += 1);
    seen
}

fn check<T>(seen: &HashMap<T, usize>, expected: usize) {
    assert_eq!(seen.len(), expected, "outcomes that occur");
    let mean = EACH as f64;
    let chi2: f64 = seen.values().map(|&n| (n as f64 - mean).powi(2) / mean).sum();
    let freedom = (expected - 1) as f64;
    // Wilson and Hilferty's estimate of the quantile 0.999.
    let (spread, quantile) = (2.0 / (9.0 * freedom.max(1.0)), 3.09);
    let limit = freedom.max(1.0) * (1.0 - spread + quantile * spread.sqrt()).powi(3);
    assert!(chi2 < limit, "chi-square {chi2} with {freedom} degrees of freedom: beyond 1 in 1,000");
}
