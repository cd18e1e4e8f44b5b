//! `stiction explain` as a user calls it.
#![allow(clippy::unwrap_used)]

use crate::common;

use std::path::Path;
use std::process::Output;

const WORLD: &str = r#"<?xml version="1.0"?>
<sdf version="1.9">
  <world name="default">
    <physics type="ode">
      <max_step_size>0.001</max_step_size>
      <ode><solver><type>world</type></solver></ode>
    </physics>
    <include><uri>model://ground_plane</uri></include>
    <model name="box">
      <pose>0 0 0.5 0 0 0</pose>
      <link name="link">
        <inertial><mass>10</mass></inertial>
        <collision name="collision">
          <geometry><box><size>1 1 1</size></box></geometry>
          <surface>
            <bounce><restitution_coefficient>0.4</restitution_coefficient><threshold>0.5</threshold></bounce>
            <friction><ode><mu>0.6</mu><mu2>0.4</mu2></ode></friction>
            <contact><ode><kp>1e6</kp><kd>100</kd><soft_erp>0.3</soft_erp></ode></contact>
          </surface>
        </collision>
      </link>
    </model>
  </world>
</sdf>
"#;

fn explain(folder: &Path, arguments: &[&str]) -> Output {
    std::fs::write(folder.join("test.world"), WORLD).unwrap();
    common::stiction(folder).arg("explain").args(arguments).output().unwrap()
}

/// What it prints where it ends well.
fn text(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let output = explain(folder.path(), arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_file_under_its_own_engine() {
    insta::assert_snapshot!(text(&["test.world"]));
}

#[test]
fn a_file_under_another_engine() {
    insta::assert_snapshot!(text(&["test.world", "--engine", "drake-discrete"]));
}

#[test]
fn a_pair() {
    insta::assert_snapshot!(text(&["test.world", "--pair", "box::link,ground_plane::link"]));
}

#[test]
fn a_pair_under_agx() {
    insta::assert_snapshot!(text(&[
        "test.world",
        "--pair",
        "box::link::collision,ground_plane::link",
        "--engine",
        "agx"
    ]));
}

#[test]
fn a_parameter() {
    insta::assert_snapshot!(text(&["physics.ode.solver.iters"]));
    assert_eq!(text(&["iters"]), text(&["physics.ode.solver.iters"]));
}

#[test]
fn json_has_its_keys() {
    let read = |arguments: &[&str]| serde_json::from_str::<serde_json::Value>(&text(arguments)).unwrap();
    let file = read(&["test.world", "--json"]);
    let first = &file["elements"][0]["parameters"][0];
    for key in ["path", "name", "value", "unit", "origin", "use", "reason", "numbers"] {
        assert!(first.get(key).is_some(), "{key}");
    }
    assert_eq!(file["engine"], "ode-world");
    let pair = read(&["test.world", "--pair", "box::link,ground_plane::link", "--json"]);
    let keys = [
        "collisions",
        "masses",
        "points",
        "combined",
        "friction",
        "restitution",
        "torsion",
        "contact",
        "languages",
        "engines",
        "notes",
    ];
    for key in keys {
        assert!(pair.get(key).is_some(), "{key}");
    }
    assert_eq!(pair["languages"].as_array().unwrap().len(), 5);
    let page = read(&["kp", "--json"]);
    assert_eq!(page["path"], "surface.contact.ode.kp");
}

#[test]
fn faults_have_their_exit_codes() {
    let folder = tempfile::tempdir().unwrap();
    let code = |arguments: &[&str]| {
        let output = explain(folder.path(), arguments);
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (status, message) = code(&["itres"]);
    assert!(status == 2 && message.contains("physics.ode.solver.iters"), "{message}");
    assert_eq!(code(&["erp"]).0, 2);
    assert_eq!(code(&["absent.world"]).0, 1);
    assert_eq!(code(&["test.world", "--engine", "none"]).0, 2);
    let (status, message) = code(&["test.world", "--pair", "bax::link,ground_plane::link"]);
    assert!(status == 2 && message.contains("box::link"), "{message}");
    assert_eq!(code(&["test.world", "--pair", "box::link"]).0, 2);
    // A file of a parameter's name is the file.
    std::fs::write(folder.path().join("kp"), WORLD).unwrap();
    let (status, message) = code(&["kp"]);
    assert!(status == 0 || status == 1);
    assert!(message.contains("`kp` is a file"), "{message}");
}
