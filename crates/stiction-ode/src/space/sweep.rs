//! The sweep-and-prune space.

use std::ffi::c_int;

use super::collide::Near;
use super::memory::Memory;
use crate::geom::GeomId;

/// Geoms that have moved since the last walk, and the others. A geom's slot is its place in its table; a last geom takes
/// the place of one that leaves.
pub(crate) struct Sweep {
    moved: Vec<GeomId>,
    settled: Vec<GeomId>,
    /// Axes to sort along and to compare on.
    axes: [usize; 3],
    /// The order of the last walk: ties keep to it.
    order: Vec<u32>,
}

/// High bit of a slot: the geom is among the settled.
const SETTLED: u32 = 1 << 31;

impl Sweep {
    /// Two bits for each axis, the one to sort along lowest.
    pub(super) fn new(axis_order: c_int) -> Self {
        let axes = [0, 2, 4].map(|shift| ((axis_order >> shift) & 3).min(2) as usize);
        Self { moved: Vec::new(), settled: Vec::new(), axes, order: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.moved.len() + self.settled.len()
    }

    /// The moved ones come first.
    pub(super) fn geom(&self, index: usize) -> GeomId {
        self.moved.get(index).or_else(|| self.settled.get(index - self.moved.len())).copied().unwrap_or_default()
    }

    pub(super) unsafe fn add(&mut self, geom: GeomId) {
        (*geom).slot = self.moved.len() as u32;
        self.moved.push(geom);
    }

    pub(super) unsafe fn remove(&mut self, geom: GeomId) {
        let slot = (*geom).slot;
        let (table, mark) = if slot & SETTLED == 0 { (&mut self.moved, 0) } else { (&mut self.settled, SETTLED) };
        let index = (slot & !SETTLED) as usize;
        table.swap_remove(index);
        if let Some(&last) = table.get(index) {
            (*last).slot = index as u32 | mark;
        }
    }

    pub(super) unsafe fn dirty(&mut self, geom: GeomId) {
        if (*geom).slot & SETTLED != 0 {
            self.remove(geom);
            self.add(geom);
        }
    }

    /// The geom that moved so many others ago.
    pub(super) fn moved(&self, index: usize) -> Option<GeomId> {
        self.moved.get(index).copied()
    }

    /// The first so many of the moved are settled from now on.
    pub(super) unsafe fn settle_moved(&mut self, count: usize) {
        for geom in self.moved.drain(..count.min(self.moved.len())) {
            (*geom).slot = self.settled.len() as u32 | SETTLED;
            self.settled.push(geom);
        }
        for (slot, &geom) in self.moved.iter().enumerate() {
            (*geom).slot = slot as u32;
        }
    }

    /// Pairs along the sorted axis; then the geoms without upper end, each with the later ones of its kind and with all
    /// others, whose bounds nobody asks for.
    pub(super) unsafe fn collide(&mut self, memory: &mut Memory, near: Near) {
        let upper = 2 * self.axes[0] + 1;
        let Memory { geoms, outside, pairs, .. } = memory;
        geoms.clear();
        outside.clear();
        for (index, &geom) in self.settled.iter().enumerate().filter(|(_, geom)| (***geom).takes_part()) {
            if (*geom).bounds[upper] == f64::INFINITY {
                outside.push(index as u32);
            } else {
                geoms.push(geom);
            }
        }
        self.overlapping(geoms, pairs);
        for &(i, j) in pairs.iter() {
            near.tell_if_wanted(geoms[i as usize], geoms[j as usize]);
        }
        for (k, &first) in outside.iter().enumerate() {
            let first = self.settled[first as usize];
            for &second in &outside[k + 1..] {
                near.tell_if_wanted(first, self.settled[second as usize]);
            }
            for &second in geoms.iter() {
                near.tell_if_wanted(first, second);
            }
        }
    }

    /// Pairs whose bounds overlap: in single precision along the sorted axis, as ODE sorts, exactly on the others.
    unsafe fn overlapping(&mut self, geoms: &[GeomId], pairs: &mut Vec<(u32, u32)>) {
        pairs.clear();
        if geoms.is_empty() {
            // The order of the last walk stays, for the next with as many geoms.
            return;
        }
        let [main, second, third] = self.axes.map(|axis| 2 * axis);
        let starts: Vec<f32> = geoms.iter().map(|&geom| (*geom).bounds[main] as f32).collect();
        self.sort(&starts);
        // What is compared, in sorted order and close together.
        struct Interval {
            start: f32,
            end: f32,
            rest: [f64; 4],
        }
        let intervals: Vec<Interval> = (self.order.iter())
            .map(|&index| {
                let bounds = &(*geoms[index as usize]).bounds;
                let rest = [bounds[second], bounds[second + 1], bounds[third], bounds[third + 1]];
                Interval { start: starts[index as usize], end: bounds[main + 1] as f32, rest }
            })
            .collect();
        for (i, a) in intervals.iter().enumerate() {
            for (b, &index) in intervals[i + 1..].iter().zip(&self.order[i + 1..]) {
                if b.start > a.end {
                    break;
                }
                let apart =
                    a.rest[1] < b.rest[0] || b.rest[1] < a.rest[0] || a.rest[3] < b.rest[2] || b.rest[3] < a.rest[2];
                if !apart {
                    pairs.push((self.order[i], index));
                }
            }
        }
    }

    /// Sorts indices by value, starting from the order of the last walk over as many geoms. Where ODE's radix sort meets
    /// equal values it keeps that order for positive ones and reverses it for negative ones, unless nothing is to be done.
    fn sort(&mut self, values: &[f32]) {
        if self.order.len() != values.len() {
            self.order = (0..values.len() as u32).collect();
        }
        if self.order.is_sorted_by(|&i, &j| values[i as usize] <= values[j as usize]) {
            return;
        }
        let mut keys: Vec<(u32, u32, u32)> = (self.order.iter().enumerate())
            .map(|(rank, &index)| {
                let bits = values[index as usize].to_bits();
                let rank = rank as u32;
                // Bits of a negative number count downwards.
                if bits >> 31 == 0 { (bits | 1 << 31, rank, index) } else { (!bits, !rank, index) }
            })
            .collect();
        keys.sort_unstable();
        for (place, (_, _, index)) in self.order.iter_mut().zip(keys) {
            *place = index;
        }
    }
}
