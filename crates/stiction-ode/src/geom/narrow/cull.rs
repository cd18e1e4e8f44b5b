//! A quadrilateral cut to a rectangle, and fewer points with the same hold.

use std::f64::consts::{PI, TAU};

use glam::DVec2;

/// Cuts a quadrilateral to the rectangle `|x| <= h.x, |y| <= h.y`: writes the corners and returns their number. Eight at
/// most: there ODE stops, wherever it is.
pub(super) fn clip(quad: &[DVec2; 4], h: DVec2, result: &mut [DVec2; 8]) -> usize {
    let mut buffer = [DVec2::ZERO; 8];
    let count = clip_side::<0>(quad, -1.0, h.x, &mut buffer);
    if count == 8 {
        *result = buffer;
        return count;
    }
    let count = clip_side::<0>(&buffer[..count], 1.0, h.x, result);
    if count == 8 {
        return count;
    }
    let count = clip_side::<1>(&result[..count], -1.0, h.y, &mut buffer);
    if count == 8 {
        *result = buffer;
        return count;
    }
    clip_side::<1>(&buffer[..count], 1.0, h.y, result)
}

/// Keeps what lies below `sign · p[AXIS] = border`; returns the number of corners.
#[inline]
fn clip_side<const AXIS: usize>(polygon: &[DVec2], sign: f64, border: f64, cut: &mut [DVec2; 8]) -> usize {
    let split = |p: DVec2| if AXIS == 0 { (p.x, p.y) } else { (p.y, p.x) };
    let join = |along: f64, other: f64| if AXIS == 0 { DVec2::new(along, other) } else { DVec2::new(other, along) };
    let Some(&first) = polygon.first() else { return 0 };
    let mut kept = 0;
    for (i, &from) in polygon.iter().enumerate() {
        let to = polygon.get(i + 1).copied().unwrap_or(first);
        let ((from_along, from_other), (to_along, to_other)) = (split(from), split(to));
        let (from_inside, to_inside) = (sign * from_along < border, sign * to_along < border);
        if from_inside {
            cut[kept] = from;
            kept += 1;
            if kept == 8 {
                break;
            }
        }
        if from_inside != to_inside {
            let slope = (to_other - from_other) / (to_along - from_along);
            cut[kept] = join(sign * border, from_other + slope * (sign * border - from_along));
            kept += 1;
            if kept == 8 {
                break;
            }
        }
    }
    kept
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
