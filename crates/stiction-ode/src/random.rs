//! ODE's random stream, which the order of rows in `dWorldQuickStep` comes from. Programs draw from it and set its seed.
//!
//! ODE has one for the whole process, so that worlds disturb each other and threads race. Here the first world shares it with
//! the program, which reproduces ODE; a world made while another one lives draws from one of its own that starts at the seed
//! last set. So worlds do not depend on each other, and with one world nothing differs.

use std::ffi::{c_int, c_ulong};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use crate::types::dReal;

static SEED: AtomicU32 = AtomicU32::new(0);
/// The seed that the program last set, in the low half; how often it did, in the high half.
static LAST_SET: AtomicU64 = AtomicU64::new(0);
/// Streams of living worlds.
static WORLDS: AtomicUsize = AtomicUsize::new(0);

/// What a world draws from.
pub(crate) enum Stream {
    /// The stream of the process.
    Shared,
    /// The world's own: its seed, and `LAST_SET` when it was taken from there.
    Own { seed: u32, set: u64 },
}

impl Default for Stream {
    fn default() -> Self {
        match WORLDS.fetch_add(1, Ordering::Relaxed) {
            0 => Self::Shared,
            _ => {
                let set = LAST_SET.load(Ordering::Relaxed);
                Self::Own { seed: set as u32, set }
            }
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        WORLDS.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Stream {
    /// Shuffles as ODE does, taking the numbers off the stream at once, so that steps of several threads do not interleave.
    pub(crate) fn shuffle(&mut self, order: &mut [u32]) {
        let mut seed = match self {
            Self::Shared => SEED.load(Ordering::Relaxed),
            Self::Own { seed, set } => {
                let last = LAST_SET.load(Ordering::Relaxed);
                if last != *set {
                    (*seed, *set) = (last as u32, last);
                }
                *seed
            }
        };
        for i in 1..order.len() {
            seed = after(seed);
            order.swap(i, below(i as u32 + 1, seed) as usize);
        }
        match self {
            Self::Shared => SEED.store(seed, Ordering::Relaxed),
            Self::Own { seed: own, .. } => *own = seed,
        }
    }
}

/// The number after a seed.
fn after(seed: u32) -> u32 {
    seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223)
}

/// The next number.
fn next() -> u32 {
    let old = SEED.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |seed| Some(after(seed)));
    after(old.unwrap_or_else(|seed| seed))
}

/// A number below n from a word: folded onto so few bits as n needs, then scaled.
fn below(n: u32, word: u32) -> u32 {
    let mut word = word;
    let mut bits = 32;
    while bits > 1 && u64::from(n) <= 1u64 << (bits / 2) {
        bits /= 2;
        word ^= word >> bits;
    }
    if bits == 1 {
        return word & (n >> 1);
    }
    (((u64::from(word) & ((1u64 << bits) - 1)) * u64::from(n)) >> bits) as u32
}

/// The next number between 0 and 1.
pub(crate) fn real() -> dReal {
    (f64::from(next()) / f64::from(u32::MAX)) as dReal
}

/// The next number as a place among n.
pub(crate) fn index(n: usize) -> usize {
    below(n as u32, next()) as usize
}

#[unsafe(no_mangle)]
extern "C" fn dRand() -> c_ulong {
    next().into()
}

#[unsafe(no_mangle)]
extern "C" fn dRandGetSeed() -> c_ulong {
    SEED.load(Ordering::Relaxed).into()
}

#[unsafe(no_mangle)]
extern "C" fn dRandSetSeed(seed: c_ulong) {
    SEED.store(seed as u32, Ordering::Relaxed);
    let old = LAST_SET.load(Ordering::Relaxed);
    LAST_SET.store(((old >> 32) + 1) << 32 | u64::from(seed as u32), Ordering::Relaxed);
}

#[unsafe(no_mangle)]
extern "C" fn dRandInt(n: c_int) -> c_int {
    below(n as u32, next()) as c_int
}

#[unsafe(no_mangle)]
extern "C" fn dRandReal() -> dReal {
    real()
}

/// Checks the first numbers of the stream.
#[unsafe(no_mangle)]
extern "C" fn dTestRand() -> c_int {
    let old = SEED.swap(0, Ordering::Relaxed);
    let expected = [0x3c6e_f35f, 0x4750_2932, 0xd1cc_f6e9, 0xaaf9_5334, 0x6252_e503];
    let is_right = expected.iter().all(|&word| next() == word);
    SEED.store(old, Ordering::Relaxed);
    is_right.into()
}
