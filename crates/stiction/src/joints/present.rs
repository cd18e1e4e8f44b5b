//! Offsets: a joint that is made as if its bodies stood at given positions of its motions.
//!
//! Displacements `d·(p₁ − p₂)` move the second anchor back along d. An angle turns the relative rotation from which angles
//! count, `R₂ᵀ R₁ = Rot(axis, θ) relative`.

use glam::{DQuat, DVec3};

use super::{AxisFrame, JointDefinition, JointFrames, JointKind};

impl JointFrames {
    /// Moves the zero of the motions so that the present positions are those of the definition.
    pub(crate) fn shift(&mut self, definition: &JointDefinition) {
        let positions = definition.present_positions;
        if positions == [0.0; 3] {
            return;
        }
        let [x, y, z] = positions;
        match definition.kind {
            JointKind::Hinge => self.turn(0, x),
            JointKind::Slider => self.slide(self.axes[1][0], x),
            JointKind::Screw { pitch } => {
                self.turn(0, x);
                self.slide(self.axes[1][0], pitch * x / std::f64::consts::TAU);
            }
            JointKind::Piston => {
                self.slide(self.axes[1][0], x);
                self.turn(0, y);
            }
            JointKind::PrismaticRotoide => {
                self.slide(self.now(0), x);
                self.turn(1, y);
            }
            JointKind::Universal | JointKind::Hinge2 => self.cross(x, y),
            JointKind::PrismaticUniversal => {
                self.slide(self.now(2), z);
                self.cross(x, y);
            }
            JointKind::Planar | JointKind::Plane2D => {
                self.slide(self.axes[1][1], x);
                self.slide(self.axes[1][2], y);
                self.turn(0, z);
            }
            JointKind::LinearMotor { count, frames } => {
                for axis in 0..count.min(3) {
                    let direction = if frames[axis] == AxisFrame::First { self.now(axis) } else { self.axes[1][axis] };
                    self.slide(direction, positions[axis]);
                }
            }
            JointKind::Gearbox { .. } => {
                for (axis, body) in [(0, 1), (1, 0)] {
                    let turn = DQuat::from_axis_angle(self.reference_axes[axis], -positions[axis]);
                    self.reference_relative[body] = turn * self.reference_relative[body];
                }
            }
            JointKind::Ball
            | JointKind::Fixed
            | JointKind::AngularMotor { .. }
            | JointKind::DoubleBall { .. }
            | JointKind::DoubleHinge { .. }
            | JointKind::Transmission { .. }
            | JointKind::Null => {}
        }
    }

    /// An axis of the first body where it stands now, as the second body sees it. Call it before turns.
    fn now(&self, axis: usize) -> DVec3 {
        self.relative * self.axes[0][axis]
    }

    /// The displacement along a direction of the second body is `position` now.
    fn slide(&mut self, direction: DVec3, position: f64) {
        self.anchors[1] -= direction * position;
    }

    /// The angle about an axis of the second body is `angle` now.
    fn turn(&mut self, axis: usize, angle: f64) {
        self.relative = DQuat::from_axis_angle(self.axes[1][axis], -angle) * self.relative;
    }

    /// The two angles of a universal joint: `R₂ᵀ R₁ = Rot(a₁, θ₁) relative Rot(a₀, θ₀)`, a₁ in the second body, a₀ in the
    /// first.
    fn cross(&mut self, first: f64, second: f64) {
        self.turn(1, second);
        self.relative *= DQuat::from_axis_angle(self.axes[0][0], -first);
    }
}
