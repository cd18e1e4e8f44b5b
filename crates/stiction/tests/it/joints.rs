//! Joints: what is held, what is free.

use super::support::*;
use stiction::joints::{AxisParameters, JointDefinition, JointKind};
use stiction::math::{DVec3, Pose};
use stiction::world::{BodyDefinition, BodyId, World, WorldParameters};

fn body_at(world: &mut World, position: DVec3) -> BodyId {
    world
        .add_body(&BodyDefinition {
            pose: Pose::from_position(position),
            mass: box_mass(DVec3::splat(0.2), 1.0),
            ..BodyDefinition::default()
        })
        .unwrap()
}

#[test]
fn a_pendulum_swings_with_its_period_and_its_angle_does_not_wrap() {
    let mut world = World::new(WorldParameters { iterations: 50, cfm: 0.0, ..parameters() });
    let bob = body_at(&mut world, DVec3::new(1.0, 0.0, 0.0));
    let joint =
        world.add_joint(JointDefinition::new(JointKind::Hinge, Some(bob), None).with_axis(0, DVec3::Y)).unwrap();
    // Released level: at the bottom ω² (m l² + I) = 2 m g l.
    let inertia = 0.2 * 0.2 / 6.0;
    let expected = (2.0 * GRAVITY / (1.0 + inertia)).sqrt();
    let mut fastest = 0.0f64;
    for _ in 0..1000 {
        world.step(1e-3);
        fastest = fastest.max(world.joint(joint).unwrap().rate(0).abs());
        assert!(world.joint(joint).unwrap().gap() < 1e-3);
    }
    assert!((fastest - expected).abs() < 5e-3, "{fastest} {expected}");
}

#[test]
fn a_motor_turns_for_many_turns_without_wrapping() {
    let mut world = World::new(WorldParameters { iterations: 50, ..WorldParameters::default() });
    let wheel = body_at(&mut world, DVec3::ZERO);
    let parameters = AxisParameters::default().with_motor(20.0, 100.0);
    let joint = world
        .add_joint(
            JointDefinition::new(JointKind::Hinge, Some(wheel), None)
                .with_axis(0, DVec3::Z)
                .with_parameters(0, parameters),
        )
        .unwrap();
    for _ in 0..2000 {
        world.step(1e-3);
    }
    let j = world.joint(joint).unwrap();
    assert!((j.rate(0) - 20.0).abs() < 1e-6, "{}", j.rate(0));
    // Each step turns by 2 atan(ω h / 2).
    let expected = 2000.0 * 2.0 * (20.0 * 1e-3 / 2.0f64).atan();
    assert!((j.position(0) - expected).abs() < 0.021, "{} {expected}", j.position(0));
}

#[test]
fn stops_hold_and_a_lifted_stop_lets_go() {
    let mut world = World::new(WorldParameters { iterations: 50, ..parameters() });
    let rod = body_at(&mut world, DVec3::new(1.0, 0.0, 0.0));
    let parameters = AxisParameters::default().with_stops(-0.3, 0.3);
    let joint = world
        .add_joint(
            JointDefinition::new(JointKind::Hinge, Some(rod), None)
                .with_axis(0, DVec3::Y)
                .with_parameters(0, parameters),
        )
        .unwrap();
    for _ in 0..3000 {
        world.step(1e-3);
    }
    let angle = world.joint(joint).unwrap().position(0);
    assert!((angle - 0.3).abs() < 1e-3, "{angle}");
    assert!(world.joint(joint).unwrap().effort(0) < -8.0);
}

#[test]
fn a_slider_and_a_fixed_joint_hold_their_body() {
    let mut world = World::new(WorldParameters { iterations: 100, ..parameters() });
    let sled = body_at(&mut world, DVec3::new(0.0, 0.0, 1.0));
    let rider = body_at(&mut world, DVec3::new(0.3, 0.0, 1.0));
    let slope = DVec3::new(1.0, 0.0, -1.0).normalize();
    let slider = world
        .add_joint(
            JointDefinition::new(JointKind::Slider, Some(sled), None).at(DVec3::new(0.0, 0.0, 1.0)).with_axis(0, slope),
        )
        .unwrap();
    world
        .add_joint(JointDefinition::new(JointKind::Fixed, Some(rider), Some(sled)).at(DVec3::new(0.15, 0.0, 1.0)))
        .unwrap();
    for _ in 0..500 {
        world.step(1e-3);
    }
    let rate = world.joint(slider).unwrap().rate(0);
    let expected = GRAVITY * 0.5 * std::f64::consts::FRAC_1_SQRT_2;
    assert!((rate - expected).abs() < 1e-3, "{rate} {expected}");
    let d = world.body(rider).unwrap().pose().position - world.body(sled).unwrap().pose().position;
    assert!((d - DVec3::new(0.3, 0.0, 0.0)).length() < 1e-4, "{d}");
}

#[test]
fn a_screw_advances_by_its_pitch() {
    let mut world = World::new(WorldParameters { iterations: 100, ..WorldParameters::default() });
    let nut = body_at(&mut world, DVec3::ZERO);
    let motor = AxisParameters::default().with_motor(3.0, 1e3);
    let joint = world
        .add_joint(
            JointDefinition::new(JointKind::Screw { pitch: 0.1 }, Some(nut), None)
                .with_axis(0, DVec3::Z)
                .with_parameters(0, motor),
        )
        .unwrap();
    for _ in 0..5000 {
        world.step(1e-3);
    }
    let (angle, z) = (world.joint(joint).unwrap().position(0), world.body(nut).unwrap().pose().position.z);
    assert!(angle > 14.0, "{angle}");
    assert!((z - 0.1 * angle / std::f64::consts::TAU).abs() < 1e-6, "{z} {angle}");
}

#[test]
fn a_planar_joint_holds_its_body_in_the_plane() {
    let mut world = World::new(WorldParameters { iterations: 100, ..parameters() });
    let puck = body_at(&mut world, DVec3::new(0.0, 0.0, 1.0));
    // Tilted by 45 degrees: it slides down the slope, and turns freely about the normal.
    let normal = DVec3::new(1.0, 0.0, 1.0).normalize();
    let down = DVec3::new(1.0, 0.0, -1.0).normalize();
    let definition = JointDefinition::new(JointKind::Planar, Some(puck), None).at(DVec3::new(0.0, 0.0, 1.0));
    let joint = world.add_joint(definition.with_axis(0, normal).with_axis(1, down)).unwrap();
    let mut body = world.body_mut(puck).unwrap();
    body.set_velocity(DVec3::new(0.0, 2.0, 0.0)).unwrap();
    body.set_omega(3.0 * normal).unwrap();
    for _ in 0..1000 {
        world.step(1e-3);
    }
    let joint = world.joint(joint).unwrap();
    let expected = GRAVITY * std::f64::consts::FRAC_1_SQRT_2;
    assert!((joint.rate(0) - expected).abs() < 1e-3 * expected, "{} {expected}", joint.rate(0));
    assert!((joint.position(1).abs() - 2.0).abs() < 1e-6, "{}", joint.position(1));
    // The implicit midpoint rule lags by (h ω)²/12 of the angle.
    assert!((joint.position(2) - 3.0).abs() < 3e-6 && joint.gap() < 1e-6, "{} {}", joint.position(2), joint.gap());
}
