//! Controllers of joints.

use super::super::element::Element;
use super::super::value;
use super::reader::{PluginReader, Range};
use crate::plugins::{CartDemoDescription, PidDescription, PluginKind, ServoDescription, ServoLaw, SpringDescription};

/// Gains of a PID controller by the names of gz-sim behind a prefix.
pub(super) fn pid(r: &mut PluginReader, prefix: &str, default: PidDescription) -> PidDescription {
    let mut one = |name: &str, default: f64| r.real(&[&format!("{prefix}{name}")], default, Range::Any);
    PidDescription {
        p: one("p_gain", default.p),
        i: one("i_gain", default.i),
        d: one("d_gain", default.d),
        i_max: one("i_max", default.i_max),
        i_min: one("i_min", default.i_min),
        cmd_max: one("cmd_max", default.cmd_max),
        cmd_min: one("cmd_min", default.cmd_min),
        offset: one("cmd_offset", default.offset),
    }
}

fn servos(joints: Vec<usize>, axis: usize, law: ServoLaw, target: f64) -> Option<PluginKind> {
    let servo = |joint| ServoDescription { joint, axis, law, target };
    (!joints.is_empty()).then(|| PluginKind::Servos(joints.into_iter().map(servo).collect()))
}

/// gz-sim's `JointController`.
pub(super) fn joint_controller(r: &mut PluginReader) -> Option<PluginKind> {
    let joints = r.joints(&["joint_name"]);
    let target = r.real(&["initial_velocity"], 0.0, Range::Any);
    let controller = pid(r, "", PidDescription::new([1.0, 0.0, 0.0], 1.0, 1000.0));
    let brakes = !r.flag(&["disable_braking"], false);
    let law = if r.flag(&["use_force_commands"], false) {
        ServoLaw::VelocityPid { pid: controller, brakes }
    } else {
        ServoLaw::Velocity
    };
    servos(joints, 0, law, target)
}

/// gz-sim's `JointPositionController`.
pub(super) fn joint_position(r: &mut PluginReader) -> Option<PluginKind> {
    let joints = r.joints(&["joint_name"]);
    let axis = r.real(&["joint_index"], 0.0, Range::NonNegative) as usize;
    if let (Some(joint), Some(element)) = (joints.first(), r.any(&["joint_index"])) {
        let (name, count) = (&r.world.joints[*joint].name, r.world.joints[*joint].axes.len());
        if axis >= count {
            let message = format!("<joint_index> is `{}`, but joint `{name}` has {count} axes", element.text);
            r.refuse("invalid-value", message, &element.text_location, None);
        }
    }
    let target = r.real(&["initial_position"], 0.0, Range::Any);
    let controller = pid(r, "", PidDescription::new([1.0, 0.1, 0.01], 1.0, 1000.0));
    let max_speed = r.given(&["cmd_max"], Range::Any).map(f64::abs);
    let law = if r.flag(&["use_velocity_commands"], false) {
        ServoLaw::PositionByVelocity(max_speed)
    } else {
        ServoLaw::PositionPid(controller)
    };
    servos(joints, axis, law, target)
}

/// The n-th number of a repeated element.
fn nth(r: &mut PluginReader, name: &str, n: usize, default: f64) -> f64 {
    match r.all(&[name]).get(n) {
        Some(element) => r.number_of(element, Range::Any).unwrap_or(default),
        None => default,
    }
}

/// gz-sim's `JointTrajectoryController`: joints are held where they begin until positions or velocities are commanded.
pub(super) fn joint_trajectory(r: &mut PluginReader) -> Option<PluginKind> {
    let joints = if r.all(&["joint_name"]).is_empty() {
        let of_model = |j: &usize| r.world.joints[*j].model == r.model && r.world.joints[*j].axes.len() == 1;
        (0..r.world.joints.len()).filter(of_model).collect()
    } else {
        r.joints(&["joint_name"])
    };
    let mut list = Vec::new();
    for (n, joint) in joints.into_iter().enumerate() {
        for quantity in ["position", "velocity"] {
            let mut one = |part: &str, default: f64| nth(r, &format!("{quantity}_{part}"), n, default);
            let pid = PidDescription {
                p: one("p_gain", 0.0),
                i: one("i_gain", 0.0),
                d: one("d_gain", 0.0),
                i_max: one("i_max", -1.0),
                i_min: one("i_min", 0.0),
                cmd_max: one("cmd_max", -1.0),
                cmd_min: one("cmd_min", 0.0),
                offset: one("cmd_offset", 0.0),
            };
            let target = if quantity == "position" { nth(r, "initial_position", n, 0.0) } else { 0.0 };
            let law = match quantity {
                "position" => ServoLaw::PositionPid(pid),
                _ => ServoLaw::VelocityPid { pid, brakes: true },
            };
            if !pid.is_idle() {
                list.push(ServoDescription { joint, axis: 0, law, target });
            }
        }
    }
    Some(PluginKind::Servos(list))
}

/// Gazebo classic's `JointControlPlugin`. Its joints are regular expressions; names and `.*` at an end are read.
pub(super) fn joint_control(r: &mut PluginReader) -> Option<PluginKind> {
    let mut list = Vec::new();
    for controller in r.all(&["controller"]) {
        let number = |name: &str, r: &mut PluginReader| match controller.child(name) {
            Some(element) => r.number_of(element, Range::Any).unwrap_or(0.0),
            None => 0.0,
        };
        let target = number("target", r);
        let mut pid = PidDescription::new([1.0, 0.1, 0.01], 1.0, 1000.0);
        if let Some(gains) = controller.child("pid_gains")
            && let Some(gains) = r.vector_of(gains)
        {
            (pid.p, pid.i, pid.d) = (gains.x, gains.y, gains.z);
        }
        let law = match controller.value("type") {
            Some("force") => ServoLaw::Force,
            Some("position") => ServoLaw::PositionPid(pid),
            Some("velocity") => ServoLaw::VelocityPid { pid, brakes: true },
            other => {
                let message = format!("`{}` is not a type of <controller>", other.unwrap_or(""));
                let help = Some("one of: force, position, velocity".to_owned());
                r.refuse("invalid-value", message, &controller.location, help);
                continue;
            }
        };
        for joint in controller.children_named("joint") {
            let matching = matching(r, joint);
            if matching.is_empty() {
                let message = format!("no joint of the model matches `{}`", joint.text);
                r.refuse("unknown-joint", message, &joint.text_location, None);
            }
            list.extend(matching.into_iter().map(|joint| ServoDescription { joint, axis: 0, law, target }));
        }
    }
    Some(PluginKind::Servos(list))
}

/// Joints with an axis whose names match: `name`, `name.*`, `.*name`, `.*`.
fn matching(r: &PluginReader, element: &Element) -> Vec<usize> {
    let pattern = element.text.trim();
    let (open_start, rest) = pattern.strip_prefix(".*").map_or((false, pattern), |rest| (true, rest));
    let (open_end, word) = rest.strip_suffix(".*").map_or((false, rest), |rest| (true, rest));
    let model = r.model.map_or("", |m| r.world.models[m].name.as_str());
    let fits = |index: &usize| {
        let joint = &r.world.joints[*index];
        let Some(own) = joint.name.strip_prefix(model).and_then(|own| own.strip_prefix("::")) else { return false };
        let is_match = match (open_start, open_end) {
            (false, false) => own == word,
            (false, true) => own.starts_with(word),
            (true, false) => own.ends_with(word),
            (true, true) => own.contains(word),
        };
        is_match && !joint.axes.is_empty()
    };
    (0..r.world.joints.len()).filter(fits).collect()
}

/// Gazebo classic's `CartDemoPlugin`.
pub(super) fn cart_demo(r: &mut PluginReader) -> Option<PluginKind> {
    let mut cart = CartDemoDescription {
        joints: [0; 3],
        pids: [PidDescription::new([1.0, 0.1, 0.01], 1.0, -1.0); 3],
        positions: [0.0; 3],
        velocities: [0.0; 3],
        efforts: [100.0; 3],
    };
    for (n, name) in ["steer", "right", "left"].into_iter().enumerate() {
        let joint = r.joint(&[name]);
        cart.joints[n] = joint?;
        let gains = r.vector(&[&format!("{name}_pid")], stiction::math::DVec3::ZERO);
        let pid = &mut cart.pids[n];
        (pid.p, pid.i, pid.d) = (gains.x, gains.y, gains.z);
        if let Some(limits) = r.any(&[&format!("{name}_ilim")]) {
            match value::reals(&limits.text).as_deref() {
                Some([low, high]) if low.is_finite() && high.is_finite() => (pid.i_min, pid.i_max) = (*low, *high),
                _ => {
                    let message = format!("<{}> is `{}`, expected two numbers", limits.name, limits.text);
                    r.refuse("invalid-value", message, &limits.text_location, None);
                }
            }
        }
        cart.positions[n] = r.real(&[&format!("{name}_pos")], 0.0, Range::Any);
        cart.velocities[n] = r.real(&[&format!("{name}_vel")], 0.0, Range::Any);
        cart.efforts[n] = r.real(&[&format!("{name}_eff")], 0.0, Range::NonNegative);
    }
    Some(PluginKind::CartDemo(Box::new(cart)))
}

/// Gazebo classic's `SpringTestPlugin`.
pub(super) fn spring_test(r: &mut PluginReader) -> Option<PluginKind> {
    let mut springs = Vec::new();
    for (word, is_explicit) in [("explicit", true), ("implicit", false)] {
        let joint = r.joint(&[&format!("joint_{word}")]);
        let stiffness = r.real(&[&format!("kp_{word}")], 0.0, Range::NonNegative);
        let damping = r.real(&[&format!("kd_{word}")], 0.0, Range::NonNegative);
        springs.extend(joint.map(|joint| SpringDescription { joint, stiffness, damping, is_explicit }));
    }
    Some(PluginKind::Springs(springs))
}
