//! The same state gives the same bits.

use super::support::*;
use stiction::contact::restitution::Restitution;
use stiction::joints::{AxisParameters, JointDefinition, JointKind};
use stiction::material::Surface;
use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{AutoDisable, BodyDefinition, SolverKind, World, WorldParameters};

/// Leaning stacks, a bouncing ball, a chain, a wheel on a motor, and a box that falls asleep.
fn scene(solver: SolverKind, accelerated: bool) -> World {
    let auto_disable = AutoDisable { enabled: true, ..AutoDisable::default() };
    let mut world = World::new(WorldParameters { solver, accelerated, auto_disable, ..parameters() });
    add_ground(&mut world, Surface::default());
    for x in [0.0, 3.0] {
        for i in 0..6 {
            let at = DVec3::new(x + 0.08 * f64::from(i), 0.0, 0.25 + 0.505 * f64::from(i));
            add_box(&mut world, DVec3::splat(0.5), 1.0, at, 0.5);
        }
    }
    let rubber = Surface { bounce: Some(Restitution { coefficient: 0.7, threshold: 0.1 }), ..Surface::default() };
    let ball = Shape::sphere(0.2).unwrap();
    add_shape(&mut world, ball, 1.0, Pose::from_position(DVec3::new(-2.0, 0.0, 2.0)), rubber);
    let mut above = None;
    for i in 0..5 {
        let at = DVec3::new(-5.0 + 0.3 * f64::from(i), 0.0, 4.0);
        let link = add_box(&mut world, DVec3::splat(0.1), 0.3, at, 0.5);
        let joint = JointDefinition::new(JointKind::Universal, Some(link), above).at(at - DVec3::new(0.15, 0.0, 0.0));
        world.add_joint(joint).unwrap();
        above = Some(link);
    }
    let wheel = world
        .add_body(&BodyDefinition {
            pose: Pose::from_position(DVec3::new(8.0, 0.0, 3.0)),
            auto_disable: Some(AutoDisable::default()),
            ..BodyDefinition::default()
        })
        .unwrap();
    let drive = AxisParameters { friction: 0.1, ..AxisParameters::default().with_motor(30.0, 20.0) };
    world
        .add_joint(
            JointDefinition::new(JointKind::Hinge, Some(wheel), None)
                .at(DVec3::new(8.0, 0.0, 3.0))
                .with_parameters(0, drive),
        )
        .unwrap();
    add_box(&mut world, DVec3::ONE, 1.0, DVec3::new(-10.0, 0.0, 0.5), 0.5);
    world
}

fn hashes(world: &mut World, count: u32) -> Vec<u64> {
    (0..count)
        .map(|_| {
            world.step(0.005);
            world.state_hash()
        })
        .collect()
}

const KINDS: [(SolverKind, bool); 3] =
    [(SolverKind::Direct, false), (SolverKind::Iterative, false), (SolverKind::Iterative, true)];

#[test]
fn a_snapshot_gives_nothing_to_bodies_that_took_the_place_of_others() {
    let mut world = World::new(parameters());
    let at =
        |x: f64| BodyDefinition { pose: Pose::from_position(DVec3::new(x, 0.0, 0.0)), ..BodyDefinition::default() };
    let (stays, goes) = (world.add_body(&at(1.0)).unwrap(), world.add_body(&at(2.0)).unwrap());
    let hinge = world.add_joint(JointDefinition::new(JointKind::Hinge, Some(goes), None)).unwrap();
    let snapshot = world.snapshot();
    world.remove_joint(hinge);
    world.remove_body(goes);
    let comes = world.add_body(&at(3.0)).unwrap();
    world.body_mut(stays).unwrap().set_velocity(DVec3::X).unwrap();
    world.restore(&snapshot);
    assert_eq!(world.body(stays).unwrap().velocity(), DVec3::ZERO);
    assert_eq!(world.body(comes).unwrap().pose().position.x, 3.0);
    // An empty place of the snapshot is a place of its own, too.
    let mut fresh = World::new(parameters());
    let empty = fresh.snapshot();
    let body = fresh.add_body(&at(4.0)).unwrap();
    fresh.restore(&empty);
    assert_eq!(fresh.body(body).unwrap().pose().position.x, 4.0);
}

#[test]
fn two_worlds_are_one() {
    for (solver, accelerated) in KINDS {
        let (mut a, mut b) = (scene(solver, accelerated), scene(solver, accelerated));
        assert!(hashes(&mut a, 200) == hashes(&mut b, 200), "{solver:?} {accelerated}");
    }
}

#[test]
fn a_restored_world_goes_on_as_if_it_had_never_stopped() {
    for (solver, accelerated) in KINDS {
        let mut world = scene(solver, accelerated);
        hashes(&mut world, 150);
        let asleep = world.body_ids().filter(|b| !world.body(*b).unwrap().is_enabled()).count();
        assert!(asleep > 0, "nothing sleeps, so that this test shows less than it says");
        let snapshot = world.snapshot();
        let straight = hashes(&mut world, 200);
        world.restore(&snapshot);
        assert!(hashes(&mut world, 200) == straight, "{solver:?} {accelerated}: restored");
        // In another world that never took those steps.
        let mut other = scene(solver, accelerated);
        other.restore(&snapshot);
        assert!(hashes(&mut other, 200) == straight, "{solver:?} {accelerated}: elsewhere");
        assert!(other.snapshot() == world.snapshot(), "{solver:?} {accelerated}: hidden state");
    }
}
