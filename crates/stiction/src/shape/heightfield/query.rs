//! Questions to a heightfield: triangles in a box, what lies about them, nearest point.

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
        let mut best = (f64::INFINITY, point - DVec3::Y, None);
        let reach = DVec3::splat((point - under).length() * (1.0 + 1e-9));
        // Solid under the surface belongs to the box's column, so only the sides bound the search.
        let search = Aabb::new((point - reach).with_y(f64::NEG_INFINITY), (point + reach).with_y(f64::INFINITY));
        self.candidates(&search, |t| {
            let q = t.nearest(point).point;
            let square = (point - q).length_squared();
            if square < best.0 {
                best = (square, q, Some(*t));
            }
        });
        let sign = if is_below { -1.0 } else { 1.0 };
        (sign * best.0.sqrt(), best.1, best.2)
    }
}
