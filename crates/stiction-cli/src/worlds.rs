//! `stiction worlds`: the bundled worlds.

use crate::exit::{Exit, Failure};

/// Name and text of each bundled world.
pub const WORLDS: &[(&str, &str)] = &[
    ("double_pendulum.world", include_str!("../../../worlds/double_pendulum.world")),
    ("friction_cone.world", include_str!("../../../worlds/friction_cone.world")),
    ("friction_pyramid.world", include_str!("../../../worlds/friction_pyramid.world")),
    ("tower.world", include_str!("../../../worlds/tower.world")),
];

/// Prints name and first comment of each.
pub fn worlds() -> Result<Exit, Failure> {
    for (name, text) in WORLDS {
        let about = text.split_once("<!--").and_then(|(_, rest)| rest.split_once("-->")).map_or("", |(about, _)| about);
        println!("worlds/{name}: {}", about.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    Ok(Exit::Done)
}
