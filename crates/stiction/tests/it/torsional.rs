//! Torsional friction: closed forms, and what holds of random shapes that spin on a plane.

use super::support::*;
use stiction::joints::{JointDefinition, JointKind};
use stiction::material::{Surface, SurfaceCompliance, TorsionalSurface};
use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{BodyId, BodyKind, Coordinates, HybridRule, Preset, SolverKind, World, WorldParameters};

/// `3π/16`, the moment of Hertz's pressure by radius and force.
const HERTZ: f64 = 3.0 * std::f64::consts::PI / 16.0;
const STEP: f64 = 1e-3;
/// Engines that take SDFormat's friction.
const PRESETS: [Preset; 4] = [Preset::Ode, Preset::OdeWorld, Preset::OdeQuick, Preset::Agx];

/// A body of one kilogram on the ground at its rest depth, both with the same compliance and torsional friction.
fn on_ground(
    preset: Preset,
    shape: Shape,
    height: f64,
    points: f64,
    mu: f64,
    own: TorsionalSurface,
) -> (World, BodyId) {
    let mut parameters = parameters();
    preset.apply(&mut parameters);
    let mut world = World::new(parameters);
    let compliance = Some(SurfaceCompliance::Spring { stiffness: 2e5, damping: 20.0 });
    let surface = Surface { friction: [mu; 2], compliance, ..Surface::default() };
    add_ground(&mut world, Surface { torsional: TorsionalSurface { slip: 0.0, ..own }, ..surface });
    // In series: 1e5 N/m at each point.
    let z = height - GRAVITY / (1e5 * points);
    let pose = Pose::from_position(DVec3::new(0.0, 0.0, z));
    let body = add_shape(&mut world, shape, 1.0, pose, Surface { torsional: own, ..surface });
    (world, body)
}

fn spin(world: &World, body: BodyId) -> f64 {
    world.body(body).unwrap().omega().z
}

/// Steps, and the largest and smallest spin on the way; returns the time of rest and the angle until then.
fn until_rest(world: &mut World, body: BodyId) -> (f64, f64) {
    let (mut angle, mut time) = (0.0, 0.0);
    while time < 10.0 {
        let before = spin(world, body);
        world.step(STEP);
        let after = spin(world, body);
        angle += 0.5 * STEP * (before + after);
        if after.abs() < 1e-9 {
            // The last step stops within it.
            return (time, angle);
        }
        time += STEP;
    }
    panic!("it spins on with {} rad/s", spin(world, body));
}

#[test]
fn a_spinning_sphere_stops_in_its_closed_form_time_and_angle() {
    let (radius, mu, patch) = (0.1, 0.05, 0.2);
    let (inertia, omega) = (0.4 * radius * radius, 10.0);
    let moment = HERTZ * patch * mu * GRAVITY;
    let (time, angle) = (inertia * omega / moment, omega * omega * inertia / (2.0 * moment));
    for preset in PRESETS {
        let own = TorsionalSurface { coefficient: mu, patch_radius: patch, ..TorsionalSurface::default() };
        let (mut world, ball) = on_ground(preset, Shape::sphere(radius).unwrap(), radius, 1.0, 1.0, own);
        world.body_mut(ball).unwrap().set_omega(DVec3::new(0.0, 0.0, omega)).unwrap();
        let (t, a) = until_rest(&mut world, ball);
        println!("{preset:?}: {t} s of {time}, {a} rad of {angle}");
        assert!((t - time).abs() <= STEP && (a / angle - 1.0).abs() < 1e-5, "{preset:?}: {t} {time}, {a} {angle}");
        // It holds what is below its bound, and no more.
        for (share, rate) in [(0.99, 0.0), (1.5, 0.5 * moment / inertia * 100.0 * STEP)] {
            for _ in 0..100 {
                world.body_mut(ball).unwrap().add_torque(DVec3::Z * (share * moment));
                world.step(STEP);
            }
            assert!(
                (spin(&world, ball) - rate).abs() < 1e-5 * (1.0 + rate),
                "{preset:?} {share}: {}",
                spin(&world, ball)
            );
        }
    }
}

#[test]
fn each_point_of_a_box_has_its_own_moment() {
    let sides = DVec3::new(0.4, 0.3, 0.1);
    let (mu, patch, omega) = (0.1, 0.05, 10.0);
    let inertia = (0.4 * 0.4 + 0.3 * 0.3) / 12.0;
    // Four times a quarter of the weight.
    let moment = HERTZ * patch * mu * GRAVITY;
    for preset in PRESETS {
        let own = TorsionalSurface { coefficient: mu, patch_radius: patch, ..TorsionalSurface::default() };
        let (mut world, body) = on_ground(preset, Shape::cuboid(sides).unwrap(), 0.05, 4.0, 0.0, own);
        world.body_mut(body).unwrap().set_omega(DVec3::new(0.0, 0.0, omega)).unwrap();
        let (t, a) = until_rest(&mut world, body);
        let (time, angle) = (inertia * omega / moment, omega * omega * inertia / (2.0 * moment));
        println!("{preset:?}: {t} s of {time}, {a} rad of {angle}");
        assert!(
            (t - time).abs() <= 2e-3 * time && (a / angle - 1.0).abs() < 2e-3,
            "{preset:?}: {t} {time}, {a} {angle}"
        );
    }
}

#[test]
fn with_slip_the_spin_decays_at_its_rate() {
    let shapes = [
        (Shape::sphere(0.1).unwrap(), 0.1, 1.0, 0.4 * 0.01),
        (Shape::cuboid(DVec3::new(0.4, 0.3, 0.1)).unwrap(), 0.05, 4.0, 0.25 / 12.0),
    ];
    for (shape, height, points, inertia) in shapes {
        for preset in PRESETS {
            // The patch turns at slip × moment, whatever its number of points.
            let slip = 0.5 / inertia;
            let own =
                TorsionalSurface { coefficient: f64::INFINITY, patch_radius: 1.0, slip, ..TorsionalSurface::default() };
            let (mut world, body) = on_ground(preset, shape.clone(), height, points, 0.0, own);
            world.body_mut(body).unwrap().set_omega(DVec3::new(0.0, 0.0, 10.0)).unwrap();
            for _ in 0..1000 {
                world.step(STEP);
            }
            // I ω̇ = −ω / slip; implicit steps.
            let exact = 10.0 * libm::exp(-1.0 / (inertia * slip));
            let stepped = 10.0 * libm::pow(1.0 + STEP / (inertia * slip), -1000.0);
            let omega = spin(&world, body);
            println!("{preset:?}: {omega}, {stepped} in steps, {exact}");
            assert!((omega - stepped).abs() < 1e-6 * stepped && (omega / exact - 1.0).abs() < 3e-3, "{preset:?}");
        }
    }
}

#[test]
fn the_patch_of_a_sphere_follows_its_radius_and_depth() {
    let (radius, mu) = (0.1, 0.5);
    let own = TorsionalSurface { coefficient: mu, use_patch_radius: false, surface_radius: 0.2, ..Default::default() };
    for preset in PRESETS {
        let (mut world, ball) = on_ground(preset, Shape::sphere(radius).unwrap(), radius, 1.0, 1.0, own);
        world.body_mut(ball).unwrap().set_omega(DVec3::new(0.0, 0.0, 10.0)).unwrap();
        for _ in 0..100 {
            world.step(STEP);
        }
        // Radii 0.2 and 0.2 in series, at the depth m g / k.
        let moment = HERTZ * (0.1 * GRAVITY / 1e5f64).sqrt() * mu * GRAVITY;
        let omega = 10.0 - 0.1 * moment / (0.4 * radius * radius);
        assert!((spin(&world, ball) - omega).abs() < 1e-5, "{preset:?}: {} {omega}", spin(&world, ball));
    }
}

#[test]
fn without_a_patch_nothing_changes_by_a_bit() {
    let default = TorsionalSurface::default();
    let none = [
        TorsionalSurface { coefficient: f64::INFINITY, ..default },
        TorsionalSurface { coefficient: 0.0, patch_radius: 3.0, ..default },
        // A sphere without `surface_radius` has no patch of its own.
        TorsionalSurface { coefficient: 0.3, use_patch_radius: false, patch_radius: 2.0, ..default },
        TorsionalSurface { surface_radius: 1.0, slip: 1.0, ..default },
    ];
    let mut hashes = Vec::new();
    for own in [default].iter().chain(&none) {
        let (mut world, ball) = on_ground(Preset::Ode, Shape::sphere(0.1).unwrap(), 0.1, 1.0, 0.5, *own);
        world.body_mut(ball).unwrap().set_omega(DVec3::new(3.0, 1.0, 10.0)).unwrap();
        for _ in 0..200 {
            world.step(STEP);
        }
        let body = world.body(ball).unwrap();
        hashes.push((body.omega().to_array().map(f64::to_bits), body.pose().position.to_array().map(f64::to_bits)));
    }
    assert!(hashes.iter().all(|h| *h == hashes[0]), "{hashes:?}");
}

/// Something random that lies or spins on the ground, and what its torsional friction may do.
struct Scene {
    world: World,
    body: BodyId,
    arm_by_depth: Box<dyn Fn(f64) -> f64>,
    elastic: f64,
}

fn random_surface(random: &mut Sequence) -> TorsionalSurface {
    let mut positive = |most: f64| most * libm::pow(random.next().abs(), 3.0);
    TorsionalSurface {
        coefficient: positive(3.0),
        use_patch_radius: positive(1.0) < 0.3,
        patch_radius: if positive(1.0) < 0.02 { 0.0 } else { positive(1.0) },
        surface_radius: if positive(1.0) < 0.02 { 0.0 } else { positive(2.0) },
        slip: if positive(1.0) < 0.1 { 0.0 } else { positive(30.0) },
    }
}

fn random_scene(random: &mut Sequence, preset: Preset, hybrid: HybridRule) -> Scene {
    let mut parameters: WorldParameters = parameters();
    preset.apply(&mut parameters);
    if parameters.solver == SolverKind::Iterative {
        parameters.hybrid = hybrid;
    }
    let mut world = World::new(parameters);
    let mut length = |most: f64| most * (0.3 + 0.7 * random.next().abs());
    let (a, b, c) = (length(0.3), length(0.3), length(0.1));
    let (shape, height) = match (random.next().abs() * 3.0) as u32 {
        0 => (Shape::sphere(a).unwrap(), a),
        1 => (Shape::cuboid(DVec3::new(a, b, c)).unwrap(), 0.5 * c),
        _ => (Shape::cylinder(a, c).unwrap(), 0.5 * c),
    };
    let mass = libm::pow(10.0, random.next());
    let stiffness = mass * GRAVITY / 1e-4;
    let compliance = Some(SurfaceCompliance::Spring { stiffness, damping: stiffness * 1e-3 });
    let surface = |random: &mut Sequence| Surface {
        friction: [random.next().abs(); 2],
        compliance,
        torsional: random_surface(random),
        ..Surface::default()
    };
    let (ground, own) = (surface(random), surface(random));
    add_ground(&mut world, ground);
    let pose = Pose::new(DVec3::new(0.0, 0.0, height), DQuat::from_rotation_z(3.0 * random.next()));
    let body = add_shape(&mut world, shape, mass, pose, own);
    world.body_mut(body).unwrap().set_omega(DVec3::Z * (30.0 * random.next())).unwrap();
    // Most only spin: then the vertical stays a principal axis.
    let speed = if random.next() > 0.4 { random.next() } else { 0.0 };
    world.body_mut(body).unwrap().set_velocity(DVec3::X * speed).unwrap();
    let [g, o] = [ground.torsional, own.torsional];
    let mu = g.coefficient.min(o.coefficient);
    let arm_by_depth = Box::new(move |depth: f64| {
        let radius = if g.use_patch_radius && o.use_patch_radius {
            g.patch_radius.max(o.patch_radius)
        } else {
            let curvature: f64 =
                [g.surface_radius, o.surface_radius].into_iter().filter(|r| *r > 0.0).map(|r| 1.0 / r).sum();
            if curvature > 0.0 { (depth.max(0.0) / curvature).sqrt() } else { 0.0 }
        };
        HERTZ * mu * radius
    });
    // The springs may hold what the body falls by.
    Scene { world, body, arm_by_depth, elastic: mass * GRAVITY * 4e-4 }
}

fn energy(world: &World, body: BodyId) -> f64 {
    let b = world.body(body).unwrap();
    let spin = 0.5 * b.omega().dot(b.angular_momentum());
    0.5 * b.mass() * b.velocity().length_squared() + spin + b.mass() * GRAVITY * b.center_of_mass().z
}

#[test]
fn random_spins_keep_the_bound_and_make_no_energy() {
    let mut random = Sequence(20_260);
    let ways = [
        (Preset::OdeWorld, HybridRule::Off),
        (Preset::OdeQuick, HybridRule::Unsolved),
        (Preset::OdeQuick, HybridRule::Off),
        (Preset::Agx, HybridRule::Off),
    ];
    let (mut worst_moment, mut worst_energy, mut stopped, mut at_bound, mut judged) = (0.0f64, 0.0f64, 0, 0, 0);
    for number in 0..2000 {
        let (preset, hybrid) = ways[number % ways.len()];
        let Scene { mut world, body, arm_by_depth, elastic } = random_scene(&mut random, preset, hybrid);
        let start = energy(&world, body);
        for _ in 0..60 {
            let before = world.body(body).unwrap();
            let (l, center, omega) = (before.angular_momentum(), before.center_of_mass(), before.omega());
            world.step(STEP);
            let after = world.body(body).unwrap();
            let made = (energy(&world, body) - start - elastic) / (1.0 + start);
            worst_energy = worst_energy.max(made);
            assert!(made < 1e-9, "{number} {preset:?}: made {made}");
            let (mut of_forces, mut bound, mut load) = (0.0, 0.0, 0.0);
            for contact in world.contact_reports() {
                let sign = if contact.bodies[0] == Some(body) { 1.0 } else { -1.0 };
                of_forces += sign * (contact.position - center).cross(contact.force).z;
                let normal = contact.force.dot(contact.normal).max(0.0);
                bound += arm_by_depth(contact.depth) * normal;
                load += normal;
            }
            // Where it is upright the vertical is a principal axis: nothing but contacts changes its momentum about it.
            if omega.truncate().length() > 1e-6 || after.omega().truncate().length() > 1e-6 || !after.is_enabled() {
                continue;
            }
            judged += 1;
            let moment = (after.angular_momentum().z - l.z) / STEP - of_forces;
            let scale = bound + load * 0.3 + 1e-9;
            let beyond = (moment.abs() - bound) / scale;
            worst_moment = worst_moment.max(beyond);
            assert!(beyond < 1e-6, "{number} {preset:?}: {moment} N m beyond {bound}");
            // It brakes: never along the spin that is left.
            assert!(moment * after.omega().z <= 1e-6 * scale * (1.0 + after.omega().z.abs()), "{number} {preset:?}");
            at_bound += usize::from(bound > 0.0 && moment.abs() > 0.999 * bound);
        }
        stopped += usize::from(spin(&world, body).abs() < 1e-6);
    }
    println!(
        "{judged} steps, {at_bound} at the bound, {stopped} of 2000 stopped; moment beyond {worst_moment:.1e}, energy {worst_energy:.1e}"
    );
    assert!(judged > 60_000 && at_bound > 5_000 && judged - at_bound > 5_000 && stopped > 50);
}

#[test]
fn what_tumbles_makes_no_energy_by_torsional_friction() {
    let mut random = Sequence(26_020);
    let presets = [Preset::Ode, Preset::OdeWorld, Preset::OdeQuick, Preset::Agx];
    let mut worst = f64::NEG_INFINITY;
    for number in 0..1000 {
        let preset = presets[number % presets.len()];
        let Scene { mut world, body, .. } = random_scene(&mut random, preset, HybridRule::Unsolved);
        let mut edit = world.body_mut(body).unwrap();
        edit.set_pose(&Pose::new(DVec3::new(0.0, 0.0, 0.4), random.rotation())).unwrap();
        edit.set_omega(20.0 * random.vector()).unwrap();
        edit.set_velocity(2.0 * random.vector()).unwrap();
        let start = energy(&world, body);
        for _ in 0..400 {
            world.step(STEP);
            let b = world.body(body).unwrap();
            // Semi-implicit motion counts height and speed half a step apart.
            let apart = 0.5 * STEP * b.mass() * GRAVITY * (b.velocity().z.abs() + 2.0);
            let made = (energy(&world, body) - start - apart) / start;
            worst = worst.max(made);
            assert!(made < 1e-9, "{number} {preset:?}: made {made}");
        }
    }
    println!("largest energy over that of the start {worst:.1e}");
}

#[test]
fn a_turntable_takes_along_what_stands_on_it_in_both_coordinates() {
    for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
        for solver in [SolverKind::Direct, SolverKind::Iterative] {
            let mut world = World::new(WorldParameters { solver, coordinates, ..parameters() });
            let torsional = TorsionalSurface { coefficient: 0.5, patch_radius: 0.1, ..TorsionalSurface::default() };
            let surface = Surface { friction: [0.0; 2], torsional, ..Surface::default() };
            let table = Shape::cylinder(1.0, 0.2).unwrap();
            let table = add_shape(&mut world, table, 1.0, Pose::from_position(DVec3::Z * -0.1), surface);
            world.body_mut(table).unwrap().set_kind(BodyKind::Kinematic);
            world.body_mut(table).unwrap().set_omega(DVec3::Z * 2.0).unwrap();
            // A ball, and on it another that a hinge lets turn about the vertical.
            let ball = Pose::from_position(DVec3::Z * 0.1);
            let low = add_shape(&mut world, Shape::sphere(0.1).unwrap(), 2.0, ball, surface);
            let high = add_shape(
                &mut world,
                Shape::sphere(0.1).unwrap(),
                1.0,
                Pose::from_position(DVec3::Z * 0.4),
                Surface { is_sensor: true, ..surface },
            );
            let hinge = JointDefinition::new(JointKind::Hinge, Some(low), Some(high));
            world.add_joint(hinge.at(DVec3::Z * 0.25).with_axis(0, DVec3::Z)).unwrap();
            let moment = HERTZ * 0.1 * 0.5 * 3.0 * GRAVITY;
            let (inertia, mut forces) = (0.4 * 2.0 * 0.01, 0.0);
            let reaches = 2.0 * inertia / moment;
            let steps = (reaches / STEP) as u32;
            for step in 1..=steps + 100 {
                world.step(STEP);
                let energy = world.report().energy;
                forces += energy.forces;
                assert!(energy.made() < 1e-9, "{coordinates:?} {solver:?}: made {}", energy.made());
                let expected = (moment / inertia * f64::from(step) * STEP).min(2.0);
                assert!(
                    (spin(&world, low) - expected).abs() < 1e-4,
                    "{coordinates:?} {solver:?} {step}: {}",
                    spin(&world, low)
                );
            }
            assert!(spin(&world, high).abs() < 1e-9);
            // The table works against the moment: I ω² in all, of which half is the ball's.
            assert!((forces / (inertia * 4.0) - 1.0).abs() < 1e-3, "{coordinates:?} {solver:?}: {forces}");
        }
    }
}
