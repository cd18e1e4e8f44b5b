//! Box against box: separating axes.

use glam::DVec3;

use super::{ContactQuery, ManifoldPoint, convex::Couple, manifold};
use crate::{math::Pose, shape::Shape};

/// An edge axis must beat the best face by this part, so that resting boxes keep to their faces.
const FACE_BIAS: f64 = 0.01;

/// The 15 axes: with t between the centres and `C = Rₐᵀ R_b`, overlap along the unit axis l is
/// `Σ aᵢ |l·Aᵢ| + Σ bⱼ |l·Bⱼ| - |l·t|`.
pub(super) fn box_box(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    query: &ContactQuery,
    out: &mut Vec<ManifoldPoint>,
) {
    let (Shape::Box(first), Shape::Box(second)) = (a, b) else { return };
    let couple = Couple::new(a, pose_a, b, pose_b);
    let least = couple.least(query);
    let (ra, rb) = (couple.a.rotation, couple.b.rotation);
    let (ha, hb) = (first.half_extents, second.half_extents);
    let between = couple.a.position - couple.b.position;
    // In a's axes.
    let c = ra.transpose() * rb;
    let t = ra.transpose() * between;
    let t_b = rb.transpose() * between;
    let slack = 1e-9 * couple.size;
    let mut best = (f64::INFINITY, DVec3::X);
    for i in 0..3 {
        let reach = ha[i] + hb.x * c.x_axis[i].abs() + hb.y * c.y_axis[i].abs() + hb.z * c.z_axis[i].abs();
        let depth = reach - t[i].abs();
        if depth < least {
            return;
        }
        if depth < best.0 - slack {
            best = (depth, ra.col(i) * 1.0f64.copysign(t[i]));
        }
    }
    for j in 0..3 {
        let depth = hb[j] + ha.dot(c.col(j).abs()) - t_b[j].abs();
        if depth < least {
            return;
        }
        if depth < best.0 - slack {
            best = (depth, rb.col(j) * 1.0f64.copysign(t_b[j]));
        }
    }
    let face = best.0;
    let to_beat = face - FACE_BIAS * face.abs() - slack;
    for i in 0..3 {
        for j in 0..3 {
            // Eᵢ × Cⱼ in a's axes; |l·Aₖ| and |l·Bₖ| follow from the entries of C.
            let axis = DVec3::AXES[i].cross(c.col(j));
            // The overlap times the length of the axis needs no root: most are so large that they neither part the boxes nor beat the best.
            let bound = least.max(to_beat.min(best.0 - slack)).max(0.0) + slack;
            let overlap = ha.dot(axis.abs()) + hb.dot((c.transpose() * axis).abs()) - axis.dot(t).abs();
            if overlap > 0.0 && overlap * overlap > bound * bound * axis.length_squared() {
                continue;
            }
            let length = axis.length();
            if length < 1e-6 {
                continue;
            }
            let l = axis / length;
            let l_b = c.transpose() * l;
            let along = l.dot(t);
            let depth = ha.dot(l.abs()) + hb.dot(l_b.abs()) - along.abs();
            if depth < least {
                return;
            }
            if depth < to_beat && depth < best.0 - slack {
                best = (depth, ra * (l * 1.0f64.copysign(along)));
            }
        }
    }
    manifold::points_of_boxes(&couple, [first, second], best.1, best.0, least, out);
}
