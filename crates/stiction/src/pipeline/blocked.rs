//! Contacts that joints leave no motion along their normal: the base of an arm that is welded to the world and stands in the
//! floor, a door that is hinged about the vertical and reaches into its sill.
//!
//! The joints alone hold the two shapes at their distance. A stiff contact beside them shares a force that nothing
//! determines, and if it is too deep the two ask for opposite velocities: each sweep adds to both forces, and the
//! friction of what is blocked so grows with them. Such a contact is found and reported, and exerts no force.
//!
//! A joint blocks a contact if the force along its normal, the wrench `(n, 0)` about its point, is one that the rows which
//! hold the joint can exert: a combination of their wrenches. Joints one after the other block what each of them blocks.

use glam::DVec3;

use super::forest::Forest;
use super::islands::NONE;
use super::joint_rows::EmittedJoint;
use super::views::BodyView;
use crate::base::Arena;
use crate::constraint::RowKind;
use crate::joints::{Joint, JointRow};

/// Largest velocity along the normal of a contact that is blocked, to that of a joint's motion at the distance of its body's
/// centre: joints come apart by less.
const STRAY: f64 = 1e-3;
/// Softness `Γ h` of a joint's row up to which it holds as if rigid \[m/(N s)\].
const AS_GOOD_AS_RIGID: f64 = 1e-6;
/// Distance below which a point is at the centre of a body, and torques count as they are \[m\].
const CLOSE: f64 = 1e-6;
/// What is left of a wrench that depends on others.
const DEPENDENT: f64 = 1e-9;
/// The world, among the nodes.
const WORLD: u32 = 0;

/// A body in the forest of joints.
#[derive(Clone, Copy, Debug)]
struct Node {
    slot: u32,
    parent: u32,
    /// The joint to its parent, in the joints of the problem.
    joint: u32,
    depth: u32,
    root: u32,
}

/// Bodies of an island that joints hold to each other and to the world, as a forest; of a loop one joint is left out.
#[derive(Debug, Default)]
pub(crate) struct HeldBodies {
    node_of: Vec<u32>,
    nodes: Vec<Node>,
    /// Nodes of each joint, and its number in the joints of the problem.
    links: Vec<[u32; 3]>,
    /// Where the links of each node begin in the list of neighbours.
    starts: Vec<u32>,
    /// The other node, and the joint.
    neighbours: Vec<[u32; 2]>,
    queue: Vec<u32>,
}

/// The joints of a problem, and what they hold.
#[derive(Clone, Copy)]
pub(super) struct Holding<'a> {
    pub(super) joints: &'a Arena<Joint>,
    pub(super) emitted: &'a [EmittedJoint],
    pub(super) rows: &'a [JointRow],
    pub(super) views: &'a [BodyView],
    pub(super) forest: &'a Forest,
    pub(super) step: f64,
}

impl HeldBodies {
    /// Finds what the joints of an island hold, a range of those of the problem.
    pub(super) fn find(&mut self, holding: &Holding, island: std::ops::Range<usize>) {
        for node in &self.nodes {
            if node.slot != NONE {
                self.node_of[node.slot as usize] = NONE;
            }
        }
        self.nodes.clear();
        self.links.clear();
        if island.is_empty() {
            return;
        }
        self.node_of.resize(holding.views.len(), NONE);
        self.nodes.push(Node { slot: NONE, parent: NONE, joint: NONE, depth: 0, root: NONE });
        for number in island {
            let Some(joint) = holding.joints.at(holding.emitted[number].slot as usize) else { continue };
            let slots = joint.definition.bodies.map(|body| body.map(|body| body.slot() as u32));
            let is_of_tree = |slot: &u32| holding.forest.of_body[*slot as usize].is_some();
            if joint.definition.reference.is_some()
                || joint.definition.is_soft()
                || slots.iter().flatten().any(is_of_tree)
            {
                continue;
            }
            let [a, b] = slots.map(|slot| self.node(slot, holding.views));
            if a != b {
                self.links.push([a, b, number as u32]);
            }
        }
        self.list_neighbours();
        for root in 0..self.nodes.len() as u32 {
            self.reach_from(root);
        }
    }

    /// The node of a body; that of the world for what stands still by itself.
    fn node(&mut self, slot: Option<u32>, views: &[BodyView]) -> u32 {
        let Some(slot) = slot.filter(|slot| !stands(&views[*slot as usize])) else { return WORLD };
        let known = &mut self.node_of[slot as usize];
        if *known == NONE {
            *known = self.nodes.len() as u32;
            self.nodes.push(Node { slot, parent: NONE, joint: NONE, depth: 0, root: NONE });
        }
        *known
    }

    /// Neighbours by node, in the order of joints.
    fn list_neighbours(&mut self) {
        let Self { nodes, links, starts, neighbours, .. } = self;
        starts.clear();
        starts.resize(nodes.len() + 1, 0);
        for node in links.iter().flat_map(|[a, b, _]| [*a, *b]) {
            starts[node as usize] += 1;
        }
        let mut end = 0;
        for start in starts.iter_mut() {
            end += *start;
            *start = end;
        }
        neighbours.clear();
        neighbours.resize(end as usize, [NONE; 2]);
        // From the end of each node's share to its start.
        for [a, b, joint] in links.iter().rev() {
            for (own, other) in [(*a, *b), (*b, *a)] {
                starts[own as usize] -= 1;
                neighbours[starts[own as usize] as usize] = [other, *joint];
            }
        }
    }

    /// Hangs all bodies that joints connect to this one, and that hang from nothing yet, below it: nearest first.
    fn reach_from(&mut self, root: u32) {
        if self.nodes[root as usize].root != NONE {
            return;
        }
        self.nodes[root as usize].root = root;
        self.queue.clear();
        self.queue.push(root);
        let mut next = 0;
        while let Some(&node) = self.queue.get(next) {
            next += 1;
            let depth = self.nodes[node as usize].depth + 1;
            let own = self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize;
            for [other, joint] in &self.neighbours[own] {
                let found = &mut self.nodes[*other as usize];
                if found.root == NONE {
                    *found = Node { parent: node, joint: *joint, depth, root, ..*found };
                    self.queue.push(*other);
                }
            }
        }
    }

    /// The joints between two bodies leave them no velocity along a normal at a point.
    pub(super) fn block(&self, holding: &Holding, bodies: [Option<u32>; 2], point: DVec3, normal: DVec3) -> bool {
        if self.links.is_empty() {
            return false;
        }
        let node = |slot: Option<u32>| match slot {
            Some(slot) if !stands(&holding.views[slot as usize]) => self.node_of[slot as usize],
            _ => WORLD,
        };
        let [mut a, mut b] = bodies.map(node);
        if a == b || a == NONE || b == NONE || self.nodes[a as usize].root != self.nodes[b as usize].root {
            return false;
        }
        while a != b {
            if self.nodes[a as usize].depth < self.nodes[b as usize].depth {
                std::mem::swap(&mut a, &mut b);
            }
            let Node { parent, joint, .. } = self.nodes[a as usize];
            if !blocks(holding, joint, point, normal) {
                return false;
            }
            a = parent;
        }
        true
    }
}

/// Nothing moves the body.
fn stands(view: &BodyView) -> bool {
    view.clique == NONE && view.velocity == DVec3::ZERO && view.omega == DVec3::ZERO
}

/// The rows that hold a joint can exert any force along a normal at a point.
fn blocks(holding: &Holding, number: u32, point: DVec3, normal: DVec3) -> bool {
    let emitted = &holding.emitted[number as usize];
    let rows = &holding.rows[emitted.rows[0] as usize..emitted.rows[1] as usize];
    let Some(joint) = holding.joints.at(emitted.slot as usize) else { return false };
    let [first, second] = joint.definition.bodies;
    let (side, body) = match (first, second) {
        (Some(body), _) => (0, body),
        (None, Some(body)) => (1, body),
        (None, None) => return false,
    };
    let lever = holding.views[body.slot()].center - point;
    let length = if lever.length() > CLOSE { lever.length() } else { 1.0 };
    // Gram and Schmidt on the wrenches of the rows about the point, torques over the distance to the centre.
    let mut basis = [[DVec3::ZERO; 2]; 6];
    let mut count = 0;
    let mut rest = [normal, DVec3::ZERO];
    for row in rows.iter().filter(|row| holds(row, holding.step)) {
        let force = row.linear_of(side);
        let mut wrench = [force, (row.angular[side] + lever.cross(force)) / length];
        let size = norm(&wrench);
        for known in &basis[..count] {
            remove(&mut wrench, known);
        }
        let left = norm(&wrench);
        if left <= DEPENDENT * size || count == basis.len() {
            continue;
        }
        let unit = wrench.map(|part| part / left);
        remove(&mut rest, &unit);
        basis[count] = unit;
        count += 1;
    }
    norm(&rest) < STRAY
}

/// The row holds bodies together, whatever it takes; so does the stop of a motion of no range.
fn holds(row: &JointRow, step: f64) -> bool {
    matches!(row.kind, RowKind::Joint | RowKind::Limit)
        && row.bounds == [f64::NEG_INFINITY, f64::INFINITY]
        && row.compliance * step <= AS_GOOD_AS_RIGID
}

fn norm(wrench: &[DVec3; 2]) -> f64 {
    (wrench[0].length_squared() + wrench[1].length_squared()).sqrt()
}

fn remove(wrench: &mut [DVec3; 2], unit: &[DVec3; 2]) {
    let share = wrench[0].dot(unit[0]) + wrench[1].dot(unit[1]);
    for (part, unit) in wrench.iter_mut().zip(unit) {
        *part -= share * *unit;
    }
}
