//! Boxes that stand on each other run under the engines of continuous time.

use stiction_run::{Quantity, Setup};

/// Faces that lie on each other: with one point of contact each, error control came to an end after 13 ms.
#[test]
fn stacks_of_boxes_run_in_continuous_time() {
    for (world, top) in [("tower", "box_11"), ("friction_pyramid", "box_24")] {
        let mut run = Setup::new(world).engine("drake-continuous").start().unwrap();
        let names: Vec<String> = run.simulation().links.iter().map(|link| link.name.clone()).collect();
        let link = names.iter().find(|name| name.starts_with(top)).unwrap_or_else(|| panic!("{world}: {names:?}"));
        let before = run.link(Quantity::Height, link).unwrap().z;
        run.advance(1.0).unwrap();
        let after = run.link(Quantity::Height, link).unwrap().z;
        let speed = run.link(Quantity::Speed, link).unwrap().length();
        assert!((run.time() - 1.0).abs() < 1e-9, "{world}: stopped at {} s", run.time());
        // The pyramid slides on its slope; what carries eleven boxes sinks in by some millimetres.
        let is_tower = world == "tower";
        assert!(!is_tower || (before - after).abs() < 0.03 && speed < 0.01, "{world}: {before} m, then {after} m");
    }
}
