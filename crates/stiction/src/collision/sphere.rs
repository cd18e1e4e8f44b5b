//! Sphere against every shape with an exact signed distance.

use glam::DVec3;

use super::{ContactQuery, ManifoldPoint, TOUCH};
use crate::math::Pose;
use crate::shape::{Shape, Sphere, Surface};

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
    if let Some(surface) = surface_in_world(solid, pose, center) {
        push_point(sphere, center, &surface, query, out);
    }
}

#[inline(always)]
fn push_point(sphere: &Sphere, center: DVec3, surface: &Surface, query: &ContactQuery, out: &mut Vec<ManifoldPoint>) {
    let depth = sphere.radius - surface.distance;
    if depth < -query.margin - TOUCH * sphere.radius {
        return;
    }
    let position = center - surface.normal * (0.5 * (sphere.radius + surface.distance));
    out.push(ManifoldPoint::new(position, surface.normal, depth, 0));
}

/// Signed distance of a point of the world, with the normal in the world.
#[inline(always)]
pub(crate) fn surface_in_world(solid: &Shape, pose: &Pose, point: DVec3) -> Option<Surface> {
    match solid {
        // One turn, not the point there and the normal back.
        Shape::Plane(plane) => {
            let normal = pose.direction(plane.normal);
            Some(Surface { distance: normal.dot(point - pose.position) - plane.offset, normal })
        }
        _ => {
            let surface = solid.surface(pose.inverse_point(point))?;
            Some(Surface { normal: pose.direction(surface.normal), ..surface })
        }
    }
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
    let (Shape::Sphere(first), Shape::Sphere(second)) = (a, b) else { return };
    let surface = second.surface(pose_a.position - pose_b.position);
    push_point(first, pose_a.position, &surface, query, out);
}
