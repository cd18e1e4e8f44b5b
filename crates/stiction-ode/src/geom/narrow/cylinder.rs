//! Cylinders with half-spaces and spheres.

use glam::DVec3;

use super::super::{Geom, GeomId, GeomShape};
use super::Contacts;

/// Lengths and cosines up to this count as zero.
const TOLERANCE: f64 = if cfg!(feature = "single") { 1e-4 } else { 1e-7 };

pub(super) unsafe fn cylinder_plane(cylinder: GeomId, plane: GeomId, contacts: &mut Contacts) {
    let (&GeomShape::Cylinder { radius, length }, GeomShape::Plane { params }) = (&(*cylinder).shape, &(*plane).shape)
    else {
        return;
    };
    let placed = Geom::placed(cylinder);
    let axis = placed.rotation.z_axis;
    let half = axis * (length * 0.5);
    let (lower, upper) = (placed.position - half, placed.position + half);
    let normal = DVec3::new(params[0], params[1], params[2]);
    let depth_of = |p: DVec3| params[3] - normal.dot(p);
    let mut push = |p: DVec3| {
        let depth = depth_of(p);
        if depth >= 0.0 {
            contacts.push(p, normal, depth);
        }
    };
    let cosine = axis.dot(normal);
    if 1.0 - cosine.abs() < TOLERANCE && cosine.abs() - 1.0 < TOLERANCE {
        // A cap lies flat: four points of its rim, on two diameters.
        let center = if depth_of(lower) >= depth_of(upper) { lower } else { upper };
        let (u, v) = diameters(axis, radius);
        for offset in [u, -u, v, -v] {
            push(center + offset);
        }
    } else {
        // The lowest point of each rim.
        let down = axis * normal.dot(axis) - normal;
        let down = down * (radius / down.length());
        push(down + lower);
        push(down + upper);
    }
}

/// Two radii of a cap square to each other, turned as in ODE.
fn diameters(axis: DVec3, radius: f64) -> (DVec3, DVec3) {
    let aside = if axis.x.abs() < TOLERANCE { axis + DVec3::X } else { axis + DVec3::Y };
    let v = aside.cross(axis);
    let v = v * (radius / v.length());
    (v.cross(axis), v)
}

pub(super) unsafe fn cylinder_sphere(cylinder: GeomId, sphere: GeomId, contacts: &mut Contacts) {
    let (&GeomShape::Cylinder { radius, length }, &GeomShape::Sphere { radius: ball }) =
        (&(*cylinder).shape, &(*sphere).shape)
    else {
        return;
    };
    let placed = Geom::placed(cylinder);
    let center = Geom::placed(sphere).position;
    let axis = placed.rotation.z_axis;
    let base = placed.position - axis * (length * 0.5);
    // The centre's height over the base, and the way from it to the axis.
    let height = (center - base).dot(axis);
    let inward = base + axis * height - center;
    let distance = inward.length();
    if height < -ball || height > length + ball || distance > radius + ball {
        return;
    }
    if distance > radius && (height < 0.0 || height > length) {
        let end = if height <= 0.0 { base } else { base + axis * length };
        at_rim(end, inward * (-radius / distance), center, ball, contacts);
    } else if radius - distance <= height && radius - distance <= length - height {
        at_side(&placed.rotation, inward, distance, (center, ball), radius, contacts);
    } else if height <= length * 0.5 {
        // The nearer cap: the cylinder leaves along its axis.
        contacts.push(center + axis * ball, axis, height + ball);
    } else {
        contacts.push(center - axis * ball, -axis, ball + length - height);
    }
}

/// The sphere reaches around the edge of a cap.
fn at_rim(end: DVec3, outward: DVec3, center: DVec3, ball: f64, contacts: &mut Contacts) {
    let point = end + outward;
    let gap = point - center;
    let distance = gap.length();
    if distance <= ball {
        contacts.push(point, gap * (1.0 / distance), ball - distance);
    }
}

/// The sphere is beside the cylinder, or in it nearer to its side than to its caps.
fn at_side(
    rotation: &glam::DMat3,
    inward: DVec3,
    distance: f64,
    (center, ball): (DVec3, f64),
    radius: f64,
    contacts: &mut Contacts,
) {
    // On the axis every way out is as good.
    let normal = if distance > 0.0 { inward / distance } else { rotation.x_axis };
    let reach = if distance > ball + TOLERANCE { ball } else { distance };
    contacts.push(center + normal * reach, normal, ball + radius - distance);
}
