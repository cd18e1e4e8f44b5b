//! The balance of energy of motors: the same work in both coordinates.

use super::support::*;
use stiction::joints::{JointDefinition, JointKind};
use stiction::math::{DVec3, Pose};
use stiction::world::{BodyDefinition, Coordinates, World};

/// A double pendulum whose elbow turns at 1 rad/s while it swings: the motor also works against what the flow of a tree asks for.
#[test]
fn a_motor_in_a_tree_works_as_much_as_between_free_bodies() {
    let [free, tree] = [Coordinates::Maximal, Coordinates::Reduced].map(|coordinates| {
        let mut w = World::new(stiction::world::WorldParameters { coordinates, ..parameters() });
        let mass = box_mass(DVec3::new(0.2, 0.2, 1.0), 3.0);
        let mut link = |y: f64| {
            let rotation = stiction::math::DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
            let pose = Pose::new(DVec3::new(0.0, y, 0.0), rotation);
            w.add_body(&BodyDefinition { mass, pose, ..BodyDefinition::default() }).unwrap()
        };
        let (upper, lower) = (link(0.5), link(1.5));
        let hinge = |first, second, at: f64| {
            JointDefinition::new(JointKind::Hinge, Some(first), second).at(DVec3::Y * at).with_axis(0, DVec3::X)
        };
        w.add_joint(hinge(upper, None, 0.0)).unwrap();
        let elbow = w.add_joint(hinge(lower, Some(upper), 1.0)).unwrap();
        let motor = &mut w.joint_parameters_mut(elbow, 0).unwrap().motor;
        (motor.velocity, motor.max_force) = (2.0, 1e4);
        (0..3000).fold((0.0, 0.0), |(motors, made), _| {
            let b = w.step(1e-3).energy;
            (motors + b.motors, made + b.made())
        })
    });
    assert!(free.0.abs() > 10.0 && (tree.0 / free.0 - 1.0).abs() < 0.01, "{free:?} {tree:?}");
    assert!(tree.1.abs() < 0.005 * tree.0.abs(), "{free:?} {tree:?}");
}
