//! Bounding boxes, computed when somebody asks.

use glam::DVec3;

use super::pose::Placed;
use super::transform::Placing;
use super::{Geom, GeomId, GeomShape, flag, user};

/// Bounds without end.
pub(crate) const EVERYWHERE: [f64; 6] =
    [f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY];

impl Geom {
    /// Brings the bounds up to date.
    pub(crate) unsafe fn update_bounds(geom: GeomId) {
        if (*geom).flags & flag::BOUNDS_BAD != 0 {
            let placed = Self::placed(geom);
            (*geom).bounds = bounds_at(geom, &placed);
            (*geom).flags &= !flag::BOUNDS_BAD;
        }
    }
}

/// Bounds of a geom as if it were at a pose.
pub(super) unsafe fn bounds_at(geom: GeomId, placed: &Placed) -> [f64; 6] {
    match &(*geom).shape {
        GeomShape::Sphere { radius } => about(placed, |_| *radius),
        GeomShape::Box { sides } => {
            about(placed, |row| 0.5 * ((row.x * sides[0]).abs() + (row.y * sides[1]).abs() + (row.z * sides[2]).abs()))
        }
        GeomShape::Capsule { radius, length } => about(placed, |row| (row.z * length).abs() * 0.5 + radius),
        GeomShape::Cylinder { radius, length } => {
            about(placed, |row| (row.z * length * 0.5).abs() + radius * (1.0 - row.z * row.z).max(0.0).sqrt())
        }
        GeomShape::Plane { params } => of_half_space(params),
        GeomShape::Ray { length } => {
            let (start, end) = (placed.position, placed.position + placed.rotation.z_axis * *length);
            around([start, end])
        }
        GeomShape::Convex(convex) => around(convex.points().map(|p| placed.point(p))),
        GeomShape::Transform(_) => of_transform(geom, placed),
        GeomShape::TriMesh(mesh) => mesh.bounds(placed),
        GeomShape::Heightfield(data) => {
            data.as_ref().map_or([0.0; 6], |data| data.bounds((*geom).is_placeable().then_some(placed)))
        }
        GeomShape::Space(space) if space.is_unbounded => (*geom).bounds,
        GeomShape::Space(space) => (space.functions.bounds)(geom),
        GeomShape::User(_) => user::bounds(geom),
    }
}

unsafe fn of_transform(geom: GeomId, placed: &Placed) -> [f64; 6] {
    let GeomShape::Transform(transform) = &mut (*geom).shape else { return [0.0; 6] };
    match transform.inner_at(placed) {
        Some((inner, inner_placed)) if matches!((*inner).shape, GeomShape::User(_)) => {
            // The class asks its geom where it is.
            let _placing = Placing::new(geom, inner, &inner_placed);
            user::bounds(inner)
        }
        Some((inner, inner_placed)) => bounds_at(inner, &inner_placed),
        None => [0.0; 6],
    }
}

/// Bounds that reach equally far to both sides of a centre, by the rows of R: how the local axes lie along each world axis.
#[inline(always)]
fn about(placed: &Placed, reach: impl Fn(DVec3) -> f64) -> [f64; 6] {
    let (rows, center) = (placed.rotation.transpose(), placed.position);
    let (x, y, z) = (reach(rows.x_axis), reach(rows.y_axis), reach(rows.z_axis));
    [center.x - x, center.x + x, center.y - y, center.y + y, center.z - z, center.z + z]
}

/// Bounds of points; zeros if there are none.
pub(super) fn around(points: impl IntoIterator<Item = DVec3>) -> [f64; 6] {
    let mut bounds: Option<(DVec3, DVec3)> = None;
    for p in points {
        bounds = Some(bounds.map_or((p, p), |(low, high)| (low.min(p), high.max(p))));
    }
    let (low, high) = bounds.unwrap_or_default();
    [low.x, high.x, low.y, high.y, low.z, high.z]
}

/// A half-space square to an axis ends there; every other reaches everywhere.
fn of_half_space(params: &[f64; 4]) -> [f64; 6] {
    let mut bounds = EVERYWHERE;
    let square = |axis: usize| (0..3).all(|other| other == axis || params[other] == 0.0);
    if let Some(axis) = (0..3).find(|&axis| square(axis)) {
        if params[axis] > 0.0 {
            bounds[2 * axis + 1] = params[3];
        } else {
            bounds[2 * axis] = -params[3];
        }
    }
    bounds
}
