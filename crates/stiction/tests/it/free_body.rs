//! Free motion: what is conserved.

use super::support::*;
use proptest::prelude::*;
use stiction::contact::restitution::Restitution;
use stiction::material::Surface;
use stiction::math::DVec3;
use stiction::math::Pose;
use stiction::shape::Shape;
use stiction::world::{BodyDefinition, FreeMotionRule, Preset, SolverKind, World, WorldParameters};

const SIDES: DVec3 = DVec3::new(0.1, 0.4, 0.9);

fn tumbling(rule: FreeMotionRule) -> (World, stiction::world::BodyId) {
    let gravity = DVec3::new(0.0, 0.0, -9.8);
    let mut world = World::new(WorldParameters { gravity, free_motion: rule, ..WorldParameters::default() });
    let body = world
        .add_body(&BodyDefinition {
            mass: box_mass(SIDES, 10.0),
            velocity: DVec3::new(-2.0, 2.0, 8.0),
            omega: DVec3::new(0.1, 5.0, 0.1),
            ..BodyDefinition::default()
        })
        .unwrap();
    (world, body)
}

#[test]
fn a_tumbling_box_keeps_its_angular_momentum_and_rotational_energy() {
    let (mut world, body) = tumbling(FreeMotionRule::SemiImplicit);
    let spin_energy = |w: &World| {
        let b = w.body(body).unwrap();
        0.5 * b.omega().dot(b.world_inertia() * b.omega())
    };
    let (e0, h0) = (spin_energy(&world), world.body(body).unwrap().angular_momentum());
    for _ in 0..10_000 {
        world.step(1e-3);
    }
    let (e1, h1) = (spin_energy(&world), world.body(body).unwrap().angular_momentum());
    assert!((e1 / e0 - 1.0).abs() < 1e-8, "energy {}", e1 / e0 - 1.0);
    assert!((h1 - h0).length() / h0.length() < 1e-8, "momentum {}", (h1 - h0).length() / h0.length());
}

#[test]
fn the_second_order_rule_is_exact_under_gravity() {
    let (mut world, body) = tumbling(FreeMotionRule::SecondOrder);
    let e0 = world.energy().total();
    for _ in 0..10_000 {
        world.step(1e-3);
    }
    let t = 10.0;
    let expected = DVec3::new(-2.0 * t, 2.0 * t, 8.0 * t - 4.9 * t * t);
    let position = world.body(body).unwrap().pose().position;
    assert!((position - expected).length() < 1e-6, "{}", (position - expected).length());
    assert!((world.energy().total() / e0 - 1.0).abs() < 1e-5, "{}", world.energy().total() / e0 - 1.0);
}

/// Bodies of random moments, some with their frame away from the centre of mass, that spin fast: energy, momentum and the straight way
/// of the centre stay under every engine.
#[test]
fn random_free_rotations_keep_energy_and_momenta_under_every_engine() {
    let mut random = Sequence(31);
    let duration = stiction_testing::cases(5, 60) as f64;
    for case in 0..stiction_testing::cases(2, 10) {
        let sides = DVec3::splat(0.1) + random.vector().abs();
        let (offset, velocity, omega) = (0.3 * random.vector(), random.vector(), 12.0 * random.vector());
        let mass = box_mass(sides, 2.0).translated(offset);
        for (preset, step) in Preset::ALL.into_iter().flat_map(|preset| [(preset, 1e-3), (preset, 1.0 / 60.0)]) {
            let mut parameters = WorldParameters::default();
            preset.apply(&mut parameters);
            let mut world = World::new(parameters);
            let definition = BodyDefinition { mass, velocity, omega, ..BodyDefinition::default() };
            let body = world.add_body(&definition).unwrap();
            let start = world.body(body).unwrap();
            let (energy, momentum, center) = (world.energy().kinetic, start.angular_momentum(), start.center_of_mass());
            while world.time() < duration {
                world.step(step);
            }
            let end = world.body(body).unwrap();
            let gained = world.energy().kinetic / energy - 1.0;
            let turned = (end.angular_momentum() - momentum).length() / momentum.length();
            let off = (end.center_of_mass() - center - world.time() * velocity).length();
            // The accuracy of Simbody's integrator is 1e-3 by default, a measure a step.
            let slack = if preset == Preset::Simbody { 0.02 } else { 1e-5 };
            assert!(
                gained.abs() < slack && turned < slack && off < slack,
                "{case} {preset:?} {step}: energy {gained}, momentum {turned}, way {off}, spin {omega}"
            );
        }
    }
}

/// A ball that falls from a height onto the ground; energy at the start, largest later, and at the end, relative to the
/// height.
fn bounces(rule: FreeMotionRule, solver: SolverKind, coefficient: f64, height: f64, step: f64) -> [f64; 2] {
    let surface =
        Surface { friction: [0.0; 2], bounce: Some(Restitution { coefficient, threshold: 0.0 }), ..Surface::default() };
    let mut world = World::new(WorldParameters { free_motion: rule, solver, ..parameters() });
    add_ground(&mut world, surface);
    let at = Pose::from_position(DVec3::new(0.0, 0.0, 0.5 + height));
    add_shape(&mut world, Shape::sphere(0.5).unwrap(), 2.0, at, surface);
    let start = world.energy().total();
    let mut most = f64::NEG_INFINITY;
    while world.time() < 20.0 {
        world.step(step);
        most = most.max(world.energy().total());
    }
    [most - start, world.energy().total() - start].map(|e| e / (2.0 * GRAVITY * height))
}

#[test]
fn bounces_of_the_second_order_rule_do_not_gain_6_percent_in_20_s() {
    for solver in [SolverKind::Iterative, SolverKind::Direct] {
        let [most, last] = bounces(FreeMotionRule::SecondOrder, solver, 1.0, 1.0, 1e-3);
        assert!(most < 1e-12, "{solver:?}: gains {most}");
        assert!(last > -2e-3, "{solver:?}: loses {last}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bounce_of_the_second_order_rule_gains_energy(
        coefficient in 0.1..=1.0_f64,
        height in 0.05..5.0_f64,
        step in 1e-4..1e-2_f64,
    ) {
        let [most, _] = bounces(FreeMotionRule::SecondOrder, SolverKind::Iterative, coefficient, height, step);
        prop_assert!(most < 1e-9, "gains {}", most);
    }
}
