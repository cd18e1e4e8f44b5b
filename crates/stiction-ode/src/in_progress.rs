//! Which calls of the library are still in progress.
//!
//! While a space is walked or a world is stepped, the program's callbacks run, and some changes are refused. A callback may be
//! left by a C++ exception, which runs destructors on its way, or by `longjmp`, which runs none: a plain counter would then
//! stay up for ever. So every such call leaves the address of a mark in its frame, and whether the call is still in progress is
//! found out, when it matters, by looking whether that frame is still on the stack.

use std::cell::Cell;
use std::ffi::{c_int, c_void};

thread_local! {
    /// Calls begun by this thread so far. Its address names the thread.
    static BEGUN: Cell<u64> = const { Cell::new(0) };
}

/// The calls that work on one object, the innermost last.
#[derive(Debug, Default)]
pub(crate) struct InProgress {
    calls: Vec<Call>,
}

#[derive(Clone, Copy, Debug)]
struct Call {
    /// Address of the [`Mark`] in the call's frame.
    mark: usize,
    /// What is written there.
    number: u64,
    /// Start of the function whose frame it is.
    function: usize,
    thread: usize,
}

/// A call in progress: lies in the frame of the call, and ends it when it is dropped, by whatever way the call is left except
/// `longjmp`.
pub(crate) struct Mark {
    number: u64,
    owner: *mut InProgress,
    outer: usize,
}

impl Mark {
    pub(crate) const NONE: Self = Self { number: 0, owner: std::ptr::null_mut(), outer: 0 };

    /// No other call on the object is in progress.
    pub(crate) fn is_outermost(&self) -> bool {
        self.outer == 0
    }

    /// Begins a call on an object. From here on the mark must not move.
    ///
    /// # Safety
    /// The object outlives the call. `function` is the one whose frame holds the mark, and is not inlined.
    pub(crate) unsafe fn begin(&mut self, owner: *mut InProgress, function: usize) {
        let mark = (&raw const *self).addr();
        let (thread, number) = BEGUN.with(|begun| {
            begun.set(begun.get() + 1);
            ((&raw const *begun).addr(), begun.get())
        });
        // SAFETY: the caller's promise. The number is read by address only.
        unsafe {
            (&raw mut self.number).write_volatile(number);
            let calls = &mut (*owner).calls;
            // Stacks grow downwards: calls that were further in have been left.
            while calls.last().is_some_and(|call| call.thread == thread && call.mark <= mark) {
                calls.pop();
            }
            self.owner = owner;
            self.outer = calls.len();
            calls.push(Call { mark, number, function, thread });
        }
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        if !self.owner.is_null() {
            // SAFETY: the promise of `begin`.
            unsafe { (*self.owner).calls.truncate(self.outer) };
        }
    }
}

impl InProgress {
    /// A call on the object is in progress. Not to be asked in the frame of a function that is about to mark one.
    pub(crate) fn is_any(&mut self) -> bool {
        if self.calls.is_empty() {
            return false;
        }
        self.calls.retain(Call::is_live);
        !self.calls.is_empty()
    }
}

impl Call {
    /// The frame of the call is still on the stack. That of another thread is taken to be.
    #[cold]
    fn is_live(&self) -> bool {
        let here = 0u64;
        if self.thread != BEGUN.with(|begun| (&raw const *begun).addr()) {
            return true;
        }
        if self.mark < (&raw const here).addr() {
            return false;
        }
        // SAFETY: an address above this frame, of the same stack, on which nothing has been taken back since it was a frame.
        let found = unsafe { std::ptr::with_exposed_provenance::<u64>(self.mark).read_volatile() };
        found == self.number && self.has_frame()
    }

    /// The frame that holds the mark is one of the function. Where that cannot be told, because a caller was compiled without
    /// tables for unwinding, it is.
    fn has_frame(&self) -> bool {
        let mut search = Search { call: *self, function: 0, answer: None };
        // SAFETY: the function is called with frames as long as they are walked.
        unsafe { _Unwind_Backtrace(look_at, (&raw mut search).cast()) };
        search.answer.unwrap_or(true)
    }
}

/// A walk over the frames, from the innermost outwards.
struct Search {
    call: Call,
    /// Start of the function of the frame before; zero at first.
    function: usize,
    answer: Option<bool>,
}

// Of the compiler's own library (Itanium C++ ABI, "Exception handling", level I), to which every program with unwinding is
// linked.
unsafe extern "C" {
    fn _Unwind_Backtrace(look: LookFn, argument: *mut c_void) -> c_int;
    fn _Unwind_GetCFA(context: *mut c_void) -> usize;
    fn _Unwind_GetRegionStart(context: *mut c_void) -> usize;
}

type LookFn = unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int;

/// `_URC_NO_REASON`.
const GO_ON: c_int = 0;
/// `_URC_NORMAL_STOP`.
const STOP: c_int = 4;

/// A frame is told of with the address at which it begins: the mark's is the last that begins at it or below.
unsafe extern "C" fn look_at(context: *mut c_void, search: *mut c_void) -> c_int {
    // SAFETY: as `has_frame` calls for it.
    let (search, begin, function) =
        unsafe { (&mut *search.cast::<Search>(), _Unwind_GetCFA(context), _Unwind_GetRegionStart(context)) };
    if begin > search.call.mark {
        search.answer = Some(search.function == search.call.function);
        return STOP;
    }
    search.function = function;
    GO_ON
}
