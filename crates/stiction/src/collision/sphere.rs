//! Sphere against every shape with an exact signed distance.

use super::{ContactQuery, ManifoldPoint, TOUCH};
use crate::{math::Pose, shape::Shape};

/// With c the sphere's centre, s its signed distance from the other surface and n the normal there, the sphere's
/// lowest point is `c - r n`, the other surface is at `c - s n`, and the overlap is `r - s`.
pub(super) fn sphere_solid(
    sphere: &Shape,
    sphere_pose: &Pose,
    solid: &Shape,
    pose: &Pose,
    query: &ContactQuery,
    out: &mut Vec<ManifoldPoint>,
) {
    let Shape::Sphere(sphere) = sphere else { return };
    let center = sphere_pose.position;
    let Some(surface) = solid.surface(pose.inverse_point(center)) else { return };
    let depth = sphere.radius - surface.distance;
    if depth < -query.margin - TOUCH * sphere.radius {
        return;
    }
    let normal = pose.direction(surface.normal);
    let position = center - normal * (0.5 * (sphere.radius + surface.distance));
    out.push(ManifoldPoint { position, normal, depth, feature: 0 });
}

/// Centres that coincide separate along +x.
pub(super) fn sphere_sphere(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    query: &ContactQuery,
    out: &mut Vec<ManifoldPoint>,
) {
    // Without the rotation, so that spinning spheres give the same bits as still ones.
    sphere_solid(a, pose_a, b, &Pose::from_position(pose_b.position), query, out);
}
