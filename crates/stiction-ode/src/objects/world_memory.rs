//! Working memory and threads of a world's steps. A step keeps its own memory and is the same for any number of threads. What
//! the program gives is used so that it sees it used: a working block of the world's size is taken from the program's functions
//! and given back to them, and the step runs as one call of the program's threads.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr::null_mut;

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

    /// Runs a call by the program's threads and waits for it; false if there are none that can.
    pub(crate) unsafe fn run(
        self,
        function: unsafe extern "C-unwind" fn(*mut c_void, usize, *mut c_void) -> c_int,
        context: *mut c_void,
    ) -> bool {
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
        let name = c"World step".as_ptr();
        let none = null_mut();
        post(self.implementation, null_mut(), null_mut(), 0, none, waiting, Some(function), context, 0, name);
        wait(self.implementation, null_mut(), waiting, std::ptr::null(), name);
        free(self.implementation, waiting);
        true
    }
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
