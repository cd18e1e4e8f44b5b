//! Quadtree: blocks in x and y, each divided into four.
//!
//! A box lies in the smallest block that holds it whole; it can only meet boxes of its own block and of those above.
//! Only blocks in use take memory: they are a sorted list.

use crate::broadphase::{BroadPhase, Proxy};
use glam::DVec3;

/// Level of a block, and its place in x and y among those of the level.
type Block = (u32, [u64; 2]);

/// The broad phase of a quadtree space.
#[derive(Clone, Debug)]
pub struct QuadTree {
    least: DVec3,
    extents: DVec3,
    depth: u32,
    /// Blocks and the boxes in them.
    blocks: Vec<(Block, u32)>,
}

impl QuadTree {
    /// Most divisions.
    pub const MOST_DEPTH: u32 = 30;

    /// With a root block about `center` with the side lengths `extents` \[m\], divided `depth` times.
    #[must_use]
    pub fn new(center: DVec3, extents: DVec3, depth: u32) -> Self {
        let depth = depth.min(Self::MOST_DEPTH);
        Self { least: center - 0.5 * extents, extents, depth, blocks: Vec::new() }
    }

    /// The smallest block that holds a box; the root for what it does not hold.
    fn block(&self, proxy: &Proxy) -> Block {
        let cells = (1u64 << self.depth) as f64;
        let (mut first, mut last) = ([0; 2], [0; 2]);
        for axis in 0..2 {
            let cell = |x: f64| ((x - self.least[axis]) / self.extents[axis] * cells).floor();
            let (low, high) = (cell(proxy.aabb.min[axis]), cell(proxy.aabb.max[axis]));
            if !(low >= 0.0 && high < cells) {
                return (0, [0; 2]);
            }
            (first[axis], last[axis]) = (low as u64, high as u64);
        }
        // The levels at which both corners are still in one block share their leading bits.
        let differing = (first[0] ^ last[0]) | (first[1] ^ last[1]);
        let up = u64::BITS - differing.leading_zeros();
        (self.depth - up, first.map(|cell| cell >> up))
    }
}

impl BroadPhase for QuadTree {
    fn find_pairs(&mut self, proxies: &[Proxy], pairs: &mut Vec<(u32, u32)>) {
        pairs.clear();
        self.blocks.clear();
        for (slot, proxy) in proxies.iter().enumerate().filter(|(_, p)| !p.aabb.is_empty()) {
            let block = self.block(proxy);
            self.blocks.push((block, slot as u32));
        }
        self.blocks.sort_unstable();
        let mut test = |i: u32, j: u32| {
            if proxies[i as usize].pairs_with(&proxies[j as usize]) {
                pairs.push((i.min(j), i.max(j)));
            }
        };
        for run in self.blocks.chunk_by(|a, b| a.0 == b.0) {
            for (k, &(_, i)) in run.iter().enumerate() {
                run[k + 1..].iter().for_each(|&(_, j)| test(i, j));
            }
            let (level, place) = run[0].0;
            for up in 1..=level {
                let block = (level - up, place.map(|p| p >> up));
                let start = self.blocks.partition_point(|(b, _)| *b < block);
                let end = self.blocks.partition_point(|(b, _)| *b <= block);
                for &(_, j) in &self.blocks[start..end] {
                    run.iter().for_each(|&(_, i)| test(i, j));
                }
            }
        }
        pairs.sort_unstable();
    }

    fn name(&self) -> &'static str {
        "quadtree"
    }
}
