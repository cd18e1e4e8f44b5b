//! Formulas with the numbers of a file put in.

use stiction::contact::compliance::{from_allowance, spring_damper};
use stiction_formats::description::WorldDescription;
use stiction_formats::four_digits;
use stiction_formats::usage::Leaf;

use super::overruled::Siblings;
use crate::engine::Engine;

/// What formulas need of the file and the engine.
pub(super) struct Numbers<'a> {
    engine: &'a Engine,
    heaviest: f64,
    gravity: f64,
}

impl<'a> Numbers<'a> {
    pub(super) fn new(description: &WorldDescription, engine: &'a Engine) -> Self {
        let moving = description.links.iter().filter(|l| !description.models[l.model].is_static);
        let heaviest = moving.map(|l| l.inertial.mass.value).fold(0.0, f64::max);
        let gravity = engine.parameters.gravity.length();
        Self { engine, heaviest, gravity: if gravity > 0.0 { gravity } else { 9.81 } }
    }
}

/// A number with four digits, with an exponent where that is shorter; `none` for NaN.
#[must_use]
pub fn short(x: f64) -> String {
    if !x.is_finite() {
        return if x > 0.0 { "inf" } else { "none" }.to_owned();
    }
    four_digits(x, 1e5)
}

/// The formula of a mapping with its numbers; `beside` are the other parameters of a file's element.
pub(super) fn numbers(
    leaf: &Leaf,
    note: &str,
    value: &str,
    beside: Option<&Siblings<'_>>,
    context: &Numbers<'_>,
) -> Option<String> {
    let x: f64 = value.split_whitespace().next()?.parse().ok()?;
    let other = |name: &str| beside?.number(&format!("surface.contact.ode.{name}"));
    let step = context.engine.step;
    match (note, leaf.name().as_str()) {
        ("erp_cfm", "kp") => Some(erp_and_cfm(x, other("kd")?, step)),
        ("erp_cfm", "kd") => Some(erp_and_cfm(other("kp")?, x, step)),
        ("kp_agx", "kp") if x > 0.0 => Some(format!("ε = {} m/N, τ = {} s", short(1.0 / x), short(other("kd")? / x))),
        ("kp_agx", "kd") => other("kp").filter(|kp| *kp > 0.0).map(|kp| format!("τ = {} s", short(x / kp))),
        ("kp_drake", "kp") => {
            let allowance = context.engine.parameters.compliant.penetration_allowance;
            let most = 100.0 * from_allowance(context.heaviest, context.gravity, allowance).0;
            Some(format!("k of the pair is at most 100 m g/δ = {} N/m (δ = {} m)", short(most), short(allowance)))
        }
        ("smooth_bounce", _) => Some(format!("e² = {}", short(x * x))),
        _ => match leaf.key.as_str() {
            "physics/ode/constraints cfm" => Some(format!("Γ = cfm/h = {}", short(x / step))),
            "surface/bounce threshold" => {
                Some(format!("bounces from a drop of v²/2g = {} m", short(x * x / (2.0 * context.gravity))))
            }
            "contact.penetration_allowance" => {
                let (k, d) = from_allowance(context.heaviest, context.gravity, x);
                Some(format!("k = m g/δ = {} N/m, d = 1/√(g δ) = {} s/m", short(k), short(d)))
            }
            "joint drake.rotor_inertia" => {
                let ratio = beside?.number("drake:gear_ratio").unwrap_or(1.0);
                Some(format!("n² I = {}", short(ratio * ratio * x)))
            }
            _ => None,
        },
    }
}

/// Softness of a spring and a damper, in ODE's words, of a surface alone.
fn erp_and_cfm(stiffness: f64, damping: f64, step: f64) -> String {
    let soft = spring_damper(stiffness, damping, step);
    let (erp, cfm) = (short(soft.correction), short(soft.compliance * step));
    format!("erp {erp}, cfm {cfm} s/kg for this surface alone (h = {} s)", short(step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits() {
        assert_eq!(short(1e12), "1e12");
        assert_eq!(short(0.909_090_9), "0.9091");
        assert_eq!(short(9.0909e-4), "9.091e-4");
        assert_eq!(short(20_000.0), "20000");
        assert_eq!(short(f64::INFINITY), "inf");
        assert_eq!(short(0.0), "0");
    }

    #[test]
    fn a_spring_in_odes_words() {
        assert_eq!(erp_and_cfm(1e6, 100.0, 1e-3), "erp 0.9091, cfm 9.091e-4 s/kg for this surface alone (h = 0.001 s)");
    }
}
