//! Heightfield: a surface over a regular grid.

mod query;
mod ray;

use glam::DVec3;

use super::{Aabb, ShapeError, Triangle, error::positive};

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

/// Copies of an endless field that one question looks at along an axis, each counted with at least [`LEAST_CELLS`].
const MOST_COPIES: i64 = 4;
/// Cells of a copy, for small fields.
const LEAST_CELLS: i64 = 256;

impl Heightfield {
    /// The field of a definition.
    ///
    /// # Errors
    /// Fewer than two samples a row or column, a count of heights that does not fit, values that are not finite, an
    /// extent that is not positive, a negative thickness.
    pub fn new(definition: &HeightfieldDefinition) -> Result<Self, ShapeError> {
        let HeightfieldDefinition { heights, columns, rows, width, depth, scale, offset, thickness, wraps } =
            *definition;
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
        if self.wraps {
            // Boxes without end ask for every copy of an endless field: a few are all there is to see.
            [range[0], range[1].min(range[0].saturating_add(MOST_COPIES * cells.max(LEAST_CELLS)))]
        } else {
            [range[0].max(0), range[1].min(cells - 1)]
        }
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
}
