//! What is left out of a file is told once, at its line; what only looks depend on is a note; and what `check` counts of mechanisms.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common;

fn checked(path: &Path, more: &[&str]) -> Vec<Value> {
    let folder = path.parent().unwrap();
    let output = common::stiction(folder).args(["check", "--json"]).args(more).arg(path).output().unwrap();
    serde_json::from_slice::<Value>(&output.stdout).unwrap().as_array().unwrap().clone()
}

/// Warnings of a short run.
fn warnings(path: &Path, more: &[&str]) -> Vec<String> {
    let folder = path.parent().unwrap();
    let run = ["run", "--json", "--duration", "0.01"];
    let output = common::stiction(folder).args(run).args(more).arg(path).output().unwrap();
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    summary["warnings"].as_array().unwrap().iter().map(|w| w.as_str().unwrap().to_owned()).collect()
}

const INERTIAL: &str =
    "<inertial><mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial>";

/// Every collision whose shape is not there has one finding, in its lines, of `check` and of `run`; of one file used twice, too.
#[test]
fn a_shape_that_is_not_there_is_told_once_for_each_collision() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shapes.sdf");
    fs::write(folder.path().join("broken.stl"), "solid of nothing").unwrap();
    fs::write(folder.path().join("broken.png"), "no picture").unwrap();
    let shapes = [
        "<mesh><uri>missing.stl</uri></mesh>",
        "<mesh><uri>broken.stl</uri></mesh>",
        "<heightmap><uri>missing.png</uri></heightmap>",
        "<heightmap><uri>broken.png</uri></heightmap>",
        "<image><uri>missing.png</uri></image>",
        "<polyline><height>1</height><point>0 0</point><point>1 1</point><point>1 0</point><point>0 1</point></polyline>",
    ];
    for shape in shapes {
        let collision = |name: &str| format!("<collision name=\"{name}\"><geometry>{shape}</geometry></collision>\n");
        let text = format!(
            "<sdf version=\"1.9\"><model name=\"m\"><link name=\"l\">\n{INERTIAL}\n{}{}</link></model></sdf>",
            collision("a"),
            collision("b")
        );
        fs::write(&path, text).unwrap();
        for line in [3, 4] {
            let of_line = checked(&path, &["--lenient"]).into_iter().filter(|f| f["line"] == line).count();
            assert_eq!(of_line, 1, "{shape}: {:#?}", checked(&path, &["--lenient"]));
            let place = format!("shapes.sdf:{line}:");
            let told = warnings(&path, &["--lenient"]);
            assert_eq!(told.iter().filter(|w| w.contains(&place)).count(), 1, "{shape}: {told:#?}");
            assert!(told.iter().all(|w| !w.contains("left out: ")), "{told:#?}");
        }
    }
}

/// A note with the line of the first one; with the file in its place there is none. A run does not speak of it.
#[test]
fn a_visual_mesh_that_is_not_found_is_a_note() {
    let folder = tempfile::tempdir().unwrap();
    let urdf = "<robot name=\"r\"><link name=\"l\"><inertial><mass value=\"1\"/><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\" ixy=\"0\" \
                ixz=\"0\" iyz=\"0\"/></inertial>\n<visual><geometry><mesh filename=\"looks.stl\"/></geometry></visual>\n\
                <visual><geometry><mesh filename=\"looks.stl\"/></geometry></visual></link></robot>";
    let sdf = format!(
        "<sdf version=\"1.9\"><model name=\"m\"><link name=\"l\">{INERTIAL}\n<visual name=\"v\"><geometry><mesh><uri>looks.stl</uri></mesh>\
         </geometry></visual></link></model></sdf>"
    );
    for (name, text, count) in [("r.urdf", urdf, 2), ("m.sdf", sdf.as_str(), 1)] {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let own =
            |found: &[Value]| found.iter().filter(|f| f["code"] == "visual-not-found").cloned().collect::<Vec<_>>();
        let found = own(&checked(&path, &[]));
        assert_eq!(found.len(), 1, "{found:#?}");
        assert_eq!((found[0]["severity"].as_str(), found[0]["line"].as_u64()), (Some("note"), Some(2)));
        assert_eq!(found[0]["message"].as_str().unwrap().contains("1 more visual"), count == 2, "{found:#?}");
        assert!(warnings(&path, &[]).iter().all(|w| !w.contains("visual")));
        fs::write(folder.path().join("looks.stl"), "").unwrap();
        assert!(own(&checked(&path, &[])).is_empty());
        fs::remove_file(folder.path().join("looks.stl")).unwrap();
    }
}

/// The text that `check` ends with.
fn held(path: &Path) -> String {
    let output = common::stiction(path.parent().unwrap()).arg("check").arg(path).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// A closed chain of SDFormat, a mimic of URDF.
#[test]
fn check_counts_what_loops_and_followers_leave() {
    let folder = tempfile::tempdir().unwrap();
    let link = |name: &str, at: &str| format!("<link name=\"{name}\"><pose>{at} 0 0 0</pose>{INERTIAL}</link>");
    let hinge = |name: &str, parent: &str, child: &str, at: &str| {
        format!(
            "<joint name=\"{name}\" type=\"revolute\"><pose relative_to=\"__model__\">{at} 0 0 0</pose><parent>{parent}</parent>\
             <child>{child}</child><axis><xyz expressed_in=\"__model__\">0 1 0</xyz></axis></joint>"
        )
    };
    let four_bar = format!(
        "<sdf version=\"1.9\"><model name=\"m\">{}{}{}{}{}{}{}</model></sdf>",
        link("a", "0 0 1"),
        link("b", "0.5 0 2"),
        link("c", "1.2 0 1"),
        hinge("j0", "world", "a", "0 0 0"),
        hinge("j1", "a", "b", "0 0 2"),
        hinge("j2", "b", "c", "1.1 0 2"),
        hinge("j3", "world", "c", "1.2 0 0")
    );
    let arm = |name: &str, mimic: &str| {
        format!(
            "<link name=\"{name}\"><inertial><mass value=\"1\"/><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\" ixy=\"0\" ixz=\"0\" \
             iyz=\"0\"/></inertial></link><joint name=\"j{name}\" type=\"continuous\"><parent link=\"world\"/><child link=\"{name}\"/>\
             <axis xyz=\"0 1 0\"/>{mimic}</joint>"
        )
    };
    let fingers =
        |mimic: &str| format!("<robot name=\"r\"><link name=\"world\"/>{}{}</robot>", arm("a", ""), arm("b", mimic));
    let cases = [
        ("four_bar.sdf", four_bar, "1 degree of freedom"),
        ("two.urdf", fingers(""), "2 degrees of freedom"),
        ("one.urdf", fingers("<mimic joint=\"ja\" multiplier=\"2\"/>"), "1 degree of freedom"),
    ];
    for (name, text, expected) in cases {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let held = held(&path);
        assert!(held.contains(&format!(", {expected},")), "{name}: {held}");
    }
}
