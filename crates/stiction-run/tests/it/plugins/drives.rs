//! Vehicles on a plane.

use super::*;

fn wheel(name: &str, x: f64, y: f64, radius: f64, surface: &str) -> String {
    format!(
        r#"<link name="{name}"><pose relative_to="base">{x} {y} 0 0 0 0</pose><inertial><mass>0.5</mass><inertia><ixx>0.002</ixx><iyy>0.002</iyy><izz>0.002</izz></inertia></inertial>
<collision name="c"><geometry><sphere><radius>{radius}</radius></sphere></geometry>{surface}</collision></link>
"#
    )
}

fn hinge(name: &str, parent: &str, child: &str, axis: &str) -> String {
    format!(
        r#"<joint name="{name}" type="revolute"><parent>{parent}</parent><child>{child}</child><axis><xyz expressed_in="base">{axis}</xyz></axis></joint>"#
    )
}

const BASE: &str = r#"<link name="base"><pose>0 0 0.1 0 0 0</pose><inertial><mass>4</mass><inertia><ixx>0.05</ixx><iyy>0.05</iyy><izz>0.08</izz></inertia></inertial></link>"#;
const SLIPPERY: &str = "<surface><friction><ode><mu>0</mu><mu2>0</mu2></ode></friction></surface>";

fn diff_drive(plugin: &str) -> String {
    let parts = [
        wheel("lw", 0.0, 0.2, 0.1, ""),
        wheel("rw", 0.0, -0.2, 0.1, ""),
        wheel("caster", -0.25, 0.0, 0.1, SLIPPERY),
        hinge("left", "base", "lw", "0 1 0"),
        hinge("right", "base", "rw", "0 1 0"),
        r#"<joint name="ball" type="ball"><parent>base</parent><child>caster</child></joint>"#.to_owned(),
    ];
    world("0 0 -9.8", &format!(r#"{}<model name="robot">{BASE}{}{plugin}</model>"#, ground(), parts.concat()))
}

const DIFF: &str = "<left_joint>left</left_joint><right_joint>right</right_joint><wheel_separation>0.4</wheel_separation><wheel_radius>0.1</wheel_radius>";

#[test]
fn a_differential_drive_goes_in_a_circle_and_its_odometry_stays_beside_it() {
    let text = diff_drive(&sim("diff-drive", "DiffDrive", DIFF));
    for short in ["robot:twist=0.5,0.5", "robot:twist=0.5,0,0,0,0,0.5"] {
        let mut run = start(&text, &[short]);
        run.advance(6.0).unwrap();
        // Radius v/ω about (0, 1): its angle is that of the heading.
        let at = pose(&run, "robot::base");
        let angle = 3.0_f64;
        let expected = DVec3::new(angle.sin(), 1.0 - angle.cos(), 0.1);
        assert!((at.position - expected).length() < 0.08, "{at:?} {expected}");
        let radius = (at.position - DVec3::new(0.0, 1.0, 0.1)).length();
        near(radius, 1.0, 0.01, "radius");
        let (_, value) = reading(&run, "robot::odometry");
        let SensorValue::Odometry { pose: told, linear, angular } = value else { panic!() };
        assert!((told.position - at.position).truncate().length() < 0.08, "{told:?} {at:?}");
        near(linear.x, 0.5, 1e-3, "speed");
        near(angular.z, 0.5, 1e-2, "turn");
        is_sound(&run);
    }
}

#[test]
fn without_a_command_the_wheels_stand_and_limits_hold() {
    let limits = "<max_linear_acceleration>0.5</max_linear_acceleration><max_linear_velocity>0.3</max_linear_velocity>";
    let text = diff_drive(&sim("diff-drive", "DiffDrive", &format!("{DIFF}{limits}")));
    let mut run = start(&text, &[]);
    run.advance(0.5).unwrap();
    assert!(pose(&run, "robot::base").position.truncate().length() < 1e-3);
    let mut run = start(&text, &["robot:twist=1,0"]);
    run.advance(0.4).unwrap();
    near(velocity(&run, "robot::base").0.x, 0.2, 0.005, "0.4 s at 0.5 m/s²");
    run.advance(1.0).unwrap();
    near(velocity(&run, "robot::base").0.x, 0.3, 0.002, "the limit");
}

#[test]
fn drives_of_classic_and_ros_find_their_numbers() {
    // Classic: separation from the anchors, radius from the shape.
    let classic = r#"<plugin name="d" filename="libDiffDrivePlugin.so"><left_joint>left</left_joint><right_joint>right</right_joint></plugin>"#;
    let ros = r#"<plugin name="d" filename="libgazebo_ros_diff_drive.so"><left_joint>left</left_joint><right_joint>right</right_joint><wheel_separation>0.4</wheel_separation><wheel_diameter>0.2</wheel_diameter></plugin>"#;
    for plugin in [classic, ros] {
        let mut run = start(&diff_drive(plugin), &["robot:twist=0.4,0.4"]);
        run.advance(2.0).unwrap();
        near(velocity(&run, "robot::base").1.z, 0.4, 0.01, plugin);
        near(velocity(&run, "robot::base").0.truncate().length(), 0.4, 0.01, plugin);
    }
}

#[test]
fn an_ackermann_vehicle_turns_about_its_rear_axle() {
    let plugin = "<left_joint>rl</left_joint><right_joint>rr</right_joint><left_steering_joint>sl</left_steering_joint><right_steering_joint>sr</right_steering_joint>
<kingpin_width>0.4</kingpin_width><wheel_separation>0.4</wheel_separation><wheel_base>0.5</wheel_base><wheel_radius>0.1</wheel_radius><steering_limit>0.6</steering_limit><steer_p_gain>10</steer_p_gain>";
    let mut parts = vec![wheel("wrl", 0.0, 0.2, 0.1, ""), wheel("wrr", 0.0, -0.2, 0.1, "")];
    parts.extend([hinge("rl", "base", "wrl", "0 1 0"), hinge("rr", "base", "wrr", "0 1 0")]);
    for (side, y) in [("l", 0.2), ("r", -0.2)] {
        parts.push(format!(r#"<link name="k{side}"><pose relative_to="base">0.5 {y} 0 0 0 0</pose><inertial><mass>0.5</mass><inertia><ixx>0.005</ixx><iyy>0.005</iyy><izz>0.005</izz></inertia></inertial></link>"#));
        parts.push(wheel(&format!("wf{side}"), 0.5, y, 0.1, ""));
        parts.push(hinge(&format!("s{side}"), "base", &format!("k{side}"), "0 0 1"));
        parts.push(hinge(&format!("f{side}"), &format!("k{side}"), &format!("wf{side}"), "0 1 0"));
    }
    let model = format!(
        r#"<model name="car">{BASE}{}{}</model>"#,
        parts.concat(),
        sim("ackermann-steering", "AckermannSteering", plugin)
    );
    let mut run = start(&world("0 0 -9.8", &format!("{}{model}", ground())), &["car:twist=0.5,0.25"]);
    run.advance(1.5).unwrap();
    let (a, va) = (pose(&run, "car::base"), velocity(&run, "car::base"));
    // The base stands on the rear axle: it turns about the point at v/ω to its left.
    near(va.0.truncate().length() / va.1.z, 2.0, 0.04, "turning radius");
    let center = a.point(DVec3::new(0.0, 2.0, 0.0));
    run.advance(4.0).unwrap();
    let again = pose(&run, "car::base").point(DVec3::new(0.0, 2.0, 0.0));
    assert!((center - again).length() < 0.08, "{center} {again}");
    is_sound(&run);
}

#[test]
fn mecanum_wheels_go_sideways() {
    let mut parts = Vec::new();
    for (name, x, y, fdir1) in [
        ("fl", 0.3, 0.2, "1 -1 0"),
        ("fr", 0.3, -0.2, "1 1 0"),
        ("bl", -0.3, 0.2, "1 1 0"),
        ("br", -0.3, -0.2, "1 -1 0"),
    ] {
        let surface =
            format!("<surface><friction><ode><mu>1</mu><mu2>0</mu2><fdir1>{fdir1}</fdir1></ode></friction></surface>");
        parts.push(wheel(&format!("w{name}"), x, y, 0.1, &surface));
        parts.push(hinge(name, "base", &format!("w{name}"), "0 1 0"));
    }
    let plugin = sim(
        "mecanum-drive",
        "MecanumDrive",
        "<front_left_joint>fl</front_left_joint><front_right_joint>fr</front_right_joint><back_left_joint>bl</back_left_joint><back_right_joint>br</back_right_joint><wheelbase>0.6</wheelbase><wheel_separation>0.4</wheel_separation><wheel_radius>0.1</wheel_radius>",
    );
    let text = world("0 0 -9.8", &format!(r#"{}<model name="m">{BASE}{}{plugin}</model>"#, ground(), parts.concat()));
    for (twist, expected, turn) in [
        ("0,0.3,0,0,0,0", DVec3::new(0.0, 0.3, 0.0), 0.0),
        ("0.2,-0.1,0,0,0,0", DVec3::new(0.2, -0.1, 0.0), 0.0),
        ("0,0,0,0,0,0.4", DVec3::ZERO, 0.4),
    ] {
        let mut run = start(&text, &[&format!("m:twist={twist}")]);
        run.advance(2.0).unwrap();
        let at = pose(&run, "m::base").position;
        assert!((at - 2.0 * expected - DVec3::new(0.0, 0.0, 0.1)).length() < 0.03, "{twist}: {at}");
        near(velocity(&run, "m::base").1.z, turn, 0.02, twist);
    }
}

#[test]
fn tracks_carry_a_vehicle() {
    let track = |name: &str, y: f64| {
        format!(
            r#"<link name="{name}"><pose relative_to="base">0 {y} 0 0 0 0</pose><inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.03</iyy><izz>0.03</izz></inertia></inertial>
<collision name="c"><geometry><box><size>0.2 0.1 0.2</size></box></geometry></collision></link><joint name="j{name}" type="fixed"><parent>base</parent><child>{name}</child></joint>{}"#,
            sim("track-controller", "TrackController", &format!("<link>{name}</link>"))
        )
    };
    let vehicle = sim(
        "tracked-vehicle",
        "TrackedVehicle",
        "<left_track><link>lt</link></left_track><right_track><link>rt</link></right_track><tracks_separation>0.4</tracks_separation><track_height>0.2</track_height><steering_efficiency>0.5</steering_efficiency>",
    );
    let text = world(
        "0 0 -9.8",
        &format!(r#"{}<model name="t">{BASE}{}{}{vehicle}</model>"#, ground(), track("lt", 0.2), track("rt", -0.2)),
    );
    let mut run = start(&text, &["t:twist=0.3,0"]);
    run.advance(2.0).unwrap();
    near(velocity(&run, "t::base").0.x, 0.3, 0.01, "speed");
    let mut run = start(&text, &["t:twist=0,0.5"]);
    run.advance(2.0).unwrap();
    assert!(velocity(&run, "t::base").1.z > 0.1, "{:?}", velocity(&run, "t::base"));
    // A belt of its own.
    let mut run = start(&text, &["t::lt:velocity=0.2", "rt:velocity=0.2"]);
    run.advance(2.0).unwrap();
    near(velocity(&run, "t::base").0.x, 0.2, 0.01, "speed of the belts");
}

#[test]
fn a_velocity_is_set_in_the_axes_of_the_model() {
    let plugin = sim(
        "velocity-control",
        "VelocityControl",
        "<initial_linear>0.3 0 0</initial_linear><initial_angular>0 0 -0.1</initial_angular>",
    );
    let arm = r#"<link name="arm"><pose>0.5 0 0 0 0 0</pose><inertial><mass>1</mass></inertial></link><joint name="j" type="revolute"><parent>base</parent><child>arm</child><axis><xyz>0 0 1</xyz></axis></joint>"#;
    let text = world(
        "0 0 0",
        &format!(r#"<model name="v"><pose>0 0 0 0 0 1.5707963267948966</pose>{BASE}{arm}{plugin}</model>"#),
    );
    let mut run = start(&text, &[]);
    run.advance(1.0).unwrap();
    // An arc of 0.3 m/s at −0.1 rad/s from the heading along y.
    let at = pose(&run, "v::base");
    let (s, c) = (0.1_f64.sin(), 0.1_f64.cos());
    assert!((at.position - DVec3::new(3.0 * (1.0 - c), 3.0 * s, 0.1)).length() < 1e-3, "{at:?}");
    near(run.joint(stiction_run::Quantity::Rate, "v::j", 0).unwrap(), 0.0, 1e-6, "its joints keep their rates");
    let mut run = start(&text, &["v:twist=0,1,0,0,0,0"]);
    run.advance(0.5).unwrap();
    assert!((velocity(&run, "v::base").0 - DVec3::new(-1.0, 0.0, 0.0)).length() < 1e-6);
    is_sound(&run);
    // On a plane only the heading counts, and nothing happens before a command.
    let planar = r#"<plugin name="p" filename="libgazebo_ros_planar_move.so"/>"#;
    let text =
        world("0 0 0", &format!(r#"<model name="v"><pose>0 0 0 0 0 1.5707963267948966</pose>{BASE}{planar}</model>"#));
    let mut run = start(&text, &["v:twist=0.2,0"]);
    run.advance(0.5).unwrap();
    near(pose(&run, "v::base").position.y, 0.1, 1e-3, "planar");
}
