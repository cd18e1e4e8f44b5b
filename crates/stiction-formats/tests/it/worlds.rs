//! Real worlds load for a run, without any switch.
#![allow(missing_docs)]

use crate::common;

use common::{files_below, load_file, shared};
use stiction::math::DVec3;
use stiction_formats::one_line;

/// Worlds that do not load, and why.
const EXCEPTIONS: [(&str, &str); 0] = [];

#[test]
fn every_shared_world_loads() {
    let Some(shared) = shared() else { return };
    let mut failures = Vec::new();
    for folder in ["gazebo-classic", "gz-sim", "benchmark"] {
        for path in files_below(&shared.join("worlds").join(folder)) {
            let name = path.strip_prefix(&shared).expect("below").display().to_string();
            if !matches!(path.extension().and_then(|e| e.to_str()), Some("sdf" | "world")) {
                continue;
            }
            let loaded = load_file(&path, &[shared.join("models")]);
            let blocking: Vec<String> = loaded.diagnostics.iter().filter(|d| d.blocks_run).map(one_line).collect();
            let is_exception = EXCEPTIONS.iter().any(|(n, _)| name.ends_with(n));
            if loaded.world.is_none() != is_exception {
                failures.push(format!("{name}: {blocking:#?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn friction_pyramid_holds_what_its_file_says() {
    let Some(shared) = shared() else { return };
    let path = shared.join("worlds/gazebo-classic/worlds/friction_pyramid.world");
    let world = load_file(&path, &[shared.join("models")]).world.expect("a world");
    let boxes: Vec<_> = world.links.iter().filter(|l| !world.models[l.model].is_static).collect();
    assert_eq!(boxes.len(), 32);
    assert_eq!(world.physics.ode.iters.value, 50);
    for link in boxes {
        assert_eq!(link.collisions[0].surface.mu.value, 0.3);
        assert_eq!(link.inertial.mass.value, 1.0);
        let velocity = std::iter::successors(Some(link.model), |m| world.models[*m].parent)
            .find_map(|m| world.models[m].initial_velocity)
            .and_then(|v| v.0)
            .expect("an initial velocity");
        let outwards = DVec3::new(link.pose.position.x, link.pose.position.y, 0.0);
        assert!((velocity - outwards).length() < 1e-3, "{}: {velocity} at {outwards}", link.name);
    }
}

#[test]
fn friction_demo_holds_what_its_file_says() {
    let Some(shared) = shared() else { return };
    let path = shared.join("worlds/gazebo-classic/worlds/friction_demo.world");
    let world = load_file(&path, &[shared.join("models")]).world.expect("a world");
    assert_eq!(world.gravity.value, DVec3::new(0.0, -1.0, -1.0));
    let mut mu: Vec<f64> = world
        .links
        .iter()
        .filter(|l| !world.models[l.model].is_static)
        .map(|l| l.collisions[0].surface.mu.value)
        .collect();
    mu.sort_by(f64::total_cmp);
    assert_eq!(mu, [0.998, 0.9985, 0.999, 0.9995, 1.0, 1.01]);
}
