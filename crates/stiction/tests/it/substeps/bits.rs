//! The same bits for any number of threads, and continued from a snapshot.

use super::*;
use crate::numbers::Numbers;
use stiction::contact::restitution::Restitution;

/// Islands of all kinds: leaning stacks, bouncing and rolling bodies, a pile, and a belt.
fn scene(threads: u32) -> World {
    let mut world = world();
    world.parameters.threads = threads;
    add_ground(&mut world, rough(0.6));
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
