//! Trees of joints on the ground.

use super::*;
use crate::numbers::Numbers;
use stiction::joints::{AxisParameters, JointDefinition, JointKind};
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, JointId};

/// A body with a mass and principal moments, and no shape.
fn bare(world: &mut World, mass: f64, moments: DVec3, pose: Pose) -> BodyId {
    let mass =
        MassProperties { mass, center_of_mass: DVec3::ZERO, inertia: stiction::math::DMat3::from_diagonal(moments) };
    world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap()
}

fn hinge(
    world: &mut World,
    first: BodyId,
    second: Option<BodyId>,
    at: DVec3,
    axis: DVec3,
    law: AxisParameters,
) -> JointId {
    let joint = JointDefinition::new(JointKind::Hinge, Some(first), second).at(at).with_axis(0, axis);
    world.add_joint(joint.with_parameters(0, law).with_feedback()).unwrap()
}

fn motor(velocity: f64, force: f64) -> AxisParameters {
    AxisParameters::default().with_motor(velocity, force)
}

/// Sum of the normal forces on a body [N].
fn load(world: &World, id: BodyId) -> f64 {
    world.contact_reports().iter().filter(|c| c.bodies.contains(&Some(id))).map(|c| c.force.z.abs()).sum()
}

/// The robot of the report: a chassis on two driven wheels and two casters without friction.
fn diff_drive(world: &mut World, speeds: [f64; 2]) -> (BodyId, [BodyId; 2]) {
    let chassis = bare(world, 10.0, DVec3::new(0.2, 0.3, 0.4), Pose::from_position(DVec3::Z * 0.12));
    for x in [0.25, -0.25] {
        attach(world, Shape::sphere(0.05).unwrap(), Some(chassis), DVec3::new(x, 0.0, -0.07), rough(0.0));
    }
    let wheels = [1.0, -1.0].map(|side| {
        let pose = Pose::from_position(DVec3::new(0.0, 0.25 * side, 0.1));
        let wheel = bare(world, 1.0, DVec3::new(0.003, 0.005, 0.003), pose);
        attach(world, Shape::sphere(0.1).unwrap(), Some(wheel), DVec3::ZERO, rough(1.0));
        wheel
    });
    for (wheel, speed) in wheels.into_iter().zip(speeds) {
        let place = at(world, wheel);
        hinge(world, wheel, Some(chassis), place, DVec3::Y, motor(speed / 0.1, f64::INFINITY));
    }
    (chassis, wheels)
}

#[test]
fn a_diff_drive_with_two_casters_turns() {
    let (mut turn, mut speed, mut share, mut gap) = (0.0f64, 0.0f64, 0.0f64, 0.0f64);
    for step in [1e-3, 1.0 / 240.0] {
        let mut world = world();
        add_ground(&mut world, rough(1.0));
        // 0.5 m/s and 0.5 rad/s with wheels 0.5 m apart.
        let (chassis, wheels) = diff_drive(&mut world, [0.5 - 0.125, 0.5 + 0.125]);
        run(&mut world, step, 5.0);
        turn = turn.max((body(&world, chassis).omega().z - 0.5).abs() / 0.5);
        speed = speed.max((body(&world, chassis).velocity().length() - 0.5).abs() / 0.5);
        for wheel in wheels {
            println!("load {}", load(&world, wheel));
            share = share.max((load(&world, wheel) / 29.4 - 1.0).abs());
        }
        gap = gap.max(world.joint_ids().map(|id| world.joint(id).unwrap().gap()).fold(0.0, f64::max));
    }
    hold("turn of a robot", turn, 0.02);
    hold("speed of a robot", speed, 0.02);
    hold("loads of its wheels", share, 0.05);
    hold("gaps of its joints", gap, 1e-4);
}

/// A robot of 12 kg on two wheels and one caster on a link of its own, which has no friction.
#[test]
fn robots_stand_and_drive_on_light_casters() {
    let (mut away, mut sway, mut speed) = (0.0f64, 0.0f64, 0.0f64);
    for (case, mass) in [0.002, 0.01, 0.05, 0.1, 0.5, 1.0].into_iter().enumerate() {
        for kind in [JointKind::Fixed, JointKind::Ball] {
            let step = [1e-3, 1.0 / 240.0, 1.0 / 60.0][case % 3];
            for rate in [0.0, 5.0] {
                let mut world = world();
                add_ground(&mut world, rough(0.8));
                let chassis = bare(&mut world, 10.0, DVec3::new(0.1, 0.15, 0.2), Pose::from_position(DVec3::Z * 0.15));
                for side in [1.0, -1.0] {
                    let place = DVec3::new(0.1, 0.2 * side, 0.1);
                    let wheel = bare(&mut world, 1.0, DVec3::splat(0.005), Pose::from_position(place));
                    attach(&mut world, Shape::sphere(0.1).unwrap(), Some(wheel), DVec3::ZERO, rough(0.8));
                    hinge(&mut world, wheel, Some(chassis), place, DVec3::Y, motor(rate, f64::INFINITY));
                }
                let place = DVec3::new(-0.2, 0.0, 0.05);
                let moments = DVec3::splat(0.4 * mass * 0.05 * 0.05);
                let caster = bare(&mut world, mass, moments, Pose::from_position(place));
                attach(&mut world, Shape::sphere(0.05).unwrap(), Some(caster), DVec3::ZERO, rough(0.0));
                world.add_joint(JointDefinition::new(kind, Some(caster), Some(chassis)).at(place)).unwrap();
                run(&mut world, step, 1.0);
                let start = at(&world, chassis);
                for _ in 0..(1.5 / step) as usize {
                    world.step(step);
                    sway = sway.max(body(&world, chassis).omega().y.abs());
                }
                let way = (at(&world, chassis) - start).length();
                if rate == 0.0 {
                    away = away.max(way);
                } else {
                    speed = speed.max((body(&world, chassis).velocity().length() / 0.5 - 1.0).abs());
                }
            }
        }
    }
    hold("way of a robot with brakes on a light caster [m]", away, 1e-5);
    hold("sway on a light caster [rad/s]", sway, 1e-3);
    hold("speed on a light caster", speed, 2e-3);
}

/// Largest gap of a joint [m].
fn gaps(world: &World) -> f64 {
    world.joint_ids().map(|id| world.joint(id).unwrap().gap()).fold(0.0, f64::max)
}

/// A box that meets the ground, and no other box.
fn apart(world: &mut World, sides: DVec3, mass: f64, pose: Pose, mu: f64) -> BodyId {
    let shape = Shape::cuboid(sides).unwrap();
    let mass = shape.mass_properties(1.0).unwrap().with_mass(mass);
    let id = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
    let geom = GeomDefinition { surface: rough(mu), category: 2, collide: 1, ..GeomDefinition::new(shape, Some(id)) };
    world.add_geom(&geom).unwrap();
    id
}

fn floor(world: &mut World, mu: f64) {
    let plane = GeomDefinition::new(Shape::plane(DVec3::Z, 0.0).unwrap(), None);
    world.add_geom(&GeomDefinition { surface: rough(mu), category: 1, collide: 2, ..plane }).unwrap();
}

#[test]
fn robots_park_on_slopes() {
    let (mut way, mut gap) = (0.0f64, 0.0f64);
    for (case, step) in [1e-3, 1.0 / 240.0, 1e-3, 1.0 / 240.0].into_iter().enumerate() {
        let (count, slope, yaw) = (4 + 2 * (case / 2), 8f64.to_radians(), 0.7 * (case % 2) as f64);
        let mut world = tilted(GRAVITY * DVec3::new(slope.sin(), 0.0, -slope.cos()));
        floor(&mut world, 1.0);
        let turn = DQuat::from_rotation_z(yaw);
        let pose = Pose { position: DVec3::Z * 0.15, rotation: turn };
        let chassis = apart(&mut world, DVec3::new(0.6, 0.3, 0.1), 10.0, pose, 1.0);
        for k in 0..count {
            let x = -0.3 + 0.6 * (k / 2) as f64 / (count / 2 - 1) as f64;
            let place = turn * DVec3::new(x, if k % 2 == 0 { 0.2 } else { -0.2 }, 0.0) + DVec3::Z * 0.1;
            let pose = Pose { position: place, rotation: turn * DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2) };
            let shape = Shape::cylinder(0.1, 0.05).unwrap();
            let mass = shape.mass_properties(1.0).unwrap().with_mass(1.0);
            let wheel = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
            let geom = GeomDefinition {
                surface: rough(1.0),
                category: 2,
                collide: 1,
                ..GeomDefinition::new(shape, Some(wheel))
            };
            world.add_geom(&geom).unwrap();
            hinge(&mut world, wheel, Some(chassis), place, turn * DVec3::Y, motor(0.0, 100.0));
        }
        run(&mut world, step, 1.0);
        let start = at(&world, chassis);
        run(&mut world, step, 59.0);
        way = way.max((at(&world, chassis) - start).length());
        gap = gap.max(gaps(&world));
    }
    hold("way of parked robots [m]", way, 1e-4);
    hold("gaps of their joints [m]", gap, 1e-4);
}

#[test]
fn a_motor_lifts_an_arm_off_the_floor_and_tells_its_torque() {
    for step in [1e-3, 1.0 / 240.0] {
        let mut world = world();
        add_ground(&mut world, rough(0.5));
        let pose = Pose::from_position(DVec3::new(0.5, 0.0, 0.05));
        let arm = apart(&mut world, DVec3::new(1.0, 0.1, 0.1), 2.0, pose, 0.5);
        let joint = hinge(&mut world, arm, None, DVec3::Z * 0.05, -DVec3::Y, motor(0.5, 50.0));
        run(&mut world, step, 1.0);
        let found = world.joint(joint).unwrap();
        hold("rate of the arm", (found.rate(0) - 0.5).abs(), 1e-6);
        hold("angle of the arm", (found.position(0) - 0.5).abs(), 5e-3);
        // The corner of the box is below the axis until it has turned.
        let torque = 2.0 * GRAVITY * 0.5 * found.position(0).cos();
        hold("torque of the motor", (found.effort(0) / torque - 1.0).abs(), 0.01);
        // Weight and centripetal force.
        let force = DVec3::new(0.0, 0.0, 2.0 * GRAVITY);
        hold("force of the hinge [N]", (found.feedback().forces[0] - force).length(), 0.3);
    }
}

#[test]
fn what_swings_on_a_carriage_keeps_its_energy() {
    for (step, bound) in [(1e-3, 1e-5), (1.0 / 240.0, 2e-4)] {
        let mut world = world();
        floor(&mut world, 1.0);
        let base = apart(&mut world, DVec3::new(1.0, 1.0, 0.2), 1000.0, Pose::from_position(DVec3::Z * 0.1), 1.0);
        let bob = apart(&mut world, DVec3::splat(0.1), 1.0, Pose::from_position(DVec3::new(0.5, 0.7, 1.0)), 0.5);
        hinge(&mut world, bob, Some(base), DVec3::new(0.0, 0.7, 1.0), DVec3::Y, AxisParameters::default());
        let (mut before, mut peak, mut top) = (0.0, 0.0, f64::MIN);
        for _ in 0..(20.0 / step) as usize {
            world.step(step);
            let up = body(&world, bob).velocity().z;
            if before > 0.0 && up <= 0.0 {
                peak = at(&world, bob).z;
            }
            top = top.max(at(&world, bob).z);
            before = up;
        }
        hold("height that a swing lost in 20 s", (1.0 - peak) / 0.5, bound);
        hold("height that it gained", top - 1.0, 1e-6);
        hold("gaps [m]", gaps(&world), 1e-6);
    }
}

/// Adds a tree of boxes on joints of all kinds above a place.
fn add_mechanism(world: &mut World, seed: u64, bounces: bool, start: DVec3) -> Vec<BodyId> {
    let mut random = Numbers(7919 * seed + 13);
    let mut ids: Vec<BodyId> = Vec::new();
    let direction = |random: &mut Numbers| random.vector().normalize_or(DVec3::X);
    for k in 0..3 + (random.next() * 18.0) as usize {
        let mass = 10f64.powf(random.signed());
        let sides = DVec3::new(0.1 + 0.2 * random.next(), 0.06 + 0.1 * random.next(), 0.06 + 0.1 * random.next());
        let parent = (random.next() * k as f64) as usize;
        let near = ids.get(parent).map(|id| at(world, *id));
        let place = near.map_or(start + DVec3::Z * 3.0, |near| near + 0.4 * direction(&mut random));
        let pose = Pose { position: place.with_z(place.z.max(1.0)), rotation: random.rotation() };
        let id = apart(world, sides, mass, pose, 0.5);
        if let Some(near) = near {
            let kinds = [JointKind::Hinge, JointKind::Ball, JointKind::Slider, JointKind::Fixed, JointKind::Universal];
            let kind = kinds[(random.next() * 5.0) as usize];
            let mut law = AxisParameters::default();
            if kind == JointKind::Slider || random.next() < 0.3 {
                law = law.with_stops(-0.1, 0.1);
                if bounces {
                    law.bounce = random.next();
                }
            }
            if random.next() < 0.3 {
                (law.damping, law.friction) = (0.05, 0.02);
            }
            let joint = JointDefinition::new(kind, Some(id), Some(ids[parent])).at(0.5 * (near + pose.position));
            let joint = joint.with_axis(0, direction(&mut random)).with_axis(1, direction(&mut random));
            world.add_joint(joint.with_parameters(0, law)).unwrap();
        }
        ids.push(id);
    }
    ids
}

/// A tree of boxes on joints of all kinds that falls on the ground: most that its energy rose, by what is in play, and the largest
/// gap while it falls and at rest.
fn mechanism(seed: u64, step: f64, bounces: bool) -> [f64; 3] {
    let mut world = world();
    floor(&mut world, 0.5);
    let ids = add_mechanism(&mut world, seed, bounces, DVec3::ZERO);
    let ground: f64 = ids.iter().map(|id| 0.05 * GRAVITY * body(&world, *id).mass()).sum();
    let start = energy(&world);
    let (mut low, mut rise, mut gap) = (start, 0.0f64, 0.0f64);
    for _ in 0..(3.0 / step) as usize {
        world.step(step);
        let now = energy(&world);
        low = low.min(now);
        rise = rise.max((now - low) / (start - ground));
        gap = gap.max(gaps(&world));
    }
    [rise, gap, gaps(&world)]
}

/// What else is in the world changes no bit of a mechanism: another one that is built alike and falls elsewhere, a third one, a loose box.
#[test]
fn mechanisms_fall_alike_alone_and_beside_others() {
    for step in [1.0 / 60.0, 1.0 / 240.0] {
        for seed in 0..stiction_testing::cases(16, 200) as u64 {
            let worlds = [0, 1, 2].map(|others| {
                let mut world = world();
                floor(&mut world, 0.5);
                let ids = add_mechanism(&mut world, seed, true, DVec3::ZERO);
                if others > 0 {
                    flat_box(&mut world, DVec3::splat(0.2), 1.0, [-20.0, 0.0], 0.0, 0.5);
                }
                if others > 1 {
                    add_mechanism(&mut world, seed, true, DVec3::new(40.0, 0.0, 0.3));
                    add_mechanism(&mut world, seed + 1000, true, DVec3::new(0.0, 40.0, 0.1));
                }
                (world, ids)
            });
            let [(mut alone, ids), (mut with_box, _), (mut with_all, _)] = worlds;
            for number in 0..(1.5 / step) as usize {
                let states = [&mut alone, &mut with_box, &mut with_all].map(|world| {
                    world.step(step);
                    let state = |id: &BodyId| (body(world, *id).pose(), body(world, *id).velocity());
                    ids.iter().map(state).collect::<Vec<_>>()
                });
                assert_eq!(states[0], states[1], "beside a box: seed {seed}, step {number} of {step}");
                assert_eq!(states[0], states[2], "beside others: seed {seed}, step {number} of {step}");
            }
        }
    }
}

#[test]
fn mechanisms_whose_stops_bounce_make_no_energy_in_falls() {
    let count = stiction_testing::cases(60, 600);
    let at_240 = if count > 60 { 0.01 } else { 0.005 };
    for (step, bound) in [(1.0 / 60.0, 0.05), (1.0 / 240.0, at_240), (1e-3, 1e-3)] {
        let most = (0..count as u64).map(|seed| mechanism(seed, step, true)[0]).fold(0.0, f64::max);
        hold("energy that rose with stops that bounce", most, bound);
    }
}

#[test]
fn mechanisms_that_fall_make_no_energy_and_keep_their_joints() {
    for step in [1.0 / 240.0, 1e-3] {
        let count = stiction_testing::cases(60, 600);
        let all: Vec<_> = (0..count as u64).map(|seed| mechanism(seed, step, false)).collect();
        let most = |k: usize| all.iter().map(|found| found[k]).fold(0.0, f64::max);
        hold("energy that rose", most(0), if step > 2e-3 { 0.01 } else { 1e-3 });
        hold("gaps in falls [m]", most(1), 1e-3);
        hold("gaps at rest [m]", most(2), 1e-4);
    }
}
