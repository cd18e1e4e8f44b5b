//! Laws that a step does not resolve, on trees that nothing touches: stiff springs, dampers, gains and soft stops, as a motor starts at once.

use super::support::*;
use stiction::joints::{AxisParameters, Drive, DriveGains, JointDefinition, JointKind};
use stiction::math::{DMat3, DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, JointId, Preset, World};

const STEPS: [f64; 3] = [1.0 / 60.0, 4e-3, 1e-3];
/// Moments of the two links of an arm, mass of the second and the distance of its centre from the second joint.
const MOMENTS: [f64; 2] = [0.02, 0.01];
const MASS: f64 = 0.5;
const ARM: f64 = 0.15;

fn world() -> World {
    let mut parameters = parameters();
    Preset::Stiction.apply(&mut parameters);
    parameters.gravity = DVec3::ZERO;
    parameters.sleeping = false;
    parameters.audit = true;
    World::new(parameters)
}

/// Two links on hinges about z: the first, 0.4 m long, on the world.
fn arm(first: AxisParameters, second: AxisParameters) -> (World, [JointId; 2]) {
    let mut own = world();
    let places = [DVec3::ZERO, (0.4 + ARM) * DVec3::X];
    let masses = [1.0, MASS];
    let bodies = [0, 1].map(|k| {
        let inertia = DMat3::from_diagonal(DVec3::splat(MOMENTS[k]));
        let mass = MassProperties { mass: masses[k], center_of_mass: DVec3::ZERO, inertia };
        let pose = Pose::from_position(places[k]);
        own.add_body(&BodyDefinition { mass, pose, ..BodyDefinition::default() }).unwrap()
    });
    let mut joint = |pair, at, parameters| {
        let mut hinge = JointDefinition::new(JointKind::Hinge, Some(pair), None).at(at).with_axis(0, DVec3::Z);
        if pair == bodies[1] {
            hinge = JointDefinition::new(JointKind::Hinge, Some(pair), Some(bodies[0])).at(at).with_axis(0, DVec3::Z);
        }
        hinge.parameters[0] = parameters;
        own.add_joint(hinge).unwrap()
    };
    let joints = [joint(bodies[0], DVec3::ZERO, first), joint(bodies[1], 0.4 * DVec3::X, second)];
    (own, joints)
}

/// Largest angle of the second joint in a time, and the angle of the first after it.
fn largest(own: &mut World, joints: [JointId; 2], step: f64, time: f64) -> [f64; 2] {
    let mut most = 0.0f64;
    for _ in 0..(time / step).round() as usize {
        own.step(step);
        most = most.max(own.joint(joints[1]).unwrap().position(0).abs());
    }
    [most, own.joint(joints[0]).unwrap().position(0)]
}

/// A motor without a torque limit throws the first link to 1 rad/s. The second follows by its joint, however that is held: the angle of the joint comes to
/// `I w / c` with a damper, to `w √(I / k)` with a spring, and no farther in a long step.
#[test]
fn a_stiffly_held_joint_is_not_thrown_open() {
    let soft = AxisParameters::default();
    let inertia = MOMENTS[1] + MASS * ARM * ARM;
    // What throws it open: with the first link turning at w the free second one would not turn with it, and more as its centre is off.
    let thrown = (MOMENTS[1] + MASS * ARM * (0.4 + ARM)) / inertia;
    let gains = |stiffness, damping| AxisParameters {
        drive: Some(Drive::new(0.0, 0.0, DriveGains::Soft { stiffness, damping })),
        ..soft
    };
    let held = [
        ("damper 1e6", AxisParameters { damping: 1e6, ..soft }, inertia * thrown / 1e6),
        ("damper 1e2", AxisParameters { damping: 1e2, ..soft }, inertia * thrown / 1e2),
        ("spring 1e6", AxisParameters { stiffness: 1e6, damping: 10.0, ..soft }, thrown * (inertia / 1e6).sqrt()),
        ("spring 1e5", AxisParameters { stiffness: 1e5, damping: 0.0, ..soft }, thrown * (inertia / 1e5).sqrt()),
        ("gains 1e6", gains(1e6, 1.0), thrown * (inertia / 1e6).sqrt()),
        ("gains 1e4", gains(1e4, 10.0), thrown * (inertia / 1e4).sqrt()),
        ("stop", AxisParameters { lower: 0.0, upper: 0.0, stop_cfm: Some(1e-4), stop_erp: Some(0.8), ..soft }, 2e-5),
    ];
    for (name, second, expected) in held {
        for step in STEPS {
            let (mut own, joints) = arm(soft.with_motor(1.0, f64::INFINITY), second);
            let [most, turned] = largest(&mut own, joints, step, 0.3);
            let time = step * (0.3 / step).round();
            println!("{name} {step:.4}: {most:.2e} of {expected:.2e}, first {:.1e}", turned - time);
            assert!(most < 2.1 * expected + 1e-12, "{name} {step}: {most:e} of {expected:e}");
            assert!((turned - time).abs() < 1e-9, "{name} {step}: {turned}");
        }
    }
}

/// A damper that takes all within a step takes the energy of the blow once, and nothing is made.
#[test]
fn a_stiff_damper_loses_what_the_blow_takes() {
    let soft = AxisParameters::default();
    for step in STEPS {
        let (mut own, _) = arm(soft.with_motor(1.0, f64::INFINITY), AxisParameters { damping: 1e6, ..soft });
        let (mut work, mut loss) = (0.0, 0.0);
        for _ in 0..(0.3 / step).round() as usize {
            own.step(step);
            work += own.report().energy.motors;
            loss += own.report().energy.joint_loss;
        }
        let kinetic = own.energy().total();
        let all = MOMENTS[0] + MOMENTS[1] + MASS * (0.4 + ARM) * (0.4 + ARM);
        println!("{step:.4}: {work} {loss} {kinetic}, made {:.1e}", kinetic - work + loss);
        assert!((kinetic - 0.5 * all).abs() < 1e-6, "{step}: {kinetic}");
        assert!((kinetic - work + loss).abs() < 2e-3 * work, "{step}: {work} {loss} {kinetic}");
    }
}

/// A wheel of 0.06 kg m² under stiff gains goes to a new position as in small steps: over in no step, and after a few there.
#[test]
fn stiff_gains_go_where_they_should_without_ringing() {
    let target = 0.5;
    let wheel = |step: f64, stiffness: f64, damping: f64, steps: usize| {
        let mut own = world();
        let inertia = DMat3::from_diagonal(DVec3::splat(0.06));
        let mass = MassProperties { mass: 1.0, center_of_mass: DVec3::ZERO, inertia };
        let link = own.add_body(&BodyDefinition { mass, ..BodyDefinition::default() }).unwrap();
        let mut hinge = JointDefinition::new(JointKind::Hinge, Some(link), None).with_axis(0, DVec3::Z);
        hinge.parameters[0].drive = Some(Drive::new(target, 0.0, DriveGains::Soft { stiffness, damping }));
        let joint = own.add_joint(hinge).unwrap();
        (0..steps)
            .map(|_| {
                own.step(step);
                own.joint(joint).unwrap().position(0)
            })
            .collect::<Vec<f64>>()
    };
    for (stiffness, damping) in [(1e6, 1e3), (1e6, 1e4), (1e5, 200.0), (1e4, 100.0), (1e3, 30.0)] {
        for step in [1e-3, 4e-3] {
            let own = wheel(step, stiffness, damping, 30);
            let small = wheel(step / 200.0, stiffness, damping, 30 * 200);
            let off =
                own.iter().zip(small.chunks(200)).map(|(own, small)| (own - small[199]).abs()).fold(0.0, f64::max);
            let over = own.iter().map(|angle| angle - target).fold(0.0, f64::max);
            println!("{stiffness} {damping} {step}: off {off:.3}, over {over:.1e}");
            assert!(off < 0.2 * target && over < 2e-3 * target, "{stiffness} {damping} {step}: {off} {over} {own:?}");
        }
    }
}

/// A rigid drive whose position jumps, with the velocity that brings it there in the step, is there at its end, in however many parts the step is taken.
#[test]
fn a_drive_is_where_it_is_to_be_at_the_end_of_the_step() {
    for step in [1.0 / 60.0, 1e-3] {
        for far in [0.5, 0.1, 1e-3] {
            for stops in [[f64::NEG_INFINITY, f64::INFINITY], [-1.0, 0.6], [-1.0, far]] {
                let mut own = world();
                let inertia = DMat3::from_diagonal(DVec3::splat(0.06));
                let mass = MassProperties { mass: 1.0, center_of_mass: DVec3::ZERO, inertia };
                let link = own.add_body(&BodyDefinition { mass, ..BodyDefinition::default() }).unwrap();
                let mut hinge = JointDefinition::new(JointKind::Hinge, Some(link), None).with_axis(0, DVec3::Z);
                let drive = |velocity| Some(Drive::new(far, velocity, DriveGains::Rigid { closing: 50.0 }));
                (hinge.parameters[0].lower, hinge.parameters[0].upper) = (stops[0], stops[1]);
                hinge.parameters[0].drive = drive(far / step);
                let joint = own.add_joint(hinge).unwrap();
                own.step(step);
                let first = own.joint(joint).unwrap().position(0);
                own.joint_parameters_mut(joint, 0).unwrap().drive = drive(0.0);
                own.step(step);
                let second = own.joint(joint).unwrap().position(0);
                println!("{step:.4} {far} {stops:?}: {:.1e} {:.1e}", first - far, second - far);
                assert!(
                    (first - far).abs() < 1e-8 && (second - far).abs() < 1e-8,
                    "{step} {far} {stops:?}: {first} {second}"
                );
            }
        }
    }
}

/// The error of a rigid drive fades with its rate, to second order in the step, and a rate that the step does not resolve takes it no farther.
#[test]
fn the_error_of_a_rigid_drive_fades_with_its_rate() {
    for step in STEPS {
        for closing in [10.0, 50.0, 200.0, 1000.0, 1e5] {
            let mut own = world();
            let inertia = DMat3::from_diagonal(DVec3::splat(0.06));
            let mass = MassProperties { mass: 1.0, center_of_mass: DVec3::ZERO, inertia };
            let link = own.add_body(&BodyDefinition { mass, ..BodyDefinition::default() }).unwrap();
            let mut hinge = JointDefinition::new(JointKind::Hinge, Some(link), None).with_axis(0, DVec3::Z);
            hinge.parameters[0].drive = Some(Drive::new(0.5, 0.0, DriveGains::Rigid { closing }));
            let joint = own.add_joint(hinge).unwrap();
            let (mut off, mut beyond) = (0.0f64, 0.0f64);
            for number in 1..=60 {
                own.step(step);
                let error = 0.5 - own.joint(joint).unwrap().position(0);
                off = off.max((error - 0.5 * (-closing * step * f64::from(number)).exp()).abs());
                beyond = beyond.max(-error);
            }
            let turned = closing * step;
            println!("{step:.4} {closing}: off {off:.1e}, beyond {beyond:.1e}");
            // A rate below 1e-4 rad/s does not divide the step.
            assert!(beyond < 1e-4 * step, "{step} {closing}: {beyond:e}");
            assert!(off < 0.2 * turned * turned || turned > 0.5, "{step} {closing}: {off:e}");
        }
    }
}
