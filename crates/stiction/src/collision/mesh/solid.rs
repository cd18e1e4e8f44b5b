//! Any convex solid against triangles.

use glam::DVec3;

use super::{
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

/// Faces of the solid that are tried, and the edge directions that cross those of a triangle.
fn edges(solid: &Placed) -> std::ops::Range<usize> {
    match solid.shape {
        Shape::Box(_) => 0..3,
        Shape::Cylinder(_) | Shape::Capsule(_) => 2..3,
        _ => 0..0,
    }
}

/// The direction of least depth. A box has no other than the thirteen axes of its faces, the triangle's, and those
/// across an edge of each; the rest is searched for.
fn direction(couple: &Couple<Placed, Facet>, along_normal: f64) -> (DVec3, f64) {
    let mut axes = Axes::new(couple);
    (axes.normal, axes.depth) = (couple.b.normal, along_normal);
    let edges = edges(&couple.a);
    if !matches!(couple.a.shape, Shape::Capsule(_)) {
        for k in edges.clone() {
            axes.try_both(couple, couple.a.rotation.col(k));
        }
    }
    for k in edges {
        for i in 0..3 {
            let side = couple.b.corners[(i + 1) % 3] - couple.b.corners[i];
            axes.try_both(couple, couple.a.rotation.col(k).cross(side.normalize_or_zero()));
        }
    }
    if matches!(couple.a.shape, Shape::Box(_)) { (axes.normal, axes.depth) } else { least_depth(couple, axes) }
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
        let (direction, depth) = direction(&couple, along);
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
