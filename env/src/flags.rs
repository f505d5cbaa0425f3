//! Yes-or-no facts on their way into an observation.

/// Bits put behind each other, then written as one number a bit. Observations are mostly such facts, and states keep
/// them as bit sets: this is the fast way from one to the other. With lengths known at compile time all shifts are
/// constants.
pub struct Flags<const WORDS: usize> {
    words: [u64; WORDS],
    len: usize,
}

impl<const WORDS: usize> Default for Flags<WORDS> {
    fn default() -> Self {
        Self { words: [0; WORDS], len: 0 }
    }
}

impl<const WORDS: usize> Flags<WORDS> {
    /// Puts `len` bits, at most 64, behind the others; no higher bit is set.
    #[inline(always)]
    pub fn put(&mut self, bits: u64, len: usize) {
        debug_assert!(len == 64 || bits >> len == 0, "a bit beyond the length");
        let (word, shift) = (self.len / 64, self.len % 64);
        self.words[word] |= bits << shift;
        if shift + len > 64 {
            self.words[word + 1] |= bits >> (64 - shift);
        }
        self.len += len;
    }

    /// Writes 1.0 or 0.0 for each bit. `out` is as long as what was put.
    #[inline(always)]
    pub fn spread(&self, out: &mut [f32]) {
        debug_assert_eq!(out.len(), self.len);
        for (&word, out) in self.words.iter().zip(out.chunks_mut(64)) {
            for (half, out) in [word as u32, (word >> 32) as u32].into_iter().zip(out.chunks_mut(32)) {
                match <&mut [f32; 32]>::try_from(&mut *out) {
                    // A length known at compile time becomes straight vector code.
                    Ok(whole) => spread(half, whole),
                    Err(_) => spread(half, out),
                }
            }
        }
    }
}

#[inline(always)]
fn spread(bits: u32, out: &mut [f32]) {
    const ONE: u32 = 1.0_f32.to_bits();
    for (i, x) in out.iter_mut().enumerate() {
        *x = f32::from_bits((bits >> i & 1).wrapping_neg() & ONE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_come_out_in_the_order_they_went_in() {
        let mut flags = Flags::<3>::default();
        let mut expected = Vec::new();
        for (bits, len) in [(0b101, 3), (0x1234_5678_9abc, 47), (0, 5), (0xfff_ffff_ffff, 44), (1, 13)] {
            flags.put(bits, len);
            expected.extend((0..len).map(|i| (bits >> i & 1) as f32));
        }
        let mut out = vec![f32::NAN; expected.len()];
        flags.spread(&mut out);
        assert_eq!(out, expected);
    }
}
