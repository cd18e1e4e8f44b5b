//! Bodies between the passes.
//!
//! A record is one register of eight lanes, or two of four: left to itself the compiler turns eight records into eight columns, which
//! costs ten times as much.

use super::lane::{Lanes, Record};

/// A pull, and the impulses of the last sub-step once more: what it started from is put aside.
#[inline(always)]
pub(super) fn start_again<L: Lanes<W>, const W: usize>(z: &mut [Record], held: &mut [Record], pulls: &[Record]) {
    for ((z, held), pull) in z.iter_mut().zip(held).zip(pulls) {
        let parts = z.parts_mut::<W>().iter_mut().zip(held.parts_mut::<W>()).zip(pull.parts::<W>());
        for ((z, held), pull) in parts {
            let (now, before) = (L::load(z), L::load(held));
            let next = now + L::load(pull);
            next.store(held);
            (next + (now - before)).store(z);
        }
    }
}

/// Sum of the squares of a list.
#[inline(always)]
pub(super) fn square<L: Lanes<W>, const W: usize>(list: &[Record]) -> f64 {
    let mut sums = [L::splat(0.0); 8];
    for record in list {
        for (sum, part) in sums.iter_mut().zip(record.parts::<W>()) {
            let part = L::load(part);
            *sum = *sum + part * part;
        }
    }
    let mut record = Record::default();
    record.parts_mut::<W>().iter_mut().zip(sums).for_each(|(part, sum)| sum.store(part));
    record.0.iter().sum()
}

/// Displacements follow the velocities.
#[inline(always)]
pub(super) fn drift<L: Lanes<W>, const W: usize>(moved: &mut [Record], z: &[Record], time: f64) {
    let time = L::splat(time);
    for (moved, z) in moved.iter_mut().zip(z) {
        for (moved, z) in moved.parts_mut::<W>().iter_mut().zip(z.parts::<W>()) {
            (L::load(moved) + time * L::load(z)).store(moved);
        }
    }
}
