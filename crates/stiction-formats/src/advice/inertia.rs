//! Mass properties against the size of the collision shapes.
//!
//! For any distribution of a mass m within the distance r of its centre the principal moments add up to
//! `I₁ + I₂ + I₃ = 2 ∫ ρ |x|² dV ≤ 2 m r²`, and none is above `m r²`.

use stiction::math::{DMat3, DVec3};
use stiction::shape::MassProperties;

use crate::description::{CollisionDescription, LinkDescription};
use crate::diagnostic::{Diagnostic, Edit};
use crate::sdf::inertia;

use super::{figure, location, shapes, warning};

/// Ratio of radii of gyration, squared, that is more likely a slip of the pen than a design.
const INERTIA_RATIO: f64 = 100.0;
/// Rounding of figures in files.
const SLACK: f64 = 1e-3;
const NAMES: [&str; 6] = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"];

/// Mass properties that are missing, that no solid of the size of the shapes has, or that are unlikely.
pub(super) fn inertial(link: &LinkDescription, found: &mut Vec<Diagnostic>) {
    let mass = link.inertial.mass.value;
    if mass == 0.0 {
        // Of a URDF file: its body is said to have none where that matters.
        return;
    }
    if !link.inertial.is_given {
        let message =
            format!("link `{}` has no <inertial>: its mass is 1 kg, its inertia 1 kg m² about each axis", link.name);
        let finding = warning("default-inertia", message, Some(link.location.clone()));
        found.push(finding.help("write <inertial>, or <inertial auto=\"true\"/> to compute it from the collisions"));
        return;
    }
    let i = link.inertial.inertia.value;
    let trace = i[0] + i[1] + i[2];
    let place = || location(&link.inertial.inertia).or_else(|| Some(link.location.clone()));
    let centre = link.inertial.pose.position;
    let reach = link.collisions.iter().map(|c| shapes::farthest(c, centre)).fold(0.0, f64::max);
    let bound = 2.0 * mass * reach * reach;
    if reach > 0.0 && reach.is_finite() && trace > bound * (1.0 + SLACK) {
        let message = format!(
            "no solid of the size of link `{}` has its inertia: ixx + iyy + izz = {} kg m² is above 2 m r² = {} kg m², \
             with m = {} kg within r = {} m of the centre of mass",
            link.name,
            figure(trace),
            figure(bound),
            figure(mass),
            figure(reach)
        );
        found.push(proposed(link, warning("impossible-inertia", message, place())));
        return;
    }
    let Some(likely) = of_shapes(&link.collisions) else { return };
    let offset = (likely.center_of_mass - centre).length_squared();
    let ratio = trace / mass / (sum(&likely) + 2.0 * offset);
    if link.inertial.inertia.is_given() && !(1.0 / INERTIA_RATIO..=INERTIA_RATIO).contains(&ratio) {
        let (words, factor) = if ratio > 1.0 { ("larger", ratio) } else { ("smaller", 1.0 / ratio) };
        let message =
            format!("the inertia of link `{}` is {factor:.0} times {words} than its shape and mass suggest", link.name);
        found.push(proposed(link, warning("unlikely-inertia", message, place())));
    }
}

/// The finding with the inertia of the shapes at uniform density as its proposal, where that settles it.
fn proposed(link: &LinkDescription, finding: Diagnostic) -> Diagnostic {
    let Some(likely) = of_shapes(&link.collisions) else {
        return finding
            .help("the collision shapes have no volume to compute an inertia from: use that of the CAD model");
    };
    let mass = link.inertial.mass.value;
    let turn = link.inertial.pose.matrix();
    let own = turn.transpose() * likely.inertia * turn * mass;
    let values = [own.x_axis.x, own.y_axis.y, own.z_axis.z, own.y_axis.x, own.z_axis.x, own.z_axis.y];
    // Products that are rounding are zero.
    let values = values.map(|x| if libm::fabs(x) < 1e-12 * values[0].max(values[1]) { 0.0 } else { rounded(x) });
    let offset = (likely.center_of_mass - link.inertial.pose.position).length_squared();
    let settles = sum(&likely) * INERTIA_RATIO > sum(&likely) + 2.0 * offset;
    let shown: Vec<String> =
        NAMES.iter().zip(values).filter(|(_, x)| *x != 0.0).map(|(n, x)| format!("{n} {x}")).collect();
    let help = format!("the shapes at uniform density with {} kg have {}", figure(mass), shown.join(", "));
    let old = link.inertial.inertia.value;
    let leaves = NAMES.into_iter().zip(values).zip(old);
    let leaves = leaves.filter(|((_, new), old)| new != old).map(|((name, x), _)| (name, x.to_string())).collect();
    let edit = Edit { at: link.location.clone(), inside: "link", path: &["inertial", "inertia"], leaves };
    finding.help(help).fix(settles.then_some(edit))
}

/// Nine digits: a file need not show the rounding of the last ones.
fn rounded(x: f64) -> f64 {
    format!("{x:.8e}").parse().unwrap_or(x)
}

/// The shapes at uniform density with a mass of 1 kg, in the link frame; `None` unless every shape has a volume that is known.
fn of_shapes(collisions: &[CollisionDescription]) -> Option<MassProperties> {
    let mut whole: Option<MassProperties> = None;
    for collision in collisions {
        let (mass, diagonal, height) = inertia::unit_density(&collision.geometry)?;
        let center_of_mass = DVec3::new(0.0, 0.0, height);
        let own = MassProperties { mass, center_of_mass, inertia: DMat3::from_diagonal(diagonal) };
        let placed = own.rotated(collision.pose.rotation).translated(collision.pose.position);
        whole = Some(whole.map_or(placed, |rest| rest.combined(&placed)));
    }
    whole.filter(|shapes| shapes.mass > 0.0 && shapes.mass.is_finite()).map(|shapes| shapes.with_mass(1.0))
}

/// `I₁ + I₂ + I₃`.
fn sum(shapes: &MassProperties) -> f64 {
    shapes.inertia.x_axis.x + shapes.inertia.y_axis.y + shapes.inertia.z_axis.z
}
