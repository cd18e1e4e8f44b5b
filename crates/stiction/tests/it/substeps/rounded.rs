//! Balls, capsules and cylinders that roll: their points are kept while they hardly move, and nothing drives or brakes them.

use super::*;
use crate::numbers::Numbers;
use stiction::shape::TriangleMesh;
use stiction::world::BodyDefinition;

const STEP: f64 = 1.0 / 240.0;
const RADIUS: f64 = 0.1;

/// Grounds: a plane, a box, flat triangles, and a heavy box that is free.
fn ground(world: &mut World, kind: usize) {
    let surface = rough(0.8);
    let flat = Shape::cuboid(DVec3::new(8.0, 8.0, 1.0)).unwrap();
    match kind {
        0 => attach(world, Shape::plane(DVec3::Z, 0.0).unwrap(), None, DVec3::ZERO, surface),
        1 => attach(world, flat, None, DVec3::new(0.0, 0.0, -0.5), surface),
        2 => {
            let side = |k: usize| -4.0 + 0.7 * k as f64;
            let places: Vec<DVec3> = (0..144).map(|k| DVec3::new(side(k % 12), side(k / 12), 0.0)).collect();
            let cells = (0..121u32).map(|k| k % 11 + 12 * (k / 11));
            let triangles: Vec<[u32; 3]> = cells.flat_map(|a| [[a, a + 1, a + 13], [a, a + 13, a + 12]]).collect();
            let mesh = TriangleMesh::new(&places, &triangles).unwrap();
            attach(world, Shape::TriangleMesh(mesh.into()), None, DVec3::ZERO, surface);
        }
        _ => {
            attach(world, Shape::plane(DVec3::Z, -1.0).unwrap(), None, DVec3::ZERO, surface);
            let pose = Pose::from_position(DVec3::new(0.0, 0.0, -0.5));
            add_shape(world, flat, 1e6, pose, surface);
        }
    }
}

/// A ball, a capsule, or a cylinder.
fn shapes() -> [Shape; 3] {
    [Shape::sphere(RADIUS).unwrap(), Shape::capsule(RADIUS, 0.4).unwrap(), Shape::cylinder(RADIUS, 0.3).unwrap()]
}

/// A shape that lies on z = 0 and rolls at a speed across its axis, which has a yaw.
fn rolling(world: &mut World, shape: &Shape, speed: f64, yaw: f64) -> (BodyId, DVec3) {
    let shape = shape.clone();
    let lies = DQuat::from_rotation_z(yaw) * DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let pose = Pose { position: DVec3::new(-0.013, 0.021, RADIUS), rotation: lies };
    let id = add_shape(world, shape, 1.0, pose, rough(0.8));
    let way = DQuat::from_rotation_z(yaw) * DVec3::X;
    world.body_mut(id).unwrap().set_velocity(speed * way).unwrap();
    world.body_mut(id).unwrap().set_omega(speed / RADIUS * DVec3::Z.cross(way)).unwrap();
    (id, way)
}

#[test]
fn what_rolls_slowly_or_fast_is_neither_driven_nor_braked() {
    let mut random = Numbers(11);
    let mut worst: f64 = 0.0;
    for kind in 0..4 {
        for (number, shape) in shapes().iter().enumerate() {
            for speed in [1e-5, 1e-4, 1e-3, 3e-3, 1e-2, 0.1, 1.0] {
                let mut world = world();
                ground(&mut world, kind);
                let (id, way) = rolling(&mut world, shape, speed, 6.3 * random.next());
                // The load comes to its depth.
                run(&mut world, STEP, 0.5);
                let before = body(&world, id).velocity().dot(way);
                run(&mut world, STEP, 2.0);
                let after = body(&world, id).velocity();
                let off = (after.dot(way) - before).abs() + (after - after.dot(way) * way).length();
                let slip = (body(&world, id).omega().cross(DVec3::Z) * RADIUS - after).length();
                println!("{kind} {number} {speed:.0e}: {:.2e} off, {slip:.2e} slip", off / speed);
                worst = worst.max(off.max(slip) / speed.max(1e-3));
            }
        }
    }
    hold("change of the speed, by the speed or 1 mm/s", worst, 3e-4);
}

/// Edges of triangles in one plane are no obstacles, however fast and in whatever direction something rolls over them.
#[test]
fn flat_triangles_are_rolled_over_without_gain_or_loss() {
    let mut random = Numbers(29);
    let (mut worst, mut lifted) = (0.0f64, 0.0f64);
    for case in 0..36 {
        let step = [1e-3, STEP][case % 2];
        let shape = &shapes()[case / 2 % 3];
        let mut world = world();
        ground(&mut world, 2);
        let (id, _) = rolling(&mut world, shape, 1.0 + random.next(), 6.3 * random.next());
        run(&mut world, step, 0.1);
        let before = energy(&world);
        for _ in 0..(1.2 / step) as usize {
            world.step(step);
            lifted = lifted.max((at(&world, id).z - RADIUS).abs());
        }
        worst = worst.max((energy(&world) / before - 1.0).abs());
    }
    hold("energy of what rolls over flat triangles, off by", worst, 1e-6);
    hold("its height, off by [m]", lifted, 3e-5);
}

/// A ball off the centre of its body, as a foot has, rests as one in the centre does.
#[test]
fn balls_at_the_ends_of_a_rod_rest_and_rock_without_loss() {
    let mut world = world();
    ground(&mut world, 0);
    let mass = Shape::cuboid(DVec3::new(0.6, 0.1, 0.1)).unwrap().mass_properties(1000.0).unwrap();
    let pose = Pose::from_position(DVec3::new(0.0, 0.0, RADIUS));
    let id = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
    for x in [-0.3, 0.3] {
        attach(&mut world, Shape::sphere(RADIUS).unwrap(), Some(id), DVec3::new(x, 0.0, 0.0), rough(0.8));
    }
    // Rolls about its own axis as a capsule does.
    let speed = 0.2;
    world.body_mut(id).unwrap().set_velocity(speed * DVec3::Y).unwrap();
    world.body_mut(id).unwrap().set_omega(-speed / RADIUS * DVec3::X).unwrap();
    // The load comes to its depth.
    run(&mut world, STEP, 0.5);
    let (start, before) = (at(&world, id).y, energy(&world));
    run(&mut world, STEP, 4.0);
    hold("way of balls on one axis [m]", (at(&world, id).y - start - 4.0 * speed).abs(), 1e-3);
    let kinetic = 0.5 * body(&world, id).mass() * speed * speed;
    hold("their energy", (energy(&world) - before).abs() / kinetic, 1e-3);
}

/// What lies between others keeps its points.
#[test]
fn points_of_what_rests_are_kept_however_it_was_turned() {
    let mut random = Numbers(5);
    for shape in &shapes() {
        let mut world = world();
        ground(&mut world, 3);
        for k in 0..6 {
            let (id, _) = rolling(&mut world, shape, 0.0, 6.3 * random.next());
            let pose = body(&world, id).pose();
            let place = DVec3::new(k as f64 - 2.5, 0.0, 0.0);
            world.body_mut(id).unwrap().set_pose(&Pose { position: pose.position + place, ..pose }).unwrap();
        }
        run(&mut world, STEP, 3.0);
        let counts = world.report().counts;
        assert_eq!(counts.patches_kept, counts.patches, "{shape:?}");
        assert!(counts.patches >= 7);
    }
}
