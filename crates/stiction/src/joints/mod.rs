//! Joints: one file per kind, made of common parts.
//!
//! Sign convention (ODE's): positions and rates are those of the first body relative to the second; positions are zero
//! where the joint was made, and angles do not wrap. A missing body is the static environment.
//! Each kind's file has one entry (`kind.rs`): the rows that hold the bodies together, the *motions* it leaves free, its
//! motion between links of a tree, its checks. What drives, stops or springs a motion is common to all (`axis.rs`).
//!
//! ```
//! use stiction::prelude::*;
//!
//! // A pendulum: a bob on a hinge about y, 1 m below the anchor.
//! let mut world = World::new(WorldParameters { gravity: DVec3::new(0.0, 0.0, -9.81), ..WorldParameters::default() });
//! let bob = world.add_body(&BodyDefinition {
//!     mass: Shape::sphere(0.05)?.mass_properties(1000.0).ok_or("a solid")?,
//!     pose: Pose::from_position(DVec3::new(1.0, 0.0, 0.0)),
//!     ..BodyDefinition::default()
//! })?;
//! let hinge = JointDefinition::new(JointKind::Hinge, Some(bob), None).at(DVec3::ZERO).with_axis(0, DVec3::Y);
//! let hinge = world.add_joint(hinge)?;
//! for _ in 0..100 {
//!     world.step(1e-3);
//! }
//! assert!(world.body(bob).ok_or("it is there")?.pose().position.z < 0.0);
//! assert!(world.joint(hinge).is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
mod kind;
mod linear_motor;
pub mod parts;
mod piston;
mod planar;
mod plane_2d;
mod present;
mod prismatic_rotoide;
mod prismatic_universal;
mod screw;
mod slider;
mod spook;
mod transmission;
mod universal;

pub use angular_motor::{AngularMotorMode, AxisFrame};
pub use axis::{AxisParameters, Drive, DriveGains, Motor, StopSpring};
pub(crate) use axis::{SpringLaw, SpringRule, rows as axis_rows};
pub use definition::AS_GOOD_AS_RIGID;
pub use definition::{Joint, JointDefinition, JointError, JointKind};
pub use geometry::{JointFrames, JointPose, orientation_error};
pub(crate) use kind::{Kind, TreeAxes};
pub use spook::JointSpook;
pub use transmission::Wheels;

use glam::DVec3;

use crate::constraint::RowKind;
use crate::contact::compliance::Softness;

/// Most rows that one joint can have: six that hold, and a motor with two limits of its rate, a friction, two stops, a limit of
/// the user's force, a brake and a spring on each of three axes.
pub const MAX_ROWS: usize = 33;

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
    /// Share β of the velocity before the step that is kept (SPOOK).
    pub kept: f64,
    /// It is of a drive, whose work it does.
    pub is_drive: bool,
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

    /// Moves both of its forces to the line in the middle between the two anchors, by the centres of mass of the bodies \[m\]. Acting at an anchor each, they
    /// have a moment `g × l` where the anchors are a gap g apart, and two bodies that turn as one have a relative velocity along the row.
    fn balance_moment(&mut self, [first, second]: [DVec3; 2]) {
        if self.angular[2] == DVec3::ZERO {
            let moment = self.angular[0] + self.angular[1] + (first - second).cross(self.linear);
            self.angular[0] -= 0.5 * moment;
            self.angular[1] -= 0.5 * moment;
        }
    }

    fn new(part: parts::PartRow, target: f64, compliance: f64, kind: RowKind) -> Self {
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
            kept: 0.0,
            is_drive: false,
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
    /// SPOOK's law in place of the two, of joints and stops that have no softness of their own.
    pub spook: Option<JointSpook>,
    /// Positions of the free motions, angles without wrapping \[m or rad\].
    pub positions: [f64; 3],
}

/// A motion that a joint leaves free: the direction of its rate.
#[derive(Clone, Copy, Debug)]
pub struct AxisMotion {
    /// Jacobian of the rate; its error is the position.
    pub part: parts::PartRow,
    /// The position is an angle: stops within ±π are reached by the shorter way, and it is tracked without wrapping.
    pub is_angle: bool,
    /// The position is known (ball joints and angular motors in user mode have none of their own).
    pub has_position: bool,
}

impl Joint {
    /// What its kind is.
    pub(crate) fn kind(&self) -> &'static Kind {
        kind::of(&self.definition.kind)
    }

    /// The rows that hold the bodies together.
    pub fn holding_rows(&self, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
        (self.kind().rows)(self, pose, context, rows);
    }

    /// The same for a joint that closes a loop of trees: the two forces of a row act along one line, so that they have no moment
    /// ([`JointRow::balance_moment`]).
    pub(crate) fn loop_rows(&self, pose: &JointPose, context: &JointContext, rows: &mut Vec<JointRow>) {
        let first = rows.len();
        self.holding_rows(pose, context, rows);
        if self.definition.bodies.iter().all(Option::is_some) {
            rows[first..].iter_mut().for_each(|row| row.balance_moment(pose.centers));
        }
    }

    /// Calls `visit` with the number and the motion of each of its free axes, at most three, in order. `last` are the
    /// positions known last, where a position is made of angles without wrapping.
    pub fn visit_motions(&self, pose: &JointPose, last: [f64; 3], mut visit: impl FnMut(usize, &AxisMotion)) {
        (self.kind().visit)(self, pose, last, &mut visit);
    }

    /// The same for whoever asks where the motions go, and not for their positions, which are any number.
    pub(crate) fn visit_directions(&self, pose: &JointPose, last: [f64; 3], mut visit: impl FnMut(usize, &AxisMotion)) {
        match self.kind().directions {
            Some(directions) => directions(pose, &mut visit),
            None => self.visit_motions(pose, last, visit),
        }
    }

    /// How far the joint has come apart \[m\]. Zero for joints that do not hold a point.
    #[must_use]
    pub fn gap(&self, pose: &JointPose) -> f64 {
        (self.kind().gap)(self, pose)
    }
}

/// A row that holds a part's error at zero: `b = −α g / h + β J v⁰`. The share β is noted only; whoever knows the velocity
/// adds it.
#[must_use]
pub fn hold(part: parts::PartRow, soft: Softness, step: f64) -> JointRow {
    let row = JointRow::new(part, -soft.correction * part.error / step, soft.compliance, RowKind::Joint);
    JointRow { kept: soft.kept, ..row }
}
