//! How faults look to a user.
#![allow(missing_docs)]

use crate::common;

use std::fs;

use common::set;
use stiction_formats::{FileRequest, LoadOptions, load, render};

const HEAD: &str = "<?xml version=\"1.0\"?>\n<sdf version=\"1.9\">\n<world name=\"w\">\n";

/// Findings about a world with `body`, with the folder taken out of the paths.
fn shown(body: &str, options: &LoadOptions) -> String {
    shown_text(&format!("{HEAD}{body}\n</world>\n</sdf>\n"), options)
}

fn shown_text(text: &str, options: &LoadOptions) -> String {
    shown_file("world.sdf", text, options)
}

/// Findings about a robot with `body`.
fn shown_robot(body: &str) -> String {
    shown_file("robot.urdf", &format!("<?xml version=\"1.0\"?>\n<robot name=\"r\">\n{body}\n</robot>\n"), &strict())
}

fn shown_file(name: &str, text: &str, options: &LoadOptions) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    fs::write(&path, text).expect("the folder is writable");
    let loaded = load(&[FileRequest { path, name: None, pose: None }], options);
    assert!(!loaded.diagnostics.is_empty());
    render(&loaded.diagnostics, &loaded.sources, false).replace(&format!("{}/", folder.path().display()), "")
}

fn strict() -> LoadOptions {
    LoadOptions::default()
}

#[test]
fn missing_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("friction.world"), "").expect("the folder is writable");
    let path = folder.path().join("frction.world");
    let loaded = load(&[FileRequest { path, name: None, pose: None }], &strict());
    let text =
        render(&loaded.diagnostics, &loaded.sources, false).replace(&format!("{}/", folder.path().display()), "");
    insta::assert_snapshot!(text);
}

#[test]
fn malformed_xml() {
    insta::assert_snapshot!(shown("<model name=\"m\">\n  <link name=\"l\">\n</model>", &strict()));
}

#[test]
fn mass_not_a_number() {
    insta::assert_snapshot!(shown(
        "<model name=\"m\"><link name=\"l\"><inertial>\n  <mass>nan</mass>\n</inertial></link></model>",
        &strict()
    ));
}

#[test]
fn negative_radius() {
    let body = "<model name=\"m\"><link name=\"l\"><collision name=\"c\"><geometry><sphere>\n  <radius>-0.5</radius>\n</sphere></geometry></collision></link></model>";
    insta::assert_snapshot!(shown(body, &strict()));
}

#[test]
fn joint_to_a_missing_link() {
    let body = "<model name=\"m\"><link name=\"wheel\"/><joint name=\"j\" type=\"fixed\">\n  <parent>world</parent>\n  <child>weel</child>\n</joint></model>";
    insta::assert_snapshot!(shown(body, &strict()));
}

#[test]
fn indefinite_inertia() {
    let body = "<model name=\"m\"><link name=\"l\"><inertial>\n  <inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz><ixy>2</ixy></inertia>\n</inertial></link></model>";
    insta::assert_snapshot!(shown(body, &strict()));
}

#[test]
fn unknown_element() {
    // The joint makes it block, so that the warning stands beside an error.
    let body =
        "<model name=\"m\"><link name=\"l\">\n  <inertal/>\n</link>\n<joint name=\"j\" type=\"rotary\"/></model>";
    insta::assert_snapshot!(shown(body, &strict()));
}

#[test]
fn unknown_override() {
    let options = LoadOptions { overrides: vec![set("physics.ode.solver.itrs", "100")], ..strict() };
    insta::assert_snapshot!(shown("<model name=\"m\"><link name=\"l\"/></model>", &options));
}

#[test]
fn include_not_found() {
    insta::assert_snapshot!(shown("<include>\n  <uri>model://ground_plain</uri>\n</include>", &strict()));
}

#[test]
fn frame_cycle() {
    let body = "<frame name=\"a\"><pose relative_to=\"b\">0 0 1 0 0 0</pose></frame>\n<frame name=\"b\"><pose relative_to=\"a\">0 0 1 0 0 0</pose></frame>";
    insta::assert_snapshot!(shown(body, &strict()));
}

#[test]
fn remote_include() {
    insta::assert_snapshot!(shown(
        "<include>\n  <uri>https://fuel.gazebosim.org/1.0/openrobotics/models/Radio/2</uri>\n</include>",
        &strict()
    ));
}

const LINK: &str =
    "<link name=\"base\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>";

#[test]
fn urdf_unknown_parent() {
    let body = "<joint name=\"j\" type=\"continuous\">\n  <parent link=\"bse\"/>\n  <child link=\"base\"/>\n</joint>";
    insta::assert_snapshot!(shown_robot(&format!("{LINK}\n{body}")));
}

#[test]
fn urdf_two_parents() {
    let body = "<link name=\"a\"/><link name=\"b\"/>\n<joint name=\"j\" type=\"fixed\"><parent link=\"base\"/><child link=\"a\"/></joint>\n<joint name=\"k\" type=\"fixed\"><parent link=\"base\"/><child link=\"b\"/></joint>\n<joint name=\"l\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint>";
    insta::assert_snapshot!(shown_robot(&format!("{LINK}\n{body}")));
}

#[test]
fn urdf_circle() {
    let body = "<link name=\"a\"/><link name=\"b\"/>\n<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint>\n<joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint>";
    insta::assert_snapshot!(shown_robot(body));
}

#[test]
fn urdf_several_roots() {
    insta::assert_snapshot!(shown_robot(&format!("{LINK}\n{}", LINK.replace("base", "other"))));
}

#[test]
fn urdf_missing_limit() {
    let body = "<joint name=\"j\" type=\"revolute\"><parent link=\"world\"/><child link=\"base\"/></joint>";
    insta::assert_snapshot!(shown_robot(&format!("<link name=\"world\"/>\n{LINK}\n{body}")));
}

#[test]
fn urdf_number_that_is_none() {
    insta::assert_snapshot!(shown_robot(&LINK.replace("ixx=\"1\"", "ixx=\"1e-3kg\"")));
}

#[test]
fn urdf_massless_link() {
    let body =
        "<link name=\"a\"/>\n<joint name=\"j\" type=\"continuous\"><parent link=\"base\"/><child link=\"a\"/></joint>";
    insta::assert_snapshot!(shown_robot(&format!("{LINK}\n{body}")));
}

#[test]
fn urdf_mimic_circle() {
    let body = "<link name=\"a\">INERTIAL</link><link name=\"b\">INERTIAL</link>\n<joint name=\"j\" type=\"continuous\"><parent link=\"base\"/><child link=\"a\"/>\n  <mimic joint=\"k\"/></joint>\n<joint name=\"k\" type=\"continuous\"><parent link=\"base\"/><child link=\"b\"/>\n  <mimic joint=\"j\"/></joint>";
    let inertial = LINK.trim_start_matches("<link name=\"base\">").trim_end_matches("</link>");
    insta::assert_snapshot!(shown_robot(&format!("{LINK}\n{}", body.replace("INERTIAL", inertial))));
}
