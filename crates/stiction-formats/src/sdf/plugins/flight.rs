//! Wings and rotors.

use stiction::math::DVec3;

use super::super::element::Element;
use super::reader::{PluginReader, Range};
use crate::plugins::{
    CopterDescription, LiftDragDescription, MotorDescription, PluginKind, PluginProgram, RotorDescription,
};

/// `LiftDrag` of classic and gz-sim.
pub(super) fn lift_drag(r: &mut PluginReader) -> Option<PluginKind> {
    let link = r.link(&["link_name"]);
    let control_joint = r.any(&["control_joint_name"]).and_then(|e| r.moving_joint(e));
    let mut any = |name: &str, default: f64| r.real(&[name], default, Range::Any);
    let slopes = [any("cla", 1.0), any("cda", 0.01), any("cma", 0.0)];
    let slopes_stall = [any("cla_stall", 0.0), any("cda_stall", 1.0), any("cma_stall", 0.0)];
    let a0 = any("a0", 0.0);
    let (control_to_lift, control_to_moment) = (any("control_joint_rad_to_cl", 4.0), any("cm_delta", 0.0));
    // It was planned once; the smoothing was never made.
    let _ = r.all(&["velocity_stall", "mac"]);
    Some(PluginKind::LiftDrag(Box::new(LiftDragDescription {
        air_density: r.real(&["air_density"], 1.2041, Range::NonNegative),
        area: r.real(&["area"], 1.0, Range::NonNegative),
        a0,
        slopes,
        slopes_stall,
        alpha_stall: r.real(&["alpha_stall"], core::f64::consts::FRAC_PI_2, Range::NonNegative),
        cp: r.vector(&["cp"], DVec3::ZERO),
        forward: r.direction("forward", DVec3::X),
        upward: r.direction("upward", DVec3::Z),
        radial_symmetry: r.flag(&["radial_symmetry"], false),
        // Gazebo classic's has no direction.
        reversible: r.flag(&["reversible"], r.program == PluginProgram::Classic),
        control_joint,
        control_to_lift,
        control_to_moment,
        link: link?,
    })))
}

/// gz-sim's `MulticopterMotorModel`, with the names of RotorS.
pub(super) fn motor(r: &mut PluginReader) -> Option<PluginKind> {
    let joint = r.joint(&["jointName"]);
    let link = r.link(&["linkName"]);
    let direction = match r.any(&["turningDirection"]) {
        Some(e) if e.text.trim() == "cw" => -1.0,
        Some(e) if e.text.trim() == "ccw" => 1.0,
        found => {
            let (text, at) = found.map_or(("", &r.element.location), |e| (e.text.as_str(), &e.text_location));
            let (message, at) = (format!("<turningDirection> is `{text}`, expected `cw` or `ccw`"), at.clone());
            r.refuse("invalid-value", message, &at, None);
            1.0
        }
    };
    if let Some(kind) = r.any(&["motorType"]).filter(|e| e.text.trim() != "velocity") {
        let message = format!("<motorType> is `{}`; `velocity` is the one that Gazebo has", kind.text);
        r.refuse("invalid-value", message, &kind.text_location, None);
    }
    let _ = r.all(&["commandSubTopic", "motorSpeedPubTopic", "robotNamespace"]);
    let parent = joint.and_then(|joint| r.world.joints[joint].parent);
    Some(PluginKind::Motor(Box::new(MotorDescription {
        direction,
        motor_constant: r.real(&["motorConstant"], 8.548_58e-6, Range::NonNegative),
        moment_constant: r.real(&["momentConstant"], 0.016, Range::NonNegative),
        max_speed: r.real(&["maxRotVelocity"], 838.0, Range::NonNegative),
        rotor_drag: r.real(&["rotorDragCoefficient"], 1e-4, Range::NonNegative),
        rolling_moment: r.real(&["rollingMomentCoefficient"], 1e-6, Range::NonNegative),
        time_constants: [
            r.real(&["timeConstantUp"], 1.0 / 80.0, Range::NonNegative),
            r.real(&["timeConstantDown"], 1.0 / 40.0, Range::NonNegative),
        ],
        slowdown: r.real(&["rotorVelocitySlowdownSim"], 10.0, Range::Positive),
        actuator: r.real(&["actuator_number", "motorNumber"], 0.0, Range::NonNegative) as u32,
        joint: joint?,
        link: link?,
        parent,
    })))
}

/// gz-sim's `MulticopterVelocityControl`.
pub(super) fn copter(r: &mut PluginReader) -> Option<PluginKind> {
    let link = r.link(&["comLinkName"]);
    let none = DVec3::splat(1e15);
    let [velocity_gain, attitude_gain, rate_gain] =
        ["velocityGain", "attitudeGain", "angularRateGain"].map(|name| r.vector(&[name], DVec3::ONE));
    let [max_acceleration, max_velocity, max_rate] =
        ["maximumLinearAcceleration", "maximumLinearVelocity", "maximumAngularVelocity"].map(|n| r.vector(&[n], none));
    let _ = r.all(&["maxLinearAcceleration", "enableSubTopic", "commandSubTopic", "robotNamespace"]);
    let mut rotors = Vec::new();
    for configuration in r.all(&["rotorConfiguration"]) {
        for rotor in configuration.children_named("rotor") {
            rotors.extend(self::rotor(r, rotor));
        }
    }
    if rotors.len() < 4 {
        let message = format!("a vehicle has at least 4 rotors, not {}", rotors.len());
        let at = r.element.location.clone();
        r.refuse("missing-element", message, &at, None);
    }
    Some(PluginKind::Copter(Box::new(CopterDescription {
        link: link?,
        velocity_gain,
        attitude_gain,
        rate_gain,
        max_acceleration,
        max_velocity,
        max_rate,
        rotors,
    })))
}

fn rotor(r: &mut PluginReader, rotor: &Element) -> Option<RotorDescription> {
    let mut part = |name: &str| {
        let found = rotor.child(name);
        if found.is_none() {
            r.refuse("missing-element", format!("<rotor> has no <{name}>"), &rotor.location, None);
        }
        found
    };
    let [joint, force, moment, direction] =
        ["jointName", "forceConstant", "momentConstant", "direction"].map(&mut part);
    let (joint, force, moment, direction) = (joint?, force?, moment?, direction?);
    Some(RotorDescription {
        joint: r.moving_joint(joint)?,
        force_constant: r.number_of(force, Range::Positive)?,
        moment_constant: r.number_of(moment, Range::NonNegative)?,
        direction: r.number_of(direction, Range::Any)?.signum(),
    })
}
