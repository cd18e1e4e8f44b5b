//! Scenes survive being written and read, and stand as worlds.

use stiction::world::WorldParameters;
use stiction_scenes::{TextError, builtin, parse, write};

#[test]
fn every_scene_reads_back_as_it_was_written() {
    for scene in [
        builtin::pyramid(4, 1.0 / 240.0, 10),
        builtin::pile(3, 1.0 / 240.0, 10),
        builtin::boxes(5, 1.0 / 240.0, 10),
        builtin::chain(4, 1.0 / 240.0, 10),
        builtin::quadrupeds(2, 0.002, 10),
        builtin::ragdolls(2, 1.0 / 240.0, 10),
    ] {
        assert_eq!(parse(&write(&scene)).unwrap(), scene);
        let mut loaded = scene.build(WorldParameters::default()).unwrap();
        for _ in 0..scene.steps {
            assert!(loaded.step().quarantined.is_empty());
        }
    }
}

#[test]
fn a_small_pyramid_stands() {
    let scene = builtin::pyramid(5, 1.0 / 240.0, 240);
    let mut loaded = scene.build(WorldParameters::default()).unwrap();
    for _ in 0..scene.steps {
        loaded.step();
    }
    for (body, before) in loaded.bodies.iter().zip(&scene.bodies) {
        let moved = loaded.world.body(*body).unwrap().center_of_mass() - before.pose.position;
        assert!(moved.length() < 5e-3, "{moved}");
    }
}

#[test]
fn a_servo_holds_a_beam() {
    let text = "dt 0.002\ngravity 0 0 -9.81\nbody 0 -1 1 0.1 0.1 0.1 0.5 0 0 1 0 0 0 0 0 0 0 0 0 none\n\
                joint hinge -1 0 0 0 0 0 1 0 400 20\n";
    let mut loaded = parse(text).unwrap().build(WorldParameters::default()).unwrap();
    (0..3000).for_each(|_| {
        loaded.step();
    });
    // kp q = m g l cos q
    let q = loaded.world.joint(loaded.joints[0]).unwrap().position(0);
    assert!((400.0 * q.abs() - 9.81 * 0.5 * q.cos()).abs() < 1e-6, "{q}");
}

#[test]
fn what_cannot_be_read_is_told_by_line() {
    let field = "scene terrain\nhfield 2 1 1\n0 0\n0\n";
    assert_eq!(parse(field), Err(TextError::Value { line: 4, what: "height" }));
    assert_eq!(parse("dt x"), Err(TextError::Value { line: 1, what: "step" }));
    assert_eq!(parse("\nwall"), Err(TextError::Unknown { line: 2, word: "wall".into() }));
}

#[test]
fn a_ball_rests_on_a_height_field() {
    let text = "dt 0.01\nhfield 3 2 1\n0.5 0.5 0.5\n0.5 0.5 0.5\n0.5 0.5 0.5\n\
                body 0 0 1 0.1 0.1 0.1 0.3 0.2 1.0 1 0 0 0 0 0 0 0 0 0 sphere 0.4 0 0 0\n";
    let scene = parse(text).unwrap();
    assert_eq!(parse(&write(&scene)).as_ref(), Ok(&scene));
    let mut loaded = scene.build(WorldParameters::default()).unwrap();
    (0..200).for_each(|_| {
        loaded.step();
    });
    let z = loaded.world.body(loaded.bodies[0]).unwrap().pose().position.z;
    assert!((z - 0.9).abs() < 2e-3, "{z}");
}
