//! What drives, stops and limits the free motions of joints, and what joints tell.

use super::support::*;
use stiction::joints::{AxisParameters, JointDefinition, JointKind, Motor};
use stiction::math::{DVec3, Pose};
use stiction::world::{BodyDefinition, BodyId, Coordinates, JointId, SolverKind, World, WorldParameters};

const SOLVERS: [SolverKind; 2] = [SolverKind::Direct, SolverKind::Iterative];

/// A wheel of 1 kg m² about z.
fn wheel(solver: SolverKind, parameters: AxisParameters) -> (World, BodyId, JointId) {
    wheel_in(WorldParameters { solver, ..WorldParameters::default() }, parameters)
}

fn wheel_in(world: WorldParameters, parameters: AxisParameters) -> (World, BodyId, JointId) {
    let mut world = World::new(WorldParameters { cfm: 0.0, ..world });
    let body = world.add_body(&BodyDefinition::default()).unwrap();
    let hinge = JointDefinition::new(JointKind::Hinge, Some(body), None).with_axis(0, DVec3::Z);
    let joint = world.add_joint(hinge.with_parameters(0, parameters)).unwrap();
    (world, body, joint)
}

#[test]
fn a_motor_that_is_too_weak_gives_its_largest_force() {
    for solver in SOLVERS {
        let (mut world, _, joint) = wheel(solver, AxisParameters::default().with_motor(1.0, 0.5));
        world.step(0.01);
        let j = world.joint(joint).unwrap();
        assert!(
            (j.rate(0) - 0.005).abs() < 1e-12 && (j.effort(0) - 0.5).abs() < 1e-10,
            "{} {}",
            j.rate(0),
            j.effort(0)
        );
    }
}

#[test]
fn a_motor_that_leaves_a_stop_pulls_with_its_fudged_force() {
    for solver in SOLVERS {
        for (velocity, rate) in [(-1.0, -0.01 * 0.1 * 2.0), (1.0, 0.0), (0.0, 0.0)] {
            let motor = Motor { velocity, max_force: 2.0, fudge_factor: 0.1, cfm: None };
            let stopped = AxisParameters { motor, ..AxisParameters::default().with_stops(-1.0, 0.0) };
            let (mut world, _, joint) = wheel(solver, stopped);
            world.step(0.01);
            let found = world.joint(joint).unwrap().rate(0);
            assert!((found - rate).abs() < 1e-12, "{solver:?} {velocity}: {found}");
        }
    }
}

#[test]
fn a_stop_bounces_the_speed_that_the_user_has_just_set() {
    for solver in SOLVERS {
        let bouncing = AxisParameters { bounce: 0.5, ..AxisParameters::default().with_stops(-1.0, 0.0) };
        let (mut world, body, joint) = wheel(solver, bouncing);
        world.body_mut(body).unwrap().set_omega(DVec3::new(0.0, 0.0, 3.0)).unwrap();
        world.step(0.01);
        assert!((world.joint(joint).unwrap().rate(0) + 1.5).abs() < 1e-12, "{}", world.joint(joint).unwrap().rate(0));
    }
}

#[test]
fn a_spring_pulls_from_where_the_user_has_just_put_the_body() {
    for solver in SOLVERS {
        let spring = AxisParameters { stiffness: 10.0, ..AxisParameters::default() };
        let (mut world, body, joint) = wheel(solver, spring);
        let turned = Pose::new(DVec3::ZERO, stiction::math::DQuat::from_rotation_z(0.5));
        world.body_mut(body).unwrap().set_pose(&turned).unwrap();
        world.step(0.01);
        // ω = −h k θ / (I + h² k θ₁), with θ₁ = 1 where it is implicit.
        let share = if world.parameters.springs_keep_energy() { 0.25 } else { 1.0 };
        let expected = -0.01 * 10.0 * 0.5 / (1.0 + share * 1e-4 * 10.0);
        let rate = world.joint(joint).unwrap().rate(0);
        assert!((rate - expected).abs() < 1e-12, "{solver:?}: {rate} {expected}");
    }
}

#[test]
fn a_motor_without_bound_stops_at_a_stop_and_leaves_it() {
    for solver in SOLVERS {
        let parameters = AxisParameters::default().with_stops(-1.0, 0.1).with_motor(2.0, f64::INFINITY);
        let (mut world, body, joint) = wheel(solver, parameters);
        for step in 0..100 {
            world.body_mut(body).unwrap().add_torque(DVec3::new(0.0, 0.0, if step % 2 == 0 { 50.0 } else { -50.0 }));
            world.step(0.01);
            let (position, rate) = (world.joint(joint).unwrap().position(0), world.joint(joint).unwrap().rate(0));
            let is_right = if step < 4 { (rate - 2.0).abs() < 1e-9 } else { (position - 0.11).abs() < 0.02 };
            assert!(is_right, "{solver:?} {step}: {position} {rate}");
        }
        world.joint_parameters_mut(joint, 0).unwrap().motor.velocity = -2.0;
        for _ in 0..3 {
            world.step(0.01);
            assert!((world.joint(joint).unwrap().rate(0) + 2.0).abs() < 1e-6, "{solver:?}");
        }
    }
}

#[test]
fn equal_stops_lock() {
    for solver in SOLVERS {
        let (mut world, body, joint) = wheel(solver, AxisParameters::default().with_stops(0.0, 0.0));
        for _ in 0..10 {
            world.body_mut(body).unwrap().add_torque(DVec3::new(0.0, 0.0, 3.0));
            world.step(0.01);
        }
        let j = world.joint(joint).unwrap();
        assert!(j.rate(0).abs() < 1e-12 && (j.effort(0) + 3.0).abs() < 1e-9, "{} {}", j.rate(0), j.effort(0));
    }
}

#[test]
fn direct_torques_turn_and_limits_hold_them_back() {
    let limited = AxisParameters { effort_limit: 5.0, velocity_limit: 0.2, ..AxisParameters::default() };
    for (parameters, effort) in [(AxisParameters::default(), 8.0), (limited, 5.0)] {
        let (mut world, _, joint) = wheel(SolverKind::Direct, parameters);
        world.add_joint_force(joint, 0, 6.0);
        world.add_joint_force(joint, 0, 2.0);
        world.step(0.01);
        let j = world.joint(joint).unwrap();
        assert!((j.rate(0) - 0.01 * effort).abs() < 1e-12 && (j.effort(0) - effort).abs() < 1e-12, "{}", j.rate(0));
        // It is for one step.
        world.step(0.01);
        assert_eq!(world.joint(joint).unwrap().effort(0), 0.0);
        for _ in 0..20 {
            world.add_joint_force(joint, 0, 8.0);
            world.step(0.01);
        }
        let rate = world.joint(joint).unwrap().rate(0);
        // The step that passes the limit is the last that accelerates.
        let most = parameters.velocity_limit + 0.01 * effort;
        assert!(rate <= most + 1e-12 && rate > 0.19, "{rate}");
        // Against the motion it may push at any speed.
        world.add_joint_force(joint, 0, -5.0);
        world.step(0.01);
        assert!((world.joint(joint).unwrap().rate(0) - rate + 0.05).abs() < 1e-12);
    }
}

#[test]
fn a_brake_keeps_a_rate_and_takes_the_work_of_the_torque() {
    for (solver, coordinates) in
        SOLVERS.into_iter().flat_map(|s| [(s, Coordinates::Maximal), (s, Coordinates::Reduced)])
    {
        for sign in [1.0, -1.0] {
            let parameters = WorldParameters { solver, coordinates, ..WorldParameters::default() };
            let (mut world, _, joint) =
                wheel_in(parameters, AxisParameters { rate_limit: 0.2, ..AxisParameters::default() });
            let (mut done, mut lost) = (0.0, 0.0);
            for step in 1..=50 {
                world.add_joint_force(joint, 0, sign * 2.0);
                let report = world.step(0.01);
                (done, lost) = (done + report.energy.forces, lost + report.energy.joint_loss);
                let rate = world.joint(joint).unwrap().rate(0);
                let expected = sign * (0.02 * f64::from(step)).min(0.2);
                assert!((rate - expected).abs() < 1e-12, "{coordinates:?} {step}: {rate}, not {expected}");
            }
            // ½ I ω² stays, the rest of the torque's work is lost.
            let kept = done - lost;
            assert!((kept - 0.02).abs() < 1e-12 && lost > 0.1, "{done} J done, {lost} J lost");
            // What is faster is slowed down in one step, and nothing holds back what turns the other way.
            world.add_joint_force(joint, 0, sign * -4.0);
            world.step(0.01);
            assert!((world.joint(joint).unwrap().rate(0) - sign * 0.16).abs() < 1e-12);
        }
        let (mut world, body, joint) = wheel(solver, AxisParameters { rate_limit: 0.0, ..AxisParameters::default() });
        world.body_mut(body).unwrap().set_omega(DVec3::Z).unwrap();
        world.step(0.01);
        assert!(world.joint(joint).unwrap().rate(0).abs() < 1e-12);
    }
}

#[test]
fn a_slider_is_pushed_on_both_bodies() {
    let mut world = World::new(WorldParameters { solver: SolverKind::Direct, cfm: 0.0, ..WorldParameters::default() });
    let [a, b] = [(); 2].map(|()| world.add_body(&BodyDefinition::default()).unwrap());
    let joint = world.add_joint(JointDefinition::new(JointKind::Slider, Some(a), Some(b))).unwrap();
    world.add_joint_force(joint, 0, 2.0);
    world.step(0.01);
    let v = [a, b].map(|b| world.body(b).unwrap().velocity());
    assert!((v[0] - DVec3::new(0.02, 0.0, 0.0)).length() < 1e-12 && (v[1] + v[0]).length() < 1e-12, "{v:?}");
}

#[test]
fn joints_tell_the_force_that_holds_their_bodies() {
    for solver in SOLVERS {
        for reversed in [false, true] {
            let mut world = World::new(WorldParameters { solver, cfm: 0.0, ..parameters() });
            let mass = box_mass(DVec3::ONE, 2.0);
            let body = world.add_body(&BodyDefinition { mass, ..BodyDefinition::default() }).unwrap();
            let ends = if reversed { [None, Some(body)] } else { [Some(body), None] };
            // Held 0.5 m to the side.
            let fixed = JointDefinition::new(JointKind::Fixed, ends[0], ends[1]).at(DVec3::new(0.5, 0.0, 0.0));
            let joint = world.add_joint(fixed.with_feedback()).unwrap();
            for _ in 0..10 {
                world.step(0.01);
            }
            let feedback = world.joint(joint).unwrap().feedback();
            let own = usize::from(reversed);
            let (force, torque) = (feedback.forces[own], feedback.torques[own]);
            assert!((force - DVec3::new(0.0, 0.0, 19.62)).length() < 1e-6, "{solver:?}: {force}");
            // About the centre of mass nothing turns.
            assert!(torque.length() < 1e-6, "{solver:?}: {torque}");
        }
    }
}

#[test]
fn an_angular_motor_turns_about_axes_of_world_and_bodies_and_stops_at_the_users_angle() {
    use stiction::joints::{AngularMotorMode, AxisFrame};
    let frames = [AxisFrame::World, AxisFrame::First, AxisFrame::Second];
    let mode = |angle| AngularMotorMode::User { count: 3, frames, angles: [angle, 0.0, 0.0] };
    for solver in SOLVERS {
        let mut world = World::new(WorldParameters { solver, cfm: 0.0, ..WorldParameters::default() });
        let body = world.add_body(&BodyDefinition::default()).unwrap();
        let drive = AxisParameters::default().with_motor(0.5, 1e3);
        let motor = JointDefinition::new(JointKind::AngularMotor { mode: mode(0.0) }, Some(body), None);
        let joint =
            world.add_joint(JointDefinition { parameters: [drive.with_stops(-1.0, 1.0), drive, drive], ..motor });
        let joint = joint.unwrap();
        world.step(1e-3);
        let omega = world.body(body).unwrap().omega();
        assert!((omega - DVec3::splat(0.5)).length() < 1e-3, "{solver:?}: {omega}");
        // The user says that the first angle has come to its stop: it turns no further, the others do. The motor drives
        // into the stop with a force beside the rows.
        *world.joint_kind_mut(joint).unwrap() = JointKind::AngularMotor { mode: mode(1.0) };
        world.joint_parameters_mut(joint, 0).unwrap().motor.max_force = 1.0;
        world.step(1e-3);
        let omega = world.body(body).unwrap().omega();
        assert!((omega - DVec3::new(0.0, 0.5, 0.5)).length() < 1e-3, "{solver:?}: {omega}");
    }
}

#[test]
fn a_hinge_2_steers_and_drives_its_wheel() {
    for solver in SOLVERS {
        let mut world = World::new(WorldParameters { solver, cfm: 0.0, iterations: 200, ..WorldParameters::default() });
        let chassis = world
            .add_body(&BodyDefinition { kind: stiction::world::BodyKind::Kinematic, ..BodyDefinition::default() })
            .unwrap();
        let wheel = world.add_body(&BodyDefinition::default()).unwrap();
        let locked = AxisParameters::default().with_stops(0.0, 0.0);
        let driven = AxisParameters::default().with_motor(3.0, 1e3);
        world
            .add_joint(JointDefinition {
                axes: [DVec3::Z, DVec3::Y, DVec3::X],
                parameters: [locked, driven, AxisParameters::default()],
                ..JointDefinition::new(JointKind::Hinge2, Some(chassis), Some(wheel))
            })
            .unwrap();
        for _ in 0..100 {
            world.body_mut(wheel).unwrap().add_torque(DVec3::new(0.0, 0.0, 1.0));
            world.step(1e-3);
        }
        // Rates are of the first body against the second: the wheel turns backwards.
        let omega = world.body(wheel).unwrap().omega();
        assert!((omega - DVec3::new(0.0, -3.0, 0.0)).length() < 1e-6, "{solver:?}: {omega}");
    }
}

#[test]
fn a_motor_on_a_gearbox_turns_the_body_of_its_axis() {
    // Axis 0 is the second body's about the reference, axis 1 the first body's.
    for (axis, torque_on_second) in [(0, 1.0), (1, -2.0)] {
        let mut world =
            World::new(WorldParameters { solver: SolverKind::Direct, cfm: 0.0, ..WorldParameters::default() });
        let [child, parent] = [(); 2].map(|()| world.add_body(&BodyDefinition::default()).unwrap());
        let gears = JointDefinition::new(JointKind::Gearbox { ratio: 2.0 }, Some(child), Some(parent));
        let axes = [DVec3::Z, DVec3::Z, DVec3::X];
        let joint = world.add_joint(JointDefinition { axes, ..gears }).unwrap();
        world.add_joint_force(joint, axis, 1.0);
        world.step(0.01);
        // (I₂ + ratio² I₁) α₂ = τ₂ − ratio τ₁
        let p = world.body(parent).unwrap().omega().z;
        assert!((p - 0.01 * torque_on_second / 5.0).abs() < 1e-10, "axis {axis}: {p}");
    }
}

#[test]
fn a_motor_on_a_gearbox_reacts_on_the_reference() {
    for axis in [0, 1] {
        let mut world =
            World::new(WorldParameters { solver: SolverKind::Direct, cfm: 0.0, ..WorldParameters::default() });
        let [child, parent, frame] = [(); 3].map(|()| world.add_body(&BodyDefinition::default()).unwrap());
        let mut gears = JointDefinition::new(JointKind::Gearbox { ratio: 2.0 }, Some(child), Some(parent));
        gears.parameters[axis] = AxisParameters::default().with_motor(0.3, 1e3);
        let axes = [DVec3::Z, DVec3::Z, DVec3::X];
        let joint = world.add_joint(JointDefinition { axes, reference: Some(frame), ..gears }).unwrap();
        world.step(0.01);
        let rates = [0, 1].map(|i| world.joint(joint).unwrap().rate(i));
        assert!((rates[axis] - 0.3).abs() < 1e-9 && (rates[1] + 2.0 * rates[0]).abs() < 1e-9, "{rates:?}");
        assert!(world.momentum().1.length() < 1e-12, "{}", world.momentum().1);
    }
}

#[test]
fn a_gearbox_turns_its_bodies_against_each_other() {
    for solver in SOLVERS {
        let mut world = World::new(WorldParameters { solver, cfm: 0.0, iterations: 200, ..WorldParameters::default() });
        let [child, parent] = [-1.0, 1.0].map(|x| {
            let pose = Pose::from_position(DVec3::new(x, 0.0, 0.0));
            world.add_body(&BodyDefinition { pose, ..BodyDefinition::default() }).unwrap()
        });
        for (body, x) in [(child, -1.0), (parent, 1.0)] {
            let at = DVec3::new(x, 0.0, 0.0);
            let hinge = JointDefinition::new(JointKind::Hinge, Some(body), None).at(at);
            world.add_joint(hinge.with_axis(0, DVec3::Z)).unwrap();
        }
        let axes = [DVec3::Z, DVec3::Z, DVec3::X];
        let gears = JointDefinition::new(JointKind::Gearbox { ratio: 2.0 }, Some(child), Some(parent));
        world.add_joint(JointDefinition { axes, ..gears }).unwrap();
        for _ in 0..100 {
            world.body_mut(parent).unwrap().add_torque(DVec3::Z);
            world.step(0.01);
        }
        // Virtual work: (I_parent + ratio² I_child) α = τ.
        let (p, c) = (world.body(parent).unwrap().omega().z, world.body(child).unwrap().omega().z);
        assert!((p - 0.2).abs() < 1e-6 && (c + 0.4).abs() < 1e-6, "{solver:?}: {p} {c}");
    }
}

#[test]
fn feedback_has_the_forces_along_the_motions_in_every_coordinates() {
    // A slider along x that a user's force holds against a spring, beside its weight.
    let told = |coordinates: Coordinates, force: f64| {
        let mut world = World::new(WorldParameters { coordinates, cfm: 0.0, ..parameters() });
        let mass = box_mass(DVec3::ONE, 2.0);
        let body = world.add_body(&BodyDefinition { mass, ..BodyDefinition::default() }).unwrap();
        let own = AxisParameters { stiffness: 50.0, damping: 30.0, ..AxisParameters::default() };
        let slider = JointDefinition::new(JointKind::Slider, Some(body), None).with_axis(0, DVec3::X);
        let joint = world.add_joint(slider.with_parameters(0, own).with_feedback()).unwrap();
        for _ in 0..6000 {
            world.add_joint_force(joint, 0, force);
            world.step(2e-3);
        }
        (world.joint(joint).unwrap().feedback(), world.joint(joint).unwrap().position(0))
    };
    for force in [0.0, 3.0, -7.5] {
        for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
            let (feedback, position) = told(coordinates, force);
            assert!((position - force / 50.0).abs() < 1e-9, "{coordinates:?} {position}");
            // Spring and force cancel: the joint as a whole carries the weight.
            let expected = DVec3::new(0.0, 0.0, 2.0 * 9.81);
            assert!((feedback.forces[0] - expected).length() < 1e-6, "{coordinates:?} {force}: {feedback:?}");
            assert!((feedback.forces[1] + expected).length() < 1e-6, "{coordinates:?} {force}: {feedback:?}");
        }
    }
    // While it accelerates, the force is all that the joint does along its motion.
    for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
        let mut world = World::new(WorldParameters { coordinates, cfm: 0.0, ..parameters() });
        let mass = box_mass(DVec3::ONE, 2.0);
        let body = world.add_body(&BodyDefinition { mass, ..BodyDefinition::default() }).unwrap();
        let slider = JointDefinition::new(JointKind::Slider, Some(body), None).with_axis(0, DVec3::X);
        let joint = world.add_joint(slider.with_feedback()).unwrap();
        world.add_joint_force(joint, 0, 4.0);
        world.step(1e-3);
        let feedback = world.joint(joint).unwrap().feedback();
        assert!((feedback.forces[0].x - 4.0).abs() < 1e-9, "{coordinates:?}: {feedback:?}");
    }
}
