//! `stiction worlds`: the bundled worlds.

use crate::exit::{Exit, Failure};
use crate::output::say;

/// Name and text of each bundled world.
pub const WORLDS: &[(&str, &str)] = &[
    ("beam_three_supports.world", include_str!("../../../worlds/beam_three_supports.world")),
    ("double_pendulum.world", include_str!("../../../worlds/double_pendulum.world")),
    ("friction_cone.world", include_str!("../../../worlds/friction_cone.world")),
    ("friction_pyramid.world", include_str!("../../../worlds/friction_pyramid.world")),
    ("incline_block.world", include_str!("../../../worlds/incline_block.world")),
    ("incline_block_spheres.world", include_str!("../../../worlds/incline_block_spheres.world")),
    ("incline_sphere.world", include_str!("../../../worlds/incline_sphere.world")),
    ("painleve_rod.world", include_str!("../../../worlds/painleve_rod.world")),
    ("rolling_sphere.world", include_str!("../../../worlds/rolling_sphere.world")),
    ("tower.world", include_str!("../../../worlds/tower.world")),
];

/// Prints name and first comment of each.
pub fn worlds() -> Result<Exit, Failure> {
    for (name, text) in WORLDS {
        let about = text.split_once("<!--").and_then(|(_, rest)| rest.split_once("-->")).map_or("", |(about, _)| about);
        say!("worlds/{name}: {}", about.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    Ok(Exit::Done)
}
