//! Islands and worlds know nothing of each other.

use super::support::*;
use stiction::joints::{JointDefinition, JointKind};
use stiction::material::Surface;
use stiction::math::DVec3;
use stiction::world::{BodyId, HybridRule, SolverKind, World, WorldParameters};

fn stack(world: &mut World, x: f64, tilt: f64) -> Vec<BodyId> {
    let at = |i: u32| DVec3::new(x + tilt * f64::from(i), 0.0, 0.25 + 0.51 * f64::from(i));
    (0..5).map(|i| add_box(world, DVec3::splat(0.5), 1.0, at(i), 0.5)).collect()
}

fn bits(world: &World, bodies: &[BodyId]) -> Vec<u64> {
    let numbers = bodies.iter().flat_map(|id| {
        let b = world.body(*id).unwrap();
        let pose = b.pose();
        [pose.position.to_array(), b.velocity().to_array(), b.omega().to_array()]
            .into_iter()
            .flatten()
            .chain(pose.rotation.to_array())
    });
    numbers.map(f64::to_bits).collect()
}

#[test]
fn a_stack_moves_the_same_bit_for_bit_whether_another_is_there() {
    for (solver, hybrid) in [
        (SolverKind::Direct, HybridRule::Off),
        (SolverKind::Iterative, HybridRule::Off),
        (SolverKind::Iterative, HybridRule::Unsolved),
        (SolverKind::Iterative, HybridRule::On),
    ] {
        let run = |before: bool, after: bool| {
            let mut world = World::new(WorldParameters { solver, hybrid, ..parameters() });
            add_ground(&mut world, Surface::default());
            if before {
                stack(&mut world, -20.0, 0.15);
            }
            let bodies = stack(&mut world, 0.0, 0.1);
            if after {
                stack(&mut world, 20.0, 0.2);
            }
            for _ in 0..200 {
                world.step(0.005);
            }
            bits(&world, &bodies)
        };
        let alone = run(false, false);
        assert!(run(false, true) == alone, "{solver:?} {hybrid:?}: another after it");
        assert!(run(true, true) == alone, "{solver:?} {hybrid:?}: others around it");
    }
}

fn scene(solver: SolverKind) -> World {
    let mut world = World::new(WorldParameters { solver, ..parameters() });
    add_ground(&mut world, Surface::default());
    let bodies = stack(&mut world, 0.0, 0.1);
    world.add_joint(JointDefinition::new(JointKind::Ball, Some(bodies[3]), Some(bodies[4])).at(DVec3::Z)).unwrap();
    world
}

#[test]
fn worlds_at_different_rates_move_as_they_would_alone() {
    let kinds = [SolverKind::Direct, SolverKind::Iterative, SolverKind::Iterative];
    let rates = [1, 2, 5];
    let alone: Vec<_> = kinds
        .iter()
        .zip(rates)
        .map(|(kind, rate)| {
            let mut world = scene(*kind);
            (0..50 * rate).for_each(|_| {
                world.step(0.01 / f64::from(rate));
            });
            world.state_hash()
        })
        .collect();
    let mut worlds = kinds.map(scene);
    for _ in 0..50 {
        for (world, rate) in worlds.iter_mut().zip(rates) {
            for _ in 0..rate {
                world.step(0.01 / f64::from(rate));
            }
        }
    }
    assert_eq!(worlds.map(|w| w.state_hash()).to_vec(), alone);
}

#[test]
fn bodies_joints_and_contacts_come_and_go_between_steps() {
    let mut world = World::new(parameters());
    add_ground(&mut world, Surface::default());
    let low = add_box(&mut world, DVec3::ONE, 1.0, DVec3::new(0.0, 0.0, 0.5), 0.5);
    let high = add_box(&mut world, DVec3::ONE, 1.0, DVec3::new(0.0, 0.0, 1.5), 0.5);
    let hung = add_box(&mut world, DVec3::ONE, 1.0, DVec3::new(5.0, 0.0, 3.5), 0.5);
    let rope = world.add_joint(JointDefinition::new(JointKind::Fixed, Some(hung), None)).unwrap();
    let step = |world: &mut World, count| {
        for _ in 0..count {
            world.step(0.005);
            assert!(world.report().quarantined.is_empty());
        }
    };
    step(&mut world, 100);
    let z = |world: &World, b| world.body(b).unwrap().pose().position.z;
    assert!((z(&world, high) - 1.5).abs() < 1e-4 && (z(&world, hung) - 3.5).abs() < 1e-4);
    assert!(world.remove_body(low) && !world.remove_body(low) && world.body(low).is_none());
    assert!(world.remove_joint(rope) && world.joint(rope).is_none());
    step(&mut world, 400);
    assert!((z(&world, high) - 0.5).abs() < 1e-3, "{}", z(&world, high));
    assert!((z(&world, hung) - 0.5).abs() < 1e-3, "{}", z(&world, hung));
    // A new body takes the place of the old one; the old handle stays stale.
    let new = add_box(&mut world, DVec3::ONE, 1.0, DVec3::new(0.0, 0.0, 1.6), 0.5);
    step(&mut world, 400);
    assert!((z(&world, new) - 1.5).abs() < 1e-3 && world.body(low).is_none());
    // A body that goes takes its shapes and its joints along.
    let rope = world.add_joint(JointDefinition::new(JointKind::Fixed, Some(new), Some(high))).unwrap();
    assert!(world.are_connected(new, high));
    world.remove_body(high);
    assert!(world.joint(rope).is_none() && !world.remove_joint(rope));
    step(&mut world, 400);
    assert!((z(&world, new) - 0.5).abs() < 1e-3, "{}", z(&world, new));
}
