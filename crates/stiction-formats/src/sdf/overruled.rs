//! Values of a file that another value of the file overrules: said where they stand.

use crate::bounds;
use crate::description::{CollisionDescription, Origin, Setting, WorldDescription};
use crate::diagnostic::Diagnostic;

use super::report::Report;

/// `contact_surface_layer` truncates every larger `min_depth`, `min(min_depth₁, min_depth₂, layer)` (Gazebo's tutorial).
pub(crate) fn truncated_min_depths(world: &WorldDescription, report: &mut Report) {
    let Some(layer) = world.physics.ode.contact_surface_layer.given().filter(|layer| **layer >= 0.0) else { return };
    let truncated: Vec<&CollisionDescription> = world
        .links
        .iter()
        .flat_map(|link| &link.collisions)
        .filter(|c| c.surface.min_depth.given().is_some_and(|depth| depth > layer))
        .collect();
    let Some(first) = truncated.first() else { return };
    let others = match truncated.len() - 1 {
        0 => String::new(),
        1 => ", and that of 1 other collision".to_owned(),
        n => format!(", and those of {n} other collisions"),
    };
    let message = format!(
        "min_depth {} m of `{}` is truncated to the world's contact_surface_layer {layer} m{others}",
        first.surface.min_depth.value, first.name
    );
    let mut finding = Diagnostic::warning("truncated-min-depth", message)
        .help("without <contact_surface_layer>, or with a larger one, min_depth holds");
    finding.location = place(&first.surface.min_depth);
    report.add(finding);
}

/// A negative torsional slip would drive what it should brake: it counts as none, told once.
pub(crate) fn negative_torsional_slips(world: &WorldDescription, report: &mut Report) {
    let mut collisions = world.links.iter().flat_map(|link| &link.collisions);
    let Some(first) = collisions.find(|c| c.surface.torsional_slip.value < 0.0) else { return };
    let slip = &first.surface.torsional_slip;
    let message = format!("torsional slip {} of `{}` is below 0", slip.value, first.name);
    let mut finding = Diagnostic::warning("negative-slip", message)
        .help("slips of two surfaces add up; a sum below 0 counts as 0, which is no slip");
    finding.location = place(slip);
    report.add(finding);
}

/// A ratio says nothing of a surface without a modulus.
pub(crate) fn lone_poissons_ratios(world: &WorldDescription, report: &mut Report) {
    let mut collisions = world.links.iter().flat_map(|link| &link.collisions);
    let is_lone = |c: &&CollisionDescription| {
        c.surface.poissons_ratio.is_given()
            && c.surface.elastic_modulus.value <= 0.0
            && c.surface.poissons_ratio.value != DEFAULT_RATIO
    };
    let Some(first) = collisions.find(is_lone) else { return };
    let ratio = &first.surface.poissons_ratio;
    let message =
        format!("<poissons_ratio> {} of `{}` has no effect without <elastic_modulus>", ratio.value, first.name);
    let mut finding = Diagnostic::warning("ratio-without-modulus", message)
        .help("both surfaces of a contact need an <elastic_modulus> above 0");
    finding.location = place(ratio);
    report.add(finding);
}

/// Flat shapes have no radius for Hertz's law.
pub(crate) fn moduli_without_radius(world: &WorldDescription, report: &mut Report) {
    let found = bounds::elastic_without_radius(world);
    // A single elastic surface acts nowhere either.
    let [first, .., last] = &found[..] else { return };
    let message =
        format!("<elastic_modulus> of `{}` and `{}` has no effect: flat shapes have no radius", first.name, last.name);
    let mut finding = Diagnostic::warning("modulus-without-radius", message).help(
        "Hertz's force is 4/3 E* √R x^(3/2): a <patch_radius> of one of the surfaces gives it one; `simbody` takes that of a face",
    );
    finding.location = place(&first.surface.elastic_modulus);
    report.add(finding);
}

/// A ratio of Poisson beyond those of solids is cut.
pub(crate) fn large_poissons_ratios(world: &WorldDescription, report: &mut Report) {
    let mut collisions = world.links.iter().flat_map(|link| &link.collisions);
    let is_out = |c: &&CollisionDescription| {
        c.surface.elastic_modulus.value > 0.0 && !(-1.0..=0.5).contains(&c.surface.poissons_ratio.value)
    };
    let Some(first) = collisions.find(is_out) else { return };
    let ratio = &first.surface.poissons_ratio;
    let message = format!("<poissons_ratio> {} of `{}` is not from -1 to 0.5", ratio.value, first.name);
    let mut finding =
        Diagnostic::warning("poissons-ratio", message).help("it counts as the nearest that a solid can have");
    finding.location = place(ratio);
    report.add(finding);
}

/// Simbody's restitution of fast impacts stands for a dissipation, where the file gives none.
pub(crate) fn plastic_impacts(world: &WorldDescription, report: &mut Report) {
    let simbody = &world.physics.simbody;
    let plastic = [
        ("plastic_coef_restitution", &simbody.plastic_coef_restitution),
        ("plastic_impact_velocity", &simbody.plastic_impact_velocity),
    ];
    let reason = if simbody.dissipation.is_given() {
        "beside <dissipation>"
    } else if simbody.plastic_impact_velocity.value <= 0.0 {
        "with a plastic_impact_velocity of 0"
    } else {
        return;
    };
    for (name, setting) in plastic.into_iter().filter(|(_, setting)| setting.is_given()) {
        let mut finding = Diagnostic::warning("plastic-impact", format!("<{name}> has no effect {reason}"))
            .help("from both follows the dissipation of which an impact at that velocity leaves that restitution");
        finding.location = place(setting);
        report.add(finding);
    }
}

/// SDFormat's default of `poissons_ratio`.
const DEFAULT_RATIO: f64 = 0.3;

fn place<T>(setting: &Setting<T>) -> Option<crate::diagnostic::Location> {
    match &setting.origin {
        Origin::File(location) => Some(location.clone()),
        _ => None,
    }
}
