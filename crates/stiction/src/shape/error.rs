//! Errors in shapes.

use crate::math::Decimal;

/// Why a shape was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A length is outside its range.
    #[error("{quantity} is {}; expected {expected}", Decimal(*found))]
    Value {
        /// Which quantity, with its unit.
        quantity: &'static str,
        /// The value given.
        found: f64,
        /// The range.
        expected: &'static str,
    },
    /// A hull needs four points.
    #[error("{found} points for a convex hull; expected at least 4")]
    TooFewPoints {
        /// How many were given.
        found: usize,
    },
    /// A hull's point is NaN or infinite.
    #[error("point {index} of the convex hull is not finite")]
    PointNotFinite {
        /// Its index.
        index: usize,
    },
    /// All points of a hull lie in one plane.
    #[error("the points of the convex hull lie in one plane; expected points that enclose a volume")]
    Flat,
    /// A mesh needs a triangle.
    #[error("the mesh has no triangles; expected at least 1")]
    NoTriangles,
    /// A vertex of a mesh is NaN or infinite.
    #[error("vertex {index} of the mesh is not finite")]
    VertexNotFinite {
        /// Its index.
        index: usize,
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} of the mesh names vertex {index}; expected one below {vertices}")]
    VertexIndex {
        /// Number of the triangle.
        triangle: usize,
        /// The vertex named.
        index: u32,
        /// How many there are.
        vertices: usize,
    },
    /// A mesh that deforms keeps its vertices.
    #[error("{found} vertices for a mesh of {expected}")]
    VertexCount {
        /// How many were given.
        found: usize,
        /// How many the mesh has.
        expected: usize,
    },
    /// The samples of a heightfield make no grid.
    #[error("{found} heights for {columns} columns and {rows} rows; expected columns × rows heights, at least 2 × 2")]
    Samples {
        /// Samples along x.
        columns: usize,
        /// Samples along z.
        rows: usize,
        /// Heights given.
        found: usize,
    },
    /// A height of a heightfield is NaN or infinite.
    #[error("height {index} of the heightfield is not finite")]
    HeightNotFinite {
        /// Its index.
        index: usize,
    },
}

pub(super) fn positive(quantity: &'static str, found: f64) -> Result<f64, ShapeError> {
    if found.is_finite() && found > 0.0 {
        Ok(found)
    } else {
        Err(ShapeError::Value { quantity, found, expected: "a finite number above 0" })
    }
}

pub(super) fn finite(quantity: &'static str, found: f64) -> Result<f64, ShapeError> {
    if found.is_finite() { Ok(found) } else { Err(ShapeError::Value { quantity, found, expected: "a finite number" }) }
}
