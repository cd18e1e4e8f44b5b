//! Convex polyhedra. Their arrays stay the program's.

use std::ffi::c_uint;
use std::ptr::null_mut;
use std::sync::OnceLock;

use glam::DVec3;
use stiction::shape::{Shape, ShapeError};

use super::sphere::resized;
use super::{GeomId, GeomShape, create, shape};
use crate::report::require;
use crate::types::{dReal, vector_at};

/// The borrowed corners, and the hull made of them when somebody collides; planes and polygons follow from it.
pub(crate) struct Convex {
    points: *const dReal,
    point_count: usize,
    hull: OnceLock<Option<Shape>>,
}

impl Convex {
    /// Corners in the geom's frame \[m\].
    pub(crate) fn points(&self) -> impl Iterator<Item = DVec3> + '_ {
        // SAFETY: the program keeps its arrays, of the lengths it said, as long as the geom lives.
        (0..self.point_count).map(|i| unsafe { vector_at(self.points.add(3 * i)) })
    }

    /// The engine's shape, made at the first collision; none if the points are no body.
    pub(crate) fn hull(&self) -> Option<&Shape> {
        self.hull.get_or_init(|| hull_of(self.points().collect())).as_ref()
    }
}

/// The hull of points; flat ones are given a little thickness, because ODE takes them.
fn hull_of(points: Vec<DVec3>) -> Option<Shape> {
    match Shape::convex_hull(&points) {
        Err(ShapeError::Flat | ShapeError::TooFewPoints { .. }) if !points.is_empty() => {
            let size = points.iter().fold(0.0f64, |s, p| s.max((*p - points[0]).length())).max(1e-6);
            let thick: Vec<DVec3> = points
                .iter()
                .flat_map(|p| {
                    let corners = [
                        DVec3::ONE,
                        DVec3::new(1.0, -1.0, -1.0),
                        DVec3::new(-1.0, 1.0, -1.0),
                        DVec3::new(-1.0, -1.0, 1.0),
                    ];
                    corners.map(|corner| *p + 1e-5 * size * corner)
                })
                .collect();
            Shape::convex_hull(&thick).ok()
        }
        made => made.ok(),
    }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dCreateConvex(
    space: GeomId,
    planes: *const dReal,
    _plane_count: c_uint,
    points: *const dReal,
    point_count: c_uint,
    polygons: *const c_uint,
) -> GeomId {
    let given = !planes.is_null() && !points.is_null() && !polygons.is_null();
    require!(given, "Bad argument(s): a convex needs planes, points and polygons", null_mut());
    create(space, true, GeomShape::Convex(Box::new(of_points(points, point_count))))
}

fn of_points(points: *const dReal, point_count: c_uint) -> Convex {
    Convex { points, point_count: point_count as usize, hull: OnceLock::new() }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn dGeomSetConvex(
    geom: GeomId,
    planes: *const dReal,
    _plane_count: c_uint,
    points: *const dReal,
    point_count: c_uint,
    polygons: *const c_uint,
) {
    let given = !planes.is_null() && !points.is_null() && !polygons.is_null();
    require!(given, "Bad argument(s): a convex needs planes, points and polygons");
    shape!(
        geom,
        GeomShape::Convex(convex) => **convex = of_points(points, point_count),
        "argument not a convex shape"
    );
    resized(geom);
}
