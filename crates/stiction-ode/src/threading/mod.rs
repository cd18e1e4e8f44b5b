//! Threads of a program that serve calls (`ode/threading.h`, `ode/threading_impl.h`).
//!
//! A call runs when the calls it depends on have ended, and ends when it has returned and the calls that depend on its end are
//! through: each call counts what it waits for, itself included while it runs.

mod functions;
mod jobs;
mod locks;
mod pool;

use std::ffi::{c_char, c_int, c_long, c_uint, c_ulong, c_void};

use crate::report::require;
use jobs::{Job, Jobs};
use locks::LockGroup;

/// `dThreadedCallFunction`: what is called; 0 says that it failed.
type CallFn = unsafe extern "C-unwind" fn(*mut c_void, usize, *mut Job) -> c_int;

/// `dThreadedWaitTime`.
#[repr(C)]
pub(crate) struct WaitTime {
    seconds: c_long,
    nanoseconds: c_ulong,
}

/// `dThreadingFunctionsInfo`: what a program's own threads offer to the library. Objects behind the pointers are the threads'
/// own.
#[repr(C)]
#[derive(Clone, Copy)]
#[expect(clippy::type_complexity, reason = "as the C structure has them")]
pub(crate) struct Functions {
    pub struct_size: c_uint,
    pub alloc_mutex_group:
        Option<unsafe extern "C-unwind" fn(*mut c_void, c_uint, *const *const c_char) -> *mut c_void>,
    pub free_mutex_group: Option<unsafe extern "C-unwind" fn(*mut c_void, *mut c_void)>,
    pub lock_group_mutex: Option<unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, c_uint)>,
    pub unlock_group_mutex: Option<unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, c_uint)>,
    pub alloc_call_wait: Option<unsafe extern "C-unwind" fn(*mut c_void) -> *mut c_void>,
    pub reset_call_wait: Option<unsafe extern "C-unwind" fn(*mut c_void, *mut c_void)>,
    pub free_call_wait: Option<unsafe extern "C-unwind" fn(*mut c_void, *mut c_void)>,
    pub post_call: Option<
        unsafe extern "C-unwind" fn(
            *mut c_void,
            *mut c_int,
            *mut *mut c_void,
            usize,
            *mut c_void,
            *mut c_void,
            Option<unsafe extern "C-unwind" fn(*mut c_void, usize, *mut c_void) -> c_int>,
            *mut c_void,
            usize,
            *const c_char,
        ),
    >,
    pub alter_call_dependencies_count: Option<unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, isize)>,
    pub wait_call:
        Option<unsafe extern "C-unwind" fn(*mut c_void, *mut c_int, *mut c_void, *const WaitTime, *const c_char)>,
    pub retrieve_thread_count: Option<unsafe extern "C-unwind" fn(*mut c_void) -> c_uint>,
    pub preallocate_resources_for_calls: Option<unsafe extern "C-unwind" fn(*mut c_void, usize) -> c_int>,
}

/// `dThreadingImplementationID`.
pub(crate) struct Implementation {
    /// Calls run in the thread that waits for them, and locks are not needed.
    is_self_threaded: bool,
    jobs: Jobs,
}

fn allocate(is_self_threaded: bool) -> *mut Implementation {
    Box::into_raw(Box::new(Implementation { is_self_threaded, jobs: Jobs::default() }))
}

#[unsafe(no_mangle)]
extern "C-unwind" fn dThreadingAllocateSelfThreadedImplementation() -> *mut Implementation {
    allocate(true)
}

#[unsafe(no_mangle)]
extern "C-unwind" fn dThreadingAllocateMultiThreadedImplementation() -> *mut Implementation {
    allocate(false)
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dThreadingImplementationGetFunctions(
    implementation: *mut Implementation,
) -> *const Functions {
    require!(!implementation.is_null(), "Bad argument(s): no implementation", std::ptr::null());
    &functions::FUNCTIONS
}

/// Lets the threads that serve return, as soon as the calls they are in are through.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dThreadingImplementationShutdownProcessing(implementation: *mut Implementation) {
    require!(!implementation.is_null(), "Bad argument(s): no implementation");
    (*implementation).jobs.shut_down(true);
}

/// Threads may serve again after a shutdown.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dThreadingImplementationCleanupForRestart(implementation: *mut Implementation) {
    require!(!implementation.is_null(), "Bad argument(s): no implementation");
    (*implementation).jobs.shut_down(false);
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dThreadingFreeImplementation(implementation: *mut Implementation) {
    if !implementation.is_null() {
        drop(Box::from_raw(implementation));
    }
}

/// The calling thread serves until shutdown; the callback says that it does.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dExternalThreadingServeMultiThreadedImplementation(
    implementation: *mut Implementation,
    ready: Option<unsafe extern "C-unwind" fn(*mut c_void)>,
    context: *mut c_void,
) {
    require!(!implementation.is_null(), "Bad argument(s): no implementation");
    (*implementation).jobs.serve(|| {
        if let Some(ready) = ready {
            ready(context);
        }
    });
}
