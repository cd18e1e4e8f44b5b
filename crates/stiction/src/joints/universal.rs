//! Universal: a point is held, and the angle between axis 0 (first body) and axis 1 (second body).

use super::kind::{self, Kind, TreeAxes};
use super::{AxisMotion, Joint, JointContext, JointPose, JointRow, ball, hold, parts};
use crate::dynamics::tree::Mobility;

/// The kind's entry.
pub(super) const KIND: Kind = Kind {
    axes: |_| 2,
    check: kind::with_angle,
    rows,
    visit: |joint, pose, _, visit| kind::each(motions(joint, pose), visit),
    gap: |_, pose| pose.separation().length(),
    mobility: Some(mobility),
    shift: |frames, _, [x, y, _]| frames.cross(x, y),
    ..Kind::PLAIN
};

/// Axis 0 is carried by the first body, axis 1 by the second.
pub(super) fn mobility(_: &Joint, axes: &TreeAxes) -> (Mobility, [u8; 3]) {
    match axes.child {
        0 => (Mobility::Universal { axes: [axes.on_parent(1), axes.on_child(0)] }, [1, 0, 0]),
        _ => (Mobility::Universal { axes: [axes.on_parent(0), axes.on_child(1)] }, [0, 1, 0]),
    }
}

pub(super) fn rows(joint: &Joint, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    ball::rows(joint, pose, context, rows);
    rows.push(angle_between(joint, pose, context));
}

/// `g = (cos₀ − a₁·a₂) / |a₁ × a₂|`, with cos₀ where the joint was made: `ġ = n·(ω₁ − ω₂)`, n along `a₂ × a₁`.
pub(super) fn angle_between(joint: &Joint, pose: &JointPose, context: &JointContext) -> JointRow {
    let soft = joint.softness(context);
    let (first, second) = (pose.axis(0, 0), pose.axis(1, 1));
    // d/dt (a₁·a₂) = (ω₁ × a₁)·a₂ + a₁·(ω₂ × a₂) = (a₁ × a₂)·(ω₁ − ω₂)
    let cross = first.cross(second);
    let sine = cross.length().max(f64::EPSILON);
    let at_start = joint.frames.axes[0][0].dot(joint.frames.relative.conjugate() * joint.frames.axes[1][1]);
    let part = parts::spin((cross / sine).into(), (first.dot(second) - at_start) / sine);
    hold(part, soft, context.step)
}

/// `R₂ᵀ R₁ = Rot(axis 1, θ₂) Rot(axis 0, θ₁) (R₂ᵀ R₁)₀`, the axes as they stood in the second body at the start.
pub(super) fn motions(joint: &Joint, pose: &JointPose) -> [Option<AxisMotion>; 3] {
    let frames = &joint.frames;
    let relative = pose.rotations[1].conjugate() * pose.rotations[0];
    // Axis 0 in the second body, now and at the start, differ by the turn about axis 1.
    let a2 = frames.axes[1][1];
    let (now, start) = (relative * frames.axes[0][0], frames.relative * frames.axes[0][0]);
    let second = signed_angle(a2, start, now);
    // Axis 1 in the first body differs by minus the turn about axis 0.
    let a1 = frames.axes[0][0];
    let (now, start) = (relative.conjugate() * a2, frames.relative.conjugate() * a2);
    let first = -signed_angle(a1, start, now);
    let motion = |axis: glam::DVec3, angle| {
        Some(AxisMotion { part: parts::spin(axis.into(), angle), is_angle: true, has_position: true })
    };
    let [along_first, along_second] = dual(pose.axis(0, 0), pose.axis(1, 1));
    [motion(along_first, first), motion(along_second, second), None]
}

/// Angle about `axis` from `from` to `to`, both seen along the axis.
/// What takes the rates out of `ω₁ − ω₂ = θ̇₀ a₀ + θ̇₁ a₁`: the dual basis of the axes. Where they are perpendicular it is
/// the axes themselves; where they are not, a torque along an axis would turn the other angle too, and a spring on one
/// angle would not keep its energy.
fn dual(first: glam::DVec3, second: glam::DVec3) -> [glam::DVec3; 2] {
    let cosine = first.dot(second);
    let sine_square = 1.0 - cosine * cosine;
    if sine_square < 1e-6 {
        return [first, second];
    }
    [(first - cosine * second) / sine_square, (second - cosine * first) / sine_square]
}

fn signed_angle(axis: glam::DVec3, from: glam::DVec3, to: glam::DVec3) -> f64 {
    let from = from - axis * axis.dot(from);
    libm::atan2(to.dot(axis.cross(from)), to.dot(from))
}
