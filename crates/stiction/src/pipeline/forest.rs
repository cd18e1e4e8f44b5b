//! Which bodies make trees: a spanning forest over the graph of bodies and joints. Joints that are left over close loops
//! and stay rows.

use glam::DVec3;

use super::graph::{Edge, Graph, frames, mobility};
use super::islands::NONE;
use super::tree_motion::TreeFlow;
use super::tree_parts::TreeParts;
use crate::base::Arena;
use crate::dynamics::tree::{Factor, ForceVector, Kinematics, LinkDefinition, Mobility, MotionVector, Scratch, Tree};
use crate::joints::{Joint, JointRow, SpringLaw};
use crate::math::Pose;
use crate::model::Bodies;
use crate::shape::MassProperties;

/// A link that no joint carries.
pub(crate) const NO_JOINT: u32 = NONE;

/// Place of a body in the forest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    /// Index of the tree.
    pub(crate) tree: u32,
    /// Link in it.
    pub(crate) link: u32,
}

/// Coordinates in a row that no branch divides, at most six: one clique of the problem. In whitened coordinates the mass
/// is the identity, so that every cut of a tree's coordinates into cliques is right; rows reach the cliques of their path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    /// First dof.
    pub(crate) first: u32,
    /// Number of dofs.
    pub(crate) count: u32,
    /// Clique of the problem, or `NONE`.
    pub(crate) clique: u32,
}

/// Most dofs of a segment: solvers are fastest with blocks of six.
pub(crate) const SEGMENT: usize = 6;

/// A tree, its state in a step, and its memory.
#[derive(Clone, Debug)]
pub(crate) struct Articulation {
    pub(crate) tree: Tree,
    /// Slot of the body of each link.
    pub(crate) bodies: Vec<u32>,
    /// Slot of the joint that carries each link, `NONE` for a free one.
    pub(crate) joints: Vec<u32>,
    /// Dof of each axis of that joint, counted from the link's first.
    pub(crate) orders: Vec<[u8; 3]>,
    /// Slot of the prescribed body that carries the tree, if not the world.
    pub(crate) base: Option<u32>,
    pub(crate) segments: Vec<Segment>,
    /// Segment of each dof.
    pub(crate) segment_of: Vec<u32>,
    /// The tree takes part in the step; its cliques are in the problem.
    pub(crate) is_awake: bool,
    pub(crate) is_pushed: bool,
    pub(crate) kin: Kinematics,
    pub(crate) factor: Factor,
    pub(crate) scratch: Scratch,
    /// Positions; velocities before the step.
    pub(crate) q: Vec<f64>,
    /// Positions before the step, where it is stopped on its way.
    pub(crate) q_before: Vec<f64>,
    pub(crate) v: Vec<f64>,
    /// Generalized forces; whitened free velocity; whitened velocity before the step.
    pub(crate) tau: Vec<f64>,
    pub(crate) z_free: Vec<f64>,
    pub(crate) z_before: Vec<f64>,
    /// What is added to the diagonal of the mass matrix: armature, `h c`, `h² k`.
    pub(crate) extra: Vec<f64>,
    pub(crate) wrenches: Vec<ForceVector>,
    pub(crate) gravity: Vec<f64>,
    /// Poses of the links and of the base before the step; twists of the links.
    pub(crate) poses: Vec<Pose>,
    pub(crate) base_pose: Pose,
    pub(crate) base_twist: MotionVector,
    pub(crate) twists: Vec<MotionVector>,
    /// Wrench by which the parent's side acts on each link in this step, and accelerations of the joints.
    pub(crate) reactions: Vec<ForceVector>,
    /// How the springs of this step are taken, by dof.
    pub(crate) laws: Vec<SpringLaw>,
    /// Rows that hold the bodies of a joint.
    pub(crate) holding: Vec<JointRow>,
    pub(crate) accelerations: Vec<f64>,
    pub(crate) flow: TreeFlow,
    pub(crate) parts: TreeParts,
}

/// A joint of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TreeJoint {
    /// Index of the tree.
    pub(crate) tree: u32,
    /// Link that it carries.
    pub(crate) link: u32,
    /// First dof.
    pub(crate) first_dof: u32,
    /// Dof, counted from the first, of each axis of the joint.
    pub(crate) dof_of_axis: [u8; 3],
}

impl TreeJoint {
    /// Dof of an axis.
    pub(crate) fn dof(&self, axis: usize) -> usize {
        self.first_dof as usize + usize::from(self.dof_of_axis[axis])
    }
}

/// Axes of the joints of a tree, of those that have axes: slot of the joint, number of the axis, and its dof.
pub(super) fn axes_of<'a>(
    tree: &'a Tree,
    joints: &'a [u32],
    orders: &'a [[u8; 3]],
) -> impl Iterator<Item = (usize, usize, usize)> + 'a {
    joints.iter().enumerate().filter(|(_, slot)| **slot != NONE).flat_map(move |(link, slot)| {
        let span = tree.dof_span(link);
        // Ball joints have no axes.
        let count = if span.len() == tree.position_span(link).len() { span.len() } else { 0 };
        (0..count).map(move |axis| (*slot as usize, axis, span.start + usize::from(orders[link][axis])))
    })
}

/// All trees of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forest {
    pub(crate) trees: Vec<Articulation>,
    /// By slot of the body.
    pub(crate) of_body: Vec<Option<Member>>,
    /// By slot of the joint.
    pub(crate) of_joint: Vec<Option<TreeJoint>>,
    /// Trees with the slots of joints between their bodies that no link is carried by, in rising order. A joint between two trees is in both.
    closing: Vec<[u32; 2]>,
    /// What the forest was made of.
    stamp: Option<Stamp>,
    /// Changes with the forest.
    pub(crate) generation: u64,
}

/// Changes when a forest must be made anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// Bodies and joints came, went or changed.
    pub(crate) topology: u64,
    /// Sum of the changes of masses and kinds.
    pub(crate) bodies: u64,
    /// Bodies without joints are trees of one link.
    pub(crate) lone_bodies: bool,
    /// Joints that give way are rows, not joints of trees.
    pub(crate) soft_rows: bool,
    /// There are trees.
    pub(crate) is_reduced: bool,
}

impl Forest {
    /// Makes the forest anew where something has changed since the last time.
    pub(crate) fn refresh(&mut self, stamp: Stamp, bodies: &Bodies, joints: &Arena<Joint>) {
        if self.stamp == Some(stamp) {
            return;
        }
        let generation = self.generation + 1;
        *self = if stamp.is_reduced {
            Self::new(bodies, joints, stamp.lone_bodies, stamp.soft_rows)
        } else {
            Self { of_body: vec![None; bodies.slots()], of_joint: vec![None; joints.slots()], ..Self::default() }
        };
        self.stamp = Some(stamp);
        self.generation = generation;
    }

    /// The forest of a world: trees on the world or on prescribed bodies first, then floating ones, each by the lowest
    /// slot.
    pub(crate) fn new(bodies: &Bodies, joints: &Arena<Joint>, lone_bodies: bool, soft_rows: bool) -> Self {
        let mut forest =
            Self { of_body: vec![None; bodies.slots()], of_joint: vec![None; joints.slots()], ..Self::default() };
        let graph = Graph::new(bodies, joints, soft_rows);
        for edge in &graph.edges {
            let [a, b] = edge.ends;
            let root = match (graph.is_dynamic(a), graph.is_dynamic(b)) {
                (true, false) => 0,
                (false, true) => 1,
                _ => continue,
            };
            if forest.is_free(edge.ends[root]) && edge.carries(root) {
                forest.grow(&graph, bodies, joints, lone_bodies, edge.ends[root], Some((edge, root)));
            }
        }
        for slot in 0..bodies.slots() as u32 {
            if graph.is_dynamic(Some(slot)) && forest.is_free(Some(slot)) {
                let root = graph.root_of(slot, &forest);
                if lone_bodies || !graph.near[slot as usize].is_empty() || graph.is_tied(slot, bodies) {
                    forest.grow(&graph, bodies, joints, lone_bodies, Some(root), None);
                }
            }
        }
        for slot in 0..joints.slots() {
            let Some(joint) = joints.at(slot).filter(|_| forest.of_joint[slot].is_none()) else { continue };
            let ends = [joint.definition.bodies[0], joint.definition.bodies[1], joint.definition.reference];
            for body in ends.into_iter().flatten() {
                if let Some(member) = forest.of_body[body.slot()] {
                    forest.trees[member.tree as usize].flow.is_in_loop = true;
                    forest.closing.push([member.tree, slot as u32]);
                }
            }
        }
        forest.closing.sort_unstable();
        forest.closing.dedup();
        forest
    }

    /// Slots of the joints of a tree that carry no link of it.
    pub(super) fn closing_in(&self, tree: u32) -> impl Iterator<Item = u32> {
        let from = self.closing.partition_point(|closing| closing[0] < tree);
        self.closing[from..].iter().take_while(move |closing| closing[0] == tree).map(|closing| closing[1])
    }

    pub(super) fn is_free(&self, body: Option<u32>) -> bool {
        body.is_some_and(|slot| self.of_body[slot as usize].is_none())
    }

    /// Grows one tree from its root, depth first, so that chains stand in a row.
    fn grow(
        &mut self,
        graph: &Graph,
        bodies: &Bodies,
        joints: &Arena<Joint>,
        lone_bodies: bool,
        root: Option<u32>,
        carrier: Option<(&Edge, usize)>,
    ) {
        let Some(root) = root else { return };
        let index = self.trees.len() as u32;
        let base = carrier.and_then(|(edge, end)| edge.ends[1 - end]);
        let mut links: Vec<(LinkDefinition, u32, u32, [u8; 3])> = Vec::new();
        let mut stack = vec![(root, None, carrier)];
        while let Some((slot, parent, carrier)) = stack.pop() {
            if self.of_body[slot as usize].is_some() {
                continue;
            }
            let Some(body) = bodies.at(slot as usize) else { continue };
            let mass =
                MassProperties { mass: body.mass.mass, center_of_mass: body.mass.center, inertia: body.mass.inertia() };
            let link = match carrier.and_then(|(edge, end)| Some((edge, end, joints.at(edge.joint as usize)?))) {
                Some((edge, end, joint)) => {
                    let center = |body: Option<u32>| {
                        body.and_then(|b| bodies.at(b as usize)).map_or(DVec3::ZERO, |b| b.mass.center)
                    };
                    let centers = edge.ends.map(center);
                    let (mobility, order) = mobility(joint, end);
                    let (parent_frame, child_frame) = frames(joint, end, centers);
                    (LinkDefinition { parent, mobility, parent_frame, child_frame, mass }, slot, edge.joint, order)
                }
                None => {
                    let still = Pose::IDENTITY;
                    let mobility = Mobility::Free;
                    let link = LinkDefinition { parent, mobility, parent_frame: still, child_frame: still, mass };
                    (link, slot, NONE, [0; 3])
                }
            };
            let number = links.len();
            self.of_body[slot as usize] = Some(Member { tree: index, link: number as u32 });
            links.push(link);
            for edge in graph.near[slot as usize].iter().rev().map(|e| &graph.edges[*e as usize]) {
                let end = usize::from(edge.ends[0] == Some(slot));
                let child = edge.ends[end];
                if graph.is_dynamic(child) && self.is_free(child) && edge.carries(end) {
                    stack.extend(child.map(|child| (child, Some(number), Some((edge, end)))));
                }
            }
        }
        let definitions: Vec<_> = links.iter().map(|l| l.0).collect();
        // Bodies and joints were checked when they were made: what is refused here stays maximal.
        let Ok(mut tree) = Tree::new(&definitions) else {
            self.of_body.iter_mut().filter(|m| m.is_some_and(|m| m.tree == index)).for_each(|m| *m = None);
            return;
        };
        // Bodies without joints are trees in continuous time, which alone knows what fluid adds.
        if lone_bodies {
            for (number, link) in links.iter().enumerate() {
                let added =
                    bodies.at(link.1 as usize).and_then(|body| Some((body.mass.center, body.added_inertia.as_ref()?)));
                if let Some((center, matrix)) = added {
                    tree.add_inertia(number, center, matrix);
                }
            }
        }
        for (number, (_, _, joint, order)) in links.iter().enumerate().filter(|(_, l)| l.2 != NONE) {
            let first_dof = tree.dof_span(number).start as u32;
            let joint_of_tree = TreeJoint { tree: index, link: number as u32, first_dof, dof_of_axis: *order };
            self.of_joint[*joint as usize] = Some(joint_of_tree);
        }
        self.trees.push(Articulation::new(tree, &links, base));
    }
}

impl Articulation {
    /// How the spring of an axis of a joint is integrated in this step; none where the joint has no such axis.
    pub(super) fn spring_law(&self, joint: &TreeJoint, axis: usize) -> Option<&SpringLaw> {
        let is_axis = axis < self.tree.dof_span(joint.link as usize).len();
        is_axis.then(|| &self.laws[joint.dof(axis)])
    }

    fn new(tree: Tree, links: &[(LinkDefinition, u32, u32, [u8; 3])], base: Option<u32>) -> Self {
        let (segments, segment_of) = segments(&tree);
        let (n, m) = (tree.dof_count(), tree.link_count());
        let mut q = vec![0.0; tree.position_count()];
        tree.zero_positions(&mut q);
        Self {
            bodies: links.iter().map(|l| l.1).collect(),
            joints: links.iter().map(|l| l.2).collect(),
            orders: links.iter().map(|l| l.3).collect(),
            base,
            segments,
            segment_of,
            is_awake: false,
            is_pushed: false,
            kin: Kinematics::default(),
            factor: Factor::default(),
            scratch: Scratch::default(),
            q_before: vec![0.0; q.len()],
            q,
            v: vec![0.0; n],
            tau: vec![0.0; n],
            z_free: vec![0.0; n],
            z_before: vec![0.0; n],
            extra: vec![0.0; n],
            wrenches: vec![ForceVector::ZERO; m],
            gravity: vec![0.0; m],
            poses: vec![Pose::IDENTITY; m],
            base_pose: Pose::IDENTITY,
            base_twist: MotionVector::ZERO,
            twists: Vec::with_capacity(m),
            reactions: vec![ForceVector::ZERO; m],
            laws: vec![SpringLaw::default(); n],
            holding: Vec::new(),
            accelerations: vec![0.0; n],
            flow: TreeFlow::new(n),
            parts: TreeParts::new(&tree),
            tree,
        }
    }
}

/// Chains of dofs, each the child of the previous one.
fn segments(tree: &Tree) -> (Vec<Segment>, Vec<u32>) {
    let n = tree.dof_count();
    let mut children = vec![0u32; n];
    (0..n).filter_map(|k| tree.dof_parent(k)).for_each(|p| children[p] += 1);
    let (mut segments, mut segment_of): (Vec<Segment>, Vec<u32>) = (Vec::new(), Vec::with_capacity(n));
    for k in 0..n {
        let continues = k > 0 && tree.dof_parent(k) == Some(k - 1) && children[k - 1] == 1;
        match segments.last_mut() {
            Some(last) if continues && (last.count as usize) < SEGMENT => last.count += 1,
            _ => segments.push(Segment { first: k as u32, count: 1, clique: NONE }),
        }
        segment_of.push(segments.len() as u32 - 1);
    }
    (segments, segment_of)
}
