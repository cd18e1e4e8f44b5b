//! What has triangles: meshes and heightfields, in their own axes.

use glam::{DMat3, DVec3};

use crate::shape::{Aabb, Heightfield, Shape, Triangle, TriangleMesh, TrianglePart};

/// Triangles near a place, and what lies about their edges and corners.
pub(in crate::collision) trait TriangleSource {
    /// Calls `visit` with the triangles that touch a box, or whose solid does.
    fn visit(&self, aabb: &Aabb, visit: &mut dyn FnMut(&Triangle));
    /// Calls `visit` with the triangles that touch the block about `center` with half its sides along the columns of
    /// `axes`, and some near it.
    fn visit_block(&self, center: DVec3, axes: &DMat3, half: DVec3, visit: &mut dyn FnMut(&Triangle));
    /// Calls `visit` with the triangles that touch a ball, and some near it.
    fn visit_ball(&self, center: DVec3, radius: f64, visit: &mut dyn FnMut(&Triangle));
    /// The mesh, if it is one.
    fn as_mesh(&self) -> Option<&TriangleMesh> {
        None
    }
    /// A triangle by its number; of a field that wraps around, that of the field's own cell.
    fn triangle(&self, index: u32) -> Option<Triangle>;
    /// Some triangle may touch a box.
    fn touches(&self, aabb: &Aabb) -> bool;
    /// Calls `visit` with the triangles whose boxes pass, as do all boxes about them.
    fn descend(&self, passes: &mut dyn FnMut(&Aabb) -> bool, visit: &mut dyn FnMut(&Triangle));
    /// Number of the vertex at corner k.
    fn vertex(&self, triangle: &Triangle, k: usize) -> u32;
    /// Of the triangles at edge k this one stands for the edge.
    fn owns_edge(&self, triangle: &Triangle, k: usize) -> bool;
    /// Every vertex is reached from any other along edges, and has a number of its own.
    fn is_connected(&self) -> bool;
    /// Far corner of the triangle across edge k.
    fn opposite(&self, triangle: &Triangle, k: usize) -> Option<DVec3>;
    /// Calls `visit` with the ends of the edges at corner k.
    fn ring(&self, triangle: &Triangle, k: usize, visit: &mut dyn FnMut(DVec3));
    /// What is behind the triangles is inside.
    fn is_solid(&self) -> bool;
    /// The surface ends somewhere.
    fn has_rim(&self) -> bool;
    /// On which side of the surface a point lies; `None` without triangles.
    fn side(&self, point: DVec3) -> Option<SurfacePoint>;
    /// Signed distance of a point and the triangle nearest to it, within `most` \[m\].
    fn nearest(&self, point: DVec3, most: f64) -> Option<(f64, Triangle)>;
    /// The farthest point along a direction.
    fn support(&self, direction: DVec3) -> DVec3;
    /// Calls `visit` with the vertices in a box, each with its number.
    fn visit_vertices(&self, aabb: &Aabb, visit: &mut dyn FnMut(u32, DVec3));
    /// Calls `visit` with the ends of the edges at a vertex, some perhaps twice.
    fn vertex_ring(&self, vertex: u32, point: DVec3, visit: &mut dyn FnMut(u32, DVec3));
    /// The box of surface and solid.
    fn bounds(&self) -> Aabb;
}

/// A point beside a surface.
#[derive(Clone, Copy, Debug)]
pub(in crate::collision) struct SurfacePoint {
    /// Distance of the surface \[m\], negative in a solid, and behind an open surface unless that has its rim nearest.
    pub distance: f64,
    /// The nearest place of the surface \[m\].
    pub point: DVec3,
    /// Unit direction that is outward there: along the line from the point, or the face's normal.
    pub normal: DVec3,
    /// The triangle there.
    pub triangle: u32,
}

impl TriangleSource for TriangleMesh {
    fn visit(&self, aabb: &Aabb, visit: &mut dyn FnMut(&Triangle)) {
        self.triangles_in(aabb, visit);
    }

    fn visit_block(&self, center: DVec3, axes: &DMat3, half: DVec3, visit: &mut dyn FnMut(&Triangle)) {
        self.triangles_near_block(center, axes, half, visit);
    }

    fn visit_ball(&self, center: DVec3, radius: f64, visit: &mut dyn FnMut(&Triangle)) {
        self.triangles_near_ball(center, radius, visit);
    }

    fn as_mesh(&self) -> Option<&TriangleMesh> {
        Some(self)
    }

    fn triangle(&self, index: u32) -> Option<Triangle> {
        self.triangle(index)
    }

    fn touches(&self, aabb: &Aabb) -> bool {
        self.may_touch(aabb)
    }

    fn descend(&self, passes: &mut dyn FnMut(&Aabb) -> bool, visit: &mut dyn FnMut(&Triangle)) {
        self.descend(passes, |triangle| visit(&self.at(triangle)));
    }

    fn vertex(&self, triangle: &Triangle, k: usize) -> u32 {
        self.place(self.triangles()[triangle.index as usize][k])
    }

    fn owns_edge(&self, triangle: &Triangle, k: usize) -> bool {
        self.neighbours(triangle.index)[k].is_none_or(|other| triangle.index < other)
    }

    fn is_connected(&self) -> bool {
        self.is_connected()
    }

    fn opposite(&self, triangle: &Triangle, k: usize) -> Option<DVec3> {
        self.opposite(triangle.index, k)
    }

    fn ring(&self, triangle: &Triangle, k: usize, visit: &mut dyn FnMut(DVec3)) {
        self.ring(self.triangles()[triangle.index as usize][k]).for_each(|(_, p)| visit(p));
    }

    fn is_solid(&self) -> bool {
        self.is_closed()
    }

    fn has_rim(&self) -> bool {
        !self.is_closed()
    }

    fn side(&self, point: DVec3) -> Option<SurfacePoint> {
        side_of(self, point, 1.0)
    }

    fn nearest(&self, point: DVec3, most: f64) -> Option<(f64, Triangle)> {
        let nearest = self.nearest(point, most)?;
        let off = point - nearest.point;
        Some((off.length().copysign(off.dot(nearest.outward)), self.at(nearest.triangle)))
    }

    fn support(&self, direction: DVec3) -> DVec3 {
        self.support(direction)
    }

    fn visit_vertices(&self, aabb: &Aabb, visit: &mut dyn FnMut(u32, DVec3)) {
        self.vertices_in(aabb, |v| visit(v, self.vertices()[v as usize]));
    }

    fn vertex_ring(&self, vertex: u32, _point: DVec3, visit: &mut dyn FnMut(u32, DVec3)) {
        self.ring(vertex).for_each(|(v, p)| visit(v, p));
    }

    fn bounds(&self) -> Aabb {
        self.bounds()
    }
}

impl TriangleSource for Heightfield {
    fn visit(&self, aabb: &Aabb, visit: &mut dyn FnMut(&Triangle)) {
        self.candidates(aabb, visit);
    }

    fn visit_block(&self, center: DVec3, axes: &DMat3, half: DVec3, visit: &mut dyn FnMut(&Triangle)) {
        let reach = axes.x_axis.abs() * half.x + axes.y_axis.abs() * half.y + axes.z_axis.abs() * half.z;
        self.candidates(&Aabb::from_center(center, reach), visit);
    }

    fn visit_ball(&self, center: DVec3, radius: f64, visit: &mut dyn FnMut(&Triangle)) {
        self.candidates(&Aabb::from_center(center, DVec3::splat(radius)), visit);
    }

    fn triangle(&self, index: u32) -> Option<Triangle> {
        self.triangle(index)
    }

    fn touches(&self, aabb: &Aabb) -> bool {
        self.may_touch(aabb)
    }

    fn descend(&self, passes: &mut dyn FnMut(&Aabb) -> bool, visit: &mut dyn FnMut(&Triangle)) {
        self.descend(passes, visit);
    }

    fn vertex(&self, triangle: &Triangle, k: usize) -> u32 {
        self.sample_number(triangle.corners[k])
    }

    fn owns_edge(&self, triangle: &Triangle, k: usize) -> bool {
        // Every inner edge is one of an even and an odd triangle.
        triangle.index.is_multiple_of(2) || self.opposite(triangle, k).is_none()
    }

    fn is_connected(&self) -> bool {
        !self.wraps()
    }

    fn opposite(&self, triangle: &Triangle, k: usize) -> Option<DVec3> {
        self.opposite(triangle, k)
    }

    fn ring(&self, triangle: &Triangle, k: usize, visit: &mut dyn FnMut(DVec3)) {
        self.ring(triangle.corners[k], |_, p| visit(p));
    }

    fn is_solid(&self) -> bool {
        true
    }

    fn has_rim(&self) -> bool {
        !self.wraps()
    }

    fn side(&self, point: DVec3) -> Option<SurfacePoint> {
        let (distance, nearest, triangle) = self.nearest(point);
        let triangle = triangle?;
        if distance < 0.0 && point.y < self.bounds().min.y {
            return None;
        }
        let off = if distance < 0.0 { nearest - point } else { point - nearest };
        let normal = off.normalize_or(triangle.normal);
        Some(SurfacePoint { distance, point: nearest, normal, triangle: triangle.index })
    }

    fn nearest(&self, point: DVec3, most: f64) -> Option<(f64, Triangle)> {
        let best = self.nearest_within(point, most);
        let is_below = self.height_at(point.x, point.z).is_some_and(|y| point.y < y);
        best.map(|(q, t)| ((point - q).length() * if is_below { -1.0 } else { 1.0 }, t))
    }

    fn support(&self, direction: DVec3) -> DVec3 {
        self.support(direction)
    }

    fn visit_vertices(&self, aabb: &Aabb, visit: &mut dyn FnMut(u32, DVec3)) {
        self.samples_in(aabb, visit);
    }

    fn vertex_ring(&self, _vertex: u32, point: DVec3, visit: &mut dyn FnMut(u32, DVec3)) {
        self.ring(point, visit);
    }

    fn bounds(&self) -> Aabb {
        self.bounds()
    }
}

/// On which side of a mesh a point lies; the back of the mesh is outside if `sense` is -1 instead of 1.
pub(super) fn side_of(mesh: &TriangleMesh, point: DVec3, sense: f64) -> Option<SurfacePoint> {
    let nearest = mesh.nearest(point, f64::INFINITY)?;
    let off = point - nearest.point;
    let is_behind = sense * off.dot(nearest.outward) < 0.0 && !mesh.is_rim(&nearest);
    let sign = if is_behind { -1.0 } else { 1.0 };
    let distance = off.length();
    let face = || mesh.at(nearest.triangle).normal * sense;
    let normal = if nearest.part == TrianglePart::Face {
        face()
    } else if distance > 0.0 {
        off * (sign / distance)
    } else {
        (nearest.outward * sense).normalize_or(face())
    };
    Some(SurfacePoint { distance: sign * distance, point: nearest.point, normal, triangle: nearest.triangle })
}

/// The triangles of a shape.
pub(in crate::collision) fn source(shape: &Shape) -> Option<&dyn TriangleSource> {
    match shape {
        Shape::TriangleMesh(mesh) => Some(&**mesh),
        Shape::Heightfield(field) => Some(&**field),
        _ => None,
    }
}

/// Rounding of a bend (sine).
const BEND: f64 = 1e-6;

/// The surface about the part of a triangle that lies farthest along the unit direction `d` lies nowhere farther: `d`
/// is outward there, in the cone of the normals that meet. An edge between two triangles in one plane, or in a valley,
/// has no direction of its own.
pub(super) fn is_outward(source: &dyn TriangleSource, triangle: &Triangle, d: DVec3) -> bool {
    let heights = triangle.corners.map(|p| p.dot(d));
    let top = heights[0].max(heights[1]).max(heights[2]);
    let slack = BEND * triangle.longest_side();
    let is_top = heights.map(|h| h >= top - slack);
    let lies_below = |p: DVec3, k: usize| is_below(p - triangle.corners[k], d);
    let faces = d.dot(triangle.normal) >= -BEND;
    match is_top {
        [true, true, true] => faces,
        [true, true, false] => edge_is_outward(source, triangle, 0, faces, lies_below),
        [false, true, true] => edge_is_outward(source, triangle, 1, faces, lies_below),
        [true, false, true] => edge_is_outward(source, triangle, 2, faces, lies_below),
        _ => {
            let k = usize::from(is_top[1]) + 2 * usize::from(is_top[2]);
            let mut is_below = faces;
            source.ring(triangle, k, &mut |p| is_below = is_below && lies_below(p, k));
            is_below
        }
    }
}

/// The same where the part that lies farthest is known.
pub(super) fn is_outward_at(source: &dyn TriangleSource, triangle: &Triangle, part: TrianglePart, d: DVec3) -> bool {
    let faces = d.dot(triangle.normal) >= -BEND;
    match part {
        TrianglePart::Face => faces,
        TrianglePart::Edge(k) => {
            edge_is_outward(source, triangle, k, faces, |p, k| is_below(p - triangle.corners[k], d))
        }
        TrianglePart::Corner(k) => {
            let mut is_top = faces;
            source.ring(triangle, k, &mut |p| is_top = is_top && is_below(p - triangle.corners[k], d));
            is_top
        }
    }
}

/// A way from a place leads to no more than rounding above it along the unit direction d.
#[inline]
fn is_below(off: DVec3, d: DVec3) -> bool {
    let height = d.dot(off);
    height <= 0.0 || height * height <= BEND * BEND * off.length_squared()
}

/// The same of a triangle of an open surface that is met from behind past its rim: only an edge without a neighbour has
/// directions there, all that lead away from the triangle.
pub(super) fn is_outward_of_rim(source: &dyn TriangleSource, triangle: &Triangle, d: DVec3) -> bool {
    let heights = triangle.corners.map(|p| p.dot(d));
    let top = heights[0].max(heights[1]).max(heights[2]);
    let low = heights[0].min(heights[1]).min(heights[2]);
    let is_top = heights.map(|h| h >= top - BEND * (top - low));
    // The face itself is no rim.
    d.dot(triangle.normal).abs() < RIM
        && (0..3).any(|k| (is_top[k] || is_top[(k + 1) % 3]) && source.opposite(triangle, k).is_none())
}

/// Directions farther from a face's normal than this lead over its rim (cosine).
const RIM: f64 = 0.9;

fn edge_is_outward(
    source: &dyn TriangleSource,
    triangle: &Triangle,
    k: usize,
    faces: bool,
    lies_below: impl Fn(DVec3, usize) -> bool,
) -> bool {
    match source.opposite(triangle, k) {
        Some(far) => lies_below(far, k),
        None => faces,
    }
}
