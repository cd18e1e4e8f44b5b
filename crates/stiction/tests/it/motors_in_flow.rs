//! Motors and friction of trees that nothing touches: closed forms from the first step on.

use super::support::*;
use stiction::joints::{AxisParameters, Drive, DriveGains, JointDefinition, JointKind};
use stiction::math::{DMat3, DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, BodyId, JointId, Preset, World};

const STEPS: [f64; 3] = [1.0 / 60.0, 4e-3, 1e-3];

/// A world without gravity.
fn world() -> World {
    let mut parameters = parameters();
    Preset::Stiction.apply(&mut parameters);
    parameters.gravity = DVec3::ZERO;
    parameters.sleeping = false;
    parameters.audit = true;
    World::new(parameters)
}

fn body(world: &mut World, mass: f64, moment: f64, at: DVec3, velocity: DVec3) -> BodyId {
    let inertia = DMat3::from_diagonal(DVec3::splat(moment));
    let mass = MassProperties { mass, center_of_mass: DVec3::ZERO, inertia };
    let definition = BodyDefinition { mass, pose: Pose::from_position(at), velocity, ..BodyDefinition::default() };
    world.add_body(&definition).unwrap()
}

fn hinge(
    world: &mut World,
    bodies: [Option<BodyId>; 2],
    at: DVec3,
    axis: DVec3,
    (rate, torque): (f64, f64),
) -> JointId {
    let mut hinge = JointDefinition::new(JointKind::Hinge, bodies[0], bodies[1]).at(at).with_axis(0, axis);
    hinge.parameters[0] = AxisParameters::default().with_motor(rate, torque);
    world.add_joint(hinge).unwrap()
}

/// A link of 0.02 kg m² on a hinge of the world.
fn wheel(world: &mut World, parameters: AxisParameters) -> JointId {
    let link = body(world, 1.0, 0.02, DVec3::ZERO, DVec3::ZERO);
    let mut hinge = JointDefinition::new(JointKind::Hinge, Some(link), None).with_axis(0, DVec3::Z);
    hinge.parameters[0] = parameters;
    world.add_joint(hinge).unwrap()
}

/// Work of motors and loss in joints in half a second \[J\].
fn work_and_loss(world: &mut World, step: f64) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for _ in 0..(0.5 / step) as usize {
        world.step(step);
        let energy = &world.report().energy;
        sums = [sums[0] + energy.motors, sums[1] + energy.joint_loss];
    }
    sums
}

/// Steps for a time; the number of steps.
fn run(world: &mut World, step: f64, time: f64) -> f64 {
    let steps = (time / step).round();
    for _ in 0..steps as usize {
        world.step(step);
    }
    steps
}

/// A motor reaches its rate after `t = I |Δw| / F`: the angle is that of constant torque up to then and of a constant rate afterwards, from rest and when the
/// commanded rate is reversed.
#[test]
fn a_motor_goes_as_far_as_its_torque_and_its_rate_say() {
    for step in STEPS {
        for torque in [f64::INFINITY, 1000.0, 40.0, 5.0, 0.7] {
            let (mut own, rate) = (world(), 5.0);
            let wheel = body(&mut own, 2.0, 0.02, DVec3::ZERO, DVec3::ZERO);
            let joint = hinge(&mut own, [Some(wheel), None], DVec3::ZERO, DVec3::Z, (rate, torque));
            let time = step * run(&mut own, step, 0.5);
            let start = 0.02 * rate / torque;
            let expected = rate * (time - 0.5 * start);
            let found = own.joint(joint).unwrap();
            // An unlimited torque takes a billionth of a step. A spin-up over several steps is not divided for its last tenth.
            let bound = if start < step { 1e-9 } else { 0.05 * rate * step };
            let off = found.position(0) - expected;
            assert!(off.abs() < bound && (found.rate(0) - rate).abs() < 1e-9, "{step} {torque}: {off:e}");
            own.joint_parameters_mut(joint, 0).unwrap().motor.velocity = -rate;
            run(&mut own, step, 0.5);
            let back = expected - rate * (time - 2.0 * start);
            let off = own.joint(joint).unwrap().position(0) - back;
            let bound = if 2.0 * start < step { 1e-8 } else { 0.1 * rate * step };
            assert!(off.abs() < bound, "{step} {torque}, reversed: {off:e}");
        }
    }
}

/// A slider with dry friction stops after `m v²/(2 f)` and stays at rest.
#[test]
fn friction_stops_after_the_way_of_its_work() {
    for step in STEPS {
        for friction in [3.0, 50.0, 1e4] {
            let mut own = world();
            let (mass, speed) = (2.0, 1.7);
            let slide = body(&mut own, mass, 0.02, DVec3::ZERO, speed * DVec3::X);
            let mut joint = JointDefinition::new(JointKind::Slider, Some(slide), None).with_axis(0, DVec3::X);
            joint.parameters[0] = AxisParameters { friction, ..AxisParameters::default() };
            let joint = own.add_joint(joint).unwrap();
            run(&mut own, step, 1.5);
            let expected = 0.5 * mass * speed * speed / friction;
            let found = own.joint(joint).unwrap();
            let off = found.position(0).abs() - expected;
            // A jump in the last hundredth of a step, or of less than 1e-4 m/s, does not divide it.
            let is_one_step = mass * speed / friction < 0.9 * step;
            let bound = if is_one_step { 1e-9 } else { 1e-4 * step + 0.005 * friction / mass * step * step };
            assert!(off.abs() < bound && found.rate(0).abs() < 1e-12, "{step} {friction}: {off:e} {:e}", found.rate(0));
        }
    }
}

/// Two motors of an arm, one without a torque limit and one of 50 Nm, reach their rates one after the other in the first step.
#[test]
fn motors_of_an_arm_start_together() {
    for step in STEPS {
        let mut own = world();
        let upper = body(&mut own, 1.0, 0.0075, 0.15 * DVec3::X, DVec3::ZERO);
        let lower = body(&mut own, 1.0, 0.0075, 0.45 * DVec3::X, DVec3::ZERO);
        let joints = [
            hinge(&mut own, [Some(upper), None], DVec3::ZERO, DVec3::Y, (1.0, f64::INFINITY)),
            hinge(&mut own, [Some(lower), Some(upper)], 0.3 * DVec3::X, DVec3::Y, (1.0, 50.0)),
        ];
        let time = step * run(&mut own, step, 0.5);
        let [first, second] = joints.map(|joint| own.joint(joint).unwrap().position(0) - time);
        println!("{step}: {first:e} {second:e}");
        // The first one throws the second joint back at up to 3 rad/s, from where its motor takes 2 ms.
        assert!(first.abs() < 1e-6 && second.abs() < 6e-3, "{step}: {first:e} {second:e}");
    }
}

/// A wheel of 0.1 kg m² on a floating base of 0.001 kg m²: the inertia that the motor sees is 0.001 / 1.01 kg m².
#[test]
fn a_motor_on_a_light_floating_base_takes_the_time_of_the_reduced_inertia() {
    for step in STEPS {
        let (mut own, rate, torque) = (world(), 3.0, 1.0);
        let base = body(&mut own, 1.0, 0.001, DVec3::ZERO, DVec3::ZERO);
        let wheel = body(&mut own, 1.0, 0.1, DVec3::ZERO, DVec3::ZERO);
        let joint = hinge(&mut own, [Some(wheel), Some(base)], DVec3::ZERO, DVec3::Z, (rate, torque));
        let time = step * run(&mut own, step, 0.5);
        let start = 0.001 / 1.01 * rate / torque;
        let off = own.joint(joint).unwrap().position(0) - rate * (time - 0.5 * start);
        println!("{step}: {off:e}");
        assert!(off.abs() < 0.02 * rate * step, "{step}: {off:e}");
    }
}

/// An unloaded motor holds its rate with zero torque and does no work, although the centre of mass is 0.2 m off the axis.
#[test]
fn a_motor_that_keeps_its_rate_does_no_work() {
    for step in STEPS {
        let (mut own, rate) = (world(), 20.0);
        let link = body(&mut own, 1.0, 0.01, 0.2 * DVec3::X, DVec3::ZERO);
        let joint = hinge(&mut own, [Some(link), None], DVec3::ZERO, DVec3::Z, (rate, f64::INFINITY));
        own.step(step);
        let expected = 0.5 * (0.01 + 0.04) * rate * rate;
        let (mut work, mut off, mut effort, mut energy) = (0.0f64, 0.0f64, 0.0f64, 0.0f64);
        for _ in 0..(0.5 / step) as usize {
            own.step(step);
            let found = own.joint(joint).unwrap();
            work += own.report().energy.motors;
            off = off.max((found.rate(0) - rate).abs());
            effort = effort.max(found.effort(0).abs());
            energy = energy.max((own.energy().total() - expected).abs());
        }
        println!("{step}: work {work:e}, rate off by {off:e}, effort {effort:e}, energy off by {energy:e}");
        let turn = rate * step;
        assert!(work.abs() < 1e-2 * expected && effort < 0.05 * turn && energy < 1e-2 * turn, "{step}");
        assert!(off < 1e-3 * rate, "{step}: {off:e}");
    }
}

/// An unlimited drive that presses into its stop does not disturb the motor of the link that carries it.
#[test]
fn a_drive_at_its_stop_disturbs_no_other_motor() {
    for step in STEPS {
        let mut own = world();
        let upper = body(&mut own, 1.0, 0.0075, 0.15 * DVec3::X, DVec3::ZERO);
        let lower = body(&mut own, 0.7, 0.004, DVec3::new(0.45, 0.02, 0.0), DVec3::ZERO);
        let joint = hinge(&mut own, [Some(upper), None], DVec3::ZERO, DVec3::Y, (0.2, 1e6));
        let mut cross = JointDefinition::new(JointKind::Universal, Some(lower), Some(upper))
            .at(0.3 * DVec3::X)
            .with_axis(0, DVec3::Y)
            .with_axis(1, DVec3::Z);
        let drive = Drive::new(0.0, 20.0, DriveGains::Rigid { closing: 0.0 });
        cross.parameters[1] =
            AxisParameters { lower: -0.07, upper: 0.07, drive: Some(drive), ..AxisParameters::default() };
        let cross = own.add_joint(cross).unwrap();
        let time = step * run(&mut own, step, 0.5);
        let off = own.joint(joint).unwrap().position(0) - 0.2 * time;
        let at_stop = own.joint(cross).unwrap().position(1).abs() - 0.07;
        println!("{step}: {off:e}, beyond the stop {at_stop:e}");
        assert!(off.abs() < 3e-3 && at_stop.abs() < 1e-3, "{step}: {off:e} {at_stop:e}");
    }
}

/// A slow motor on a link that a fast motor turns has its rate at the end of every step.
#[test]
fn a_slow_motor_on_a_fast_one_keeps_its_rate() {
    for step in STEPS {
        let mut own = world();
        let upper = body(&mut own, 1.0, 0.0075, 0.15 * DVec3::X, DVec3::ZERO);
        let lower = body(&mut own, 0.5, 0.003, DVec3::new(0.4, 0.05, 0.1), DVec3::ZERO);
        hinge(&mut own, [Some(upper), None], DVec3::ZERO, DVec3::Y, (10.0, f64::INFINITY));
        let axis = DVec3::new(0.6, 0.0, 0.8);
        let joint = hinge(&mut own, [Some(lower), Some(upper)], 0.3 * DVec3::X, axis, (0.2, f64::INFINITY));
        let mut off = 0.0f64;
        for _ in 0..(0.5 / step) as usize {
            own.step(step);
            off = off.max((own.joint(joint).unwrap().rate(0) - 0.2).abs());
        }
        let position = own.joint(joint).unwrap().position(0) - 0.1;
        println!("{step}: rate off by {off:e}, position by {position:e}");
        assert!(off < 1e-3 && position.abs() < 2e-3, "{step}: {off:e} {position:e}");
    }
}

/// A motor that runs into a stop does the work that becomes the link's kinetic energy, however hard it presses afterwards, and stays at rest there. A force limit
/// of 1e20 counts as unlimited.
#[test]
fn a_motor_at_its_stop_does_the_work_of_the_way_there() {
    for step in STEPS {
        for force in [100.0, 1e4, 1e8, 1e12, 1e16, 1e20, f64::INFINITY] {
            for is_drive in [false, true] {
                let (mut own, rate) = (world(), 20.0);
                let drive = Drive::new(0.0, rate, DriveGains::Rigid { closing: 0.0 });
                let parameters = if is_drive {
                    let drive = Drive { range: [-force, force], ..drive };
                    AxisParameters { drive: Some(drive), ..AxisParameters::default() }
                } else {
                    AxisParameters::default().with_motor(rate, force)
                };
                let joint = wheel(&mut own, parameters.with_stops(-0.42, 0.32));
                let [work, loss] = work_and_loss(&mut own, step);
                let found = own.joint(joint).unwrap();
                let expected = (0.5 * 0.02 * rate * rate).min(force * 0.32);
                let is_there = (found.position(0) - 0.32).abs() < 1e-9 && found.rate(0).abs() < 1e-9;
                let case = format!("{step} {force:e} {is_drive}");
                assert!(
                    is_there && found.effort(0).abs() < 1e-3 * expected / step,
                    "{case}: {} {}",
                    found.position(0),
                    found.effort(0)
                );
                assert!((work - loss).abs() < 1e-9 * expected, "{case}: work {work} J, loss {loss} J");
                // The step in which it arrives has a mean rate between that before it and zero.
                assert!(work > 0.5 * expected && work < 1.001 * expected, "{case}: {work} J of {expected} J");
            }
        }
    }
}

/// A velocity servo with a gain far stiffer than the step resolves moves at its rate from the first step on.
#[test]
fn a_stiff_velocity_servo_starts_at_once() {
    for step in STEPS {
        for damping in [1e3, 1e5, 1e8] {
            let (mut own, rate) = (world(), 5.0);
            let drive = Drive::new(0.0, rate, DriveGains::Soft { stiffness: 0.0, damping });
            let joint = wheel(&mut own, AxisParameters { drive: Some(drive), ..AxisParameters::default() });
            let time = step * run(&mut own, step, 0.5);
            // It lags by its time constant.
            let lag = 0.02 / damping;
            let off = own.joint(joint).unwrap().position(0) - rate * (time - lag);
            assert!(off.abs() < rate * (3.0 * lag + 0.005 * step), "{step} {damping:e}: {off:e}");
        }
    }
}

/// A motor that is commanded beyond the rate limit moves at the limit, and its work is the kinetic energy there: it does not work against the limit.
#[test]
fn a_motor_beyond_its_rate_limit_goes_at_the_limit() {
    for step in STEPS {
        for force in [f64::INFINITY, 1e6, 50.0] {
            let mut own = world();
            let motor = AxisParameters::default().with_motor(20.0, force);
            let joint = wheel(&mut own, AxisParameters { rate_limit: 2.0, ..motor });
            let [work, loss] = work_and_loss(&mut own, step);
            let time = step * ((0.5 / step) as usize as f64);
            let found = own.joint(joint).unwrap();
            let off = found.position(0) - 2.0 * (time - 0.5 * 0.02 * 2.0 / force);
            assert!(off.abs() < 1e-6 && (found.rate(0) - 2.0).abs() < 1e-9, "{step} {force:e}: {off:e}");
            assert!((work - 0.04).abs() < 1e-6 && loss.abs() < 1e-6, "{step} {force:e}: {work} J, {loss} J");
        }
    }
}

/// A user's effort on a block that dry friction stops within a step does its work along the way that the block goes: the steps make nothing.
#[test]
fn efforts_do_their_work_in_divided_steps() {
    for step in STEPS {
        for (speed, effort) in [(0.5, 3.0), (-0.5, 3.0), (2.0, -20.0)] {
            let mut own = world();
            let block = body(&mut own, 2.0, 0.02, DVec3::ZERO, speed * DVec3::X);
            let mut slider = JointDefinition::new(JointKind::Slider, Some(block), None).with_axis(0, DVec3::X);
            slider.parameters[0] = AxisParameters { friction: 400.0, ..AxisParameters::default() };
            let joint = own.add_joint(slider).unwrap();
            let mut made = 0.0f64;
            for _ in 0..(0.1 / step) as usize {
                own.add_joint_force(joint, 0, effort);
                own.step(step);
                made = made.max(own.report().energy.made().abs());
            }
            assert!(made < 1e-12, "{step} {speed} {effort}: {made:e} J made");
        }
    }
}
