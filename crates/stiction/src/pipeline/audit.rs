//! The balance of energy of a step: what came in, what was lost, and what the step itself made.
//!
//! Each impulse does the work `λ (u⁰ + u⁺) / 2` on the bodies it acts on, with the velocities of its row before and after
//! the step; these works add up to the change of the kinetic energy. Rows are told apart by what they stand for. What is
//! left of the change of the mechanical energy when all that is known is taken away is the error of the time step.

use glam::DVec3;

use super::{StepReport, Workspace};
use crate::base::Arena;
use crate::constraint::{ContactPoint, Problem, RowKind, RowSource};
use crate::joints::Joint;
use crate::world::{Bodies, BodyKind, Energy, State, WorldParameters, energy_of};

/// What a body had at the start of the step.
#[derive(Clone, Copy, Debug, Default)]
struct Start {
    /// Impulses of the forces on it \[N s, N m s\].
    impulse: DVec3,
    angular_impulse: DVec3,
    velocity: DVec3,
    omega: DVec3,
}

/// Memory of the audit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Audit {
    starts: Vec<Start>,
    /// Impulses and rates of the motions of joints of trees.
    efforts: Vec<[[f64; 2]; 3]>,
    before: Energy,
}

/// Before anything moves: energy, and the forces of users and joints, which the step empties.
pub(super) fn begin(
    parameters: &WorldParameters,
    step: f64,
    bodies: &Bodies,
    joints: &Arena<Joint>,
    state: &State,
    work: &mut Workspace,
) {
    let audit = &mut work.audit;
    audit.before = energy_of(parameters, bodies, joints, state);
    audit.starts.clear();
    audit.starts.resize(bodies.slots(), Start::default());
    for (id, body) in bodies.iter() {
        let (slot, now) = (id.slot(), &state.bodies[id.slot()]);
        if body.kind == BodyKind::Dynamic && now.is_enabled {
            audit.starts[slot] = Start {
                impulse: step * now.force,
                angular_impulse: step * now.torque,
                velocity: now.motion.velocity,
                omega: now.motion.omega,
            };
        }
    }
    audit.efforts.clear();
    audit.efforts.resize(work.emitted_joints.len(), [[0.0; 2]; 3]);
    for (efforts, emitted) in audit.efforts.iter_mut().zip(&work.emitted_joints) {
        let slot = emitted.slot as usize;
        if work.forest.of_joint.get(slot).is_some_and(Option::is_some) {
            let joint = &state.joints[slot];
            *efforts = std::array::from_fn(|axis| [step * joint.efforts[axis], joint.rates[axis]]);
        }
    }
}

/// Works of the rows as they were solved.
pub(super) fn rows(joints: &Arena<Joint>, work: &Workspace, report: &mut StepReport) {
    let Workspace { problem, solution, emitted_joints, joint_rows, .. } = work;
    let balance = &mut report.energy;
    let mut worst = 0.0;
    let mut made = |amount: f64, source: RowSource, kind: RowKind, report: &mut Option<_>| {
        if amount > worst {
            worst = amount;
            *report = Some((source, kind, amount));
        }
    };
    let velocities = |row: usize| {
        let row = &problem.rows[row];
        [problem.velocity(row, &problem.z_before), problem.velocity(row, &solution.z)]
    };
    for emitted in emitted_joints {
        let Some(joint) = joints.at(emitted.slot as usize) else { continue };
        let rows = &joint_rows[emitted.rows[0] as usize..emitted.rows[1] as usize];
        let is_driven = joint.definition.bodies.into_iter().flatten().any(|b| {
            let view = &work.views[b.slot()];
            view.is_prescribed && (view.velocity != DVec3::ZERO || view.omega != DVec3::ZERO)
        });
        for (number, joint_row) in rows.iter().enumerate() {
            let index = emitted.first_row as usize + number;
            let (row, lambda) = (&problem.rows[index], solution.lambda[index]);
            if lambda == 0.0 {
                continue;
            }
            let [before, after] = velocities(index);
            let work = 0.5 * lambda * (before + after);
            match row.kind {
                RowKind::Spring => {
                    // The spring's own energy is told apart; the damper loses h c u².
                    let axis = joint_row.axis.map_or(0, usize::from);
                    let damping = joint.definition.parameters[axis].damping;
                    balance.joint_loss += problem.step * damping * after * after;
                }
                // Dry friction and brakes have the target zero.
                RowKind::Motor if joint_row.target == 0.0 => balance.joint_loss -= work,
                RowKind::Motor => balance.motors += work,
                RowKind::Joint if is_driven => balance.forces += work,
                RowKind::Limit if work < 0.0 => balance.joint_loss -= work,
                RowKind::Limit => {
                    balance.made_drift += work;
                    made(work, row.source, row.kind, &mut report.made_most);
                }
                _ => {
                    let drift = lambda * row.target;
                    let unsolved = lambda * (after + row.compliance * lambda - row.target);
                    balance.made_drift += drift;
                    balance.made_solver += unsolved;
                    balance.joint_loss += row.compliance * lambda * lambda;
                    made(drift + unsolved, row.source, row.kind, &mut report.made_most);
                }
            }
        }
    }
    for (point, index) in problem.contacts.iter().zip(&work.islands.contacts) {
        let (work, drive) = contact_work(problem, &solution.lambda, point, velocities);
        balance.forces += drive;
        let own = work - drive;
        if own > 0.0 && point.smooth.is_none() {
            balance.made_push_out += own;
            made(own, RowSource::Contact(*index), RowKind::Normal, &mut report.made_most);
        } else {
            balance.contact_loss -= own;
        }
    }
}

/// Work of a contact on the bodies that move, and the part of it that surfaces and prescribed bodies drive.
fn contact_work(
    problem: &Problem,
    lambda: &[f64],
    point: &ContactPoint,
    velocities: impl Fn(usize) -> [f64; 2],
) -> (f64, f64) {
    let first = point.row as usize;
    let others = point.has_friction.iter().chain(&point.has_rolling).filter(|has| **has).count();
    let (mut work, mut drive) = (0.0, 0.0);
    for index in first..=first + others {
        let [before, after] = velocities(index);
        work += 0.5 * lambda[index] * (before + after);
        // Friction's target is the surface's motion, less what is prescribed of the sides.
        drive += lambda[index] * if index == first { -point.prescribed } else { problem.rows[index].target };
    }
    (work, drive)
}

/// After everything has moved: the balance.
pub(super) fn finish(
    parameters: &WorldParameters,
    step: f64,
    bodies: &Bodies,
    joints: &Arena<Joint>,
    state: &State,
    work: &Workspace,
    report: &mut StepReport,
) {
    let audit = &work.audit;
    note_forces(bodies, state, audit, report);
    let balance = &mut report.energy;
    for (efforts, emitted) in audit.efforts.iter().zip(&work.emitted_joints) {
        let joint = &state.joints[emitted.slot as usize];
        for (axis, [impulse, rate]) in efforts.iter().enumerate() {
            balance.forces += 0.5 * impulse * (rate + joint.rates[axis]);
        }
        let in_tree = work.forest.of_joint.get(emitted.slot as usize).is_some_and(Option::is_some);
        if let (true, Some(joint_of)) = (in_tree, joints.at(emitted.slot as usize)) {
            for (p, rate) in joint_of.definition.parameters.iter().zip(joint.rates) {
                balance.joint_loss += step * p.damping * rate * rate;
            }
        }
    }
    note_energy(energy_of(parameters, bodies, joints, state), audit, report);
    let balance = &mut report.energy;
    let known = balance.forces + balance.motors + balance.made_drift + balance.made_push_out + balance.made_solver
        - balance.taken_back
        - balance.joint_loss
        - balance.contact_loss
        - balance.damping_loss;
    balance.made_integration = balance.change - known;
}

/// The balance of a step of continuous time: all that is not the work of forces on bodies (motors, dampers and contacts)
/// counts as lost in contacts, since the integrator's own error is bounded by its accuracy.
pub(super) fn finish_continuous(
    parameters: &WorldParameters,
    bodies: &Bodies,
    joints: &Arena<Joint>,
    state: &State,
    work: &Workspace,
    report: &mut StepReport,
) {
    note_forces(bodies, state, &work.audit, report);
    note_energy(energy_of(parameters, bodies, joints, state), &work.audit, report);
    let balance = &mut report.energy;
    balance.contact_loss = balance.forces - balance.change;
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
