//! Mesh against a half-space: the vertices below the surface.

use glam::DVec3;

use super::gather::Gather;
use crate::collision::{ContactQuery, ManifoldPoint, NO_TRIANGLE, TOUCH};
use crate::math::Pose;
use crate::shape::Shape;

/// Slope up to which an edge lies level: all vertices of a face that rests, tilted by its springs, carry it.
const LEVEL: f64 = 0.01;

/// Vertices that have no lower neighbour, each as deep as it lies below the surface: what lies higher on the same slope
/// is carried by them.
pub(in crate::collision) fn mesh_plane(
    mesh: &Shape,
    pose: &Pose,
    plane: &Shape,
    plane_pose: &Pose,
    query: &ContactQuery,
    out: &mut Vec<ManifoldPoint>,
) {
    let (Shape::TriangleMesh(mesh), Shape::Plane(plane)) = (mesh, plane) else { return };
    let (world_normal, _) = plane.at(plane_pose);
    let normal = pose.inverse_direction(world_normal);
    let offset = plane.offset + world_normal.dot(plane_pose.position - pose.position);
    let size = 0.5 * mesh.bounds().size().length();
    let reach = query.margin + TOUCH * size;
    let mut gather = Gather::new(out, size).asked(query);
    mesh.vertices_below(normal, offset + reach, |v| {
        let point = mesh.vertices()[v as usize];
        let is_lower = |p: DVec3| normal.dot(p - point) < -1e-9 * size - LEVEL * (p - point).length();
        if !query.inner && mesh.ring(v).any(|(_, p)| is_lower(p)) {
            return;
        }
        let depth = offset - normal.dot(point);
        gather.take([NO_TRIANGLE; 2], |out| {
            out.push(ManifoldPoint::new(point + normal * (0.5 * depth), normal, depth, v))
        });
    });
    gather.finish(query.max_points, pose);
}
