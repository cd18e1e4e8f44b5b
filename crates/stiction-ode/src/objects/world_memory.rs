//! Working memory and threads of a world's steps. A step keeps its memory by itself and is the same for any number of threads, so
//! that these settings are checked, kept and answered, and change no motion.

use std::ffi::{c_int, c_uint, c_void};

use super::world::WorldId;
use crate::report::require;

/// `dWorldStepReserveInfo`.
#[repr(C)]
struct ReserveInfo {
    struct_size: c_uint,
    reserve_factor: f32,
    reserve_minimum: c_uint,
}

/// `dWorldStepMemoryFunctionsInfo`.
#[repr(C)]
struct MemoryFunctionsInfo {
    struct_size: c_uint,
    alloc_block: *mut c_void,
    shrink_block: *mut c_void,
    free_block: *mut c_void,
}

#[unsafe(no_mangle)]
unsafe extern "C" fn dWorldUseSharedWorkingMemory(world: WorldId, from: WorldId) -> c_int {
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
unsafe extern "C" fn dWorldCleanupWorkingMemory(world: WorldId) {
    require!(!world.is_null(), "bad world argument");
    (*world).stepper.forget();
}

#[unsafe(no_mangle)]
unsafe extern "C" fn dWorldSetStepMemoryReservationPolicy(world: WorldId, policy: *const ReserveInfo) -> c_int {
    require!(!world.is_null(), "bad world argument", 0);
    require!(
        policy.is_null()
            || (*policy).struct_size as usize >= size_of::<ReserveInfo>() && (*policy).reserve_factor >= 1.0,
        "Bad policy info",
        0
    );
    (*world).has_working_memory |= !policy.is_null();
    1
}

#[unsafe(no_mangle)]
unsafe extern "C" fn dWorldSetStepMemoryManager(world: WorldId, functions: *const MemoryFunctionsInfo) -> c_int {
    require!(!world.is_null(), "bad world argument", 0);
    require!(
        functions.is_null() || (*functions).struct_size as usize >= size_of::<MemoryFunctionsInfo>(),
        "Bad memory functions info",
        0
    );
    (*world).has_working_memory |= !functions.is_null();
    1
}

#[unsafe(no_mangle)]
unsafe extern "C" fn dWorldSetStepThreadingImplementation(
    world: WorldId,
    functions: *const c_uint,
    _implementation: *mut c_void,
) {
    require!(!world.is_null(), "bad world argument");
    // dThreadingFunctionsInfo: its size, then twelve pointers.
    require!(functions.is_null() || *functions as usize >= 13 * size_of::<usize>(), "Bad threading functions info");
}
