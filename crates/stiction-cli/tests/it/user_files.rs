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

/// Code, severity and line of each finding that is not advice on masses.
fn told(path: &Path, more: &[&str]) -> Vec<(String, String, u64)> {
    let word = |d: &Value, key: &str| d[key].as_str().unwrap().to_owned();
    let all = checked(path, more);
    let found = all.iter().filter(|d| d["code"] != "default-inertia" && d["code"] != "implied-erp-cfm");
    found.map(|d| (word(d, "code"), word(d, "severity"), d["line"].as_u64().unwrap_or(0))).collect()
}

/// Exit code of a run of 0.01 s.
fn runs(path: &Path, more: &[&str]) -> i32 {
    let output = common::stiction(path.parent().unwrap())
        .arg("run")
        .arg(path)
        .args(["--duration", "0.01", "-q"])
        .args(more)
        .output();
    output.unwrap().status.code().unwrap()
}

#[test]
fn what_a_collision_lacks_is_an_error_and_what_only_looks_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.sdf");
    fs::create_dir(folder.path().join("folder.stl")).unwrap();
    let mass = "<inertial><mass>1</mass></inertial>";
    let mesh = |kind: &str, file: &str| {
        format!("{mass}<{kind} name=\"x\"><geometry><mesh><uri>{file}</uri></mesh></geometry></{kind}>")
    };
    let mut cases =
        vec![("none.stl", "mesh-not-found"), ("folder.stl", "not-a-file"), ("package://none/a.stl", "mesh-not-found")];
    if cfg!(unix)
        && std::process::Command::new("mkfifo").arg(folder.path().join("pipe.stl")).status().is_ok_and(|s| s.success())
    {
        cases.push(("pipe.stl", "not-a-file"));
    }
    for (file, code) in cases {
        fs::write(&path, model("1.9", &mesh("collision", file))).unwrap();
        assert_eq!(told(&path, &[]), [(code.to_owned(), "error".to_owned(), 2)], "{file}");
        assert_eq!((runs(&path, &[]), runs(&path, &["--lenient"])), (1, 0), "{file}");
        fs::write(&path, model("1.9", &mesh("visual", file))).unwrap();
        assert!(told(&path, &[]).iter().all(|(_, severity, _)| severity != "error"), "{file}");
        assert_eq!(runs(&path, &[]), 0, "{file}");
    }
}

#[test]
fn faults_that_change_the_motion_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.sdf");
    let gearbox = "</link><link name=\"k\"/><joint name=\"g\" type=\"gearbox\"><parent>l</parent><child>k</child>\
        <axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 0 1</xyz></axis2></joint><link name=\"z\">";
    for (link, code) in
        [("<pose rotation_format=\"quat_xyzw\">0 0 1 0 0 0 0</pose>", "invalid-value"), (gearbox, "gearbox-reference")]
    {
        fs::write(&path, model("1.9", link)).unwrap();
        assert!(told(&path, &[]).contains(&(code.to_owned(), "error".to_owned(), 2)), "{link}");
        assert_eq!(runs(&path, &[]), 1);
    }
    // A half-space that moves is told by both.
    let plane = "<inertial><mass>1</mass></inertial><collision name=\"c\"><geometry><plane/></geometry></collision>";
    fs::write(&path, model("1.9", plane)).unwrap();
    assert_eq!(told(&path, &[]), [("movable-plane".to_owned(), "warning".to_owned(), 2)]);
    let output = common::stiction(folder.path()).args(["run", "m.sdf", "--duration", "0.01"]).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = stderr.lines().find(|line| line.contains("infinite plane on a link that moves")).unwrap();
    assert!(line.contains("m.sdf:2: "), "{line}");
}

/// Ten files each include the next one ten times: 10⁹ models.
#[test]
fn includes_that_multiply_end_soon_with_their_limit() {
    let folder = tempfile::tempdir().unwrap();
    for file in 0..9 {
        let includes: String =
            (0..10).map(|k| format!("<include><name>c{k}</name><uri>m{}.sdf</uri></include>\n", file + 1)).collect();
        let text = format!("<sdf version=\"1.9\"><model name=\"m{file}\">{includes}</model></sdf>");
        fs::write(folder.path().join(format!("m{file}.sdf")), text).unwrap();
    }
    fs::write(folder.path().join("m9.sdf"), "<sdf version=\"1.9\"><model name=\"m9\"><link name=\"l\"/></model></sdf>")
        .unwrap();
    let start = std::time::Instant::now();
    let found = checked(&folder.path().join("m0.sdf"), &[]);
    assert!(start.elapsed().as_secs_f64() < 5.0);
    assert_eq!(found.len(), 1);
    assert!(found[0]["code"] == "too-large" && found[0]["message"].as_str().unwrap().contains("1000000"), "{found:?}");
}

/// A table of materials is checked by itself; a key that is repeated is told with both lines.
#[test]
fn tables_of_materials_are_files_that_check_takes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.yaml");
    let table = "contactMaterials:\n  - materials: [ a, b ]\n    friction: 0.3\n    friction: 0.5\n";
    fs::write(&path, table).unwrap();
    let found = checked(&path, &[]);
    let repeated: Vec<&Value> = found.iter().filter(|d| d["code"] == "duplicate-key").collect();
    let [repeated] = repeated[..] else { panic!("{found:?}") };
    assert_eq!((&repeated["line"], &repeated["help"]), (&4.into(), &"first in line 3".into()));
    fs::write(&path, table.replace("    friction: 0.3\n", "")).unwrap();
    let output = common::stiction(folder.path()).args(["check", "table.yaml"]).output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && out.contains("ok: a table of 1 material, 1 contact material"), "{out}");
    fs::write(&path, table.replace("0.5", "-0.5")).unwrap();
    let output = common::stiction(folder.path()).args(["check", "table.yaml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let output = common::stiction(folder.path()).args(["run", "table.yaml"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("--materials"));
}

/// Infinite friction holds a box on a slope of 60 degrees, in every engine; laws with a stiction speed creep by less than 1 mm.
#[test]
fn infinite_friction_lets_nothing_slide() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("slope.sdf");
    for word in ["inf", "Infinity", "+inf"] {
        let surface = format!("<surface><friction><ode><mu>{word}</mu><mu2>{word}</mu2></ode></friction></surface>");
        let text = format!(
            "<sdf version=\"1.9\"><world name=\"w\"><gravity>8.4957 0 -4.905</gravity>\
             <model name=\"g\"><static>true</static><link name=\"l\"><collision name=\"c\"><geometry><plane/></geometry>{surface}</collision></link></model>\
             <model name=\"b\"><pose>0 0 0.05 0 0 0</pose><link name=\"l\"><inertial auto=\"true\"/><collision name=\"c\">\
             <geometry><box><size>0.4 0.4 0.1</size></box></geometry>{surface}</collision></link></model></world></sdf>"
        );
        fs::write(&path, text).unwrap();
        assert!(told(&path, &[]).iter().all(|(_, severity, _)| severity == "note"));
        let engines: Vec<&str> = stiction_formats::usage::engines().collect();
        let count = if word == "inf" { engines.len() } else { 1 };
        for engine in &engines[..count] {
            let run = ["--duration", "1", "-q", "--final-state", "end.json", "--engine", engine];
            assert!(
                common::stiction(folder.path()).arg("run").arg(&path).args(run).output().unwrap().status.success(),
                "{engine}"
            );
            let state: Value =
                serde_json::from_str(&fs::read_to_string(folder.path().join("end.json")).unwrap()).unwrap();
            let position = &state["bodies"]["b::l"]["pos"];
            let slid = position[0].as_f64().unwrap().abs().max(position[1].as_f64().unwrap().abs());
            assert!(slid < 1e-3, "{engine}: {slid} m");
        }
    }
}
