//! A sample of the worlds of `docs/worlds_by_engine.md` keeps its numbers and its energy under the four engine types.
#![allow(clippy::unwrap_used)]

use crate::worlds::{ENGINES, KNOWN, judge, worlds};

/// Small worlds of every kind: contacts, joints, mimics, springs, stiff bodies, bodies without shapes.
const SAMPLE: [&str; 14] = [
    "benchmark/dzhanibekov.world",
    "gazebo-classic/test_worlds/box_plane_low_friction_test.world",
    "gazebo-classic/test_worlds/max_vel_test.world",
    "gazebo-classic/test_worlds/spring_damper_test.world",
    "gazebo-classic/test_worlds/universal_joint_test.world",
    "gazebo-classic/worlds/shapes.world",
    "gz-sim/examples/auto_inertia_pendulum.sdf",
    "gz-sim/examples/nested_model.sdf",
    "gz-sim/examples/world_joint.sdf",
    "gz-sim/test/contact.sdf",
    "gz-sim/test/falling.sdf",
    "gz-sim/test/friction.sdf",
    "gz-sim/test/joint_velocity_limit.sdf",
    "gz-sim/test/revolute_joint.sdf",
];

#[test]
fn small_worlds_keep_their_energy_under_every_type() {
    let Some(shared) = stiction_testing::shared("") else { return };
    let mut wrong = Vec::new();
    for world in SAMPLE {
        for engine in ENGINES {
            let judged = judge(&shared, &shared.join("worlds").join(world), engine).unwrap();
            assert!(judged.is_finite, "{judged:?}");
            // A reason that is no longer needed is to go.
            if judged.is_sound() == judged.excuse().is_some() {
                wrong.push(format!("{judged:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_page_has_every_world_and_a_reason_for_each_that_makes_energy() {
    let Some(shared) = stiction_testing::shared("") else { return };
    let page = include_str!("../../../../docs/worlds_by_engine.md");
    let folder = shared.join("worlds");
    let paths = worlds(&folder).unwrap();
    assert!(paths.len() >= 86, "{}", paths.len());
    for path in paths {
        let name = path.strip_prefix(&folder).unwrap().display().to_string();
        assert!(page.contains(&format!("| `{name}` |")), "{name} is missing: cargo xtask worlds");
    }
    let rows = || page.lines().filter(|line| line.starts_with("| `"));
    assert!(rows().all(|row| row.matches('×').count() == ENGINES.len() && !row.contains("not finite")));
    let marked = rows().map(|row| row.matches("× (").count()).sum::<usize>();
    assert_eq!(marked, KNOWN.len());
}
