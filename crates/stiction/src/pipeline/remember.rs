//! Results that outlive a step: impulses for the warm start, joint positions and forces, contact reports.

use glam::DVec3;

use super::context::Model;
use super::detect::ContactInput;
use super::{Workspace, contact_reports, patch_contacts, points};
use crate::base::Arena;
use crate::collision::is_two_sided;
use crate::constraint::ContactPoint;
use crate::joints::{AxisParameters, Joint, MAX_ROWS};
use crate::model::{Bodies, BodyId, BodyKind, CachedPoint, Contact, JointState, State, update_positions};

/// Stores impulses, joint positions and efforts, feedback and contact forces.
pub(super) fn impulses(
    model: &Model,
    step: f64,
    user_contacts: &mut Arena<Contact>,
    state: &mut State,
    work: &mut Workspace,
) {
    remember_joints(step, model.joints, state, work);
    remember_contacts(model, step, user_contacts, state, work);
    std::mem::swap(&mut state.contacts, &mut work.next_cache);
    std::mem::swap(&mut state.patches, &mut work.patches);
}

fn remember_joints(step: f64, joints: &Arena<Joint>, state: &mut State, work: &mut Workspace) {
    for (own, emitted) in work.problems.joints_in_problems() {
        let slot = emitted.slot as usize;
        let Some(joint) = joints.at(slot) else { continue };
        let rows = &own.joint_rows[emitted.rows[0] as usize..emitted.rows[1] as usize];
        let first = emitted.first_row as usize;
        let lambda = &own.lambda[first..first + rows.len()];
        let joint_state = &mut state.joints[slot];
        joint_state.row_count = rows.len();
        joint_state.squared_velocity_error = 0.0;
        for (i, (row, lambda)) in rows.iter().zip(lambda).enumerate().take(MAX_ROWS) {
            joint_state.impulses[i] = own.lasting(first + i);
            if let Some(axis) = row.axis {
                joint_state.efforts[axis as usize] += lambda / step;
                if row.is_drive {
                    joint_state.drives[axis as usize] += lambda / step;
                }
            }
        }
        let dofs = work.forest.of_joint[slot];
        let in_tree = dofs.is_some();
        // What the joints of trees transmit is known already.
        if joint.definition.feedback && !in_tree {
            let mut feedback = emitted.pushed;
            for (row, lambda) in rows.iter().zip(lambda) {
                for body in 0..2 {
                    feedback.forces[body] += row.linear_of(body) * (lambda / step);
                    feedback.torques[body] += row.angular[body] * (lambda / step);
                }
            }
            work.feedback[slot] = feedback;
        }
        let before = joint_state.rates;
        work.known_joints.note(slot, update_positions(joint, &state.bodies, joint_state));
        measure_drives(joint, before, step, joint_state);
        if in_tree {
            // Springs and dampers of trees have no rows.
            if let Some(dofs) = dofs {
                let tree = &work.forest.trees[dofs.tree as usize];
                for axis in 0..tree.tree.dof_span(dofs.link as usize).len().min(3) {
                    joint_state.efforts[axis] -= tree.flow.hold_impulse(dofs.dof(axis)) / step;
                }
            }
            for (axis, p) in joint.definition.parameters.iter().enumerate() {
                let stretch = joint_state.positions[axis] - p.spring_reference;
                joint_state.efforts[axis] -= p.stiffness * stretch + p.damping * joint_state.rates[axis];
            }
        }
    }
}

/// What drives have made of their forces, from the rates before the step and after it.
pub(super) fn measure_drives(joint: &Joint, before: [f64; 3], step: f64, own: &mut JointState) {
    for (axis, law) in joint.definition.parameters.iter().enumerate() {
        measure_drive((law, axis), before[axis], step, own);
    }
}

/// The same of one axis.
pub(super) fn measure_drive((law, axis): (&AxisParameters, usize), before: f64, step: f64, own: &mut JointState) {
    let Some(drive) = &law.drive else { return };
    let rates = [before, own.rates[axis]];
    let (q, force, seen) = (own.positions[axis], own.drives[axis], &mut own.accelerations[axis]);
    drive.measure(law.drive_range(drive), q, rates, force, step, seen);
}

/// Friction impulse of a contact in the world, of the impulses after its normal's.
fn friction(point: &ContactPoint, impulses: &[f64]) -> DVec3 {
    along(&point.tangents, &point.has_friction, &mut impulses.iter())
}

/// Sum of the axes that have a row, times their impulses.
fn along(axes: &[DVec3], has_row: &[bool], impulses: &mut std::slice::Iter<f64>) -> DVec3 {
    let used = axes.iter().zip(has_row).filter(|(_, has)| **has).map(|(axis, _)| *axis);
    used.zip(impulses).map(|(axis, impulse)| axis * *impulse).sum()
}

/// Force and torque of a contact on its first body, world axes.
pub(super) fn contact_force(point: &ContactPoint, lambda: &[f64], step: f64) -> (DVec3, DVec3) {
    let lambda = &lambda[point.row as usize..];
    let mut impulses = lambda[1..].iter();
    let friction = along(&point.tangents, &point.has_friction, &mut impulses);
    let [t1, t2] = point.tangents;
    let torque = along(&[t1, t2, point.normal], &point.has_rolling, &mut impulses);
    ((point.normal * lambda[0] + friction) / step, torque / step)
}

/// Bodies of a contact that nothing moves: a contact between them is as it was when they fell asleep.
pub(super) fn rests(bodies: &Bodies, state: &State, ends: [Option<BodyId>; 2]) -> bool {
    let is_dynamic = |id: &BodyId| bodies.get(*id).is_some_and(|b| b.kind == BodyKind::Dynamic);
    let mut dynamic = ends.into_iter().flatten().filter(is_dynamic).peekable();
    dynamic.peek().is_some() && dynamic.all(|id| !state.bodies[id.slot()].is_enabled)
}

fn remember_contacts(
    model: &Model,
    step: f64,
    user_contacts: &mut Arena<Contact>,
    state: &mut State,
    work: &mut Workspace,
) {
    // Islands have sorted the contacts; the cache and the report are in the order of pairs again.
    points::remember(step, work);
    for own in work.problems.iter().filter(|own| !own.is_reported()) {
        for (point, index) in own.problem.contacts.iter().zip(&work.islands.contacts[own.contacts.clone()]) {
            let contact = &mut work.contacts[*index as usize];
            let lambda = &own.lambda[point.row as usize..];
            contact.warm_normal = lambda[0];
            contact.warm_friction = friction(point, &lambda[1..]);
            contact.force = (point.normal * lambda[0] + contact.warm_friction) / step;
            if !own.impact.is_empty() {
                let impact = &own.impact[point.row as usize..];
                contact.warm_normal -= impact[0];
                contact.warm_friction -= friction(point, &impact[1..]);
            }
            if point.has_rolling != [false; 3] {
                contact.torque = contact_force(point, &own.lambda, step).1;
            }
        }
    }
    remember_points(model, state, work);
    patch_contacts::give_back(step, work);
    contact_reports::list(model, step, user_contacts, state, work);
}

/// Impulses of all pairs, for the next step.
fn remember_points(model: &Model, state: &State, work: &mut Workspace) {
    let Model { bodies, geoms, .. } = *model;
    work.next_cache.clear();
    // What sleeps on an open mesh stays on its side of it.
    let keeps_side = |pair: [u32; 2]| match pair.map(|slot| geoms.at(slot as usize)) {
        [Some(a), Some(b)] => {
            (is_two_sided(&a.shape) || is_two_sided(&b.shape)) && rests(bodies, state, [a.body, b.body])
        }
        _ => false,
    };
    let mut asleep = state.contacts.iter().filter(|(pair, _)| keeps_side(*pair)).peekable();
    for manifold in &work.manifolds {
        let Some(pair) = manifold.geoms else { continue };
        while let Some((resting, points)) = asleep.next_if(|(resting, _)| *resting <= pair) {
            if resting < pair {
                work.next_cache.push(resting, points.iter().copied());
            }
        }
        let points = &work.contacts[manifold.points[0] as usize..manifold.points[1] as usize];
        work.next_cache.push(pair, points.iter().map(cached));
    }
    asleep.for_each(|(resting, points)| work.next_cache.push(resting, points.iter().copied()));
}

/// What the next step starts from.
fn cached(contact: &ContactInput) -> CachedPoint {
    CachedPoint {
        feature: contact.feature,
        normal: contact.warm_normal,
        friction: contact.warm_friction,
        stored: contact.stored,
        is_placed: contact.is_placed,
        exit_speed: contact.exit_speed,
        behind: contact.behind,
    }
}
