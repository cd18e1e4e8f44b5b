//! Angular motor: motors and stops about up to three axes, between bodies that another joint (or none) holds together.

use glam::DVec3;

use super::kind::{self, Kind};
use super::{AxisMotion, Joint, JointKind, JointPose, parts};

/// The kind's entry.
pub(super) const KIND: Kind = Kind {
    axes: |_| 3,
    visit: |joint, pose, _, visit| kind::each(motions(joint, pose), visit),
    is_told_positions: true,
    ..Kind::PLAIN
};

/// What an axis of an angular motor is fixed to (the guide's `rel`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisFrame {
    /// The world.
    World,
    /// The first body.
    First,
    /// The second body.
    Second,
}

/// Who supplies axes and angles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AngularMotorMode {
    /// The user: number of axes, what each is fixed to, and the angles that stops compare.
    User {
        /// Number of axes, 0 to 3.
        count: usize,
        /// What each axis is fixed to.
        frames: [AxisFrame; 3],
        /// Angles \[rad\], as the user knows them.
        angles: [f64; 3],
    },
    /// Euler angles: axis 0 carried by the first body, axis 2 by the second, axis 1 = axis 2 × axis 0.
    Euler,
}

fn motions(joint: &Joint, pose: &JointPose) -> [Option<AxisMotion>; 3] {
    let JointKind::AngularMotor { mode } = joint.definition.kind else { return [None; 3] };
    match mode {
        AngularMotorMode::User { count, frames, angles } => std::array::from_fn(|i| {
            (i < count).then(|| {
                let axis = match frames[i] {
                    AxisFrame::First => pose.axis(0, i),
                    AxisFrame::Second => pose.axis(1, i),
                    AxisFrame::World => joint.definition.axes[i],
                };
                AxisMotion { part: parts::spin(axis.into(), angles[i]), is_angle: true, has_position: true }
            })
        }),
        AngularMotorMode::Euler => euler(joint, pose),
    }
}

/// Axes and angles in Euler mode. The motor along an axis must drive that angle alone, so that the Jacobian of each
/// angle is the axis made perpendicular to the two others: `ω = Σ θ̇ᵢ aᵢ`, `θ̇₀ = ω·(a₁ × a₂) / …`; a₁ is perpendicular
/// to both a₀ and a₂, as in the guide, 7.3.8.
fn euler(joint: &Joint, pose: &JointPose) -> [Option<AxisMotion>; 3] {
    let (a0, a2) = (pose.axis(0, 0), pose.axis(1, 2));
    let cross = a2.cross(a0);
    let a1 = cross / cross.length().max(f64::EPSILON);
    let frames = &joint.frames;
    // References as they stood when the joint was made, carried by each body.
    let reference1 = frames.relative.conjugate() * frames.axes[1][2]; // axis 2 in the first body
    let reference2 = frames.relative * frames.axes[0][0]; // axis 0 in the second body
    let in_first = |v: DVec3| pose.rotations[0].conjugate() * v;
    let in_second = |v: DVec3| pose.rotations[1].conjugate() * v;
    let axis0 = frames.axes[0][0];
    let axis2 = frames.axes[1][2];
    let second_axis = in_first(a2);
    let theta0 = -libm::atan2(second_axis.dot(axis0.cross(reference1)), second_axis.dot(reference1));
    let first_axis = in_second(a0);
    let theta1 = libm::asin((-first_axis.dot(axis2)).clamp(-1.0, 1.0));
    let theta2 = libm::atan2(first_axis.dot(axis2.cross(reference2)), first_axis.dot(reference2));
    // Axes of the motor rows: the guide's rows are perpendicular to a₁ on the outside.
    let row0 = a1.cross(a2);
    let row2 = a0.cross(a1);
    let motion = |axis: DVec3, angle: f64| {
        Some(AxisMotion { part: parts::spin(axis.into(), angle), is_angle: true, has_position: true })
    };
    [motion(row0, theta0), motion(a1, theta1), motion(row2, theta2)]
}
