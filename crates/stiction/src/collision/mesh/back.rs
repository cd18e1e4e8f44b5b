//! Open meshes met from behind: the same triangles, turned about.

use glam::{DMat3, DVec3};

use super::source::{SurfacePoint, TriangleSource, side_of, source};
use crate::collision::placed::Placed;
use crate::math::Pose;
use crate::shape::{Aabb, Shape, Triangle, TriangleMesh};

/// The back of an open mesh: corners 1 and 2 change places, so edge k is edge 2 - k of the front.
pub(super) struct Back<'a>(pub &'a TriangleMesh);

const fn corner(k: usize) -> usize {
    (3 - k) % 3
}

const fn edge(k: usize) -> usize {
    2 - k
}

fn turned(triangle: &Triangle) -> Triangle {
    let [a, b, c] = triangle.corners;
    Triangle { corners: [a, c, b], normal: -triangle.normal, ..*triangle }
}

impl TriangleSource for Back<'_> {
    fn visit(&self, aabb: &Aabb, visit: &mut dyn FnMut(&Triangle)) {
        self.0.triangles_in(aabb, |triangle| visit(&turned(triangle)));
    }

    fn visit_block(&self, center: DVec3, axes: &DMat3, half: DVec3, visit: &mut dyn FnMut(&Triangle)) {
        self.0.triangles_near_block(center, axes, half, |triangle| visit(&turned(triangle)));
    }

    fn visit_ball(&self, center: DVec3, radius: f64, visit: &mut dyn FnMut(&Triangle)) {
        self.0.triangles_near_ball(center, radius, |triangle| visit(&turned(triangle)));
    }

    fn triangle(&self, index: u32) -> Option<Triangle> {
        self.0.triangle(index).map(|triangle| turned(&triangle))
    }

    fn touches(&self, aabb: &Aabb) -> bool {
        self.0.may_touch(aabb)
    }

    fn descend(&self, passes: &mut dyn FnMut(&Aabb) -> bool, visit: &mut dyn FnMut(&Triangle)) {
        self.0.descend(passes, |triangle| visit(&turned(&self.0.at(triangle))));
    }

    fn vertex(&self, triangle: &Triangle, k: usize) -> u32 {
        TriangleSource::vertex(self.0, triangle, corner(k))
    }

    fn owns_edge(&self, triangle: &Triangle, k: usize) -> bool {
        self.0.owns_edge(triangle, edge(k))
    }

    fn is_connected(&self) -> bool {
        self.0.is_connected()
    }

    fn opposite(&self, triangle: &Triangle, k: usize) -> Option<DVec3> {
        TriangleSource::opposite(self.0, triangle, edge(k))
    }

    fn ring(&self, triangle: &Triangle, k: usize, visit: &mut dyn FnMut(DVec3)) {
        TriangleSource::ring(self.0, triangle, corner(k), visit);
    }

    fn is_solid(&self) -> bool {
        false
    }

    fn has_rim(&self) -> bool {
        true
    }

    fn side(&self, point: DVec3) -> Option<SurfacePoint> {
        side_of(self.0, point, -1.0)
    }

    fn nearest(&self, point: DVec3, most: f64) -> Option<(f64, Triangle)> {
        TriangleSource::nearest(self.0, point, most).map(|(distance, triangle)| (-distance, turned(&triangle)))
    }

    fn support(&self, direction: DVec3) -> DVec3 {
        self.0.support(direction)
    }

    fn visit_vertices(&self, aabb: &Aabb, visit: &mut dyn FnMut(u32, DVec3)) {
        self.0.visit_vertices(aabb, visit);
    }

    fn vertex_ring(&self, vertex: u32, point: DVec3, visit: &mut dyn FnMut(u32, DVec3)) {
        self.0.vertex_ring(vertex, point, visit);
    }

    fn bounds(&self) -> Aabb {
        self.0.bounds()
    }
}

/// The triangles of a shape as seen from its front or from its back; closed meshes and heightfields have a front only.
pub(super) fn with_side<R>(shape: &Shape, is_back: bool, work: impl FnOnce(&dyn TriangleSource) -> R) -> Option<R> {
    match shape {
        Shape::TriangleMesh(mesh) if is_back && !mesh.is_closed() => Some(work(&Back(mesh))),
        shape => source(shape).map(work),
    }
}

fn open_mesh(shape: &Shape) -> Option<&TriangleMesh> {
    match shape {
        Shape::TriangleMesh(mesh) if !mesh.is_closed() => Some(mesh),
        _ => None,
    }
}

/// A shape has two sides, of which a pair remembers one.
pub(crate) fn is_two_sided(shape: &Shape) -> bool {
    open_mesh(shape).is_some()
}

/// Which of two shapes are open meshes that the other one comes to from behind.
///
/// `came` tells where a place of the first or second shape (0, 1) was before the last step, against the other one: then the two
/// did not touch. Where the triangles are not near the other shape, neither is.
pub(crate) fn behind(
    shapes: [&Shape; 2],
    poses: [&Pose; 2],
    margin: f64,
    came: impl Fn(usize, DVec3) -> DVec3,
) -> [bool; 2] {
    let is_apart = |of: usize| {
        let near = || shapes[1 - of].aabb(poses[1 - of]).turned(&poses[of].inverse()).expanded(margin);
        source(shapes[of]).is_some_and(|triangles| !triangles.touches(&near()))
    };
    if is_apart(0) || is_apart(1) {
        return [false; 2];
    }
    [0, 1].map(|of| {
        let (Some(mesh), Some(place)) = (open_mesh(shapes[of]), place_of(shapes, poses, 1 - of)) else { return false };
        let point = poses[of].inverse_point(came(1 - of, place));
        mesh.nearest(point, f64::INFINITY).is_some_and(|nearest| (point - nearest.point).dot(nearest.outward) < 0.0)
    })
}

/// The place of a shape whose side counts: its centre, of an open mesh the place nearest to the other one. What has no middle
/// is on no side.
fn place_of(shapes: [&Shape; 2], poses: [&Pose; 2], of: usize) -> Option<DVec3> {
    let middle = |of: usize| match shapes[of] {
        Shape::Plane(_) | Shape::Ray(_) | Shape::Heightfield(_) => None,
        Shape::TriangleMesh(mesh) => Some(poses[of].point(mesh.bounds().center())),
        solid => Some(Placed::new(solid, poses[of], DVec3::ZERO).center()),
    };
    let own = middle(of)?;
    Some(match (open_mesh(shapes[of]), middle(1 - of)) {
        (Some(mesh), Some(other)) => {
            let nearest = mesh.nearest(poses[of].inverse_point(other), f64::INFINITY);
            nearest.map_or(own, |nearest| poses[of].point(nearest.point))
        }
        _ => own,
    })
}
