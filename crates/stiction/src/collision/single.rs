//! One contact point of a pair, as Drake's point contact has it: the deepest, or the middle of what touches flat.
//!
//! Against a half-space the rules are those that Drake's primitives show: the middle of a face or line that is parallel
//! to the surface, with the depth of its deepest point, else the deepest corner or end. The point jumps between the two:
//! a box on one point rocks, which is why Drake's users give it corner spheres, and why whole manifolds are the default
//! elsewhere.

use glam::DVec3;

use super::{ContactQuery, ManifoldPoint};
use crate::{math::Pose, shape::Shape};

/// A face is parallel to the half-space within this of the cosine (4.5e-4 rad).
const PARALLEL_FACE: f64 = 1e-7;
/// A line is parallel to the half-space within this angle \[rad\].
const PARALLEL_LINE: f64 = 7e-8;
/// Points as deep as the deepest, relative to the depth: rounding.
const AS_DEEP: f64 = 1e-9;

/// The one point of two shapes, of what margin and sides the query says; `out` is cleared first. Normal and depth as of [`super::collide`].
pub fn collide(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, query: &ContactQuery, out: &mut Vec<ManifoldPoint>) {
    out.clear();
    let found = match (a, b) {
        // A sphere has its one point below.
        (Shape::Sphere(_), _) | (_, Shape::Sphere(_)) => None,
        (_, Shape::Plane(_)) => lowest(a, pose_a, b, pose_b).map(|p| (p, 1.0)),
        (Shape::Plane(_), _) => lowest(b, pose_b, a, pose_a).map(|p| (p, -1.0)),
        _ => None,
    };
    if let Some((point, sign)) = found {
        if point.depth >= -query.margin {
            out.push(ManifoldPoint { normal: point.normal * sign, ..point });
        }
        return;
    }
    super::collide(a, pose_a, b, pose_b, &ContactQuery { max_points: usize::MAX, inner: false, ..*query }, out);
    middle_of_deepest(out);
}

/// Keeps the deepest point; of several as deep their middle.
fn middle_of_deepest(points: &mut Vec<ManifoldPoint>) {
    if let [point] = &mut points[..] {
        point.feature = 0;
        return;
    }
    let Some(deepest) = points.iter().map(|p| p.depth).reduce(f64::max) else { return };
    points.retain(|p| p.depth >= deepest - AS_DEEP * deepest.abs());
    let count = points.len() as f64;
    let position = points.iter().map(|p| p.position).sum::<DVec3>() / count;
    points.truncate(1);
    points[0].position = position;
    points[0].depth = deepest;
    points[0].feature = 0;
}

/// Lowest point of a box, cylinder or capsule over a half-space; `None` for other shapes.
fn lowest(solid: &Shape, pose: &Pose, plane: &Shape, plane_pose: &Pose) -> Option<ManifoldPoint> {
    let Shape::Plane(plane) = plane else { return None };
    let (normal, _) = plane.at(plane_pose);
    let up = pose.rotation.conjugate() * normal;
    // The point of the solid, in its frame, and the deepest one, whose depth counts.
    let (point, deepest) = match solid {
        Shape::Box(cuboid) => {
            let corner = -cuboid.half_extents * DVec3::new(sign(up.x), sign(up.y), sign(up.z));
            let flat = (0..3).find(|i| up[*i].abs() > 1.0 - PARALLEL_FACE);
            (flat.map_or(corner, |axis| DVec3::AXES[axis] * corner[axis]), corner)
        }
        Shape::Cylinder(cylinder) => {
            let radial = DVec3::new(up.x, up.y, 0.0);
            let end = -sign(up.z) * cylinder.half_length;
            let side = -radial.normalize_or_zero() * cylinder.radius;
            let rim = side.with_z(end);
            if up.z.abs() < PARALLEL_LINE {
                (side, rim)
            } else if up.z.abs() > 1.0 - PARALLEL_FACE {
                (DVec3::Z * end, rim)
            } else {
                (rim, rim)
            }
        }
        Shape::Capsule(capsule) => {
            let end = DVec3::Z * (-sign(up.z) * capsule.half_length);
            let line = if up.z.abs() < PARALLEL_LINE { DVec3::ZERO } else { end };
            (line - up * capsule.radius, end - up * capsule.radius)
        }
        _ => return None,
    };
    let offset = plane.offset + normal.dot(plane_pose.position - pose.position);
    let depth = offset - normal.dot(pose.rotation * deepest);
    let position = pose.position + pose.rotation * point + normal * (0.5 * depth);
    Some(ManifoldPoint::new(position, normal, depth, 0))
}

/// 1 or −1; 1 at zero.
fn sign(x: f64) -> f64 {
    if x >= 0.0 { 1.0 } else { -1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    fn on_ground(solid: &Shape, pose: &Pose) -> ManifoldPoint {
        let plane = Shape::plane(DVec3::Z, 0.0).unwrap();
        let mut out = Vec::new();
        collide(solid, pose, &plane, &Pose::IDENTITY, &ContactQuery::default(), &mut out);
        let first = out[0];
        collide(&plane, &Pose::IDENTITY, solid, pose, &ContactQuery::default(), &mut out);
        assert_eq!((out.len(), out[0].normal, out[0].position), (1, -first.normal, first.position));
        first
    }

    #[test]
    fn a_box_has_its_face_centre_while_parallel_and_a_corner_when_tilted() {
        let cuboid = Shape::cuboid(DVec3::new(0.4, 0.2, 0.1)).unwrap();
        let at = |angle: f64| Pose::new(DVec3::Z * 0.0499, DQuat::from_rotation_y(angle));
        let flat = on_ground(&cuboid, &at(0.0));
        assert!((flat.position - DVec3::Z * -0.00005).length() < 1e-12 && (flat.depth - 1e-4).abs() < 1e-12);
        // Parallel still: the middle, as deep as the deepest corner.
        let near = on_ground(&cuboid, &at(4e-4));
        assert!(near.position.x.abs() < 1e-4 && (near.depth - (1e-4 + 0.2 * 4e-4)).abs() < 1e-7);
        let tilted = on_ground(&cuboid, &at(5e-4));
        assert!((tilted.position.x - 0.2).abs() < 1e-3 && tilted.position.y.abs() > 0.09);
    }

    #[test]
    fn a_lying_cylinder_and_capsule_have_the_middle_of_their_line() {
        for solid in [Shape::cylinder(0.05, 0.12).unwrap(), Shape::capsule(0.05, 0.12).unwrap()] {
            let at =
                |tilt: f64| Pose::new(DVec3::Z * 0.049, DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2 + tilt));
            assert!(on_ground(&solid, &at(0.0)).position.y.abs() < 1e-12);
            assert!((on_ground(&solid, &at(1e-6)).position.y.abs() - 0.06).abs() < 1e-6);
        }
    }

    #[test]
    fn two_boxes_face_to_face_have_the_middle_of_the_overlap() {
        let cuboid = Shape::cuboid(DVec3::ONE).unwrap();
        let mut out = Vec::new();
        let upper = Pose::from_position(DVec3::new(0.5, 0.0, 0.999));
        collide(&cuboid, &upper, &cuboid, &Pose::IDENTITY, &ContactQuery::default(), &mut out);
        assert_eq!(out.len(), 1);
        assert!((out[0].position.truncate() - glam::DVec2::new(0.25, 0.0)).length() < 1e-9);
    }
}
