//! `stiction list`: links, joints, collisions and parameter paths.

use serde_json::json;

use stiction_formats::render;

use crate::arguments::ListArguments;
use crate::exit::{Exit, Failure};
use crate::load::{load, split_settings};

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
        println!("{value:#}");
        return Ok(Exit::Done);
    }
    println!("links:");
    world.links.iter().for_each(|l| println!("  {}", l.name));
    println!("joints:");
    world.joints.iter().for_each(|j| println!("  {} ({:?})", j.name, j.joint_type));
    println!("collisions:");
    world.links.iter().flat_map(|l| &l.collisions).for_each(|c| println!("  {}", c.name));
    println!("parameters:");
    loaded.parameter_paths.iter().for_each(|p| println!("  {} = {} {}", p.path, p.value, p.unit));
    engine.iter().for_each(|p| println!("  {} = {} {}", p.path, p.default, p.unit));
    Ok(Exit::Done)
}
