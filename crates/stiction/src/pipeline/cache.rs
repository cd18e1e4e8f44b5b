//! Impulses of contacts, kept from step to step for the warm start.

use glam::DVec3;

use super::detect::{ContactInput, Manifold};

/// Impulses of the last step by pair and feature, for the warm start; sorted by pair.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactCache {
    pairs: Vec<CachedPair>,
    points: Vec<CachedPoint>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct CachedPair {
    geoms: [u32; 2],
    points: [u32; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CachedPoint {
    pub(super) feature: u32,
    pub(super) normal: f64,
    pub(super) friction: DVec3,
    pub(super) stored: f64,
}

impl ContactCache {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.pairs.clear();
        self.points.clear();
    }

    /// Forgets everything about a shape.
    pub(crate) fn forget(&mut self, geom: usize) {
        self.pairs.retain(|p| !p.geoms.contains(&(geom as u32)));
    }

    /// Takes over the impulses of a step.
    pub(crate) fn fill(&mut self, manifolds: &[Manifold], contacts: &[ContactInput]) {
        self.pairs.clear();
        self.points.clear();
        for manifold in manifolds {
            let Some(geoms) = manifold.geoms else { continue };
            let start = self.points.len() as u32;
            let range = manifold.points[0] as usize..manifold.points[1] as usize;
            self.points.extend(contacts[range].iter().map(|c| CachedPoint {
                feature: c.feature,
                normal: c.warm_normal,
                friction: c.warm_friction,
                stored: c.stored,
            }));
            self.pairs.push(CachedPair { geoms, points: [start, self.points.len() as u32] });
        }
    }

    /// Impulses of a pair. `cursor` walks along while pairs are asked for in order.
    pub(super) fn find(&self, geoms: [u32; 2], cursor: &mut usize) -> &[CachedPoint] {
        if *cursor == 0 {
            *cursor = self.pairs.partition_point(|p| p.geoms < geoms);
        }
        while self.pairs.get(*cursor).is_some_and(|p| p.geoms < geoms) {
            *cursor += 1;
        }
        match self.pairs.get(*cursor) {
            Some(pair) if pair.geoms == geoms => &self.points[pair.points[0] as usize..pair.points[1] as usize],
            _ => &[],
        }
    }
}
