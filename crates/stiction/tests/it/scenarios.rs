//! Scenario files of `testdata/scenarios`, each under every preset where its law holds, in both coordinates, with 1 and 3 threads.
#![allow(clippy::unwrap_used, missing_docs)]

mod file;
mod model;

use std::path::Path;

use file::Scenario;
use model::Model;
use stiction::world::{Coordinates, Preset};

fn scenarios() -> Vec<(String, Scenario)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/scenarios");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
        .iter()
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(path).unwrap();
            (name.clone(), serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}")))
        })
        .collect()
}

/// Courses of the expected quantities, and the hash at the end.
fn run(scenario: &Scenario, preset: Preset, coordinates: Coordinates, threads: u32) -> (Vec<Vec<[f64; 2]>>, u64) {
    let mut model = Model::new(scenario, preset, coordinates, threads);
    let mut courses = vec![Vec::new(); scenario.expect.len()];
    let steps = (scenario.duration / scenario.step).round() as usize;
    for number in 0..=steps {
        if number > 0 {
            let report = model.world.step(scenario.step);
            assert!(!report.refused && report.quarantined.is_empty(), "{report:?}");
        }
        let time = number as f64 * scenario.step;
        for (course, expected) in courses.iter_mut().zip(&scenario.expect) {
            let half = 0.5 * scenario.step;
            if time > expected.from - half && time < expected.to.unwrap_or(f64::INFINITY) + half {
                course.push([time, model.value(&expected.of)]);
            }
        }
    }
    (courses, model.world.state_hash())
}

/// What of a scenario does not come out under a preset.
fn judge(name: &str, scenario: &Scenario, preset: Preset, coordinates: Coordinates) -> Vec<String> {
    let at = format!("{name} under {} in {coordinates:?}", preset.name());
    let (courses, hash) = run(scenario, preset, coordinates, 1);
    let mut wrong = Vec::new();
    for (expected, course) in scenario.expect.iter().zip(&courses) {
        let found = expected.statistic.of(course);
        let within = expected.within_under.get(preset.name()).copied().unwrap_or(expected.within);
        let error = (found - expected.is).abs();
        if std::env::var_os("SCENARIOS_SHOW").is_some() {
            println!("{at}: {:?} of {}: {found}, off by {error:.2e} of {within:.1e}", expected.statistic, expected.of);
        }
        if error.is_nan() || error > within {
            wrong.push(format!(
                "{at}: {:?} of {} is {found}, not {} within {within}",
                expected.statistic, expected.of, expected.is
            ));
        }
    }
    if run(scenario, preset, coordinates, 3).1 != hash {
        wrong.push(format!("{at}: other bits with 3 threads"));
    }
    wrong
}

#[test]
fn every_scenario_holds_under_every_preset_of_its_law() {
    let only = std::env::var("SCENARIO").unwrap_or_default();
    let (mut wrong, mut runs) = (Vec::new(), 0);
    for (name, scenario) in scenarios().iter().filter(|(name, _)| name.contains(&only)) {
        for preset in Preset::ALL.into_iter().filter(|p| !scenario.not_under.contains_key(p.name())) {
            for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
                runs += 1;
                wrong.extend(judge(name, scenario, preset, coordinates));
            }
        }
    }
    assert!(wrong.is_empty() && runs > 0, "{} of {runs} runs:\n{}", wrong.len(), wrong.join("\n"));
    println!("{runs} runs");
}

#[test]
fn the_files_say_what_they_are_about() {
    let scenarios = scenarios();
    assert!(scenarios.len() >= 15, "{}", scenarios.len());
    for (name, scenario) in scenarios {
        assert!(scenario.about.len() > 20 && !scenario.expect.is_empty(), "{name}");
        assert!(scenario.expect.iter().all(|e| e.within >= 0.0 && e.is.is_finite()), "{name}");
        for (preset, why) in &scenario.not_under {
            assert!(Preset::from_name(preset).is_some() && why.len() > 10, "{name}: {preset}");
        }
        let tolerances = scenario.expect.iter().flat_map(|e| e.within_under.keys());
        assert!(tolerances.into_iter().all(|preset| Preset::from_name(preset).is_some()), "{name}");
    }
}

#[test]
fn a_wrong_figure_and_an_unknown_key_are_noticed() {
    let text = |is: f64, more: &str| {
        format!(
            r#"{{"about": "A body falls for a second.", "step": 0.01, "duration": 1.0{more},
            "bodies": {{"ball": {{"shape": {{"sphere": 0.1}}}}}},
            "expect": [{{"of": "ball.vz", "is": {is}, "within": 1e-9}}]}}"#
        )
    };
    let judged = |is: f64| {
        let scenario: Scenario = serde_json::from_str(&text(is, "")).unwrap();
        judge("fall", &scenario, Preset::Ode, Coordinates::Maximal)
    };
    assert_eq!(judged(-9.81), Vec::<String>::new());
    assert_eq!(judged(-9.80).len(), 1);
    assert!(serde_json::from_str::<Scenario>(&text(0.0, ", \"gravitiy\": [0, 0, 0]")).is_err());
}
