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

use super::Workspace;
use super::context::Model;
use super::detect::ContactInput;
use super::forest::{Forest, TreeJoint};
use super::islands::NONE;
use super::joint_rows::EmittedJoint;
use super::views::BodyView;
use crate::base::Arena;
use crate::constraint::RowKind;
use crate::contact::compliance::spring_damper;
use crate::joints::{Joint, JointRow};
use crate::material::{ContactSurface, NormalLaw};
use crate::model::{Bodies, WorldParameters};

/// Largest velocity along the normal of a contact that is blocked, to that of a joint's motion at the distance of its body's
/// centre: joints come apart by less.
const STRAY: f64 = 1e-3;
/// Softness `Γ h` of a joint's row up to which it holds as if rigid \[m/(N s)\].
const SOFTNESS_OF_RIGID_JOINTS: f64 = 1e-6;
/// Softness of a contact beside its effective mass, `Γ / A`, from which on a step shows it as a spring.
const SOFTNESS_OF_SPRINGS: f64 = 1e-2;
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
    /// Contacts of the step that are blocked.
    blocked: Vec<bool>,
}

/// The joints of a problem, and what they hold.
struct Holding<'a> {
    joints: &'a Arena<Joint>,
    emitted: &'a [EmittedJoint],
    rows: &'a [JointRow],
    views: &'a [BodyView],
    forest: &'a Forest,
    step: f64,
}

impl Holding<'_> {
    /// Nothing moves the body.
    fn stands(&self, slot: u32) -> bool {
        let view = &self.views[slot as usize];
        let is_moved_by_rows = view.whitening.is_some() || self.forest.of_body[slot as usize].is_some();
        !is_moved_by_rows && view.velocity == DVec3::ZERO && view.omega == DVec3::ZERO
    }
}

/// Takes blocked contacts out of the islands: they get no rows, and keep no impulses.
pub(super) fn leave_out(model: &Model, step: f64, work: &mut Workspace) {
    let Model { parameters, bodies, joints, .. } = *model;
    let Workspace { problems, islands, contacts, manifolds, pair_laws, views, forest, held, .. } = work;
    held.blocked.clear();
    held.blocked.resize(contacts.len(), false);
    let mut is_any = false;
    for own in problems.iter() {
        let holding = Holding { joints, emitted: &own.joints, rows: &own.joint_rows, views, forest, step };
        let mut next_joint = 0;
        for island in own.islands.clone() {
            let own_joints = next_joint..next_joint + islands.joints_of(island..island + 1).len();
            next_joint = own_joints.end;
            if own_joints.is_empty() || !islands.has_contacts(island) {
                continue;
            }
            held.find(&holding, own_joints);
            let span = islands.start(island)[2] as usize..islands.start(island + 1)[2] as usize;
            for index in &islands.contacts[span] {
                let contact = &mut contacts[*index as usize];
                let manifold = &manifolds[contact.manifold as usize];
                if manifold.user_contact.is_none()
                    && held.block(&holding, contact)
                    && is_stiff(parameters, bodies, &pair_laws[manifold.law as usize].surface, contact, &holding)
                {
                    held.blocked[*index as usize] = true;
                    (contact.warm_normal, contact.warm_friction) = (0.0, DVec3::ZERO);
                    is_any = true;
                }
            }
        }
    }
    if is_any {
        islands.retain_contacts(|index| !held.blocked[index as usize]);
        for own in problems.iter_mut() {
            own.contacts = islands.start(own.islands.start)[2] as usize..islands.start(own.islands.end)[2] as usize;
        }
    }
}

/// A step does not show the contact as a spring.
fn is_stiff(
    parameters: &WorldParameters,
    bodies: &Bodies,
    surface: &ContactSurface,
    contact: &ContactInput,
    holding: &Holding,
) -> bool {
    let step = holding.step;
    let softness = match surface.normal {
        NormalLaw::ErpCfm { cfm, .. } => cfm.unwrap_or(parameters.cfm) / step,
        NormalLaw::Spring { stiffness, damping } => spring_damper(stiffness, damping, step).compliance,
        NormalLaw::Spook { .. } | NormalLaw::Compliant { .. } => return false,
    };
    let inverse_mass = |slot: Option<u32>| {
        let view = &holding.views[slot? as usize];
        if holding.forest.of_body[slot? as usize].is_some() {
            return Some(1.0 / bodies.at(slot? as usize)?.mass.mass);
        }
        let angular = (contact.position - view.center).cross(contact.normal);
        Some(view.whitening.as_ref()?.whiten(contact.normal, angular).iter().map(|y| y * y).sum::<f64>())
    };
    softness < SOFTNESS_OF_SPRINGS * contact.bodies.into_iter().filter_map(inverse_mass).sum::<f64>()
}

impl HeldBodies {
    /// Finds what the joints of an island hold, a range of those of the problem.
    fn find(&mut self, holding: &Holding, island: std::ops::Range<usize>) {
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
            if joint.definition.reference.is_some() || joint.definition.is_soft() {
                continue;
            }
            let [a, b] = slots.map(|slot| self.node(slot, holding));
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
    fn node(&mut self, slot: Option<u32>, holding: &Holding) -> u32 {
        let Some(slot) = slot.filter(|slot| !holding.stands(*slot)) else { return WORLD };
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

    /// The joints between the bodies of a contact leave them no velocity along its normal.
    fn block(&self, holding: &Holding, contact: &ContactInput) -> bool {
        if self.links.is_empty() {
            return false;
        }
        let node = |slot: Option<u32>| match slot {
            Some(slot) if !holding.stands(slot) => self.node_of[slot as usize],
            _ => WORLD,
        };
        let [mut a, mut b] = contact.bodies.map(node);
        if a == b || a == NONE || b == NONE || self.nodes[a as usize].root != self.nodes[b as usize].root {
            return false;
        }
        while a != b {
            if self.nodes[a as usize].depth < self.nodes[b as usize].depth {
                std::mem::swap(&mut a, &mut b);
            }
            let Node { parent, joint, .. } = self.nodes[a as usize];
            if !blocks(holding, joint, contact.position, contact.normal) {
                return false;
            }
            a = parent;
        }
        true
    }
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
    if let Some(own) = holding.forest.of_joint[emitted.slot as usize] {
        return blocks_in_tree(holding, rows, own, (point, length), normal);
    }
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

/// The same of a joint of a tree: no motion that it has, and that no row holds, has a velocity along the normal.
fn blocks_in_tree(holding: &Holding, rows: &[JointRow], own: TreeJoint, at: (DVec3, f64), normal: DVec3) -> bool {
    let (point, length) = at;
    let tree = &holding.forest.trees[own.tree as usize];
    let is_held = |dof: usize| {
        rows.iter().any(|row| row.axis.is_some_and(|axis| own.dof(axis.into()) == dof) && holds(row, holding.step))
    };
    let at = tree.kin.offset(point);
    tree.tree.dof_span(own.link as usize).filter(|dof| !is_held(*dof)).all(|dof| {
        let motion = tree.kin.subspace()[dof];
        let velocity = motion.linear() + motion.angular().cross(at);
        velocity.dot(normal).abs() < STRAY * velocity.length().max(motion.angular().length() * length)
    })
}

/// The row holds bodies together, whatever it takes; so does the stop of a motion of no range.
fn holds(row: &JointRow, step: f64) -> bool {
    matches!(row.kind, RowKind::Joint | RowKind::Limit)
        && row.bounds == [f64::NEG_INFINITY, f64::INFINITY]
        && row.compliance * step <= SOFTNESS_OF_RIGID_JOINTS
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
