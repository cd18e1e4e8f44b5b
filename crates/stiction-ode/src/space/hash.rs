//! The hash space.

use std::sync::atomic::{AtomicBool, Ordering};

use super::collide::{Near, overlap};
use super::grid::Bounds;
use super::memory::Memory;
use crate::geom::GeomId;
use crate::report;

/// Pairs in ODE's order: those of the grids, then each of these geoms with each that is in no grid, then the latter among
/// themselves. Geoms whose bounds are no numbers are reported and left out.
pub(super) unsafe fn collide(first: GeomId, (least, greatest): (i32, i32), memory: &mut Memory, near: Near) {
    gather(first, memory);
    let Memory { grid, geoms, bounds, pairs, outside, .. } = memory;
    grid.fill(bounds, least, greatest);
    pairs.clear();
    grid.for_each_pair(bounds, |i, j| pairs.push((i, j)));
    for &(i, j) in pairs.iter() {
        near.tell_if_wanted(geoms[i as usize], geoms[j as usize]);
    }
    outside.clear();
    outside.extend((0..geoms.len()).filter(|&i| !grid.holds(i)).map(|i| i as u32));
    if !outside.is_empty() {
        for i in (0..geoms.len()).filter(|&i| grid.holds(i)) {
            for &j in outside.iter() {
                if overlap(&bounds[i], &bounds[j as usize]) {
                    near.tell_if_wanted(geoms[i], geoms[j as usize]);
                }
            }
        }
    }
    for (k, &i) in outside.iter().enumerate() {
        for &j in &outside[k + 1..] {
            let (i, j) = (i as usize, j as usize);
            if overlap(&bounds[i], &bounds[j]) {
                near.tell_if_wanted(geoms[i], geoms[j]);
            }
        }
    }
}

/// All geoms that take part and have bounds.
unsafe fn gather(first: GeomId, memory: &mut Memory) {
    memory.geoms.clear();
    memory.bounds.clear();
    let mut geom = first;
    while !geom.is_null() {
        if (*geom).takes_part() {
            if (*geom).bounds.iter().any(|b| b.is_nan()) {
                report::debug(report::INTERNAL, "bounds of a geom are no numbers");
            } else {
                tell_if_far(&(*geom).bounds);
                memory.geoms.push(geom);
                memory.bounds.push((*geom).bounds);
            }
        }
        geom = (*geom).next;
    }
}

/// ODE's hash space ends where the cells of a geom's size have no numbers of 32 bits any more. This one does not; a program is
/// told once, because so far away numbers have few digits left for what happens there.
fn tell_if_far(bounds: &Bounds) {
    static IS_TOLD: AtomicBool = AtomicBool::new(false);
    let reach = bounds.iter().fold(0.0, |most: f64, b| most.max(b.abs()));
    let size = (0..3).fold(0.0, |most: f64, k| most.max(bounds[2 * k + 1] - bounds[2 * k]));
    if reach.is_finite() && reach > size * f64::from(i32::MAX) && !IS_TOLD.swap(true, Ordering::Relaxed) {
        report::message(
            report::INTERNAL,
            "a geom is so far away that ODE's hash space could not hold it; this one does",
        );
    }
}
