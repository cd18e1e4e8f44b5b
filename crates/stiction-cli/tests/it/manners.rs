//! What the command prints where something is wrong or missing, and what it says that it wrote.
#![allow(clippy::unwrap_used)]

use crate::common;

use std::fs;
use std::path::Path;

use common::stiction;

const WORLD: &str = r#"<sdf version="1.9"><world name="w">
<model name="ground"><static>true</static><link name="link"><collision name="c"><geometry><plane/></geometry></collision></link></model>
<model name="a,b"><pose>0 0 0.5 0 0 0</pose><link name="link"><collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>
</world></sdf>"#;

/// A vehicle with a drive and an arm with a controller.
const ROBOT: &str = r#"<sdf version="1.9"><world name="w">
<model name="my bot"><link name="chassis"><pose>0 0 0.3 0 0 0</pose><inertial><mass>3</mass></inertial></link>
<link name="l"><pose>0 0.3 0.3 0 0 0</pose><inertial><mass>1</mass></inertial></link><link name="r"><pose>0 -0.3 0.3 0 0 0</pose><inertial><mass>1</mass></inertial></link>
<joint name="jl" type="revolute"><parent>chassis</parent><child>l</child><axis><xyz>0 1 0</xyz></axis></joint>
<joint name="jr" type="revolute"><parent>chassis</parent><child>r</child><axis><xyz>0 1 0</xyz></axis></joint>
<plugin name="gz::sim::systems::DiffDrive" filename="gz-sim-diff-drive-system"><left_joint>jl</left_joint><right_joint>jr</right_joint>
<wheel_separation>0.6</wheel_separation><wheel_radius>0.3</wheel_radius></plugin></model></world></sdf>"#;

/// Exit code, stdout and stderr of a call in a folder with the worlds `world.sdf` and `robot.sdf`.
fn call(folder: &Path, words: &[&str]) -> (i32, String, String) {
    let output = stiction(folder).current_dir(folder).args(words).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("world.sdf"), WORLD).unwrap();
    fs::write(folder.path().join("robot.sdf"), ROBOT).unwrap();
    fs::write(folder.path().join("empty.sdf"), "").unwrap();
    fs::create_dir(folder.path().join("nothing")).unwrap();
    folder
}

#[test]
fn wrong_calls_say_what_was_found_and_expected() {
    let folder = folder();
    for (line, code, expected) in [
        ("run world.sdf --duration -1", 2, "--duration `-1`: expected a time in seconds, 0 or more, for example 2.5"),
        ("run world.sdf --steps x", 2, "--steps `x`: expected a whole number, 0 or more, for example 1000"),
        ("run world.sdf --step-size -0.1", 2, "--step-size `-0.1`: expected a time in seconds, more than 0"),
        ("run world.sdf --threads 0", 2, "--threads `0`: expected a whole number from 1 to 1024"),
        ("run world.sdf --recrd out", 2, "--recrd: `stiction run` has no such option; did you mean `--record`?"),
        ("rn world.sdf", 2, "there is no command `rn`; did you mean `stiction run`?"),
        ("run", 2, "stiction run: expected a file of a world or model, for example `stiction run tower`"),
        ("run world.sdf --steps 1 --duration 1", 2, "cannot be combined with --duration"),
        ("run world.sdf --record-format xml --record o", 2, "--record-format `xml`: expected one of csv, arrow, mcap"),
        ("run world.sdf --record-rate 5", 2, "--record-rate without --record: nothing is recorded"),
        ("run world.sdf --record-contacts", 2, "--record-contacts without --record: nothing is recorded"),
        ("run world.sdf --record o.csv", 2, "--record `o.csv`: expected a folder"),
        ("run world.sdf --record world.sdf", 1, "world.sdf: is a file; choose a folder"),
        ("run world.sdf --plot-of speed", 2, "--plot-of `speed` without --plot"),
        ("run world.sdf --plot o.svg --plot-of sped", 2, "did you mean `speed`?"),
        ("run world.sdf --plot no/o.svg", 2, "there is no folder `no`"),
        ("run world.sdf --final-state nothing", 2, "this is a folder"),
        ("run world.sdf --fail-if hight<1", 2, "did you mean `height`?"),
        ("run world.sdf --fail-if height:box<1", 2, "no link `box`"),
        ("run nothing", 1, "nothing is a folder without a model: it has no model.config"),
        ("run .", 1, "name a file in it: `./empty.sdf`"),
        ("run empty.sdf", 1, "help: expected a world or model, such as"),
        ("run absent.sdf", 1, "`stiction worlds` lists them"),
        ("run world.sdf --initial-state no.json", 1, "no.json: there is no such file"),
        ("run world.sdf --command no.csv", 1, "no.csv: there is no such file"),
        ("run world.sdf --materials no.yaml", 1, "cannot read the material table no.yaml: there is no such file"),
        ("run world.sdf --record empty.sdf/x", 1, "empty.sdf/x: cannot be created"),
        ("compare world.sdf --time-limit 0", 2, "--time-limit `0`: expected a time in seconds, more than 0"),
        ("convert world.sdf", 2, "expected an input and an output file"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let (found, _, stderr) = call(folder.path(), &words);
        assert!(found == code && stderr.contains(expected), "{line}: {found}, {stderr}");
        // The words of the library that reads the command line, and places in the source.
        for foreign in ["For more information", "Usage:", "crates/", "src/", ".rs", "panicked"] {
            assert!(!stderr.contains(foreign), "{line}: {stderr}");
        }
    }
    // Nothing was written by any of them.
    let mut names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["empty.sdf", "nothing", "robot.sdf", "world.sdf"]);
}

/// The paths that are suggested are those that act: with one of them the run differs.
#[test]
fn settings_by_a_short_name_suggest_the_path_that_acts() {
    let folder = folder();
    for (engine, setting, path) in [
        ("ode-quick", "mu=0.5", "model.*.link.*.collision.*.surface.friction.ode.mu=0.5"),
        ("bullet", "friction=0.5", "model.*.link.*.collision.*.surface.friction.bullet.friction=0.5"),
        ("drake-discrete", "mu=0.5", "model.*.link.*.collision.*.drake:proximity_properties.drake:mu_static=0.5"),
        ("simbody", "friction=0.5", "physics.simbody.contact.static_friction=0.5"),
        ("ode-quick", "restitution=0.5", "model.*.link.*.collision.*.surface.bounce.restitution_coefficient=0.5"),
        ("ode-quick", "stiffness=1e5", "model.*.link.*.collision.*.surface.contact.ode.kp=1e5"),
        ("bullet", "damping=7", "model.*.link.*.collision.*.surface.contact.bullet.kd=7"),
        ("ode-world", "step=0.01", "physics.max_step_size=0.01"),
        ("bullet", "iters=7", "physics.bullet.solver.iters=7"),
        ("ode-quick", "iters=7", "physics.ode.solver.iters=7"),
        ("ode-quick", "g=0 0 -1", "gravity=0 0 -1"),
    ] {
        let (code, _, stderr) = call(folder.path(), &["run", "world.sdf", "--engine", engine, "--set", setting]);
        let expected = format!("under `{engine}`: `--set '{path}'`");
        assert!(code == 1 && stderr.contains(&expected), "{engine} {setting}: {stderr}");
        let (code, _, stderr) =
            call(folder.path(), &["run", "world.sdf", "--steps", "1", "--engine", engine, "--set", path]);
        assert_eq!(code, 0, "{path}: {stderr}");
    }
    // The joints of a world without joints are not suggested; without the option the engine is that of the file.
    let (_, _, stderr) = call(folder.path(), &["run", "world.sdf", "--set", "damping=7"]);
    assert!(stderr.contains("under `ode-quick`") && !stderr.contains("joint"), "{stderr}");
    let (_, _, stderr) = call(folder.path(), &["run", "robot.sdf", "--set", "damping=7"]);
    assert!(stderr.contains("model.*.joint.*.axis.dynamics.damping=7"), "{stderr}");
}

#[test]
fn plugins_say_which_command_they_take() {
    let folder = folder();
    let hint = "note: DiffDrive takes a command: `--command 'my bot:twist=v,w'`";
    let (code, _, stderr) = call(folder.path(), &["run", "robot.sdf", "--steps", "1"]);
    assert!(code == 0 && stderr.matches(hint).count() == 1, "{stderr}");
    for more in [&["-q"][..], &["--command", "my bot:twist=1,0"]] {
        let (code, _, stderr) = call(folder.path(), &[&["run", "robot.sdf", "--steps", "1"], more].concat());
        assert!(code == 0 && !stderr.contains("takes a command"), "{more:?}: {stderr}");
    }
    // A copter drives its own rotors; the quadruped has one controller for many joints.
    let (_, _, stderr) = call(folder.path(), &["run", "robots/quadruped", "--steps", "1"]);
    assert!(stderr.lines().filter(|line| line.starts_with("note: ")).count() <= 8, "{stderr}");
}

#[test]
fn a_run_says_what_it_wrote() {
    let folder = folder();
    let (code, stdout, stderr) = call(
        folder.path(),
        &["run", "world.sdf", "--steps", "50", "--record", "out", "--plot", "o.svg", "--final-state", "end.json"],
    );
    assert_eq!(code, 0, "{stderr}");
    let line = stdout.lines().find(|line| line.starts_with("recorded ")).unwrap_or_else(|| panic!("{stdout}"));
    let size = |name: &str| fs::metadata(folder.path().join(name)).unwrap().len();
    let kilobytes = format!("links.csv {:.1} kB", size("out/links.csv") as f64 * 1e-3);
    assert!(line.starts_with("recorded out/: links.csv ") && line.contains(&kilobytes), "{line}");
    assert!(line.contains("joints.csv ") && line.contains("summary.json ") && !line.contains("contacts"), "{line}");
    assert!(stdout.contains("wrote o.svg\n") && stdout.contains("wrote end.json\n"), "{stdout}");
    // With --json the line goes to stderr; with --quiet it is omitted.
    let base = ["run", "world.sdf", "--steps", "5", "--record", "out.mcap", "--json"];
    let (_, stdout, stderr) = call(folder.path(), &base);
    assert!(serde_json::from_str::<serde_json::Value>(&stdout).is_ok() && stderr.contains("recorded out.mcap ("));
    let (_, stdout, stderr) = call(folder.path(), &[&base[..], &["-q"]].concat());
    assert!(serde_json::from_str::<serde_json::Value>(&stdout).is_ok() && stderr.is_empty(), "{stderr}");
}

#[test]
fn contacts_are_recorded_when_they_are_asked_for() {
    let folder = folder();
    let arrow = cfg!(feature = "arrow").then_some("arrow");
    for form in ["csv"].into_iter().chain(arrow) {
        for (options, rows) in [
            (&[][..], None),
            (&["--record-rate", "50"], None),
            (&["--record-contacts"], Some(100)),
            (&["--record-rate", "contacts=100"], Some(10)),
            (&["--record-rate", "50", "--record-contacts"], Some(5)),
            (&["--record-rate", "50,contacts=20", "--record-contacts"], Some(2)),
            (&["--record-rate", "links=50", "--record-contacts"], Some(100)),
        ] {
            let base = ["run", "world.sdf", "--steps", "100", "-q", "--record", form, "--record-format", form];
            let (code, _, stderr) = call(folder.path(), &[&base[..], options].concat());
            assert_eq!(code, 0, "{options:?}: {stderr}");
            let contacts = folder.path().join(form).join("contacts").with_extension(form);
            assert_eq!(contacts.exists(), rows.is_some(), "{form} {options:?}");
            if let Some(samples) = rows.filter(|_| form == "csv") {
                // Four corners of a box.
                let text = fs::read_to_string(contacts).unwrap();
                assert_eq!(text.lines().count() - 1, 4 * samples, "{options:?}");
                assert!(text.contains("\"a,b::link::c\""), "{text}");
            }
        }
    }
    // Messages of contacts have no channel where they are not recorded.
    for (options, is_there) in [(&[][..], false), (&["--record-contacts"], true)] {
        let base = ["run", "world.sdf", "--steps", "10", "-q", "--record", "out.mcap"];
        assert_eq!(call(folder.path(), &[&base[..], options].concat()).0, 0);
        let bytes = fs::read(folder.path().join("out.mcap")).unwrap();
        let has = |word: &[u8]| bytes.windows(word.len()).any(|piece| piece == word);
        assert!(has(b"/link_states") && has(b"/contacts") == is_there, "{options:?}");
    }
}

#[test]
fn check_prints_each_finding_once_and_rounds() {
    let folder = folder();
    let text = WORLD.replace("<link name=\"link\"><collision name=\"c\"><geometry><box>", "<link name=\"link\"><inertial><mass>0.29000000000000004</mass></inertial><colision/><collision name=\"c\"><geometry><box>");
    fs::write(folder.path().join("faulty.sdf"), text).unwrap();
    let (code, stdout, stderr) = call(folder.path(), &["check", "faulty.sdf"]);
    let findings: Vec<&str> =
        stdout.lines().filter(|line| line.starts_with("faulty.sdf:") && line.contains("[")).collect();
    assert!(!findings.is_empty(), "{stdout}");
    for finding in &findings {
        let message = finding.split_once("] ").unwrap().1;
        assert_eq!(stdout.matches(message).count() + stderr.matches(message).count(), 1, "{stdout}{stderr}");
    }
    if code == 0 {
        assert!(stdout.contains("2 links (1 move), 0 joints, 6 degrees of freedom, 0.29 kg"), "{stdout}");
    }
    let (_, stdout, _) = call(folder.path(), &["check", "world.sdf"]);
    assert!(stdout.contains(" 1 kg,") && !stdout.contains("skipped"), "{stdout}");
}

#[test]
fn conditions_take_links() {
    let folder = folder();
    // Names may have signs that lists and pairs have.
    let odd = WORLD.replace("a,b", "a+b:c,d");
    fs::write(folder.path().join("odd.sdf"), odd).unwrap();
    for name in ["a+b:c,d", "a+b:c,d::link", "a+b:c,d+ground", "ground::link+a+b:c,d::link"] {
        let (list, condition) = (format!("slip:{name},energy"), format!("slip:{name}>1"));
        let plot = ["--plot", "odd.svg", "--plot-of", &list, "--fail-if", &condition];
        let (code, _, stderr) = call(folder.path(), &[&["run", "odd.sdf", "--steps", "3", "-q"][..], &plot].concat());
        assert_eq!(code, 0, "{name}: {stderr}");
    }
    let run =
        |condition: &str| call(folder.path(), &["run", "world.sdf", "--steps", "20", "-q", "--fail-if", condition]);
    let (code, _, stderr) = run("height:a,b::link<0.9");
    assert_eq!(code, 3, "{stderr}");
    assert!(
        stderr.contains("--fail-if `height:a,b::link<0.9` was true first in step 0, at 0.001 s: 0.5 (`a,b::link`)"),
        "{stderr}"
    );
    assert_eq!(run("height:a,b::link<0.2").0, 0);
    assert_eq!(run("slip>1mm/s").0, 0);
}

/// A case that takes too long is stopped, one that an engine refuses is listed, and the others run to their ends.
#[test]
fn compare_stops_what_takes_too_long() {
    let folder = folder();
    let base = ["compare", "world.sdf", "--engines", "ode-world,ode-quick"];
    let (code, stdout, stderr) = call(folder.path(), &[&base[..], &["--duration", "0.1"]].concat());
    assert_eq!(code, 0, "{stderr}");
    let outcomes = stdout.rsplit_once("case       outcome\n").unwrap_or_else(|| panic!("{stdout}")).1;
    assert_eq!(outcomes, "ode-world  done\node-quick  done\n");
    let (code, stdout, stderr) =
        call(folder.path(), &[&base[..], &["--duration", "1e6", "--time-limit", "0.2"]].concat());
    assert_eq!(code, 3, "{stderr}");
    assert_eq!(stdout.matches("  stopped after 0.2").count(), 2, "{stdout}");
    assert!(stdout.contains("s of 1e6 s"), "{stdout}");
    // What is quick runs on.
    let slow = ["--case", "quick=step-size=0.05", "--case", "slow=step-size=1e-8"];
    let rest = ["--duration", "1", "--time-limit", "0.3", "--json"];
    let (code, stdout, _) = call(folder.path(), &[&["compare", "world.sdf"][..], &slow, &rest].concat());
    let value: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!([&value["cases"][0]["outcome"], &value["cases"][1]["outcome"]], ["done", "stopped"]);
    assert!(code == 3 && value["cases"][1]["sim_time"].as_f64().unwrap() > 0.0, "{stdout}");
    assert!((value["cases"][0]["sim_time"].as_f64().unwrap() - 1.0).abs() < 1e-9);
}

/// An engine that refuses the parameters of the file is listed; the others run.
#[test]
fn compare_lists_what_an_engine_refuses() {
    let folder = folder();
    let physics = r#"<world name="w"><physics type="ode"><bullet><solver><sor>2</sor></solver></bullet></physics>"#;
    fs::write(folder.path().join("sor.sdf"), WORLD.replace(r#"<world name="w">"#, physics)).unwrap();
    let compare = |engines: &str| call(folder.path(), &["compare", "sor.sdf", "--steps", "5", "--engines", engines]);
    let (code, stdout, stderr) = compare("ode-quick,bullet,dart");
    assert!(
        code == 3 && stdout.contains("\nbullet     refused: ") && stdout.ends_with("dart       done\n"),
        "{stdout}{stderr}"
    );
    // Parameters of a case that did not run are no difference.
    assert!(!stdout.contains(" - (bullet)"), "{stdout}");
    let (code, stdout, _) = compare("bullet,dart");
    assert!(code == 3 && stdout.contains("reference `bullet` did not run"), "{stdout}");
    assert_eq!(compare("bullet,bullet-featherstone").0, 1);
}

/// Every panel and curve has a name and a unit by the kind of joint; noise is not shown in full height.
#[test]
fn plots_name_what_they_show() {
    let folder = folder();
    let list = "angle,effort,height:arm::hand,penetration,slip:mug+table";
    let (code, _, stderr) =
        call(folder.path(), &["run", "robots/gripper", "--steps", "50", "-q", "--plot", "o.svg", "--plot-of", list]);
    assert_eq!(code, 0, "{stderr}");
    let svg = fs::read_to_string(folder.path().join("o.svg")).unwrap();
    for text in [
        "joint angle [rad]",
        "joint position [m]",
        "joint effort [N m]",
        "joint effort [N]",
        "height [m]",
        "arm::elbow",
        "arm::left",
        "arm::hand",
        "penetration [m]",
        "slip at contacts [m/s]",
        "mug+table",
    ] {
        assert!(svg.contains(text), "{text}");
    }
    // Names may have commas.
    let list = "slip:a,b::link,height:a,b::link+x";
    let (code, _, stderr) =
        call(folder.path(), &["run", "world.sdf", "--steps", "5", "--plot", "c.svg", "--plot-of", list]);
    assert!(code == 1 && stderr.contains("no link `a,b::link+x`; did you mean `a,b::link`"), "{stderr}");
    // A tower at rest moves by less than 1e-9 m: the scale is that of millimetres.
    let (code, ..) =
        call(folder.path(), &["run", "tower", "--steps", "50", "-q", "--plot", "t.svg", "--plot-of", "penetration"]);
    let svg = fs::read_to_string(folder.path().join("t.svg")).unwrap();
    assert!(code == 0 && svg.contains("0.0010") && !svg.contains("1e-"), "{svg}");
}
