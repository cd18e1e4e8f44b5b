//! Triangles of two meshes that come near each other: both trees are gone down together.

use std::cell::Cell;

use glam::DMat3;

use super::TriangleMesh;
use super::node::{NONE, Region, WIDTH};
use super::partition::BOTTOM;
use super::tree::Tree;
use crate::math::Pose;
use crate::shape::{Aabb, Triangle};

thread_local! {
    static FRONT: Cell<Vec<Part>> = const { Cell::new(Vec::new()) };
}

/// A node of the second tree, and how large its box is: the sum of the sides \[m\].
#[derive(Clone, Copy)]
struct Part {
    node: u32,
    size: f64,
}

struct Descent<'a> {
    meshes: [&'a TriangleMesh; 2],
    to_second: &'a Pose,
    rows: DMat3,
    reach: f64,
    /// Parts of the second tree that touch the boxes on the way down the first: a stack.
    front: Vec<Part>,
    visit: &'a mut dyn FnMut(&Triangle, &Triangle),
}

impl TriangleMesh {
    /// Calls `visit` with all triangles of this mesh and of another one, each in its own axes, whose boxes in the other
    /// one's axes come within `reach` \[m\]; those of one triangle of this mesh one after the other.
    pub(crate) fn near_pairs(
        &self,
        other: &Self,
        to_other: &Pose,
        reach: f64,
        visit: &mut dyn FnMut(&Triangle, &Triangle),
    ) {
        let (Some(first), Some(second)) = (self.tree.root(), other.tree.root()) else { return };
        let mut front = FRONT.take();
        front.clear();
        front.push(Part { node: second, size: f64::INFINITY });
        let rows = to_other.matrix().transpose();
        let mut descent = Descent { meshes: [self, other], to_second: to_other, rows, reach, front, visit };
        descent.go_down(first, 0, 1);
        FRONT.set(descent.front);
    }
}

impl Descent<'_> {
    fn second(&self) -> &Tree {
        &self.meshes[1].tree
    }

    /// Goes down a node of the first tree that the parts from `start` to `end` touch.
    fn go_down(&mut self, number: u32, start: usize, end: usize) {
        let node = *self.meshes[0].tree.node(number);
        for lane in (0..WIDTH).take_while(|&lane| node.children[lane] != NONE) {
            let child = node.children[lane];
            let next = self.front.len();
            if number & BOTTOM != 0 {
                let triangle = self.meshes[0].at(child);
                let corners = triangle.corners.map(|p| self.to_second.point(p));
                let aabb = Triangle { corners, ..triangle }.bounds().expanded(self.reach);
                let region = Region::new(&aabb);
                for index in start..end {
                    self.meet(&triangle, &aabb, &region, self.front[index].node);
                }
                continue;
            }
            let aabb = node.aabb(lane).turned_by(&self.rows, self.to_second.position).expanded(self.reach);
            let (region, size) = (Region::new(&aabb), aabb.size().element_sum());
            for index in start..end {
                self.touch(&region, size, self.front[index]);
            }
            if self.front.len() > next {
                self.go_down(child, next, self.front.len());
            }
            self.front.truncate(next);
        }
    }

    /// Puts what of a part touches a region at the end, in pieces that are no larger than that.
    fn touch(&mut self, region: &Region, size: f64, part: Part) {
        let node = *self.second().node(part.node);
        let mask = node.touching(region);
        if mask == 0 {
            return;
        }
        if part.node & BOTTOM != 0 || part.size <= size {
            self.front.push(part);
            return;
        }
        for lane in (0..WIDTH).filter(|&lane| mask & 1 << lane != 0 && node.children[lane] != NONE) {
            let size_of_child = node.aabb(lane).size().element_sum();
            self.touch(region, size, Part { node: node.children[lane], size: size_of_child });
        }
    }

    /// Visits what of a part's triangles a triangle's box touches.
    fn meet(&mut self, triangle: &Triangle, aabb: &Aabb, region: &Region, part: u32) {
        let [_, second] = self.meshes;
        let mut meet = |index| {
            let other = second.at(index);
            if other.bounds().intersects(aabb) {
                (self.visit)(triangle, &other);
            }
        };
        if part & BOTTOM == 0 {
            second.tree.walk_from(part, |node| node.touching(region), meet);
            return;
        }
        let node = second.tree.node(part);
        let mask = node.touching(region);
        for lane in (0..WIDTH).filter(|&lane| mask & 1 << lane != 0 && node.children[lane] != NONE) {
            meet(node.children[lane]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Random, soup};
    use super::*;
    use crate::math::{DQuat, DVec3};

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
            first.near_pairs(&second, &pose, reach, &mut |a, b| found.push((a.index, b.index)));
            let mut all = Vec::new();
            for a in (0..n as u32).map(|t| first.at(t)).filter(|t| t.normal != DVec3::ZERO) {
                let near = Triangle { corners: a.corners.map(|p| pose.point(p)), ..a }.bounds().expanded(reach);
                let touches = |b: &Triangle| b.normal != DVec3::ZERO && b.bounds().intersects(&near);
                all.extend((0..m as u32).map(|t| second.at(t)).filter(touches).map(|b| (a.index, b.index)));
            }
            found.sort_unstable();
            assert_eq!(found, all);
        }
    }
}
