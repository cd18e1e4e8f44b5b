//! Bad input ends in findings, never in a panic.
#![allow(missing_docs)]

use crate::common;

use std::fs;

use common::{files_below, load_file, request, shared};
use proptest::prelude::*;
use stiction_formats::diagnostic::Severity;
use stiction_formats::simulation::{simulate, world_parameters};
use stiction_formats::{LoadOptions, load, one_line, render};

const SMALL: &str = r#"<?xml version="1.0"?>
<sdf version="1.6">
  <world name="w"><gravity>0 0 -9.8</gravity>
    <physics type="ode"><max_step_size>0.001</max_step_size></physics>
    <include><uri>model://ground_plane</uri></include>
    <model name="m"><pose>0 0 1 0 0 0</pose>
      <link name="a"><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>
        <collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link>
      <link name="b"><pose frame="a">0 0 1 0 0 0</pose></link>
      <joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
    </model>
  </world>
</sdf>
"#;

const ROBOT: &str = r#"<?xml version="1.0"?>
<robot name="r" xmlns:drake="http://drake.mit.edu">
  <link name="world"/>
  <link name="a"><inertial><origin xyz="0 0 1" rpy="0 0 1"/><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="1 1 1"/></geometry>
      <drake:proximity_properties><drake:mu_static value="0.5"/></drake:proximity_properties></collision></link>
  <link name="b"/>
  <link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="f" type="floating"><parent link="world"/><child link="a"/></joint>
  <joint name="b" type="fixed"><parent link="a"/><child link="b"/><origin xyz="1 0 0"/></joint>
  <joint name="c" type="revolute"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="2" velocity="3"/><dynamics damping="1" friction="2"/><mimic joint="d"/></joint>
  <link name="d"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <joint name="d" type="planar"><parent link="c"/><child link="d"/></joint>
  <gazebo reference="a"><mu1>0.5</mu1><selfCollide>true</selfCollide></gazebo>
</robot>
"#;

fn load_bytes(bytes: &[u8]) {
    load_named("world.sdf", bytes);
}

/// A world that loads is one that the engine takes, whatever it is made of.
fn load_named(name: &str, bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("the folder is writable");
    let loaded = load(&[request(&path)], &LoadOptions::default());
    let text = render(&loaded.diagnostics, &loaded.sources, true);
    assert_eq!(text.is_empty(), loaded.diagnostics.is_empty());
    assert!(loaded.world.is_some() || !loaded.diagnostics.is_empty());
    if let Some(world) = loaded.world.filter(|_| name.ends_with("urdf")) {
        let mut simulation = simulate(&world, world_parameters(&world)).expect("the engine takes the world");
        simulation.world.step(1e-3);
    }
}

/// Bytes replaced, taken out, put in, or repeated.
fn edited(text: &str, edits: Vec<(usize, u8, u8)>) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (at, byte, what) in edits {
        let at = at.min(bytes.len() - 1);
        match what {
            0 => bytes[at] = byte,
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, byte),
            _ => {
                let piece = bytes[at..(at + usize::from(byte)).min(bytes.len())].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_files_never_panic(edits in prop::collection::vec((0..SMALL.len(), any::<u8>(), 0..4u8), 1..12)) {
        load_bytes(&edited(SMALL, edits));
    }

    #[test]
    fn mutated_robots_never_panic(edits in prop::collection::vec((0..ROBOT.len(), any::<u8>(), 0..4u8), 1..4)) {
        load_named("robot.urdf", &edited(ROBOT, edits));
    }

    #[test]
    fn words_of_a_robot_may_stand_anywhere(
        swaps in prop::collection::vec((0..40usize, 0..40usize), 1..4), at in 0..ROBOT.len(), word in "[-+.0-9einfa ]{0,6}"
    ) {
        // Values of attributes change places: other parents, other types, other numbers.
        let mut words: Vec<String> = ROBOT.split('"').map(str::to_owned).collect();
        let count = words.len() / 2;
        for (a, b) in swaps {
            words.swap(2 * (a % count) + 1, 2 * (b % count) + 1);
        }
        let mut text = words.join("\"");
        let at = (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
        text.insert_str(at, &word);
        load_named("robot.urdf", text.as_bytes());
    }

    #[test]
    fn digits_may_become_anything(at in 0..SMALL.len(), word in "[-+.0-9einfa ]{0,12}") {
        let mut text = SMALL.to_owned();
        let at = (0..=at).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
        text.insert_str(at, &word);
        load_bytes(text.as_bytes());
    }
}

#[test]
fn what_is_no_file_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (bytes, code) in [
        (&b""[..], "empty-file"),
        (b"\x89PNG\r\n\x1a\n\0\0", "not-utf8"),
        (b"hello", "xml-syntax"),
        (b"<a/>", "not-sdf"),
        (b"\0\0\0", "xml-syntax"),
    ] {
        let path = folder.path().join("x.sdf");
        fs::write(&path, bytes).expect("writable");
        let loaded = load(&[request(&path)], &LoadOptions::default());
        assert_eq!(loaded.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), [code]);
        assert!(loaded.blocking() && loaded.diagnostics[0].location.is_some());
    }
    for path in [folder.path().to_owned(), folder.path().join("nothing.sdf")] {
        assert_eq!(load(&[request(&path)], &LoadOptions::default()).diagnostics[0].code, "file-read");
    }
    assert!(load(&[], &LoadOptions::default()).blocking());
}

#[test]
fn costly_xml_is_refused_early() {
    let attributes: String = (0..80_000).map(|i| format!(" a{i}=\"\"")).collect();
    for text in [format!("<sdf{attributes}/>"), "<a>".repeat(100_000), "<!DOCTYPE x><sdf/>".to_owned()] {
        load_bytes(text.as_bytes());
    }
}

/// Faults that the torture collection places in a file of this crate's format: file, line.
const TORTURE: [(&str, u32); 14] = [
    ("xml_unclosed/world.sdf", 19),
    ("xml_entity_bomb/world.sdf", 2),
    ("num_mass_minus_inf/world.sdf", 15),
    ("num_inertia_triangle/world.sdf", 15),
    ("num_pose_words/world.sdf", 14),
    ("num_radius_negative/world.sdf", 16),
    ("num_dt_inf/world.sdf", 5),
    ("num_mu_negative/world.sdf", 17),
    ("str_dup_joint/world.sdf", 22),
    ("str_joint_ghost_child/world.sdf", 17),
    ("str_attached_to_unknown/world.sdf", 12),
    ("str_uri_escape/world.sdf", 16),
    ("urdf_missing_parent/robot.urdf", 7),
    ("urdf_mass_nan/robot.urdf", 4),
];

#[test]
fn the_robot_before_its_mutations_is_good() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("robot.urdf");
    fs::write(&path, ROBOT).expect("writable");
    let found: Vec<String> = load_file(&path, &[]).diagnostics.iter().map(one_line).collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn long_chains_of_links_load() {
    // All with mass, or the first and the last alone.
    for has_mass in [|_| true, |i| i == 0 || i == 2999] {
        load_chain(has_mass);
    }
}

fn load_chain(has_mass: fn(i32) -> bool) {
    let mut text = String::from("<robot name='r'>");
    for i in 0..3000 {
        let inertial = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";
        text += &format!("<link name='l{i}'>{}</link>", if has_mass(i) { inertial } else { "" });
        if i > 0 {
            let (kind, before) = (if i % 2 == 0 { "fixed" } else { "continuous" }, i - 1);
            text += &format!("<joint name='j{i}' type='{kind}'><parent link='l{before}'/><child link='l{i}'/></joint>");
        }
    }
    load_named("robot.urdf", (text + "</robot>").as_bytes());
}

#[test]
fn torture_files_get_their_verdicts() {
    let Some(shared) = shared() else { return };
    let folder = shared.join("torture/files");
    for (file, line) in TORTURE {
        let loaded = load_file(&folder.join(file), &[]);
        let found: Vec<String> = loaded.diagnostics.iter().map(one_line).collect();
        let is_there = loaded.diagnostics.iter().any(|d| {
            d.severity == Severity::Error
                && d.location.as_ref().is_some_and(|l| (line.saturating_sub(8)..=line + 2).contains(&l.line))
        });
        assert!(is_there, "{file}:{line}: {found:#?}");
    }
    let itself = load_file(&folder.join("str_include_itself/world.sdf"), &[]);
    let cycle = itself.diagnostics.iter().find(|d| d.code == "include-cycle").expect("a cycle");
    assert!(one_line(cycle).contains("tor_a/model.sdf:4:"), "{}", one_line(cycle));
    for path in files_below(&folder).into_iter().filter(|p| p.extension().is_some_and(|e| e == "sdf")) {
        let loaded = load_file(&path, &[]);
        if path.components().any(|c| c.as_os_str().to_string_lossy().starts_with("st_")) {
            assert!(loaded.world.is_some(), "{}", path.display());
        }
    }
}

#[test]
fn includes_that_multiply_end_soon() {
    // Ten files each include the next one ten times, which would be 10^10 models: the last one is there, is missing, or is no XML.
    for last in ["<sdf version='1.9'><model name='m'><link name='l'/></model></sdf>", "", "<sdf"] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for n in 0..10 {
            let include = |i| format!("<include><name>m{i}</name><uri>m{}.sdf</uri></include>", n + 1);
            let includes: String = (0..10).map(include).collect();
            let text = format!("<sdf version='1.9'><model name='m'><link name='l'/>{includes}</model></sdf>");
            fs::write(folder.path().join(format!("m{n}.sdf")), text).expect("writable");
        }
        if !last.is_empty() {
            fs::write(folder.path().join("m10.sdf"), last).expect("writable");
        }
        let start = std::time::Instant::now();
        let loaded = load_file(&folder.path().join("m0.sdf"), &[]);
        let codes = |code| loaded.diagnostics.iter().filter(|d| d.code == code).count();
        assert!(loaded.world.is_none() && codes("too-large") == 1, "{:#?}", loaded.diagnostics);
        // Each place once, however often its file is included.
        assert_eq!(codes("include-not-found"), if last.is_empty() { 10 } else { 0 });
        assert!(loaded.diagnostics.len() <= 11, "{}", loaded.diagnostics.len());
        assert!(start.elapsed().as_secs_f64() < 10.0, "{:?}", start.elapsed());
    }
}
