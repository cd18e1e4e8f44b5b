//! `stiction list`: links, joints, collisions and parameters in force.

use serde_json::{Value, json};

use stiction_formats::commanded::CommandedJointDescription;
use stiction_formats::description::WorldDescription;
use stiction_formats::in_force::masses;
use stiction_formats::render;
use stiction_run::{masses_json, materials_json};

use crate::arguments::ListArguments;
use crate::exit::{Exit, Failure};
use crate::input::{refused, setup_of_engine};
use crate::output::say;

/// Prints what a file holds.
pub fn list(arguments: &ListArguments) -> Result<Exit, Failure> {
    let project = setup_of_engine(&arguments.input, &arguments.engine)?.load()?;
    let Ok(world) = project.description() else {
        eprint!("{}", render(&project.loaded.diagnostics, &project.loaded.sources, false));
        return Ok(Exit::Input);
    };
    let engine = match project.engine() {
        Ok(engine) => engine,
        Err(error) => return refused(error, &project.loaded.sources, false),
    };
    let parameters = project.values(&engine);
    let masses = masses(world);
    let materials = project.materials_in_force();
    if arguments.json {
        let value = json!({
            "links": world.links.iter().map(|l| &l.name).collect::<Vec<_>>(),
            "joints": world.joints.iter().map(|j| &j.name).collect::<Vec<_>>(),
            "commanded_joints": commanded_joints(world),
            "collisions": world.links.iter().flat_map(|l| &l.collisions).map(|c| &c.name).collect::<Vec<_>>(),
            "plugins": world.plugins.iter().map(|p| json!({"name": p.name, "system": p.system})).collect::<Vec<_>>(),
            "sensors": world.sensors.list.iter().map(|s| &s.name).collect::<Vec<_>>(),
            "masses": masses_json(&masses),
            "materials": materials.as_ref().map(materials_json),
            "engine": engine.name(),
            "parameters": parameters.iter()
                .map(|p| json!({"path": p.path, "value": p.value, "unit": p.unit, "origin": p.origin}))
                .collect::<Vec<_>>(),
        });
        say!("{value:#}");
        return Ok(Exit::Done);
    }
    say_parts(world)?;
    say!("masses:");
    for mass in &masses {
        say!("  {}: {}", mass.link, mass.text());
    }
    if let Some(materials) = &materials {
        say!("materials:");
        for finding in materials.findings() {
            say!("  {}", finding.message);
        }
    }
    say!("parameters of the engine {}:", engine.name());
    for p in &parameters {
        let unit = if matches!(p.unit, "" | "1") { String::new() } else { format!(" {}", p.unit) };
        say!("  {} = {}{unit} ({})", p.path, p.value, p.origin);
    }
    Ok(Exit::Done)
}

/// Joints that something outside of the world is to command.
fn commanded_joints(world: &WorldDescription) -> Vec<Value> {
    let one = |c: &CommandedJointDescription| {
        json!({
            "joint": world.joints[c.joint].name,
            "kind": c.kind,
            "holder": c.holder,
            "command_interfaces": c.command_interfaces,
            "state_interfaces": c.state_interfaces,
            "hardware": c.hardware,
            "mechanical_reduction": c.mechanical_reduction.as_ref().map(|r| r.value),
        })
    };
    world.commanded_joints.iter().map(one).collect()
}

/// The names of what the world holds.
fn say_parts(world: &WorldDescription) -> Result<(), Failure> {
    say!("links:");
    for link in &world.links {
        say!("  {}", link.name);
    }
    say!("joints:");
    for joint in &world.joints {
        say!("  {} ({:?})", joint.name, joint.joint_type);
    }
    if !world.commanded_joints.is_empty() {
        say!("commanded joints:");
        for commanded in &world.commanded_joints {
            say!("  {}: {}", world.joints[commanded.joint].name, commanded.text());
        }
    }
    say!("collisions:");
    for collision in world.links.iter().flat_map(|l| &l.collisions) {
        say!("  {}", collision.name);
    }
    if !world.plugins.is_empty() {
        say!("effective plugins:");
        for plugin in &world.plugins {
            say!("  {} ({})", plugin.name, plugin.system);
        }
    }
    if !world.sensors.list.is_empty() {
        say!("sensors:");
        for sensor in &world.sensors.list {
            say!("  {}", sensor.name);
        }
    }
    Ok(())
}
