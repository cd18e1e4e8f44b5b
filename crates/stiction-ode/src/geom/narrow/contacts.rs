//! The program's array of contacts, filled one by one.

use std::ffi::c_int;

use glam::DVec3;

use super::super::GeomId;
use crate::types::{dContactGeom, dReal, put};

/// Bits of the flags that count contacts.
pub(crate) const SLOTS: c_int = 0xffff;
/// Bit of the flags: any contacts will do.
pub(crate) const CONTACTS_UNIMPORTANT: c_int = c_int::MIN;

/// Contacts between two geoms.
pub(crate) struct Contacts {
    pub start: *mut dContactGeom,
    /// Bytes from one to the next.
    skip: usize,
    pub flags: c_int,
    pub count: usize,
    pub first: GeomId,
    pub second: GeomId,
}

impl Contacts {
    pub(super) fn new(start: *mut dContactGeom, skip: c_int, flags: c_int) -> Self {
        let none = std::ptr::null_mut();
        Self { start, skip: skip as usize, flags, count: 0, first: none, second: none }
    }

    /// How many the program wants at most.
    pub(crate) fn max(&self) -> usize {
        (self.flags & SLOTS) as usize
    }

    pub(crate) fn is_full(&self) -> bool {
        self.count >= self.max()
    }

    pub(super) fn skip(&self) -> c_int {
        self.skip as c_int
    }

    /// # Safety
    /// `index` is one of the array's.
    pub(super) unsafe fn at(&self, index: usize) -> *mut dContactGeom {
        // SAFETY: the caller's promise.
        unsafe { self.start.byte_add(index * self.skip) }
    }

    /// Adds a point with the normal into the first geom, if there is room.
    pub(crate) fn push(&mut self, position: DVec3, normal: DVec3, depth: f64) {
        self.push_sides(position, normal, depth, -1, -1);
    }

    /// Adds a point of the engine's, whose normals are of unit length but for rounding; here they are to the last bit.
    pub(crate) fn push_unit(&mut self, position: DVec3, normal: DVec3, depth: f64, [side1, side2]: [c_int; 2]) {
        let length = normal.length();
        let unit = if length > 0.0 && length.is_finite() { normal / length } else { normal };
        self.push_sides(position, unit, depth, side1, side2);
    }

    /// Adds a point on triangles of the geoms; -1 where there are none.
    pub(crate) fn push_sides(&mut self, position: DVec3, normal: DVec3, depth: f64, side1: c_int, side2: c_int) {
        if self.is_full() {
            return;
        }
        // SAFETY: the array has as many places as the flags say.
        unsafe {
            *self.at(self.count) = dContactGeom {
                pos: put(position),
                normal: put(normal),
                depth: depth as dReal,
                g1: self.first.cast(),
                g2: self.second.cast(),
                side1,
                side2,
            };
        }
        self.count += 1;
    }

    /// Exchanges the two geoms.
    pub(super) fn reverse(&mut self) {
        for index in 0..self.count {
            // SAFETY: these have been written.
            let contact = unsafe { &mut *self.at(index) };
            for v in &mut contact.normal[..3] {
                *v = -*v;
            }
            std::mem::swap(&mut contact.g1, &mut contact.g2);
            std::mem::swap(&mut contact.side1, &mut contact.side2);
        }
    }
}
