//! `check --allow` and `--fix` as a user calls them.
#![allow(clippy::unwrap_used)]

use crate::common;

use std::fs;
use std::path::Path;

const WORLD: &str = r#"<?xml version="1.0"?>
<sdf version="1.9">
  <world name="default">
    <physics name="p" type="ode">
      <max_step_size>0.001</max_step_size>
      <ode><solver><min_step_size>0.01</min_step_size></solver></ode> <!-- too long -->
    </physics>
    <model name="ball">
      <pose>0 0 2 90 0 0</pose>
      <link name="link">
        <inertial><mass>1</mass></inertial>
        <collision name="c"><geometry><sphere><radius>0.5</radius></sphere></geometry>
          <surface>
            <bounce>
              <restitution_coefficient>0.5</restitution_coefficient>
            </bounce>
          </surface>
        </collision>
      </link>
    </model>
  </world>
</sdf>
"#;

fn check(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = common::stiction(folder).arg("check").args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn proposals_are_written_told_and_gone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.world");
    fs::write(&path, WORLD).unwrap();
    let (code, out, _) = check(folder.path(), &["w.world", "--fix"]);
    assert_eq!(code, 0);
    for line in [
        "w.world:6: <min_step_size> 0.01 → 0.0001 [min-step-size]",
        "w.world:9: <pose> 0 0 2 90 0 0 → 0 0 2 1.5707963267948966 0 0 [pose-in-degrees]",
        "w.world:11: <ixx> (absent) → 0.1 [impossible-inertia]",
        "<threshold> (absent) → 0.1 [unreachable-bounce-threshold]",
    ] {
        assert!(out.contains(line), "{line}: {out}");
    }
    let fixed = fs::read_to_string(&path).unwrap();
    let expected = WORLD
        .replace("0.01<", "0.0001<")
        .replace("90 0 0<", "1.5707963267948966 0 0<")
        .replace("</mass>", "</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia>")
        .replace("</restitution_coefficient>", "</restitution_coefficient>\n              <threshold>0.1</threshold>");
    assert_eq!(fixed, expected);
    let (code, out, _) = check(folder.path(), &["w.world", "--fix"]);
    assert!(code == 0 && !out.contains('→') && fs::read_to_string(&path).unwrap() == fixed, "{out}");
}

#[test]
fn programs_get_the_bytes_to_replace() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("w.world"), WORLD).unwrap();
    let (_, out, _) = check(folder.path(), &["w.world", "--json"]);
    let findings: serde_json::Value = serde_json::from_str(&out).unwrap();
    let own = findings.as_array().unwrap().iter().find(|f| f["code"] == "min-step-size").unwrap();
    let replacement = &own["fix"]["replacements"][0];
    let place = |key: &str| usize::try_from(replacement[key].as_u64().unwrap()).unwrap();
    assert_eq!((&WORLD[place("start")..place("end")], replacement["text"].as_str()), ("0.01", Some("0.0001")));
    let (_, out, _) = check(folder.path(), &["w.world", "--format", "sarif"]);
    let sarif: serde_json::Value = serde_json::from_str(&out).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let own = results.iter().find(|r| r["ruleId"] == "min-step-size").unwrap();
    let replacement = &own["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(replacement["deletedRegion"]["byteOffset"].as_u64(), Some(place("start") as u64));
    assert_eq!(replacement["insertedContent"]["text"].as_str(), Some("0.0001"));
}

#[test]
fn allowed_codes_are_silent_and_unknown_ones_are_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("w.world"), WORLD).unwrap();
    let (_, out, _) = check(folder.path(), &["w.world", "--allow", "min-step-size"]);
    assert!(!out.contains("min-step-size") && out.contains("pose-in-degrees"));
    let (code, out, _) = check(folder.path(), &["w.world", "--allow", "all"]);
    let codes = ["min-step-size", "pose-in-degrees", "impossible-inertia", "unreachable-bounce-threshold"];
    assert!(code == 0 && codes.iter().all(|code| !out.contains(code)), "{out}");
    let (code, _, error) = check(folder.path(), &["w.world", "--allow", "min-step-siz"]);
    assert!(code == 2 && error.contains("did you mean `min-step-size`?"), "{error}");
}

#[test]
fn other_peoples_files_and_read_only_ones_stay() {
    let folder = tempfile::tempdir().unwrap();
    let models = folder.path().join("elsewhere");
    let near = folder.path().join("here");
    fs::create_dir_all(models.join("ball")).unwrap();
    fs::create_dir_all(&near).unwrap();
    let model = "<sdf version=\"1.9\"><model name=\"ball\"><link name=\"l\"><inertial><mass>1</mass></inertial><collision name=\"c\"><geometry><sphere><radius>0.5</radius></sphere></geometry></collision></link></model></sdf>";
    fs::write(models.join("ball/model.sdf"), model).unwrap();
    fs::write(models.join("ball/model.config"), "<model><name>ball</name><sdf>model.sdf</sdf></model>").unwrap();
    fs::write(
        near.join("w.world"),
        "<sdf version=\"1.9\"><world name=\"w\"><include><uri>model://ball</uri></include></world></sdf>",
    )
    .unwrap();
    let (code, out, error) = check(&near, &["w.world", "--fix", "--model-path", "../elsewhere"]);
    assert!(
        code == 0 && !out.contains('→') && error.contains("1 finding not fixed: the file is neither given"),
        "{out}{error}"
    );
    assert_eq!(fs::read_to_string(models.join("ball/model.sdf")).unwrap(), model);
    let path = near.join("own.sdf");
    fs::write(&path, model).unwrap();
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let (code, _, error) = check(&near, &["own.sdf", "--fix"]);
    assert!(code == 1 && error.contains("cannot change own.sdf: it is read-only"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), model);
    // A bundled world is nobody's file.
    let (code, ..) = check(&near, &["tower", "--fix"]);
    assert_eq!(code, 0);
}
