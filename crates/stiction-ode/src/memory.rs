//! The program's allocator (`ode/memory.h`). `dAlloc` and its kin use it; objects of the library keep to their own.

use std::ffi::c_void;
use std::sync::atomic::{AtomicPtr, Ordering};

type AllocFn = unsafe extern "C-unwind" fn(usize) -> *mut c_void;
type ReallocFn = unsafe extern "C-unwind" fn(*mut c_void, usize, usize) -> *mut c_void;
type FreeFn = unsafe extern "C-unwind" fn(*mut c_void, usize);

unsafe extern "C-unwind" {
    fn malloc(size: usize) -> *mut c_void;
    fn realloc(block: *mut c_void, size: usize) -> *mut c_void;
    fn free(block: *mut c_void);
}

macro_rules! handlers {
    ($($place:ident, $set:ident, $get:ident: $type:ty;)*) => {$(
        static $place: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

        /// The program's function, or null to have the C library's again.
        #[unsafe(no_mangle)]
        extern "C-unwind" fn $set(function: Option<$type>) {
            $place.store(function.map_or(std::ptr::null_mut(), |f| f as *mut c_void), Ordering::Relaxed);
        }

        /// The program's function, null where there is none.
        #[unsafe(no_mangle)]
        extern "C-unwind" fn $get() -> Option<$type> {
            let function = $place.load(Ordering::Relaxed);
            // SAFETY: only a function of this type or null was stored, and null is None.
            unsafe { std::mem::transmute::<*mut c_void, Option<$type>>(function) }
        }
    )*};
}

handlers! {
    ALLOC, dSetAllocHandler, dGetAllocHandler: AllocFn;
    REALLOC, dSetReallocHandler, dGetReallocHandler: ReallocFn;
    FREE, dSetFreeHandler, dGetFreeHandler: FreeFn;
}

/// A block of so many bytes.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dAlloc(size: usize) -> *mut c_void {
    dGetAllocHandler().map_or_else(|| malloc(size), |function| function(size))
}

/// The block with another size, perhaps elsewhere.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dRealloc(block: *mut c_void, old_size: usize, new_size: usize) -> *mut c_void {
    dGetReallocHandler().map_or_else(|| realloc(block, new_size), |function| function(block, old_size, new_size))
}

/// Gives a block back. There is nothing to do for null.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dFree(block: *mut c_void, size: usize) {
    if !block.is_null() {
        dGetFreeHandler().map_or_else(|| free(block), |function| function(block, size));
    }
}
