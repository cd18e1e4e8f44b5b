//! ODE's random stream, which the order of rows in `dWorldQuickStep` comes from. Programs draw from it and set its seed.
//!
//! ODE has one for the whole process, so that worlds that are stepped by turns disturb each other, and threads race. Here the
//! world made last shares it with the program, and the one made before goes on from where it stands with a stream of its own:
//! a program with one world, or one after the other, has ODE's orders, and no world depends on another that lives beside it.
//! Worlds made on further threads have streams of their own from the seed last set. Setting the seed restarts all.

use std::ffi::{c_int, c_ulong};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::ThreadId;

use crate::types::dReal;

static SEED: AtomicU32 = AtomicU32::new(0);
/// The seed that the program last set, in the low half; how often it did, in the high half.
static LAST_SET: AtomicU64 = AtomicU64::new(0);
/// The thread that made the first world, and the world made last there.
static SHARED: Mutex<Option<(ThreadId, Weak<Own>)>> = Mutex::new(None);

/// A stream of one world.
#[derive(Debug)]
struct Own {
    /// Its seed, once it is apart from that of the process, and `LAST_SET` at that time.
    seed: Mutex<Option<(u32, u64)>>,
}

/// What a world draws from.
#[derive(Debug)]
pub(crate) struct Stream(Arc<Own>);

impl Default for Stream {
    fn default() -> Self {
        let set = LAST_SET.load(Ordering::Relaxed);
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        let here = std::thread::current().id();
        let is_apart = shared.as_ref().is_some_and(|(thread, _)| *thread != here);
        let new = Arc::new(Own { seed: Mutex::new(is_apart.then_some((set as u32, set))) });
        if !is_apart {
            if let Some(last) = shared.as_ref().and_then(|(_, last)| last.upgrade()) {
                *last.lock() = Some((SEED.load(Ordering::Relaxed), set));
            }
            *shared = Some((here, Arc::downgrade(&new)));
        }
        Self(new)
    }
}

impl Own {
    fn lock(&self) -> MutexGuard<'_, Option<(u32, u64)>> {
        self.seed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stream {
    /// Opens the stream for a step, so that steps of several threads do not interleave and its numbers are looked up once.
    pub(crate) fn draw(&self) -> Draw<'_> {
        let mut own = self.0.lock();
        let seed = match &mut *own {
            None => SEED.load(Ordering::Relaxed),
            Some((seed, set)) => {
                let last = LAST_SET.load(Ordering::Relaxed);
                if last != *set {
                    (*seed, *set) = (last as u32, last);
                }
                *seed
            }
        };
        Draw { own, seed, is_used: false }
    }
}

/// An open stream; what was drawn is off it when this ends.
pub(crate) struct Draw<'a> {
    own: MutexGuard<'a, Option<(u32, u64)>>,
    seed: u32,
    /// A step that draws nothing leaves alone what the program may draw meanwhile.
    is_used: bool,
}

impl Draw<'_> {
    /// Shuffles as ODE does.
    pub(crate) fn shuffle(&mut self, order: &mut [u32]) {
        let mut seed = self.seed;
        for i in 1..order.len() {
            seed = after(seed);
            order.swap(i, below(i as u32 + 1, seed) as usize);
        }
        self.seed = seed;
        self.is_used |= order.len() > 1;
    }
}

impl Drop for Draw<'_> {
    fn drop(&mut self) {
        match &mut *self.own {
            Some((own, _)) => *own = self.seed,
            None if self.is_used => SEED.store(self.seed, Ordering::Relaxed),
            None => {}
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
extern "C-unwind" fn dRand() -> c_ulong {
    next().into()
}

#[unsafe(no_mangle)]
extern "C-unwind" fn dRandGetSeed() -> c_ulong {
    SEED.load(Ordering::Relaxed).into()
}

#[unsafe(no_mangle)]
extern "C-unwind" fn dRandSetSeed(seed: c_ulong) {
    SEED.store(seed as u32, Ordering::Relaxed);
    let old = LAST_SET.load(Ordering::Relaxed);
    LAST_SET.store(((old >> 32) + 1) << 32 | u64::from(seed as u32), Ordering::Relaxed);
}

#[unsafe(no_mangle)]
extern "C-unwind" fn dRandInt(n: c_int) -> c_int {
    below(n as u32, next()) as c_int
}

#[unsafe(no_mangle)]
extern "C-unwind" fn dRandReal() -> dReal {
    real()
}

/// Checks the first numbers of the stream.
#[unsafe(no_mangle)]
extern "C-unwind" fn dTestRand() -> c_int {
    let old = SEED.swap(0, Ordering::Relaxed);
    let expected = [0x3c6e_f35f, 0x4750_2932, 0xd1cc_f6e9, 0xaaf9_5334, 0x6252_e503];
    let is_right = expected.iter().all(|&word| next() == word);
    SEED.store(old, Ordering::Relaxed);
    is_right.into()
}
