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

/// A chain of links on hinges that a fixed joint and a ball hold to the world at its ends, and gravity.
fn held_chain(solver: SolverKind, hybrid: HybridRule, gravity: f64) -> (World, Vec<BodyId>) {
    let gravity = DVec3::new(0.0, 0.0, -gravity);
    let mut world = World::new(WorldParameters { solver, hybrid, gravity, ..parameters() });
    let bodies: Vec<_> = (0..4).map(|k| link(&mut world, DVec3::X * f64::from(k), 1.0 + f64::from(k), 0.05)).collect();
    for k in 1..4 {
        hinge(&mut world, bodies[k], Some(bodies[k - 1]), DVec3::X * (k as f64 - 0.5));
    }
    world.add_joint(JointDefinition::new(JointKind::Fixed, Some(bodies[0]), None)).unwrap();
    world.add_joint(JointDefinition::new(JointKind::Ball, Some(bodies[3]), None).at(DVec3::X * 3.5)).unwrap();
    (world, bodies)
}

#[test]
fn a_mechanism_that_was_pulled_apart_comes_together_from_rest() {
    for (solver, hybrid) in RULES {
        for gravity in [0.0, 9.81] {
            for far in [1e-3, 0.1, 10.0, 1000.0] {
                let (mut world, bodies) = held_chain(solver, hybrid, gravity);
                for body in &bodies {
                    let mut body = world.body_mut(*body).unwrap();
                    let pose = body.as_ref().pose();
                    body.set_pose(&Pose::new(pose.position + far * DVec3::new(0.6, 0.3, -0.7), pose.rotation)).unwrap();
                }
                let mut fastest = 0.0f64;
                for _ in 0..2000 {
                    world.step(1e-3);
                    fastest =
                        bodies.iter().map(|b| world.body(*b).unwrap().velocity().length()).fold(fastest, f64::max);
                }
                let gap = world.joint_ids().map(|id| world.joint(id).unwrap().gap()).fold(0.0, f64::max);
                // They come back by position alone: none of it is left as speed.
                assert!(gap < 1e-3, "{solver:?} {hybrid:?} {gravity} {far}: {gap}");
                assert!(fastest < 25.0, "{solver:?} {hybrid:?} {gravity} {far}: {fastest}");
            }
        }
    }
}
