//! A step gives the same bits on any number of threads: states, contact forces and reports.

use stiction::world::{Coordinates, HybridRule, Preset, WorldParameters};
use stiction_scenes::{Scene, builtin};

/// Presets, coordinates, and sweeps alone.
fn settings() -> Vec<(String, WorldParameters)> {
    let mut all = Vec::new();
    for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
        for preset in [Preset::Ode, Preset::OdeWorld, Preset::OdeQuick, Preset::DrakeDiscrete] {
            let mut parameters = WorldParameters { coordinates, ..WorldParameters::default() };
            preset.apply(&mut parameters);
            all.push((format!("{} {coordinates:?}", preset.name()), parameters));
        }
    }
    let sweeps = WorldParameters { hybrid: HybridRule::Off, accelerated: true, ..WorldParameters::default() };
    all.push(("accelerated sweeps".to_owned(), sweeps));
    all
}

/// What every step of a run says, without its speed.
fn run(scene: &Scene, parameters: &WorldParameters, threads: u32, steps: usize) -> Vec<String> {
    let parameters = WorldParameters { threads, ..parameters.clone() };
    let mut loaded = scene.build(parameters).expect("a built-in scene");
    let mut told = Vec::new();
    for _ in 0..steps {
        loaded.step();
        let world = &loaded.world;
        told.push(format!("{:016x} {:?} {:?}", world.state_hash(), world.report(), world.contact_reports()));
    }
    told
}

#[test]
fn the_bits_do_not_depend_on_the_number_of_threads() {
    let step = 1.0 / 120.0;
    let scenes = [
        builtin::boxes(150, step, 0),
        builtin::pile(6, step, 0),
        builtin::pyramid(10, step, 0),
        builtin::ragdolls(6, step, 0),
        builtin::chain(30, step, 0),
    ];
    for scene in &scenes {
        for (name, parameters) in settings() {
            let one = run(scene, &parameters, 1, 25);
            for threads in [2, 3, 8] {
                let several = run(scene, &parameters, threads, 25);
                let first = one.iter().zip(&several).position(|(a, b)| a != b);
                assert_eq!(first, None, "{} {name}: {threads} threads differ from one in step {first:?}", scene.name);
            }
        }
    }
}

#[test]
fn the_number_of_threads_may_change_on_the_way() {
    let scene = builtin::boxes(150, 1.0 / 120.0, 0);
    let one = run(&scene, &WorldParameters::default(), 1, 30);
    let mut loaded = scene.build(WorldParameters::default()).expect("a built-in scene");
    for (number, told) in one.iter().enumerate() {
        loaded.world.parameters.threads = [1, 3, 2, 8, 5][number / 6];
        loaded.step();
        assert_eq!(
            told.split(' ').next(),
            Some(format!("{:016x}", loaded.world.state_hash()).as_str()),
            "step {number}"
        );
    }
}
