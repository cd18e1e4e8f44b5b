//! Which penetration is left alone: Gazebo's tutorial, in which `contact_surface_layer` truncates `min_depth` where a file
//! gives it.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;

use common::load_text;
use proptest::prelude::*;
use stiction_formats::diagnostic::Severity;
use stiction_formats::simulation::{simulate, world_parameters};
use stiction_formats::{LoadOptions, Loaded};

fn spheres(layer: Option<f64>, depths: [Option<f64>; 2], distance: f64) -> Loaded {
    let layer = layer.map_or(String::new(), |l| {
        format!("<ode><constraints><contact_surface_layer>{l}</contact_surface_layer></constraints></ode>")
    });
    let ball = |name: &str, fixed: bool, z: f64, depth: Option<f64>| {
        let depth = depth.map_or(String::new(), |d| {
            format!("<surface><contact><ode><min_depth>{d}</min_depth><max_vel>0</max_vel></ode></contact></surface>")
        });
        format!(
            r#"<model name="{name}"><static>{fixed}</static><pose>0 0 {z} 0 0 0</pose><link name="l"><collision name="c"><geometry><sphere><radius>0.5</radius></sphere></geometry>{depth}</collision></link></model>"#
        )
    };
    let text = format!(
        "<sdf version=\"1.6\"><world name=\"w\"><physics type=\"ode\">{layer}</physics>{}{}</world></sdf>",
        ball("low", true, 0.0, depths[0]),
        ball("high", false, distance, depths[1])
    );
    load_text(&text, &LoadOptions { no_ground: true, ..LoadOptions::default() })
}

/// Depth at which the upper sphere rests.
fn rest(loaded: &Loaded) -> f64 {
    let description = loaded.world.as_ref().unwrap();
    let mut simulation = simulate(description, world_parameters(description)).unwrap();
    for _ in 0..1000 {
        simulation.world.step(0.001);
    }
    1.0 - simulation.link_pose(&simulation.links[1]).position.z
}

fn truncations(loaded: &Loaded) -> usize {
    let is_one = |d: &&stiction_formats::diagnostic::Diagnostic| d.code == "truncated-min-depth";
    loaded.diagnostics.iter().filter(is_one).inspect(|d| assert_eq!(d.severity, Severity::Warning)).count()
}

#[test]
fn the_tutorials_third_case_rests_at_half_a_metre() {
    let third = spheres(None, [Some(0.5), Some(0.5)], 0.3);
    assert!((rest(&third) - 0.5).abs() < 1e-6, "{}", rest(&third));
    assert_eq!(truncations(&third), 0);
    let second = spheres(None, [Some(0.0), Some(0.0)], 0.3);
    assert!(rest(&second).abs() < 1e-6, "{}", rest(&second));
}

#[test]
fn a_layer_of_the_file_truncates_and_says_so() {
    // The tutorial's formula: min(min(0.001, 0.01), 0.0001).
    let example = spheres(Some(0.0001), [Some(0.001), Some(0.01)], 0.98);
    assert!((rest(&example) - 0.0001).abs() < 1e-7, "{}", rest(&example));
    assert_eq!(truncations(&example), 1);
    assert_eq!(truncations(&spheres(Some(0.01), [Some(0.001), Some(0.01)], 0.98)), 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_pair_rests_at_the_documented_depth(
        layer in prop::option::of(0.0..0.02_f64),
        low in prop::option::of(0.0..0.02_f64),
        high in prop::option::of(0.0..0.02_f64),
    ) {
        let loaded = spheres(layer, [low, high], 0.97);
        // A default of the sphere that does not move does not count.
        let pair = low.unwrap_or(f64::INFINITY).min(high.unwrap_or(0.0));
        let expected = pair.min(layer.unwrap_or(f64::INFINITY));
        let found = rest(&loaded);
        prop_assert!((found - expected).abs() < 1e-6, "{} instead of {}", found, expected);
        let is_told = [low, high].iter().flatten().any(|d| *d > layer.unwrap_or(f64::INFINITY));
        prop_assert_eq!(truncations(&loaded) > 0, is_told);
    }
}
