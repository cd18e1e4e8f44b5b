//! Tree of boxes over the triangles of a mesh: built once, never changed.

use glam::DVec3;

use crate::shape::Aabb;

/// Triangles of a leaf at most.
const LEAF: usize = 4;

/// Depth of the walk's stack: halving 2³² triangles leaves less.
const STACK: usize = 40;

/// One box; its first child follows it, its second is where the first one's subtree ends.
#[derive(Clone, Copy, Debug)]
struct Node {
    aabb: Aabb,
    /// The node after this one's subtree.
    end: u32,
    /// Range of the leaf in the order of triangles; empty for a fork.
    triangles: [u32; 2],
}

/// Boxes in the order of a walk, with the triangles in the order of the leaves.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    order: Vec<u32>,
}

impl Tree {
    /// Halves the triangles at the median of their centres along the longest side, until they are few.
    pub fn new(boxes: &[Aabb], mut order: Vec<u32>) -> Self {
        let center = |i: u32| boxes[i as usize].center();
        let mut nodes: Vec<Node> = Vec::with_capacity(order.len());
        // Ranges still to be built, last first, so that the nodes come in the order of a walk.
        let mut ranges = vec![(0, order.len())];
        while let Some((start, end)) = ranges.pop() {
            if start == end {
                continue;
            }
            let part = &mut order[start..end];
            let aabb = part.iter().fold(Aabb::EMPTY, |sum, &i| sum.merged(&boxes[i as usize]));
            let is_leaf = part.len() <= LEAF;
            // A fork's range is noted for its end, and taken away below.
            nodes.push(Node { aabb, end: 0, triangles: [start as u32, end as u32] });
            if is_leaf {
                continue;
            }
            let spread = part.iter().fold(Aabb::EMPTY, |sum, &i| sum.merged(&Aabb::new(center(i), center(i)))).size();
            let axis = if spread.x >= spread.y && spread.x >= spread.z {
                0
            } else if spread.y >= spread.z {
                1
            } else {
                2
            };
            let middle = part.len() / 2;
            part.select_nth_unstable_by(middle, |&i, &j| {
                center(i)[axis].total_cmp(&center(j)[axis]).then_with(|| i.cmp(&j))
            });
            ranges.push((start + middle, end));
            ranges.push((start, start + middle));
        }
        close(&mut nodes);
        Self { nodes, order }
    }

    /// Calls `visit` with the triangles of the leaves whose boxes pass.
    #[inline]
    pub fn walk(&self, passes: impl Fn(&Aabb) -> bool, mut visit: impl FnMut(u32)) {
        let mut i = 0;
        while let Some(node) = self.nodes.get(i) {
            if passes(&node.aabb) {
                for &triangle in &self.order[node.triangles[0] as usize..node.triangles[1] as usize] {
                    visit(triangle);
                }
                i += 1;
            } else {
                i = node.end as usize;
            }
        }
    }

    /// Visits leaves by their `bound`, nearer child first, while it is not above the limit that `visit` returns.
    pub fn nearest_first(&self, mut limit: f64, bound: impl Fn(&Aabb) -> f64, mut visit: impl FnMut(u32) -> f64) {
        let Some(root) = self.nodes.first() else { return };
        let mut stack = [(0u32, 0.0); STACK];
        stack[0] = (0, bound(&root.aabb));
        let mut len = 1;
        while len > 0 {
            len -= 1;
            let (index, least) = stack[len];
            if least > limit {
                continue;
            }
            let node = &self.nodes[index as usize];
            for &triangle in &self.order[node.triangles[0] as usize..node.triangles[1] as usize] {
                limit = limit.min(visit(triangle));
            }
            if node.triangles[0] == node.triangles[1] {
                let first = index + 1;
                let second = self.nodes[first as usize].end;
                let children = [first, second].map(|child| (child, bound(&self.nodes[child as usize].aabb)));
                let [near, far] = if children[0].1 <= children[1].1 { [0, 1] } else { [1, 0] };
                stack[len] = children[far];
                stack[len + 1] = children[near];
                len += 2;
            }
        }
    }

    /// How many triangles, or vertices, there are.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// The box of all triangles.
    pub fn bounds(&self) -> Aabb {
        self.nodes.first().map_or(Aabb::EMPTY, |node| node.aabb)
    }
}

/// Fills in where each subtree ends, and empties the ranges of the forks.
fn close(nodes: &mut [Node]) {
    for i in (0..nodes.len()).rev() {
        let [start, end] = nodes[i].triangles;
        if (end - start) as usize <= LEAF {
            nodes[i].end = i as u32 + 1;
        } else {
            // The second child begins where the first one's subtree ends.
            let second = nodes[i + 1].end as usize;
            nodes[i].end = nodes[second].end;
        }
    }
    for node in nodes {
        if (node.triangles[1] - node.triangles[0]) as usize > LEAF {
            node.triangles = [0, 0];
        }
    }
}

/// Squared distance of a point from a box \[m²\]; 0 inside.
pub(super) fn distance_squared(aabb: &Aabb, point: DVec3) -> f64 {
    (point - point.clamp(aabb.min, aabb.max)).length_squared()
}

/// Parameter at which a line enters a box, cut to `0..=most`; infinite if it misses it. The sides are pushed out by
/// rounding, so that a ray along the face of a box finds what lies in the face.
pub(super) fn entry(aabb: &Aabb, origin: DVec3, direction: DVec3, most: f64) -> f64 {
    let slack = 1e-12 * (aabb.size().max_element() + (origin - origin.clamp(aabb.min, aabb.max)).length());
    let (mut low, mut high) = (0.0f64, most);
    for axis in 0..3 {
        let (from, to) = (aabb.min[axis] - slack - origin[axis], aabb.max[axis] + slack - origin[axis]);
        if direction[axis] == 0.0 {
            if from > 0.0 || to < 0.0 {
                return f64::INFINITY;
            }
            continue;
        }
        let (s, t) = (from / direction[axis], to / direction[axis]);
        low = low.max(s.min(t));
        high = high.min(s.max(t));
    }
    if low <= high { low } else { f64::INFINITY }
}
