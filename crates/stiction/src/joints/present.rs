//! Offsets: a joint that is made as if its bodies stood at given positions of its motions.
//!
//! Displacements `d·(p₁ − p₂)` move the second anchor back along d. An angle turns the relative rotation from which angles
//! count, `R₂ᵀ R₁ = Rot(axis, θ) relative`. Which of them a kind has is in its file.

use glam::{DQuat, DVec3};

use super::{JointDefinition, JointFrames, kind};

impl JointFrames {
    /// Moves the zero of the motions so that the present positions are those of the definition.
    pub(crate) fn shift(&mut self, definition: &JointDefinition) {
        let positions = definition.present_positions;
        if positions == [0.0; 3] {
            return;
        }
        (kind::of(&definition.kind).shift)(self, &definition.kind, positions);
    }

    /// An axis of the first body where it stands now, as the second body sees it. Call it before turns.
    pub(super) fn now(&self, axis: usize) -> DVec3 {
        self.relative * self.axes[0][axis]
    }

    /// The displacement along a direction of the second body is `position` now.
    pub(super) fn slide(&mut self, direction: DVec3, position: f64) {
        self.anchors[1] -= direction * position;
    }

    /// The angle about an axis of the second body is `angle` now.
    pub(super) fn turn(&mut self, axis: usize, angle: f64) {
        self.relative = DQuat::from_axis_angle(self.axes[1][axis], -angle) * self.relative;
    }

    /// The two angles of a universal joint: `R₂ᵀ R₁ = Rot(a₁, θ₁) relative Rot(a₀, θ₀)`, a₁ in the second body, a₀ in the
    /// first.
    pub(super) fn cross(&mut self, first: f64, second: f64) {
        self.turn(1, second);
        self.relative *= DQuat::from_axis_angle(self.axes[0][0], -first);
    }
}
