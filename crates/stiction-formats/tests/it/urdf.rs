//! What a URDF file means: links, joints, extensions, and bodies made of several links.
#![allow(missing_docs, clippy::unwrap_used)]

mod commanded;
use crate::common;
mod gazebo;
mod massless;
mod trees;

use std::fs;

use common::{load_file, request, set, shared};
use stiction::math::{DQuat, DVec3, Pose};
use stiction_formats::description::{GeometryDescription, JointType, WorldDescription};
use stiction_formats::simulation::{Simulation, simulate, world_parameters};
use stiction_formats::{FileRequest, LoadOptions, Loaded, load, one_line};

const INERTIAL: &str =
    "<inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>";

fn robot(body: &str) -> String {
    format!("<robot name='r' xmlns:drake='http://drake.mit.edu'>{}</robot>", body.replace("INERTIAL", INERTIAL))
}

fn load_robot(body: &str, options: &LoadOptions) -> Loaded {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("robot.urdf");
    fs::write(&path, robot(body)).expect("the folder is writable");
    load(&[request(&path)], options)
}

fn good(body: &str) -> WorldDescription {
    let loaded = load_robot(body, &LoadOptions { no_ground: true, ..LoadOptions::default() });
    let found: Vec<String> = loaded.diagnostics.iter().map(one_line).collect();
    assert_eq!(loaded.errors(), 0, "{found:#?}");
    loaded.world.expect("a world without errors")
}

fn codes(body: &str) -> Vec<&'static str> {
    load_robot(body, &LoadOptions::default()).diagnostics.iter().map(|d| d.code).collect()
}

fn simulated(world: &WorldDescription) -> Simulation {
    simulate(world, world_parameters(world)).expect("the engine takes the world")
}

#[test]
fn links_and_joints_are_those_of_the_file() {
    let world = good(
        "<link name='base'>INERTIAL<collision><geometry><box size='1 2 3'/></geometry></collision>
           <collision name='collision'><origin xyz='0 0 1' rpy='0 0 1.5'/><geometry><sphere radius='.5'/></geometry></collision>
           <collision><geometry><capsule radius='.1' length='.2'/></geometry></collision></link>
         <link name='arm'>INERTIAL</link>
         <joint name='arm' type='revolute'><parent link='base'/><child link='arm'/><origin xyz='1 0 0' rpy='0 0 1.5707963267948966'/>
           <limit lower='-1' upper='2' effort='3' velocity='4'/><dynamics damping='.5' friction='.25'/></joint>",
    );
    assert_eq!(world.name, "r");
    let names: Vec<&str> = world.links.iter().flat_map(|l| &l.collisions).map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["r::base::collision_1", "r::base::collision", "r::base::collision_2"]);
    assert_eq!(world.links[0].collisions[0].geometry, GeometryDescription::Box(DVec3::new(1.0, 2.0, 3.0)));
    let joint = &world.joints[0];
    assert_eq!((joint.name.as_str(), joint.joint_type, joint.is_lumped), ("r::arm", JointType::Revolute, false));
    assert_eq!((joint.parent, joint.child), (Some(0), Some(1)));
    let axis = &joint.axes[0];
    // The default axis is x of the joint frame, which is turned by 90 degrees.
    assert!((axis.xyz - DVec3::Y).length() < 1e-15 && (joint.pose.position - DVec3::X).length() < 1e-15);
    let numbers = [&axis.lower, &axis.upper, &axis.effort, &axis.velocity, &axis.damping, &axis.friction];
    assert_eq!(numbers.map(|s| s.value), [-1.0, 2.0, 3.0, 4.0, 0.5, 0.25]);
}

#[test]
fn joints_of_every_type() {
    let link = |n: &str| format!("<link name='{n}'>INERTIAL</link>");
    let joint = |name: &str, kind: &str, more: &str| {
        format!(
            "<joint name='{name}' type='{kind}'><parent link='base'/><child link='{name}'/><origin xyz='0 1 0'/>{more}</joint>"
        )
    };
    let limit = "<limit lower='0' upper='0' effort='1' velocity='1'/>";
    let world = good(&format!(
        "{}{}{}{}{}{}{}{}{}{}{}",
        link("base"),
        link("c"),
        link("p"),
        link("f"),
        link("free"),
        link("flat"),
        joint("c", "continuous", "<mimic joint='p' multiplier='2' offset='3'/>"),
        joint("p", "prismatic", limit),
        joint("f", "fixed", ""),
        joint("free", "floating", ""),
        joint("flat", "planar", "<axis xyz='0 0 1'/>"),
    ));
    let kinds: Vec<JointType> = world.joints.iter().map(|j| j.joint_type).collect();
    assert_eq!(kinds, [JointType::Continuous, JointType::Prismatic, JointType::Fixed, JointType::Planar]);
    let mimic = world.joints[0].axes[0].mimic.as_ref().expect("it mimics");
    assert_eq!((mimic.joint, mimic.multiplier, mimic.offset), (1, 2.0, 3.0));
    // The free link stands where its joint puts it.
    assert_eq!(world.links[4].pose.position, DVec3::Y);
    let simulation = simulated(&world);
    assert!(simulation.joints[2].id.is_none() && simulation.joints[3].axes == [0, 1, 2]);
    assert_eq!(simulation.links[3].body, simulation.links[0].body);
    assert_ne!(simulation.links[4].body, simulation.links[0].body);
}

#[test]
fn fixed_joints_make_one_body() {
    let world = good(
        "<link name='tip'><inertial><mass value='1'/><inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/></inertial>
           <collision><geometry><sphere radius='.1'/></geometry></collision></link>
         <link name='mid'/><link name='base'>INERTIAL</link>
         <joint name='a' type='fixed'><parent link='base'/><child link='mid'/><origin xyz='0 0 1'/></joint>
         <joint name='b' type='fixed'><parent link='mid'/><child link='tip'/><origin xyz='3 0 0' rpy='0 1.5707963267948966 0'/></joint>",
    );
    let carriers: Vec<Option<usize>> = world.links.iter().map(|l| l.lumped_into).collect();
    assert_eq!(carriers, [Some(2), Some(2), None]);
    assert!(world.joints.iter().all(|j| j.is_lumped));
    let mut simulation = simulated(&world);
    let body = simulation.links[0].body.expect("a body");
    let mass = simulation.world.body(body).expect("it is there").mass_properties();
    assert_eq!(mass.mass, 3.0);
    assert!((mass.center_of_mass - DVec3::new(1.0, 0.0, 1.0 / 3.0)).length() < 1e-15);
    // Two point masses of 2 kg and 1 kg, √10 m apart, and their own moments.
    let reduced = 2.0 / 3.0;
    let expected = [1.1 + reduced, 1.1 + reduced * 10.0, 1.1 + reduced * 9.0, -reduced * 3.0];
    let i = mass.inertia;
    for (found, expected) in [i.x_axis.x, i.y_axis.y, i.z_axis.z, i.x_axis.z].into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-13, "{found} {expected}");
    }
    simulation.world.body_mut(body).expect("it is there").set_omega(DVec3::Z).expect("finite");
    let tip = simulation.links[0].clone();
    assert!((simulation.link_pose(&tip).position - DVec3::new(3.0, 0.0, 1.0)).length() < 1e-15);
    let (velocity, _) = simulation.link_velocity(&tip);
    // The centre of mass, at x = 1, is at rest.
    assert!((velocity - DVec3::new(0.0, 2.0, 0.0)).length() < 1e-14, "{velocity}");
}

#[test]
fn a_link_named_world_is_the_world() {
    let world = good(
        "<link name='world'/><link name='base'/><link name='arm'>INERTIAL</link>
         <joint name='mount' type='fixed'><parent link='world'/><child link='base'/><origin xyz='0 0 2'/></joint>
         <joint name='j' type='continuous'><parent link='base'/><child link='arm'/></joint>",
    );
    assert_eq!(world.links.len(), 2);
    assert!(world.links[0].is_fixed_to_world && !world.links[1].is_fixed_to_world);
    let simulation = simulated(&world);
    assert!(simulation.links[0].body.is_none());
    assert_eq!(simulation.link_pose(&simulation.links[0]).position.z, 2.0);
    assert!(simulation.joints[1].id.is_some());
}

#[test]
fn origins_may_have_quaternions() {
    let world = good(
        "<link name='a'>INERTIAL</link><link name='b'>INERTIAL</link><joint name='j' type='fixed'>
           <parent link='a'/><child link='b'/><origin xyz='1 2 3' quat_xyzw='0 0 2 2'/></joint>",
    );
    assert!((world.links[1].pose.direction(DVec3::X) - DVec3::Y).length() < 1e-15);
    assert!(
        codes("<link name='a'><inertial><origin quat_xyzw='0 0 0 0'/></inertial></link>").contains(&"invalid-value")
    );
}

#[test]
fn a_fixed_joint_can_be_kept() {
    let world = good(
        "<link name='a'>INERTIAL</link><link name='b'>INERTIAL</link>
         <joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>
         <gazebo reference='j'><preserveFixedJoint>true</preserveFixedJoint></gazebo>",
    );
    assert!(!world.joints[0].is_lumped && world.links[1].lumped_into.is_none());
}

#[test]
fn gazebo_extensions_go_to_their_link_or_joint() {
    let world = good(
        "<link name='a'>INERTIAL<collision><geometry><box size='1 1 1'/></geometry></collision></link><link name='b'>INERTIAL</link>
         <joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>
         <gazebo reference='a'><mu1>0.3</mu1><mu2 value='0.4'/><kp>1e5</kp><kd>10</kd><maxVel>0.2</maxVel><minDepth>0.003</minDepth>
           <maxContacts>4</maxContacts><fdir1>0 1 0</fdir1><selfCollide>true</selfCollide><turnGravityOff>true</turnGravityOff>
           <material>Gazebo/Red</material><sensor name='s' type='imu'/></gazebo>
         <gazebo reference='j'><stopCfm>0.1</stopCfm><stopErp>0.5</stopErp><provideFeedback>1</provideFeedback><springStiffness>7</springStiffness></gazebo>
         <gazebo><static>false</static><plugin name='p' filename='p.so'/></gazebo>",
    );
    let link = &world.links[0];
    let s = &link.collisions[0].surface;
    let numbers = [&s.mu, &s.mu2, &s.kp, &s.kd, &s.max_vel, &s.min_depth].map(|s| s.value);
    assert_eq!(numbers, [0.3, 0.4, 1e5, 10.0, 0.2, 0.003]);
    assert_eq!((s.fdir1.value, link.collisions[0].max_contacts.value), (DVec3::Y, 4));
    assert!(link.self_collide.value && !link.gravity.value && world.links[1].gravity.value);
    assert_eq!(link.sensors, ["imu"]);
    let joint = &world.joints[0];
    assert_eq!((joint.limit_cfm.value, joint.limit_erp.value), (0.1, 0.5));
    assert!(joint.provide_feedback.value && joint.axes[0].spring_stiffness.value == 7.0);
    let skipped: Vec<&str> = world.skipped.iter().map(|s| s.path.as_str()).collect();
    assert_eq!(skipped, ["model::plugin[p.so]"]);
    assert!(good("<link name='a'>INERTIAL</link><gazebo><static>true</static></gazebo>").models[0].is_static);
}

#[test]
fn drake_properties_are_read_in_both_formats() {
    let world = good(
        "<link name='a'>INERTIAL<collision><geometry><box size='1 1 1'/></geometry><drake:proximity_properties>
           <drake:point_contact_stiffness value='1e5'/><drake:hunt_crossley_dissipation value='2'/><drake:relaxation_time value='.1'/>
           <drake:mu_static value='0.5'/><drake:mu_dynamic value='0.4'/><drake:hydroelastic_modulus value='1e7'/>
           </drake:proximity_properties></collision></link><link name='b'>INERTIAL</link>
         <joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>
         <transmission><joint name='j'/><actuator name='m'><drake:rotor_inertia value='.01'/><drake:gear_ratio value='10'/></actuator></transmission>",
    );
    let p = &world.links[0].collisions[0].surface.proximity;
    let given = [&p.stiffness, &p.dissipation, &p.relaxation_time, &p.static_friction, &p.dynamic_friction];
    assert_eq!(given.map(|s| s.given().copied()), [1e5, 2.0, 0.1, 0.5, 0.4].map(Some));
    assert!((world.joints[0].axes[0].armature.value - 1.0).abs() < 1e-15);
    assert!(world.skipped.iter().any(|s| s.path == "collision::drake:hydroelastic_modulus"));
    let sdf = "<sdf version='1.9'><model name='m'><link name='l'><collision name='c'><geometry><sphere><radius>1</radius></sphere></geometry>
        <drake:proximity_properties><drake:mu_static>0.3</drake:mu_static></drake:proximity_properties></collision></link></model></sdf>";
    let p = common::load_good(sdf).links[0].collisions[0].surface.proximity.clone();
    assert_eq!((p.static_friction.given(), p.dynamic_friction.given()), (Some(&0.3), None));
    let wrong = sdf.replace("</drake:mu_static>", "</drake:mu_static><drake:mu_dynamic>0.4</drake:mu_dynamic>");
    let loaded = common::load_text(&wrong, &LoadOptions::default());
    assert_eq!(loaded.diagnostics[0].code, "out-of-range");
}

#[test]
fn drake_shapes_and_settings() {
    let body = "<link name='a'>INERTIAL<collision><geometry><drake:ellipsoid a='1' b='2' c='3'/></geometry></collision>
         <collision><geometry><drake:capsule radius='1' length='2'/></geometry></collision></link>";
    let path = |of: &str| format!("model.r.link.a.collision.*.drake:proximity_properties.drake:{of}");
    let options = LoadOptions {
        overrides: vec![set(&path("mu_static"), "0.7"), set(&path("relaxation_time"), "0.2")],
        no_ground: true,
        ..LoadOptions::default()
    };
    let loaded = load_robot(body, &options);
    let listed = loaded.parameter_paths.iter().find(|p| p.path == path("mu_static").replace('*', "collision_1"));
    assert_eq!(listed.map(|p| p.value.as_str()), Some("0.7"));
    let world = loaded.world.expect("a world");
    let shapes: Vec<_> = world.links[0].collisions.iter().map(|c| c.geometry.clone()).collect();
    let capsule = GeometryDescription::Capsule { radius: 1.0, length: 2.0 };
    assert_eq!(shapes, [GeometryDescription::Ellipsoid(DVec3::new(1.0, 2.0, 3.0)), capsule]);
    let given = world.links[0].collisions.iter().map(|c| c.surface.proximity.static_friction.given().copied());
    assert_eq!(given.collect::<Vec<_>>(), [Some(0.7); 2]);
    let wrong = LoadOptions { overrides: vec![set(&path("mu_statc"), "0.7")], ..LoadOptions::default() };
    let found = load_robot(body, &wrong).diagnostics;
    assert!(found[0].help.as_ref().is_some_and(|h| h.contains("drake:mu_static")), "{found:#?}");
    let wrong = LoadOptions { overrides: vec![set(&path("mu_static"), "-1")], ..LoadOptions::default() };
    assert!(load_robot(body, &wrong).blocking());
}

#[test]
fn overrides_reach_into_a_robot() {
    let options = LoadOptions {
        overrides: vec![
            set("model.r.link.a.collision.*.surface.friction.ode.mu", "0.2"),
            set("model.r.joint.j.axis.dynamics.damping", "3"),
            set("physics.max_step_size", "0.002"),
        ],
        ..LoadOptions::default()
    };
    let body = "<link name='a'>INERTIAL<collision><geometry><box size='1 1 1'/></geometry></collision></link><link name='b'>INERTIAL</link>
         <joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>";
    let loaded = load_robot(body, &options);
    let found: Vec<String> = loaded.diagnostics.iter().filter(|d| d.code != "lifted").map(one_line).collect();
    assert!(found.is_empty(), "{found:#?}");
    let world = loaded.world.expect("a world");
    assert_eq!(world.links[0].collisions[0].surface.mu.value, 0.2);
    assert_eq!((world.joints[0].axes[0].damping.value, world.physics.max_step_size.value), (3.0, 0.002));
    // On the bundled ground, and lifted out of it.
    assert_eq!((world.models.len(), world.links[0].pose.position.z), (2, 0.5));
}

#[test]
fn robots_are_placed_and_included() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("robot.urdf");
    fs::write(&path, robot("<link name='a'>INERTIAL</link>")).expect("writable");
    let world = folder.path().join("w.sdf");
    let text = "<sdf version='1.9'><world name='w'><include><uri>robot.urdf</uri><name>one</name><pose>1 0 0 0 0 0</pose></include></world></sdf>";
    fs::write(&world, text).expect("writable");
    let pose = Some(Pose::from_position(DVec3::new(0.0, 5.0, 0.0)));
    let placed = FileRequest { path, name: Some("two".into()), pose };
    let loaded = load(&[request(&world), placed], &LoadOptions::default());
    let links = loaded.world.expect("a world").links;
    let found: Vec<(&str, DVec3)> = links.iter().map(|l| (l.name.as_str(), l.pose.position)).collect();
    assert_eq!(found, [("one::a", DVec3::X), ("two::a", DVec3::new(0.0, 5.0, 0.0))]);
}

#[test]
fn packages_are_found_around_the_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |path: &str| folder.path().join("space/src").join(path);
    fs::create_dir_all(at("my_robot/urdf")).expect("writable");
    fs::create_dir_all(at("scenes/worlds")).expect("writable");
    fs::write(at("secret.urdf"), "x").expect("writable");
    fs::write(at("my_robot/urdf/robot.urdf"), robot("<link name='a'>INERTIAL</link>")).expect("writable");
    let found = |uri: &str| {
        let text = format!("<sdf version='1.9'><world name='w'><include><uri>{uri}</uri></include></world></sdf>");
        fs::write(at("scenes/worlds/w.sdf"), text).expect("writable");
        load_file(&at("scenes/worlds/w.sdf"), &[]).diagnostics.first().map(|d| d.code)
    };
    assert_eq!(found("package://my_robot/urdf/robot.urdf"), None);
    assert_eq!(found("package://my_robot/../secret.urdf"), Some("include-not-found"));
    assert_eq!(found("package://../secret.urdf"), Some("uri-outside"));
}

#[test]
fn faults_have_their_codes() {
    let two = "<link name='a'>INERTIAL</link><link name='b'>INERTIAL</link>";
    let joint = |more: &str| {
        format!("{two}<joint name='j' type='continuous'><parent link='a'/><child link='b'/>{more}</joint>")
    };
    for (body, expected) in [
        ("", "no-link"),
        (two, "several-roots"),
        ("<link/>", "missing-name"),
        ("<link name='x::y'>INERTIAL</link>", "reserved-name"),
        ("<link name='a'>INERTIAL</link><link name='a'>INERTIAL</link>", "duplicate-name"),
        ("<link name='a'><inertial><mass value='1'/></inertial></link>", "missing-element"),
        (
            "<link name='a'><inertial><mass value='-1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>",
            "invalid-mass",
        ),
        ("<link name='a'>INERTIAL<collision/></link>", "missing-geometry"),
        ("<link name='a'>INERTIAL<collision><geometry><cone/></geometry></collision></link>", "unknown-element"),
        ("<xacro:macro name='m'/>", "xacro"),
        (&joint("<limit effort='x' velocity='1'/>"), "invalid-value"),
        (&joint("<axis xyz='0 0 0'/>"), "zero-vector"),
        (&joint("<axis/>"), "missing-attribute"),
        (&joint("<mimic joint='j'/>"), "mimic-joint"),
        (&joint("<mimic joint='k'/>"), "mimic-joint"),
        (&joint("").replace("continuous", "prismatic"), "missing-element"),
        (&joint("").replace("<link name='b'>INERTIAL", "<link name='b'>"), "massless-link"),
        (&joint("").replace("child link='b'", "child link='a'"), "joint-sides"),
        (&joint("").replace("parent link='a'", "parent link='world'"), "joint-parent"),
    ] {
        assert!(codes(body).contains(&expected), "{body}: {:?}", codes(body));
    }
}

/// Frames, masses, centres of mass and inertias (by the kinetic energy) of the reference trees, in five states each.
#[test]
fn trees_have_the_masses_and_frames_of_the_reference() {
    let Some(shared) = shared() else { return };
    let mut count = 0;
    for entry in fs::read_dir(shared.join("oracle/trees")).expect("readable").flatten().filter(|e| e.path().is_dir()) {
        let loaded = load_file(&entry.path().join("model.urdf"), &[]);
        let world = loaded.world.expect("a world");
        let text = fs::read_to_string(entry.path().join("cases.json")).expect("readable");
        let file: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        for case in file["cases"].as_array().expect("cases") {
            compare(&world, &file["meta"], case);
            count += 1;
        }
    }
    assert_eq!(count, 40);
}

fn compare(world: &WorldDescription, meta: &serde_json::Value, case: &serde_json::Value) {
    let vector = |v: &serde_json::Value| DVec3::from_array([0, 1, 2].map(|i| v[i].as_f64().expect("a number")));
    let rotation = |v: &serde_json::Value| {
        let [w, x, y, z] = [0, 1, 2, 3].map(|i| v[i].as_f64().expect("a number"));
        DQuat::from_xyzw(x, y, z, w).normalize()
    };
    let q = &case["q"];
    let order: Vec<&str> = meta["joint_order"].as_array().expect("names").iter().filter_map(|n| n.as_str()).collect();
    let value = |name: &str| order.iter().position(|n| *n == name).map_or(0.0, |i| q["joints"][i].as_f64().expect("q"));
    let base = if q["base_position"].is_array() {
        Pose::new(vector(&q["base_position"]), rotation(&q["base_quaternion_wxyz"]))
    } else {
        Pose::IDENTITY
    };
    // Joints may come in any order: repeat until every link has its pose.
    let mut poses: Vec<Option<Pose>> = vec![None; world.links.len()];
    let root = world.models[0].canonical_link.expect("a root");
    poses[root] = Some(base);
    while poses.iter().any(Option::is_none) {
        for joint in &world.joints {
            let (parent, child) = (joint.parent.expect("a link"), joint.child.expect("a link"));
            let Some(pose) = poses[parent] else { continue };
            let own = joint.name.split("::").last().expect("a name");
            let motion = joint.axes.first().map_or(Pose::IDENTITY, |axis| {
                let direction = joint.pose.inverse_direction(axis.xyz);
                match joint.joint_type {
                    JointType::Prismatic => Pose::from_position(direction * value(own)),
                    _ => Pose::from_rotation(DQuat::from_axis_angle(direction, value(own))),
                }
            });
            let at_rest = world.links[parent].pose.inverse().compose(&joint.pose);
            poses[child] = Some(pose.compose(&at_rest).compose(&motion));
        }
    }
    let simulation = simulated(world);
    let (mut mass, mut moment, mut energy) = (0.0, DVec3::ZERO, 0.0);
    for (index, link) in world.links.iter().enumerate() {
        let pose = poses[index].expect("a pose");
        let expected = &case["results"]["links"][link.name.split("::").last().expect("a name")];
        assert!((pose.position - vector(&expected["position"])).length() < 1e-9, "{} {}", link.name, pose.position);
        let turn = pose.rotation.dot(rotation(&expected["quaternion_wxyz"])).abs();
        assert!((turn - 1.0).abs() < 1e-9, "{}", link.name);
        let body = simulation.links[index].body.filter(|_| link.lumped_into.is_none());
        if let Some(body) = body.and_then(|b| simulation.world.body(b)) {
            let own = body.mass_properties();
            mass += own.mass;
            moment += pose.point(own.center_of_mass) * own.mass;
            let omega = vector(&expected["angular_velocity"]);
            let arm = pose.direction(own.center_of_mass);
            let velocity = vector(&expected["linear_velocity"]) + omega.cross(arm);
            let in_body = pose.inverse_direction(omega);
            energy += 0.5 * (own.mass * velocity.length_squared() + in_body.dot(own.inertia * in_body));
        }
    }
    let results = &case["results"];
    let kinetic = results["kinetic_energy"].as_f64().expect("an energy");
    assert!((energy - kinetic).abs() < 1e-9 * kinetic, "{}: {energy} {kinetic}", world.name);
    let total = results["total_mass"].as_f64().expect("a mass");
    assert!((mass - total).abs() < 1e-9 * total, "{}: {mass} {total}", world.name);
    assert!((moment / mass - vector(&results["com"])).length() < 1e-9, "{}: {}", world.name, moment / mass);
}

#[test]
fn every_good_urdf_file_of_the_references_loads() {
    let Some(shared) = shared() else { return };
    let all = common::files_below(&shared);
    let files: Vec<_> = all.iter().filter(|p| p.extension().is_some_and(|e| e == "urdf")).collect();
    for path in &files {
        let loaded = load_file(path, &[]);
        let is_bad = path.components().any(|c| c.as_os_str() == "torture");
        assert_eq!(loaded.world.is_none(), is_bad, "{}", path.display());
        if let Some(world) = &loaded.world {
            let mut simulation = simulated(world);
            for _ in 0..10 {
                simulation.world.step(1e-3);
            }
        }
    }
    assert!(files.len() >= 13);
}
