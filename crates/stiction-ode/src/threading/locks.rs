//! Locks that one call closes and another opens.

use std::sync::{Condvar, Mutex, PoisonError};

#[derive(Default)]
struct Lock {
    is_closed: Mutex<bool>,
    opened: Condvar,
}

/// `dMutexGroupID`.
pub(super) struct LockGroup(Vec<Lock>);

impl LockGroup {
    pub(super) fn new(count: usize) -> Self {
        Self((0..count).map(|_| Lock::default()).collect())
    }

    /// Waits until the lock is open and closes it; false where there is no such lock.
    pub(super) fn close(&self, index: usize) -> bool {
        let Some(lock) = self.0.get(index) else { return false };
        let mut is_closed = lock.is_closed.lock().unwrap_or_else(PoisonError::into_inner);
        while *is_closed {
            is_closed = lock.opened.wait(is_closed).unwrap_or_else(PoisonError::into_inner);
        }
        *is_closed = true;
        true
    }

    /// Opens the lock; false where there is no such lock.
    pub(super) fn open(&self, index: usize) -> bool {
        let Some(lock) = self.0.get(index) else { return false };
        *lock.is_closed.lock().unwrap_or_else(PoisonError::into_inner) = false;
        lock.opened.notify_one();
        true
    }
}
