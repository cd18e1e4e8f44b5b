//! Coordinates of everything that rows move in a step, island by island.

use crate::constraint::Clique;

/// Cliques of a step, and their velocities in `z = L v`. The problem of an island has a copy of its own part, counted from
/// zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cliques {
    /// Their spans.
    pub(crate) spans: Vec<Clique>,
    /// `L v_free`: velocities after forces, before impulses.
    pub(crate) z_free: Vec<f64>,
    /// `L v⁰`: velocities before the step.
    pub(crate) z_before: Vec<f64>,
    /// Number of cliques up to the end of each island.
    pub(crate) ends: Vec<u32>,
}

impl Cliques {
    pub(super) fn clear(&mut self) {
        self.spans.clear();
        self.z_free.clear();
        self.z_before.clear();
        self.ends.clear();
    }

    /// Adds a clique and returns its number.
    pub(super) fn push(&mut self, z_free: &[f64], z_before: &[f64]) -> u32 {
        let number = self.spans.len() as u32;
        self.spans.push(Clique { start: self.z_free.len() as u32, dofs: z_free.len() as u32 });
        self.z_free.extend_from_slice(z_free);
        self.z_before.extend_from_slice(z_before);
        number
    }

    /// First coordinate of a clique; of the number after the last one, the number of coordinates.
    pub(super) fn start(&self, clique: u32) -> usize {
        self.spans.get(clique as usize).map_or(self.z_free.len(), |span| span.start as usize)
    }
}
