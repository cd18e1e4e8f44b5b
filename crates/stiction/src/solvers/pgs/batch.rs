//! Sweeps over a batch of islands.
#![allow(unsafe_code, reason = "one call of a function that is compiled for the processor it runs on")]

use super::plan::{Plan, Run};
use super::record::{Bundle, Record, Store};
use super::{STILL, sweep_unit};
use crate::constraint::{Island, Problem};
use crate::math::F64x4;
use crate::solvers::Pass;

/// Islands swept together, each until it is still. An island's bits do not depend on the others.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    plan: Plan,
    /// Largest change of each island in a sweep \[m/s\].
    changes: Vec<f64>,
    /// Islands that are still.
    done: Vec<bool>,
}

impl Batch {
    /// Sweeps from a started `z` and `lambda`. Returns the largest number of sweeps of an island.
    pub(super) fn run(&mut self, problem: &Problem, islands: &[Island], pass: &Pass, z: &mut [f64], lambda: &mut [f64]) -> u32 {
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
                *done = *change < STILL;
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
                        record.freeze(lane);
                    }
                }
            }
        }
        records(&mut self.plan.single4, &self.done);
        records(&mut self.plan.single1, &self.done);
        records(&mut self.plan.pair4, &self.done);
        records(&mut self.plan.pair1, &self.done);
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
        records(&self.plan.single4, lambda);
        records(&self.plan.single1, lambda);
        records(&self.plan.pair4, lambda);
        records(&self.plan.pair1, lambda);
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
    levels::<F64x4>(sweep);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn sweep_avx2(sweep: &mut Sweep<'_>) {
    levels::<super::wide::Wide>(sweep);
}

#[inline(always)]
fn levels<L: Bundle<Store = F64x4>>(sweep: &mut Sweep<'_>) {
    let Sweep { plan, problem, pass, z, lambda, changes, done } = sweep;
    let (mut single4, mut single1) = (plan.single4.as_mut_slice(), plan.single1.as_mut_slice());
    let (mut pair4, mut pair1) = (plan.pair4.as_mut_slice(), plan.pair1.as_mut_slice());
    let mut general = plan.general.as_slice();
    for run in &plan.runs {
        match *run {
            Run::Single4(n) => visit::<L, 1>(&mut single4, n, z, changes),
            Run::Single1 => visit::<f64, 1>(&mut single1, 1, z, changes),
            Run::Pair4(n) => visit::<L, 2>(&mut pair4, n, z, changes),
            Run::Pair1 => visit::<f64, 2>(&mut pair1, 1, z, changes),
            Run::General(n) => {
                let (now, rest) = general.split_at(n as usize);
                general = rest;
                for unit in now.iter().filter(|unit| !done[unit.island as usize]) {
                    let change = &mut changes[unit.island as usize];
                    *change = change.max(sweep_unit(problem, unit.row as usize, pass, z, lambda));
                }
            }
        }
    }
}

/// Visits the next records.
#[inline(always)]
fn visit<L: Bundle, const B: usize>(
    records: &mut &mut [Record<L::Store, B>],
    count: u32,
    z: &mut [f64],
    changes: &mut [f64],
) {
    let (now, rest) = std::mem::take(records).split_at_mut(count as usize);
    *records = rest;
    for record in now {
        let mut change = L::Store::splat(0.0);
        record.visit::<L>(z).store(&mut change);
        for lane in 0..L::Store::WIDTH {
            let island = &mut changes[record.island[lane] as usize];
            *island = island.max(change.get(lane));
        }
    }
}
