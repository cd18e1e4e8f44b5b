//! The same bits for every width of lanes.

use glam::{DQuat, DVec3};

use super::{BodyDefinition, GeomDefinition, Preset, World, WorldParameters};
use crate::contact::restitution::Restitution;
use crate::joints::{JointDefinition, JointKind};
use crate::material::{FrictionModel, Surface, TorsionalSurface};
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

/// State hashes of a pile with friction, bounces, a belt, slip, torsional and rolling friction, and with joints or not.
fn hashes(
    (preset, friction, has_joints): (Preset, FrictionModel, bool),
    lanes: u32,
) -> Result<Vec<u64>, Box<dyn std::error::Error>> {
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
    let mut last = None;
    for k in 0..30_u32 {
        let shape = mixed_shape(k)?;
        let angle = f64::from(k);
        let position = DVec3::new(0.5 * angle.sin(), 0.5 * angle.cos(), 0.3 + 0.2 * angle);
        let pose = Pose { position, rotation: DQuat::from_rotation_x(angle) };
        let mass = shape.mass_properties(100.0 * (1.0 + angle)).ok_or("a solid")?;
        let body = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() })?;
        let bounce = (k % 3 == 0).then_some(Restitution { coefficient: 0.4, threshold: 0.1 });
        let slip = if k % 5 == 0 { [0.01, 0.02] } else { [0.0; 2] };
        let (patch_radius, rolling) = if k % 4 == 1 { (0.05, 0.1) } else { (0.0, 0.0) };
        let torsional = TorsionalSurface { coefficient: 0.4, patch_radius, ..TorsionalSurface::default() };
        let friction = [0.5, 0.3 + 0.01 * angle];
        let surface = Surface { friction, bounce, slip, torsional, rolling, ..Surface::default() };
        world.add_geom(&GeomDefinition { surface, ..GeomDefinition::new(shape, Some(body)) })?;
        if let Some(last) = last.replace(body).filter(|_| has_joints && k % 3 != 0) {
            let anchor = position - DVec3::Z * 0.1;
            world.add_joint(JointDefinition {
                anchor,
                ..JointDefinition::new(JointKind::Ball, Some(last), Some(body))
            })?;
        }
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
        (Preset::Stiction, FrictionModel::Cone, false),
        (Preset::OdeQuick, FrictionModel::Pyramid, false),
        (Preset::OdeQuick, FrictionModel::Cone, false),
        (Preset::OdeQuick, FrictionModel::Box, false),
        (Preset::Bullet, FrictionModel::Cone, false),
        (Preset::OdeQuick, FrictionModel::Cone, true),
        (Preset::Bullet, FrictionModel::Cone, true),
    ];
    for case in cases {
        let one = hashes(case, 1)?;
        for lanes in [4, 8] {
            let found = hashes(case, lanes)?;
            println!("{:?} of {lanes}", WidthOfLanes::widest());
            assert!(found == one, "{case:?} {lanes} lanes");
        }
    }
    Ok(())
}
