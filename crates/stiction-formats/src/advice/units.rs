//! Degrees in place of radians, millimetres in place of metres.

use std::f64::consts::TAU;

use crate::description::{JointType, WorldDescription};
use crate::diagnostic::{Diagnostic, Edit};
use crate::sdf::element::{self, Element, Parsed};
use crate::sdf::{inertia, value};
use crate::source::Sources;

use super::{figure, location, moves, shapes, warning};

/// Less dense than any solid: a hundredth of air \[kg/m³\].
const THIN: f64 = 0.01;
/// Length that machines seldom have \[m\].
const LONG: f64 = 10.0;

/// Shapes of a size that does not fit their mass, and stops beyond a turn.
pub(super) fn sizes(world: &WorldDescription, found: &mut Vec<Diagnostic>) {
    for (_, link) in world.links.iter().enumerate().filter(|(i, l)| moves(world, *i) && l.inertial.is_given) {
        let mass = link.inertial.mass.value;
        let mut longest: f64 = 0.0;
        let mut volume = 0.0;
        for collision in &link.collisions {
            let Some(sides) = shapes::extents(&collision.geometry) else { continue };
            longest = longest.max(sides.max_element());
            volume += inertia::unit_density(&collision.geometry).map_or(sides.x * sides.y * sides.z, |(v, ..)| v);
        }
        if mass > 0.0 && longest >= LONG && volume > 0.0 && mass / volume < THIN {
            let message = format!(
                "link `{}` is {} m long and has {mass} kg: m / V = {} kg/m³, less than a hundredth of air",
                link.name,
                figure(longest),
                figure(mass / volume)
            );
            let finding = warning("millimetres", message, Some(link.location.clone()));
            found.push(finding.help(
                "sizes are in metres: a drawing in millimetres needs a factor of 0.001 (<scale>0.001 0.001 0.001 of a mesh)",
            ));
        }
    }
    for joint in world.joints.iter().filter(|j| matches!(j.joint_type, JointType::Revolute | JointType::Universal)) {
        for axis in &joint.axes {
            let is_degrees = |x: f64| libm::fabs(x) > TAU && libm::fabs(x) <= 720.0 && x % 15.0 == 0.0;
            let wrong = [&axis.lower, &axis.upper].into_iter().find(|l| l.is_given() && is_degrees(l.value));
            let Some(limit) = wrong else { continue };
            let message = format!("the stop of joint `{}` at {} rad is beyond a turn, 2π", joint.name, limit.value);
            let finding = warning("limit-in-degrees", message, location(limit));
            found.push(finding.help(format!(
                "stops are in radians: {}° are {} rad",
                limit.value,
                figure(limit.value.to_radians())
            )));
        }
    }
}

/// Angles of poses, as they stand in the texts of files.
pub(super) fn poses(sources: &Sources, found: &mut Vec<Diagnostic>) {
    for path in sources.paths() {
        let Some(text) = sources.get(path) else { continue };
        let Ok(Parsed { root, .. }) = element::parse(path, text) else { continue };
        if matches!(root.name.as_str(), "sdf" | "gazebo") {
            below(&root, found);
        } else if root.name == "robot" {
            origins(&root, found);
        }
    }
}

fn below(element: &Element, found: &mut Vec<Diagnostic>) {
    for child in &element.children {
        match child.name.as_str() {
            "pose" => pose(child, &element.name, found),
            // What belongs to programs, and what physics does not see.
            "plugin" | "gui" | "scene" | "camera" | "sensor" | "light" | "visual" | "actor" | "state" => {}
            _ => below(child, found),
        }
    }
}

fn pose(element: &Element, parent: &str, found: &mut Vec<Diagnostic>) {
    let is_degrees = element.value("degrees").and_then(value::boolean).unwrap_or(false);
    let is_euler = element.value("rotation_format").is_none_or(|format| format == "euler_rpy");
    let numbers: Vec<f64> = element.text.split_whitespace().filter_map(|n| n.parse().ok()).collect();
    let [x, y, z, angles @ ..] = numbers.as_slice() else { return };
    if is_degrees || !is_euler || angles.len() != 3 || !angles.iter().any(|a| libm::fabs(*a) > TAU) {
        return;
    }
    let shown: Vec<String> = angles.iter().map(f64::to_string).collect();
    let message = format!("the pose of <{parent}> has angles of {} rad, beyond a turn, 2π", shown.join(" "));
    // Whole degrees are no angles in radians that anyone writes.
    let are_whole = angles.iter().all(|a| *a % 1.0 == 0.0 && libm::fabs(*a) <= 720.0);
    let turned: Vec<String> =
        [*x, *y, *z].into_iter().chain(angles.iter().map(|a| a.to_radians())).map(|a| a.to_string()).collect();
    let leaves = vec![("", turned.join(" "))];
    let edit = Edit { at: element.text_location.clone(), inside: "pose", path: &[], leaves };
    let finding = warning("pose-in-degrees", message, Some(element.text_location.clone()));
    found.push(
        finding
            .help("angles are in radians, or <pose degrees=\"true\"> from SDFormat 1.9 on")
            .fix(are_whole.then_some(edit)),
    );
}

fn origins(element: &Element, found: &mut Vec<Diagnostic>) {
    if element.name == "visual" {
        return;
    }
    if element.name == "origin"
        && let Some(rpy) = element.attribute("rpy")
        && rpy.value.split_whitespace().filter_map(|n| n.parse::<f64>().ok()).any(|a| libm::fabs(a) > TAU)
    {
        let message = format!("rpy `{}` has an angle beyond a turn, 2π", rpy.value.trim());
        found.push(warning("pose-in-degrees", message, Some(rpy.location.clone())).help("angles are in radians"));
    }
    for child in &element.children {
        origins(child, found);
    }
}
