//! Advice about a parameter is for the engines that use the parameter.

use crate::diagnostic::Diagnostic;
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

/// Engines that resolve the oscillation of a contact.
const CONTINUOUS: [&str; 2] = ["simbody", "drake-continuous"];

/// Drops findings about parameters that an engine leaves out: the line about those says so.
pub(super) fn keep_acting(found: &mut Vec<Diagnostic>, engine: &str) {
    found.retain(|finding| {
        if finding.code == "undamped-contact" {
            return CONTINUOUS.contains(&engine);
        }
        let about = ABOUT.iter().find(|(code, _)| *code == finding.code);
        let usage = about.and_then(|(_, key)| usage::of(usage::find(key)?, engine));
        usage.is_none_or(|usage| usage.how != How::Ignored)
    });
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
