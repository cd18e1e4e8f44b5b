//! PhysX on a benchmark scene: the harness is `physx.cpp`; this crate gives it an engine to link.

use std::ffi::{CString, c_char, c_int};

use physx_sys as _;

unsafe extern "C" {
    fn physx_peer(count: c_int, arguments: *const *const c_char) -> c_int;
}

fn main() {
    let arguments: Vec<CString> = std::env::args().filter_map(|a| CString::new(a).ok()).collect();
    let mut pointers: Vec<*const c_char> = arguments.iter().map(|a| a.as_ptr()).collect();
    let count = c_int::try_from(pointers.len()).unwrap_or(0);
    pointers.push(std::ptr::null());
    // SAFETY: as many strings as `count` says, ended by a null pointer, which live until the call returns.
    let code = unsafe { physx_peer(count, pointers.as_ptr()) };
    std::process::exit(code);
}
