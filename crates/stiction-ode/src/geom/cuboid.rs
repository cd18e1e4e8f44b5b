//! Boxes.

use glam::DVec3;

use super::sphere::resized;
use super::{Geom, GeomId, GeomShape, create, shape};
use crate::report::require;
use crate::types::{dReal, vector, write3};

const NOT_ONE: &str = "argument not a box";

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dCreateBox(space: GeomId, lx: dReal, ly: dReal, lz: dReal) -> GeomId {
    require!(lx >= 0.0 && ly >= 0.0 && lz >= 0.0, "Bad argument(s): side below zero", std::ptr::null_mut());
    create(space, true, GeomShape::Box { sides: [lx.into(), ly.into(), lz.into()] })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomBoxSetLengths(geom: GeomId, lx: dReal, ly: dReal, lz: dReal) {
    require!(lx >= 0.0 && ly >= 0.0 && lz >= 0.0, "Bad argument(s): side below zero");
    shape!(geom, GeomShape::Box { sides } => *sides = [lx.into(), ly.into(), lz.into()], NOT_ONE);
    resized(geom);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomBoxGetLengths(geom: GeomId, result: *mut dReal) {
    require!(!result.is_null(), "Bad argument(s): nowhere to write to");
    let sides = shape!(geom, GeomShape::Box { sides } => *sides, NOT_ONE);
    write3(result, DVec3::from_array(sides));
}

/// The negated signed distance: outside that to the nearest point of the box, not to a far face as in ODE.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomBoxPointDepth(geom: GeomId, x: dReal, y: dReal, z: dReal) -> dReal {
    let sides = shape!(geom, GeomShape::Box { sides } => *sides, NOT_ONE, 0.0);
    let local = Geom::placed(geom).inverse_point(vector(&[x, y, z]));
    let beyond = local.abs() - 0.5 * DVec3::from_array(sides);
    let outside = beyond.max(DVec3::ZERO).length();
    (if outside > 0.0 { -outside } else { -beyond.max_element() }) as dReal
}
