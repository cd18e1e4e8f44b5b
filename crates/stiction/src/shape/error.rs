//! What a shape may not be.

/// Why a shape was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A length is outside its range.
    #[error("{quantity} is {found}; expected {expected}")]
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
