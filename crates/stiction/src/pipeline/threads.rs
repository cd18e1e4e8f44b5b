//! A fixed pool of threads. Work is cut into items that see nothing of each other, each item goes to whichever thread is
//! free, and results are put together in the order of items: the bits do not depend on the number of threads.

use std::sync::{Mutex, PoisonError};

use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

/// Threads, each with memory of its own that no result depends on.
#[derive(Default)]
pub(crate) struct Threads<M> {
    pool: Option<rayon::ThreadPool>,
    own: M,
    others: Vec<Mutex<M>>,
}

impl<M: Default + Send> Threads<M> {
    /// Starts or stops threads; 0 and 1 are the caller's own. Where the system gives none, the caller's own does all.
    pub(crate) fn set(&mut self, count: usize) {
        if self.others.len() == count || count <= 1 && self.pool.is_none() {
            return;
        }
        self.pool = match count {
            0 | 1 => None,
            _ => rayon::ThreadPoolBuilder::new().num_threads(count).build().ok(),
        };
        let others = if count > 1 { count } else { 0 };
        self.others.resize_with(others, Mutex::default);
    }

    /// Memory of the caller's own thread.
    pub(crate) fn mine(&mut self) -> &mut M {
        &mut self.own
    }

    /// Parts that work is worth cutting into; 1 without other threads.
    pub(crate) fn parts(&self) -> usize {
        if self.pool.is_some() { 4 * self.others.len() } else { 1 }
    }

    /// Does the work of every item, side by side if it is `worth` the threads' start.
    pub(crate) fn each<T: Send>(&mut self, items: &mut [T], worth: bool, work: impl Fn(&mut T, &mut M) + Sync) {
        let Self { pool, own, others } = self;
        match pool {
            Some(pool) if worth && items.len() > 1 => pool.install(|| {
                items.par_iter_mut().with_max_len(1).for_each(|item| {
                    let thread = rayon::current_thread_index().unwrap_or(0);
                    // Each thread takes its own: nobody waits, and what a panic left behind is memory only.
                    let mut memory = others[thread].lock().unwrap_or_else(PoisonError::into_inner);
                    work(item, &mut memory);
                });
            }),
            _ => items.iter_mut().for_each(|item| work(item, own)),
        }
    }
}
