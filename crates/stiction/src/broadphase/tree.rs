//! Binary tree of boxes with leaves that come and go.

use crate::shape::Aabb;

/// No node.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Node {
    aabb: Aabb,
    parent: u32,
    /// Both [`NONE`] in a leaf.
    children: [u32; 2],
    /// The slot of a leaf.
    item: u32,
    height: i32,
}

/// The tree. A new leaf goes where it adds least surface; rotations keep the height logarithmic.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    free: Vec<u32>,
    root: u32,
    stack: Vec<u32>,
}

impl Default for Tree {
    fn default() -> Self {
        Self { nodes: Vec::new(), free: Vec::new(), root: NONE, stack: Vec::new() }
    }
}

/// Half the surface area.
fn area(aabb: &Aabb) -> f64 {
    let d = aabb.max - aabb.min;
    d.x * d.y + d.y * d.z + d.z * d.x
}

impl Tree {
    fn node(&mut self, aabb: Aabb, item: u32) -> u32 {
        let node = Node { aabb, parent: NONE, children: [NONE; 2], item, height: 0 };
        if let Some(index) = self.free.pop() {
            self.nodes[index as usize] = node;
            return index;
        }
        self.nodes.push(node);
        (self.nodes.len() - 1) as u32
    }

    fn at(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    fn at_mut(&mut self, index: u32) -> &mut Node {
        &mut self.nodes[index as usize]
    }

    /// Adds a leaf and returns its node.
    pub fn insert(&mut self, aabb: Aabb, item: u32) -> u32 {
        let leaf = self.node(aabb, item);
        if self.root == NONE {
            self.root = leaf;
            return leaf;
        }
        let sibling = self.best_sibling(&aabb);
        let old_parent = self.at(sibling).parent;
        let parent = self.node(aabb, NONE);
        self.at_mut(parent).parent = old_parent;
        self.at_mut(parent).children = [sibling, leaf];
        self.at_mut(sibling).parent = parent;
        self.at_mut(leaf).parent = parent;
        self.replace_child(old_parent, sibling, parent);
        self.refit_from(parent);
        leaf
    }

    /// Removes a leaf.
    pub fn remove(&mut self, leaf: u32) {
        let parent = self.at(leaf).parent;
        self.free.push(leaf);
        if parent == NONE {
            self.root = NONE;
            return;
        }
        let [left, right] = self.at(parent).children;
        let sibling = if left == leaf { right } else { left };
        let grandparent = self.at(parent).parent;
        self.at_mut(sibling).parent = grandparent;
        self.replace_child(grandparent, parent, sibling);
        self.free.push(parent);
        self.refit_from(grandparent);
    }

    /// Calls `each` with every item whose box touches.
    pub fn query(&mut self, aabb: &Aabb, mut each: impl FnMut(u32)) {
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        if self.root != NONE {
            stack.push(self.root);
        }
        while let Some(index) = stack.pop() {
            let node = self.at(index);
            if !node.aabb.intersects(aabb) {
                continue;
            }
            if node.children[0] == NONE {
                each(node.item);
            } else {
                stack.extend_from_slice(&node.children);
            }
        }
        self.stack = stack;
    }

    fn replace_child(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NONE {
            self.root = new;
        } else {
            let children = &mut self.at_mut(parent).children;
            let side = usize::from(children[1] == old);
            children[side] = new;
        }
    }

    /// Goes down while that adds less surface than a new parent here: a pair costs the area of both, and every box
    /// above grows by what the leaf adds to it.
    fn best_sibling(&self, aabb: &Aabb) -> u32 {
        let mut index = self.root;
        loop {
            let node = self.at(index);
            if node.children[0] == NONE {
                return index;
            }
            let combined = area(&node.aabb.merged(aabb));
            let here = 2.0 * combined;
            let inherited = 2.0 * (combined - area(&node.aabb));
            let below = node.children.map(|c| {
                let child = self.at(c);
                let merged = area(&child.aabb.merged(aabb));
                inherited + if child.children[0] == NONE { merged } else { merged - area(&child.aabb) }
            });
            if here < below[0] && here < below[1] {
                return index;
            }
            index = node.children[usize::from(below[1] < below[0])];
        }
    }

    fn refit(&mut self, index: u32) {
        let [l, r] = self.at(index).children;
        let aabb = self.at(l).aabb.merged(&self.at(r).aabb);
        let height = 1 + self.at(l).height.max(self.at(r).height);
        let node = self.at_mut(index);
        node.aabb = aabb;
        node.height = height;
    }

    fn refit_from(&mut self, mut index: u32) {
        while index != NONE {
            self.refit(index);
            index = self.balance(index);
            index = self.at(index).parent;
        }
    }

    /// If one child is higher by more than one, it takes the node's place; returns the node now on top.
    fn balance(&mut self, top: u32) -> u32 {
        let [l, r] = self.at(top).children;
        let lean = self.at(r).height - self.at(l).height;
        if lean.abs() <= 1 {
            return top;
        }
        let side = usize::from(lean > 0);
        let high = self.at(top).children[side];
        let [a, b] = self.at(high).children;
        // The higher grandchild stays with the child, the other one comes under the old top.
        let (stays, moves) = if self.at(a).height > self.at(b).height { (a, b) } else { (b, a) };
        let parent = self.at(top).parent;
        self.at_mut(high).parent = parent;
        self.replace_child(parent, top, high);
        self.at_mut(high).children = [top, stays];
        self.at_mut(top).parent = high;
        self.at_mut(top).children[side] = moves;
        self.at_mut(moves).parent = top;
        self.refit(top);
        self.refit(high);
        high
    }
}
