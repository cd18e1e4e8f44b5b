//! Errors as ODE reports them: to the program's handler, with ODE's code. Unlike ODE, the process goes on: the call that was
//! used wrongly is refused. `STICTION_ODE_ABORT=1` in the environment brings ODE's exit and abort back.

use std::ffi::{CString, c_char, c_int, c_void};

/// A test that failed (`d_ERR_UNKNOWN`).
pub(crate) const UNKNOWN: c_int = 0;
/// An assertion inside the library (`d_ERR_IASSERT`): a number that is no number, an axis without direction.
pub(crate) const INTERNAL: c_int = 1;
/// A wrong use of the library (`d_ERR_UASSERT`).
pub(crate) const USER: c_int = 2;

unsafe extern "C-unwind" {
    fn stiction_ode_error(number: c_int, text: *const c_char, ...);
    fn stiction_ode_debug(number: c_int, text: *const c_char, ...);
    fn stiction_ode_message(number: c_int, text: *const c_char, ...);
    fn stiction_ode_error_and_exit(number: c_int, text: *const c_char, ...);
    fn stiction_ode_debug_and_abort(number: c_int, text: *const c_char, ...);
    fn stiction_ode_set_handler(kind: c_int, handler: *mut c_void);
    fn stiction_ode_handler(kind: c_int) -> *mut c_void;
}

/// Calls the debug handler.
#[cold]
#[inline(never)]
pub(crate) fn debug(code: c_int, text: &str) {
    let text = CString::new(text).unwrap_or_default();
    // SAFETY: a format of one string, and that string.
    unsafe { stiction_ode_debug(code, c"%s".as_ptr(), text.as_ptr()) }
}

/// Calls the message handler.
#[cold]
#[inline(never)]
pub(crate) fn message(code: c_int, text: &str) {
    let text = CString::new(text).unwrap_or_default();
    // SAFETY: a format of one string, and that string.
    unsafe { stiction_ode_message(code, c"%s".as_ptr(), text.as_ptr()) }
}

/// Refuses a call that is used wrongly: debug handler with the code of a user's error, then return.
macro_rules! require {
    ($condition:expr, $text:literal $(, $value:expr)?) => {
        // Named, so that a comparison with a number that is none counts as failed.
        {
            let holds: bool = $condition;
            if !holds {
                $crate::report::debug($crate::report::USER, $text);
                return $($value)?;
            }
        }
    };
}

/// Refuses a call that would bring numbers into the world that are none: debug handler with the code of an internal error.
macro_rules! require_internal {
    ($condition:expr, $text:literal $(, $value:expr)?) => {
        {
            let holds: bool = $condition;
            if !holds {
                $crate::report::debug($crate::report::INTERNAL, $text);
                return $($value)?;
            }
        }
    };
}

pub(crate) use {require, require_internal};

macro_rules! handler_functions {
    ($($set:ident, $get:ident: $kind:literal;)*) => {$(
        #[unsafe(no_mangle)]
        extern "C-unwind" fn $set(handler: *mut c_void) {
            // SAFETY: the C side stores and loads it atomically.
            unsafe { stiction_ode_set_handler($kind, handler) }
        }

        #[unsafe(no_mangle)]
        extern "C-unwind" fn $get() -> *mut c_void {
            // SAFETY: as above.
            unsafe { stiction_ode_handler($kind) }
        }
    )*};
}

handler_functions! {
    dSetErrorHandler, dGetErrorHandler: 0;
    dSetDebugHandler, dGetDebugHandler: 1;
    dSetMessageHandler, dGetMessageHandler: 2;
}

/// The variadic functions are written in C; these carry their public names, because a shared library of Rust exports Rust's
/// symbols only. Each is one jump, so that the arguments stay where the caller put them.
macro_rules! variadic_names {
    ($($name:ident => $target:ident;)*) => {$(
        #[unsafe(naked)]
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name(_number: c_int, _text: *const c_char) {
            #[cfg(target_arch = "x86_64")]
            std::arch::naked_asm!("jmp {}", sym $target);
            #[cfg(target_arch = "aarch64")]
            std::arch::naked_asm!("b {}", sym $target);
        }
    )*};
}

// A program that calls dError or dDebug itself has been told by ODE's headers that they do not return: they end the process. Our
// headers give the names to the last two, which return where the program's handler does.
variadic_names! {
    dError => stiction_ode_error_and_exit;
    dDebug => stiction_ode_debug_and_abort;
    dMessage => stiction_ode_message;
    dErrorAndReturn => stiction_ode_error;
    dDebugAndReturn => stiction_ode_debug;
}
