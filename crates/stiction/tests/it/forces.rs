//! Forces on bodies, and points and vectors of their frames.

use super::support::*;
use std::f64::consts::FRAC_PI_2;
use stiction::math::{DQuat, DVec3, Pose};
use stiction::world::{BodyDefinition, BodyId, BodyMut, World, WorldParameters};

/// A body of 2 kg at (1, 2, 3), turned so that its x axis is the world's y axis.
fn turned(world: &mut World) -> BodyId {
    world
        .add_body(&BodyDefinition {
            pose: Pose::new(DVec3::new(1.0, 2.0, 3.0), DQuat::from_rotation_z(FRAC_PI_2)),
            mass: box_mass(DVec3::ONE, 2.0),
            ..BodyDefinition::default()
        })
        .unwrap()
}

#[test]
fn each_form_of_a_force_is_the_force_and_moment_that_it_says() {
    type Push = fn(&mut BodyMut<'_>);
    let (x, y, z) = (DVec3::X, DVec3::Y, DVec3::Z);
    // Force and torque r × f, by hand.
    let forms: [(Push, DVec3, DVec3); 8] = [
        (|b| b.add_force(DVec3::X), x, DVec3::ZERO),
        (|b| b.add_torque(DVec3::X), DVec3::ZERO, x),
        (|b| b.add_body_force(DVec3::X), y, DVec3::ZERO),
        (|b| b.add_body_torque(DVec3::X), DVec3::ZERO, y),
        (|b| b.add_force_at(DVec3::X, DVec3::new(1.0, 2.0, 4.0)), x, y),
        (|b| b.add_force_at_body_point(DVec3::X, DVec3::X), x, -z),
        (|b| b.add_body_force_at(DVec3::X, DVec3::new(1.0, 2.0, 4.0)), y, -x),
        (|b| b.add_body_force_at_body_point(DVec3::X, DVec3::Y), y, -z),
    ];
    for (number, (push, force, torque)) in forms.into_iter().enumerate() {
        let mut world = World::new(WorldParameters::default());
        let id = turned(&mut world);
        push(&mut world.body_mut(id).unwrap());
        let body = world.body(id).unwrap();
        assert!((body.force() - force).length() < 1e-15, "{number}: {}", body.force());
        assert!((body.torque() - torque).length() < 1e-15, "{number}: {}", body.torque());
        world.step(0.01);
        let body = world.body(id).unwrap();
        // v = h f / m, ω = h τ / I with I = m / 6 of a cube; the accumulators are empty again.
        assert!((body.velocity() - 0.005 * force).length() < 1e-15, "{number}: {}", body.velocity());
        assert!((body.omega() - 0.03 * torque).length() < 1e-15, "{number}: {}", body.omega());
        assert_eq!((body.force(), body.torque()), (DVec3::ZERO, DVec3::ZERO));
    }
}

#[test]
fn points_and_vectors_go_to_the_world_and_back() {
    let mut world = World::new(WorldParameters::default());
    let id = turned(&mut world);
    let mut body = world.body_mut(id).unwrap();
    body.set_velocity(DVec3::X).unwrap();
    body.set_omega(DVec3::new(0.0, 0.0, 2.0)).unwrap();
    let body = world.body(id).unwrap();
    let near = |found: DVec3, expected: [f64; 3]| assert!((found - DVec3::from(expected)).length() < 1e-14, "{found}");
    near(body.point_to_world(DVec3::X), [1.0, 3.0, 3.0]);
    near(body.point_to_body(DVec3::new(1.0, 3.0, 3.0)), [1.0, 0.0, 0.0]);
    near(body.vector_to_world(DVec3::X), [0.0, 1.0, 0.0]);
    near(body.vector_to_body(DVec3::Y), [1.0, 0.0, 0.0]);
    // v + ω × r = (1, 0, 0) + (0, 0, 2) × (0, 1, 0)
    near(body.velocity_at(DVec3::new(1.0, 3.0, 3.0)), [-1.0, 0.0, 0.0]);
    near(body.velocity_at_body_point(DVec3::X), [-1.0, 0.0, 0.0]);
}

#[test]
fn gravity_acts_on_those_that_want_it() {
    let mut world = World::new(parameters());
    let (falls, floats) = (turned(&mut world), turned(&mut world));
    world.body_mut(floats).unwrap().set_gravity(false);
    world.step(0.01);
    assert!((world.body(falls).unwrap().velocity().z + 0.01 * GRAVITY).abs() < 1e-15);
    assert_eq!(world.body(floats).unwrap().velocity(), DVec3::ZERO);
}
