//! Free motion: what is conserved.

use super::support::*;
use stiction::math::DVec3;
use stiction::world::{BodyDefinition, FreeMotionRule, World, WorldParameters};

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
