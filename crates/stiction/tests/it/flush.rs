//! Edges of flush tiles stop nothing, and edges that stand out stop what runs against them.

use super::support::*;
use stiction::material::Surface;
use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{BodyId, Preset, TimeAdvancement, World, WorldParameters};

/// A box that slides along x over tiles; the tiles from `edge` on are higher by `step`.
fn sliding(preset: Preset, sides: DVec3, [speed, mu]: [f64; 2], edge: f64, step: f64) -> (World, BodyId) {
    let mut parameters: WorldParameters = parameters();
    preset.apply(&mut parameters);
    let mut world = World::new(parameters);
    let surface = Surface { friction: [mu; 2], ..Surface::default() };
    for tile in -2..14 {
        let raised = if f64::from(tile) * 0.5 >= edge { step } else { 0.0 };
        let at = Pose::from_position(DVec3::new(0.5 * f64::from(tile) + 0.25, 0.0, raised - 0.1));
        let shape = Shape::cuboid(DVec3::new(0.5, 2.0, 0.2)).unwrap();
        let tile =
            stiction::world::GeomDefinition { pose: at, surface, ..stiction::world::GeomDefinition::new(shape, None) };
        world.add_geom(&tile).unwrap();
    }
    let at = Pose::from_position(DVec3::new(0.0, 0.0, 0.5 * sides.z));
    let body = add_shape(&mut world, Shape::cuboid(sides).unwrap(), 2.0, at, surface);
    world.body_mut(body).unwrap().set_velocity(DVec3::new(speed, 0.0, 0.0)).unwrap();
    (world, body)
}

/// Engines of fixed steps.
fn presets() -> impl Iterator<Item = Preset> {
    let hard = |preset: &Preset| {
        let mut parameters = WorldParameters::default();
        preset.apply(&mut parameters);
        parameters.time != TimeAdvancement::Continuous
    };
    Preset::ALL.into_iter().filter(hard)
}

#[test]
fn random_boxes_slide_straight_over_flush_tiles() {
    let mut random = Sequence(12);
    for case in 0..stiction_testing::cases(3, 40) {
        let mut within = |low: f64, high: f64| low + (high - low) * random.next().abs();
        let sides = DVec3::new(within(0.2, 0.5), within(0.2, 0.5), within(0.05, 0.15));
        let (way, mu) = (within(0.5, 3.0), within(0.1, 0.4));
        let speed = (2.0 * mu * GRAVITY * way).sqrt();
        for preset in presets() {
            let (mut world, body) = sliding(preset, sides, [speed, mu], f64::INFINITY, 0.0);
            while world.time() < speed / (mu * GRAVITY) + 0.5 {
                world.step(1e-3);
            }
            let end = world.body(body).unwrap().pose().position;
            assert!((end.x - way).abs() < 0.01 * way, "{case} {preset:?}: {} m, expected {way}", end.x);
            assert!(end.y.abs() < 1e-3 && (end.z - 0.5 * sides.z).abs() < 1e-3, "{case} {preset:?}: {end}");
        }
    }
}

#[test]
fn edges_that_stand_out_stop_random_boxes() {
    let mut random = Sequence(5);
    for case in 0..stiction_testing::cases(3, 40) {
        let mut within = |low: f64, high: f64| low + (high - low) * random.next().abs();
        let sides = DVec3::new(within(0.2, 0.5), within(0.2, 0.5), within(0.1, 0.15));
        let (speed, step) = (within(0.5, 2.0), within(0.02, 0.05));
        for preset in presets() {
            let (mut world, body) = sliding(preset, sides, [speed, 0.05], 1.0, step);
            let mut farthest: f64 = 0.0;
            while world.time() < 3.0 {
                world.step(1e-3);
                farthest = farthest.max(world.body(body).unwrap().pose().position.x + 0.5 * sides.x);
            }
            assert!(farthest < 1.0 + 5e-3, "{case} {preset:?}: {speed} m/s against {step} m came to {farthest}");
        }
    }
}
