//! What is wrong in a plugin is told with its line, and a run goes on without it; commands tell what takes them.

use stiction_formats::diagnostic::Severity;

use super::*;

/// A model with a plugin in a line of its own, the fifth.
fn faulty(plugin: &str) -> String {
    world(
        "0 0 0",
        &format!(
            "<model name=\"m\"><link name=\"a\"><inertial><mass>1</mass></inertial></link><link name=\"b\"><pose>1 0 0 0 0 0</pose><inertial><mass>1</mass></inertial></link>\n<joint name=\"j\" type=\"revolute\"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint><joint name=\"world_joint\" type=\"fixed\"><parent>world</parent><child>a</child></joint>\n{plugin}\n</model>"
        ),
    )
}

#[test]
fn faults_have_their_line_and_the_run_goes_on() {
    for (plugin, code, part) in [
        (sim("joint-controller", "JointController", ""), "missing-element", "joint_name"),
        (sim("joint-controller", "JointController", "<joint_name>jj</joint_name>"), "unknown-joint", "jj"),
        (sim("joint-controller", "JointController", "<joint_name>world_joint</joint_name>"), "joint-without-axis", "world_joint"),
        (sim("joint-controller", "JointController", "<joint_name>j</joint_name><p_gain>much</p_gain>"), "invalid-value", "p_gain"),
        (sim("joint-controller", "JointController", "<joint_name>j</joint_name><p_gain>nan</p_gain>"), "invalid-value", "p_gain"),
        (sim("joint-controller", "JointController", "<joint_name>j</joint_name><use_force_commands>perhaps</use_force_commands>"), "invalid-value", "use_force_commands"),
        (sim("joint-position-controller", "JointPositionController", "<joint_name>j</joint_name><joint_index>3</joint_index>"), "invalid-value", "joint_index"),
        (sim("diff-drive", "DiffDrive", "<left_joint>j</left_joint>"), "missing-element", "right_joint"),
        (sim("diff-drive", "DiffDrive", "<left_joint>j</left_joint><right_joint>j</right_joint><wheel_radius>0</wheel_radius>"), "invalid-value", "wheel_radius"),
        (sim("lift-drag", "LiftDrag", "<link_name>wing</link_name>"), "unknown-link", "wing"),
        (sim("lift-drag", "LiftDrag", "<link_name>a</link_name><forward>0 0 0</forward>"), "invalid-value", "forward"),
        (sim("lift-drag", "LiftDrag", "<link_name>a</link_name><cp>1 2</cp>"), "invalid-value", "cp"),
        (sim("thruster", "Thruster", "<joint_name>j</joint_name><thrust_coefficient>0</thrust_coefficient>"), "invalid-value", "thrust_coefficient"),
        (sim("thruster", "Thruster", "<joint_name>j</joint_name><max_thrust_cmd>-5</max_thrust_cmd><min_thrust_cmd>5</min_thrust_cmd>"), "invalid-value", "max_thrust_cmd"),
        (sim("hydrodynamics", "Hydrodynamics", "<link_name>a</link_name><xU>x</xU>"), "invalid-value", "xU"),
        (sim("multicopter-motor-model", "MulticopterMotorModel", "<jointName>j</jointName><linkName>b</linkName><turningDirection>left</turningDirection>"), "invalid-value", "turningDirection"),
        (sim("detachable-joint", "DetachableJoint", "<parent_link>a</parent_link><child_model>none</child_model><child_link>l</child_link>"), "unknown-link", "none::l"),
        (sim("touchplugin", "TouchPlugin", "<target>x</target>"), "missing-element", "time"),
        (r#"<plugin name="c" filename="libJointControlPlugin.so"><controller type="torque"><joint>j</joint></controller></plugin>"#.to_owned(), "invalid-value", "torque"),
        (r#"<plugin name="c" filename="libHarnessPlugin.so"/>"#.to_owned(), "missing-element", "joint"),
    ] {
        let project = setup(&faulty(&plugin), &[]).load().unwrap();
        let found: Vec<_> = project.loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
        assert!(found.len() == 1, "{plugin}: {found:?}");
        let place = found[0].location.as_ref().unwrap();
        assert_eq!((found[0].code, place.line), (code, 4), "{plugin}: {found:?}");
        assert!(found[0].message.contains(part), "{plugin}: {}", found[0].message);
        assert!(project.loaded.world.as_ref().unwrap().plugins.is_empty(), "{plugin}");
        let mut run = project.start().unwrap();
        run.advance(0.01).unwrap();
    }
}

#[test]
fn a_sensor_with_a_rate_below_0_is_refused() {
    let link = |rate: &str| {
        format!(
            r#"<link name="c"><inertial><mass>1</mass></inertial><sensor name="s" type="altimeter"><update_rate>{rate}</update_rate></sensor></link>"#
        )
    };
    for (rate, count) in [("0", 0), ("12.5", 0), ("-5", 1), ("-1e-3", 1)] {
        let project = setup(&faulty(&link(rate)), &[]).load().unwrap();
        let found: Vec<_> = project.loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
        assert_eq!(found.len(), count, "{rate}: {found:?}");
        for error in found {
            let place = error.location.as_ref().unwrap();
            assert_eq!((error.code, place.line), ("invalid-value", 4), "{error:?}");
            assert!(error.message.contains("expected a rate of 0 or more"), "{error:?}");
        }
        let mut run = project.start().unwrap();
        run.advance(0.01).unwrap();
        assert_eq!(run.simulation().readings().count(), 1 - count, "{rate}");
    }
}

#[test]
fn a_parameter_that_a_plugin_does_not_have_is_told() {
    let plugin =
        sim("joint-controller", "JointController", "<joint_name>j</joint_name><p_gian>3</p_gian><topic>t</topic>");
    let project = setup(&faulty(&plugin), &[]).load().unwrap();
    let found: Vec<String> = project.loaded.diagnostics.iter().map(stiction_formats::one_line).collect();
    assert!(found.len() == 1 && found[0].contains("<p_gian> is not a parameter of JointController"), "{found:?}");
}

#[test]
fn a_plugin_that_is_not_known_is_told_in_a_line() {
    let project = setup(&faulty(r#"<plugin name="x" filename="libMyOwnThing.so"/>"#), &[]).load().unwrap();
    let skipped = &project.loaded.world.as_ref().unwrap().skipped;
    assert!(skipped.len() == 1 && skipped[0].path == "model::plugin[libMyOwnThing.so]", "{skipped:?}");
    let run = project.start().unwrap();
    assert!(run.warnings().iter().filter(|w| w.contains("libMyOwnThing")).count() == 1);
}

#[test]
fn commands_tell_what_takes_them() {
    let text = faulty(&sim("velocity-control", "VelocityControl", ""));
    let refused = |command: &str| setup(&text, &[command]).start().err().map_or_else(String::new, |e| e.to_string());
    assert!(
        refused("n:twist=1,0").contains("no model that takes a twist `n`; did you mean `m`?"),
        "{}",
        refused("n:twist=1,0")
    );
    assert!(refused("j:thrust=1").contains("there are no joints that take a thrust"), "{}", refused("j:thrust=1"));
    assert!(refused("m:detach=1").contains("no model that can be detached"));
    let parse = |text: &str| CommandRequest::parse(text).unwrap_err().to_string();
    assert!(parse("m:twist=1").contains("twist=v,w"));
    assert!(parse("m:spin=1").contains("one of effort, velocity, position, mass, twist"));
    assert!(parse("m:twist.q=1").contains("not a part of twist"));
    let twice = setup(&text, &["m:twist=1,0", "m:twist=0,1"]).start().err().unwrap().to_string();
    assert!(twice.contains("commanded already"), "{twice}");
}
