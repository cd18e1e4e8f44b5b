//! Every box against every other: the reference for the others.

use super::{BroadPhase, Proxy};

/// Tests all n (n - 1) / 2 pairs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Brute;

impl BroadPhase for Brute {
    fn find_pairs(&mut self, proxies: &[Proxy], pairs: &mut Vec<(u32, u32)>) {
        pairs.clear();
        for (i, a) in proxies.iter().enumerate() {
            if a.aabb.is_empty() {
                continue;
            }
            for (j, b) in proxies.iter().enumerate().skip(i + 1) {
                if a.pairs_with(b) && !b.aabb.is_empty() {
                    pairs.push((i as u32, j as u32));
                }
            }
        }
    }

    fn name(&self) -> &'static str {
        "simple"
    }
}
