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
    for (engine, leaves_out) in [
        ("ode-quick", true),
        ("ode-world", true),
        ("bullet", true),
        ("agx", true),
        ("drake-discrete", false),
        ("dart", false),
    ] {
        let found = checked(&path, &["--engine", engine]);
        let told: Vec<&Value> = found.iter().filter(|d| d["code"] == "left-out").collect();
        assert_eq!(told.len(), usize::from(leaves_out), "{engine}: {found:#?}");
        let output = common::stiction(folder.path())
            .args(["run", "rotors.body", "--duration", "0.01", "--json", "--engine", engine])
            .output()
            .unwrap();
        let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
        let warnings = summary["warnings"].as_array().unwrap();
        assert_eq!(
            warnings.iter().any(|w| w.as_str().unwrap().contains("rotor")),
            leaves_out,
            "{engine}: {warnings:?}"
        );
        for finding in told {
            assert_eq!((&finding["severity"], &finding["line"]), (&"warning".into(), &9.into()), "{engine}");
            assert!(warnings.contains(&finding["message"]), "{engine}: {warnings:?}");
        }
    }
}

/// A pyramid of four triangles with one corner at the origin, as an STL file.
const PYRAMID: &str = "solid p
facet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet
facet normal 0 -1 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet
facet normal -1 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\nendloop\nendfacet
facet normal 1 1 1\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet
endsolid p\n";

/// A model in a world of its own, of a version of the format.
fn model(version: &str, link: &str) -> String {
    format!(
        "<sdf version=\"{version}\"><world name=\"w\"><model name=\"m\">\n<link name=\"l\">{link}</link>\n</model></world></sdf>"
    )
}

fn mass(folder: &Path, file: &str) -> f64 {
    let output = common::stiction(folder).args(["list", file, "--json"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let at = text.find("\"mass\": ").unwrap_or_else(|| panic!("{text}")) + 8;
    text[at..].split([',', '\n']).next().unwrap().parse().unwrap()
}

/// `filename`, the attribute of versions before 1.3, is the mesh of `<uri>`: a pyramid of s³/6 m³.
#[test]
fn the_file_of_a_mesh_may_be_an_attribute() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p.stl"), PYRAMID).unwrap();
    for version in ["1.2", "1.5", "1.9"] {
        for (mesh, size) in [
            ("<mesh filename=\"p.stl\"/>", 1.0_f64),
            ("<mesh filename=\"p.stl\" scale=\"2 2 2\"/>", 2.0),
            ("<mesh filename=\"p.stl\"><scale>3 3 3</scale></mesh>", 3.0),
            ("<mesh filename=\"none.stl\"><uri>p.stl</uri></mesh>", 1.0),
        ] {
            let link =
                format!("<inertial auto=\"true\"/><collision name=\"c\"><geometry>{mesh}</geometry></collision>");
            let path = folder.path().join("m.sdf");
            fs::write(&path, model(version, &link)).unwrap();
            let found = checked(&path, &[]);
            assert!(found.iter().all(|d| d["severity"] != "error"), "{mesh} {found:#?}");
            assert_eq!(found.iter().any(|d| d["code"] == "old-attribute"), !mesh.contains("<uri>"), "{found:#?}");
            let wanted = 1000.0 * size.powi(3) / 6.0;
            let mass = mass(folder.path(), "m.sdf");
            assert!((mass - wanted).abs() < 1e-6 * wanted, "{mesh}: {mass} {wanted}");
        }
    }
}
