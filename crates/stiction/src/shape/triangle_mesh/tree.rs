//! Tree of boxes over the triangles of a mesh. Where vertices move, the boxes are fitted again.

use glam::{DVec3, Vec4};

use super::node::{Bounds, NONE, Node, WIDTH, up};
use super::partition::{BOTTOM, Item, is_bottom, node_count, sort};

/// Room for a walk: 2³² triangles make 16 levels, each of which leaves three children.
const STACK: usize = 52;

/// Nodes before their children.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    root: u32,
}

impl Tree {
    /// The tree over the triangles named.
    pub fn new(
        triangles: impl Iterator<Item = u32>,
        corners: &(impl Fn(u32) -> [DVec3; 3] + Sync),
        threads: usize,
    ) -> Self {
        let mut items: Vec<Item> = triangles
            .map(|triangle| {
                let [a, b, c] = corners(triangle);
                let center = (a.min(b).min(c) * 0.5 + a.max(b).max(c) * 0.5).to_array().map(|x| x as f32);
                Item { center, triangle }
            })
            .collect();
        let mut nodes = vec![Node::EMPTY; node_count(items.len())];
        sort(&mut items, &mut nodes, 0, threads);
        let root = if is_bottom(items.len()) { BOTTOM } else { 0 };
        drop(items);
        let mut tree = Self { nodes, root };
        tree.fit(corners, threads);
        tree
    }

    /// Fits all boxes to the corners, the triangles' first.
    pub fn fit(&mut self, corners: &(impl Fn(u32) -> [DVec3; 3] + Sync), threads: usize) {
        if !self.nodes.is_empty() {
            fit(&mut self.nodes, self.root, corners, threads);
        }
    }

    /// Calls `visit` with the triangles whose boxes pass: `passes` says which of a node's by bits.
    #[inline]
    pub fn walk(&self, passes: impl Fn(&Node) -> u32, mut visit: impl FnMut(u32)) {
        if self.nodes.is_empty() {
            return;
        }
        let mut stack = [self.root; STACK];
        let mut len = 1;
        while len > 0 {
            len -= 1;
            let child = stack[len];
            let node = &self.nodes[(child & !BOTTOM) as usize];
            let mut mask = passes(node);
            if child & BOTTOM != 0 {
                while mask != 0 {
                    let triangle = node.children[mask.trailing_zeros() as usize];
                    mask &= mask - 1;
                    if triangle != NONE {
                        visit(triangle);
                    }
                }
                continue;
            }
            // The last first, so that the first comes next.
            while mask != 0 {
                let lane = mask.ilog2();
                mask ^= 1 << lane;
                let child = node.children[lane as usize];
                if child != NONE {
                    stack[len] = child;
                    len += 1;
                }
            }
        }
    }

    /// Visits triangles by the bounds of their boxes, nearer ones first, while they are not above the limit that `visit`
    /// returns.
    #[inline]
    pub fn nearest_first(&self, limit: f64, bounds: impl Fn(&Node) -> Vec4, mut visit: impl FnMut(u32) -> f64) {
        if self.nodes.is_empty() {
            return;
        }
        // Bounds are numbers; what is missed has none.
        let mut limit = up(limit).min(f32::MAX);
        let mut stack = [(f32::NEG_INFINITY, self.root); STACK];
        let mut len = 1;
        while len > 0 {
            len -= 1;
            let (least, child) = stack[len];
            if least > limit {
                continue;
            }
            let node = &self.nodes[(child & !BOTTOM) as usize];
            let bounds = bounds(node);
            let mut mask = bounds.cmple(Vec4::splat(limit)).bitmask();
            let bounds = bounds.to_array();
            // Farther ones first: the nearest comes next.
            let mut near = [(0.0f32, NONE); WIDTH];
            let mut count = 0;
            while mask != 0 {
                let lane = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                if node.children[lane] == NONE {
                    continue;
                }
                let mut place = count;
                while place > 0 && near[place - 1].0 <= bounds[lane] {
                    near[place] = near[place - 1];
                    place -= 1;
                }
                near[place] = (bounds[lane], node.children[lane]);
                count += 1;
            }
            if child & BOTTOM == 0 {
                stack[len..len + count].copy_from_slice(&near[..count]);
                len += count;
                continue;
            }
            for &(least, triangle) in near[..count].iter().rev() {
                if least <= limit {
                    limit = limit.min(up(visit(triangle)));
                }
            }
        }
    }
}

/// Fits the boxes of a node, the first of its slice and of this number, and of all below it.
fn fit(
    nodes: &mut [Node],
    number: u32,
    corners: &(impl Fn(u32) -> [DVec3; 3] + Sync),
    threads: usize,
) -> Option<Bounds> {
    if threads <= 1 || nodes.len() < ALONE {
        return Some(fit_alone(nodes, number & !BOTTOM, number, corners));
    }
    let (node, mut below) = nodes.split_first_mut()?;
    let children = node.children;
    std::thread::scope(|scope| {
        let mut jobs = [const { None }; WIDTH];
        for lane in (0..WIDTH).take_while(|&lane| children[lane] != NONE) {
            // Up to where the next one's begin.
            let next = children.get(lane + 1).copied().filter(|&next| next != NONE);
            let count = next.map_or(below.len(), |next| ((next & !BOTTOM) - (children[lane] & !BOTTOM)) as usize);
            let (own, others) = std::mem::take(&mut below).split_at_mut(count);
            below = others;
            jobs[lane] = Some(scope.spawn(move || fit(own, children[lane], corners, threads / 2)));
        }
        for (lane, job) in jobs.into_iter().enumerate() {
            match job.map(std::thread::ScopedJoinHandle::join) {
                Some(Ok(bounds)) => bounds.iter().for_each(|bounds| node.set(lane, bounds)),
                Some(Err(panic)) => std::panic::resume_unwind(panic),
                None => {}
            }
        }
    });
    Some(node.merged())
}

/// The same of a node in a slice that begins with the number `first`.
fn fit_alone(nodes: &mut [Node], first: u32, number: u32, corners: &impl Fn(u32) -> [DVec3; 3]) -> Bounds {
    let at = ((number & !BOTTOM) - first) as usize;
    let children = nodes[at].children;
    for lane in (0..WIDTH).take_while(|&lane| children[lane] != NONE) {
        let bounds = if number & BOTTOM != 0 {
            Bounds::of(&corners(children[lane]))
        } else {
            fit_alone(nodes, first, children[lane], corners)
        };
        nodes[at].set(lane, &bounds);
    }
    nodes[at].merged()
}

/// Fewer nodes than this are no work for a thread of their own.
const ALONE: usize = 1 << 15;
