//! The end of bodies, of worlds and of the library: everything that refers to them is told.

use crate::alive::{self, require_alive};
use crate::geom;
use crate::init;
use crate::objects::body::{BodyId, flag};
use crate::objects::joint;
use crate::objects::world::WorldId;
use crate::report::require;

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dBodyDestroy(body: BodyId) {
    require!(!body.is_null(), "bad body argument");
    require_alive!(body);
    require!(!(*(*body).world).steps.is_any(), "the world is in a step");
    destroy_body(body);
}

/// Its geoms stay where they are, its joints lose both bodies.
///
/// # Safety
/// The body exists.
unsafe fn destroy_body(body: BodyId) {
    geom::release_body(body);
    if (*body).flags & flag::HELD != 0 {
        (*(*body).world).rim.release();
    }
    while !(*body).first_joint.is_null() {
        joint::detach((*(*body).first_joint).joint);
    }
    let (next, previous, world) = ((*body).next, (*body).previous, (*body).world);
    if !next.is_null() {
        (*next).previous = previous;
    }
    if previous.is_null() {
        (*world).first_body = next;
    } else {
        (*previous).next = next;
    }
    (*world).body_count -= 1;
    alive::destroy(alive::Kind::Body, body);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dWorldDestroy(world: WorldId) {
    require!(!world.is_null(), "bad world argument");
    require_alive!(world);
    require!(!(*world).steps.is_any(), "the world is in a step");
    while !(*world).first_body.is_null() {
        destroy_body((*world).first_body);
    }
    let mut next = (*world).first_joint;
    while !next.is_null() {
        let current = next;
        next = (*current).next;
        // The handler of a message may not come back; the world can be destroyed again then.
        (*world).first_joint = next;
        joint::outlive_world(current);
    }
    (*world).working_memory.free();
    alive::destroy(alive::Kind::World, world);
}

#[unsafe(no_mangle)]
extern "C-unwind" fn dCloseODE() {
    require!(init::is_initialized(), "dCloseODE must not be called without dInitODE2 or if dInitODE2 fails");
    if init::close() {
        geom::forget_user_classes();
    }
}
