//! A quadrilateral cut to a rectangle, and fewer points with the same hold.

use std::f64::consts::{PI, TAU};

use glam::DVec2;

/// Cuts a quadrilateral to the rectangle `|x| <= h.x, |y| <= h.y`: the corners and their number. Eight at most: there ODE
/// stops, wherever it is.
pub(super) fn clip(quad: [DVec2; 4], h: DVec2) -> ([DVec2; 8], usize) {
    let mut polygon = [DVec2::ZERO; 8];
    polygon[..4].copy_from_slice(&quad);
    let mut count = 4;
    for axis in 0..2 {
        for sign in [-1.0, 1.0] {
            let inside = |p: DVec2| sign * p[axis] < h[axis];
            let (mut cut, mut kept) = ([DVec2::ZERO; 8], 0);
            for i in 0..count {
                let (from, to) = (polygon[i], polygon[(i + 1) % count]);
                if inside(from) {
                    cut[kept] = from;
                    kept += 1;
                    if kept == 8 {
                        return (cut, kept);
                    }
                }
                if inside(from) != inside(to) {
                    let other = 1 - axis;
                    let slope = (to[other] - from[other]) / (to[axis] - from[axis]);
                    let border = sign * h[axis];
                    cut[kept][other] = from[other] + slope * (border - from[axis]);
                    cut[kept][axis] = border;
                    kept += 1;
                    if kept == 8 {
                        return (cut, kept);
                    }
                }
            }
            (polygon, count) = (cut, kept);
        }
    }
    (polygon, count)
}

/// Chooses points of a convex polygon: the deepest, then always the one whose direction from the centroid is nearest to
/// the next of `wanted` equal parts of the circle.
pub(super) fn choose(points: &[DVec2], depths: &[f64; 8], wanted: usize) -> [usize; 8] {
    let mut deepest = 0;
    for i in 1..points.len() {
        if depths[i] > depths[deepest] {
            deepest = i;
        }
    }
    let center = centroid(points);
    let mut angles = [0.0; 8];
    for (angle, &p) in angles.iter_mut().zip(points) {
        *angle = libm::atan2(p.y - center.y, p.x - center.x);
    }
    let mut free = [true; 8];
    let mut chosen = [deepest; 8];
    free[deepest] = false;
    for (part, place) in chosen.iter_mut().enumerate().take(wanted).skip(1) {
        let mut target = part as f64 * (TAU / wanted as f64) + angles[deepest];
        if target > PI {
            target -= TAU;
        }
        let mut nearest = f64::INFINITY;
        for i in (0..points.len()).filter(|&i| free[i]) {
            let difference = (angles[i] - target).abs();
            let difference = if difference > PI { TAU - difference } else { difference };
            if difference < nearest {
                (nearest, *place) = (difference, i);
            }
        }
        free[*place] = false;
    }
    chosen
}

/// Centroid of the polygon's area by the shoelace formula; of two points their middle.
fn centroid(points: &[DVec2]) -> DVec2 {
    match points {
        [] => DVec2::ZERO,
        [only] => *only,
        [a, b] => (*a + *b) * 0.5,
        _ => {
            let (mut area, mut moment) = (0.0, DVec2::ZERO);
            for (i, p) in points.iter().enumerate() {
                let next = points[(i + 1) % points.len()];
                let cross = p.perp_dot(next);
                area += cross;
                moment += cross * (*p + next);
            }
            moment * (1.0 / (3.0 * area))
        }
    }
}
