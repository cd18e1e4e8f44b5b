//! Sphere against triangles: the point of each triangle nearest to the centre.

use glam::DVec3;

use super::{
    back::with_side,
    gather::Gather,
    source::{TriangleSource, is_outward_at},
};
use crate::collision::{ContactQuery, ManifoldPoint, NO_TRIANGLE, TOUCH};
use crate::math::Pose;
use crate::shape::{Shape, Sphere, TrianglePart};

pub(in crate::collision) fn sphere_mesh(
    sphere: &Shape,
    sphere_pose: &Pose,
    mesh: &Shape,
    pose: &Pose,
    query: &ContactQuery,
    out: &mut Vec<ManifoldPoint>,
) {
    let Shape::Sphere(sphere) = sphere else { return };
    with_side(mesh, query.behind[1], |triangles| {
        sphere_source(sphere, sphere_pose, triangles, pose, query, &mut |_| true, out);
    });
}

/// A normal this near to the face's is the face's (cosine): then a sphere that rolls over edges in a plane feels none.
const FACE: f64 = 1.0 - 1e-12;

/// With c the centre and q a triangle's nearest point, the sphere touches along `c - q` if no place of the surface about
/// q is nearer, with the overlap `r - |c - q|`. What is nearer elsewhere is another triangle's contact. Returns whether a
/// triangle's plane is met from behind.
pub(super) fn sphere_source(
    sphere: &Sphere,
    sphere_pose: &Pose,
    triangles: &dyn TriangleSource,
    pose: &Pose,
    query: &ContactQuery,
    accept: &mut dyn FnMut(u32) -> bool,
    out: &mut Vec<ManifoldPoint>,
) -> bool {
    let center = pose.inverse_point(sphere_pose.position);
    let radius = sphere.radius;
    let reach = radius + query.margin + TOUCH * radius;
    let mut gather = Gather::new(out, radius).asked(query);
    let mut is_behind_some = false;
    triangles.visit_ball(center, reach, &mut |triangle| {
        let height = triangle.normal.dot(center - triangle.corners[0]);
        if height.abs() > reach || !accept(triangle.index) {
            return;
        }
        if height < 0.0 {
            is_behind_some = true;
            return;
        }
        let nearest = triangle.nearest(center);
        let off = center - nearest.point;
        let length = off.length();
        if length > reach {
            return;
        }
        let is_face = nearest.part == TrianglePart::Face || off.dot(triangle.normal) >= FACE * length;
        let (normal, distance) = if is_face { (triangle.normal, height) } else { (off / length, length) };
        if is_face || is_outward_at(triangles, triangle, nearest.part, normal) {
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
    // Without a face behind it the centre is before them all, or so far inside that none is near.
    let may_be_inside = gather.is_empty() && triangles.is_solid() && triangles.bounds().holds(center);
    if is_behind_some || may_be_inside {
        through(center, radius, reach, triangles, accept, &mut gather);
    }
    gather.finish(query.max_points, pose);
    is_behind_some
}

/// The centre has gone through the surface: back to the nearest place of it. Or it is past the rim of an open one, and
/// leaves sideways.
fn through(
    center: DVec3,
    radius: f64,
    reach: f64,
    triangles: &dyn TriangleSource,
    accept: &mut dyn FnMut(u32) -> bool,
    gather: &mut Gather,
) {
    let Some(side) = triangles.side(center) else { return };
    let is_behind = side.distance < 0.0;
    if is_behind && !triangles.is_solid() && side.distance < -reach {
        return;
    }
    let is_rim = !is_behind && triangles.has_rim() && gather.is_empty() && side.distance <= reach;
    if is_behind && accept(side.triangle) {
        gather.clear();
    } else if !is_rim || !accept(side.triangle) {
        return;
    }
    gather.take([NO_TRIANGLE, side.triangle], |out| {
        let position = center - side.normal * (0.5 * (radius + side.distance));
        out.push(ManifoldPoint::new(position, side.normal, radius - side.distance, 6));
    });
}
