//! Geometric utilities for user-defined collision code (the guide's 10.10).

use glam::{DMat3, DVec3};

use crate::math::Pose;
use crate::shape::Aabb;

/// The box without end, for classes without a better one.
pub const INFINITE_BOX: Aabb = Aabb::INFINITE;

/// Nearest points of two segments \[m\]: on the first and on the second. Of parallel ones, where there are many, a pair
/// with an end of at least one segment. Segments may be points.
///
/// With `a(s) = a₀ + s u`, `b(t) = b₀ + t v` the nearest points of the lines solve
/// `u·u s − u·v t = −u·r`, `u·v s − v·v t = −v·r`, `r = a₀ − b₀`; s is cut to 0 … 1 first, then t, then s again
/// (Ericson, Real-Time Collision Detection, 5.1.9).
#[must_use]
pub fn closest_points_of_segments(a: [DVec3; 2], b: [DVec3; 2]) -> [DVec3; 2] {
    let (u, v, r) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let (uu, vv, uv) = (u.length_squared(), v.length_squared(), u.dot(v));
    let (ur, vr) = (u.dot(r), v.dot(r));
    let cut = |x: f64| x.clamp(0.0, 1.0);
    let s_for = |t: f64| if uu > 0.0 { cut((uv * t - ur) / uu) } else { 0.0 };
    let determinant = uu * vv - uv * uv;
    // Parallel: the start of the first, whose nearest point may be an end of the second.
    let s = if determinant > 1e-14 * uu * vv { cut((uv * vr - vv * ur) / determinant) } else { 0.0 };
    let t = if vv > 0.0 { (uv * s + vr) / vv } else { 0.0 };
    let (s, t) = if (0.0..=1.0).contains(&t) && vv > 0.0 { (s, t) } else { (s_for(cut(t)), cut(t)) };
    [a[0] + s * u, b[0] + t * v]
}

/// Whether two boxes touch, given by the poses of their centres and their side lengths \[m\].
///
/// They are apart if one of 15 axes separates them: the faces of both and the products of their edges.
#[must_use]
pub fn box_touches_box(first: (&Pose, DVec3), second: (&Pose, DVec3)) -> bool {
    let rotations = [first.0, second.0].map(|pose| DMat3::from_quat(pose.rotation));
    let halves = [0.5 * first.1, 0.5 * second.1];
    let between = second.0.position - first.0.position;
    let is_apart = |axis: DVec3| {
        let reach = |k: usize| (0..3).map(|i| halves[k][i] * axis.dot(rotations[k].col(i)).abs()).sum::<f64>();
        axis.dot(between).abs() > reach(0) + reach(1)
    };
    let edges = (0..9).map(|k| rotations[0].col(k / 3).cross(rotations[1].col(k % 3)));
    // Edges that are parallel up to rounding give no axis; the faces decide there.
    let edges = edges.filter(|axis| axis.length_squared() > 1e-20);
    let faces = (0..6).map(|k| rotations[k / 3].col(k % 3));
    !faces.chain(edges).any(is_apart)
}
