//! Values of a parameter that are not its default.

use stiction_formats::usage::{Leaf, LeafKind};

/// Values that matter where the usual ones do not.
const OWN: [(&str, &[&str]); 32] = [
    ("physics/ode/solver type", &["world", "quick"]),
    ("physics/ode/solver friction_model", &["cone_model", "box_model"]),
    ("physics/dart/solver solver_type", &["pgs"]),
    ("physics/dart collision_detector", &["bullet", "ode"]),
    ("physics/bullet/solver type", &["other"]),
    ("physics max_step_size", &["0.002"]),
    ("surface/contact collide_bitmask", &["0"]),
    ("surface/contact collide_without_contact_bitmask", &["0", "2"]),
    ("surface/contact category_bitmask", &["0", "2"]),
    ("surface/contact elastic_modulus", &["1e5"]),
    ("surface/contact/ode kp", &["1e4"]),
    ("surface/contact/ode kd", &["500"]),
    ("surface/contact/ode min_depth", &["0.003"]),
    ("surface/contact/ode soft_cfm", &["0.01"]),
    ("surface/bounce threshold", &["0.01", "2"]),
    ("collision max_contacts", &["1", "0"]),
    ("physics max_contacts", &["1", "0"]),
    ("joint/axis/limit lower", &["-0.05"]),
    ("joint/axis/limit upper", &["0.02"]),
    ("inertial mass", &["3"]),
    ("contact.reduction_bins", &["1"]),
    ("contact.stiffness", &["5e4"]),
    ("contact.dissipation", &["5"]),
    ("joint.damping_time", &["0.1"]),
    ("joint.compliance", &["1e-5"]),
    ("physics.auto_enable_depth", &["0"]),
    ("integrator.min_step", &["0.002"]),
    ("contact.direct_rows", &["1000"]),
    ("integrator.max_step", &["0.001"]),
    ("physics/ode/constraints contact_max_correcting_vel", &["0.1"]),
    ("joint/axis/limit velocity", &["0.05"]),
    ("geometry/mesh scale", &["1.5 1 1", "1 1 -2"]),
];

/// A few values: numbers about the default, words of the range.
pub fn of(leaf: &Leaf) -> Vec<String> {
    if let Some((_, values)) = OWN.iter().find(|(key, _)| *key == leaf.key) {
        return values.iter().map(|v| (*v).to_owned()).collect();
    }
    let first: f64 = leaf.default.split(' ').next().and_then(|t| t.parse().ok()).unwrap_or(0.0);
    let is_share = leaf.range() == "0 to 1";
    match leaf.kind {
        LeafKind::Switch => vec![(leaf.default != "true").to_string()],
        LeafKind::Integer => vec!["7".to_owned()],
        // Every word: engines have defaults of their own.
        LeafKind::Word => leaf.range().split(", ").map(str::to_owned).collect(),
        LeafKind::Number if is_share => vec!["0.07".to_owned(), "0.83".to_owned()],
        LeafKind::Number if first > 1e3 || !first.is_finite() => vec!["0.5".to_owned(), "7".to_owned()],
        LeafKind::Number if leaf.range() == "0 or more" && leaf.unit == "1" && first >= 1.0 => vec!["3".to_owned()],
        LeafKind::Number => vec![(first.abs() * 0.5 + 0.1).to_string(), (first.abs() * 3.0).to_string()],
        LeafKind::Numbers(2) => vec!["0.5 0.25".to_owned()],
        LeafKind::Numbers(3) => vec!["0.5 0.25 0.125".to_owned()],
        LeafKind::Numbers(_) => vec!["0.1 0.2 0.3 0.1 0.2 0.3".to_owned()],
    }
}
