//! Transmissions: ratios of wheels that touch, that meet at an angle and that a chain connects; backlash.

use super::joint_kinds::worlds;
use stiction::joints::{AxisParameters, JointDefinition, JointKind, Wheels};
use stiction::math::{DVec3, Pose};
use stiction::world::{BodyDefinition, World};

#[test]
fn wheels_turn_by_their_ratio() {
    let cases = [
        // (wheels, second axis, centres of the wheels, speed of the second for one of the first)
        (Wheels::ParallelAxes { ratio: 0.5 }, DVec3::Z, [DVec3::ZERO, DVec3::X], -0.5),
        (Wheels::Chain { radii: [0.2, 0.4] }, DVec3::Z, [DVec3::ZERO, DVec3::X], 0.5),
        // Bevel wheels with their apex at the origin: radii 0.3 and 0.6.
        (Wheels::IntersectingAxes, DVec3::X, [0.6 * DVec3::Z, 0.3 * DVec3::X], -0.5),
    ];
    for (wheels, second_axis, centers, ratio) in cases {
        for mut world in worlds() {
            let axes = [DVec3::Z, second_axis];
            let bodies = [0, 1].map(|i: usize| {
                let pose = Pose::from_position(centers[i]);
                let body = world.add_body(&BodyDefinition { pose, ..BodyDefinition::default() }).unwrap();
                let bearing = JointDefinition::new(JointKind::Hinge, Some(body), None).at(centers[i]);
                let motor = AxisParameters::default().with_motor(6.0, 100.0);
                let bearing = if i == 0 { bearing.with_parameters(0, motor) } else { bearing };
                world.add_joint(bearing.with_axis(0, axes[i])).unwrap();
                body
            });
            let kind = JointKind::Transmission { wheels };
            let definition = JointDefinition::new(kind, Some(bodies[0]), Some(bodies[1])).with_axis(0, axes[0]);
            let definition = definition.with_axis(1, axes[1]).at(centers[0]).with_second_anchor(centers[1]);
            let joint = world.add_joint(definition).unwrap();
            for _ in 0..3000 {
                world.step(1e-3);
            }
            let j = world.joint(joint).unwrap();
            let speeds = [0, 1].map(|i| world.body(bodies[i]).unwrap().omega().dot(axes[i]));
            assert!((speeds[0] - 6.0).abs() < 1e-9, "{speeds:?}");
            assert!((speeds[1] - ratio * speeds[0]).abs() < 1e-5, "{wheels:?} {speeds:?}");
            // Three seconds at six radians a second, more than two turns, and no lag.
            assert!(j.position(0) > 17.0 && (j.position(1) - ratio * j.position(0)).abs() < 1e-6, "{wheels:?}");
            assert!(j.position(2).abs() < 1e-6, "{wheels:?} {}", j.position(2));
        }
    }
}

#[test]
fn backlash_lets_the_second_wheel_rest_until_it_is_used_up() {
    for mut world in worlds() {
        let bodies = [0.0, 1.0].map(|x| {
            let pose = Pose::from_position(DVec3::X * x);
            let body = world.add_body(&BodyDefinition { pose, ..BodyDefinition::default() }).unwrap();
            world
                .add_joint(
                    JointDefinition::new(JointKind::Hinge, Some(body), None).at(pose.position).with_axis(0, DVec3::Z),
                )
                .unwrap();
            body
        });
        let wheels = Wheels::ParallelAxes { ratio: 1.0 };
        let definition = JointDefinition::new(JointKind::Transmission { wheels }, Some(bodies[0]), Some(bodies[1]));
        let definition = definition.with_axis(0, DVec3::Z).with_second_anchor(DVec3::X).with_backlash(0.1);
        let joint = world.add_joint(definition).unwrap();
        world.joint_parameters_mut(joint, 2).unwrap().stop_erp = Some(0.0);
        world.body_mut(bodies[0]).unwrap().set_omega(DVec3::Z).unwrap();
        let spin = |world: &World, i: usize| world.body(bodies[i]).unwrap().omega().z;
        // Radii of half a metre: the rims are 0.1 m apart after 0.2 s.
        for _ in 0..190 {
            world.step(1e-3);
        }
        assert!((spin(&world, 0) - 1.0).abs() < 1e-9 && spin(&world, 1).abs() < 1e-9);
        for _ in 0..20 {
            world.step(1e-3);
        }
        // Equal inertias, no bounce: both turn with half the speed, opposite ways.
        assert!((spin(&world, 0) - 0.5).abs() < 1e-2 && (spin(&world, 1) + 0.5).abs() < 1e-2);
        assert!((world.joint(joint).unwrap().position(2) - 0.1).abs() < 2e-3);
    }
}
