//! Joints that close loops in continuous time: forces λ that hold their accelerations, `J v̇ + J̇ v = −2 u/τ − g/τ²`,
//! with `v̇ = v̇_free + M⁻¹ Jᵀ λ`. What drift the right side leaves is projected away after the step. Motors are rows
//! beside them: `J v̇ + J̇ v = (w − u)/τ` with |λ| ≤ F, so that they reach their speed exactly, under any load.

use glam::{DQuat, DVec3};

use super::super::cliques::Cliques;
use super::super::context::Model;
use super::super::forest::Forest;
use super::super::parts::Parts;
use super::super::views::BodyView;
use super::bounded::Bounded;
use super::touch::Prescribed;
use crate::base::Arena;
use crate::dynamics::rotation::exponential;
use crate::dynamics::tree::ForceVector;
use crate::joints::geometry::unwrap;
use crate::joints::{AxisParameters, Joint, JointContext, JointPose, JointRow};

/// Time in which drift fades \[s\].
const FADE: f64 = 0.01;
/// Time in which a motor reaches its speed \[s\].
const MOTOR_TIME: f64 = 5e-3;
/// Share of what rows of loops once had beside each other, below which a mechanism is at a singular position.
const SINGULAR: f64 = 1e-4;
/// Step of the central difference that gives `J̇ v` \[s\]: rows turn by ω times this.
const DIFFERENCE: f64 = 1e-5;

/// Motion of a body at an evaluation.
#[derive(Clone, Copy, Debug)]
struct BodyMotion {
    center: DVec3,
    rotation: DQuat,
    velocity: DVec3,
    omega: DVec3,
    /// Accelerations without the forces of loops.
    acceleration: DVec3,
    spin: DVec3,
}

/// A row, for feedback: it acts on the bodies of a joint by `λ` times its Jacobian.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    /// Slot of the joint; none for followers.
    pub(super) joint: Option<u32>,
    /// The motion that it drives.
    pub(super) axis: Option<u8>,
    pub(super) linear: DVec3,
    /// On the first, second and reference body; zero for motors in trees, whose force is one along their coordinate.
    pub(super) angular: [DVec3; 3],
}

/// Force along a free motion of a joint that closes a loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Driven {
    pub(super) held: Held,
    pub(super) force: f64,
    /// The part of it that is of a drive.
    pub(super) drive: f64,
    /// Position, rate, and the inertia that the motion feels.
    pub(super) state: [f64; 3],
}

/// Accelerations of all trees.
#[derive(Clone, Copy)]
pub(super) struct Accelerations<'a> {
    /// First dof of each tree.
    pub(super) starts: &'a [usize],
    pub(super) values: &'a [f64],
}

impl Accelerations<'_> {
    /// Where they are not known, or not asked for.
    const NONE: Self = Self { starts: &[], values: &[] };

    fn of(&self, tree: u32, dof: usize) -> f64 {
        self.values[self.starts[tree as usize] + dof]
    }
}

/// Memory of the loops.
#[derive(Clone, Debug, Default)]
pub(super) struct Loops {
    /// Slots of the joints that close loops.
    pub(super) joints: Vec<u32>,
    /// Joint and axis of the motors.
    pub(super) motors: Vec<(u32, usize)>,
    /// The rows of the last evaluation.
    pub(super) held: Vec<Held>,
    /// Forces along free motions of joints that close loops: the row stands for the force.
    pub(super) driven: Vec<Driven>,
    bounds: Vec<f64>,
    solved: Bounded,
    /// Least independence of the rows in this step, and the greatest so far; numbers of independent rows in this step.
    least: f64,
    best: f64,
    ranks: [usize; 2],
    rows: Vec<JointRow>,
    ahead: Vec<JointRow>,
    behind: Vec<JointRow>,
    /// Parts of the rows, of which the first `count` are in use.
    parts: Vec<Parts>,
    count: usize,
    matrix: Vec<f64>,
    /// Right sides.
    x: Vec<f64>,
    /// Speed along each row.
    speeds: Vec<f64>,
    change: Vec<f64>,
}

impl Loops {
    /// Finds the forces of the loops, and the change of the whitened accelerations that they make, from the accelerations
    /// without them.
    pub(super) fn hold(
        &mut self,
        model: &Model,
        cliques: &Cliques,
        views: &mut [BodyView],
        forest: &mut Forest,
        prescribed: &Prescribed,
        free: Accelerations,
    ) {
        let joints = model.joints;
        self.x.clear();
        self.held.clear();
        self.speeds.clear();
        self.count = 0;
        for slot_of_joint in &self.joints {
            let Some(joint) = joints.at(*slot_of_joint as usize) else { continue };
            let slots = slots_of(joint);
            let bodies = slots.map(|slot| moving(slot, forest, prescribed, free));
            let positions = prescribed.state.joints[*slot_of_joint as usize].positions;
            let rows_at = |shift: f64, rows: &mut Vec<JointRow>| {
                let context = JointContext { step: 1.0, erp: 1.0, cfm: 0.0, spook: None, positions };
                rows.clear();
                joint.holding_rows(&pose_at(joint, &bodies, shift), &context, rows);
            };
            rows_at(0.0, &mut self.rows);
            rows_at(DIFFERENCE, &mut self.ahead);
            rows_at(-DIFFERENCE, &mut self.behind);
            for (slot, body) in slots.iter().zip(&bodies) {
                if let Some(slot) = slot {
                    views[*slot as usize].center = body.center;
                }
            }
            for ((row, ahead), behind) in self.rows.iter().zip(&self.ahead).zip(&self.behind) {
                let u = rate(row, &bodies, |b| (b.velocity, b.omega));
                let bias = (rate(ahead, &bodies, |b| (b.velocity, b.omega))
                    - rate(behind, &bodies, |b| (b.velocity, b.omega)))
                    / (2.0 * DIFFERENCE);
                let free = rate(row, &bodies, |b| (b.acceleration, b.spin));
                self.x.push(-(free + bias + 2.0 * u / FADE + row.error / (FADE * FADE)));
                self.speeds.push(u);
                self.held.push(Held {
                    joint: Some(*slot_of_joint),
                    axis: None,
                    linear: row.linear,
                    angular: row.angular,
                });
                let parts = next(&mut self.parts, &mut self.count);
                for (number, slot) in slots.iter().enumerate() {
                    parts.add(views, forest, *slot, row.linear_of(number), row.angular[number]);
                }
                parts.drop_rounding();
            }
        }
        let of_loops = self.x.len();
        self.follow(model, forest, free);
        self.bounds.clear();
        self.bounds.resize(self.x.len(), f64::INFINITY);
        self.turn(joints, views, forest, prescribed, free);
        let n = self.x.len();
        self.matrix.clear();
        for i in 0..n {
            for j in 0..n {
                let value = if j <= i { self.parts[i].dot(&self.parts[j]) } else { 0.0 };
                self.matrix.push(if i == j { value + self.parts[i].softness() } else { value });
            }
        }
        self.solved.solve(&self.matrix, &self.x, &self.bounds);
        let (share, rank) = self.solved.independence(&self.matrix, of_loops);
        self.least = self.least.min(share);
        self.ranks = [self.ranks[0].min(rank), self.ranks[1].max(rank)];
        self.change.clear();
        self.change.resize(cliques.z_free.len(), 0.0);
        for (parts, x) in self.parts[..self.count].iter().zip(&self.solved.x) {
            parts.scatter(cliques, *x, &mut self.change);
        }
    }

    /// Adds what the forces of the loops make to the accelerations of all trees; `starts` are the first dofs of the trees.
    pub(super) fn add_to(&self, cliques: &Cliques, forest: &mut Forest, starts: &[usize], accelerations: &mut [f64]) {
        for (tree, start) in forest.trees.iter_mut().zip(starts) {
            tree.add_whitened(cliques, &self.change, &mut accelerations[*start..]);
        }
    }

    /// Rows of followers: constant combinations of the rates of dofs.
    fn follow(&mut self, model: &Model, forest: &Forest, free: Accelerations) {
        for mimic in model.mimics {
            let parts = next(&mut self.parts, &mut self.count);
            let (mut x, mut error, mut speed) = (0.0, [0.0; 2], 0.0);
            let ends = [(mimic.follower, 1.0), (mimic.leader, -mimic.multiplier)];
            for (k, ((id, axis), factor)) in ends.into_iter().enumerate() {
                // A joint that closes a loop has no dof of its own.
                let own = model.joints.get(id).and(forest.of_joint[id.slot()]);
                let Some(own) = own else { continue };
                let (tree, dof) = (&forest.trees[own.tree as usize], own.dof(axis));
                let velocity = tree.v[dof];
                x -= factor * (free.of(own.tree, dof) + 2.0 * velocity / FADE);
                speed += factor * velocity;
                error[k] = tree.q[tree.tree.position_span(own.link as usize).start + dof - own.first_dof as usize];
                parts.add_dof(forest, own.tree, dof, factor);
            }
            self.x.push(x - mimic.error(error[0], error[1]) / (FADE * FADE));
            self.speeds.push(speed);
            self.held.push(Held { joint: None, axis: None, linear: DVec3::ZERO, angular: [DVec3::ZERO; 3] });
        }
    }

    /// Rows of motors.
    fn turn(
        &mut self,
        joints: &Arena<Joint>,
        views: &mut [BodyView],
        forest: &mut Forest,
        prescribed: &Prescribed,
        free: Accelerations,
    ) {
        for (slot, axis) in &self.motors {
            let Some(joint) = joints.at(*slot as usize) else { continue };
            let parts = next(&mut self.parts, &mut self.count);
            let mut held =
                Held { joint: Some(*slot), axis: Some(*axis as u8), linear: DVec3::ZERO, angular: [DVec3::ZERO; 3] };
            let (q, u, acceleration) = if let Some(own) = forest.of_joint[*slot as usize] {
                let dof = own.dof(*axis);
                parts.add_dof(forest, own.tree, dof, 1.0);
                let tree = &forest.trees[own.tree as usize];
                let positions = tree.tree.position_span(own.link as usize);
                (tree.q[positions.start + dof - own.first_dof as usize], tree.v[dof], free.of(own.tree, dof))
            } else {
                let slots = slots_of(joint);
                let bodies = slots.map(|slot| moving(slot, forest, prescribed, free));
                for (slot, body) in slots.iter().zip(&bodies) {
                    if let Some(slot) = slot {
                        views[*slot as usize].center = body.center;
                    }
                }
                let positions = prescribed.state.joints[*slot as usize].positions;
                let direction = |shift: f64| {
                    let mut found = (DVec3::ZERO, [DVec3::ZERO; 2], 0.0);
                    joint.visit_motions(&pose_at(joint, &bodies, shift), positions, |number, motion| {
                        if number == *axis {
                            let angular = [motion.part.angular_first, motion.part.angular_second];
                            let (last, error) = (positions[*axis], motion.part.error);
                            let q = if motion.is_angle { unwrap(error, last) } else { error };
                            found = (motion.part.linear.into(), angular.map(DVec3::from), q);
                        }
                    });
                    found
                };
                let along = |(linear, angular, _): (DVec3, [DVec3; 2], f64), of: fn(&BodyMotion) -> (DVec3, DVec3)| {
                    let [a, b] = [of(&bodies[0]), of(&bodies[1])];
                    linear.dot(a.0 - b.0) + angular[0].dot(a.1) + angular[1].dot(b.1)
                };
                let here = direction(0.0);
                parts.add(views, forest, slots[0], here.0, here.1[0]);
                parts.add(views, forest, slots[1], -here.0, here.1[1]);
                (held.linear, held.angular) = (here.0, [here.1[0], here.1[1], DVec3::ZERO]);
                let velocity = |b: &BodyMotion| (b.velocity, b.omega);
                let bias = (along(direction(DIFFERENCE), velocity) - along(direction(-DIFFERENCE), velocity))
                    / (2.0 * DIFFERENCE);
                (here.2, along(here, velocity), along(here, |b| (b.acceleration, b.spin)) + bias)
            };
            let (wanted, force) = joint.definition.parameters[*axis].driven_rate(q, MOTOR_TIME).unwrap_or((u, 0.0));
            self.x.push((wanted - u) / MOTOR_TIME - acceleration);
            self.speeds.push(u);
            self.bounds.push(force);
            self.held.push(held);
        }
    }

    /// Rows and their forces at the last evaluation.
    pub(super) fn row_forces(&self) -> impl Iterator<Item = (&Held, f64)> {
        self.held.iter().zip(self.solved.x.iter().copied())
    }

    /// Rows and their powers at the last evaluation.
    pub(super) fn row_powers(&self) -> impl Iterator<Item = (&Held, f64)> {
        self.held.iter().zip(self.solved.x.iter().zip(&self.speeds).map(|(force, speed)| force * speed))
    }

    /// What is known of singular positions in this step, to be kept over evaluations that are no part of its way.
    pub(super) const fn singularity(&self) -> (f64, [usize; 2]) {
        (self.least, self.ranks)
    }

    /// Puts it back.
    pub(super) fn keep_singularity(&mut self, kept: (f64, [usize; 2])) {
        (self.least, self.ranks) = kept;
    }

    /// Forces along free motions at the last evaluation, which act on the links already.
    pub(super) fn driving_forces(&self) -> impl Iterator<Item = (&Held, f64)> {
        self.driven.iter().map(|driven| (&driven.held, driven.force))
    }

    /// Begins a step.
    pub(super) fn begin(&mut self) {
        (self.least, self.ranks) = (1.0, [usize::MAX, 0]);
        self.held.clear();
        self.driven.clear();
        self.solved.x.clear();
    }

    /// In this step the rows of the loops came to imply each other: the mechanism went through a singular position, where it
    /// may change its branch.
    pub(super) fn is_singular(&mut self) -> bool {
        if self.joints.is_empty() || self.ranks[1] == 0 {
            return false;
        }
        let is_singular = self.ranks[0] < self.ranks[1] || self.least < SINGULAR * self.best;
        self.best = self.best.max(self.least);
        is_singular
    }
}

/// Slots of the bodies of a joint.
fn slots_of(joint: &Joint) -> [Option<u32>; 3] {
    let ends = [joint.definition.bodies[0], joint.definition.bodies[1], joint.definition.reference];
    ends.map(|b| b.map(|b| b.slot() as u32))
}

/// Empty parts for the next row.
fn next<'a>(parts: &'a mut Vec<Parts>, count: &mut usize) -> &'a mut Parts {
    if parts.len() == *count {
        parts.push(Parts::default());
    }
    *count += 1;
    parts[*count - 1].clear();
    &mut parts[*count - 1]
}

impl Loops {
    /// Forces of the motions that these joints leave free, on the links; `user` forces included.
    pub(super) fn drive(
        &mut self,
        joints: &Arena<Joint>,
        views: &mut [BodyView],
        forest: &mut Forest,
        prescribed: &Prescribed,
        tolerance: f64,
    ) {
        self.driven.clear();
        for slot_of_joint in &self.joints {
            let slot = slot_of_joint;
            let Some(joint) = joints.at(*slot as usize) else { continue };
            let joint_state = &prescribed.state.joints[*slot as usize];
            if joint_state.forces == [0.0; 3] && joint.definition.parameters.iter().all(AxisParameters::is_passive) {
                continue;
            }
            let slots = slots_of(joint);
            let bodies = slots.map(|slot| moving(slot, forest, prescribed, Accelerations::NONE));
            for (slot, body) in slots.iter().zip(&bodies) {
                if let Some(slot) = slot {
                    views[*slot as usize].center = body.center;
                }
            }
            let mut pushes = [(DVec3::ZERO, [DVec3::ZERO; 2]); 3];
            joint.visit_motions(&pose_at(joint, &bodies, 0.0), joint_state.positions, |axis, motion| {
                let p = &joint.definition.parameters[axis];
                let linear = DVec3::from(motion.part.linear);
                let angular = [motion.part.angular_first, motion.part.angular_second].map(DVec3::from);
                let rate = linear.dot(bodies[0].velocity - bodies[1].velocity)
                    + angular[0].dot(bodies[0].omega)
                    + angular[1].dot(bodies[1].omega);
                let last = joint_state.positions[axis];
                let q = if motion.is_angle { unwrap(motion.part.error, last) } else { motion.part.error };
                let mut unused = 0;
                let parts = next(&mut self.parts, &mut unused);
                parts.add(views, forest, slots[0], linear, angular[0]);
                parts.add(views, forest, slots[1], -linear, angular[1]);
                let inverse_inertia = parts.dot(parts);
                let inertia = if inverse_inertia > 0.0 { 1.0 / inverse_inertia } else { 0.0 };
                let [user, drive] = p.driving_forces(joint_state.forces[axis], q, rate);
                let force = user + drive + p.smooth_force(q, rate, inertia, tolerance);
                pushes[axis] = (linear * force, angular.map(|a| a * force));
                let angular = [angular[0], angular[1], DVec3::ZERO];
                let held = Held { joint: Some(*slot_of_joint), axis: Some(axis as u8), linear, angular };
                self.driven.push(Driven { held, force, drive, state: [q, rate, inertia] });
            });
            for (linear, angular) in pushes {
                for ((slot, body), (force, torque)) in
                    slots.iter().zip(&bodies).zip([(linear, angular[0]), (-linear, angular[1])])
                {
                    let Some(member) = slot.and_then(|s| forest.of_body[s as usize]) else { continue };
                    let tree = &mut forest.trees[member.tree as usize];
                    let at = body.center - tree.kin.origin();
                    tree.wrenches[member.link as usize] += ForceVector::at(at, torque, force);
                }
            }
        }
    }
}

/// `J w` of a row for velocities or accelerations of its bodies.
fn rate(row: &JointRow, bodies: &[BodyMotion; 3], of: impl Fn(&BodyMotion) -> (DVec3, DVec3)) -> f64 {
    let parts = bodies.iter().enumerate().map(|(number, body)| {
        let (linear, angular) = of(body);
        row.linear_of(number).dot(linear) + row.angular[number].dot(angular)
    });
    parts.sum()
}

/// Motion of a body; its accelerations where those of the trees are given.
fn moving(slot: Option<u32>, forest: &mut Forest, prescribed: &Prescribed, free: Accelerations) -> BodyMotion {
    let zero = DVec3::ZERO;
    let still = BodyMotion {
        center: zero,
        rotation: DQuat::IDENTITY,
        velocity: zero,
        omega: zero,
        acceleration: zero,
        spin: zero,
    };
    let Some(slot) = slot else { return still };
    let Some(body) = prescribed.bodies.at(slot as usize) else { return still };
    let Some(member) = forest.of_body[slot as usize] else {
        let (pose, motion) = (prescribed.pose(slot), &prescribed.state.bodies[slot as usize].motion);
        let center = pose.point(body.mass.center);
        return BodyMotion { center, rotation: pose.rotation, velocity: motion.velocity, omega: motion.omega, ..still };
    };
    let tree = &mut forest.trees[member.tree as usize];
    let link = member.link as usize;
    let (pose, twist) = (tree.kin.poses()[link], tree.kin.twists()[link]);
    let center = pose.point(body.mass.center);
    let (acceleration, spin) = match free.starts.get(member.tree as usize) {
        Some(start) => {
            let own = &free.values[*start..*start + tree.tree.dof_count()];
            tree.tree.point_acceleration(&tree.kin, link, center, own, &mut tree.scratch)
        }
        None => (zero, zero),
    };
    let (velocity, omega) = (twist.point(center - tree.kin.origin()), twist.angular());
    BodyMotion { center, rotation: pose.rotation, velocity, omega, acceleration, spin }
}

/// The joint's frames where the velocities take its bodies in a time.
fn pose_at<'a>(joint: &'a Joint, bodies: &[BodyMotion; 3], time: f64) -> JointPose<'a> {
    let rotation = |b: &BodyMotion| (exponential(time * b.omega) * b.rotation).normalize();
    JointPose {
        frames: &joint.frames,
        centers: [0, 1].map(|i: usize| bodies[i].center + time * bodies[i].velocity),
        rotations: [rotation(&bodies[0]), rotation(&bodies[1])],
        reference_rotation: rotation(&bodies[2]),
    }
}
