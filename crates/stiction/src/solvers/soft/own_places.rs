//! Records of bodies that threads read and write side by side, each those of its own bundles.
#![allow(unsafe_code, reason = "threads that share a colour write disjoint places of one list")]

use std::marker::PhantomData;

use super::lane::{Lanes, Record};
use crate::base::Shared;

/// Records of which one thread uses some places, and no other thread these.
pub(crate) struct OwnPlaces<'a> {
    start: *mut Record,
    count: usize,
    records: PhantomData<&'a mut [Record]>,
}

impl<'a> OwnPlaces<'a> {
    /// All places.
    pub(crate) fn all(records: &'a mut [Record]) -> Self {
        Self { start: records.as_mut_ptr(), count: records.len(), records: PhantomData }
    }

    /// Some places of records that are shared.
    ///
    /// # Safety
    /// As long as this exists nobody else uses the places that it is asked for, nor a slice of them.
    pub(crate) unsafe fn from_shared(shared: &Shared<'a, Record>) -> Self {
        Self { start: shared.as_mut_ptr(), count: shared.len(), records: PhantomData }
    }

    #[inline(always)]
    pub(super) fn gather<L: Lanes<W>, const W: usize>(&self, at: &[u32; W]) -> [L; 8] {
        // SAFETY: the records are borrowed for as long, and nobody else uses the places.
        unsafe { L::gather_from(self.start, self.count, at) }
    }

    /// The record at a place.
    #[inline(always)]
    pub(super) fn at(&mut self, place: usize) -> &mut Record {
        assert!(place < self.count, "a place beyond the records");
        // SAFETY: as above; the place is within the records.
        unsafe { &mut *self.start.add(place) }
    }

    #[inline(always)]
    pub(super) fn scatter<L: Lanes<W>, const W: usize>(&mut self, values: &[L; 8], at: &[u32; W]) {
        // SAFETY: as above.
        unsafe { L::scatter_into(values, self.start, self.count, at) }
    }
}
