//! What an engine refuses of a file is told with file, line and element, by `check` and `run` alike.
#![allow(clippy::unwrap_used)]

use crate::common;

use std::fs;
use std::path::Path;

use serde_json::Value;

/// A pendulum on line 3, physics on line 2.
fn world(physics: &str, joint: &str) -> String {
    format!(
        "<sdf version=\"1.9\"><world name=\"w\">\n<physics type=\"ode\">{physics}</physics>\n<model name=\"m\"><link name=\"l\"/>\
         <joint name=\"j\" type=\"universal\"><parent>world</parent><child>l</child>{joint}</joint></model>\n</world></sdf>"
    )
}

const AXES: &str = "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>";

/// The line of every error of `check --json`, and what `run` says.
fn refused(text: &str, engine: &str) -> (Vec<Value>, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("refused.world");
    fs::write(&path, text).unwrap();
    let command = || common::stiction(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    let checked = command().args(["check", "--json", "--engine", engine]).arg(&path).output().unwrap();
    assert_eq!(checked.status.code(), Some(1), "{text}");
    let findings: Value = serde_json::from_slice(&checked.stdout).unwrap();
    let errors = findings.as_array().unwrap().iter().filter(|d| d["severity"] == "error").cloned().collect();
    let run = command().args(["run", "--duration", "0.01", "--engine", engine]).arg(&path).output().unwrap();
    assert_eq!(run.status.code(), Some(1), "{text}");
    (errors, String::from_utf8_lossy(&run.stderr).into_owned())
}

#[test]
fn parameters_that_an_engine_refuses_have_a_line() {
    let solver = |block: &str, sor: &str| format!("<{block}><solver><sor>{sor}</sor></solver></{block}>");
    let constraint = |block: &str, name: &str, value: &str| {
        format!("<{block}><constraints><{name}>{value}</{name}></constraints></{block}>")
    };
    let mut cases = Vec::new();
    for (engine, block) in [("ode-quick", "ode"), ("ode-world", "ode"), ("bullet", "bullet")] {
        for sor in ["2", "0", "1e300"] {
            cases.push((engine, "sor", solver(block, sor)));
        }
        for (name, value) in [("cfm", "-1"), ("erp", "1.5"), ("contact_surface_layer", "-1")] {
            cases.push((engine, name, constraint(block, name, value)));
        }
    }
    cases.push(("ode-quick", "contact_max_correcting_vel", constraint("ode", "contact_max_correcting_vel", "-1")));
    cases.push(("simbody", "accuracy", "<simbody><accuracy>0</accuracy></simbody>".to_owned()));
    for (engine, name, physics) in cases {
        let (errors, run) = refused(&world(&physics, AXES), engine);
        let [error] = &errors[..] else { panic!("{physics}: {errors:#?}") };
        assert_eq!((&error["line"], &error["code"]), (&2.into(), &"out-of-range".into()), "{error:#}");
        assert!(error["message"].as_str().unwrap().contains(&format!("<{name}>")), "{error:#}");
        assert!(error["found"].as_str().unwrap().starts_with("expected"), "{error:#}");
        assert!(run.contains("error[out-of-range]") && run.contains("refused.world:2:"), "{run}");
        assert!(run.lines().all(|line| line.len() < 250), "{run}");
    }
}

#[test]
fn joints_that_no_engine_can_make_have_a_line() {
    let dynamics =
        |name: &str| AXES.replacen("</axis>", &format!("<dynamics><{name}>-1</{name}></dynamics></axis>"), 1);
    let ode = |name: &str, value: &str| format!("{AXES}<physics><ode><{name}>{value}</{name}></ode></physics>");
    let parallel = AXES.replace("0 1 0", "1 0 0");
    let joints =
        [dynamics("spring_stiffness"), dynamics("friction"), ode("max_force", "-1"), ode("bounce", "2"), parallel];
    for joint in joints {
        for engine in ["ode-quick", "simbody", "agx"] {
            let (errors, run) = refused(&world("", &joint), engine);
            assert_eq!(errors.len(), 1, "{joint}: {errors:#?}");
            assert_eq!(errors[0]["line"], 3, "{errors:#?}");
            assert!(run.contains("refused.world:3:"), "{run}");
        }
    }
}

#[test]
fn a_block_that_is_not_in_force_is_told_and_does_not_stop() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.world");
    fs::write(&path, world("<bullet><solver><sor>2</sor></solver></bullet>", AXES)).unwrap();
    let command = || common::stiction(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    let checked = command().arg("check").arg(&path).output().unwrap();
    assert!(String::from_utf8_lossy(&checked.stdout).contains(":2:"), "{checked:?}");
    assert_eq!(checked.status.code(), Some(1));
    assert!(command().args(["run", "--duration", "0.01"]).arg(&path).output().unwrap().status.success());
}
