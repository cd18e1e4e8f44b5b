//! A scene as MJCF: trees of joints in reduced coordinates, torques of hinges as affine actuators.

use std::fmt::Write;

use stiction::math::{DQuat, DVec3, Pose};
use stiction_scenes::{BodyKind, HeightGrid, Scene, SceneJoint, SceneShape};

/// Writing to a string cannot fail.
macro_rules! put {
    ($text:expr, $($rest:tt)*) => { let _ = writeln!($text, $($rest)*); };
}

fn triple(v: DVec3) -> String {
    format!("{} {} {}", v.x, v.y, v.z)
}

fn turn(q: DQuat) -> String {
    format!("{} {} {} {}", q.w, q.x, q.y, q.z)
}

/// The scene as text; bodies are named `b0`, `b1`, … in its order.
#[must_use]
pub fn write(scene: &Scene) -> String {
    let mut text = String::new();
    put!(text, "<mujoco model=\"{}\">\n<compiler angle=\"radian\" autolimits=\"true\"/>", scene.name);
    put!(text, "<option timestep=\"{:?}\" gravity=\"{}\"/>\n<size memory=\"1G\"/>", scene.step, triple(scene.gravity));
    let friction = contact(scene);
    if let Some(field) = &scene.field {
        asset(field, &mut text);
    }
    put!(text, "<worldbody>");
    if scene.has_ground {
        put!(text, "<geom type=\"plane\" size=\"0 0 1\" {friction}/>");
    }
    if let Some(field) = &scene.field {
        put!(text, "<geom type=\"hfield\" hfield=\"terrain\" pos=\"0 0 {}\" {friction}/>", lowest(field));
    }
    for (center, half) in &scene.static_boxes {
        put!(text, "<geom type=\"box\" pos=\"{}\" size=\"{}\" {friction}/>", triple(*center), triple(*half));
    }
    let mut parents: Vec<Option<&SceneJoint>> = vec![None; scene.bodies.len()];
    for joint in &scene.joints {
        if let Some(child) = joint.bodies[1] {
            parents[child] = Some(joint);
        }
    }
    let is_root = |joint: &Option<&SceneJoint>| joint.is_none_or(|j| j.bodies[0].is_none());
    for root in (0..scene.bodies.len()).filter(|i| is_root(&parents[*i])) {
        add_body(scene, &parents, root, &Pose::from_position(DVec3::ZERO), &mut text);
    }
    put!(text, "</worldbody>");
    exclusions(scene, &mut text);
    actuators(scene, &mut text);
    text + "</mujoco>\n"
}

/// Attributes of every geom.
fn contact(scene: &Scene) -> String {
    let dimension = if scene.friction > 0.0 { "" } else { " condim=\"1\"" };
    format!("friction=\"{} 0 0\"{dimension}", scene.friction)
}

fn lowest(field: &HeightGrid) -> f64 {
    field.heights.iter().copied().fold(f64::INFINITY, f64::min)
}

fn asset(field: &HeightGrid, text: &mut String) {
    let low = lowest(field);
    let range = field.heights.iter().copied().fold(f64::NEG_INFINITY, f64::max) - low;
    // The first row of MJCF is the one of the largest y.
    let rows = field.heights.chunks(field.count).rev().flatten();
    let heights: Vec<String> = rows.map(|z| format!("{:.9}", (z - low) / range)).collect();
    let (n, [x, y]) = (field.count, field.half);
    put!(text, "<asset><hfield name=\"terrain\" nrow=\"{n}\" ncol=\"{n}\" size=\"{x} {y} {range} 0.5\"");
    put!(text, " elevation=\"{}\"/></asset>", heights.join(" "));
}

fn add_body(scene: &Scene, parents: &[Option<&SceneJoint>], index: usize, outer: &Pose, text: &mut String) {
    let body = &scene.bodies[index];
    let pose = outer.inverse().compose(&body.pose);
    put!(text, "<body name=\"b{index}\" pos=\"{}\" quat=\"{}\">", triple(pose.position), turn(pose.rotation));
    put!(text, "<inertial pos=\"0 0 0\" mass=\"{:?}\" diaginertia=\"{}\"/>", body.mass, triple(body.moments));
    match parents[index] {
        None => {
            put!(text, "<freejoint/>");
        }
        Some(joint) => {
            let anchor = triple(body.pose.inverse_point(joint.anchor));
            if let Some(hinge) = joint.hinge {
                let axis = triple(body.pose.inverse_direction(hinge.axis));
                put!(text, "<joint name=\"j{index}\" type=\"hinge\" pos=\"{anchor}\" axis=\"{axis}\"/>");
            } else {
                put!(text, "<joint name=\"j{index}\" type=\"ball\" pos=\"{anchor}\"/>");
            }
        }
    }
    let geom = match body.shape {
        _ if body.kind == BodyKind::Nothing => None,
        SceneShape::None => None,
        SceneShape::Sphere { radius, offset } => {
            Some(format!("type=\"sphere\" size=\"{radius}\" pos=\"{}\"", triple(offset)))
        }
        SceneShape::Box { half } => Some(format!("type=\"box\" size=\"{}\"", triple(half))),
        SceneShape::Capsule { radius, half } => Some(format!("type=\"capsule\" size=\"{radius} {half}\"")),
    };
    if let Some(geom) = geom {
        put!(text, "<geom {geom} mass=\"0\" {}/>", contact(scene));
    }
    let is_child = |joint: &Option<&SceneJoint>| joint.is_some_and(|j| j.bodies[0] == Some(index));
    for child in (0..scene.bodies.len()).filter(|i| is_child(&parents[*i])) {
        add_body(scene, parents, child, &body.pose, text);
    }
    put!(text, "</body>");
}

/// Bodies of one group do not collide.
fn exclusions(scene: &Scene, text: &mut String) {
    put!(text, "<contact>");
    for (j, second) in scene.bodies.iter().enumerate() {
        for (i, first) in scene.bodies[..j].iter().enumerate() {
            if matches!(second.kind, BodyKind::Group(_)) && first.kind == second.kind {
                put!(text, "<exclude body1=\"b{i}\" body2=\"b{j}\"/>");
            }
        }
    }
    put!(text, "</contact>");
}

fn actuators(scene: &Scene, text: &mut String) {
    put!(text, "<actuator>");
    for joint in &scene.joints {
        let gains = joint.hinge.map(|h| h.gains).filter(|[kp, _]| *kp > 0.0);
        if let (Some([kp, kd]), Some(child)) = (gains, joint.bodies[1]) {
            put!(text, "<general joint=\"j{child}\" gainprm=\"{kp}\" biastype=\"affine\" biasprm=\"0 -{kp} -{kd}\"/>");
        }
    }
    put!(text, "</actuator>");
}
