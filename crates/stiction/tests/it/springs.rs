//! Springs of joints in fixed steps: what has no damper keeps its energy, what has one loses what the damper takes, what is stiff comes
//! to rest, and the books say so.

use super::support::{Sequence, add_box, add_ground};
use stiction::joints::{AxisParameters, JointDefinition, JointKind};
use stiction::material::Surface;
use stiction::math::{DMat3, DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, BodyId, Coordinates, JointId, Preset, World, WorldParameters};

/// Engines whose springs keep their energy.
const ENGINES: [Preset; 6] =
    [Preset::Stiction, Preset::Ode, Preset::OdeQuick, Preset::Bullet, Preset::BulletFeatherstone, Preset::Dart];
/// Seconds of the long runs, and steps \[s\].
const LONG: f64 = 60.0;
const STEPS: [f64; 3] = [1e-3, 2e-3, 4e-3];
/// Angular frequency of most springs here \[1/s\].
const OMEGA: f64 = 20.0;

fn world(engine: Preset, gravity: f64) -> World {
    let mut parameters = WorldParameters { sleeping: false, ..WorldParameters::default() };
    engine.apply(&mut parameters);
    parameters.gravity = DVec3::new(0.0, 0.0, -gravity);
    World::new(parameters)
}

fn body_of(world: &mut World, mass: f64, moments: DVec3, position: DVec3) -> BodyId {
    let mass = MassProperties { mass, center_of_mass: DVec3::ZERO, inertia: DMat3::from_diagonal(moments) };
    world.add_body(&BodyDefinition { mass, pose: Pose::from_position(position), ..BodyDefinition::default() }).unwrap()
}

fn spring(stiffness: f64, damping: f64, reference: f64) -> AxisParameters {
    AxisParameters { stiffness, damping, spring_reference: reference, ..AxisParameters::default() }
}

/// Positions of a joint's axis after each step of a run.
fn positions(world: &mut World, joint: JointId, step: f64, time: f64) -> Vec<f64> {
    (0..(time / step).round() as usize)
        .map(|_| {
            world.step(step);
            world.joint(joint).unwrap().position(0)
        })
        .collect()
}

/// Half the range of the positions in the first and in the last second.
fn amplitudes(found: &[f64], step: f64) -> [f64; 2] {
    let second = (1.0 / step).round() as usize;
    let half = |list: &[f64]| {
        let [low, high] = [f64::min, f64::max].map(|of| list.iter().copied().reduce(of).unwrap());
        0.5 * (high - low)
    };
    [half(&found[..second]), half(&found[found.len() - second..])]
}

/// Sums of the balance, with the swing of springs.
#[derive(Default)]
struct Books {
    sum: f64,
    joint_loss: f64,
    by_steps: f64,
    /// Lowest and highest value of what the steps made.
    made: [f64; 2],
}

impl Books {
    fn step(&mut self, world: &mut World, step: f64) {
        let report = world.step(step);
        let fall = report.momentum_in_substeps + report.momentum_in_parts;
        self.sum += report.energy.made();
        self.joint_loss += report.energy.joint_loss;
        self.by_steps += report.spring_losses.iter().map(|(_, lost)| lost).sum::<f64>();
        let swing = report.spring_swing;
        let swing = swing + 0.5 * step * world.parameters.gravity.dot(world.momentum().0 - fall);
        self.made = [self.made[0].min(self.sum + swing), self.made[1].max(self.sum + swing)];
    }
}

/// A mass on a slider, or a wheel on a hinge, pulled out by 24.5 mm or 0.1 rad.
fn alone(world: &mut World, is_slider: bool, damping: f64) -> (JointId, f64) {
    let body = body_of(world, 2.0, DVec3::new(0.3, 0.4, 0.5), DVec3::ZERO);
    let (kind, mass, pull) = if is_slider { (JointKind::Slider, 2.0, 0.0245) } else { (JointKind::Hinge, 0.5, 0.1) };
    let law = spring(mass * OMEGA * OMEGA, damping * mass, -pull);
    let joint = JointDefinition::new(kind, Some(body), None).with_axis(0, DVec3::Z).with_parameters(0, law);
    (world.add_joint(joint).unwrap(), pull)
}

#[test]
fn a_spring_alone_swings_for_a_minute_and_nothing_is_made_or_lost() {
    for (engine, is_slider, step) in ENGINES
        .iter()
        .flat_map(|e| [true, false].into_iter().flat_map(move |s| STEPS.into_iter().map(move |h| (*e, s, h))))
    {
        let name = format!("{} slider {is_slider} {step}", engine.name());
        let mut world = world(engine, 0.0);
        let (joint, pull) = alone(&mut world, is_slider, 0.0);
        let (mut books, mut found) = (Books::default(), Vec::new());
        let energy = world.energy().total();
        for _ in 0..(LONG / step).round() as usize {
            books.step(&mut world, step);
            found.push(world.joint(joint).unwrap().position(0));
        }
        let [first, last] = amplitudes(&found, step);
        // The samples of a second miss the turn by up to (ω h)²/8.
        let missed = (OMEGA * step).powi(2) / 8.0 + 1e-6;
        assert!((first / pull - 1.0).abs() < missed && (last / pull - 1.0).abs() < missed, "{name}: {first} {last}");
        // Rows turn a wheel by 2 atan(h ω/2), and not by h ω, at up to 2 rad/s.
        let bound = if is_slider { 1e-8 } else { 1e-8 + (2.0 * step).powi(2) / 12.0 };
        assert!(books.made[1] - books.made[0] < bound * energy, "{name}: made {:?} of {energy} J", books.made);
        assert!(books.joint_loss.abs() + books.by_steps.abs() < 1e-9 * energy, "{name}: lost {}", books.joint_loss);
    }
}

/// Times at which the positions pass a value upwards.
pub(super) fn passages(found: &[f64], step: f64, value: f64) -> Vec<f64> {
    let pairs = found.windows(2).enumerate().filter(|(_, pair)| pair[0] < value && pair[1] >= value);
    pairs.map(|(k, pair)| step * (k as f64 + 1.0 + (value - pair[0]) / (pair[1] - pair[0]))).collect()
}

#[test]
fn the_period_is_newmarks_and_of_second_order() {
    for engine in ENGINES {
        let mut errors = Vec::new();
        for step in [0.02, 0.01, 5e-3, 2.5e-3] {
            let mut world = world(engine, 0.0);
            let (joint, pull) = alone(&mut world, true, 0.0);
            let found = positions(&mut world, joint, step, 30.0);
            let times = passages(&found, step, -pull);
            let period = (times[times.len() - 1] - times[0]) / (times.len() - 1) as f64;
            let newmark = std::f64::consts::PI * step / (0.5 * OMEGA * step).atan();
            // The line between two samples is off by less than a tenth of (ω h)² of a step at each end.
            let bound = 0.2 * step * (OMEGA * step).powi(2) / 30.0;
            assert!((period / newmark - 1.0).abs() < bound, "{} {step}: {period} for {newmark}", engine.name());
            errors.push(period * OMEGA / std::f64::consts::TAU - 1.0);
        }
        for pair in errors.windows(2) {
            let order = (pair[0] / pair[1]).log2();
            assert!((order - 2.0).abs() < 0.1, "{}: order {order} {errors:?}", engine.name());
        }
    }
}

#[test]
fn a_damped_spring_loses_what_its_damper_takes() {
    let ratio = 0.05;
    for (engine, step) in ENGINES.iter().flat_map(|e| STEPS.into_iter().map(move |h| (*e, h))) {
        let name = format!("{} {step}", engine.name());
        let mut world = world(engine, 0.0);
        let (joint, pull) = alone(&mut world, true, 2.0 * ratio * OMEGA);
        let energy = world.energy().total();
        let mut books = Books::default();
        let mut found = Vec::new();
        for _ in 0..(2.0 / step).round() as usize {
            books.step(&mut world, step);
            found.push(world.joint(joint).unwrap().position(0) + pull);
        }
        // Turns to the same side: their logarithms fall by 2 π ζ / √(1 − ζ²).
        let turns: Vec<f64> =
            found.windows(3).filter(|w| w[1] > w[0] && w[1] >= w[2] && w[1] > 0.0).map(|w| w[1]).collect();
        let decrement = (turns[0] / turns[4]).ln() / 4.0;
        let exact = std::f64::consts::TAU * ratio / (1.0 - ratio * ratio).sqrt();
        assert!((decrement / exact - 1.0).abs() < 0.2 * OMEGA * step, "{name}: {decrement} for {exact}");
        let lost = energy - world.energy().total() - world.report().spring_swing;
        assert!((books.joint_loss / lost - 1.0).abs() < 1e-6, "{name}: {} of {lost}", books.joint_loss);
        assert!(books.made[1] - books.made[0] < 1e-9 * energy, "{name}: made {:?}", books.made);
        assert!(books.by_steps.abs() < 1e-9 * energy, "{name}");
    }
}

/// A mass of 2 kg on a horizontal spring, on a body that stands; the axis is along x.
fn mount(world: &mut World, base: BodyId, position: DVec3) -> JointId {
    let body = body_of(world, 2.0, DVec3::splat(0.02), position);
    let law = spring(2.0 * OMEGA * OMEGA, 0.0, -0.0245);
    let joint = JointDefinition::new(JointKind::Slider, Some(body), Some(base)).with_axis(0, DVec3::X);
    world.add_joint(joint.with_parameters(0, law)).unwrap()
}

/// The first and the last amplitude are within a share of 24.5 mm.
fn swings_for_a_minute(name: &str, world: &mut World, joint: JointId, step: f64, share: f64) {
    // What stands sinks into its contacts first.
    let found = positions(world, joint, step, LONG);
    let [first, last] = amplitudes(&found, step);
    let bound = share * 0.0245;
    assert!((first - 0.0245).abs() < bound && (last - 0.0245).abs() < bound, "{name}: {first} {last}");
}

#[test]
fn a_spring_on_a_cart_that_rests_on_the_ground_swings_for_a_minute() {
    for (engine, step) in ENGINES.iter().flat_map(|e| STEPS.into_iter().map(move |h| (*e, h))) {
        let mut world = world(engine, 9.8);
        add_ground(&mut world, Surface { friction: [1.0; 2], ..Surface::default() });
        let cart = add_box(&mut world, DVec3::new(1.0, 0.6, 0.2), 20.0, DVec3::new(0.0, 0.0, 0.1), 1.0);
        let joint = mount(&mut world, cart, DVec3::new(0.0, 0.0, 0.25));
        swings_for_a_minute(&format!("{} {step}", engine.name()), &mut world, joint, step, 0.01);
    }
}

/// A trunk of 12 kg on four legs, each of two links on hinges that springs and dampers hold.
fn robot(world: &mut World) -> BodyId {
    add_ground(world, Surface { friction: [1.0; 2], ..Surface::default() });
    let trunk = add_box(world, DVec3::new(0.6, 0.3, 0.1), 12.0, DVec3::new(0.0, 0.0, 0.55), 1.0);
    for (x, y) in [(0.25, 0.15), (0.25, -0.15), (-0.25, 0.15), (-0.25, -0.15)] {
        let thigh = add_box(world, DVec3::new(0.05, 0.05, 0.25), 1.0, DVec3::new(x, y, 0.375), 1.0);
        let shank = add_box(world, DVec3::new(0.06, 0.06, 0.25), 0.5, DVec3::new(x, y, 0.125), 1.0);
        for (upper, lower, z) in [(trunk, thigh, 0.5), (thigh, shank, 0.25)] {
            let law = spring(4000.0, 40.0, 0.0);
            let joint = JointDefinition::new(JointKind::Hinge, Some(lower), Some(upper)).at(DVec3::new(x, y, z));
            world.add_joint(joint.with_axis(0, DVec3::Y).with_parameters(0, law)).unwrap();
        }
    }
    trunk
}

#[test]
fn a_spring_on_a_robot_that_stands_swings_for_a_minute() {
    for (engine, step) in ENGINES.iter().flat_map(|e| STEPS.into_iter().map(move |h| (*e, h))) {
        let mut world = world(engine, 9.8);
        let trunk = robot(&mut world);
        // Across the hinges, so that the legs hold the trunk by their joints.
        let body = body_of(&mut world, 0.5, DVec3::new(0.01, 0.01, 0.02), DVec3::new(0.0, 0.0, 0.65));
        let law = spring(0.02 * OMEGA * OMEGA, 0.0, -0.1);
        let joint = JointDefinition::new(JointKind::Hinge, Some(body), Some(trunk)).at(DVec3::new(0.0, 0.0, 0.65));
        let joint = world.add_joint(joint.with_axis(0, DVec3::Z).with_parameters(0, law)).unwrap();
        let found = positions(&mut world, joint, step, LONG);
        let [first, last] = amplitudes(&found, step);
        let name = engine.name();
        println!("{name} {step}: {first:.5} {last:.5}");
        assert!((first / 0.1 - 1.0).abs() < 0.01 && (last / 0.1 - 1.0).abs() < 0.01, "{name} {step}: {first} {last}");
    }
}

/// Across the hinges of the legs, which take nothing of it. Where joints of what stands are rows, or contacts are solved with those of ODE's kind in reduced
/// coordinates, these take some.
#[test]
fn a_level_load_on_a_robot_that_stands_swings_for_a_minute() {
    for (engine, step) in ENGINES.iter().flat_map(|e| STEPS.into_iter().map(move |h| (*e, h))) {
        let mut world = world(engine, 9.8);
        let trunk = robot(&mut world);
        let body = body_of(&mut world, 2.0, DVec3::splat(0.02), DVec3::new(0.0, 0.0, 0.65));
        let law = spring(2.0 * OMEGA * OMEGA, 0.0, -0.0245);
        let joint = JointDefinition::new(JointKind::Slider, Some(body), Some(trunk)).with_axis(0, DVec3::Y);
        let joint = world.add_joint(joint.with_parameters(0, law)).unwrap();
        let has_sweeps = matches!(engine, Preset::OdeQuick | Preset::Bullet | Preset::Dart);
        let bound = if has_sweeps && step > 2e-3 { 0.05 } else { 0.01 };
        swings_for_a_minute(&format!("{} {step}", engine.name()), &mut world, joint, step, bound);
    }
}

/// Two rods on hinges, or a body on a universal joint, under gravity, with springs.
fn mechanism(engine: Preset, is_universal: bool) -> World {
    let mut world = world(engine, 9.8);
    let law = |stiffness, reference| spring(stiffness, 0.0, reference);
    if is_universal {
        let body = body_of(&mut world, 3.0, DVec3::new(0.2, 0.3, 0.1), DVec3::new(0.0, 0.0, -0.3));
        let joint = JointDefinition::new(JointKind::Universal, None, Some(body)).with_axis(0, DVec3::X);
        let joint =
            joint.with_axis(1, DVec3::Y).with_parameters(0, law(120.0, 0.3)).with_parameters(1, law(80.0, -0.2));
        world.add_joint(joint).unwrap();
        return world;
    }
    let mut last = None;
    for (k, reference) in [0.5, -0.8].into_iter().enumerate() {
        let x = 0.4 * k as f64;
        let rod = body_of(&mut world, 1.0, DVec3::new(0.001, 0.0134, 0.0134), DVec3::new(x + 0.2, 0.0, 0.0));
        let joint = JointDefinition::new(JointKind::Hinge, Some(rod), last).at(DVec3::new(x, 0.0, 0.0));
        world.add_joint(joint.with_axis(0, DVec3::Y).with_parameters(0, law(30.0, reference))).unwrap();
        last = Some(rod);
    }
    world
}

/// How far the energy of a mechanism comes off in a run, by the largest energy of motion in it; the books tell as much.
fn drift(name: &str, mut world: World, step: f64, time: f64) -> f64 {
    let mut books = Books::default();
    let start = world.energy().total();
    let (mut drift, mut motion) = (0.0f64, 0.0f64);
    for _ in 0..(time / step).round() as usize {
        books.step(&mut world, step);
        let energy = world.energy();
        // Velocities of those that are not moved in parts are of the middles of the steps.
        let in_middles = world.momentum().0 - world.report().momentum_in_parts;
        let falls = 0.5 * step * world.parameters.gravity.dot(in_middles);
        drift = drift.max((energy.total() + falls + world.report().spring_swing - start).abs());
        motion = motion.max(energy.kinetic);
    }
    let reported = books.made[1] - books.made[0];
    assert!((reported - drift).abs() < 0.5 * drift + 1e-6 * motion, "{name}: {reported} reported of {drift}");
    // The softness of rows takes as much.
    assert!(books.joint_loss.abs() < 1e-6 * motion, "{name}: lost {}", books.joint_loss);
    drift / motion
}

/// In reduced coordinates mechanisms keep their energy for a minute. Bodies that rows hold lose of it as they turn far in a step, by the
/// second order at least: a spring that is damped loses by the first.
#[test]
fn springs_of_mechanisms_keep_their_energy() {
    for (engine, is_universal) in ENGINES.iter().flat_map(|e| [false, true].into_iter().map(move |u| (*e, u))) {
        let has_rows = world(engine, 0.0).parameters.coordinates == Coordinates::Maximal;
        let time = if has_rows { 2.0 } else { LONG };
        let name = format!("{} universal {is_universal}", engine.name());
        let found = drift(&name, mechanism(engine, is_universal), 1e-3, time);
        println!("{name}: {found:.1e} in {time} s");
        if has_rows {
            let half = drift(&name, mechanism(engine, is_universal), 5e-4, time);
            assert!(found < 1e-3 || found < 0.1 && half < 0.27 * found, "{name}: {found}, {half} at half the step");
        } else {
            assert!(found < 0.01, "{name}: {found}");
        }
    }
}

#[test]
fn light_links_on_stiff_springs_come_to_rest_after_a_blow() {
    for (engine, step) in ENGINES.iter().flat_map(|e| [1e-3, 4e-3f64].into_iter().map(move |h| (*e, h))) {
        let mut world = world(engine, 0.0);
        let mut links = Vec::new();
        for k in 0..3 {
            let x = 0.1 * f64::from(k);
            let link = body_of(&mut world, 0.05, DVec3::new(1e-5, 5e-5, 5e-5), DVec3::new(x + 0.05, 0.0, 0.0));
            let joint = JointDefinition::new(JointKind::Hinge, Some(link), links.last().copied());
            let joint = joint.at(DVec3::new(x, 0.0, 0.0)).with_axis(0, DVec3::Y);
            world.add_joint(joint.with_parameters(0, spring(1e6, 0.0, 0.0))).unwrap();
            links.push(link);
        }
        let mut last = world.body_mut(links[2]).unwrap();
        last.set_velocity(DVec3::new(0.0, 0.0, 0.5)).unwrap();
        last.set_omega(DVec3::new(0.0, -10.0, 0.0)).unwrap();
        let energy = world.energy().total();
        let mut lost = 0.0;
        for _ in 0..(1.0 / step).round() as usize {
            world.step(step);
            lost += world.report().spring_losses.iter().map(|(_, lost)| lost).sum::<f64>();
            assert!(world.energy().kinetic < energy * (1.0 + 1e-9), "{} {step}", engine.name());
        }
        let fastest = links.iter().map(|l| world.body(*l).unwrap().velocity().length()).fold(0.0, f64::max);
        println!("{} {step}: {fastest:.1e} m/s, lost {lost:.2e} of {energy:.2e} J", engine.name());
        assert!(fastest < 1e-6, "{} {step}: {fastest} m/s", engine.name());
        assert!((lost - energy).abs() < 0.02 * energy, "{} {step}: {lost} of {energy} J", engine.name());
    }
}

/// Springs of any stiffness on any mass, with any damper, in steps of any length, from rest: no state has more energy than the first, so
/// that the motion stays below `√(k/m) x₀` and the stretch within `x₀ + h v / 2`.
#[test]
fn random_springs_are_never_unstable() {
    let mut random = Sequence(23);
    let mut power = |low: f64, high: f64| 10f64.powf(low + (high - low) * 0.5 * (1.0 + random.next()));
    for case in 0..stiction_testing::cases(600, 10_000) {
        let engine = ENGINES[case % ENGINES.len()];
        let (stiffness, mass) = (power(0.0, 9.0), power(-3.0, 3.0));
        let damping = if case % 2 == 0 { 0.0 } else { power(-6.0, 6.0) };
        let step = power(-4.0, -60f64.log10());
        let is_slider = case % 4 < 2;
        let mut parameters = WorldParameters { sleeping: false, ..WorldParameters::default() };
        engine.apply(&mut parameters);
        if case % 5 == 0 {
            parameters.coordinates = Coordinates::Reduced;
        }
        parameters.gravity = DVec3::ZERO;
        let mut world = World::new(parameters);
        let body = body_of(&mut world, mass, DVec3::splat(0.1 * mass), DVec3::ZERO);
        let (kind, inertia) = if is_slider { (JointKind::Slider, mass) } else { (JointKind::Hinge, 0.1 * mass) };
        // A wheel turns by a tenth of a radian in a step at most.
        let reach = 0.1 / (step * (stiffness / inertia).sqrt());
        let pull = if is_slider { 0.1 } else { reach.min(0.5) };
        let joint = JointDefinition::new(kind, Some(body), None).with_axis(0, DVec3::Y);
        let joint = world.add_joint(joint.with_parameters(0, spring(stiffness, damping, -pull))).unwrap();
        let fastest = (stiffness / inertia).sqrt() * pull;
        for _ in 0..200 {
            world.step(step);
            let own = world.joint(joint).unwrap();
            let (x, v) = (own.position(0) + pull, own.rate(0));
            let slack = 1.0 + if is_slider { 1e-9 } else { (step * fastest).powi(2) / 6.0 + 1e-9 };
            let is_bounded = v.abs() <= fastest * slack && x.abs() <= (pull + 0.5 * step * v.abs()) * slack;
            assert!(
                is_bounded,
                "{} slider {is_slider} k {stiffness} m {mass} c {damping} h {step}: x {x} v {v} of {fastest}",
                engine.name()
            );
        }
    }
}
