//! How a world is put together: mass ratios, joints that weld, planes that move.

use crate::bodies;
use crate::description::{GeometryDescription, JointType, WorldDescription};
use crate::diagnostic::{Diagnostic, Edit};

use super::{figure, moves, warning};

/// Ratio of jointed masses that iterative solvers handle badly, with the heavy body nearer to the base.
const MASS_RATIO: f64 = 1000.0;
/// The same with the heavy body on the light one.
const HEAVY_ON_LIGHT: f64 = 100.0;

/// Masses on the two sides of joints.
pub(super) fn mass_ratios(world: &WorldDescription, masses: &[f64], found: &mut Vec<Diagnostic>) {
    for joint in &world.joints {
        let (Some(parent), Some(child)) = (joint.parent, joint.child) else { continue };
        let [a, b] = [parent, child].map(|l| bodies::carrier(world, l));
        if a == b || !moves(world, a) || !moves(world, b) {
            continue;
        }
        let (m, n) = (masses[a], masses[b]);
        if m / n > MASS_RATIO || n / m > HEAVY_ON_LIGHT {
            let message = format!(
                "joint `{}` joins masses of {m} kg and {n} kg, {}",
                joint.name,
                if n > m {
                    format!("a child {} times as heavy as its parent", figure(n / m))
                } else {
                    format!("a parent {} times as heavy as its child", figure(m / n))
                }
            );
            let finding = warning("mass-ratio", message, Some(joint.location.clone()));
            found.push(finding.help(
                "fixed steps let such joints stretch, or make or lose energy, unless they are short, and sweeps converge slowly, errors falling by \
                 about 1 − m₁/m₂ each; `--engine simbody` keeps the joints closed and the energy",
            ));
        }
    }
}

/// Fixed joints between links that move: six rows for what one link would be.
pub(super) fn fixed_joints(world: &WorldDescription, found: &mut Vec<Diagnostic>) {
    let mut needless = world.joints.iter().filter(|j| {
        let both = j.parent.zip(j.child).is_some_and(|(a, b)| moves(world, a) && moves(world, b));
        let is_measured = world.sensors.list.iter().any(|s| s.joint.is_some_and(|i| world.joints[i].name == j.name));
        j.joint_type == JointType::Fixed && !j.is_lumped && both && !j.cfm.is_given() && !is_measured
    });
    let Some(first) = needless.next() else { return };
    let count = 1 + needless.count();
    let message = format!(
        "{count} fixed joints join links that move, `{}` the first: {} rows, and gaps, for what one link would be",
        first.name,
        6 * count
    );
    let note = Diagnostic::note("needless-fixed-joint", message).at(&first.location);
    found.push(note.help(
        "move collisions and visuals of the child into the parent, or `--coordinates reduced`, where it costs nothing",
    ));
}

/// Planes are half-spaces without end, and nothing that moves is one.
#[must_use]
pub fn movable_planes(world: &WorldDescription) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (index, link) in world.links.iter().enumerate().filter(|(i, _)| moves(world, *i)) {
        let Some(plane) = link.collisions.iter().find(|c| matches!(c.geometry, GeometryDescription::Plane(_))) else {
            continue;
        };
        let is_alone = world.links.iter().filter(|l| l.model == link.model).count() == 1
            && world.joints.iter().all(|j| j.parent != Some(index) && j.child != Some(index))
            && world.models.iter().all(|m| m.parent != Some(link.model));
        let model = &world.models[link.model];
        let edit = Edit {
            at: model.location.clone(),
            inside: "model",
            path: &[],
            leaves: vec![("static", "true".to_owned())],
        };
        let message = format!(
            "`{}` is an infinite plane on a link that moves, with {} kg: it carries what lies on it, and falls through planes and the ground",
            plane.name, link.inertial.mass.value
        );
        let finding = warning("movable-plane", message, Some(plane.location.clone()));
        found.push(
            finding.help("a ground is <static>true; a plate that moves is a <box>").fix(is_alone.then_some(edit)),
        );
    }
    found
}

/// For each link a number that it shares with what fixed joints weld to it; links of the static environment have one each.
pub(super) fn welded(world: &WorldDescription) -> Vec<usize> {
    let mut of: Vec<usize> = (0..world.links.len()).map(|l| bodies::carrier(world, l)).collect();
    for joint in world.joints.iter().filter(|j| j.joint_type == JointType::Fixed) {
        let (Some(a), Some(b)) = (joint.parent, joint.child) else { continue };
        let (keep, drop) = (of[a], of[b]);
        of.iter_mut().filter(|x| **x == drop).for_each(|x| *x = keep);
    }
    of
}
