//! Where joints start: at `<initial_position>`, or where a state puts them, and then consistently. Poses of a file are those of
//! joints at 0, or at positions that come with them; what hangs on a joint starts moved by the rest.
//!
//! A joint that would start outside its limits starts at the nearer one, and a follower where its driver has it, whatever the
//! file says of the follower itself.

use std::collections::BTreeMap;

use stiction::math::{DQuat, DVec3, Pose};

use crate::description::{JointDescription, JointType, Origin, WorldDescription};
use crate::diagnostic::Diagnostic;
use crate::{LoadOptions, rounded};

use super::report::Report;

/// What a position is off its limit or its driver, below which it is consistent \[m or rad\].
const CLOSED: f64 = 1e-9;
/// Joints that a finding lists by name.
const MOST: usize = 6;

/// Moves links by the initial positions of all joints, and by what makes them consistent. Each motion is rigid for all that it
/// moves, axes of other joints included, so that their order does not count.
pub(crate) fn apply(world: &mut WorldDescription, options: &LoadOptions, report: &mut Report) {
    let asked = asked(world, &options.initial_positions, report);
    let starts = if options.keep_starts { asked.clone() } else { consistent(world, &asked) };
    let mut moved_joints = Vec::new();
    for (index, start) in starts.iter().enumerate() {
        let joint = &world.joints[index];
        let change: Vec<f64> = start.iter().zip(&joint.axes).map(|(start, axis)| start - axis.position).collect();
        if change.iter().all(|change| *change == 0.0) {
            continue;
        }
        if start.iter().zip(&asked[index]).any(|(start, asked)| (start - asked).abs() > CLOSED) {
            moved_joints.push(index);
        }
        if let (Some(motion), Some(moved)) = (motion(joint, &change), beyond(world, index)) {
            move_links(world, index, &moved, &motion, &change);
            world.joints[index].axes.iter_mut().zip(start).for_each(|(axis, start)| axis.position = *start);
        }
    }
    tell_moved(world, &moved_joints, &asked, report);
    if !options.keep_starts {
        tell_left(world, report);
    }
}

/// Positions that the file, or the state, wants at the start; those that a joint cannot have are said.
fn asked(world: &mut WorldDescription, given: &BTreeMap<String, Vec<f64>>, report: &mut Report) -> Vec<Vec<f64>> {
    let mut all = Vec::with_capacity(world.joints.len());
    let mut started = Vec::new();
    for (index, joint) in world.joints.iter().enumerate() {
        let mut own: Vec<f64> = joint.axes.iter().map(|axis| axis.position).collect();
        let of_state = given.get(&joint.name).filter(|values| !values.is_empty() && is_movable(world, index));
        if let Some(values) = of_state {
            own.iter_mut().zip(values).for_each(|(own, value)| *own = *value);
            started.push(index);
        } else if let Some(initial) = joint.axes.iter().map(|a| &a.initial_position).find(|p| p.value != 0.0) {
            let finding = |message: String| {
                let place = if let Origin::File(place) = &initial.origin { place } else { &joint.location };
                Diagnostic::error("initial-position", message).at(place).element("axis/initial_position")
            };
            if motion(joint, &own).is_none() {
                let message = format!("joint `{}`: joints of its type have no initial position", joint.name);
                report.tolerated(finding(message).help("`run` starts it at 0"));
            } else if beyond(world, index).is_none() {
                let message = format!(
                    "joint `{}` is part of a loop, or its child does not move: it cannot start moved",
                    joint.name
                );
                report.tolerated(finding(message).help("`run` starts it at 0; give the links of the loop their poses"));
            } else {
                own.iter_mut().zip(&joint.axes).for_each(|(own, axis)| *own += axis.initial_position.value);
            }
        }
        all.push(own);
    }
    world.started_joints = started;
    all
}

/// The joint can start at any position: it has a closed form of its motion, and all beyond it hangs on it alone.
fn is_movable(world: &WorldDescription, joint: usize) -> bool {
    motion(&world.joints[joint], &[0.0; 3]).is_some() && beyond(world, joint).is_some()
}

/// Consistent positions: first those of drivers, at their limits if they lie outside, then those of their followers.
fn consistent(world: &WorldDescription, asked: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut starts = asked.to_vec();
    let mut is_known: Vec<Vec<bool>> = world.joints.iter().map(|j| vec![false; j.axes.len()]).collect();
    for (index, joint) in world.joints.iter().enumerate() {
        let mut movable = None;
        for (axis, law) in joint.axes.iter().enumerate().filter(|(_, axis)| axis.mimic.is_none()) {
            is_known[index][axis] = true;
            let (lower, upper) = (law.lower.value, law.upper.value);
            let now = starts[index][axis];
            let is_outside = lower <= upper && (now < lower || now > upper);
            if is_outside && has_limits(joint) && *movable.get_or_insert_with(|| is_movable(world, index)) {
                starts[index][axis] = now.clamp(lower, upper);
            }
        }
    }
    // Each round knows one more of a chain of followers; what follows itself in a circle stays.
    loop {
        let mut has_changed = false;
        for (index, joint) in world.joints.iter().enumerate() {
            for (axis, law) in joint.axes.iter().enumerate() {
                let Some(mimic) = &law.mimic else { continue };
                if is_known[index][axis] || !is_known[mimic.joint].get(mimic.axis).is_some_and(|known| *known) {
                    continue;
                }
                let (now, wanted) = (starts[index][axis], mimic.position(starts[mimic.joint][mimic.axis]));
                is_known[index][axis] = true;
                has_changed = true;
                if (now - wanted).abs() > CLOSED && wanted.is_finite() && is_movable(world, index) {
                    starts[index][axis] = wanted;
                }
            }
        }
        if !has_changed {
            return starts;
        }
    }
}

/// The limits of a planar joint belong to none of its motions.
fn has_limits(joint: &JointDescription) -> bool {
    joint.joint_type != JointType::Planar
}

/// One finding for all joints that start elsewhere.
fn tell_moved(world: &WorldDescription, moved: &[usize], asked: &[Vec<f64>], report: &mut Report) {
    let Some(first) = moved.first() else { return };
    let mut parts = Vec::new();
    for index in moved.iter().take(MOST) {
        let joint = &world.joints[*index];
        let ends = joint.axes.iter().zip(&asked[*index]).find(|(axis, asked)| (axis.position - **asked).abs() > CLOSED);
        let Some((axis, asked)) = ends else { continue };
        let why = match &axis.mimic {
            Some(mimic) => format!("where `{}` has it", world.joints[mimic.joint].name),
            None => format!("its limits are {} to {}", rounded(axis.lower.value), rounded(axis.upper.value)),
        };
        parts.push(format!("`{}` at {}, not {} ({why})", joint.name, rounded(axis.position), rounded(*asked)));
    }
    let others = moved.len().saturating_sub(MOST);
    let others = if others > 0 { format!(", and {others} more") } else { String::new() };
    let joints = if moved.len() == 1 { "a joint starts" } else { "joints start" };
    let message = format!("{joints} at another position than asked for: {}{others}", parts.join(", "));
    report.add(
        Diagnostic::warning("inconsistent-start", message)
            .at(&world.joints[*first].location)
            .help("<initial_position>, or --initial-state with a position of the joint, gives another start"),
    );
}

/// What is left of joints outside their limits or off their drivers.
fn tell_left(world: &WorldDescription, report: &mut Report) {
    for joint in &world.joints {
        for axis in joint.axes.iter().filter(|_| has_limits(joint)) {
            let (lower, upper) = (axis.lower.value, axis.upper.value);
            let is_outside = lower <= upper && (axis.position < lower - CLOSED || axis.position > upper + CLOSED);
            let is_off = axis.mimic.as_ref().is_some_and(|mimic| {
                let leader = world.joints[mimic.joint].axes.get(mimic.axis);
                leader.is_some_and(|leader| (axis.position - mimic.position(leader.position)).abs() > CLOSED)
            });
            let why = match (is_outside, is_off) {
                (true, _) => format!("outside its limits {} to {}", rounded(lower), rounded(upper)),
                (_, true) => "away from where its driver has it".to_owned(),
                _ => continue,
            };
            let message = format!("joint `{}` starts at {}, {why}", joint.name, rounded(axis.position));
            report.add(Diagnostic::warning("inconsistent-start", message).at(&joint.location).help(
                "it cannot be moved before the first step; it is brought there at no more than 0.5 m/s or rad/s",
            ));
        }
    }
}

/// Motion of the child in the world by changes of the positions of a joint; `None` for types that have none.
fn motion(joint: &JointDescription, change: &[f64]) -> Option<Pose> {
    let about = |axis: DVec3, angle: f64, advance: f64| {
        let rotation = DQuat::from_axis_angle(axis, angle);
        let anchor = joint.pose.position;
        Pose::new(anchor - rotation * anchor + advance * axis, rotation)
    };
    let at = |axis: usize| Some((joint.axes.get(axis)?.xyz, *change.get(axis)?));
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

fn move_links(world: &mut WorldDescription, index: usize, moved: &[usize], motion: &Pose, change: &[f64]) {
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
    if let ([first, second], Some(change)) = (joint.axes.as_mut_slice(), change.first()) {
        second.xyz = DQuat::from_axis_angle(first.xyz, *change) * second.xyz;
    }
}
