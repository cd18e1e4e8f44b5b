//! Elimination order of an island and what its factor looks like.
//!
//! Nodes are groups of six coordinates (a free body is one, a larger clique several). Rows connect nodes; the factor has
//! a block wherever elimination connects two. Minimum degree, ties by index: a tree is eliminated leaf to root without
//! fill, a tower or a chain end to end. The order depends on the pairs only and is kept while they stay.

use std::collections::BTreeSet;

/// No node: the other side of a row on one node.
pub(in crate::solvers) const NONE: u32 = u32::MAX;

/// Connections of an island as they come: pairs of rows in a run, and the nodes of wide rows.
#[derive(Clone, Debug, Default)]
pub(in crate::solvers) struct Connections {
    /// Number of nodes.
    pub nodes: u32,
    /// Pairs, [`NONE`] for one node alone.
    pub pairs: Vec<[u32; 2]>,
    /// Nodes of rows with more than two, one row after the other.
    pub wide: Vec<u32>,
    /// Where the nodes of each wide row end in `wide`.
    pub wide_ends: Vec<u32>,
}

impl Connections {
    /// Forgets all and keeps the memory.
    pub fn clear(&mut self) {
        self.nodes = 0;
        self.pairs.clear();
        self.wide.clear();
        self.wide_ends.clear();
    }

    /// Fowler-Noll-Vo, to find a kept pattern without comparing all.
    fn hash(&self) -> u64 {
        let words = self.pairs.iter().flatten().chain(&self.wide).chain(&self.wide_ends);
        words.fold(0xcbf2_9ce4_8422_2325 ^ u64::from(self.nodes), |h, w| {
            (h ^ u64::from(*w)).wrapping_mul(0x0100_0000_01b3)
        })
    }

    /// The same connections. Most islands are small, and a call to compare memory costs more than its few words.
    fn is(&self, other: &Self) -> bool {
        let is_same = |a: &[u32], b: &[u32]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b);
        self.nodes == other.nodes
            && is_same(self.pairs.as_flattened(), other.pairs.as_flattened())
            && is_same(&self.wide, &other.wide)
            && is_same(&self.wide_ends, &other.wide_ends)
    }

    fn neighbours(&self) -> Vec<BTreeSet<u32>> {
        let mut next = vec![BTreeSet::new(); self.nodes as usize];
        let mut connect = |a: u32, b: u32| {
            if a != b && a != NONE && b != NONE {
                next[a as usize].insert(b);
                next[b as usize].insert(a);
            }
        };
        for [a, b] in &self.pairs {
            connect(*a, *b);
        }
        let mut first = 0;
        for end in &self.wide_ends {
            let nodes = &self.wide[first..*end as usize];
            for (k, a) in nodes.iter().enumerate() {
                for b in &nodes[k + 1..] {
                    connect(*a, *b);
                }
            }
            first = *end as usize;
        }
        next
    }
}

/// Shape of the factor of an island.
#[derive(Clone, Debug, Default)]
pub(in crate::solvers) struct Pattern {
    connections: Connections,
    last_use: u64,
    /// Place of each node in the order.
    pub place: Vec<u32>,
    /// First block below the diagonal of each column, and the end.
    pub starts: Vec<u32>,
    /// Row of each block.
    pub rows: Vec<u32>,
    /// Blocks that each column changes, in the order of the factorisation.
    pub targets: Vec<u32>,
    /// Block of each pair of [`Connections::pairs`]; [`NONE`] if it has one node.
    pub slots: Vec<u32>,
    /// Multiply-adds of a factorisation and two solves.
    pub cost: f64,
    /// The order was not finished, since it became too expensive.
    pub is_cut: bool,
}

impl Pattern {
    fn new(connections: &Connections, limit: f64) -> Self {
        let n = connections.nodes as usize;
        let mut pattern = Self { connections: connections.clone(), place: vec![0; n], ..Self::default() };
        let columns = pattern.eliminate(limit);
        if pattern.is_cut {
            return pattern;
        }
        pattern.starts.push(0);
        for column in &columns {
            pattern.rows.extend_from_slice(column);
            pattern.starts.push(pattern.rows.len() as u32);
        }
        for column in &columns {
            for (k, low) in column.iter().enumerate() {
                for high in &column[k + 1..] {
                    let slot = pattern.slot(*high, *low);
                    pattern.targets.push(slot);
                }
            }
        }
        for [a, b] in &connections.pairs {
            let slot = if *a == NONE || *b == NONE {
                NONE
            } else {
                pattern.slot(pattern.place[*a as usize], pattern.place[*b as usize])
            };
            pattern.slots.push(slot);
        }
        pattern
    }

    /// Minimum degree; returns the rows of each column in the new order.
    fn eliminate(&mut self, limit: f64) -> Vec<Vec<u32>> {
        let mut next = self.connections.neighbours();
        let mut queue: BTreeSet<(usize, u32)> = next.iter().enumerate().map(|(i, s)| (s.len(), i as u32)).collect();
        let mut columns = Vec::with_capacity(next.len());
        while let Some((degree, node)) = queue.pop_first() {
            // Per column: the diagonal, `degree` blocks of L, their products, and their part in two solves.
            self.cost += 108.0 + degree as f64 * (126.0 + 144.0) + (degree * degree) as f64 * 108.0;
            if self.cost > limit {
                self.is_cut = true;
                return Vec::new();
            }
            self.place[node as usize] = columns.len() as u32;
            let around: Vec<u32> = std::mem::take(&mut next[node as usize]).into_iter().collect();
            for a in &around {
                let set = &mut next[*a as usize];
                queue.remove(&(set.len(), *a));
                set.remove(&node);
                set.extend(around.iter().filter(|b| *b != a));
                queue.insert((set.len(), *a));
            }
            columns.push(around);
        }
        for column in &mut columns {
            for node in column.iter_mut() {
                *node = self.place[*node as usize];
            }
            column.sort_unstable();
        }
        columns
    }

    /// Block of two different places; every pair that is asked for has one.
    fn slot(&self, a: u32, b: u32) -> u32 {
        let (low, high) = (a.min(b) as usize, a.max(b));
        let first = self.starts[low] as usize;
        let column = &self.rows[first..self.starts[low + 1] as usize];
        (first + column.partition_point(|r| *r < high)) as u32
    }
}

/// Kept patterns, the least recently used thrown away.
#[derive(Clone, Debug, Default)]
pub(in crate::solvers) struct Patterns {
    /// Beside each other, since the search runs over them.
    hashes: Vec<u64>,
    kept: Vec<Pattern>,
    uses: u64,
}

/// Patterns that are kept.
const KEPT: usize = 1024;

impl Patterns {
    /// Pattern of these connections; `limit` ends the search for an order that costs more.
    pub fn of(&mut self, connections: &Connections, limit: f64) -> &Pattern {
        self.uses += 1;
        let hash = connections.hash();
        let found = (0..self.kept.len()).find(|i| self.hashes[*i] == hash && self.kept[*i].connections.is(connections));
        let index = match found {
            Some(i) if !self.kept[i].is_cut || self.kept[i].cost > limit => i,
            Some(i) => {
                self.kept[i] = Pattern::new(connections, limit);
                i
            }
            None if self.kept.len() < KEPT => {
                self.hashes.push(hash);
                self.kept.push(Pattern::new(connections, limit));
                self.kept.len() - 1
            }
            None => {
                let oldest = (0..KEPT).min_by_key(|i| self.kept[*i].last_use).unwrap_or(0);
                self.hashes[oldest] = hash;
                self.kept[oldest] = Pattern::new(connections, limit);
                oldest
            }
        };
        self.kept[index].last_use = self.uses;
        &self.kept[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(n: u32) -> Connections {
        Connections {
            nodes: n,
            pairs: (0..n).map(|i| [i, if i == 0 { NONE } else { i - 1 }]).collect(),
            ..Connections::default()
        }
    }

    #[test]
    fn a_chain_has_no_fill() {
        let p = Pattern::new(&chain(100), f64::INFINITY);
        assert_eq!(p.rows.len(), 99);
        assert!(p.targets.is_empty());
    }

    #[test]
    fn a_ring_has_one_block_more_per_node() {
        let mut ring = chain(20);
        ring.pairs[0] = [0, 19];
        let p = Pattern::new(&ring, f64::INFINITY);
        assert_eq!(p.rows.len(), 2 * 20 - 3);
    }

    #[test]
    fn a_wide_row_connects_all_its_nodes() {
        let c = Connections { nodes: 4, pairs: vec![], wide: vec![0, 1, 2, 3], wide_ends: vec![4] };
        assert_eq!(Pattern::new(&c, f64::INFINITY).rows.len(), 6);
    }

    #[test]
    fn an_expensive_order_is_cut_and_finished_when_asked() {
        let mut kept = Patterns::default();
        assert!(kept.of(&chain(100), 1000.0).is_cut);
        assert!(!kept.of(&chain(100), f64::INFINITY).is_cut);
    }
}
