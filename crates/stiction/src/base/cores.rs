//! Processor cores that threads run on.
//!
//! Some systems wake a thread on the core of the one that wakes it, even where another is free: threads that are to run side by side
//! then wait for each other.

#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// Cores that the threads of a pool may run on; by default nothing is known of them.
#[derive(Default)]
pub(super) struct Cores {
    #[cfg(target_os = "linux")]
    allowed: Option<CpuSet>,
}

impl Cores {
    /// Those of the present thread.
    pub(super) fn of_caller() -> Self {
        Self {
            #[cfg(target_os = "linux")]
            allowed: sched_getaffinity(None).ok(),
        }
    }

    /// Moves the present thread to others than the given one if it runs on that, and there are others. It is still right where this
    /// fails.
    #[cfg(target_os = "linux")]
    pub(super) fn leave(&self, core: usize) {
        let Some(mut others) = self.allowed else { return };
        if core < CpuSet::MAX_CPU && core == present() {
            others.unset(core);
            if others.count() > 0 {
                let _ = sched_setaffinity(None, &others);
            }
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn leave(&self, _core: usize) {}
}

/// The core that the present thread runs on; a number beyond all where that is not known.
pub(super) fn present() -> usize {
    #[cfg(target_os = "linux")]
    return sched_getcpu();
    #[cfg(not(target_os = "linux"))]
    return usize::MAX;
}
