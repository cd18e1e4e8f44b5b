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
    if !mesh.is_closed() || mesh.signed_volume <= 0.0 || mesh.vertex_tree.len() > MOST_CORNERS {
        return None;
    }
    let mut corners: Vec<DVec3> = Vec::new();
    mesh.vertices_in(&mesh.bounds(), |v| corners.push(mesh.vertices[v as usize]));
    let slack = FLAT * mesh.bounds().size().length();
    for (index, normal) in mesh.normals.iter().enumerate() {
        let offset = normal.dot(mesh.vertices[mesh.triangles[index][0] as usize]);
        if corners.iter().any(|p| normal.dot(*p) > offset + slack) {
            return None;
        }
    }
    let hull = ConvexHull::new(&corners).ok()?;
    // A surface that covers the hull twice is none of it.
    let is_same = (hull.volume() - mesh.signed_volume).abs() <= 1e-6 * hull.volume();
    is_same.then(|| Box::new(Shape::ConvexHull(hull.into())))
}
