//! Information sets of a search over hidden worlds: which node stands for what a seat can see.

use std::hash::{Hash, Hasher};

use nodarium_env::{Mask, Seat};

/// Marks a free place.
const FREE: u32 = u32::MAX;

/// Nodes by the fingerprint of their information set, in an open-addressed table that keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Sets {
    places: Vec<(u64, u32)>,
}

impl Sets {
    /// Empties the table and makes room for that many sets.
    pub fn clear(&mut self, sets: usize) {
        self.places.clear();
        self.places.resize((2 * sets).next_power_of_two().max(2), (0, FREE));
    }

    /// The node of the set; if there is none, `fresh` becomes it and `None` is returned.
    pub fn find_or_insert(&mut self, set: u64, fresh: u32) -> Option<u32> {
        let wrap = self.places.len() - 1;
        let mut place = set as usize & wrap;
        loop {
            match self.places[place] {
                (_, FREE) => {
                    self.places[place] = (set, fresh);
                    return None;
                }
                (there, node) if there == set => return Some(node),
                _ => place = (place + 1) & wrap,
            }
        }
    }
}

/// 64 bits for an information set below the root: how many plies below, who acts, what it may do, all that it sees.
/// The plies keep a path from meeting the same node twice.
pub(super) fn fingerprint(depth: u32, seat: Seat, mask: &Mask, view: &[f32]) -> u64 {
    let mut mix = Mix(0);
    mix.write_u64(u64::from(depth) << 8 | u64::from(seat.0));
    mask.hash(&mut mix);
    let mut pairs = view.chunks_exact(2);
    for pair in &mut pairs {
        mix.write_u64(u64::from(pair[0].to_bits()) << 32 | u64::from(pair[1].to_bits()));
    }
    for x in pairs.remainder() {
        mix.write_u64(x.to_bits().into());
    }
    mix.finish()
}

/// A multiplicative hash that is the same on every machine and in every version of the standard library.
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        // The multiplier is 2^64 over the golden ratio; the fold lets high bits reach low ones.
        let product = u128::from(self.0 ^ word ^ 0x517c_c1b7_2722_0a95) * 0x9e37_79b9_7f4a_7c15;
        self.0 = (product as u64 ^ (product >> 64) as u64).rotate_left(23);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_found_again_and_only_itself() {
        let mut sets = Sets::default();
        sets.clear(100);
        let view = |i: u32| [i as f32, 0.0, 1.0];
        for i in 0..100 {
            let set = fingerprint(1, Seat(0), &Mask::EMPTY, &view(i));
            assert_eq!(sets.find_or_insert(set, i), None);
        }
        for i in 0..100 {
            let set = fingerprint(1, Seat(0), &Mask::EMPTY, &view(i));
            assert_eq!(sets.find_or_insert(set, 1_000), Some(i));
        }
    }

    #[test]
    fn every_part_of_a_set_counts() {
        let one = Mask::from_iter([nodarium_env::Action(3)]);
        let base = fingerprint(1, Seat(0), &Mask::EMPTY, &[0.0, 1.0]);
        for other in [
            fingerprint(2, Seat(0), &Mask::EMPTY, &[0.0, 1.0]),
            fingerprint(1, Seat(1), &Mask::EMPTY, &[0.0, 1.0]),
            fingerprint(1, Seat(0), &one, &[0.0, 1.0]),
            fingerprint(1, Seat(0), &Mask::EMPTY, &[1.0, 0.0]),
        ] {
            assert_ne!(base, other);
        }
    }
}
