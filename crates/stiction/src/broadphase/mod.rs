//! Broad phase: which bounding boxes touch.
//!
//! ```
//! use stiction::broadphase::{BroadPhaseKind, Proxy};
//! use stiction::math::DVec3;
//! use stiction::shape::Aabb;
//!
//! let boxes = [0.0, 0.8, 5.0].map(|x| Aabb::new(DVec3::new(x, 0.0, 0.0), DVec3::new(x + 1.0, 1.0, 1.0)));
//! let proxy = |(body, aabb)| Proxy { aabb, category: 1, collide: 1, body };
//! let proxies: Vec<Proxy> = (0..).zip(boxes).map(proxy).collect();
//! let mut pairs = Vec::new();
//! BroadPhaseKind::Bvh.build().find_pairs(&proxies, &mut pairs);
//! assert_eq!(pairs, [(0, 1)]);
//! ```

mod brute;
mod bvh;
mod hash;
mod sweep;
mod tree;

pub use brute::Brute;
pub use bvh::Bvh;
pub use hash::Hash;
pub use sweep::Sweep;

use crate::shape::Aabb;

/// One shape as the broad phase sees it. The slot in the slice is its identity from call to call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proxy {
    /// World bounds \[m\]; an empty box is a removed slot, which never pairs.
    pub aabb: Aabb,
    /// Bits of what the shape is.
    pub category: u64,
    /// Bits of what it collides with.
    pub collide: u64,
    /// The body it belongs to, or [`Proxy::STATIC`].
    pub body: u32,
}

impl Proxy {
    /// The body of shapes that belong to none.
    pub const STATIC: u32 = u32::MAX;

    /// Different bodies, not both static, and at least one collides with the other's category.
    #[inline]
    fn filter_passes(&self, other: &Self) -> bool {
        self.body != other.body && (self.category & other.collide != 0 || other.category & self.collide != 0)
    }

    /// The pair is to be reported. Neither box may be empty.
    #[inline]
    pub(crate) fn pairs_with(&self, other: &Self) -> bool {
        self.aabb.intersects(&other.aabb) && self.filter_passes(other)
    }
}

/// Finds pairs of touching boxes.
pub trait BroadPhase: Send {
    /// Writes the pairs of slots `(i, j)`, `i < j`, in order and without repetition, whose boxes touch, whose bodies
    /// differ (two static shapes count as one body), and of which at least one collides with the other's category.
    ///
    /// Slots keep their meaning from call to call; there may be more or fewer than before.
    fn find_pairs(&mut self, proxies: &[Proxy], pairs: &mut Vec<(u32, u32)>);

    /// Short name of the method.
    fn name(&self) -> &'static str;
}

/// The methods by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BroadPhaseKind {
    /// Every box against every other.
    Simple,
    /// Grids of several cell sizes.
    Hash,
    /// Sort along one axis.
    Sweep,
    /// Tree of boxes.
    #[default]
    Bvh,
}

impl BroadPhaseKind {
    /// A new, empty structure.
    #[must_use]
    pub fn build(self) -> Box<dyn BroadPhase> {
        match self {
            Self::Simple => Box::new(Brute),
            Self::Hash => Box::new(Hash::default()),
            Self::Sweep => Box::new(Sweep::default()),
            Self::Bvh => Box::new(Bvh::default()),
        }
    }
}

/// Pairs of the boxes without end, which no grid or order holds, with all others. `large` is in ascending order.
fn pair_large(proxies: &[Proxy], large: &[u32], pairs: &mut Vec<(u32, u32)>) {
    for &i in large {
        let a = &proxies[i as usize];
        for (j, b) in proxies.iter().enumerate() {
            let j = j as u32;
            // Two large boxes are met once, by the lower.
            let met = j == i || (j < i && large.binary_search(&j).is_ok());
            if !met && !b.aabb.is_empty() && a.pairs_with(b) {
                pairs.push((i.min(j), i.max(j)));
            }
        }
    }
}

#[cfg(test)]
mod tests;
