//! Which penetration is left alone: Gazebo's tutorial, in which `contact_surface_layer` truncates `min_depth` where a file
//! gives it.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;

use common::load_text;
use proptest::prelude::*;
use stiction::world::Preset;
use stiction_formats::diagnostic::Severity;
use stiction_formats::simulation::{engine_parameters, simulate, world_parameters};
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

fn on_bullets_layer(layer: f64, shape: &str, height: f64) -> Loaded {
    let physics = format!(
        "<physics type='bullet'><bullet><constraints><contact_surface_layer>{layer}</contact_surface_layer></constraints></bullet></physics>"
    );
    let body = format!(
        "<model name='body'><pose>0 0 {height} 0 0 0</pose><link name='l'><collision name='c'><geometry>{shape}</geometry></collision></link></model>"
    );
    let ground = "<model name='ground'><static>1</static><link name='l'><collision name='c'><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>";
    load_text(
        &format!("<sdf version='1.6'><world name='w'>{physics}{ground}{body}</world></sdf>"),
        &LoadOptions::default(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Bullet adds its layer to the distance (`m_linearSlop`): what lands sinks in as far, what starts deeper rises to it.
    #[test]
    fn under_bullet_everything_rests_at_the_layer(
        layer in 0.0..0.02_f64,
        height in 0.47..0.6_f64,
        shape in prop::sample::select(vec![
            "<sphere><radius>0.5</radius></sphere>",
            "<box><size>1 1 1</size></box>",
            "<cylinder><radius>0.5</radius><length>1</length></cylinder>",
        ]),
    ) {
        let loaded = on_bullets_layer(layer, shape, height);
        let description = loaded.world.as_ref().unwrap();
        let mut simulation = simulate(description, engine_parameters(description, Preset::Bullet)).unwrap();
        for _ in 0..1000 {
            simulation.world.step(0.001);
        }
        let body = simulation.links.last().unwrap();
        let found = 0.5 - simulation.link_pose(body).position.z;
        prop_assert!((found - layer).abs() < 1e-5, "{} instead of {}", found, layer);
    }
}
