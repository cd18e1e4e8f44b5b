//! `<initial_position>`: poses of a file are those of joints at 0, and what hangs on a joint starts moved by this.

use stiction::math::{DQuat, DVec3, Pose};

use crate::description::{JointDescription, JointType, Origin, WorldDescription};
use crate::diagnostic::Diagnostic;

use super::report::Report;

/// Moves links by the initial positions of all joints. Each motion is rigid for all that it moves, axes of other joints
/// included, so that their order does not count.
pub(crate) fn apply(world: &mut WorldDescription, report: &mut Report) {
    for index in 0..world.joints.len() {
        let joint = &world.joints[index];
        let Some(given) = joint.axes.iter().map(|a| &a.initial_position).find(|p| p.value != 0.0) else { continue };
        let finding = |message: String| {
            let place = if let Origin::File(place) = &given.origin { place } else { &joint.location };
            Diagnostic::error("initial-position", message).at(place).element("axis/initial_position")
        };
        let Some(motion) = motion(joint) else {
            let message = format!("joint `{}`: joints of its type have no initial position", joint.name);
            report.tolerated(finding(message).help("`run` starts it at 0"));
            continue;
        };
        let Some(moved) = beyond(world, index) else {
            let message =
                format!("joint `{}` is part of a loop, or its child does not move: it cannot start moved", joint.name);
            report.tolerated(finding(message).help("`run` starts it at 0; give the links of the loop their poses"));
            continue;
        };
        move_links(world, index, &moved, &motion);
    }
}

/// Motion of the child in the world by the positions of a joint; `None` for types that have none.
fn motion(joint: &JointDescription) -> Option<Pose> {
    let about = |axis: DVec3, angle: f64, advance: f64| {
        let rotation = DQuat::from_axis_angle(axis, angle);
        let anchor = joint.pose.position;
        Pose::new(anchor - rotation * anchor + advance * axis, rotation)
    };
    let at = |axis: usize| joint.axes.get(axis).map(|a| (a.xyz, a.initial_position.value));
    let (axis, position) = at(0)?;
    Some(match joint.joint_type {
        JointType::Revolute | JointType::Continuous => about(axis, position, 0.0),
        JointType::Prismatic => Pose::from_position(position * axis),
        JointType::Screw => about(axis, position, joint.screw_pitch.value * position / core::f64::consts::TAU),
        // The second axis is carried by the child, and the first turns both.
        JointType::Universal | JointType::Revolute2 => {
            let (second, angle) = at(1)?;
            about(axis, position, 0.0).compose(&about(second, angle, 0.0))
        }
        _ => return None,
    })
}

/// Links that only this joint ties to its parent; `None` where other joints lead around, or to what does not move.
fn beyond(world: &WorldDescription, joint: usize) -> Option<Vec<usize>> {
    let mut reached = vec![world.joints[joint].child?];
    let mut next = 0;
    while next < reached.len() {
        let link = reached[next];
        next += 1;
        if world.models[world.links[link].model].is_static || world.joints[joint].parent == Some(link) {
            return None;
        }
        for (_, other) in world.joints.iter().enumerate().filter(|(index, _)| *index != joint) {
            let neighbour = match (other.parent, other.child) {
                (a, b) if a == Some(link) => b,
                (a, b) if b == Some(link) => a,
                _ => continue,
            };
            // The world.
            let neighbour = neighbour?;
            if !reached.contains(&neighbour) {
                reached.push(neighbour);
            }
        }
    }
    Some(reached)
}

fn move_links(world: &mut WorldDescription, index: usize, moved: &[usize], motion: &Pose) {
    for link in moved {
        world.links[*link].pose = motion.compose(&world.links[*link].pose);
    }
    for model in &mut world.models {
        if model.canonical_link.is_some_and(|link| moved.contains(&link)) {
            model.pose = motion.compose(&model.pose);
        }
    }
    // Both ends of the other joints are moved, or none.
    for (_, joint) in world.joints.iter_mut().enumerate().filter(|(other, _)| *other != index) {
        if joint.child.is_some_and(|child| moved.contains(&child)) {
            joint.pose = motion.compose(&joint.pose);
            joint.axes.iter_mut().for_each(|axis| axis.xyz = motion.direction(axis.xyz));
        }
    }
    let joint = &mut world.joints[index];
    joint.pose = motion.compose(&joint.pose);
    if let [first, second] = joint.axes.as_mut_slice() {
        second.xyz = DQuat::from_axis_angle(first.xyz, first.initial_position.value) * second.xyz;
    }
    joint.axes.iter_mut().for_each(|axis| axis.position += axis.initial_position.value);
}
