//! Worlds, bodies, geoms and joints that exist, so that one that is destroyed twice is told of and nothing else happens.

use std::alloc::{Layout, dealloc};
use std::collections::{HashSet, VecDeque};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// The memory of so many destroyed objects is not used again yet: a handle that is destroyed twice is not that of another
/// object meanwhile.
const KEPT: usize = 64;

#[derive(Default)]
struct Objects {
    /// Addresses; looked up only, so that they change no result.
    alive: HashSet<usize>,
    /// Memory of destroyed objects, the oldest first.
    empty: VecDeque<(*mut u8, Layout)>,
}

// SAFETY: nothing refers to the memory but this.
unsafe impl Send for Objects {}

static OBJECTS: LazyLock<Mutex<Objects>> = LazyLock::new(Mutex::default);

fn objects() -> MutexGuard<'static, Objects> {
    OBJECTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An object that is there from now on.
pub(crate) fn add<T>(object: *mut T) -> *mut T {
    objects().alive.insert(object.addr());
    object
}

/// The object has been made and not been destroyed.
pub(crate) fn has<T>(object: *const T) -> bool {
    objects().alive.contains(&object.addr())
}

/// Destroys an object that was boxed.
///
/// # Safety
/// It was added here, and nothing refers to it any more.
pub(crate) unsafe fn destroy<T>(object: *mut T) {
    objects().alive.remove(&object.addr());
    // SAFETY: the caller's promise.
    unsafe { object.drop_in_place() };
    let mut objects = objects();
    objects.empty.push_back((object.cast(), Layout::new::<T>()));
    if objects.empty.len() > KEPT
        && let Some((memory, layout)) = objects.empty.pop_front()
    {
        // SAFETY: it was the memory of a box of this layout.
        unsafe { dealloc(memory, layout) };
    }
}

/// Refuses a handle whose object has been destroyed.
macro_rules! require_alive {
    ($object:expr $(, $value:expr)?) => {
        $crate::report::require!($crate::alive::has($object), "Bad argument(s): it has been destroyed already" $(, $value)?)
    };
}

pub(crate) use require_alive;
