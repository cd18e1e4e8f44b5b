//! `stiction list`: links, joints, collisions and parameter paths.

use serde_json::json;

use stiction_formats::render;

use crate::arguments::ListArguments;
use crate::exit::{Exit, Failure};
use crate::load::{load, split_settings};
use crate::output::say;

/// Prints what a file holds.
pub fn list(arguments: &ListArguments) -> Result<Exit, Failure> {
    let (overrides, _) = split_settings(&arguments.input.set)?;
    let loaded = load(&arguments.input, overrides)?;
    let Some(world) = loaded.world.as_ref().filter(|_| !loaded.blocking()) else {
        eprint!("{}", render(&loaded.diagnostics, &loaded.sources, false));
        return Ok(Exit::Input);
    };
    let engine: Vec<_> = stiction::parameter::all().filter(|p| p.scope == stiction::parameter::Scope::Engine).collect();
    if arguments.json {
        let value = json!({
            "links": world.links.iter().map(|l| &l.name).collect::<Vec<_>>(),
            "joints": world.joints.iter().map(|j| &j.name).collect::<Vec<_>>(),
            "collisions": world.links.iter().flat_map(|l| &l.collisions).map(|c| &c.name).collect::<Vec<_>>(),
            "parameters": loaded.parameter_paths.iter()
                .map(|p| json!({"path": p.path, "value": p.value, "unit": p.unit}))
                .chain(engine.iter().map(|p| json!({"path": p.path, "value": p.default, "unit": p.unit})))
                .collect::<Vec<_>>(),
        });
        say!("{value:#}");
        return Ok(Exit::Done);
    }
    say!("links:");
    for link in &world.links {
        say!("  {}", link.name);
    }
    say!("joints:");
    for joint in &world.joints {
        say!("  {} ({:?})", joint.name, joint.joint_type);
    }
    say!("collisions:");
    for collision in world.links.iter().flat_map(|l| &l.collisions) {
        say!("  {}", collision.name);
    }
    say!("parameters:");
    for p in &loaded.parameter_paths {
        say!("  {} = {} {}", p.path, p.value, p.unit);
    }
    for p in &engine {
        say!("  {} = {} {}", p.path, p.default, p.unit);
    }
    Ok(Exit::Done)
}
