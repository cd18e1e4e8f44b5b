//! Surfaces that run, and edges that are flush.

use super::*;
use crate::numbers::Numbers;
use stiction::world::BodyDefinition;

/// A chassis on two tracks whose surfaces run: half length and half width of a track, half the distance of the two.
fn crawler(world: &mut World, [length, width, apart]: [f64; 3], speeds: [f64; 2], yaw: f64) -> BodyId {
    let mass = box_mass(DVec3::new(2.0 * length, 2.0 * apart, 0.1), 12.0);
    let pose = Pose { position: DVec3::Z * 0.05, rotation: DQuat::from_rotation_z(yaw) };
    let id = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
    for (side, speed) in [1.0, -1.0].into_iter().zip(speeds) {
        let shape = Shape::cuboid(DVec3::new(2.0 * length, 2.0 * width, 0.1)).unwrap();
        let surface = Surface { belt: Some(DVec3::Y * speed), ..rough(0.5) };
        attach(world, shape, Some(id), DVec3::Y * (side * apart), surface);
    }
    id
}

#[test]
fn tracks_turn_on_the_spot_with_equal_loads_and_drive_straight() {
    let (mut turn, mut way, mut load, mut straight) = (0.0f64, 0.0f64, 0.0f64, 0.0f64);
    for case in 0..stiction_testing::cases(12, 2_000) {
        let mut random = Numbers(61 * case as u64 + 37);
        let step = [1e-3, 1.0 / 240.0, 1.0 / 120.0][case % 3];
        let size = if case == 0 {
            [0.2, 0.04, 0.15]
        } else {
            [0.15 + 0.15 * random.next(), 0.03 + 0.03 * random.next(), 0.12 + 0.1 * random.next()]
        };
        let (speed, yaw) = (0.3, 6.3 * random.next());
        let mut world = world();
        add_ground(&mut world, rough(0.5));
        let id = crawler(&mut world, size, [-speed, speed], yaw);
        run(&mut world, step, 10.0);
        let [a, b, d] = size;
        // Each patch turns as fast as the whole: its force and its moment have one bound.
        let expected = d * speed / (d * d + a * a + b * b);
        let found = body(&world, id).omega().z;
        let loads: Vec<f64> = world.contact_reports().iter().map(|c| c.force.z.abs()).collect();
        let mean = 12.0 * GRAVITY / 8.0;
        load = loads.iter().map(|l| (l / mean - 1.0).abs()).fold(load, f64::max);
        turn = turn.max((found.abs() / expected - 1.0).abs());
        way = way.max(at(&world, id).with_z(0.0).length());
        let mut world = super::world();
        add_ground(&mut world, rough(0.5));
        let id = crawler(&mut world, size, [speed; 2], yaw);
        run(&mut world, step, 5.0);
        let v = body(&world, id).velocity();
        let expected = speed * DVec3::new(yaw.cos(), yaw.sin(), 0.0);
        straight = straight.max((v.length() - speed).abs().max((v - expected).length().min((v + expected).length())));
    }
    hold("turn of tracks", turn, 0.01);
    hold("way of tracks that turn [m]", way, 0.01);
    hold("loads of tracks", load, 0.01);
    hold_for_now("velocity of tracks that drive [m/s]", straight, 5e-4, 1e-6);
}

#[test]
fn flush_tiles_and_walls_cost_nothing() {
    let (mut worst, mut aside, mut lift) = ([0.0f64; 2], 0.0f64, 0.0f64);
    for case in 0..stiction_testing::cases(100, 2_000) {
        let mut random = Numbers(67 * case as u64 + 41);
        let step = [1e-3, 1.0 / 240.0][case % 2];
        let (mu, speed) = (0.1 + 0.2 * random.next(), 1.0 + 2.0 * random.next());
        let sides = DVec3::new(0.2 + 0.3 * random.next(), 0.2 + 0.3 * random.next(), 0.05 + 0.1 * random.next());
        let mut world = world();
        let mut x = -1.0;
        while x < 6.0 {
            let length = 0.2 + 0.6 * random.next();
            let center = x + 0.5 * length;
            attach(
                &mut world,
                Shape::cuboid(DVec3::new(length, 2.0, 0.2)).unwrap(),
                None,
                DVec3::new(center, 0.0, -0.1),
                rough(mu),
            );
            // The wall's tiles are others than the floor's.
            let wall = Shape::cuboid(DVec3::new(length, 0.2, 1.0)).unwrap();
            attach(&mut world, wall, None, DVec3::new(center + 0.1, -0.5 * sides.y - 0.1, 0.5), rough(0.0));
            x += length;
        }
        let id = flat_box(&mut world, sides, 1.0, [0.0; 2], 0.0, mu);
        world.body_mut(id).unwrap().set_velocity(DVec3::X * speed).unwrap();
        let push = if case % 4 < 2 { 0.0 } else { -2.0 * random.next() };
        let mut high = 0.0f64;
        for _ in 0..((speed / (mu * GRAVITY) + 0.2) / step) as usize {
            world.body_mut(id).unwrap().add_force(DVec3::Y * push);
            world.step(step);
            high = high.max((at(&world, id).z - 0.5 * sides.z).abs());
        }
        let end = at(&world, id);
        let error = (end.x / (speed * speed / (2.0 * mu * GRAVITY)) - 1.0).abs();
        let of = &mut worst[usize::from(push != 0.0)];
        *of = of.max(error);
        aside = aside.max(end.y.abs());
        lift = lift.max(high);
    }
    hold("stopping distance over tiles", worst[0], 0.005);
    hold("stopping distance, pressed against the wall", worst[1], 0.005);
    hold_for_now("aside [m]", aside, 2e-3, 1e-4);
    hold("lift [m]", lift, 1e-4);
}

/// How far a box goes that starts with its front before an edge of flush tiles, and sunk into them, by what it should [m].
fn way_past_an_edge(gap: f64, sunk: f64) -> f64 {
    let (sides, mu, speed, edge) = (DVec3::new(0.4, 0.3, 0.1), 0.2, 2.0, 0.25);
    let mut world = world();
    for (from, to) in [(-1.0, edge), (edge, 4.0)] {
        let tile = Shape::cuboid(DVec3::new(to - from, 2.0, 0.2)).unwrap();
        attach(&mut world, tile, None, DVec3::new(0.5 * (from + to), 0.0, -0.1), rough(mu));
    }
    let start = edge - gap - 0.5 * sides.x;
    let id = flat_box(&mut world, sides, 1.0, [start, 0.0], 0.0, mu);
    let place = at(&world, id) - DVec3::Z * sunk;
    let mut own = world.body_mut(id).unwrap();
    own.set_pose(&Pose::from_position(place)).unwrap();
    own.set_velocity(DVec3::X * speed).unwrap();
    run(&mut world, 1e-3, 2.0);
    (at(&world, id).x - start) / (speed * speed / (2.0 * mu * GRAVITY))
}

#[test]
fn edges_that_the_first_step_comes_to_stop_nothing() {
    hold("across a gap", (way_past_an_edge(1.5e-3, 0.0) - 1.0).abs(), 0.005);
    hold("past it by less than it has sunk", (way_past_an_edge(-5e-7, 1e-6) - 1.0).abs(), 0.005);
}
