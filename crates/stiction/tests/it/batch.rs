//! Environments of a batch give the same bits as single worlds, and so do copies of a world.

use super::flow::RandomTree;
use super::flow_laws::random_tree;
use super::support::*;
use stiction::batch::{Actuator, Batch, BatchError, Command, Quantity};
use stiction::joints::{AxisParameters, Drive, DriveGains, JointDefinition, JointKind};
use stiction::material::Surface;
use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::{MassProperties, Shape};
use stiction::world::{BodyDefinition, BodyId, JointId, Preset, World, WorldParameters};

fn world(preset: Preset) -> World {
    let mut own = parameters();
    preset.apply(&mut own);
    World::new(WorldParameters { gravity: DVec3::new(0.0, 0.0, -GRAVITY), ..own })
}

/// A body on four legs of two links, with drives in the hips and knees, above the ground.
fn add_quadruped(world: &mut World) -> (BodyId, Vec<JointId>) {
    add_ground(world, Surface { friction: [0.8; 2], ..Surface::default() });
    let trunk = add_box(world, DVec3::new(0.6, 0.3, 0.15), 12.0, DVec3::new(0.0, 0.0, 0.46), 0.8);
    let servo = |target: f64| {
        let gains = DriveGains::Soft { stiffness: 150.0, damping: 4.0 };
        AxisParameters {
            drive: Some(Drive { range: [-40.0, 40.0], ..Drive::new(target, 0.0, gains) }),
            ..AxisParameters::default()
        }
    };
    let mut joints = Vec::new();
    for (x, y) in [(0.25, 0.18), (0.25, -0.18), (-0.25, 0.18), (-0.25, -0.18)] {
        let rod = box_mass(DVec3::new(0.04, 0.04, 0.2), 1.0);
        let upper = BodyDefinition { mass: rod, ..BodyDefinition::default() };
        let upper =
            world.add_body(&BodyDefinition { pose: Pose::from_position(DVec3::new(x, y, 0.36)), ..upper }).unwrap();
        let foot = Shape::capsule(0.02, 0.18).unwrap();
        let at = Pose::from_position(DVec3::new(x, y, 0.16));
        let lower = add_shape(world, foot, 0.4, at, Surface { friction: [0.8; 2], ..Surface::default() });
        for (first, second, z, target) in [(upper, trunk, 0.46, 0.1), (lower, upper, 0.26, -0.2)] {
            let joint = JointDefinition::new(JointKind::Hinge, Some(first), Some(second));
            let joint = joint.at(DVec3::new(x, y, z)).with_axis(0, DVec3::Y).with_parameters(0, servo(target));
            joints.push(world.add_joint(joint).unwrap());
        }
    }
    (trunk, joints)
}

/// The model of an environment is its own: masses, gains, friction, gravity.
fn vary(world: &mut World, bodies: &[BodyId], environment: u64) {
    let mut numbers = Sequence(31 * environment + 7);
    for id in bodies {
        let mut body = world.body_mut(*id).unwrap();
        let own = body.as_ref().mass_properties();
        let by = 1.0 + 0.3 * numbers.next();
        body.set_mass(&MassProperties { mass: by * own.mass, inertia: own.inertia * by, ..own }).unwrap();
    }
    world.parameters.gravity *= 1.0 + 0.1 * numbers.next();
    if environment % 3 == 2 {
        world.parameters.warm_start = false;
    }
}

/// Environments and worlds of their own under the same random commands come to the same bits.
fn moves_as_alone(source: &World, actuators: &[Actuator], scale: f64, count: usize, threads: usize) {
    let mut batch = Batch::new(source, count);
    batch.set_threads(threads);
    let bodies = batch.bodies().to_vec();
    let mut alone: Vec<World> = vec![source.clone(); count];
    for environment in 0..count {
        vary(batch.world_mut(environment).unwrap(), &bodies, environment as u64);
        vary(&mut alone[environment], &bodies, environment as u64);
    }
    batch.set_actuators(actuators).unwrap();
    let mut numbers = Sequence(99);
    for round in 0..12 {
        let commands: Vec<f64> = (0..count * actuators.len()).map(|_| scale * numbers.next()).collect();
        batch.set_commands(&commands).unwrap();
        batch.step(0.004, 10).unwrap();
        for (environment, own) in alone.iter_mut().enumerate() {
            let row = &commands[environment * actuators.len()..][..actuators.len()];
            for (actuator, command) in actuators.iter().zip(row) {
                if let Some(law) = own.joint_parameters_mut(actuator.joint, actuator.axis)
                    && let (Command::Position, Some(drive)) = (actuator.command, &mut law.drive)
                {
                    drive.position = *command;
                }
            }
            for _ in 0..10 {
                for (actuator, command) in actuators.iter().zip(row).filter(|(a, _)| a.command == Command::Force) {
                    own.add_joint_force(actuator.joint, actuator.axis, *command);
                }
                own.step(0.004);
            }
            assert_eq!(own.state_hash(), batch.world(environment).unwrap().state_hash(), "{environment} {round}");
        }
        if round == 5 {
            // Some begin anew.
            let marks: Vec<bool> = (0..count).map(|environment| environment % 3 == 1).collect();
            batch.reset_where(&marks).unwrap();
            batch.reset(0).unwrap();
            let start = source.snapshot();
            for (environment, own) in alone.iter_mut().enumerate() {
                if environment == 0 || marks[environment] {
                    own.restore(&start);
                }
            }
        }
    }
    let hashes: Vec<u64> = alone.iter().map(World::state_hash).collect();
    assert!(hashes.windows(2).all(|pair| pair[0] != pair[1]), "environments differ");
}

fn forces(world: &World, joints: &[JointId]) -> Vec<Actuator> {
    let motions = |id: &JointId| world.joint(*id).unwrap().motion_count();
    let actuators = |id: &JointId| {
        let joint = *id;
        (0..motions(id)).map(move |axis| Actuator { joint, axis, command: Command::Force })
    };
    joints.iter().flat_map(actuators).collect()
}

#[test]
fn environments_move_as_alone() {
    for case in 0..8u64 {
        for preset in [Preset::Stiction, Preset::Ode, Preset::Dart] {
            let mut source = world(preset);
            let tree = RandomTree {
                links: 2 + case as usize,
                ratio: 30.0,
                is_hung: case % 3 != 0,
                has_sliders: true,
                has_rotors: case % 4 == 1,
                seed: 10 + case,
            };
            let (_, joints) = tree.add(&mut source, DVec3::ZERO);
            let actuators = forces(&source, &joints);
            moves_as_alone(
                &source,
                &actuators,
                2.0,
                if preset == Preset::Stiction { 19 } else { 3 },
                1 + case as usize % 2,
            );
        }
    }
}

#[test]
fn environments_with_laws_move_as_alone() {
    for case in 0..20 {
        let mut source = world(Preset::Stiction);
        let joints = random_tree(&mut source, case, false);
        let actuators = forces(&source, &joints);
        moves_as_alone(&source, &actuators, 1.0, 11, 2);
    }
}

#[test]
fn robots_in_contact_move_as_alone() {
    for preset in [Preset::Stiction, Preset::Bullet, Preset::DrakeDiscrete] {
        let mut source = world(preset);
        let (_, joints) = add_quadruped(&mut source);
        let actuators: Vec<Actuator> =
            joints.iter().map(|joint| Actuator { joint: *joint, axis: 0, command: Command::Position }).collect();
        moves_as_alone(&source, &actuators, 0.5, if preset == Preset::Stiction { 10 } else { 3 }, 2);
    }
}

#[test]
fn a_copy_of_a_world_goes_on_as_it_does() {
    for preset in FIXED_STEP_ENGINES.into_iter().chain([Preset::Stiction, Preset::DrakeContinuous, Preset::Simbody]) {
        let mut own = world(preset);
        let (trunk, joints) = add_quadruped(&mut own);
        add_box(&mut own, DVec3::splat(0.2), 1.0, DVec3::new(0.05, 0.0, 0.9), 0.5);
        own.body_mut(trunk).unwrap().set_velocity(DVec3::new(0.5, 0.2, 0.0)).unwrap();
        for step in 0..60 {
            own.step(0.004);
            if step % 20 == 7 {
                let mut copy = own.clone();
                assert_eq!(copy.joint(joints[1]).unwrap().motion(0), own.joint(joints[1]).unwrap().motion(0));
                assert_eq!(copy.contact_reports(), own.contact_reports(), "{preset:?}");
                for _ in 0..15 {
                    copy.step(0.004);
                }
                let mut again = own.clone();
                for _ in 0..15 {
                    again.step(0.004);
                }
                assert_eq!(copy.state_hash(), again.state_hash(), "{preset:?}");
                let snapshot = own.snapshot();
                for _ in 0..15 {
                    own.step(0.004);
                }
                assert_eq!(own.state_hash(), copy.state_hash(), "{preset:?} {step}");
                own.restore(&snapshot);
            }
        }
    }
}

#[test]
fn quantities_are_those_of_the_worlds() {
    let mut source = world(Preset::Stiction);
    let (_, joints) = add_quadruped(&mut source);
    let mut batch = Batch::new(&source, 10);
    batch.world_mut(3).unwrap().body_mut(batch_body(&source)).unwrap().set_velocity(DVec3::X).unwrap();
    batch.step(0.004, 20).unwrap();
    assert_eq!(batch.motions().len(), joints.len());
    for environment in 0..10 {
        let world = batch.world(environment).unwrap();
        let row = |quantity: Quantity| {
            let columns = batch.columns(quantity);
            batch.read(quantity)[environment * columns..][..columns].to_vec()
        };
        assert_eq!(row(Quantity::Time), [world.time()]);
        for (column, (id, axis)) in batch.motions().iter().enumerate() {
            let motion = world.joint(*id).unwrap().motion(*axis).unwrap();
            let found = [Quantity::Positions, Quantity::Rates, Quantity::Efforts].map(|quantity| row(quantity)[column]);
            assert_eq!(found, [motion.position, motion.rate, motion.effort]);
        }
        for (column, id) in batch.bodies().iter().enumerate() {
            let body = world.body(*id).unwrap();
            let pose = &row(Quantity::Poses)[7 * column..][..7];
            let velocity = &row(Quantity::Velocities)[6 * column..][..6];
            assert_eq!(DVec3::from_slice(pose), body.pose().position);
            assert_eq!(DQuat::from_slice(&pose[3..]), body.pose().rotation);
            assert_eq!(DVec3::from_slice(velocity), body.velocity());
            assert_eq!(DVec3::from_slice(&velocity[3..]), body.omega());
        }
    }
    assert_ne!(batch.world(3).unwrap().state_hash(), batch.world(4).unwrap().state_hash());
    assert_eq!(batch.world(5).unwrap().state_hash(), batch.world(4).unwrap().state_hash());
}

fn batch_body(world: &World) -> BodyId {
    world.body_ids().next().unwrap()
}

#[test]
fn errors_name_what_was_found_and_expected() {
    let mut source = world(Preset::Stiction);
    let (_, joints) = add_quadruped(&mut source);
    let mut batch = Batch::new(&source, 3);
    assert_eq!(batch.world(3).err(), Some(BatchError::Environment { found: 3, count: 3 }));
    assert_eq!(batch.reset(7), Err(BatchError::Environment { found: 7, count: 3 }));
    let own = |axis, command| Actuator { joint: joints[0], axis, command };
    let number = 1;
    let wrong = [own(0, Command::Force), own(1, Command::Force)];
    assert_eq!(batch.set_actuators(&wrong), Err(BatchError::NoMotion { number, axis: 1 }));
    batch.set_actuators(&[own(0, Command::Position), own(0, Command::Velocity)]).unwrap();
    let message = batch.set_commands(&[0.0; 5]).unwrap_err().to_string();
    assert_eq!(message, "commands: found 5 numbers, expected 6: 3 environments of 2");
    let message = batch.set_commands(&[0.0, 0.0, 0.0, f64::NAN, 0.0, 0.0]).unwrap_err().to_string();
    assert_eq!(message, "command 1 of environment 1: found NaN, expected a finite number");
    assert!(matches!(batch.step(0.0, 1), Err(BatchError::Step { .. })));
    assert!(matches!(batch.step(f64::NAN, 1), Err(BatchError::Step { .. })));
    assert!(matches!(batch.read_into(Quantity::Time, &mut [0.0; 2]), Err(BatchError::Length { .. })));
    assert!(matches!(batch.reset_where(&[true]), Err(BatchError::Length { .. })));

    source.joint_parameters_mut(joints[0], 0).unwrap().drive = None;
    let mut batch = Batch::new(&source, 1);
    let message = batch.set_actuators(&[own(0, Command::Velocity)]).unwrap_err().to_string();
    assert_eq!(message, "actuator 0: motion 0 of the joint has no drive and no motor");
    assert!(Batch::new(&source, 0).read(Quantity::Poses).is_empty());
}
