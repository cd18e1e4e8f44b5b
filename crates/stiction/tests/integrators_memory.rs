//! Integrators allocate nothing once they have seen a system.

// A global allocator is unsafe by its trait; this one only counts.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System as SystemAllocator};
use std::sync::atomic::{AtomicU64, Ordering};

#[allow(dead_code)]
#[path = "integrators/systems.rs"]
mod systems;

use glam::DVec3;
use stiction::integrators::{Integrator, IntegratorParameters, Scheme};
use systems::RigidBody;

struct Counting;

static COUNT: AtomicU64 = AtomicU64::new(0);

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        unsafe { SystemAllocator.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { SystemAllocator.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        unsafe { SystemAllocator.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn nothing_is_allocated_after_the_first_call() {
    let mut body = RigidBody { moments: DVec3::new(1.0, 2.0, 3.5), gravity: DVec3::new(0.0, 0.0, -9.81) };
    for scheme in Scheme::ALL {
        for error_control in [false, true] {
            let parameters = IntegratorParameters { scheme, error_control, ..Default::default() };
            let (mut q, mut v) = (RigidBody::REST, [1.0, 0.0, 0.0, 3.0, 5.0, -2.0]);
            let mut integrator = Integrator::default();
            let mut advance = || {
                let before = COUNT.load(Ordering::Relaxed);
                integrator.advance(&mut body, &parameters, 0.0, 0.5, &mut q, &mut v, |_, _, _| ());
                COUNT.load(Ordering::Relaxed) - before
            };
            advance();
            assert_eq!(advance(), 0, "{scheme:?}");
        }
    }
}
