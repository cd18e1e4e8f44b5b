//! Masses and materials as `check`, `list` and `run` tell them.

#![allow(clippy::unwrap_used)]

use crate::common;

use std::fs;
use std::path::Path;

use serde_json::Value;

fn stiction(folder: &Path, arguments: &[&str]) -> std::process::Output {
    let output = common::stiction(folder).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

fn text(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn json(output: &std::process::Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A block of wood of half a metre, and a table that lists no pair.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let block = "format: ChoreonoidBody
formatVersion: 1.0
name: block
links:
  - name: a
    jointType: free
    massType: density
    material: wood
    translation: [ 0, 0, 0.25 ]
    elements: { Shape: { geometry: { type: Box, size: [ 0.5, 0.5, 0.5 ] } } }
";
    fs::write(folder.path().join("block.body"), block).unwrap();
    let table = "materials:
  - { name: Default, roughness: 0.4, viscosity: 0.5 }
  - { name: wood, density: 600, roughness: 0.9, stiffness: 3 }
";
    fs::write(folder.path().join("table.yaml"), table).unwrap();
    folder
}

#[test]
fn check_tells_masses_and_materials_with_their_origins() {
    let folder = folder();
    let arguments = ["check", "block.body", "--materials", "table.yaml"];
    let lines = text(&stiction(folder.path(), &arguments));
    let has = |words: &[&str]| lines.lines().any(|line| words.iter().all(|word| line.contains(word)));
    assert!(
        has(&[
            "block.body:5:5: note[mass-from-density] `block::a`: 75 kg (density 600 kg/m³ of material `wood`, table.yaml:3:28)"
        ]),
        "{lines}"
    );
    assert!(has(&["inertia 3.125 3.125 3.125 0 0 0 kg m²"]), "{lines}");
    assert!(
        has(&[
            "table.yaml:3:5: note[material] material `wood`:",
            "roughness 0.9 (table.yaml:3:44)",
            "stiffness 3 (table.yaml:3:60; not used by this engine)"
        ]),
        "{lines}"
    );
    let found: Value = json(&stiction(folder.path(), &[&arguments[..], &["--json"]].concat()));
    let codes: Vec<&str> = found.as_array().unwrap().iter().map(|f| f["code"].as_str().unwrap()).collect();
    assert_eq!(codes.iter().filter(|code| **code == "mass-from-density").count(), 1);
    // Alone in its world the block meets nothing.
    assert!(!codes.contains(&"contact-material"), "{codes:?}");
}

#[test]
fn list_and_run_tell_what_acts() {
    let folder = folder();
    let own = ["block.body", "--materials", "table.yaml", "--set", "material.wood.density=1200"];
    let lines = text(&stiction(folder.path(), &[&["list"], &own[..]].concat()));
    assert!(lines.contains("  block::a: 150 kg (density 1200 kg/m³ of material `wood`, --set)"), "{lines}");
    let pair = lines.lines().find(|line| line.contains("pair `Default`, `wood` (derived)")).unwrap();
    assert!(
        pair.contains(
            "friction 0.6000000000000001 (derived, √(r₁ r₂), roughness from table.yaml:2:33, table.yaml:3:44)"
        ),
        "{pair}"
    );
    let rests = "restitution 0 of `Default` and `wood` follows from a viscosity that the table leaves out";
    assert!(lines.contains(rests), "{lines}");
    let seed = text(&stiction(folder.path(), &[&["list", "--material-defaults", "seed"], &own[..]].concat()));
    assert!(seed.contains("restitution 0.7071067811865476 of `Default` and `wood` follows from"), "{seed}");
    let found = json(&stiction(folder.path(), &[&["list", "--json"], &own[..]].concat()));
    assert_eq!(found["masses"][0]["mass"], 150.0);
    assert_eq!(found["masses"][0]["inertia"]["ixx"], 6.25);
    assert_eq!(found["masses"][0]["density"], 1200.0);
    assert_eq!(found["materials"]["materials"]["wood"]["values"]["density"]["origin"], "--set");
    let pair = "contact_material.wood,Default.friction=0.1";
    let run = [&["run", "--steps", "5", "--json", "--record", "out", "--set", pair], &own[..]].concat();
    let summary = json(&stiction(folder.path(), &run));
    let values = |summary: &Value| {
        let pairs = summary["materials"]["pairs"].as_array().unwrap().clone();
        let own = pairs.into_iter().find(|pair| pair["materials"][1] == "wood").unwrap();
        (own["derived"].clone(), own["values"]["friction"].clone())
    };
    let wanted = serde_json::json!({"value": 0.1, "unit": "", "origin": "--set"});
    assert_eq!(values(&summary), (Value::Bool(false), wanted.clone()));
    let recorded: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("out/summary.json")).unwrap()).unwrap();
    assert_eq!(values(&recorded), (Value::Bool(false), wanted));
    // A world without materials says nothing of them.
    let plain = json(&stiction(folder.path(), &["run", "tower", "--steps", "2", "--json"]));
    assert!(plain.get("materials").is_none());
}

/// A project's files lie beside it or in the share folder around it, wherever the command runs.
#[test]
fn a_project_in_another_folder_finds_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner/deep");
    fs::create_dir_all(&inner).unwrap();
    let files = self::folder();
    fs::copy(files.path().join("table.yaml"), inner.join("table.yaml")).unwrap();
    fs::copy(files.path().join("block.body"), folder.path().join("block.body")).unwrap();
    let project = "items:
  class: RootItem
  children:
    - { class: WorldItem, data: { materialTableFile: table.yaml } }
    - { class: BodyItem, data: { modelFile: \"${SHARE}/block.body\" } }
    - { class: AGXSimulatorItem, data: { timeStep: 0.001 } }
";
    fs::write(inner.join("p.cnoid"), project).unwrap();
    for (from, path) in
        [(folder.path(), "inner/deep/p.cnoid"), (folder.path(), "./inner/../inner/deep/p.cnoid"), (&inner, "p.cnoid")]
    {
        let summary = json(&stiction(from, &["run", path, "--steps", "1", "--json"]));
        assert_eq!(summary["materials"]["materials"]["wood"]["values"]["density"]["value"], 600.0);
    }
}
