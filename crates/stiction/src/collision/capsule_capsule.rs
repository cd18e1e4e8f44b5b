//! Capsule against capsule: the distance of two segments.

use glam::DVec3;

use super::{ContactQuery, ManifoldPoint, convex::Couple, manifold, side_by_side::side_by_side};
use crate::{math::Pose, shape::Shape};

pub(super) fn capsule_capsule(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    query: &ContactQuery,
    out: &mut Vec<ManifoldPoint>,
) {
    let (Shape::Capsule(first), Shape::Capsule(second)) = (a, b) else { return };
    let couple = Couple::new(a, pose_a, b, pose_b);
    if query.whole_faces && side_by_side(&couple, query, out) {
        return;
    }
    let (u, v) = (couple.a.rotation.z_axis, couple.b.rotation.z_axis);
    let half_a = u * first.half_length;
    let half_b = v * second.half_length;
    let (p, q) = nearest_on_segments(
        (couple.a.position - half_a, couple.a.position + half_a),
        (couple.b.position - half_b, couple.b.position + half_b),
    );
    let between = p - q;
    let distance = between.length();
    let radius = first.radius + second.radius;
    let least = couple.least(query);
    if radius - distance < least {
        return;
    }
    let normal = if distance > 1e-12 * couple.size {
        between / distance
    } else {
        // The axes cross, or lie in one line: separate across both.
        u.cross(v).try_normalize().unwrap_or_else(|| u.any_orthonormal_vector())
    };
    manifold::points(&couple, normal, radius - distance, (least, false), out);
}

/// Nearest points of two segments. On parallel ones the middle of the overlap, so that no end is favoured.
pub(super) fn nearest_on_segments(a: (DVec3, DVec3), b: (DVec3, DVec3)) -> (DVec3, DVec3) {
    let (da, db, r) = (a.1 - a.0, b.1 - b.0, a.0 - b.0);
    let (aa, bb, ab) = (da.length_squared(), db.length_squared(), da.dot(db));
    let (ar, br) = (da.dot(r), db.dot(r));
    let determinant = aa * bb - ab * ab;
    let s = if determinant > 1e-14 * aa * bb {
        (ab * br - bb * ar) / determinant
    } else if aa > 0.0 {
        // Ends of b on a, cut to a.
        let (s0, s1) = (-ar / aa, (ab - ar) / aa);
        0.5 * (s0.min(s1).clamp(0.0, 1.0) + s0.max(s1).clamp(0.0, 1.0))
    } else {
        0.0
    }
    .clamp(0.0, 1.0);
    let t = if bb > 0.0 { ((ab * s + br) / bb).clamp(0.0, 1.0) } else { 0.0 };
    let s = if aa > 0.0 && determinant > 1e-14 * aa * bb { ((ab * t - ar) / aa).clamp(0.0, 1.0) } else { s };
    (a.0 + da * s, b.0 + db * t)
}
