//! Geoms of a body: its list, the news that it moved, and its end.

use std::ptr::null_mut;

use super::{Geom, GeomId, GeomPose, enclosing, flag, geom};
use crate::objects::body::BodyId;
use crate::report::require;

/// Puts a geom at the head of a body's list.
unsafe fn put_on(geom: GeomId, body: BodyId) {
    (*geom).body = body;
    (*geom).body_next = (*body).geom.cast();
    (*body).geom = geom.cast();
}

/// Takes a geom out of its body's list.
pub(super) unsafe fn take_off(geom: GeomId) {
    let body = (*geom).body;
    if body.is_null() {
        return;
    }
    let mut link: *mut GeomId = (&raw mut (*body).geom).cast();
    while !(*link).is_null() {
        if *link == geom {
            *link = (*geom).body_next;
            break;
        }
        link = &raw mut (**link).body_next;
    }
    (*geom).body = null_mut();
    (*geom).body_next = null_mut();
    (*geom).flags &= !flag::POSE_OF_BODY;
}

/// Leaves a geom where it is, without body.
unsafe fn make_static(geom: GeomId) {
    let (position, rotation) = Geom::pose_in_place(geom);
    (*geom).pose = GeomPose { position: *position, rotation: *rotation };
    (*geom).offset = None;
    take_off(geom);
}

/// The body ends: its geoms stay where they are.
pub(crate) unsafe fn release_body(body: BodyId) {
    while !(*body).geom.is_null() {
        make_static((*body).geom.cast());
    }
}

/// A geom has moved or changed its shape. It goes to the head of its space's list, and the spaces around it take notice.
pub(crate) unsafe fn moved(geom: GeomId) {
    if (*geom).offset.is_some() {
        (*geom).flags |= flag::POSE_BAD;
    }
    // Already known all the way up.
    if (*geom).flags & (flag::DIRTY | flag::BOUNDS_BAD) == flag::DIRTY | flag::BOUNDS_BAD {
        return;
    }
    let locked = {
        let mut parent = (*geom).space;
        while !parent.is_null() && !enclosing::is_locked(parent) {
            parent = (*parent).space;
        }
        !parent.is_null()
    };
    if locked {
        // The geom keeps its place in the list, but its bounds are no longer true.
        (*geom).flags |= flag::BOUNDS_BAD;
    }
    require!(!locked, "Invalid operation for locked space");
    let mut geom = geom;
    while !(*geom).space.is_null() && (*geom).flags & flag::DIRTY == 0 {
        (*geom).flags |= flag::DIRTY | flag::BOUNDS_BAD;
        enclosing::dirty((*geom).space, geom);
        geom = (*geom).space;
    }
    while !geom.is_null() {
        (*geom).flags |= flag::DIRTY | flag::BOUNDS_BAD;
        geom = (*geom).space;
    }
}

/// For callers in C: see [`moved`].
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomMoved(geom: GeomId) {
    let _ = geom!(geom);
    moved(geom);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomSetBody(geom: GeomId, body: BodyId) {
    let g = geom!(geom);
    require!(body.is_null() || g.is_placeable(), "geom must be placeable");
    require!(!enclosing::is_locked(g.space), "Invalid operation for locked space");
    if body.is_null() {
        if !g.body.is_null() {
            make_static(geom);
        }
        return;
    }
    if g.body != body {
        g.offset = None;
        take_off(geom);
        put_on(geom, body);
        (*geom).flags |= flag::POSE_OF_BODY;
        (*geom).flags &= !flag::POSE_BAD;
    }
    moved(geom);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomGetBody(geom: GeomId) -> BodyId {
    geom!(geom, null_mut()).body
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomGetBodyNext(geom: GeomId) -> GeomId {
    geom!(geom, null_mut()).body_next
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dBodyGetFirstGeom(body: BodyId) -> GeomId {
    require!(!body.is_null(), "Bad argument(s): no body", null_mut());
    (*body).geom.cast()
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dBodyGetNextGeom(geom: GeomId) -> GeomId {
    geom!(geom, null_mut()).body_next
}
