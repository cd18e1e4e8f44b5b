//! Plugins and sensors of worlds, judged by closed forms that are written here, and not by the code that acts.
#![allow(missing_docs, clippy::unwrap_used)]

mod added_mass;
mod by_engine;
mod continued;
mod drives;
mod faults;
mod flight;
mod fluids;
mod follow;
mod holding;
mod masses;
pub mod random;
mod sensors;
mod servos;
mod statics;

use stiction::math::{DVec3, Pose};
use stiction_formats::simulation::SensorValue;
use stiction_run::{CommandRequest, Run, Setup};

/// A file name and a name of gz-sim's system.
pub fn sim(file: &str, name: &str, inner: &str) -> String {
    format!(r#"<plugin filename="gz-sim-{file}-system" name="gz::sim::systems::{name}">{inner}</plugin>"#)
}

/// A world of 1 ms steps with a ground that grips, and gravity of 9.8 m/s² down.
pub fn ground() -> &'static str {
    r#"<model name="ground"><static>true</static><link name="l"><collision name="c"><geometry><plane/></geometry>
<surface><friction><ode><mu>1</mu><mu2>1</mu2></ode></friction></surface></collision></link></model>"#
}

pub fn world(gravity: &str, inner: &str) -> String {
    format!(
        r#"<sdf version="1.9"><world name="w"><gravity>{gravity}</gravity><physics type="ode"><max_step_size>0.001</max_step_size></physics>
{inner}</world></sdf>"#
    )
}

pub fn setup(text: &str, commands: &[&str]) -> Setup {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.keep().join("test.sdf");
    std::fs::write(&path, text).unwrap();
    let mut setup = Setup::new(path);
    setup.commands = commands.iter().flat_map(|c| CommandRequest::parse(c).unwrap()).collect();
    setup
}

pub fn start(text: &str, commands: &[&str]) -> Run {
    setup(text, commands).start().unwrap_or_else(|error| panic!("{error}"))
}

pub fn pose(run: &Run, link: &str) -> Pose {
    let simulation = run.simulation();
    simulation.link_pose(simulation.link(link).unwrap())
}

pub fn velocity(run: &Run, link: &str) -> (DVec3, DVec3) {
    let simulation = run.simulation();
    simulation.link_velocity(simulation.link(link).unwrap())
}

pub fn reading(run: &Run, name: &str) -> (f64, SensorValue) {
    let all: Vec<&str> = run.simulation().readings().map(|r| r.name).collect();
    let found = run.simulation().readings().find(|r| r.name == name);
    found.map(|r| (r.time, r.value.clone())).unwrap_or_else(|| panic!("no reading `{name}` among {all:?}"))
}

pub fn events(run: &Run) -> Vec<String> {
    let summary = run.summary(0.0).json();
    let list = summary["events"].as_array().cloned().unwrap_or_default();
    list.iter().map(|e| format!("{:.3} {}", e["time"].as_f64().unwrap(), e["event"].as_str().unwrap())).collect()
}

/// Share of the energy in play that the steps made, and that there is no other doubt than elements without effect.
pub fn is_sound(run: &Run) {
    let summary = run.summary(0.0).json();
    let share = summary["energy"]["made"]["share"].as_f64().or(summary["energy_balance"]["made"]["share"].as_f64());
    assert!(run.failure().is_none(), "{:?}", run.failure());
    assert!(share.unwrap_or(0.0) < 0.02, "{share:?}");
}

pub fn near(found: f64, expected: f64, slack: f64, what: &str) {
    assert!((found - expected).abs() <= slack, "{what}: {found}, expected {expected} ± {slack}");
}
