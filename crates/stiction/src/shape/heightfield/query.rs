//! Heightfield queries: triangles in a box, their neighbours, nearest point.

use std::ops::Range;

use glam::DVec3;

use super::Heightfield;
use crate::shape::{Aabb, Surface, Triangle};

impl Heightfield {
    /// Calls `visit` with the triangles whose surface, or the solid under it, touches a box in the field's axes, cell by
    /// cell; a copy of an endless field has the numbers of the first.
    pub fn candidates(&self, aabb: &Aabb, mut visit: impl FnMut(&Triangle)) {
        self.cells_in(aabb, |i, j| {
            for second in [false, true] {
                let triangle = self.triangle_at(i, j, second);
                let top = triangle.corners.iter().fold(f64::NEG_INFINITY, |top, p| top.max(p.y));
                if top >= aabb.min.y {
                    visit(&triangle);
                }
            }
        });
    }

    /// Calls `visit` with the triangles whose boxes pass, as do all boxes about them, in the order of cells.
    pub(crate) fn descend(&self, passes: &mut dyn FnMut(&Aabb) -> bool, visit: &mut dyn FnMut(&Triangle)) {
        if self.wraps {
            return self.candidates(&self.bounds(), |triangle| {
                if passes(&triangle.bounds()) {
                    visit(triangle);
                }
            });
        }
        let [nx, nz] = self.cells();
        self.descend_block([0..nx, 0..nz], passes, visit);
    }

    /// The same within a block of cells: rows are halved down to one, then its cells.
    fn descend_block(
        &self,
        cells: [Range<i64>; 2],
        passes: &mut dyn FnMut(&Aabb) -> bool,
        visit: &mut dyn FnMut(&Triangle),
    ) {
        let [x, z] = cells;
        let (front, back) = (self.point(x.start, z.start), self.point(x.end, z.end));
        if !passes(&Aabb::new(front.with_y(self.lowest), back.with_y(self.highest))) {
            return;
        }
        if z.end - z.start > 1 {
            let middle = i64::midpoint(z.start, z.end);
            self.descend_block([x.clone(), z.start..middle], passes, visit);
            self.descend_block([x, middle..z.end], passes, visit);
        } else if x.end - x.start > 1 {
            let middle = i64::midpoint(x.start, x.end);
            self.descend_block([x.start..middle, z.clone()], passes, visit);
            self.descend_block([middle..x.end, z], passes, visit);
        } else {
            for second in [false, true] {
                let triangle = self.triangle_at(x.start, z.start, second);
                if passes(&triangle.bounds()) {
                    visit(&triangle);
                }
            }
        }
    }

    /// Some triangle, or the solid under it, may touch a box: over many cells the highest sample of all decides.
    pub(crate) fn may_touch(&self, aabb: &Aabb) -> bool {
        let bounds = self.bounds();
        if aabb.is_empty() || aabb.min.y > bounds.max.y || aabb.max.y < bounds.min.y {
            return false;
        }
        let [first, last] = self.range(0, aabb.min.x, aabb.max.x);
        let [front, back] = self.range(1, aabb.min.z, aabb.max.z);
        if (last - first + 1).saturating_mul(back - front + 1) > MANY {
            return last >= first && back >= front;
        }
        (front..=back).any(|j| (first..=last).any(|i| self.heights_of(i, j)[1] >= aabb.min.y))
    }

    /// Least and greatest height of a cell's samples.
    fn heights_of(&self, i: i64, j: i64) -> [f64; 2] {
        let [a, b, c, d] = [[i, j], [i + 1, j], [i, j + 1], [i + 1, j + 1]].map(|[i, j]| self.height(i, j));
        [a.min(b).min(c.min(d)), a.max(b).max(c.max(d))]
    }

    /// The nearest point of the surface within `most` \[m\], and its triangle; of several the first.
    pub(crate) fn nearest_within(&self, point: DVec3, most: f64) -> Option<(DVec3, Triangle)> {
        let reach = DVec3::splat(most);
        // Solid under the surface belongs to the box's column, so only the sides bound the search.
        let search = Aabb::new((point - reach).with_y(f64::NEG_INFINITY), (point + reach).with_y(f64::INFINITY));
        let mut least = most * most;
        let mut best = None;
        self.cells_in(&search, |i, j| {
            let [low, high] = self.heights_of(i, j);
            let (front, back) = (self.point(i, j).with_y(low), self.point(i + 1, j + 1).with_y(high));
            // A cell whose box is farther needs no look; rounding decides nothing.
            if (point - point.clamp(front, back)).length_squared() * (1.0 - 1e-12) > least {
                return;
            }
            for second in [false, true] {
                let triangle = self.triangle_at(i, j, second);
                let q = triangle.nearest(point).point;
                let square = (point - q).length_squared();
                if square < least || best.is_none() && square <= least {
                    least = square;
                    best = Some((q, triangle));
                }
            }
        });
        best
    }

    fn cells_in(&self, aabb: &Aabb, mut visit: impl FnMut(i64, i64)) {
        let bounds = self.bounds();
        if aabb.is_empty() || aabb.min.y > bounds.max.y || aabb.max.y < bounds.min.y {
            return;
        }
        let [first, last] = self.range(0, aabb.min.x, aabb.max.x);
        let [front, back] = self.range(1, aabb.min.z, aabb.max.z);
        for j in front..=back {
            for i in first..=last {
                visit(i, j);
            }
        }
    }

    /// Calls `visit` with the samples in a box and their numbers; those of the copies of an endless field repeat.
    pub(crate) fn samples_in(&self, aabb: &Aabb, mut visit: impl FnMut(u32, DVec3)) {
        self.cells_in(aabb, |i, j| {
            for [i, j] in [[i, j], [i + 1, j], [i, j + 1], [i + 1, j + 1]] {
                let p = self.point(i, j);
                if p.cmpge(aabb.min).all() && p.cmple(aabb.max).all() {
                    visit(self.number(i, j), p);
                }
            }
        });
    }

    /// Number of sample (i, j), the same in every copy of an endless field.
    fn number(&self, i: i64, j: i64) -> u32 {
        let (column, row) = (i.rem_euclid(self.columns as i64), j.rem_euclid(self.rows as i64));
        (column + row * self.columns as i64) as u32
    }

    /// Number of the sample at a corner of a triangle in space.
    pub(crate) fn sample_number(&self, corner: DVec3) -> u32 {
        let [i, j] = self.sample_at(corner);
        self.number(i, j)
    }

    /// Calls `visit` with the ends of the edges at a corner of a triangle in space, each with its number.
    pub(crate) fn ring(&self, corner: DVec3, mut visit: impl FnMut(u32, DVec3)) {
        let [i, j] = self.sample_at(corner);
        for [di, dj] in [[1, 0], [-1, 0], [0, 1], [0, -1], [1, -1], [-1, 1]] {
            if self.has(i + di, j + dj) {
                visit(self.number(i + di, j + dj), self.point(i + di, j + dj));
            }
        }
    }

    /// Far corner of the triangle across edge k: the edge's ends mirror the corner before it.
    pub(crate) fn opposite(&self, triangle: &Triangle, k: usize) -> Option<DVec3> {
        let [a, b, c] = [k, (k + 1) % 3, (k + 2) % 3].map(|k| self.sample_at(triangle.corners[k]));
        let far = [a[0] + b[0] - c[0], a[1] + b[1] - c[1]];
        self.has(far[0], far[1]).then(|| self.point(far[0], far[1]))
    }

    fn sample_at(&self, corner: DVec3) -> [i64; 2] {
        let [dx, dz] = self.spacing();
        let round = |x: f64, extent: f64, spacing: f64| libm::round((x + 0.5 * extent) / spacing) as i64;
        [round(corner.x, self.width, dx), round(corner.z, self.depth, dz)]
    }

    /// Height of the surface over (x, z) \[m\]; `None` beside the field.
    #[must_use]
    pub fn height_at(&self, x: f64, z: f64) -> Option<f64> {
        let mut height: Option<f64> = None;
        let column = Aabb::new(DVec3::new(x, f64::NEG_INFINITY, z), DVec3::new(x, f64::INFINITY, z));
        let half = [0.5 * self.width, 0.5 * self.depth];
        if !self.wraps && (x.abs() > half[0] || z.abs() > half[1]) {
            return None;
        }
        self.candidates(&column, |t| {
            if let (None, Some((y, _))) = (height, t.line(DVec3::new(x, 0.0, z), DVec3::Y)) {
                height = Some(y);
            }
        });
        height
    }

    /// Signed distance of the surface, negative below; beside the field the plain distance of its border.
    pub(crate) fn surface(&self, point: DVec3) -> Surface {
        let (distance, nearest, triangle) = self.nearest(point);
        let off = if distance < 0.0 { nearest - point } else { point - nearest };
        Surface { distance, normal: off.normalize_or(triangle.map_or(DVec3::Y, |t| t.normal)) }
    }

    /// The same distance with the nearest point and its triangle.
    pub(crate) fn nearest(&self, point: DVec3) -> (f64, DVec3, Option<Triangle>) {
        // A bound on the distance: that of the point of the surface over or under the nearest place of the field.
        let half = [0.5 * self.width, 0.5 * self.depth];
        let (x, z) = if self.wraps {
            (point.x, point.z)
        } else {
            (point.x.clamp(-half[0], half[0]), point.z.clamp(-half[1], half[1]))
        };
        let under = DVec3::new(x, self.height_at(x, z).unwrap_or(self.highest), z);
        let is_below = point.y < under.y && (x, z) == (point.x, point.z);
        let reach = (point - under).length() * (1.0 + 1e-9);
        let sign = if is_below { -1.0 } else { 1.0 };
        match self.nearest_within(point, reach) {
            Some((q, triangle)) => (sign * (point - q).length(), q, Some(triangle)),
            None => (sign * f64::INFINITY, point - DVec3::Y, None),
        }
    }
}

/// Cells that are looked at one by one.
const MANY: i64 = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{HeightfieldDefinition, Shape};

    #[test]
    fn the_nearest_point_among_spikes_is_that_of_all_triangles() {
        let mut seed = 11u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1u64 << 53) as f64
        };
        let heights: Vec<f64> = (0..400).map(|_| if next() < 0.1 { 3.0 * next() } else { 0.1 * next() }).collect();
        let definition = HeightfieldDefinition {
            heights: &heights,
            columns: 20,
            rows: 20,
            width: 3.0,
            depth: 2.0,
            scale: 1.0,
            offset: 0.0,
            thickness: 0.5,
            wraps: false,
        };
        let Shape::Heightfield(field) = Shape::heightfield(&definition).unwrap() else { panic!("a field") };
        let triangles: Vec<Triangle> = (0..).map_while(|t| field.triangle(t)).collect();
        for _ in 0..2000 {
            let p = DVec3::new(5.0 * next() - 2.5, 6.0 * next() - 2.0, 4.0 * next() - 2.0);
            let least = triangles.iter().map(|t| (p - t.nearest(p).point).length()).fold(f64::INFINITY, f64::min);
            assert_eq!(field.nearest(p).0.abs(), least);
            let most = 2.0 * next();
            let found = field.nearest_within(p, most).map(|(q, _)| (p - q).length());
            assert_eq!(found, (least <= most).then_some(least));
            let aabb = Aabb::from_center(p, DVec3::splat(0.5 * next()));
            let mut is_met = false;
            field.candidates(&aabb, |_| is_met = true);
            assert!(field.may_touch(&aabb) || !is_met);
            let mut descended = Vec::new();
            field.descend(&mut |bounds| bounds.intersects(&aabb), &mut |t| descended.push(t.index));
            let boxed = triangles.iter().filter(|t| t.bounds().intersects(&aabb)).map(|t| t.index);
            assert_eq!(descended, boxed.collect::<Vec<_>>());
        }
    }
}
