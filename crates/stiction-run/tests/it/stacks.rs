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

/// What rests under Simbody's stiff contacts is still, light or heavy, alone or in a stack: an explicit scheme takes steps as long as
/// stability allows there, and leaves as much motion as the accuracy permits.
#[test]
fn what_rests_under_simbody_is_still() {
    let ground = "<model name='g'><static>1</static><link name='l'><collision name='c'><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>";
    for (shape, height) in [
        ("<box><size>.2 .3 .2</size></box>", 0.2),
        ("<cylinder><radius>.1</radius><length>.15</length></cylinder>", 0.15),
        ("<sphere><radius>.1</radius></sphere>", 0.2),
    ] {
        let most = if shape.contains("sphere") { 1 } else { 3 };
        for (mass, count) in [(0.1, 1), (1.0, most), (50.0, most)] {
            let inertia = 0.006 * mass;
            let bodies: String = (0..count)
                .map(|k| {
                    let z = height * (f64::from(k) + 0.5);
                    format!("<model name='b{k}'><pose>0 0 {z} 0 0 0</pose><link name='l'><inertial><mass>{mass}</mass><inertia><ixx>{inertia}</ixx><iyy>{inertia}</iyy><izz>{inertia}</izz></inertia></inertial><collision name='c'><geometry>{shape}</geometry></collision></link></model>")
                })
                .collect();
            let text = format!("<sdf version='1.7'><world name='w'>{ground}{bodies}</world></sdf>");
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("rest.sdf");
            std::fs::write(&file, text).unwrap();
            let mut run = Setup::new(&file).engine("simbody").start().unwrap();
            run.advance(1.0).unwrap();
            let mut fastest = 0.0_f64;
            for _ in 0..200 {
                run.step().unwrap();
                for k in 0..count {
                    fastest = fastest.max(run.link(Quantity::Speed, &format!("b{k}::l")).unwrap().length());
                }
            }
            assert!(fastest < 1e-3, "{shape}, {mass} kg, {count}: {fastest} m/s");
        }
    }
}
