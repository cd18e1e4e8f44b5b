//! Hash of states, the same for the library, the command and the C interface.

/// FNV-1a, 64 bits, over the bits of numbers.
#[derive(Clone, Copy, Debug)]
pub struct BitHash(u64);

impl Default for BitHash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl BitHash {
    /// Takes a number in, by its bits: 0 and −0 differ.
    pub fn feed(&mut self, number: f64) {
        for byte in number.to_bits().to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The hash of what was taken in.
    #[must_use]
    pub fn finish(self) -> u64 {
        self.0
    }
}
