//! Joints that close loops, followers and screws, as equalities of MuJoCo.

use core::f64::consts::TAU;

use stiction::math::DVec3;

use crate::bodies::carrier;
use crate::description::{JointDescription, JointType, WorldDescription};

use super::super::kinematics::{Branch, Kinematics, is_static};
use super::super::xml::{Node, numbers, vector};
use super::Mjcf;

/// All equalities.
pub(super) fn all(writer: &mut Mjcf<'_>, kinematics: &Kinematics) -> Node {
    let mut equality = Node::new("equality");
    let world = writer.world;
    for index in &kinematics.loops {
        let joint = &world.joints[*index];
        match joint.joint_type {
            JointType::Ball => equality.children.push(connect(writer, joint, DVec3::ZERO)),
            // Two points of the axis.
            JointType::Revolute | JointType::Continuous if !joint.axes.is_empty() => {
                let reach = 0.1 * joint.axes[0].xyz;
                equality.children.extend([connect(writer, joint, DVec3::ZERO), connect(writer, joint, reach)]);
                writer.converted.lose(format!("joint `{}` closes a loop: limits and springs are left out", joint.name));
            }
            JointType::Fixed => {
                equality.children.push(ends(writer, joint, Node::new("weld").with("name", &joint.name)))
            }
            _ => {
                let message = "closes a loop and is left out: MuJoCo has no such equality";
                writer.converted.lose(format!("joint `{}` {message}", joint.name));
            }
        }
    }
    for joint in world.joints.iter().filter(|joint| joint.joint_type == JointType::Gearbox) {
        match gear(world, joint) {
            Some(node) => equality.children.push(node),
            None => {
                let message = "is left out: no joints turn its links on its reference";
                writer.converted.lose(format!("gearbox `{}` {message}", joint.name));
            }
        }
    }
    for root in &kinematics.roots {
        screws(writer, root, &mut equality);
    }
    for joint in &world.joints {
        for (number, axis) in joint.axes.iter().enumerate() {
            let Some(mimic) = &axis.mimic else { continue };
            let leader = &world.joints[mimic.joint];
            let Some(leading) = leader.axes.get(mimic.axis) else { continue };
            // y − y₀ = c₀ + c₁ (x − x₀), with the positions at the start.
            let own = mimic.multiplier * (leading.position - mimic.reference) + mimic.offset - axis.position;
            let names = [axis_name(joint, number), axis_name(leader, mimic.axis)];
            equality.children.push(tie(names, own, mimic.multiplier));
        }
    }
    equality
}

/// A gearbox: `ω_child = −ratio ω_parent`, both on the reference and about their own axes.
fn gear(world: &WorldDescription, gearbox: &JointDescription) -> Option<Node> {
    // The joint that turns a link on the reference, and the sign of the link's turn in it.
    let find = |link: Option<usize>, axis: usize| {
        let reference = gearbox.gearbox_reference;
        let direction = gearbox.axes.get(axis)?.xyz;
        world.joints.iter().find_map(|joint| {
            let turns = matches!(joint.joint_type, JointType::Revolute | JointType::Continuous);
            let way = match (joint.parent == reference, joint.child == link) {
                (true, true) => 1.0,
                _ if joint.parent == link && joint.child == reference => -1.0,
                _ => return None,
            };
            turns.then(|| (joint, way * joint.axes[0].xyz.dot(direction).signum()))
        })
    };
    let (first, first_way) = find(gearbox.parent, 0)?;
    let (second, second_way) = find(gearbox.child, 1)?;
    Some(tie([second.name.clone(), first.name.clone()], 0.0, -gearbox.gearbox_ratio.value * first_way * second_way))
}

/// A follower: `first = offset + ratio second`.
fn tie([first, second]: [String; 2], offset: f64, ratio: f64) -> Node {
    Node::new("joint")
        .with("joint1", first)
        .with("joint2", second)
        .with("polycoef", numbers(&[offset, ratio, 0.0, 0.0, 0.0]))
}

fn axis_name(joint: &JointDescription, axis: usize) -> String {
    if axis == 0 { joint.name.clone() } else { format!("{}/{axis}", joint.name) }
}

fn screws(writer: &Mjcf<'_>, branch: &Branch, equality: &mut Node) {
    if let Some((index, _)) = branch.joint {
        let joint = &writer.world.joints[index];
        if joint.joint_type == JointType::Screw {
            let names = [format!("{}/1", joint.name), joint.name.clone()];
            equality.children.push(tie(names, 0.0, joint.screw_pitch.value / TAU));
        }
    }
    branch.branches.iter().for_each(|inner| screws(writer, inner, equality));
}

/// The two bodies of an equality; the world has no name.
fn ends(writer: &Mjcf<'_>, joint: &JointDescription, node: Node) -> Node {
    let world = writer.world;
    let name = |end: Option<usize>| {
        let link = end.filter(|l| !is_static(world, *l)).map(|l| carrier(world, l));
        link.map_or_else(|| "world".to_owned(), |l| world.links[l].name.clone())
    };
    node.with("body1", name(joint.child)).with("body2", name(joint.parent))
}

/// A point of the two bodies, away from the joint's own by a vector of the world.
fn connect(writer: &Mjcf<'_>, joint: &JointDescription, away: DVec3) -> Node {
    let world = writer.world;
    let point = joint.pose.position + away;
    let anchor = match joint.child.filter(|l| !is_static(world, *l)) {
        Some(child) => world.links[carrier(world, child)].pose.inverse().point(point),
        None => point,
    };
    ends(writer, joint, Node::new("connect")).with("anchor", vector(anchor))
}
