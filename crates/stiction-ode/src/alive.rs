//! Memory of worlds, bodies, geoms, joints and groups of them, in which is written whether there is an object in it: so one that is destroyed
//! twice is told of, and nothing else happens. The memory is kept for the next object of the kind.

use std::alloc::{Layout, alloc, handle_alloc_error};
use std::collections::VecDeque;
use std::mem::offset_of;
use std::sync::{Mutex, PoisonError};

/// So many destroyed objects of a kind are left as they are: a handle that is destroyed twice is not that of another object
/// meanwhile.
const LEFT: usize = 64;

/// What is in the memory.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    World,
    Body,
    Geom,
    Joint,
    Group,
}

/// Memory of one object.
#[repr(C)]
struct Slot<T> {
    mark: usize,
    object: T,
}

/// Memory without objects, that of the object destroyed first first.
struct Empty(VecDeque<*mut u8>);

// SAFETY: nothing else refers to the memory.
unsafe impl Send for Empty {}

static EMPTY: [Mutex<Empty>; 5] = [const { Mutex::new(Empty(VecDeque::new())) }; 5];

fn slot<T>(object: *const T) -> *mut Slot<T> {
    object.wrapping_byte_sub(offset_of!(Slot<T>, object)).cast_mut().cast()
}

/// The mark of an object that is there.
fn mark<T>(object: *const T) -> usize {
    !object.addr()
}

/// Memory in which an object is from now on; the caller writes it.
pub(crate) fn room<T>(kind: Kind) -> *mut T {
    let empty = {
        let mut empty = EMPTY[kind as usize].lock().unwrap_or_else(PoisonError::into_inner);
        if empty.0.len() > LEFT { empty.0.pop_front() } else { None }
    };
    let layout = Layout::new::<Slot<T>>();
    // SAFETY: a slot is not of size zero, and each kind has one type.
    unsafe {
        let memory = empty.unwrap_or_else(|| alloc(layout)).cast::<Slot<T>>();
        if memory.is_null() {
            handle_alloc_error(layout);
        }
        let object = &raw mut (*memory).object;
        (&raw mut (*memory).mark).write(mark(object));
        object
    }
}

/// Puts an object into memory of its kind.
pub(crate) fn add<T>(kind: Kind, object: T) -> *mut T {
    let place = room::<T>(kind);
    // SAFETY: the memory has room for it.
    unsafe { place.write(object) };
    place
}

/// The object has not been destroyed.
///
/// # Safety
/// It was made here.
pub(crate) unsafe fn has<T>(object: *const T) -> bool {
    // SAFETY: the memory of objects stays.
    unsafe { (&raw const (*slot(object)).mark).read() == mark(object) }
}

/// Destroys an object.
///
/// # Safety
/// It was made here, is there, and nothing refers to it any more.
pub(crate) unsafe fn destroy<T>(kind: Kind, object: *mut T) {
    // SAFETY: the caller's promise.
    unsafe {
        object.drop_in_place();
        (&raw mut (*slot(object)).mark).write(0);
    }
    EMPTY[kind as usize].lock().unwrap_or_else(PoisonError::into_inner).0.push_back(slot(object).cast());
}

/// Refuses a handle whose object has been destroyed.
macro_rules! require_alive {
    ($object:expr $(, $value:expr)?) => {
        $crate::report::require!($crate::alive::has($object), "Bad argument(s): it has been destroyed already" $(, $value)?)
    };
}

pub(crate) use require_alive;
