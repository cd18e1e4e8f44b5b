//! Joints that let go, wrenches, and what is told.

use super::*;

fn boxes(more_a: &str, more_world: &str) -> String {
    let inertial = "<inertial><mass>2</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial>";
    let shape = r#"<collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision>"#;
    world(
        "0 0 -9.8",
        &format!(
            r#"{}<model name="a"><pose>0 0 2 0 0 0</pose><link name="l">{inertial}{shape}</link><joint name="w" type="fixed"><parent>world</parent><child>l</child></joint>{more_a}</model>
<model name="b"><pose>0 0 1.5 0 0 0</pose><link name="l">{inertial}{shape}</link></model>{more_world}"#,
            ground()
        ),
    )
}

/// The plugin of the model `a`, which holds `b`.
fn detachable() -> String {
    sim(
        "detachable-joint",
        "DetachableJoint",
        "<parent_link>l</parent_link><child_model>b</child_model><child_link>l</child_link>",
    )
}

#[test]
fn a_detachable_joint_holds_until_it_is_told() {
    let plugin = detachable();
    let mut run = start(&boxes(&plugin, ""), &["a:detach=0.5"]);
    run.advance(0.499).unwrap();
    near(pose(&run, "b::l").position.z, 1.5, 1e-6, "held");
    run.advance(0.3).unwrap();
    // It is let go in the step that ends at 0.5 s, and falls from then on.
    near(velocity(&run, "b::l").0.z, -9.8 * 0.299, 1e-6, "falls");
    assert_eq!(events(&run), ["0.500 `b::l` was detached from `a::l`"]);
    let mut run = start(&boxes(&plugin, ""), &[]);
    run.advance(0.5).unwrap();
    near(pose(&run, "b::l").position.z, 1.5, 1e-6, "nobody told it");
}

#[test]
fn it_is_made_again_where_the_bodies_are_then() {
    let plugin = detachable();
    for engine in ["ode-quick", "ode-world", "bullet", "dart", "simbody", "drake-discrete", "drake-continuous"] {
        let commands = ["a:detach=0.1", "a:attach=0.3"];
        let mut run = setup(&boxes(&plugin, ""), &commands).engine(engine).start().unwrap();
        run.advance(0.3).unwrap();
        let caught = pose(&run, "b::l").position.z;
        near(caught, 1.5 - 0.5 * 9.8 * 0.04, 2e-2, engine);
        assert!(run.doubts().iter().all(|doubt| !doubt.contains("separated")), "{engine}: {:?}", run.doubts());
        run.advance(1.0).unwrap();
        near(pose(&run, "b::l").position.z, caught, 1e-3, engine);
        near(velocity(&run, "b::l").0.z, 0.0, 1e-3, engine);
        assert_eq!(
            events(&run),
            ["0.100 `b::l` was detached from `a::l`", "0.300 `b::l` was attached to `a::l`"],
            "{engine}"
        );
        is_sound(&run);
    }
}

#[test]
fn it_is_let_go_and_made_again_by_a_table() {
    let plugin = detachable();
    let table = tempfile::NamedTempFile::with_suffix(".csv").unwrap();
    let rows = "time,a:detach,a:attach\n0,1,0\n0.099,1,0\n0.1,0,1\n0.199,0,0\n0.2,1,0\n0.249,1,0\n0.25,1,1\n";
    std::fs::write(table.path(), rows).unwrap();
    let mut run = start(&boxes(&plugin, ""), &[table.path().to_str().unwrap()]);
    run.advance(0.5).unwrap();
    let told = events(&run);
    let is_of = |(text, (time, verb)): (&String, &(&str, &str))| text.starts_with(time) && text.contains(verb);
    let expected = [("0.001", "detached"), ("0.100", "attached"), ("0.200", "detached"), ("0.250", "attached")];
    assert!(told.len() == 4 && told.iter().zip(&expected).all(is_of), "{told:?}");
}

#[test]
fn an_event_of_a_table_lets_go() {
    let plugin = detachable();
    let table = tempfile::NamedTempFile::with_suffix(".csv").unwrap();
    std::fs::write(table.path(), "time,a:detach\n0,0\n0.299,0\n0.3,1\n").unwrap();
    let mut run = start(&boxes(&plugin, ""), &[table.path().to_str().unwrap()]);
    run.advance(0.5).unwrap();
    let told = events(&run);
    assert!(told.len() == 1 && told[0].starts_with("0.3"), "{told:?}");
}

#[test]
fn a_joint_breaks_under_more_than_its_force() {
    // 2 kg hang on it: 19.6 N.
    let joint = |force: f64| {
        format!(
            r#"<link name="x"><pose>0 0 -0.5 0 0 0</pose><inertial><mass>2</mass></inertial></link>
<joint name="j" type="fixed"><parent>l</parent><child>x</child><sensor name="s" type="force_torque"><update_rate>1000</update_rate><plugin name="p" filename="libBreakableJointPlugin.so"><breaking_force_N>{force}</breaking_force_N></plugin></sensor></joint>"#
        )
    };
    let mut run = start(&boxes(&joint(25.0), ""), &[]);
    run.advance(0.5).unwrap();
    assert_eq!(events(&run), [""; 0]);
    let mut run = start(&boxes(&joint(15.0), ""), &[]);
    run.advance(0.5).unwrap();
    let told = events(&run);
    assert!(told.len() == 1 && told[0].contains("joint `a::j` broke under 19.6"), "{told:?}");
}

#[test]
fn a_harness_winds_up_and_lets_go() {
    let plugin = r#"<plugin name="h" filename="libHarnessPlugin.so"><joint name="rope" type="prismatic"><pose>0 0 0.1 0 0 0</pose><parent>world</parent><child>h</child><axis><xyz>0 0 1</xyz><limit><lower>-1.5</lower><upper>1.5</upper></limit></axis></joint>
<winch><joint>rope</joint><pos_pid><p>10000</p><i>0</i><d>400</d><i_min>0</i_min><i_max>0</i_max><cmd_min>-10000</cmd_min><cmd_max>10000</cmd_max></pos_pid><vel_pid><p>1000</p><i>0</i><d>0</d><i_min>0</i_min><i_max>0</i_max><cmd_min>0</cmd_min><cmd_max>10000</cmd_max></vel_pid></winch><detach>rope</detach></plugin>"#;
    let model = format!(
        r#"<model name="m"><pose>0 0 1 0 0 0</pose><link name="h"><inertial><mass>5</mass></inertial></link>{plugin}</model>"#
    );
    let mut run = start(&world("0 0 -9.8", &model), &[]);
    run.advance(2.0).unwrap();
    // The weight over the gain.
    near(pose(&run, "m::h").position.z, 1.0 - 49.0 / 10000.0, 1e-3, "held");
    let mut run = start(&world("0 0 -9.8", &model), &["m:winch=0.2", "m:detach=2"]);
    run.advance(1.9).unwrap();
    // The velocity controller alone lags by the weight over its gain.
    near(velocity(&run, "m::h").0.z, 0.2 - 49.0 / 1000.0, 1e-3, "winds");
    run.advance(0.6).unwrap();
    assert!(velocity(&run, "m::h").0.z < -4.0);
    assert_eq!(events(&run), ["2.000 the harness let `m` go"]);
}

#[test]
fn wrenches_push_links() {
    let model = r#"<model name="m"><pose>0 0 1 0 0 0</pose><link name="l"><inertial><mass>4</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>0.5</izz></inertia></inertial></link></model>"#;
    let plugin = sim(
        "apply-link-wrench",
        "ApplyLinkWrench",
        "<persistent><entity_name>m</entity_name><entity_type>model</entity_type><force>-8 0 0</force><torque>0 0 0.1</torque></persistent>",
    );
    let mut run = start(&world("0 0 0", &format!("{plugin}{model}")), &[]);
    run.advance(0.5).unwrap();
    let (v, w) = velocity(&run, "m::l");
    assert!((v - DVec3::new(-1.0, 0.0, 0.0)).length() < 1e-9, "{v}");
    assert!((w - DVec3::new(0.0, 0.0, 0.1)).length() < 1e-9, "{w}");
    is_sound(&run);
    let ros = model.replace(
        "</link>",
        r#"</link><plugin name="f" filename="libgazebo_ros_force.so"><link_name>l</link_name></plugin>"#,
    );
    let mut run = start(&world("0 0 0", &ros), &["m:wrench=0,4,0"]);
    run.advance(0.5).unwrap();
    near(velocity(&run, "m::l").0.y, 0.5, 1e-9, "wrench");
}

#[test]
fn losses_of_energy_and_contacts_that_last_are_told() {
    let inner = sim(
        "kinetic-energy-monitor",
        "KineticEnergyMonitor",
        "<link_name>l</link_name><kinetic_energy_threshold>5</kinetic_energy_threshold>",
    );
    let touch = sim("touchplugin", "TouchPlugin", "<target>ground</target><time>0.2</time><enabled>true</enabled>");
    let model = format!(
        r#"<model name="m"><pose>0 0 0.6 0 0 0</pose><link name="l"><inertial><mass>2</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial><collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision></link>{inner}{touch}</model>"#
    );
    let mut run = start(&world("0 0 -9.8", &format!("{}{model}", ground())), &[]);
    run.advance(1.0).unwrap();
    let told = events(&run);
    // It falls 0.5 m: 9.8 J, at √(2·0.5/9.8) = 0.319 s; the touch is told 0.2 s later.
    assert!(told.len() == 2 && told[0].contains("`m::l` lost 9."), "{told:?}");
    let times: Vec<f64> = told.iter().map(|t| t.split(' ').next().unwrap().parse().unwrap()).collect();
    near(times[0], 0.3194, 0.003, "impact");
    near(times[1] - times[0], 0.2, 0.004, "touch");
}
