//! Sorting triangles into a tree of four children a node.

use super::node::{Node, WIDTH};
use super::share::share;

/// Marks a child whose own children are triangles.
pub(super) const BOTTOM: u32 = 1 << 31;

/// Fewer triangles than this are no work for a thread of their own.
const ALONE: usize = 1 << 16;

/// A triangle to be sorted by its centre.
#[derive(Clone, Copy)]
pub(super) struct Item {
    pub center: [f32; 3],
    pub triangle: u32,
}

/// The number of nodes over so many triangles.
pub(super) fn node_count(triangles: usize) -> usize {
    if triangles <= WIDTH {
        return usize::from(triangles > 0);
    }
    let quarter = quarter(triangles);
    1 + triangles / quarter * node_count(quarter) + node_count(triangles % quarter)
}

/// Triangles of a full child: the greatest power of four below their number, so that all nodes but the last of each
/// level are full.
fn quarter(triangles: usize) -> usize {
    1 << ((triangles - 1).ilog2() & !1)
}

/// The root is a node of triangles.
pub(super) fn is_bottom(triangles: usize) -> bool {
    triangles <= WIDTH
}

/// Sorts the triangles of one node and all below it into `nodes`, the first of which has the number `first`: cut at the
/// rank that fills the children, along the longest side of the box of centres. Nodes come before their children. The
/// order is total, so that the tree does not depend on the number of threads.
pub(super) fn sort(items: &mut [Item], nodes: &mut [Node], first: u32, threads: usize) {
    let Some((node, mut rest)) = nodes.split_first_mut() else { return };
    *node = Node::EMPTY;
    if is_bottom(items.len()) {
        items.sort_unstable_by_key(|item| item.triangle);
        node.children.iter_mut().zip(items).for_each(|(child, item)| *child = item.triangle);
        return;
    }
    let quarter = quarter(items.len());
    let middle = quarter * items.len().div_ceil(quarter).div_ceil(2);
    cut(items, middle);
    let (left, right) = items.split_at_mut(middle);
    cut(left, quarter);
    cut(right, quarter);
    let mut jobs = [const { None }; WIDTH];
    let mut next = first + 1;
    for (lane, part) in items.chunks_mut(quarter).enumerate() {
        let count = node_count(part.len());
        let (own, others) = rest.split_at_mut(count);
        rest = others;
        node.children[lane] = next | if is_bottom(part.len()) { BOTTOM } else { 0 };
        jobs[lane] = Some((part, own, next));
        next += count as u32;
    }
    let jobs = jobs.into_iter().flatten();
    if threads > 1 && middle > ALONE {
        share(jobs.collect(), threads, |(part, own, number)| sort(part, own, number, threads / 2));
    } else {
        jobs.for_each(|(part, own, number)| sort(part, own, number, 1));
    }
}

/// Puts the triangles of the lowest ranks first.
fn cut(items: &mut [Item], rank: usize) {
    if rank >= items.len() {
        return;
    }
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for item in items.iter() {
        for axis in 0..3 {
            low[axis] = low[axis].min(item.center[axis]);
            high[axis] = high[axis].max(item.center[axis]);
        }
    }
    let spread = [0, 1, 2].map(|axis| high[axis] - low[axis]);
    let axis = if spread[0] >= spread[1] && spread[0] >= spread[2] {
        0
    } else if spread[1] >= spread[2] {
        1
    } else {
        2
    };
    items.select_nth_unstable_by(rank, |a, b| {
        a.center[axis].total_cmp(&b.center[axis]).then_with(|| a.triangle.cmp(&b.triangle))
    });
}
