//! Reduction of contact points that keeps the supported area.

use super::{ManifoldPoint, ROUNDING};

/// Normals of one plane (cosine).
pub(super) const SAME: f64 = 1.0 - 1e-9;

/// Keeps at most `max_points`: the deepest, the one farthest from it, then those that add most area. Where all are in one
/// plane, points across a gap fill what room those that touch leave. Ties go to the lower feature key, so the order of the
/// input does not matter. The kept points are ordered by choice.
pub fn reduce(points: &mut Vec<ManifoldPoint>, max_points: usize) {
    let kept = reduce_list(points, max_points);
    points.truncate(kept);
}

/// The same on a part of a list: the kept points come to its front. Returns how many.
pub(super) fn reduce_list(points: &mut [ManifoldPoint], max_points: usize) -> usize {
    if points.len() <= max_points {
        return points.len();
    }
    let mut first = 0;
    // Points of other normals are of an edge: what touches there may be the longer way out.
    if points.iter().all(|p| p.normal.dot(points[0].normal) > SAME) {
        for i in 0..points.len() {
            if points[i].depth >= -ROUNDING {
                points.swap(first, i);
                first += 1;
            }
        }
    }
    choose(points, first, max_points);
    max_points
}

/// The same on a part of a list, whether they touch or not: the kept points come to its front. Returns how many.
pub(super) fn reduce_part(points: &mut [ManifoldPoint], max_points: usize) -> usize {
    if points.len() > max_points {
        choose(points, 0, max_points);
    }
    points.len().min(max_points)
}

/// Brings so many points to the front, those among the first before all others.
fn choose(points: &mut [ManifoldPoint], first: usize, count: usize) {
    for kept in 0..count {
        let end = if kept < first { first } else { points.len() };
        let (chosen, rest) = points[..end].split_at(kept);
        let outline = Outline::of(chosen);
        let score = |p: &ManifoldPoint| match chosen {
            [] => p.depth,
            [a] => (p.position - a.position).length_squared(),
            [a, b] => (b.position - a.position).cross(p.position - a.position).length(),
            _ => outline.added_area(chosen, p),
        };
        let (mut best, mut t) = (0, score(&rest[0]));
        for i in 1..rest.len() {
            let s = score(&rest[i]);
            // Scores that differ only by rounding are ties.
            let tie = (s - t).abs() <= 1e-9 * s.abs().max(t.abs());
            if (tie && rest[i].feature < rest[best].feature) || (!tie && s > t) {
                (best, t) = (i, s);
            }
        }
        points.swap(kept, kept + best);
    }
}

/// Pairs of chosen points that bound them, seen along the normal of the first.
struct Outline {
    /// By point: the later ones that it makes such a pair with, one bit each.
    pairs: [u32; MOST],
    /// The same of the pairs that have the middle of all on their left.
    left: [u32; MOST],
}

/// Points whose pairs are kept; of more the last are looked at without.
const MOST: usize = 24;

impl Outline {
    fn of(chosen: &[ManifoldPoint]) -> Self {
        let mut outline = Self { pairs: [0; MOST], left: [0; MOST] };
        if chosen.len() < 3 {
            return outline;
        }
        let normal = chosen[0].normal;
        let center = chosen.iter().map(|c| c.position).sum::<glam::DVec3>() / chosen.len() as f64;
        let chosen = &chosen[..chosen.len().min(MOST)];
        for (i, a) in chosen.iter().enumerate() {
            for (j, b) in chosen.iter().enumerate().skip(i + 1) {
                let side = normal.dot((b.position - a.position).cross(center - a.position));
                // A chosen pair with other points on both sides is a diagonal, which bounds nothing.
                let diagonal = chosen.iter().any(|c| {
                    side * normal.dot((b.position - a.position).cross(c.position - a.position)) < -1e-12 * side * side
                });
                if !diagonal && side != 0.0 {
                    outline.pairs[i] |= 1 << j;
                    outline.left[i] |= u32::from(side > 0.0) << j;
                }
            }
        }
        outline
    }

    /// How far p spreads the chosen points: the most over the pairs that bound them of the triangle's area with p, where p
    /// is outside. Points inside the chosen ones score 0.
    fn added_area(&self, chosen: &[ManifoldPoint], p: &ManifoldPoint) -> f64 {
        let normal = chosen[0].normal;
        let mut best = 0.0f64;
        for (i, a) in chosen.iter().enumerate().take(MOST) {
            let mut pairs = self.pairs[i];
            while pairs != 0 {
                let j = pairs.trailing_zeros();
                pairs &= pairs - 1;
                let b = &chosen[j as usize];
                let area = normal.dot((b.position - a.position).cross(p.position - a.position));
                let is_left = self.left[i] >> j & 1 == 1;
                if if is_left { area < 0.0 } else { area > 0.0 } {
                    best = best.max(area.abs());
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn grid(depth: impl Fn(u32) -> f64) -> Vec<ManifoldPoint> {
        (0..9)
            .map(|i| {
                let position = DVec3::new(f64::from(i % 3), f64::from(i / 3), 0.0);
                ManifoldPoint::new(position, DVec3::Z, depth(i), i)
            })
            .collect()
    }

    #[test]
    fn four_of_a_grid_are_its_corners() {
        let mut points = grid(|_| 0.0);
        reduce(&mut points, 4);
        let mut features: Vec<u32> = points.iter().map(|p| p.feature).collect();
        features.sort_unstable();
        assert_eq!(features, [0, 2, 6, 8]);
    }

    #[test]
    fn points_of_a_plane_that_touch_go_before_those_across_a_gap() {
        let mut points = grid(|i| if [1, 4, 5].contains(&i) { 0.0 } else { -1e-4 });
        reduce(&mut points, 4);
        let mut features: Vec<u32> = points.iter().map(|p| p.feature).collect();
        features[..3].sort_unstable();
        assert_eq!(features[..3], [1, 4, 5]);
        assert_eq!(features.len(), 4);
    }

    #[test]
    fn the_deepest_stays_and_the_order_of_input_does_not_matter() {
        let mut points = grid(|i| if i == 4 { 1.0 } else { 0.0 });
        let mut reversed: Vec<_> = points.iter().rev().copied().collect();
        reduce(&mut points, 4);
        reduce(&mut reversed, 4);
        assert_eq!(points[0].feature, 4);
        assert_eq!(points, reversed);
    }
}
