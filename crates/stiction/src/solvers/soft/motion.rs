//! Bodies between the passes.

use super::lane::Record;

/// A pull, and the impulses of the last sub-step once more: what it started from is put aside.
#[inline(always)]
pub(super) fn start_again(z: &mut [Record], held: &mut [Record], pulls: &[Record]) {
    for ((z, held), pull) in z.iter_mut().zip(held).zip(pulls) {
        let (now, before, pull) = (z.0, held.0, pull.0);
        let next: [f64; 8] = std::array::from_fn(|e| now[e] + pull[e]);
        held.0 = next;
        z.0 = std::array::from_fn(|e| next[e] + (now[e] - before[e]));
    }
}

/// Displacements follow the velocities.
#[inline(always)]
pub(super) fn drift(moved: &mut [Record], z: &[Record], time: f64) {
    for (moved, z) in moved.iter_mut().zip(z) {
        let (way, z) = (moved.0, z.0);
        moved.0 = std::array::from_fn(|e| way[e] + time * z[e]);
    }
}
