//! The same bits for any number of threads, and continued from a snapshot.

use super::*;
use crate::numbers::Numbers;
use stiction::contact::restitution::Restitution;
use stiction::joints::{JointDefinition, JointKind};
use stiction::world::{BodyDefinition, Mimic};

/// Islands of all kinds: leaning stacks, bouncing and rolling bodies, a pile, and a belt.
fn scene(threads: u32) -> World {
    let mut world = world();
    world.parameters.threads = threads;
    add_ground(&mut world, rough(0.6));
    // On triangles fewer pairs are worth a thread.
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| DVec3::new(x, y, 0.1));
    let sheet = Shape::triangle_mesh(&corners, &[[0, 1, 2], [0, 2, 3]]).unwrap();
    attach(&mut world, sheet, None, DVec3::new(0.0, -3.0, 0.0), rough(0.6));
    add_box(&mut world, DVec3::new(0.3, 0.2, 0.1), 1.0, DVec3::new(0.0, -3.0, 0.2), 0.5);
    let mut random = Numbers(71);
    for island in 0..6 {
        let x = 3.0 * f64::from(island);
        for k in 0..5 {
            let sides = DVec3::new(0.5, 0.4, 0.3);
            let place = DVec3::new(x + 0.05 * random.signed(), 0.05 * random.signed(), 0.15 + 0.31 * f64::from(k));
            add_box(&mut world, sides, 10f64.powf(random.signed()), place, 0.5);
        }
    }
    for k in 0..40 {
        let place = DVec3::new(random.signed(), 3.0 + random.signed(), 0.3 + 0.15 * f64::from(k));
        let pose = Pose { position: place, rotation: random.rotation() };
        let surface = Surface { bounce: Some(Restitution { coefficient: 0.4, threshold: 0.1 }), ..rough(0.5) };
        let shape = match k % 4 {
            0 => Shape::sphere(0.1),
            1 => Shape::cuboid(DVec3::new(0.3, 0.2, 0.1)),
            2 => Shape::cylinder(0.1, 0.2),
            _ => Shape::capsule(0.1, 0.2),
        };
        add_shape(&mut world, shape.unwrap(), 1.0, pose, surface);
    }
    world
}

fn hashes(world: &mut World, count: usize) -> Vec<u64> {
    (0..count)
        .map(|_| {
            world.step(1.0 / 240.0);
            world.state_hash()
        })
        .collect()
}

#[test]
fn threads_change_no_bit() {
    let one = hashes(&mut scene(1), 300);
    for threads in [2, 3, 8] {
        assert!(hashes(&mut scene(threads), 300) == one, "{threads} threads");
    }
}

#[test]
fn a_snapshot_goes_on_with_the_same_bits() {
    let mut world = scene(1);
    hashes(&mut world, 150);
    let snapshot = world.snapshot();
    let straight = hashes(&mut world, 150);
    world.restore(&snapshot);
    assert!(hashes(&mut world, 150) == straight, "restored");
    let mut other = scene(3);
    other.restore(&snapshot);
    assert!(hashes(&mut other, 150) == straight, "elsewhere");
    assert!(other.snapshot() == world.snapshot(), "hidden state");
}

/// Who edits a body has everything looked at. This edit wakes nobody.
fn look_at_everything(world: &mut World, body: BodyId) {
    let mut body = world.body_mut(body).unwrap();
    body.set_max_angular_speed(1.0);
    body.set_max_angular_speed(f64::INFINITY);
}

/// A world at rest does not look at its pairs, and has the same bits as one that does.
#[test]
fn what_is_at_rest_is_not_looked_at_and_goes_on_with_the_same_bits() {
    let build = || {
        let mut world = world();
        add_ground(&mut world, rough(0.6));
        let mut boxes = Vec::new();
        for stack in 0..5 {
            for k in 0..4 {
                let place = DVec3::new(f64::from(stack) + 0.02 * f64::from(k), 0.0, 0.101 + 0.202 * f64::from(k));
                // Some are on lighter ones: impacts on these are looked for.
                let mass = f64::from(1 + 3 * (k % 2));
                boxes.push(add_box(&mut world, DVec3::new(0.4, 0.3, 0.2), mass, place, 0.5));
            }
        }
        // Beside a box, and closer than the margin to it.
        boxes.push(add_box(&mut world, DVec3::splat(0.2), 1.0, DVec3::new(0.0, 0.252, 0.101), 0.5));
        (world, boxes)
    };
    let ((mut calm, boxes), (mut other, _)) = (build(), build());
    let mut unchanged = [0, 0];
    for step in 0..1200 {
        for world in [&mut calm, &mut other] {
            // What is pushed, and what comes, is seen.
            if (700..760).contains(&step) {
                world.body_mut(boxes[7]).unwrap().add_force(DVec3::new(30.0, 0.0, 0.0));
            }
            if step == 900 {
                let pose = Pose { position: DVec3::new(2.0, 0.0, 3.0), rotation: DQuat::IDENTITY };
                add_shape(world, Shape::sphere(0.1).unwrap(), 1.0, pose, rough(0.5));
                let above = Pose { position: DVec3::new(1.06, 0.0, 3.0), rotation: DQuat::IDENTITY };
                add_shape(world, Shape::cuboid(DVec3::splat(0.2)).unwrap(), 9.0, above, rough(0.5));
            }
        }
        look_at_everything(&mut other, boxes[3]);
        calm.step(1.0 / 240.0);
        other.step(1.0 / 240.0);
        assert!(calm.state_hash() == other.state_hash(), "step {step}");
        unchanged[0] += u32::from(calm.report().counts.pairs_unchanged > 0);
        unchanged[1] += u32::from(other.report().counts.pairs_unchanged > 0);
    }
    assert!(unchanged[0] > 400 && unchanged[1] == 0, "{unchanged:?}");
}

/// The same of random shapes that fall, settle, and are pushed.
#[test]
fn random_shapes_that_settle_have_the_same_bits_looked_at_or_not() {
    let mut unchanged = 0;
    for seed in 0..stiction_testing::cases(6, 2000) {
        let build = || {
            let mut random = Numbers(1000 + seed as u64);
            let mut world = world();
            // In every third one bodies fall asleep, and some wake.
            world.parameters.sleeping = seed % 3 == 0;
            world.parameters.auto_disable.enabled = true;
            add_ground(&mut world, rough(0.6));
            let count = 4 + seed % 12;
            let bodies: Vec<BodyId> = (0..count)
                .map(|k| {
                    // What is round rolls for ever: in every second one there are boxes alone.
                    let kind = if seed % 2 == 0 { 5.0 * random.next() } else { 4.0 };
                    let shape = match kind as u32 {
                        0 => Shape::sphere(0.1),
                        1 => Shape::cylinder(0.12, 0.1),
                        2 => Shape::capsule(0.08, 0.2),
                        _ => Shape::cuboid(DVec3::new(0.3, 0.2, 0.1)),
                    };
                    let place = DVec3::new(0.4 * random.signed(), 0.4 * random.signed(), 0.2 + 0.3 * k as f64);
                    let pose = Pose { position: place, rotation: random.rotation() };
                    add_shape(&mut world, shape.unwrap(), [1.0, 4.0][k % 2], pose, rough(0.5))
                })
                .collect();
            (world, bodies)
        };
        let ((mut calm, bodies), (mut other, _)) = (build(), build());
        let pushed = bodies[seed % bodies.len()];
        for step in 0..1500 {
            for world in [&mut calm, &mut other] {
                if (1000..1020).contains(&step) {
                    world.body_mut(pushed).unwrap().add_force(DVec3::new(10.0, 5.0, 2.0));
                }
                if step == 1200 {
                    bodies.iter().for_each(|body| world.body_mut(*body).unwrap().enable());
                }
            }
            look_at_everything(&mut other, bodies[0]);
            calm.step(1.0 / 240.0);
            other.step(1.0 / 240.0);
            assert!(calm.state_hash() == other.state_hash(), "seed {seed}, step {step}");
            unchanged += u32::from(calm.report().counts.pairs_unchanged > 0);
        }
    }
    assert!(unchanged > 200, "{unchanged}");
}

/// Sweeps leave out pairs that are apart, and have the same bits as those that look at all.
#[test]
fn sweeps_have_the_same_bits_with_pairs_left_out_or_not() {
    for preset in [Preset::OdeQuick, Preset::Bullet] {
        let mut left_out = [0, 0];
        for seed in 0..stiction_testing::cases(3, 500) {
            let build = || {
                let mut random = Numbers(3000 + seed as u64);
                let mut parameters = WorldParameters::default();
                preset.apply(&mut parameters);
                let mut world = World::new(parameters);
                add_ground(&mut world, rough(0.6));
                let bodies: Vec<BodyId> = (0..12)
                    .map(|k| {
                        let shape = match k % 4 {
                            0 => Shape::sphere(0.1),
                            1 => Shape::cylinder(0.12, 0.1),
                            2 => Shape::capsule(0.08, 0.2),
                            _ => Shape::cuboid(DVec3::new(0.3, 0.2, 0.1)),
                        };
                        let place = DVec3::new(0.3 * random.signed(), 0.3 * random.signed(), 0.2 + 0.2 * f64::from(k));
                        let pose = Pose { position: place, rotation: random.rotation() };
                        add_shape(&mut world, shape.unwrap(), 1.0, pose, rough(0.5))
                    })
                    .collect();
                (world, bodies)
            };
            let ((mut sparse, bodies), (mut other, _)) = (build(), build());
            for step in 0..800 {
                look_at_everything(&mut other, bodies[0]);
                sparse.step(1.0 / 240.0);
                other.step(1.0 / 240.0);
                assert!(sparse.state_hash() == other.state_hash(), "{preset:?}, seed {seed}, step {step}");
                left_out[0] += u32::from(sparse.report().counts.pairs_apart > 0);
                left_out[1] += u32::from(other.report().counts.pairs_apart > 0);
            }
        }
        assert!(left_out[0] > 100, "{left_out:?}");
    }
}

/// Joints that follow each other from some step on are one island then.
#[test]
fn a_joint_that_comes_to_follow_another_follows_it() {
    let mut world = world();
    add_ground(&mut world, rough(0.6));
    add_box(&mut world, DVec3::splat(0.2), 1.0, DVec3::new(0.0, 3.0, 0.1), 0.5);
    let mut arm = |x: f64, length: f64| {
        let mass = Shape::cuboid(DVec3::new(0.05, 0.05, length)).unwrap().mass_properties(1000.0).unwrap();
        let pose = Pose::from_position(DVec3::new(x, 0.1 * length, 2.0 - 0.5 * length));
        let id = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
        let joint = JointDefinition::new(JointKind::Hinge, Some(id), None).at(DVec3::new(x, 0.0, 2.0));
        world.add_joint(joint.with_axis(0, DVec3::X)).unwrap()
    };
    let joints = [arm(0.0, 0.5), arm(1.0, 1.0)];
    for _ in 0..200 {
        world.step(1.0 / 240.0);
    }
    let [leader, follower] = joints.map(|joint| (joint, 0));
    let offset = world.joint(joints[1]).unwrap().position(0) - world.joint(joints[0]).unwrap().position(0);
    world.add_mimic(Mimic { follower, leader, multiplier: 1.0, offset, reference: 0.0 }).unwrap();
    for _ in 0..200 {
        world.step(1.0 / 240.0);
        let [a, b] = joints.map(|joint| world.joint(joint).unwrap().position(0));
        assert!((b - a - offset).abs() < 1e-2, "{a} {b}");
    }
}
