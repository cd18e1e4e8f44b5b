//! `<stiction:wire>`: what it becomes, and what is said of faults.

use stiction_formats::devices::{DeviceKind, WireDescription, WireNodeKind};
use stiction_formats::{FileRequest, LoadOptions, Loaded, load, render};

fn load_text(wires: &str) -> Loaded {
    let text = format!(
        "<sdf version=\"1.9\" xmlns:stiction=\"https://stiction.dev/sdf\"><world name=\"w\">
  <model name=\"m\"><pose>1 2 3 0 0 0</pose>
    <link name=\"a\"><inertial><mass>1</mass></inertial></link>
    <link name=\"b\"><pose>0 0 -1 0 0 0</pose><inertial><mass>1</mass></inertial></link>
    <!--MODEL-->
  </model>
{wires}
</world></sdf>"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("w.world");
    std::fs::write(&path, text).expect("a file");
    load(&[FileRequest { path, name: None, pose: None }], &LoadOptions::default())
}

fn wire(loaded: &Loaded) -> &WireDescription {
    let world = loaded.world.as_ref().unwrap_or_else(|| panic!("{}", findings(loaded)));
    let [device] = &world.devices[..] else { panic!("{} devices", world.devices.len()) };
    let DeviceKind::Wire(wire) = &device.kind else { panic!("no wire") };
    wire
}

fn findings(loaded: &Loaded) -> String {
    render(&loaded.diagnostics, &loaded.sources, false)
}

#[test]
fn every_part_of_a_wire_is_read() {
    let loaded = load_text(
        "<stiction:wire name=\"hoist\">
  <radius>0.01</radius> <resolution>2</resolution> <density>7850</density> <friction>0.2</friction> <collide>true</collide>
  <stretch><youngs_modulus>1e9</youngs_modulus><damping_time>0.1</damping_time></stretch>
  <bend><youngs_modulus>0</youngs_modulus></bend>
  <winch link=\"m::a\"><position>0 0 1</position><stored>5</stored><force_range>-10 20</force_range><brake>3</brake><speed>-0.5</speed></winch>
  <eye><position>0 0 9</position></eye>
  <free><position>1 0 9</position></free>
  <clamped link=\"m::b\"/>
</stiction:wire>",
    );
    let world = loaded.world.as_ref().expect("a world");
    assert_eq!(world.devices[0].name, "hoist");
    let own = wire(&loaded);
    assert_eq!((own.radius.value, own.resolution.value, own.collides.value), (0.01, 2.0, true));
    let given = [&own.density, &own.friction, &own.youngs_modulus_stretch, &own.spook_damping_stretch];
    assert_eq!(given.map(|x| x.as_ref().map(|x| x.value)), [7850.0, 0.2, 1e9, 0.1].map(Some));
    assert_eq!(own.youngs_modulus_bend.as_ref().map(|x| x.value), Some(0.0));
    assert!(own.spook_damping_bend.is_none() && !own.is_of_table);
    let winch = own.winch.as_ref().expect("a winch");
    assert_eq!((winch.pulled_in_length.value, winch.force_range.value, winch.brake), (5.0, [-10.0, 20.0], 3.0));
    let kinds: Vec<_> = own.nodes.iter().map(|node| (node.kind, node.link.as_ref().and_then(|l| l.link))).collect();
    assert_eq!(kinds, [(WireNodeKind::Eye, None), (WireNodeKind::Free, None), (WireNodeKind::Link, Some(1))]);
}

/// In a model names are those of the model, and points without a link are in its frame.
#[test]
fn a_wire_of_a_model_is_in_its_frame() {
    let text = "<stiction:wire name=\"w\"><fixed><position>0 0 1</position></fixed><fixed link=\"b\"/></stiction:wire>";
    let loaded = load_text(&format!("<model name=\"n\">{text}<pose>0 0 5 0 0 0</pose><link name=\"b\"/></model>"));
    let own = wire(&loaded);
    assert_eq!(own.nodes[0].position.to_array(), [0.0, 0.0, 6.0]);
    assert_eq!(own.nodes[1].link.as_ref().and_then(|link| link.link), Some(2));
    assert_eq!(loaded.world.as_ref().expect("a world").devices[0].name, "n::w");
}

#[test]
fn faults_are_told_with_their_lines() {
    let ends = "<fixed/>\n<fixed link=\"m::b\"/>";
    for (text, said) in [
        (format!("<stiction:wire>{ends}</stiction:wire>"), "<stiction:wire> has no name"),
        ("<stiction:wire name=\"w\"><fixed/></stiction:wire>".to_owned(), "the wire `w` has 1 points, expected two"),
        (
            format!("<stiction:wire name=\"w\">\n<radius>-1</radius>{ends}</stiction:wire>"),
            "<radius> of a wire is `-1`",
        ),
        (format!("<stiction:wire name=\"w\">\n<density>much</density>{ends}</stiction:wire>"), "is `much`, expected"),
        (format!("<stiction:wire name=\"w\">\n<collide>2</collide>{ends}</stiction:wire>"), "expected true or false"),
        ("<stiction:wire name=\"w\"><fixed/>\n<fixed link=\"m::c\"/></stiction:wire>".to_owned(), "link names `m::c`"),
        ("<stiction:wire name=\"w\">\n<eye/><fixed link=\"m::b\"/></stiction:wire>".to_owned(), "<eye> is at an end"),
        (
            format!("<stiction:wire name=\"w\">{ends}<clamped link=\"m::a\"/><free/></stiction:wire>"),
            "<clamped> is not at an end",
        ),
        (format!("<stiction:wire name=\"w\">{ends}\n<winch/></stiction:wire>"), "<winch> of a wire is not its first"),
        (
            format!("<stiction:wire name=\"w\">\n<winch><force_range>1 2</force_range></winch>{ends}</stiction:wire>"),
            "<force_range> of a winch is `1 2`",
        ),
        (
            format!("<stiction:wire name=\"w\"><fixed><position>0 0</position></fixed>{ends}</stiction:wire>"),
            "<position> of a wire's point is `0 0`",
        ),
        (
            format!(
                "<stiction:wire name=\"w\">{ends}</stiction:wire>\n<stiction:wire name=\"w\">{ends}</stiction:wire>"
            ),
            "w",
        ),
    ] {
        let loaded = load_text(&text);
        let found = findings(&loaded);
        assert!(loaded.world.is_none() && found.contains(said) && found.contains("w.world:"), "{text}\n{found}");
    }
    let loaded = load_text(&format!("<stiction:wire name=\"w\">\n<radus>1</radus>{ends}</stiction:wire>"));
    let found = findings(&loaded);
    assert!(found.contains("<radus> is not an element of <stiction:wire>") && found.contains("`radius`"), "{found}");
    wire(&loaded);
}
