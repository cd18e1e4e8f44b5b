//! Any convex solid against triangles.

use glam::DVec3;

use super::{
    box_axes::box_direction,
    facet::Facet,
    gather::Gather,
    source::{TriangleSource, is_outward, source},
};
use crate::collision::convex::{Axes, Couple, least_depth};
use crate::collision::{ContactQuery, ManifoldPoint, NO_TRIANGLE, TOUCH, manifold, placed::Placed};
use crate::math::Pose;
use crate::shape::{Shape, Triangle};

pub(in crate::collision) fn solid_mesh(
    solid: &Shape,
    solid_pose: &Pose,
    mesh: &Shape,
    pose: &Pose,
    query: &ContactQuery,
    out: &mut Vec<ManifoldPoint>,
) {
    let Some(triangles) = source(mesh) else { return };
    solid_source(solid, solid_pose, triangles, pose, query, &mut |_| true, out);
}

/// The triangle's normal is the direction of least depth: with p the solid's point farthest behind the face, by `a`, and
/// a disc of radius ρ about its foot inside the triangle, the depth along a direction at the angle θ ≤ 90° to the normal
/// is at least `a cos θ + ρ sin θ`, no less than a where `ρ >= a`.
fn is_face_contact(couple: &Couple<Placed, Facet>, along_normal: f64) -> bool {
    let lowest = couple.a.support(-couple.b.normal);
    couple.b.covers(lowest, -along_normal.max(0.0))
}

/// The direction of least depth, and that depth \[m\]; below `least` any that separates.
fn direction(couple: &Couple<Placed, Facet>, along_normal: f64, least: f64) -> (DVec3, f64) {
    let mut axes = Axes::new(couple);
    (axes.normal, axes.depth) = (couple.b.normal, along_normal);
    if is_face_contact(couple, along_normal) {
        return (axes.normal, axes.depth);
    }
    match couple.a.shape {
        Shape::Box(cuboid) => return box_direction(cuboid.half_extents, couple, along_normal, least),
        Shape::Cylinder(_) | Shape::Capsule(_) => {
            let axis = couple.a.rotation.z_axis;
            axes.try_both(couple, axis);
            for i in 0..3 {
                let side = couple.b.corners[(i + 1) % 3] - couple.b.corners[i];
                axes.try_both(couple, axis.cross(side.normalize_or_zero()));
            }
            if axes.depth < least {
                return (axes.normal, axes.depth);
            }
        }
        _ => {}
    }
    least_depth(couple, axes)
}

/// A direction this near to the triangle's normal is that (cosine).
const FACE: f64 = 1.0 - 1e-9;

pub(super) fn solid_source(
    solid: &Shape,
    solid_pose: &Pose,
    triangles: &dyn TriangleSource,
    pose: &Pose,
    query: &ContactQuery,
    accept: &mut dyn FnMut(u32) -> bool,
    out: &mut Vec<ManifoldPoint>,
) {
    let relative = pose.inverse().compose(solid_pose);
    let origin = relative.position;
    let placed = Placed::new(solid, &relative, origin);
    let size = placed.size();
    let least = -query.margin - TOUCH * size;
    let center = placed.center();
    let mut couple = Couple { a: placed, b: Facet { corners: [DVec3::ZERO; 3], normal: DVec3::ZERO }, origin, size };
    let mut gather = Gather::new(out, size);
    // Nearest face that has the centre behind it.
    let mut behind: Option<(f64, Triangle)> = None;
    triangles.visit(&solid.aabb(&relative).expanded(-least), &mut |triangle| {
        couple.b = Facet::new(triangle, origin);
        let normal = triangle.normal;
        let height = normal.dot(center - couple.b.corners[0]);
        let along = couple.depth(normal);
        if along < least || !accept(triangle.index) {
            return;
        }
        if height < 0.0 {
            let is_nearer = behind.is_none_or(|b| -height < b.0);
            if is_nearer && couple.b.covers(center, 0.0) {
                behind = Some((-height, *triangle));
            }
            return;
        }
        let facet_size = couple.b.size();
        couple.size = size.min(facet_size).max(1e-4 * size.max(facet_size));
        let (direction, depth) = direction(&couple, along, least);
        if depth < least {
            return;
        }
        let is_face = direction.dot(normal) >= FACE;
        if is_face {
            gather.take([NO_TRIANGLE, triangle.index], |out| manifold::points(&couple, normal, along, least, out));
        } else if is_outward(triangles, triangle, direction) {
            gather.take([NO_TRIANGLE, triangle.index], |out| manifold::points(&couple, direction, depth, least, out));
        } else {
            gather.guess([NO_TRIANGLE, triangle.index], &couple.b, origin, |out| {
                manifold::points(&couple, normal, along, least, out);
            });
        }
    });
    // The centre has gone through the surface of a solid: back the shortest way.
    if let (true, true, Some((_, triangle))) = (gather.is_empty(), triangles.is_solid(), behind) {
        couple.b = Facet::new(&triangle, origin);
        couple.size = size;
        let depth = couple.depth(triangle.normal);
        gather.take([NO_TRIANGLE, triangle.index], |out| {
            manifold::points(&couple, triangle.normal, depth, least, out);
        });
    }
    gather.finish(query.max_points, pose);
}
