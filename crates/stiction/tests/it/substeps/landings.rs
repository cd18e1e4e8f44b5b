//! Bodies of several shapes that fall flat: tables, tripods, dumbbells, plates.

use super::restitution::bouncy;
use super::*;
use crate::numbers::Numbers;
use stiction::math::DMat3;
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, BodyKind};

/// A body with its shapes at their places, its centre above the floor by `height` when it stands.
struct Several {
    shapes: Vec<(Shape, DVec3)>,
    mass: f64,
    moments: DVec3,
    height: f64,
}

/// Feet of a body without offsets: their centroid is under the centre of mass.
fn several(kind: usize, random: &mut Numbers) -> Several {
    let reach = 0.1 + 0.3 * random.next();
    let radius = 0.02 + 0.03 * random.next();
    let turn = random.signed() * 3.0;
    let at = |angle: f64, far: f64| DVec3::new(far * (turn + angle).cos(), far * (turn + angle).sin(), -0.2);
    let ball = || Shape::sphere(radius).unwrap();
    let third = std::f64::consts::TAU / 3.0;
    let (shapes, height): (Vec<_>, f64) = match kind {
        0 => ((0..4).map(|k| (ball(), at(0.75 * third * f64::from(k), reach))).collect(), 0.2 + radius),
        1 => ((0..3).map(|k| (ball(), at(third * f64::from(k), reach))).collect(), 0.2 + radius),
        2 => ([reach, -0.5 * reach].map(|x| (ball(), at(0.0, x).with_z(0.0))).into_iter().collect(), radius),
        // A table on legs that are boxes.
        3 => {
            let leg = Shape::cuboid(DVec3::new(0.04, 0.05, 0.2)).unwrap();
            let places = (0..4).map(|k| at(0.75 * third * f64::from(k), reach).with_z(-0.15));
            (places.map(|place| (leg.clone(), place)).collect(), 0.25)
        }
        // Three discs.
        _ => {
            let disc = Shape::cylinder(0.05, 0.04).unwrap();
            ((0..3).map(|k| (disc.clone(), at(third * f64::from(k), reach).with_z(-0.1))).collect(), 0.12)
        }
    };
    let mass = 0.5 + 4.0 * random.next();
    let moments = mass * reach * reach * DVec3::new(0.3 + 0.2 * random.next(), 0.3 + 0.2 * random.next(), 0.5);
    Several { shapes, mass, moments, height }
}

fn add_several(world: &mut World, own: &Several, place: DVec3, surface: Surface) -> BodyId {
    let inertia = DMat3::from_diagonal(own.moments);
    let mass = MassProperties { mass: own.mass, center_of_mass: DVec3::ZERO, inertia };
    let pose = Pose::from_position(place);
    let id = world.add_body(&BodyDefinition { mass, pose, ..BodyDefinition::default() }).unwrap();
    for (shape, place) in &own.shapes {
        attach(world, shape.clone(), Some(id), *place, surface);
    }
    id
}

/// Until they rest they do not turn, and each bounce is as high as that of a ball.
#[test]
fn bodies_of_several_shapes_land_flat() {
    let (mut spin, mut spin_of_bounces, mut height) = (0.0f64, 0.0f64, 0.0f64);
    for case in 0..stiction_testing::cases(60, 2_000) {
        let mut random = Numbers(59 * case as u64 + 5);
        let step = [1.0 / 60.0, 1.0 / 240.0, 1e-3][case % 3];
        let coefficient = if case % 2 == 0 { 0.0 } else { 0.5 };
        let own = several(case / 6 % 5, &mut random);
        let surface = if coefficient > 0.0 { bouncy(0.5, coefficient) } else { rough(0.5) };
        let mut world = world();
        add_ground(&mut world, surface);
        let fall = 0.2 + 0.5 * random.next();
        let id = add_several(&mut world, &own, DVec3::Z * (own.height + fall), surface);
        let lands = (2.0 * fall / GRAVITY).sqrt();
        let mut apex = 0.0f64;
        for k in 1..=(3.0 / step) as usize {
            world.step(step);
            let omega = body(&world, id).omega().length();
            if coefficient == 0.0 {
                spin = spin.max(omega);
            } else if (k as f64 * step) < 1.9 * lands {
                spin_of_bounces = spin_of_bounces.max(omega);
                if k as f64 * step > lands + 2.0 * step {
                    apex = apex.max(at(&world, id).z - own.height);
                }
            }
        }
        if coefficient > 0.0 && step < 1.0 / 60.0 {
            height = height.max((apex / (0.25 * fall) - 1.0).abs());
        }
    }
    hold("rotation of bodies of several shapes that fall flat [rad/s]", spin, 0.02);
    hold("that after they have bounced once [rad/s]", spin_of_bounces, 1e-3);
    hold("height of their bounces, relative", height, 0.01);
}

/// Friction takes as much speed as its cone allows, and neither turns them nor takes more.
#[test]
fn what_slides_as_it_lands_loses_the_speed_that_friction_takes() {
    let (mut spin, mut loss) = (0.0f64, 0.0f64);
    for case in 0..stiction_testing::cases(30, 1_000) {
        let mut random = Numbers(31 * case as u64 + 7);
        let step = [1.0 / 240.0, 1e-3, 2.5e-4][case % 3];
        let mu = 0.2 + 0.4 * random.next();
        let mut world = world();
        add_ground(&mut world, rough(mu));
        let fall = 0.05 + 0.3 * random.next();
        let sides = DVec3::new(0.2 + 0.1 * random.next(), 0.2 + 0.1 * random.next(), 0.1);
        let turn = DQuat::from_rotation_z(random.signed());
        let pose = Pose { position: DVec3::Z * (0.05 + fall), rotation: turn };
        let id = add_shape(&mut world, Shape::cuboid(sides).unwrap(), 1.0, pose, rough(mu));
        world.body_mut(id).unwrap().set_velocity(DVec3::X * 4.0).unwrap();
        let lands = (2.0 * fall / GRAVITY).sqrt();
        let end = lands + 0.05;
        for _ in 0..(end / step).round() as usize {
            world.step(step);
            spin = spin.max(body(&world, id).omega().length());
        }
        // All that gravity has given until then.
        let expected = 4.0 - mu * GRAVITY * world.time();
        loss = loss.max((body(&world, id).velocity().x - expected).abs());
    }
    hold("rotation of boxes that slide as they land [rad/s]", spin, 0.02);
    hold("speed that friction takes of them [m/s]", loss, 0.02);
}

/// A ball between two others that come from both sides as fast as each other, and two that hit one at once at the same angle.
#[test]
fn impacts_at_the_same_time_keep_their_symmetry() {
    for (coefficient, order) in [(0.3, 0), (0.7, 1), (1.0, 2), (0.5, 3)] {
        let mut world = tilted(DVec3::ZERO);
        let surface = bouncy(0.0, coefficient);
        let ball = Shape::sphere(0.1).unwrap();
        let third = std::f64::consts::TAU / 3.0;
        let mut places = vec![(DVec3::ZERO, DVec3::ZERO)];
        for k in 0..3 {
            let away = DVec3::new((third * f64::from(k)).cos(), (third * f64::from(k)).sin(), 0.0);
            places.push((0.3 * away, -away));
        }
        places.rotate_left(order);
        let add = |(place, velocity)| {
            let id = add_shape(&mut world, ball.clone(), 1.0, Pose::from_position(place), surface);
            world.body_mut(id).unwrap().set_velocity(velocity).unwrap();
            id
        };
        let ids: Vec<_> = places.into_iter().map(add).collect();
        run(&mut world, 1e-3, 0.4);
        let middle = ids[(4 - order) % 4];
        let speeds = ids.iter().filter(|id| **id != middle).map(|id| body(&world, *id).velocity().length());
        let (least, most) = speeds.fold((f64::INFINITY, 0.0f64), |all, own| (all.0.min(own), all.1.max(own)));
        hold("speed of the ball in the middle [m/s]", body(&world, middle).velocity().length(), 1e-9);
        hold("difference of the others [m/s]", most - least, 1e-9);
        hold("their restitution", (most - coefficient).abs(), 1e-8);
    }
}

/// A platform that rises or sinks meets them earlier or later in the step.
#[test]
fn bodies_land_flat_on_a_platform_that_moves() {
    let mut spin = 0.0f64;
    for case in 0..stiction_testing::cases(30, 1_000) {
        let mut random = Numbers(47 * case as u64 + 23);
        let step = [1.0 / 60.0, 1.0 / 240.0, 1e-3][case % 3];
        let own = several(case / 3 % 5, &mut random);
        let mut world = world();
        let velocity = DVec3::Z * random.signed();
        let platform = BodyDefinition { kind: BodyKind::Kinematic, velocity, ..BodyDefinition::default() };
        let platform = world.add_body(&platform).unwrap();
        let plate = Shape::cuboid(DVec3::new(3.0, 3.0, 0.2)).unwrap();
        attach(&mut world, plate, Some(platform), DVec3::NEG_Z * 0.1, rough(0.5));
        let id = add_several(&mut world, &own, DVec3::Z * (own.height + 0.2 + 0.5 * random.next()), rough(0.5));
        for _ in 0..(1.0 / step) as usize {
            world.step(step);
            spin = spin.max(body(&world, id).omega().length());
        }
    }
    hold("rotation of bodies that land on a moving platform [rad/s]", spin, 0.02);
}
