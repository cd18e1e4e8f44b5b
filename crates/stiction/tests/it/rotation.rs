//! Finite rotation modes.

use super::support::*;
use stiction::dynamics::gyroscopic::Gyroscopic;
use stiction::dynamics::rotation::FiniteRotation;
use stiction::joints::{JointDefinition, JointKind};
use stiction::math::DVec3;
use stiction::world::{BodyDefinition, World, WorldParameters};

/// Angle about z of a cube after one step of 0.01 s at 10 rad/s, free or on a hinge.
fn angle(mode: FiniteRotation, hinged: bool, gyroscopic: Gyroscopic) -> f64 {
    let mut world = World::new(WorldParameters { cfm: 0.0, gyroscopic, ..WorldParameters::default() });
    let body = world
        .add_body(&BodyDefinition {
            mass: box_mass(DVec3::ONE, 1.0),
            omega: DVec3::new(0.0, 0.0, 10.0),
            finite_rotation: mode,
            ..BodyDefinition::default()
        })
        .unwrap();
    if hinged {
        world.add_joint(JointDefinition::new(JointKind::Hinge, Some(body), None).with_axis(0, DVec3::Z)).unwrap();
    }
    world.step(0.01);
    let q = world.body(body).unwrap().pose().rotation;
    2.0 * q.z.atan2(q.w)
}

#[test]
fn modes_turn_by_their_angle_with_and_without_joints() {
    use FiniteRotation::{Axis, Off, On};
    for (hinged, gyroscopic) in
        [(true, Gyroscopic::Midpoint), (true, Gyroscopic::Ode), (false, Gyroscopic::Ode), (false, Gyroscopic::None)]
    {
        // 2 atan(ω h / 2), also where the exact axis is another. Trees that flow turn exactly.
        let flows = hinged && gyroscopic == Gyroscopic::Midpoint;
        for mode in [Off, Axis(DVec3::X)].into_iter().filter(|mode| !flows || *mode != Off) {
            let found = angle(mode, hinged, gyroscopic);
            assert!((found - 0.099_916_8).abs() < 1e-7, "{mode:?} {hinged} {gyroscopic:?}: {found}");
        }
        for mode in [On, Axis(DVec3::Z)].into_iter().chain(flows.then_some(Off)) {
            let found = angle(mode, hinged, gyroscopic);
            assert!((found - 0.1).abs() < 1e-14, "{mode:?} {hinged} {gyroscopic:?}: {found}");
        }
    }
    // The midpoint rule has steady spins of free bodies exact; the explicit rule is for those that something touches.
    for gyroscopic in [Gyroscopic::Midpoint, Gyroscopic::Explicit] {
        for mode in [Off, On] {
            assert!((angle(mode, false, gyroscopic) - 0.1).abs() < 1e-14);
        }
    }
}

#[test]
fn an_axis_is_normalised_and_must_have_a_length() {
    let mut world = World::new(WorldParameters::default());
    let body = world.add_body(&BodyDefinition::default()).unwrap();
    let mut body = world.body_mut(body).unwrap();
    body.set_finite_rotation(FiniteRotation::Axis(DVec3::new(0.0, 0.0, 2.0))).unwrap();
    assert_eq!(body.as_ref().finite_rotation(), FiniteRotation::Axis(DVec3::Z));
    assert!(body.set_finite_rotation(FiniteRotation::Axis(DVec3::ZERO)).is_err());
}

#[test]
fn the_angular_speed_is_bounded() {
    let mut world = World::new(WorldParameters::default());
    let body = world.add_body(&BodyDefinition { max_angular_speed: 2.0, ..BodyDefinition::default() }).unwrap();
    world.body_mut(body).unwrap().set_omega(DVec3::new(3.0, 0.0, 4.0)).unwrap();
    world.step(0.01);
    let body = world.body(body).unwrap();
    assert!((body.omega() - DVec3::new(1.2, 0.0, 1.6)).length() < 1e-14);
    // The bound holds before the body turns.
    let angle = body.pose().rotation.angle_between(stiction::math::DQuat::IDENTITY);
    assert!((angle - 0.02).abs() < 1e-6, "{angle}");
}
