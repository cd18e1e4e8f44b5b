//! Geometry for programs' own use.

use std::ffi::c_int;

use glam::DVec3;

use super::narrow::{BoxContact, CONTACTS_UNIMPORTANT, OrientedBox, SLOTS, box_box};
use crate::report::require;
use crate::types::{dContactGeom, dMatrix3, dReal, matrix, put, vector_at, write3};

/// Nearest points of two segments. Of parallel ones it is ends first.
pub(super) fn nearest_on_segments(a: (DVec3, DVec3), b: (DVec3, DVec3)) -> (DVec3, DVec3) {
    let (along_a, along_b) = (a.1 - a.0, b.1 - b.0);
    // Two ends are nearest if each lies beyond the other's segment.
    for p in [a.0, a.1] {
        for q in [b.0, b.1] {
            let between = q - p;
            let (s, t) = (along_a.dot(between), along_b.dot(between));
            let beyond_a = if p == a.0 { s <= 0.0 } else { s >= 0.0 };
            let beyond_b = if q == b.0 { t >= 0.0 } else { t <= 0.0 };
            if beyond_a && beyond_b {
                return (p, q);
            }
        }
    }
    // An end and a point inside the other segment.
    if let Some(found) = end_on_segment(a, b) {
        return found;
    }
    if let Some((q, p)) = end_on_segment(b, a) {
        return (p, q);
    }
    // Two inner points: both conditions of a common normal at once.
    let (aa, bb, ab) = (along_a.length_squared(), along_b.length_squared(), along_a.dot(along_b));
    let between = b.0 - a.0;
    let determinant = aa * bb - ab * ab;
    if determinant <= 0.0 {
        return (a.0, b.0);
    }
    let (da, db) = (along_a.dot(between), along_b.dot(between));
    let (s, t) = ((bb * da - ab * db) / determinant, (ab * da - aa * db) / determinant);
    (a.0 + along_a * s, b.0 + along_b * t)
}

/// An end of the first segment and its foot on the second, if they are nearest.
fn end_on_segment(a: (DVec3, DVec3), b: (DVec3, DVec3)) -> Option<(DVec3, DVec3)> {
    let (along_a, along_b) = (a.1 - a.0, b.1 - b.0);
    let square = along_b.length_squared();
    for (p, outward) in [(a.0, -along_a), (a.1, along_a)] {
        let t = along_b.dot(p - b.0);
        if t < 0.0 || t > square || square == 0.0 {
            continue;
        }
        let foot = b.0 + along_b * (t / square);
        if outward.dot(foot - p) >= 0.0 {
            return Some((p, foot));
        }
    }
    None
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dClosestLineSegmentPoints(
    a1: *const dReal,
    a2: *const dReal,
    b1: *const dReal,
    b2: *const dReal,
    on_a: *mut dReal,
    on_b: *mut dReal,
) {
    let given = [a1, a2, b1, b2].iter().all(|p| !p.is_null()) && !on_a.is_null() && !on_b.is_null();
    require!(given, "Bad argument(s): a point is missing");
    let (p, q) = nearest_on_segments((vector_at(a1), vector_at(a2)), (vector_at(b1), vector_at(b2)));
    write3(on_a, p);
    write3(on_b, q);
}

/// A box of side lengths.
unsafe fn box_at(center: *const dReal, rotation: *const dReal, sides: *const dReal) -> Option<OrientedBox> {
    if center.is_null() || rotation.is_null() || sides.is_null() {
        return None;
    }
    Some(OrientedBox {
        center: vector_at(center),
        rotation: matrix(&*rotation.cast::<dMatrix3>()),
        half: vector_at(sides) * 0.5,
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dBoxTouchesBox(
    p1: *const dReal,
    r1: *const dReal,
    side1: *const dReal,
    p2: *const dReal,
    r2: *const dReal,
    side2: *const dReal,
) -> c_int {
    let boxes = (box_at(p1, r1, side1), box_at(p2, r2, side2));
    require!(boxes.0.is_some() && boxes.1.is_some(), "Bad argument(s): a box is missing", 0);
    let (Some(a), Some(b)) = boxes else { return 0 };
    OrientedBox::touch(&a, &b).into()
}

/// Contact of two boxes; only positions and depths of the contacts are written. The normal points into the second.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dBoxBox(
    p1: *const dReal,
    r1: *const dReal,
    side1: *const dReal,
    p2: *const dReal,
    r2: *const dReal,
    side2: *const dReal,
    normal: *mut dReal,
    depth: *mut dReal,
    return_code: *mut c_int,
    flags: c_int,
    contacts: *mut dContactGeom,
    skip: c_int,
) -> c_int {
    let boxes = (box_at(p1, r1, side1), box_at(p2, r2, side2));
    let given = boxes.0.is_some() && boxes.1.is_some() && !contacts.is_null();
    require!(given, "Bad argument(s): a box or the contacts are missing", 0);
    let written = !normal.is_null() && !depth.is_null() && !return_code.is_null();
    require!(written, "Bad argument(s): nowhere to write to", 0);
    let (Some(a), Some(b)) = boxes else { return 0 };
    let max = ((flags & SLOTS) as usize).max(1);
    let mut found = BoxContact::default();
    if !box_box(&a, &b, flags & CONTACTS_UNIMPORTANT != 0, max, &mut found) {
        return 0;
    }
    write3(normal, found.normal);
    *depth = found.depth as dReal;
    *return_code = found.code as c_int;
    for (index, &(position, depth)) in found.points[..found.count].iter().enumerate() {
        let contact = &mut *contacts.byte_add(index * skip as usize);
        contact.pos = put(position);
        contact.depth = depth as dReal;
    }
    found.count as c_int
}
