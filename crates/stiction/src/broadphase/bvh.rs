//! Tree of fattened boxes with a list of pairs that is kept between calls.

use super::{
    BroadPhase, Brute, Proxy,
    tree::{NONE, Tree},
};
use crate::shape::Aabb;

/// Boxes grown by a part of their size lie in a tree. A box that stays within its fat one costs a comparison; only
/// the others are put in anew and searched for. Touching fat boxes are kept as a sorted list, from which each call
/// reads the pairs whose true boxes touch.
#[derive(Clone, Debug, Default)]
pub struct Bvh {
    tree: Tree,
    leaves: Vec<Leaf>,
    /// Slots without end, which would make every box above them infinite.
    large: Vec<u32>,
    changed: Vec<u32>,
    near: Vec<(u32, u32)>,
    /// Those that have come in a call.
    found: Vec<(u32, u32)>,
}

#[derive(Clone, Debug)]
struct Leaf {
    /// The proxy when it was put in, with the fat box; empty if absent.
    proxy: Proxy,
    /// Its place in the tree.
    node: u32,
    changed: bool,
}

/// So few boxes are faster tested one by one than kept in a tree: 28 comparisons cost less than one box put in anew.
const FEW: usize = 8;

/// Growth on every side in parts of the largest side.
const FATTENING: f64 = 0.1;

impl Leaf {
    const ABSENT: Self = Self {
        proxy: Proxy { aabb: Aabb::EMPTY, category: 0, collide: 0, body: Proxy::STATIC },
        node: NONE,
        changed: false,
    };

    fn is_present(&self) -> bool {
        !self.proxy.aabb.is_empty()
    }

    /// The proxy is still what the leaf stands for.
    fn holds(&self, proxy: &Proxy) -> bool {
        let old = &self.proxy;
        let bounds = if self.node == NONE {
            old.aabb == proxy.aabb
        } else {
            // An empty box lies inside of everything.
            old.aabb.contains(&proxy.aabb) && !proxy.aabb.is_empty()
        };
        bounds && old.body == proxy.body && old.category == proxy.category && old.collide == proxy.collide
    }
}

impl BroadPhase for Bvh {
    fn find_pairs(&mut self, proxies: &[Proxy], pairs: &mut Vec<(u32, u32)>) {
        if proxies.len() <= FEW {
            return Brute.find_pairs(proxies, pairs);
        }
        self.update(proxies);
        if !self.changed.is_empty() {
            self.renew_near();
        }
        pairs.clear();
        let touching = |&&(i, j): &&(u32, u32)| proxies[i as usize].aabb.intersects(&proxies[j as usize].aabb);
        pairs.extend(self.near.iter().filter(touching));
    }

    fn name(&self) -> &'static str {
        "bvh"
    }
}

/// Merges sorted pairs into sorted ones, from the back.
fn merge(pairs: &mut Vec<(u32, u32)>, found: &[(u32, u32)]) {
    let (mut left, mut found) = (pairs.len(), found);
    pairs.extend_from_slice(found);
    while let [before @ .., last] = found {
        let to = left + before.len();
        if left > 0 && pairs[left - 1] > *last {
            left -= 1;
            pairs[to] = pairs[left];
        } else {
            pairs[to] = *last;
            found = before;
        }
    }
}

impl Bvh {
    /// Puts in anew what changed.
    fn update(&mut self, proxies: &[Proxy]) {
        self.changed.clear();
        if self.leaves.len() > proxies.len() {
            for i in proxies.len()..self.leaves.len() {
                self.take_out(i);
            }
            self.leaves.truncate(proxies.len());
            let count = proxies.len() as u32;
            self.near.retain(|pair| pair.1 < count);
        }
        self.leaves.resize(proxies.len(), Leaf::ABSENT);
        for (i, proxy) in proxies.iter().enumerate() {
            let gone = proxy.aabb.is_empty();
            if self.leaves[i].holds(proxy) || (gone && !self.leaves[i].is_present()) {
                continue;
            }
            self.take_out(i);
            self.leaves[i].changed = true;
            self.changed.push(i as u32);
            if !gone {
                self.put_in(i, proxy);
            }
        }
    }

    fn take_out(&mut self, i: usize) {
        if self.leaves[i].node != NONE {
            self.tree.remove(self.leaves[i].node);
        } else if self.leaves[i].is_present() {
            self.large.retain(|&l| l as usize != i);
        }
        self.leaves[i] = Leaf::ABSENT;
    }

    fn put_in(&mut self, i: usize, proxy: &Proxy) {
        let leaf = &mut self.leaves[i];
        leaf.proxy = *proxy;
        let fat = proxy.aabb.expanded(FATTENING * proxy.aabb.size().max_element());
        if proxy.aabb.is_finite() && fat.is_finite() {
            leaf.proxy.aabb = fat;
            leaf.node = self.tree.insert(fat, i as u32);
        } else {
            self.large.push(i as u32);
        }
    }

    /// Drops the pairs of changed slots and searches for their new ones.
    fn renew_near(&mut self) {
        let Self { tree, leaves, large, changed, near, found } = self;
        found.clear();
        near.retain(|&(i, j)| !leaves[i as usize].changed && !leaves[j as usize].changed);
        for &i in changed.iter() {
            let leaf = &leaves[i as usize];
            if !leaf.is_present() {
                continue;
            }
            let mut meet = |j: u32| {
                let other = &leaves[j as usize];
                // Two changed slots find each other twice.
                let twice = j == i || (other.changed && j < i);
                if !twice && other.is_present() && leaf.proxy.pairs_with(&other.proxy) {
                    found.push((i.min(j), i.max(j)));
                }
            };
            if leaf.node == NONE {
                (0..leaves.len() as u32).for_each(meet);
            } else {
                tree.query(&leaf.proxy.aabb, &mut meet);
                large.iter().copied().for_each(meet);
            }
        }
        found.sort_unstable();
        merge(near, found);
        for &i in changed.iter() {
            leaves[i as usize].changed = false;
        }
    }
}
