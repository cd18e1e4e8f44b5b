//! What is not a number stays with the body that has it.

use super::support::*;
use stiction::joints::{JointDefinition, JointKind};
use stiction::math::{DVec3, Pose};
use stiction::world::{BodyDefinition, BodyId, HybridRule, World, WorldParameters};

fn two_bodies() -> (World, [BodyId; 2]) {
    let mut world = World::new(parameters());
    let bodies = [0.0, 5.0].map(|x| {
        world
            .add_body(&BodyDefinition {
                pose: Pose::from_position(DVec3::new(x, 0.0, 0.0)),
                velocity: DVec3::X,
                ..BodyDefinition::default()
            })
            .unwrap()
    });
    (world, bodies)
}

#[test]
fn a_force_that_is_not_a_number_stops_its_body_only() {
    for bad in [f64::NAN, f64::INFINITY] {
        let (mut world, [sick, well]) = two_bodies();
        let before = world.body(sick).unwrap().pose();
        world.body_mut(sick).unwrap().add_force(DVec3::new(bad, 0.0, 0.0));
        world.step(0.01);
        assert_eq!(world.report().quarantined, [sick]);
        let body = world.body(sick).unwrap();
        assert_eq!((body.pose(), body.velocity(), body.is_enabled()), (before, DVec3::ZERO, false));
        world.step(0.01);
        assert!(world.report().quarantined.is_empty());
        assert!((world.body(well).unwrap().velocity() - DVec3::new(1.0, 0.0, -0.02 * GRAVITY)).length() < 1e-14);
        // Woken, it falls like any other.
        world.body_mut(sick).unwrap().enable();
        world.step(0.01);
        assert!((world.body(sick).unwrap().velocity().z + 0.01 * GRAVITY).abs() < 1e-14);
    }
}

#[test]
fn numbers_that_are_not_finite_are_refused_where_they_come_in() {
    let (mut world, [first, second]) = two_bodies();
    let mut body = world.body_mut(first).unwrap();
    let nan = DVec3::new(0.0, f64::NAN, 0.0);
    assert!(body.set_velocity(nan).is_err() && body.set_omega(nan).is_err());
    assert!(body.set_pose(&Pose::from_position(nan)).is_err());
    let joint = world.add_joint(JointDefinition::new(JointKind::Hinge, Some(first), None)).unwrap();
    let hinge = JointDefinition::new(JointKind::Hinge, Some(first), Some(second));
    assert!(world.add_joint(hinge.clone().at(nan)).is_err());
    assert!(world.add_joint(hinge.with_axis(0, nan)).is_err());
    // A torque that is not a number must not become one (NaN within ±limit is the limit, to min and max).
    assert!(!world.add_joint_force(joint, 0, f64::NAN) && !world.add_joint_force(joint, 0, f64::INFINITY));
    world.joint_parameters_mut(joint, 0).unwrap().effort_limit = 5.0;
    world.step(0.01);
    assert_eq!(world.joint(joint).unwrap().effort(0), 0.0);
    assert!(world.report().quarantined.is_empty());
}

#[test]
fn a_joint_with_a_parameter_that_is_not_a_number_stops_until_it_is_mended() {
    let mut world = World::new(WorldParameters { hybrid: HybridRule::Off, ..parameters() });
    let body = world.add_body(&BodyDefinition::default()).unwrap();
    let other = world.add_body(&BodyDefinition::default()).unwrap();
    let joint = world.add_joint(JointDefinition::new(JointKind::Hinge, Some(body), None)).unwrap();
    let motor = &mut world.joint_parameters_mut(joint, 0).unwrap().motor;
    (motor.velocity, motor.max_force) = (f64::NAN, 1.0);
    world.step(0.01);
    assert_eq!(world.report().quarantined, [body]);
    assert!((world.body(other).unwrap().velocity().z + 0.01 * GRAVITY).abs() < 1e-14);
    world.joint_parameters_mut(joint, 0).unwrap().motor.velocity = 1.0;
    world.body_mut(body).unwrap().enable();
    for _ in 0..10 {
        world.step(0.01);
        assert!(world.report().quarantined.is_empty());
    }
    assert!((world.joint(joint).unwrap().rate(0) - 0.1).abs() < 1e-9, "{}", world.joint(joint).unwrap().rate(0));
}

#[test]
fn steps_that_are_not_positive_are_refused() {
    let (mut world, _) = two_bodies();
    let hash = world.state_hash();
    for step in [0.0, -0.01, f64::NAN, f64::INFINITY] {
        assert!(world.step(step).refused);
        assert_eq!((world.state_hash(), world.time()), (hash, 0.0));
    }
    assert!(!world.step(0.01).refused);
}

/// A joint to a kinematic body that presses a ball into the ground: the two rows contradict each other, and their impulses
/// grow until their rounding is all that is left of the velocity. The ball stays between what the rows ask for.
#[test]
fn a_body_between_a_moving_joint_and_the_ground_does_not_fly_away() {
    let mut judged = 0;
    for kind in [JointKind::Ball, JointKind::Hinge, JointKind::Fixed] {
        for (speed, density) in [(0.2, 1300.0), (0.05, 20.0), (1.0, 7800.0)] {
            let solver = stiction::world::SolverKind::Direct;
            let gravity = DVec3::new(0.0, 0.0, -GRAVITY);
            let mut world = World::new(WorldParameters { gravity, solver, ..WorldParameters::default() });
            let plane = stiction::shape::Shape::plane(DVec3::Z, 0.0).unwrap();
            world.add_geom(&stiction::world::GeomDefinition::new(plane, None)).unwrap();
            let ball = stiction::shape::Shape::sphere(0.2).unwrap();
            let at = |x| Pose::from_position(DVec3::new(x, 0.0, 0.2));
            let mass = ball.mass_properties(density).unwrap();
            let body = world.add_body(&BodyDefinition { pose: at(0.0), mass, ..BodyDefinition::default() }).unwrap();
            world.add_geom(&stiction::world::GeomDefinition::new(ball, Some(body))).unwrap();
            let press = world
                .add_body(&BodyDefinition {
                    kind: stiction::world::BodyKind::Kinematic,
                    velocity: -speed * DVec3::Z,
                    pose: at(0.5),
                    ..BodyDefinition::default()
                })
                .unwrap();
            world.add_joint(JointDefinition::new(kind, Some(body), Some(press)).at(at(0.0).position)).unwrap();
            // Down to where the way out of the ground would be the other one, and joint and contact agreed.
            let steps = (0.19 / speed / 0.004) as u32;
            for step in 0..steps {
                world.step(0.004);
                let v = world.body(body).unwrap().velocity();
                // Correction of either row in a step: the ERP of what is open, over the step.
                let asked = speed + 0.2 * speed * f64::from(step + 1);
                assert!(v.length() < asked, "{kind:?} at {speed} m/s, step {step}: {v} m/s");
                judged += 1;
            }
        }
    }
    assert!(judged > 1000);
}
