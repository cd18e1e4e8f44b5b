//! What is needed of C's standard streams, which programs hand over as `FILE *`.

use std::ffi::{CString, c_char, c_int};

/// C's `FILE`.
#[repr(C)]
pub(crate) struct File {
    _private: [u8; 0],
}

unsafe extern "C-unwind" {
    pub(crate) fn fprintf(file: *mut File, format: *const c_char, ...) -> c_int;
    pub(crate) fn fputc(character: c_int, file: *mut File) -> c_int;
    fn fputs(text: *const c_char, file: *mut File) -> c_int;
    fn snprintf(text: *mut c_char, size: usize, format: *const c_char, ...) -> c_int;
    fn printf(format: *const c_char, ...) -> c_int;
}

/// Writes text to a stream.
///
/// # Safety
/// The stream is open.
pub(crate) unsafe fn write(file: *mut File, text: &str) {
    let text = CString::new(text).unwrap_or_default();
    // SAFETY: the caller's promise.
    unsafe {
        fputs(text.as_ptr(), file);
    }
}

/// Writes text to the standard output, in order with what the program prints.
pub(crate) fn print(text: &str) {
    let text = CString::new(text).unwrap_or_default();
    // SAFETY: a format of one string, and that string.
    unsafe {
        printf(c"%s".as_ptr(), text.as_ptr());
    }
}

/// C's `%.*g`.
pub(crate) fn general(value: f64, precision: c_int) -> String {
    let mut text = [0u8; 64];
    // SAFETY: the size is the array's.
    let length = unsafe { snprintf(text.as_mut_ptr().cast(), text.len(), c"%.*g".as_ptr(), precision, value) };
    let length = usize::try_from(length).unwrap_or(0).min(text.len() - 1);
    String::from_utf8_lossy(&text[..length]).into_owned()
}
