//! Links without mass, inertias that no body has, and names that lead nowhere: what Gazebo loads is loaded, with a finding.

use stiction_formats::diagnostic::Severity;
use stiction_formats::{LoadOptions, Loaded};

use super::{load_robot, simulated};

fn loaded(body: &str) -> Loaded {
    load_robot(body, &LoadOptions { no_ground: true, ..LoadOptions::default() })
}

fn names(loaded: &Loaded) -> (Vec<&str>, Vec<&str>) {
    let world = loaded.world.as_ref().expect("a run goes past the findings");
    (world.links.iter().map(|l| l.name.as_str()).collect(), world.joints.iter().map(|j| j.name.as_str()).collect())
}

fn hinge(name: &str, parent: &str, child: &str, more: &str) -> String {
    format!("<joint name='{name}' type='continuous'><parent link='{parent}'/><child link='{child}'/>{more}</joint>")
}

#[test]
fn links_that_move_without_mass_are_left_out() {
    let body = format!(
        "<link name='a'>INERTIAL</link><link name='b'/><link name='c'><inertial><mass value='0'/><inertia ixx='0' iyy='0' izz='0'/></inertial></link>
         <link name='d'/><link name='e'>INERTIAL</link>{}{}{}{}",
        hinge("ab", "a", "b", ""),
        hinge("bc", "b", "c", ""),
        "<joint name='cd' type='fixed'><parent link='c'/><child link='d'/></joint>",
        hinge("ae", "a", "e", "<mimic joint='ab'/>"),
    );
    let loaded = loaded(&body);
    assert_eq!(names(&loaded), (vec!["r::a", "r::e"], vec!["r::ae"]));
    let found: Vec<(&str, Severity)> = loaded.diagnostics.iter().map(|d| (d.code, d.severity)).collect();
    assert_eq!(found, [("massless-link", Severity::Warning), ("mimic-joint", Severity::Warning)]);
    assert_eq!(loaded.diagnostics[0].label, "left out, as in Gazebo, with 2 links below it");
    let mut simulation = simulated(loaded.world.as_ref().expect("a world"));
    simulation.world.step(1e-3);
}

#[test]
fn a_massless_link_above_one_with_mass_is_an_error() {
    let (ab, bc) = (hinge("ab", "a", "b", ""), hinge("bc", "b", "c", ""));
    let loaded =
        loaded(&format!("<link name='a'>INERTIAL</link><link name='b'/><link name='c'>INERTIAL</link>{ab}{bc}"));
    assert!(loaded.world.is_none());
    assert!(loaded.diagnostics.iter().any(|d| d.code == "massless-link" && d.severity == Severity::Error));
}

/// The inertia of the small link is indefinite; that of the body which it is part of is not.
#[test]
fn an_indefinite_inertia_counts_with_the_rest_of_its_body() {
    let indefinite =
        "<link name='b'><inertial><mass value='1'/><inertia ixx='-0.1' iyy='0.1' izz='0.1'/></inertial></link>";
    let fixed = "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>";
    let lumped = loaded(&format!("<link name='a'>INERTIAL</link>{indefinite}{fixed}"));
    assert_eq!(lumped.errors(), 1);
    assert!(!lumped.blocking());
    let mut simulation = simulated(lumped.world.as_ref().expect("a world"));
    simulation.world.step(1e-3);
    // Alone it gets the unit inertia.
    let alone = loaded(indefinite);
    assert!(alone.diagnostics.iter().any(|d| d.code == "invalid-inertia" && d.severity == Severity::Error));
    assert_eq!(alone.world.expect("a world").links[0].inertial.inertia.value, [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
}

/// The root has no mass, and the link that a fixed joint makes part of it has the inertia that no body has.
#[test]
fn an_indefinite_inertia_below_a_massless_root_runs_as_the_unit() {
    let indefinite =
        "<link name='b'><inertial><mass value='2'/><inertia ixx='-0.1' iyy='0.1' izz='0.1'/></inertial></link>";
    let fixed = "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>";
    let loaded = loaded(&format!("<link name='a'/>{indefinite}{fixed}"));
    assert_eq!(loaded.errors(), 1);
    let mut simulation = simulated(loaded.world.as_ref().expect("a world"));
    simulation.world.step(1e-3);
    let body = simulation.links[0].body.and_then(|id| simulation.world.body(id)).expect("a body");
    assert_eq!((body.mass(), body.mass_properties().inertia), (2.0, stiction::math::DMat3::IDENTITY));
}

/// A CAD program wrote the rounding of a zero: with it a leg of 0.7 kg that touched the ground made 1e34 J.
#[test]
fn an_inertia_that_is_rounding_is_singular() {
    let of = |moment: &str| {
        let inertia = format!("<inertia ixx='{moment}' iyy='{moment}' izz='{moment}'/>");
        loaded(&format!("<link name='a'><inertial><mass value='0.7'/>{inertia}</inertial></link>"))
    };
    let rounding = of("2.7e-20");
    assert!(rounding.diagnostics.iter().any(|d| d.code == "invalid-inertia" && d.message.contains("singular")));
    assert_eq!(rounding.world.expect("a world").links[0].inertial.inertia.value[..3], [1.0; 3]);
    // A particle of 1 µm is one that may be meant.
    let particle = of("1e-12");
    assert_eq!(particle.errors(), 0);
    assert_eq!(particle.world.expect("a world").links[0].inertial.inertia.value[0], 1e-12);
}

#[test]
fn a_mimic_without_leader_leaves_its_joint_free() {
    let joint = hinge("j", "a", "b", "<mimic joint='k'/>");
    let loaded = loaded(&format!("<link name='a'>INERTIAL</link><link name='b'>INERTIAL</link>{joint}"));
    assert_eq!(loaded.errors(), 1);
    assert!(loaded.world.expect("a run goes past it").joints[0].axes[0].mimic.is_none());
}

#[test]
fn the_world_need_not_be_declared() {
    let loaded = loaded(&format!("<link name='a'>INERTIAL</link>{}", hinge("j", "world", "a", "")));
    assert_eq!(loaded.errors(), 0);
    assert_eq!(loaded.diagnostics[0].code, "joint-parent");
    let world = loaded.world.expect("a warning only");
    assert_eq!(
        (world.joints[0].parent, world.joints[0].child, world.models[0].canonical_link),
        (None, Some(0), Some(0))
    );
}
