//! Which advice applies under which engine.

use stiction::world::{Coordinates, TimeAdvancement, WorldParameters};

use crate::usage::{self, How};

/// Codes, and the parameter that the advice is about. The conversion to ERP and CFM is for engines that have them.
const ABOUT: [(&str, &str); 8] = [
    ("implied-erp-cfm", "surface/contact/ode soft_erp"),
    ("two-softnesses", "surface/contact/ode soft_erp"),
    ("unreachable-max-vel", "surface/contact/ode max_vel"),
    ("push-out-bounces", "surface/contact/ode max_vel"),
    ("unreachable-bounce-threshold", "surface/bounce threshold"),
    ("one-sided-restitution", "surface/bounce restitution_coefficient"),
    ("two-friction-directions", "surface/friction/ode fdir1"),
    ("quick-solver", "physics/ode/solver iters"),
];

/// Whether advice of a code applies under an engine with these parameters. Some advice is about fixed steps or about joints in maximal
/// coordinates; advice about a parameter that the engine leaves out is dropped, because `without-effect` names the parameter.
#[must_use]
pub fn advice_applies(code: &str, engine: &str, parameters: &WorldParameters) -> bool {
    let is_continuous = parameters.time == TimeAdvancement::Continuous;
    match code {
        "undamped-contact" => is_continuous,
        "mass-ratio" => !is_continuous,
        "needless-fixed-joint" => parameters.coordinates == Coordinates::Maximal,
        _ => {
            let about = ABOUT.iter().find(|(known, _)| *known == code);
            let usage = about.and_then(|(_, key)| usage::of(usage::find(key)?, engine));
            usage.is_none_or(|usage| usage.how != How::Ignored)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ADVICE_CODES;
    use super::*;

    #[test]
    fn codes_and_parameters_are_known() {
        for (code, key) in ABOUT {
            assert!(ADVICE_CODES.iter().any(|known| known.code == code), "{code}");
            assert!(usage::find(key).is_some(), "{key}");
        }
    }
}
