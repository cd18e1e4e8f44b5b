//! Energy balance of mechanisms with trees: energy added by a step is removed again.
//!
//! Trees cannot come apart and move by a flow that keeps their energy, but the joints that close loops can do work at
//! large `h ω`: it is `Σ λ (u⁰ + u⁺) / 2`. Velocity products that are taken explicitly make energy in every tree: there
//! the kinetic energy may change by the works of what acts on the mechanism, those of gravity, forces and efforts,
//! `Σ J (v⁰ + v⁺) / 2`, of the rows of contacts, motors, dry friction and soft joints, and what the springs of its
//! joints gave. What is more goes to the account of the mechanism, as for joints of free bodies ([`super::balance`]),
//! and what the account has in credit is taken off the velocities.

use glam::{DMat3, DVec3};

use super::balance::{CREDIT, MEMORY, OVERDRAFT, is_hard};
use super::context::Model;
use super::islands::NONE;
use super::problems::IslandProblem;
use super::{StepReport, Workspace};
use crate::base::Arena;
use crate::constraint::RowKind;
use crate::joints::Joint;
use crate::math::Pose;
use crate::model::{Bodies, Body, BodyState, JointId, JointState, State, TreeMotion, WorldParameters};

/// Share of the kinetic energy that explicit trees may make before it is taken back: their form is meant, its explosions
/// are not.
const EXPLICIT_CREDIT: f64 = 1.0;
/// As [`MEMORY`], for explicit trees: through every turning point of a swing.
const EXPLICIT_MEMORY: f64 = 0.9999;

/// A mechanism with trees in a step, by the slot of its first body.
#[derive(Clone, Copy, Debug)]
struct Mechanism {
    parent: u32,
    has_tree: bool,
    is_held: bool,
    is_driven: bool,
    before: f64,
    after: f64,
    work: f64,
    /// Work of the hard joints that close loops \[J\].
    closing: f64,
    mass: f64,
    momentum: DVec3,
    center: DVec3,
    angular: DVec3,
    inertia: DMat3,
    /// Share of the internal motion that stays; 1 where nothing is taken.
    sigma: f64,
}

/// Memory of the balance.
#[derive(Clone, Debug, Default)]
pub(crate) struct TreeBalance {
    mechanisms: Vec<Mechanism>,
    /// Mechanism of each clique.
    of_clique: Vec<u32>,
    /// Impulses of forces, and of their torques, at the start of the step, by body.
    impulses: Vec<[DVec3; 2]>,
    /// Motion and kinetic energy at the start of the step, by body.
    starts: Vec<(DVec3, DVec3, f64)>,
    /// Energy of the springs of each joint, and impulses and rates of its efforts.
    springs: Vec<f64>,
    efforts: Vec<[[f64; 2]; 3]>,
}

fn kinetic(body: &Body, state: &BodyState) -> f64 {
    let m = &state.motion;
    let spin = (m.rotation * body.mass.axes).conjugate() * m.omega;
    0.5 * body.mass.mass * m.velocity.length_squared() + 0.5 * spin.dot(body.mass.moments * spin)
}

/// Energy of the springs of a joint; of those that keep it at the positions that belong to their rates.
fn spring_energy(parameters: &WorldParameters, joint: &Joint, own: &JointState, step: f64) -> f64 {
    let behind = if parameters.springs_keep_energy() { 0.5 * step } else { 0.0 };
    let axes = joint.definition.parameters.iter().zip(own.positions).zip(own.rates);
    axes.map(|((law, x), rate)| law.spring_energy(x - behind * rate)).sum()
}

/// Notes forces and motion before anything moves.
pub(super) fn begin(model: &Model, step: f64, state: &State, work: &mut Workspace) {
    let Model { parameters, bodies, joints, .. } = *model;
    let balance = &mut work.tree_balance;
    if !work.forest.trees.iter().any(|tree| tree.is_awake) {
        balance.starts.clear();
        return;
    }
    balance.impulses.clear();
    balance.impulses.resize(bodies.slots(), [DVec3::ZERO; 2]);
    balance.starts.clear();
    balance.starts.resize(bodies.slots(), (DVec3::ZERO, DVec3::ZERO, 0.0));
    for (id, body) in bodies.iter() {
        let now = &state.bodies[id.slot()];
        balance.impulses[id.slot()] = [step * now.force, step * now.torque];
        balance.starts[id.slot()] = (now.motion.velocity, now.motion.omega, kinetic(body, now));
    }
    balance.springs.clear();
    balance.efforts.clear();
    for emitted in work.problems.joints() {
        let slot = emitted.slot as usize;
        let own = &state.joints[slot];
        balance.springs.push(joints.at(slot).map_or(0.0, |joint| spring_energy(parameters, joint, own, step)));
        let in_tree = work.forest.of_joint[slot].is_some();
        balance.efforts.push(std::array::from_fn(|axis| {
            if in_tree { [step * own.efforts[axis], own.rates[axis]] } else { [0.0; 2] }
        }));
    }
}

/// Takes back what was made, after everything has moved.
pub(super) fn settle(model: &Model, step: f64, state: &mut State, work: &mut Workspace, report: &mut StepReport) {
    let Model { parameters, bodies, joints, .. } = *model;
    if work.tree_balance.starts.is_empty() || work.tree_balance.starts.len() != bodies.slots() {
        return;
    }
    let mut balance = std::mem::take(&mut work.tree_balance);
    balance.unite(model, work);
    balance.collect(model, step, state, work);
    let is_explicit = parameters.tree_motion == TreeMotion::Explicit;
    if balance.take_back(is_explicit, bodies, state, report) {
        balance.slow_joints(joints, state, work);
        work.known_joints.forget();
    }
    work.tree_balance = balance;
}

impl TreeBalance {
    fn root(&self, mut slot: u32) -> u32 {
        while self.mechanisms[slot as usize].parent != slot {
            slot = self.mechanisms[slot as usize].parent;
        }
        slot
    }

    /// Bodies connected by joints, or by a joint that follows another.
    fn unite(&mut self, model: &Model, work: &Workspace) {
        let Model { bodies, joints, mimics, .. } = *model;
        self.mechanisms.clear();
        self.mechanisms.extend((0..bodies.slots() as u32).map(|slot| Mechanism {
            parent: slot,
            has_tree: work.forest.of_body[slot as usize].is_some(),
            is_held: false,
            is_driven: false,
            before: 0.0,
            after: 0.0,
            work: 0.0,
            closing: 0.0,
            mass: 0.0,
            momentum: DVec3::ZERO,
            center: DVec3::ZERO,
            angular: DVec3::ZERO,
            inertia: DMat3::ZERO,
            sigma: 1.0,
        }));
        for emitted in work.problems.joints() {
            let Some(joint) = joints.at(emitted.slot as usize) else { continue };
            let definition = &joint.definition;
            let mut first: Option<u32> = None;
            let (mut held, mut driven) = (definition.bodies.contains(&None), false);
            for slot in [definition.bodies[0], definition.bodies[1], definition.reference].into_iter().flatten() {
                let slot = slot.slot() as u32;
                let view = &work.views[slot as usize];
                if view.is_prescribed {
                    held = true;
                    driven |= view.velocity != DVec3::ZERO || view.omega != DVec3::ZERO;
                    continue;
                }
                match first {
                    None => first = Some(slot),
                    Some(first) => {
                        let (a, b) = (self.root(first), self.root(slot));
                        self.mechanisms[a.max(b) as usize].parent = a.min(b);
                    }
                }
            }
            if let Some(first) = first {
                self.mechanisms[first as usize].is_held |= held;
                self.mechanisms[first as usize].is_driven |= driven;
            }
        }
        // What a follower gains its leader loses, which may be of another tree.
        for mimic in mimics {
            let moves = |id: JointId| {
                let ends = joints.get(id).map_or([None; 2], |joint| joint.definition.bodies);
                ends.into_iter().flatten().map(|b| b.slot()).find(|slot| !work.views[*slot].is_prescribed)
            };
            if let [Some(follower), Some(leader)] = [mimic.follower.0, mimic.leader.0].map(moves) {
                let (a, b) = (self.root(follower as u32), self.root(leader as u32));
                self.mechanisms[a.max(b) as usize].parent = a.min(b);
            }
        }
    }

    /// Kinetic energies, and the works of what acts on each mechanism.
    fn collect(&mut self, model: &Model, step: f64, state: &State, work: &Workspace) {
        let Model { parameters, bodies, joints, .. } = *model;
        self.of_clique.clear();
        self.of_clique.resize(work.cliques.spans.len(), NONE);
        for (id, body) in bodies.iter() {
            let slot = id.slot();
            let root = self.root(slot as u32);
            if work.views[slot].clique != NONE {
                self.of_clique[work.views[slot].clique as usize] = root;
            }
            let own = self.mechanisms[slot];
            let total = &mut self.mechanisms[root as usize];
            if root as usize != slot {
                total.has_tree |= own.has_tree;
                total.is_held |= own.is_held;
                total.is_driven |= own.is_driven;
            }
            if work.views[slot].is_prescribed || work.islands.of_body[slot] == NONE {
                continue;
            }
            let (velocity, omega, before) = self.starts[slot];
            let now = &state.bodies[slot];
            let (v, turn) = (0.5 * (velocity + now.motion.velocity), 0.5 * (omega + now.motion.omega));
            let [force, torque] = self.impulses[slot];
            let gravity = if body.gravity { step * body.mass.mass * parameters.gravity } else { DVec3::ZERO };
            total.work += (force + gravity).dot(v) + torque.dot(turn);
            total.before += before;
            total.after += kinetic(body, now);
        }
        for tree in work.forest.trees.iter().filter(|t| t.is_pushed) {
            let root = self.root(tree.bodies[0]);
            // A base that moves drives its tree, and so does a motor that holds its rate against the flow.
            if tree.flow.held().contains(&true) {
                self.mechanisms[root as usize].is_driven = true;
            }
            if tree.base.is_some_and(|b| {
                work.views[b as usize].velocity != DVec3::ZERO || work.views[b as usize].omega != DVec3::ZERO
            }) {
                self.mechanisms[root as usize].is_driven = true;
            }
            for segment in tree.segments.iter().filter(|s| s.clique != NONE) {
                self.of_clique[segment.clique as usize] = root;
            }
        }
        for (number, emitted) in work.problems.joints().enumerate() {
            let Some(joint) = joints.at(emitted.slot as usize) else { continue };
            let ends = joint.definition.bodies.into_iter().flatten().map(|b| b.slot());
            let Some(first) = ends.into_iter().find(|slot| !work.views[*slot].is_prescribed) else { continue };
            let root = self.root(first as u32) as usize;
            let now = &state.joints[emitted.slot as usize];
            // What is led to a consistent position keeps the rate at which it is.
            self.mechanisms[root].is_driven |= now.is_led;
            let total = &mut self.mechanisms[root];
            total.work += self.springs[number] - spring_energy(parameters, joint, now, step);
            for (axis, [impulse, rate]) in self.efforts[number].iter().enumerate() {
                total.work += 0.5 * impulse * (rate + now.rates[axis]);
            }
        }
        for own in work.problems.iter() {
            self.row_works(own, &work.velocities.z[own.span.clone()]);
        }
    }

    /// Works of the rows of a problem, whose velocities after the step are `z`.
    fn row_works(&mut self, own: &IslandProblem, z_after: &[f64]) {
        let problem = &own.problem;
        for (row, lambda) in problem.rows.iter().zip(&own.lambda) {
            let is_inner = row.kind == RowKind::Spring
                || matches!(row.kind, RowKind::Joint | RowKind::Limit) && is_hard(row, problem.step);
            if *lambda == 0.0 || row.kind == RowKind::Spring {
                continue;
            }
            for block in problem.row_blocks(row) {
                let root = self.of_clique[(own.first_clique + block.clique) as usize];
                if root == NONE {
                    continue;
                }
                let (y, z) = (block.y as usize, block.z as usize);
                let sum: f64 = (0..block.dofs as usize)
                    .map(|k| problem.y[y + k] * (problem.z_before[z + k] + z_after[z + k]))
                    .sum();
                let mechanism = &mut self.mechanisms[root as usize];
                *(if is_inner { &mut mechanism.closing } else { &mut mechanism.work }) += 0.5 * lambda * sum;
            }
        }
    }

    /// Brings the accounts forward, and scales the motion of mechanisms that are in credit.
    fn take_back(&mut self, is_explicit: bool, bodies: &Bodies, state: &mut State, report: &mut StepReport) -> bool {
        let mut is_any = false;
        for slot in 0..self.mechanisms.len() {
            let mechanism = &mut self.mechanisms[slot];
            if mechanism.parent != slot as u32 || !mechanism.has_tree || mechanism.is_driven {
                continue;
            }
            let is_explicit = is_explicit && mechanism.closing == 0.0;
            let (credit, memory) = if is_explicit { (EXPLICIT_CREDIT, EXPLICIT_MEMORY) } else { (CREDIT, MEMORY) };
            let first = &mut state.bodies[slot];
            let usual = mechanism.after.min(mechanism.before + mechanism.work.max(0.0));
            first.joint_energy = usual.max(memory * first.joint_energy);
            // What rows of loops seem to give, the projections after the flow may have taken already.
            let gained = mechanism.after - mechanism.before - mechanism.work;
            // Where nothing else acts the change of the energy is known exactly, and otherwise the works up to the turn of a step.
            let made = match (is_explicit, mechanism.work == 0.0) {
                (true, _) => gained,
                (false, true) if mechanism.closing != 0.0 => gained,
                _ => mechanism.closing.min(gained),
            };
            first.joint_work = (first.joint_work + made).max(-OVERDRAFT * first.joint_energy);
            if first.joint_work > credit * first.joint_energy {
                mechanism.sigma = 0.0;
                is_any = true;
            }
        }
        if !is_any {
            return false;
        }
        for (id, body) in bodies.iter() {
            let root = self.root(id.slot() as u32) as usize;
            let mechanism = &mut self.mechanisms[root];
            if mechanism.sigma == 0.0 {
                let m = &state.bodies[id.slot()].motion;
                mechanism.mass += body.mass.mass;
                mechanism.momentum += body.mass.mass * m.velocity;
                mechanism.center += body.mass.mass * m.position;
            }
        }
        for (id, body) in bodies.iter() {
            let root = self.root(id.slot() as u32) as usize;
            let mechanism = &mut self.mechanisms[root];
            if mechanism.sigma == 0.0 {
                let m = &state.bodies[id.slot()].motion;
                let arm = m.position - mechanism.center / mechanism.mass;
                let axes = Pose::new(DVec3::ZERO, m.rotation * body.mass.axes).matrix();
                let own = axes * DMat3::from_diagonal(body.mass.moments) * axes.transpose();
                let outer = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
                mechanism.inertia += own + body.mass.mass * (DMat3::from_diagonal(DVec3::splat(arm.dot(arm))) - outer);
                mechanism.angular += body.mass.mass * arm.cross(m.velocity) + own * m.omega;
            }
        }
        for (slot, mechanism) in self.mechanisms.iter_mut().enumerate().filter(|(_, m)| m.sigma == 0.0) {
            mechanism.center /= mechanism.mass;
            let mut rigid = 0.0;
            if mechanism.is_held {
                (mechanism.momentum, mechanism.angular) = (DVec3::ZERO, DVec3::ZERO);
            } else {
                // From here on the rigid velocities.
                let (p, l) = (mechanism.momentum, mechanism.angular);
                let omega = mechanism.inertia.inverse() * l;
                mechanism.momentum /= mechanism.mass;
                mechanism.angular = if omega.is_finite() { omega } else { DVec3::ZERO };
                rigid = 0.5 * (p.dot(mechanism.momentum) + l.dot(mechanism.angular));
            }
            let internal = (mechanism.after - rigid).max(0.0);
            let taken = state.bodies[slot].joint_work.min(internal);
            mechanism.sigma = if internal > 0.0 { ((internal - taken) / internal).sqrt() } else { 1.0 };
            report.energy.taken_back += taken;
            state.bodies[slot].joint_work = 0.0;
        }
        for (id, _) in bodies.iter() {
            let mechanism = &self.mechanisms[self.root(id.slot() as u32) as usize];
            if mechanism.sigma < 1.0 {
                let m = &mut state.bodies[id.slot()].motion;
                let rigid = mechanism.momentum + mechanism.angular.cross(m.position - mechanism.center);
                m.velocity = rigid + mechanism.sigma * (m.velocity - rigid);
                m.omega = mechanism.angular + mechanism.sigma * (m.omega - mechanism.angular);
            }
        }
        true
    }

    /// The rates of the joints follow: rigid motion has none.
    fn slow_joints(&self, joints: &Arena<Joint>, state: &mut State, work: &Workspace) {
        for emitted in work.problems.joints() {
            let Some(joint) = joints.at(emitted.slot as usize) else { continue };
            let ends = joint.definition.bodies.into_iter().flatten();
            let Some(first) = ends.into_iter().find(|b| !work.views[b.slot()].is_prescribed) else { continue };
            let sigma = self.mechanisms[self.root(first.slot() as u32) as usize].sigma;
            state.joints[emitted.slot as usize].rates.iter_mut().for_each(|rate| *rate *= sigma);
        }
    }
}
