//! The sweeps of a batch: its records, their colours, and the impulses that come out.

use super::super::assemble::Sources;
use super::super::colouring::{COLOURS, Colouring};
use super::PointLaws;
use super::batch::PointBatch;
use super::fill::{GroupSource, PointRecords};
use super::rebound::Kept;
use crate::constraint::{Island, Problem};
use crate::model::Correction;
use crate::solvers::points::{Bundles, Group, Movers, PointSources, PointWidth, SweepRule};
#[cfg(target_arch = "x86_64")]
use crate::solvers::soft::{Eight, Four};
use crate::solvers::soft::{Record, WidthOfLanes, numbers_of};
use crate::solvers::{Pass, RowSweeps};

/// A sweep that changes no velocity by more than this ends the iteration \[m/s\], as for rows.
const STILL: f64 = 1e-12;
/// Share of an island's motion that a row may be wrong by, as for rows.
const SHARE: f64 = 1e-5;
/// Groups of a colour that are visited alike, whatever the width of lanes.
const ALIKE: usize = 8;
/// Points of a group that its place in a colour depends on: more than there are.
const COUNTS: u32 = (1 << 30) - 1;
/// Groups up to which plain numbers are as fast as lanes.
const FEW: usize = 2;

/// Sweeps over points and their memory.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct PointSolver {
    pub(super) records: PointRecords,
    pub(super) z: Vec<Record>,
    /// Groups of each colour.
    colours: Colouring,
    /// Largest change of each island in a sweep \[m/s\], and whether it is still.
    changes: Vec<f64>,
    pub(super) done: Vec<bool>,
    /// The solution with all restitution, and the work of the contacts of each island.
    pub(super) with: Kept,
    pub(super) works: Vec<[f64; 3]>,
    /// Impulses of the velocities, while displacements are solved.
    kept: Vec<Record>,
    /// What groups of a colour are put in order by.
    keys: Vec<u64>,
    /// Sweeps over the rows of joints.
    rows: RowSweeps,
    one: Bundles<1>,
    four: Bundles<4>,
    eight: Bundles<8>,
}

/// How a batch is solved.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    iterations: u32,
    relaxation: f64,
    is_capped: bool,
}

/// The rows of the joints of a batch, which are visited before the points in each sweep: its islands are these, and its bodies the
/// cliques of the problem.
pub(super) struct JointRows<'a> {
    pub(super) problem: &'a Problem,
    pub(super) islands: &'a [Island],
    pub(super) pass: Pass,
    /// Their impulses.
    pub(super) lambda: &'a mut Vec<f64>,
}

impl PointSolver {
    /// Solves a batch of islands without joints.
    pub(in super::super) fn solve(&mut self, sources: &Sources, laws: PointLaws, batch: &mut PointBatch) {
        self.solve_with(sources, laws, batch, &mut None);
    }

    /// Solves a batch.
    pub(super) fn solve_with(
        &mut self,
        sources: &Sources,
        laws: PointLaws,
        batch: &mut PointBatch,
        joints: &mut Option<JointRows>,
    ) {
        let parameters = sources.parameters;
        batch.begin_results();
        self.records.read(sources, laws, batch);
        self.colour();
        let rule = Rule { iterations: parameters.iterations, relaxation: parameters.sor, is_capped: batch.is_split };
        let is_displaced = batch.is_split && parameters.correction == Correction::SplitImpulse;
        // Positions first: the impulses that stay are those of the velocities.
        if batch.is_split && !is_displaced {
            self.run(Rule { is_capped: false, ..rule }, batch, joints);
            copy(&self.z, &mut batch.z_position);
            self.list_unsolved(batch);
        }
        self.run(rule, batch, joints);
        self.list_unsolved(batch);
        if self.records.has_rebound {
            self.limit_rebound(rule, batch, joints);
        }
        copy(&self.z, &mut batch.z);
        if !batch.is_split {
            batch.z_position.clone_from(&batch.z);
        }
        if is_displaced {
            self.displace(Rule { is_capped: false, ..rule }, batch);
        }
    }

    /// What the bounded sweeps have left of the correction moves positions beside the velocities, by normals alone and from rest.
    fn displace(&mut self, rule: Rule, batch: &mut PointBatch) {
        self.kept.clone_from(&batch.impulses);
        self.records.take_remainder(&batch.impulses);
        self.run(rule, batch, &mut None);
        std::mem::swap(&mut self.kept, &mut batch.impulses);
        copy(&self.z, &mut batch.z_position);
        batch.z_position.iter_mut().zip(&batch.z).for_each(|(position, z)| *position += z);
    }

    /// Adds to the list the islands of which the last sweeps have left the normals unsolved.
    fn list_unsolved(&self, batch: &mut PointBatch) {
        for (number, island) in batch.islands.iter().enumerate().filter(|(number, _)| batch.is_checked[*number]) {
            let bodies = self.records.island_bodies[number] as usize..self.records.island_bodies[number + 1] as usize;
            let motion: f64 = self.records.z_free[bodies].iter().flat_map(|z| z.0).map(|z| z * z).sum();
            let left = self.changes[number];
            // NaN is unsolved too.
            if (left.is_nan() || left > SHARE * SHARE * motion) && !batch.unsolved.contains(island) {
                batch.unsolved.push(*island);
            }
        }
    }

    /// Colours the groups in their order; those of a colour with as many points go side by side.
    fn colour(&mut self) {
        let nobody = self.records.nobody();
        let groups = &self.records.groups;
        let pairs = (0..).zip(groups.iter().map(|group| group.places));
        self.colours.fill(self.records.z_free.len(), pairs, |place| place != nobody);
        let keys = &mut self.keys;
        for (colour, list) in self.colours.lists.iter_mut().enumerate() {
            keys.clear();
            keys.extend(list.iter().map(|number| {
                let group = &groups[*number as usize];
                // Those of the last colour keep their order, whatever moves.
                let movers = if colour == COLOURS { Movers::Both } else { Movers::from_places(group.places, nobody) };
                (movers as u64) << 62 | u64::from(COUNTS - group.count.min(COUNTS)) << 32 | u64::from(*number)
            }));
            keys.sort_unstable();
            list.iter_mut().zip(keys.iter()).for_each(|(number, key)| *number = *key as u32);
        }
    }

    /// Solves all islands.
    fn run(&mut self, rule: Rule, batch: &mut PointBatch, joints: &mut Option<JointRows>) {
        self.done.clear();
        self.done.resize(batch.islands.len(), false);
        self.go_on(rule, batch, joints);
    }

    /// Solves the islands that are not done, with the widest lanes there are; the others stay at the impulses that they begin with.
    pub(super) fn go_on(&mut self, rule: Rule, batch: &mut PointBatch, joints: &mut Option<JointRows>) {
        let width = if self.records.groups.len() <= FEW { WidthOfLanes::One } else { WidthOfLanes::widest() };
        match width {
            WidthOfLanes::One => self.run_as::<f64, 1>(|own| &mut own.one, rule, batch, joints),
            #[cfg(target_arch = "x86_64")]
            WidthOfLanes::Four => self.run_as::<Four, 4>(|own| &mut own.four, rule, batch, joints),
            #[cfg(target_arch = "x86_64")]
            WidthOfLanes::Eight => self.run_as::<Eight, 8>(|own| &mut own.eight, rule, batch, joints),
        }
    }

    fn run_as<L: PointWidth<W>, const W: usize>(
        &mut self,
        bundles_of: impl Fn(&mut Self) -> &mut Bundles<W>,
        rule: Rule,
        batch: &mut PointBatch,
        joints: &mut Option<JointRows>,
    ) {
        let mut bundles = std::mem::take(bundles_of(self));
        self.bundle(&mut bundles);
        let PointRecords { bodies, heads, points, turns, z_free, groups, .. } = &self.records;
        self.z.clone_from(z_free);
        let nothing = self.records.nothing();
        let sources = PointSources {
            bodies,
            groups: heads,
            points,
            turns,
            nothing,
            relaxation: rule.relaxation,
            is_capped: rule.is_capped,
        };
        let mut rows = std::mem::take(&mut self.rows);
        if let Some(JointRows { problem, islands, pass, lambda }) = joints {
            rows.begin(problem, islands, pass, (numbers_of(&mut self.z), lambda));
        }
        L::prepare(&mut bundles, &sources, &mut self.z);
        let islands = batch.islands.len();
        let mut left = self.done.iter().filter(|done| !**done).count();
        if left < islands {
            freeze(&mut bundles, groups, &self.done);
            if joints.is_some() {
                rows.freeze(&self.done);
            }
        }
        for sweep in 1..=rule.iterations {
            let is_measured = sweep.is_power_of_two();
            if let Some(JointRows { problem, pass, lambda, .. }) = joints {
                rows.sweep(problem, pass, (numbers_of(&mut self.z), lambda), &self.done);
            }
            L::sweep(&mut bundles, &mut self.z, SweepRule { is_capped: rule.is_capped, is_measured });
            batch.sweeps = batch.sweeps.max(sweep);
            if is_measured {
                largest_of(&bundles, groups, |group| &group.change, islands, &mut self.changes);
                if joints.is_some() {
                    let of_rows = rows.changes().iter().map(|change| change * rule.relaxation);
                    self.changes.iter_mut().zip(of_rows).for_each(|(change, of_rows)| *change = change.max(of_rows));
                }
                let before = left;
                left = stop(&mut bundles, groups, &self.changes, &mut self.done);
                if left < before && joints.is_some() {
                    rows.freeze(&self.done);
                }
            }
            if left == 0 {
                break;
            }
        }
        if let Some(JointRows { lambda, .. }) = joints {
            rows.write(lambda);
        }
        self.rows = rows;
        if batch.is_checked.contains(&true) {
            L::measure(&mut bundles, &self.z, (rule.relaxation, rule.is_capped));
            largest_of(&bundles, groups, |group| &group.left, islands, &mut self.changes);
        }
        L::write(&bundles, (&mut batch.impulses, &mut batch.moments), nothing);
        *bundles_of(self) = bundles;
    }

    /// Puts the groups of each colour next to each other.
    fn bundle<const W: usize>(&self, bundles: &mut Bundles<W>) {
        let (nobody, groups) = (self.records.nobody(), &self.records.groups);
        let nothing = groups.len() as u32;
        bundles.clear();
        for (colour, list) in self.colours.lists.iter().enumerate() {
            let movers = |number: u32| Movers::from_places(groups[number as usize].places, nobody);
            let alike = list.chunk_by(|a, b| movers(*a) == movers(*b));
            for alike in alike.flat_map(|list| list.chunks(ALIKE)) {
                let count = alike.iter().map(|number| groups[*number as usize].count).max().unwrap_or(0);
                // Groups of the last colour may share bodies: one a bundle, one after the other.
                for chunk in alike.chunks(if colour == COLOURS { 1 } else { W }) {
                    let movers = movers(chunk[0]);
                    let bundle = bundles.add(nobody, nothing, count, movers);
                    for (lane, number) in chunk.iter().enumerate() {
                        let group = &groups[*number as usize];
                        let [first, second] = movers.in_order(group.places);
                        bundle.bodies[0][lane] = first;
                        bundle.bodies[1][lane] = second;
                        bundle.numbers[lane] = *number;
                        bundle.points[lane] = group.first;
                        bundle.counts[lane] = group.count;
                        let kind = group.friction_kind;
                        bundle.friction_kind = if lane == 0 { kind } else { bundle.friction_kind.combined_with(kind) };
                    }
                }
            }
        }
        bundles.make_room();
    }
}

/// The largest of a number of each group, by island.
fn largest_of<const W: usize>(
    bundles: &Bundles<W>,
    groups: &[GroupSource],
    of: impl Fn(&Group<W>) -> &[f64; W],
    islands: usize,
    largest: &mut Vec<f64>,
) {
    largest.clear();
    largest.resize(islands, 0.0);
    for bundle in bundles.groups() {
        for (number, value) in bundle.numbers.iter().zip(of(bundle)) {
            if let Some(group) = groups.get(*number as usize) {
                let largest = &mut largest[group.island as usize];
                // NaN stays.
                *largest = if *value > *largest || value.is_nan() { *value } else { *largest };
            }
        }
    }
}

/// Stops islands that are still; returns the number of the others.
fn stop<const W: usize>(bundles: &mut Bundles<W>, groups: &[GroupSource], changes: &[f64], done: &mut [bool]) -> usize {
    let mut is_new = false;
    for (done, change) in done.iter_mut().zip(changes).filter(|(done, _)| !**done) {
        *done = *change < STILL;
        is_new |= *done;
    }
    let left = done.iter().filter(|done| !**done).count();
    if is_new && left > 0 {
        freeze(bundles, groups, done);
    }
    left
}

/// Leaves the islands that are done as they are.
fn freeze<const W: usize>(bundles: &mut Bundles<W>, groups: &[GroupSource], done: &[bool]) {
    for number in 0..bundles.groups().len() {
        let islands =
            bundles.groups()[number].numbers.map(|group| groups.get(group as usize).map(|group| group.island));
        let is_still = islands.map(|island| island.is_none_or(|island| done[island as usize]));
        bundles.groups_mut()[number].is_still = is_still == [true; W];
        for lane in (0..W).filter(|lane| is_still[*lane] && islands[*lane].is_some()) {
            bundles.freeze(number, lane);
        }
    }
}

/// Coordinates of the bodies that move.
fn copy(z: &[Record], to: &mut Vec<f64>) {
    to.clear();
    to.extend(z[..z.len() - 1].iter().flat_map(|record| &record.0[..6]));
}
