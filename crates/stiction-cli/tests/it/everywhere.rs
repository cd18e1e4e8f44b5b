//! What the command says of itself and of its worlds, in any folder.

#![allow(clippy::unwrap_used)]

use crate::common;

use std::fs;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

/// Runs the command in an empty folder.
fn stiction(folder: &TempDir, arguments: &[&str]) -> Output {
    common::stiction(folder.path()).args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&text(output)).unwrap()
}

#[test]
fn every_bundled_world_runs_is_listed_and_checked_in_any_folder() {
    let folder = tempfile::tempdir().unwrap();
    let worlds = text(&stiction(&folder, &["worlds"]));
    let names: Vec<&str> = worlds.lines().filter_map(|l| l.split_once(": ")).map(|(name, _)| name).collect();
    assert!(names.len() >= 10 && names.contains(&"tower"), "{names:?}");
    for name in names {
        let of =
            |path: &str| json(&stiction(&folder, &["run", path, "--steps", "3", "--json", "-q"]))["state_hash"].clone();
        assert_eq!(of(name), of(&format!("worlds/{name}.world")));
        assert!(text(&stiction(&folder, &["check", name])).contains(&format!("{name}: ok")));
        assert!(text(&stiction(&folder, &["list", name])).contains("links:\n"));
    }
    // A file of that name comes first, and a name that is near is suggested.
    fs::write(folder.path().join("tower"), "<sdf version='1.9'><world name='mine'/></sdf>").unwrap();
    assert!(text(&stiction(&folder, &["run", "tower", "--steps", "1"])).starts_with("mine:"));
    let output = stiction(&folder, &["run", "towr"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean `tower`"));
}

#[test]
fn values_in_force_have_their_origin() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--engine", "ode-quick", "--step-size", "0.002", "--set", "contact.margin=0.002"];
    let listed = json(&stiction(&folder, &[&["list", "tower", "--json"][..], &options].concat()));
    let run = json(&stiction(&folder, &[&["run", "tower", "--json", "--steps", "1"][..], &options].concat()));
    for (path, value, origin) in [
        ("physics.max_step_size", "0.002", "--step-size"),
        ("physics.ode.solver.type", "quick", "preset ode-quick"),
        ("contact.margin", "0.002", "--set"),
        ("gravity", "0 0 -9.8", "default"),
    ] {
        let entry = listed["parameters"].as_array().unwrap().iter().find(|p| p["path"] == path).unwrap().clone();
        for found in [&entry, &run["parameters"][path]] {
            assert_eq!((found["value"].as_str(), found["origin"].as_str()), (Some(value), Some(origin)), "{path}");
        }
    }
    assert_eq!(run["step_size"], 0.002);
    let plain = text(&stiction(&folder, &["list", "tower", "--engine", "drake-discrete"]));
    assert!(plain.contains("gravity = 0 0 -9.8 m/s² (default)"), "{plain}");
    let output = stiction(&folder, &["list", "tower", "--engine", "havok"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn help_lists_what_works() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in
        [&["--help"][..], &["help"], &["run", "--help"], &["run", "-h"], &["list", "--help"], &["check", "-h"]]
    {
        let help = text(&stiction(&folder, arguments));
        for word in ["not implemented", "sweep", "replay"] {
            assert!(!help.contains(word), "{arguments:?} has {word}");
        }
    }
    let help = text(&stiction(&folder, &["run", "--help"]));
    assert!(["--force", "--final-state", "--engine", "--plot-of"].iter().all(|option| help.contains(option)));
}

#[test]
fn an_unknown_link_of_a_force_names_those_that_are_near_or_all() {
    let folder = tempfile::tempdir().unwrap();
    let said = |link: &str| {
        let force = format!("{link}=1,0,0");
        let output = stiction(&folder, &["run", "friction_pyramid", "--steps", "1", "--force", &force]);
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(said("box_3::lnk").contains("did you mean `box_3::link`"), "{}", said("box_3::lnk"));
    // A model alone means its links.
    assert!(said("box_17").contains("`box_17::link`"), "{}", said("box_17"));
    let all = said("nothing like that");
    assert!((0..32).all(|k| all.contains(&format!("`box_{k}::link`"))), "{all}");
}

#[test]
fn times_are_multiples_of_the_step() {
    let folder = tempfile::tempdir().unwrap();
    let run = ["run", "double_pendulum", "--steps", "120", "--step-size", "0.001", "--json", "-q", "--record", "out"];
    let summary = json(&stiction(&folder, &[&run[..], &["--final-state", "end.json"]].concat()));
    assert_eq!(summary["sim_time"].to_string(), "0.12");
    let end: Value = serde_json::from_str(&fs::read_to_string(folder.path().join("end.json")).unwrap()).unwrap();
    assert_eq!(end["time"].to_string(), "0.12");
    for file in ["links.csv", "joints.csv"] {
        let table = fs::read_to_string(folder.path().join("out").join(file)).unwrap();
        let longest = table.lines().skip(1).map(|l| l.split(',').next().unwrap().len()).max();
        assert_eq!(longest, Some("0.119".len()), "{file}");
    }
}

#[test]
fn a_run_in_two_parts_ends_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let hash = |arguments: &[&str]| {
        let run = ["run", "tower", "--json", "-q", "--force", "box_11::link=30,0,0@1..1.5"];
        json(&stiction(&folder, &[&run[..], arguments].concat()))["state_hash"].clone()
    };
    let whole = hash(&["--steps", "240"]);
    let half = hash(&["--steps", "120", "--final-state", "half.json"]);
    assert_ne!(whole, half);
    assert_eq!(hash(&["--steps", "120", "--initial-state", "half.json"]), whole);
}
