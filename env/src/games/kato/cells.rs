//! A set of cells as bits.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// Enough words for the 169 cells of the largest board.
const WORDS: usize = 3;

/// A set of cells; bit = cell number, row by row.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Cells(pub(super) [u64; WORDS]);

impl Cells {
    pub(super) const EMPTY: Self = Self([0; WORDS]);

    #[inline]
    pub(super) fn of(cell: usize) -> Self {
        let mut set = Self::EMPTY;
        set.insert(cell);
        set
    }

    #[inline]
    pub(super) fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    #[inline]
    pub(super) fn contains(&self, cell: usize) -> bool {
        self.bit(cell) == 1
    }

    /// 1 when the cell is in the set, else 0.
    #[inline]
    pub(super) fn bit(&self, cell: usize) -> u64 {
        self.0[cell / 64] >> (cell % 64) & 1
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The bits, eight cells a byte.
    #[inline]
    pub(super) fn bytes(self) -> [u8; WORDS * 8] {
        std::array::from_fn(|i| (self.0[i / 8] >> (i % 8 * 8)) as u8)
    }

    /// Takes the smallest cell out.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<usize> {
        for (i, word) in self.0.iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(i * 64 + bit);
            }
        }
        None
    }

    /// The cells from the smallest to the largest.
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self;
        std::iter::from_fn(move || rest.pop())
    }
}

impl BitAnd for Cells {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl BitOr for Cells {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl BitOrAssign for Cells {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// Also sets bits beyond the board: for use with `&` only.
impl Not for Cells {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

impl FromIterator<usize> for Cells {
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> Self {
        let mut set = Self::EMPTY;
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

impl fmt::Debug for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
