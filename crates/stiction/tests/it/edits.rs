//! Edits of a world that sleeps, and of what joints and contacts name: who is concerned wakes, and nothing is left behind.

use super::support::*;
use stiction::joints::{JointDefinition, JointKind};
use stiction::material::Surface;
use stiction::math::{DVec3, Pose};
use stiction::shape::{MassProperties, Shape};
use stiction::world::{
    AutoDisable, BodyDefinition, BodyId, BodyKind, BodyMut, Coordinates, GeomDefinition, GeomId, JointId, World,
    WorldParameters,
};

const ON: AutoDisable =
    AutoDisable { enabled: true, linear_threshold: 0.01, angular_threshold: 0.01, steps: 10, time: 0.0, samples: 1 };

/// Steps until the body sleeps.
fn settle(world: &mut World, body: BodyId) {
    for _ in 0..400 {
        world.step(0.01);
        if !world.body(body).unwrap().is_enabled() {
            return;
        }
    }
    panic!("the body does not fall asleep");
}

/// A box that sleeps on a thick plate of the environment, in both coordinates.
fn asleep() -> impl Iterator<Item = (World, BodyId, GeomId)> {
    [Coordinates::Maximal, Coordinates::Reduced].into_iter().map(|coordinates| {
        let mut world = World::new(WorldParameters { auto_disable: ON, coordinates, ..parameters() });
        let mut plate = GeomDefinition::new(Shape::cuboid(DVec3::new(10.0, 10.0, 1.0)).unwrap(), None);
        plate.pose = Pose::from_position(DVec3::new(0.0, 0.0, -0.5));
        let plate = world.add_geom(&plate).unwrap();
        let body = add_box(&mut world, DVec3::ONE, 1.0, DVec3::new(0.0, 0.0, 0.5), 0.5);
        settle(&mut world, body);
        (world, body, plate)
    })
}

fn height(world: &World, body: BodyId) -> f64 {
    world.body(body).unwrap().pose().position.z
}

#[test]
fn a_box_falls_when_its_ground_is_removed_moved_or_disabled() {
    type Edit = fn(&mut World, GeomId);
    let edits: [Edit; 4] = [
        |world, plate| assert!(world.remove_geom(plate)),
        |world, plate| world.set_geom_pose(plate, &Pose::from_position(DVec3::new(0.0, 0.0, -8.0))).unwrap(),
        |world, plate| assert!(world.set_geom_enabled(plate, false)),
        |world, plate| assert!(world.set_geom_bits(plate, 0, 0)),
    ];
    for (number, edit) in edits.into_iter().enumerate() {
        for (mut world, body, plate) in asleep() {
            for _ in 0..50 {
                world.step(0.01);
            }
            edit(&mut world, plate);
            for _ in 0..50 {
                world.step(0.01);
            }
            // ½ g t² = 1.23 m.
            assert!(height(&world, body) < -0.7, "edit {number}: {}", height(&world, body));
        }
    }
}

#[test]
fn a_shape_that_is_moved_into_a_sleeping_body_wakes_it() {
    for (mut world, body, _) in asleep() {
        let shape = GeomDefinition::new(Shape::sphere(0.3).unwrap(), None);
        let ball = world.add_geom(&GeomDefinition { pose: Pose::from_position(DVec3::X * 5.0), ..shape }).unwrap();
        world.step(0.01);
        assert!(!world.body(body).unwrap().is_enabled());
        world.set_geom_pose(ball, &Pose::from_position(DVec3::new(0.7, 0.0, 0.5))).unwrap();
        world.step(0.01);
        assert!(world.body(body).unwrap().is_enabled());
    }
}

#[test]
fn what_changes_a_sleeping_body_wakes_it() {
    type Edit = fn(&mut BodyMut);
    let edits: [(&str, Edit); 10] = [
        ("velocity", |b| b.set_velocity(DVec3::X).unwrap()),
        ("omega", |b| b.set_omega(DVec3::Z).unwrap()),
        ("pose", |b| b.set_pose(&Pose::from_position(DVec3::new(0.0, 0.0, 2.0))).unwrap()),
        ("mass", |b| {
            b.set_mass(&MassProperties { mass: 2.0, ..b.as_ref().mass_properties() }).unwrap();
        }),
        ("kind", |b| b.set_kind(BodyKind::Kinematic)),
        ("gravity", |b| b.set_gravity(false)),
        ("force", |b| b.add_force(DVec3::X * 20.0)),
        ("torque", |b| b.add_body_torque(DVec3::Z)),
        ("force at", |b| b.add_body_force_at_body_point(DVec3::X * 20.0, DVec3::Z)),
        ("set force", |b| b.set_force(DVec3::X * 20.0)),
    ];
    for (what, edit) in edits {
        for (mut world, body, _) in asleep() {
            edit(&mut world.body_mut(body).unwrap());
            assert!(world.body(body).unwrap().is_enabled(), "{what}");
        }
    }
    for (mut world, body, _) in asleep() {
        world.body_mut(body).unwrap().set_velocity(DVec3::X).unwrap();
        world.step(0.01);
        // Friction takes at most μ g h = 0.05 m/s.
        assert!(world.body(body).unwrap().velocity().x > 0.9);
    }
}

#[test]
fn other_gravity_and_other_pairs_of_materials_wake_all() {
    for (mut world, body, _) in asleep() {
        world.parameters.gravity.x = 1.0;
        world.step(0.01);
        assert!(world.body(body).unwrap().is_enabled());
        settle(&mut world, body);
        world.contact_table_mut();
        world.step(0.01);
        assert!(world.body(body).unwrap().is_enabled());
    }
}

#[test]
fn a_snapshot_between_an_edit_and_the_step_that_finds_it_is_repeated_exactly() {
    for (mut world, body, plate) in asleep() {
        for number in 0..3 {
            match number {
                0 => world.parameters.gravity.x += 3.0,
                1 => world.set_geom_pose(plate, &Pose::from_position(DVec3::new(0.0, 0.0, -0.501))).unwrap(),
                _ => world.body_mut(body).unwrap().disable(),
            }
            let snapshot = world.snapshot();
            let run = |world: &mut World| {
                for _ in 0..5 {
                    world.step(0.01);
                }
                world.state_hash()
            };
            let first = run(&mut world);
            world.restore(&snapshot);
            assert_eq!(run(&mut world), first, "{number}");
        }
    }
}

#[test]
fn what_changes_nothing_lets_it_sleep() {
    for (mut world, body, plate) in asleep() {
        let pose = world.geom(plate).unwrap().pose();
        world.set_geom_pose(plate, &pose).unwrap();
        world.set_geom_enabled(plate, true);
        let mut edited = world.body_mut(body).unwrap();
        edited.set_velocity(DVec3::ZERO).unwrap();
        edited.set_omega(DVec3::ZERO).unwrap();
        edited.add_force(DVec3::ZERO);
        edited.set_kind(BodyKind::Dynamic);
        world.step(0.01);
        assert!(!world.body(body).unwrap().is_enabled());
    }
}

#[test]
fn a_kinematic_shelf_that_is_put_elsewhere_wakes_what_stood_on_it() {
    let mut world = World::new(WorldParameters { auto_disable: ON, ..parameters() });
    let shelf = world.add_body(&BodyDefinition { kind: BodyKind::Kinematic, ..BodyDefinition::default() }).unwrap();
    world.add_geom(&GeomDefinition::new(Shape::cuboid(DVec3::new(4.0, 4.0, 1.0)).unwrap(), Some(shelf))).unwrap();
    let body = add_box(&mut world, DVec3::ONE, 1.0, DVec3::new(0.0, 0.0, 1.0), 0.5);
    settle(&mut world, body);
    world.body_mut(shelf).unwrap().set_pose(&Pose::from_position(DVec3::Z * -5.0)).unwrap();
    for _ in 0..50 {
        world.step(0.01);
    }
    assert!(height(&world, body) < 0.0, "{}", height(&world, body));
    // The same where the shelf goes for good.
    let mut world = World::new(WorldParameters { auto_disable: ON, ..parameters() });
    let shelf = world.add_body(&BodyDefinition { kind: BodyKind::Kinematic, ..BodyDefinition::default() }).unwrap();
    world.add_geom(&GeomDefinition::new(Shape::cuboid(DVec3::new(4.0, 4.0, 1.0)).unwrap(), Some(shelf))).unwrap();
    let body = add_box(&mut world, DVec3::ONE, 1.0, DVec3::new(0.0, 0.0, 1.0), 0.5);
    settle(&mut world, body);
    assert!(world.remove_body(shelf));
    for _ in 0..50 {
        world.step(0.01);
    }
    assert!(height(&world, body) < 0.0, "{}", height(&world, body));
}

/// A body that hangs asleep on a hinge of the world, straight below it.
fn hanging() -> (World, BodyId, JointId) {
    let mut world = World::new(WorldParameters { auto_disable: ON, ..parameters() });
    let body = world
        .add_body(&BodyDefinition { pose: Pose::from_position(DVec3::Z * -1.0), ..BodyDefinition::default() })
        .unwrap();
    let hinge = JointDefinition { axes: [DVec3::X; 3], ..JointDefinition::new(JointKind::Hinge, Some(body), None) };
    let joint = world.add_joint(hinge).unwrap();
    settle(&mut world, body);
    (world, body, joint)
}

#[test]
fn what_hung_on_a_joint_falls_when_it_goes() {
    let edits: [fn(&mut World, JointId); 2] =
        [|world, joint| assert!(world.remove_joint(joint)), |world, joint| world.detach_joint(joint)];
    for edit in edits {
        let (mut world, body, joint) = hanging();
        edit(&mut world, joint);
        for _ in 0..50 {
            world.step(0.01);
        }
        assert!(height(&world, body) < -2.0, "{}", height(&world, body));
    }
}

#[test]
fn motors_and_joint_forces_wake() {
    let (mut world, body, joint) = hanging();
    // Parameters that stay what they are do not.
    let motor = world.joint_parameters_mut(joint, 0).unwrap().motor;
    world.joint_parameters_mut(joint, 0).unwrap().motor = motor;
    world.add_joint_force(joint, 0, 0.0);
    world.step(0.01);
    assert!(!world.body(body).unwrap().is_enabled());
    let parameters = world.joint_parameters_mut(joint, 0).unwrap();
    (parameters.motor.velocity, parameters.motor.max_force) = (1.0, 100.0);
    world.step(0.01);
    // 100 N m for 0.01 s on 2 kg m².
    assert!(world.joint(joint).unwrap().rate(0) > 0.4);
    let (mut world, body, joint) = hanging();
    world.add_joint_force(joint, 0, 5.0);
    world.step(0.01);
    assert!(world.body(body).unwrap().omega().length() > 0.01);
}

#[test]
fn joints_of_a_removed_body_go_with_it() {
    let mut world = World::new(parameters());
    let at = |z: f64| BodyDefinition { pose: Pose::from_position(DVec3::Z * z), ..BodyDefinition::default() };
    let bodies = [1.0, 2.0, 3.0].map(|z| world.add_body(&at(z)).unwrap());
    let join = |world: &mut World, a, b| world.add_joint(JointDefinition::new(JointKind::Fixed, a, b)).unwrap();
    let to_world = join(&mut world, Some(bodies[0]), None);
    let between = join(&mut world, Some(bodies[0]), Some(bodies[1]));
    let beyond = join(&mut world, Some(bodies[1]), Some(bodies[2]));
    assert!(world.remove_body(bodies[0]));
    assert!(world.joint(to_world).is_none() && world.joint(between).is_none() && world.joint(beyond).is_some());
    assert_eq!(world.body(bodies[1]).unwrap().joints(), [beyond]);
    // The body that takes the place of the old one has none of its joints.
    let new = world.add_body(&at(0.0)).unwrap();
    assert_eq!(new.slot(), bodies[0].slot());
    for _ in 0..100 {
        world.step(0.01);
    }
    // All fall freely: g t² / 2, and the half step of a semi-implicit step that a lone body makes.
    for (body, start, by_step) in [(bodies[1], 2.0, 0.0), (bodies[2], 3.0, 0.0), (new, 0.0, 0.01)] {
        let fall = start - height(&world, body);
        assert!((fall - 0.5 * 9.81 * (1.0 + by_step)).abs() < 1e-9, "{fall}");
    }
}

#[test]
fn forces_of_a_sleeping_stack_still_add_up_to_its_weight() {
    for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
        let mut world = World::new(WorldParameters { auto_disable: ON, coordinates, ..parameters() });
        add_ground(&mut world, Surface::default());
        let boxes = [0.5, 1.5].map(|z| add_box(&mut world, DVec3::ONE, 1.0, DVec3::new(0.0, 0.0, z), 0.5));
        settle(&mut world, boxes[0]);
        let g = -world.parameters.gravity.z;
        let load = |world: &World, body: BodyId| -> f64 {
            let along = |c: &stiction::world::ContactReport| match c.bodies {
                [Some(first), None] if first == body => c.force.z,
                [None, Some(second)] if second == body => -c.force.z,
                _ => 0.0,
            };
            world.contact_reports().iter().map(along).sum()
        };
        let weight = 2.0 * world.body(boxes[0]).unwrap().mass() * g;
        let before = world.contact_reports().to_vec();
        assert!(before.len() >= 8, "{}", before.len());
        assert!((load(&world, boxes[0]) / weight - 1.0).abs() < 1e-3, "{} of {weight}", load(&world, boxes[0]));
        for _ in 0..20 {
            world.step(0.01);
        }
        assert_eq!(world.contact_reports(), before);
        // They are part of a snapshot, and end when the bodies wake.
        let snapshot = world.snapshot();
        world.body_mut(boxes[1]).unwrap().set_pose(&Pose::from_position(DVec3::Z * 9.0)).unwrap();
        world.step(0.01);
        assert!(world.contact_reports().iter().all(|c| !c.bodies.contains(&Some(boxes[1]))));
        world.restore(&snapshot);
        assert_eq!(world.contact_reports(), before);
    }
}

#[test]
fn motions_that_a_joint_does_not_have_are_none() {
    let (world, _, joint) = hanging();
    let joint = world.joint(joint).unwrap();
    assert!(joint.motion(0).is_some());
    for axis in [1, 2, 3, usize::MAX] {
        assert_eq!(joint.motion(axis), None);
        assert_eq!((joint.position(axis), joint.rate(axis), joint.effort(axis)), (0.0, 0.0, 0.0));
    }
}

#[test]
fn a_step_with_a_parameter_out_of_its_range_is_refused_and_says_which() {
    type Edit = fn(&mut WorldParameters);
    let edits: [(&str, Edit); 8] = [
        ("sor", |p| p.sor = 5.0),
        ("erp", |p| p.erp = -0.1),
        ("cfm", |p| p.cfm = f64::NAN),
        ("gravity", |p| p.gravity.z = f64::INFINITY),
        ("threads", |p| p.threads = 0),
        ("contact_margin", |p| p.contact_margin = -1.0),
        ("damping.linear", |p| p.damping.linear = 2.0),
        ("contact.stiction_tolerance", |p| p.compliant.stiction_tolerance = 0.0),
    ];
    for (name, edit) in edits {
        let (mut world, ..) = asleep().next().unwrap();
        let (time, hash) = (world.time(), world.state_hash());
        let sound = world.parameters.clone();
        edit(&mut world.parameters);
        let report = world.step(0.01);
        assert!(report.refused);
        assert_eq!(report.refused_parameter.as_ref().unwrap().name, name);
        assert_eq!((world.time(), world.state_hash()), (time, hash));
        world.parameters = sound;
        let report = world.step(0.01);
        assert!(!report.refused && report.refused_parameter.is_none());
    }
}

#[test]
fn numbers_that_a_joint_does_not_have_are_no_panic() {
    let mut world = World::new(parameters());
    let body = add_box(&mut world, DVec3::splat(0.2), 1.0, DVec3::ZERO, 0.5);
    let hinge = world.add_joint(JointDefinition::new(JointKind::Hinge, Some(body), None)).unwrap();
    let joint = world.joint(hinge).unwrap();
    assert_eq!((joint.anchor(2), joint.axis(2, 0), joint.axis(0, 3)), (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO));
    assert_eq!((joint.position(3), joint.rate(usize::MAX), joint.effort(7)), (0.0, 0.0, 0.0));
    assert!(joint.motion(1).is_none());
}
