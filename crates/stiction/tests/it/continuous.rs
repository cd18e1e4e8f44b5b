//! Continuous time: forces of joints, motors, stops, contacts of the user, loops at singular positions, and its end.

use super::support::*;
use proptest::prelude::*;
use stiction::joints::{AxisParameters, JointDefinition, JointKind};
use stiction::material::ContactSurface;
use stiction::math::{DVec3, Pose};
use stiction::world::{BodyDefinition, BodyId, ContactDefinition, JointId, Preset, World};

const STEP: f64 = 1e-3;

fn world() -> World {
    let mut p = parameters();
    Preset::DrakeContinuous.apply(&mut p);
    World::new(p)
}

/// A box-like body of 2 kg at a place.
fn body(world: &mut World, at: DVec3) -> BodyId {
    let mass = box_mass(DVec3::new(0.2, 0.3, 0.4), 2.0);
    world.add_body(&BodyDefinition { mass, pose: Pose::from_position(at), ..BodyDefinition::default() }).unwrap()
}

fn hinge(world: &mut World, first: BodyId, second: Option<BodyId>, at: DVec3, axis: DVec3) -> JointId {
    let joint = JointDefinition::new(JointKind::Hinge, Some(first), second).at(at).with_axis(0, axis).with_feedback();
    world.add_joint(joint).unwrap()
}

fn run(world: &mut World, time: f64) {
    let steps = (time / STEP).round() as usize;
    for _ in 0..steps {
        world.step(STEP);
    }
}

#[test]
fn a_hanging_body_pulls_at_its_joint_with_its_weight_and_a_welded_one_turns_it() {
    let mut w = world();
    let hanging = body(&mut w, DVec3::new(0.0, 0.0, -0.5));
    let j = hinge(&mut w, hanging, None, DVec3::ZERO, DVec3::X);
    let welded = body(&mut w, DVec3::new(3.5, 0.0, 0.0));
    let weld = JointDefinition::new(JointKind::Fixed, Some(welded), None).at(DVec3::X * 3.0).with_feedback();
    let k = w.add_joint(weld).unwrap();
    run(&mut w, 0.1);
    for (joint, torque) in [(j, DVec3::ZERO), (k, DVec3::new(0.0, 0.0, 0.0))] {
        let told = w.joint(joint).unwrap().feedback();
        assert!((told.forces[0] - DVec3::Z * 2.0 * GRAVITY).length() < 1e-6, "{told:?}");
        assert!((told.torques[0] - torque).length() < 1e-6, "{told:?}");
        assert!((told.forces[1] + told.forces[0]).length() < 1e-12);
    }
    // About the world's origin, which stands for the body that is missing.
    let told = w.joint(k).unwrap().feedback();
    assert!((told.torques[1].length() - 3.5 * 2.0 * GRAVITY).abs() < 1e-5, "{told:?}");
}

/// Newton's and Euler's laws for every body, from the velocities before and after: what joints with feedback, gravity and a
/// force of the user come to.
fn balance(w: &mut World, bodies: &[BodyId], joints: &[JointId], push: DVec3) -> f64 {
    let momenta = |w: &World| -> Vec<(DVec3, DVec3)> {
        bodies
            .iter()
            .map(|b| {
                let b = w.body(*b).unwrap();
                (b.velocity() * b.mass(), b.angular_momentum())
            })
            .collect()
    };
    let h = 1e-4;
    let step = |w: &mut World| {
        w.body_mut(bodies[0]).unwrap().add_force(push);
        w.step(h);
    };
    let before = momenta(w);
    step(w);
    let mut sums = vec![(DVec3::ZERO, DVec3::ZERO); bodies.len()];
    for joint in joints {
        let joint = w.joint(*joint).unwrap();
        let (ends, told) = (joint.definition().bodies, joint.feedback());
        for end in 0..2 {
            if let Some(i) = ends[end].and_then(|id| bodies.iter().position(|b| *b == id)) {
                sums[i].0 += told.forces[end];
                sums[i].1 += told.torques[end];
            }
        }
    }
    step(w);
    let after = momenta(w);
    let mut worst = 0.0_f64;
    for (i, sum) in sums.iter().enumerate() {
        let mass = w.body(bodies[i]).unwrap().mass();
        let own = if i == 0 { push } else { DVec3::ZERO };
        let force = (after[i].0 - before[i].0) / (2.0 * h) + DVec3::Z * mass * GRAVITY - own;
        let torque = (after[i].1 - before[i].1) / (2.0 * h);
        worst = worst.max((sum.0 - force).length()).max((sum.1 - torque).length());
    }
    worst
}

#[test]
fn feedback_of_a_driven_arm_balances_what_its_links_do() {
    let mut w = world();
    let places = [0.5, 1.5, 2.5].map(|x| DVec3::new(x, 0.0, 0.0));
    let bodies = places.map(|at| body(&mut w, at));
    let axes = [DVec3::Z, DVec3::Y, DVec3::new(0.0, 0.6, 0.8)];
    let joints: Vec<_> = (0..3)
        .map(|i| hinge(&mut w, bodies[i], (i > 0).then(|| bodies[i - 1]), DVec3::X * i as f64, axes[i]))
        .collect();
    for (i, joint) in joints.iter().enumerate() {
        let p = w.joint_parameters_mut(*joint, 0).unwrap();
        (p.stiffness, p.damping) = (30.0, 0.5 * i as f64);
        p.motor.velocity = [1.0, -0.5, 2.0][i];
        p.motor.max_force = [200.0, 5.0, 0.0][i];
    }
    run(&mut w, 0.2);
    let worst = balance(&mut w, &bodies, &joints, DVec3::new(3.0, -5.0, 8.0));
    assert!(worst < 0.05, "{worst}");
}

#[test]
fn feedback_of_a_loop_balances_what_its_links_do() {
    let mut w = world();
    // A four-bar linkage of unequal lengths in a vertical plane.
    let points = [DVec3::ZERO, DVec3::new(0.2, 0.0, 1.0), DVec3::new(1.5, 0.0, 1.2), DVec3::new(1.4, 0.0, 0.0)];
    let bodies: Vec<_> = (0..3).map(|i| body(&mut w, 0.5 * (points[i] + points[i + 1]))).collect();
    let mut joints = vec![hinge(&mut w, bodies[0], None, points[0], DVec3::Y)];
    joints.push(hinge(&mut w, bodies[1], Some(bodies[0]), points[1], DVec3::Y));
    joints.push(hinge(&mut w, bodies[2], Some(bodies[1]), points[2], DVec3::Y));
    joints.push(hinge(&mut w, bodies[2], None, points[3], DVec3::Y));
    w.joint_parameters_mut(joints[3], 0).unwrap().stiffness = 20.0;
    run(&mut w, 0.2);
    let worst = balance(&mut w, &bodies, &joints, DVec3::new(3.0, 0.0, 8.0));
    assert!(worst < 0.05, "{worst}");
}

/// A slider or hinge with a motor that works against a load; the rate after a time, and the effort that is told.
fn driven(kind: JointKind, motor: (f64, f64), load: f64) -> (f64, f64) {
    let mut w = world();
    let b = body(&mut w, DVec3::ZERO);
    let axis = if kind == JointKind::Slider { DVec3::Z } else { DVec3::Y };
    let at = if kind == JointKind::Slider { DVec3::ZERO } else { DVec3::X * -0.5 };
    let joint = JointDefinition::new(kind, Some(b), None).at(at).with_axis(0, axis);
    let joint = w.add_joint(joint.with_parameters(0, AxisParameters::default().with_motor(motor.0, motor.1))).unwrap();
    for _ in 0..200 {
        w.add_joint_force(joint, 0, load);
        w.step(STEP);
    }
    let j = w.joint(joint).unwrap();
    (j.rate(0), j.effort(0))
}

#[test]
fn a_velocity_command_under_load_is_met_to_1e_minus_6() {
    for kind in [JointKind::Slider, JointKind::Hinge] {
        for (velocity, load) in [(0.5, -30.0), (1.0, 0.0), (-0.3, 12.0)] {
            for most in [1e4, f64::INFINITY] {
                let (rate, _) = driven(kind, (velocity, most), load);
                assert!((rate - velocity).abs() < 1e-6, "{kind:?} {velocity} {load} {most}: {rate}");
            }
        }
    }
    // What the motor of a slider at constant speed gives is the weight, less what the user adds.
    let (_, effort) = driven(JointKind::Slider, (0.5, 1e4), -30.0);
    assert!((effort - 2.0 * GRAVITY).abs() < 1e-3, "{effort}");
    // A motor that is too weak gives what it has: 2 kg fall with g − 5 N / 2 kg.
    let (rate, effort) = driven(JointKind::Slider, (0.5, 5.0), 0.0);
    assert!((rate + (GRAVITY - 2.5) * 0.2).abs() < 1e-5 && (effort - 5.0).abs() < 1e-9, "{rate} {effort}");
}

#[test]
fn a_motor_on_the_joint_that_closes_a_loop_meets_its_velocity() {
    let mut w = world();
    let points = [DVec3::ZERO, DVec3::new(0.2, 0.0, 0.4), DVec3::new(1.5, 0.0, 0.9), DVec3::new(1.4, 0.0, 0.0)];
    let bodies: Vec<_> = (0..3).map(|i| body(&mut w, 0.5 * (points[i] + points[i + 1]))).collect();
    hinge(&mut w, bodies[0], None, points[0], DVec3::Y);
    hinge(&mut w, bodies[1], Some(bodies[0]), points[1], DVec3::Y);
    hinge(&mut w, bodies[2], Some(bodies[1]), points[2], DVec3::Y);
    let last = hinge(&mut w, bodies[2], None, points[3], DVec3::Y);
    *w.joint_parameters_mut(last, 0).unwrap() = AxisParameters::default().with_motor(0.4, 1e4);
    run(&mut w, 0.3);
    assert!((w.joint(last).unwrap().rate(0) - 0.4).abs() < 1e-5, "{}", w.joint(last).unwrap().rate(0));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// A slider that runs into its stop without gravity leaves with the restitution's share of its speed.
    #[test]
    fn stops_bounce(bounce in 0.05..1.0_f64, speed in 0.5..5.0_f64, upper in any::<bool>()) {
        let mut w = world();
        w.parameters.gravity = DVec3::ZERO;
        let b = body(&mut w, DVec3::ZERO);
        let law = AxisParameters { bounce, ..AxisParameters::default() }.with_stops(-0.05, 0.05);
        let joint = JointDefinition::new(JointKind::Slider, Some(b), None).with_axis(0, DVec3::X).with_parameters(0, law);
        w.add_joint(joint).unwrap();
        let velocity = if upper { speed } else { -speed };
        w.body_mut(b).unwrap().set_velocity(DVec3::X * velocity).unwrap();
        let mut after = velocity;
        for _ in 0..2000 {
            w.step(STEP);
            let body = w.body(b).unwrap();
            if body.velocity().x * velocity < 0.0 && body.pose().position.x.abs() < 0.05 {
                after = body.velocity().x;
                break;
            }
        }
        let found = -after / velocity;
        prop_assert!((found - bounce).abs() < 0.01, "{} instead of {}", found, bounce);
    }
}

/// Contacts at the four lower corners of a box of 2 kg, made anew in each step or once.
fn corners(w: &mut World, b: BodyId, sides: DVec3, surface: ContactSurface) {
    let pose = w.body(b).unwrap().pose();
    for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
        let position = pose.point(DVec3::new(x, y, -0.5) * sides);
        w.add_contact(ContactDefinition {
            bodies: [Some(b), None],
            position,
            normal: DVec3::Z,
            depth: -position.z,
            surface,
        })
        .unwrap();
    }
}

#[test]
fn hard_contacts_of_the_user_carry_a_box_that_fell_through() {
    let sides = DVec3::new(0.2, 0.3, 0.4);
    for once in [false, true] {
        let mut w = world();
        let b = body(&mut w, DVec3::Z * 0.2);
        if once {
            corners(&mut w, b, sides, ContactSurface::with_friction(0.5));
        }
        for _ in 0..1000 {
            if !once {
                w.clear_contacts();
                corners(&mut w, b, sides, ContactSurface::with_friction(0.5));
            }
            w.step(STEP);
        }
        let z = w.body(b).unwrap().pose().position.z;
        assert!((0.198..0.2).contains(&z), "{once}: {z}");
        let force: DVec3 = w.contact_reports().iter().map(|c| c.force).sum();
        assert!((force - DVec3::Z * 2.0 * GRAVITY).length() < 0.1, "{once}: {force}");
        // Friction holds it against a push below μ m g, and not above.
        for (push, moves) in [(0.4, false), (0.7, true)] {
            let x = w.body(b).unwrap().pose().position.x;
            for _ in 0..500 {
                if !once {
                    w.clear_contacts();
                    corners(&mut w, b, sides, ContactSurface::with_friction(0.5));
                }
                w.body_mut(b).unwrap().add_force(DVec3::X * push * 2.0 * GRAVITY);
                w.step(STEP);
            }
            let way = w.body(b).unwrap().pose().position.x - x;
            let slides = 0.5 * (push - 0.5) * GRAVITY * 0.25;
            assert!(if moves { (way - slides).abs() < 0.1 * slides } else { way < 1e-3 }, "{once} {push}: {way}");
        }
    }
}

/// A linkage of two equal cranks and a coupler as long as their distance: it lies flat when the cranks lie along the base.
fn parallelogram(w: &mut World, crank: f64) -> BodyId {
    let along = DVec3::new(libm::cos(crank), 0.0, libm::sin(crank));
    let points = [DVec3::ZERO, along, along + DVec3::X * 2.0, DVec3::X * 2.0];
    let bodies: Vec<_> = (0..3).map(|i| body(w, 0.5 * (points[i] + points[i + 1]))).collect();
    hinge(w, bodies[0], None, points[0], DVec3::Y);
    hinge(w, bodies[1], Some(bodies[0]), points[1], DVec3::Y);
    hinge(w, bodies[2], Some(bodies[1]), points[2], DVec3::Y);
    hinge(w, bodies[2], None, points[3], DVec3::Y);
    bodies[0]
}

#[test]
fn a_loop_that_passes_a_singular_position_says_so() {
    for (crank, passes) in [(0.9, false), (0.3, true)] {
        let mut w = world();
        w.parameters.gravity = DVec3::ZERO;
        let first = parallelogram(&mut w, crank);
        // Cranks turn about −y when they rise towards x; both at 2 rad/s, the coupler moves along.
        let omega = DVec3::Y * 2.0;
        let ids: Vec<BodyId> = w.body_ids().collect();
        let tip = DVec3::new(libm::cos(crank), 0.0, libm::sin(crank));
        for (i, id) in ids.iter().enumerate() {
            let mut b = w.body_mut(*id).unwrap();
            let share = if i == 1 { 1.0 } else { 0.5 };
            b.set_velocity(omega.cross(tip) * share).unwrap();
            b.set_omega(if i == 1 { DVec3::ZERO } else { omega }).unwrap();
        }
        let mut told = Vec::new();
        for _ in 0..300 {
            w.step(STEP);
            if w.report().singular_loop {
                told.push(w.time());
            }
        }
        assert!(w.body(first).unwrap().omega().is_finite());
        assert_eq!(!told.is_empty(), passes, "{told:?}");
        if passes {
            assert!((told[0] - 0.15).abs() < 0.02, "{told:?}");
        }
    }
}

#[test]
fn a_spring_too_stiff_for_its_steps_ends_the_step_and_names_the_body() {
    let mut w = world();
    let calm = body(&mut w, DVec3::X * 9.0);
    let stiff = body(&mut w, DVec3::ZERO);
    let law = AxisParameters { stiffness: 1e16, ..AxisParameters::default() };
    let joint =
        JointDefinition::new(JointKind::Slider, Some(stiff), None).with_axis(0, DVec3::X).with_parameters(0, law);
    w.add_joint(joint).unwrap();
    w.body_mut(stiff).unwrap().set_velocity(DVec3::X).unwrap();
    w.step(0.01);
    let report = w.report();
    assert!(report.integration.unfinished > 0.005, "{report:?}");
    assert_eq!(report.integration.steps + report.integration.rejections, 200_000);
    assert_eq!(report.stiffest, Some(stiff));
    // The world stands at the time that was reached.
    assert!((w.time() + w.report().integration.unfinished - 0.01).abs() < 1e-12);
    let fallen = w.body(calm).unwrap().pose().position.z + 0.5 * GRAVITY * w.time() * w.time();
    assert!(fallen.abs() < 1e-12, "{fallen}");
}
