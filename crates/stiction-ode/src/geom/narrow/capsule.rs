//! Capsules with spheres, capsules and half-spaces.

use glam::DVec3;

use super::super::utility::nearest_on_segments;
use super::super::{Geom, GeomId, GeomShape};
use super::Contacts;
use super::sphere::{ball_plane, balls};

/// Axis of a capsule in the world.
struct Spine {
    center: DVec3,
    direction: DVec3,
    half_length: f64,
    radius: f64,
}

impl Spine {
    unsafe fn of(geom: GeomId) -> Option<Self> {
        let GeomShape::Capsule { radius, length } = (*geom).shape else { return None };
        let placed = Geom::placed(geom);
        Some(Self { center: placed.position, direction: placed.rotation.z_axis, half_length: length * 0.5, radius })
    }

    fn at(&self, along: f64) -> DVec3 {
        self.center + self.direction * along
    }
}

pub(super) unsafe fn capsule_sphere(capsule: GeomId, sphere: GeomId, contacts: &mut Contacts) {
    let (Some(spine), GeomShape::Sphere { radius }) = (Spine::of(capsule), &(*sphere).shape) else { return };
    let center = Geom::placed(sphere).position;
    let along = spine.direction.dot(center - spine.center).clamp(-spine.half_length, spine.half_length);
    balls(spine.at(along), spine.radius, center, *radius, contacts);
}

pub(super) unsafe fn capsule_plane(capsule: GeomId, plane: GeomId, contacts: &mut Contacts) {
    let (Some(spine), GeomShape::Plane { params }) = (Spine::of(capsule), &(*plane).shape) else { return };
    let normal = DVec3::new(params[0], params[1], params[2]);
    let lower = if normal.dot(spine.direction) > 0.0 { -spine.half_length } else { spine.half_length };
    // The higher end only counts if the lower one does.
    if ball_plane(spine.at(lower), spine.radius, params, contacts) {
        ball_plane(spine.at(-lower), spine.radius, params, contacts);
    }
}

/// `1 - cos²` of the angle below which two axes count as parallel.
const PARALLEL: f64 = 1e-5;

pub(super) unsafe fn capsule_capsule(first: GeomId, second: GeomId, contacts: &mut Contacts) {
    let (Some(one), Some(other)) = (Spine::of(first), Spine::of(second)) else { return };
    let cosine = one.direction.dot(other.direction);
    if 1.0 - cosine * cosine < PARALLEL && side_by_side(&one, &other, cosine, contacts) {
        return;
    }
    let (p, q) = nearest_on_segments(
        (one.at(one.half_length), one.at(-one.half_length)),
        (other.at(other.half_length), other.at(-other.half_length)),
    );
    balls(p, one.radius, q, other.radius, contacts);
}

/// Contacts at both ends of the stretch over which parallel axes lie beside each other, or in its middle if one is all
/// there is. False if they lie one behind the other.
fn side_by_side(one: &Spine, other: &Spine, cosine: f64, contacts: &mut Contacts) -> bool {
    let direction = if cosine < 0.0 { -other.direction } else { other.direction };
    // Where a place along the first axis is along the second.
    let shift = one.direction.dot(one.center - other.center);
    let low = (-one.half_length).max(-other.half_length - shift);
    let high = one.half_length.min(other.half_length - shift);
    if low > high {
        return false;
    }
    let touch = |along: f64, contacts: &mut Contacts| {
        let beside = other.center + direction * (along + shift);
        balls(one.at(along), one.radius, beside, other.radius, contacts)
    };
    if contacts.max() >= 2 && low < high {
        if touch(low, contacts) && touch(high, contacts) {
            return true;
        }
        contacts.count = 0;
    }
    touch((low + high) * 0.5, contacts);
    true
}
