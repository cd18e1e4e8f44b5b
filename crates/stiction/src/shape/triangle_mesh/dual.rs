//! Triangles of two meshes that come near each other: both trees are gone down together.

use std::cell::Cell;
use std::ops::ControlFlow;

use glam::{DMat3, DVec3};

use super::TriangleMesh;
use super::node::{NONE, Node, Region, Turn, WIDTH};
use super::partition::BOTTOM;
use crate::math::Pose;
use crate::shape::Triangle;

thread_local! {
    static FRONT: Cell<Vec<Part>> = const { Cell::new(Vec::new()) };
}

/// A node of the second tree, and how large its box is: the sum of the sides \[m\].
#[derive(Clone, Copy)]
struct Part {
    node: u32,
    size: f32,
}

struct Descent<'a> {
    meshes: [&'a TriangleMesh; 2],
    /// From the first one's axes to the second's.
    matrix: DMat3,
    position: DVec3,
    turn: Turn,
    reach: f64,
    /// Parts of the second tree that touch the boxes on the way down the first: a stack.
    front: Vec<Part>,
    visit: &'a mut dyn FnMut(&Triangle, &Triangle) -> ControlFlow<()>,
}

impl TriangleMesh {
    /// Calls `visit` with all triangles of this mesh and of another one, each in its own axes, whose boxes in the other
    /// one's axes come within `reach` \[m\], until it breaks off; those of one triangle of this mesh one after the other.
    pub(crate) fn near_pairs(
        &self,
        other: &Self,
        to_other: &Pose,
        reach: f64,
        visit: &mut dyn FnMut(&Triangle, &Triangle) -> ControlFlow<()>,
    ) {
        let (Some(first), Some(second)) = (self.tree.root(), other.tree.root()) else { return };
        let mut front = FRONT.take();
        front.clear();
        front.push(Part { node: second, size: f32::INFINITY });
        let (matrix, position) = (to_other.matrix(), to_other.position);
        let turn = Turn::new(&matrix, position, reach);
        let mut descent = Descent { meshes: [self, other], matrix, position, turn, reach, front, visit };
        // Broken off or not, the walk is over.
        let _ = descent.go_down(first, 0, 1);
        FRONT.set(descent.front);
    }
}

impl Descent<'_> {
    /// Goes down a node of the first tree that the parts from `start` to `end` touch.
    fn go_down(&mut self, number: u32, start: usize, end: usize) -> ControlFlow<()> {
        let node = self.meshes[0].tree.node(number);
        let boxes = node.turned(&self.turn);
        let sizes = boxes.sizes();
        for lane in (0..WIDTH).take_while(|&lane| node.children[lane] != NONE) {
            let next = self.front.len();
            let region = boxes.lane(lane);
            for index in start..end {
                self.touch(&region, sizes[lane], self.front[index]);
            }
            let end = self.front.len();
            if end > next {
                if number & BOTTOM != 0 {
                    self.meet(node.children[lane], next, end)?;
                } else {
                    self.go_down(node.children[lane], next, end)?;
                }
            }
            self.front.truncate(next);
        }
        ControlFlow::Continue(())
    }

    /// Puts what of a part touches a region at the end, in pieces that are no larger than that.
    fn touch(&mut self, region: &Region, size: f32, part: Part) {
        let node = self.meshes[1].tree.node(part.node);
        let mask = node.touching(region);
        if mask == 0 {
            return;
        }
        if part.node & BOTTOM != 0 || part.size <= size {
            self.front.push(part);
            return;
        }
        let sizes = node.sizes();
        for lane in (0..WIDTH).filter(|&lane| mask & 1 << lane != 0 && node.children[lane] != NONE) {
            self.touch(region, size, Part { node: node.children[lane], size: sizes[lane] });
        }
    }

    /// Visits what of the parts' triangles the box of a triangle of the first mesh touches.
    fn meet(&mut self, triangle: u32, start: usize, end: usize) -> ControlFlow<()> {
        let [first, second] = self.meshes;
        let triangle = first.at(triangle);
        let corners = triangle.corners.map(|p| self.matrix * p + self.position);
        let aabb = Triangle { corners, ..triangle }.bounds().expanded(self.reach);
        let region = Region::new(&aabb);
        let Self { front, visit, .. } = self;
        let flow = Cell::new(ControlFlow::Continue(()));
        for part in &front[start..end] {
            let passes = |node: &Node| if flow.get().is_break() { 0 } else { node.touching(&region) };
            second.tree.walk_from(part.node, passes, |index| {
                let other = second.at(index);
                if flow.get().is_continue() && other.bounds().intersects(&aabb) {
                    flow.set(visit(&triangle, &other));
                }
            });
            flow.get()?;
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Random, soup};
    use super::*;
    use crate::math::DQuat;

    #[test]
    fn two_trees_find_what_a_look_at_all_pairs_finds() {
        let mut random = Random(9);
        for round in 0..60 {
            let scale = [1.0, 0.1, 1e20, 1e-30][round % 4];
            let count = |random: &mut Random| 1 + (random.next() * [4.0, 150.0][round % 2]) as usize;
            let (n, m) = (count(&mut random), count(&mut random));
            let first = soup(&mut random, n, scale, DVec3::ZERO);
            let second = soup(&mut random, m, scale * [1.0, 8.0, 0.2][round % 3], DVec3::ZERO);
            let axis = random.point(1.0).normalize();
            let pose = Pose::new(random.point(scale), DQuat::from_axis_angle(axis, 3.0 * random.next()));
            let reach = [0.0, 0.05 * scale][round / 30];
            let mut found = Vec::new();
            first.near_pairs(&second, &pose, reach, &mut |a, b| {
                found.push((a.index, b.index));
                ControlFlow::Continue(())
            });
            let in_order = found.clone();
            for most in [1, in_order.len() / 2].into_iter().filter(|&most| most > 0 && most <= in_order.len()) {
                found.clear();
                first.near_pairs(&second, &pose, reach, &mut |a, b| {
                    found.push((a.index, b.index));
                    if found.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                });
                assert_eq!(found, in_order[..most]);
            }
            let mut found = in_order;
            let mut all = Vec::new();
            for a in (0..n as u32).map(|t| first.at(t)).filter(|t| t.normal != DVec3::ZERO) {
                let near = Triangle { corners: a.corners.map(|p| pose.matrix() * p + pose.position), ..a }
                    .bounds()
                    .expanded(reach);
                let touches = |b: &Triangle| b.normal != DVec3::ZERO && b.bounds().intersects(&near);
                all.extend((0..m as u32).map(|t| second.at(t)).filter(touches).map(|b| (a.index, b.index)));
            }
            found.sort_unstable();
            assert_eq!(found, all);
        }
    }
}
