//! Friction of boxes and stacks by Coulomb's law.

use super::*;
use crate::numbers::Numbers;

/// Boxes of one size on each other, turned, the lowest on z = 0.
fn stack(world: &mut World, count: usize, mus: &[f64], yaw: f64, random: &mut Numbers) -> Vec<BodyId> {
    let (mut z, mut bodies) = (0.0, Vec::new());
    for k in 0..count {
        let sides = DVec3::new(0.3 + 0.2 * random.next(), 0.3 + 0.2 * random.next(), 0.05 + 0.03 * random.next());
        let at = Pose { position: DVec3::Z * (z + 0.5 * sides.z), rotation: DQuat::from_rotation_z(yaw) };
        let mass = 10f64.powf(random.signed() * 0.5);
        bodies.push(add_shape(world, Shape::cuboid(sides).unwrap(), mass, at, rough(mus[k])));
        z += sides.z;
    }
    bodies
}

/// Gravity on a slope that falls along an angle from x.
fn slope(tangent: f64, along: f64) -> DVec3 {
    let (sin, cos) = tangent.atan().sin_cos();
    GRAVITY * DVec3::new(sin * along.cos(), sin * along.sin(), -cos)
}

/// Angle between a way and a direction [rad].
fn off(way: DVec3, along: f64) -> f64 {
    let d = DVec3::new(along.cos(), along.sin(), 0.0);
    way.with_z(0.0).cross(d).length().atan2(way.dot(d))
}

#[test]
fn boxes_and_stacks_slide_straight_and_stop_where_coulomb_says() {
    let (mut turned, mut wrong, mut apart) = (0.0f64, 0.0f64, 0.0f64);
    for case in 0..stiction_testing::cases(24, 10_000) {
        let mut random = Numbers(31 * case as u64 + 5);
        let (count, step) = (1 + case % 3, [1.0 / 240.0, 1.0 / 500.0, 1e-3][(case / 3) % 3]);
        let (mu, along, speed) = (0.2 + 0.3 * random.next(), 6.3 * random.next(), 1.0 + 2.0 * random.next());
        let mut world = world();
        add_ground(&mut world, rough(1.0));
        let mus = [mu, 0.9, 0.9];
        let yaw = 6.3 * random.next();
        let bodies = stack(&mut world, count, &mus, yaw, &mut random);
        // What rests first has its loads.
        run(&mut world, step, 0.2);
        let starts: Vec<DVec3> = bodies.iter().map(|id| at(&world, *id)).collect();
        for id in &bodies {
            let v = speed * DVec3::new(along.cos(), along.sin(), 0.0);
            world.body_mut(*id).unwrap().set_velocity(v).unwrap();
        }
        run(&mut world, step, speed / (mu * GRAVITY) + 0.3);
        let way = speed * speed / (2.0 * mu * GRAVITY);
        for (id, start) in bodies.iter().zip(&starts) {
            let gone = at(&world, *id) - *start;
            turned = turned.max(off(gone, along));
            let error = (gone.with_z(0.0).length() / way - 1.0).abs();
            wrong = wrong.max(error);
            apart = apart.max((gone - (at(&world, bodies[0]) - starts[0])).length());
        }
    }
    hold("sliding direction [deg]", turned.to_degrees(), 0.1);
    hold("stopping distance", wrong, 0.005);
    // A box more stops by a step later or earlier.
    hold("boxes of a stack apart after sliding [m]", apart, 2e-3);
}

/// How near to the threshold a stack is judged. Wanted is 0.001 at every step: soft rest overlaps tilt a stack by about `g h²`.
fn nearness(count: usize, step: f64) -> f64 {
    if count == 1 || step < 1.0 / 400.0 {
        0.001
    } else if step < 1.0 / 200.0 {
        0.005
    } else {
        0.02
    }
}

#[test]
fn slopes_hold_up_to_the_friction_coefficient() {
    let (mut creep, mut of_one, mut of_stacks) = (0.0f64, 0.0f64, 0.0f64);
    for case in 0..stiction_testing::cases(24, 10_000) {
        let count = 1 + case % 3;
        let step = [1.0 / 240.0, 1.0 / 500.0, 1.0 / 120.0][(case / 3) % 3];
        for side in [-1.0, 1.0] {
            let share = 1.0 + side * nearness(count, step);
            let mut random = Numbers(37 * case as u64 + 11);
            let (mu, along) = (0.1 + 0.4 * random.next(), 6.3 * random.next());
            let g = slope(share * mu, along);
            let mut world = tilted(slope(0.9 * mu, along));
            // A pair is as rough as the smoother of two: what slides is the stack from one of its boxes on.
            let first = (3.0 * random.next()) as usize % count;
            let mus = [0, 1, 2].map(|k| if k < first { 0.9 } else { mu });
            add_ground(&mut world, rough(0.9));
            let yaw = 6.3 * random.next();
            let bodies = stack(&mut world, count, &mus, yaw, &mut random);
            let speed = |world: &World| body(world, bodies[first]).velocity().with_z(0.0).length();
            run(&mut world, step, 1.0);
            world.parameters.gravity = g;
            run(&mut world, step, 0.5);
            let before = speed(&world);
            run(&mut world, step, 1.0);
            let after = speed(&world);
            let error = ((after - before) / ((share - 1.0) * mu * -g.z) - 1.0).abs();
            match (share < 1.0, count) {
                (true, _) => creep = creep.max(after),
                (false, 1) => of_one = of_one.max(error),
                (false, _) => of_stacks = of_stacks.max(error),
            }
        }
    }
    hold("speed below the threshold [m/s]", creep, 1e-6);
    hold("acceleration above the threshold, of that of Coulomb", of_one, 1e-3);
    hold("the same of stacks", of_stacks, 0.7);
}

#[test]
fn what_sticks_does_not_creep_for_twenty_seconds() {
    let mut worst = 0.0f64;
    for case in 0..stiction_testing::cases(12, 10_000) {
        let mut random = Numbers(41 * case as u64 + 17);
        let (count, step) = (1 + case % 3, [1.0 / 240.0, 1.0 / 120.0, 1.0 / 60.0][(case / 3) % 3]);
        let mu = 0.3 + 0.3 * random.next();
        let mut world = tilted(slope(0.8 * mu, 6.3 * random.next()));
        add_ground(&mut world, rough(mu));
        let yaw = 6.3 * random.next();
        let bodies = stack(&mut world, count, &[mu; 3], yaw, &mut random);
        run(&mut world, step, 1.0);
        let before: Vec<DVec3> = bodies.iter().map(|id| at(&world, *id)).collect();
        run(&mut world, step, 20.0);
        for (id, before) in bodies.iter().zip(&before) {
            let creep = (at(&world, *id) - *before).length() / 20.0;
            worst = worst.max(creep);
        }
    }
    hold("creep [m/s]", worst, 1e-6);
}
