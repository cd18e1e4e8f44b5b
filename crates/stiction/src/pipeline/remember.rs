//! What is kept of a step: impulses for the next one, positions and forces of joints, contacts for the user.

use glam::DVec3;

use super::Workspace;
use crate::base::Arena;
use crate::joints::{Joint, MAX_ROWS};
use crate::world::{Contact, ContactForce, ContactReport, Geom, JointFeedback, State, update_positions};

/// Stores impulses, joint positions and efforts, feedback and contact forces.
pub(super) fn impulses(
    step: f64,
    joints: &Arena<Joint>,
    user_contacts: &mut Arena<Contact>,
    geoms: &Arena<Geom>,
    state: &mut State,
    work: &mut Workspace,
) {
    remember_joints(step, joints, state, work);
    remember_contacts(step, user_contacts, geoms, work);
    std::mem::swap(&mut state.contacts, &mut work.next_cache);
}

fn remember_joints(step: f64, joints: &Arena<Joint>, state: &mut State, work: &mut Workspace) {
    for emitted in &work.emitted_joints {
        let slot = emitted.slot as usize;
        let Some(joint) = joints.at(slot) else { continue };
        let rows = &work.joint_rows[emitted.rows[0] as usize..emitted.rows[1] as usize];
        let first = emitted.first_row as usize;
        let lambda = &work.solution.lambda[first..first + rows.len()];
        let joint_state = &mut state.joints[slot];
        joint_state.row_count = rows.len();
        for (i, (row, lambda)) in rows.iter().zip(lambda).enumerate().take(MAX_ROWS) {
            joint_state.impulses[i] = *lambda;
            if let Some(axis) = row.axis {
                joint_state.efforts[axis as usize] += lambda / step;
            }
        }
        if joint.definition.feedback {
            let mut feedback = JointFeedback::default();
            for (row, lambda) in rows.iter().zip(lambda) {
                for body in 0..2 {
                    feedback.forces[body] += row.linear_of(body) * (lambda / step);
                    feedback.torques[body] += row.angular[body] * (lambda / step);
                }
            }
            work.feedback[slot] = feedback;
        }
        update_positions(joint, &state.bodies, joint_state);
    }
}

fn remember_contacts(step: f64, user_contacts: &mut Arena<Contact>, geoms: &Arena<Geom>, work: &mut Workspace) {
    work.contact_reports.clear();
    // Islands have sorted the contacts; the cache and the report are in the order of pairs again.
    for contact in &mut work.contacts {
        contact.force = DVec3::ZERO;
        contact.torque = DVec3::ZERO;
    }
    for (point, index) in work.problem.contacts.iter().zip(&work.islands.contacts) {
        let contact = &mut work.contacts[*index as usize];
        let lambda = &work.solution.lambda[point.row as usize..];
        contact.warm_normal = lambda[0];
        let mut impulses = lambda[1..].iter();
        let mut sum = |axes: &[DVec3], has: &[bool]| {
            let used = axes.iter().zip(has).filter(|(_, has)| **has).map(|(axis, _)| *axis);
            used.zip(impulses.by_ref()).map(|(axis, l)| axis * *l).sum::<DVec3>()
        };
        contact.warm_friction = sum(&point.tangents, &point.has_friction);
        contact.force = (point.normal * lambda[0] + contact.warm_friction) / step;
        contact.torque = sum(&[point.tangents[0], point.tangents[1], point.normal], &point.has_rolling) / step;
    }
    work.next_cache.fill(&work.manifolds, &work.contacts);
    for contact in &work.contacts {
        let manifold = &work.manifolds[contact.manifold as usize];
        if let Some(slot) = manifold.user_contact
            && let Some(user) = user_contacts.at_mut(slot as usize)
        {
            user.force = ContactForce { force: contact.force, torque: contact.torque };
        }
        if contact.depth < 0.0 && contact.force == DVec3::ZERO {
            continue;
        }
        let geoms =
            manifold.geoms.and_then(|[a, b]| Some([geoms.handle_at(a as usize)?, geoms.handle_at(b as usize)?]));
        work.contact_reports.push(ContactReport {
            geoms,
            bodies: manifold.bodies,
            position: contact.position,
            normal: contact.normal,
            depth: contact.depth,
            force: contact.force,
        });
    }
}
