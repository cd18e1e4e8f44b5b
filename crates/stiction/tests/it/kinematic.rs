//! Bodies that move by their own velocity.

use super::support::*;
use stiction::joints::{JointDefinition, JointKind};
use stiction::material::Surface;
use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{
    AutoDisable, BodyDefinition, BodyId, BodyKind, GeomDefinition, SolverKind, World, WorldParameters,
};

/// A platform with its top at z = 0, and a box of 1 kg on it.
fn carried(parameters: WorldParameters) -> (World, BodyId, BodyId) {
    let mut world = World::new(parameters);
    let platform = world
        .add_body(&BodyDefinition {
            kind: BodyKind::Kinematic,
            pose: Pose::from_position(DVec3::new(0.0, 0.0, -0.1)),
            ..BodyDefinition::default()
        })
        .unwrap();
    let surface = Surface { friction: [0.5; 2], ..Surface::default() };
    let shape = Shape::cuboid(DVec3::new(10.0, 10.0, 0.2)).unwrap();
    world.add_geom(&GeomDefinition { surface, ..GeomDefinition::new(shape, Some(platform)) }).unwrap();
    let load = add_box(&mut world, DVec3::new(0.4, 0.4, 0.1), 1.0, DVec3::new(0.0, 0.0, 0.05), 0.5);
    (world, platform, load)
}

#[test]
fn a_moving_platform_takes_a_box_along_by_friction() {
    for solver in [SolverKind::Direct, SolverKind::Iterative] {
        let (mut world, platform, load) = carried(WorldParameters { solver, iterations: 50, ..parameters() });
        world.body_mut(platform).unwrap().set_velocity(DVec3::X).unwrap();
        for _ in 0..1000 {
            world.step(1e-3);
        }
        let (p, b) = (world.body(platform).unwrap(), world.body(load).unwrap());
        assert!((p.pose().position.x - 1.0).abs() < 1e-12 && p.velocity() == DVec3::X);
        assert!((b.velocity() - DVec3::X).length() < 1e-6, "{}", b.velocity());
        // It slips back by v² / 2 μ g, less h v / 2.
        let lag = p.pose().position.x - b.pose().position.x;
        assert!((lag - 0.5 / (0.5 * GRAVITY)).abs() < 0.6e-3, "{lag}");
    }
}

#[test]
fn a_platform_that_starts_to_move_wakes_what_stands_on_it() {
    let auto_disable = AutoDisable { enabled: true, ..AutoDisable::default() };
    let (mut world, platform, load) = carried(WorldParameters { auto_disable, ..parameters() });
    for _ in 0..20 {
        world.step(0.01);
    }
    assert!(!world.body(load).unwrap().is_enabled());
    world.body_mut(platform).unwrap().set_velocity(DVec3::X).unwrap();
    for _ in 0..100 {
        world.step(0.01);
    }
    assert!(world.body(load).unwrap().is_enabled());
    assert!(
        (world.body(load).unwrap().velocity() - DVec3::X).length() < 1e-6,
        "{}",
        world.body(load).unwrap().velocity()
    );
}

#[test]
fn a_carrier_that_starts_to_move_wakes_what_hangs_on_it() {
    let auto_disable = AutoDisable { enabled: true, ..AutoDisable::default() };
    let mut world = World::new(WorldParameters { auto_disable, ..parameters() });
    let carrier = world.add_body(&BodyDefinition { kind: BodyKind::Kinematic, ..BodyDefinition::default() }).unwrap();
    let load = world.add_body(&BodyDefinition::default()).unwrap();
    world.add_joint(JointDefinition::new(JointKind::Fixed, Some(carrier), Some(load))).unwrap();
    for _ in 0..10 {
        world.step(0.01);
    }
    assert!(!world.body(load).unwrap().is_enabled());
    world.body_mut(carrier).unwrap().set_velocity(DVec3::X).unwrap();
    world.step(0.01);
    assert!((world.body(load).unwrap().velocity() - DVec3::X).length() < 1e-6);
}

#[test]
fn a_kinematic_end_of_a_hinge_drives_the_other() {
    for solver in [SolverKind::Direct, SolverKind::Iterative] {
        let mut world = World::new(WorldParameters { solver, ..WorldParameters::default() });
        let rotor = world
            .add_body(&BodyDefinition {
                kind: BodyKind::Kinematic,
                omega: DVec3::new(0.0, 0.0, 2.0),
                ..BodyDefinition::default()
            })
            .unwrap();
        let rider = world
            .add_body(&BodyDefinition { pose: Pose::from_position(DVec3::X), ..BodyDefinition::default() })
            .unwrap();
        world
            .add_joint(
                JointDefinition::new(JointKind::Hinge, Some(rider), Some(rotor)).at(DVec3::X).with_axis(0, DVec3::X),
            )
            .unwrap();
        // A force on a kinematic body does nothing.
        for _ in 0..1000 {
            world.body_mut(rotor).unwrap().add_force(DVec3::splat(100.0));
            world.step(1e-3);
        }
        let (place, v) = (world.body(rider).unwrap().pose().position, world.body(rider).unwrap().velocity());
        let expected = DVec3::new(2.0f64.cos(), 2.0f64.sin(), 0.0);
        // The drift of a circle drawn by chords, ω² h / 2 erp, is 1e-2 m at erp 0.2.
        assert!((place - expected).length() < 1.1e-2, "{place}");
        assert!((v.length() - 2.0).abs() < 2e-2, "{v}");
        assert_eq!(world.body(rotor).unwrap().pose().position, DVec3::ZERO);
        assert!((world.body(rider).unwrap().omega().z - 2.0).abs() < 1e-6);
    }
}

#[test]
fn a_kinematic_carrier_moves_what_is_fixed_to_it() {
    let mut world = World::new(parameters());
    let carrier = world
        .add_body(&BodyDefinition { kind: BodyKind::Kinematic, velocity: DVec3::X, ..BodyDefinition::default() })
        .unwrap();
    let load = world.add_body(&BodyDefinition { velocity: DVec3::X, ..BodyDefinition::default() }).unwrap();
    world.add_joint(JointDefinition::new(JointKind::Ball, Some(carrier), Some(load))).unwrap();
    for _ in 0..100 {
        world.step(0.01);
    }
    let x = world.body(load).unwrap().pose().position;
    assert!((x - DVec3::X).length() < 1e-7, "{x}");
}
