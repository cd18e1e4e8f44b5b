//! What walks over a space work with.

use super::grid::{Bounds, Grid};
use crate::geom::GeomId;

/// Geoms and pairs of a walk. A space keeps it, so that the next walk finds the memory, however this one ends.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub grid: Grid,
    pub geoms: Vec<GeomId>,
    pub bounds: Vec<Bounds>,
    pub pairs: Vec<(u32, u32)>,
    /// Of a hash space the geoms in no grid, of a sweep-and-prune space those without end.
    pub outside: Vec<u32>,
}
