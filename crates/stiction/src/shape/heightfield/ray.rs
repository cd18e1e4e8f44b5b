//! Rays that meet a heightfield.

use std::ops::ControlFlow;

use glam::DVec3;

use super::Heightfield;
use crate::shape::TriangleHit;

/// Cells that a ray is followed through at most; only an endless field has more.
const MOST_CELLS: usize = 1 << 20;

impl Heightfield {
    /// Calls `visit` with every meeting of a ray, in the field's axes and along a unit direction, within `max_distance`
    /// \[m\], cell by cell from the start, until it breaks. With `culls_back` triangles that are met from below do not
    /// count.
    pub fn visit_ray_hits(
        &self,
        origin: DVec3,
        direction: DVec3,
        max_distance: f64,
        culls_back: bool,
        mut visit: impl FnMut(TriangleHit) -> ControlFlow<()>,
    ) {
        let slack = 1e-9 * (self.highest - self.lowest + self.width + self.depth);
        let slab = self.bounds().expanded(slack);
        // The part of the ray between the lowest and the highest sample, over the field.
        let (mut start, mut end) = (0.0f64, max_distance);
        for axis in 0..3 {
            let (low, high) = (if axis == 1 { self.lowest - slack } else { slab.min[axis] }, slab.max[axis]);
            if direction[axis] == 0.0 {
                if origin[axis] < low || origin[axis] > high {
                    return;
                }
                continue;
            }
            let (s, t) = ((low - origin[axis]) / direction[axis], (high - origin[axis]) / direction[axis]);
            start = start.max(s.min(t));
            end = end.min(s.max(t));
        }
        if start > end {
            return;
        }
        let [dx, dz] = self.spacing();
        let rate = (direction.x.abs() / dx).max(direction.z.abs() / dz);
        // Stretches of half a cell, whose boxes hold one cell or its neighbours; a cell is asked once.
        let stretch = if rate > 0.0 { 0.5 / rate } else { f64::INFINITY };
        let mut last: [[i64; 2]; 2] = [[1, 0]; 2];
        for k in 0..2 * MOST_CELLS {
            let s = start + if k == 0 { 0.0 } else { k as f64 * stretch };
            if s > end {
                return;
            }
            let (p, q) = (origin + direction * s, origin + direction * (s + stretch).min(end));
            let (low, high) = (p.min(q), p.max(q));
            let ranges = [self.range(0, low.x, high.x), self.range(1, low.z, high.z)];
            for j in ranges[1][0]..=ranges[1][1] {
                for i in ranges[0][0]..=ranges[0][1] {
                    let is_known = (last[0][0]..=last[0][1]).contains(&i) && (last[1][0]..=last[1][1]).contains(&j);
                    if is_known {
                        continue;
                    }
                    for second in [false, true] {
                        let triangle = self.triangle_at(i, j, second);
                        if culls_back && triangle.normal.dot(direction) >= 0.0 {
                            continue;
                        }
                        let Some((distance, barycentric)) = triangle.line(origin, direction) else { continue };
                        if !(0.0..=max_distance).contains(&distance) {
                            continue;
                        }
                        let hit =
                            TriangleHit { triangle: triangle.index, distance, barycentric, normal: triangle.normal };
                        if visit(hit).is_break() {
                            return;
                        }
                    }
                }
            }
            last = ranges;
        }
    }

    /// The first triangle that a ray meets.
    #[must_use]
    pub fn first_ray_hit(
        &self,
        origin: DVec3,
        direction: DVec3,
        max_distance: f64,
        culls_back: bool,
    ) -> Option<TriangleHit> {
        let mut best: Option<TriangleHit> = None;
        self.visit_ray_hits(origin, direction, max_distance, culls_back, |hit| {
            // Cells come from the start on, but the two triangles of one and its neighbours in any order.
            if best.is_none_or(|b| hit.distance < b.distance) {
                best = Some(hit);
            }
            ControlFlow::Continue(())
        });
        best
    }
}
