//! Geoms as the engine's shapes, for who looks at a whole space.

use glam::DMat3;
use stiction::collision::Course;
use stiction::math::Pose;
use stiction::shape::{Aabb, Shape};

use super::super::enclosing::bits_match;
use super::super::pose::Placed;
use super::super::{Geom, GeomId, GeomShape};
use super::{engine, heightfield};
use crate::objects::joint_lists::are_jointed;

/// Calls `visit` with the shapes of a geom, their boxes in their own frames, and their poses: the inner one of a transform, none
/// of a ray or a class of the program. Of a heightfield the shape is left out ([`field_under`]).
///
/// # Safety
/// The geom exists.
pub(crate) unsafe fn engine_parts(geom: GeomId, visit: &mut dyn FnMut(Option<Shape>, Aabb, Pose)) {
    // SAFETY: the caller's promise.
    unsafe { parts_at(geom, &Geom::placed(geom), visit) }
}

unsafe fn parts_at(geom: GeomId, placed: &Placed, visit: &mut dyn FnMut(Option<Shape>, Aabb, Pose)) {
    match &mut (*geom).shape {
        GeomShape::Ray { .. } | GeomShape::Space(_) | GeomShape::User(_) => {}
        GeomShape::Transform(transform) => {
            if let Some((inner, placed)) = transform.inner_at(placed) {
                parts_at(inner, &placed, visit);
            }
        }
        GeomShape::Heightfield(data) => {
            let Some(data) = data.as_ref() else { return };
            let [x0, x1, y0, y1, z0, z1] = data.bounds(None);
            visit(None, Aabb::new([x0, y0, z0].into(), [x1, y1, z1].into()), placed.pose());
        }
        _ => {
            let Some(shape) = engine::shape_of(geom) else { return };
            let bounds = shape.aabb(&Pose::IDENTITY);
            visit(Some(shape), bounds, placed.pose());
        }
    }
}

/// The part of a heightfield on its way that lies under a box of the world, with its pose in the field's frame.
///
/// # Safety
/// The geom exists, and is a heightfield or a transform with one.
pub(crate) unsafe fn field_under(geom: GeomId, bounds: &Aabb, way: &Course) -> Option<(Shape, Pose)> {
    // SAFETY: the caller's promise.
    unsafe {
        match &(*geom).shape {
            GeomShape::Transform(transform) => field_under(transform.inner, bounds, way),
            GeomShape::Heightfield(data) => {
                let placed =
                    |pose: &Pose| Placed { position: pose.position, rotation: DMat3::from_quat(pose.rotation) };
                heightfield::under(data.as_ref()?, [&way.from, &way.to].map(placed), bounds)
            }
            _ => None,
        }
    }
}

/// Two geoms may touch: their bits match, they are on different bodies, and no joint but a contact connects those.
///
/// # Safety
/// The geoms exist.
pub(crate) unsafe fn may_touch(first: GeomId, second: GeomId) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let (a, b) = (&*first, &*second);
        let are_on_bodies = !a.body.is_null() && !b.body.is_null();
        bits_match(first, second) && a.body != b.body && !(are_on_bodies && are_jointed(a.body, b.body))
    }
}
