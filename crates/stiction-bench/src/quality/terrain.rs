//! Depth of a shape below a surface of triangles over a grid.
//!
//! A triangle of the surface bounds the solid from above: a point below it is deeper by the vertical distance times the cosine
//! of the slope. Along an edge of a box that distance is linear between the lines of the grid, so that its largest value is at
//! one of them or at an end. A vertex of the surface that is inside a box is as deep as the nearest face. What is round is
//! as deep as its radius exceeds the distance of its core.

use stiction::math::{DVec3, Pose};
use stiction_scenes::{HeightGrid, SceneShape};

use super::distance::Rounded;

/// A surface with its vertices at hand.
pub struct Terrain<'a> {
    grid: &'a HeightGrid,
    vertices: Vec<DVec3>,
}

impl<'a> Terrain<'a> {
    /// Of a grid.
    #[must_use]
    pub fn new(grid: &'a HeightGrid) -> Self {
        Self { grid, vertices: grid.vertices() }
    }

    /// Depth of a shape at a pose \[m\]; not above zero if it does not touch.
    #[must_use]
    pub fn depth(&self, shape: &SceneShape, pose: &Pose) -> f64 {
        let Some(rounded) = Rounded::of_shape(shape, pose) else { return f64::NEG_INFINITY };
        let (corners, ends, radius) = rounded.core();
        let along = ends.iter().flat_map(|[a, b]| self.crossings(corners[*a], corners[*b]));
        let lowest = corners.iter().copied().chain(along).map(|p| self.depth_of_point(p)).fold(f64::MIN, f64::max);
        match *shape {
            SceneShape::Box { half } => lowest.max(self.deepest_vertex(&rounded, pose, half)),
            _ if lowest > 0.0 => lowest + radius,
            _ => radius - self.gap(&rounded),
        }
    }

    /// Position over the grid, in cells.
    fn place(&self, p: DVec3) -> [f64; 2] {
        let cells = (self.grid.count - 1) as f64;
        [0, 1].map(|i| (p[i] + self.grid.half[i]) / (2.0 * self.grid.half[i]) * cells)
    }

    /// The cell at a position over the grid, the nearest one outside.
    fn cell(&self, place: [f64; 2]) -> [usize; 2] {
        place.map(|x| x.floor().clamp(0.0, (self.grid.count - 2) as f64) as usize)
    }

    /// The triangles of a cell: below its diagonal, and above.
    fn triangles(&self, [column, row]: [usize; 2]) -> [[DVec3; 3]; 2] {
        let n = self.grid.count;
        let a = row * n + column;
        [[a, a + 1, a + n + 1], [a, a + n + 1, a + n]].map(|triangle| triangle.map(|k| self.vertices[k]))
    }

    fn depth_of_point(&self, p: DVec3) -> f64 {
        let place = self.place(p);
        let cell = self.cell(place);
        let is_above = place[1] - cell[1] as f64 > place[0] - cell[0] as f64;
        let [a, b, c] = self.triangles(cell)[usize::from(is_above)];
        let normal = (b - a).cross(c - a).normalize_or(DVec3::Z);
        (a - p).dot(normal)
    }

    /// Points of a segment over the lines of the grid and the diagonals of its cells.
    fn crossings(&self, a: DVec3, b: DVec3) -> Vec<DVec3> {
        let coordinates = |p: DVec3| {
            let [u, v] = self.place(p);
            [u, v, u - v]
        };
        let (from, to) = (coordinates(a), coordinates(b));
        let mut points = Vec::new();
        for i in 0..3 {
            let (low, high) = (from[i].min(to[i]).ceil() as i64, from[i].max(to[i]).floor() as i64);
            let span = to[i] - from[i];
            if span != 0.0 {
                points.extend((low..=high).map(|line| a + (b - a) * ((line as f64 - from[i]) / span)));
            }
        }
        points
    }

    /// Cells under a shape.
    fn cells_under(&self, shape: &Rounded) -> impl Iterator<Item = [usize; 2]> + use<> {
        let [low, high] = shape.bounds().map(|p| self.cell(self.place(p)));
        (low[1]..=high[1]).flat_map(move |row| (low[0]..=high[0]).map(move |column| [column, row]))
    }

    /// Depth of the deepest vertex of the surface inside a box.
    fn deepest_vertex(&self, shape: &Rounded, pose: &Pose, half: DVec3) -> f64 {
        let corners = self.cells_under(shape).flat_map(|cell| self.triangles(cell).into_iter().flatten());
        corners.map(|p| (half - pose.inverse_point(p).abs()).min_element()).fold(f64::MIN, f64::max)
    }

    /// Distance of the core of a shape from the surface.
    fn gap(&self, shape: &Rounded) -> f64 {
        let (_, _, radius) = shape.core();
        let triangles = self.cells_under(shape).flat_map(|cell| self.triangles(cell));
        let distance = |triangle| Rounded::triangle(triangle).map_or(f64::MAX, |t| shape.distance(&t) + radius);
        triangles.map(distance).fold(f64::MAX, f64::min)
    }
}
