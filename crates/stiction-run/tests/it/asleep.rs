//! Contacts of bodies that sleep count: as many as of the same bodies that may not sleep.

use stiction_run::{Quantity, Setup};

#[test]
fn contacts_between_bodies_that_sleep_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("w.world");
    for (engine, count) in [("ode", 1), ("ode-world", 3), ("bullet", 2), ("ode", 5)] {
        let run = |may_sleep: bool| {
            // Boxes of several sizes beside each other, on four corners each.
            let boxes: String = (0..count)
                .map(|k| {
                    let size = 0.4 + 0.1 * f64::from(k);
                    format!(
                        "<model name=\"b{k}\"><allow_auto_disable>{may_sleep}</allow_auto_disable><pose>{k} 0 {} 0 0 0</pose><link name=\"l\">\
                         <inertial auto=\"true\"/><collision name=\"c\"><geometry><box><size>{size} {size} {size}</size></box></geometry></collision></link></model>",
                        0.5 * size
                    )
                })
                .collect();
            let text = format!(
                "<sdf version=\"1.9\"><world name=\"w\"><include><uri>model://ground_plane</uri></include>{boxes}</world></sdf>"
            );
            std::fs::write(&path, text).expect("a file");
            let mut run = Setup::new(&path).engine(engine).start().unwrap_or_else(|error| panic!("{error}"));
            run.advance(5.0).expect("steps");
            let world = &run.simulation().world;
            let asleep = world.body_ids().filter(|id| world.body(*id).is_some_and(|body| !body.is_enabled())).count();
            let mean = run.summary(0.0).json()["contacts_mean"].as_f64().expect("a number");
            (mean, run.total(Quantity::Contacts), asleep)
        };
        let (awake, asleep) = (run(false), run(true));
        assert_eq!((awake.2, asleep.2), (0, count as usize), "{engine}");
        assert_eq!((awake.1, asleep.1), (4.0 * f64::from(count), 4.0 * f64::from(count)), "{engine}");
        assert!((asleep.0 - awake.0).abs() < 0.01 * awake.0, "{engine}: {} {}", asleep.0, awake.0);
    }
}
