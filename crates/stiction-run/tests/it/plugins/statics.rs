//! Plugins of static models: those that can act do, under every engine; the others are reported with their line.

use super::*;
use crate::common::ENGINES;

const BOX: &str = r#"<collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry><surface><friction><ode><mu>0.8</mu><mu2>0.8</mu2></ode></friction></surface></collision>"#;
const INERTIAL: &str =
    "<inertial><mass>1</mass><inertia><ixx>0.0067</ixx><iyy>0.0067</iyy><izz>0.0067</izz></inertia></inertial>";

fn body(name: &str, at: &str) -> String {
    format!(r#"<model name="{name}"><pose>{at} 0 0 0</pose><link name="l">{INERTIAL}{BOX}</link></model>"#)
}

fn fixed(name: &str, at: &str, inner: &str) -> String {
    format!(r#"<model name="{name}"><pose>{at} 0 0 0</pose><static>true</static>{inner}</model>"#)
}

/// A conveyor, a crane that lets its load go, and a switch, as example worlds have them.
fn yard() -> String {
    let long = BOX.replace("0.2 0.2 0.2", "4 0.5 0.1");
    let belt = sim("track-controller", "TrackController", "<link>l</link>");
    let hook = sim(
        "detachable-joint",
        "DetachableJoint",
        "<parent_link>l</parent_link><child_model>load</child_model><child_link>l</child_link>",
    );
    let sensor = r#"<sensor name="s" type="contact"><contact><collision>c</collision></contact></sensor>"#;
    let touch = sim(
        "touchplugin",
        "TouchPlugin",
        "<target>weight</target><time>0.2</time><namespace>switch</namespace><enabled>true</enabled>",
    );
    [
        fixed("conveyor", "0 0 0.05", &format!(r#"<link name="l">{long}</link>{belt}"#)),
        body("parcel", "-1 0 0.2"),
        fixed("crane", "0 3 3", &format!(r#"<link name="l">{BOX}</link>{hook}"#)),
        body("load", "0 3 2"),
        fixed("switch", "0 6 0.1", &format!(r#"<link name="l">{BOX}{sensor}</link>{touch}"#)),
        body("weight", "0 6 0.3"),
    ]
    .concat()
}

#[test]
fn belts_hooks_and_switches_of_static_models_act() {
    let text = world("0 0 -9.8", &yard());
    for engine in ENGINES {
        let commands = ["conveyor::l:velocity=0.5", "crane:detach=1"];
        let mut run = setup(&text, &commands).engine(engine).start().unwrap();
        run.advance(0.99).unwrap();
        near(velocity(&run, "parcel::l").0.x, 0.5, 2e-3, engine);
        near(pose(&run, "load::l").position.z, 2.0, 1e-4, engine);
        run.advance(0.31).unwrap();
        near(velocity(&run, "load::l").0.z, -9.8 * 0.3, 0.02, engine);
        let reported = events(&run);
        let has = |words: &str| reported.iter().any(|event| event.contains(words));
        assert!(has("detached from `crane::l`") && has("switch"), "{engine}: {reported:?}");
    }
}

#[test]
fn what_cannot_move_a_static_model_is_reported() {
    for (plugin, name) in [
        (sim("velocity-control", "VelocityControl", "<initial_linear>1 0 0</initial_linear>"), "VelocityControl"),
        (
            sim(
                "diff-drive",
                "DiffDrive",
                "<left_joint>a</left_joint><right_joint>b</right_joint><wheel_separation>1</wheel_separation><wheel_radius>0.1</wheel_radius>",
            ),
            "DiffDrive",
        ),
        (sim("lift-drag", "LiftDrag", "<link_name>l</link_name><area>1</area>"), "LiftDrag"),
        (sim("thruster", "Thruster", "<joint_name>a</joint_name>"), "Thruster"),
    ] {
        let joints = r#"<link name="m"><pose>0 0 1 0 0 0</pose></link><joint name="a" type="revolute"><parent>l</parent><child>m</child><axis><xyz>0 0 1</xyz></axis></joint><link name="n"><pose>0 0 2 0 0 0</pose></link><joint name="b" type="revolute"><parent>l</parent><child>n</child><axis><xyz>0 0 1</xyz></axis></joint>"#;
        let text =
            world("0 0 -9.8", &fixed("post", "0 0 1", &format!(r#"<link name="l">{BOX}</link>{joints}{plugin}"#)));
        let project = setup(&text, &[]).load().unwrap();
        let found: Vec<_> = project.loaded.diagnostics.iter().filter(|d| d.code == "plugin-of-static-model").collect();
        let [finding] = found[..] else { panic!("{name}: {:?}", project.loaded.diagnostics) };
        assert!(finding.location.is_some() && finding.message.contains(name) && finding.message.contains("`post`"));
    }
}
