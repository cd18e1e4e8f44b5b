//! Frames of scene graphs: rotations, translations and scales one within the other.

use stiction::math::{DMat3, DQuat, DVec3, Pose};

/// A frame in its outermost one: first `linear`, then `pose`. As long as scales are the same in all directions, or no
/// rotation follows one that is not, `linear` is diagonal and every rotation is part of the pose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) pose: Pose,
    linear: DMat3,
}

impl Frame {
    pub(crate) const IDENTITY: Self = Self { pose: Pose::IDENTITY, linear: DMat3::IDENTITY };

    /// The scales of the axes if `linear` is nothing else.
    fn scales(&self) -> Option<DVec3> {
        let l = &self.linear;
        let diagonal = DVec3::new(l.x_axis.x, l.y_axis.y, l.z_axis.z);
        (*l == DMat3::from_diagonal(diagonal)).then_some(diagonal)
    }

    /// A frame placed in this one.
    pub(crate) fn child(&self, translation: DVec3, rotation: DQuat) -> Self {
        let scales = self.scales();
        let moved = scales.map_or_else(|| self.linear * translation, |scales| translation * scales);
        let is_uniform = scales.is_some_and(|s| s == DVec3::splat(s.x));
        if is_uniform || rotation == DQuat::IDENTITY {
            let local = Pose { position: moved, rotation };
            return Self { pose: self.pose.compose(&local), linear: self.linear };
        }
        let local = Pose::from_position(moved);
        Self { pose: self.pose.compose(&local), linear: self.linear * DMat3::from_quat(rotation) }
    }

    /// The same with other units along its axes.
    pub(crate) fn scaled(&self, scale: DVec3) -> Self {
        Self { linear: self.linear * DMat3::from_diagonal(scale), ..*self }
    }

    /// A whole frame placed in this one.
    pub(crate) fn followed_by(&self, inner: &Self) -> Self {
        let placed = self.child(inner.pose.position, inner.pose.rotation);
        Self { linear: placed.linear * inner.linear, ..placed }
    }

    /// The same at the origin: a named node of a file stands there whatever is around it.
    pub(crate) fn at_origin(&self) -> Self {
        Self { pose: Pose { position: DVec3::ZERO, ..self.pose }, ..*self }
    }

    /// A rigid pose and scales along its axes that are the same, if there are such: the columns of `linear` are then
    /// perpendicular.
    pub(crate) fn decomposed(&self) -> Option<(Pose, DVec3)> {
        if let Some(scales) = self.scales() {
            return Some((self.pose, scales));
        }
        let axes = [self.linear.x_axis, self.linear.y_axis, self.linear.z_axis];
        let lengths = axes.map(DVec3::length);
        let is_square = [(0, 1), (1, 2), (0, 2)]
            .into_iter()
            .all(|(i, k)| libm::fabs(axes[i].dot(axes[k])) <= 1e-12 * lengths[i] * lengths[k]);
        if !is_square || lengths.contains(&0.0) {
            return None;
        }
        // A mirror is a negative scale of the last axis.
        let sign = 1.0_f64.copysign(self.linear.determinant());
        let scales = DVec3::new(lengths[0], lengths[1], sign * lengths[2]);
        let turn = DMat3::from_cols(axes[0] / scales.x, axes[1] / scales.y, axes[2] / scales.z);
        let rotation = DQuat::from_mat3(&turn).normalize();
        Some((Pose { rotation: self.pose.rotation * rotation, ..self.pose }, scales))
    }

    /// What comes before the pose.
    pub(crate) const fn linear(&self) -> &DMat3 {
        &self.linear
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point of a frame in the outermost one.
    fn place(frame: &Frame, point: DVec3) -> DVec3 {
        frame.pose.point(*frame.linear() * point)
    }

    #[test]
    fn frames_compose_as_their_matrices_do() {
        let turns = [DVec3::X, DVec3::new(1.0, 2.0, 3.0), DVec3::NEG_Y].map(DVec3::normalize);
        let scales = [DVec3::splat(2.0), DVec3::new(1.0, 3.0, 0.5), DVec3::new(-1.0, 2.0, 2.0)];
        let point = DVec3::new(0.3, -0.7, 1.1);
        for (k, first) in scales.iter().enumerate() {
            for second in scales {
                let (mut frame, mut linear, mut origin) = (Frame::IDENTITY, DMat3::IDENTITY, DVec3::ZERO);
                for (axis, scale) in turns.into_iter().zip([*first, second, DVec3::ONE]) {
                    let (turn, shift) = (DQuat::from_axis_angle(axis, 0.4 + k as f64), DVec3::new(1.0, 2.0, 3.0));
                    frame = frame.child(shift, turn).scaled(scale);
                    origin += linear * shift;
                    linear = linear * DMat3::from_quat(turn) * DMat3::from_diagonal(scale);
                }
                assert!(place(&frame, point).distance(origin + linear * point) < 1e-12);
                if let Some((pose, scales)) = frame.decomposed() {
                    assert!(pose.point(point * scales).distance(origin + linear * point) < 1e-12);
                }
            }
        }
    }

    #[test]
    fn a_right_angle_after_unequal_scales_is_no_shear() {
        let turn = DQuat::from_rotation_z(core::f64::consts::FRAC_PI_2);
        let frame = Frame::IDENTITY.scaled(DVec3::new(2.0, 3.0, -4.0)).child(DVec3::ZERO, turn);
        let (pose, scales) = frame.decomposed().unwrap();
        let point = DVec3::new(1.0, 10.0, 100.0);
        assert!(pose.point(point * scales).distance(DVec3::new(-20.0, 3.0, -400.0)) < 1e-9);
        let sheared = Frame::IDENTITY.scaled(DVec3::new(2.0, 3.0, 4.0)).child(DVec3::ZERO, DQuat::from_rotation_z(0.5));
        assert!(sheared.decomposed().is_none());
    }
}
