//! Motors, stops, loops and contacts of trees that move fast.

use stiction::joints::{AxisParameters, JointDefinition, JointKind};
use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::{MassProperties, Shape};
use stiction::world::{GeomDefinition, SolverKind, WorldParameters};

use super::scenes::{Scene, feet, ragdoll, reduced, rod};

fn free() -> WorldParameters {
    WorldParameters { gravity: DVec3::ZERO, solver: SolverKind::Direct, ..reduced() }
}

/// A crank driven at a rate with a rod that swings from its end.
fn driven_crank(rate: f64) -> Scene {
    let mut scene = Scene::new(free());
    let crank = scene.body(rod(1.0, 0.3, 0.05), Pose::from_position(DVec3::X * 0.15));
    let joint =
        scene.joint(JointDefinition::new(JointKind::Hinge, Some(crank), None).at(DVec3::ZERO).with_axis(0, DVec3::Y));
    let swing = scene.body(
        rod(0.5, 0.3, 0.03),
        Pose::new(DVec3::X * 0.3 + DVec3::Z * 0.15, DQuat::from_rotation_y(-std::f64::consts::FRAC_PI_2)),
    );
    scene.joint(
        JointDefinition::new(JointKind::Hinge, Some(swing), Some(crank)).at(DVec3::X * 0.3).with_axis(0, DVec3::Y),
    );
    *scene.world.joint_parameters_mut(joint, 0).unwrap() = AxisParameters::default().with_motor(rate, f64::INFINITY);
    scene
}

#[test]
fn a_motor_keeps_its_rate() {
    for rate in [1.0, 10.0, 100.0] {
        let mut scene = driven_crank(rate);
        let (mut off, mut position) = (0.0f64, 0.0);
        let mut effort = 0.0f64;
        for step in 0..2000 {
            scene.world.step(1e-3);
            let joint = scene.world.joint(scene.joints[0]).unwrap();
            if step > 0 {
                off = off.max((joint.rate(0) - rate).abs());
                effort = effort.max(joint.effort(0).abs());
            }
            position = joint.position(0);
        }
        assert!(off < 1e-9 * rate.max(1.0) && (position - rate * 2.0).abs() < 1e-9, "{rate}: {off:e}");
        println!("motor {rate}: rate off by {off:.1e}, position {:.2e}, effort {effort:.4}", position - rate * 2.0);
    }
}

#[test]
fn locked_joints_make_no_energy() {
    for (name, mut scene) in [("feet", feet(free(), 0.0)), ("feet partly", feet(free(), 100.0))] {
        for (i, joint) in scene.joints.clone().into_iter().enumerate() {
            if name == "feet" || i % 2 == 0 {
                *scene.world.joint_parameters_mut(joint, 0).unwrap() =
                    AxisParameters::default().with_motor(0.0, f64::INFINITY);
            }
        }
        if name == "feet" {
            for id in scene.bodies.clone() {
                let x = scene.world.body(id).unwrap().center_of_mass();
                let omega = DVec3::new(100.0, 50.0, 200.0);
                let mut body = scene.world.body_mut(id).unwrap();
                body.set_omega(omega).unwrap();
                body.set_velocity(omega.cross(x)).unwrap();
            }
        }
        scene.world.step(1e-3);
        let start = scene.sums();
        let (mut gain, mut loss, mut angular) = (0.0f64, 0.0f64, 0.0f64);
        for _ in 0..2000 {
            scene.world.step(1e-3);
            let now = scene.sums();
            gain = gain.max(now.energy() - start.energy());
            loss = loss.max(start.energy() - now.energy());
            angular = angular.max((now.angular - start.angular).length());
        }
        assert!(gain < 1e-6 * start.kinetic && angular < 1e-4 * start.angular.length(), "{name}: {gain:e} {angular:e}");
        println!(
            "{name}: gain {:.1e} loss {:.1e} L {:.1e}",
            gain / start.kinetic,
            loss / start.kinetic,
            angular / start.angular.length()
        );
    }
}

/// A four-bar of random rods with a rate on the crank; a top on a ball whose tip a second ball holds.
fn four_bar(rate: f64) -> Scene {
    let mut scene = Scene::new(free());
    let points = [DVec3::ZERO, DVec3::new(0.1, 0.0, 0.2), DVec3::new(0.5, 0.0, 0.4), DVec3::new(0.5, 0.0, 0.0)];
    let mut last = None;
    for i in 0..3 {
        let along = points[i + 1] - points[i];
        let turn = DQuat::from_rotation_arc(DVec3::X, along.normalize());
        let body = scene.body(rod(1.0, along.length(), 0.03), Pose::new(0.5 * (points[i] + points[i + 1]), turn));
        scene.joint(JointDefinition::new(JointKind::Hinge, Some(body), last).at(points[i]).with_axis(0, DVec3::Y));
        last = Some(body);
    }
    scene.joint(JointDefinition::new(JointKind::Hinge, last, None).at(points[3]).with_axis(0, DVec3::Y));
    let crank = scene.bodies[0];
    scene.world.body_mut(crank).unwrap().set_omega(DVec3::Y * rate).unwrap();
    scene
}

fn top_in_a_loop(spin: f64) -> Scene {
    let mut scene = Scene::new(WorldParameters { solver: SolverKind::Direct, ..reduced() });
    let tilt = DQuat::from_rotation_y(0.5);
    let mass = MassProperties::cylinder(1.0 / (std::f64::consts::PI * 0.05 * 0.05 * 0.02), 0.05, 0.02);
    let top = scene.body(mass, Pose::new(tilt * DVec3::Z * 0.05, tilt));
    scene.joint(JointDefinition::new(JointKind::Ball, Some(top), None).at(DVec3::ZERO));
    let tip = tilt * DVec3::Z * 0.1;
    let end = tip + DVec3::new(0.2, 0.05, 0.1);
    let along = end - tip;
    let bar = scene.body(
        rod(0.2, along.length(), 0.02),
        Pose::new(0.5 * (tip + end), DQuat::from_rotation_arc(DVec3::X, along.normalize())),
    );
    scene.joint(JointDefinition::new(JointKind::Ball, Some(bar), Some(top)).at(tip));
    let arm_end = end + DVec3::new(0.2, 0.0, -0.1);
    let along = arm_end - end;
    let arm = scene.body(
        rod(0.2, along.length(), 0.02),
        Pose::new(0.5 * (arm_end + end), DQuat::from_rotation_arc(DVec3::X, along.normalize())),
    );
    scene.joint(JointDefinition::new(JointKind::Ball, Some(arm), Some(bar)).at(end));
    scene.joint(JointDefinition::new(JointKind::Ball, Some(arm), None).at(arm_end));
    scene.world.body_mut(top).unwrap().set_omega(tilt * DVec3::Z * spin).unwrap();
    scene
}

#[test]
fn loops_make_no_energy() {
    for step in [1e-3, 4e-3] {
        for (name, mut scene) in [
            ("four bar 5", four_bar(5.0)),
            ("four bar 50", four_bar(50.0)),
            ("top in loop 30", top_in_a_loop(30.0)),
            ("top in loop 200", top_in_a_loop(200.0)),
        ] {
            scene.world.step(step);
            let start = scene.sums();
            let (mut gain, mut loss, mut residual) = (0.0f64, 0.0f64, 0.0f64);
            for _ in 0..(4.0 / step) as u64 {
                scene.world.step(step);
                let now = scene.sums();
                gain = gain.max(now.energy() - start.energy());
                loss = loss.max(start.energy() - now.energy());
                residual = residual.max(scene.world.report().joint_error);
            }
            assert!(gain < 2.5e-2 * start.kinetic && residual < 1e-9, "{name}: {gain:e} {residual:e}");
            println!(
                "{step} {name}: gain {:.1e} loss {:.1e} gap {residual:.1e}",
                gain / start.kinetic,
                loss / start.kinetic
            );
        }
    }
}

#[test]
fn a_ragdoll_that_falls_on_the_ground_makes_no_energy() {
    for step in [1e-3, 1.0 / 240.0] {
        for solver in [SolverKind::Direct, SolverKind::Iterative] {
            let mut scene = ragdoll(WorldParameters { solver, ..reduced() }, 300.0);
            scene.world.add_geom(&GeomDefinition::new(Shape::plane(DVec3::Z, -0.1).unwrap(), None)).unwrap();
            for id in scene.bodies.clone() {
                scene.world.add_geom(&GeomDefinition::new(Shape::sphere(0.05).unwrap(), Some(id))).unwrap();
            }
            scene.world.step(step);
            let start = scene.sums();
            let (mut gain, mut last, mut worst) = (0.0f64, start.energy(), 0.0f64);
            let mut contacts = 0;
            for _ in 0..(3.0 / step) as u64 {
                scene.world.step(step);
                contacts += scene.world.report().contacts;
                let now = scene.sums();
                gain = gain.max(now.energy() - start.energy());
                worst = worst.max(now.energy() - last);
                last = now.energy();
            }
            assert!(gain < 1e-9 * start.kinetic && worst < 5e-3 * start.kinetic, "{gain:e} {worst:e}");
            println!(
                "ragdoll {step:.4} {solver:?}: gain {:.1e}, in a step {:.1e}, end {:.1e} of {:.1e} J, contacts {contacts}",
                gain / start.kinetic,
                worst / start.kinetic,
                last,
                start.energy()
            );
        }
    }
}
