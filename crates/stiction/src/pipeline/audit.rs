//! Energy balance of a step: work done, energy lost, and energy added by the step itself.
//!
//! Each impulse does the work `λ (u⁰ + u⁺) / 2` on the bodies it acts on, with the velocities of its row before and after
//! the step; these works add up to the change of the kinetic energy. Rows are distinguished by their kind. What is
//! left of the change of the mechanical energy when all that is known is taken away is the error of the time step.
//!
//! A soft row `u + c λ = b` is a spring and a damper: with `b = −erp φ / h` and `c = cfm / h` the spring takes up `−b u / c` in a
//! step. What a joint or contact has taken up it may give back; only what it gives beyond that is made.
//!
//! In a split step positions move further than the velocity that stays. What contacts lift by that shows in the gravitational
//! energy alone; springs, and overlaps that the file has, give it.

use glam::DVec3;

use super::context::Model;
use super::detect::ContactInput;
use super::problems::IslandProblem;
use super::spook::{self, SpookRow};
use super::views::BodyView;
use super::{EnergyBalance, StepReport, Workspace};
use crate::base::Arena;
use crate::constraint::{Bound, ContactPoint, Problem, Row, RowKind, RowSource};
use crate::joints::{Joint, MAX_ROWS, SpringLaw};
use crate::model::{Bodies, BodyKind, Energy, JointState, State, energy_of};

/// What a body had at the start of the step.
#[derive(Clone, Copy, Debug, Default)]
struct Start {
    /// Impulses of the forces on it \[N s, N m s\].
    impulse: DVec3,
    angular_impulse: DVec3,
    velocity: DVec3,
    omega: DVec3,
    position: DVec3,
}

/// Position and rate of an axis at the start of the step, and how its spring is taken.
#[derive(Clone, Copy, Debug, Default)]
struct SpringStart {
    at: (f64, f64),
    law: SpringLaw,
}

/// Memory of the audit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Audit {
    starts: Vec<Start>,
    /// Impulses and rates of the motions of joints of trees.
    efforts: Vec<[[f64; 2]; 3]>,
    springs: Vec<[SpringStart; 3]>,
    before: Energy,
    /// Energy of rotors at the start of the step \[J\].
    rotors: f64,
    shifts: Shifts,
    /// What joints gave that the file has off \[J\].
    placed_by_joints: f64,
}

/// Work of contacts by what positions move beyond the velocity that stays \[J\].
#[derive(Clone, Copy, Debug, Default)]
struct Shifts {
    /// Of springs.
    springs: f64,
    /// Of shapes that were placed into each other.
    placed: f64,
}

/// Before anything moves: energy, and the forces of users and joints, which the step empties.
pub(super) fn begin(model: &Model, step: f64, state: &mut State, work: &mut Workspace) {
    let Model { parameters, bodies, joints, .. } = *model;
    let rotors = work.energy_of_rotors(model, state);
    let audit = &mut work.audit;
    audit.rotors = rotors;
    audit.before = energy_of(parameters, bodies, joints, state);
    audit.starts.clear();
    audit.starts.resize(bodies.slots(), Start::default());
    for (id, body) in bodies.iter() {
        let (slot, now) = (id.slot(), &state.bodies[id.slot()]);
        let position = now.motion.position;
        audit.starts[slot].position = position;
        if body.kind == BodyKind::Dynamic && now.is_enabled {
            audit.starts[slot] = Start {
                impulse: step * now.force,
                angular_impulse: step * now.torque,
                velocity: now.motion.velocity,
                omega: now.motion.omega,
                position,
            };
        }
    }
    // Trees that nothing touches book them in the parts of the step.
    for slot in work.flows.bodies() {
        let start = &mut audit.starts[slot as usize];
        (start.impulse, start.angular_impulse) = (DVec3::ZERO, DVec3::ZERO);
    }
    audit.efforts.clear();
    audit.efforts.resize(work.problems.joints().count(), [[0.0; 2]; 3]);
    audit.springs.clear();
    for (efforts, emitted) in audit.efforts.iter_mut().zip(work.problems.joints()) {
        let slot = emitted.slot as usize;
        let joint = &state.joints[slot];
        audit.springs.push(std::array::from_fn(|axis| SpringStart {
            at: (joint.positions[axis], joint.rates[axis]),
            law: SpringLaw::default(),
        }));
        if work.forest.of_joint.get(slot).is_some_and(Option::is_some) {
            *efforts = std::array::from_fn(|axis| [step * joint.efforts[axis], joint.rates[axis]]);
        }
    }
}

/// Works of the rows as they were solved.
pub(super) fn rows(joints: &Arena<Joint>, state: &mut State, work: &mut Workspace, report: &mut StepReport) {
    let Workspace { problems, views, contacts, islands, audit, .. } = work;
    let mut most = Most::default();
    audit.shifts = Shifts::default();
    let mut springs = &mut audit.springs[..];
    for own in problems.iter() {
        let (here, rest) = springs.split_at_mut(own.joints.len());
        joint_works(own, (joints, here), views, state, &mut report.energy, &mut most);
        springs = rest;
    }
    audit.placed_by_joints = report.energy.placed;
    for own in problems.iter() {
        let indices = &islands.contacts[own.contacts.clone()];
        contact_works(own, indices, contacts, &mut report.energy, &mut most);
        shift_works(own, indices, contacts, &mut report.energy, &mut audit.shifts);
    }
    report.made_most = most.row;
}

/// Velocities of a row before and after the step.
fn velocities(own: &IslandProblem, row: usize) -> [f64; 2] {
    let row = &own.problem.rows[row];
    [own.problem.velocity(row, &own.problem.z_before), own.problem.velocity(row, &own.z)]
}

fn joint_works(
    own: &IslandProblem,
    (joints, springs): (&Arena<Joint>, &mut [[SpringStart; 3]]),
    views: &[BodyView],
    state: &mut State,
    balance: &mut EnergyBalance,
    most: &mut Most,
) {
    let IslandProblem { problem, lambda: impulses, joint_rows, joints: emitted_joints, .. } = own;
    for (emitted, springs) in emitted_joints.iter().zip(springs) {
        let Some(joint) = joints.at(emitted.slot as usize) else { continue };
        let rows = &joint_rows[emitted.rows[0] as usize..emitted.rows[1] as usize];
        let is_driven = joint.definition.bodies.into_iter().flatten().any(|b| {
            let view = &views[b.slot()];
            view.is_prescribed && (view.velocity != DVec3::ZERO || view.omega != DVec3::ZERO)
        });
        let mut softness = Softness::default();
        for (number, joint_row) in rows.iter().enumerate() {
            let index = emitted.first_row as usize + number;
            let (row, lambda) = (&problem.rows[index], impulses[index]);
            if lambda == 0.0 {
                continue;
            }
            let [before, after] = velocities(own, index);
            let work = 0.5 * lambda * (before + after);
            match row.kind {
                RowKind::Spring => {
                    // The spring's energy is counted separately, and what is taken of it when positions are known.
                    let axis = joint_row.axis.map_or(0, usize::from);
                    if joint_row.kept != 0.0 {
                        springs[axis].law = SpringLaw::of_row(joint_row.compliance, joint_row.kept);
                    } else {
                        let damping = joint.definition.parameters[axis].damping;
                        balance.joint_loss += problem.step * damping * after * after;
                    }
                }
                RowKind::Motor if joint_row.is_drive => balance.motors += work,
                // Dry friction and brakes have the target zero, or act against the motion only.
                RowKind::Motor if joint_row.target == 0.0 || joint_row.bounds.contains(&0.0) => {
                    balance.joint_loss -= work;
                }
                RowKind::Motor => balance.motors += work,
                RowKind::Joint if is_driven => balance.forces += work,
                RowKind::Limit => softness.add(work, taken_up(own, index, after), -work, row),
                _ => {
                    let solved = row.target - row.compliance * lambda;
                    balance.made_solver += lambda * (after - solved);
                    most.offer(lambda * (after - solved), row);
                    let lost = match spook::of(problem, index, &own.z) {
                        // What the motion by which it closes its error takes and gives is one.
                        Some(SpookRow::Hard(_)) => 0.0,
                        Some(SpookRow::Spring(_)) => f64::INFINITY,
                        None => row.compliance * lambda * lambda,
                    };
                    softness.add(lambda * solved, taken_up(own, index, solved), lost, row);
                }
            }
        }
        softness.settle(&mut state.joints[emitted.slot as usize], balance, most);
    }
    follower_works(own, state, balance, most);
}

/// Works of the rows of followers: as those of hard joints.
fn follower_works(own: &IslandProblem, state: &State, balance: &mut EnergyBalance, most: &mut Most) {
    for (index, row) in own.problem.rows.iter().enumerate() {
        let RowSource::Joint { slot, row: number } = row.source else { continue };
        if number as usize != MAX_ROWS || own.lambda[index] == 0.0 {
            continue;
        }
        let lambda = own.lambda[index];
        let [before, after] = velocities(own, index);
        let solved = row.target - row.compliance * lambda;
        let work = 0.5 * lambda * (before + after);
        let left = lambda * (after - solved);
        balance.made_solver += left;
        most.offer(left, row);
        if state.joints[slot as usize].placed > 0.0 {
            balance.placed += work - left;
        } else {
            balance.made_drift += work - left;
            most.offer(work - left, row);
        }
    }
}

fn contact_works(
    own: &IslandProblem,
    indices: &[u32],
    contacts: &mut [ContactInput],
    balance: &mut EnergyBalance,
    most: &mut Most,
) {
    let problem = &own.problem;
    let velocities = |row: usize| velocities(own, row);
    if !own.impact.is_empty() {
        let drive: f64 = problem.contacts.iter().map(|point| drive(problem, &own.impact, point)).sum();
        balance.forces += drive;
        balance.contact_loss -= own.impact_work - drive;
    }
    for (point, index) in problem.contacts.iter().zip(indices) {
        let (work, drive) = contact_work(problem, &own.lambda, point, velocities);
        balance.forces += drive;
        // What a contact that held takes off the motion is no loss of its own: see `turned`.
        let gained = work - drive - turned(own, point, velocities);
        let ContactInput { stored, is_placed, .. } = &mut contacts[*index as usize];
        if point.smooth.is_some() {
            balance.contact_loss -= gained;
        } else if gained > 0.0 {
            let given = gained.min(*stored);
            *stored -= given;
            balance.stored -= given;
            if *is_placed {
                balance.placed += gained - given;
            } else {
                balance.made_push_out += gained - given;
                most.offer(gained - given, &problem.rows[point.row as usize]);
            }
        } else {
            let row = &problem.rows[point.row as usize];
            let [_, after] = velocities(point.row as usize);
            let taken =
                taken_up_by(row, row.target - point.rebound + point.prescribed, after + point.prescribed).min(-gained);
            *stored += taken;
            balance.stored += taken;
            balance.contact_loss += -gained - taken;
        }
    }
}

/// What contacts do by moving positions beyond the velocity that stays: it is lost but for what it lifts, see [`finish`].
/// Shapes that no longer part are no longer those that were placed into each other.
fn shift_works(
    own: &IslandProblem,
    indices: &[u32],
    contacts: &mut [ContactInput],
    balance: &mut EnergyBalance,
    shifts: &mut Shifts,
) {
    let problem = &own.problem;
    for (point, index) in problem.contacts.iter().zip(indices).filter(|(point, _)| point.smooth.is_none()) {
        let contact = &mut contacts[*index as usize];
        if contact.stored == 0.0 && !contact.is_placed {
            continue;
        }
        let index = point.row as usize;
        let moved = problem.velocity(&problem.rows[index], &own.z_position);
        if own.is_split {
            let shift = (own.lambda[index] * (moved - velocities(own, index)[1])).max(0.0);
            let given = shift.min(contact.stored);
            contact.stored -= given;
            balance.stored -= given;
            balance.contact_loss += given;
            shifts.springs += given;
            if contact.is_placed {
                shifts.placed += shift - given;
            }
        }
        contact.is_placed &= moved + point.prescribed > PARTING;
    }
}

/// Speed below which shapes do not part \[m/s\].
const PARTING: f64 = 1e-6;

/// What the spring of a joint's row takes up in a step \[J\]; 0 where it gives back, or is rigid.
fn taken_up(own: &IslandProblem, index: usize, velocity: f64) -> f64 {
    if let Some(SpookRow::Spring([stored, storing])) = spook::of(&own.problem, index, &own.z) {
        return (storing - stored).max(0.0);
    }
    let row = &own.problem.rows[index];
    taken_up_by(row, row.target, velocity)
}

/// What the spring of a soft row takes up in a step, with its target b and velocity u: `−b u / c` \[J\]; 0 where it gives
/// back, or is rigid.
fn taken_up_by(row: &Row, target: f64, velocity: f64) -> f64 {
    if row.compliance > 0.0 { (-target * velocity / row.compliance).max(0.0) } else { 0.0 }
}

/// The row that made most energy.
#[derive(Default)]
struct Most {
    amount: f64,
    row: Option<(RowSource, RowKind, f64)>,
}

impl Most {
    fn offer(&mut self, amount: f64, row: &Row) {
        if amount > self.amount {
            self.amount = amount;
            self.row = Some((row.source, row.kind, amount));
        }
    }
}

/// What the rows of one joint do by their drift, and how much of it their springs stand for.
#[derive(Default)]
struct Softness<'a> {
    /// Work of the rows that gave energy, and the row that gave most.
    given: f64,
    largest: Option<(f64, &'a Row)>,
    /// Taken up by springs.
    taken: f64,
    lost: f64,
    /// Work against rows without springs or dampers, which the projection on their new tangents makes good.
    against: f64,
}

impl<'a> Softness<'a> {
    /// A row's work, what its spring took up of it, and what its damper may have lost.
    fn add(&mut self, work: f64, taken: f64, lost: f64, row: &'a Row) {
        if work > 0.0 {
            self.given += work;
            if self.largest.is_none_or(|(largest, _)| work > largest) {
                self.largest = Some((work, row));
            }
        } else {
            let taken = taken.min(-work);
            let lost = lost.min(-work - taken);
            self.taken += taken;
            self.lost += lost;
            self.against += -work - taken - lost;
        }
    }

    /// Books it, with what the joint has stored so far.
    fn settle(self, joint: &mut JointState, balance: &mut EnergyBalance, most: &mut Most) {
        let back = self.given.min(joint.stored);
        joint.stored += self.taken - back;
        balance.stored += self.taken - back;
        balance.joint_loss += self.lost;
        if joint.placed > 0.0 {
            // The file has it off: what closes it is no error of the step.
            balance.placed += self.given - back - self.against;
            return;
        }
        balance.made_drift += self.given - back - self.against;
        if let Some((_, row)) = self.largest {
            most.offer(self.given - back, row);
        }
    }
}

/// The part `λ u⁰ / 2` of a contact's work where the contact held in the last step too, which ended with u = 0: the
/// velocity u⁰ that its row sees now is what turning and the motion by inertia made of that, an error of the time step
/// like the rest of it. Negative.
fn turned(own: &IslandProblem, point: &ContactPoint, velocities: impl Fn(usize) -> [f64; 2]) -> f64 {
    let IslandProblem { problem, guess, lambda, .. } = own;
    let first = point.row as usize;
    let last = guess[first];
    let normal = &problem.rows[first];
    if last <= 0.0 || point.smooth.is_some() || normal.compliance > STIFF * normal.diagonal {
        return 0.0;
    }
    let taken = |row: usize| (0.5 * lambda[row] * velocities(row)[0]).min(0.0);
    let mut sum = taken(first);
    let frictions = first + 1..first + 1 + point.has_friction.iter().filter(|has| **has).count();
    let holds = |impulses: &[f64]| {
        let tangential = frictions.clone().map(|row| impulses[row] * impulses[row]).sum::<f64>();
        frictions.clone().all(|row| {
            let bound = match problem.rows[row].bound {
                Bound::Coefficient { coefficient, .. } => coefficient * impulses[first],
                Bound::Fixed => problem.rows[row].upper,
            };
            tangential < STUCK * bound * bound
        })
    };
    if holds(guess) && holds(lambda) {
        sum += frictions.clone().map(taken).sum::<f64>();
    }
    sum
}

/// Softness, relative to the row's own inverse mass, up to which a row reaches its target in one step.
const STIFF: f64 = 1e-2;
/// Square of the share of its bound below which friction held.
const STUCK: f64 = 0.98;

/// Work of a contact on the bodies that move, and the part of it that surfaces and prescribed bodies drive.
fn contact_work(
    problem: &Problem,
    lambda: &[f64],
    point: &ContactPoint,
    velocities: impl Fn(usize) -> [f64; 2],
) -> (f64, f64) {
    let mut work = 0.0;
    for index in point.rows() {
        let [before, after] = velocities(index);
        work += 0.5 * lambda[index] * (before + after);
    }
    (work, drive(problem, lambda, point))
}

/// The part of the work of a contact's impulses that surfaces and prescribed bodies drive.
fn drive(problem: &Problem, lambda: &[f64], point: &ContactPoint) -> f64 {
    let first = point.row as usize;
    // Friction's target is the surface's motion, less what is prescribed of the sides.
    let target = |index: usize| if index == first { -point.prescribed } else { problem.rows[index].target };
    point.rows().map(|index| lambda[index] * target(index)).sum()
}

/// After everything has moved: the balance.
pub(super) fn finish(model: &Model, step: f64, state: &mut State, work: &Workspace, report: &mut StepReport) {
    let Model { parameters, bodies, joints, .. } = *model;
    let audit = &work.audit;
    note_forces(bodies, state, audit, report);
    for (efforts, emitted) in audit.efforts.iter().zip(work.problems.joints()) {
        let joint = &state.joints[emitted.slot as usize];
        for (axis, [impulse, rate]) in efforts.iter().enumerate() {
            report.energy.forces += 0.5 * impulse * (rate + joint.rates[axis]);
        }
        let dofs = work.forest.of_joint.get(emitted.slot as usize).copied().flatten();
        if let (Some(dofs), Some(joint_of)) = (dofs, joints.at(emitted.slot as usize)) {
            // A motor that keeps its rate while the flow carries the tree works against what the flow asks for.
            let tree = &work.forest.trees[dofs.tree as usize];
            let span = tree.tree.dof_span(dofs.link as usize).len().min(3);
            for axis in 0..span {
                report.energy.motors -= tree.flow.hold_impulse(dofs.dof(axis)) * joint.rates[axis];
            }
            for (axis, p) in joint_of.definition.parameters.iter().enumerate() {
                if tree.taken_in_parts(&dofs, axis).is_none()
                    && tree.spring_law(&dofs, axis).is_none_or(|law| law.kept == 0.0)
                {
                    report.energy.joint_loss += step * p.damping * joint.rates[axis] * joint.rates[axis];
                }
            }
        }
    }
    spring_works(model, step, state, work, report);
    let balance = &mut report.energy;
    for emitted in work.problems.iter().flat_map(|own| &own.wires) {
        let wire = &state.wires[emitted.slot as usize];
        balance.motors += wire.winch_work;
        let made = wire.made + wire.late;
        if made > 0.0 {
            balance.made_drift += made;
        } else {
            balance.joint_loss -= made;
        }
    }
    note_energy(energy_of(parameters, bodies, joints, state), audit, report);
    let balance = &mut report.energy;
    balance.stored += work.energy_of_rotors(model, state) - audit.rotors;
    // What was taken off the motion beyond the drift was theirs: lost as in a stop that does not bounce.
    let back = (balance.taken_back - balance.made_drift.max(0.0)).clamp(0.0, audit.placed_by_joints.max(0.0));
    balance.taken_back -= back;
    balance.joint_loss += back;
    if audit.shifts.springs + audit.shifts.placed > 0.0 {
        let lifted = lifted(model, step, state, audit).max(0.0);
        let by_springs = audit.shifts.springs.min(lifted);
        balance.contact_loss -= by_springs;
        balance.placed += audit.shifts.placed.min(lifted - by_springs);
    }
    let known = balance.forces
        + balance.motors
        + balance.placed
        + balance.made_drift
        + balance.made_push_out
        + balance.made_solver
        - balance.taken_back
        - balance.stored
        - balance.joint_loss
        - balance.contact_loss
        - balance.damping_loss;
    balance.made_integration = balance.change - known;
}

/// What dampers and the step took of springs that keep their energy, and what these have less in the middle of the step.
fn spring_works(model: &Model, step: f64, state: &State, work: &Workspace, report: &mut StepReport) {
    for (springs, emitted) in work.audit.springs.iter().zip(work.problems.joints()) {
        let slot = emitted.slot as usize;
        let Some(joint) = model.joints.at(slot) else { continue };
        let now = &state.joints[slot];
        let dofs = work.forest.of_joint.get(slot).copied().flatten();
        for (axis, (p, start)) in joint.definition.parameters.iter().zip(springs).enumerate() {
            let of_tree = dofs.as_ref().map(|dofs| (&work.forest.trees[dofs.tree as usize], dofs));
            if let Some(taken) = of_tree.and_then(|(tree, dofs)| tree.taken_in_parts(dofs, axis)) {
                report.energy.joint_loss += taken[0] + taken[1];
                report.note_spring(model.joints.handle_at(slot), taken);
                continue;
            }
            let law = of_tree.and_then(|(tree, dofs)| tree.spring_law(dofs, axis)).unwrap_or(&start.law);
            if law.kept == 0.0 {
                continue;
            }
            let after = (now.positions[axis], now.rates[axis]);
            let taken = p.taken_between(law, step, [start.at, after]);
            report.energy.joint_loss += taken[0] + taken[1];
            report.note_spring(model.joints.handle_at(slot), taken);
            report.spring_swing += p.swing(law, step, after);
        }
    }
}

/// Gravitational energy that bodies have by where the step moved them beyond their velocities after it \[J\].
fn lifted(model: &Model, step: f64, state: &State, audit: &Audit) -> f64 {
    let dynamic = model
        .bodies
        .iter()
        .filter(|(id, body)| body.kind == BodyKind::Dynamic && body.gravity && state.bodies[id.slot()].is_enabled);
    dynamic
        .map(|(id, body)| {
            let (start, now) = (&audit.starts[id.slot()], &state.bodies[id.slot()].motion);
            let shift = now.position - start.position - step * now.velocity;
            -body.mass.mass * model.parameters.gravity.dot(shift)
        })
        .sum()
}

/// Energy after a step of continuous time, and its change.
pub(super) fn note_energy_after(model: &Model, state: &State, work: &Workspace, report: &mut StepReport) {
    note_energy(energy_of(model.parameters, model.bodies, model.joints, state), &work.audit, report);
}

/// Work of the forces that were on the bodies.
fn note_forces(bodies: &Bodies, state: &State, audit: &Audit, report: &mut StepReport) {
    for (id, _) in bodies.iter() {
        let start = &audit.starts[id.slot()];
        let now = &state.bodies[id.slot()].motion;
        if start.impulse != DVec3::ZERO || start.angular_impulse != DVec3::ZERO {
            let (v, omega) = (start.velocity + now.velocity, start.omega + now.omega);
            report.energy.forces += 0.5 * (start.impulse.dot(v) + start.angular_impulse.dot(omega));
        }
    }
}

fn note_energy(after: Energy, audit: &Audit, report: &mut StepReport) {
    let balance = &mut report.energy;
    balance.kinetic = after.kinetic;
    balance.gravitational = after.gravitational;
    balance.springs = after.springs;
    balance.change = after.total() - audit.before.total();
}
