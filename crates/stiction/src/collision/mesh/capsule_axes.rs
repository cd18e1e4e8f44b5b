//! Capsule against triangle: the nearest points of the triangle and the capsule's line, in the capsule's axes.

use glam::DVec3;

use super::direction::Trial;
use crate::shape::{Capsule, Triangle};

/// Lines nearer than this part of the size give no direction.
const TOUCHING: f64 = 1e-6;

/// Apart, line and triangle have the direction between their nearest points, and the depth is the radius less the
/// distance. Else the least depth of the line is along a face of the prism that line and triangle span: the triangle's
/// own, or one across a side and the line.
pub(super) fn capsule_direction(capsule: &Capsule, trial: &mut Trial) {
    let end = DVec3::Z * capsule.half_length;
    let triangle = Triangle { index: 0, corners: trial.corners, normal: trial.normal };
    let mut least = DVec3::INFINITY;
    let mut square = f64::INFINITY;
    let mut consider = |between: DVec3| {
        let length = between.length_squared();
        if length < square {
            (least, square) = (between, length);
        }
    };
    if !is_pierced(capsule.half_length, &trial.corners) {
        for p in [end, -end] {
            consider(p - triangle.nearest(p).point);
        }
        // What is nearer to the middle of the line than to its ends is so square to the axis.
        for k in 0..3 {
            let q = nearest_to_axis(trial.corners[k], trial.corners[(k + 1) % 3]);
            if q.z.abs() <= capsule.half_length {
                consider(-q.with_z(0.0));
            }
        }
        let distance = square.sqrt();
        if distance > TOUCHING * (capsule.half_length + capsule.radius) {
            let direction = least / distance;
            let is_face = direction.dot(trial.best) > 0.999 && trial.depth <= capsule.radius - distance + trial.slack;
            if !is_face {
                (trial.best, trial.depth) = (direction, capsule.radius - distance);
            }
            return;
        }
    }
    let normal = trial.normal;
    let mut take = |d: DVec3| {
        let reach = capsule.radius + capsule.half_length * d.z.abs();
        trial.take(d, trial.reach(d) + reach);
        trial.take(-d, trial.reach(-d) + reach);
    };
    take(normal);
    for k in 0..3 {
        let side = triangle.corners[(k + 1) % 3] - triangle.corners[k];
        if let Some(across) = DVec3::Z.cross(side).try_normalize() {
            take(across);
        }
    }
}

/// The point of a segment nearest to the z axis.
fn nearest_to_axis(p: DVec3, q: DVec3) -> DVec3 {
    let (side, flat) = (q - p, (q - p).with_z(0.0));
    let square = flat.length_squared();
    let t = if square > 0.0 { (-p.dot(flat) / square).clamp(0.0, 1.0) } else { 0.0 };
    p + side * t
}

/// The line from -h to h on the z axis goes through the triangle: the axis does, at the height by the areas about it.
fn is_pierced(h: f64, v: &[DVec3; 3]) -> bool {
    let [a, b, c] = [(0, 1), (1, 2), (2, 0)].map(|(i, j)| v[i].x * v[j].y - v[i].y * v[j].x);
    let is_around = a >= 0.0 && b >= 0.0 && c >= 0.0 || a <= 0.0 && b <= 0.0 && c <= 0.0;
    let sum = a + b + c;
    is_around && sum != 0.0 && ((b * v[0].z + c * v[1].z + a * v[2].z) / sum).abs() <= h
}
