//! The twelve functions of both implementations.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::time::Duration;

use super::jobs::{self, Call, CallWait, Job};
use super::{CallFn, Functions, Implementation, LockGroup, WaitTime};
use crate::report::require;

pub(super) static FUNCTIONS: Functions = Functions {
    struct_size: size_of::<Functions>() as c_uint,
    alloc_mutex_group: Some(alloc_mutex_group),
    free_mutex_group: Some(free_mutex_group),
    lock_group_mutex: Some(lock_group_mutex),
    unlock_group_mutex: Some(unlock_group_mutex),
    alloc_call_wait: Some(alloc_call_wait),
    reset_call_wait: Some(reset_call_wait),
    free_call_wait: Some(free_call_wait),
    post_call: Some(post_call),
    alter_call_dependencies_count: Some(alter_call_dependencies_count),
    wait_call: Some(wait_call),
    retrieve_thread_count: Some(retrieve_thread_count),
    preallocate_resources_for_calls: Some(preallocate_resources_for_calls),
};

/// The implementation behind a handle.
unsafe fn of<'a>(implementation: *mut c_void) -> Option<&'a Implementation> {
    implementation.cast::<Implementation>().as_ref()
}

unsafe extern "C-unwind" fn alloc_mutex_group(
    _: *mut c_void,
    count: c_uint,
    _names: *const *const c_char,
) -> *mut c_void {
    Box::into_raw(Box::new(LockGroup::new(count as usize))).cast()
}

unsafe extern "C-unwind" fn free_mutex_group(_: *mut c_void, group: *mut c_void) {
    if !group.is_null() {
        drop(Box::from_raw(group.cast::<LockGroup>()));
    }
}

unsafe extern "C-unwind" fn lock_group_mutex(implementation: *mut c_void, group: *mut c_void, index: c_uint) {
    let Some(implementation) = of(implementation) else { return };
    if !implementation.is_self_threaded {
        let is_there = group.cast::<LockGroup>().as_ref().is_some_and(|group| group.close(index as usize));
        require!(is_there, "Bad argument(s): no such mutex");
    }
}

unsafe extern "C-unwind" fn unlock_group_mutex(implementation: *mut c_void, group: *mut c_void, index: c_uint) {
    let Some(implementation) = of(implementation) else { return };
    if !implementation.is_self_threaded {
        let is_there = group.cast::<LockGroup>().as_ref().is_some_and(|group| group.open(index as usize));
        require!(is_there, "Bad argument(s): no such mutex");
    }
}

unsafe extern "C-unwind" fn alloc_call_wait(_: *mut c_void) -> *mut c_void {
    jobs::new_wait()
}

unsafe extern "C-unwind" fn reset_call_wait(implementation: *mut c_void, wait: *mut c_void) {
    require!(!implementation.is_null() && !wait.is_null(), "Bad argument(s): nothing to wait for");
    if let Some(implementation) = of(implementation) {
        implementation.jobs.reset(wait.cast());
    }
}

unsafe extern "C-unwind" fn free_call_wait(_: *mut c_void, wait: *mut c_void) {
    jobs::free_wait(wait);
}

unsafe extern "C-unwind" fn post_call(
    implementation: *mut c_void,
    fault: *mut c_int,
    out: *mut *mut c_void,
    dependencies: usize,
    dependent: *mut c_void,
    wait: *mut c_void,
    function: Option<unsafe extern "C-unwind" fn(*mut c_void, usize, *mut c_void) -> c_int>,
    context: *mut c_void,
    index: usize,
    _name: *const c_char,
) {
    let (Some(implementation), Some(function)) = (of(implementation), function) else {
        require!(false, "Bad argument(s): no implementation or no function");
        return;
    };
    // SAFETY: the same function, its last argument named by what it points to.
    let function =
        std::mem::transmute::<unsafe extern "C-unwind" fn(*mut c_void, usize, *mut c_void) -> c_int, CallFn>(function);
    let (dependent, wait) = (dependent.cast::<Job>(), wait.cast::<CallWait>());
    implementation.jobs.post(Call { fault, dependencies, dependent, wait, function, context, index }, out);
}

unsafe extern "C-unwind" fn alter_call_dependencies_count(
    implementation: *mut c_void,
    job: *mut c_void,
    change: isize,
) {
    require!(!implementation.is_null() && !job.is_null(), "Bad argument(s): no call");
    let Some(implementation) = of(implementation) else { return };
    require!(
        implementation.jobs.alter(job.cast(), change),
        "Bad argument(s): a call with fewer dependencies than none"
    );
}

unsafe extern "C-unwind" fn wait_call(
    implementation: *mut c_void,
    status: *mut c_int,
    wait: *mut c_void,
    timeout: *const WaitTime,
    _name: *const c_char,
) {
    require!(!implementation.is_null() && !wait.is_null(), "Bad argument(s): nothing to wait for");
    let Some(implementation) = of(implementation) else { return };
    if implementation.is_self_threaded {
        implementation.jobs.exhaust();
    }
    let timeout = timeout.as_ref().map(|t| {
        let whole = Duration::from_secs(u64::try_from(t.seconds).unwrap_or(0));
        whole.saturating_add(Duration::from_nanos(t.nanoseconds.into()))
    });
    let has_ended = implementation.jobs.wait(wait.cast::<CallWait>(), timeout);
    if !status.is_null() {
        *status = has_ended.into();
    }
}

unsafe extern "C-unwind" fn retrieve_thread_count(implementation: *mut c_void) -> c_uint {
    match of(implementation) {
        Some(implementation) if !implementation.is_self_threaded => implementation.jobs.serving(),
        _ => 1,
    }
}

/// Memory for calls is taken when they are posted.
unsafe extern "C-unwind" fn preallocate_resources_for_calls(_: *mut c_void, _calls: usize) -> c_int {
    1
}
