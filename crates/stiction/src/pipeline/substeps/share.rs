//! Contacts between the same two bodies, or trees of bodies, share a load by equal compliance.
//!
//! With one compliance for all, the impulses are those of least norm: equal feet carry equal loads, and nothing wanders between them.

use super::bodies::SubstepBodies;
use super::manifolds::Manifolds;
use super::trees::SubstepTrees;
use crate::solvers::soft::Bundle;

/// Memory of the search.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    /// Bodies or trees of a manifold, its bundle and its lane.
    entries: Vec<([u32; 2], u32, u32)>,
}

impl Shares {
    /// Gives the manifolds between the same two bodies or trees the compliance of the mean of all their diagonals. Everything that
    /// nothing moves is one.
    pub(super) fn even_out<const W: usize>(
        &mut self,
        bundles: &mut [Bundle<W>],
        manifolds: &Manifolds,
        (bodies, trees): (&SubstepBodies, &SubstepTrees),
        softness: f64,
    ) {
        self.entries.clear();
        for (number, bundle) in bundles.iter().enumerate() {
            for (lane, manifold) in bundle.manifolds.iter().enumerate() {
                if let Some(patch) = manifolds.patches.get(*manifold as usize) {
                    let [a, b] = patch.bodies.map(|place| trees.group_of(place, bodies));
                    self.entries.push(([a.min(b), a.max(b)], number as u32, lane as u32));
                }
            }
        }
        self.entries.sort_unstable();
        for group in self.entries.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
            let eases = group.iter().map(|(_, bundle, lane)| bundles[*bundle as usize].ease(*lane as usize));
            let (sum, count) = eases.fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
            for (_, bundle, lane) in group {
                bundles[*bundle as usize].soften(*lane as usize, softness * count / sum);
            }
        }
    }
}
