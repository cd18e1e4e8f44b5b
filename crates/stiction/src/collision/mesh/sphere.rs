//! Sphere against triangles: the point of each triangle nearest to the centre.

use glam::DVec3;

use super::{
    gather::Gather,
    source::{TriangleSource, is_outward, source},
};
use crate::collision::{ContactQuery, ManifoldPoint, NO_TRIANGLE, TOUCH};
use crate::math::Pose;
use crate::shape::{Aabb, Shape, Sphere, Triangle, TrianglePart};

pub(in crate::collision) fn sphere_mesh(
    sphere: &Shape,
    sphere_pose: &Pose,
    mesh: &Shape,
    pose: &Pose,
    query: &ContactQuery,
    out: &mut Vec<ManifoldPoint>,
) {
    let (Shape::Sphere(sphere), Some(triangles)) = (sphere, source(mesh)) else { return };
    sphere_source(sphere, sphere_pose, triangles, pose, query, &mut |_| true, out);
}

/// A normal this near to the face's is the face's (cosine): then a sphere that rolls over edges in a plane feels none.
const FACE: f64 = 1.0 - 1e-12;

/// With c the centre and q a triangle's nearest point, the sphere touches along `c - q` if no place of the surface about
/// q is nearer, with the overlap `r - |c - q|`. What is nearer elsewhere is another triangle's contact.
pub(super) fn sphere_source(
    sphere: &Sphere,
    sphere_pose: &Pose,
    triangles: &dyn TriangleSource,
    pose: &Pose,
    query: &ContactQuery,
    accept: &mut dyn FnMut(u32) -> bool,
    out: &mut Vec<ManifoldPoint>,
) {
    let center = pose.inverse_point(sphere_pose.position);
    let radius = sphere.radius;
    let reach = radius + query.margin + TOUCH * radius;
    let mut gather = Gather::new(out, radius);
    // Nearest face that has the centre behind it.
    let mut behind: Option<(f64, Triangle)> = None;
    triangles.visit(&Aabb::from_center(center, DVec3::splat(reach)), &mut |triangle| {
        let height = triangle.normal.dot(center - triangle.corners[0]);
        if height > reach || !accept(triangle.index) {
            return;
        }
        let nearest = triangle.nearest(center);
        if height < 0.0 {
            let is_nearer = behind.is_none_or(|b| -height < b.0);
            if nearest.part == TrianglePart::Face && is_nearer {
                behind = Some((-height, *triangle));
            }
            return;
        }
        let off = center - nearest.point;
        let length = off.length();
        if length > reach {
            return;
        }
        let is_face = nearest.part == TrianglePart::Face || off.dot(triangle.normal) >= FACE * length;
        let (normal, distance) = if is_face { (triangle.normal, height) } else { (off / length, length) };
        if is_face || is_outward(triangles, triangle, normal) {
            let part = match nearest.part {
                TrianglePart::Face => 6,
                TrianglePart::Edge(k) => 3 + k,
                TrianglePart::Corner(k) => k,
            };
            gather.take([NO_TRIANGLE, triangle.index], |out| {
                let position = center - normal * (0.5 * (radius + distance));
                out.push(ManifoldPoint::new(position, normal, radius - distance, part as u32));
            });
        }
    });
    // The centre has gone through the surface of a solid: back the shortest way.
    if let (true, true, Some((height, triangle))) = (gather.is_empty(), triangles.is_solid(), behind) {
        gather.take([NO_TRIANGLE, triangle.index], |out| {
            let position = center - triangle.normal * (0.5 * (radius - height));
            out.push(ManifoldPoint::new(position, triangle.normal, radius + height, 6));
        });
    }
    gather.finish(query.max_points, pose);
}
