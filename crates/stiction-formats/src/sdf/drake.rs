//! Drake's own elements (`drake:…`) that act on physics: proximity properties of collisions, rotors of joints.
//!
//! The prefix counts, whatever it is bound to; names have a dot for its colon here.

use crate::description::{ProximityDescription, Setting};
use crate::diagnostic::Diagnostic;
use crate::suggest::did_you_mean;

use super::element::Element;
use super::report::Report;
use super::value;

const PROPERTIES: &str = "drake.proximity_properties";
const POINT_CONTACT: [&str; 5] = [
    "drake.point_contact_stiffness",
    "drake.hunt_crossley_dissipation",
    "drake.relaxation_time",
    "drake.mu_static",
    "drake.mu_dynamic",
];
const HYDROELASTIC: [&str; 6] = [
    "drake.mesh_resolution_hint",
    "drake.hydroelastic_modulus",
    "drake.hydroelastic_margin",
    "drake.rigid_hydroelastic",
    "drake.compliant_hydroelastic",
    "drake.soft_hydroelastic",
];

/// Reads `<drake:proximity_properties>` of a collision.
pub(crate) fn proximity(collision: &Element, report: &mut Report) -> ProximityDescription {
    let properties = collision.child(PROPERTIES);
    let [stiffness, dissipation, relaxation_time, static_friction, dynamic_friction] =
        POINT_CONTACT.map(|name| non_negative(properties.and_then(|p| p.child(name)), report));
    if let Some(properties) = properties {
        check_names(properties, report);
        if let (Some(s), Some(d)) = (static_friction.given(), dynamic_friction.given())
            && d > s
        {
            let place = properties.child(POINT_CONTACT[4]).map_or(&properties.location, |e| &e.text_location);
            let message = format!("drake:mu_dynamic {d} exceeds drake:mu_static {s}");
            report.add(
                Diagnostic::error("out-of-range", message)
                    .at(place)
                    .label("expected at most drake:mu_static")
                    .element(properties.path.as_str()),
            );
        }
    }
    ProximityDescription { stiffness, dissipation, relaxation_time, static_friction, dynamic_friction }
}

/// Elements of hydroelastic contact, which is not made.
pub(crate) fn hydroelastic(collision: &Element) -> impl Iterator<Item = &Element> {
    let children = collision.child(PROPERTIES).into_iter().flat_map(|p| &p.children);
    children.filter(|c| HYDROELASTIC.contains(&c.name.as_str()))
}

/// `gear_ratio² rotor_inertia` of a joint: the inertia of the rotor as the joint feels it.
pub(crate) fn armature(joint: &Element, axis: Option<&Element>, report: &mut Report) -> Setting<f64> {
    let find = |name: &str| joint.child(name).or_else(|| axis?.child(name));
    let Some(rotor) = find("drake.rotor_inertia") else { return Setting::default(0.0) };
    let mut armature = non_negative(Some(rotor), report);
    let ratio = find("drake.gear_ratio").map_or(1.0, |e| non_negative(Some(e), report).value);
    armature.value *= ratio * ratio;
    armature
}

fn non_negative(element: Option<&Element>, report: &mut Report) -> Setting<f64> {
    let Some(element) = element else { return Setting::default(0.0) };
    match value::real(&element.text).filter(|v| v.is_finite() && *v >= 0.0) {
        Some(value) => Setting { value, origin: element.origin() },
        None => {
            let message = format!("<{}> is `{}`, not a finite number, 0 or more", shown(&element.name), element.text);
            report.add(
                Diagnostic::error("invalid-value", message)
                    .at(&element.text_location)
                    .label("expected 0 or more")
                    .element(element.path.as_str()),
            );
            Setting::default(0.0)
        }
    }
}

fn check_names(properties: &Element, report: &mut Report) {
    let known = || POINT_CONTACT.into_iter().chain(HYDROELASTIC);
    for child in properties.children.iter().filter(|c| !known().any(|n| n == c.name)) {
        let message = format!("<{}> is not known in <{}>", shown(&child.name), shown(PROPERTIES));
        let mut finding = Diagnostic::warning("unknown-element", message)
            .at(&child.location)
            .label("skipped")
            .element(child.path.as_str());
        finding.help = did_you_mean(&child.name, known()).map(|h| shown(&h));
        report.once(child.name.as_str(), finding);
    }
}

/// With the colon of the file.
fn shown(name: &str) -> String {
    name.replace("drake.", "drake:")
}
