//! Redundant contacts: the tower that stock ODE lets fall.

use super::support::*;
use stiction::material::Surface;
use stiction::math::DVec3;
use stiction::world::{BodyId, HybridRule, Preset, SolverKind, World, WorldParameters};

/// Boxes of 1 m and 1 kg on each other, as the guide's contact loop makes them: exactly touching.
fn tower(count: usize, parameters: WorldParameters) -> (World, Vec<BodyId>) {
    let mut world = World::new(parameters);
    add_ground(&mut world, Surface { friction: [0.8; 2], ..Surface::default() });
    let bodies =
        (0..count).map(|i| add_box(&mut world, DVec3::ONE, 1.0, DVec3::new(0.0, 0.0, 0.5 + i as f64), 0.8)).collect();
    (world, bodies)
}

#[test]
fn twelve_boxes_stand_for_a_minute_without_falling_back_to_sweeps() {
    for cfm in [1e-10, 0.0] {
        let parameters = WorldParameters { solver: SolverKind::Direct, cfm, ..parameters() };
        let (mut world, bodies) = tower(12, parameters);
        let (mut worst, mut factorizations) = (0.0f64, 0);
        for _ in 0..6000 {
            let report = world.step(0.01);
            assert_eq!(report.gave_up, 0, "step {}", report.number);
            worst = worst.max(report.residual());
            factorizations += report.factorizations;
        }
        let top = world.body(bodies[11]).unwrap().pose().position;
        println!(
            "tower, cfm {cfm}: residual {worst:.1e} m/s, top {top}, {:.2} factorisations a step",
            f64::from(factorizations) / 6000.0
        );
        assert!(worst < 1e-9, "{worst}");
        assert!((top - DVec3::new(0.0, 0.0, 11.5)).length() < 1e-3, "{top}");
    }
}

#[test]
fn a_heavy_box_on_top_and_a_shifted_tower_stand_too() {
    let (mut world, bodies) = tower(10, WorldParameters { solver: SolverKind::Direct, ..parameters() });
    let heavy = add_box(&mut world, DVec3::ONE, 1000.0, DVec3::new(0.1, 0.05, 10.5), 0.8);
    for _ in 0..1000 {
        world.step(0.01);
        assert!(world.report().residual() < 1e-8, "{}", world.report().residual());
    }
    assert!((world.body(heavy).unwrap().pose().position.z - 10.5).abs() < 1e-3);
    assert!((world.body(bodies[0]).unwrap().pose().position.z - 0.5).abs() < 1e-3);
}

#[test]
fn five_touching_boxes_come_to_rest_with_the_default_parameters() {
    let (mut world, bodies) = tower(5, parameters());
    for _ in 0..1000 {
        world.step(0.01);
    }
    let top = world.body(bodies[4]).unwrap();
    assert!(top.velocity().length() < 1e-6, "{}", top.velocity());
    assert!((top.pose().position - DVec3::new(0.0, 0.0, 4.5)).length() < 1e-3, "{}", top.pose().position);
}

/// Largest way of a box in the second half of four seconds.
fn drift(world: &mut World, bodies: &[BodyId], step: f64) -> f64 {
    let half = (2.0 / step) as usize;
    let places = |world: &World| bodies.iter().map(|b| world.body(*b).unwrap().pose().position).collect::<Vec<_>>();
    for _ in 0..half {
        world.step(step);
    }
    let before = places(world);
    for _ in 0..half {
        world.step(step);
    }
    before.iter().zip(places(world)).map(|(a, b)| (*a - b).length()).fold(0.0, f64::max)
}

#[test]
fn towers_of_20_and_100_and_1000_to_1_drift_less_than_a_tenth_of_a_millimetre_under_quick_and_by_default() {
    for hybrid in [HybridRule::Unsolved, HybridRule::On] {
        for (count, heavy, step) in [(20, 1.0, 0.005), (20, 1.0, 0.01), (100, 1.0, 0.005), (10, 1000.0, 0.005)] {
            let (mut world, mut bodies) = tower(count, WorldParameters { hybrid, iterations: 20, ..parameters() });
            if heavy > 1.0 {
                bodies.push(add_box(&mut world, DVec3::ONE, heavy, DVec3::new(0.0, 0.0, 0.5 + count as f64), 0.8));
            }
            let drift = drift(&mut world, &bodies, step);
            assert!(drift < 1e-4, "{count} boxes, {heavy}: 1, {hybrid:?}, {step} s: {drift}");
        }
    }
}

/// The engine of sub-steps takes more of them where a stack is tall or its load heavy.
#[test]
fn tall_stacks_and_heavy_loads_stand_in_substeps() {
    let mut own = parameters();
    Preset::Stiction.apply(&mut own);
    for (count, load, sinks) in [(12, 1.0, 0.005), (50, 1.0, 0.025), (11, 100.0, 0.01), (11, 1000.0, 0.015)] {
        let (mut world, _) = tower(count - 1, own.clone());
        let top = add_box(&mut world, DVec3::ONE, load, DVec3::new(0.0, 0.0, count as f64 - 0.5), 0.8);
        let mut lowest = f64::INFINITY;
        for _ in 0..4800 {
            world.step(1.0 / 240.0);
            lowest = lowest.min(world.body(top).unwrap().pose().position.z);
        }
        let p = world.body(top).unwrap().pose().position;
        let off = p.x.hypot(p.y);
        println!("{count} boxes, {load} kg on top: sinks by {:.1e} m, off {off:.1e} m", count as f64 - 0.5 - lowest);
        assert!(off < 0.005 && lowest > count as f64 - 0.5 - sinks, "{count} {load}: {p}, {lowest}");
    }
}
