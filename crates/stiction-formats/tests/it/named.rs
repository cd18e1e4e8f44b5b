//! Nothing that stands in a file is silent: elements of other versions, elements that stand twice, values without effect.
#![allow(missing_docs)]

use crate::common;

use common::load_text;
use stiction_formats::LoadOptions;
use stiction_formats::diagnostic::Diagnostic;

fn findings(version: &str, physics: &str, world: &str, link: &str, joint: &str) -> Vec<Diagnostic> {
    let text = format!(
        "<sdf version='{version}'><world name='w'><physics type='ode'>{physics}</physics>{world}<model name='m'>\n\
         <link name='l'>{link}<inertial><mass>1</mass></inertial></link>\n\
         <joint name='j' type='revolute'><parent>world</parent><child>l</child>{joint}</joint></model></world></sdf>"
    );
    load_text(&text, &LoadOptions::default()).diagnostics
}

fn of<'a>(found: &'a [Diagnostic], code: &str) -> Vec<&'a Diagnostic> {
    found.iter().filter(|d| d.code == code).collect()
}

#[test]
fn elements_of_older_versions_are_told_with_what_takes_their_place() {
    let frame = "<axis><xyz>0 1 0</xyz><use_parent_model_frame>true</use_parent_model_frame></axis>";
    let axis = "<axis><xyz>0 1 0</xyz></axis>";
    let old = [
        ("1.6", "1.5", "<gravity>0 0 -3</gravity>", axis, "element of the world"),
        ("1.11", "1.5", "<magnetic_field>1 0 0</magnetic_field>", axis, "element of the world"),
        ("1.7", "1.6", "", frame, "expressed_in"),
        ("1.4", "1.3", "<update_rate>10</update_rate>", axis, "real_time_update_rate"),
    ];
    for (since, before, physics, joint, help) in old {
        let found = findings(since, physics, "", "", joint);
        let told = of(&found, "unknown-element");
        assert!(matches!(told[..], [d] if d.help.as_ref().is_some_and(|h| h.contains(help))), "{since}: {found:#?}");
        assert!(told[0].location.is_some());
        assert_eq!(of(&findings(before, physics, "", "", joint), "unknown-element").len(), 0, "{before}");
    }
    let pose = "<pose frame='__model__'>0 0 1 0 0 0</pose>";
    let found = findings("1.9", "", "", pose, axis);
    assert!(of(&found, "unknown-attribute")[0].help.as_ref().is_some_and(|h| h.contains("relative_to")), "{found:#?}");
    assert!(of(&findings("1.6", "", "", pose, axis), "unknown-attribute").is_empty());
}

#[test]
fn the_second_of_a_single_element_is_told_once_for_each() {
    let axis = "<axis><xyz>0 1 0</xyz></axis>";
    let twice = findings(
        "1.9",
        "<max_contacts>3</max_contacts><max_contacts>4</max_contacts>",
        "",
        "<gravity>0</gravity><gravity>1</gravity>",
        axis,
    );
    let told = of(&twice, "repeated-element");
    assert_eq!(told.len(), 2, "{twice:#?}");
    assert!(
        told.iter()
            .all(|d| d.location.is_some() && d.help.as_ref().is_some_and(|h| h.contains("the first one counts")))
    );
    let collision = |name: &str| format!("<collision name='{name}'><geometry><sphere/></geometry></collision>");
    let several = findings("1.9", "", "<frame name='f'/><frame name='g'/>", &(collision("a") + &collision("b")), axis);
    assert!(of(&several, "repeated-element").is_empty(), "{several:#?}");
}

#[test]
fn values_that_no_engine_has_are_told_where_they_stand() {
    let axis = "<axis><xyz>0 1 0</xyz></axis>";
    let soft = |leaf: &str| {
        format!(
            "<collision name='c'><geometry><sphere/></geometry><surface><soft_contact><dart>{leaf}</dart></soft_contact></surface></collision>"
        )
    };
    let cases = [
        (
            String::from("<atmosphere type='adiabatic'><temperature>100</temperature></atmosphere>"),
            String::new(),
            "temperature",
            String::from(axis),
        ),
        (String::new(), soft("<stiffness>9</stiffness>"), "stiffness", String::from(axis)),
        (
            String::new(),
            soft("<flesh_mass_fraction>0.5</flesh_mass_fraction>"),
            "flesh_mass_fraction",
            String::from(axis),
        ),
        (
            String::new(),
            String::new(),
            "must_be_loop_joint",
            format!("{axis}<physics><simbody><must_be_loop_joint>true</must_be_loop_joint></simbody></physics>"),
        ),
    ];
    for (world, link, name, joint) in &cases {
        let found = findings("1.9", "", world, link, joint);
        let told = of(&found, "no-effect");
        assert!(
            matches!(told[..], [d] if d.message.contains(&format!("<{name}>")) && d.location.is_some()),
            "{found:#?}"
        );
    }
    // A text that is no number is refused there too.
    assert_eq!(of(&findings("1.9", "", "", &soft("<damping>abc</damping>"), axis), "invalid-value").len(), 1);
}

#[test]
fn a_modulus_that_acts_in_no_pair_is_told() {
    let axis = "<axis><xyz>0 1 0</xyz></axis>";
    let elastic = |name: &str, shape: &str, more: &str| {
        format!(
            "<collision name='{name}'><geometry>{shape}</geometry><surface>{more}<contact><elastic_modulus>1e5</elastic_modulus></contact></surface></collision>"
        )
    };
    let flat = elastic("a", "<plane/>", "");
    let with = |second: &str| findings("1.9", "", "", &(flat.clone() + second), axis);
    assert_eq!(of(&with(&elastic("b", "<box/>", "")), "modulus-without-radius").len(), 1);
    let patch = "<friction><torsional><patch_radius>0.1</patch_radius></torsional></friction>";
    for second in [elastic("b", "<box/>", patch), elastic("b", "<sphere/>", "")] {
        assert!(of(&with(&second), "modulus-without-radius").is_empty(), "{second}");
    }
}
