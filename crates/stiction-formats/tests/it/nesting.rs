//! Models joined by `<include>` or nested `<model>` are one model, as SDFormat flattens them: their links do not collide
//! with each other, and they sleep or stay awake together.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;

use std::fmt::Write as _;
use std::fs;

use common::{load_good, request};
use proptest::prelude::*;
use stiction::math::DVec3;
use stiction_formats::description::WorldDescription;
use stiction_formats::simulation::{Simulation, simulate, world_parameters};
use stiction_formats::{LoadOptions, load, one_line};

fn run(world: &WorldDescription, steps: usize) -> Simulation {
    let mut simulation = simulate(world, world_parameters(world)).unwrap();
    for _ in 0..steps {
        simulation.world.step(0.001);
    }
    simulation
}

fn ball(name: &str, at: f64, more: &str) -> String {
    format!(
        r#"<link name="{name}"><pose>{at} 0 0 0 0 0</pose>{more}<collision name="c"><geometry><sphere><radius>0.5</radius></sphere></geometry></collision></link>"#
    )
}

fn world(body: &str) -> String {
    format!("<sdf version=\"1.9\"><world name=\"w\"><gravity>0 0 0</gravity>{body}</world></sdf>")
}

#[test]
fn a_robot_assembled_from_included_parts_does_not_collide_with_itself() {
    let folder = tempfile::tempdir().unwrap();
    let part = format!("<sdf version=\"1.9\"><model name=\"part\">{}</model></sdf>", ball("link", 0.0, ""));
    fs::write(folder.path().join("part.sdf"), part).unwrap();
    let include = |name: &str, x: f64| {
        format!("<include><uri>part.sdf</uri><name>{name}</name><pose>{x} 0 0 0 0 0</pose></include>")
    };
    // The first part is joined to the second; the third overlaps both and is joined to neither.
    let robot = format!(
        r#"<model name="robot">{}{}{}<joint name="j" type="revolute"><parent>a::link</parent><child>b::link</child><axis><xyz>0 0 1</xyz></axis></joint></model>"#,
        include("a", 0.0),
        include("b", 0.3),
        include("c", 0.6)
    );
    let path = folder.path().join("world.sdf");
    fs::write(&path, world(&robot)).unwrap();
    let loaded = load(&[request(&path)], &LoadOptions { no_ground: true, ..LoadOptions::default() });
    assert_eq!(loaded.errors(), 0, "{:?}", loaded.diagnostics.iter().map(one_line).collect::<Vec<_>>());
    let simulation = run(&loaded.world.unwrap(), 100);
    for (link, x) in simulation.links.iter().zip([0.0, 0.3, 0.6]) {
        assert_eq!(simulation.link_pose(link).position, DVec3::new(x, 0.0, 0.0), "{}", link.name);
    }
}

#[test]
fn two_models_of_the_world_collide_and_so_do_links_that_ask_for_it() {
    let nested = |outer: &str, inner: &str, link: &str| {
        world(&format!(
            r#"<model name="o">{outer}{}<model name="i">{inner}{}</model></model>"#,
            ball("a", 0.0, ""),
            ball("b", 0.9, link)
        ))
    };
    let yes = "<self_collide>true</self_collide>";
    let no = "<self_collide>false</self_collide>";
    let distance = |text: &str| {
        let s = run(&load_good(text), 10);
        (s.link_pose(&s.links[1]).position - s.link_pose(&s.links[0]).position).x
    };
    for (outer, inner, link, collides) in [
        ("", "", "", false),
        (yes, "", "", true),
        (yes, no, "", true), // link a asks for it
        ("", yes, "", true),
        (no, "", yes, true),
        (no, no, "", false),
    ] {
        let is_apart = distance(&nested(outer, inner, link)) > 0.95;
        assert_eq!(is_apart, collides, "outer {outer:?}, inner {inner:?}, link {link:?}");
    }
    let two = world(&format!(
        r#"<model name="m">{}</model><model name="n">{}</model>"#,
        ball("a", 0.0, ""),
        ball("b", 0.9, "")
    ));
    assert!(distance(&two) > 0.95);
}

#[test]
fn a_link_that_a_joint_connects_to_one_that_stands_does_not_collide_with_it() {
    // The base is held by a fixed joint to the world; what hinges on it reaches into it.
    let hinge =
        r#"<joint name="h" type="revolute"><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz></axis></joint>"#;
    let weld = r#"<joint name="f" type="fixed"><parent>world</parent><child>a</child></joint>"#;
    let acting = |simulation: &Simulation| simulation.world.contact_reports().iter().filter(|c| c.acts).count();
    let contacts = |joints: &str| {
        let text = world(&format!(
            r#"<model name="m"><self_collide>true</self_collide>{}{}{joints}</model>"#,
            ball("a", 0.0, ""),
            ball("b", 0.9, "")
        ));
        let simulation = run(&load_good(&text), 2);
        acting(&simulation)
    };
    assert_eq!(contacts(&format!("{weld}{hinge}")), 0);
    assert!(contacts(weld) > 0);
    let urdf = format!(
        r#"<robot name="arm"><link name="world"/>
               <joint name="w" type="fixed"><parent link="world"/><child link="base"/></joint>
               <link name="base">{LINK}</link><link name="l1">{LINK}</link>
               <joint name="j" type="revolute"><parent link="base"/><child link="l1"/><axis xyz="0 0 1"/>
               <limit lower="-3" upper="3" effort="50" velocity="3"/></joint>
               <gazebo reference="base"><selfCollide>true</selfCollide></gazebo>
               <gazebo reference="l1"><selfCollide>true</selfCollide></gazebo></robot>"#
    );
    let simulation = run(&load_good(&urdf), 5);
    assert_eq!(acting(&simulation), 0);
}

const LINK: &str = r#"<inertial><mass value="4"/><inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><cylinder radius="0.1" length="0.3"/></geometry></collision>"#;

#[test]
fn an_initial_velocity_and_the_leave_to_sleep_reach_nested_models() {
    let text = world(&format!(
        r#"<model name="o"><allow_auto_disable>false</allow_auto_disable>
             <plugin name="v" filename="libInitialVelocityPlugin.so"><linear>1 2 3</linear></plugin>
             {}<model name="i">{}</model></model>"#,
        ball("a", 0.0, ""),
        ball("b", 2.0, "")
    ));
    let description = load_good(&text);
    assert_eq!(description.models.iter().map(|m| m.allow_auto_disable).collect::<Vec<_>>(), [false, false]);
    let simulation = run(&description, 0);
    for link in &simulation.links {
        assert_eq!(simulation.link_velocity(link).0, DVec3::new(1.0, 2.0, 3.0), "{}", link.name);
    }
}

#[test]
fn a_joint_of_the_outer_model_keeps_nested_links_awake() {
    let text = world(&format!(
        r#"<model name="o">{}<model name="i">{}{}</model>
           <joint name="j" type="revolute"><parent>a</parent><child>i::b</child><axis><xyz>0 0 1</xyz></axis></joint></model>"#,
        ball("a", 0.0, ""),
        ball("b", 2.0, ""),
        ball("c", 4.0, "")
    ));
    let simulation = run(&load_good(&text), 0);
    for link in &simulation.links {
        let body = simulation.world.body(link.body.unwrap()).unwrap();
        assert!(!body.auto_disable().enabled, "{}", link.name);
    }
}

/// A model with links and models inside it.
#[derive(Clone, Debug)]
struct Part {
    at: [f64; 3],
    links: Vec<[f64; 3]>,
    parts: Vec<Part>,
}

fn part() -> impl Strategy<Value = Part> {
    let offset = || prop::array::uniform3(-0.6..0.6_f64);
    let leaf =
        (offset(), prop::collection::vec(offset(), 1..3)).prop_map(|(at, links)| Part { at, links, parts: Vec::new() });
    leaf.prop_recursive(3, 12, 3, move |inner| {
        (offset(), prop::collection::vec(offset(), 0..3), prop::collection::vec(inner, 1..3))
            .prop_map(|(at, links, parts)| Part { at, links, parts })
    })
}

impl Part {
    /// The nested text; the links with their absolute positions go into `flat`, in the order of the file.
    fn write(&self, name: &str, scope: &str, origin: DVec3, text: &mut String, flat: &mut Vec<(String, DVec3)>) {
        let here = origin + DVec3::from(self.at);
        let [x, y, z] = self.at;
        write!(text, "<model name=\"{name}\"><pose>{x} {y} {z} 0 0 0</pose>").unwrap();
        for (i, at) in self.links.iter().enumerate() {
            write!(text, "{}", sphere(&format!("l{i}"), DVec3::from(*at))).unwrap();
            flat.push((format!("{scope}l{i}"), here + DVec3::from(*at)));
        }
        for (i, inner) in self.parts.iter().enumerate() {
            inner.write(&format!("m{i}"), &format!("{scope}m{i}::"), here, text, flat);
        }
        text.push_str("</model>");
    }
}

fn sphere(name: &str, at: DVec3) -> String {
    format!(
        r#"<link name="{name}"><pose>{} {} {} 0 0 0</pose><inertial><mass>2</mass><inertia><ixx>.1</ixx><iyy>.1</iyy><izz>.1</izz></inertia></inertial><collision name="c"><geometry><sphere><radius>0.3</radius></sphere></geometry></collision></link>"#,
        at.x, at.y, at.z
    )
}

fn joint(index: usize, parent: &str, child: &str) -> String {
    format!(r#"<joint name="j{index}" type="ball"><parent>{parent}</parent><child>{child}</child></joint>"#)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any nesting of models moves as the one model with all its links does, beside a second one that it falls upon.
    #[test]
    fn nested_models_move_as_their_flat_model(part in part(), chain in any::<bool>()) {
        let mut links = Vec::new();
        let mut nested = String::new();
        part.write("o", "", DVec3::ZERO, &mut nested, &mut links);
        let pairs: Vec<usize> = if chain { (1..links.len()).collect() } else { Vec::new() };
        let joints: String = pairs.iter().map(|i| joint(*i, &links[i - 1].0, &links[*i].0)).collect();
        nested.truncate(nested.len() - "</model>".len());
        write!(nested, "{joints}</model>").unwrap();
        let mut flat = String::from("<model name=\"o\">");
        for (i, (_, at)) in links.iter().enumerate() {
            flat.push_str(&sphere(&format!("l{i}"), *at));
        }
        pairs.iter().for_each(|i| flat.push_str(&joint(*i, &format!("l{}", i - 1), &format!("l{i}"))));
        flat.push_str("</model>");
        let ground = r#"<model name="g"><static>true</static><pose>0 0 -2.6 0 0 0</pose><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>"#;
        let [a, b] = [&nested, &flat].map(|model| {
            let text = format!("<sdf version=\"1.9\"><world name=\"w\">{ground}{model}</world></sdf>");
            run(&load_good(&text), 40)
        });
        prop_assert_eq!(a.links.len(), b.links.len());
        for (a_link, b_link) in a.links.iter().zip(&b.links) {
            let apart = a.link_pose(a_link).position.distance(b.link_pose(b_link).position);
            prop_assert!(apart < 1e-9, "{} is {} m from where the flat model has it", a_link.name, apart);
        }
    }
}
