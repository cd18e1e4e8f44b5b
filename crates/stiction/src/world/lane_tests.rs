//! The same bits for every width of lanes.

use glam::{DQuat, DVec3};

use super::{BodyDefinition, GeomDefinition, Preset, World, WorldParameters};
use crate::contact::restitution::Restitution;
use crate::material::{FrictionModel, Surface};
use crate::math::Pose;
use crate::model::HybridRule;
use crate::shape::{Shape, ShapeError};
use crate::solvers::soft::{MOST_LANES, WidthOfLanes};

/// Boxes, balls, capsules and cylinders in turn.
pub(super) fn mixed_shape(number: u32) -> Result<Shape, ShapeError> {
    match number % 4 {
        0 => Shape::cuboid(DVec3::new(0.5, 0.4, 0.3)),
        1 => Shape::sphere(0.2),
        2 => Shape::capsule(0.15, 0.3),
        _ => Shape::cylinder(0.2, 0.3),
    }
}

/// State hashes of a pile with friction, bounces, a belt and slip.
fn hashes(preset: Preset, friction: FrictionModel, lanes: u32) -> Result<Vec<u64>, Box<dyn std::error::Error>> {
    MOST_LANES.set(lanes);
    let gravity = DVec3::new(0.0, 0.0, -9.81);
    let mut parameters = WorldParameters { gravity, ..WorldParameters::default() };
    preset.apply(&mut parameters);
    if preset != Preset::Stiction {
        // Small islands too are swept.
        (parameters.friction_model, parameters.hybrid) = (friction, HybridRule::Off);
        parameters.contact_max_correcting_velocity =
            if friction == FrictionModel::Pyramid { 0.05 } else { f64::INFINITY };
    }
    let mut world = World::new(parameters);
    let belt = Surface { belt: Some(DVec3::Y * 0.3), ..Surface::default() };
    world.add_geom(&GeomDefinition { surface: belt, ..GeomDefinition::new(Shape::plane(DVec3::Z, 0.0)?, None) })?;
    for k in 0..30_u32 {
        let shape = mixed_shape(k)?;
        let angle = f64::from(k);
        let position = DVec3::new(0.5 * angle.sin(), 0.5 * angle.cos(), 0.3 + 0.2 * angle);
        let pose = Pose { position, rotation: DQuat::from_rotation_x(angle) };
        let mass = shape.mass_properties(100.0 * (1.0 + angle)).ok_or("a solid")?;
        let body = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() })?;
        let bounce = (k % 3 == 0).then_some(Restitution { coefficient: 0.4, threshold: 0.1 });
        let slip = if k % 5 == 0 { [0.01, 0.02] } else { [0.0; 2] };
        let surface = Surface { friction: [0.5, 0.3 + 0.01 * angle], bounce, slip, ..Surface::default() };
        world.add_geom(&GeomDefinition { surface, ..GeomDefinition::new(shape, Some(body)) })?;
    }
    let hashes = (0..400).map(|_| {
        world.step(1.0 / 240.0);
        world.state_hash()
    });
    let hashes = hashes.collect();
    MOST_LANES.set(u32::MAX);
    Ok(hashes)
}

#[test]
fn one_four_and_eight_lanes_give_the_same_bits() -> Result<(), Box<dyn std::error::Error>> {
    let cases = [
        (Preset::Stiction, FrictionModel::Cone),
        (Preset::OdeQuick, FrictionModel::Pyramid),
        (Preset::OdeQuick, FrictionModel::Cone),
        (Preset::OdeQuick, FrictionModel::Box),
        (Preset::Bullet, FrictionModel::Cone),
    ];
    for (preset, friction) in cases {
        let one = hashes(preset, friction, 1)?;
        for lanes in [4, 8] {
            let found = hashes(preset, friction, lanes)?;
            println!("{:?} of {lanes}", WidthOfLanes::widest());
            assert!(found == one, "{preset:?} {friction:?} {lanes} lanes");
        }
    }
    Ok(())
}
