//! Start of the library, and what it was built with.

use std::ffi::{CStr, c_char, c_int, c_uint};
use std::sync::atomic::{AtomicI32, Ordering};

use crate::report::require;

/// How often the library was initialized, less how often it was closed.
static INITIALIZED: AtomicI32 = AtomicI32::new(0);

/// Closes the library once less often than it was initialized; true for the last time.
pub(crate) fn close() -> bool {
    INITIALIZED.fetch_sub(1, Ordering::Relaxed) == 1
}

pub(crate) fn is_initialized() -> bool {
    INITIALIZED.load(Ordering::Relaxed) > 0
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn dInitODE() {
    dInitODE2(0);
}

/// Flags ask for manual clean-up of data of threads, of which there is none.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn dInitODE2(_flags: c_uint) -> c_int {
    INITIALIZED.fetch_add(1, Ordering::Relaxed);
    1
}

/// There is no data of threads to allocate; threads may collide disjoint geoms as they like.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn dAllocateODEDataForThread(_flags: c_uint) -> c_int {
    require!(is_initialized(), "Please call dInitODE2 first", 0);
    1
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn dCleanupODEAllDataForThread() {
    require!(is_initialized(), "Please call dInitODE2 first");
}

/// What Debian's library says, but for the precision.
const CONFIGURATION: &CStr = if cfg!(feature = "single") {
    c"ODE ODE_EXT_trimesh ODE_EXT_opcode ODE_OPC_new_collider ODE_EXT_threading ODE_THR_builtin_impl ODE_single_precision"
} else {
    c"ODE ODE_EXT_trimesh ODE_EXT_opcode ODE_OPC_new_collider ODE_EXT_threading ODE_THR_builtin_impl ODE_double_precision"
};

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn dGetConfiguration() -> *const c_char {
    CONFIGURATION.as_ptr()
}

/// Whether a word stands in the configuration; like ODE it finds the empty word, and any with a blank.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dCheckConfiguration(token: *const c_char) -> c_int {
    require!(!token.is_null(), "Bad argument(s): no token", 0);
    let token = CStr::from_ptr(token).to_bytes();
    let mut words = CONFIGURATION.to_bytes().split(|&b| b == b' ');
    (token.is_empty() || token.contains(&b' ') || words.any(|word| word == token)).into()
}
