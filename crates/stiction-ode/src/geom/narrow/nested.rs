//! Spaces and geom transforms: what is inside them collides.

use std::ffi::c_void;
use std::ptr::from_mut;

use super::super::transform::Placing;
use super::super::{Geom, GeomId, GeomShape, enclosing, flag};
use super::{Contacts, SLOTS, collide_geoms};
use crate::report::require;

/// All members with a geom, until the contacts are full.
pub(super) unsafe fn space(space: GeomId, other: GeomId, contacts: &mut Contacts) {
    enclosing::collide(space, other, from_mut(contacts).cast(), add_pair);
}

unsafe extern "C-unwind" fn add_pair(contacts: *mut c_void, first: GeomId, second: GeomId) {
    let contacts = &mut *contacts.cast::<Contacts>();
    if !contacts.is_full() {
        add(first, second, contacts);
    }
}

/// Appends the contacts of a pair, with its own geoms.
unsafe fn add(first: GeomId, second: GeomId, contacts: &mut Contacts) {
    let left = (contacts.max() - contacts.count) as i32;
    let flags = (contacts.flags & !SLOTS) | left;
    let count = collide_geoms(first, second, flags, contacts.at(contacts.count), contacts.skip());
    contacts.count += count as usize;
}

/// The inner geom with another, at its place in the world and as if it were on the transform's body.
pub(super) unsafe fn transform(geom: GeomId, other: GeomId, contacts: &mut Contacts) {
    let GeomShape::Transform(transform) = &mut (*geom).shape else { return };
    let info = transform.info;
    let Some((inner, placed)) = transform.inner_at(&Geom::placed(geom)) else { return };
    require!((*inner).space.is_null(), "GeomTransform encapsulated object must not be in a space");
    require!((*inner).body.is_null(), "GeomTransform encapsulated object must not be attached to a body");
    debug_assert!((*inner).flags & flag::POSE_OF_BODY == 0);
    let placing = Placing::new(geom, inner, &placed);
    add(inner, other, contacts);
    drop(placing);
    if info != 0 {
        for index in 0..contacts.count {
            (*contacts.at(index)).g1 = geom.cast();
        }
    }
}
