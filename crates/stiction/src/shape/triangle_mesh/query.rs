//! Questions to a mesh: triangles in a box, nearest point, ray.

use std::cell::Cell;
use std::ops::ControlFlow;

use glam::DVec3;

use super::{TriangleMesh, tree};
use crate::shape::{Aabb, RayHit, TrianglePart};

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
        self.tree.walk(
            |node| node.intersects(aabb),
            |triangle| {
                let [a, b, c] = self.at(triangle).corners;
                if Aabb::new(a.min(b).min(c), a.max(b).max(c)).intersects(aabb) {
                    visit(triangle);
                }
            },
        );
    }

    /// Calls `visit` with every vertex of a box; vertices at one place count once.
    pub(crate) fn vertices_in(&self, aabb: &Aabb, mut visit: impl FnMut(u32)) {
        self.vertex_tree.walk(
            |node| node.intersects(aabb),
            |v| {
                let p = self.vertices[v as usize];
                if p.cmpge(aabb.min).all() && p.cmple(aabb.max).all() {
                    visit(v);
                }
            },
        );
    }

    /// Calls `visit` with every vertex of the half-space `normal·p <= offset`; vertices at one place count once.
    pub(crate) fn vertices_below(&self, normal: DVec3, offset: f64, mut visit: impl FnMut(u32)) {
        let down = normal.cmpgt(DVec3::ZERO);
        self.vertex_tree.walk(
            |node| normal.dot(DVec3::select(down, node.min, node.max)) <= offset,
            |v| {
                if normal.dot(self.vertices[v as usize]) <= offset {
                    visit(v);
                }
            },
        );
    }

    /// The nearest point of the mesh within `most` \[m\].
    #[must_use]
    pub fn nearest(&self, point: DVec3, most: f64) -> Option<MeshNearest> {
        let mut best = None;
        let mut least = most * most;
        self.tree.nearest_first(
            least,
            |aabb| tree::distance_squared(aabb, point),
            |index| {
                let triangle = self.at(index);
                let found = triangle.nearest(point);
                let square = (point - found.point).length_squared();
                if square < least || best.is_none() && square <= least {
                    least = square;
                    best = Some((triangle, found));
                }
                least
            },
        );
        let (triangle, found) = best?;
        Some(MeshNearest {
            triangle: triangle.index,
            point: found.point,
            barycentric: found.barycentric,
            part: found.part,
            outward: self.topology.outward(&self.triangles, &self.normals, &triangle, found.part),
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
        self.tree.walk(
            |node| !is_over.get() && tree::entry(node, origin, direction, max_distance).is_finite(),
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
        self.tree.nearest_first(
            max_distance,
            |aabb| tree::entry(aabb, origin, direction, max_distance),
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

    fn hit(&self, index: u32, origin: DVec3, direction: DVec3, most: f64, culls_back: bool) -> Option<TriangleHit> {
        let triangle = self.at(index);
        if culls_back && triangle.normal.dot(direction) >= 0.0 {
            return None;
        }
        let (distance, barycentric) = triangle.line(origin, direction)?;
        let in_reach = distance >= 0.0 && distance <= most;
        in_reach.then_some(TriangleHit { triangle: index, distance, barycentric, normal: triangle.normal })
    }
}
