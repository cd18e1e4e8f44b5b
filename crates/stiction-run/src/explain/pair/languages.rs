//! The same contact in the words of other systems.

use stiction::contact::compliance::spring_damper;

use super::contact::{EngineContact, PairMasses};

/// A number with its symbol and unit.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Quantity {
    /// Symbol or name.
    pub symbol: &'static str,
    /// Value; not finite where the system has none.
    pub value: f64,
    /// Unit; empty for none.
    pub unit: &'static str,
}

/// A contact in the words of a system.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Language {
    /// The system.
    pub name: &'static str,
    /// Its parameters.
    pub values: Vec<Quantity>,
    /// Formula of the values.
    pub formula: &'static str,
    /// What is assumed.
    pub assumes: &'static str,
}

const fn of(symbol: &'static str, value: f64, unit: &'static str) -> Quantity {
    Quantity { symbol, value, unit }
}

/// MuJoCo's default `solimp`: impedance at depth 0 and from the width on, the width \[m\], midpoint, power.
pub const SOLIMP: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];

/// Impedance d(r) at a depth \[m\] (MuJoCo, *Solver parameters*).
#[must_use]
pub fn impedance(solimp: [f64; 5], depth: f64) -> f64 {
    let [least, most, width, midpoint, _] = solimp;
    let x = (depth.abs() / width).min(1.0);
    // The power is 2: a parabola on each side of the midpoint.
    let y = if x <= midpoint { x * x / midpoint } else { 1.0 - (1.0 - x) * (1.0 - x) / (1.0 - midpoint) };
    least + y * (most - least)
}

/// `solref` in its direct form, stiffness \[1/s²\] and damping \[1/s\], for a spring k, c at a depth.
///
/// With the regularizer R = (1 − d)/d Â, Â = 1/m, a contact force obeys f (1 − d) = −d m (b v + k r + a): a spring
/// k_s = m d k/(1 − d), a damper c_s = m d b/(1 − d), with k = stiffness d/dmax², b = damping/dmax.
#[must_use]
pub fn solref_direct(stiffness: f64, damping: f64, mass: f64, depth: f64) -> [f64; 2] {
    let (d, most) = (impedance(SOLIMP, depth), SOLIMP[1]);
    let per_mass = (1.0 - d) * most / (d * mass);
    [stiffness * per_mass * most / d, damping * per_mass]
}

/// The contact in every language, per point.
pub(super) fn languages(contact: &EngineContact, masses: &PairMasses) -> Vec<Language> {
    let EngineContact { stiffness: k, damping: c, step, .. } = *contact;
    let sunk = contact.sunk();
    let soft = spring_damper(k, c, step);
    let [direct_k, direct_c] = solref_direct(k, c, masses.reduced, sunk);
    let spring = "of a point, at the depth at rest";
    vec![
        Language {
            name: "kp, kd (SDFormat)",
            values: vec![of("kp", k, "N/m"), of("kd", c, "N s/m")],
            formula: "f = kp x + kd dx/dt",
            assumes: spring,
        },
        Language {
            name: "ERP, CFM (ODE)",
            values: vec![of("erp", soft.correction, ""), of("cfm", soft.compliance * step, "s/kg")],
            formula: "erp = h kp/(h kp + kd), cfm = 1/(h kp + kd)",
            assumes: "this step",
        },
        Language {
            name: "Hunt-Crossley (Drake, Simbody)",
            values: vec![of("k", k, "N/m"), of("d", c / (k * sunk), "s/m")],
            formula: "f = k x (1 + d dx/dt), d = kd/(kp x)",
            assumes: "equal at the depth at rest only: no constant d equals a constant kd",
        },
        Language {
            name: "SPOOK (AGX)",
            values: vec![of("compliance", 1.0 / k, "m/N"), of("damping time", c / k, "s")],
            formula: "ε = 1/kp, τ = kd/kp",
            assumes: spring,
        },
        Language {
            name: "solref, solimp (MuJoCo)",
            values: vec![
                of("timeconst", 2.0 / direct_c, "s"),
                of("dampratio", direct_c / (2.0 * direct_k.sqrt()), ""),
                of("-stiffness", -direct_k, "1/s²"),
                of("-damping", -direct_c, "1/s"),
                of("solimp d(r)", impedance(SOLIMP, sunk), ""),
            ],
            formula: "stiffness = kp (1 − d) dmax²/(d² m), damping = kd (1 − d) dmax/(d m); timeconst = 2/damping, dampratio = damping/(2 √stiffness)",
            assumes: "solimp 0.9 0.95 0.001 0.5 2; m the reduced mass (1/m for MuJoCo's diagApprox: frictionless or elliptic cone); same depth and damper at rest, while MuJoCo adds the inertia m d/(1 − d); a timeconst below 2 h is raised by refsafe",
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impedance_follows_the_documentation() {
        assert_eq!(impedance(SOLIMP, 0.0), 0.9);
        assert_eq!(impedance(SOLIMP, 0.002), 0.95);
        assert!((impedance(SOLIMP, 0.0005) - 0.925).abs() < 1e-15);
        assert!((impedance(SOLIMP, 0.00025) - 0.90625).abs() < 1e-15);
    }

    #[test]
    fn both_forms_of_solref_are_one_reference_acceleration() {
        // k = d(r)/(dmax² timeconst² dampratio²), b = 2/(dmax timeconst).
        let (mass, depth) = (3.0, 4e-4);
        let [stiffness, damping] = solref_direct(7e4, 90.0, mass, depth);
        let (timeconst, ratio) = (2.0 / damping, damping / (2.0 * stiffness.sqrt()));
        let (d, most) = (impedance(SOLIMP, depth), SOLIMP[1]);
        let k = d / (most * most * timeconst * timeconst * ratio * ratio);
        let b = 2.0 / (most * timeconst);
        assert!((mass * d * k / (1.0 - d) / 7e4 - 1.0).abs() < 1e-12);
        assert!((mass * d * b / (1.0 - d) / 90.0 - 1.0).abs() < 1e-12);
    }
}
