//! Sub-steps of free bodies allocate nothing once they have been warm.

use stiction::joints::{AxisParameters, JointDefinition, JointKind};
use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::{Shape, ShapeError};
use stiction::world::{BodyDefinition, GeomDefinition, Preset, World, WorldParameters};
use stiction_testing::counting::allocations;

fn shapes() -> Result<[Shape; 5], ShapeError> {
    let corner = |k: u32, bit: u32| if k & bit != 0 { 0.2 } else { -0.2 };
    let corners: Vec<DVec3> = (0..8).map(|k| DVec3::new(corner(k, 1), corner(k, 2), corner(k, 4))).collect();
    Ok([
        Shape::cuboid(DVec3::new(0.5, 0.4, 0.3))?,
        Shape::sphere(0.2)?,
        Shape::capsule(0.15, 0.3)?,
        Shape::cylinder(0.2, 0.3)?,
        Shape::convex_hull(&corners)?,
    ])
}

#[test]
fn a_pile_that_rests_and_one_that_is_shaken_allocate_nothing() -> Result<(), Box<dyn std::error::Error>> {
    let gravity = DVec3::new(0.0, 0.0, -9.81);
    let mut parameters = WorldParameters { gravity, sleeping: false, ..WorldParameters::default() };
    Preset::Stiction.apply(&mut parameters);
    let mut world = World::new(parameters);
    for n in [DVec3::Z, DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y] {
        world.add_geom(&GeomDefinition::new(Shape::plane(n, if n == DVec3::Z { 0.0 } else { -1.0 })?, None))?;
    }
    let mut bodies = Vec::new();
    for k in 0..20 {
        let shape = shapes()?[k % 5].clone();
        let angle = k as f64;
        let position = DVec3::new(0.5 * angle.sin(), 0.5 * angle.cos(), 0.3 + 0.3 * angle);
        let pose = Pose { position, rotation: DQuat::from_rotation_x(angle) };
        let mass = shape.mass_properties(100.0).ok_or("a solid")?;
        let body = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() })?;
        world.add_geom(&GeomDefinition::new(shape, Some(body)))?;
        bodies.push(body);
    }
    let mut counts = Vec::new();
    for _ in 0..4 {
        for body in &bodies {
            let mut body = world.body_mut(*body).ok_or("a body")?;
            body.set_velocity(DVec3::new(0.3, -0.2, 2.0))?;
        }
        let before = allocations();
        for _ in 0..600 {
            world.step(1.0 / 240.0);
        }
        counts.push(allocations() - before);
    }
    // The first rounds warm the memory.
    let before = allocations();
    for _ in 0..300 {
        world.step(1.0 / 240.0);
    }
    assert_eq!(allocations() - before, 0, "at rest; shaken {counts:?}");
    assert!(counts[3] <= counts[0] / 10, "shaken: {counts:?}");
    Ok(())
}

/// A cart on four wheels that drives, with a motor a wheel.
#[test]
fn a_tree_of_joints_that_drives_on_the_ground_allocates_nothing() -> Result<(), Box<dyn std::error::Error>> {
    let gravity = DVec3::new(0.0, 0.0, -9.81);
    let mut parameters = WorldParameters { gravity, sleeping: false, ..WorldParameters::default() };
    Preset::Stiction.apply(&mut parameters);
    let mut world = World::new(parameters);
    world.add_geom(&GeomDefinition::new(Shape::plane(DVec3::Z, 0.0)?, None))?;
    let add = |world: &mut World, shape: Shape, pose: Pose| -> Result<_, Box<dyn std::error::Error>> {
        let mass = shape.mass_properties(500.0).ok_or("a solid")?;
        let body = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() })?;
        world.add_geom(&GeomDefinition::new(shape, Some(body)))?;
        Ok(body)
    };
    let chassis = add(&mut world, Shape::cuboid(DVec3::new(0.6, 0.3, 0.1))?, Pose::from_position(DVec3::Z * 0.15))?;
    for [x, y] in [[0.2, 0.2], [0.2, -0.2], [-0.2, 0.2], [-0.2, -0.2]] {
        let place = DVec3::new(x, y, 0.1);
        let pose = Pose { position: place, rotation: DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2) };
        let wheel = add(&mut world, Shape::cylinder(0.1, 0.05)?, pose)?;
        let hinge = JointDefinition::new(JointKind::Hinge, Some(wheel), Some(chassis)).at(place);
        let law = AxisParameters::default().with_motor(5.0, 1.0);
        world.add_joint(hinge.with_axis(0, DVec3::Y).with_parameters(0, law).with_feedback())?;
    }
    for _ in 0..300 {
        world.step(1.0 / 240.0);
    }
    let before = allocations();
    for _ in 0..600 {
        world.step(1.0 / 240.0);
    }
    let speed = world.body(chassis).ok_or("a chassis")?.velocity().x;
    assert!((speed - 0.5).abs() < 0.01, "it drives at {speed} m/s");
    assert_eq!(allocations() - before, 0);
    Ok(())
}
