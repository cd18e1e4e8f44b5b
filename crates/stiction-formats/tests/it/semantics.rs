//! What files mean: frames, versions, includes, overrides.
#![allow(missing_docs)]

use crate::common;

use std::fs;

use common::{load_good, load_text, request, set};
use stiction::math::{DVec3, Pose};
use stiction_formats::description::{GeometryDescription, JointType, LinkDescription, Origin, WorldDescription};
use stiction_formats::{FileRequest, LoadOptions, load, one_line};

use core::f64::consts::{FRAC_PI_2, TAU};

fn world(version: &str, body: &str) -> String {
    format!("<sdf version=\"{version}\">\n<world name=\"w\">\n{body}\n</world>\n</sdf>\n")
}

fn good(body: &str) -> WorldDescription {
    load_good(&world("1.11", body))
}

fn link<'w>(world: &'w WorldDescription, name: &str) -> &'w LinkDescription {
    world.links.iter().find(|l| l.name == name).unwrap_or_else(|| panic!("no link {name}"))
}

fn assert_pose(found: &Pose, xyz: [f64; 3], rpy: [f64; 3]) {
    let expected = Pose::from_xyz_rpy(DVec3::from(xyz), DVec3::from(rpy));
    assert!((found.position - expected.position).length() < 1e-12, "{found:?} is not {expected:?}");
    assert!(1.0 - found.rotation.dot(expected.rotation).abs() < 1e-12, "{found:?} is not {expected:?}");
}

#[test]
fn poses_follow_relative_to() {
    let w = good(
        r#"<model name="m"><pose>1 0 0 0 0 1.5707963267948966</pose>
           <link name="a"><pose>1 0 0 0 0 0</pose></link>
           <frame name="f" attached_to="a"><pose>0 0 2 0 0 1.5707963267948966</pose></frame>
           <link name="b"><pose relative_to="f">1 0 0 0 0 0</pose></link></model>"#,
    );
    assert_pose(&link(&w, "m::a").pose, [1.0, 1.0, 0.0], [0.0, 0.0, FRAC_PI_2]);
    assert_pose(&link(&w, "m::b").pose, [0.0, 1.0, 2.0], [0.0, 0.0, 2.0 * FRAC_PI_2]);
}

#[test]
fn the_placement_frame_takes_the_pose() {
    let w = good(
        r#"<model name="m" placement_frame="b"><pose>0 0 10 0 0 0</pose>
           <link name="a"><pose>1 0 0 0 0 0</pose></link><link name="b"><pose>0 2 0 0 0 1.5707963267948966</pose></link></model>"#,
    );
    assert_pose(&link(&w, "m::b").pose, [0.0, 0.0, 10.0], [0.0; 3]);
    assert_pose(&w.models[0].pose, [-2.0, 0.0, 10.0], [0.0, 0.0, -FRAC_PI_2]);
    assert_pose(&link(&w, "m::a").pose, [-2.0, -1.0, 10.0], [0.0, 0.0, -FRAC_PI_2]);
}

#[test]
fn nested_models_have_scoped_names_and_frames() {
    let w = good(
        r#"<model name="o"><static>true</static><pose>1 0 0 0 0 0</pose><link name="l"/>
             <model name="i"><pose>0 1 0 0 0 0</pose><link name="l"><pose>0 0 1 0 0 0</pose></link></model>
             <frame name="f" attached_to="i::l"/></model>
           <frame name="g" attached_to="o::i"/>
           <model name="p"><pose relative_to="g">0 0 5 0 0 0</pose><link name="l"/></model>"#,
    );
    assert_pose(&link(&w, "o::i::l").pose, [1.0, 1.0, 1.0], [0.0; 3]);
    assert_pose(&link(&w, "p::l").pose, [1.0, 1.0, 5.0], [0.0; 3]);
    assert_eq!(w.models.iter().map(|m| m.is_static).collect::<Vec<_>>(), [true, true, false]);
    assert_eq!(w.models[1].parent, Some(0));
}

#[test]
fn joints_stand_in_the_child_frame_and_axes_where_they_are_expressed() {
    let w = good(
        r#"<model name="m"><pose>0 0 0 0 0 1.5707963267948966</pose><link name="a"/>
             <link name="b"><pose>1 0 0 0 0 1.5707963267948966</pose></link>
             <joint name="j" type="revolute"><pose>0 0 1 0 0 0</pose><parent>a</parent><child>b</child><axis><xyz>2 0 0</xyz></axis></joint>
             <joint name="k" type="revolute"><parent>world</parent><child>a</child><axis><xyz expressed_in="__model__">1 0 0</xyz></axis></joint></model>"#,
    );
    assert_pose(&w.joints[0].pose, [0.0, 1.0, 1.0], [0.0, 0.0, 2.0 * FRAC_PI_2]);
    assert!((w.joints[0].axes[0].xyz - DVec3::NEG_X).length() < 1e-12);
    assert!((w.joints[1].axes[0].xyz - DVec3::Y).length() < 1e-12);
    assert_eq!((w.joints[0].parent, w.joints[0].child, w.joints[1].parent), (Some(0), Some(1), None));
}

#[test]
fn a_joint_may_name_frames_and_models() {
    let w = good(
        r#"<model name="a"><link name="l"/></model><model name="b"><link name="l"/><link name="k"/></model>
           <frame name="f" attached_to="b::k"><pose>0 0 3 0 0 0</pose></frame>
           <joint name="j" type="fixed"><parent>a</parent><child>f</child></joint>"#,
    );
    assert_eq!((w.joints[0].parent, w.joints[0].child, w.joints[0].model), (Some(0), Some(2), None));
    assert_pose(&w.joints[0].pose, [0.0, 0.0, 3.0], [0.0; 3]);
}

#[test]
fn poses_in_degrees_and_quaternions() {
    let w = good(
        r#"<model name="m"><link name="a"><pose degrees="true">1 2 3 0 0 90</pose></link>
           <link name="b"><pose rotation_format="quat_xyzw">1 2 3 0 0 2 2</pose></link></model>"#,
    );
    assert_pose(&link(&w, "m::a").pose, [1.0, 2.0, 3.0], [0.0, 0.0, FRAC_PI_2]);
    assert_pose(&link(&w, "m::b").pose, [1.0, 2.0, 3.0], [0.0, 0.0, FRAC_PI_2]);
}

#[test]
fn very_long_chains_of_frames_do_not_overflow() {
    let mut body = "<model name=\"m\"><link name=\"l0\"/>".to_owned();
    for i in 1..5000 {
        body += &format!("<link name=\"l{i}\"><pose relative_to=\"l{}\">1 0 0 0 0 0</pose></link>", i - 1);
    }
    let w = good(&(body + "</model>"));
    assert_pose(&w.links[4999].pose, [4999.0, 0.0, 0.0], [0.0; 3]);
}

#[test]
fn gravity_moves_out_of_the_default_physics() {
    let presets = r#"<physics type="ode" name="a"><gravity>0 0 -1</gravity></physics>
        <physics type="ode" name="b" default="true"><gravity>0 0 -2</gravity></physics>"#;
    let w = load_good(&world("1.5", presets));
    assert_eq!((w.physics.name.as_str(), w.gravity.value), ("b", DVec3::new(0.0, 0.0, -2.0)));
    let w = load_good(&world("1.6", "<physics type=\"ode\"/>"));
    assert_eq!(w.gravity.value, DVec3::new(0.0, 0.0, -9.8));
    assert!(!w.gravity.is_given());
}

#[test]
fn old_names_of_physics_and_joints() {
    let w = load_good(&world(
        "1.3",
        r#"<physics type="ode"><update_rate>500</update_rate><ode><solver><dt>0.002</dt></solver></ode></physics>
           <model name="m"><pose>0 0 0 0 0 1.5707963267948966</pose><link name="a"/><link name="b"><pose>0 0 0 0 0 1.5707963267948966</pose></link>
           <joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis><xyz>1 0 0</xyz></axis></joint></model>"#,
    ));
    assert_eq!((w.physics.max_step_size.value, w.physics.real_time_update_rate.value), (0.002, 500.0));
    // Before 1.5 an axis was meant in the model frame.
    assert!((w.joints[0].axes[0].xyz - DVec3::Y).length() < 1e-12);
    assert_eq!(w.joints[0].child, Some(1));
}

#[test]
fn limits_of_old_files_are_none() {
    let w = load_good(&world(
        "1.6",
        r#"<model name="m"><link name="a"/><joint name="j" type="prismatic"><parent>world</parent><child>a</child><axis><xyz>0 0 1</xyz>
           <limit><lower>-1e16</lower><upper>1e+16</upper><effort>-1</effort><velocity>-1</velocity></limit></axis></joint>
           <joint name="s" type="screw"><parent>world</parent><child>a</child><thread_pitch>-12.566370614359172</thread_pitch><axis><xyz>0 0 1</xyz></axis></joint></model>"#,
    ));
    let axis = &w.joints[0].axes[0];
    assert_eq!((axis.lower.value, axis.upper.value), (f64::NEG_INFINITY, f64::INFINITY));
    assert_eq!((axis.effort.value, axis.velocity.value), (f64::INFINITY, f64::INFINITY));
    assert!((w.joints[1].screw_pitch.value - TAU / 12.566370614359172).abs() < 1e-12);
    assert_eq!(w.joints[1].joint_type, JointType::Screw);
}

#[test]
fn flattened_names_of_old_files_are_found() {
    let w = load_good(&world(
        "1.7",
        r#"<model name="m"><link name="x::a"/><link name="x::b"><pose relative_to="x::a">0 0 1 0 0 0</pose></link>
           <joint name="x::j" type="fixed"><parent>x::a</parent><child>x::b</child></joint></model>"#,
    ));
    assert_eq!(w.links[1].name, "m::x::b");
    assert_eq!(w.joints[0].child, Some(1));
}

#[test]
fn auto_inertia_sums_the_shapes() {
    let w = good(
        r#"<model name="m"><link name="l"><inertial auto="true"><density>6</density></inertial>
           <collision name="a"><pose>1 0 0 0 0 0</pose><geometry><box><size>1 1 1</size></box></geometry></collision>
           <collision name="b"><pose>-1 0 0 0 0 0</pose><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>"#,
    );
    let inertial = &w.links[0].inertial;
    assert!((inertial.mass.value - 12.0).abs() < 1e-12);
    assert!((inertial.inertia.value[0] - 2.0).abs() < 1e-12 && (inertial.inertia.value[1] - 14.0).abs() < 1e-12);
}

#[test]
fn densities_of_collisions_win_over_that_of_the_link_and_count_with_auto_only() {
    let link = |auto: bool| {
        format!(
            r#"<model name="m"><link name="l"><inertial auto="{auto}"><density>6</density></inertial>
               <collision name="a"><density>2</density><pose>1 0 0 0 0 0</pose><geometry><box><size>1 1 1</size></box></geometry></collision>
               <collision name="b"><pose>-1 0 0 0 0 0</pose><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>"#
        )
    };
    let w = good(&link(true));
    let inertial = &w.links[0].inertial;
    assert!((inertial.mass.value - 8.0).abs() < 1e-12 && (inertial.pose.position.x + 0.5).abs() < 1e-12);
    let plain = load_text(&world("1.11", &link(false)), &LoadOptions::default());
    let told: Vec<_> = plain.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(told.iter().filter(|code| **code == "density-without-auto").count(), 1, "{told:?}");
    assert_eq!(plain.world.unwrap().links[0].inertial.mass.value, 1.0);
}

#[test]
fn a_density_of_a_collision_a_link_or_water_and_no_other() {
    let link = |own: &str, of_link: &str| {
        format!(
            r#"<model name="m"><link name="l"><inertial auto="true">{of_link}</inertial>
               <collision name="a">{own}<geometry><box><size>1 1 1</size></box></geometry></collision></link></model>"#
        )
    };
    let [two, six] = [2, 6].map(|d| format!("<density>{d}</density>"));
    for (own, of_link, expected) in
        [("", "", 1000.0), ("", six.as_str(), 6.0), (two.as_str(), six.as_str(), 2.0), (two.as_str(), "", 2.0)]
    {
        assert_eq!(good(&link(own, of_link)).links[0].inertial.mass.value, expected, "{own} {of_link}");
    }
    // Settings of another integration are told.
    let settings = "<auto_inertia_params><voxels>9</voxels></auto_inertia_params>";
    let paths = |text: &str| good(text).skipped.into_iter().map(|s| s.path).collect::<Vec<_>>();
    assert_eq!(paths(&link(settings, "")), ["collision::auto_inertia_params"]);
    assert_eq!(paths(&link("", settings)), ["inertial::auto_inertia_params"]);
    for bad in ["0", "-3", "1e300"] {
        let bad = format!("<density>{bad}</density>");
        for text in [link(&bad, ""), link("", &bad)] {
            let loaded = load_text(&world("1.11", &text), &LoadOptions::default());
            let found = loaded.diagnostics.iter().find(|d| d.code == "invalid-density").expect("a finding");
            assert!(found.location.is_some() && found.message.contains("kg/m³"), "{}", found.message);
        }
    }
}

#[test]
fn convex_outlines_become_hulls() {
    let outline = |points: &str| {
        let points: String = points.split(';').map(|p| format!("<point>{p}</point>")).collect();
        let body = format!(
            "<model name=\"m\"><link name=\"l\"><collision name=\"c\"><geometry><polyline>{points}<height>2</height></polyline></geometry></collision></link></model>"
        );
        good(&body).links[0].collisions[0].geometry.clone()
    };
    assert!(
        matches!(outline("0 0;1 0;1 1;0 1;0 0"), GeometryDescription::ConvexHull(p) if p.len() == 10 || p.len() == 8)
    );
    assert!(matches!(outline("0 0;1 0;0.2 0.2;0 1"), GeometryDescription::Mesh(_)));
}

const BOXES: &str = r#"<model name="box_a"><link name="l"><collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link>
    <model name="in"><link name="k"><collision name="c"/></link></model></model>
    <model name="box_b"><link name="l"><collision name="c"><surface><friction><ode><mu>0.9</mu></ode></friction></surface></collision></link></model>"#;

fn with(overrides: &[(&str, &str)]) -> (Option<WorldDescription>, Vec<String>) {
    let overrides = overrides.iter().map(|(p, v)| set(p, v)).collect();
    let loaded = load_text(&world("1.9", BOXES), &LoadOptions { overrides, ..LoadOptions::default() });
    (
        loaded.world,
        loaded
            .diagnostics
            .iter()
            .filter(|d| d.code.contains("parameter") || d.code.contains("override"))
            .map(one_line)
            .collect(),
    )
}

#[test]
fn overrides_reach_every_match() {
    let (w, found) = with(&[
        ("model.box_*.link.*.collision.*.surface.friction.ode.mu", "0.25"),
        ("physics.ode.solver.iters", "77"),
        ("world.gravity", "0 0 -1"),
        ("model.box_a.model.in.link.k.inertial.mass", "3"),
        ("model.box_a::in.link.k.velocity_decay.linear", "0.5"),
    ]);
    assert!(found.is_empty(), "{found:?}");
    let w = w.expect("a world");
    let mu = |name: &str| link(&w, name).collisions[0].surface.mu.value;
    assert_eq!((mu("box_a::l"), mu("box_b::l"), mu("box_a::in::k")), (0.25, 0.25, 1.0));
    assert_eq!(w.physics.ode.iters.value, 77);
    assert_eq!(w.physics.ode.iters.origin, Origin::Override("physics.ode.solver.iters".into()));
    assert_eq!(w.gravity.value.z, -1.0);
    assert_eq!(link(&w, "box_a::in::k").inertial.mass.value, 3.0);
    assert_eq!(link(&w, "box_a::in::k").velocity_decay[0].value, 0.5);
}

#[test]
fn overrides_that_go_wrong_say_so() {
    for (path, value) in [
        ("physics.ode.solver.iters", "many"),
        ("physics.max_step_size", "nan"),
        ("model.box_c.link.l.inertial.mass", "1"),
        ("model.box_a", "1"),
        ("model.box_a.link.l.collision.c.geometry.sphere.radius", "1"),
        ("", "1"),
        ("...", "1"),
    ] {
        let (w, found) = with(&[(path, value)]);
        assert!(w.is_none() && found.len() == 1, "{path}={value}: {found:?}");
    }
}

#[test]
fn every_listed_path_can_be_set() {
    let loaded = load_text(&world("1.9", BOXES), &LoadOptions::default());
    assert!(loaded.parameter_paths.len() > 100);
    let overrides = loaded.parameter_paths.iter().map(|p| set(&p.path, &p.value)).collect();
    let again = load_text(&world("1.9", BOXES), &LoadOptions { overrides, ..LoadOptions::default() });
    let found: Vec<String> = again.diagnostics.iter().map(one_line).filter(|l| l.contains("--set")).collect();
    assert!(found.is_empty(), "{found:#?}");
}

const BALL: &str = r#"<sdf version="1.9"><model name="ball"><link name="l"><collision name="c"><geometry><sphere><radius>0.5</radius></sphere></geometry></collision></link></model></sdf>"#;

#[test]
fn a_lone_model_is_put_on_the_ground() {
    let loaded = load_text(BALL, &LoadOptions::default());
    let w = loaded.world.expect("a world");
    assert_eq!(w.models.iter().map(|m| m.name.as_str()).collect::<Vec<_>>(), ["ball", "ground_plane"]);
    assert_pose(&link(&w, "ball::l").pose, [0.0, 0.0, 0.5], [0.0; 3]);
    let w = load_good(BALL);
    assert_eq!(w.models.len(), 1);
    assert_pose(&link(&w, "ball::l").pose, [0.0; 3], [0.0; 3]);
}

#[test]
fn further_files_are_placed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("w.sdf"), world("1.9", "<include><uri>model://sun</uri></include>"))
        .expect("writable");
    fs::write(folder.path().join("ball.sdf"), BALL).expect("writable");
    let ball = |name: &str, x: f64| FileRequest {
        path: folder.path().join("ball.sdf"),
        name: Some(name.into()),
        pose: Some(Pose::from_position(DVec3::new(x, 0.0, 1.0))),
    };
    let loaded =
        load(&[request(&folder.path().join("w.sdf")), ball("p", 1.0), ball("q", 2.0)], &LoadOptions::default());
    let w = loaded.world.expect("a world");
    assert_pose(&link(&w, "p::l").pose, [1.0, 0.0, 1.0], [0.0; 3]);
    assert_pose(&link(&w, "q::l").pose, [2.0, 0.0, 1.0], [0.0; 3]);
}

#[test]
fn merged_models_stay_where_they_were() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let model = r#"<sdf version="1.9"><model name="arm"><link name="a"><pose>1 0 0 0 0 0</pose></link><link name="b"/>
        <joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz expressed_in="__model__">1 0 0</xyz></axis></joint></model></sdf>"#;
    fs::write(folder.path().join("arm.sdf"), model).expect("writable");
    let placed = |extra: &str| {
        let body = format!(
            "<model name=\"m\"><pose>0 0 1 0 0 0</pose><include merge=\"true\"><uri>arm.sdf</uri><pose>0 2 0 0 0 1.5707963267948966</pose>{extra}</include></model>"
        );
        fs::write(folder.path().join("w.sdf"), world("1.9", &body)).expect("writable");
        let loaded = load(&[request(&folder.path().join("w.sdf"))], &LoadOptions::default());
        assert_eq!(loaded.errors(), 0, "{:?}", loaded.diagnostics);
        loaded.world.expect("a world")
    };
    let w = placed("");
    assert_pose(&link(&w, "m::a").pose, [0.0, 3.0, 1.0], [0.0, 0.0, FRAC_PI_2]);
    assert!((w.joints[0].axes[0].xyz - DVec3::Y).length() < 1e-12);
    let w = placed("<placement_frame>a</placement_frame>");
    assert_pose(&link(&w, "m::a").pose, [0.0, 2.0, 1.0], [0.0, 0.0, FRAC_PI_2]);
    assert_pose(&link(&w, "m::b").pose, [0.0, 1.0, 1.0], [0.0, 0.0, FRAC_PI_2]);
}

#[test]
fn classic_habits_run_with_an_error_for_the_checker() {
    let body = r#"<model name="m"><link name="l"><collision name="c"><surface><friction><ode><mu>-1</mu></ode></friction></surface></collision>
        <visual name="v"><material><diffuse>8 .8 .8 1</diffuse></material></visual></link></model>"#;
    let loaded = load_text(&world("1.5", body), &LoadOptions::default());
    assert_eq!((loaded.errors(), loaded.blocking()), (2, false));
    assert_eq!(loaded.world.expect("a world").links[0].collisions[0].surface.mu.value, f64::INFINITY);
    let lenient = load_text(&world("1.5", body), &LoadOptions { lenient: true, ..LoadOptions::default() });
    assert_eq!(lenient.errors(), 0);
}

#[test]
fn advice_is_given_once_where_it_helps() {
    let w = good(
        r#"<model name="m"><link name="a"/><link name="b"><inertial><mass>5000</mass><inertia><ixx>1e-3</ixx><iyy>1e-3</iyy><izz>1e-3</izz></inertia></inertial>
             <collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry></collision></link>
           <joint name="j" type="fixed"><parent>a</parent><child>b</child></joint></model>"#,
    );
    let codes: Vec<&str> = stiction_formats::advice(&w, w.physics.max_step_size.value).iter().map(|d| d.code).collect();
    assert_eq!(codes, ["default-inertia", "unlikely-inertia", "mass-ratio", "needless-fixed-joint"]);
}

#[test]
fn an_error_behind_a_thousand_others_still_stops_a_run() {
    let visuals = "<visual name=\"v\"/>".repeat(1500);
    let body = format!("<model name=\"m\"><link name=\"l\">{visuals}</link><link name=\"l\"/></model>");
    assert!(load_text(&world("1.9", &body), &LoadOptions::default()).blocking());
    let body = format!("<model name=\"m\"><link name=\"l\">{visuals}</link><joint name=\"j\" type=\"x\"/></model>");
    assert!(load_text(&world("1.9", &body), &LoadOptions::default()).blocking());
}
