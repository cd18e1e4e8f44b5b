//! Loops that nothing touches and that jam: a motor against a stop of another joint, or against another motor.

use super::support::*;
use stiction::joints::{AxisParameters, Drive, DriveGains, JointDefinition, JointKind};
use stiction::math::{DMat3, DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, BodyId, JointId, Preset, World};

fn world(gravity: f64) -> World {
    let mut parameters = parameters();
    Preset::Stiction.apply(&mut parameters);
    parameters.gravity = -gravity * DVec3::Z;
    parameters.sleeping = false;
    parameters.audit = true;
    World::new(parameters)
}

/// A four-bar linkage in the x-z plane: crank, coupler and rocker between pivots on the ground.
struct FourBar {
    pivots: [DVec3; 4],
    masses: [f64; 3],
}

impl FourBar {
    /// The joints: crank on the ground, coupler on crank, rocker on coupler, rocker on the ground.
    fn build(&self, world: &mut World, parameters: [AxisParameters; 4]) -> [JointId; 4] {
        let bar = |world: &mut World, k: usize| {
            let (a, b) = (self.pivots[k], self.pivots[k + 1]);
            let moment = self.masses[k] * (a - b).length_squared() / 12.0;
            let inertia = DMat3::from_diagonal(DVec3::splat(moment));
            let mass = MassProperties { mass: self.masses[k], center_of_mass: DVec3::ZERO, inertia };
            let pose = Pose::from_position(0.5 * (a + b));
            world.add_body(&BodyDefinition { mass, pose, ..BodyDefinition::default() }).unwrap()
        };
        let [crank, coupler, rocker] = [0, 1, 2].map(|k| bar(world, k));
        let pairs: [[Option<BodyId>; 2]; 4] =
            [[Some(crank), None], [Some(coupler), Some(crank)], [Some(rocker), Some(coupler)], [Some(rocker), None]];
        std::array::from_fn(|k| {
            let mut hinge = JointDefinition::new(JointKind::Hinge, pairs[k][0], pairs[k][1]);
            hinge = hinge.at(self.pivots[k]).with_axis(0, DVec3::Y);
            hinge.parameters[0] = parameters[k];
            world.add_joint(hinge).unwrap()
        })
    }
}

const LINKAGE: FourBar = FourBar {
    pivots: [
        DVec3::new(0.0, 0.0, 0.0),
        DVec3::new(0.0, 0.0, 0.2),
        DVec3::new(0.5, 0.0, 0.4),
        DVec3::new(0.5, 0.0, 0.0),
    ],
    masses: [0.5, 1.0, 0.7],
};

fn position(world: &World, joint: JointId) -> f64 {
    world.joint(joint).unwrap().position(0)
}

/// The crank comes to rest where the stop of the rocker on the coupler is, whatever the torque, and nothing tears.
#[test]
fn a_motor_rests_where_a_stop_of_its_loop_is() {
    let mut angles = Vec::new();
    for step in [1.0 / 60.0, 4e-3, 1e-3] {
        for torque in [5.0, 20.0, 150.0, 300.0, 1000.0, 1e5, f64::INFINITY] {
            let mut own = world(9.8);
            let free = AxisParameters::default();
            let stop = AxisParameters { lower: -0.2, upper: 0.2, ..free };
            let joints = LINKAGE.build(&mut own, [free.with_motor(4.0, torque), free, stop, free]);
            let mut widest = 0.0f64;
            for _ in 0..(0.5 / step) as usize {
                own.step(step);
                widest = widest.max(own.report().joint_error);
            }
            let [crank, beyond] = [joints[0], joints[2]].map(|joint| position(&own, joint));
            println!("{step:.4} {torque}: gap {widest:.1e}, crank {crank}, stop {beyond}");
            assert!(widest < 1e-9 && (beyond.abs() - 0.2).abs() < 1e-9, "{step} {torque}: {widest:e} {beyond}");
            assert!(own.joint(joints[0]).unwrap().rate(0).abs() < 1e-9, "{step} {torque}");
            assert_eq!(own.report().overruled, torque.is_infinite().then_some(joints[0]), "{step} {torque}");
            angles.push(crank);
        }
    }
    assert!(angles.iter().all(|angle| (angle - angles[0]).abs() < 1e-8), "{angles:?}");
}

/// Drives without force limits that contradict each other: one moves the loop, the other is reported.
#[test]
fn of_two_drives_that_contradict_each_other_one_gives_way() {
    for step in [1.0 / 60.0, 1e-3] {
        let mut own = world(9.8);
        let free = AxisParameters::default();
        let to = |position| AxisParameters {
            drive: Some(Drive::new(position, 0.0, DriveGains::Rigid { closing: 50.0 })),
            ..free
        };
        let joints = LINKAGE.build(&mut own, [to(0.5), free, free, to(-0.5)]);
        let (mut widest, mut work, mut overruled) = (0.0f64, 0.0, None);
        for _ in 0..(0.5 / step) as usize {
            own.step(step);
            let report = own.report();
            widest = widest.max(report.joint_error);
            work += report.energy.motors.abs();
            overruled = overruled.or(report.overruled);
        }
        let off = [position(&own, joints[0]) - 0.5, position(&own, joints[3]) + 0.5].map(f64::abs);
        println!("{step}: gap {widest:e}, work {work}, off {off:?}, {overruled:?}");
        assert!(widest < 1e-8 && off[0].min(off[1]) < 1e-5 && work < 1000.0, "{step}: {widest:e} {off:?} {work}");
        assert!(overruled == Some(joints[0]) || overruled == Some(joints[3]), "{step}: {overruled:?}");
    }
}

/// Linkages of random shapes with motors of random torque on two joints and stops on all: no gap, no stop is passed, and nothing is made.
#[test]
fn random_linkages_between_motors_and_stops_stay_closed() {
    let mut random = Sequence(77);
    let (mut failures, mut dead_points, mut unsettled) = (Vec::new(), 0, 0);
    let cases = 1500;
    for case in 0..cases {
        let step = [1.0 / 60.0, 1.0 / 240.0, 1e-3][case % 3];
        let mut place = |x: f64, z: f64| DVec3::new(x + random.next() * 0.1, 0.0, z + random.next() * 0.1);
        let pivots = [place(0.0, 0.0), place(0.0, 0.4), place(0.6, 0.5), place(0.6, 0.0)];
        let masses = [0; 3].map(|_| 10f64.powf(random.next()));
        let mut own = world(if case % 2 == 0 { 9.8 } else { 0.0 });
        let parameters: [AxisParameters; 4] = std::array::from_fn(|k| {
            let mut axis = AxisParameters::default();
            if random.next() > -0.2 {
                (axis.lower, axis.upper) =
                    (-0.05 - 0.3 * (0.5 + 0.5 * random.next()), 0.05 + 0.3 * (0.5 + 0.5 * random.next()));
            }
            let torque = if (0.5 + 0.5 * random.next()) < 0.2 {
                f64::INFINITY
            } else {
                10f64.powf(4.0 * (0.5 + 0.5 * random.next()) - 0.5)
            };
            if k % 3 == 0 && (0.5 + 0.5 * random.next()) < 0.7 {
                axis.with_motor(4.0 * random.next(), torque)
            } else {
                axis
            }
        });
        let joints = FourBar { pivots, masses }.build(&mut own, parameters);
        let (mut widest, mut beyond, mut made, mut moved) = (0.0f64, 0.0f64, 0.0, 1e-3);
        let (mut energy, mut fastest, mut overruled) = (own.energy().total(), 0.0f64, false);
        for _ in 0..(0.6 / step) as usize {
            own.step(step);
            let report = own.report();
            widest = widest.max(report.joint_error);
            unsettled += u64::from(report.unsettled_laws);
            overruled |= report.overruled.is_some();
            let now = own.energy().total();
            made += now - energy - report.energy.motors + report.energy.joint_loss;
            moved += report.energy.motors.abs() + (now - energy).abs();
            energy = now;
            for (joint, axis) in joints.iter().zip(&parameters) {
                fastest = fastest.max(own.joint(*joint).unwrap().rate(0).abs());
                if axis.lower < axis.upper {
                    let at = position(&own, *joint);
                    beyond = beyond.max(at - axis.upper).max(axis.lower - at);
                }
            }
        }
        // A motor without a limit that stalls at a dead point moves the linkage to and fro.
        if overruled && fastest > 60.0 && widest < 1e-3 {
            dead_points += 1;
        } else if widest > 1e-5 || beyond > 1e-4 || made > 1e-2 * moved {
            failures.push(format!(
                "{case} {step:.4}: gap {widest:.1e}, beyond {beyond:.1e}, made {made:.2e} of {moved:.2e}"
            ));
        }
    }
    println!("{dead_points} dead points, {unsettled} unsettled\n{}", failures.join("\n"));
    assert!(failures.is_empty() && dead_points < 3 && unsettled < 50, "{} of {cases}", failures.len());
}

/// A motor without a force limit drives a linkage to a point beyond which the linkage has no position: it stalls there, and is reported.
#[test]
fn a_motor_without_a_limit_stalls_at_a_dead_point() {
    let linkage = FourBar {
        pivots: [
            DVec3::new(-0.4, 0.0, 1.0),
            DVec3::new(-0.1, 0.0, 1.3),
            DVec3::new(0.3, 0.0, 1.2),
            DVec3::new(0.4, 0.0, 0.8),
        ],
        masses: [1.0; 3],
    };
    // The joints that are driven, how far they go by the lengths of the bars, and either way of commanding that.
    let length = |k: usize| (linkage.pivots[k + 1] - linkage.pivots[k]).length();
    let ground = linkage.pivots[3] - linkage.pivots[0];
    let angle = |reach: f64| {
        let cosine =
            (ground.length_squared() + length(2) * length(2) - reach * reach) / (2.0 * ground.length() * length(2));
        cosine.acos()
    };
    let present = angle((linkage.pivots[2] - linkage.pivots[0]).length());
    // Crank and coupler in one line.
    let most = angle(length(0) + length(1)) - present;
    for step in [1.0 / 60.0, 1.0 / 240.0, 1e-3, 1e-4] {
        for is_drive in [false, true] {
            let mut own = world(0.0);
            let free = AxisParameters::default();
            let driven = if is_drive {
                let drive = Drive::new(most + 0.05, 0.0, DriveGains::Rigid { closing: 50.0 });
                AxisParameters { drive: Some(drive), ..free }
            } else {
                free.with_motor(2.0, f64::INFINITY)
            };
            let joints = linkage.build(&mut own, [free, free, free, driven]);
            let (mut widest, mut overruled, mut farthest, mut late) = (0.0f64, None, 0.0f64, 0.0f64);
            let steps = (1.0 / step) as usize;
            for number in 0..steps {
                own.step(step);
                widest = widest.max(own.report().joint_error);
                overruled = overruled.or(own.report().overruled);
                farthest = farthest.max(position(&own, joints[3]));
                if 2 * number > steps {
                    late = late.max((position(&own, joints[3]) - most).abs());
                }
            }
            println!("{step:.4} {is_drive}: gap {widest:e}, farthest {farthest} of {most}, off {late:e}");
            assert!(widest < 1e-5 && farthest < most + 1e-6 && late < 0.02, "{step} {is_drive}: {widest:e} {late:e}");
            assert_eq!(overruled, Some(joints[3]), "{step} {is_drive}");
        }
    }
}
