//! Every published form of a sensor reads under every engine what a closed form says, or is told with its line and a reason.

use std::path::Path;

use stiction::math::DVec3;
use stiction_formats::simulation::SensorValue;
use stiction_run::{Run, Setup};

use super::{file, rotation};

/// Pose of the link that has the sensor, and of the sensor in it.
const LINK: [f64; 3] = [0.3, -0.5, 0.8];
const SENSOR: [f64; 3] = [0.4, 0.2, -0.7];

/// A form: what it puts into the link, the joint, the model and the world of an SDFormat file, and the name of its reading.
struct Form {
    name: &'static str,
    link: String,
    joint: String,
    model: String,
    world: &'static str,
    reading: &'static str,
}

impl Form {
    fn new(name: &'static str, reading: &'static str) -> Self {
        Self { name, link: String::new(), joint: String::new(), model: String::new(), world: "", reading }
    }

    /// A box of 2 kg with its centre off its frame, 1 m up and tilted; `is_held` by the world, or not.
    fn sdf(&self, is_held: bool) -> String {
        let [r, p, y] = LINK;
        let joint = if is_held {
            format!(
                r#"<joint name="j" type="revolute"><parent>world</parent><child>l</child><axis><xyz expressed_in="__model__">0 0 1</xyz></axis>{}</joint>"#,
                self.joint
            )
        } else {
            String::new()
        };
        format!(
            r#"<sdf version="1.9"><world name="w"><gravity>0 0 -9.8</gravity>{}<model name="m"><link name="l"><pose>0 0 1 {r} {p} {y}</pose>
<inertial><pose>0.1 0.05 0.2 0 0 0</pose><mass>2</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial>{}</link>{joint}{}</model></world></sdf>"#,
            self.world, self.link, self.model
        )
    }
}

/// A URDF file of the same body, with a massless link at the pose of the sensor; `gazebo` holds its extensions.
fn urdf(is_held: bool, gazebo: &str) -> String {
    let [[r, p, y], [sr, sp, sy]] = [LINK, SENSOR];
    let world = if is_held {
        r#"<link name="world"/><joint name="hold" type="revolute"><parent link="world"/><child link="mast"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<link name="mast"><inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>"#
    } else {
        r#"<link name="mast"><inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>"#
    };
    format!(
        r#"<robot name="m">{world}<joint name="j" type="fixed"><parent link="mast"/><child link="l"/><origin xyz="0 0 1" rpy="{r} {p} {y}"/></joint>
<link name="l"><inertial><origin xyz="0.1 0.05 0.2"/><mass value="2"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
<joint name="at" type="fixed"><parent link="l"/><child link="s"/><origin xyz="0.2 0.1 0" rpy="{sr} {sp} {sy}"/></joint><link name="s"/>{gazebo}</robot>"#
    )
}

fn started(text: &str, name: &str, engine: &str) -> Run {
    let mut setup = file(text, name).engine(engine);
    setup.no_ground = true;
    setup.start().unwrap_or_else(|error| panic!("{engine}: {error}"))
}

fn reading(run: &Run, form: &str, name: &str) -> SensorValue {
    let all: Vec<&str> = run.simulation().readings().map(|reading| reading.name).collect();
    let found = run.simulation().readings().find(|reading| reading.name == name).map(|reading| reading.value.clone());
    found.unwrap_or_else(|| panic!("{form}: no reading `{name}` among {all:?}"))
}

const SENSOR_POSE: &str = "<pose>0.2 0.1 0 0.4 0.2 -0.7</pose>";

fn imus() -> Vec<(&'static str, &'static str, [String; 2])> {
    let of_link = |name, kind: &str, inner: &str, world| {
        let link = format!(r#"<sensor name="i" type="{kind}">{SENSOR_POSE}{inner}</sensor>"#);
        Form { link, world, ..Form::new(name, "m::l::i") }
    };
    let plugin = |file: &str, inner: &str| format!(r#"<plugin name="i" filename="{file}">{inner}</plugin>"#);
    let offsets = "<xyzOffset>0.2 0.1 0</xyzOffset><rpyOffset>0.4 0.2 -0.7</rpyOffset>";
    let of_model = Form {
        model: plugin("libgazebo_ros_imu.so", &format!("<bodyName>l</bodyName>{offsets}")),
        ..Form::new("gazebo_ros_imu of a model", "m::l::i")
    };
    let system = r#"<plugin filename="gz-sim-imu-system" name="gz::sim::systems::Imu"/>"#;
    let forms = [
        of_link("sensor", "imu", "", ""),
        of_link("gz-sim-imu-system", "imu", "<always_on>1</always_on><visualize>true</visualize>", system),
        of_link("capitals", "IMU", "", ""),
        of_link("gazebo_ros_imu_sensor", "imu", &plugin("libgazebo_ros_imu_sensor.so", ""), ""),
        of_model,
    ];
    let mut all: Vec<_> = forms.iter().map(|f| (f.name, f.reading, [true, false].map(|held| f.sdf(held)))).collect();
    let bare = r#"<sensor name="i" type="imu"/>"#;
    let posed = format!(r#"<sensor name="i" type="imu">{SENSOR_POSE}</sensor>"#);
    let of_robot = plugin("libgazebo_ros_imu.so", &format!("<bodyName>l</bodyName>{offsets}"));
    for (name, reading, gazebo) in [
        ("urdf, lumped massless link", "m::s::i", format!(r#"<gazebo reference="s">{bare}</gazebo>"#)),
        ("urdf, lumped link", "m::l::i", format!(r#"<gazebo reference="l">{posed}</gazebo>"#)),
        ("urdf, gazebo_ros_imu", "m::l::i", format!("<gazebo>{of_robot}</gazebo>")),
    ] {
        all.push((name, reading, [true, false].map(|held| urdf(held, &gazebo))));
    }
    all
}

fn extension(text: &str) -> &'static str {
    if text.starts_with("<robot") { "m.urdf" } else { "m.sdf" }
}

#[test]
fn every_form_of_an_imu_reads_gravity_at_rest_and_nothing_in_free_fall() {
    let back = (rotation(LINK) * rotation(SENSOR)).conjugate();
    for (form, name, [held, free]) in imus() {
        for engine in stiction_formats::usage::engines() {
            for (text, factor) in [(&held, 1.0), (&free, 0.0)] {
                let mut run = started(text, extension(text), engine);
                run.advance(0.05).unwrap();
                let SensorValue::Imu { linear_acceleration, .. } = reading(&run, form, name) else { panic!("{form}") };
                let expected = -factor * (back * run.simulation().world.parameters.gravity);
                let off = (linear_acceleration - expected).length();
                assert!(off < 1e-3, "{form} {engine}: {linear_acceleration}, expected {expected}");
            }
        }
    }
}

#[test]
fn every_form_of_a_force_torque_sensor_reads_the_weight_of_what_hangs() {
    let plugin = |file: &str, inner: &str| format!(r#"<plugin name="f" filename="{file}">{inner}</plugin>"#);
    let of_joint = |name, kind: &str, inner: &str, world| {
        let joint = format!(r#"<sensor name="f" type="{kind}">{inner}</sensor>"#);
        Form { joint, world, ..Form::new(name, "m::j::f") }
    };
    let of_model =
        |name, inner: &str| Form { model: plugin("libgazebo_ros_ft_sensor.so", inner), ..Form::new(name, "m::j::f") };
    let system = r#"<plugin filename="gz-sim-forcetorque-system" name="gz::sim::systems::ForceTorque"/>"#;
    let forms = [
        of_joint("sensor", "force_torque", "", ""),
        of_joint(
            "gz-sim-forcetorque-system",
            "force_torque",
            "<force_torque><frame>child</frame></force_torque>",
            system,
        ),
        of_joint("capitals", "FORCE_TORQUE", "", ""),
        of_model("gazebo_ros_ft_sensor, ROS 1", "<jointName>j</jointName><updateRate>100.0</updateRate>"),
        of_model("gazebo_ros_ft_sensor, ROS 2", "<joint_name>j</joint_name><update_rate>200</update_rate>"),
    ];
    let mut all: Vec<_> = forms.iter().map(|form| (form.name, form.sdf(true))).collect();
    let sensor = r#"<sensor name="f" type="force_torque"/>"#;
    let of_robot = plugin("libgazebo_ros_ft_sensor.so", "<jointName>j</jointName>");
    all.push(("urdf, lumped joint", urdf(true, &format!(r#"<gazebo reference="j">{sensor}</gazebo>"#))));
    all.push((
        "urdf, preserved joint",
        urdf(true, &format!(r#"<gazebo reference="j"><preserveFixedJoint>true</preserveFixedJoint>{sensor}</gazebo>"#)),
    ));
    all.push(("urdf, gazebo_ros_ft_sensor of a lumped joint", urdf(true, &format!("<gazebo>{of_robot}</gazebo>"))));
    for (form, text) in all {
        for engine in stiction_formats::usage::engines() {
            let mut run = started(&text, extension(&text), engine);
            run.advance(0.05).unwrap();
            let SensorValue::Wrench { force, torque } = reading(&run, form, "m::j::f") else { panic!("{form}") };
            // The weight in the axes of the child, with its moment about the origin of the child, where the joint is.
            let weight = rotation(LINK).conjugate() * (2.0 * run.simulation().world.parameters.gravity);
            let moment = DVec3::new(0.1, 0.05, 0.2).cross(weight);
            let off = (force - weight).length().max((torque - moment).length());
            assert!(off < 2e-2, "{form} {engine}: {force} {torque}, expected {weight} {moment}");
        }
    }
}

/// A box of 2 kg on the ground; the sensor is in the box or in the ground.
fn resting(of_box: &str, of_ground: &str, world: &str) -> String {
    format!(
        r#"<sdf version="1.9"><world name="w"><gravity>0 0 -9.8</gravity>{world}<model name="ground"><static>true</static><link name="g"><collision name="c"><geometry><plane/></geometry></collision>{of_ground}</link></model>
<model name="m"><pose>0 0 0.1 0 0 0.5</pose><link name="l"><inertial><mass>2</mass><inertia><ixx>0.0133</ixx><iyy>0.0133</iyy><izz>0.0133</izz></inertia></inertial>
<collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision>{of_box}</link></model></world></sdf>"#
    )
}

/// The same box as a URDF file, whose collision belongs to a link that is lumped.
fn resting_urdf(reference: &str, sensor: &str) -> String {
    format!(
        r#"<robot name="m"><link name="base"><inertial><mass value="2"/><inertia ixx="0.0133" ixy="0" ixz="0" iyy="0.0133" iyz="0" izz="0.0133"/></inertial></link>
<joint name="j" type="fixed"><parent link="base"/><child link="l"/></joint><link name="l"><collision name="c"><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
<gazebo reference="{reference}">{sensor}</gazebo></robot>"#
    )
}

#[test]
fn every_form_of_a_contact_sensor_reads_the_weight() {
    let of = |kind: &str, inner: &str| format!(r#"<sensor name="t" type="{kind}">{inner}</sensor>"#);
    let named = |name: &str| of("contact", &format!("<contact><collision>{name}</collision></contact>"));
    let bumper = r#"<plugin name="b" filename="libgazebo_ros_bumper.so"><bumperTopicName>t</bumperTopicName></plugin>"#;
    let system = r#"<plugin filename="gz-sim-contact-system" name="gz::sim::systems::Contact"/>"#;
    let forms = [
        ("sensor", "m::l::t", 1.0, resting(&named("c"), "", "")),
        ("scoped collision", "m::l::t", 1.0, resting(&named("m::l::c"), "", "")),
        ("all collisions", "m::l::t", 1.0, resting(&of("contact", ""), "", "")),
        ("gz-sim-contact-system", "m::l::t", 1.0, resting(&named("c"), "", system)),
        (
            "gazebo_ros_bumper",
            "m::l::t",
            1.0,
            resting(&of("contact", &format!("<contact><collision>c</collision></contact>{bumper}")), "", ""),
        ),
        ("capitals", "m::l::t", 1.0, resting(&of("Contact", ""), "", "")),
        ("bumper", "m::l::t", 1.0, resting(&of("bumper", ""), "", "")),
        ("of a static model", "ground::g::t", -1.0, resting("", &named("c"), "")),
        ("urdf, lumped link", "m::l::t", 1.0, resting_urdf("l", &of("contact", ""))),
        (
            "urdf, of the body that it became part of",
            "m::base::t",
            1.0,
            resting_urdf("base", &named("base_fixed_joint_lump__c_collision_1")),
        ),
        (
            "urdf, bumper",
            "m::l::t",
            1.0,
            resting_urdf(
                "l",
                &of("contact", &format!("<contact><collision>l_collision</collision></contact>{bumper}")),
            ),
        ),
    ];
    for (form, name, sign, text) in &forms {
        let text = text.replace("__c_collision_1", "__c_1").replace("l_collision", "c");
        for engine in stiction_formats::usage::engines() {
            let mut run = file(&text, extension(&text)).engine(engine).start().unwrap();
            run.advance(1.0).unwrap();
            let SensorValue::Touch { is_touching, force } = reading(&run, form, name) else { panic!("{form}") };
            let expected: DVec3 = *sign * -2.0 * run.simulation().world.parameters.gravity;
            assert!(is_touching && (force - expected).length() < 0.2, "{form} {engine}: {force}, expected {expected}");
        }
    }
}

/// Line of the first occurrence of a text, from 1.
fn line(text: &str, word: &str) -> usize {
    1 + text[..text.find(word).unwrap()].matches('\n').count()
}

fn unread(setup: &Setup) -> Vec<(String, String, String)> {
    let project = setup.clone().load().unwrap();
    let all = project.without_effect(&project.engine().unwrap()).into_iter();
    let sensors = all.filter(|one| one.subject == stiction_run::Subject::Sensor);
    sensors.map(|one| (one.path.clone(), one.place(), one.reason)).collect()
}

#[test]
fn what_has_no_reading_is_told_with_its_line_and_the_reason() {
    let link =
        |kind: &str| Form { link: format!("\n<sensor name=\"x\" type=\"{kind}\"/>"), ..Form::new("", "") }.sdf(true);
    let joint =
        |kind: &str| Form { joint: format!("\n<sensor name=\"x\" type=\"{kind}\"/>"), ..Form::new("", "") }.sdf(true);
    let model = |file: &str, inner: &str| {
        let model = format!("\n<plugin name=\"x\" filename=\"{file}\">{inner}</plugin>");
        Form { model, ..Form::new("", "") }.sdf(true)
    };
    let light = "light, images and sound";
    let still = link("none").replace("<model name=\"m\">", "<model name=\"m\"><static>true</static>");
    let massless = urdf(true, "\n<gazebo reference=\"at\">\n<sensor name=\"x\" type=\"force_torque\"/></gazebo>");
    let cases = [
        (link("camera"), "m::l::x", light),
        (link("gpu_lidar"), "m::l::x", light),
        (link("GPU_RAY"), "m::l::x", light),
        (link("depth_camera"), "m::l::x", light),
        (link("wireless_receiver"), "m::l::x", "not simulated"),
        (link("none"), "m::l::x", "no type"),
        (still, "m::l::x", "no type"),
        (link("gps"), "m::l::x", "spherical_coordinates"),
        (link("force_torque"), "m::l::x", "measures a joint"),
        (link("contact"), "m::l::x", "no collision"),
        (joint("contact"), "m::j::x", "belongs to a link"),
        (
            joint("force_torque").replace("<model name=\"m\">", "<model name=\"m\"><static>true</static>"),
            "m::j::x",
            "neither side",
        ),
        (model("libgazebo_ros_f3d.so", "<bodyName>l</bodyName>"), "m::x", "force-torque sensor of a joint"),
        (model("libgazebo_ros_ft_sensor.so", "<jointName>elsewhere</jointName>"), "m::x", "names no joint"),
        (model("libgazebo_ros_imu.so", ""), "m::x", "names no link"),
        (model("libgazebo_ros_bumper.so", ""), "m::x", "plugin of sensors"),
        (massless, "m::at::x", "no mass"),
    ];
    for (text, name, reason) in cases {
        let setup = file(&text, extension(&text));
        let found = unread(&setup);
        let [(path, place, why)] = &found[..] else { panic!("{reason}: {found:?}\n{text}") };
        assert_eq!(path, name);
        assert!(why.contains(reason), "{why}: {reason}");
        let at = line(&text, "name=\"x\"");
        let of_file = Path::new(place.split(':').next().unwrap()).file_name().unwrap().to_str().unwrap().to_owned();
        assert!(of_file == extension(&text) && place.contains(&format!(":{at}:")), "{place}: line {at}");
        for engine in stiction_formats::usage::engines() {
            let mut setup = setup.clone().engine(engine);
            setup.no_ground = true;
            let run = setup.start().unwrap();
            assert!(run.simulation().readings().next().is_none());
            let json = run.summary(0.0).json();
            let told = json["without_effect"].as_array().unwrap().iter().filter(|one| one["path"] == name).count();
            assert_eq!(told, 1, "{engine} {reason}");
        }
    }
}
