//! Ray against any shape.

use super::{ContactQuery, ManifoldPoint};
use crate::{math::Pose, shape::Shape};

/// The first hit: position on the surface, depth the distance from the start. The normal points into the ray,
/// hence towards its start; with the shape as first body it is negated like that of any swapped pair.
pub(super) fn shape_ray(
    shape: &Shape,
    pose: &Pose,
    ray: &Shape,
    ray_pose: &Pose,
    _query: &ContactQuery,
    out: &mut Vec<ManifoldPoint>,
) {
    let Shape::Ray(ray) = ray else { return };
    let direction = ray_pose.direction(glam::DVec3::Z);
    if let Some(hit) = shape.ray_cast(pose, ray_pose.position, direction, ray.length) {
        let position = ray_pose.position + direction * hit.distance;
        out.push(ManifoldPoint::new(position, -hit.normal, hit.distance, 0));
    }
}
