//! Working memory and threads of a world's steps. A step keeps its own memory; a working block of the world's size is taken
//! from the program's functions, so that it sees them used, and given back to them. Islands are prepared and solved by the
//! program's threads, with the same bits for any number of them.

use std::ffi::{c_int, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};

use super::world::{World, WorldId};
use crate::report::require;
use crate::threading::Functions;

/// `dWorldStepReserveInfo`: a new block is larger than needed by the factor, and has the least size \[bytes\].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReserveInfo {
    struct_size: c_uint,
    reserve_factor: f32,
    reserve_minimum: c_uint,
}

/// `dWorldStepMemoryFunctionsInfo`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryFunctionsInfo {
    struct_size: c_uint,
    alloc_block: Option<unsafe extern "C-unwind" fn(usize) -> *mut c_void>,
    shrink_block: Option<unsafe extern "C-unwind" fn(*mut c_void, usize, usize) -> *mut c_void>,
    free_block: Option<unsafe extern "C-unwind" fn(*mut c_void, usize)>,
}

/// `dWORLDSTEP_RESERVEFACTOR_DEFAULT` and `dWORLDSTEP_RESERVESIZE_DEFAULT`.
const DEFAULT_RESERVE: ReserveInfo = ReserveInfo { struct_size: 0, reserve_factor: 1.2, reserve_minimum: 65_536 };
/// What a body and a joint take in a step, roughly \[bytes\].
const BODY_SIZE: usize = 512;
const JOINT_SIZE: usize = 1024;

/// Memory and threads that the program gave.
#[derive(Debug)]
pub(crate) struct WorkingMemory {
    reserve: ReserveInfo,
    functions: Option<MemoryFunctionsInfo>,
    block: *mut c_void,
    size: usize,
}

impl Default for WorkingMemory {
    fn default() -> Self {
        Self { reserve: DEFAULT_RESERVE, functions: None, block: null_mut(), size: 0 }
    }
}

impl WorkingMemory {
    /// Has a block that is large enough for a step of so many bodies and joints; false if the program gives none.
    pub(crate) unsafe fn reserve(&mut self, bodies: u32, joints: u32) -> bool {
        let Some(alloc) = self.functions.and_then(|functions| functions.alloc_block) else { return true };
        let needed = bodies as usize * BODY_SIZE + joints as usize * JOINT_SIZE;
        if !self.block.is_null() && needed <= self.size {
            return true;
        }
        self.free();
        let size = ((needed as f64 * f64::from(self.reserve.reserve_factor)) as usize)
            .max(self.reserve.reserve_minimum as usize);
        self.block = alloc(size);
        self.size = size;
        !self.block.is_null()
    }

    /// Gives the block back.
    pub(crate) unsafe fn free(&mut self) {
        if let Some(free) = self.functions.and_then(|functions| functions.free_block)
            && !self.block.is_null()
        {
            let (block, size) = (self.block, self.size);
            (self.block, self.size) = (null_mut(), 0);
            free(block, size);
        }
    }
}

/// Threads that the program gave.
#[derive(Clone, Copy)]
pub(crate) struct StepThreads {
    functions: *const Functions,
    implementation: *mut c_void,
}

impl StepThreads {
    pub(crate) const NONE: Self = Self { functions: std::ptr::null(), implementation: null_mut() };

    /// Into how many calls work is parted: one for each thread of the program, at most so many as the world allows, 0 for any
    /// number.
    pub(crate) unsafe fn count(self, most: c_uint) -> usize {
        let Some(functions) = self.functions.as_ref() else { return 1 };
        let threads = functions.retrieve_thread_count.map_or(1, |count| count(self.implementation));
        threads.min(if most == 0 { c_uint::MAX } else { most }).max(1) as usize
    }

    /// Calls a function on each of some items, by the program's threads where there are any, and waits for all. False if one
    /// has failed.
    ///
    /// # Safety
    /// The calls may run at the same time, in other threads: what the function shares must bear it.
    pub(crate) unsafe fn each<T, F: Fn(&mut T)>(self, items: &mut [T], function: &F) -> bool {
        let count = items.len();
        let shared = Shared { items: items.as_mut_ptr(), function, failed: AtomicBool::new(false) };
        let context: *mut c_void = (&raw const shared).cast_mut().cast();
        let run = run_item::<T, F>;
        if !self.post(count, run, context) {
            (0..count).for_each(|index| {
                run(context, index, null_mut());
            });
        }
        !shared.failed.load(Ordering::Acquire)
    }

    /// Posts so many calls and one that depends on them, and waits for that one; false if the program gave no threads.
    unsafe fn post(self, count: usize, function: Call, context: *mut c_void) -> bool {
        let Some(functions) = self.functions.as_ref() else { return false };
        let (Some(alloc), Some(free), Some(post), Some(wait)) =
            (functions.alloc_call_wait, functions.free_call_wait, functions.post_call, functions.wait_call)
        else {
            return false;
        };
        let waiting = alloc(self.implementation);
        if waiting.is_null() {
            return false;
        }
        let (name, none): (_, *mut c_void) = (c"World step islands".as_ptr(), null_mut());
        let mut all = null_mut();
        post(self.implementation, none.cast(), &raw mut all, count, none, waiting, Some(end), none, 0, name);
        for index in 0..count {
            post(self.implementation, none.cast(), none.cast(), 0, all, none, Some(function), context, index, name);
        }
        wait(self.implementation, none.cast(), waiting, std::ptr::null(), name);
        free(self.implementation, waiting);
        true
    }
}

/// `dThreadedCallFunction`.
type Call = unsafe extern "C-unwind" fn(*mut c_void, usize, *mut c_void) -> c_int;

/// What the calls of [`StepThreads::each`] share.
struct Shared<'a, T, F> {
    items: *mut T,
    function: &'a F,
    failed: AtomicBool,
}

/// One call of [`StepThreads::each`]; no panic leaves it.
unsafe extern "C-unwind" fn run_item<T, F: Fn(&mut T)>(context: *mut c_void, index: usize, _: *mut c_void) -> c_int {
    let shared = &*context.cast::<Shared<T, F>>();
    let succeeded = catch_unwind(AssertUnwindSafe(|| (shared.function)(&mut *shared.items.add(index)))).is_ok();
    shared.failed.fetch_or(!succeeded, Ordering::Release);
    succeeded.into()
}

/// The call that ends when all others have.
unsafe extern "C-unwind" fn end(_: *mut c_void, _: usize, _: *mut c_void) -> c_int {
    1
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldUseSharedWorkingMemory(world: WorldId, from: WorldId) -> c_int {
    require!(!world.is_null(), "bad world argument", 0);
    if from.is_null() {
        (*world).has_working_memory = false;
        return 1;
    }
    require!(!(*world).has_working_memory, "world does already have working memory allocated", 0);
    (*from).has_working_memory = true;
    (*world).has_working_memory = true;
    1
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldCleanupWorkingMemory(world: WorldId) {
    require!(!world.is_null(), "bad world argument");
    if !(*world).steps.is_any() {
        (*world).rim.release();
        (*world).stepper = None;
    }
    (*world).working_memory.free();
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldSetStepMemoryReservationPolicy(world: WorldId, policy: *const ReserveInfo) -> c_int {
    require!(!world.is_null(), "bad world argument", 0);
    require!(
        policy.is_null()
            || (*policy).struct_size as usize >= size_of::<ReserveInfo>() && (*policy).reserve_factor >= 1.0,
        "Bad policy info",
        0
    );
    (*world).has_working_memory |= !policy.is_null();
    (*world).working_memory.reserve = policy.as_ref().copied().unwrap_or(DEFAULT_RESERVE);
    1
}

/// The block of the functions before goes back to them.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldSetStepMemoryManager(world: WorldId, functions: *const MemoryFunctionsInfo) -> c_int {
    require!(!world.is_null(), "bad world argument", 0);
    require!(
        functions.is_null() || (*functions).struct_size as usize >= size_of::<MemoryFunctionsInfo>(),
        "Bad memory functions info",
        0
    );
    (*world).has_working_memory |= !functions.is_null();
    let memory: &mut WorkingMemory = &mut (*world).working_memory;
    memory.free();
    memory.functions = functions.as_ref().copied();
    1
}

/// Null functions: steps run in the thread that calls for them.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldSetStepThreadingImplementation(
    world: WorldId,
    functions: *const Functions,
    implementation: *mut c_void,
) {
    require!(!world.is_null(), "bad world argument");
    let size = functions.as_ref().map_or(size_of::<Functions>(), |functions| functions.struct_size as usize);
    require!(size >= size_of::<Functions>(), "Bad threading functions info");
    let world: &mut World = &mut *world;
    world.threads = StepThreads { functions, implementation };
}
