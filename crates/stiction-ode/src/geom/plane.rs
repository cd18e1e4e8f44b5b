//! Half-spaces, which have no pose.

use super::{GeomId, GeomShape, body::moved, create, shape};
use crate::report::require;
use crate::types::{dReal, vector};

const NOT_ONE: &str = "argument not a plane";

/// A normal of unit length; ODE's stand-in, the plane x = 0, for one without direction.
fn normalized(params: [dReal; 4]) -> [f64; 4] {
    let params: [f64; 4] = params.map(Into::into);
    let square = params[0] * params[0] + params[1] * params[1] + params[2] * params[2];
    if square > 0.0 { params.map(|v| v * (1.0 / square.sqrt())) } else { [1.0, 0.0, 0.0, 0.0] }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dCreatePlane(space: GeomId, a: dReal, b: dReal, c: dReal, d: dReal) -> GeomId {
    create(space, false, GeomShape::Plane { params: normalized([a, b, c, d]) })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomPlaneSetParams(plane: GeomId, a: dReal, b: dReal, c: dReal, d: dReal) {
    shape!(plane, GeomShape::Plane { params } => *params = normalized([a, b, c, d]), NOT_ONE);
    moved(plane);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomPlaneGetParams(plane: GeomId, result: *mut dReal) {
    require!(!result.is_null(), "Bad argument(s): nowhere to write to");
    let params = shape!(plane, GeomShape::Plane { params } => *params, NOT_ONE);
    *result.cast::<[dReal; 4]>() = params.map(|v| v as dReal);
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomPlanePointDepth(plane: GeomId, x: dReal, y: dReal, z: dReal) -> dReal {
    let params = shape!(plane, GeomShape::Plane { params } => *params, NOT_ONE, 0.0);
    let p = vector(&[x, y, z]);
    (params[3] - params[0] * p.x - params[1] * p.y - params[2] * p.z) as dReal
}
