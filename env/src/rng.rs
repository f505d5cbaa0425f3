//! Random streams: seeded, portable, keyed by what they are for.

use rand::Rng as _;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// What a stream is used for. Two purposes with the same key never share numbers, so that two agents can be
/// shown the same deals whatever they draw for themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// The deal of a game.
    Deal = 0,
    /// The choices of an agent.
    Choice = 1,
    /// Worlds that a searching agent imagines (`redeal_hidden`).
    World = 2,
    /// The first weights of a network.
    Weights = 3,
    /// The symmetry under which a learner sees a game or a position.
    Symmetry = 4,
    /// The order in which a learner goes over what was played.
    Order = 5,
    /// Random play from a position to the end, beside a network's judgement of it.
    Rollout = 6,
}

/// A stream of random numbers that is the same on every machine, for every number of threads.
///
/// The 256-bit ChaCha key *is* the quadruple (purpose, seed, slot, episode): different quadruples give independent
/// streams, and nothing else (thread, time, history) goes in. The functions that turn bits into choices are our
/// own, because a library is free to change how it spends bits, and then old seeds would tell other games.
#[derive(Clone, Debug)]
pub struct Rng(ChaCha8Rng);

impl Rng {
    /// The stream of one game: `slot` is its place in a batch or its index in a series, `episode` counts the
    /// games played in that slot.
    pub fn keyed(purpose: Purpose, seed: u64, slot: u64, episode: u64) -> Self {
        let mut key = [0; 32];
        for (bytes, word) in key.chunks_exact_mut(8).zip([purpose as u64, seed, slot, episode]) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Self(ChaCha8Rng::from_seed(key))
    }

    /// The next 32 bits.
    #[inline]
    pub fn bits(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// A number below `n`, all equally likely (Lemire's multiply-and-reject).
    ///
    /// # Panics
    /// When `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "a number below 0 was asked for");
        loop {
            let wide = u64::from(self.bits()) * u64::from(n);
            let low = wide as u32;
            // The exact threshold costs a division; almost always the cheap test shows that it is not needed.
            if low >= n || low >= n.wrapping_neg() % n {
                return (wide >> 32) as u32;
            }
        }
    }

    /// A number in [0, 1) with 24 random bits, every one of them exact in `f32`.
    #[inline]
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 8) as f32 * (1.0 / (1 << 24) as f32)
    }

    /// Puts `items` in a random order, all orders equally likely (Fisher–Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_differ_by_every_part_of_their_key() {
        let first = |purpose, seed, slot, episode| Rng::keyed(purpose, seed, slot, episode).bits();
        let base = first(Purpose::Deal, 1, 2, 3);
        assert_eq!(base, first(Purpose::Deal, 1, 2, 3));
        assert_ne!(base, first(Purpose::Choice, 1, 2, 3));
        assert_ne!(base, first(Purpose::Deal, 2, 2, 3));
        assert_ne!(base, first(Purpose::Deal, 1, 3, 3));
        assert_ne!(base, first(Purpose::Deal, 1, 2, 4));
    }

    #[test]
    fn the_stream_is_pinned_for_good() {
        let mut rng = Rng::keyed(Purpose::Deal, 7, 0, 0);
        let drawn: Vec<u32> = (0..6).map(|_| rng.below(100)).collect();
        assert_eq!(drawn, [28, 24, 13, 15, 50, 62], "old seeds must keep telling the same games");
    }

    #[test]
    fn below_is_uniform_by_chi_square() {
        let mut rng = Rng::keyed(Purpose::Choice, 1, 0, 0);
        let mut seen = [0_u32; 7];
        for _ in 0..70_000 {
            seen[rng.below(7) as usize] += 1;
        }
        let chi2: f64 = seen.iter().map(|&n| (f64::from(n) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi2 < 22.5, "chi-square {chi2} with 6 degrees of freedom: beyond 1 in 1,000");
    }
}
