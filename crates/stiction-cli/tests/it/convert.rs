//! Files written in another format mean the same there.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::stiction;
use stiction_testing::{python_with, shared};

/// An arm of three links: joints off their links' frames, a spring, damping, an arm that starts turned, a follower.
const ARM: &str = r#"<sdf version="1.10"><model name="arm"><pose>0.3 -0.2 1.5 0.1 0.2 0.3</pose>
<link name="base"><inertial><mass>2</mass></inertial></link>
<link name="upper"><pose relative_to="shoulder">0 0 -0.3 0 0.4 0</pose>
  <inertial><pose>0.02 0 0.01 0 0 0</pose><mass>1.2</mass><inertia><ixx>0.04</ixx><iyy>0.05</iyy><izz>0.03</izz><ixy>0.002</ixy></inertia></inertial></link>
<link name="lower"><pose relative_to="upper">0.1 0 -0.5 0.3 0 0</pose>
  <inertial><mass>0.7</mass><inertia><ixx>0.02</ixx><iyy>0.02</iyy><izz>0.005</izz></inertia></inertial></link>
<link name="hand"><pose relative_to="lower">0 0 -0.3 0 0 0</pose>
  <inertial><mass>0.3</mass><inertia><ixx>0.002</ixx><iyy>0.002</iyy><izz>0.001</izz></inertia></inertial></link>
<frame name="shoulder"><pose>0 0 0.4 0 0 0</pose></frame>
<joint name="foot" type="fixed"><parent>world</parent><child>base</child></joint>
<joint name="swing" type="revolute"><pose relative_to="shoulder"/><parent>base</parent><child>upper</child>
  <axis><xyz expressed_in="base">0 1 0</xyz><dynamics><damping>0.05</damping></dynamics></axis></joint>
<joint name="bend" type="revolute"><pose relative_to="upper">0 0 -0.4 0 0 0</pose><parent>upper</parent><child>lower</child>
  <axis><xyz>0.6 0.8 0</xyz><dynamics><spring_stiffness>3</spring_stiffness><spring_reference>0.2</spring_reference></dynamics></axis></joint>
<joint name="reach" type="prismatic"><parent>lower</parent><child>hand</child>
  <axis><xyz>0 0 1</xyz><dynamics><spring_stiffness>80</spring_stiffness><damping>0.5</damping></dynamics></axis></joint>
</model></sdf>"#;

/// Two driven wheels and a caster ball without friction.
const ROBOT: &str = r#"<sdf version="1.10"><world name="hall">
<physics type="ode"><max_step_size>0.001</max_step_size></physics>
<model name="ground"><static>true</static><link name="link"><collision name="c"><geometry><plane/></geometry>
  <surface><friction><ode><mu>0.9</mu><mu2>0.9</mu2></ode></friction></surface></collision></link></model>
<model name="robot"><pose>0 0 0.1 0 0 0</pose>
<link name="chassis"><inertial><pose>-0.05 0 0.02 0 0 0</pose><mass>4</mass><inertia><ixx>0.05</ixx><iyy>0.06</iyy><izz>0.08</izz></inertia></inertial>
  <collision name="caster"><pose>-0.2 0 -0.05 0 0 0</pose><geometry><sphere><radius>0.05</radius></sphere></geometry>
  <surface><friction><ode><mu>0</mu><mu2>0</mu2></ode></friction></surface></collision></link>
LEFT RIGHT
</model></world></sdf>"#;

fn robot() -> String {
    let wheel = |name: &str, y: f64| {
        format!(
            r#"<link name="{name}"><pose>0 {y} 0 -1.5707963267948966 0 0</pose><inertial><mass>0.5</mass>
            <inertia><ixx>0.0014</ixx><iyy>0.0014</iyy><izz>0.0025</izz></inertia></inertial>
            <collision name="tyre"><geometry><sphere><radius>0.1</radius></sphere></geometry>
            <surface><friction><ode><mu>0.9</mu><mu2>0.9</mu2></ode></friction></surface></collision></link>
            <joint name="{name}_joint" type="revolute"><parent>chassis</parent><child>{name}</child>
            <axis><xyz>0 0 1</xyz><limit><effort>5</effort></limit></axis></joint>"#
        )
    };
    ROBOT.replace("LEFT", &wheel("left", 0.2)).replace("RIGHT", &wheel("right", -0.2))
}

fn convert(folder: &Path, input: &str, output: &str) {
    stiction(folder).args(["convert", input, output, "-q"]).assert().success();
}

/// Last rows of links, without `time`: name and 13 numbers.
fn last_links(folder: &Path, file: &str, options: &[&str]) -> Vec<(String, Vec<f64>)> {
    let record = folder.join("last");
    stiction(folder)
        .args(["run", file, "-q", "--no-ground", "--record-rate", "1", "--record"])
        .arg(&record)
        .args(options)
        .assert()
        .success();
    let text = fs::read_to_string(record.join("links.csv")).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let end = rows.last().unwrap()[0];
    let last = rows.iter().filter(|row| row[0] == end);
    last.map(|row| (row[1].to_owned(), row[2..].iter().map(|x| x.parse().unwrap()).collect())).collect()
}

fn hash(folder: &Path, file: &Path, models: &Path) -> Option<String> {
    let mut command = stiction(folder);
    command.arg("run").arg(file).args(["--duration", "0.1", "--json", "-q", "--model-path"]).arg(models);
    let output = command.output().unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    Some(summary["state_hash"].as_str()?.to_owned())
}

/// Every world and model of the reference, as it stands and flattened.
#[test]
fn sdf_files_come_back_with_the_same_state_hash() {
    let (Some(worlds), Some(models)) = (shared("worlds"), shared("models")) else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    let mut folders = vec![worlds, models.clone()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "sdf" || e == "world") {
                files.push(path);
            }
        }
    }
    files.sort();
    let mut compared = 0;
    for file in files {
        let Some(expected) = hash(folder.path(), &file, &models) else { continue };
        for options in [&[][..], &["--flatten"]] {
            let output = folder.path().join("out.sdf");
            let mut command = stiction(folder.path());
            command.arg("convert").arg(&file).arg(&output).args(["-q", "--model-path"]).arg(&models).args(options);
            command.assert().success();
            let found = hash(folder.path(), &output, &models);
            assert_eq!(found.as_ref(), Some(&expected), "{} {options:?}", file.display());
            compared += 1;
        }
    }
    assert!(compared > 200, "{compared}");
}

/// SDFormat to URDF and back: the same motion, though frames of links may have moved to their joints.
#[test]
fn an_arm_moves_the_same_as_urdf_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("arm.sdf"), ARM).unwrap();
    convert(folder, "arm.sdf", "arm.urdf");
    convert(folder, "arm.urdf", "back.sdf");
    let options = ["--duration", "1", "--engine", "drake-continuous", "--set", "integrator.accuracy=1e-9"];
    let joints = |file: &str| {
        let links = last_links(folder, file, &options);
        assert!(links.iter().any(|(name, _)| name == "arm::hand"), "{links:?}");
        let text = fs::read_to_string(folder.join("last/joints.csv")).unwrap();
        let rows: Vec<(String, f64)> = text
            .lines()
            .rev()
            .take(3)
            .map(|line| line.split(',').collect::<Vec<_>>())
            .map(|row| (row[1].to_owned(), row[3].parse().unwrap()))
            .collect();
        rows
    };
    let [first, second, third] = ["arm.sdf", "arm.urdf", "back.sdf"].map(joints);
    assert!(first.iter().any(|(_, position)| position.abs() > 0.3), "{first:?}");
    for (other, what) in [(second, "urdf"), (third, "back")] {
        for ((name, expected), (own, found)) in first.iter().zip(&other) {
            assert_eq!(name, own);
            assert!((expected - found).abs() < 1e-6, "{what}: {name} {expected} {found}");
        }
    }
}

#[test]
fn an_arm_moves_the_same_in_mujoco() {
    let Some(python) = python_with(&[("mujoco", "mujoco")]) else { return };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("arm.sdf"), ARM).unwrap();
    convert(folder.path(), "arm.sdf", "arm.xml");
    let options = ["--duration", "2", "--engine", "drake-continuous", "--set", "integrator.accuracy=1e-9"];
    let ours = last_links(folder.path(), "arm.sdf", &options);
    let theirs = mujoco(
        &python,
        folder.path(),
        "arm.xml",
        "m.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4; m.opt.timestep = 1e-4",
        20_000,
    );
    compare(&ours, &theirs, 1e-6);
}

#[test]
fn a_robot_drives_the_same_in_mujoco() {
    let Some(python) = python_with(&[("mujoco", "mujoco")]) else { return };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("robot.sdf"), robot()).unwrap();
    convert(folder.path(), "robot.sdf", "robot.xml");
    let options = ["--duration", "2", "--command", "left_joint=0.3", "--command", "right_joint=0.295"];
    let ours = last_links(folder.path(), "robot.sdf", &options);
    let mut theirs = mujoco(&python, folder.path(), "robot.xml", "d.ctrl[0] = 0.3; d.ctrl[1] = 0.295", 2000);
    // Rolling without slip: 0.54 N m on wheels of 0.1 m.
    let chassis = &ours.iter().find(|(name, _)| name == "robot::chassis").unwrap().1;
    assert!(f64::hypot(chassis[0], chassis[1]) > 1.5, "{chassis:?}");
    // Soft contacts creep: after three turns the angles of the wheels themselves differ by more.
    theirs.retain(|(name, _)| name == "robot::chassis");
    compare(&ours, &theirs, 0.02);
}

/// Positions of links at the end of a run of MuJoCo.
fn mujoco(python: &Path, folder: &Path, file: &str, setting: &str, steps: u32) -> Vec<(String, Vec<f64>)> {
    let script = format!(
        "import mujoco, json\nm = mujoco.MjModel.from_xml_path('{file}'); d = mujoco.MjData(m)\n{setting}\n\
         for _ in range({steps}): mujoco.mj_step(m, d)\nmujoco.mj_forward(m, d)\n\
         print(json.dumps([[m.body(i).name, list(d.xpos[i]) + list(d.xquat[i])] for i in range(1, m.nbody)]))"
    );
    let output = Command::new(python).current_dir(folder).args(["-c", &script]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Positions [m] and quaternions, up to their sign, of links that both have.
fn compare(ours: &[(String, Vec<f64>)], theirs: &[(String, Vec<f64>)], tolerance: f64) {
    assert!(!theirs.is_empty());
    for (name, there) in theirs {
        let (_, here) = ours.iter().find(|(own, _)| own == name).unwrap();
        let sign = (3..7).map(|i| here[i] * there[i]).sum::<f64>().signum();
        for i in 0..7 {
            let there = if i < 3 { there[i] } else { sign * there[i] };
            assert!((here[i] - there).abs() < tolerance, "{name} {i}: {} {there}", here[i]);
        }
    }
}

#[test]
fn what_a_format_cannot_say_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("robot.sdf"), robot()).unwrap();
    let run = |arguments: &[&str]| {
        let output = stiction(folder).arg("convert").args(arguments).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, told) = run(&["robot.sdf", "robot.urdf"]);
    assert_eq!(code, 0, "{told}");
    assert!(told.contains("models that do not move are left out"), "{told}");
    let (code, told) = run(&["robot.sdf", "robot.step"]);
    assert!(code == 2 && told.contains("the output ends in"), "{told}");
    let (code, told) = run(&["robot.sdf", "robot.sdf"]);
    assert!(code == 2 && told.contains("is the input"), "{told}");
    fs::write(folder.join("two.sdf"), ARM.replace("\"revolute\"", "\"ball\"")).unwrap();
    let (code, told) = run(&["two.sdf", "two.urdf"]);
    assert!(code == 1 && told.contains("URDF has no Ball joint"), "{told}");
    let (code, told) = run(&["none.sdf", "none.xml"]);
    assert!(code == 1 && told.contains("none.sdf"), "{told}");
}

/// An arm in water that starts bent: SDFormat keeps both, URDF has neither the water nor another zero of the joint.
#[test]
fn added_mass_and_initial_positions_are_kept_or_told() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bent = ARM.replace(
        "<damping>0.05</damping></dynamics>",
        "<damping>0.05</damping></dynamics><initial_position>0.3</initial_position>",
    );
    let water =
        bent.replace("<mass>0.7</mass>", "<mass>0.7</mass><fluid_added_mass><xx>0.5</xx><zz>2</zz></fluid_added_mass>");
    fs::write(folder.join("bent.sdf"), &bent).unwrap();
    fs::write(folder.join("water.sdf"), &water).unwrap();
    fs::write(folder.join("plain.sdf"), ARM).unwrap();
    let hash = |file: &str| hash(folder, &folder.join(file), folder).unwrap();
    for file in ["bent", "water"] {
        for options in [&[][..], &["--flatten"]] {
            let (input, output) = (format!("{file}.sdf"), format!("{file}_out.sdf"));
            stiction(folder).args(["convert", &input, &output, "-q"]).args(options).assert().success();
            assert_eq!(hash(&input), hash(&output), "{file} {options:?}");
        }
    }
    assert!(hash("bent.sdf") != hash("water.sdf") && hash("bent.sdf") != hash("plain.sdf"));
    for output in ["water.urdf", "water.xml"] {
        let told = stiction(folder).args(["convert", "water.sdf", output]).output().unwrap();
        let told = String::from_utf8_lossy(&told.stderr).into_owned();
        assert!(told.contains("link `arm::lower`: the added mass of the fluid is left out"), "{told}");
    }
    // The joint of the URDF file counts from where it starts.
    convert(folder, "bent.sdf", "bent.urdf");
    let joints = |file: &str| -> Vec<(String, f64)> {
        let options = ["--duration", "1", "--engine", "drake-continuous", "--set", "integrator.accuracy=1e-9"];
        last_links(folder, file, &options);
        let text = fs::read_to_string(folder.join("last/joints.csv")).unwrap();
        let rows = text.lines().rev().take(3).map(|line| line.split(',').collect::<Vec<_>>());
        rows.map(|row| (row[1].to_owned(), row[3].parse().unwrap())).collect()
    };
    for ((name, here), (_, there)) in joints("bent.sdf").iter().zip(joints("bent.urdf")) {
        let start = if name.ends_with("swing") { 0.3 } else { 0.0 };
        assert!((here - start - there).abs() < 1e-6, "{name}: {here} {there}");
    }
}

/// A column that stands in the shape of its base, as SDFormat, and as URDF, whose base is part of the static environment.
const COLUMN: [(&str, &str); 2] = [
    (
        "column.sdf",
        r#"<sdf version="1.10"><model name="arm"><pose>0 0 1 0 0 0</pose>
<link name="base"><inertial><mass>2</mass></inertial><collision name="c"><geometry><box><size>0.4 0.4 0.4</size></box></geometry></collision></link>
<link name="left"><inertial><mass>1</mass></inertial><collision name="c"><pose>0.2 0 0 0 0 0</pose><geometry><box><size>0.4 0.1 0.1</size></box></geometry></collision></link>
<link name="right"><inertial><mass>1</mass></inertial><collision name="c"><pose>0.1 0 0 0 0 0</pose><geometry><box><size>0.4 0.1 0.1</size></box></geometry></collision></link>
<joint name="foot" type="fixed"><parent>world</parent><child>base</child></joint>
<joint name="l" type="continuous"><parent>base</parent><child>left</child><axis><xyz>0 1 0</xyz></axis></joint>
<joint name="r" type="continuous"><parent>base</parent><child>right</child><axis><xyz>0 0 1</xyz></axis></joint>
</model></sdf>"#,
    ),
    (
        "column.urdf",
        r#"<robot name="arm"><link name="world"/>
<link name="base"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><geometry><box size="0.4 0.4 0.4"/></geometry></collision></link>
<link name="left"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><origin xyz="0.2 0 0"/><geometry><box size="0.4 0.1 0.1"/></geometry></collision></link>
<link name="right"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><origin xyz="0.1 0 0"/><geometry><box size="0.4 0.1 0.1"/></geometry></collision></link>
<joint name="foot" type="fixed"><parent link="world"/><child link="base"/><origin xyz="0 0 1"/></joint>
<joint name="l" type="continuous"><parent link="base"/><child link="left"/><axis xyz="0 1 0"/></joint>
<joint name="r" type="continuous"><parent link="base"/><child link="right"/><axis xyz="0 0 1"/></joint>
</robot>"#,
    ),
];

/// MuJoCo lets a body touch what hangs on it where it does not move: three pairs here, none of which touch.
#[test]
fn links_of_a_fixed_base_do_not_touch_it_in_mujoco() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (file, text) in COLUMN {
        fs::write(folder.join(file), text).unwrap();
        convert(folder, file, "column.xml");
        let written = fs::read_to_string(folder.join("column.xml")).unwrap();
        for pair in [["base", "left"], ["base", "right"], ["left", "right"]] {
            let [a, b] = pair.map(|name| format!("arm::{name}"));
            let expected = format!(r#"<exclude body1="{a}" body2="{b}"/>"#);
            assert!(written.contains(&expected), "{file}: {expected} in\n{written}");
        }
        let Some(python) = python_with(&[("mujoco", "mujoco")]) else { continue };
        let script = "import mujoco\nm = mujoco.MjModel.from_xml_path('column.xml'); d = mujoco.MjData(m)\n\
                      mujoco.mj_forward(m, d); assert m.ngeom == 3 and d.ncon == 0, (m.ngeom, d.ncon)";
        let output = Command::new(python).current_dir(folder).args(["-c", script]).output().unwrap();
        assert!(output.status.success(), "{file}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// A base that does not move, and the two arms on it, are in the URDF file that is written, with all their shapes.
#[test]
fn a_fixed_base_stays_in_urdf() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (file, text) in COLUMN {
        fs::write(folder.join(file), text).unwrap();
        convert(folder, file, "out.urdf");
        let written = fs::read_to_string(folder.join("out.urdf")).unwrap();
        assert_eq!(written.matches("<collision ").count(), 3, "{file}: {written}");
        assert!(written.contains(r#"<box size="0.4 0.4 0.4"/>"#), "{file}: {written}");
        let links = |file: &str| {
            last_links(
                folder,
                file,
                &["--duration", "1", "--coordinates", "reduced", "--command", "l=0.5", "--command", "r=0.7"],
            )
        };
        for ((name, first), (other, second)) in links(file).iter().zip(&links("out.urdf")) {
            assert_eq!(name, other);
            let most = first.iter().zip(second).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(most < 1e-6, "{file}: {name} {first:?} {second:?}");
        }
    }
}

/// A mask is one of 16 bits where the file has none, and MuJoCo's of 1 where a geom has none.
#[test]
fn masks_let_the_same_shapes_touch_in_mujoco() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let ball = |name: &str, x: f64, contact: &str| {
        format!(
            r#"<model name="{name}"><pose>{x} 0 0 0 0 0</pose><link name="l"><collision name="c"><geometry><sphere><radius>0.3</radius></sphere></geometry>
            <surface><contact>{contact}</contact></surface></collision></link></model>"#
        )
    };
    let balls = [
        ball("plain", 0.0, ""),
        ball("two", 0.1, "<collide_bitmask>2</collide_bitmask>"),
        ball("four", 0.2, "<collide_bitmask>4</collide_bitmask>"),
        ball("category", 0.3, "<collide_bitmask>8</collide_bitmask><category_bitmask>2</category_bitmask>"),
        ball("sensor", 0.1, "<collide_without_contact>true</collide_without_contact>"),
    ];
    fs::write(
        folder.join("balls.sdf"),
        format!("<sdf version=\"1.10\"><world name=\"w\">{}</world></sdf>", balls.concat()),
    )
    .unwrap();
    convert(folder, "balls.sdf", "balls.xml");
    let written = fs::read_to_string(folder.join("balls.xml")).unwrap();
    let mask = |name: &str, attribute: &str| -> u32 {
        let geom = written.lines().find(|line| line.contains(&format!("name=\"{name}::l::c\""))).unwrap();
        let text = geom.split_once(&format!(" {attribute}=\"")).unwrap().1;
        text.split_once('"').unwrap().0.parse().unwrap()
    };
    // MuJoCo's rule.
    let touch = |a: &str, b: &str| {
        mask(a, "contype") & mask(b, "conaffinity") != 0 || mask(b, "contype") & mask(a, "conaffinity") != 0
    };
    let pairs = [("plain", "two"), ("plain", "four"), ("plain", "category"), ("two", "category")];
    for (a, b) in pairs {
        assert!(touch(a, b), "{a} {b}");
    }
    for (a, b) in [("two", "four"), ("four", "category"), ("plain", "sensor"), ("two", "sensor")] {
        assert!(!touch(a, b), "{a} {b}");
    }
}

/// Joints of a URDF file count from where they start: so does what a follower follows, `q = −1.5 (q_leader − 0.1) + 0.2`.
#[test]
fn followers_that_start_moved_follow_in_urdf() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let link = |name: &str, y: f64| {
        format!(
            r#"<link name="{name}"><pose>0 {y} 0 0 0 0</pose><inertial><pose>0.3 0 0 0 0 0</pose><mass>1</mass></inertial></link>"#
        )
    };
    let joint = |name: &str, child: &str, axis: &str| {
        format!(
            r#"<joint name="{name}" type="revolute"><parent>base</parent><child>{child}</child><axis><xyz>0 1 0</xyz>{axis}</axis></joint>"#
        )
    };
    let follower = "<initial_position>-0.25</initial_position><mimic joint=\"a\"><multiplier>-1.5</multiplier><offset>0.2</offset><reference>0.1</reference></mimic>";
    let parts = [
        link("base", 0.0) + &link("first", 1.0) + &link("second", 2.0),
        r#"<joint name="foot" type="fixed"><parent>world</parent><child>base</child></joint>"#.to_owned(),
        joint("a", "first", "<initial_position>0.4</initial_position>"),
        joint("b", "second", follower),
    ];
    let text = format!(r#"<sdf version="1.11"><model name="m">{}</model></sdf>"#, parts.concat());
    fs::write(folder.join("pair.sdf"), text).unwrap();
    convert(folder, "pair.sdf", "pair.urdf");
    let joints = |file: &str| -> Vec<(String, f64)> {
        last_links(folder, file, &["--duration", "1", "--coordinates", "reduced"]);
        let text = fs::read_to_string(folder.join("last/joints.csv")).unwrap();
        let rows = text.lines().rev().take(2).map(|line| line.split(',').collect::<Vec<_>>());
        rows.map(|row| (row[1].to_owned(), row[3].parse().unwrap())).collect()
    };
    let (here, there) = (joints("pair.sdf"), joints("pair.urdf"));
    for ((name, here), (_, there)) in here.iter().zip(&there) {
        let start = if name == "m::a" { 0.4 } else { -0.25 };
        assert!((here - start - there).abs() < 1e-6, "{name}: {here} {there}");
        assert!(there.abs() > 0.05, "{name}: {here} {there}");
    }
}

/// Each line of the input here is one that an output does not have.
#[test]
fn nothing_is_left_out_in_silence() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = r#"<sdf version="1.10"><world name="w">
<plugin name="gz::sim::systems::Buoyancy" filename="gz-sim-buoyancy-system"><uniform_fluid_density>1000</uniform_fluid_density></plugin>
<model name="m"><link name="a"><velocity_decay><linear>0.5</linear></velocity_decay><sensor name="i" type="imu"/>
<collision name="c"><max_contacts>3</max_contacts><geometry><box><size>1 1 1</size></box></geometry><surface><friction><ode><slip1>0.5</slip1><fdir1>1 0 0</fdir1></ode>
<torsional><coefficient>0.5</coefficient></torsional></friction><contact><collide_bitmask>2</collide_bitmask><ode><soft_cfm>0.1</soft_cfm></ode></contact></surface></collision>
<collision name="d"><geometry><box><size>1 1 1</size></box></geometry><surface><friction><ode><mu>0.1</mu></ode></friction></surface></collision></link>
<link name="b"><kinematic>true</kinematic><visual name="v"><geometry><box><size>1 1 1</size></box></geometry></visual></link>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>1</upper><stiffness>100</stiffness></limit></axis>
<physics><ode><bounce>0.5</bounce><cfm>0.1</cfm></ode></physics></joint>
<plugin name="gz::sim::systems::JointController" filename="gz-sim-joint-controller-system"><joint_name>j</joint_name></plugin>
</model></world></sdf>"#;
    fs::write(folder.join("all.sdf"), text).unwrap();
    let both = [
        "Buoyancy",
        "JointController",
        "the sensor `m::a::i` (imu)",
        "<visual>",
        "<velocity_decay>",
        "kinematic",
        "slip1",
        "fdir1",
        "torsional/coefficient",
        "axis/limit/stiffness",
        "physics/ode/bounce",
        "physics/ode/cfm",
    ];
    let of_urdf = ["max_contacts", "collide_bitmask", "soft_cfm", "the surface of the first"];
    for (output, expected) in [("all.xml", both.to_vec()), ("all.urdf", [&both[..], &of_urdf].concat())] {
        let told = stiction(folder).args(["convert", "all.sdf", output]).output().unwrap();
        assert!(told.status.success(), "{told:?}");
        let told = String::from_utf8_lossy(&told.stderr).into_owned();
        for element in expected {
            let is_told = |line: &str| line.starts_with("warning[not-converted]") && line.contains(element);
            assert!(told.lines().any(is_told), "{output}: {element} in\n{told}");
        }
    }
}
