//! Triangles of two surfaces that come near each other, and their vertices.

use std::cell::Cell;
use std::ops::ControlFlow;

use glam::DVec3;

use super::pair::PairSide;
use crate::shape::{Aabb, Triangle};

/// Calls `visit` with all pairs of triangles, each in its own axes, whose boxes in the second's axes come within `reach`
/// \[m\], until it breaks off; those of one triangle of the first one after the other. Without a second tree the first one
/// is gone down where the second has something.
pub(super) fn near_pairs(
    first: &PairSide,
    second: &PairSide,
    reach: f64,
    visit: &mut dyn FnMut(&Triangle, &Triangle) -> ControlFlow<()>,
) {
    let to_second = second.pose.inverse().compose(&first.pose);
    if let (Some(first), Some(second)) = (first.triangles.as_mesh(), second.triangles.as_mesh()) {
        return first.near_pairs(second, &to_second, reach, visit);
    }
    let rows = to_second.matrix().transpose();
    let bounds = second.bounds.expanded(reach);
    let flow = Cell::new(ControlFlow::Continue(()));
    let mut passes = |aabb: &Aabb| {
        let turned = aabb.turned_by(&rows, to_second.position).expanded(reach);
        flow.get().is_continue() && turned.intersects(&bounds) && second.triangles.touches(&turned)
    };
    first.triangles.descend(&mut passes, &mut |a| {
        let corners = a.corners.map(|p| to_second.point(p));
        let near = Triangle { corners, ..*a }.bounds().expanded(reach);
        second.triangles.visit(&near, &mut |b| {
            if flow.get().is_continue() {
                flow.set(visit(a, b));
            }
        });
    });
}

/// An empty slot.
const EMPTY: u32 = u32::MAX;
/// Slots at first.
const SLOTS: usize = 64;

/// A vertex of one surface.
#[derive(Clone, Copy)]
pub(super) struct Vertex {
    pub number: u32,
    /// In its own axes \[m\].
    pub point: DVec3,
    /// It is no farther from the other surface than this \[m\], as far as is known.
    pub distance: f64,
}

/// Vertices in the order in which they came, each once.
#[derive(Default)]
pub(super) struct Vertices {
    list: Vec<Vertex>,
    /// Places in the list, at most half full; the next free slot is a vertex' (Knuth 6.4, algorithm L).
    slots: Vec<u32>,
}

impl Vertices {
    pub fn clear(&mut self) {
        self.list.clear();
        self.slots.clear();
        self.slots.resize(SLOTS, EMPTY);
    }

    /// Takes a vertex if it is not known; `distance` says how far from the other surface it is at most.
    #[inline]
    pub fn insert(&mut self, number: u32, point: DVec3, distance: impl FnOnce() -> f64) {
        let Some(slot) = self.slot(number) else { return };
        self.slots[slot] = self.list.len() as u32;
        self.list.push(Vertex { number, point, distance: distance() });
        if 2 * self.list.len() > self.slots.len() {
            let slots = 2 * self.slots.len();
            self.slots.clear();
            self.slots.resize(slots, EMPTY);
            for index in 0..self.list.len() {
                if let Some(slot) = self.slot(self.list[index].number) {
                    self.slots[slot] = index as u32;
                }
            }
        }
    }

    /// The free slot of a vertex; none if it is known.
    fn slot(&self, number: u32) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = (number.wrapping_mul(0x9e37_79b1) >> 7) as usize & mask;
        while self.slots[slot] != EMPTY {
            if self.list[self.slots[slot] as usize].number == number {
                return None;
            }
            slot = (slot + 1) & mask;
        }
        Some(slot)
    }

    pub fn get(&self, index: usize) -> Option<Vertex> {
        self.list.get(index).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_come_once_and_in_order() {
        let mut vertices = Vertices::default();
        for round in 0..3 {
            vertices.clear();
            let numbers = (0..1000u32).map(|i| i.wrapping_mul(1_000_003 + round) % 700);
            let mut known: Vec<u32> = Vec::new();
            for v in numbers {
                vertices.insert(v, DVec3::splat(f64::from(v)), || 0.0);
                if !known.contains(&v) {
                    known.push(v);
                }
            }
            let list: Vec<u32> = (0..).map_while(|i| vertices.get(i)).map(|v| v.number).collect();
            assert_eq!(list, known);
        }
    }
}
