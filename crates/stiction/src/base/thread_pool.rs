//! A thread pool with a low latency.
//!
//! A step has a hundred tasks of a few microseconds each, one for every colour of every pass: a thread that sleeps in between needs 50 µs to
//! wake up. Workers spin for about as long as a step takes before they sleep. The caller does not wait for a worker that has not
//! started its share of a task: it does that share itself.
#![allow(unsafe_code, reason = "a task is borrowed for no longer than its last share is done")]

use std::cell::UnsafeCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::JoinHandle;

use super::cores::{Cores, present};

/// Spins of a worker before it sleeps: about 0.2 ms.
const SPINS: u32 = 10_000;

/// Spins of the caller before it yields, while it waits for a worker to finish.
const SPINS_TO_YIELD: u32 = 2_000;

/// Tasks between two checks of the cores that threads run on.
const TASKS_PER_CHECK: u64 = 32;

/// The work of a share, by its number.
type Work<'a> = dyn Fn(usize) + Sync + 'a;

/// The caller's thread and the others; by default the caller's alone.
#[derive(Default)]
pub(crate) struct ThreadPool {
    state: Option<Arc<PoolState>>,
    handles: Vec<JoinHandle<()>>,
    /// The caller does all by itself.
    is_suspended: bool,
    /// There was work that others could have had a share in.
    was_asked: bool,
}

/// What the caller and the workers share.
struct PoolState {
    /// Number of the task, from 1 on.
    task: CacheLine<AtomicU64>,
    /// Its work. Written by the caller between two tasks, read by a worker that has taken its share of one.
    work: UnsafeCell<Option<&'static Work<'static>>>,
    workers: Box<[CacheLine<Worker>]>,
    /// The core of the caller, as it was not long ago, and those that it may run on.
    core: AtomicUsize,
    cores: Cores,
    has_ended: AtomicBool,
    has_failed: AtomicBool,
}

// SAFETY: `work` is written only while every share of the last task is done, and read only by who has taken a share of the
// present one: `task`, `taken` and `done` order the two.
unsafe impl Sync for PoolState {}

/// Of a worker.
#[derive(Default)]
struct Worker {
    /// The last task whose share of the worker somebody has taken, and the last that the worker itself has done.
    taken: AtomicU64,
    done: AtomicU64,
    sleeps: AtomicBool,
}

/// On a cache line of its own, against false sharing.
#[derive(Default)]
#[repr(align(128))]
struct CacheLine<T>(T);

impl ThreadPool {
    /// Starts or stops threads; 0 and 1 are the caller's own. Where the system gives fewer, there are fewer.
    pub(crate) fn set(&mut self, count: usize) {
        if count.max(1) == self.size() {
            return;
        }
        self.stop();
        if count <= 1 {
            return;
        }
        let state = Arc::new(PoolState {
            task: CacheLine::default(),
            work: UnsafeCell::new(None),
            workers: (1..count).map(|_| CacheLine::default()).collect(),
            core: AtomicUsize::new(usize::MAX),
            cores: Cores::of_caller(),
            has_ended: AtomicBool::new(false),
            has_failed: AtomicBool::new(false),
        });
        for number in 1..count {
            let own = Arc::clone(&state);
            let start = std::thread::Builder::new().name(format!("stiction-{number}"));
            match start.spawn(move || own.follow(number)) {
                Ok(handle) => self.handles.push(handle),
                Err(_) => break,
            }
        }
        self.state = Some(state);
    }

    /// Number of threads, the caller's among them.
    pub(crate) fn size(&self) -> usize {
        self.state.as_ref().map_or(1, |state| 1 + state.workers.len())
    }

    /// Suspends the workers, or resumes them: suspended ones get no share of any work.
    pub(crate) fn suspend(&mut self, is_suspended: bool) {
        self.is_suspended = is_suspended;
        self.was_asked = false;
    }

    /// Since [`suspend`](Self::suspend) was last called there was work worth sharing.
    pub(crate) fn was_asked(&self) -> bool {
        self.was_asked
    }

    /// Number of threads to divide work among: 1 where it is not worth sharing, or the workers are suspended.
    pub(crate) fn count(&mut self, is_worth: bool) -> usize {
        self.was_asked |= is_worth;
        if is_worth && !self.is_suspended { self.size() } else { 1 }
    }

    /// Does the work of as many shares as there are threads; it returns when all is done. The caller's is share 0.
    ///
    /// # Panics
    /// Where the work of a share does.
    pub(crate) fn share(&mut self, work: &Work<'_>) {
        let Some(state) = self.state.as_ref().filter(|_| !self.is_suspended) else { return work(0) };
        // SAFETY: all shares of the last task are done, so nobody reads it. The reference is used by those who have taken a share of
        // this task, and this function, which holds the work borrowed, returns after all of them.
        unsafe { *state.work.get() = Some(std::mem::transmute::<&Work<'_>, &'static Work<'static>>(work)) };
        let task = state.task.0.load(Ordering::Relaxed) + 1;
        if task.is_multiple_of(TASKS_PER_CHECK) {
            state.core.store(present(), Ordering::Relaxed);
        }
        state.task.0.store(task, Ordering::SeqCst);
        for (worker, handle) in state.workers.iter().zip(&self.handles) {
            if worker.0.sleeps.load(Ordering::SeqCst) {
                handle.thread().unpark();
            }
        }
        // A panic waits until the others are done with what they borrow.
        let mut result = catch_unwind(AssertUnwindSafe(|| work(0)));
        for (number, CacheLine(worker)) in state.workers.iter().enumerate() {
            if worker.takes(task) {
                result = result.and(catch_unwind(AssertUnwindSafe(|| work(1 + number))));
            } else {
                wait(|| worker.done.load(Ordering::Acquire) == task);
            }
        }
        let has_failed = state.has_failed.swap(false, Ordering::Relaxed);
        if let Err(panic) = result {
            resume_unwind(panic);
        }
        assert!(!has_failed, "the work of a thread has failed");
    }

    fn stop(&mut self) {
        if let Some(state) = self.state.take() {
            state.has_ended.store(true, Ordering::SeqCst);
            for handle in self.handles.drain(..) {
                handle.thread().unpark();
                // A worker catches the panics of its work: it has none of its own.
                let _ = handle.join();
            }
        }
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Worker {
    /// Takes the share of a task, if nobody has: the tasks before it are done.
    fn takes(&self, task: u64) -> bool {
        self.taken.compare_exchange(task - 1, task, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }
}

impl PoolState {
    /// What a worker does.
    fn follow(&self, number: usize) {
        let CacheLine(worker) = &self.workers[number - 1];
        let (mut last, mut looked) = (0, 0);
        while let Some(task) = self.next(worker, last) {
            last = task;
            if task - looked >= TASKS_PER_CHECK {
                looked = task;
                self.cores.leave(self.core.load(Ordering::Relaxed));
            }
            if !worker.takes(task) {
                continue;
            }
            // SAFETY: the caller has written the work before the task, and waits until the share is done.
            let work = unsafe { *self.work.get() };
            let result = catch_unwind(AssertUnwindSafe(|| work.map(|work| work(number))));
            if result.is_err() {
                self.has_failed.store(true, Ordering::Relaxed);
            }
            worker.done.store(task, Ordering::Release);
        }
    }

    /// Waits for a task after the last; none at the end.
    fn next(&self, worker: &Worker, last: u64) -> Option<u64> {
        loop {
            for _ in 0..SPINS {
                let task = self.task.0.load(Ordering::Acquire);
                if task != last {
                    return Some(task);
                }
                std::hint::spin_loop();
            }
            // The caller looks at this after it has written the task, and the worker at the task after it has written this: one of
            // the two sees the other.
            worker.sleeps.store(true, Ordering::SeqCst);
            while self.task.0.load(Ordering::SeqCst) == last && !self.has_ended.load(Ordering::SeqCst) {
                std::thread::park();
            }
            worker.sleeps.store(false, Ordering::SeqCst);
            if self.has_ended.load(Ordering::SeqCst) {
                return None;
            }
        }
    }
}

/// Waits for something that is under way.
fn wait(is_done: impl Fn() -> bool) {
    let mut spins = 0;
    while !is_done() {
        spins += 1;
        if spins < SPINS_TO_YIELD {
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}

/// The part of so many entries that is a share's.
pub(crate) fn part(entries: usize, share: usize, shares: usize) -> std::ops::Range<usize> {
    entries * share / shares..entries * (share + 1) / shares
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn every_share_is_done_once_a_piece() {
        for count in [1, 2, 3, 8] {
            let mut pool = ThreadPool::default();
            pool.set(count);
            assert_eq!(pool.count(true), count);
            let done: Vec<AtomicUsize> = (0..count).map(|_| AtomicUsize::new(0)).collect();
            for task in 0..2000 {
                if task % 500 == 499 {
                    std::thread::sleep(std::time::Duration::from_millis(3));
                }
                pool.share(&|share| {
                    done[share].fetch_add(1, Ordering::Relaxed);
                });
                assert!(done.iter().all(|done| done.load(Ordering::Relaxed) == task + 1));
            }
        }
    }

    #[test]
    fn parts_are_all_entries() {
        let parts: Vec<_> = (0..3).flat_map(|share| part(10, share, 3)).collect();
        assert_eq!(parts, (0..10).collect::<Vec<_>>());
    }

    #[test]
    fn a_panic_of_a_share_is_that_of_the_caller_and_the_team_goes_on() {
        let mut pool = ThreadPool::default();
        pool.set(3);
        for bad in 0..3 {
            let result = catch_unwind(AssertUnwindSafe(|| pool.share(&|share| assert_ne!(share, bad))));
            assert!(result.is_err());
        }
        let done = AtomicUsize::new(0);
        pool.share(&|_| {
            done.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(done.into_inner(), 3);
    }
}
