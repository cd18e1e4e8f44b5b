//! Contact points that move steadily as the shapes do: whole faces where faces touch, and on a line one point in the middle
//! of its pressure.
//!
//! The one point of [`super::single`] jumps from end to end of a face or line that rocks, so that the force on the body jumps
//! too and continuous time comes to no end. On a line of even stiffness that is pressed in by d₁ at one end and d₂ at
//! the other the point here is `(d₁ p₁ + d₂ p₂) / (d₁ + d₂)` with the depth of the deeper end: Drake's point where the
//! line is parallel to the face or touches with one end.

use glam::DVec3;

use super::{ContactQuery, ManifoldPoint, collide, single};
use crate::{math::Pose, shape::Shape};

/// Cosine between the axis and the normal from which a cylinder or cone touches with its flat end.
const END: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// Points whose normals differ by less are on one face \[rad\].
const ONE_FACE: f64 = 1e-6;

/// How a shape touches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Touch {
    /// With flat faces.
    Face,
    /// With a straight line of its side.
    Line,
    /// With a point.
    Point,
}

/// Points of two shapes, of what margin and sides the query says; `out` is cleared first. Normal and depth as of
/// [`super::collide`].
pub fn collide_steadily(
    [a, b]: [&Shape; 2],
    [pose_a, pose_b]: [&Pose; 2],
    query: &ContactQuery,
    out: &mut Vec<ManifoldPoint>,
) {
    if is_round(a) || is_round(b) {
        single::collide(a, pose_a, b, pose_b, query, out);
        return;
    }
    let has_lines = |shape| touch(shape, &Pose::IDENTITY, DVec3::X) == Touch::Line;
    let all = ContactQuery { max_points: usize::MAX, inner: false, ..*query };
    let is_flat = !has_lines(a) && !has_lines(b);
    collide(a, pose_a, b, pose_b, if is_flat { query } else { &all }, out);
    if is_flat {
        return;
    }
    let Some(normal) = out.first().map(|point| point.normal).filter(|_| out.len() > 1) else { return };
    let touches = [touch(a, pose_a, -normal), touch(b, pose_b, normal)];
    if touches == [Touch::Face; 2] {
        collide(a, pose_a, b, pose_b, query, out);
    } else if out.iter().all(|point| (point.normal - normal).length() < ONE_FACE) {
        middle_of_pressure(out);
    } else {
        single::collide(a, pose_a, b, pose_b, query, out);
    }
}

/// Touches in one point wherever it touches.
fn is_round(shape: &Shape) -> bool {
    touch(shape, &Pose::IDENTITY, DVec3::Z) == Touch::Point
}

/// How a shape touches what lies in a direction of the world.
fn touch(shape: &Shape, pose: &Pose, outward: DVec3) -> Touch {
    let along = outward.dot(pose.rotation * DVec3::Z);
    match shape {
        Shape::Box(_) | Shape::ConvexHull(_) | Shape::TriangleMesh(_) | Shape::Plane(_) | Shape::Heightfield(_) => {
            Touch::Face
        }
        Shape::Cylinder(_) if along.abs() > END => Touch::Face,
        // The base is below, the tip above.
        Shape::Cone(_) if along < -END => Touch::Face,
        Shape::Cylinder(_) | Shape::Cone(_) | Shape::Capsule(_) => Touch::Line,
        _ => Touch::Point,
    }
}

/// Keeps one point, in the middle of the points by their depths, as deep as the deepest.
fn middle_of_pressure(points: &mut Vec<ManifoldPoint>) {
    let Some(deepest) = points.iter().copied().reduce(|a, b| if b.depth > a.depth { b } else { a }) else { return };
    let pressure: f64 = points.iter().map(|p| p.depth.max(0.0)).sum();
    let moment: DVec3 = points.iter().map(|p| p.depth.max(0.0) * p.position).sum();
    let position = if pressure > 0.0 { moment / pressure } else { deepest.position };
    points.clear();
    points.push(ManifoldPoint { position, feature: 0, ..deepest });
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;
    use std::f64::consts::FRAC_PI_2;

    fn on_plane(shape: &Shape, height: f64, rotation: DQuat) -> Vec<ManifoldPoint> {
        let plane = Shape::plane(DVec3::Z, 0.0).unwrap();
        let pose = Pose::new(height * DVec3::Z, rotation);
        let mut out = Vec::new();
        collide_steadily([shape, &plane], [&pose, &Pose::IDENTITY], &ContactQuery::default(), &mut out);
        out
    }

    /// The parallel line and the one end are Drake's; between them the point moves without a jump.
    #[test]
    fn the_point_of_a_line_moves_steadily() {
        for shape in [Shape::cylinder(0.05, 0.2).unwrap(), Shape::capsule(0.05, 0.2).unwrap()] {
            let lying = |tilt: f64| on_plane(&shape, 0.049, DQuat::from_rotation_y(FRAC_PI_2 + tilt));
            let [flat] = lying(0.0)[..] else { panic!("{:?}", lying(0.0)) };
            assert!((flat.position - DVec3::Z * -5e-4).length() < 1e-12 && (flat.depth - 1e-3).abs() < 1e-12);
            let mut last = flat;
            for k in 1..=400 {
                let [point] = lying(5e-5 * f64::from(k))[..] else { panic!("{k}") };
                assert!((point.position - last.position).length() < 2e-3, "{k}: {point:?} after {last:?}");
                last = point;
            }
            assert!((last.position.x - 0.1).abs() < 2e-3 && (last.depth - 3e-3).abs() < 1e-4, "{last:?}");
        }
    }

    #[test]
    fn ends_and_faces_have_all_points() {
        for (shape, height) in
            [(Shape::cylinder(0.05, 0.2).unwrap(), 0.0999), (Shape::cone(0.05, 0.2).unwrap(), 0.0999)]
        {
            assert!(on_plane(&shape, height, DQuat::IDENTITY).len() > 2);
        }
        assert_eq!(on_plane(&Shape::cuboid(DVec3::ONE).unwrap(), 0.4999, DQuat::IDENTITY).len(), 4);
        assert_eq!(on_plane(&Shape::ellipsoid(DVec3::new(1.0, 1.0, 0.5)).unwrap(), 0.4999, DQuat::IDENTITY).len(), 1);
    }
}
