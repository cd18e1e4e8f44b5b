//! Friction without a bound, `<mu>inf</mu>`: a finite coefficient that nothing slides against.

use crate::diagnostic::Diagnostic;

use super::element::Element;
use super::report::Report;
use super::value;

/// The coefficient in its place. A contact holds a tangential force of 1e4 times its normal force; larger ones only make the
/// regularized laws of compliant engines, `f = μ n v/vₛ` at small speeds, too stiff for their integrators.
const ENDLESS: &str = "10000";
/// Coefficients in `<friction>` of a surface.
const COEFFICIENTS: [&str; 7] =
    ["mu", "mu2", "friction", "friction2", "static_friction", "dynamic_friction", "coefficient"];

/// Gives infinite coefficients of all surfaces below an element their finite value.
pub(crate) fn friction(element: &mut Element, report: &mut Report) {
    let is_surface = element.name == "surface";
    for child in &mut element.children {
        if is_surface && child.name == "friction" {
            coefficients(child, report);
        } else {
            friction(child, report);
        }
    }
}

fn coefficients(element: &mut Element, report: &mut Report) {
    for child in &mut element.children {
        if COEFFICIENTS.contains(&child.name.as_str()) && value::real(&child.text) == Some(f64::INFINITY) {
            let message =
                format!("infinite friction acts as {ENDLESS}: nothing slides, as long as the contact presses");
            report.once("", Diagnostic::note("endless-friction", message).at(&child.text_location));
            ENDLESS.clone_into(&mut child.text);
        }
        coefficients(child, report);
    }
}
