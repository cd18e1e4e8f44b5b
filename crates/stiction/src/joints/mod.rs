//! Joints: one file per kind, made of common parts.
//!
//! Sign convention (ODE's): positions and rates are those of the first body relative to the second; positions are zero
//! where the joint was made, and angles do not wrap. A missing body is the static environment.
//! Each kind's file gives the rows that hold the bodies together and the *motions* it leaves free; what drives, stops
//! or springs a motion is common to all (`axis.rs`).

mod angular_motor;
mod axis;
mod ball;
mod definition;
mod double_ball;
mod double_hinge;
mod fixed;
mod gearbox;
pub(crate) mod geometry;
mod hinge;
mod hinge2;
mod linear_motor;
pub mod parts;
mod piston;
mod planar;
pub(crate) mod plane_2d;
mod present;
mod prismatic_rotoide;
mod prismatic_universal;
mod screw;
mod slider;
pub(crate) mod transmission;
mod universal;

pub use angular_motor::{AngularMotorMode, AxisFrame};
pub(crate) use axis::rows as axis_rows;
pub use axis::{AxisParameters, Motor};
pub use definition::{Joint, JointDefinition, JointError, JointKind};
pub use geometry::{JointFrames, JointPose};
pub use transmission::Wheels;

use glam::DVec3;

use crate::constraint::RowKind;

/// Most rows that one joint can have: six that hold, and a motor, a friction, a stop and a spring on each of three axes.
pub const MAX_ROWS: usize = 18;

/// A row as a joint gives it: Jacobian in world axes, and law.
#[derive(Clone, Copy, Debug)]
pub struct JointRow {
    /// Linear part for the first body; the second body has its negative, a reference body none.
    pub linear: DVec3,
    /// Angular part for the first, second and reference body.
    pub angular: [DVec3; 3],
    /// Right side b \[m/s or rad/s\].
    pub target: f64,
    /// Right side in the velocity pass of a split step, its drift correction bounded \[m/s or rad/s\].
    pub velocity_target: f64,
    /// Γ \[velocity per impulse\].
    pub compliance: f64,
    /// Bounds of the impulse.
    pub bounds: [f64; 2],
    /// What it stands for.
    pub kind: RowKind,
    /// The free motion that it acts along; `None` for rows that hold the bodies together.
    pub axis: Option<u8>,
    /// Position error g of a row that holds the bodies together \[m or rad\].
    pub error: f64,
}

impl JointRow {
    /// Linear part for the first (0), second (1) or reference body (2).
    #[must_use]
    pub fn linear_of(&self, body: usize) -> DVec3 {
        match body {
            0 => self.linear,
            1 => -self.linear,
            _ => DVec3::ZERO,
        }
    }

    fn new(part: parts::PartRow<f64>, target: f64, compliance: f64, kind: RowKind) -> Self {
        Self {
            linear: part.linear.into(),
            angular: [part.angular_first.into(), part.angular_second.into(), DVec3::ZERO],
            target,
            velocity_target: target,
            compliance,
            bounds: [f64::NEG_INFINITY, f64::INFINITY],
            kind,
            axis: None,
            error: part.error,
        }
    }
}

/// What a joint is asked with: step and the world's defaults.
#[derive(Clone, Copy, Debug)]
pub struct JointContext {
    /// Step \[s\].
    pub step: f64,
    /// Error reduction of joints that have none of their own.
    pub erp: f64,
    /// Constraint force mixing of joints that have none of their own \[s/kg\].
    pub cfm: f64,
    /// Positions of the free motions, angles without wrapping \[m or rad\].
    pub positions: [f64; 3],
}

/// A motion that a joint leaves free: the direction of its rate.
#[derive(Clone, Copy, Debug)]
pub struct FreeMotion {
    /// Jacobian of the rate; its error is the position.
    pub part: parts::PartRow<f64>,
    /// The position is an angle: stops within ±π are reached by the shorter way, and it is tracked without wrapping.
    pub is_angle: bool,
    /// The position is known (ball joints and angular motors in user mode have none of their own).
    pub has_position: bool,
}

impl Joint {
    /// The rows that hold the bodies together.
    pub fn holding_rows(&self, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
        match self.definition.kind {
            JointKind::Ball => ball::rows(self, pose, context, rows),
            JointKind::Hinge => hinge::rows(self, pose, context, rows),
            JointKind::Slider => slider::rows(self, pose, context, rows),
            JointKind::Universal => universal::rows(self, pose, context, rows),
            JointKind::Hinge2 => hinge2::rows(self, pose, context, rows),
            JointKind::Fixed => fixed::rows(self, pose, context, rows),
            JointKind::Screw { pitch } => screw::rows(self, pitch, pose, context, rows),
            JointKind::Gearbox { ratio } => gearbox::rows(self, ratio, pose, context, rows),
            JointKind::Planar | JointKind::Plane2D => planar::rows(self, pose, context, rows),
            JointKind::Piston => piston::rows(self, pose, context, rows),
            JointKind::PrismaticRotoide => prismatic_rotoide::rows(self, pose, context, rows),
            JointKind::PrismaticUniversal => prismatic_universal::rows(self, pose, context, rows),
            JointKind::DoubleBall { distance } => {
                double_ball::rows(self, self.distance(distance), pose, context, rows);
            }
            JointKind::DoubleHinge { distance } => {
                double_hinge::rows(self, self.distance(distance), pose, context, rows);
            }
            JointKind::Transmission { wheels } => transmission::rows(self, wheels, pose, context, rows),
            JointKind::AngularMotor { .. } | JointKind::LinearMotor { .. } | JointKind::Null => {}
        }
    }

    /// Calls `visit` with the number and the motion of each of its free axes, at most three, in order. Most joints have one:
    /// no list is made of it. `last` are the positions known last, where a position is made of angles without wrapping.
    pub fn visit_motions(&self, pose: &JointPose, last: [f64; 3], mut visit: impl FnMut(usize, &FreeMotion)) {
        let list = match self.definition.kind {
            JointKind::Ball | JointKind::Fixed | JointKind::Null => return,
            JointKind::DoubleBall { .. } | JointKind::DoubleHinge { .. } => return,
            JointKind::Hinge => return visit(0, &hinge::motion(self, pose)),
            JointKind::Slider => return visit(0, &slider::motion(self, pose)),
            JointKind::Screw { .. } => return visit(0, &screw::motion(self, pose)),
            JointKind::Universal => universal::motions(self, pose),
            JointKind::Hinge2 => hinge2::motions(self, pose),
            JointKind::AngularMotor { mode } => angular_motor::motions(self, mode, pose),
            JointKind::Gearbox { .. } => gearbox::motions(self, pose),
            JointKind::Planar | JointKind::Plane2D => planar::motions(self, pose),
            JointKind::LinearMotor { count, frames } => linear_motor::motions(self, count, frames, pose),
            JointKind::Piston => piston::motions(self, pose),
            JointKind::PrismaticRotoide => prismatic_rotoide::motions(self, pose),
            JointKind::PrismaticUniversal => prismatic_universal::motions(self, pose),
            JointKind::Transmission { wheels } => transmission::motions(wheels, pose, last),
        };
        list.iter().flatten().enumerate().for_each(|(axis, motion)| visit(axis, motion));
    }

    /// The distance that two anchors keep: the given one, or that where the joint was made \[m\].
    fn distance(&self, given: Option<f64>) -> f64 {
        given.unwrap_or_else(|| self.frames.separation.length())
    }

    /// How far the joint has come apart \[m\]. Zero for joints that do not hold a point.
    #[must_use]
    pub fn gap(&self, pose: &JointPose) -> f64 {
        let d = pose.separation();
        let across = |axis: DVec3| (d - axis * axis.dot(d)).length();
        match self.definition.kind {
            JointKind::Ball | JointKind::Hinge | JointKind::Universal | JointKind::Fixed => d.length(),
            JointKind::Slider | JointKind::Screw { .. } | JointKind::Piston => across(pose.axis(1, 0)),
            JointKind::Hinge2 | JointKind::PrismaticRotoide => across(pose.axis(0, 0)),
            JointKind::PrismaticUniversal => across(pose.axis(0, 2)),
            JointKind::Planar | JointKind::Plane2D => pose.axis(1, 0).dot(d).abs(),
            JointKind::DoubleBall { distance } => (d.length() - self.distance(distance)).abs(),
            JointKind::DoubleHinge { distance } => {
                (d.length() - self.distance(distance)).abs().max(double_hinge::rise(self, pose).abs())
            }
            JointKind::Gearbox { .. } | JointKind::AngularMotor { .. } | JointKind::LinearMotor { .. } => 0.0,
            JointKind::Transmission { .. } | JointKind::Null => 0.0,
        }
    }
}

/// Drift rows of a part: `b = −erp g / h`, `Γ = cfm / h`.
fn hold(part: parts::PartRow<f64>, erp: f64, cfm: f64, step: f64) -> JointRow {
    let soft = crate::contact::compliance::erp_cfm(erp, cfm, step);
    JointRow::new(part, -soft.correction * part.error / step, soft.compliance, RowKind::Joint)
}
