//! Parts of a file that the world of an engine does not have.

use crate::diagnostic::Diagnostic;
use crate::simulation::{LeftOut, Simulation};

/// A warning for each, at its place.
#[must_use]
pub fn left_out(made: &Simulation) -> Vec<Diagnostic> {
    let told = |part: &LeftOut| Diagnostic::warning("left-out", format!("left out: {}", part.what)).at(&part.location);
    made.left_out.iter().map(told).collect()
}
