//! The command as a user calls it.

#![allow(clippy::unwrap_used)]

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process;

use assert_cmd::Command;

fn stiction() -> Command {
    common::stiction(&root())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A world of one box on the ground, with a piece of its own.
fn world(folder: &Path, link: &str) -> PathBuf {
    let path = folder.join("test.world");
    let text = format!(
        r#"<?xml version="1.0"?>
<sdf version="1.9">
  <world name="default">
    <include><uri>model://ground_plane</uri></include>
    <model name="box">
      <pose>0 0 0.5 0 0 0</pose>
      <link name="link">
{link}
        <collision name="collision"><geometry><box><size>1 1 1</size></box></geometry></collision>
      </link>
    </model>
  </world>
</sdf>
"#
    );
    fs::write(&path, text).unwrap();
    path
}

const GOOD: &str = "        <inertial><mass>2</mass></inertial>";

fn json(output: &std::process::Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_main_job_runs_and_records() {
    let folder = tempfile::tempdir().unwrap();
    let (record, plot) = (folder.path().join("out"), folder.path().join("out.svg"));
    let output = stiction()
        .args(["run", "worlds/friction_pyramid.world", "--duration", "0.2", "--json", "--record-contacts", "--record"])
        .arg(&record)
        .arg("--plot")
        .arg(&plot)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let summary = json(&output);
    for key in [
        "engine",
        "step_size",
        "steps",
        "sim_time",
        "wall_time",
        "real_time_factor",
        "links",
        "joints",
        "contacts_mean",
        "contacts_max",
        "penetration_max",
        "joint_error_max",
        "energy_start",
        "energy_end",
        "quarantined",
        "warnings",
        "state_hash",
        "residual",
        "parameters",
        "stages",
        "counts",
        "memory",
    ] {
        assert!(!summary[key].is_null(), "{key}");
    }
    // Stages are parts of the time on the clock.
    let stages = summary["stages"].as_object().unwrap();
    let sum: f64 = stages.values().map(|time| time.as_f64().unwrap()).sum();
    assert!(sum > 0.0 && sum * 200.0 * 1e-6 <= summary["wall_time"].as_f64().unwrap(), "{summary}");
    assert!(
        summary["counts"]["pairs"].as_f64().unwrap() >= 32.0 && summary["memory"]["a_body"].as_u64().unwrap() > 300
    );
    assert_eq!(summary["steps"], 200);
    assert_eq!(summary["links"], 33);
    assert_eq!(summary["state_hash"].as_str().unwrap().len(), 16);
    let iters = &summary["parameters"]["physics.ode.solver.iters"];
    assert_eq!(iters["value"], "50");
    assert!(iters["origin"].as_str().unwrap().contains("friction_pyramid.world:13"), "{iters}");
    assert!(fs::read_to_string(&plot).unwrap().contains("<svg"));

    let links = fs::read_to_string(record.join("links.csv")).unwrap();
    let mut lines = links.lines();
    assert_eq!(lines.next().unwrap(), "time,link,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
    assert_eq!(lines.next().unwrap(), "0,ground_plane::link,0,0,0,1,0,0,0,0,0,0,0,0,0");
    assert_eq!(lines.next().unwrap(), "0,box_0::link,9,0,0.1,1,0,0,0,9,0,0,0,0,0");
    assert_eq!(links.lines().count(), 1 + 201 * 33);
    let contacts = fs::read_to_string(record.join("contacts.csv")).unwrap();
    assert!(contacts.lines().nth(1).unwrap().starts_with("0.001,ground_plane::link::"));
    assert!(record.join("joints.csv").exists() && record.join("summary.json").exists());
}

#[test]
fn the_same_hash_in_two_runs_for_any_threads() {
    let hash = |threads: &str| {
        let output = stiction()
            .args(["run", "worlds/friction_pyramid.world", "--steps", "300", "--json", "-q", "--threads", threads])
            .output()
            .unwrap();
        json(&output)["state_hash"].as_str().unwrap().to_owned()
    };
    assert_eq!(hash("1"), hash("2"));
}

#[test]
fn final_states_go_in_as_initial_states() {
    let folder = tempfile::tempdir().unwrap();
    let file = world(folder.path(), GOOD);
    let (end, again) = (folder.path().join("end.json"), folder.path().join("again.json"));
    stiction()
        .arg("run")
        .arg(&file)
        .args(["--steps", "5", "-q", "--force", "box::link=100,0,0@0..0.003", "--final-state"])
        .arg(&end)
        .assert()
        .success();
    let state: serde_json::Value = serde_json::from_str(&fs::read_to_string(&end).unwrap()).unwrap();
    // 100 N on 2 kg for three steps of 1 ms, less friction.
    let v = state["bodies"]["box::link"]["vel"][0].as_f64().unwrap();
    assert!(v > 0.09 && v < 0.15, "{v}");
    stiction()
        .arg("run")
        .arg(&file)
        .args(["--steps", "0", "-q", "--initial-state"])
        .arg(&end)
        .arg("--final-state")
        .arg(&again)
        .assert()
        .success();
    let restored: serde_json::Value = serde_json::from_str(&fs::read_to_string(&again).unwrap()).unwrap();
    assert_eq!(restored["bodies"], state["bodies"]);
}

#[test]
fn settings_reach_the_engine_and_wrong_ones_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = world(folder.path(), GOOD);
    let run = |arguments: &[&str]| {
        stiction().arg("run").arg(&file).args(["--steps", "1", "--json"]).args(arguments).output().unwrap()
    };
    let output = run(&["--set", "physics.ode.solver.iters=7", "--set", "contact.bounds=once"]);
    let summary = json(&output);
    assert_eq!(summary["parameters"]["physics.ode.solver.iters"]["value"], "7");
    assert_eq!(summary["parameters"]["contact.bounds"]["value"], "once");
    assert_eq!(summary["parameters"]["contact.bounds"]["origin"], "--set");
    let output = run(&["--set", "physics.ode.solver.iter=7"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("physics.ode.solver.iters"));
    assert_eq!(run(&["--set", "contact.bounds=maybe"]).status.code(), Some(1));
    assert_eq!(run(&["--set", "no value"]).status.code(), Some(2));
}

#[test]
fn bad_input_is_exit_1_with_file_and_line_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&str, &str, usize); 4] = [
        ("NaN mass", "        <inertial><mass>nan</mass></inertial>", 8),
        (
            "negative radius",
            "        <collision name='c'><geometry><sphere><radius>-1</radius></sphere></geometry></collision>",
            8,
        ),
        (
            "indefinite inertia",
            "        <inertial><mass>1</mass><inertia><ixx>-1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>",
            8,
        ),
        ("missing end", "        <inertial>", 10),
    ];
    for (name, link, line) in cases {
        let file = world(folder.path(), link);
        let record = folder.path().join("out");
        let output = stiction().arg("run").arg(&file).arg("--record").arg(&record).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {stderr}");
        assert!(stderr.contains(&format!("test.world:{line}:")), "{name}: {stderr}");
        assert!(!record.exists(), "{name}");
        let check = stiction().arg("check").arg(&file).output().unwrap();
        assert_eq!(check.status.code(), Some(1), "{name}");
        assert!(String::from_utf8_lossy(&check.stdout).contains(&format!("test.world:{line}:")), "{name}");
    }
    let joint = world(folder.path(), GOOD);
    let text = fs::read_to_string(&joint).unwrap().replace(
        "    </model>",
        "      <joint name='j' type='fixed'>\n        <parent>world</parent>\n        <child>nobody</child>\n      </joint>\n    </model>",
    );
    fs::write(&joint, text).unwrap();
    let output = stiction().arg("check").arg(&joint).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("nobody"));
    let output = stiction().args(["run", "no_such.world"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no_such.world"));
}

#[test]
fn a_recording_does_not_replace_something_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = world(folder.path(), GOOD);
    fs::write(folder.path().join("thesis.txt"), "years of work").unwrap();
    let output =
        stiction().arg("run").arg(&file).args(["--steps", "1", "--record"]).arg(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(folder.path().join("thesis.txt").exists());
    let record = folder.path().join("out");
    for _ in 0..2 {
        stiction().arg("run").arg(&file).args(["--steps", "1", "-q", "--record"]).arg(&record).assert().success();
    }
    let left = fs::read_dir(folder.path())
        .unwrap()
        .flatten()
        .filter(|e| e.file_name().to_string_lossy().contains("partial"))
        .count();
    assert_eq!(left, 0);
}

#[test]
fn what_is_not_built_is_a_usage_error_that_says_so() {
    let output = stiction().args(["view", "x.sdf"]).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr.contains("not implemented yet"), "{stderr}");
    assert_eq!(stiction().args(["run"]).output().unwrap().status.code(), Some(2));
    assert_eq!(stiction().args(["--help"]).output().unwrap().status.code(), Some(0));
}

const ARM: &str = r#"<?xml version="1.0"?>
<robot name="arm">
  <link name="base"><inertial><mass value="10"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
    <collision><geometry><box size="1 1 0.2"/></geometry></collision></link>
  <link name="upper"><inertial><origin xyz="0.5 0 0"/><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial></link>
  <link name="tool"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="20" velocity="2"/></joint>
  <joint name="mount" type="fixed"><parent link="upper"/><child link="tool"/><origin xyz="1 0 0"/></joint>
</robot>
"#;

fn arm(folder: &Path) -> PathBuf {
    let path = folder.join("arm.urdf");
    fs::write(&path, ARM).unwrap();
    path
}

#[test]
fn a_robot_is_checked_listed_and_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = arm(folder.path());
    let output = stiction().arg("check").arg(&file).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("3 links (3 move), 2 joints, 7 degrees of freedom, 11 kg"),
        "{text}"
    );
    let output = stiction().arg("list").arg(&file).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("arm::mount (Fixed)"));
    let (first, second) = (folder.path().join("first.json"), folder.path().join("second.json"));
    let run = |more: &[&str], state: &Path| {
        let options = ["--steps", "200", "-q", "--fixed-base", "--final-state"];
        stiction().arg("run").arg(&file).args(options).arg(state).args(more).assert().success();
        serde_json::from_str::<serde_json::Value>(&fs::read_to_string(state).unwrap()).unwrap()
    };
    // The tool is part of the upper arm: its frame moves with it.
    let end = run(&[], &first);
    let (tool, upper) = (&end["bodies"]["arm::tool"], &end["bodies"]["arm::upper"]);
    let number = |v: &serde_json::Value, key: &str, i: usize| v[key][i].as_f64().unwrap();
    let distance: f64 = (0..3).map(|i| (number(tool, "pos", i) - number(upper, "pos", i)).powi(2)).sum();
    assert!((distance.sqrt() - 1.0).abs() < 1e-12 && number(tool, "pos", 2) < number(upper, "pos", 2) - 0.1);
    assert!(number(tool, "vel", 2) < -1.0);
    // A state that was written can be read, lumped links and all.
    let again = run(&["--initial-state", first.to_str().unwrap()], &second);
    assert!(number(&again["bodies"]["arm::tool"], "pos", 2) < number(tool, "pos", 2));
}

/// The last row of the joint in a recording of the arm on its base: position, velocity, effort.
fn commanded(folder: &Path, steps: &str, more: &[&str]) -> [f64; 3] {
    let record = folder.join("out");
    let options = ["--fixed-base", "--no-ground", "-q", "--steps", steps, "--record"];
    stiction().arg("run").arg(arm(folder)).args(options).arg(&record).args(more).assert().success();
    let text = fs::read_to_string(record.join("joints.csv")).unwrap();
    let row: Vec<f64> = text.lines().last().unwrap().split(',').skip(3).map(|n| n.parse().unwrap()).collect();
    [row[0], row[1], row[2]]
}

#[test]
fn commands_drive_joints_within_their_limits() {
    let folder = tempfile::tempdir().unwrap();
    let run = |steps: &str, more: &[&str]| commanded(folder.path(), steps, more);
    let near =
        |found: f64, expected: f64, within: f64| assert!((found - expected).abs() < within, "{found} {expected}");
    // The weight's torque about the shoulder, m g l; the moment of inertia there is 0.1 + 0.25 kg m².
    let weight = 9.8 * 0.5;
    let [_, rate, _] = run("1", &["--command", "arm::shoulder=-3"]);
    near(rate, 1e-3 * (weight - 3.0) / 0.35, 1e-6);
    // A position is reached at the limit of velocity, 2 rad/s, and held exactly. The motor's 20 N m take v² I / (2 τ)
    // to that speed.
    let lag = |v: f64| v * v * 0.35 / (2.0 * (20.0 - weight));
    let [position, rate, _] = run("100", &["--command", "shoulder:position=-0.5"]);
    near(position, -0.2 + lag(2.0), 2e-3);
    near(rate, -2.0, 1e-6);
    let [position, rate, effort] = run("2000", &["--command", "shoulder/0:position=-0.5"]);
    near(position, -0.5, 1e-9);
    near(rate, 0.0, 1e-9);
    near(effort, -weight * 0.5f64.cos(), 1e-4);
    let [position, rate, _] = run("200", &["--command", "shoulder:velocity=-1"]);
    near(position, -0.2 + lag(1.0), 1e-3);
    near(rate, -1.0, 1e-9);
    // Too weak a motor: the effort stays at its limit.
    let weak = ["--set", "model.arm.joint.shoulder.axis.limit.effort=1", "--command", "shoulder:position=-0.5"];
    let [position, _, effort] = run("100", &weak);
    assert!(position > 0.0);
    near(effort, -1.0, 1e-9);
    // Without an effort limit the motor has no bound, also at a stop.
    let free = ["--set", "model.arm.joint.shoulder.axis.limit.effort=inf", "--command", "shoulder:velocity=2"];
    let [position, ..] = run("3000", &free);
    near(position, 3.0, 2e-3);
}

#[test]
fn commands_come_from_a_file_too() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("inputs.csv");
    fs::write(&file, "time,arm::shoulder:position\n0.1,0\n0.3,-0.002\n").unwrap();
    let path = file.to_str().unwrap();
    let run = |steps: &str| commanded(folder.path(), steps, &["--command", path]);
    for (steps, expected) in [("100", 0.0), ("200", -0.001), ("400", -0.002)] {
        assert!((run(steps)[0] - expected).abs() < 1e-9, "{steps}: {}", run(steps)[0]);
    }
    fs::write(&file, "time,arm::shoulder\n0,1\n0.1,x\n").unwrap();
    let output = stiction().arg("run").arg(arm(folder.path())).args(["--command", path]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("inputs.csv:3:5: `x` is not a finite number"));
}

#[test]
fn commands_that_cannot_be_are_usage_errors() {
    let folder = tempfile::tempdir().unwrap();
    let file = arm(folder.path());
    for (command, expected) in [
        ("arm::sholder=1", "did you mean `arm::shoulder`?"),
        ("sholder:velocity=1", "did you mean `arm::shoulder`?"),
        ("shoulder:speed=1", "`speed` is not one of"),
        ("shoulder=fast", "expected JOINT=VALUE"),
        ("shoulder", "expected JOINT=VALUE"),
        ("shoulder/1=1", "has 1 axis, counted from 0"),
        ("mount=1", "do not move against each other"),
    ] {
        let output = stiction().arg("run").arg(&file).args(["--steps", "1", "--command", command]).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command}: {stderr}");
        assert!(stderr.contains(expected), "{command}: {stderr}");
    }
    let twice = ["--command", "shoulder:velocity=1", "--command", "arm::shoulder:position=1"];
    let output = stiction().arg("run").arg(&file).args(["--steps", "1"]).args(twice).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn fail_if_is_exit_3() {
    let folder = tempfile::tempdir().unwrap();
    let file = world(folder.path(), GOOD);
    let run = |condition: &str| {
        stiction()
            .arg("run")
            .arg(&file)
            .args(["--steps", "50", "-q", "--fail-if", condition])
            .output()
            .unwrap()
            .status
            .code()
    };
    assert_eq!(run("speed<-1"), Some(0));
    assert_eq!(run("contacts>3"), Some(3));
    assert_eq!(run("energy>1.01*start"), Some(0));
    assert_eq!(run("beauty>1"), Some(2));
}

#[test]
fn a_lone_model_stands_on_a_ground_and_models_are_placed() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("crate.sdf");
    let text = "<sdf version='1.9'><model name='crate'><link name='body'><inertial><mass>1</mass></inertial><collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision></link></model></sdf>";
    fs::write(&model, text).unwrap();
    let end = folder.path().join("end.json");
    let second = format!("{}=top@0,0,1.6", model.display());
    stiction()
        .arg("run")
        .arg(&model)
        .arg(second)
        .args(["--duration", "1", "-q", "--final-state"])
        .arg(&end)
        .assert()
        .success();
    let state: serde_json::Value = serde_json::from_str(&fs::read_to_string(&end).unwrap()).unwrap();
    let z = |name: &str| state["bodies"][name]["pos"][2].as_f64().unwrap();
    assert!((z("crate::body") - 0.5).abs() < 1e-3, "{state}");
    assert!((z("top::body") - 1.5).abs() < 1e-3, "{state}");
    stiction()
        .arg("run")
        .arg(&model)
        .args(["--duration", "1", "-q", "--no-ground", "--final-state"])
        .arg(&end)
        .assert()
        .success();
    let state: serde_json::Value = serde_json::from_str(&fs::read_to_string(&end).unwrap()).unwrap();
    assert!(state["bodies"]["crate::body"]["pos"][2].as_f64().unwrap() < -4.0);
    stiction()
        .arg("run")
        .arg(&model)
        .args(["--duration", "1", "-q", "--no-ground", "--fixed-base", "--final-state"])
        .arg(&end)
        .assert()
        .success();
    let state: serde_json::Value = serde_json::from_str(&fs::read_to_string(&end).unwrap()).unwrap();
    assert!(state["bodies"]["crate::body"]["pos"][2].as_f64().unwrap().abs() < 1e-3);
}

#[test]
fn list_and_worlds_and_check_say_what_there_is() {
    let output = stiction().args(["worlds"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("friction_pyramid: 32 boxes"));
    let output = stiction().args(["list", "worlds/friction_pyramid.world"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("box_7::link\n") && text.contains("physics.ode.solver.iters = 50"));
    let output = stiction().args(["check", "worlds/friction_pyramid.world"]).output().unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("33 links (32 move), 0 joints"));
    let output = stiction().args(["check", "worlds/friction_pyramid.world", "--format", "sarif"]).output().unwrap();
    assert_eq!(json(&output)["version"], "2.1.0");
}

#[test]
fn continuous_time_that_is_too_stiff_ends_with_code_3_and_says_what_is_stiff() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stiff.sdf");
    let text = r#"<sdf version="1.9"><world name="w"><model name="m"><link name="l"/>
        <joint name="j" type="prismatic"><parent>world</parent><child>l</child><axis><xyz>0 0 1</xyz>
        <dynamics><spring_stiffness>1e15</spring_stiffness></dynamics></axis></joint></model></world></sdf>"#;
    fs::write(&path, text).unwrap();
    let output = stiction()
        .args([
            "run",
            "--engine",
            "drake-continuous",
            "--step-size",
            "0.01",
            "--duration",
            "1",
            "--no-ground",
            "--json",
        ])
        .arg(&path)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("2000 steps") && said.contains("`m::l`") && said.contains("integrator.max_trials"), "{said}");
    // The summary of what was done is there.
    assert!(json(&output)["sim_time"].as_f64().unwrap() < 0.01);
}

#[test]
fn a_bullet_that_goes_through_a_wall_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bullet.sdf");
    let text = r#"<sdf version="1.9"><world name="w"><gravity>0 0 0</gravity>
        <model name="wall"><static>true</static><link name="l"><collision name="c"><geometry><box><size>0.1 4 4</size></box></geometry></collision></link></model>
        <model name="bullet"><pose>-1.23 0 0 0 0 0</pose><plugin name="v" filename="libInitialVelocityPlugin.so"><linear>500 0 0</linear></plugin>
        <link name="l"><collision name="c"><geometry><sphere><radius>0.02</radius></sphere></geometry></collision></link></model></world></sdf>"#;
    fs::write(&path, text).unwrap();
    let run = ["run", "--duration", "0.02", "--no-ground"];
    let output = stiction().args(run).arg(&path).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!said.contains("went through"), "stopped at its impact: {said}");
    let output = stiction().args(run).args(["--set", "physics.swept=off"]).arg(&path).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("`bullet::l::c` went through `wall::l::c` at 0.00"), "{said}");
    assert!(said.contains("`bullet::l::c` moved 12.5 times its own size"), "{said}");
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let world = root().join("worlds/tower.world");
    for arguments in [&["list"][..], &["run", "--steps", "1", "--json"], &["check", "--json"]] {
        let mut child = process::Command::new(env!("CARGO_BIN_EXE_stiction"))
            .args(arguments)
            .arg(&world)
            .stdout(process::Stdio::piped())
            .stderr(process::Stdio::piped())
            .spawn()
            .unwrap();
        // Nobody reads it.
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!text.contains("panicked") && !text.contains("error"), "{arguments:?}: {text}");
        assert!(output.status.success(), "{arguments:?}: {:?}", output.status);
    }
}
