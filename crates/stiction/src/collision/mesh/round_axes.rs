//! Cylinder and cone against triangle, in the solid's axes.
//!
//! The least depth of an overlap is along a face or a curved side of the difference of the two sets. These are swept by a
//! face of the one and a point of the other, or by an edge of the triangle and a line or the rim of the solid. A corner
//! against the side gives the radial direction, an edge against a line of the side one across both, and an edge against
//! the rim the nearest point of an ellipse, as which the rim is seen along the edge.

use glam::DVec3;

use super::direction::Trial;
use super::touch::is_off_cylinder;
use crate::shape::{Cone, Cylinder, Shape};

/// Tries all directions; false if solid and triangle may be apart by less than the margin, where the depth is the
/// distance.
pub(super) fn round_direction(solid: &Shape, trial: &mut Trial, least: f64) -> bool {
    match solid {
        Shape::Cylinder(s) if is_off_cylinder(s.radius, s.half_length, &trial.corners) => return false,
        Shape::Cylinder(cylinder) => cylinder_direction(cylinder, trial, least),
        Shape::Cone(cone) => cone_direction(cone, trial, least),
        _ => return false,
    }
    trial.depth >= 0.0 || trial.depth < least
}

fn cylinder_direction(cylinder: &Cylinder, trial: &mut Trial, least: f64) {
    let (r, h) = (cylinder.radius, cylinder.half_length);
    let v = trial.corners;
    for axis in [DVec3::Z, -DVec3::Z] {
        trial.take(axis, h + trial.reach(axis));
    }
    for p in v {
        if let Some(radial) = p.with_z(0.0).try_normalize() {
            trial.take(-radial, r + trial.reach(-radial));
        }
    }
    for k in 0..3 {
        let side = v[(k + 1) % 3] - v[k];
        if let Some(across) = DVec3::new(-side.y, side.x, 0.0).try_normalize() {
            trial.take(across, r + trial.reach(across));
            trial.take(-across, r + trial.reach(-across));
        }
    }
    if trial.depth < least {
        return;
    }
    for k in 0..3 {
        for z in [h, -h] {
            if let Some(d) = past_rim(r, z, z, v[k], v[(k + 1) % 3], trial.depth, true) {
                trial.take(d, trial.reach(d) + h * d.z.abs() + r * (d.x * d.x + d.y * d.y).sqrt());
            }
        }
    }
}

fn cone_direction(cone: &Cone, trial: &mut Trial, least: f64) {
    let v = trial.corners;
    let take = |trial: &mut Trial, d: DVec3| trial.take(d, trial.reach(d) - cone.support(-d).dot(d));
    take(trial, DVec3::Z);
    for p in v {
        take(trial, -cone.slope_normal(p.with_z(0.0).normalize_or(DVec3::X)));
    }
    // The slope's normal is (cos a cos f, cos a sin f, sin a); square to a side s it is where
    // s.x cos f + s.y sin f = -s.z tan a.
    let slope = cone.slope_normal(DVec3::X);
    let tangent = slope.z / slope.x;
    for k in 0..3 {
        let side = v[(k + 1) % 3] - v[k];
        let flat = side.x * side.x + side.y * side.y;
        let height = -side.z * tangent;
        let rest = flat - height * height;
        if rest <= 0.0 {
            continue;
        }
        for root in [rest.sqrt(), -rest.sqrt()] {
            let radial = DVec3::new(side.x * height - side.y * root, side.y * height + side.x * root, 0.0) / flat;
            take(trial, -cone.slope_normal(radial));
        }
    }
    if trial.depth < least {
        return;
    }
    // Over the rim the way out may lead a little upwards.
    for k in 0..3 {
        for side in [-1.0, 1.0] {
            if let Some(d) = past_rim(cone.radius, -cone.half_length, side, v[k], v[(k + 1) % 3], trial.depth, false) {
                take(trial, d);
            }
        }
    }
}

/// The direction from a line that passes through a circle's shadow along the line to the nearest place of the half of the
/// circle that is seen from `side` (the sign of z): in the plane square to the line, the circle about (0, 0, z) is an
/// ellipse of semi-axes r and r |e·z|.
///
/// With (x, y) the point in the ellipse's axes a >= b, its nearest point is (a² x / (t + a²), b² y / (t + b²)) with t the
/// largest root of `(a x / (t + a²))² + (b y / (t + b²))² = 1` (D. Eberly, *Distance from a Point to an Ellipse*, 2013).
/// On the half beyond the long axis the place that is nearest has the largest root below -b², if there is one. None if all
/// places are as far as `most` \[m\]; `overlaps`: and for lines that are known to lie outside of a solid that overlaps the triangle,
/// so that their direction is none out of it.
fn past_rim(r: f64, z: f64, side: f64, start: DVec3, end: DVec3, most: f64, overlaps: bool) -> Option<DVec3> {
    let e = (end - start).try_normalize()?;
    // The long axis, and the other square to it and the line, towards the side.
    let u = DVec3::new(-e.y, e.x, 0.0).try_normalize()?;
    let w = u.cross(e) * -side.signum();
    let off = start - DVec3::Z * z;
    let (px, y) = (off.dot(u), off.dot(w));
    let x = px.abs();
    let (a, b) = (r, r * e.z.abs());
    if b <= 1e-6 * a || -y >= most {
        return None;
    }
    // The point is on the ellipse of the same shape that is smaller by this part.
    let inside = 1.0 - ((x / a) * (x / a) + (y / b) * (y / b)).sqrt();
    let is_outside = x >= a || y >= 0.0 && inside < 0.0;
    if b * inside >= most || overlaps && is_outside {
        return None;
    }
    let (nx, ny) = if y.abs() <= 1e-9 * b { from_long_axis(a, b, x) } else { from_place(a, b, x, y) }?;
    Some(-(u * nx.copysign(px) + w * ny).normalize())
}

/// The normal at the nearest place of the half y > 0 of an ellipse, from a point on its long axis.
fn from_long_axis(a: f64, b: f64, x: f64) -> Option<(f64, f64)> {
    let nx = x / (a * a - b * b);
    let rest = 1.0 - (nx * a) * (nx * a);
    (rest > 0.0).then(|| (nx, rest.sqrt() / b))
}

/// The same from a point off the long axis, on either side of it.
fn from_place(a: f64, b: f64, x: f64, y: f64) -> Option<(f64, f64)> {
    let (aa, bb) = (a * a, b * b);
    let is_inside = x * x / aa + y * y / bb < 1.0;
    // The function is bent upwards and not negative at the start: Newton's method does not pass the root.
    let mut t = if is_inside || y < 0.0 { b * y - bb } else { 0.0 };
    for _ in 0..STEPS {
        let (p, q) = (a * x / (t + aa), b * y / (t + bb));
        let value = p * p + q * q - 1.0;
        let slope = -2.0 * (p * p / (t + aa) + q * q / (t + bb));
        // Past the least of the function, or of its domain, there is no root.
        if y < 0.0 && (slope <= 0.0 || t <= -aa) {
            return None;
        }
        let next = t - value / slope;
        if (next - t).abs() <= 1e-14 * aa {
            break;
        }
        t = next;
    }
    // The nearest point over the squares of the semi-axes.
    let (nx, ny) = (x / (t + aa), y / (t + bb));
    (nx.is_finite() && ny.is_finite()).then_some((nx, ny))
}

/// Newton steps at most; some six are taken.
const STEPS: usize = 32;
