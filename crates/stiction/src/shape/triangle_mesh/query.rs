//! Mesh queries: triangles in a box, nearest point, ray.

use std::cell::Cell;
use std::ops::ControlFlow;

use glam::{DMat3, DVec3, Vec4};

use super::node::{Block, Line, NONE, Node, Region, WIDTH, up};
use super::{TriangleMesh, height};
use crate::shape::{Aabb, RayHit, Triangle, TrianglePart};

/// Where a ray meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleHit {
    /// Number of the triangle.
    pub triangle: u32,
    /// Distance from the start \[m\].
    pub distance: f64,
    /// Barycentric u, v: the point is `A + u (B - A) + v (C - A)`.
    pub barycentric: [f64; 2],
    /// Outward unit normal of the triangle.
    pub normal: DVec3,
}

impl TriangleHit {
    /// The hit as shapes report it, its normal turned towards the start of a ray along `direction`.
    #[must_use]
    pub fn turned(&self, direction: DVec3) -> RayHit {
        let normal = if self.normal.dot(direction) > 0.0 { -self.normal } else { self.normal };
        RayHit { distance: self.distance, normal }
    }
}

/// The point of a mesh nearest to another point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshNearest {
    /// The triangle that carries it, the first of several.
    pub triangle: u32,
    /// The point \[m\].
    pub point: DVec3,
    /// Barycentric u, v on the triangle.
    pub barycentric: [f64; 2],
    /// What part of the triangle carries it.
    pub part: TrianglePart,
    /// A direction that is outside there, of any length: the sum of the normals that meet, at corners weighted by
    /// angle.
    pub outward: DVec3,
}

impl TriangleMesh {
    /// Calls `visit` with every triangle whose own box touches a box in the mesh's axes \[m\], in the tree's order.
    pub fn candidates(&self, aabb: &Aabb, mut visit: impl FnMut(u32)) {
        self.triangles_in(aabb, |triangle| visit(triangle.index));
    }

    /// The same with the triangles themselves.
    #[inline]
    pub(crate) fn triangles_in(&self, aabb: &Aabb, mut visit: impl FnMut(&Triangle)) {
        let region = Region::new(aabb);
        self.tree.walk(
            |node| node.touching(&region),
            |index| {
                let triangle = self.at(index);
                if triangle.bounds().intersects(aabb) {
                    visit(&triangle);
                }
            },
        );
    }

    /// Calls `visit` with all triangles that touch the block about `center` with half its sides along the columns of
    /// `axes`, and some near it, in the tree's order.
    #[inline]
    pub(crate) fn triangles_near_block(
        &self,
        center: DVec3,
        axes: &DMat3,
        half: DVec3,
        mut visit: impl FnMut(&Triangle),
    ) {
        let block = Block::new(center, axes, half);
        self.tree.walk(|node| node.near(&block), |index| visit(&self.at(index)));
    }

    /// The same of a ball.
    #[inline]
    pub(crate) fn triangles_near_ball(&self, center: DVec3, radius: f64, mut visit: impl FnMut(&Triangle)) {
        let (place, reach) = (Region::point(center), Vec4::splat(up(radius * radius)));
        self.tree.walk(|node| node.distance_squared(&place).cmple(reach).bitmask(), |index| visit(&self.at(index)));
    }

    /// Some triangle's box touches a box, or nearly so.
    pub(crate) fn may_touch(&self, aabb: &Aabb) -> bool {
        let region = Region::new(aabb);
        self.tree.any(|node| node.touching(&region))
    }

    /// Calls `visit` with the triangles whose boxes pass, as do all boxes of the tree about them.
    pub(crate) fn descend(&self, passes: &mut dyn FnMut(&Aabb) -> bool, visit: impl FnMut(u32)) {
        let mut mask = |node: &Node| {
            let used = (0..WIDTH).take_while(|&lane| node.children[lane] != NONE);
            used.fold(0, |mask, lane| mask | u32::from(passes(&node.aabb(lane))) << lane)
        };
        self.tree.walk(&mut mask, visit);
    }

    /// Calls `visit` with every vertex of a box; vertices at one place count once.
    pub(crate) fn vertices_in(&self, aabb: &Aabb, mut visit: impl FnMut(u32)) {
        let region = Region::new(aabb);
        self.tree.walk(|node| node.touching(&region), |t| self.own_corners(t, |p| aabb.holds(p), &mut visit));
    }

    /// Calls `visit` with every vertex of the half-space `normal·p <= offset`; vertices at one place count once.
    pub(crate) fn vertices_below(&self, normal: DVec3, offset: f64, mut visit: impl FnMut(u32)) {
        self.tree.walk(
            |node| {
                let is_above = |lane: usize| -height(&node.aabb(lane), -normal) > offset;
                (0..4).fold(0, |mask, lane| mask | u32::from(!is_above(lane)) << lane)
            },
            |t| self.own_corners(t, |p| normal.dot(p) <= offset, &mut visit),
        );
    }

    /// Calls `visit` with the corners that a triangle stands for.
    fn own_corners(&self, triangle: u32, counts: impl Fn(DVec3) -> bool, visit: &mut impl FnMut(u32)) {
        for (k, &v) in self.triangles[triangle as usize].iter().enumerate() {
            if counts(self.vertices[v as usize]) && self.topology.owns(&self.triangles, triangle, k) {
                visit(self.topology.place(v));
            }
        }
    }

    /// The nearest point of the mesh within `most` \[m\].
    #[must_use]
    pub fn nearest(&self, point: DVec3, most: f64) -> Option<MeshNearest> {
        let mut best = None;
        let mut least = most * most;
        let place = Region::point(point);
        self.tree.nearest_first(
            least,
            |node| node.distance_squared(&place),
            |index| {
                let corners = self.triangles[index as usize].map(|v| self.vertices[v as usize]);
                let found = Triangle { index, corners, normal: DVec3::ZERO }.nearest(point);
                let square = (point - found.point).length_squared();
                if square < least || best.is_none() && square <= least {
                    least = square;
                    best = Some((index, found));
                }
                least
            },
        );
        let (index, found) = best?;
        let triangle = self.at(index);
        Some(MeshNearest {
            triangle: triangle.index,
            point: found.point,
            barycentric: found.barycentric,
            part: found.part,
            outward: self.topology.outward(self.arrays(), &triangle, found.part),
        })
    }

    /// Calls `visit` with every meeting of a ray, in the mesh's axes and along a unit direction, within
    /// `max_distance` \[m\], in the tree's order, until it breaks. With `culls_back` triangles that are met from
    /// inside do not count. A ray through an edge meets both its triangles.
    pub fn visit_ray_hits(
        &self,
        origin: DVec3,
        direction: DVec3,
        max_distance: f64,
        culls_back: bool,
        mut visit: impl FnMut(TriangleHit) -> ControlFlow<()>,
    ) {
        let is_over = Cell::new(false);
        let line = self.line(origin, direction, max_distance);
        self.tree.walk(
            |node| if is_over.get() { 0 } else { node.met(&line) },
            |index| {
                let hit = self.hit(index, origin, direction, max_distance, culls_back);
                if let Some(hit) = hit.filter(|_| !is_over.get()) {
                    is_over.set(visit(hit).is_break());
                }
            },
        );
    }

    /// The first triangle that a ray meets; of several at one distance the one of the lowest number.
    #[must_use]
    pub fn first_ray_hit(
        &self,
        origin: DVec3,
        direction: DVec3,
        max_distance: f64,
        culls_back: bool,
    ) -> Option<TriangleHit> {
        let mut best: Option<TriangleHit> = None;
        let line = self.line(origin, direction, max_distance);
        self.tree.nearest_first(
            max_distance,
            |node| node.entry(&line),
            |index| {
                if let Some(hit) = self.hit(index, origin, direction, max_distance, culls_back) {
                    let is_first = |b: TriangleHit| {
                        hit.distance < b.distance || hit.distance == b.distance && hit.triangle < b.triangle
                    };
                    if best.is_none_or(is_first) {
                        best = Some(hit);
                    }
                }
                best.map_or(max_distance, |hit| hit.distance)
            },
        );
        best
    }

    /// A ray for the tree's boxes, pushed out by rounding, so that one along the face of a box finds what lies in the
    /// face.
    fn line(&self, origin: DVec3, direction: DVec3, most: f64) -> Line {
        let off = (origin - origin.clamp(self.bounds.min, self.bounds.max)).abs().element_sum();
        Line::new(origin, direction, most, 1e-12 * (2.0 * self.bounds.size().max_element() + off))
    }

    #[inline]
    fn hit(&self, index: u32, origin: DVec3, direction: DVec3, most: f64, culls_back: bool) -> Option<TriangleHit> {
        let corners = self.triangles[index as usize].map(|v| self.vertices[v as usize]);
        let (distance, barycentric) = Triangle { index, corners, normal: DVec3::ZERO }.line(origin, direction)?;
        if distance < 0.0 || distance > most {
            return None;
        }
        let normal = self.at(index).normal;
        let is_culled = culls_back && normal.dot(direction) >= 0.0;
        (!is_culled).then_some(TriangleHit { triangle: index, distance, barycentric, normal })
    }
}
