//! Wires: statics and vibrations by closed forms.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};
use stiction::math::Pose;
use stiction::shape::MassProperties;
use stiction::world::{
    BodyDefinition, BodyId, Preset, WireDefinition, WireElasticity, WireId, WireMaterial, WirePoint, World,
    WorldParameters,
};

pub(crate) const STEP: f64 = 1.0 / 60.0;
pub(crate) const GRAVITY: f64 = 9.80665;
pub(crate) const RADIUS: f64 = 0.02;
const AREA: f64 = PI * RADIUS * RADIUS;

pub(crate) fn world() -> World {
    let mut parameters =
        WorldParameters { gravity: DVec3::new(0.0, 0.0, -GRAVITY), audit: true, ..WorldParameters::default() };
    Preset::Agx.apply(&mut parameters);
    World::new(parameters)
}

/// A ball of a mass, with the moment of inertia of one of 0.2 m.
pub(crate) fn ball(world: &mut World, mass: f64, at: DVec3) -> BodyId {
    let inertia = DMat3::from_diagonal(DVec3::splat(0.4 * mass * 0.04));
    let mass = MassProperties { mass, center_of_mass: DVec3::ZERO, inertia };
    world.add_body(&BodyDefinition { mass, pose: Pose::from_position(at), ..BodyDefinition::default() }).unwrap()
}

pub(crate) fn place(world: &World, body: BodyId) -> DVec3 {
    world.body(body).unwrap().center_of_mass()
}

pub(crate) fn run(world: &mut World, step: f64, duration: f64) {
    for _ in 0..(duration / step).round() as u32 {
        world.step(step);
    }
}

pub(crate) fn near(found: f64, wanted: f64, tolerance: f64, what: &str) {
    println!("{what}: {found}, expected {wanted}, off by {:.2e}", found / wanted - 1.0);
    assert!((found - wanted).abs() <= tolerance * wanted.abs(), "{what}: {found}, expected {wanted}");
}

/// 100 m with 10 t.
fn hanging(world: &mut World, material: WireMaterial) -> (WireId, BodyId) {
    let load = ball(world, 1e4, DVec3::new(0.0, 0.0, -100.0));
    let route = vec![WirePoint::Fixed(None, DVec3::ZERO), WirePoint::Fixed(Some(load), DVec3::new(0.0, 0.0, -100.0))];
    let wire = world.add_wire(&WireDefinition { material, ..WireDefinition::new(RADIUS, route) }).unwrap();
    (wire, load)
}

/// The tip is lower by `m g L / E A` and by `ρ g L² / 2 E` of the wire's own weight, and at rest.
#[test]
fn ten_tonnes_on_a_hundred_metres() {
    let mut world = world();
    let (wire, load) = hanging(&mut world, WireMaterial::default());
    let expected = 1e4 * GRAVITY * 100.0 / (6e10 * AREA) + 1000.0 * GRAVITY * 1e4 / (2.0 * 6e10);
    near(expected, 0.130_065 + 0.000_817, 1e-5, "by hand");
    let mut lowest: f64 = 0.0;
    for number in 0..3600 {
        world.step(STEP);
        let sag = -100.0 - place(&world, load).z;
        if number < 600 {
            lowest = lowest.max(sag);
        }
        assert!(sag < 2.1 * expected && sag <= lowest + 1e-9, "step {number}: {sag} m");
    }
    near(-100.0 - place(&world, load).z, expected, 0.01, "stretch");
    assert!(world.body(load).unwrap().velocity().length() < 1e-6, "{}", world.body(load).unwrap().velocity());
    let top = world.wire(wire).unwrap().tensions().next().unwrap();
    near(top, 1e4 * GRAVITY + 1000.0 * AREA * 100.0 * GRAVITY, 1e-2, "tension at the top");
}

/// 10 t on lumps of half a gram to 10 µg, down to 1e-12 of the load: the sag is `m g L / E A` and the tension the weight.
/// Nodes that the step cannot follow are taken off by and by; where they are not, lumps down to 0.1 mg hold as well.
#[test]
fn ten_tonnes_on_next_to_nothing() {
    for (lump, is_adaptive) in [(5e-4, true), (1e-5, true), (1e-8, true), (5e-4, false), (1e-5, false), (1e-7, false)] {
        let mut world = world();
        let load = ball(&mut world, 1e4, DVec3::new(0.0, 0.0, -100.0));
        let at = DVec3::new(0.0, 0.0, -100.0);
        let route = vec![WirePoint::Fixed(None, DVec3::ZERO), WirePoint::Fixed(Some(load), at)];
        let material = WireMaterial { density: lump / AREA, ..WireMaterial::default() };
        let definition = WireDefinition { material, is_adaptive, ..WireDefinition::new(RADIUS, route) };
        let wire = world.add_wire(&definition).unwrap();
        let expected = 1e4 * GRAVITY * 100.0 / (6e10 * AREA);
        for number in 0..1800 {
            world.step(STEP);
            let sag = -100.0 - place(&world, load).z;
            assert!(sag < 2.1 * expected, "lumps of {lump} kg, step {number}: {sag} m");
        }
        near(-100.0 - place(&world, load).z, expected, 1e-5, "stretch");
        for tension in world.wire(wire).unwrap().tensions() {
            assert!((tension / (1e4 * GRAVITY) - 1.0).abs() < 1e-5, "lumps of {lump} kg: {tension} N");
        }
        assert!(world.body(load).unwrap().velocity().length() < 1e-6);
    }
}

/// Twenty links of a chain of span 10 and length 12: node by node, the horizontal force that closes the polygon.
#[test]
fn a_slack_wire_hangs_in_a_catenary() {
    let mut world = world();
    let at = DVec3::new(5.0, 0.0, -(36.0f64 - 25.0).sqrt());
    let route = vec![
        WirePoint::Fixed(None, DVec3::ZERO),
        WirePoint::Free(at),
        WirePoint::Fixed(None, DVec3::new(10.0, 0.0, 0.0)),
    ];
    let bend = WireElasticity { youngs_modulus: 0.0, damping_time: 0.075 };
    let material = WireMaterial { bend, ..WireMaterial::default() };
    let definition = WireDefinition { material, resolution: 10.0 / 6.0, ..WireDefinition::new(RADIUS, route) };
    let wire = world.add_wire(&definition).unwrap();
    assert_eq!(world.wire(wire).unwrap().nodes().len(), 21);
    // There is hardly any damping across the wire.
    for _ in 0..200 {
        run(&mut world, STEP, 0.5);
        let nodes: Vec<_> = (1..20).filter_map(|n| world.wire(wire).unwrap().body(n)).collect();
        for node in nodes {
            let v = world.body(node).unwrap().velocity();
            world.body_mut(node).unwrap().set_velocity(0.5 * v).unwrap();
        }
    }
    let wire = world.wire(wire).unwrap();
    let sag = -wire.positions().map(|p| p.z).fold(0.0, f64::min);
    near(sag, 2.927_215, 0.01, "sag");
    let tensions: Vec<f64> = wire.tensions().collect();
    near(tensions[9], 57.82, 0.01, "middle tension");
    near(tensions[0], 90.98, 0.01, "end tension");
    near(tensions[19], 90.98, 0.01, "end tension");
}

fn beam(world: &mut World, modulus: f64, damping_time: f64, clamped: bool) -> WireId {
    let (first, last) = (DVec3::ZERO, DVec3::new(2.0, 0.0, 0.0));
    let route = if clamped {
        vec![WirePoint::Link(None, first), WirePoint::Free(last)]
    } else {
        vec![WirePoint::Fixed(None, first), WirePoint::Fixed(None, last)]
    };
    let bend = WireElasticity { youngs_modulus: modulus, damping_time };
    let material = WireMaterial { bend, ..WireMaterial::default() };
    let gravity = false;
    let definition = WireDefinition { material, resolution: 5.0, gravity, ..WireDefinition::new(RADIUS, route) };
    world.add_wire(&definition).unwrap()
}

fn sag_under(world: &mut World, wire: WireId, node: usize, duration: f64) -> f64 {
    for _ in 0..(duration / STEP) as u32 {
        let body = world.wire(wire).unwrap().body(node).unwrap();
        world.body_mut(body).unwrap().add_force(DVec3::new(0.0, 0.0, -10.0));
        world.step(STEP);
    }
    -world.wire(wire).unwrap().position(node).unwrap().z
}

/// Beams of ten segments under 10 N: `P L³ / 3 E I (1 + 1 / 2 N²)` at the end of a clamped one, `P L³ / 48 E I (1 + 2 / N²)`
/// in the middle of a pinned one.
#[test]
fn a_stiff_wire_bends_as_a_beam() {
    let stiffness = 6e10 * PI * RADIUS.powi(4) / 4.0;
    let mut clamped = world();
    let wire = beam(&mut clamped, 6e10, 0.075, true);
    let by_hand = 80.0 / (3.0 * stiffness) * (1.0 + 1.0 / 200.0);
    near(by_hand, 3.55446e-3, 1e-5, "by hand");
    near(sag_under(&mut clamped, wire, 10, 20.0), by_hand, 0.01, "clamped");
    for (modulus, wanted) in [(6e10, 2.25470e-4), (3e10, 4.50941e-4)] {
        let mut pinned = world();
        let wire = beam(&mut pinned, modulus, 0.075, false);
        near(sag_under(&mut pinned, wire, 5, 20.0), wanted, 0.01, "pinned");
    }
}

/// Time between two passages through the lowest point, in the same direction.
#[test]
fn a_load_on_a_wire_is_a_pendulum() {
    let mut world = world();
    let angle = 2f64.to_radians();
    let at = 10.0 * DVec3::new(angle.sin(), 0.0, -angle.cos());
    let load = ball(&mut world, 100.0, at);
    let route = vec![WirePoint::Fixed(None, DVec3::ZERO), WirePoint::Fixed(Some(load), at)];
    let bend = WireElasticity { youngs_modulus: 0.0, damping_time: 0.0 };
    let stretch = WireElasticity { youngs_modulus: 6e10, damping_time: 0.075 };
    let material = WireMaterial { density: 100.0, stretch, bend, friction: 0.0 };
    world.add_wire(&WireDefinition { material, ..WireDefinition::new(RADIUS, route) }).unwrap();
    let (mut passages, mut last) = (Vec::new(), at.x);
    while passages.len() < 6 && world.time() < 60.0 {
        world.step(STEP);
        let x = place(&world, load).x;
        if last > 0.0 && x <= 0.0 {
            passages.push(world.time() - STEP * x / (x - last));
        }
        last = x;
    }
    near((passages[5] - passages[0]) / 5.0, 2.0 * PI * (10.0 / GRAVITY).sqrt(), 0.005, "period");
}

/// Successive extremes of a signal about its last value: the damping ratio of their logarithmic decrement.
fn damping_ratio(signal: &[f64], rest: f64) -> f64 {
    let off: Vec<f64> = signal.iter().map(|x| x - rest).collect();
    let mut peaks = Vec::new();
    for k in 1..off.len() - 1 {
        if off[k] * (off[k] - off[k - 1]) > 0.0 && off[k] * (off[k] - off[k + 1]) >= 0.0 {
            // The vertex of the parabola through three samples.
            let (a, b) = (off[k - 1] - off[k + 1], off[k - 1] - 2.0 * off[k] + off[k + 1]);
            peaks.push((off[k] - a * a / (8.0 * b)).abs());
        }
    }
    let decrement = (peaks[0] / peaks[1]).ln();
    decrement / (decrement * decrement + PI * PI).sqrt()
}

/// Released at its rest length, the wire's stretch is a vibration of damping ratio `τ ω / 2`, `ω² = E A / m L`.
#[test]
fn damping_time_of_stretch() {
    let omega = (6e10 * AREA / (1e4 * 100.0)).sqrt();
    for (damping_time, wanted, tolerance) in [(0.01, 0.0434, 0.05), (0.1, 0.43416, 0.05)] {
        near(damping_time * omega / 2.0, wanted, 1e-3, "by hand");
        let mut world = world();
        let stretch = WireElasticity { youngs_modulus: 6e10, damping_time };
        let (_, load) = hanging(&mut world, WireMaterial { density: 10.0, stretch, ..WireMaterial::default() });
        let step = 1e-3;
        let mut signal = Vec::new();
        for _ in 0..1500 {
            world.step(step);
            signal.push(place(&world, load).z);
        }
        let rest = -100.0 - 1e4 * GRAVITY * 100.0 / (6e10 * AREA);
        near(damping_ratio(&signal, rest), wanted, tolerance, "damping ratio");
    }
}

/// `E` twice: half the stretch.
#[test]
fn youngs_modulus_of_stretch() {
    for (modulus, wanted) in [(6e10, 0.130_065), (1.2e11, 0.065_032)] {
        let mut world = world();
        let stretch = WireElasticity { youngs_modulus: modulus, damping_time: 0.075 };
        let (_, load) = hanging(&mut world, WireMaterial { density: 1.0, stretch, ..WireMaterial::default() });
        run(&mut world, STEP, 20.0);
        near(-100.0 - place(&world, load).z, wanted, 0.01, "stretch");
    }
}

/// Light and stiff, so that the loads alone count.
pub(crate) fn light(friction: f64) -> WireMaterial {
    let bend = WireElasticity { youngs_modulus: 0.0, damping_time: 0.0 };
    WireMaterial { density: 1.0, bend, friction, ..WireMaterial::default() }
}

/// Two loads on the ends of a wire over eyes; the second is the heavier.
fn over(world: &mut World, friction: f64, ratio: f64, eyes: &[DVec3]) -> [BodyId; 2] {
    let ends = [eyes[0], eyes[eyes.len() - 1]].map(|eye| eye - 4.0 * DVec3::Z);
    let loads = [ball(world, 10.0, ends[0]), ball(world, 10.0 * ratio, ends[1])];
    let mut route = vec![WirePoint::Fixed(Some(loads[0]), ends[0])];
    route.extend(eyes.iter().map(|eye| WirePoint::Eye(None, *eye)));
    route.push(WirePoint::Fixed(Some(loads[1]), ends[1]));
    let definition =
        WireDefinition { material: light(friction), resolution: 0.5, ..WireDefinition::new(RADIUS, route) };
    world.add_wire(&definition).unwrap();
    loads
}

/// Acceleration with which loads of a ratio slip where the tensions' ratio is at its limit: `g (r − R) / (r + R)`.
fn acceleration(ratio: f64, limit: f64) -> f64 {
    GRAVITY * (ratio - limit) / (ratio + limit)
}

/// Acceleration of the first load, after the wire has become taut.
fn slip(friction: f64, ratio: f64, eyes: &[DVec3]) -> f64 {
    let mut world = world();
    let loads = over(&mut world, friction, ratio, eyes);
    run(&mut world, STEP, 0.5);
    let speed = |world: &World| {
        let [first, second] = loads.map(|load| world.body(load).unwrap().velocity().z);
        assert!((first + second).abs() < 1e-3 * first.abs(), "{first} m/s, {second} m/s");
        first
    };
    let before = speed(&world);
    run(&mut world, STEP, 0.25);
    (speed(&world) - before) / 0.25
}

/// Speed of the loads after five seconds, and how far they have come.
fn held(friction: f64, ratio: f64, eyes: &[DVec3]) -> [f64; 2] {
    let mut world = world();
    let loads = over(&mut world, friction, ratio, eyes);
    let at = place(&world, loads[0]);
    run(&mut world, STEP, 5.0);
    [world.body(loads[0]).unwrap().velocity().length(), at.distance(place(&world, loads[0]))]
}

/// The corners of half a bar with sixteen of them.
fn bar() -> Vec<DVec3> {
    let angle = |k: u32| (11.25 + 22.5 * f64::from(k)).to_radians();
    (0..8).map(|k| 0.1 * DVec3::new(angle(k).cos(), 0.0, angle(k).sin())).collect()
}

/// Over half a bar of 8 corners with μ 0.3 the ratio of loads is held up to `((1 + κ) / (1 − κ))⁸ = 2.5536`, κ = μ sin 11.25°.
#[test]
fn a_wire_over_a_bar_slips_by_the_capstan_equation() {
    let kappa = 0.3 * 11.25f64.to_radians().sin();
    let limit = ((1.0 + kappa) / (1.0 - kappa)).powi(8);
    near(limit, 2.5536, 1e-4, "by hand");
    let [speed, way] = held(0.3, 2.5, &bar());
    assert!(speed < 1e-6 && way < 0.02, "holds 2.50: {speed} m/s, {way} m");
    near(slip(0.3, 2.6, &bar()), acceleration(2.6, limit), 0.01, "slips at 2.60");
    near(slip(0.3, 4.0, &bar()), acceleration(4.0, limit), 0.01, "slips at 4");
    // The other way round.
    near(-slip(0.3, 0.25, &bar()), acceleration(4.0, limit), 0.01, "slips at 1/4");
}

/// One eye turns the wire by half a turn: the limit is `(1 + μ) / (1 − μ)`; without friction the loads are Atwood's.
#[test]
fn two_loads_over_an_eye() {
    let limit = 1.3 / 0.7;
    let eye = [DVec3::ZERO];
    for ratio in [1.8, 1.0 / 1.8] {
        let [speed, way] = held(0.3, ratio, &eye);
        assert!(speed < 1e-6 && way < 0.02, "holds {ratio}: {speed} m/s, {way} m");
    }
    near(slip(0.3, 2.5, &eye), acceleration(2.5, limit), 0.01, "slips at 2.5");
    near(-slip(0.3, 0.4, &eye), acceleration(2.5, limit), 0.01, "slips at 0.4");
    near(slip(0.0, 1.5, &eye), acceleration(1.5, 1.0), 0.01, "Atwood's");
}

/// A load with an eye on a wire between two points: both sides have the angle `sin θ = d / L` and the tension
/// `m g / 2 cos θ`.
#[test]
fn a_load_hangs_on_an_eye() {
    let mut world = world();
    let ends = [DVec3::ZERO, DVec3::new(6.0, 0.0, 1.0)];
    let at = DVec3::new(2.0, 0.0, -4.0);
    let load = ball(&mut world, 100.0, at);
    let route = vec![WirePoint::Fixed(None, ends[0]), WirePoint::Eye(Some(load), at), WirePoint::Fixed(None, ends[1])];
    let definition = WireDefinition { material: light(0.0), ..WireDefinition::new(RADIUS, route) };
    let wire = world.add_wire(&definition).unwrap();
    let length = world.wire(wire).unwrap().rest_length();
    for _ in 0..120 {
        run(&mut world, STEP, 0.5);
        let v = world.body(load).unwrap().velocity();
        world.body_mut(load).unwrap().set_velocity(0.7 * v).unwrap();
    }
    let sin = 6.0 / length;
    let tension = 100.0 * GRAVITY / (2.0 * (1.0 - sin * sin).sqrt());
    for found in world.wire(wire).unwrap().tensions() {
        near(found, tension, 0.01, "tension of a side");
    }
    near(world.wire(wire).unwrap().rest_length(), length, 1e-12, "rest length");
}

/// The first vibration of a pinned wire, `ω = (π / L)² √(E I / ρ A)`: damping ratio `τ ω / 2`.
#[test]
fn damping_time_of_bending() {
    let stiffness = 6e6 * PI * RADIUS.powi(4) / 4.0;
    let omega = (PI / 2.0).powi(2) * (stiffness / (1000.0 * AREA)).sqrt();
    for damping_time in [0.01, 0.1] {
        let mut world = world();
        world.parameters.gravity = DVec3::ZERO;
        let route = vec![WirePoint::Fixed(None, DVec3::ZERO), WirePoint::Fixed(None, DVec3::new(2.0, 0.0, 0.0))];
        let material = WireMaterial {
            stretch: WireElasticity { youngs_modulus: 1e6, damping_time: 0.075 },
            bend: WireElasticity { youngs_modulus: 6e6, damping_time },
            ..WireMaterial::default()
        };
        let definition = WireDefinition { material, resolution: 10.0, ..WireDefinition::new(RADIUS, route) };
        let wire = world.add_wire(&definition).unwrap();
        for node in 1..20 {
            let body = world.wire(wire).unwrap().body(node).unwrap();
            let speed = 1e-3 * (PI * node as f64 / 20.0).sin();
            world.body_mut(body).unwrap().set_velocity(DVec3::new(0.0, speed, 0.0)).unwrap();
        }
        let mut signal = Vec::new();
        for _ in 0..8000 {
            world.step(1e-3);
            signal.push(world.wire(wire).unwrap().position(10).unwrap().y);
        }
        near(damping_ratio(&signal, 0.0), damping_time * omega / 2.0, 0.05, "damping ratio of bending");
    }
}
