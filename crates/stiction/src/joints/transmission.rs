//! Transmission: two wheels, one on each body, that touch or that a chain connects. One row: the rims move together.
//!
//! Wheel i turns about the axis aᵢ that its body carries, with its centre at the body's anchor. Its phase φᵢ is the turn
//! of the body against the direction that the two wheels share: the line of centres across the axes, or, where the axes meet, their common
//! perpendicular a₁ × a₂. So the row holds also where the wheels are carried about each other, as in an epicyclic gear.
//! Axis 2 of each body is that direction where the joint was made. The rims have rolled apart by the *lag*
//! `g = r₁ φ₁ ± r₂ φ₂` \[m\]: + where wheels touch outside, − for a chain and for wheels whose axes meet.
//!
//! The lag is a motion, number 2. Stops on it are backlash, and take the place of the row.

use glam::DVec3;

use super::geometry::{JointFrames, unwrap};
use super::kind::{self, Kind};
use super::{AxisMotion, Joint, JointContext, JointPose, JointRow, hold, parts};
use super::{JointDefinition, JointError, JointKind};

/// The kind's entry.
pub(super) const KIND: Kind = Kind {
    axes: |kind| if wheels(kind) == Some(Wheels::IntersectingAxes) { 2 } else { 1 },
    prepare: |definition, _| kind::two_bodies(definition),
    check,
    accept: |joint| {
        wheels(&joint.definition.kind)
            .and_then(|wheels| radii(wheels, &joint.frames))
            .map(|_| ())
            .ok_or(JointError::Wheels)
    },
    rows,
    visit: |joint, pose, last, visit| kind::each(motions(joint, pose, last), visit),
    follows_positions: true,
    ..Kind::PLAIN
};

const fn wheels(kind: &JointKind) -> Option<Wheels> {
    if let JointKind::Transmission { wheels } = kind { Some(*wheels) } else { None }
}

/// A chain and rims that touch outside turn about one common axis; axis 2 is the direction that the wheels share.
fn check(definition: &mut JointDefinition) -> Result<(), JointError> {
    let Some(wheels) = wheels(&definition.kind) else { return Ok(()) };
    let [a, b, _] = definition.axes;
    if wheels == Wheels::IntersectingAxes {
        kind::with_angle(definition)?;
    }
    definition.axes[1] = if wheels == Wheels::IntersectingAxes { b } else { a };
    let between = definition.second_anchor.unwrap_or(definition.anchor) - definition.anchor;
    definition.axes[2] = shared_direction(wheels, [a, definition.axes[1]], between).ok_or(JointError::Wheels)?;
    let sizes = match wheels {
        Wheels::ParallelAxes { ratio } => [ratio, 1.0],
        Wheels::Chain { radii } => radii,
        Wheels::IntersectingAxes => [1.0; 2],
    };
    sizes.into_iter().try_for_each(|size| kind::positive("ratio, radius or distance", size))
}

/// How the wheels of a transmission meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wheels {
    /// Parallel axes (axis 0): rims that touch between the centres, `ω₂ = −ratio ω₁`.
    ParallelAxes {
        /// Radius of the first wheel over that of the second.
        ratio: f64,
    },
    /// Axes 0 (first body) and 1 (second body) that meet: the ratio follows from where the centres stand on them.
    IntersectingAxes,
    /// Parallel axes (axis 0) and a chain about both wheels: `ω₂ r₂ = ω₁ r₁`.
    Chain {
        /// Radii \[m\].
        radii: [f64; 2],
    },
}

/// The wheels at a pose: all that row and lag are made of.
struct Rims {
    axes: [DVec3; 2],
    /// From the first to the second centre, or the common perpendicular of the axes.
    shared: DVec3,
    /// Distance of parallel axes \[m\].
    distance: f64,
    /// From the first centre half the way along the axes to the second \[m\].
    middle: DVec3,
    /// From each centre of mass to where its rim touches.
    arms: [DVec3; 2],
    /// Unit tangent along which the rims move together.
    tangent: DVec3,
    /// Radius with the sign of the rim's motion along the tangent.
    radii: [f64; 2],
}

/// Where the wheels touch; `None` where centres or axes coincide.
fn rims(wheels: Wheels, pose: &JointPose, lag: f64) -> Option<Rims> {
    let (axes, between) = ([pose.axis(0, 0), pose.axis(1, 1)], -pose.separation());
    // Wheels on parallel axes may stand at different heights: forces act midway, so that they balance.
    let height = axes[0].dot(between);
    let in_plane = between - height * axes[0];
    let middle = 0.5 * height * axes[0];
    let distance = in_plane.length();
    let shared = shared_direction(wheels, axes, between)?;
    let (tangent, rims) = match wheels {
        Wheels::ParallelAxes { ratio } => {
            let radius = distance / (1.0 + ratio);
            (axes[0].cross(shared), [middle + ratio * radius * shared, -middle - radius * shared])
        }
        Wheels::IntersectingAxes => {
            // The point that has the heights of the centres along both axes, in their plane: c₁ + x (a₂ − a₁ cos).
            let cosine = axes[0].dot(axes[1]);
            let across = axes[1] - cosine * axes[0];
            let height = axes[1].dot(between) / across.length_squared();
            (shared, [height * across, height * across - between])
        }
        Wheels::Chain { radii: [first, second] } => {
            // The strand is a common tangent: with its normal u, u·n = (r₁ − r₂)/d.
            let cosine = ((first - second) / distance).clamp(-1.0, 1.0);
            // A chain pulls: the first wheel lags behind or leads, and the strand on that side is taut.
            let side = if lag < 0.0 { -1.0 } else { 1.0 };
            let across = axes[0].cross(shared);
            let normal = cosine * shared + side * (1.0 - cosine * cosine).sqrt() * across;
            (axes[0].cross(normal), [middle + first * normal, second * normal - middle])
        }
    };
    let radius = |wheel: usize| tangent.dot(axes[wheel].cross(rims[wheel]));
    let arm = |wheel: usize| pose.arm(wheel) + rims[wheel];
    Some(Rims { axes, shared, distance, middle, arms: [arm(0), arm(1)], tangent, radii: [radius(0), radius(1)] })
}

/// Radii where the joint was made \[m\], with the sign of the rim's motion along the tangent; `None` for wheels that cannot
/// touch.
fn radii(wheels: Wheels, frames: &JointFrames) -> Option<[f64; 2]> {
    let radii = rims(wheels, &frames.at_start(), 0.0)?.radii;
    radii.iter().all(|r| r.is_finite() && *r != 0.0).then_some(radii)
}

/// The direction that phases count from, in the world: axis 2 of the joint.
fn shared_direction(wheels: Wheels, axes: [DVec3; 2], between: DVec3) -> Option<DVec3> {
    match wheels {
        Wheels::IntersectingAxes => axes[0].cross(axes[1]).try_normalize(),
        _ => (between - axes[0] * axes[0].dot(between)).try_normalize(),
    }
}

/// Turn of a body's axis 2 against the shared direction, in (−π, π\].
fn phase(pose: &JointPose, rims: &Rims, body: usize) -> f64 {
    let (axis, marked) = (rims.axes[body], pose.axis(body, 2));
    libm::atan2(axis.dot(rims.shared.cross(marked)), rims.shared.dot(marked))
}

/// Velocity of the first rim along the tangent less that of the second; the error is the lag, with phases that follow
/// `last`. Its radii are those where the joint was made: after many turns a drift of the centres must not count as lag.
fn rolling(wheels: Wheels, pose: &JointPose, last: [f64; 3]) -> Option<parts::PartRow> {
    let rims = rims(wheels, pose, last[2])?;
    let radii = radii(wheels, pose.frames)?;
    let phases = [0, 1].map(|body| unwrap(phase(pose, &rims, body), last[body]));
    Some(parts::PartRow {
        linear: rims.tangent.into(),
        angular_first: rims.arms[0].cross(rims.tangent).into(),
        angular_second: rims.tangent.cross(rims.arms[1]).into(),
        error: radii[0] * phases[0] - radii[1] * phases[1],
    })
}

fn rows(joint: &Joint, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
    let Some(wheels) = wheels(&joint.definition.kind) else { return };
    let soft = joint.softness(context);
    let lag = &joint.definition.parameters[2];
    if lag.lower.is_finite() || lag.upper.is_finite() {
        return;
    }
    rows.extend(rolling(wheels, pose, context.positions).map(|part| hold(part, soft, context.step)));
}

/// The two phases, and the lag.
fn motions(joint: &Joint, pose: &JointPose, last: [f64; 3]) -> [Option<AxisMotion>; 3] {
    let Some(wheels) = wheels(&joint.definition.kind) else { return [None; 3] };
    let (Some(lag), Some(rims)) = (rolling(wheels, pose, last), rims(wheels, pose, last[2])) else { return [None; 3] };
    let phase = |body: usize| {
        let part = phase_rate(wheels, pose, &rims, body);
        AxisMotion { part, is_angle: true, has_position: true }
    };
    [Some(phase(0)), Some(phase(1)), Some(AxisMotion { part: lag, is_angle: false, has_position: true })]
}

/// The rate of a phase.
///
/// Line of centres n of length d: `φ̇ᵢ = aᵢ·ωᵢ − t·(ċ₂ − ċ₁)/d`, `t = a × n`. Axes that meet, c their cosine:
/// `φ̇₁ = (a₁ − c a₂)·(ω₁ − ω₂)/(1 − c²)`, and the other way round; the perpendicular is carried by both bodies.
fn phase_rate(wheels: Wheels, pose: &JointPose, rims: &Rims, body: usize) -> parts::PartRow {
    let angle = phase(pose, rims, body);
    if wheels == Wheels::IntersectingAxes {
        let cosine = rims.axes[0].dot(rims.axes[1]);
        let dual = (rims.axes[body] - cosine * rims.axes[1 - body]) / (1.0 - cosine * cosine);
        return parts::spin((if body == 0 { dual } else { -dual }).into(), angle);
    }
    let turning = rims.axes[0].cross(rims.shared) / rims.distance;
    let arms = [(pose.arm(0) + rims.middle).into(), (pose.arm(1) - rims.middle).into()];
    let carried = parts::between(turning.into(), arms[0], arms[1], pose.separation().into());
    let own = |b: usize| if b == body { rims.axes[b] } else { DVec3::ZERO };
    parts::PartRow {
        linear: carried.linear,
        angular_first: carried.angular_first + own(0).into(),
        angular_second: carried.angular_second + own(1).into(),
        error: angle,
    }
}
