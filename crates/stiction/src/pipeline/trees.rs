//! Trees in a step: their motion without constraints, their cliques, their new state.
//!
//! The state of a tree is that of its bodies. Each step reads positions and velocities of the joints off poses and twists,
//! and writes poses and twists of the new positions back: so a snapshot, a change by the user and a change of
//! coordinates need no other state, and joints cannot drift apart.

use glam::DVec3;

use super::cliques::Cliques;
use super::context::Model;
use super::edits::stop;
use super::forest::{Articulation, Forest, SEGMENT, Segment, Stamp, axes_of};
use super::islands::{Islands, NONE};
use super::spring_inertia::spring_rule;
use super::tree_motion::TreeFlow;
use super::tree_parts::Heaviness;
use super::{StepReport, Workspace};
use crate::base::Arena;
use crate::dynamics::rigid::RigidMotion;
use crate::dynamics::tree::{BaseMotion, FlowInputs, ForceVector, Loads, MotionVector};
use crate::joints::{Joint, SpringLaw, SpringRule};
use crate::material::Combination;
use crate::math::Pose;
use crate::model::{Bodies, Body, Coordinates, JointFeedback, State, TreeMotion, WorldParameters, joint_pose};

/// Velocities that joints do not allow, by the largest: below this they are rounding.
const FITTING: f64 = 1e-9;

/// Keeps the forest of the world's coordinates up to date with bodies and joints: maximal ones have no trees.
pub(super) fn plant(model: &Model, forest: &mut Forest) {
    refresh(model, model.parameters.coordinates == Coordinates::Reduced, forest);
}

/// Keeps a forest up to date, with trees or without.
pub(super) fn refresh(model: &Model, is_reduced: bool, forest: &mut Forest) {
    let Model { parameters, bodies, joints, topology, .. } = *model;
    // Joints of Drake's discrete plant and of DART are coordinates, whatever their cfm.
    let are_rigid = parameters.solver.starts_from_velocity() || parameters.combination == Combination::Dart;
    let stamp = Stamp {
        topology,
        bodies: if is_reduced { bodies.iter().map(|(_, b)| b.changes).sum() } else { 0 },
        lone_bodies: false,
        soft_rows: parameters.coordinates == Coordinates::Maximal || !are_rigid,
        is_reduced,
    };
    forest.refresh(stamp, bodies, joints);
}

/// Reads the awake trees off their bodies: positions, velocities, subspaces, inertias.
///
/// Velocities that joints do not allow, as a user gave one to a link, go by impulses in the joints. In Drake's form each joint is read by itself.
pub(super) fn read(model: &Model, state: &State, poses: &[Pose], islands: &Islands, forest: &mut Forest) {
    for tree in &mut forest.trees {
        tree.is_pushed = false;
        tree.is_awake = tree.bodies.iter().any(|slot| islands.of_body[*slot as usize] != NONE);
        tree.segments.iter_mut().for_each(|s| s.clique = NONE);
        if tree.is_awake {
            tree.read(state, poses);
            if model.parameters.tree_motion != TreeMotion::Explicit {
                tree.fit_velocities(model.joints, state);
            }
            tree.tau.fill(0.0);
        }
    }
}

/// Reads all trees, awake or not: in continuous time nothing sleeps.
pub(super) fn read_all(state: &State, poses: &[Pose], forest: &mut Forest) {
    for tree in &mut forest.trees {
        tree.is_awake = true;
        tree.is_pushed = false;
        if let Some(lone) = tree.tree.lone() {
            let motion = &state.bodies[tree.bodies[0] as usize].motion;
            let pose = &poses[tree.bodies[0] as usize];
            tree.poses[0] = *pose;
            tree.tree.set_origin(pose.position, &mut tree.kin);
            lone.read(pose, motion.velocity, motion.omega, &mut tree.q, &mut tree.v);
            continue;
        }
        tree.read(state, poses);
        // Angles follow the joints' whole turns.
        tree.tree.zero_positions(&mut tree.q);
        for (link, slot) in tree.joints.iter().enumerate().filter(|(_, slot)| **slot != NONE) {
            let span = tree.tree.position_span(link);
            let count = tree.tree.dof_span(link).len();
            if span.len() == count {
                for axis in 0..count {
                    let position = state.joints[*slot as usize].positions[axis];
                    tree.q[span.start + usize::from(tree.orders[link][axis])] = position;
                }
            }
        }
        tree.tree.read_positions(&tree.poses, &tree.base_pose, &mut tree.q);
    }
}

/// Motion of every awake tree without rows: `z_free = L v + h L⁻ᵀ (τ + Q − s c) − …`, with armature, damping and stiffness
/// of the joints inside the mass, `M̃ = M + A + h C + h² θ₁ K`, and the share s of the velocity products c that
/// [`super::tree_motion`] asks for.
pub(super) fn free_motion(model: &Model, step: f64, state: &mut State, forest: &mut Forest, report: &mut StepReport) {
    let Model { parameters, bodies, .. } = *model;
    for tree in forest.trees.iter_mut().filter(|t| t.is_awake) {
        tree.parts.reset();
        tree.absorb_joint_laws(model, step, state);
        if tree.tree.factor(&tree.kin, &tree.extra, &mut tree.factor).is_err() {
            // No number of a body allows that: only a state beyond all bounds does.
            tree.is_awake = false;
            for slot in &tree.bodies {
                let body = &mut state.bodies[*slot as usize];
                let last = body.motion;
                stop(body, last);
                report.quarantined.extend(bodies.handle_at(*slot as usize));
            }
            continue;
        }
        tree.load(bodies, state);
        let heaviness = tree.heaviness(parameters, step, state);
        let Articulation {
            tree: links,
            kin,
            factor,
            scratch,
            v,
            tau,
            z_free,
            z_before,
            wrenches,
            gravity,
            flow,
            parts,
            accelerations,
            reactions,
            ..
        } = tree;
        let loads = Loads { gravity: parameters.gravity, gravity_scale: gravity, wrenches };
        z_before.copy_from_slice(v);
        links.whiten_velocity(factor, z_before, scratch);
        z_free.copy_from_slice(tau);
        links.whiten_applied_loads(kin, factor, &loads, z_free, scratch);
        links.whiten_velocity_products(kin, factor, &mut flow.anticipated, scratch);
        if heaviness != Heaviness::Usual {
            let whitened = z_free.iter().zip(&flow.anticipated);
            accelerations.iter_mut().zip(whitened).for_each(|(own, (forces, products))| *own = forces + products);
            links.unwhiten_velocity(factor, accelerations, scratch);
            links.reactions(kin, &loads, accelerations, reactions, scratch);
            parts.count(reactions, heaviness, step);
        }
        flow.choose(parameters.tree_motion, step, v, z_before);
        for ((free, before), products) in z_free.iter_mut().zip(&*z_before).zip(&flow.anticipated) {
            *free = before + step * *free + products;
        }
    }
}

/// Numbers the cliques of a tree, once.
pub(super) fn push_cliques(cliques: &mut Cliques, tree: &mut Articulation) {
    if tree.is_pushed || !tree.is_awake {
        return;
    }
    tree.is_pushed = true;
    for segment in &mut tree.segments {
        let span = segment.first as usize..(segment.first + segment.count) as usize;
        let (mut free, mut before) = ([0.0; SEGMENT], [0.0; SEGMENT]);
        free[..span.len()].copy_from_slice(&tree.z_free[span.clone()]);
        before[..span.len()].copy_from_slice(&tree.z_before[span]);
        segment.clique = cliques.push(&free, &before);
    }
}

/// Wrenches that the joints transmit in this step, of trees that have a joint with feedback: by the accelerations
/// `(v⁺ − v⁰) / h` and the impulses of contacts and loops.
pub(super) fn react(parameters: &WorldParameters, step: f64, joints: &Arena<Joint>, work: &mut Workspace) {
    let Workspace { forest, problems, contacts, islands, views, feedback, .. } = work;
    let wants = |slot: &u32| joints.at(*slot as usize).is_some_and(|j| j.definition.feedback);
    if !forest.trees.iter().any(|t| t.is_awake && t.joints.iter().any(wants)) {
        return;
    }
    let Forest { trees, of_body, of_joint, .. } = forest;
    let mut push = |slot: Option<u32>, at: DVec3, force: DVec3, torque: DVec3| {
        if let Some(member) = slot.and_then(|slot| of_body[slot as usize]) {
            let tree = &mut trees[member.tree as usize];
            tree.wrenches[member.link as usize] += ForceVector::at(at - tree.kin.origin(), torque, force);
        }
    };
    for own in problems.iter() {
        for (point, index) in own.problem.contacts.iter().zip(&islands.contacts[own.contacts.clone()]) {
            let contact = &contacts[*index as usize];
            let (force, torque) = super::remember::contact_force(point, &own.lambda, step);
            push(contact.bodies[0], contact.position, force, torque);
            push(contact.bodies[1], contact.position, -force, -torque);
        }
    }
    for (own, emitted) in problems.joints_in_problems() {
        let Some(joint) = joints.at(emitted.slot as usize) else { continue };
        if of_joint[emitted.slot as usize].is_some() {
            continue;
        }
        let slots = [joint.definition.bodies[0], joint.definition.bodies[1], joint.definition.reference];
        let rows = &own.joint_rows[emitted.rows[0] as usize..emitted.rows[1] as usize];
        for (row, lambda) in rows.iter().zip(&own.lambda[emitted.first_row as usize..]) {
            for (body, slot) in slots.iter().enumerate() {
                let Some(slot) = slot.map(|s| s.slot()) else { continue };
                let force = lambda / step;
                push(Some(slot as u32), views[slot].center, row.linear_of(body) * force, row.angular[body] * force);
            }
        }
    }
    for tree in trees.iter_mut().filter(|t| t.is_awake) {
        tree.react(parameters.gravity, step);
        for (link, slot) in tree.joints.iter().enumerate().filter(|(_, slot)| **slot != NONE) {
            let Some(joint) = joints.at(*slot as usize).filter(|j| j.definition.feedback) else { continue };
            let ends = joint.definition.bodies.map(|b| b.map(|b| b.slot()));
            let child = usize::from(ends[0] != Some(tree.bodies[link] as usize));
            let transmitted = &tree.reactions[link];
            let mut told = JointFeedback::default();
            for (end, sign) in [(child, 1.0), (1 - child, -1.0)] {
                let center = ends[end].map_or(DVec3::ZERO, |slot| views[slot].center);
                told.forces[end] = sign * transmitted.linear();
                told.torques[end] = sign * transmitted.moment_about(center - tree.kin.origin());
            }
            feedback[*slot as usize] = told;
        }
    }
}

/// Writes the new positions and velocities of every awake tree back to its bodies.
pub(super) fn advance(bodies: &Bodies, state: &mut State, work: &mut Workspace, report: &mut StepReport) {
    for tree in work.forest.trees.iter_mut().filter(|t| t.is_awake) {
        tree.damp(bodies);
        tree.write(bodies, state, report);
        if tree.is_divided() {
            report.momentum_in_parts += tree.momentum(bodies, state);
        }
    }
}

impl Articulation {
    /// Motion of the base at the origin of the kinematics.
    pub(super) fn base_motion(&self, state: &State, origin: DVec3) -> BaseMotion {
        let twist = self.base.map_or(MotionVector::ZERO, |slot| {
            let m = &state.bodies[slot as usize].motion;
            MotionVector::at(m.position - origin, m.omega, m.velocity)
        });
        BaseMotion { twist, acceleration: MotionVector::ZERO }
    }

    fn base_pose_of(&self, bodies: &Bodies, state: &State) -> Pose {
        self.base.map_or(Pose::IDENTITY, |slot| {
            let m = &state.bodies[slot as usize].motion;
            let center = bodies.at(slot as usize).map_or(DVec3::ZERO, |b| b.mass.center);
            m.frame(center)
        })
    }

    /// Positions from the poses of the bodies, velocities from their twists.
    fn read(&mut self, state: &State, poses: &[Pose]) {
        for (pose, slot) in self.poses.iter_mut().zip(&self.bodies) {
            *pose = poses[*slot as usize];
        }
        self.base_pose = self.base.map_or(Pose::IDENTITY, |slot| poses[slot as usize]);
        let origin = self.poses[0].position;
        self.tree.positions_from_poses(&self.poses, &self.base_pose, origin, &mut self.kin);
        let base = self.base_motion(state, origin);
        self.base_twist = base.twist;
        self.twists.clear();
        self.twists.extend(self.bodies.iter().map(|slot| {
            let m = &state.bodies[*slot as usize].motion;
            MotionVector::at(m.position - origin, m.omega, m.velocity)
        }));
        self.tree.read_velocities(&self.twists, &base.twist, &self.kin, &mut self.v);
        self.tree.velocities(&self.v, &base, &mut self.kin);
    }

    /// Joints allow the velocities of the bodies.
    fn velocities_fit(&self) -> bool {
        let square = |twist: &MotionVector| twist.angular().length_squared() + twist.linear().length_squared();
        let links = self.twists.iter().zip(self.kin.twists());
        let (left, most) = links.fold((0.0f64, 0.0f64), |(left, most), (given, found)| {
            (left.max(square(&(*given - *found))), most.max(square(given)))
        });
        left <= FITTING * FITTING * most || !most.is_finite()
    }

    /// Takes the velocities that joints allow nearest to those of the bodies, as impulses in the joints would make them.
    fn fit_velocities(&mut self, joints: &Arena<Joint>, state: &State) {
        if self.velocities_fit() {
            return;
        }
        self.take_armature(joints);
        let base = self.flow_base(state);
        let carried = self.base.map_or(DVec3::ZERO, |slot| state.bodies[slot as usize].motion.velocity);
        let TreeFlow { armature, memory, .. } = &mut self.flow;
        self.tree.note_twists(&self.kin, &self.twists, carried, memory);
        if self.tree.fit(&self.kin, &mut self.v, &FlowInputs { base, armature, held: &[] }, memory).is_ok() {
            let base = self.base_motion(state, self.kin.origin());
            self.tree.velocities(&self.v, &base, &mut self.kin);
        }
    }

    /// Armature of the joints that have axes.
    fn take_armature(&mut self, joints: &Arena<Joint>) {
        let Self { tree, joints: slots, orders, flow, .. } = self;
        flow.armature.fill(0.0);
        for (slot, axis, dof) in axes_of(tree, slots, orders) {
            flow.armature[dof] = joints.at(slot).map_or(0.0, |joint| joint.definition.parameters[axis].armature);
        }
    }

    /// Armature, damping and springs of the joints: what they add to the mass, and to the forces at the positions and rates there are.
    pub(super) fn absorb_joint_laws(&mut self, model: &Model, step: f64, state: &State) {
        self.extra.fill(0.0);
        self.take_armature(model.joints);
        self.laws.fill(SpringLaw::default());
        self.parts.efforts.copy_from_slice(&self.tau);
        for (link, slot) in self.joints.iter().enumerate().filter(|(_, slot)| **slot != NONE) {
            let Some(joint) = model.joints.at(*slot as usize) else { continue };
            let span = self.tree.dof_span(link);
            // Ball joints have no axes.
            if span.len() != self.tree.position_span(link).len() {
                continue;
            }
            let mut positions = state.joints[*slot as usize].positions;
            let ways = self.parts.ways(self.tree.position_span(link), &self.orders[link]);
            positions.iter_mut().zip(ways).for_each(|(position, way)| *position += way);
            let mut rules = [SpringRule::Implicit; 3];
            if joint.definition.parameters[..span.len()].iter().any(|own| own.stiffness > 0.0) {
                let pose = joint_pose(joint, &state.bodies);
                joint.visit_motions(&pose, positions, |axis, motion| {
                    let bodies = (model, &state.bodies[..]);
                    rules[axis] = spring_rule(bodies, (joint, &pose), (axis, motion), step, &mut self.holding);
                });
            }
            for axis in 0..span.len() {
                let p = &joint.definition.parameters[axis];
                let dof = span.start + usize::from(self.orders[link][axis]);
                let law = p.implicit((positions[axis], self.v[dof]), step, rules[axis]);
                self.extra[dof] = p.armature + law.inertia;
                self.laws[dof] = SpringLaw { inertia: law.inertia, kept: law.kept };
                self.tau[dof] += law.effort;
            }
        }
    }

    /// Gravity and the users' forces on the links.
    fn load(&mut self, bodies: &Bodies, state: &State) {
        let origin = self.kin.origin();
        for (link, slot) in self.bodies.iter().enumerate() {
            let body = &state.bodies[*slot as usize];
            self.wrenches[link] = ForceVector::at(body.motion.position - origin, body.torque, body.force);
            self.gravity[link] = f64::from(bodies.at(*slot as usize).is_some_and(|b| b.gravity));
        }
    }

    fn react(&mut self, gravity: DVec3, step: f64) {
        for (a, (after, before)) in self.accelerations.iter_mut().zip(self.z_free.iter().zip(&self.v)) {
            *a = (after - before) / step;
        }
        let loads = Loads { gravity, gravity_scale: &self.gravity, wrenches: &self.wrenches };
        self.tree.reactions(&self.kin, &loads, &self.accelerations, &mut self.reactions, &mut self.scratch);
    }

    /// Shares of the velocity lost in a step (SDFormat's `velocity_decay`), of the joints for those of the links: angular
    /// for turning dofs, linear for sliding ones.
    fn damp(&mut self, bodies: &Bodies) {
        for (k, v) in self.z_free.iter_mut().enumerate() {
            let slot = self.bodies[self.tree.dof_link(k)] as usize;
            let Some(body) = bodies.at(slot) else { continue };
            let turns = self.kin.subspace()[k].angular() != DVec3::ZERO;
            *v *= 1.0 - if turns { body.damping.angular } else { body.damping.linear };
        }
    }

    /// Writes the poses of the positions `q` and the twists of the velocities in `z_free` to the bodies.
    pub(super) fn write(&mut self, bodies: &Bodies, state: &mut State, report: &mut StepReport) {
        let base_pose = self.base_pose_of(bodies, state);
        let origin = self.kin.origin();
        self.tree.positions(&self.q, &base_pose, origin, &mut self.kin);
        let base = self.base_motion(state, origin);
        self.tree.velocities(&self.z_free, &base, &mut self.kin);
        self.write_placed(bodies, state, report);
    }

    /// Writes the poses and twists that the kinematics hold to the bodies.
    pub(super) fn write_placed(&mut self, bodies: &Bodies, state: &mut State, report: &mut StepReport) {
        let origin = self.kin.origin();
        let motion = |link: usize, body: &Body| {
            let (pose, twist) = (self.kin.poses()[link], self.kin.twists()[link]);
            let position = pose.point(body.mass.center);
            let (velocity, omega) = (twist.point(position - origin), twist.angular());
            RigidMotion { position, rotation: pose.rotation, velocity, omega }
        };
        let all_motions = || {
            let links = self.bodies.iter().enumerate();
            links.filter_map(|(link, slot)| bodies.at(*slot as usize).map(|body| motion(link, body)))
        };
        let is_finite = self.q.iter().chain(&self.z_free).all(|x| x.is_finite())
            && self.kin.twists().iter().all(MotionVector::is_finite)
            && all_motions().all(|motion| motion.is_finite());
        for (link, slot) in self.bodies.iter().enumerate() {
            let Some(body) = bodies.at(*slot as usize) else { continue };
            let now = &mut state.bodies[*slot as usize];
            now.force = DVec3::ZERO;
            now.torque = DVec3::ZERO;
            if !is_finite {
                // One bad number reaches every link: the tree stops as a whole.
                let last = now.motion;
                stop(now, last);
                report.quarantined.extend(bodies.handle_at(*slot as usize));
                continue;
            }
            now.motion = motion(link, body);
        }
    }

    fn momentum(&self, bodies: &Bodies, state: &State) -> DVec3 {
        let mass = |slot: u32| bodies.at(slot as usize).map_or(0.0, |body| body.mass.mass);
        self.bodies.iter().map(|slot| mass(*slot) * state.bodies[*slot as usize].motion.velocity).sum()
    }

    /// Sum of the masses that have weight times their places \[kg m\].
    fn moment(&self, bodies: &Bodies, state: &State) -> DVec3 {
        let heavy = |slot: u32| bodies.at(slot as usize).filter(|b| b.gravity).map_or(0.0, |b| b.mass.mass);
        self.bodies.iter().map(|slot| heavy(*slot) * state.bodies[*slot as usize].motion.position).sum()
    }

    /// Goes back to a share of the way of this step. The rates hold, but for what the motion had of gravity on the rest of the way,
    /// and for what another pose makes of their energy.
    pub(super) fn stop_at(
        &mut self,
        fraction: f64,
        gravity: DVec3,
        bodies: &Bodies,
        state: &mut State,
        report: &mut StepReport,
    ) {
        self.note_energy();
        let full = self.moment(bodies, state);
        self.q_before.copy_from_slice(&self.q);
        self.tree.read_positions(&self.poses, &self.base_pose, &mut self.q_before);
        for (q, before) in self.q.iter_mut().zip(&self.q_before) {
            *q = before + fraction * (*q - before);
        }
        self.tree.normalize_positions(&mut self.q);
        self.write(bodies, state, report);
        let fall = gravity.dot(full - self.moment(bodies, state)).max(0.0);
        self.limit_energy(fall);
        self.write(bodies, state, report);
    }

    /// Moves the positions by a whitened change; the velocities of the joints stay.
    pub(super) fn shift(
        &mut self,
        cliques: &Cliques,
        change: &[f64],
        bodies: &Bodies,
        state: &mut State,
        report: &mut StepReport,
    ) {
        collect(&self.segments, cliques, change, &mut self.z_before);
        self.tree.unwhiten_velocity(&self.factor, &mut self.z_before, &mut self.scratch);
        self.q_before.copy_from_slice(&self.q);
        self.tree.advance(&mut self.q, &self.z_before, 1.0);
        self.write(bodies, state, report);
    }

    /// Takes the last shift back.
    pub(super) fn shift_back(&mut self, bodies: &Bodies, state: &mut State, report: &mut StepReport) {
        self.q.copy_from_slice(&self.q_before);
        self.write(bodies, state, report);
    }

    /// Changes the velocities of the joints by a whitened change.
    pub(super) fn change_rates(
        &mut self,
        cliques: &Cliques,
        change: &[f64],
        bodies: &Bodies,
        state: &mut State,
        report: &mut StepReport,
    ) {
        collect(&self.segments, cliques, change, &mut self.z_before);
        self.tree.unwhiten_velocity(&self.factor, &mut self.z_before, &mut self.scratch);
        self.z_free.iter_mut().zip(&self.z_before).for_each(|(v, own)| *v += own);
        self.write(bodies, state, report);
    }

    /// Adds `L⁻¹ z` of whitened numbers to the velocities (or accelerations) of the joints.
    pub(super) fn add_whitened(&mut self, cliques: &Cliques, z: &[f64], to: &mut [f64]) {
        collect(&self.segments, cliques, z, &mut self.z_before);
        self.tree.unwhiten_velocity(&self.factor, &mut self.z_before, &mut self.scratch);
        for (to, own) in to.iter_mut().zip(&self.z_before) {
            *to += own;
        }
    }
}

/// Whitened numbers of the cliques of a tree.
pub(super) fn collect(segments: &[Segment], cliques: &Cliques, z: &[f64], to: &mut [f64]) {
    for segment in segments {
        let start = cliques.start(segment.clique);
        let (first, count) = (segment.first as usize, segment.count as usize);
        to[first..first + count].copy_from_slice(&z[start..start + count]);
    }
}
