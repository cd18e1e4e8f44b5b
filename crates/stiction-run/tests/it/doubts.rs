//! What a run warns of and fails on, and what it must not.
#![allow(clippy::unwrap_used, missing_docs)]

use serde_json::Value;
use stiction_run::{Run, Setup};

/// Runs elements of a world under an engine.
fn run(engine: &str, step: f64, gravity: &str, elements: &str, duration: f64) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.sdf");
    let text = format!(
        "<sdf version='1.11'><world name='w'><physics type='ode'><max_step_size>{step}</max_step_size></physics>\
         <gravity>{gravity}</gravity>{elements}</world></sdf>"
    );
    std::fs::write(&path, text).unwrap();
    let mut run = Setup::new(path).engine(engine).start().unwrap();
    let _ = run.advance(duration);
    run
}

fn number(run: &Run, path: &str) -> f64 {
    run.summary(0.0).json().pointer(path).and_then(Value::as_f64).unwrap()
}

fn says(run: &Run, words: &str) -> bool {
    run.warnings().iter().any(|warning| warning.contains(words))
}

const GROUND: &str = "<model name='ground'><static>true</static><link name='l'><collision name='c'><geometry><plane>\
    <normal>0 0 1</normal></plane></geometry></collision></link></model>";

/// Two links in a row, whose hinges have what is given.
fn two_links(first: &str, second: &str) -> String {
    let link = |name: &str, x: f64| {
        format!(
            "<link name='{name}'><pose>{x} 0 0 0 0 0</pose><inertial><mass>1</mass><inertia><ixx>0.0004</ixx><iyy>0.0135</iyy>\
             <izz>0.0135</izz></inertia></inertial></link>"
        )
    };
    let joint = |name: &str, parent: &str, child: &str, what: &str| {
        format!(
            "<joint name='{name}' type='revolute'><pose>-0.2 0 0 0 0 0</pose><parent>{parent}</parent><child>{child}</child>\
             <axis><xyz>0 1 0</xyz>{what}</axis></joint>"
        )
    };
    let (links, joints) =
        (link("a", 0.2) + &link("b", 0.6), joint("j", "world", "a", first) + &joint("k", "a", "b", second));
    format!("<model name='m'>{links}{joints}</model>")
}

/// Followers with an offset or a reference, and stops that the file violates: what closes them is of the file, with every engine.
#[test]
fn joints_that_the_file_has_off_do_not_explode() {
    let mimic = |offset: f64, reference: f64| {
        format!(
            "<mimic joint='j'><multiplier>2</multiplier><offset>{offset}</offset><reference>{reference}</reference></mimic>"
        )
    };
    let stop = "<limit><lower>0.5</lower><upper>1</upper></limit>".to_owned();
    for engine in [
        "stiction",
        "ode-world",
        "ode-quick",
        "bullet",
        "bullet-featherstone",
        "dart",
        "agx",
        "simbody",
        "drake-continuous",
    ] {
        for (first, second) in
            [(String::new(), mimic(0.5, 0.0)), (String::new(), mimic(0.0, 0.3)), (stop.clone(), String::new())]
        {
            let run = run(engine, 1e-3, "0 0 0", &two_links(&first, &second), 1.0);
            let share = number(&run, "/energy_balance/made/share");
            // Where a tree hits its other stop at 25 rad a step, 3 % is left to the time step.
            let most = if engine == "bullet-featherstone" && !first.is_empty() { 0.05 } else { 0.01 };
            assert!(share < most && run.failure().is_none(), "{engine} {first}{second}: {share} {:?}", run.failure());
        }
    }
}

/// Links that fold onto each other: the gap of 6e-5 m of arms of 0.25 m is none.
#[test]
fn folded_links_are_not_apart() {
    let link = |name: &str, z: f64, parent: &str| {
        format!(
            "<link name='{name}'><pose>0 0 {z} 0 0 0</pose><inertial><mass>1</mass><inertia><ixx>0.021</ixx><iyy>0.021</iyy>\
             <izz>0.0004</izz></inertia></inertial></link><joint name='j{name}' type='revolute'><pose>0 0 0.25 0 0 0</pose>\
             <parent>{parent}</parent><child>{name}</child><axis><xyz>0 1 0</xyz></axis></joint>"
        )
    };
    let model = link("a", -0.25, "world") + &link("b", -0.75, "a");
    let elements = format!("<model name='m'><pose>0 0 3 0 1.3 0</pose>{model}</model>");
    let run = run("ode-world", 1e-3, "0 0 -9.8", &elements, 30.0);
    assert!(!says(&run, "separated"), "{:?}", run.warnings());
}

/// Friction bounds taken once are judged as they were taken.
#[test]
fn a_tumbling_box_under_dart_is_solved() {
    let drop = "<model name='b'><pose>0 0 0.6 0.5 0.4 0</pose><plugin name='v' filename='libInitialVelocityPlugin.so'><linear>\
        1 0.5 0</linear><angular>0 0 0</angular></plugin><link name='l'><pose>0 0 0 0 0 0</pose><inertial><mass>1.0</m\
        ass><inertia><ixx>0.010833333333333334</ixx><iyy>0.01666666666666667</iyy><izz>0.020833333333333332</izz></ine\
        rtia></inertial><collision name='c'><geometry><box><size>0.4 0.3 0.2</size></box></geometry></collision></link\
        ></model>";
    let run = run("dart", 1e-3, "0 0 -9.8", &format!("{GROUND}{drop}"), 2.0);
    assert!(!says(&run, "the solver was"), "{:?}", run.warnings());
}

/// A run that stands still because nothing gives finite numbers has failed.
#[test]
fn a_run_that_is_passed_over_fails() {
    let spring =
        "<dynamics><spring_stiffness>1e300</spring_stiffness><spring_reference>1e300</spring_reference></dynamics>";
    let run = run("simbody", 1e-3, "0 0 -9.8", &two_links(spring, ""), 0.05);
    assert!(run.failure().is_some(), "{:?}", run.warnings());
}

/// A world far from the origin, or deep below it, has not left itself; what falls out of it has.
#[test]
fn only_what_leaves_its_world_has_left_it() {
    let text = |x: f64, z: f64, floor: bool| {
        let ground = "<model name='g'><static>1</static><link name='l'><collision name='c'><geometry><box><size>9 9 1</size></box></geometry></collision></link></model>";
        let ground = if floor {
            ground.replace("<static>", &format!("<pose>{x} 0 {} 0 0 0</pose><static>", z - 0.6))
        } else {
            String::new()
        };
        format!(
            "<sdf version='1.7'><world name='w'>{ground}<model name='b'><pose>{x} 0 {z} 0 0 0</pose><link name='l'><inertial><mass>1</mass></inertial><collision name='c'><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link></model></world></sdf>"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    for (x, z, floor, leaves) in
        [(4.6e6, 0.0, true, false), (0.0, -3000.0, true, false), (0.0, 1.0, false, true), (5e5, 0.0, false, true)]
    {
        let file = folder.path().join("w.sdf");
        std::fs::write(&file, text(x, z, floor)).unwrap();
        let mut setup = stiction_run::Setup::new(&file);
        setup.no_ground = true;
        let mut run = setup.start().unwrap();
        run.advance(5.0).unwrap();
        let found = run.doubts().iter().any(|doubt| doubt.contains("has left the world"));
        assert_eq!(found, leaves, "{x} {z} {floor}: {:?}", run.doubts());
    }
}

#[test]
fn more_iterations_are_advised_where_there_are_sweeps() {
    // Wheels without slip that a motor starts: AGX's split of friction leaves velocity, which falls with the step alone.
    let wheel = |name: &str, y: f64| {
        format!(
            "<link name='{name}'><pose>0 {y} .1 0 0 0</pose><inertial><mass>.5</mass><inertia><ixx>.01</ixx><iyy>.01</iyy><izz>.01</izz>\
             </inertia></inertial><collision name='c'><geometry><sphere><radius>.1</radius></sphere></geometry></collision></link>\
             <joint name='j{name}' type='revolute'><parent>base</parent><child>{name}</child><axis><xyz>0 1 0</xyz></axis><physics>\
             <ode><max_force>100</max_force><velocity>5</velocity></ode></physics></joint>"
        )
    };
    let car = format!(
        "<model name='car'><link name='base'><pose>0 0 .2 0 0 0</pose><inertial><mass>5</mass><inertia><ixx>.2</ixx><iyy>.2</iyy>\
         <izz>.2</izz></inertia></inertial><collision name='c'><pose>-.2 0 -.1 0 0 0</pose><geometry><sphere><radius>.1</radius></sphere>\
         </geometry></collision></link>{}{}</model>",
        wheel("lw", 0.2),
        wheel("rw", -0.2)
    );
    let mut seen = false;
    for engine in crate::common::ENGINES {
        let run = run(engine, 0.001, "0 0 -9.8", &format!("{GROUND}{car}"), 0.5);
        let is_swept = matches!(engine, "stiction" | "ode-quick" | "ode" | "bullet" | "bullet-featherstone");
        assert!(is_swept || !says(&run, "more iterations"), "{engine}: {:?}", run.warnings());
        seen |= !is_swept && says(&run, "the solver was up to");
    }
    assert!(seen, "no engine without sweeps leaves a residual: the scene judges nothing");
}

/// What sweeps leave unsolved is told where it is seen: a row off by more than 1 cm/s, and more than 1 mm in all over the run. Stacks that
/// fall onto the ground, with few and many sweeps, against the sum of the reports.
#[test]
fn the_solver_is_doubted_for_a_way_that_is_seen() {
    let (mut told, mut short) = (0, 0);
    for case in 0..stiction_testing::cases(24, 400) {
        let (boxes, sweeps, drop) = (1 + case % 6, [1, 2, 5, 50][case / 6 % 4], 0.02 + 0.01 * (case % 7) as f64);
        let stack: String = (0..boxes)
            .map(|k| {
                let z = 0.1 + drop + 0.2 * k as f64;
                format!(
                    "<model name='b{k}'><pose>{} 0 {z} 0.02 0 0</pose><link name='l'><inertial><mass>{}</mass><inertia><ixx>0.01</ixx>\
                     <iyy>0.01</iyy><izz>0.01</izz></inertia></inertial><collision name='c'><geometry><box><size>0.2 0.2 0.2</size></box>\
                     </geometry></collision></link></model>",
                    0.01 * k as f64,
                    1 + 3 * k
                )
            })
            .collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w.sdf");
        std::fs::write(&path, format!("<sdf version='1.9'><world name='w'>{GROUND}{stack}</world></sdf>")).unwrap();
        let setup = Setup::new(path).engine("ode-quick").set("contact.hybrid", "off");
        let mut run = setup.set("physics.ode.solver.iters", sweeps).start().unwrap();
        let (mut way, mut worst) = (0.0, 0.0_f64);
        for _ in 0..500 {
            run.step().unwrap();
            let off = run.simulation().world.report().worst.map_or(0.0, |row| row.residual.max(0.0));
            (way, worst) = (way + 1e-3 * off, worst.max(off));
        }
        let expected = worst > 1e-2 && way > 1e-3;
        assert_eq!(says(&run, "the solver was up to"), expected, "case {case}: {way} m, {worst} m/s");
        told += usize::from(expected);
        short += usize::from(worst > 1e-2 && !expected);
    }
    assert!(told > 0 && short > 0, "{told} {short}");
}
