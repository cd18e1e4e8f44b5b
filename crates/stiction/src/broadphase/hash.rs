//! Grids of cell sizes in powers of two, as sorted lists of cells.

use super::{BroadPhase, Proxy, pair_large};
use crate::shape::Aabb;

/// Each box lies in the grid whose cells are just larger than it, in at most eight cells, and is looked up in the
/// coarser grids. Cells are sorted by a mixed key; two cells of one key cost tests, not pairs.
#[derive(Clone, Debug)]
pub struct Hash {
    /// Least and greatest level in use.
    range: [i32; 2],
    /// Key of a cell and a box in it.
    cells: Vec<(u64, u32)>,
    /// Level of each slot, or none.
    levels: Vec<Option<i32>>,
    occupied: Vec<i32>,
    large: Vec<u32>,
}

/// The cell size of a level is `2^level` \[m\]; boxes below the least share its cells.
const LEAST_LEVEL: i32 = -20;

impl Default for Hash {
    fn default() -> Self {
        Self::with_levels(LEAST_LEVEL, i32::MAX)
    }
}

impl Hash {
    /// With cells of `2^least` to `2^greatest` \[m\]. Smaller boxes lie in the least cells; larger ones are tested
    /// against all others.
    #[must_use]
    pub fn with_levels(least: i32, greatest: i32) -> Self {
        Self {
            range: [least.max(-MOST_LEVEL), greatest],
            cells: Vec::new(),
            levels: Vec::new(),
            occupied: Vec::new(),
            large: Vec::new(),
        }
    }
}

/// Powers of two beyond this are no numbers any more.
const MOST_LEVEL: i32 = 1000;

impl BroadPhase for Hash {
    fn find_pairs(&mut self, proxies: &[Proxy], pairs: &mut Vec<(u32, u32)>) {
        pairs.clear();
        self.fill(proxies);
        // Boxes of one level meet in a common cell.
        for run in self.cells.chunk_by(|a, b| a.0 == b.0) {
            for (k, &(_, i)) in run.iter().enumerate() {
                for &(_, j) in &run[k + 1..] {
                    if i != j && proxies[i as usize].pairs_with(&proxies[j as usize]) {
                        pairs.push((i.min(j), i.max(j)));
                    }
                }
            }
        }
        // Boxes of a finer level look into the cells of the coarser ones.
        for (i, a) in proxies.iter().enumerate() {
            let Some(own) = self.levels[i] else { continue };
            let i = i as u32;
            for &level in self.occupied.iter().filter(|&&level| level > own) {
                for_each_cell(&a.aabb, level, |key| {
                    let start = self.cells.partition_point(|c| c.0 < key);
                    for &(_, j) in self.cells[start..].iter().take_while(|c| c.0 == key) {
                        if i != j && a.pairs_with(&proxies[j as usize]) {
                            pairs.push((i.min(j), i.max(j)));
                        }
                    }
                });
            }
        }
        pair_large(proxies, &self.large, pairs);
        pairs.sort_unstable();
        pairs.dedup();
    }

    fn name(&self) -> &'static str {
        "hash"
    }
}

impl Hash {
    fn fill(&mut self, proxies: &[Proxy]) {
        self.cells.clear();
        self.levels.clear();
        self.occupied.clear();
        self.large.clear();
        for (i, p) in proxies.iter().enumerate() {
            let level = level_of(p.aabb.size().max_element()).max(self.range[0]);
            if p.aabb.is_empty() || !p.aabb.is_finite() || level > self.range[1] {
                self.levels.push(None);
                if !p.aabb.is_empty() {
                    self.large.push(i as u32);
                }
                continue;
            }
            self.levels.push(Some(level));
            if let Err(place) = self.occupied.binary_search(&level) {
                self.occupied.insert(place, level);
            }
            for_each_cell(&p.aabb, level, |key| self.cells.push((key, i as u32)));
        }
        self.cells.sort_unstable();
    }
}

/// The least level whose cells are larger than the box.
fn level_of(size: f64) -> i32 {
    // 2^(e-1) <= size < 2^e
    let (_, exponent) = libm::frexp(size);
    if size > 0.0 { exponent } else { i32::MIN }
}

/// Keys of the at most eight cells that a box no larger than a cell touches.
fn for_each_cell(aabb: &Aabb, level: i32, mut each: impl FnMut(u64)) {
    let scale = libm::ldexp(1.0, -level);
    // Beyond the integers the cast saturates: far cells coincide, which costs tests only.
    let low = (aabb.min * scale).floor().to_array().map(|x| x as i64);
    let high = (aabb.max * scale).floor().to_array().map(|x| x as i64);
    for x in low[0]..=high[0] {
        for y in low[1]..=high[1] {
            for z in low[2]..=high[2] {
                each(mixed([i64::from(level), x, y, z]));
            }
        }
    }
}

/// Multiply and fold, so that neighbours spread over all bits.
fn mixed(parts: [i64; 4]) -> u64 {
    parts.iter().fold(0x9e37_79b9_7f4a_7c15, |h: u64, &part| {
        let product = u128::from(h ^ part as u64) * 0xd6e8_feb8_6659_fd93;
        (product >> 64) as u64 ^ product as u64 ^ h.rotate_left(23)
    })
}
