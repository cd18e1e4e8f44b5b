//! `stiction compare` as a user calls it.

#![allow(clippy::unwrap_used)]

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

/// A ball that falls, by the name of its model, and a static ground.
fn world(folder: &Path, model: &str) -> PathBuf {
    let path = folder.join("fall.world");
    let text = format!(
        r#"<sdf version="1.9"><world name="fall">
  <physics type="ode"><max_step_size>0.001</max_step_size></physics>
  <include><uri>model://ground_plane</uri></include>
  <model name="{model}"><pose>0 0 20 0 0 0</pose><link name="link"><inertial><mass>1</mass></inertial>
    <collision name="c"><geometry><sphere><radius>0.5</radius></sphere></geometry></collision></link></model>
</world></sdf>"#
    );
    fs::write(&path, text).unwrap();
    path
}

fn stiction(folder: &Path, file: &Path, arguments: &[&str]) -> Output {
    common::stiction(folder).arg("compare").arg(file).args(arguments).output().unwrap()
}

fn compare(arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let file = world(folder.path(), "ball");
    stiction(folder.path(), &file, arguments)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const TWO_GRAVITIES: [&str; 6] =
    ["--duration", "1", "--case", "earth=gravity=0 0 -9.8", "--case", "less=gravity=0 0 -9.0"];

#[test]
fn the_table_tells_every_figure() {
    let output = compare(&TWO_GRAVITIES);
    assert!(output.status.success(), "{}", text(&output.stderr));
    // The clock's figures differ from run to run.
    let masked: Vec<String> = text(&output.stdout)
        .lines()
        .map(|line| match line.split_once(']') {
            Some((label, _)) if line.starts_with("speed") || line.starts_with("time a step") => format!("{label}] ..."),
            _ => line.to_owned(),
        })
        .collect();
    insta::assert_snapshot!(masked.join("\n"));
}

#[test]
fn the_figures_are_those_of_run_and_of_the_closed_form() {
    let output = compare(&[&TWO_GRAVITIES[..], &["--json"]].concat());
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((json["reference"].as_str(), json["duration"].as_f64()), (Some("earth"), Some(1.0)));
    let cases = json["cases"].as_array().unwrap();
    assert!(cases[0]["path_difference"].is_null());
    let difference = &cases[1]["path_difference"];
    // Steps that move by their new velocity: Δg h² n (n + 1) / 2.
    let wanted = 0.8 * 1e-6 * 1000.0 * 1001.0 / 2.0;
    assert!((difference["max"].as_f64().unwrap() / wanted - 1.0).abs() < 1e-12, "{difference}");
    assert_eq!((difference["link"].as_str(), difference["time"].as_f64()), (Some("ball::link"), Some(1.0)));
    // The mean square of one link that moves.
    let squares: f64 = (0..=1000).map(|n| (0.4e-6 * f64::from(n) * f64::from(n + 1)).powi(2)).sum();
    assert!((difference["rms"].as_f64().unwrap() / (squares / 1001.0).sqrt() - 1.0).abs() < 1e-12, "{difference}");
    assert_eq!(json["parameters"].as_array().unwrap().len(), 1);
    assert_eq!(json["parameters"][0]["cases"]["less"]["value"], "0 0 -9.0");

    let folder = tempfile::tempdir().unwrap();
    let file = world(folder.path(), "ball");
    let run = common::stiction(folder.path())
        .args(["run", "--duration", "1", "--json", "--set", "gravity=0 0 -9.0"])
        .arg(&file)
        .output()
        .unwrap();
    let run: Value = serde_json::from_slice(&run.stdout).unwrap();
    for key in ["state_hash", "steps", "sim_time", "contacts_max", "penetration_max", "energy_end", "energy_balance"] {
        assert_eq!(cases[1][key], run[key], "{key}");
    }
}

#[test]
fn cases_are_engines_and_sets_by_either_option() {
    let names = |arguments: &[&str]| {
        let output = compare(&[&["--steps", "3", "--json"], arguments].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        let names: Vec<String> =
            json["cases"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap().to_owned()).collect();
        (names.join(" "), json["reference"].as_str().unwrap().to_owned())
    };
    let (all, reference) = names(&[]);
    assert!(
        ["ode-world", "ode-quick", "drake-discrete", "drake-continuous", "agx"].iter().all(|e| all.contains(e)),
        "{all}"
    );
    assert!(all.starts_with(&reference));
    let first = |arguments: &[&str]| names(arguments).0;
    assert_eq!(first(&["--engines", "agx,ode-world"]), "agx ode-world");
    assert_eq!(first(&["--with", "file,agx"]), "file agx");
    let case = ["--case", "soft=physics.ode.constraints.erp=0.1"];
    assert_eq!(first(&[&["--with", "file,soft,agx"], &case[..]].concat()), "file soft agx");
    assert_eq!(first(&[&["--with", "file"], &case[..]].concat()), "file soft");
    assert_eq!(names(&["--with", "file,agx", "--reference", "agx"]).1, "agx");
}

#[test]
fn what_cannot_be_compared_is_told() {
    for (arguments, code, expected) in [
        (&["--engines", "ode-world"][..], 2, "nothing to compare: `ode-world` is the only case; `--engines a,b`"),
        (&["--engine", "ode-world"], 2, "nothing to compare: `ode-world` is the only case"),
        (&["--case", "a=gravity=0 0 -1"], 2, "`--with file,NAME`"),
        (&["--engines", "agx,agx"], 2, "two cases have the name `agx`"),
        (&["--case", "a=", "--case", "a="], 2, "two cases have the name `a`"),
        (&["--engines", "agx,ode-wrld"], 2, "engine `ode-wrld`: did you mean `ode-world`?"),
        (&["--engines", "agx,"], 2, "engine ``: expected one of"),
        (&["--case", "a"], 2, "--case `a`: expected NAME=PATH=VALUE"),
        (&["--case", "a=step-size=0", "--case", "b="], 2, "step size 0 s"),
        (&["--with", "file,agx", "--reference", "agy"], 2, "did you mean `agx`?"),
        (&["--case", "a=physics.ode.solver.iter=3", "--case", "b="], 1, "physics.ode.solver.iters"),
        (&["--case", "a=contact.stifness=3", "--case", "b="], 1, "contact.stiffness"),
        (&["--case", "a=contact.bounds=maybe", "--case", "b="], 1, "contact.bounds"),
        (&["--with", "file,agx", "--force", "bll::link=1,0,0"], 1, "did you mean `ball::link`?"),
        (&["--with", "file,agx", "--plot", "a.gif"], 2, ".svg or .png"),
        (&["--with", "file,agx", "--plot", "a.svg", "--plot-of", "hight"], 2, "did you mean `height`?"),
        (&["--with", "file,agx", "--plot", "a.svg", "--plot-of", "height:bal"], 1, "did you mean `ball::link`?"),
        (&["--with", "file,agx", "--duration=-1"], 2, "expected a time in seconds"),
    ] {
        let output = compare(arguments);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
        assert!(stderr.contains(expected), "{arguments:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

fn parse(text: &str) -> roxmltree::Document<'_> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    roxmltree::Document::parse_with_options(text, options).unwrap()
}

/// Names that would end an attribute, an element or a table, if they were not escaped.
const HOSTILE: &str = "&lt;script>alert(1)&lt;/script>&amp;&quot;'";

#[test]
fn the_report_is_one_page_that_holds_nothing_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let file = world(folder.path(), HOSTILE);
    let (page, plot) = (folder.path().join("report.html"), folder.path().join("plot.svg"));
    let arguments = [
        "--duration",
        "0.5",
        "--case",
        "<img onerror 'a'>,\"b\"=gravity=0 0 -9.8",
        "--case",
        "</style></script>&amp;=gravity=0 0 -9.0,step-size=0.0007",
        "--with",
        "file,agx",
        "--html",
        page.to_str().unwrap(),
        "--plot",
        plot.to_str().unwrap(),
    ];
    let output = stiction(folder.path(), &file, &arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report = fs::read_to_string(&page).unwrap();
    assert!(!report.contains("http"), "nothing comes from elsewhere");
    for text in [&report, &fs::read_to_string(&plot).unwrap()] {
        let document = parse(text);
        for node in document.descendants().filter(roxmltree::Node::is_element) {
            let name = node.tag_name().name();
            assert!(!["script", "img", "link", "iframe", "object", "image", "use"].contains(&name), "{name}");
            for attribute in node.attributes() {
                assert!(!["src", "href", "onerror", "srcset", "data"].contains(&attribute.name()), "{attribute:?}");
            }
        }
    }
    let document = parse(&report);
    let all: String = document.descendants().filter(|n| n.is_text()).filter_map(|n| n.text()).collect();
    for name in ["<img onerror 'a'>,\"b\"", "</style></script>&amp;", "<script>alert(1)</script>&\"'::link"] {
        assert!(all.contains(name), "{name}");
    }
    // A chart of differences, and of height, speed and energy at least; a table of figures and of parameters.
    let count = |tag: &str| document.descendants().filter(|n| n.tag_name().name() == tag).count();
    assert!(count("svg") >= 4 && count("table") == 2, "{} charts, {} tables", count("svg"), count("table"));
    // Every chart but that of differences has a line for each case.
    let is_line = |n: &roxmltree::Node| n.has_tag_name("polyline") && n.attribute("stroke") != Some("#000000");
    for chart in document.descendants().filter(|n| n.has_tag_name("svg")).skip(1) {
        assert_eq!(chart.descendants().filter(is_line).count(), 4, "{:?}", chart.attribute("aria-label"));
    }
    // What a style sheet, an attribute or an element names is not there.
    assert!(!report.contains("@import") && !report.contains("url("));
}

#[test]
fn a_case_that_fails_has_its_row_and_the_code_of_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let file = world(folder.path(), "ball");
    let page = folder.path().join("report.html");
    let heavy = ["--with", "file,heavy", "--case", "heavy=gravity=0 0 -9.81", "--duration", "1"];
    let rest = ["--fail-if", "speed>9.805", "--html", page.to_str().unwrap()];
    let output = stiction(folder.path(), &file, &[&heavy[..], &rest].concat());
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stdout));
    let table = text(&output.stdout);
    let outcome = table.lines().find(|line| line.starts_with("outcome")).unwrap();
    assert_eq!(outcome.split_whitespace().collect::<Vec<_>>(), ["outcome", "done", "condition"], "{table}");
    assert!(text(&output.stderr).contains("error: case `heavy`: fail-if `speed>9.805` was true first in step"));
    assert!(fs::read_to_string(&page).unwrap().contains("<td class=\"failed\">condition</td>"));
}

#[test]
fn a_world_that_every_engine_refuses_is_wrong_input() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wire.sdf");
    let point = "<free><position>0 0 1</position></free>";
    let world = format!(
        r#"<sdf version="1.9" xmlns:stiction="https://stiction.dev/sdf"><world name="w">
        <model name="m"><link name="l"/></model><stiction:wire name="h">{point}{point}</stiction:wire></world></sdf>"#
    );
    fs::write(&file, world).unwrap();
    let output =
        stiction(folder.path(), &file, &["--engines", "ode-world,ode-quick", "--html", "r.html", "--plot", "r.svg"]);
    assert_eq!(output.status.code(), Some(1), "as `run` has it");
    assert!(text_of_outcome(&output).contains("refused"));
    assert!(text(&output.stderr).contains("error: case `ode-quick`: h: point 1 of the wire's route"));
    parse(&fs::read_to_string(folder.path().join("r.html")).unwrap());
}

fn text_of_outcome(output: &Output) -> String {
    text(&output.stdout).lines().find(|line| line.starts_with("outcome")).unwrap().to_owned()
}

/// Worlds of which there is little to tell.
#[test]
fn worlds_without_motion_and_runs_without_steps_are_told_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("empty.sdf");
    for (content, steps, expected) in [
        ("", "5", "path differences of agx: none, since there are no links in common"),
        ("<include><uri>model://ground_plane</uri></include>", "5", "path differences of agx: at 6 times"),
        ("<include><uri>model://ground_plane</uri></include>", "0", "path differences of agx: at the start only"),
    ] {
        fs::write(&file, format!(r#"<sdf version="1.9"><world name="w">{content}</world></sdf>"#)).unwrap();
        let arguments = ["--engines", "ode-world,agx", "--steps", steps, "--html", "r.html", "--plot", "r.png"];
        let output = stiction(folder.path(), &file, &arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains(expected), "{}", text(&output.stdout));
        parse(&fs::read_to_string(folder.path().join("r.html")).unwrap());
    }
}
