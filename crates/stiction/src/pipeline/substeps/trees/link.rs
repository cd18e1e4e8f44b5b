//! Links of trees: what holds each to its parent, and where that is at a pose of its bodies.

use glam::{DMat3, DQuat, DVec3};

use super::super::super::context::Model;
use super::NONE;
use super::spatial::{Cholesky, Spatial};
use crate::joints::{Joint, JointKind, JointPose};

/// What holds a link to its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// A root that nothing holds.
    Free,
    /// Welded to the world: it does not move.
    Welded,
    Fixed,
    Hinge,
    Slider,
    Ball,
    Universal,
}

/// A link, parents before their children.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// Slot and place of its body.
    pub(super) slot: u32,
    pub(super) place: u32,
    /// The link that carries it; `NONE` where nothing does that moves.
    pub(super) parent: u32,
    /// The link that carries it, though nothing moves it.
    pub(super) carrier: u32,
    /// Slot of the joint that carries it, or `NONE`, and its end there.
    pub(super) joint: u32,
    pub(super) end: usize,
    pub(super) hold: Hold,
    /// Its degrees of freedom in the list of all.
    pub(super) first_dof: u32,
    pub(super) dofs: usize,
    pub(super) mass: f64,
    pub(super) moments: DVec3,
    /// Principal axes, the arm from its centre to the joint, and the way from its centre to that of its parent, in the world.
    pub(super) axes: DMat3,
    pub(super) arm: DVec3,
    pub(super) to_parent: DVec3,
    /// Directions of its motions at its centre, `Y s`, and the inverse of `sᵀ Y s`.
    pub(super) motions: [Spatial; 3],
    pub(super) pushed: [Spatial; 3],
    pub(super) inverse: [[f64; 3]; 3],
    /// Of a free root.
    pub(super) factor: Cholesky,
}

/// Pose of a body: its centre of mass, and its frame.
pub(super) type Place = (DVec3, DQuat);

impl Link {
    /// What holds a link by a kind of joint.
    pub(super) fn hold_of(kind: &JointKind) -> (Hold, usize) {
        match kind {
            JointKind::Hinge => (Hold::Hinge, 1),
            JointKind::Slider => (Hold::Slider, 1),
            JointKind::Ball => (Hold::Ball, 3),
            JointKind::Universal => (Hold::Universal, 2),
            _ => (Hold::Fixed, 0),
        }
    }

    /// The joint that carries it, with the link and what carries it at given poses.
    pub(super) fn joint_pose<'a>(&self, model: &Model<'a>, poses: [Place; 2]) -> Option<(&'a Joint, JointPose<'a>)> {
        let joint = (self.joint != NONE).then(|| model.joints.at(self.joint as usize)).flatten()?;
        let ((x0, q0), (x1, q1)) = (poses[self.end], poses[1 - self.end]);
        let pose = JointPose {
            frames: &joint.frames,
            centers: [x0, x1],
            rotations: [q0, q1],
            reference_rotation: DQuat::IDENTITY,
        };
        Some((joint, pose))
    }

    /// Arms and motions at its pose and that of what carries it. Velocities of motions are the joint's rates, first body against second.
    pub(super) fn place(&mut self, model: &Model, poses: [Place; 2]) {
        let Some(body) = model.bodies.at(self.slot as usize) else { return };
        let (_, rotation) = poses[0];
        self.axes = DMat3::from_quat(rotation * body.mass.axes);
        let Some((_, pose)) = self.joint_pose(model, poses) else { return };
        let sign = if self.end == 0 { 1.0 } else { -1.0 };
        let arm = pose.arm(self.end);
        self.arm = arm;
        self.to_parent = if self.hold == Hold::Slider {
            // The parent carries the point where the centre is.
            pose.centers[1 - self.end] - pose.centers[self.end]
        } else {
            arm - pose.arm(1 - self.end)
        };
        let turn = |axis: DVec3| Spatial::new(DVec3::ZERO, sign * axis).velocity_at(-arm);
        match self.hold {
            Hold::Hinge => self.motions[0] = turn(pose.axis(1, 0)),
            Hold::Universal => {
                self.motions[0] = turn(pose.axis(0, 0));
                self.motions[1] = turn(pose.axis(1, 1));
            }
            Hold::Ball => self.motions = DVec3::AXES.map(turn),
            Hold::Slider => self.motions[0] = Spatial::new(sign * pose.axis(1, 0), DVec3::ZERO),
            Hold::Free | Hold::Welded | Hold::Fixed => {}
        }
    }

    /// Inertia about the centre of mass, world axes.
    pub(super) fn inertia(&self) -> DMat3 {
        self.axes * DMat3::from_diagonal(self.moments) * self.axes.transpose()
    }

    /// Displacement of its anchor, and its turn, that close its joint, after [`Self::place`] at the same pose.
    pub(super) fn gap(&self, joint: &Joint, pose: &JointPose) -> (DVec3, DVec3) {
        let (own, other) = (self.end, 1 - self.end);
        let sign = if own == 0 { 1.0 } else { -1.0 };
        let turn = match self.hold {
            // The motion is along the axis of the second body.
            Hold::Hinge => pose.axis(0, 0).cross(self.motions[0].angular),
            Hold::Fixed | Hold::Slider => -sign * pose.orientation_error(),
            Hold::Universal => {
                let (first, second) = (sign * self.motions[0].angular, sign * self.motions[1].angular);
                let cross = first.cross(second);
                let frames = &joint.frames;
                let wanted = frames.axes[0][0].dot(frames.relative.conjugate() * frames.axes[1][1]);
                -sign * (first.dot(second) - wanted) / cross.length_squared().max(f64::EPSILON) * cross
            }
            Hold::Free | Hold::Welded | Hold::Ball => DVec3::ZERO,
        };
        let mut way = pose.centers[other] - pose.centers[own];
        if self.hold == Hold::Slider {
            way += pose.arm(other) - self.arm;
            let axis = self.motions[0].linear;
            way -= axis * axis.dot(way);
        } else {
            way -= self.to_parent;
        }
        (way, turn)
    }
}
