//! Pairs that the engine's manifolds serve.

use std::cell::Cell;
use std::sync::Arc;

use glam::DVec3;
use stiction::collision::{ContactQuery, ManifoldPoint, NO_TRIANGLE, collide, reduction::reduce};
use stiction::shape::{Capsule, Cuboid, Cylinder, Plane, Shape, Sphere};

use super::super::{Geom, GeomId, GeomShape};
use super::Contacts;

thread_local! {
    static POINTS: Cell<Vec<ManifoldPoint>> = const { Cell::new(Vec::new()) };
}

/// The engine's shape of a geom; none for rays, spaces and the like. Sizes of zero are allowed.
pub(super) unsafe fn shape_of(geom: GeomId) -> Option<Shape> {
    Some(match &(*geom).shape {
        &GeomShape::Sphere { radius } => Shape::Sphere(Sphere { radius }),
        GeomShape::Box { sides } => Shape::Box(Cuboid { half_extents: 0.5 * DVec3::from_array(*sides) }),
        &GeomShape::Capsule { radius, length } => Shape::Capsule(Capsule { radius, half_length: 0.5 * length }),
        &GeomShape::Cylinder { radius, length } => Shape::Cylinder(Cylinder { radius, half_length: 0.5 * length }),
        GeomShape::Plane { params } => {
            Shape::Plane(Plane { normal: DVec3::new(params[0], params[1], params[2]), offset: params[3] })
        }
        GeomShape::Convex(convex) => match convex.hull()? {
            Shape::ConvexHull(hull) => Shape::ConvexHull(Arc::clone(hull)),
            _ => return None,
        },
        GeomShape::TriMesh(mesh) => mesh.data.as_ref()?.engine_shape()?,
        _ => return None,
    })
}

pub(super) unsafe fn manifold(first: GeomId, second: GeomId, contacts: &mut Contacts) {
    let (Some(a), Some(b)) = (shape_of(first), shape_of(second)) else { return };
    let (pose_a, pose_b) = (Geom::placed(first).pose(), Geom::placed(second).pose());
    if !pose_a.is_finite() || !pose_b.is_finite() {
        return;
    }
    let query = ContactQuery { max_points: contacts.max(), ..ContactQuery::default() };
    let mut points = POINTS.take();
    collide(&a, &pose_a, &b, &pose_b, &query, &mut points);
    for point in &points {
        contacts.push_unit(point.position, point.normal, point.depth.max(0.0), [-1; 2]);
    }
    POINTS.set(points);
}

/// The corners below the surface as the program lists them, or of too many those that hold best.
pub(super) unsafe fn convex_plane(convex: GeomId, plane: GeomId, contacts: &mut Contacts) {
    let (GeomShape::Convex(shape), GeomShape::Plane { params }) = (&(*convex).shape, &(*plane).shape) else { return };
    let placed = Geom::placed(convex);
    let normal = DVec3::new(params[0], params[1], params[2]);
    let mut points = POINTS.take();
    points.clear();
    for (index, corner) in shape.points().enumerate() {
        let position = placed.point(corner);
        let depth = params[3] - normal.dot(position);
        if depth >= 0.0 {
            let triangles = [NO_TRIANGLE; 2];
            points.push(ManifoldPoint { position, normal, depth, feature: index as u32, triangles });
        }
    }
    reduce(&mut points, contacts.max());
    for point in &points {
        contacts.push(point.position, point.normal, point.depth);
    }
    POINTS.set(points);
}
