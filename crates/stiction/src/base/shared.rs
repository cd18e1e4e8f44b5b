//! A list whose entries several threads write at the same time, each thread its own.
#![allow(unsafe_code, reason = "threads that share the work of a kernel write disjoint parts of one list")]

use std::marker::PhantomData;
use std::ops::Range;

/// A list that is borrowed as a whole and handed out by parts.
pub(crate) struct Shared<'a, T> {
    start: *mut T,
    count: usize,
    list: PhantomData<&'a mut [T]>,
}

// SAFETY: entries are reached only by functions that are unsafe: their callers see to it that no entry is used by two threads.
unsafe impl<T: Send> Send for Shared<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Shared<'_, T> {}

impl<'a, T> Shared<'a, T> {
    pub(crate) fn new(list: &'a mut [T]) -> Self {
        Self { start: list.as_mut_ptr(), count: list.len(), list: PhantomData }
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    pub(crate) fn as_mut_ptr(&self) -> *mut T {
        self.start
    }

    /// Entries of a part of the list.
    ///
    /// # Safety
    /// As long as they are borrowed nobody else uses an entry of the part.
    #[allow(clippy::mut_from_ref, reason = "the entries are those of the list that was borrowed to be written")]
    pub(crate) unsafe fn part(&self, part: Range<usize>) -> &'a mut [T] {
        assert!(part.start <= part.end && part.end <= self.count, "a part beyond the list");
        // SAFETY: the part is within the list, which is borrowed for as long, and nobody else uses it.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(part.start), part.len()) }
    }

    /// One entry.
    ///
    /// # Safety
    /// As long as it is borrowed nobody else uses it.
    #[allow(clippy::mut_from_ref, reason = "the entry is one of the list that was borrowed to be written")]
    pub(crate) unsafe fn at(&self, place: usize) -> &'a mut T {
        assert!(place < self.count, "a place beyond the list");
        // SAFETY: the place is within the list, which is borrowed for as long, and nobody else uses it.
        unsafe { &mut *self.start.add(place) }
    }
}
