//! Joints as text.

use stiction::joints::AxisParameters;

use super::writer::Writer;
use crate::joints::angular_motor::AngularMotor;
use crate::joints::ball::Ball;
use crate::joints::contact::{Contact, mode};
use crate::joints::fixed::Fixed;
use crate::joints::hinge::Hinge;
use crate::joints::hinge2::Hinge2;
use crate::joints::limit_motor::LimitMotor;
use crate::joints::linear_motor::LinearMotor;
use crate::joints::piston::Piston;
use crate::joints::prismatic_rotoide::PrismaticRotoide;
use crate::joints::prismatic_universal::PrismaticUniversal;
use crate::joints::slider::Slider;
use crate::joints::universal::Universal;
use crate::objects::joint::{Joint, Kind};
use crate::types::vector;

/// The word for a kind of joint.
pub(super) fn name(kind: &Kind) -> &'static str {
    const NAMES: [&str; 14] = [
        "ball",
        "hinge",
        "slider",
        "contact",
        "universal",
        "ODE_hinge2",
        "fixed",
        "null",
        "ODE_angular_motor",
        "ODE_linear_motor",
        "unknown",
        "PR",
        "PU",
        "piston",
    ];
    NAMES.get(kind.number() as usize - 1).unwrap_or(&"unknown")
}

/// Stops, then the motor; numbered where a joint has several.
fn limit_motor(out: &mut Writer, motor: &LimitMotor, number: &str) {
    let AxisParameters { lower, upper, bounce, stop_erp, stop_cfm, motor, .. } = motor.law;
    out.table(&format!("limit{number} = {{"), "},", |out| {
        out.real("low_stop", lower);
        out.real("high_stop", upper);
        out.nonzero("bounce", bounce);
        out.table("ODE = {", "},", |out| {
            out.nonzero("stop_erp", stop_erp.unwrap_or_default());
            out.nonzero("stop_cfm", stop_cfm.unwrap_or_default());
        });
    });
    out.table(&format!("motor{number} = {{"), "},", |out| {
        out.nonzero("vel", motor.velocity);
        out.nonzero("fmax", motor.max_force);
        out.table("ODE = {", "},", |out| {
            out.nonzero("fudge_factor", motor.fudge_factor);
            out.nonzero("normal_cfm", motor.cfm.unwrap_or_default());
        });
    });
}

fn contact(out: &mut Writer, contact: &Contact) {
    let (surface, geom) = (&contact.surface, &contact.geom);
    out.vector("pos", vector(&geom.pos));
    out.vector("normal", vector(&geom.normal));
    out.real("depth", geom.depth.into());
    out.real("mu", surface.mu.into());
    let optional = [
        (mode::AXIS_DEPENDENT, "mu2", surface.mu2),
        (mode::BOUNCE, "bounce", surface.bounce),
        (mode::BOUNCE, "bounce_vel", surface.bounce_vel),
        (mode::SOFT_ERP, "soft_ERP", surface.soft_erp),
        (mode::SOFT_CFM, "soft_CFM", surface.soft_cfm),
        (mode::MOTION1, "motion1", surface.motion1),
        (mode::MOTION2, "motion2", surface.motion2),
        (mode::SLIP1, "slip1", surface.slip1),
        (mode::SLIP2, "slip2", surface.slip2),
    ];
    for (bit, name, value) in optional {
        if surface.mode & bit != 0 {
            out.real(name, value.into());
        }
    }
    let first = i64::from(surface.mode & mode::APPROX1_1 != 0);
    let second = i64::from(surface.mode & mode::APPROX1_2 != 0);
    if first + second != 0 {
        out.integer("friction_approximation", first + 2 * second);
    }
    if surface.mode & mode::FDIR1 != 0 {
        out.vector("fdir1", vector(&contact.fdir1));
    }
}

fn linear_motor(out: &mut Writer, motor: &LinearMotor) {
    out.integer("num", motor.count as i64);
    let [a, b, c] = motor.relative;
    out.line(&format!("rel = {{{a},{b},{c}}},"));
    for (axis, name) in motor.axes.iter().zip(["axis1", "axis2", "axis3"]) {
        out.vector(name, *axis);
    }
    for (motor, number) in motor.motors.iter().zip(["1", "2", "3"]) {
        limit_motor(out, motor, number);
    }
}

fn angular_motor(out: &mut Writer, motor: &AngularMotor) {
    out.integer("num", motor.count as i64);
    out.integer("mode", motor.mode.into());
    let [a, b, c] = motor.relative;
    out.line(&format!("rel = {{{a},{b},{c}}},"));
    for (axis, name) in motor.axes.iter().zip(["axis1", "axis2", "axis3"]) {
        out.vector(name, *axis);
    }
    for (motor, number) in motor.motors.iter().zip(["1", "2", "3"]) {
        limit_motor(out, motor, number);
    }
    for (angle, name) in motor.angles.iter().zip(["angle1", "angle2", "angle3"]) {
        out.real(name, *angle);
    }
}

/// What the joint holds.
pub(super) fn write(out: &mut Writer, joint: &Joint) {
    let pair = |out: &mut Writer, names: [&str; 2], values: [glam::DVec3; 2]| {
        out.vector(names[0], values[0]);
        out.vector(names[1], values[1]);
    };
    let (anchors, axes) = (["anchor1", "anchor2"], ["axis1", "axis2"]);
    let kind = &joint.kind;
    if let Some(joint) = kind.of::<Ball>() {
        pair(out, anchors, joint.anchors);
    } else if let Some(joint) = kind.of::<Hinge>() {
        pair(out, anchors, joint.anchors);
        pair(out, axes, joint.axes);
        out.quaternion("qrel", joint.relative);
        limit_motor(out, &joint.motor, "");
    } else if let Some(joint) = kind.of::<Slider>() {
        out.vector("axis1", joint.axis);
        out.quaternion("qrel", joint.relative);
        out.vector("offset", joint.offset);
        limit_motor(out, &joint.motor, "");
    } else if let Some(joint) = Contact::of(joint) {
        contact(out, &joint);
    } else if let Some(joint) = kind.of::<Universal>() {
        pair(out, anchors, joint.anchors);
        pair(out, axes, joint.cross.axes);
        out.quaternion("qrel1", joint.cross.relative[0]);
        out.quaternion("qrel2", joint.cross.relative[1]);
        limit_motor(out, &joint.motors[0], "1");
        limit_motor(out, &joint.motors[1], "2");
    } else if let Some(joint) = kind.of::<Hinge2>() {
        pair(out, anchors, joint.anchors);
        pair(out, axes, joint.axes);
        pair(out, ["v1", "v2"], joint.zero[0]);
        out.real("susp_erp", joint.suspension[0]);
        out.real("susp_cfm", joint.suspension[1]);
        limit_motor(out, &joint.motors[0], "1");
        limit_motor(out, &joint.motors[1], "2");
    } else if let Some(joint) = kind.of::<PrismaticRotoide>() {
        out.vector("anchor2", joint.anchors[1]);
        pair(out, ["axisR1", "axisR2"], joint.rotoide);
        out.vector("axisP1", joint.prismatic);
        out.quaternion("qrel", joint.relative);
        out.vector("offset", joint.anchors[0]);
        limit_motor(out, &joint.motors[0], "1");
        limit_motor(out, &joint.motors[1], "2");
    } else if let Some(joint) = kind.of::<PrismaticUniversal>() {
        pair(out, anchors, joint.anchors);
        pair(out, axes, joint.cross.axes);
        out.vector("axisP", joint.prismatic);
        out.quaternion("qrel1", joint.cross.relative[0]);
        out.quaternion("qrel2", joint.cross.relative[1]);
        limit_motor(out, &joint.angles[0], "1");
        limit_motor(out, &joint.angles[1], "2");
        limit_motor(out, &joint.displacement, "3");
    } else if let Some(joint) = kind.of::<Piston>() {
        pair(out, anchors, joint.anchors);
        pair(out, axes, joint.axes);
        out.quaternion("qrel", joint.relative);
        limit_motor(out, &joint.motors[0], "1");
        limit_motor(out, &joint.motors[1], "2");
    } else if let Some(joint) = kind.of::<Fixed>() {
        // ODE prints the first three of the four.
        let q = joint.relative;
        out.vector("qrel", [q.w, q.x, q.y]);
        out.vector("offset", joint.offset);
    } else if let Some(joint) = kind.of::<LinearMotor>() {
        linear_motor(out, joint);
    } else if let Some(joint) = kind.of::<AngularMotor>() {
        angular_motor(out, joint);
    } else {
        out.line("unknown joint");
    }
}
