//! What `list` and `explain` print is what acts: a value that is set to what is printed changes no bit of the motion.
#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::BTreeMap;

use stiction_formats::usage::{self, How};
use stiction_run::Setup;
use stiction_testing::{cases, shared};

use crate::common::ENGINES;
use crate::plugins::random::Random;

const STEPS: usize = 40;

/// The state after some steps, or why there is none.
fn hash(setup: Setup) -> Result<u64, String> {
    let mut run = setup.start().map_err(|error| error.to_string())?;
    for _ in 0..STEPS {
        run.step().map_err(|error| error.to_string())?;
    }
    Ok(run.simulation().state_hash())
}

/// One path of each parameter of a file, with the values that are printed for it.
fn printed(setup: Setup) -> Vec<(String, String)> {
    let Ok(project) = setup.load() else { return Vec::new() };
    let Ok(engine) = project.engine() else { return Vec::new() };
    let mut of_key = BTreeMap::new();
    for (index, value) in project.values(&engine).into_iter().enumerate() {
        let key = project.loaded.parameter_paths.get(index).map_or(value.path.clone(), |path| path.key.clone());
        of_key.entry((key, value.value.clone())).or_insert((value.path, value.value));
    }
    of_key.into_values().collect()
}

fn is_ignored(path: &str, engine: &str) -> bool {
    let leaf = usage::leaves().iter().find(|leaf| path.ends_with(&leaf.path()) && leaf.path().contains('.'));
    leaf.and_then(|leaf| usage::of(leaf, engine)).is_some_and(|usage| usage.how == How::Ignored)
}

fn judge(file: &str, engines: &[&str]) -> Vec<String> {
    let mut wrong = Vec::new();
    for engine in engines {
        let setup = || Setup::new(file).engine(*engine);
        let Ok(expected) = hash(setup()) else { continue };
        for (path, value) in printed(setup()).into_iter().filter(|(_, value)| value != "unset") {
            match hash(setup().set(&path, &value)) {
                Ok(found) if found == expected => {}
                // What the engine has of its own is no value of the file's element.
                Err(_) if is_ignored(&path, engine) => {}
                Ok(_) => wrong.push(format!("{file}, {engine}: {path} = {value} is printed, and another value acts")),
                Err(error) => {
                    wrong.push(format!("{file}, {engine}: {path} = {value} is printed, and refused: {error}"))
                }
            }
        }
    }
    wrong
}

/// Joints of several kinds with springs, friction and stops that they reach, a wheel on a rough ground, a ball that bounces.
const SCENE: &str = r#"<sdf version="1.9"><world name="w"><physics type="ode"><max_step_size>0.002</max_step_size></physics>
<model name="ground"><static>true</static><link name="l"><collision name="c"><geometry><plane/></geometry></collision></link></model>
<model name="ball"><pose>2 0 0.11 0 0 0</pose><link name="l"><inertial><mass>1</mass><inertia><ixx>0.004</ixx><iyy>0.004</iyy><izz>0.004</izz></inertia></inertial>
<collision name="c"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link>
<plugin name="v" filename="libInitialVelocityPlugin.so"><linear>1 0 0</linear><angular>0 0 5</angular></plugin></model>
<model name="arm"><pose>0 0 1 0 0 0</pose>
<link name="a"><pose>0.2 0 0 0 0 0</pose><inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial></link>
<link name="b"><pose>0.6 0 0 0 0 0</pose><inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
<collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision></link>
<joint name="shoulder" type="revolute"><pose>-0.2 0 0 0 0 0</pose><parent>world</parent><child>a</child><axis><xyz>0 1 0</xyz><limit><lower>-0.02</lower><upper>0.02</upper></limit></axis></joint>
<joint name="slide" type="prismatic"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz><limit><lower>-0.01</lower><upper>0.01</upper></limit></axis></joint>
<plugin name="p" filename="gz-sim-joint-position-controller-system"><joint_name>shoulder</joint_name><initial_position>0.5</initial_position><p_gain>100</p_gain></plugin></model></world></sdf>"#;

#[test]
fn values_that_are_printed_are_those_that_act() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("scene.sdf");
    std::fs::write(&scene, SCENE).unwrap();
    let mut files: Vec<String> = stiction_formats::BUNDLED_WORLDS.iter().map(|world| world.name.to_owned()).collect();
    let reports = shared("reports");
    for entry in reports.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap()) {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "sdf" || e == "world" || e == "urdf" || e == "body") {
            files.push(path.to_str().unwrap().to_owned());
        }
    }
    files.sort();
    files.truncate(cases(1, files.len()));
    files.insert(0, scene.to_str().unwrap().to_owned());
    let wrong: Vec<String> = files.iter().flat_map(|file| judge(file, &ENGINES)).collect();
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// A chain of joints of every type that start at their stops, in a world with values of its own that joints inherit; half of the
/// joints have values of their own.
fn chain(r: &mut Random) -> String {
    let types = ["revolute", "prismatic", "continuous", "universal", "ball", "screw", "revolute2", "fixed"];
    let mut text = format!(
        "<sdf version='1.9'><world name='w'><physics type='ode'><ode><constraints><cfm>{}</cfm><erp>{}</erp></constraints></ode>\
         <bullet><constraints><cfm>{}</cfm><erp>{}</erp></constraints></bullet></physics><model name='m'><link name='l0'/>\
         <joint name='base' type='fixed'><parent>world</parent><child>l0</child></joint>",
        r.within(0.0, 1e-3),
        r.within(0.05, 0.9),
        r.within(0.0, 1e-3),
        r.within(0.05, 0.9)
    );
    for n in 1..=5 {
        let kind = types[(r.next() * types.len() as f64) as usize % types.len()];
        let mut inner = String::new();
        let limit = if matches!(kind, "revolute" | "prismatic" | "universal" | "revolute2") {
            "<limit><lower>-1e-4</lower><upper>1e-4</upper></limit>"
        } else {
            ""
        };
        let friction = r.within(0.0, 0.1);
        let axis = |xyz: &str| format!("<xyz>{xyz}</xyz>{limit}<dynamics><friction>{friction}</friction></dynamics>");
        if !matches!(kind, "ball" | "fixed") {
            inner += &format!("<axis>{}</axis>", axis("0.6 0 0.8"));
        }
        if matches!(kind, "universal" | "revolute2") {
            inner += &format!("<axis2>{}</axis2>", axis("0 1 0"));
        }
        if kind == "screw" {
            let name = if r.next() < 0.5 { "thread_pitch" } else { "screw_thread_pitch" };
            inner += &format!("<{name}>{}</{name}>", r.within(0.5, 20.0));
        }
        if r.next() < 0.5 {
            let names = ["limit/erp", "limit/cfm", "erp", "cfm", "fudge_factor", "cfm_damping"];
            let (name, value) = (names[(r.next() * 6.0) as usize % 6], r.within(0.01, 0.9));
            let value = if name == "cfm_damping" { "true".to_owned() } else { value.to_string() };
            inner += &match name.split_once('/') {
                Some((outer, leaf)) => {
                    format!("<physics><ode><{outer}><{leaf}>{value}</{leaf}></{outer}></ode></physics>")
                }
                None => format!("<physics><ode><{name}>{value}</{name}></ode></physics>"),
            };
        }
        text += &format!(
            "<link name='l{n}'><pose>0.3 0 0 0 0 0</pose></link><joint name='j{n}' type='{kind}'><parent>l{}</parent><child>l{n}</child>\
             {inner}</joint>",
            n - 1
        );
    }
    text + "</model></world></sdf>"
}

#[test]
fn values_that_joints_inherit_are_printed_as_they_act() {
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for case in 0..stiction_testing::cases(1, 40) {
        let path = folder.path().join("chain.sdf");
        std::fs::write(&path, chain(&mut Random(case as u64 * 7 + 1))).unwrap();
        let setup = || Setup::new(path.to_str().unwrap());
        for engine in ENGINES {
            let expected = hash(setup().engine(engine)).unwrap();
            let project = setup().engine(engine).load().unwrap();
            let of_joints = |path: &str| path.contains(".joint.") || path.starts_with("physics.ode.solver.type");
            for value in project.values(&project.engine().unwrap()) {
                let (path, value) = (value.path, value.value);
                if of_joints(&path)
                    && value != "unset"
                    && hash(setup().engine(engine).set(&path, &value)) != Ok(expected)
                {
                    wrong.push(format!("case {case}, {engine}: {path} = {value} is printed, and another value acts"));
                }
            }
        }
        // The engine of the file, whose solver has no type.
        let expected = hash(setup()).unwrap();
        let project = setup().load().unwrap();
        for value in project.values(&project.engine().unwrap()).iter().filter(|v| v.path == "physics.ode.solver.type") {
            if value.value != "unset" && hash(setup().set(&value.path, &value.value)) != Ok(expected) {
                wrong.push(format!("case {case}: {} = {}", value.path, value.value));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn words_have_no_unit() {
    let project = Setup::new("tower").load().unwrap();
    for value in project.values(&project.engine().unwrap()) {
        let is_word = value.value.starts_with(|c: char| c.is_ascii_alphabetic()) && value.value != "inf";
        assert!(!is_word || matches!(value.unit, "" | "1"), "{} = {} {}", value.path, value.value, value.unit);
    }
}
