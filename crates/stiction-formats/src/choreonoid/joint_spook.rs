//! What bodies say of a joint's rows under AGX: compliance, damping time and forces of each part.

use crate::description::{JointRowsDescription, JointSpookDescription, Origin, Setting};
use crate::diagnostic::Diagnostic;
use crate::sdf::report::Report;

use super::device::force_range;
use super::fields::Fields;

/// Words between `joint_` and what is said of a part: the joint itself, its motor, its stops, its lock.
const PARTS: [&str; 4] = ["", "motor_", "range_", "lock_"];

/// Reads the keys of a joint; none if there are none of them.
pub(super) fn read(fields: &Fields<'_>, report: &mut Report) -> Option<JointSpookDescription> {
    let mut given: Vec<String> = Vec::new();
    let [base, motor, range, lock] = PARTS.map(|word| rows(fields, word, &mut given, report));
    let mut switch = |key: &str| {
        let node = fields.get(key);
        let Some(place) = node.map(|node| node.location.clone()) else { return Setting::default(false) };
        given.push(key.to_owned());
        let value = fields.switch(key, report);
        value.map_or(Setting::default(false), |value| Setting { value, origin: Origin::File(place) })
    };
    let (has_motor, has_lock) = (switch("joint_motor"), switch("joint_lock"));
    (!given.is_empty()).then_some(JointSpookDescription { base, motor, range, lock, has_motor, has_lock })
}

fn rows(fields: &Fields<'_>, part: &str, given: &mut Vec<String>, report: &mut Report) -> JointRowsDescription {
    let mut rows = JointRowsDescription::default();
    for (key, setting) in [("compliance", &mut rows.compliance), ("spook_damping", &mut rows.damping_time)] {
        let key = format!("joint_{part}{key}");
        let Some(node) = fields.get(&key) else { continue };
        given.push(key.clone());
        if let Some(value) = fields.non_negative(&key, report) {
            *setting = Setting { value, origin: Origin::File(node.location.clone()) };
        }
    }
    let key = format!("joint_{part}force_range");
    if let Some(node) = fields.get(&key) {
        given.push(key.clone());
        if let Some(value) = force_range(fields, &key, report) {
            if part == "motor_" && value[0] != -value[1] {
                let force = value[1].min(-value[0]);
                let message = format!("a motor pulls as it pushes here: its range of force is ±{force}");
                report.add(Diagnostic::warning("motor-range", message).at(&node.location));
            }
            rows.force_range = Setting { value, origin: Origin::File(node.location.clone()) };
        }
    }
    rows
}
