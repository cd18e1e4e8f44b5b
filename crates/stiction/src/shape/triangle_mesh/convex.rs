//! Whether a mesh bounds a convex solid, which then touches as the hull of its corners does.

use glam::DVec3;

use super::TriangleMesh;
use crate::shape::{ConvexHull, Shape};

/// Corners of a hull at most: its farthest point is looked for among all.
const MOST_CORNERS: usize = 128;
/// Rounding of corners in a plane, in parts of the size.
const FLAT: f64 = 1e-9;

/// The hull of a closed mesh of few corners, none of which lies before any of its faces.
pub(super) fn hull(mesh: &TriangleMesh) -> Option<Box<Shape>> {
    if !mesh.is_closed() {
        return None;
    }
    let used = (0..mesh.vertices.len() as u32).filter(|&v| mesh.topology.is_used(v));
    let corners: Vec<DVec3> = used.take(MOST_CORNERS + 1).map(|v| mesh.vertices[v as usize]).collect();
    if corners.len() > MOST_CORNERS || mesh.signed_volume() <= 0.0 {
        return None;
    }
    let slack = FLAT * mesh.bounds().size().length();
    for triangle in (0..mesh.triangles.len() as u32).map(|t| mesh.at(t)) {
        let offset = triangle.normal.dot(triangle.corners[0]);
        if corners.iter().any(|p| triangle.normal.dot(*p) > offset + slack) {
            return None;
        }
    }
    let hull = ConvexHull::new(&corners).ok()?;
    // A surface that covers the hull twice is none of it.
    let is_same = (hull.volume() - mesh.signed_volume()).abs() <= 1e-6 * hull.volume();
    is_same.then(|| Box::new(Shape::ConvexHull(hull.into())))
}
