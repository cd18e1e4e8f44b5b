//! Controllers of joints beside their discretised equations.

use stiction_run::Quantity;

use super::*;

const IZZ: f64 = 0.3;

fn rotor(plugins: &str) -> String {
    world(
        "0 0 0",
        &format!(
            r#"<model name="m"><link name="a"><inertial><mass>1</mass><inertia><ixx>{IZZ}</ixx><iyy>{IZZ}</iyy><izz>{IZZ}</izz></inertia></inertial></link>
<joint name="j" type="revolute"><parent>world</parent><child>a</child><axis><xyz>0 0 1</xyz></axis></joint>{plugins}</model>"#
        ),
    )
}

/// Gains, ranges and offset: `p i d i_max i_min cmd_max cmd_min offset`.
type Gains = [f64; 8];

/// Positions of the rotor under a controller of position, by the equations of gz-math at the end of each step: with
/// `e⁺ = e + h v⁺` the output is `u = A − B v⁺`, and `v⁺ = v + h u / I` within the range of the output.
fn expected([p, i, d, i_max, i_min, cmd_max, cmd_min, offset]: Gains, target: f64, steps: usize) -> f64 {
    let h = 1e-3;
    let (mut q, mut v, mut integral) = (0.0, 0.0, 0.0_f64);
    for step in 0..steps {
        let e = q - target;
        let free = integral + i * h * e;
        integral = free.min(i_max).max(i_min);
        let p = if integral == free { p + h * i } else { p };
        // The error before the first is 0; from then on the target rests.
        let slope = if step == 0 { e / h } else { 0.0 };
        let (a, b) = (offset - p * e - integral - d * slope, p * h + d);
        let u = a - b * (v + h * a / IZZ) / (1.0 + h * b / IZZ);
        v += h * u.min(cmd_max).max(cmd_min) / IZZ;
        q += h * v;
    }
    q
}

fn tags(names: [&str; 8], gains: Gains) -> String {
    names.iter().zip(gains).map(|(name, value)| format!("<{name}>{value}</{name}>")).collect()
}

const NAMES: [&str; 8] = ["p_gain", "i_gain", "d_gain", "i_max", "i_min", "cmd_max", "cmd_min", "cmd_offset"];

#[test]
fn a_position_follows_its_target_as_the_equations_say() {
    for (gains, target) in [
        ([20.0, 5.0, 2.0, 1.0, -1.0, 1000.0, -1000.0, 0.0], 1.0),
        ([20.0, 50.0, 2.0, 0.3, -0.2, 1.5, -2.0, 0.1], -0.7),
        ([1.0, 0.1, 0.01, 1.0, -1.0, 1000.0, -1000.0, 0.0], 0.5),
    ] {
        let inner =
            format!("<joint_name>j</joint_name>{}<initial_position>{target}</initial_position>", tags(NAMES, gains));
        let mut run = start(&rotor(&sim("joint-position-controller", "JointPositionController", &inner)), &[]);
        for steps in [1, 99, 900] {
            (0..steps).for_each(|_| run.step().unwrap());
            let found = run.joint(Quantity::Angle, "m::j", 0).unwrap();
            near(found, expected(gains, target, run.steps() as usize), 1e-6, "position");
        }
        // A command is the target.
        let plain = sim(
            "joint-position-controller",
            "JointPositionController",
            &format!("<joint_name>j</joint_name>{}", tags(NAMES, gains)),
        );
        let mut commanded = start(&rotor(&plain), &[&format!("j:position={target}")]);
        (0..1000).for_each(|_| commanded.step().unwrap());
        let found = commanded.joint(Quantity::Angle, "m::j", 0).unwrap();
        near(found, expected(gains, target, 1000), 1e-6, "commanded position");
    }
}

#[test]
fn defaults_are_those_of_gazebo() {
    let inner = "<joint_name>j</joint_name><initial_position>0.5</initial_position>";
    let mut run = start(&rotor(&sim("joint-position-controller", "JointPositionController", inner)), &[]);
    run.advance(1.0).unwrap();
    let gains = [1.0, 0.1, 0.01, 1.0, -1.0, 1000.0, -1000.0, 0.0];
    near(run.joint(Quantity::Angle, "m::j", 0).unwrap(), expected(gains, 0.5, 1000), 1e-6, "defaults");
}

#[test]
fn velocities_are_reached_by_motors_and_by_controllers() {
    let by_motor =
        sim("joint-controller", "JointController", "<joint_name>j</joint_name><initial_velocity>2</initial_velocity>");
    let mut run = start(&rotor(&by_motor), &[]);
    run.advance(0.1).unwrap();
    near(run.joint(Quantity::Rate, "m::j", 0).unwrap(), 2.0, 1e-6, "motor");
    let force = "<joint_name>j</joint_name><use_force_commands>true</use_force_commands><p_gain>0.6</p_gain>";
    let mut run = start(&rotor(&sim("joint-controller", "JointController", force)), &["m::j:velocity=3"]);
    run.advance(0.5).unwrap();
    // v(n) = 3 (1 − (1 + h p / I)^−n).
    near(
        run.joint(Quantity::Rate, "m::j", 0).unwrap(),
        3.0 * (1.0 - (1.0 + 1e-3 * 0.6 / IZZ).powi(-500)),
        1e-6,
        "force",
    );
    is_sound(&run);
}

#[test]
fn what_classic_and_trajectories_control() {
    let classic = r#"<plugin name="c" filename="libJointControlPlugin.so"><controller type="position"><joint>.*</joint><target>0.4</target><pid_gains>20 0 3</pid_gains></controller></plugin>"#;
    let mut run = start(&rotor(classic), &[]);
    run.advance(1.0).unwrap();
    let gains = [20.0, 0.0, 3.0, 1.0, -1.0, 1000.0, -1000.0, 0.0];
    near(run.joint(Quantity::Angle, "m::j", 0).unwrap(), expected(gains, 0.4, 1000), 1e-6, "JointControlPlugin");
    let names = [
        "position_p_gain",
        "position_i_gain",
        "position_d_gain",
        "position_i_max",
        "position_i_min",
        "position_cmd_max",
        "position_cmd_min",
        "position_cmd_offset",
    ];
    let inner = format!("<joint_name>j</joint_name><initial_position>0.4</initial_position>{}", tags(names, gains));
    let mut run = start(&rotor(&sim("joint-trajectory-controller", "JointTrajectoryController", &inner)), &[]);
    run.advance(1.0).unwrap();
    near(run.joint(Quantity::Angle, "m::j", 0).unwrap(), expected(gains, 0.4, 1000), 1e-6, "trajectory");
}

#[test]
fn a_position_by_velocity_is_reached_at_its_speed() {
    let inner = "<joint_name>j</joint_name><use_velocity_commands>true</use_velocity_commands><cmd_max>2</cmd_max>";
    let mut run = start(&rotor(&sim("joint-position-controller", "JointPositionController", inner)), &["j:position=1"]);
    run.advance(0.25).unwrap();
    near(run.joint(Quantity::Angle, "m::j", 0).unwrap(), 0.5, 1e-6, "on its way");
    run.advance(0.3).unwrap();
    near(run.joint(Quantity::Angle, "m::j", 0).unwrap(), 1.0, 1e-6, "there");
}

#[test]
fn springs_swing_with_their_period() {
    let text = world(
        "0 0 0",
        r#"<model name="m"><link name="a"><pose>0 0 0.2 0 0 0</pose><inertial><mass>2</mass></inertial></link><link name="b"><pose>3 0 0.2 0 0 0</pose><inertial><mass>2</mass></inertial></link>
<joint name="ja" type="prismatic"><parent>world</parent><child>a</child><axis><xyz>0 0 1</xyz></axis></joint><joint name="jb" type="prismatic"><parent>world</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
<plugin name="i" filename="libInitialVelocityPlugin.so"><linear>0 0 0.5</linear></plugin>
<plugin name="s" filename="libSpringTestPlugin.so"><joint_explicit>ja</joint_explicit><kp_explicit>200</kp_explicit><kd_explicit>0</kd_explicit><joint_implicit>jb</joint_implicit><kp_implicit>200</kp_implicit><kd_implicit>0</kd_implicit></plugin></model>"#,
    );
    let mut run = start(&text, &[]);
    run.advance(0.3).unwrap();
    let angle = 10.0 * 0.3_f64;
    for joint in ["m::ja", "m::jb"] {
        near(run.joint(Quantity::Angle, joint, 0).unwrap(), 0.05 * angle.sin(), 1e-3, joint);
    }
}

#[test]
fn weight_beyond_joints_is_carried() {
    let text = world(
        "0 0 -9.8",
        r#"<model name="m"><link name="a"><pose>0.5 0 1 0 0 0</pose><inertial><mass>1</mass></inertial></link><link name="b"><pose>1.5 0.2 1 0 0 0</pose><inertial><mass>2</mass></inertial></link>
<joint name="j" type="revolute"><parent>world</parent><child>a</child><pose>-0.5 0 0 0 0 0</pose><axis><xyz>0 1 0</xyz></axis></joint>
<joint name="k" type="revolute"><parent>a</parent><child>b</child><pose>-0.5 0 0 0 0 0</pose><axis><xyz>0 1 0</xyz></axis></joint>
<plugin name="g" filename="libGravityCompensationPlugin.so"/></model>"#,
    );
    let mut run = start(&text, &[]);
    run.advance(1.0).unwrap();
    near(run.joint(Quantity::Angle, "m::j", 0).unwrap(), 0.0, 1e-6, "shoulder");
    near(run.joint(Quantity::Angle, "m::k", 0).unwrap(), 0.0, 1e-6, "elbow");
}

#[test]
fn gains_that_steps_do_not_resolve_come_to_rest_within_the_limits() {
    // h d / I = 50: a force of the last rate would be unstable above 2.
    let joint = |limit: &str, plugin: &str| {
        rotor(plugin)
            .replace("</xyz></axis>", &format!("</xyz><limit>{limit}</limit></axis>"))
            .replace("0.3</i", "0.001</i")
    };
    for (p, i, d) in [(2e4, 0.0, 50.0), (2e4, 1e5, 50.0), (1e9, 0.0, 1e7), (400.0, 0.0, 1.0)] {
        let plugin = sim(
            "joint-position-controller",
            "JointPositionController",
            &format!("<joint_name>j</joint_name><p_gain>{p}</p_gain><i_gain>{i}</i_gain><d_gain>{d}</d_gain>"),
        );
        let text = joint("<effort>1000</effort><velocity>10</velocity>", &plugin);
        let mut run = start(&text, &["j:position=0.5"]);
        for _ in 0..1000 {
            run.step().unwrap();
            let rate = run.joint(Quantity::Rate, "m::j", 0).unwrap();
            let effort = run.joint(Quantity::Effort, "m::j", 0).unwrap();
            assert!(rate.abs() <= 10.0 + 1e-6 && effort.abs() <= 1000.0 + 1e-6, "{p} {i} {d}: {rate} {effort}");
        }
        near(run.joint(Quantity::Angle, "m::j", 0).unwrap(), 0.5, 1e-3, "settled");
        near(run.joint(Quantity::Rate, "m::j", 0).unwrap(), 0.0, 1e-3, "at rest");
        is_sound(&run);
    }
}
