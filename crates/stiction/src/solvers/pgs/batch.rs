//! Sweeps over a batch of islands.
#![allow(unsafe_code, reason = "one call of a function that is compiled for the processor it runs on")]

use super::plan::{Both, Kind, Plan, Run};
use super::record::{Bundle, Record, Store};
use super::{STILL, start, sweep_unit};
use crate::constraint::{Island, Problem};
use crate::math::{F64x4, Lane};
use crate::solvers::Pass;

/// Islands swept together, each until it is still. An island's bits do not depend on the others.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowSweeps {
    plan: Plan,
    /// Largest change of each island in a sweep, in parts of ω \[m/s\].
    changes: Vec<f64>,
    /// Number of the islands.
    islands: usize,
    /// Islands that are still.
    done: Vec<bool>,
    /// Keeps to plain arrays, to compare with.
    pub(super) is_plain: bool,
}

impl RowSweeps {
    /// Sweeps from the guess in `lambda`. Returns the largest number of sweeps of an island.
    pub(super) fn run(
        &mut self,
        problem: &Problem,
        islands: &[Island],
        pass: &Pass,
        z: &mut [f64],
        lambda: &mut [f64],
    ) -> u32 {
        self.begin(problem, islands, pass, (z, lambda));
        let mut done = std::mem::take(&mut self.done);
        done.clear();
        done.resize(islands.len(), false);
        let mut sweeps = 0;
        let mut left = islands.len();
        while sweeps < pass.iterations && left > 0 {
            sweeps += 1;
            self.sweep(problem, pass, (z, lambda), &done);
            let before = left;
            for (done, change) in done.iter_mut().zip(&self.changes).filter(|(done, _)| !**done) {
                *done = *change * pass.relaxation < STILL;
                left -= usize::from(*done);
            }
            if left < before && left > 0 && sweeps < pass.iterations {
                self.freeze(&done);
            }
        }
        self.done = done;
        self.write(lambda);
        sweeps
    }

    /// Begins with the impulses of the guess within their bounds.
    pub(crate) fn begin(
        &mut self,
        problem: &Problem,
        islands: &[Island],
        pass: &Pass,
        (z, lambda): (&mut [f64], &mut [f64]),
    ) {
        islands.iter().for_each(|island| start(problem, island, z, lambda));
        self.plan.make(problem, islands, pass.relaxation, lambda);
        self.islands = islands.len();
    }

    /// One sweep over the islands that are not done.
    pub(crate) fn sweep(
        &mut self,
        problem: &Problem,
        pass: &Pass,
        (z, lambda): (&mut [f64], &mut [f64]),
        done: &[bool],
    ) {
        self.changes.clear();
        self.changes.resize(self.islands, 0.0);
        let Self { plan, changes, is_plain, .. } = self;
        sweep(&mut Sweep { plan, problem, pass, z, lambda, changes, done }, *is_plain);
    }

    /// Largest change of each island in the last sweep, in parts of ω \[m/s\].
    pub(crate) fn changes(&self) -> &[f64] {
        &self.changes
    }

    /// Stops the islands that are done.
    pub(crate) fn freeze(&mut self, done: &[bool]) {
        stop(&mut self.plan.contacts, done);
        stop(&mut self.plan.contact_pairs, done);
        stop(&mut self.plan.singles, done);
        stop(&mut self.plan.pairs, done);
        stop(&mut self.plan.longs, done);
    }

    /// Impulses of the records back to their rows.
    pub(crate) fn write(&self, lambda: &mut [f64]) {
        put(&self.plan.contacts, lambda);
        put(&self.plan.contact_pairs, lambda);
        put(&self.plan.singles, lambda);
        put(&self.plan.pairs, lambda);
        put(&self.plan.longs, lambda);
    }
}

/// Stops the lanes of islands that are still.
fn stop<const B: usize, const R: usize, const N: usize>(records: &mut Both<B, R, N>, done: &[bool]) {
    for record in records.wide.used_mut() {
        for lane in 0..F64x4::WIDTH {
            if done[record.island[lane] as usize] {
                (0..R).for_each(|i| record.freeze(lane, i));
            }
        }
    }
    for record in records.narrow.used_mut().iter_mut().filter(|r| done[r.island[0] as usize]) {
        (0..R).for_each(|i| record.freeze(0, i));
    }
}

/// Writes the impulses of records to their rows.
fn put<const B: usize, const R: usize, const N: usize>(records: &Both<B, R, N>, lambda: &mut [f64]) {
    for record in records.wide.used() {
        for lane in 0..F64x4::WIDTH {
            for i in 0..record.rows[lane] as usize {
                lambda[record.row[lane] as usize + i] = record.lambda[i].0[lane];
            }
        }
    }
    for record in records.narrow.used() {
        let first = record.row[0] as usize;
        let count = record.rows[0] as usize;
        lambda[first..first + count].copy_from_slice(&record.lambda[..count]);
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
fn sweep(sweep: &mut Sweep<'_>, is_plain: bool) {
    #[cfg(target_arch = "x86_64")]
    {
        if !is_plain && std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { sweep_avx2(sweep) };
        }
    }
    sweep_as::<F64x4>(sweep);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn sweep_avx2(sweep: &mut Sweep<'_>) {
    sweep_as::<crate::math::Four>(sweep);
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
    let mut contacts = Cursor::new(&mut plan.contacts);
    let mut contact_pairs = Cursor::new(&mut plan.contact_pairs);
    let mut singles = Cursor::new(&mut plan.singles);
    let mut pairs = Cursor::new(&mut plan.pairs);
    let mut longs = Cursor::new(&mut plan.longs);
    let mut general = plan.general.as_slice();
    for run in &plan.runs {
        match run.kind {
            Kind::Contact => contacts.visit(run, z, &mut note, changes),
            Kind::ContactPair => contact_pairs.visit(run, z, &mut note, changes),
            Kind::Single => singles.visit(run, z, &mut note, changes),
            Kind::Pair => pairs.visit(run, z, &mut note, changes),
            Kind::Long => longs.visit(run, z, &mut note, changes),
            Kind::General => {
                let (now, rest) = general.split_at(run.wide as usize);
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

/// Goes through the records of one kind.
struct Cursor<'a, const B: usize, const R: usize, const N: usize> {
    wide: &'a mut [Record<F64x4, B, R, N>],
    narrow: &'a mut [Record<f64, B, R, N>],
}

impl<'a, const B: usize, const R: usize, const N: usize> Cursor<'a, B, R, N> {
    #[inline(always)]
    fn new(records: &'a mut Both<B, R, N>) -> Self {
        Self { wide: records.wide.used_mut(), narrow: records.narrow.used_mut() }
    }

    /// Visits the records of a run.
    #[inline(always)]
    fn visit<L: Bundle<Store = F64x4>, C: Changes<L>>(
        &mut self,
        run: &Run,
        z: &mut [f64],
        note: &mut C,
        changes: &mut [f64],
    ) {
        for record in take(&mut self.wide, run.wide) {
            note.note_wide(record.visit(z), &record.island, changes);
        }
        for record in take(&mut self.narrow, run.narrow) {
            note.note(record.visit(z), record.island[0], changes);
        }
    }
}

/// The next records.
#[inline(always)]
fn take<'a, T>(records: &mut &'a mut [T], count: u32) -> &'a mut [T] {
    let (now, rest) = std::mem::take(records).split_at_mut(count as usize);
    *records = rest;
    now
}
