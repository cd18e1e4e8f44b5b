//! Sensors of physics under engines of both kinds of coordinates.

use stiction_formats::simulation::{to_ecef, to_geodetic};

use super::*;

const ENGINES: [&str; 3] = ["ode-quick", "ode-world", "drake-discrete"];

fn run_of(text: &str, engine: &str, commands: &[&str], seconds: f64) -> Run {
    let mut run = setup(text, commands).engine(engine).start().unwrap();
    run.advance(seconds).unwrap();
    run
}

#[test]
fn an_imu_at_rest_reads_gravity_and_on_a_turntable_its_pull() {
    let imu = r#"<sensor name="imu" type="imu"><pose>0 0 0 0 0.3 0</pose></sensor>"#;
    let model = format!(
        r#"<model name="m"><pose>0 0 0.1 0 0 0</pose><link name="l"><inertial><mass>2</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial><collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision>{imu}</link></model>"#
    );
    for engine in ENGINES {
        let run = run_of(&world("0 0 -9.8", &format!("{}{model}", ground())), engine, &[], 0.5);
        let (time, SensorValue::Imu { orientation, linear_acceleration: a, angular_velocity }) =
            reading(&run, "m::l::imu")
        else {
            panic!()
        };
        near(time, 0.5, 1e-9, "every step");
        // The reading is turned by −0.3 rad about y.
        assert!((a - 9.8 * DVec3::new(-0.3_f64.sin(), 0.0, 0.3_f64.cos())).length() < 0.01, "{engine} {a}");
        assert!(angular_velocity.length() < 1e-3 && orientation.angle_between(stiction::math::DQuat::IDENTITY) < 1e-4);
    }
    let table = r#"<model name="t"><link name="l"><inertial><mass>2</mass></inertial><sensor name="imu" type="imu"><pose>0.5 0 0 0 0 0</pose></sensor></link>
<joint name="j" type="revolute"><parent>world</parent><child>l</child><axis><xyz>0 0 1</xyz></axis></joint></model>"#;
    for engine in ENGINES {
        let run = run_of(&world("0 0 -9.8", table), engine, &["t::j:velocity=3"], 0.5);
        let (_, SensorValue::Imu { linear_acceleration: a, angular_velocity: w, orientation }) =
            reading(&run, "t::l::imu")
        else {
            panic!()
        };
        assert!((a - DVec3::new(-9.0 * 0.5, 0.0, 9.8)).length() < 1e-4, "{engine} {a}");
        near(w.z, 3.0, 1e-6, "rate");
        let expected = stiction::math::DQuat::from_rotation_z(1.5);
        assert!(orientation.angle_between(expected) < 5e-3, "{engine}");
    }
}

#[test]
fn references_of_an_imu_are_axes_of_the_earth() {
    // The sensor looks north: x is y of the world, level.
    for (word, expected) in [("ENU", 0.5 * std::f64::consts::PI), ("NWU", 0.0)] {
        let text = world(
            "0 0 0",
            &format!(
                r#"<model name="m"><pose>0 0 0 0 0 1.5707963267948966</pose><link name="l"><inertial><mass>1</mass></inertial><sensor name="i" type="imu"><imu><orientation_reference_frame><localization>{word}</localization></orientation_reference_frame></imu></sensor></link></model>"#
            ),
        );
        let run = run_of(&text, "ode-quick", &[], 0.01);
        let (_, SensorValue::Imu { orientation, .. }) = reading(&run, "m::l::i") else { panic!() };
        assert!(
            orientation.angle_between(stiction::math::DQuat::from_rotation_z(expected)) < 1e-7,
            "{word} {orientation}"
        );
    }
    let text = world(
        "0 0 0",
        r#"<model name="m"><pose>0 0 0 3.141592653589793 0 1.5707963267948966</pose><link name="l"><inertial><mass>1</mass></inertial><sensor name="i" type="imu"><imu><orientation_reference_frame><localization>NED</localization></orientation_reference_frame></imu></sensor></link></model>"#,
    );
    let run = run_of(&text, "ode-quick", &[], 0.01);
    let (_, SensorValue::Imu { orientation, .. }) = reading(&run, "m::l::i") else { panic!() };
    assert!(orientation.angle_between(stiction::math::DQuat::IDENTITY) < 1e-7, "{orientation}");
}

/// A bar of 1 m on a hinge at one end, with a force-torque sensor at the hinge.
fn bar(joint: &str, tags: &str) -> String {
    format!(
        r#"<model name="m"><pose>0 0 2 0 0 0</pose><link name="l"><pose>0.5 0 0 0 0 0</pose><inertial><mass>3</mass><inertia><ixx>0.01</ixx><iyy>0.25</iyy><izz>0.25</izz></inertia></inertial></link>
<joint name="j" type="{joint}"><parent>world</parent><child>l</child><pose>-0.5 0 0 0 0 0</pose><axis><xyz>0 0 1</xyz></axis><sensor name="ft" type="force_torque"><force_torque>{tags}</force_torque></sensor></joint></model>"#
    )
}

#[test]
fn a_force_torque_sensor_reads_what_its_joint_carries() {
    let weight = 3.0 * 9.8;
    for engine in ENGINES {
        for (tags, sign) in
            [("", -1.0), ("<measure_direction>parent_to_child</measure_direction><frame>parent</frame>", 1.0)]
        {
            // A cantilever: the wall carries the weight up, and turns against it about −y at half a metre.
            let run = run_of(&world("0 0 -9.8", &bar("fixed", tags)), engine, &[], 0.5);
            let (_, SensorValue::Wrench { force, torque }) = reading(&run, "m::j::ft") else { panic!() };
            assert!((force - sign * DVec3::new(0.0, 0.0, weight)).length() < 0.01, "{engine} {tags} {force}");
            assert!((torque - sign * DVec3::new(0.0, -0.5 * weight, 0.0)).length() < 0.01, "{engine} {tags} {torque}");
        }
        // A spinning arm: the joint pulls with m ω² r towards the axis, in the axes of the child.
        let run = run_of(
            &world("0 0 0", &bar("revolute", "<measure_direction>parent_to_child</measure_direction>")),
            engine,
            &["j:velocity=4"],
            0.5,
        );
        let (_, SensorValue::Wrench { force, .. }) = reading(&run, "m::j::ft") else { panic!() };
        let pull = 3.0 * 16.0 * 0.5;
        assert!((force - DVec3::new(-pull, 0.0, 0.0)).length() < 0.01 * pull, "{engine} {force}");
    }
}

#[test]
fn the_rest_of_the_sensors() {
    let sensors = r#"<sensor name="alt" type="altimeter"><update_rate>10</update_rate></sensor><sensor name="mag" type="magnetometer"/>
<sensor name="air" type="air_pressure"><air_pressure><reference_altitude>1000</reference_altitude></air_pressure></sensor><sensor name="speed" type="air_speed"/><sensor name="sat" type="navsat"/>
<sensor name="touch" type="contact"><contact><collision>c</collision></contact></sensor>
<sensor name="see" type="logical_camera"><logical_camera><near>0.5</near><far>5</far><horizontal_fov>1.0</horizontal_fov><aspect_ratio>2</aspect_ratio></logical_camera></sensor>
<sensor name="cam" type="camera"/><sensor name="cam2" type="camera"/>"#;
    let model = format!(
        r#"<wind><linear_velocity>0 -2 0</linear_velocity></wind><spherical_coordinates><latitude_deg>10</latitude_deg><longitude_deg>20</longitude_deg><elevation>100</elevation></spherical_coordinates><magnetic_field>1e-5 2e-5 -4e-5</magnetic_field><model name="m"><pose>0 0 0.6 0 0 1.5707963267948966</pose><link name="l"><inertial><mass>2</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial><collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision>{sensors}</link></model>
<model name="seen"><static>true</static><pose>1 3 0.1 0 0 0</pose><link name="l"/></model><model name="aside"><static>true</static><pose>3 3 0.1 0 0 0</pose><link name="l"/></model>"#
    );
    let text = world("0 0 -9.8", &format!("{}{model}", ground()));
    for engine in ENGINES {
        let mut run = setup(&text, &[]).engine(engine).start().unwrap();
        run.advance(0.25).unwrap();
        let (time, SensorValue::Altimeter { vertical_position, vertical_velocity }) = reading(&run, "m::l::alt") else {
            panic!()
        };
        // Of ten a second, from the first step on.
        near(time, 0.201, 1e-9, engine);
        // Semi-implicit steps fall by half a step more.
        near(vertical_position, -0.5 * 9.8 * time * time, 0.51 * 9.8 * time * 1e-3, engine);
        near(vertical_velocity, -9.8 * time, 1e-6, engine);
        let SensorValue::AirSpeed(speed) = reading(&run, "m::l::speed").1 else { panic!() };
        near(speed, 2.0, 1e-6, engine);
        let SensorValue::NavSat { altitude, .. } = reading(&run, "m::l::sat").1 else { panic!() };
        near(altitude, 100.0 + 0.6 - 0.5 * 9.8 * 0.25 * 0.25, 5e-3, engine);
        assert_eq!(reading(&run, "m::l::touch").1, SensorValue::Touch { is_touching: false, force: DVec3::ZERO });
        run.advance(0.5).unwrap();
        let SensorValue::Touch { is_touching: true, force } = reading(&run, "m::l::touch").1 else { panic!() };
        assert!((force - DVec3::new(0.0, 0.0, 2.0 * 9.8)).length() < 0.1, "{force}");
        let SensorValue::Magnetometer(field) = reading(&run, "m::l::mag").1 else { panic!() };
        assert!((field - DVec3::new(2e-5, -1e-5, -4e-5)).length() < 1e-8, "{field}");
        // The standard atmosphere of 1976 has 898.746 hPa at 1000 m.
        let SensorValue::Pressure(pressure) = reading(&run, "m::l::air").1 else { panic!() };
        near(pressure, 89_874.6, 3.0, "pressure");
        let SensorValue::Poses(poses) = reading(&run, "m::l::see").1 else { panic!() };
        let names: Vec<&str> = poses.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["seen"]);
        assert!((poses[0].1.position - DVec3::new(3.0, -1.0, 0.0)).length() < 1e-3, "{poses:?}");
        let lines = run.effect_lines();
        let of_cameras: Vec<_> = lines.iter().filter(|(_, line)| line.contains("camera (2 times)")).collect();
        assert!(of_cameras.len() == 1 && !of_cameras[0].0, "{lines:?}");
        let unread = run.without_effect().iter().filter(|one| one.subject == stiction_run::Subject::Sensor);
        let unread: Vec<_> = unread.map(|s| (s.path.as_str(), s.name.as_str())).collect();
        assert_eq!(unread, [("m::l::cam", "camera"), ("m::l::cam2", "camera")]);
    }
}

/// Heikkinen's closed form.
fn closed_form(p: DVec3) -> [f64; 3] {
    let (a, f) = (6_378_137.0_f64, 1.0 / 298.257_223_563);
    let b = a * (1.0 - f);
    let (e2, ep2) = (1.0 - b * b / (a * a), a * a / (b * b) - 1.0);
    let r = p.x.hypot(p.y);
    let big_f = 54.0 * b * b * p.z * p.z;
    let g = r * r + (1.0 - e2) * p.z * p.z - e2 * (a * a - b * b);
    let c = e2 * e2 * big_f * r * r / (g * g * g);
    let s = (1.0 + c + (c * c + 2.0 * c).sqrt()).cbrt();
    let pp = big_f / (3.0 * (s + 1.0 / s + 1.0).powi(2) * g * g);
    let q = (1.0 + 2.0 * e2 * e2 * pp).sqrt();
    let r0 = -pp * e2 * r / (1.0 + q)
        + (0.5 * a * a * (1.0 + 1.0 / q) - pp * (1.0 - e2) * p.z * p.z / (q * (1.0 + q)) - 0.5 * pp * r * r).sqrt();
    let u = ((r - e2 * r0).powi(2) + p.z * p.z).sqrt();
    let v = ((r - e2 * r0).powi(2) + (1.0 - e2) * p.z * p.z).sqrt();
    let z0 = b * b * p.z / (a * v);
    [((p.z + ep2 * z0) / r).atan(), p.y.atan2(p.x), u * (1.0 - b * b / (a * v))]
}

#[test]
fn places_on_the_earth_go_round_and_agree_with_a_closed_form() {
    let mut random = super::random::Random(7);
    for _ in 0..1000 {
        let (lat, lon, h) = (random.within(-1.5, 1.5), random.within(-3.1, 3.1), random.within(-5000.0, 30_000.0));
        let place = to_ecef(lat, lon, h);
        let back = to_geodetic(place);
        let other = closed_form(place);
        for (found, expected) in [(back, [lat, lon, h]), (back, other)] {
            assert!(
                (found[0] - expected[0]).abs() < 1e-12 && (found[1] - expected[1]).abs() < 1e-14,
                "{found:?} {expected:?}"
            );
            assert!((found[2] - expected[2]).abs() < 1e-6, "{found:?} {expected:?}");
        }
    }
    // At the poles and the equator.
    for (lat, z) in
        [(std::f64::consts::FRAC_PI_2, 6_356_752.314_245), (-std::f64::consts::FRAC_PI_2, -6_356_752.314_245)]
    {
        near(to_ecef(lat, 0.3, 0.0).z, z, 1e-5, "pole");
        near(to_geodetic(DVec3::new(0.0, 0.0, z * 1.001))[0], lat, 1e-12, "pole back");
    }
}

#[test]
fn navsat_tells_where_and_how_fast() {
    let text = world(
        "0 0 0",
        r#"<spherical_coordinates><surface_model>EARTH_WGS84</surface_model><latitude_deg>47</latitude_deg><longitude_deg>8</longitude_deg><elevation>400</elevation><heading_deg>0</heading_deg></spherical_coordinates>
<model name="m"><pose>1000 2000 50 0 0 0</pose><link name="l"><inertial><mass>1</mass></inertial><sensor name="gps" type="navsat"/></link><plugin name="i" filename="libInitialVelocityPlugin.so"><linear>3 4 0</linear></plugin></model>"#,
    );
    let mut run = start(&text, &[]);
    run.step().unwrap();
    let (_, SensorValue::NavSat { latitude, longitude, altitude, velocity }) = reading(&run, "m::l::gps") else {
        panic!()
    };
    // Radii of curvature at 47°: meridian M and prime vertical N, with the height of the surface falling off by d²/2R.
    let (a, e2) = (6_378_137.0_f64, 0.006_694_379_990_14);
    let (phi, s2) = (47.0_f64.to_radians(), 47.0_f64.to_radians().sin().powi(2));
    let n = a / (1.0 - e2 * s2).sqrt();
    let m = n * (1.0 - e2) / (1.0 - e2 * s2);
    near(latitude, 47.0 + (2000.0 / (m + 400.0)).to_degrees(), 5e-6, "latitude");
    near(longitude, 8.0 + (1000.0 / ((n + 400.0) * phi.cos())).to_degrees(), 1e-5, "longitude");
    near(altitude, 450.0 + 5e6 / (2.0 * 6.38e6), 0.02, "altitude");
    assert!((velocity - DVec3::new(3.0, 4.0, 0.0)).length() < 2e-3, "{velocity}");
}

/// A robot that lies on its pad: the pad is part of the base, as Gazebo lumps it.
fn padded(collision: &str) -> String {
    let inertial =
        r#"<inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>"#;
    let cube = |name: &str, at: f64| {
        format!(
            r#"<collision{name}><origin xyz="{at} 0 0"/><geometry><box size="0.1 0.1 0.1"/></geometry></collision>"#
        )
    };
    format!(
        r#"<robot name="r"><link name="base">{inertial}{}</link><link name="pad">{inertial}{}{}</link><joint name="j" type="fixed"><parent link="base"/><child link="pad"/><origin xyz="0 0 -0.5"/></joint>
<gazebo reference="pad"><sensor name="s" type="contact"><contact><collision>{collision}</collision></contact></sensor></gazebo></robot>"#,
        cube("", 0.0),
        cube("", 0.0),
        cube(" name=\"heel\"", 0.3),
    )
}

#[test]
fn contact_sensors_find_collisions_by_their_lumped_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.urdf");
    let names = |collision: &str| {
        std::fs::write(&path, padded(collision)).unwrap();
        let project = Setup::new(&path).load().unwrap();
        let list = &project.description().unwrap().sensors.list;
        list.iter().find_map(|s| match &s.kind {
            stiction_formats::sensors::SensorKind::Contact(names) => Some(names.clone()),
            _ => None,
        })
    };
    for (given, expected) in [
        ("collision", "r::pad::collision"),
        ("pad_collision", "r::pad::collision"),
        ("base_fixed_joint_lump__pad_collision", "r::pad::collision"),
        ("base_fixed_joint_lump__pad_collision_1", "r::pad::collision"),
        ("base_fixed_joint_lump__heel_2", "r::pad::heel"),
        ("base_collision", "r::base::collision"),
    ] {
        assert_eq!(names(given), Some(vec![expected.to_owned()]), "{given}");
    }
    assert_eq!(names("base_fixed_joint_lump__knee_collision_1"), None);
    assert_eq!(names("pad_collision_1"), None);
    // It tells whether that one touches: the pad does on the ground, the base does not.
    let is_touched = |collision: &str| {
        std::fs::write(&path, padded(collision)).unwrap();
        let mut run = Setup::new(&path).start().unwrap();
        run.advance(0.5).unwrap();
        matches!(reading(&run, "r::pad::s").1, SensorValue::Touch { is_touching: true, .. })
    };
    assert!(is_touched("base_fixed_joint_lump__pad_collision_1"));
    assert!(!is_touched("base_collision"));
}
