//! Spheres with spheres, boxes and half-spaces.

use glam::DVec3;

use super::super::pose::Placed;
use super::super::{Geom, GeomId, GeomShape};
use super::Contacts;

/// Adds the contact of two balls, midway between their surfaces; concentric ones part along x. False if they are apart.
pub(super) fn balls(p1: DVec3, r1: f64, p2: DVec3, r2: f64, contacts: &mut Contacts) -> bool {
    let between = p1 - p2;
    let distance = between.length();
    if distance > r1 + r2 {
        return false;
    }
    if distance > 0.0 {
        let normal = between * (1.0 / distance);
        contacts.push(p1 + normal * (0.5 * (r2 - r1 - distance)), normal, r1 + r2 - distance);
    } else {
        contacts.push(p1, DVec3::X, r1 + r2);
    }
    true
}

pub(super) unsafe fn sphere_sphere(first: GeomId, second: GeomId, contacts: &mut Contacts) {
    let (GeomShape::Sphere { radius: r1 }, GeomShape::Sphere { radius: r2 }) = (&(*first).shape, &(*second).shape)
    else {
        return;
    };
    balls(Geom::placed(first).position, *r1, Geom::placed(second).position, *r2, contacts);
}

pub(super) unsafe fn sphere_box(sphere: GeomId, cuboid: GeomId, contacts: &mut Contacts) {
    let (GeomShape::Sphere { radius }, GeomShape::Box { sides }) = (&(*sphere).shape, &(*cuboid).shape) else {
        return;
    };
    let (center, placed) = (Geom::placed(sphere).position, Geom::placed(cuboid));
    let half = 0.5 * DVec3::from_array(*sides);
    let local = placed.inverse_point(center);
    let nearest = local.clamp(-half, half);
    let on_box = placed.rotation * nearest;
    let between = center - placed.position - on_box;
    let distance = between.length();
    // A centre that is outside by less than can be seen counts as inside.
    if nearest == local || distance == 0.0 {
        center_inside(center, *radius, &placed, half, local, contacts);
        return;
    }
    let depth = radius - distance;
    if depth >= 0.0 {
        contacts.push(on_box + placed.position, between * (1.0 / distance), depth);
    }
}

/// Pushes a sphere with its centre inside a box out of the nearest face.
fn center_inside(center: DVec3, radius: f64, placed: &Placed, half: DVec3, local: DVec3, contacts: &mut Contacts) {
    let to_face = half - local.abs();
    let mut axis = 0;
    for other in 1..3 {
        if to_face[other] < to_face[axis] {
            axis = other;
        }
    }
    let side = if local[axis] > 0.0 { 1.0 } else { -1.0 };
    contacts.push(center, placed.rotation.col(axis) * side, to_face[axis] + radius);
}

pub(super) unsafe fn sphere_plane(sphere: GeomId, plane: GeomId, contacts: &mut Contacts) {
    let (GeomShape::Sphere { radius }, GeomShape::Plane { params }) = (&(*sphere).shape, &(*plane).shape) else {
        return;
    };
    ball_plane(Geom::placed(sphere).position, *radius, params, contacts);
}

/// Adds the lowest point of a ball, if it is not above a half-space. False if it is.
pub(super) fn ball_plane(center: DVec3, radius: f64, params: &[f64; 4], contacts: &mut Contacts) -> bool {
    let normal = DVec3::new(params[0], params[1], params[2]);
    let depth = params[3] - center.dot(normal) + radius;
    if depth >= 0.0 {
        contacts.push(center - normal * radius, normal, depth);
    }
    depth >= 0.0
}
