//! Points and vectors between a geom's frame and the world's.

use super::{Geom, GeomId, geom};
use crate::report::require;
use crate::types::{dReal, vector, write3};

macro_rules! between_frames {
    ($($name:ident: |$placed:ident, $p:ident| $result:expr;)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $name(geom: GeomId, x: dReal, y: dReal, z: dReal, result: *mut dReal) {
            let _ = geom!(geom);
            require!(!result.is_null(), "Bad argument(s): nowhere to write to");
            let ($placed, $p) = (Geom::placed(geom), vector(&[x, y, z]));
            write3(result, $result);
        }
    )*};
}

between_frames! {
    dGeomGetRelPointPos: |placed, p| placed.point(p);
    dGeomGetPosRelPoint: |placed, p| placed.inverse_point(p);
    dGeomVectorToWorld: |placed, p| placed.rotation * p;
    dGeomVectorFromWorld: |placed, p| placed.rotation.transpose() * p;
}
