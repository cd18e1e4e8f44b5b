//! `<initial_position>`: where links start, by closed forms, and what joints then read.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;

use common::{load_good, load_text};
use stiction::math::{DQuat, DVec3, Pose};
use stiction_formats::LoadOptions;
use stiction_formats::description::WorldDescription;
use stiction_formats::simulation::{simulate, world_parameters};

fn world(inner: &str) -> String {
    format!(
        r#"<sdf version="1.11"><world name="w"><gravity>0 0 0</gravity><model name="m"><pose>1 2 3 0 0 0.4</pose>{inner}</model></world></sdf>"#
    )
}

/// A link at `at`, and a joint of it with its parent.
fn arm(name: &str, at: &str, parent: &str, joint: &str) -> String {
    format!(r#"<link name="{name}"><pose>{at}</pose></link><joint name="j{name}" {joint}</joint>"#)
        .replace("PARENT", &format!("<parent>{parent}</parent><child>{name}</child>"))
}

fn pose(world: &WorldDescription, link: &str) -> Pose {
    world.links.iter().find(|l| l.name == link).unwrap().pose
}

fn near(found: &Pose, expected: &Pose) {
    assert!((found.position - expected.position).length() < 1e-12, "{found:?} {expected:?}");
    assert!(1.0 - found.rotation.dot(expected.rotation).abs() < 1e-12, "{found:?} {expected:?}");
}

#[test]
fn a_chain_starts_at_its_positions_and_stays_there() {
    let hinge = r#"type="revolute">PARENT<axis><xyz>0 1 0</xyz><initial_position>0.7</initial_position></axis>"#;
    let slide = r#"type="prismatic">PARENT<axis><xyz>1 0 0</xyz><initial_position>-0.25</initial_position></axis>"#;
    let screw = r#"type="screw">PARENT<axis><xyz>0 0 1</xyz><initial_position>2</initial_position></axis><screw_thread_pitch>0.3</screw_thread_pitch>"#;
    let chain = [
        r#"<link name="base"/>"#.to_owned(),
        arm("a", "0 0 1 0 0 0", "base", hinge),
        arm("b", "0.5 0 1 0 0 0", "a", slide),
        arm("c", "1 0 1 0.3 0 0", "b", screw),
    ]
    .concat();
    let description = load_good(&world(&chain));
    // Poses compose link by link: T(origin) · motion · rest.
    let model = Pose::from_xyz_rpy(DVec3::new(1.0, 2.0, 3.0), DVec3::new(0.0, 0.0, 0.4));
    let turn = |axis: DVec3, angle: f64, advance: f64| Pose::new(advance * axis, DQuat::from_axis_angle(axis, angle));
    let a = model.compose(&Pose::from_position(DVec3::Z)).compose(&turn(DVec3::Y, 0.7, 0.0));
    let b = a.compose(&Pose::from_position(DVec3::new(0.5 - 0.25, 0.0, 0.0)));
    let tilted = Pose::from_xyz_rpy(DVec3::new(0.5, 0.0, 0.0), DVec3::new(0.3, 0.0, 0.0));
    let c = b.compose(&tilted).compose(&turn(DVec3::Z, 2.0, 0.3 * 2.0 / std::f64::consts::TAU));
    near(&pose(&description, "m::base"), &model);
    near(&pose(&description, "m::a"), &a);
    near(&pose(&description, "m::b"), &b);
    near(&pose(&description, "m::c"), &c);
    let mut simulation = simulate(&description, world_parameters(&description)).unwrap();
    for _ in 0..20 {
        for (joint, expected) in [("m::ja", 0.7), ("m::jb", -0.25), ("m::jc", 2.0)] {
            let found = simulation.joints.iter().find(|j| j.name == joint).and_then(|j| simulation.world.joint(j.id?));
            let position = found.unwrap().position(0);
            assert!((position - expected).abs() < 1e-9, "{joint}: {position}");
        }
        simulation.world.step(0.001);
    }
}

#[test]
fn a_universal_joint_starts_at_both_positions() {
    let cross = r#"type="universal">PARENT<axis><xyz>1 0 0</xyz><initial_position>0.5</initial_position></axis><axis2><xyz>0 1 0</xyz><initial_position>-0.9</initial_position></axis2>"#;
    let description = load_good(&world(&format!(r#"<link name="base"/>{}"#, arm("a", "0 0 1 0 0 0", "base", cross))));
    let model = Pose::from_xyz_rpy(DVec3::new(1.0, 2.0, 3.0), DVec3::new(0.0, 0.0, 0.4));
    let turned = DQuat::from_rotation_x(0.5) * DQuat::from_rotation_y(-0.9);
    near(&pose(&description, "m::a"), &model.compose(&Pose::new(DVec3::Z, turned)));
    let simulation = simulate(&description, world_parameters(&description)).unwrap();
    let joint = &simulation.joints[0];
    let found = simulation.world.joint(joint.id.unwrap()).unwrap();
    for (axis, expected) in joint.axes.iter().zip([0.5, -0.9]) {
        assert!((found.position(*axis) - expected).abs() < 1e-9, "{}", found.position(*axis));
    }
}

#[test]
fn a_limit_counts_from_the_zero_of_the_file() {
    let hinge = r#"type="revolute">PARENT<axis><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>1</upper></limit><initial_position>0.9</initial_position></axis>"#;
    let text = world(&format!(r#"<link name="base"/>{}"#, arm("a", "1 0 0 0 0 0", "world", hinge)));
    let description = load_good(&text.replace("<link name=\"base\"/>", ""));
    let mut simulation = simulate(&description, world_parameters(&description)).unwrap();
    let (body, joint) = (simulation.links[0].body.unwrap(), simulation.joints[0].id.unwrap());
    for _ in 0..2000 {
        simulation.world.body_mut(body).unwrap().add_torque(DVec3::new(0.0, 0.0, 5.0));
        simulation.world.step(0.001);
    }
    let position = simulation.world.joint(joint).unwrap().position(0);
    assert!((position - 1.0).abs() < 1e-2, "{position}");
}

#[test]
fn what_cannot_start_moved_is_told() {
    let hinge = |name: &str, parent: &str, child: &str, position: f64| {
        format!(
            r#"<joint name="{name}" type="revolute"><parent>{parent}</parent><child>{child}</child><axis><xyz>0 0 1</xyz><initial_position>{position}</initial_position></axis></joint>"#
        )
    };
    let loop_ = [
        r#"<link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link>"#.to_owned(),
        hinge("j", "a", "b", 0.3),
        hinge("k", "world", "b", 0.0),
        hinge("l", "world", "a", 0.0),
    ]
    .concat();
    let box_ = r#"<link name="a"/><link name="b"/><joint name="g" type="gearbox"><parent>a</parent><child>b</child><gearbox_ratio>2</gearbox_ratio><gearbox_reference_body>a</gearbox_reference_body><axis><xyz>0 0 1</xyz><initial_position>0.3</initial_position></axis><axis2><xyz>0 0 1</xyz></axis2></joint>"#;
    for (inner, words) in [(loop_.as_str(), "part of a loop"), (box_, "no initial position")] {
        let loaded = load_text(&world(inner), &LoadOptions { no_ground: true, ..LoadOptions::default() });
        let found = loaded.diagnostics.iter().find(|d| d.code == "initial-position").expect("a finding");
        assert!(found.message.contains(words) && found.location.is_some(), "{}", found.message);
        let world = loaded.world.unwrap();
        assert_eq!(world.joints[0].axes[0].position, 0.0);
        near(&pose(&world, "m::b"), &Pose::from_xyz_rpy(pose(&world, "m::b").position, DVec3::new(0.0, 0.0, 0.4)));
    }
}

#[test]
fn urdf_says_it_by_its_extension() {
    let inertial =
        r#"<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>"#;
    let text = format!(
        r#"<robot name="r"><link name="a">{inertial}</link><link name="b">{inertial}</link><joint name="j" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/></joint>
<gazebo reference="j"><initialJointPosition>0.6</initialJointPosition></gazebo></robot>"#
    );
    let description = load_good(&text);
    near(&pose(&description, "r::b"), &Pose::new(DVec3::Z, DQuat::from_rotation_y(0.6)));
}
