//! How the ends of a line share the stiffness of a pair.
//!
//! The side of a cylinder or capsule touches a flat face along a line, for which its two ends stand. With the whole stiffness at each
//! of them it would sink in half as deep as on the one point in the middle that Drake has; with half of it the two
//! are the same while the line is parallel to the face, and a line that rocks between its ends keeps its energy.

use glam::DVec3;

use crate::{math::Pose, shape::Shape};

/// Part of the stiffness that each point of a pair has: ½ on a side, more with the sine s of the tilt, `½ (1 + 2 s²)`, and all of it
/// from 45° on, where ends and rims touch. The normal points into the first shape.
pub(crate) fn share_of_ends([a, b]: [&Shape; 2], [pose_a, pose_b]: [&Pose; 2], normal: DVec3) -> f64 {
    let pose = match (has_line(a), has_line(b)) {
        (true, false) if is_flat(b) => pose_a,
        (false, true) if is_flat(a) => pose_b,
        _ => return 1.0,
    };
    let sine = normal.dot(pose.rotation * DVec3::Z);
    (0.5 + sine * sine).min(1.0)
}

const fn has_line(shape: &Shape) -> bool {
    matches!(shape, Shape::Cylinder(_) | Shape::Capsule(_))
}

const fn is_flat(shape: &Shape) -> bool {
    matches!(shape, Shape::Box(_) | Shape::ConvexHull(_) | Shape::Plane(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    #[test]
    fn lines_share_and_ends_do_not() {
        let plane = Shape::plane(DVec3::Z, 0.0).unwrap();
        for shape in [Shape::cylinder(0.1, 0.4).unwrap(), Shape::capsule(0.1, 0.4).unwrap()] {
            let at = |tilt: f64| {
                let pose = Pose::new(DVec3::Z, DQuat::from_rotation_x(tilt));
                let share = share_of_ends([&shape, &plane], [&pose, &Pose::IDENTITY], DVec3::Z);
                assert_eq!(share, share_of_ends([&plane, &shape], [&Pose::IDENTITY, &pose], -DVec3::Z));
                share
            };
            assert!((at(std::f64::consts::FRAC_PI_2) - 0.5).abs() < 1e-12);
            assert!((at(std::f64::consts::FRAC_PI_3) - 0.75).abs() < 1e-12);
            assert_eq!((at(0.7), at(0.0)), (1.0, 1.0));
            let ball = Shape::sphere(1.0).unwrap();
            assert_eq!(share_of_ends([&shape, &ball], [&Pose::IDENTITY; 2], DVec3::X), 1.0);
        }
    }
}
