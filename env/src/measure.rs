//! Counts that pin a game down: perft and the signature.

use crate::rng::Purpose;
use crate::{Game, Mask, Rng, random_member};

/// How many sequences of exactly `depth` legal actions start here.
pub fn perft<G: Game>(game: &G, depth: u32) -> u64 {
    let mut mask = Mask::EMPTY;
    game.legal(&mut mask);
    match depth {
        0 => 1,
        1 => u64::from(mask.count()),
        _ => mask
            .iter()
            .map(|action| {
                let mut next = game.clone();
                next.apply(action);
                perft(&next, depth - 1)
            })
            .sum(),
    }
}

/// A hash over everything that `games` games of random play with seed 0 show: masks, seats, actions, observations,
/// returns, ends. A refactor keeps it; a change of the rules or of the encoding names it.
pub fn signature<G: Game>(rules: &G::Rules, games: u64) -> u64 {
    let spec = G::spec(rules);
    let mut hash = Fnv::default();
    let mut observation = vec![0.0; spec.observation.len()];
    let mut returns = vec![0.0; spec.seats];
    let mut mask = Mask::EMPTY;
    for index in 0..games {
        let mut game = G::deal(rules, &mut Rng::keyed(Purpose::Deal, 0, index, 0));
        let mut choices = Rng::keyed(Purpose::Choice, 0, index, 0);
        while let Some(seat) = game.to_move() {
            game.observe(seat, &mut observation);
            observation.iter().for_each(|x| hash.add(u64::from(x.to_bits())));
            game.legal(&mut mask);
            mask.iter().for_each(|action| hash.add(u64::from(action.0)));
            let action = random_member(&mask, &mut choices).expect("a game that goes on has a legal action");
            hash.add(u64::from(seat.0) << 32 | u64::from(action.0));
            game.apply(action);
        }
        game.returns(&mut returns);
        returns.iter().for_each(|x| hash.add(u64::from(x.to_bits())));
        hash.add(game.end().map_or(0, |end| u64::from(end.0)));
    }
    hash.0
}

/// FNV-1a over 64-bit words: short, stable for good, and nobody attacks it here.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
    }
}
