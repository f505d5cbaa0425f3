//! A set of actions.

use crate::Action;

/// The most actions that a game may have.
pub const MAX_ACTIONS: usize = 256;

const WORDS: usize = MAX_ACTIONS / 64;

/// A set of actions as bits: what is legal in a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mask([u64; WORDS]);

impl Mask {
    /// The empty set.
    pub const EMPTY: Self = Self([0; WORDS]);

    /// Removes every action.
    #[inline]
    pub fn clear(&mut self) {
        *self = Self::EMPTY;
    }

    /// Adds one action.
    #[inline]
    pub fn insert(&mut self, action: Action) {
        self.0[action.index() / 64] |= 1 << (action.index() % 64);
    }

    /// Adds the actions `first + i` for every bit `i` of `bits`.
    #[inline]
    pub fn insert_bits(&mut self, first: usize, bits: u64) {
        let (word, shift) = (first / 64, first % 64);
        self.0[word] |= bits << shift;
        if shift > 0 && word + 1 < WORDS {
            self.0[word + 1] |= bits >> (64 - shift);
        }
    }

    /// Whether the action is in the set.
    #[inline]
    pub fn contains(&self, action: Action) -> bool {
        self.0.get(action.index() / 64).is_some_and(|word| word >> (action.index() % 64) & 1 == 1)
    }

    /// How many actions are in the set.
    #[inline]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether no action is in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    /// The action with `rank` smaller ones in the set.
    #[inline]
    pub fn nth(&self, mut rank: u32) -> Option<Action> {
        for (i, &word) in self.0.iter().enumerate() {
            let here = word.count_ones();
            if rank < here {
                return Some(Action((i * 64) as u16 + nth_bit(word, rank)));
            }
            rank -= here;
        }
        None
    }

    /// The actions of the set from the smallest to the largest.
    pub fn iter(&self) -> impl Iterator<Item = Action> + use<> {
        let words = self.0;
        (0..WORDS).flat_map(move |i| {
            let mut rest = words[i];
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    Action((i * 64) as u16 + bit as u16)
                })
            })
        })
    }

    /// Writes one truth value an action; `out` is as long as the game has actions.
    #[inline]
    pub fn write(&self, out: &mut [bool]) {
        for (&word, out) in self.0.iter().zip(out.chunks_mut(64)) {
            let mut bytes = word.to_le_bytes().into_iter();
            let mut eights = out.chunks_exact_mut(8);
            for (eight, byte) in (&mut eights).zip(&mut bytes) {
                eight.copy_from_slice(&EXPANDED[usize::from(byte)]);
            }
            let rest = eights.into_remainder();
            if let Some(byte) = bytes.next() {
                rest.copy_from_slice(&EXPANDED[usize::from(byte)][..rest.len()]);
            }
        }
    }
}

impl FromIterator<Action> for Mask {
    fn from_iter<I: IntoIterator<Item = Action>>(actions: I) -> Self {
        let mut mask = Self::EMPTY;
        actions.into_iter().for_each(|action| mask.insert(action));
        mask
    }
}

/// The eight truth values of every byte.
static EXPANDED: [[bool; 8]; 256] = {
    let mut table = [[false; 8]; 256];
    let mut i = 0;
    while i < 256 * 8 {
        table[i / 8][i % 8] = ((i / 8) >> (i % 8)) & 1 == 1;
        i += 1;
    }
    table
};

/// The position of the set bit of `word` with `rank` lower ones: halves the window six times, without a branch.
#[inline]
fn nth_bit(mut word: u64, mut rank: u32) -> u16 {
    let mut at = 0;
    let mut width = 32;
    while width > 0 {
        let low = (word & ((1 << width) - 1)).count_ones();
        let above = u32::from(rank >= low);
        rank -= low * above;
        word >>= width * above;
        at += width * above;
        width /= 2;
    }
    at as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(actions: &[u16]) -> Mask {
        actions.iter().map(|&a| Action(a)).collect()
    }

    #[test]
    fn nth_and_iter_agree() {
        let mask = set(&[0, 1, 63, 64, 100, 127, 128, 200, 255]);
        let listed: Vec<Action> = mask.iter().collect();
        assert_eq!(listed.len(), mask.count() as usize);
        for (rank, &action) in listed.iter().enumerate() {
            assert_eq!(mask.nth(rank as u32), Some(action));
        }
        assert_eq!(mask.nth(mask.count()), None);
    }

    #[test]
    fn bits_land_across_a_word_boundary() {
        let mut mask = Mask::EMPTY;
        mask.insert_bits(60, 0b1_0011);
        assert_eq!(mask, set(&[60, 61, 64]));
    }

    #[test]
    fn the_written_form_has_one_value_an_action() {
        let mask = set(&[0, 7, 8, 124]);
        let mut out = [true; 125];
        mask.write(&mut out);
        for (i, &legal) in out.iter().enumerate() {
            assert_eq!(legal, mask.contains(Action(i as u16)));
        }
    }

    #[test]
    fn an_action_beyond_the_largest_is_in_no_set() {
        assert!(!Mask([u64::MAX; WORDS]).contains(Action(256)));
    }
}
