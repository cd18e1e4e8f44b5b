//! Heightfield: a surface over a regular grid.

use std::ops::ControlFlow;

use glam::DVec3;

use super::{Aabb, ShapeError, Surface, Triangle, TriangleHit, error::positive};

/// What a heightfield is made of.
#[derive(Clone, Debug)]
pub struct HeightfieldDefinition<'a> {
    /// Samples, row by row: sample (i, j) is `heights[i + j * columns]`.
    pub heights: &'a [f64],
    /// Samples along x; at least 2.
    pub columns: usize,
    /// Samples along z; at least 2.
    pub rows: usize,
    /// Extent along x \[m\].
    pub width: f64,
    /// Extent along z \[m\].
    pub depth: f64,
    /// Height of a sample's unit \[m\].
    pub scale: f64,
    /// Height of a sample of 0 \[m\].
    pub offset: f64,
    /// Solid below the lowest sample \[m\].
    pub thickness: f64,
    /// Endless in x and z: behind the last sample of a row the first one follows, one spacing on.
    pub wraps: bool,
}

/// A solid under a surface over a grid, y up, centred on x and z.
///
/// Sample (i, j) lies at `x = -width/2 + i width/(columns - 1)`, `z = -depth/2 + j depth/(rows - 1)`. Each cell is two
/// triangles: (i, j), (i, j + 1), (i + 1, j) and (i + 1, j + 1), (i + 1, j), (i, j + 1), both counter-clockwise from
/// above. Triangle `2 (i + j cells) + k` is the first or second of its cell, with `cells` cells in a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightfield {
    /// Heights \[m\].
    heights: Vec<f64>,
    columns: usize,
    rows: usize,
    width: f64,
    depth: f64,
    thickness: f64,
    wraps: bool,
    lowest: f64,
    highest: f64,
}

/// Cells that a ray is followed through at most; only an endless field has more.
const MOST_CELLS: usize = 1 << 20;

impl Heightfield {
    /// The field of a definition.
    ///
    /// # Errors
    /// Fewer than two samples a row or column, a count of heights that does not fit, values that are not finite, an
    /// extent that is not positive, a negative thickness.
    pub fn new(definition: &HeightfieldDefinition) -> Result<Self, ShapeError> {
        let HeightfieldDefinition { heights, columns, rows, width, depth, scale, offset, thickness, wraps } = *definition;
        if columns < 2 || rows < 2 || columns.checked_mul(rows) != Some(heights.len()) {
            return Err(ShapeError::Samples { columns, rows, found: heights.len() });
        }
        if columns.saturating_mul(rows) > (u32::MAX / 2) as usize {
            return Err(ShapeError::Samples { columns, rows, found: heights.len() });
        }
        positive("heightfield width [m]", width)?;
        positive("heightfield depth [m]", depth)?;
        if !(thickness.is_finite() && thickness >= 0.0) {
            let quantity = "heightfield thickness [m]";
            return Err(ShapeError::Value { quantity, found: thickness, expected: "a finite number from 0" });
        }
        let heights: Vec<f64> = heights.iter().map(|h| h * scale + offset).collect();
        if let Some(index) = heights.iter().position(|h| !h.is_finite()) {
            return Err(ShapeError::HeightNotFinite { index });
        }
        let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Ok(Self { heights, columns, rows, width, depth, thickness, wraps, lowest, highest })
    }

    /// Samples along x and z.
    #[must_use]
    pub fn samples(&self) -> [usize; 2] {
        [self.columns, self.rows]
    }

    /// Extent along x and z \[m\].
    #[must_use]
    pub fn extent(&self) -> [f64; 2] {
        [self.width, self.depth]
    }

    /// Height of sample (i, j) \[m\]; beyond the last sample that of the field repeated.
    #[must_use]
    pub fn height(&self, i: i64, j: i64) -> f64 {
        let (i, j) = (i.rem_euclid(self.columns as i64) as usize, j.rem_euclid(self.rows as i64) as usize);
        self.heights[i + j * self.columns]
    }

    /// The field repeats endlessly.
    #[must_use]
    pub fn wraps(&self) -> bool {
        self.wraps
    }

    /// The box of surface and solid in the field's axes \[m\].
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let half = DVec3::new(0.5 * self.width, 0.0, 0.5 * self.depth);
        let half = if self.wraps { DVec3::new(f64::INFINITY, 0.0, f64::INFINITY) } else { half };
        Aabb::new((-half).with_y(self.lowest - self.thickness), half.with_y(self.highest))
    }

    fn spacing(&self) -> [f64; 2] {
        [self.width / (self.columns - 1) as f64, self.depth / (self.rows - 1) as f64]
    }

    /// Cells along x and z before the numbers repeat.
    fn cells(&self) -> [i64; 2] {
        let less = i64::from(!self.wraps);
        [self.columns as i64 - less, self.rows as i64 - less]
    }

    /// Sample (i, j) in space \[m\].
    fn point(&self, i: i64, j: i64) -> DVec3 {
        let [dx, dz] = self.spacing();
        // The last sample lies exactly on the border.
        let x = if i == self.columns as i64 - 1 { 0.5 * self.width } else { -0.5 * self.width + i as f64 * dx };
        let z = if j == self.rows as i64 - 1 { 0.5 * self.depth } else { -0.5 * self.depth + j as f64 * dz };
        DVec3::new(x, self.height(i, j), z)
    }

    /// Whether sample (i, j) exists.
    fn has(&self, i: i64, j: i64) -> bool {
        self.wraps || (0..self.columns as i64).contains(&i) && (0..self.rows as i64).contains(&j)
    }

    /// Samples of a triangle's corners.
    fn corners(i: i64, j: i64, second: bool) -> [[i64; 2]; 3] {
        if second { [[i + 1, j + 1], [i + 1, j], [i, j + 1]] } else { [[i, j], [i, j + 1], [i + 1, j]] }
    }

    fn triangle_at(&self, i: i64, j: i64, second: bool) -> Triangle {
        let [nx, nz] = self.cells();
        let index = 2 * (i.rem_euclid(nx) + j.rem_euclid(nz) * nx) + i64::from(second);
        Triangle::new(index as u32, Self::corners(i, j, second).map(|[i, j]| self.point(i, j)))
    }

    /// One triangle of the field's own cells; `None` if there is none of this number.
    #[must_use]
    pub fn triangle(&self, index: u32) -> Option<Triangle> {
        let [nx, nz] = self.cells();
        let cell = i64::from(index / 2);
        (cell < nx * nz).then(|| self.triangle_at(cell % nx, cell / nx, index % 2 == 1))
    }

    /// First and last cell that a range touches, inside the field.
    fn range(&self, axis: usize, low: f64, high: f64) -> [i64; 2] {
        let (extent, spacing, cells) = (self.extent()[axis], self.spacing()[axis], self.cells()[axis]);
        // Touch counts: a bound on a line of samples takes the cells on both sides.
        let slack = 1e-9;
        let cell = |x: f64| ((x + 0.5 * extent) / spacing).clamp(-1e15, 1e15);
        let range = [(cell(low) - slack).floor() as i64, (cell(high) + slack).floor() as i64];
        if self.wraps { range } else { [range[0].max(0), range[1].min(cells - 1)] }
    }

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
                    let (column, row) = (i.rem_euclid(self.columns as i64), j.rem_euclid(self.rows as i64));
                    visit((column + row * self.columns as i64) as u32, p);
                }
            }
        });
    }

    /// Calls `visit` with the ends of the edges at a corner of a triangle in space.
    pub(crate) fn ring(&self, corner: DVec3, mut visit: impl FnMut(DVec3)) {
        let [i, j] = self.sample_at(corner);
        for [di, dj] in [[1, 0], [-1, 0], [0, 1], [0, -1], [1, -1], [-1, 1]] {
            if self.has(i + di, j + dj) {
                visit(self.point(i + di, j + dj));
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

    pub(crate) fn support(&self, direction: DVec3) -> DVec3 {
        let mut best = (f64::NEG_INFINITY, DVec3::ZERO);
        for j in 0..self.rows as i64 {
            for i in 0..self.columns as i64 {
                let p = self.point(i, j);
                let height = p.dot(direction);
                if height > best.0 {
                    best = (height, p);
                }
            }
        }
        if direction.y < 0.0 { best.1.with_y(self.lowest - self.thickness) } else { best.1 }
    }

    /// Volume of the solid \[m³\]; infinite for an endless field.
    pub(crate) fn volume(&self) -> f64 {
        if self.wraps {
            return f64::INFINITY;
        }
        let [dx, dz] = self.spacing();
        let [nx, nz] = self.cells();
        let bottom = self.lowest - self.thickness;
        let cells = (0..nz).flat_map(|j| (0..nx).map(move |i| (i, j)));
        let columns = cells.flat_map(|(i, j)| [false, true].map(|second| Self::corners(i, j, second)));
        columns.map(|c| c.map(|[i, j]| self.height(i, j) - bottom).iter().sum::<f64>() * dx * dz / 6.0).sum()
    }

    /// Signed distance of the surface, negative below; beside the field the plain distance of its border.
    pub(crate) fn surface(&self, point: DVec3) -> Surface {
        // A bound on the distance: that of the point of the surface over or under the nearest place of the field.
        let half = [0.5 * self.width, 0.5 * self.depth];
        let (x, z) = if self.wraps {
            (point.x, point.z)
        } else {
            (point.x.clamp(-half[0], half[0]), point.z.clamp(-half[1], half[1]))
        };
        let under = DVec3::new(x, self.height_at(x, z).unwrap_or(self.highest), z);
        let is_below = point.y < under.y && (x, z) == (point.x, point.z);
        let mut best = (f64::INFINITY, DVec3::Y, point - DVec3::Y);
        let reach = DVec3::splat((point - under).length() * (1.0 + 1e-9));
        // Solid under the surface belongs to the box's column, so only the sides bound the search.
        let search = Aabb::new((point - reach).with_y(f64::NEG_INFINITY), (point + reach).with_y(f64::INFINITY));
        self.candidates(&search, |t| {
            let q = t.nearest(point).point;
            let square = (point - q).length_squared();
            if square < best.0 {
                best = (square, t.normal, q);
            }
        });
        let sign = if is_below { -1.0 } else { 1.0 };
        let off = (point - best.2) * sign;
        Surface { distance: sign * best.0.sqrt(), normal: off.normalize_or(best.1) }
    }

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
        if !(start <= end) {
            return;
        }
        // From line to line of samples along x, and the cells along z between them (then a ray along x is one row).
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
                    let is_known =
                        (last[0][0]..=last[0][1]).contains(&i) && (last[1][0]..=last[1][1]).contains(&j);
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
