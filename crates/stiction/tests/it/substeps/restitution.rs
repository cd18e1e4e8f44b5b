//! Restitution by the heights of bounces.

use super::solids::Solid;
use super::*;
use crate::numbers::Numbers;
use stiction::contact::restitution::Restitution;

pub fn bouncy(mu: f64, coefficient: f64) -> Surface {
    Surface { bounce: Some(Restitution { coefficient, threshold: 0.05 }), ..rough(mu) }
}

/// Heights of the apexes above the rest, as many as asked, and the highest energy above that of the start.
fn apexes(world: &mut World, id: BodyId, rest: f64, step: f64, count: usize) -> (Vec<f64>, f64) {
    let (start, mut gain) = (energy(world), 0.0f64);
    let (mut heights, mut last) = (Vec::new(), -1.0);
    for _ in 0..(8.0 / step) as usize {
        world.step(step);
        gain = gain.max(energy(world) / start - 1.0);
        let (z, v) = (at(world, id).z - rest, body(world, id).velocity().z);
        if last > 0.0 && v <= 0.0 {
            // The top between two steps.
            heights.push(z + 0.5 * v * v / GRAVITY);
            if heights.len() == count {
                break;
            }
        }
        last = v;
    }
    (heights, gain)
}

#[test]
fn bounces_rise_by_the_square_of_the_restitution() {
    let (mut first, mut worst, mut most, mut turned) = (0.0f64, 0.0f64, 0.0f64, 0.0f64);
    for case in 0..stiction_testing::cases(24, 2_000) {
        let mut random = Numbers(43 * case as u64 + 19);
        let (e, step) =
            ([0.5, 1.0, 0.5 + 0.5 * random.next()][case % 3], [1e-3, 1.0 / 500.0, 1.0 / 2000.0][(case / 3) % 3]);
        let size = 0.1 + 0.2 * random.next();
        let (shape, rest, rotation) = match (case / 9) % 4 {
            0 => (Shape::sphere(size).unwrap(), size, DQuat::IDENTITY),
            1 => (Shape::cuboid(DVec3::new(2.0, 1.5, 1.0) * size).unwrap(), 0.5 * size, DQuat::IDENTITY),
            2 => (Shape::cylinder(size, size).unwrap(), 0.5 * size, DQuat::IDENTITY),
            _ => (
                Shape::capsule(0.5 * size, size).unwrap(),
                0.5 * size,
                DQuat::from_rotation_x(0.5 * std::f64::consts::PI),
            ),
        };
        let mut world = world();
        add_ground(&mut world, bouncy(0.5, e));
        let fall = 0.5 + random.next();
        let pose = Pose { position: DVec3::Z * (rest + fall), rotation };
        let id = add_shape(&mut world, shape, 0.1 + 3.0 * random.next(), pose, bouncy(0.5, e));
        let (heights, gain) = apexes(&mut world, id, rest, step, 2);
        for (k, height) in heights.iter().enumerate() {
            let error = (height / (fall * e.powi(2 * (k as i32 + 1))) - 1.0).abs();
            if k == 0 && step <= 1e-3 {
                first = first.max(error);
            }
            let speed = (2.0 * GRAVITY * fall).sqrt();
            worst = worst.max(error * fall * e.powi(2 * (k as i32 + 1)) / (step * speed));
        }
        assert!(heights.len() == 2, "{case}: {heights:?}");
        most = most.max(gain);
        turned = turned.max(body(&world, id).omega().length());
    }
    hold("first apex at 1 ms and finer", first, 0.001);
    hold("every apex, in ways of a step at the impact", worst, 0.05);
    hold("energy above the start", most, 1e-3);
    hold("spin after flat impacts [rad/s]", turned, 1e-9);
}

#[test]
fn without_restitution_nothing_rises() {
    let mut worst = 0.0f64;
    for step in [1.0 / 60.0, 1.0 / 240.0, 1e-3] {
        for sides in [DVec3::new(0.4, 0.3, 0.2), DVec3::splat(0.2)] {
            let mut world = world();
            add_ground(&mut world, bouncy(0.5, 0.0));
            let id = add_box(&mut world, sides, 1.0, DVec3::Z * (1.0 + 0.5 * sides.z), 0.5);
            let (mut least, mut rise) = (1.0f64, 0.0f64);
            for _ in 0..(2.0 / step) as usize {
                world.step(step);
                let z = at(&world, id).z - 0.5 * sides.z;
                least = least.min(z);
                rise = rise.max(z - least.max(0.0));
            }
            worst = worst.max(rise);
        }
    }
    // Of a fall of one metre.
    hold("rise without restitution [m]", worst, 0.01);
}

#[test]
fn a_blow_passes_through_touching_balls_to_the_last_one() {
    let mut worst = 0.0f64;
    for case in 0..stiction_testing::cases(12, 500) {
        let mut random = Numbers(47 * case as u64 + 23);
        let (count, step) = (2 + case % 6, [1e-3, 1.0 / 240.0, 1.0 / 60.0][(case / 6) % 3]);
        let radius = 0.05 + 0.1 * random.next();
        let d = random.vector().normalize_or(DVec3::X);
        let mut world = tilted(DVec3::ZERO);
        let speed = 0.5 + 2.0 * random.next();
        let mut balls = Vec::new();
        for k in 0..count {
            let place = if k == 0 { -2.0 * radius - 0.3 * random.next() } else { 2.0 * radius * (k as f64 - 1.0) };
            let shape = Shape::sphere(radius).unwrap();
            balls.push(add_shape(&mut world, shape, 1.0, Pose::from_position(place * d), bouncy(0.0, 1.0)));
        }
        world.body_mut(balls[0]).unwrap().set_velocity(speed * d).unwrap();
        run(&mut world, step, 0.6 / speed + 0.2);
        for (k, id) in balls.iter().enumerate() {
            let expected = if k + 1 == count { speed } else { 0.0 };
            let error = (body(&world, *id).velocity() - expected * d).length() / speed;
            worst = worst.max(error);
        }
    }
    hold("last ball alone", worst, 1e-6);
}

/// A heavy ball comes down on a light one: the light one cannot take back what has stopped the heavy one.
#[test]
fn a_light_ball_does_not_throw_a_heavy_one() {
    let mut worst = 0.0f64;
    for (step, mass) in [(2e-3, 100.0), (2e-3, 400.0), (1.0 / 240.0, 100.0), (1.0 / 240.0, 400.0)] {
        let mut world = world();
        add_ground(&mut world, rough(0.5));
        add_shape(&mut world, Shape::sphere(0.09).unwrap(), 1.0, Pose::from_position(DVec3::Z * 0.09), rough(0.5));
        let place = DVec3::new(0.01, 0.0, 0.18 + 0.36 + 0.3);
        let top = add_shape(&mut world, Shape::sphere(0.36).unwrap(), mass, Pose::from_position(place), rough(0.5));
        let (start, mut least, mut rise) = (energy(&world), f64::INFINITY, 0.0f64);
        for _ in 0..(0.5 / step) as usize {
            world.step(step);
            let now = energy(&world);
            least = least.min(now);
            rise = rise.max(now - least);
        }
        let fallen = start - least;
        assert!(at(&world, top).z < place.z, "{mass} kg: {} J of {fallen} J", rise);
        println!("{mass} kg, {step} s: {:.1e}", rise / fallen);
        worst = worst.max(rise / fallen);
    }
    hold_for_now("energy above the least so far of a heavy ball on a light one", worst, 0.03, 1e-3);
}

/// Largest velocity across that a ball which spins in every way gains where it bounces without friction, and how far it gets below what it
/// bounces off \[m/s, m\].
fn across(world: &mut World, bottom: f64, (step, velocity, omega): (f64, DVec3, DVec3)) -> [f64; 2] {
    let (radius, surface) = (0.1, bouncy(0.0, 0.8));
    let start = DVec3::Z * (bottom + radius + 0.3);
    let id = add_shape(world, Shape::sphere(radius).unwrap(), 0.05, Pose::from_position(start), surface);
    let mut ball = world.body_mut(id).unwrap();
    ball.set_velocity(velocity).unwrap();
    ball.set_omega(omega).unwrap();
    let (mut most, mut lowest) = (0.0f64, 0.0f64);
    for _ in 0..(1.0 / step) as usize {
        world.step(step);
        most = most.max((body(world, id).velocity() - velocity).with_z(0.0).length());
        lowest = lowest.max(bottom + radius - at(world, id).z);
    }
    [most, lowest]
}

/// The normal of a face is that of the face, however fast turns what hits it, and a ball has no moment about its centre without friction.
#[test]
fn a_spinning_ball_bounces_off_faces_straight() {
    let (mut most, mut lowest, mut on_box) = (0.0f64, 0.0f64, 0.0f64);
    for case in 0..stiction_testing::cases(24, 2_000) {
        let mut random = Numbers(61 * case as u64 + 7);
        let step = [1.0 / 120.0, 1.0 / 240.0, 1e-3][case % 3];
        let (velocity, omega) = (10.0 * random.vector().with_z(0.0), 80.0 * random.vector());
        let mut plane = world();
        add_ground(&mut plane, bouncy(0.0, 0.8));
        let found = across(&mut plane, 0.0, (step, velocity, omega));
        (most, lowest) = (most.max(found[0]), lowest.max(found[1]));
        let mut plate = world();
        add_ground(&mut plate, bouncy(0.0, 0.8));
        flat_box(&mut plate, DVec3::new(1.0, 1.0, 0.2), 500.0, [0.0; 2], 0.0, 0.0);
        let found = across(&mut plate, 0.2, (step, DVec3::ZERO, omega));
        on_box = on_box.max(found[0]);
    }
    hold("velocity across [m/s]", most, 1e-9);
    hold("way below the plane [m]", lowest, 1e-3);
    hold("velocity across, off a heavy box [m/s]", on_box, 1e-6);
}

/// Friction of an impact is bounded by its normal impulse: a spinning ball leaves with the less of μ (1 + e) v and 2/7 ω r, a box that is
/// thrown flat loses μ (1 + e) v.
#[test]
fn impacts_with_restitution_have_friction() {
    let (mut ball, mut thrown) = (0.0f64, 0.0f64);
    for case in 0..stiction_testing::cases(40, 4_000) {
        let mut random = Numbers(71 * case as u64 + 3);
        let (mu, e) = (random.next(), [0.05, 0.5, 1.0, 0.05 + 0.9 * random.next()][case % 4]);
        let step = [1e-3, 1.0 / 240.0][case % 2];
        let (fall, spin) = (0.2 + random.next(), 60.0 * random.next());
        let speed = (2.0 * GRAVITY * fall).sqrt();
        for is_ball in [true, false] {
            let mut world = world();
            add_ground(&mut world, bouncy(mu, e));
            let (shape, rest) = if is_ball {
                (Shape::sphere(0.1).unwrap(), 0.1)
            } else {
                (Shape::cuboid(DVec3::new(0.6, 0.6, 0.02)).unwrap(), 0.01)
            };
            let pose = Pose::from_position(DVec3::Z * (rest + fall));
            let id = add_shape(&mut world, shape, 0.5 + random.next(), pose, bouncy(mu, e));
            let mut own = world.body_mut(id).unwrap();
            if is_ball {
                own.set_omega(spin * DVec3::Y).unwrap();
            } else {
                own.set_velocity(12.0 * DVec3::X).unwrap();
            }
            while body(&world, id).velocity().z < 0.0 || world.time() == 0.0 {
                world.step(step);
            }
            let lost = mu * (1.0 + e) * speed;
            let x = body(&world, id).velocity().x;
            if is_ball {
                ball = ball.max((x - lost.min(2.0 / 7.0 * 0.1 * spin)).abs());
            } else {
                thrown = thrown.max((x - (12.0 - lost)).abs());
            }
        }
    }
    hold("velocity of a spinning ball after its impact [m/s]", ball, 0.05);
    hold("velocity of a plate after its impact [m/s]", thrown, 0.1);
}

/// Bodies that hit each other anywhere, with friction and restitution, make no energy and keep their momentum.
#[test]
fn impacts_with_friction_make_no_energy() {
    let (mut made, mut off) = (0.0f64, 0.0f64);
    for case in 0..stiction_testing::cases(60, 4_000) {
        let mut random = Numbers(37 * case as u64 + 11);
        let mut world = world();
        world.parameters.gravity = DVec3::ZERO;
        let surface = bouncy(2.0 * random.next(), [0.3, 0.7, 1.0][case % 3]);
        let solid =
            |random: &mut Numbers| Solid::random((5.0 * random.next()) as usize, 0.1 + 0.4 * random.next(), random);
        let solids = [solid(&mut random), solid(&mut random)];
        for (number, solid) in solids.iter().enumerate() {
            let position = (if number == 0 { 0.0 } else { solids[0].reach + solids[1].reach + 0.01 }) * DVec3::X;
            let pose = Pose { position: position + 0.1 * random.vector(), rotation: random.rotation() };
            let id = add_shape(&mut world, solid.shape.clone(), 0.2 + 3.0 * random.next(), pose, surface);
            let mut own = world.body_mut(id).unwrap();
            own.set_velocity((if number == 0 { 4.0 } else { -4.0 }) * DVec3::X + random.vector()).unwrap();
            own.set_omega(10.0 * random.vector()).unwrap();
        }
        let momentum = |world: &World| {
            let of = |id| body(world, id).mass() * body(world, id).velocity();
            world.body_ids().map(of).sum::<DVec3>()
        };
        let (start, before) = (energy(&world), momentum(&world));
        for _ in 0..300 {
            world.step(1e-3);
            made = made.max(energy(&world) / start - 1.0);
        }
        off = off.max((momentum(&world) - before).length());
    }
    hold("energy made by the energy before", made, 2e-3);
    hold("momentum lost [kg m/s]", off, 1e-10);
}

/// Forces that are reported, times the step, are the change of momentum, through impacts with friction too.
#[test]
fn reported_forces_of_impacts_are_the_change_of_momentum() {
    let mut all = Vec::new();
    for case in 0..stiction_testing::cases(60, 4_000) {
        let mut random = Numbers(53 * case as u64 + 7);
        let step = [1e-3, 5e-3][case % 2];
        let mut world = world();
        let surface = bouncy(random.next(), 0.7 * random.next());
        add_ground(&mut world, surface);
        let solid = Solid::random((5.0 * random.next()) as usize, 0.1 + 0.3 * random.next(), &mut random);
        let pose = Pose { position: (0.2 + solid.reach) * DVec3::Z, rotation: random.rotation() };
        let id = add_shape(&mut world, solid.shape.clone(), 0.2 + 3.0 * random.next(), pose, surface);
        let mut own = world.body_mut(id).unwrap();
        own.set_velocity(2.0 * random.vector()).unwrap();
        own.set_omega(4.0 * random.vector()).unwrap();
        let mass = body(&world, id).mass();
        let (mut largest, mut off) = (0.0f64, 0.0f64);
        for _ in 0..(0.8 / step) as usize {
            let before = body(&world, id).velocity();
            world.step(step);
            let force: DVec3 = world
                .contact_reports()
                .iter()
                .map(|report| if report.bodies[0].is_some() { report.force } else { -report.force })
                .sum();
            let gained = mass * (body(&world, id).velocity() - before + step * GRAVITY * DVec3::Z);
            largest = largest.max(gained.length());
            off = off.max((step * force - gained).length());
        }
        all.push(off / largest);
    }
    all.sort_by(f64::total_cmp);
    hold("change of momentum that 99 of 100 do not report, by the largest", all[(99 * all.len() - 1) / 100], 1e-6);
    hold_for_now("that any of them does not report", all[all.len() - 1], 0.1, 1e-6);
}
