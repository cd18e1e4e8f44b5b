//! N steps, a saved state, and N more steps are 2 N steps, bit for bit, with all that plugins and sensors remember.

use stiction_run::StateFile;

use super::*;

fn text() -> String {
    let servo = sim(
        "joint-position-controller",
        "JointPositionController",
        "<joint_name>j</joint_name><p_gain>5</p_gain><i_gain>30</i_gain><d_gain>0.5</d_gain><i_max>3</i_max><i_min>-3</i_min><initial_position>0.7</initial_position>",
    );
    let water = sim(
        "hydrodynamics",
        "Hydrodynamics",
        "<link_name>l</link_name><xU>-1</xU><xDotU>-5</xDotU><yDotV>-2</yDotV><default_current>0.3 0 0</default_current>",
    );
    let lift = sim("lift-drag", "LiftDrag", "<link_name>l</link_name><a0>0.1</a0><area>0.1</area>");
    let detach = sim(
        "detachable-joint",
        "DetachableJoint",
        "<parent_link>l</parent_link><child_model>load</child_model><child_link>l</child_link>",
    );
    let wind = sim(
        "wind-effects",
        "WindEffects",
        "<horizontal><magnitude><time_for_rise>0.5</time_for_rise><sin><amplitude_percent>0.2</amplitude_percent><period>0.3</period></sin></magnitude></horizontal>",
    );
    let drive = sim(
        "diff-drive",
        "DiffDrive",
        "<left_joint>a</left_joint><right_joint>b</right_joint><wheel_separation>0.4</wheel_separation><wheel_radius>0.1</wheel_radius><max_linear_acceleration>0.3</max_linear_acceleration><max_linear_jerk>2</max_linear_jerk>",
    );
    let wheel = |name: &str, y: f64| {
        format!(
            r#"<link name="w{name}"><pose>0 {y} 0 0 0 0</pose><inertial><mass>0.5</mass><inertia><ixx>0.002</ixx><iyy>0.002</iyy><izz>0.002</izz></inertia></inertial><collision name="c"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link><joint name="{name}" type="revolute"><parent>base</parent><child>w{name}</child><axis><xyz>0 1 0</xyz></axis></joint>"#
        )
    };
    let motor = sim(
        "multicopter-motor-model",
        "MulticopterMotorModel",
        "<jointName>r</jointName><linkName>rotor</linkName><turningDirection>ccw</turningDirection><motorConstant>0.00001</motorConstant>",
    );
    world(
        "0 0 -9.8",
        &format!(
            r#"{wind}<wind><linear_velocity>2 1 0</linear_velocity></wind>{}
<model name="arm"><pose>0 0 3 0 0 0</pose><link name="l"><inertial><mass>1</mass></inertial><sensor name="imu" type="imu"><update_rate>33</update_rate></sensor></link><joint name="j" type="revolute"><parent>world</parent><child>l</child><pose>0 0 0.4 0 0 0</pose><axis><xyz>0 1 0</xyz></axis></joint>{servo}</model>
<model name="boat"><enable_wind>true</enable_wind><pose>5 0 3 0 0 0</pose><link name="l"><inertial><mass>2</mass><fluid_added_mass><xx>1</xx><yy>3</yy><xq>0.2</xq><pp>0.4</pp></fluid_added_mass></inertial></link>{water}{lift}{detach}</model>
<model name="load"><pose>5 0 2 0 0 0</pose><link name="l"><inertial><mass>1</mass></inertial></link></model>
<model name="car"><pose>-5 0 0.1 0 0 0</pose><link name="base"><inertial><mass>2</mass></inertial></link>{}{}{drive}</model>
<model name="fan"><pose>0 5 2 0 0 0</pose><link name="base"><inertial><mass>1</mass></inertial></link><link name="rotor"><pose>0 0 0.1 0 0 0</pose><inertial><mass>0.05</mass><inertia><ixx>0.001</ixx><iyy>0.001</iyy><izz>0.001</izz></inertia></inertial></link><joint name="r" type="revolute"><parent>base</parent><child>rotor</child><axis><xyz>0 0 1</xyz></axis></joint>{motor}</model>"#,
            ground(),
            wheel("a", 0.2),
            wheel("b", -0.2)
        ),
    )
}

/// A run of so many steps and so many more, and one that begins with its state after the first: of the same bits.
fn continued(text: &str, commands: &[&str], engine: &str, [before, after]: [usize; 2]) -> [Run; 2] {
    let begin = |state: Option<StateFile>| {
        let mut setup = setup(text, commands).engine(engine);
        setup.initial_state = state;
        setup.start().unwrap()
    };
    let mut whole = begin(None);
    (0..before).for_each(|_| whole.step().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    whole.state().unwrap().write(&path).unwrap();
    let mut again = begin(Some(StateFile::read(&path).unwrap()));
    for _ in 0..after {
        whole.step().unwrap();
        again.step().unwrap();
    }
    assert_eq!(whole.simulation().state_hash(), again.simulation().state_hash(), "{engine} {before}");
    assert_eq!(whole.simulation().memory(), again.simulation().memory(), "{engine} {before}");
    [whole, again]
}

#[test]
fn a_run_with_plugins_is_continued_bit_for_bit() {
    let commands = ["car:twist=0.5,0.3", "boat:detach=0.15", "r:motor_speed=600"];
    for (engine, half) in [("ode-quick", 300), ("ode-world", 300), ("drake-discrete", 300), ("bullet", 300)] {
        let [whole, again] = continued(&text(), &commands, engine, [half, half]);
        let told = |run: &Run| -> Vec<(String, f64, String)> {
            run.simulation().readings().map(|r| (r.name.to_owned(), r.time, format!("{:?}", r.value))).collect()
        };
        assert_eq!(told(&whole), told(&again), "{engine}");
        assert!(told(&whole).len() == 2);
    }
}

#[test]
fn joints_that_were_let_go_and_made_again_are_continued_bit_for_bit() {
    let link = r#"<link name="l"><inertial><mass>2</mass><inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.15</izz></inertia></inertial></link>"#;
    let held = |child: &str| {
        let inner = format!("<parent_link>l</parent_link><child_model>{child}</child_model><child_link>l</child_link>");
        sim("detachable-joint", "DetachableJoint", &inner)
    };
    let text = world(
        "0 0 -9.8",
        &format!(
            r#"<model name="a"><pose>0 0 3 0 0 0</pose>{link}<joint name="w" type="revolute"><parent>world</parent><child>l</child><pose>0 0 0.4 0 0 0</pose><axis><xyz>0 1 0</xyz></axis></joint>{}{}</model>
<model name="b"><pose>0.5 0 2.5 0.3 0 0</pose>{link}</model><model name="c"><pose>-0.7 0.2 2.5 0 0.4 0</pose>{link}</model>"#,
            held("b"),
            held("c")
        ),
    );
    // Both at once, to and fro; the one mass changes.
    let table = tempfile::NamedTempFile::with_suffix(".csv").unwrap();
    let rows =
        "time,a:detach,a:attach,c::l:mass\n0,0,0,2\n0.05,1,0,1.5\n0.08,0,1,3\n0.1,0,0,3\n0.15,1,0,2.5\n0.2,0,1,1\n";
    std::fs::write(table.path(), rows).unwrap();
    let commands = [table.path().to_str().unwrap()];
    for engine in ["ode-quick", "ode-world", "drake-discrete", "bullet", "simbody"] {
        // In free fall, held again, and in the middle of a change.
        for half in [60, 90, 170, 230] {
            continued(&text, &commands, engine, [half, 100]);
        }
    }
}

#[test]
fn a_state_of_other_plugins_is_refused() {
    let state = start(&text(), &[]).state().unwrap();
    let other = text()
        .replace("<xDotU>-5</xDotU><yDotV>-2</yDotV>", "")
        .replace("<sensor name=\"imu\" type=\"imu\"><update_rate>33</update_rate></sensor>", "");
    let mut setup = setup(&other, &[]);
    setup.initial_state = Some(state);
    let error = setup.start().err().unwrap().to_string();
    assert!(error.contains("other plugins or sensors"), "{error}");
}
