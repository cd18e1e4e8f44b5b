//! Calls that wait, run and end.

use std::ffi::{c_int, c_uint, c_void};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::CallFn;

/// `dCallReleaseeID`: a call.
pub(crate) struct Job {
    /// Calls before this one; while it runs, also itself.
    dependencies: usize,
    /// It waits for its turn.
    is_queued: bool,
    /// It or a call before it failed.
    is_faulty: bool,
    dependent: *mut Job,
    wait: *mut CallWait,
    fault: *mut c_int,
    function: CallFn,
    context: *mut c_void,
    index: usize,
}

/// `dCallWaitID`: whether what was posted with it has ended.
#[derive(Default)]
pub(crate) struct CallWait {
    has_ended: bool,
}

#[derive(Default)]
struct State {
    /// The newest last.
    queue: Vec<*mut Job>,
    is_shut_down: bool,
    serving: c_uint,
}

// SAFETY: jobs are reached only under the lock of the state, but for the one that a thread has taken to run it.
unsafe impl Send for State {}

/// The calls of an implementation.
#[derive(Default)]
pub(super) struct Jobs {
    state: Mutex<State>,
    /// Something has become ready, has ended, or all is shut down.
    changed: Condvar,
}

/// What is posted.
pub(super) struct Call {
    pub fault: *mut c_int,
    pub dependencies: usize,
    pub dependent: *mut Job,
    pub wait: *mut CallWait,
    pub function: CallFn,
    pub context: *mut c_void,
    pub index: usize,
}

impl Jobs {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a call. It may run, and be gone, before this returns, unless it has dependencies.
    pub(super) unsafe fn post(&self, call: Call, out: *mut *mut c_void) {
        let job = Box::into_raw(Box::new(Job {
            dependencies: call.dependencies,
            is_queued: true,
            is_faulty: false,
            dependent: call.dependent,
            wait: call.wait,
            fault: call.fault,
            function: call.function,
            context: call.context,
            index: call.index,
        }));
        let mut state = self.state();
        if !out.is_null() {
            *out = job.cast();
        }
        state.queue.push(job);
        drop(state);
        self.changed.notify_all();
    }

    /// Changes how many calls must end before this one can; false where that would be fewer than none.
    pub(super) unsafe fn alter(&self, job: *mut Job, change: isize) -> bool {
        let state = self.state();
        let Some(count) = (*job).dependencies.checked_add_signed(change) else { return false };
        (*job).dependencies = count;
        drop(state);
        self.changed.notify_all();
        true
    }

    /// Takes the newest call that waits for nothing.
    fn take(state: &mut State) -> Option<*mut Job> {
        // SAFETY: jobs in the queue exist, and the state is locked.
        let place = state.queue.iter().rposition(|&job| unsafe { (*job).dependencies == 0 })?;
        let job = state.queue.remove(place);
        // SAFETY: as above.
        unsafe {
            (*job).dependencies = 1;
            (*job).is_queued = false;
        }
        Some(job)
    }

    /// Runs a call that was taken and ends it.
    fn run(&self, job: *mut Job) {
        // A call that is left by an exception has failed.
        let mut ending = Ending { jobs: self, job, succeeded: false };
        // SAFETY: a taken job belongs to this thread; what others change of it, its count, is not read here.
        ending.succeeded = unsafe { ((*job).function)((*job).context, (*job).index, job.cast()) != 0 };
    }

    /// Takes one dependency from a call; if it was the last of a call that has run, the call ends, which takes one from the
    /// call that depends on it.
    unsafe fn end(job: *mut Job, succeeded: bool) {
        let (mut job, mut is_faulty) = (job, !succeeded);
        while !job.is_null() {
            (*job).is_faulty |= is_faulty;
            (*job).dependencies = (*job).dependencies.saturating_sub(1);
            if (*job).dependencies > 0 || (*job).is_queued {
                return;
            }
            let ended = Box::from_raw(job);
            if !ended.fault.is_null() {
                *ended.fault = ended.is_faulty.into();
            }
            if !ended.wait.is_null() {
                (*ended.wait).has_ended = true;
            }
            (job, is_faulty) = (ended.dependent, ended.is_faulty);
        }
    }

    /// Runs calls of this thread until none is ready.
    pub(super) fn exhaust(&self) {
        loop {
            let job = Self::take(&mut self.state());
            let Some(job) = job else { return };
            self.run(job);
        }
    }

    /// Waits until what was posted with the object has ended; false if the time is over before.
    pub(super) unsafe fn wait(&self, wait: *const CallWait, timeout: Option<Duration>) -> bool {
        let end = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let mut state = self.state();
        loop {
            // Changed by other threads while this one waits.
            if (*wait).has_ended {
                return true;
            }
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            state = match left {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(Duration::ZERO) => return false,
                Some(left) => self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
    }

    pub(super) unsafe fn reset(&self, wait: *mut CallWait) {
        let _state = self.state();
        (*wait).has_ended = false;
    }

    /// Runs calls in this thread until shutdown.
    pub(super) fn serve(&self, ready: impl FnOnce()) {
        self.state().serving += 1;
        let _serving = Serving(self);
        ready();
        let mut state = self.state();
        while !state.is_shut_down {
            if let Some(job) = Self::take(&mut state) {
                drop(state);
                self.run(job);
                state = self.state();
            } else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    pub(super) fn shut_down(&self, is_shut_down: bool) {
        self.state().is_shut_down = is_shut_down;
        self.changed.notify_all();
    }

    /// Threads that serve.
    pub(super) fn serving(&self) -> c_uint {
        self.state().serving
    }
}

/// Ends a call when it is dropped.
struct Ending<'a> {
    jobs: &'a Jobs,
    job: *mut Job,
    succeeded: bool,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        let _state = self.jobs.state();
        // SAFETY: the state is locked, and jobs exist until they end.
        unsafe { Jobs::end(self.job, self.succeeded) };
        self.jobs.changed.notify_all();
    }
}

/// A thread serves until this is dropped.
struct Serving<'a>(&'a Jobs);

impl Drop for Serving<'_> {
    fn drop(&mut self) {
        self.0.state().serving -= 1;
    }
}

impl Drop for Jobs {
    /// Calls that were never run go with the implementation.
    fn drop(&mut self) {
        for job in std::mem::take(&mut self.state().queue) {
            // SAFETY: it was boxed, and only the queue refers to it.
            drop(unsafe { Box::from_raw(job) });
        }
    }
}

/// A new wait object.
pub(super) fn new_wait() -> *mut c_void {
    Box::into_raw(Box::<CallWait>::default()).cast()
}

/// # Safety
/// The wait object is one of [`new_wait`], or null.
pub(super) unsafe fn free_wait(wait: *mut c_void) {
    if !wait.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { Box::from_raw(wait.cast::<CallWait>()) });
    }
}
