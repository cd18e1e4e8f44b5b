//! What `list` and `explain` print is what acts: a value that is set to what is printed changes no bit of the motion.
#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::BTreeMap;

use stiction_run::Setup;
use stiction_testing::shared;

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

fn judge(file: &str, engines: &[&str]) -> Vec<String> {
    let mut wrong = Vec::new();
    for engine in engines {
        let setup = || Setup::new(file).engine(*engine);
        let Ok(expected) = hash(setup()) else { continue };
        for (path, value) in printed(setup()).into_iter().filter(|(_, value)| value != "unset") {
            match hash(setup().set(&path, &value)) {
                Ok(found) if found == expected => {}
                Ok(_) => wrong.push(format!("{file}, {engine}: {path} = {value} is printed, and another value acts")),
                Err(error) => {
                    wrong.push(format!("{file}, {engine}: {path} = {value} is printed, and refused: {error}"))
                }
            }
        }
    }
    wrong
}

#[test]
fn values_that_are_printed_are_those_that_act() {
    let mut files: Vec<String> = stiction_formats::BUNDLED_WORLDS.iter().map(|world| world.name.to_owned()).collect();
    let folder = shared("reports");
    for entry in folder.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap()) {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "sdf" || e == "world" || e == "urdf" || e == "body") {
            files.push(path.to_str().unwrap().to_owned());
        }
    }
    files.sort();
    let most = std::env::var("PRINTED").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    let judged = |file: &String| {
        let wrong = judge(file, &ENGINES);
        wrong.iter().for_each(|line| println!("{line}"));
        wrong
    };
    let wrong: Vec<String> = files.iter().take(most).flat_map(judged).collect();
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
                Some((outer, leaf)) => format!("<physics><ode><{outer}><{leaf}>{value}</{leaf}></{outer}></ode></physics>"),
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
                if of_joints(&path) && value != "unset" && hash(setup().engine(engine).set(&path, &value)) != Ok(expected) {
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
