//! Joint feedback of a step: mean forces on the bodies, and efforts along the motions at its end.

use glam::DVec3;

use super::loops::{Accelerations, Loops};
use crate::base::Arena;
use crate::dynamics::tree::{ForceVector, Loads};
use crate::joints::Joint;
use crate::model::{JointFeedback, State};
use crate::pipeline::context::Model;
use crate::pipeline::forest::{Forest, NO_JOINT};

/// Some joint tells its forces.
pub(super) fn is_reported(joints: &Arena<Joint>) -> bool {
    joints.iter().any(|(_, joint)| joint.definition.feedback)
}

/// Adds a share of the forces of joints with feedback: of trees by the accelerations and all forces on the links, of those that
/// close loops by their rows. The kinematics, forces and rows are those of the last evaluation.
pub(super) fn add(
    model: &Model,
    forest: &mut Forest,
    loops: &Loops,
    accelerations: Accelerations,
    share: f64,
    feedback: &mut [JointFeedback],
) {
    let Model { parameters, bodies, joints, .. } = *model;
    let of_rows = loops.row_forces().map(|(held, force)| (held, force, true));
    for (held, force, is_row) in of_rows.chain(loops.driving_forces().map(|(held, force)| (held, force, false))) {
        let Some((slot, joint)) = held.joint.and_then(|slot| Some((slot, joints.at(slot as usize)?))) else { continue };
        if forest.of_joint[slot as usize].is_some() {
            continue;
        }
        let is_reported = joint.definition.feedback;
        let ends = [joint.definition.bodies[0], joint.definition.bodies[1], joint.definition.reference];
        for (number, body) in ends.iter().enumerate() {
            let linear = [held.linear, -held.linear, DVec3::ZERO][number] * force;
            let angular = held.angular[number] * force;
            if number < 2 && is_reported {
                let told = &mut feedback[slot as usize];
                told.forces[number] += share * linear;
                told.torques[number] += share * angular;
            }
            // Springs and the like are on the links already.
            let member = body.and_then(|b| forest.of_body[b.slot()]).filter(|_| is_row);
            if let Some((member, body)) = member.zip(body.and_then(|b| bodies.at(b.slot()))) {
                let tree = &mut forest.trees[member.tree as usize];
                let center = tree.kin.poses()[member.link as usize].point(body.mass.center);
                let wrench = ForceVector::at(center - tree.kin.origin(), angular, linear);
                tree.wrenches[member.link as usize] += wrench;
            }
        }
    }
    for (tree, start) in forest.trees.iter_mut().zip(accelerations.starts) {
        if tree.tree.lone().is_some() {
            continue;
        }
        let own = &accelerations.values[*start..*start + tree.tree.dof_count()];
        let loads = Loads { gravity: parameters.gravity, gravity_scale: &tree.gravity, wrenches: &tree.wrenches };
        tree.tree.reactions(&tree.kin, &loads, own, &mut tree.reactions, &mut tree.scratch);
        for (link, slot) in tree.joints.iter().enumerate().filter(|(_, slot)| **slot != NO_JOINT) {
            let Some(joint) = joints.at(*slot as usize).filter(|j| j.definition.feedback) else { continue };
            let ends = joint.definition.bodies;
            let child = usize::from(ends[0].map(|b| b.slot()) != Some(tree.bodies[link] as usize));
            let transmitted = &tree.reactions[link];
            let told = &mut feedback[*slot as usize];
            for (end, sign) in [(child, 1.0), (1 - child, -1.0)] {
                // The other end may be a link of this tree, or what carries it.
                let center = ends[end].map_or(DVec3::ZERO, |id| {
                    let center = bodies.get(id).map_or(DVec3::ZERO, |b| b.mass.center);
                    let link = tree.bodies.iter().position(|slot| *slot as usize == id.slot());
                    link.map_or(tree.base_pose, |link| tree.kin.poses()[link]).point(center)
                });
                told.forces[end] += share * sign * transmitted.linear();
                told.torques[end] += share * sign * transmitted.moment_about(center - tree.kin.origin());
            }
        }
    }
}

/// Efforts along the motions of all joints, where they have arrived: the users', springs, dampers, stops, friction, motors.
pub(super) fn efforts(joints: &Arena<Joint>, forest: &Forest, loops: &Loops, state: &mut State) {
    for (id, _) in joints.iter() {
        state.joints[id.slot()].efforts = [0.0; 3];
        state.joints[id.slot()].drives = [0.0; 3];
    }
    for tree in &forest.trees {
        for (link, slot) in tree.joints.iter().enumerate().filter(|(_, slot)| **slot != NO_JOINT) {
            let Some(joint) = joints.at(*slot as usize) else { continue };
            let joint_state = &mut state.joints[*slot as usize];
            let span = tree.tree.dof_span(link);
            // Ball joints have no axes.
            if tree.tree.position_span(link).len() != span.len() {
                continue;
            }
            for axis in 0..span.len() {
                // As at the last evaluation.
                joint_state.efforts[axis] = tree.tau[span.start + usize::from(tree.orders[link][axis])];
                let (q, rate) = (joint_state.positions[axis], joint_state.rates[axis]);
                let [_, drive] = joint.definition.parameters[axis].driving_forces(joint_state.forces[axis], q, rate);
                joint_state.drives[axis] = drive;
            }
        }
    }
    for (held, force) in loops.row_forces().chain(loops.driving_forces()) {
        if let (Some(slot), Some(axis)) = (held.joint, held.axis) {
            state.joints[slot as usize].efforts[usize::from(axis)] += force;
        }
    }
    let of_loops = loops.driven.iter().map(|driven| (&driven.held, driven.drive));
    for (held, force) in loops.row_forces().chain(of_loops) {
        if let (Some(slot), Some(axis)) = (held.joint, held.axis)
            && joints.at(slot as usize).is_some_and(|j| j.definition.parameters[usize::from(axis)].drive.is_some())
        {
            state.joints[slot as usize].drives[usize::from(axis)] += force;
        }
    }
}
