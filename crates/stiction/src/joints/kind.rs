//! What the engine asks of a kind of joint: one entry, in the kind's own file.

use glam::DVec3;

use super::{
    AxisMotion, Joint, JointContext, JointDefinition, JointError, JointFrames, JointKind, JointPose, JointRow,
};
use super::{
    angular_motor, ball, double_ball, double_hinge, fixed, gearbox, hinge, hinge2, linear_motor, piston, planar,
    plane_2d, prismatic_rotoide, prismatic_universal, screw, slider, transmission, universal,
};
use crate::dynamics::tree::Mobility;

/// A joint between links of a tree: the motion of the child, and the dof of each axis.
pub(crate) type MobilityOf = fn(&Joint, &TreeAxes) -> (Mobility, [u8; 3]);

/// Takes the number of a motion and the motion.
pub(crate) type Visit<'a> = dyn FnMut(usize, &AxisMotion) + 'a;

/// Axes of a joint in the frame F of its parent link, with the signs of the joint (first body relative to second).
pub(crate) struct TreeAxes<'a> {
    pub(crate) joint: &'a Joint,
    /// The end of the joint that is the child: 0 or 1.
    pub(crate) child: usize,
}

impl TreeAxes<'_> {
    fn sign(&self) -> f64 {
        if self.child == 0 { 1.0 } else { -1.0 }
    }

    /// An axis of the parent.
    pub(super) fn on_parent(&self, axis: usize) -> DVec3 {
        self.sign() * self.joint.frames.axes[1 - self.child][axis]
    }

    /// An axis of the child, where the joint was made.
    pub(super) fn on_child(&self, axis: usize) -> DVec3 {
        let relative = self.joint.frames.relative;
        let relative = if self.child == 0 { relative } else { relative.conjugate() };
        self.sign() * (relative * self.joint.frames.axes[self.child][axis])
    }
}

/// A kind of joint. What a kind does not say is that of [`Kind::PLAIN`].
pub(crate) struct Kind {
    /// Number of axes that a definition gives.
    pub(super) axes: fn(&JointKind) -> usize,
    /// Checks bodies and numbers, and sets what the kind sets itself; the axes are as given. `center` is the centre of mass
    /// of the first body.
    pub(super) prepare: fn(&mut JointDefinition, center: DVec3) -> Result<(), JointError>,
    /// Checks and completes the axes, which have unit length.
    pub(super) check: fn(&mut JointDefinition) -> Result<(), JointError>,
    /// Checks the joint at the poses where it is made.
    pub(super) accept: fn(&Joint) -> Result<(), JointError>,
    /// The rows that hold the bodies together.
    pub(super) rows: fn(&Joint, &JointPose, &JointContext, &mut Vec<JointRow>),
    /// Visits the motions that it leaves free, at most three. `last` are the positions known last.
    pub(super) visit: fn(&Joint, &JointPose, last: [f64; 3], &mut Visit),
    /// Visits the same motions with any position, where that takes less.
    pub(super) directions: Option<fn(&JointPose, &mut Visit)>,
    /// Moves the zero of the motions so that the present positions are those of the definition (see [`JointFrames::shift`]).
    pub(super) shift: fn(&mut JointFrames, &JointKind, positions: [f64; 3]),
    /// How far it has come apart \[m\].
    pub(super) gap: fn(&Joint, &JointPose) -> f64,
    /// Its motion between links of a tree; `None` stays rows in reduced coordinates too (see also [`Joint::can_carry_links`]).
    pub(crate) mobility: Option<MobilityOf>,
    /// It holds two bodies at a place by rows, in trees too: a body that nothing else holds is a tree of its own.
    pub(crate) ties_bodies: bool,
    /// In a tree its first body is the child.
    pub(crate) is_one_way: bool,
    /// Its rows follow its positions, which are tracked in every step.
    pub(crate) follows_positions: bool,
    /// The user supplies its positions.
    pub(crate) is_told_positions: bool,
    /// Its motions are those of one body against a reference body.
    pub(crate) has_reference: bool,
}

impl Kind {
    /// Holds nothing and leaves no motion of its own.
    pub(super) const PLAIN: Self = Self {
        axes: |_| 0,
        prepare: |_, _| Ok(()),
        check: |_| Ok(()),
        accept: |_| Ok(()),
        rows: |_, _, _, _| {},
        visit: |_, _, _, _| {},
        directions: None,
        shift: |_, _, _| {},
        gap: |_, _| 0.0,
        mobility: None,
        ties_bodies: false,
        is_one_way: false,
        follows_positions: false,
        is_told_positions: false,
        has_reference: false,
    };
}

/// The table of kinds.
pub(crate) fn of(kind: &JointKind) -> &'static Kind {
    match kind {
        JointKind::Ball => &ball::KIND,
        JointKind::Hinge => &hinge::KIND,
        JointKind::Slider => &slider::KIND,
        JointKind::Universal => &universal::KIND,
        JointKind::Hinge2 => &hinge2::KIND,
        JointKind::Fixed => &fixed::KIND,
        JointKind::AngularMotor { .. } => &angular_motor::KIND,
        JointKind::Screw { .. } => &screw::KIND,
        JointKind::Gearbox { .. } => &gearbox::KIND,
        JointKind::Planar => &planar::KIND,
        JointKind::LinearMotor { .. } => &linear_motor::KIND,
        JointKind::Plane2D => &plane_2d::KIND,
        JointKind::Piston => &piston::KIND,
        JointKind::PrismaticRotoide => &prismatic_rotoide::KIND,
        JointKind::PrismaticUniversal => &prismatic_universal::KIND,
        JointKind::DoubleBall { .. } => &double_ball::KIND,
        JointKind::DoubleHinge { .. } => &double_hinge::KIND,
        JointKind::Transmission { .. } => &transmission::KIND,
        JointKind::Null => &Kind::PLAIN,
    }
}

/// Visits a list of motions.
pub(super) fn each(motions: [Option<AxisMotion>; 3], visit: &mut Visit) {
    motions.iter().flatten().enumerate().for_each(|(axis, motion)| visit(axis, motion));
}

/// How far the anchors are apart across an axis \[m\].
pub(super) fn across(pose: &JointPose, axis: DVec3) -> f64 {
    let d = pose.separation();
    (d - axis * axis.dot(d)).length()
}

/// A number that sizes something.
pub(super) fn positive(what: &'static str, found: f64) -> Result<(), JointError> {
    let holds = found > 0.0 && found.is_finite();
    if holds { Ok(()) } else { Err(JointError::Value { what, found, expected: "more than 0" }) }
}

/// A number that may be anything.
pub(super) fn finite(what: &'static str, found: f64) -> Result<(), JointError> {
    if found.is_finite() { Ok(()) } else { Err(JointError::Value { what, found, expected: "a finite number" }) }
}

/// Neither end is the environment.
pub(super) fn two_bodies(definition: &JointDefinition) -> Result<(), JointError> {
    if definition.bodies.contains(&None) { Err(JointError::NeedsTwoBodies) } else { Ok(()) }
}

/// Axes 0 and 1 are not parallel.
pub(super) fn with_angle(definition: &mut JointDefinition) -> Result<(), JointError> {
    let [a, b, _] = definition.axes;
    if a.cross(b).length() < 1e-9 { Err(JointError::ParallelAxes) } else { Ok(()) }
}
