//! Files as users have them: what `check` and `run` say of their parts, and what ends in an error.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common;

/// Findings of `check --json`.
fn checked(path: &Path, more: &[&str]) -> Vec<Value> {
    let folder = path.parent().unwrap();
    let output = common::stiction(folder).args(["check", "--json"]).args(more).arg(path).output().unwrap();
    serde_json::from_slice::<Value>(&output.stdout).unwrap().as_array().unwrap().clone()
}

/// The inertia n² I of a rotor acts in reduced coordinates; where it does not, `check` says so at the joint as `run` does.
#[test]
fn rotors_that_an_engine_leaves_out_are_told_by_check_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rotors.body");
    let arm = |name: &str, rotor: &str| {
        format!(
            "  - name: {name}\n    parent: base\n    joint_type: revolute\n    joint_axis: Y\n    mass: 1\n    center_of_mass: [ 0.5, 0, 0 ]\n    \
             inertia: [ 1, 0, 0, 0, 1, 0, 0, 0, 1 ]\n{rotor}"
        )
    };
    let geared = arm("geared", "    rotor_inertia: 2e-4\n    gear_ratio: 50\n");
    let text = format!(
        "format: ChoreonoidBody\nformat_version: 2.0\nname: r\nlinks:\n  - name: base\n    joint_type: fixed\n    mass: 1\n    \
         inertia: [ 1, 0, 0, 0, 1, 0, 0, 0, 1 ]\n{geared}{}",
        arm("plain", "")
    );
    fs::write(&path, text).unwrap();
    for (engine, leaves_out) in
        [("ode-quick", true), ("ode-world", true), ("bullet", true), ("agx", true), ("drake-discrete", false), ("dart", false)]
    {
        let found = checked(&path, &["--engine", engine]);
        let told: Vec<&Value> = found.iter().filter(|d| d["code"] == "left-out").collect();
        assert_eq!(told.len(), usize::from(leaves_out), "{engine}: {found:#?}");
        let output = common::stiction(folder.path())
            .args(["run", "rotors.body", "--duration", "0.01", "--json", "--engine", engine])
            .output()
            .unwrap();
        let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
        let warnings = summary["warnings"].as_array().unwrap();
        assert_eq!(warnings.iter().any(|w| w.as_str().unwrap().contains("rotor")), leaves_out, "{engine}: {warnings:?}");
        for finding in told {
            assert_eq!((&finding["severity"], &finding["line"]), (&"warning".into(), &9.into()), "{engine}");
            assert!(warnings.contains(&finding["message"]), "{engine}: {warnings:?}");
        }
    }
}
