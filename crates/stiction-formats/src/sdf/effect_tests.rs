//! No value of a file is dropped silently: each known leaf changes the simulation or is reported.

use std::fmt::Write;

use super::spec::{self, Kind, Range};
use stiction::world::Preset;

use crate::simulation::{engine_parameters, simulate};
use crate::{FileRequest, LoadOptions, Loaded, load};

/// Read by a run and not by the world that it steps, or by other tools.
const ELSEWHERE: [(&str, &str); 9] = [
    ("world magnetic_field", "read by magnetometers"),
    ("physics max_step_size", "the step of a run"),
    ("physics real_time_update_rate", "--real-time"),
    ("physics real_time_factor", "--real-time"),
    ("physics type", "the engine of a run"),
    ("joint/physics/ode implicit_spring_damper", "--compat gazebo-classic; implicit elsewhere"),
    ("joint/physics/ode cfm_damping", "--compat gazebo-classic; implicit elsewhere"),
    ("physics/bullet/solver type", "there is one; another is an error"),
    ("geometry/plane size", "drawn by others: a plane has no end in collisions"),
];

/// Its matrix acts where a link accelerates: judged entry by entry in `plugins/added_mass.rs` of `stiction-run`.
const ADDED_MASS: &str = "inertial/fluid_added_mass";

/// Elements that hold what a leaf belongs to, from the world down.
fn roots(context: &str, name: &str) -> Option<&'static [&'static str]> {
    let root = context.split('/').next().unwrap_or(context);
    Some(match root {
        "world" => &[],
        "physics" => &["physics"],
        "model" => &["model"],
        "link" => &["model", "link"],
        "inertial" => &["model", "link", "inertial"],
        "collision" => &["model", "link", "collision"],
        "surface" => &["model", "link", "collision", "surface"],
        "joint" if context == "joint/physics/ode/suspension" || name == "gearbox_reference_body" => return None,
        "joint" => &["model", "joint"],
        _ => return None,
    })
}

/// A world with one of everything, and `inner` where its roots say.
fn world(engine: &str, roots: &[&str], inner: &str, joint: &str) -> String {
    let at = |here: &[&str]| if here == roots { inner } else { "" };
    let axis =
        if roots == ["model", "joint"] && inner.starts_with("<axis>") { inner.to_owned() } else { String::new() };
    let in_axis = axis.trim_start_matches("<axis>").trim_end_matches("</axis>");
    let in_joint = if axis.is_empty() { at(&["model", "joint"]) } else { "" };
    let thread = if joint == "gearbox" { "<gearbox_reference_body>base</gearbox_reference_body>" } else { "" };
    format!(
        r#"<sdf version="1.9" xmlns:drake="http://drake.mit.edu"><world name="w">{}<physics type="{engine}">{}</physics>
<model name="m">{}
<link name="base"><gravity>false</gravity><pose>0 0 1 0 0 0</pose><inertial><mass>2</mass></inertial></link>
<link name="l">{}<pose>0 0 1.5 0 0 0</pose><inertial>{}<mass>2</mass></inertial>
<collision name="c"><geometry><box><size>1 1 1</size></box></geometry>{}<surface>{}</surface></collision></link>
<joint name="j" type="{joint}"><parent>base</parent><child>l</child>{thread}{in_joint}<pose>0.3 0 0 0 0 0</pose>
<drake:rotor_inertia>0.1</drake:rotor_inertia><axis>{in_axis}<xyz>0 1 0</xyz></axis></joint>
</model>
<model name="free">{}<pose>5 0 3 0 0 0</pose><link name="f"/></model>
<model name="ground"><static>true</static><link name="g"><collision name="p"><geometry><plane/></geometry></collision></link></model>
</world></sdf>"#,
        at(&[]),
        at(&["physics"]),
        at(&["model"]),
        at(&["model", "link"]),
        at(&["model", "link", "inertial"]),
        at(&["model", "link", "collision"]),
        at(&["model", "link", "collision", "surface"]),
        at(&["model"]),
    )
}

fn loaded(text: &str) -> Loaded {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("effect.world");
    std::fs::write(&path, text).unwrap();
    load(&[FileRequest { path, name: None, pose: None }], &LoadOptions { lenient: true, ..LoadOptions::default() })
}

/// All that the engine was told, and where things are after some steps.
fn fingerprint(loaded: &Loaded) -> Option<String> {
    let description = loaded.world.as_ref()?;
    let preset = Preset::from_name(&description.physics.engine.value)?;
    let mut simulation = simulate(description, engine_parameters(description, preset)).ok()?;
    let world = &simulation.world;
    let mut text = format!("{:?}", world.parameters);
    for id in world.body_ids() {
        let body = world.body(id).unwrap();
        let _ = write!(
            text,
            "{:?}{:?}{:?}{:?}{:?}",
            body.mass_properties(),
            body.kind(),
            body.gravity(),
            body.wind_rate(),
            body.auto_disable()
        );
    }
    for id in world.geom_ids() {
        let _ = write!(text, "{:?}", world.geom(id).unwrap());
    }
    for id in world.joint_ids() {
        let _ = write!(text, "{:?}{:?}", world.joint(id).unwrap().definition(), world.joint(id).unwrap().position(0));
    }
    let _ = write!(text, "{:?}", simulation.left_out);
    for _ in 0..20 {
        simulation.world.step(1e-3);
    }
    let _ = write!(text, "{:x}", simulation.state_hash());
    Some(text)
}

/// A value that is not the default.
fn other(name: &str, entry: &spec::Entry) -> Option<String> {
    let first: f64 = entry.default.split(' ').next()?.parse().unwrap_or(0.0);
    Some(match entry.kind {
        Kind::Bool => (entry.default != "true").to_string(),
        Kind::Unsigned => "7".to_owned(),
        Kind::Real if entry.range == Range::SoftUnit => "0.37".to_owned(),
        Kind::Real if first.is_finite() => (first.abs() * 0.5 + 0.2).to_string(),
        Kind::Real if first > 0.0 => "0.5".to_owned(),
        Kind::Real => "-0.5".to_owned(),
        Kind::Vector2 => "0.5 0.25".to_owned(),
        Kind::Vector3 => "0.5 0.25 0.125".to_owned(),
        Kind::Pose => "0.1 0.2 0.3 0.1 0.2 0.3".to_owned(),
        Kind::Text => match name {
            "type" => "world",
            "friction_model" => "cone_model",
            "solver_type" => "pgs",
            "collision_detector" => "ode",
            _ => return None,
        }
        .to_owned(),
        Kind::Tree | Kind::Opaque => return None,
    })
}

#[test]
fn every_value_of_a_file_acts_or_is_told() {
    let mut silent = Vec::new();
    let mut count = 0;
    for (context, name, entry) in spec::all() {
        let (Some(roots), Some(value)) = (roots(context, name), other(name, &entry)) else { continue };
        let key = format!("{context} {name}");
        if context == ADDED_MASS || ELSEWHERE.iter().any(|(path, _)| *path == key) {
            continue;
        }
        let joint = match name {
            "thread_pitch" | "screw_thread_pitch" => "screw",
            "gearbox_ratio" => "gearbox",
            _ => "revolute",
        };
        let element = name.replace('.', ":");
        let mut inner = format!("<{element}>{value}</{element}>");
        for around in context.split('/').skip(1).collect::<Vec<_>>().into_iter().rev() {
            let around = around.replace('.', ":");
            inner = format!("<{around}>{inner}</{around}>");
        }
        let engine = context.split('/').find(|part| ["bullet", "simbody", "dart"].contains(part)).unwrap_or("ode");
        let told = loaded(&world(engine, roots, &inner, joint));
        let plain = loaded(&world(engine, roots, "", joint));
        let is_told = told.diagnostics.iter().any(|d| d.message.contains(&format!("<{element}>")));
        count += 1;
        if !is_told && fingerprint(&told) == fingerprint(&plain) {
            silent.push(key);
        }
    }
    assert!(count > 100, "{count}");
    assert!(silent.is_empty(), "{} of {count} are dropped in silence: {silent:#?}", silent.len());
}
