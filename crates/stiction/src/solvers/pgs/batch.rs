//! Sweeps over a batch of islands.
#![allow(unsafe_code, reason = "one call of a function that is compiled for the processor it runs on")]

use super::plan::{Plan, Run};
use super::record::{Bundle, Record, Store};
use super::{STILL, sweep_unit};
use crate::constraint::{Island, Problem};
use crate::math::{F64x4, Lane};
use crate::solvers::Pass;

/// Islands swept together, each until it is still. An island's bits do not depend on the others.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    plan: Plan,
    /// Largest change of each island in a sweep, in parts of ω \[m/s\].
    changes: Vec<f64>,
    /// Islands that are still.
    done: Vec<bool>,
}

impl Batch {
    /// Sweeps from a started `z` and `lambda`. Returns the largest number of sweeps of an island.
    pub(super) fn run(
        &mut self,
        problem: &Problem,
        islands: &[Island],
        pass: &Pass,
        z: &mut [f64],
        lambda: &mut [f64],
    ) -> u32 {
        self.plan.make(problem, islands, pass.relaxation, lambda);
        self.done.clear();
        self.done.resize(islands.len(), false);
        let mut sweeps = 0;
        let mut left = islands.len();
        while sweeps < pass.iterations && left > 0 {
            sweeps += 1;
            self.changes.clear();
            self.changes.resize(islands.len(), 0.0);
            let Self { plan, changes, done } = self;
            sweep(&mut Sweep { plan, problem, pass, z, lambda, changes, done });
            let before = left;
            for (done, change) in done.iter_mut().zip(changes).filter(|(done, _)| !**done) {
                *done = *change * pass.relaxation < STILL;
                left -= usize::from(*done);
            }
            if left < before && left > 0 && sweeps < pass.iterations {
                self.freeze();
            }
        }
        self.write(lambda);
        sweeps
    }

    /// Stops the islands that are still.
    fn freeze(&mut self) {
        fn records<S: Store, const B: usize>(records: &mut [Record<S, B>], done: &[bool]) {
            for record in records {
                for lane in 0..S::WIDTH {
                    if done[record.island[lane] as usize] {
                        (0..3).for_each(|i| record.freeze(lane, i));
                    }
                }
            }
        }
        records(self.plan.single4.used_mut(), &self.done);
        records(self.plan.single1.used_mut(), &self.done);
        records(self.plan.pair4.used_mut(), &self.done);
        records(self.plan.pair1.used_mut(), &self.done);
    }

    /// Impulses of the records back to their rows.
    fn write(&self, lambda: &mut [f64]) {
        fn records<S: Store, const B: usize>(records: &[Record<S, B>], lambda: &mut [f64]) {
            for record in records {
                for lane in 0..S::WIDTH {
                    let first = record.row[lane] as usize;
                    for i in 0..record.rows[lane] as usize {
                        lambda[first + i] = record.lambda[i].get(lane);
                    }
                }
            }
        }
        records(self.plan.single4.used(), lambda);
        records(self.plan.single1.used(), lambda);
        records(self.plan.pair4.used(), lambda);
        records(self.plan.pair1.used(), lambda);
    }
}

/// What a sweep works on.
struct Sweep<'a> {
    plan: &'a mut Plan,
    problem: &'a Problem,
    pass: &'a Pass,
    z: &'a mut [f64],
    lambda: &'a mut [f64],
    changes: &'a mut [f64],
    done: &'a [bool],
}

/// One sweep over all levels, with the widest registers there are. Products and sums stay apart on every processor,
/// so the bits are the same.
fn sweep(sweep: &mut Sweep<'_>) {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { sweep_avx2(sweep) };
        }
    }
    sweep_as::<F64x4>(sweep);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn sweep_avx2(sweep: &mut Sweep<'_>) {
    sweep_as::<super::wide::Wide>(sweep);
}

#[inline(always)]
fn sweep_as<L: Bundle<Store = F64x4>>(sweep: &mut Sweep<'_>) {
    if sweep.changes.len() == 1 {
        let largest = levels(sweep, Largest { wide: L::splat(0.0), narrow: 0.0 });
        let mut lanes = F64x4([0.0; 4]);
        largest.wide.store(&mut lanes);
        sweep.changes[0] = lanes.0.into_iter().fold(largest.narrow, Lane::max);
    } else {
        levels::<L, _>(sweep, Each);
    }
}

/// Keeps the changes of a sweep.
trait Changes<L: Bundle> {
    fn note_wide(&mut self, change: L, island: &[u32; 4], changes: &mut [f64]);
    fn note(&mut self, change: f64, island: u32, changes: &mut [f64]);
}

/// Of one island, in registers.
struct Largest<L> {
    wide: L,
    narrow: f64,
}

/// Of each of several islands.
struct Each;

impl<L: Bundle> Changes<L> for Largest<L> {
    #[inline(always)]
    fn note_wide(&mut self, change: L, _: &[u32; 4], _: &mut [f64]) {
        self.wide = self.wide.max(change);
    }
    #[inline(always)]
    fn note(&mut self, change: f64, _: u32, _: &mut [f64]) {
        self.narrow = Lane::max(self.narrow, change);
    }
}

impl<L: Bundle<Store = F64x4>> Changes<L> for Each {
    #[inline(always)]
    fn note_wide(&mut self, change: L, island: &[u32; 4], changes: &mut [f64]) {
        let mut lanes = F64x4([0.0; 4]);
        change.store(&mut lanes);
        for lane in 0..4 {
            let largest = &mut changes[island[lane] as usize];
            *largest = Lane::max(*largest, lanes.0[lane]);
        }
    }
    #[inline(always)]
    fn note(&mut self, change: f64, island: u32, changes: &mut [f64]) {
        let largest = &mut changes[island as usize];
        *largest = Lane::max(*largest, change);
    }
}

#[inline(always)]
fn levels<L: Bundle<Store = F64x4>, C: Changes<L>>(sweep: &mut Sweep<'_>, mut note: C) -> C {
    let Sweep { plan, problem, pass, z, lambda, changes, done } = sweep;
    let (mut single4, mut single1) = (plan.single4.used_mut(), plan.single1.used_mut());
    let (mut pair4, mut pair1) = (plan.pair4.used_mut(), plan.pair1.used_mut());
    let mut general = plan.general.as_slice();
    for run in &plan.runs {
        match *run {
            Run::Single4(n) => {
                for record in take(&mut single4, n) {
                    note.note_wide(record.visit(z), &record.island, changes);
                }
            }
            Run::Pair4(n) => {
                for record in take(&mut pair4, n) {
                    note.note_wide(record.visit(z), &record.island, changes);
                }
            }
            Run::Single1 => {
                for record in take(&mut single1, 1) {
                    note.note(record.visit(z), record.island[0], changes);
                }
            }
            Run::Pair1 => {
                for record in take(&mut pair1, 1) {
                    note.note(record.visit(z), record.island[0], changes);
                }
            }
            Run::General(n) => {
                let (now, rest) = general.split_at(n as usize);
                general = rest;
                for unit in now.iter().filter(|unit| !done[unit.island as usize]) {
                    let change = sweep_unit(problem, unit.row as usize, pass, z, lambda) / pass.relaxation;
                    note.note(change, unit.island, changes);
                }
            }
        }
    }
    note
}

/// The next records.
#[inline(always)]
fn take<'a, T>(records: &mut &'a mut [T], count: u32) -> &'a mut [T] {
    let (now, rest) = std::mem::take(records).split_at_mut(count as usize);
    *records = rest;
    now
}
