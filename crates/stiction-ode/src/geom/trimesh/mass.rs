//! Mass of what a mesh encloses.

use glam::{DMat3, DVec3};

use super::super::{Geom, GeomId, GeomShape, shape};
use super::NOT_ONE;
use crate::report::{self, require};
use crate::types::{dMass, dReal, put, put_matrix};

/// Integrals over the tetrahedra of the world's origin and each triangle: volume, first moments, and second moments
/// `∫ x xᵀ`. A mesh that is wound inside out gives their negatives. With a triangle a, b, c the tetrahedron's volume is
/// `v = a·(b × c)/6`, and its second moments are `v/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ)` with `s = a + b + c`.
struct Moments {
    volume: f64,
    first: DVec3,
    second: DMat3,
}

unsafe fn moments(geom: GeomId) -> Option<Moments> {
    let data = shape!(geom, GeomShape::TriMesh(mesh) => mesh.data.as_ref(), NOT_ONE, None)?;
    let placed = Geom::placed(geom);
    let mut sum = Moments { volume: 0.0, first: DVec3::ZERO, second: DMat3::ZERO };
    let square = |p: DVec3| DMat3::from_cols(p * p.x, p * p.y, p * p.z);
    for index in 0..data.triangle_count {
        let [a, b, c] = data.triangle(index).map(|p| placed.point(p));
        let volume = a.dot(b.cross(c)) / 6.0;
        let corners = a + b + c;
        sum.volume += volume;
        sum.first += 0.25 * volume * corners;
        sum.second += (square(a) + square(b) + square(c) + square(corners)) * (volume / 20.0);
    }
    Some(sum)
}

/// Mass of the mesh where it is: its centre, and the inertia about the world's origin, as the other parts of a body count
/// it. ODE adds the way from the centre twice.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dMassSetTrimesh(mass: *mut dMass, density: dReal, geom: GeomId) {
    require!(!mass.is_null(), "bad mass argument");
    let Some(moments) = moments(geom) else { return };
    let density: f64 = density.into();
    let second = moments.second * density;
    let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
    *mass = dMass {
        mass: (moments.volume * density) as dReal,
        c: put(if moments.volume == 0.0 { DVec3::ZERO } else { moments.first / moments.volume }),
        I: put_matrix(DMat3::from_diagonal(DVec3::splat(trace)) - second),
    };
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dMassSetTrimeshTotal(mass: *mut dMass, total: dReal, geom: GeomId) {
    require!(!mass.is_null(), "bad mass argument");
    let Some(moments) = moments(geom) else { return };
    if moments.volume == 0.0 {
        return report::debug(report::USER, "the mesh encloses no volume");
    }
    dMassSetTrimesh(mass, (f64::from(total) / moments.volume) as dReal, geom);
}
