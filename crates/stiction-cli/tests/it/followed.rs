//! Advice that is followed is gone: for each code whose message proposes something that a program can do, a file that provokes it,
//! what the message says, and the file or the command line after it.
#![allow(clippy::unwrap_used)]

use std::fs;

use serde_json::Value;
use stiction_formats::ADVICE_CODES;

use crate::common;

/// What the advice proposes.
enum Follow {
    /// A text of the file for another.
    Edit(&'static str, &'static str),
    /// Options of the command line.
    Options(&'static [&'static str]),
    /// `--fix` writes it.
    Fix,
    /// The step that it names, a little shorter.
    Step,
    /// The way that it names for the model at the last pose of the file.
    Move,
}
use Follow::{Edit, Fix, Move, Options, Step};

struct Row {
    code: &'static str,
    text: String,
    /// Options under which it is said.
    options: &'static [&'static str],
    /// What the message or its help says of it.
    says: &'static str,
    follow: Follow,
}

const GROUND: &str = r#"<model name="ground"><static>true</static><link name="l"><collision name="c"><geometry><plane/></geometry></collision></link></model>"#;

fn world(physics: &str, body: &str) -> String {
    format!(
        r#"<sdf version="1.9"><world name="w"><gravity>0 0 -9.8</gravity><physics name="p" type="ode"><max_step_size>0.001</max_step_size>{physics}</physics>{GROUND}{body}</world></sdf>"#
    )
}

fn cube(name: &str, pose: &str, mass: f64, surface: &str, more: &str) -> String {
    let i = mass / 6.0;
    format!(
        r#"<model name="{name}"><pose>{pose}</pose><link name="l"><inertial><mass>{mass}</mass><inertia><ixx>{i}</ixx><iyy>{i}</iyy><izz>{i}</izz></inertia></inertial><collision name="c"><geometry><box><size>1 1 1</size></box></geometry><surface>{surface}</surface></collision></link>{more}</model>"#
    )
}

fn joined(kind: &str, masses: [f64; 2], more: &str) -> String {
    let link = |name: &str, z: f64, mass: f64| {
        let i = mass / 6.0;
        format!(
            r#"<link name="{name}"><pose>0 0 {z} 0 0 0</pose><inertial><mass>{mass}</mass><inertia><ixx>{i}</ixx><iyy>{i}</iyy><izz>{i}</izz></inertia></inertial></link>"#
        )
    };
    let links = link("p", 1.0, masses[0]) + &link("c", 3.0, masses[1]);
    world(
        "",
        &format!(
            r#"<model name="m">{links}<joint name="j" type="{kind}"><parent>p</parent><child>c</child><axis><xyz>0 1 0</xyz></axis>{more}</joint></model>"#
        ),
    )
}

/// A row without options.
fn row(code: &'static str, text: String, says: &'static str, follow: Follow) -> Row {
    Row { code, text, options: &[], says, follow }
}

fn under(options: &'static [&'static str], row: Row) -> Row {
    Row { options, ..row }
}

fn ode(inner: &str) -> String {
    format!("<contact><ode>{inner}</ode></contact>")
}

/// A cube on the ground.
fn on(surface: &str) -> String {
    world("", &cube("a", "0 0 0.5 0 0 0", 1.0, surface, ""))
}

fn bounce(e: f64) -> String {
    format!("<bounce><restitution_coefficient>{e}</restitution_coefficient><threshold>0.1</threshold></bounce>")
}

fn falling(name: &str, z: f64, surface: &str) -> String {
    cube(name, &format!("0 0 {z} 0 0 0"), 1.0, surface, "")
}

/// Links that fixed joints weld together touch.
fn welded() -> String {
    let link = |name: &str, x: f64| {
        format!(
            r#"<link name="{name}"><self_collide>true</self_collide><pose>{x} 0 3 0 0 0</pose><inertial><inertia><ixx>.17</ixx><iyy>.17</iyy><izz>.17</izz></inertia></inertial><collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link>"#
        )
    };
    let joint = |name: &str, a: &str, b: &str| {
        format!(r#"<joint name="{name}" type="fixed"><parent>{a}</parent><child>{b}</child></joint>"#)
    };
    let links = [link("a", 0.0), link("b", 5.0), link("c", 0.9)].concat();
    world("", &format!(r#"<model name="m">{links}{}{}</model>"#, joint("j", "a", "b"), joint("k", "b", "c")))
}

fn inertia(text: &str, i: f64) -> String {
    text.replace(
        "<ixx>0.16666666666666666</ixx><iyy>0.16666666666666666</iyy><izz>0.16666666666666666</izz>",
        &format!("<ixx>{i}</ixx><iyy>{i}</iyy><izz>{i}</izz>"),
    )
}

fn rows() -> Vec<Row> {
    [bodies_and_contacts(), joints_and_bounces(), starts_and_drake()].into_iter().flatten().collect()
}

fn bodies_and_contacts() -> Vec<Row> {
    vec![
        row(
            "default-inertia",
            world(
                "",
                r#"<model name="a"><pose>0 0 1 0 0 0</pose><link name="l"><collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>"#,
            ),
            "<inertial auto=\"true\"/>",
            Edit(
                "<link name=\"l\"><collision name=\"c\"><geometry><box>",
                "<link name=\"l\"><inertial auto=\"true\"/><collision name=\"c\"><geometry><box>",
            ),
        ),
        row("impossible-inertia", inertia(&on(""), 0.6), "", Fix),
        row("unlikely-inertia", inertia(&on(""), 0.001), "", Fix),
        row("mass-ratio", joined("revolute", [1.0, 200.0], ""), "--engine simbody", Options(&["--engine", "simbody"])),
        Row {
            options: &["--engine", "simbody"],
            ..row(
                "undamped-contact",
                on(&ode("<kp>1e6</kp>")),
                "2 ζ √(kp m)",
                Edit("<kp>1e6</kp>", "<kp>1e6</kp><kd>500</kd>"),
            )
        },
        row("push-out-bounces", on(&ode("<max_vel>50</max_vel>")), "0.01 to 0.1", Edit(">50<", ">0.1<")),
        row(
            "fdir1-along-normal",
            on("<friction><ode><fdir1>0 0 1</fdir1></ode></friction>"),
            "as 1 0 0",
            Edit("<fdir1>0 0 1", "<fdir1>1 0 0"),
        ),
        row(
            "few-contact-points",
            on("").replace("</box></geometry>", "</box></geometry><max_contacts>2</max_contacts>"),
            "4 or more",
            Edit("<max_contacts>2", "<max_contacts>4"),
        ),
        row("long-step", on("").replace(">0.001<", ">0.05<"), "0.001 to 0.005", Options(&["--step-size", "0.005"])),
        row("fast-spin", spin(), "steps below", Step),
        row("gravity-upwards", on("").replace("0 0 -9.8", "0 0 9.8"), "<gravity>0 0 -9.8", Edit("0 0 9.8", "0 0 -9.8")),
        row("zero-limit", limited(), "negative number", Edit("<effort>0<", "<effort>-1<")),
        row(
            "two-softnesses",
            world("", &falling("a", 0.5, &ode("<kp>1e5</kp><soft_cfm>0.1</soft_cfm>"))),
            "kp",
            Edit("<soft_cfm>0.1</soft_cfm>", ""),
        ),
        row("sinks-by-weight", on(&ode("<kp>500</kp>")), "kp", Edit("<kp>500</kp>", "<kp>5000</kp>")),
        row("unreachable-max-vel", on(&ode("<max_vel>1000</max_vel>")), "max_vel 100", Fix),
    ]
}

fn joints_and_bounces() -> Vec<Row> {
    let two = falling("a", 2.0, &bounce(0.5))
        + &falling("b", 0.5, &bounce(0.0).replace("</threshold>", "</threshold><!-- b -->"));
    let shot = r#"<plugin name="v" filename="libInitialVelocityPlugin.so"><linear>1100 0 0</linear></plugin>"#;
    let plane = world(
        "",
        r#"<model name="plate"><pose>0 0 2 0 0 0</pose><link name="l"><inertial><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial><collision name="c"><geometry><plane/></geometry></collision></link></model>"#,
    );
    vec![
        row(
            "unreachable-bounce-threshold",
            world("", &falling("a", 2.0, &bounce(0.5).replace("0.1<", "900<"))).replace(
                "<plane/></geometry>",
                &format!("<plane/></geometry><surface>{}</surface>", bounce(0.5).replace("0.1<", "900<")),
            ),
            "<threshold>",
            Fix,
        ),
        row(
            "one-sided-restitution",
            world("", &two),
            "<restitution_coefficient>1",
            Edit(
                "<restitution_coefficient>0</restitution_coefficient>",
                "<restitution_coefficient>1</restitution_coefficient>",
            ),
        ),
        row(
            "needless-fixed-joint",
            joined("fixed", [1.0, 1.0], ""),
            "--coordinates reduced",
            Options(&["--engine", "dart"]),
        ),
        row("welded-contact", welded(), "<self_collide>false", Edit("<self_collide>true", "<self_collide>false")),
        row("movable-plane", plane, "<static>true", Fix),
        row(
            "soft-joint",
            joined("ball", [1.0, 10.0], "<physics><ode><cfm>0.1</cfm><erp>0.2</erp></ode></physics>"),
            "a smaller <cfm>",
            Edit("<cfm>0.1</cfm>", "<cfm>1e-5</cfm>"),
        ),
        row(
            "min-step-size",
            world("<ode><solver><min_step_size>0.01</min_step_size></solver></ode>", ""),
            "a tenth",
            Fix,
        ),
        row(
            "limit-in-degrees",
            joined("revolute", [1.0, 1.0], "")
                .replace("</xyz>", "</xyz><limit><lower>0</lower><upper>90</upper></limit>"),
            "90° are 1.571 rad",
            Edit("<upper>90<", "<upper>1.571<"),
        ),
        row("pose-in-degrees", world("", &cube("a", "0 0 2 90 0 0", 1.0, "", "")), "angles are in radians", Fix),
        row("overlapping-start", world("", &cube("a", "0.3 0.1 0.35 0 0 0", 1.0, "", "")), "move `", Move),
        row(
            "tunnelling",
            world("", &(cube("a", "-5 0 2 0 0 0", 1.0, "", shot) + &cube("b", "0 0 2 0 0 0", 1.0, "", ""))),
            "steps below",
            Step,
        ),
    ]
}

fn starts_and_drake() -> Vec<Row> {
    let torsional =
        on("<friction><torsional><coefficient>1</coefficient><patch_radius>0.1</patch_radius></torsional></friction>");
    let rough = on("<friction><ode><mu>1</mu></ode></friction>");
    vec![
        under(
            &["--engine", "drake-discrete"],
            row(
                "contact-unresolved",
                world("", &falling("a", 0.5, "")).replace("0.001</max", "0.05</max"),
                "shorter steps",
                Options(&["--step-size", "0.001"]),
            ),
        ),
        under(
            &["--engine", "drake-discrete"],
            row("no-torsional-friction", torsional, "`ode`", Options(&["--engine", "ode"])),
        ),
        under(
            &["--engine", "drake-continuous", "--set", "integrator.error_control=off"],
            row("step-too-long-for-stiction", rough.clone(), "use steps below", Step),
        ),
        under(
            &["--engine", "drake-continuous", "--set", "integrator.error_control=off"],
            row("step-too-long-for-contact", rough.clone().replace("0.001</max", "0.01</max"), "steps below", Step),
        ),
        under(
            &[
                "--engine",
                "drake-continuous",
                "--set",
                "integrator.error_control=off",
                "--set",
                "contact.stiction_tolerance=1e-4",
            ],
            row(
                "fixed-step-misses-stiction",
                rough.replace("0.001</max", "1e-6</max"),
                "use error control",
                Options(&["--set", "integrator.error_control=on"]),
            ),
        ),
        under(
            &["--engine", "drake-discrete", "--set", "contact.manifold=single"],
            row(
                "flat-shape-on-one-point",
                on(""),
                "contact.manifold=face",
                Options(&["--set", "contact.manifold=face"]),
            ),
        ),
    ]
}

/// Codes whose message proposes nothing that a program could do.
const BY_HAND: [&str; 17] = [
    "visual-not-found",
    "without-effect",
    "no-reading",
    "implied-erp-cfm",
    "large-friction",
    "two-friction-directions",
    "quick-solver",
    "millimetres",
    "open-mesh",
    "flat-mesh",
    "ground-faces-down",
    "jointed-velocity",
    "rigid-joint",
    "no-wheel-slip",
    "smooth-joint-law",
    "plugin-without-effect",
    "left-out",
];

/// A cube that starts with 900 rad/s.
fn spin() -> String {
    let plugin = "<plugin name='i' filename='libInitialVelocityPlugin.so'><angular>0 0 900</angular></plugin>";
    world("", &cube("a", "0 0 3 0 0 0", 1.0, "", plugin))
}

/// An arm whose joint has an effort limit of 0.
fn limited() -> String {
    joined("revolute", [1.0, 1.0], "").replace("<xyz>", "<limit><effort>0</effort></limit><xyz>")
}

fn check(text: &str, options: &[&str]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("w.sdf"), text).unwrap();
    let output = common::stiction(folder.path()).arg("check").args(["w.sdf", "--json"]).args(options).output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{}", String::from_utf8_lossy(&output.stderr)))
}

fn of<'a>(found: &'a [Value], code: &str) -> Option<&'a Value> {
    found.iter().find(|finding| finding["code"] == code)
}

/// The first number after a word.
fn number_after(text: &str, word: &str) -> f64 {
    let rest = &text[text.find(word).unwrap() + word.len()..];
    rest.trim()
        .split(|c: char| c != '.' && c != '-' && c != 'e' && !c.is_ascii_digit())
        .next()
        .unwrap()
        .parse()
        .unwrap()
}

#[test]
fn what_the_advice_proposes_makes_it_silent() {
    for Row { code, text, options, says, follow } in rows() {
        let found = check(&text, options);
        let Some(finding) = of(&found, code) else { panic!("{code} is not provoked: {found:#?}\n{text}") };
        let told = format!("{} {}", finding["message"].as_str().unwrap(), finding["help"].as_str().unwrap_or(""));
        assert!(told.contains(says), "{code}: {told}");
        let (mut edited, mut with) = (text.clone(), options.to_vec());
        let step;
        match follow {
            Edit(from, to) => {
                assert!(text.contains(from), "{code}: {text}");
                edited = text.replace(from, to);
            }
            Options(more) => {
                // An engine takes the place of what was, a setting that of its own.
                if more[0] == "--engine" {
                    with.clear();
                }
                with.extend(more);
            }
            Step => {
                step = (0.9 * number_after(&told, "below")).to_string();
                with.extend(["--step-size", &step]);
            }
            Move => {
                let way = told.split("by (").nth(1).unwrap().split(')').next().unwrap();
                let way: Vec<f64> = way.split(", ").map(|number| number.parse().unwrap()).collect();
                let moved = format!("{} {} {} 0 0 0", 0.3 + way[0], 0.1 + way[1], 0.35 + way[2]);
                edited = text.replace("0.3 0.1 0.35 0 0 0", &moved);
            }
            Fix => {
                let folder = tempfile::tempdir().unwrap();
                fs::write(folder.path().join("w.sdf"), &text).unwrap();
                let fixed = common::stiction(folder.path())
                    .arg("check")
                    .args(["w.sdf", "--fix"])
                    .args(options)
                    .output()
                    .unwrap();
                edited = fs::read_to_string(folder.path().join("w.sdf")).unwrap();
                assert_ne!(edited, text, "{code}: {}", String::from_utf8_lossy(&fixed.stdout));
            }
        }
        let left = check(&edited, &with);
        assert!(of(&left, code).is_none(), "{code} is still said: {:#?}\n{with:?}\n{edited}", of(&left, code));
        assert!(left.iter().all(|finding| finding["severity"] != "error"), "{code}: {left:#?}");
    }
}

#[test]
fn every_code_is_in_the_table_or_is_for_a_person() {
    let rows = rows();
    for code in ADVICE_CODES.iter().map(|code| code.code) {
        let (followed, by_hand) = (rows.iter().any(|row| row.code == code), BY_HAND.contains(&code));
        assert!(followed != by_hand, "{code}: followed {followed}, by hand {by_hand}");
    }
}
