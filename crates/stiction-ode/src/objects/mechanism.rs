//! A joint as the engine knows it, which moves trees and loops of joints as wholes.

use glam::{DQuat, DVec3};
use stiction::joints::{AS_GOOD_AS_RIGID, AxisParameters, JointFrames, JointKind, JointPose};

use super::sides::Sides;

/// How far anchors, and axes, may be off in a joint that is closed at once \[m, rad\].
const CLOSED: f64 = 1e-3;

/// Kind, place in the bodies, and laws of the motions.
#[derive(Clone, Debug)]
pub(crate) struct Mechanism {
    pub kind: JointKind,
    pub frames: JointFrames,
    pub laws: [AxisParameters; 3],
}

impl Mechanism {
    /// A joint with its anchor in each body and axes in the first, where the second is turned by `relative` (`q₁* q₂`) at zero.
    pub(crate) fn new(kind: JointKind, anchors: [DVec3; 2], axes: [DVec3; 3], relative: DQuat) -> Self {
        let relative = relative.normalize().conjugate();
        let of_second = axes.map(|axis| relative * axis);
        let frames = JointFrames {
            anchors,
            axes: [axes, of_second],
            relative,
            separation: DVec3::ZERO,
            reference_axes: of_second,
            reference_relative: [DQuat::IDENTITY; 2],
        };
        Self { kind, frames, laws: [AxisParameters::default(); 3] }
    }

    /// A joint that turns or slides about or along one axis, given in both bodies.
    pub(crate) fn along(kind: JointKind, anchors: [DVec3; 2], axes: [DVec3; 2], relative: DQuat) -> Option<Self> {
        let [axis, other] = axes.map(|axis| axis.normalize_or(DVec3::X));
        let across = axis.any_orthonormal_vector();
        Self::new(kind, anchors, [axis, across, axis.cross(across)], relative).with_second(0, other)
    }

    /// With an axis of the second body; none where that is another at zero.
    pub(crate) fn with_second(mut self, axis: usize, of_second: DVec3) -> Option<Self> {
        let own = &mut self.frames.axes[1][axis];
        let is_same = (*own - of_second).length() < CLOSED;
        *own = of_second;
        is_same.then_some(self)
    }

    pub(crate) fn with_laws<const N: usize>(mut self, laws: [AxisParameters; N]) -> Self {
        self.laws[..N].copy_from_slice(&laws);
        self
    }

    /// None of a joint that gives way by its CFM, which is rows.
    pub(crate) fn rigid(self, cfm: f64) -> Option<Self> {
        (cfm <= AS_GOOD_AS_RIGID).then_some(self)
    }

    /// It is the same joint, whatever its motors and stops are set to.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.kind == other.kind && self.frames == other.frames
    }

    /// The bodies are where the joint wants them, nearly. Others come together at the rate that the ERP says.
    pub(crate) fn is_closed(&self, sides: &Sides) -> bool {
        let pose = JointPose {
            frames: &self.frames,
            centers: [0, 1].map(|side| sides.position(side)),
            rotations: [0, 1].map(|side| sides.quaternion(side)),
            reference_rotation: DQuat::IDENTITY,
        };
        let between = |axis: usize| (pose.axis(0, axis) - pose.axis(1, axis)).length();
        let (slide, off) = match self.kind {
            JointKind::Hinge => (None, between(0)),
            JointKind::Fixed => (None, pose.orientation_error().length()),
            JointKind::Slider => (Some(0), pose.orientation_error().length()),
            JointKind::Piston => (Some(0), between(0)),
            JointKind::PrismaticRotoide => (Some(0), between(1)),
            JointKind::Universal => (None, pose.axis(0, 0).dot(pose.axis(1, 1)).abs()),
            JointKind::PrismaticUniversal => (Some(2), pose.axis(0, 0).dot(pose.axis(1, 1)).abs()),
            _ => (None, 0.0),
        };
        let along = slide.map_or(DVec3::ZERO, |axis| pose.separation().project_onto_normalized(pose.axis(0, axis)));
        (pose.separation() - along).length() < CLOSED && off < CLOSED
    }
}
