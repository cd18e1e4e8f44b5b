//! The threads of a world. Work is cut into items that see nothing of each other, each item goes to whichever thread is free, and
//! results are put together in the order of items: the bits do not depend on the number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::base::{Shared, ThreadPool, Trial};

/// Threads, each with memory of its own that no result depends on.
#[derive(Default)]
pub(crate) struct Threads<M> {
    pool: ThreadPool,
    trial: Trial,
    own: M,
    others: Vec<Mutex<M>>,
}

impl<M: Default + Send> Threads<M> {
    /// Starts or stops threads; 0 and 1 are the caller's own. Where the system gives none, the caller's own does all.
    pub(crate) fn set(&mut self, count: usize) {
        self.pool.set(count);
        if count.max(1) != self.others.len().max(1) {
            self.trial = Trial::default();
        }
        self.others.resize_with(if count > 1 { count } else { 0 }, Mutex::default);
    }

    /// Memory of the caller's own thread.
    pub(crate) fn mine(&mut self) -> &mut M {
        &mut self.own
    }

    /// The threads, for work that is cut otherwise.
    pub(crate) fn pool(&mut self) -> &mut ThreadPool {
        &mut self.pool
    }

    /// A step begins: it is done with or without the others, whichever is faster.
    pub(crate) fn begin(&mut self) {
        if self.pool.size() > 1 {
            let pays = self.trial.begin();
            self.pool.suspend(!pays);
        }
    }

    /// A step has ended.
    pub(crate) fn end(&mut self) {
        if self.pool.size() > 1 {
            self.trial.end(self.pool.was_asked());
        }
    }

    /// Parts to cut work into, of which so many would be worth it; 1 without other threads.
    pub(crate) fn parts(&mut self, most: usize) -> usize {
        match self.pool.count(most > 1) {
            1 => 1,
            threads => most.min(4 * threads),
        }
    }

    /// Does the work of every item, side by side if it is `worth` it.
    #[allow(unsafe_code, reason = "each item is given to one thread")]
    pub(crate) fn each<T: Send>(&mut self, items: &mut [T], worth: bool, work: impl Fn(&mut T, &mut M) + Sync) {
        let Self { pool, own, others, .. } = self;
        if pool.count(worth && items.len() > 1) == 1 {
            return items.iter_mut().for_each(|item| work(item, own));
        }
        let (next, count) = (AtomicUsize::new(0), items.len());
        let items = Shared::new(items);
        pool.share(&|thread| {
            // Each thread takes its own: nobody waits, and what a panic left behind is memory only.
            let mut memory = others[thread].lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                let item = next.fetch_add(1, Ordering::Relaxed);
                if item >= count {
                    break;
                }
                // SAFETY: the number comes once.
                work(unsafe { items.at(item) }, &mut memory);
            }
        });
    }
}
