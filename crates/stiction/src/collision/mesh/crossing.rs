//! Where two surfaces pass through each other.

use std::ops::ControlFlow;

use glam::DVec3;

use super::near::near_pairs;
use super::pair::PairSide;
use crate::shape::{Aabb, Triangle};

/// How two surfaces pass through each other, in the axes of the pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    /// Triangles of one place where they cross.
    pub triangles: [u32; 2],
    /// The middle of all such places \[m\].
    pub point: DVec3,
    /// Unit direction from the second body into the first.
    pub direction: DVec3,
    /// Extent of the curve along it \[m\].
    pub depth: f64,
}

/// Looks for triangles that cross. Their line is weighted by its length: with normals a and b, `b - a` leads the first
/// body out.
pub(super) fn crossing(first: &PairSide, second: &PairSide) -> Option<Crossing> {
    let mut sum = (DVec3::ZERO, DVec3::ZERO, 0.0);
    let mut curve = Aabb::EMPTY;
    let mut triangles = None;
    near_pairs(first, second, 0.0, &mut |a, b| {
        let (a, b) = (first.placed(a), second.placed(b));
        let Some([p, q]) = common_line(&a, &b) else { return ControlFlow::Continue(()) };
        let weight = (q - p).length();
        let out = b.normal - a.normal;
        sum = (sum.0 + out * weight, sum.1 + (p + q) * (0.5 * weight), sum.2 + weight);
        curve = curve.merged(&Aabb::new(p.min(q), p.max(q)));
        triangles.get_or_insert([a.index, b.index]);
        ControlFlow::Continue(())
    });
    let triangles = triangles?;
    let between = first.pose.point(first.bounds.center()) - second.pose.point(second.bounds.center());
    let is_known = sum.0.length() > 1e-6 * sum.2;
    let direction = if is_known { sum.0.normalize() } else { between.normalize_or(DVec3::Z) };
    let point = if sum.2 > 0.0 { sum.1 / sum.2 } else { curve.center() };
    Some(Crossing { triangles, point, direction, depth: curve.size().dot(direction.abs()) })
}

/// The line that two triangles share (Möller, 1997): on the line of their planes each covers a stretch.
pub(super) fn common_line(a: &Triangle, b: &Triangle) -> Option<[DVec3; 2]> {
    let above = |t: &Triangle, p: &Triangle| t.corners.map(|c| p.normal.dot(c - p.corners[0]));
    let (of_a, of_b) = (above(a, b), above(b, a));
    let is_apart = |h: &[f64; 3]| h.iter().all(|x| *x >= 0.0) || h.iter().all(|x| *x <= 0.0);
    if is_apart(&of_a) || is_apart(&of_b) {
        return None;
    }
    let along = a.normal.cross(b.normal);
    let stretch = |t: &Triangle, h: &[f64; 3]| {
        let mut ends: [Option<DVec3>; 2] = [None; 2];
        for k in 0..3 {
            let l = (k + 1) % 3;
            if (h[k] < 0.0) != (h[l] < 0.0) {
                let p = t.corners[k] + (t.corners[l] - t.corners[k]) * (h[k] / (h[k] - h[l]));
                if ends[0].is_none() { ends[0] = Some(p) } else { ends[1] = Some(p) }
            }
        }
        let [p, q] = [ends[0]?, ends[1]?];
        Some(if along.dot(q - p) < 0.0 { [q, p] } else { [p, q] })
    };
    let ([p, q], [r, s]) = (stretch(a, &of_a)?, stretch(b, &of_b)?);
    let low = if along.dot(r - p) > 0.0 { r } else { p };
    let high = if along.dot(s - q) < 0.0 { s } else { q };
    (along.dot(high - low) > 0.0).then_some([low, high])
}
