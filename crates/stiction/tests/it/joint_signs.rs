//! Signs of positions and rates: those of the first body relative to the second; the static environment is a body too.

use super::support::*;
use stiction::joints::{AngularMotorMode, JointDefinition, JointError, JointKind};
use stiction::math::{DQuat, DVec3, Pose};
use stiction::world::{BodyDefinition, BodyId, BodyKind, JointId, World, WorldParameters};

struct Pair {
    world: World,
    bodies: [BodyId; 2],
    joint: JointId,
}

fn pair(kind: JointKind, axes: [DVec3; 3]) -> Pair {
    let mut world = World::new(WorldParameters::default());
    let bodies = [(); 2].map(|()| world.add_body(&BodyDefinition::default()).unwrap());
    let [a, b] = bodies;
    let joint = world.add_joint(JointDefinition { axes, ..JointDefinition::new(kind, Some(a), Some(b)) }).unwrap();
    Pair { world, bodies, joint }
}

impl Pair {
    /// Positions and rates after one body was turned by an angle about an axis, and spins at 5 rad/s about it.
    fn turned(mut self, body: usize, axis: DVec3, angle: f64) -> ([f64; 3], [f64; 3]) {
        let mut b = self.world.body_mut(self.bodies[body]).unwrap();
        b.set_pose(&Pose::new(DVec3::ZERO, DQuat::from_axis_angle(axis, angle))).unwrap();
        b.set_omega(5.0 * axis).unwrap();
        let joint = self.world.joint(self.joint).unwrap();
        ([0, 1, 2].map(|i| joint.position(i)), [0, 1, 2].map(|i| joint.rate(i)))
    }
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found}, expected {expected}");
}

#[test]
fn a_hinge_and_a_slider_count_the_first_body_and_change_sign_with_the_order() {
    for (first, sign) in [(true, 1.0), (false, -1.0)] {
        for kind in [JointKind::Hinge, JointKind::Slider] {
            let mut world = World::new(WorldParameters::default());
            let body = world.add_body(&BodyDefinition::default()).unwrap();
            let ends = if first { [Some(body), None] } else { [None, Some(body)] };
            let joint = world.add_joint(JointDefinition::new(kind, ends[0], ends[1]).with_axis(0, DVec3::Z)).unwrap();
            let mut b = world.body_mut(body).unwrap();
            let pose = match kind {
                JointKind::Hinge => Pose::new(DVec3::ZERO, DQuat::from_rotation_z(0.3)),
                _ => Pose::from_position(DVec3::new(0.0, 0.0, 0.3)),
            };
            b.set_pose(&pose).unwrap();
            b.set_omega(DVec3::new(0.0, 0.0, 2.0)).unwrap();
            b.set_velocity(DVec3::new(0.0, 0.0, 2.0)).unwrap();
            let joint = world.joint(joint).unwrap();
            near(joint.position(0), sign * 0.3);
            near(joint.rate(0), sign * 2.0);
        }
    }
    near(pair(JointKind::Hinge, DVec3::AXES).turned(0, DVec3::X, 0.3).0[0], 0.3);
    near(pair(JointKind::Hinge, DVec3::AXES).turned(1, DVec3::X, 0.3).0[0], -0.3);
}

#[test]
fn a_universal_counts_its_first_body_up_and_its_second_down() {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let (position, rate) = pair(JointKind::Universal, axes).turned(0, DVec3::X, 0.4);
    near(position[0], 0.4);
    near(position[1], 0.0);
    near(rate[0], 5.0);
    let (position, rate) = pair(JointKind::Universal, axes).turned(1, DVec3::Y, 0.4);
    near(position[0], 0.0);
    near(position[1], -0.4);
    near(rate[1], -5.0);
}

#[test]
fn a_hinge_2_counts_steering_and_wheel_against_the_wheel() {
    let axes = [DVec3::Z, DVec3::Y, DVec3::X];
    near(pair(JointKind::Hinge2, axes).turned(1, DVec3::Z, -0.3).0[0], 0.3);
    near(pair(JointKind::Hinge2, axes).turned(1, DVec3::Y, -0.3).1[1], -5.0);
}

#[test]
fn a_planar_joint_counts_its_first_body_up_in_all_three() {
    for (first, sign) in [(true, 1.0), (false, -1.0)] {
        let mut world = World::new(WorldParameters::default());
        let body = world.add_body(&BodyDefinition::default()).unwrap();
        let ends = if first { [Some(body), None] } else { [None, Some(body)] };
        let axes = [DVec3::Z, DVec3::X, DVec3::ZERO];
        let joint =
            world.add_joint(JointDefinition { axes, ..JointDefinition::new(JointKind::Planar, ends[0], ends[1]) });
        let joint = joint.unwrap();
        let mut b = world.body_mut(body).unwrap();
        b.set_pose(&Pose::from_position(DVec3::new(0.3, -0.2, 0.0))).unwrap();
        b.set_velocity(DVec3::new(2.0, 1.0, 0.0)).unwrap();
        let joint_ref = world.joint(joint).unwrap();
        assert_eq!(joint_ref.motion_count(), 3);
        near(joint_ref.position(0), sign * 0.3);
        near(joint_ref.position(1), sign * -0.2);
        near(joint_ref.rate(0), sign * 2.0);
        near(joint_ref.rate(1), sign * 1.0);
        let mut b = world.body_mut(body).unwrap();
        b.set_pose(&Pose::new(DVec3::ZERO, DQuat::from_rotation_z(0.4))).unwrap();
        b.set_omega(DVec3::new(0.0, 0.0, 5.0)).unwrap();
        near(world.joint(joint).unwrap().position(2), sign * 0.4);
        near(world.joint(joint).unwrap().rate(2), sign * 5.0);
    }
}

#[test]
fn an_euler_motor_counts_its_second_body_down() {
    let kind = JointKind::AngularMotor { mode: AngularMotorMode::Euler };
    for (i, axis) in DVec3::AXES.into_iter().enumerate() {
        let (position, rate) = pair(kind, DVec3::AXES).turned(1, axis, 0.3);
        for k in 0..3 {
            near(position[k], if k == i { -0.3 } else { 0.0 });
            near(rate[k], if k == i { -5.0 } else { 0.0 });
        }
    }
}

#[test]
fn a_suspension_sags_by_its_cfm_and_erp() {
    let mut world = World::new(parameters());
    let chassis = world.add_body(&BodyDefinition::default()).unwrap();
    let wheel = world.add_body(&BodyDefinition { kind: BodyKind::Kinematic, ..BodyDefinition::default() }).unwrap();
    world
        .add_joint(JointDefinition {
            axes: [DVec3::Z, DVec3::Y, DVec3::X],
            suspension_erp: Some(0.4),
            suspension_cfm: Some(0.01),
            ..JointDefinition::new(JointKind::Hinge2, Some(chassis), Some(wheel))
        })
        .unwrap();
    for _ in 0..500 {
        world.step(0.01);
    }
    // cfm m g h / erp
    let z = world.body(chassis).unwrap().pose().position.z;
    assert!((z + 2.4525e-3).abs() < 1e-9, "{z}");
}

#[test]
fn joints_that_cannot_be_are_refused() {
    let mut world = World::new(WorldParameters::default());
    let [a, b] = [(); 2].map(|()| world.add_body(&BodyDefinition::default()).unwrap());
    let make = |kind, first, second| JointDefinition::new(kind, first, second);
    let refused = |world: &mut World, definition| world.add_joint(definition).unwrap_err();
    assert_eq!(refused(&mut world, make(JointKind::Ball, Some(a), Some(a))), JointError::SameBody);
    assert_eq!(refused(&mut world, make(JointKind::Ball, None, None)), JointError::SameBody);
    assert_eq!(refused(&mut world, make(JointKind::Hinge2, Some(a), None)), JointError::NeedsTwoBodies);
    let parallel = make(JointKind::Universal, Some(a), Some(b)).with_axis(1, DVec3::X);
    assert_eq!(refused(&mut world, parallel), JointError::ParallelAxes);
    let flat = make(JointKind::Hinge, Some(a), Some(b)).with_axis(0, DVec3::ZERO);
    assert!(matches!(refused(&mut world, flat), JointError::Axis { index: 0, .. }));
    world.remove_body(b);
    let stale = make(JointKind::Ball, Some(a), Some(b));
    assert_eq!(refused(&mut world, stale), JointError::UnknownBody { index: 1 });
}
