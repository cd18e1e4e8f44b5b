//! Joints do no work: mechanisms that warm-started sweeps with drift in their impulses blew up.

use super::support::*;
use stiction::joints::{JointDefinition, JointKind};
use stiction::math::{DMat3, DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, BodyId, HybridRule, SolverKind, World, WorldParameters};

const RULES: [(SolverKind, HybridRule); 4] = [
    (SolverKind::Iterative, HybridRule::On),
    (SolverKind::Iterative, HybridRule::Unsolved),
    (SolverKind::Iterative, HybridRule::Off),
    (SolverKind::Direct, HybridRule::Off),
];

fn link(world: &mut World, at: DVec3, mass: f64, moment: f64) -> BodyId {
    let inertia = DMat3::from_diagonal(DVec3::splat(moment));
    let mass = MassProperties { mass, center_of_mass: DVec3::ZERO, inertia };
    let pose = Pose::from_position(at);
    world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap()
}

fn hinge(world: &mut World, child: BodyId, parent: Option<BodyId>, at: DVec3) {
    world.add_joint(JointDefinition::new(JointKind::Hinge, Some(child), parent).at(at).with_axis(0, DVec3::Y)).unwrap();
}

/// Largest rise of the energy above its start, over the kinetic energy there was or a metre of fall.
fn rise(world: &mut World, step: f64, steps: usize) -> f64 {
    let start = world.energy();
    let mut scale = start.kinetic.max(1e-9);
    let mut rise = 0.0f64;
    for _ in 0..steps {
        assert!(world.step(step).quarantined.is_empty());
        let now = world.energy();
        scale = scale.max(start.gravitational - now.gravitational);
        rise = rise.max((now.total() - start.total()) / scale);
    }
    rise
}

#[test]
fn a_pendulum_of_inertia_ratio_500_and_50000_keeps_its_energy_where_sweeps_made_it_5e5_and_1e48_joules() {
    for (solver, hybrid) in RULES {
        for ratio in [500.0, 50_000.0] {
            let gravity = DVec3::new(0.0, 0.0, -9.81);
            let mut world = World::new(WorldParameters { solver, hybrid, gravity, ..parameters() });
            let first = link(&mut world, DVec3::new(0.5, 0.0, 0.0), 100.0, 10.0);
            let second = link(&mut world, DVec3::new(1.25, 0.0, 0.0), 100.0 / ratio, 10.0 / ratio);
            hinge(&mut world, first, None, DVec3::ZERO);
            hinge(&mut world, second, Some(first), DVec3::X);
            world.body_mut(second).unwrap().set_velocity(DVec3::new(0.0, 0.1, 0.0)).unwrap();
            let rise = rise(&mut world, 1e-3, 5000);
            assert!(rise < 0.01, "{solver:?} {hybrid:?} ratio {ratio}: {rise}");
        }
    }
}

#[test]
fn a_free_tree_of_30_links_does_not_gain_where_sweeps_made_it_1e261_joules() {
    for (solver, hybrid) in RULES {
        let mut world = World::new(WorldParameters { solver, hybrid, ..parameters() });
        let mut last = None;
        for i in 0..30 {
            let mass = if i % 2 == 0 { 10.0 } else { 0.1 };
            let x = 0.3 * f64::from(i);
            let body = link(&mut world, DVec3::new(x, 0.0, 0.0), mass, 1e-3 * mass);
            if last.is_some() {
                hinge(&mut world, body, last, DVec3::new(x - 0.15, 0.0, 0.0));
            }
            let velocity = DVec3::new(0.0, 0.0, (f64::from(i) * 1.7).sin());
            world.body_mut(body).unwrap().set_velocity(velocity).unwrap();
            last = Some(body);
        }
        let rise = rise(&mut world, 1e-3, 3000);
        assert!(rise < 0.01, "{solver:?} {hybrid:?}: {rise}");
    }
}

#[test]
fn a_four_bar_at_a_tenth_of_a_millisecond_does_not_gain() {
    for (solver, hybrid) in RULES {
        let gravity = DVec3::new(0.0, 0.0, -9.81);
        let mut world = World::new(WorldParameters { solver, hybrid, gravity, ..parameters() });
        let points = [DVec3::ZERO, DVec3::new(0.3, 0.0, 0.2), DVec3::new(1.1, 0.0, 0.5), DVec3::new(1.0, 0.0, 0.0)];
        let mut last = None;
        for pair in points.windows(2) {
            let body = link(&mut world, 0.5 * (pair[0] + pair[1]), 1.0, 0.02);
            hinge(&mut world, body, last, pair[0]);
            last = Some(body);
        }
        hinge(&mut world, last.unwrap(), None, points[3]);
        let rise = rise(&mut world, 1e-4, 20_000);
        assert!(rise < 0.01, "{solver:?} {hybrid:?}: {rise}");
    }
}
