//! Tree of boxes over the triangles of a mesh. Where vertices move, the boxes are fitted again.

use std::cell::Cell;

use glam::{DVec3, Vec4};

use super::node::{Bounds, NONE, Node, WIDTH, up};
use super::partition::{BOTTOM, Item, is_bottom, node_count, sort};
use super::share::share;
use crate::shape::Triangle;

/// Room for a walk: 2³² triangles make 16 levels, each of which leaves three children.
const STACK: usize = 52;

/// Nodes before their children.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    root: u32,
}

impl Tree {
    /// The tree over the triangles of these numbers.
    pub fn new(numbers: impl Iterator<Item = u32>, vertices: &[DVec3], triangles: &[[u32; 3]], threads: usize) -> Self {
        let mut items: Vec<Item> = numbers
            .map(|triangle| {
                let [a, b, c] = triangles[triangle as usize].map(|v| vertices[v as usize]);
                let center = (a.min(b).min(c) * 0.5 + a.max(b).max(c) * 0.5).to_array().map(|x| x as f32);
                Item { center, triangle }
            })
            .collect();
        let mut nodes = vec![Node::EMPTY; node_count(items.len())];
        sort(&mut items, &mut nodes, 0, threads);
        let root = if is_bottom(items.len()) { BOTTOM } else { 0 };
        drop(items);
        let mut tree = Self { nodes, root };
        tree.fit(vertices, triangles, threads);
        tree
    }

    /// Fits all boxes to the vertices, the triangles' first; false if one of these is degenerate now.
    pub fn fit(&mut self, vertices: &[DVec3], triangles: &[[u32; 3]], threads: usize) -> bool {
        let mut are_solid = true;
        if !self.nodes.is_empty() {
            fit(&mut self.nodes, self.root, vertices, triangles, threads, &mut are_solid);
        }
        are_solid
    }

    /// The root, marked if its children are triangles; none without triangles.
    pub fn root(&self) -> Option<u32> {
        (!self.nodes.is_empty()).then_some(self.root)
    }

    /// A node by its number, marked or not.
    #[inline]
    pub fn node(&self, number: u32) -> &Node {
        &self.nodes[(number & !BOTTOM) as usize]
    }

    /// Calls `visit` with the triangles whose boxes pass: `passes` says which of a node's by bits.
    #[inline]
    pub fn walk(&self, passes: impl FnMut(&Node) -> u32, visit: impl FnMut(u32)) {
        if let Some(root) = self.root() {
            self.walk_from(root, passes, visit);
        }
    }

    /// The same below a node.
    #[inline]
    pub fn walk_from(&self, root: u32, mut passes: impl FnMut(&Node) -> u32, mut visit: impl FnMut(u32)) {
        let mut stack = [root; STACK];
        let mut len = 1;
        while len > 0 {
            len -= 1;
            let child = stack[len];
            let node = self.node(child);
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

    /// Some triangle's box passes.
    pub fn any(&self, passes: impl Fn(&Node) -> u32) -> bool {
        let is_met = Cell::new(false);
        self.walk(|node| if is_met.get() { 0 } else { passes(node) }, |_| is_met.set(true));
        is_met.get()
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
            let node = self.node(child);
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
                for &next in &near[..count] {
                    stack[len] = next;
                    len += 1;
                }
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

/// Fits the boxes of a node, the first of its slice and of this number, and of all below it. `are_solid` becomes false if
/// a triangle is degenerate.
fn fit(
    nodes: &mut [Node],
    number: u32,
    vertices: &[DVec3],
    triangles: &[[u32; 3]],
    threads: usize,
    are_solid: &mut bool,
) -> Bounds {
    let Some((node, mut below)) = nodes.split_first_mut() else { return Bounds::EMPTY };
    if threads <= 1 || below.len() < ALONE {
        return fit_alone(nodes, number & !BOTTOM, number, vertices, triangles, are_solid);
    }
    let children = node.children;
    let mut fitted = [(Bounds::EMPTY, true); WIDTH];
    let mut jobs = Vec::with_capacity(WIDTH);
    for (lane, fitted) in fitted.iter_mut().enumerate().take_while(|(lane, _)| children[*lane] != NONE) {
        // Up to where the next one's begin.
        let next = children.get(lane + 1).copied().filter(|&next| next != NONE);
        let count = next.map_or(below.len(), |next| ((next & !BOTTOM) - (children[lane] & !BOTTOM)) as usize);
        let (own, others) = below.split_at_mut(count);
        below = others;
        jobs.push((own, children[lane], fitted));
    }
    share(jobs, threads, |(own, child, (bounds, are_solid))| {
        *bounds = fit(own, child, vertices, triangles, threads / 2, are_solid);
    });
    *are_solid &= fitted.iter().all(|f| f.1);
    node.store(&fitted.map(|f| f.0))
}

/// The same of a node in a slice that begins with the number `first`.
fn fit_alone(
    nodes: &mut [Node],
    first: u32,
    number: u32,
    vertices: &[DVec3],
    triangles: &[[u32; 3]],
    are_solid: &mut bool,
) -> Bounds {
    let at = ((number & !BOTTOM) - first) as usize;
    let children = nodes[at].children;
    if number & BOTTOM == 0 {
        let mut bounds = [Bounds::EMPTY; WIDTH];
        for (bounds, child) in bounds.iter_mut().zip(children).take_while(|(_, child)| *child != NONE) {
            *bounds = fit_alone(nodes, first, child, vertices, triangles, are_solid);
        }
        return nodes[at].store(&bounds);
    }
    let corners_of = |child: u32| triangles[child as usize].map(|v| vertices[v as usize]);
    let mut corners = [[Vec4::ZERO; WIDTH]; 3];
    for (lane, child) in children.into_iter().enumerate() {
        let of_triangle = corners_of(if child == NONE { children[0] } else { child });
        for (corners, p) in corners.iter_mut().zip(of_triangle) {
            corners[lane] = p.extend(0.0).as_vec4();
        }
    }
    let (bounds, clearly_solid) = nodes[at].store_triangles(&corners);
    if clearly_solid != ALL {
        let used = children.into_iter().take_while(|child| *child != NONE);
        *are_solid &= used.map(corners_of).all(|corners| Triangle::is_solid(&corners));
    }
    bounds
}

/// Bits of all children.
const ALL: u32 = (1 << WIDTH) - 1;

/// Fewer nodes than this are no work for a thread of their own.
const ALONE: usize = 1 << 15;
