//! Wires over shapes, with nodes far apart: the segments between them touch.

use glam::{DQuat, DVec3};
use stiction::material::Surface;
use stiction::math::Pose;
use stiction::shape::Shape;
use stiction::world::{BodyId, GeomDefinition, WireDefinition, WireElasticity, WireId, WireMaterial, WirePoint, World};

use crate::wires::{GRAVITY, RADIUS, STEP, ball, place, world};

fn material(density: f64) -> WireMaterial {
    let bend = WireElasticity { youngs_modulus: 0.0, damping_time: 0.075 };
    let stretch = WireElasticity { youngs_modulus: 1e9, damping_time: 0.05 };
    WireMaterial { density, stretch, bend, ..WireMaterial::default() }
}

/// Distance of a point to a box around the origin, negative inside.
fn to_box(point: DVec3, half: DVec3) -> f64 {
    let beyond = point.abs() - half;
    beyond.max(DVec3::ZERO).length() + beyond.max_element().min(0.0)
}

/// Least distance of the wire's segments to what `distance` tells, at a hundred points of each.
fn clearance(world: &World, wire: WireId, distance: impl Fn(DVec3) -> f64) -> f64 {
    let at: Vec<DVec3> = world.wire(wire).unwrap().positions().collect();
    let points = at.windows(2).flat_map(|two| (0..=100).map(|k| two[0].lerp(two[1], f64::from(k) / 100.0)));
    points.map(distance).fold(f64::INFINITY, f64::min)
}

/// A wire between two loads over a box of 2 m, with nodes 0.1 to 1.3 m apart, also turned about the vertical: it falls on it and
/// rests at a distance of its radius, but for a tenth of it, without having been through, and no energy is made.
#[test]
fn a_wire_lies_over_the_edges_of_a_box() {
    for (resolution, turn, loads) in [
        (0.7, 0.0, [3.0, 3.0]),
        (0.7, 0.0, [1.0, 1.0]),
        (1.0, 0.3, [2.0, 1.0]),
        (1.0, 0.1, [1.0, 1.0]),
        (1.0, 0.0, [5.0, 5.0]),
        (2.0, 0.1, [1.0, 4.0]),
        (2.0, 0.1, [1.0, 1.0]),
        (10.0, 0.2, [1.0, 1.0]),
    ] {
        let mut world = world();
        let half = DVec3::new(1.0, 1.0, 0.5);
        let pose = Pose::from_position(DVec3::new(0.0, 0.0, -0.5));
        let side = Shape::cuboid(2.0 * half).unwrap();
        world.add_geom(&GeomDefinition { pose, ..GeomDefinition::new(side, None) }).unwrap();
        let turned = DQuat::from_rotation_z(turn);
        let ends = [-2.0, 2.0].map(|x| turned * DVec3::new(x, 0.05, 0.1));
        let bodies = [0, 1].map(|k| ball(&mut world, loads[k], ends[k]));
        for body in bodies {
            world.add_geom(&GeomDefinition::new(Shape::sphere(0.08).unwrap(), Some(body))).unwrap();
        }
        let route = vec![WirePoint::Fixed(Some(bodies[0]), ends[0]), WirePoint::Fixed(Some(bodies[1]), ends[1])];
        let surface = Some(Surface::default());
        let definition =
            WireDefinition { material: material(1000.0), surface, resolution, ..WireDefinition::new(RADIUS, route) };
        let wire = world.add_wire(&definition).unwrap();
        let start = world.energy().total();
        let (mut least, mut gained, mut fallen) = (f64::INFINITY, 0.0f64, 1e-9f64);
        for _ in 0..900 {
            world.step(STEP);
            least = least.min(clearance(&world, wire, |p| to_box(p - pose.position, half)));
            let energy = world.energy();
            let swing = 0.5 * STEP * world.parameters.gravity.dot(world.momentum().0);
            let brought = world.wire(wire).unwrap().energy_brought();
            gained = gained.max(energy.kinetic + energy.gravitational - brought - start + swing);
            fallen = fallen.max((start - energy.gravitational).abs());
        }
        let rests = clearance(&world, wire, |p| to_box(p - pose.position, half));
        println!(
            "resolution {resolution}: {least:.5} m from the box, then {rests:.5} m, {:.2e} of what fell gained",
            gained / fallen
        );
        // Where it hits, it goes a step's way into the box.
        assert!(least > 0.15 * RADIUS && rests > 0.9 * RADIUS, "resolution {resolution}: {least} m, then {rests} m");
        assert!(gained < 0.01 * fallen, "resolution {resolution}: {gained} J of {fallen} J");
    }
}

/// [kg]
const LOAD: f64 = 200.0;
/// A step that follows a wire of steel under these loads [s].
const SHORT: f64 = 1.0 / 240.0;

/// Loads on a wire of 0.15 m a segment over a fixed cylinder of 0.5 m, half a turn of friction μ.
fn over_a_cylinder(mu: f64, ratio: f64) -> (World, [BodyId; 2], WireId) {
    let mut world = world();
    let around = 0.5 + RADIUS;
    let surface = Surface { friction: [mu; 2], ..Surface::default() };
    let pose = Pose { position: DVec3::ZERO, rotation: DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2) };
    let cylinder = Shape::cylinder(0.5, 2.0).unwrap();
    world.add_geom(&GeomDefinition { pose, surface, ..GeomDefinition::new(cylinder, None) }).unwrap();
    let ends = [-around, around].map(|x| DVec3::new(x, 0.0, -3.0));
    // The wire hangs down on both sides.
    let weight = 7850.0 * std::f64::consts::PI * RADIUS * RADIUS * 3.0;
    let bodies = [ball(&mut world, LOAD, ends[0]), ball(&mut world, ratio * (LOAD + weight) - weight, ends[1])];
    let mut route = vec![WirePoint::Fixed(Some(bodies[0]), ends[0])];
    for k in 0..=12 {
        let angle = std::f64::consts::PI * (1.0 - f64::from(k) / 12.0);
        // Of the polygon around the cylinder.
        let far = around / (std::f64::consts::PI / 24.0).cos();
        route.push(WirePoint::Free(far * DVec3::new(angle.cos(), 0.0, angle.sin())));
    }
    route.push(WirePoint::Fixed(Some(bodies[1]), ends[1]));
    let definition = WireDefinition {
        material: material(7850.0),
        surface: Some(surface),
        resolution: 7.0,
        ..WireDefinition::new(RADIUS, route)
    };
    let wire = world.add_wire(&definition).unwrap();
    (world, bodies, wire)
}

/// Over a fixed cylinder half a turn of friction holds a ratio of loads of `exp(μ π)`: within 15 % below it rests, within 15 %
/// above it slips. The wire never passes through the cylinder.
#[test]
fn a_wire_over_a_cylinder_obeys_the_capstan_equation() {
    for mu in [0.1, 0.3] {
        let limit = (mu * std::f64::consts::PI).exp();
        for (ratio, slips) in [(0.87 * limit, false), (1.15 * limit, true)] {
            let (mut world, bodies, wire) = over_a_cylinder(mu, ratio);
            let start = place(&world, bodies[1]).z;
            let mut least = f64::INFINITY;
            for _ in 0..360 {
                world.step(SHORT);
                let distance = |p: DVec3| p.with_y(0.0).length() - 0.5;
                let now = clearance(&world, wire, distance);
                least = least.min(now);
            }
            let fell = start - place(&world, bodies[1]).z;
            let free = 0.5 * GRAVITY * 1.5 * 1.5;
            println!("μ {mu}, ratio {ratio:.3} of {limit:.3}: fell {fell:.4} m, {least:.5} m from the cylinder");
            assert_eq!(fell > 0.02 * free, slips, "μ {mu}, ratio {ratio}: fell {fell} m");
            assert!(least > 0.75 * RADIUS, "{least} m");
        }
    }
}
