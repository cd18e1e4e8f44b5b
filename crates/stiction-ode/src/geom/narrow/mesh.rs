//! Triangle meshes with everything, triangle by triangle; the program may refuse triangles.

use std::cell::Cell;
use std::ffi::c_int;
use std::ops::ControlFlow;

use glam::DVec3;
use stiction::collision::{ContactQuery, ManifoldPoint, NO_TRIANGLE, candidates, collide_accepted};
use stiction::math::Pose;
use stiction::shape::{Aabb, Shape, TriangleHit};

use super::super::bounds::bounds_at;
use super::super::trimesh::Callbacks;
use super::super::{Geom, GeomId, GeomShape, class, flag};
use super::{Contacts, engine, without_panic};
use crate::types::dReal;

/// What a mesh's callbacks are told of and asked for.
struct Judge {
    callbacks: Callbacks,
    mesh: GeomId,
    other: GeomId,
}

impl Judge {
    /// Callbacks of the first mesh of a pair.
    unsafe fn of(mesh: GeomId, other: GeomId) -> Option<Self> {
        match &(*mesh).shape {
            GeomShape::TriMesh(shape) => Some(Self { callbacks: shape.callbacks, mesh, other }),
            _ => None,
        }
    }

    /// The program's word on a triangle.
    unsafe fn accepts(&self, triangle: u32) -> bool {
        self.callbacks.triangle.is_none_or(|callback| callback(self.mesh, self.other, triangle as c_int) != 0)
    }

    unsafe fn accepts_hit(&self, hit: &TriangleHit) -> bool {
        let [u, v] = hit.barycentric.map(|x| x as dReal);
        self.callbacks.ray.is_none_or(|callback| callback(self.mesh, self.other, hit.triangle as c_int, u, v) != 0)
    }

    /// Tells of all triangles near a sphere, box, capsule or cylinder.
    unsafe fn tell_candidates(&self, shape: &Shape, pose: &Pose) {
        let Some(callback) = self.callbacks.array else { return };
        if !matches!((*self.other).class, class::SPHERE | class::BOX | class::CAPSULE | class::CYLINDER) {
            return;
        }
        let [x0, x1, y0, y1, z0, z1] = bounds_at(self.other, &Geom::placed(self.other));
        let aabb = Aabb::new(DVec3::new(x0, y0, z0), DVec3::new(x1, y1, z1));
        let mut triangles: Vec<c_int> = Vec::new();
        without_panic(|| candidates(shape, pose, &aabb, &mut |triangle| triangles.push(triangle as c_int)));
        if !triangles.is_empty() {
            callback(self.mesh, self.other, triangles.as_ptr(), triangles.len() as c_int);
        }
    }
}

/// A mesh and another geom, in either order.
pub(super) unsafe fn mesh(first: GeomId, second: GeomId, contacts: &mut Contacts) {
    let (mesh, other) = if (*first).class == class::TRIMESH { (first, second) } else { (second, first) };
    let Some(judge) = Judge::of(mesh, other) else { return };
    if let GeomShape::Ray { length } = (*other).shape {
        return ray(&judge, length, contacts);
    }
    let (Some(a), Some(b)) = (engine::shape_of(first), engine::shape_of(second)) else { return };
    let (pose_a, pose_b) = (Geom::placed(first).pose(), Geom::placed(second).pose());
    if !pose_a.is_finite() || !pose_b.is_finite() {
        return;
    }
    let (shape, pose) = if mesh == first { (&a, &pose_a) } else { (&b, &pose_b) };
    judge.tell_candidates(shape, pose);
    let query = ContactQuery { max_points: contacts.max(), ..ContactQuery::default() };
    let mut points = POINTS.take();
    points.clear();
    // Of two meshes ODE asks for no triangle.
    let are_meshes = (*first).class == (*second).class;
    let mut accept = |triangle: u32| are_meshes || judge.accepts(triangle);
    let asks = judge.callbacks.triangle.is_some();
    let mut collide = |a: &Shape, b: &Shape| {
        let mut work = || collide_accepted(a, &pose_a, b, &pose_b, &query, &mut accept, &mut points);
        if asks {
            return work();
        }
        without_panic(work).unwrap_or_else(|| {
            points.clear();
            false
        })
    };
    // For boxes alone ODE's triangles have two sides. The program is asked for either side only.
    let is_box = (*other).class == class::BOX;
    if !is_box || !asks {
        let meets_back = collide(&a, &b);
        if !is_box || !meets_back {
            return push(&judge, (first, &a, &pose_a), (second, &b, &pose_b), points, contacts);
        }
    }
    // A box with its centre behind an open mesh meets the triangles' backs.
    let center = if mesh == first { pose_b.position } else { pose_a.position };
    let is_back = is_behind(shape, pose.inverse_point(center));
    match if is_back { back_of(mesh) } else { None } {
        Some(back) if mesh == first => collide(&back, &b),
        Some(back) => collide(&a, &back),
        None => !asks || collide(&a, &b),
    };
    push(&judge, (first, &a, &pose_a), (second, &b, &pose_b), points, contacts);
}

thread_local! {
    static POINTS: Cell<Vec<ManifoldPoint>> = const { Cell::new(Vec::new()) };
}

/// A geom of a pair with its shape and pose.
type Side<'a> = (GeomId, &'a Shape, &'a Pose);

/// Hands over the points of a pair.
unsafe fn push(judge: &Judge, first: Side, second: Side, points: Vec<ManifoldPoint>, contacts: &mut Contacts) {
    let are_meshes = (*first.0).class == (*second.0).class;
    for point in &points {
        let side = |triangle: u32| if triangle == NO_TRIANGLE { -1 } else { triangle as c_int };
        let mut sides = point.triangles.map(side);
        if are_meshes {
            for (side, (geom, shape, pose)) in sides.iter_mut().zip([first, second]) {
                *side = merged_side(geom, shape, pose, point.position, point.depth, *side);
            }
        }
        // ODE has the point on the solid that is in the mesh; of two meshes on the first.
        let into_first = if judge.mesh == first.0 && !are_meshes { 0.5 } else { -0.5 };
        let depth = point.depth.max(0.0);
        contacts.push_unit(point.position + point.normal * (into_first * depth), point.normal, depth, sides);
    }
    POINTS.set(points);
}

/// The triangle of a contact of two meshes. Where several meet there the contacts of all of them are one, and the program says
/// which index it has; if it does not, it has none.
unsafe fn merged_side(geom: GeomId, shape: &Shape, pose: &Pose, at: DVec3, depth: f64, triangle: c_int) -> c_int {
    let GeomShape::TriMesh(mesh) = &(*geom).shape else { return triangle };
    let reach = DVec3::splat(0.5 * depth.max(0.0) + 1e-9 * (1.0 + at.abs().max_element()));
    let mut triangles: Vec<c_int> = Vec::new();
    let near = Aabb::new(at - reach, at + reach);
    without_panic(|| candidates(shape, pose, &near, &mut |triangle| triangles.push(triangle as c_int)));
    triangles.sort_unstable();
    triangles.dedup();
    match (&triangles[..], mesh.callbacks.merge) {
        ([] | [_], _) => triangle,
        (_, None) => -1,
        ([first, rest @ ..], Some(merge)) => rest.iter().fold(*first, |index, &other| merge(geom, index, other)),
    }
}

/// A point in the mesh's axes is behind the nearest place of an open mesh.
fn is_behind(shape: &Shape, point: glam::DVec3) -> bool {
    let Shape::TriangleMesh(mesh) = shape else { return false };
    !mesh.is_closed()
        && mesh.nearest(point, f64::INFINITY).is_some_and(|nearest| (point - nearest.point).dot(nearest.outward) < 0.0)
}

unsafe fn back_of(mesh: GeomId) -> Option<Shape> {
    match &(*mesh).shape {
        GeomShape::TriMesh(mesh) => mesh.data.as_ref()?.engine_back(),
        _ => None,
    }
}

thread_local! {
    static HITS: Cell<Vec<TriangleHit>> = const { Cell::new(Vec::new()) };
}

/// All hits, the nearest first; only that one if the ray wants no more.
unsafe fn ray(judge: &Judge, length: f64, contacts: &mut Contacts) {
    let Some(Shape::TriangleMesh(mesh)) = engine::shape_of(judge.mesh) else { return };
    let (start, placed) = (Geom::placed(judge.other), Geom::placed(judge.mesh));
    let direction = start.rotation.z_axis;
    let (o, d) = (placed.inverse_point(start.position), placed.rotation.transpose() * direction);
    let flags = (*judge.other).flags;
    let culls_back = flags & flag::RAY_BACKFACE_CULL != 0;
    let only_one = flags & (flag::RAY_CLOSEST_HIT | flag::RAY_FIRST_CONTACT) != 0;
    let asks = judge.callbacks.triangle.is_some() || judge.callbacks.ray.is_some();
    let mut hits = HITS.take();
    hits.clear();
    without_panic(|| {
        if only_one && !asks {
            hits.extend(mesh.first_ray_hit(o, d, length, culls_back));
            return;
        }
        mesh.visit_ray_hits(o, d, length, culls_back, |hit| {
            hits.push(hit);
            ControlFlow::Continue(())
        });
    });
    hits.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.triangle.cmp(&b.triangle)));
    for hit in &hits {
        if contacts.is_full() || (only_one && contacts.count == 1) {
            break;
        }
        if judge.accepts_hit(hit) && judge.accepts(hit.triangle) {
            // The triangle's own normal, even from behind; with the mesh first it points the other way.
            let normal = -(placed.rotation * hit.normal);
            let position = start.position + direction * hit.distance;
            contacts.push_unit(position, normal, hit.distance, [hit.triangle as c_int, -1]);
        }
    }
    HITS.set(hits);
}
