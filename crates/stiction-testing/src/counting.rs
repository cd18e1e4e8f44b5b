//! An allocator that counts: a settled step must not allocate.
#![allow(unsafe_code, reason = "`GlobalAlloc` is an unsafe trait; every call goes to the system allocator unchanged")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system allocator, with a count of its allocations.
pub struct Counting;

thread_local! {
    // By thread: a test harness allocates on its own thread while a test runs. A constant without a
    // destructor is never allocated itself.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

/// Allocations of the calling thread so far; zero for ever unless [`Counting`] is its global allocator.
#[must_use]
pub fn allocations() -> u64 {
    COUNT.get()
}

// SAFETY: each method passes its arguments to the system allocator, whose contract is the same, and adds to a counter.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller's contract is that of the system allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
