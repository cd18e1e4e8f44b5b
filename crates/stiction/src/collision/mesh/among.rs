//! Some triangles of a mesh or heightfield: those that a solid touches, where it is looked at once more close by.

use glam::{DMat3, DVec3};

use super::source::{SurfacePoint, TriangleSource, source};
use super::{solid::solid_source, sphere::sphere_source};
use crate::collision::{ContactQuery, ManifoldPoint, collide};
use crate::math::Pose;
use crate::shape::{Aabb, Shape, Triangle, TriangleMesh};

/// Contact points as of [`collide`], of a solid against triangles only on those that other points of the pair name.
pub(crate) fn collide_among(
    shapes: [&Shape; 2],
    poses: [&Pose; 2],
    query: &ContactQuery,
    points: &[ManifoldPoint],
    out: &mut Vec<ManifoldPoint>,
) {
    let [first, second] = shapes;
    let side = usize::from(source(second).is_some());
    let (solid, mesh) = if side == 1 { (first, second) } else { (second, first) };
    let (Some(triangles), None) = (source(mesh), source(solid)) else {
        return collide(first, poses[0], second, poses[1], query, out);
    };
    let is_other = match mesh {
        Shape::TriangleMesh(mesh) => mesh.hull().is_some(),
        // The same triangle comes again elsewhere.
        Shape::Heightfield(field) => field.wraps(),
        _ => true,
    };
    if is_other || query.behind != [false; 2] || matches!(solid, Shape::Plane(_) | Shape::Ray(_)) {
        return collide(first, poses[0], second, poses[1], query, out);
    }
    out.clear();
    let among = Among { triangles, points, side };
    let (pose, of_mesh) = (poses[1 - side], poses[side]);
    match solid {
        Shape::Sphere(ball) => sphere_source(ball, pose, &among, of_mesh, query, &mut |_| true, out),
        solid => solid_source(solid, pose, &among, of_mesh, query, &mut |_| true, out),
    };
    if side == 0 {
        for point in out.iter_mut() {
            point.normal = -point.normal;
            point.triangles.swap(0, 1);
        }
    }
}

/// The triangles that points name on one side.
struct Among<'a> {
    triangles: &'a dyn TriangleSource,
    points: &'a [ManifoldPoint],
    side: usize,
}

impl Among<'_> {
    /// Visits each once, in the order of the points.
    fn each(&self, visit: &mut dyn FnMut(&Triangle)) {
        let number = |point: &ManifoldPoint| point.triangles[self.side];
        for (k, point) in self.points.iter().enumerate() {
            let is_known = self.points[..k].iter().any(|known| number(known) == number(point));
            if let Some(triangle) = self.triangles.triangle(number(point)).filter(|_| !is_known) {
                visit(&triangle);
            }
        }
    }
}

impl TriangleSource for Among<'_> {
    fn visit(&self, _aabb: &Aabb, visit: &mut dyn FnMut(&Triangle)) {
        self.each(visit);
    }

    fn visit_block(&self, _center: DVec3, _axes: &DMat3, _half: DVec3, visit: &mut dyn FnMut(&Triangle)) {
        self.each(visit);
    }

    fn visit_ball(&self, _center: DVec3, _radius: f64, visit: &mut dyn FnMut(&Triangle)) {
        self.each(visit);
    }

    fn as_mesh(&self) -> Option<&TriangleMesh> {
        self.triangles.as_mesh()
    }

    fn triangle(&self, index: u32) -> Option<Triangle> {
        self.triangles.triangle(index)
    }

    fn touches(&self, aabb: &Aabb) -> bool {
        self.triangles.touches(aabb)
    }

    fn descend(&self, passes: &mut dyn FnMut(&Aabb) -> bool, visit: &mut dyn FnMut(&Triangle)) {
        self.triangles.descend(passes, visit);
    }

    fn vertex(&self, triangle: &Triangle, k: usize) -> u32 {
        self.triangles.vertex(triangle, k)
    }

    fn owns_edge(&self, triangle: &Triangle, k: usize) -> bool {
        self.triangles.owns_edge(triangle, k)
    }

    fn is_connected(&self) -> bool {
        self.triangles.is_connected()
    }

    fn opposite(&self, triangle: &Triangle, k: usize) -> Option<DVec3> {
        self.triangles.opposite(triangle, k)
    }

    fn ring(&self, triangle: &Triangle, k: usize, visit: &mut dyn FnMut(DVec3)) {
        self.triangles.ring(triangle, k, visit);
    }

    fn is_solid(&self) -> bool {
        self.triangles.is_solid()
    }

    fn has_rim(&self) -> bool {
        self.triangles.has_rim()
    }

    fn side(&self, point: DVec3) -> Option<SurfacePoint> {
        self.triangles.side(point)
    }

    fn nearest(&self, point: DVec3, most: f64) -> Option<(f64, Triangle)> {
        self.triangles.nearest(point, most)
    }

    fn support(&self, direction: DVec3) -> DVec3 {
        self.triangles.support(direction)
    }

    fn visit_vertices(&self, aabb: &Aabb, visit: &mut dyn FnMut(u32, DVec3)) {
        self.triangles.visit_vertices(aabb, visit);
    }

    fn vertex_ring(&self, vertex: u32, point: DVec3, visit: &mut dyn FnMut(u32, DVec3)) {
        self.triangles.vertex_ring(vertex, point, visit);
    }

    fn bounds(&self) -> Aabb {
        self.triangles.bounds()
    }
}
