//! `stiction explain WORD...` and `stiction` alone, as a user calls them.

#![allow(clippy::unwrap_used)]

use crate::common;

use std::path::Path;
use std::process::Output;

use stiction_run::{Stage, Symptom, find_symptoms};

fn stiction(folder: &Path, arguments: &[&str]) -> Output {
    common::stiction(folder).args(arguments).output().unwrap()
}

/// Exit code, stdout and stderr of `stiction explain`.
fn explain(arguments: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let output = stiction(folder.path(), &[&["explain"], arguments].concat());
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn answer(arguments: &[&str]) -> String {
    let (code, text, error) = explain(arguments);
    assert_eq!(code, 0, "{arguments:?}: {error}");
    text
}

#[test]
fn without_arguments_it_says_what_to_do_next() {
    let folder = tempfile::tempdir().unwrap();
    let output = stiction(folder.path(), &[]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
    assert!((5..=12).contains(&text.lines().count()), "{text}");
    for word in ["stiction run tower", "stiction check", "stiction explain slip", "--help"] {
        assert!(text.contains(word), "{word}");
    }
    // The commands are real.
    assert!(
        stiction(folder.path(), &["run", "tower", "--plot", "tower.svg", "--plot-of", "height", "--steps", "5"])
            .status
            .success()
    );
    assert!(folder.path().join("tower.svg").exists());
    assert_eq!(stiction(folder.path(), &["nonsense"]).status.code(), Some(2));
    assert_eq!(stiction(folder.path(), &["--help"]).status.code(), Some(0));
}

#[test]
fn an_answer_is_a_screen_with_parameters_commands_and_a_page() {
    for symptom in Symptom::ALL {
        for engine in ["ode-quick", "bullet", "drake-continuous", "simbody"] {
            let text = answer(&[symptom.name, "--engine", engine]);
            assert!(text.starts_with(&format!("{}: ", symptom.name)), "{text}");
            assert!(text.lines().count() <= 28, "{}: {} lines", symptom.name, text.lines().count());
            assert!(text.contains(&format!("parameters under {engine} (--engine)")), "{text}");
            assert!(text.contains(&symptom.recipe()) && text.contains("before") && text.contains("after"), "{text}");
        }
    }
    insta::assert_snapshot!(answer(&["slip"]));
}

#[test]
fn words_are_accepted_in_every_form() {
    let one = answer(&["My wheels slip!"]);
    assert_eq!(one, answer(&["my", "wheels", "slip"]));
    assert_eq!(one, answer(&["WHEELS", "slipping"]));
    assert!(one.starts_with("wheels slip: ") && one.contains("also: `stiction explain slips`"), "{one}");
    assert!(answer(&["why does it fall through the floor?"]).starts_with("falls through: "));
}

#[test]
fn the_engine_in_use_is_that_of_the_option_or_of_the_file() {
    assert!(answer(&["slip"]).contains("parameters under ode-quick (default; "));
    let drake = answer(&["--engine", "drake-discrete", "slip"]);
    assert!(drake.contains("drake-discrete (--engine)") && drake.contains("mapped"), "{drake}");
    assert!(drake.contains("without effect here: surface.friction.ode.mu2"), "{drake}");
    let file = answer(&["slip", "symptoms/slope"]);
    assert!(file.contains("parameters under ode-quick (of symptoms/slope)"), "{file}");
    assert!(file.contains("0.2 (<bundled>/worlds/symptoms/slope.world:"), "{file}");
    let changed = answer(&[
        "symptoms/slope",
        "slip",
        "--set",
        "model.box.link.link.collision.collision.surface.friction.ode.mu=0.7",
    ]);
    assert!(changed.contains("0.7 (--set"), "{changed}");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("dart.world"),
        "<sdf version='1.9'><world name='w'><physics type='dart'/></world></sdf>",
    )
    .unwrap();
    let output = stiction(folder.path(), &["explain", "sinks", "dart.world"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("parameters under dart (of dart.world)"), "{output:?}");
}

#[test]
fn parameters_and_files_keep_their_answers() {
    assert!(answer(&["mu"]).starts_with("surface.friction.ode.mu\n"));
    assert!(answer(&["mu"]).contains("without fdir1, on level ground"));
    assert!(!answer(&["kp"]).contains("without fdir1"));
    assert!(answer(&["surface.friction.ode.mu"]).starts_with("surface.friction.ode.mu\n"));
    assert!(answer(&["symptoms/slope"]).starts_with("engine ode-quick"));
    // A word that is a parameter as well leads to both.
    assert!(answer(&["friction"]).contains("parameter of that name: `stiction explain axis.dynamics.friction`"));
    assert!(answer(&["axis.dynamics.friction"]).starts_with("axis.dynamics.friction\n"));
    // A file of that name is the file.
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("slip"), "<sdf version='1.9'><world name='mine'/></sdf>").unwrap();
    let output = stiction(folder.path(), &["explain", "slip"]);
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("engine "), "{output:?}");
}

#[test]
fn faults_have_their_exit_codes() {
    let fault = |arguments: &[&str], expected: i32, words: &[&str]| {
        let (code, _, error) = explain(arguments);
        assert_eq!(code, expected, "{arguments:?}: {error}");
        assert!(words.iter().all(|word| error.contains(word)), "{arguments:?}: {error}");
        assert!(error.len() < 1500, "{arguments:?}: {} bytes", error.len());
    };
    fault(&["frictiom"], 2, &["`friction`", "falls through"]);
    fault(&["itres"], 2, &["physics.ode.solver.iters"]);
    fault(&["erp"], 2, &["end of several parameters"]);
    fault(&["xyzzy", "plugh"], 2, &["symptoms: slips"]);
    fault(&["slip", "--engine", "nonsense"], 2, &["ode-quick", "simbody"]);
    fault(&["slip", "absent.world"], 1, &["absent.world"]);
    fault(&["slip", "--pair", "a,b"], 2, &["--pair"]);
    fault(&[""], 2, &["symptoms:"]);
    fault(&["滑る", "🤖"], 2, &["symptoms:"]);
    fault(&[&"ab ".repeat(4000)], 2, &["symptoms:"]);
    assert!(answer(&[&format!("slip {}", "z".repeat(10_000))]).starts_with("slips"));
}

#[test]
fn json_has_the_same() {
    let json: serde_json::Value =
        serde_json::from_str(&answer(&["wheels", "slip", "--json", "symptoms/wheels"])).unwrap();
    assert_eq!((json["symptom"].as_str(), json["engine"].as_str()), (Some("wheels slip"), Some("ode-quick")));
    let parameters = json["parameters"].as_array().unwrap();
    let mu2 = parameters.iter().find(|p| p["path"] == "surface.friction.ode.mu2").unwrap();
    assert_eq!((mu2["values"][0]["value"].as_str(), mu2["use"].as_str()), (Some("0.05"), Some("used")));
    for key in ["answer", "causes", "ignored", "recipe", "pages", "others"] {
        assert!(!json[key].is_null(), "{key}");
    }
    let stages = &json["demonstration"];
    for stage in ["before", "after"] {
        assert!(stages[stage]["command"].as_str().unwrap().starts_with("stiction run symptoms/wheels"));
        assert!(stages[stage]["value"].is_string(), "{stages}");
    }
    let slip: serde_json::Value = serde_json::from_str(&answer(&["slip", "--json"])).unwrap();
    assert_eq!(slip["parameter"]["path"], "surface.friction.torsional.ode.slip");
}

/// Every command, pasted: words as a shell separates them.
#[test]
fn every_command_runs_as_it_is_printed_and_is_the_run_that_was_measured() {
    let folder = tempfile::tempdir().unwrap();
    for symptom in Symptom::ALL {
        for demonstration in symptom.demonstrations {
            for stage in [Stage::Before, Stage::After] {
                let engine = demonstration.engines[0];
                let command = demonstration.command(engine, stage);
                let words: Vec<String> = command.split(' ').skip(1).map(|word| word.replace('\'', "")).collect();
                assert!(!words.iter().any(String::is_empty), "{command}");
                let words: Vec<&str> = words.iter().map(String::as_str).chain(["--json", "--quiet"]).collect();
                let output = stiction(folder.path(), &words);
                assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
                let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
                let mut run = demonstration.start(engine, stage).unwrap();
                run.advance(demonstration.duration).unwrap();
                assert_eq!(json["state_hash"], run.summary(0.0).json()["state_hash"], "{command}");
            }
        }
    }
    for name in ["before.svg", "after.svg"] {
        assert!(folder.path().join(name).exists(), "{name}");
    }
}

#[test]
fn the_recipes_of_the_readme_are_in_the_table() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap();
    let grasp = &find_symptoms("grasp")[0].demonstrations[0];
    for stage in [Stage::Before, Stage::After] {
        let command = grasp.command("ode-quick", stage);
        let (without_plot, _) = command.split_once(" --plot").unwrap();
        assert!(readme.contains(without_plot), "{without_plot}");
    }
    assert!(readme.contains("stiction explain slip") && readme.contains("docs/symptoms.md"));
}
