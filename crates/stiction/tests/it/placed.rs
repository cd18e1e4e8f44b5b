//! Shapes that are placed into each other: what pushing them apart gives is the file's, and joints hold meanwhile.

use super::support::*;
use stiction::joints::{JointDefinition, JointKind};
use stiction::material::{Surface, SurfaceCompliance};
use stiction::math::{DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{SolverKind, World, WorldParameters};

/// A ball of 0.5 m and 2 kg, placed 0.1 m deep in the ground: lifted by a correction of positions, or thrown by one of
/// velocities, by energy that is not made.
#[test]
fn an_overlap_at_the_start_gives_what_lifts_the_ball() {
    for (largest, thrown) in [(0.01, false), (f64::INFINITY, true)] {
        let parameters = WorldParameters { contact_max_correcting_velocity: largest, ..parameters() };
        let mut world = World::new(parameters);
        add_ground(&mut world, Surface::default());
        let pose = Pose::from_position(DVec3::new(0.0, 0.0, 0.4));
        let ball = add_shape(&mut world, Shape::sphere(0.5).unwrap(), 2.0, pose, Surface::default());
        let start = world.energy().total();
        let (mut placed, mut made) = (0.0, 0.0f64);
        for _ in 0..200 {
            let energy = world.step(1e-3).energy;
            placed += energy.placed;
            made += energy.made();
        }
        let gained = world.energy().total() - start;
        assert_eq!(gained > 10.0, thrown, "{gained}");
        assert!(world.body(ball).unwrap().pose().position.z > 0.499);
        assert!(
            (placed / gained - 1.0).abs() < 0.01 && made < 0.01 * placed,
            "{placed} J of {gained} J, {made} J made"
        );
    }
}

/// What comes by its own motion is not placed: its spring gives back what it took, the rest is told as made.
#[test]
fn a_ball_that_falls_in_was_not_placed() {
    let mut world = World::new(parameters());
    add_ground(&mut world, Surface::default());
    let soft = SurfaceCompliance::Spring { stiffness: 1e4, damping: 1.0 };
    let surface = Surface { compliance: Some(soft), ..Surface::default() };
    add_shape(&mut world, Shape::sphere(0.5).unwrap(), 2.0, Pose::from_position(DVec3::new(0.0, 0.0, 0.6)), surface);
    for _ in 0..1000 {
        assert_eq!(world.step(1e-3).energy.placed, 0.0);
    }
}

/// An arm of two welded boxes whose end is 0.3 m deep in the ground: removed at once, the turn takes the anchor 3 mm off.
#[test]
fn joints_hold_while_an_overlap_is_removed() {
    let mut world = World::new(WorldParameters {
        solver: SolverKind::Direct,
        gravity: DVec3::ZERO,
        contact_max_correcting_velocity: 0.0,
        ..parameters()
    });
    add_ground(&mut world, Surface::default());
    let end = add_box(&mut world, DVec3::splat(0.2), 1.0, DVec3::new(0.0, 0.0, -0.2), 0.0);
    let other = add_box(&mut world, DVec3::splat(0.2), 10.0, DVec3::new(1.0, 0.0, 0.5), 0.0);
    world.add_joint(JointDefinition::new(JointKind::Fixed, Some(end), Some(other))).unwrap();
    let (mut gap, mut made) = (0.0f64, 0.0);
    for _ in 0..500 {
        let report = world.step(1e-3);
        gap = gap.max(report.joint_error);
        made += report.energy.made();
    }
    assert!(world.body(end).unwrap().pose().position.z > 0.099);
    assert!(gap < 5e-4 && made.abs() < 1e-4, "{gap} m, {made} J");
}
