//! Box against box: separating axes.
#![cfg_attr(
    target_arch = "x86_64",
    allow(unsafe_code, reason = "the call of a function that is compiled for features that the processor has")
)]

use glam::{DMat3, DVec3};

#[cfg(target_arch = "x86_64")]
use super::box_four::Axes;
use super::{ContactQuery, ManifoldPoint, convex::Couple, manifold, placed::Placed};
use crate::{
    math::Pose,
    shape::{Cuboid, Shape},
};

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
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has the feature.
        unsafe { by_four(&couple, [first, second], (least, query.whole_faces), out) }
        return;
    }
    plainly(&couple, [first, second], (least, query.whole_faces), out);
}

/// The axis that parts two boxes most, as far as they have been looked at.
struct Search<'a> {
    rotation: &'a DMat3,
    half: [DVec3; 2],
    c: DMat3,
    /// Between the centres, in the first box's axes.
    t: DVec3,
    least: f64,
    slack: f64,
    best: (f64, DVec3),
    /// The best one of the faces.
    of_faces: DVec3,
    to_beat: f64,
}

impl Search<'_> {
    /// Appends the points of faces that nearly lie on each other where two of their edges part the boxes most; false if there are none.
    #[inline(always)]
    fn push_faces(&self, couple: &Couple<Placed, Placed>, boxes: [&Cuboid; 2], out: &mut Vec<ManifoldPoint>) -> bool {
        let (edges, faces) = (self.best.1, self.of_faces);
        edges != faces
            && manifold::is_nearly(edges, faces)
            && manifold::faces_of_boxes(couple, boxes, faces, self.least, out)
    }

    /// The overlap times the length of an axis needs no root: most are so large that they neither part the boxes nor beat the best.
    #[inline(always)]
    fn bound(&self) -> f64 {
        self.least.max(self.to_beat.min(self.best.0 - self.slack)).max(0.0) + self.slack
    }

    /// Looks at the axis across an edge of each; returns whether it parts the boxes. `Eᵢ × Cⱼ` in the first box's axes; |l·Aₖ| and |l·Bₖ|
    /// follow from the entries of C.
    #[inline(always)]
    fn is_parted_across(&mut self, i: usize, j: usize) -> bool {
        let Self { c, t, half: [ha, hb], least, slack, to_beat, .. } = *self;
        let axis = DVec3::AXES[i].cross(c.col(j));
        let bound = self.bound();
        let overlap = ha.dot(axis.abs()) + hb.dot((c.transpose() * axis).abs()) - axis.dot(t).abs();
        if overlap > 0.0 && overlap * overlap > bound * bound * axis.length_squared() {
            return false;
        }
        let length = axis.length();
        if length < 1e-6 {
            return false;
        }
        let l = axis / length;
        let l_b = c.transpose() * l;
        let along = l.dot(t);
        let depth = ha.dot(l.abs()) + hb.dot(l_b.abs()) - along.abs();
        if depth < least {
            return true;
        }
        if depth < to_beat && depth < self.best.0 - slack {
            self.best = (depth, *self.rotation * (l * 1.0f64.copysign(along)));
        }
        false
    }
}

/// Begins with the axes of the boxes: overlaps along them, the way between the centres along them, and `Rₐᵀ R_b`; `None` where one of them
/// parts the boxes.
#[inline(always)]
fn begin<'a>(
    couple: &'a Couple<Placed<'_>, Placed<'_>>,
    half: [DVec3; 2],
    least: f64,
    (depths, along): ([[f64; 4]; 2], [[f64; 4]; 2]),
    c: DMat3,
) -> Option<Search<'a>> {
    let slack = 1e-9 * couple.size;
    let mut best = (f64::INFINITY, DVec3::X);
    for (side, rotation) in [&couple.a.rotation, &couple.b.rotation].into_iter().enumerate() {
        for k in 0..3 {
            let depth = depths[side][k];
            if depth < least {
                return None;
            }
            if depth < best.0 - slack {
                best = (depth, rotation.col(k) * 1.0f64.copysign(along[side][k]));
            }
        }
    }
    let to_beat = best.0 - FACE_BIAS * best.0.abs() - slack;
    let [x, y, z, _] = along[0];
    let t = DVec3::new(x, y, z);
    Some(Search { rotation: &couple.a.rotation, half, c, t, least, slack, best, of_faces: best.1, to_beat })
}

fn plainly(
    couple: &Couple<Placed, Placed>,
    boxes: [&Cuboid; 2],
    (least, lasts): (f64, bool),
    out: &mut Vec<ManifoldPoint>,
) {
    let [ha, hb] = boxes.map(|cuboid| cuboid.half_extents);
    let (ra, rb) = (couple.a.rotation, couple.b.rotation);
    let between = couple.a.position - couple.b.position;
    let c = ra.transpose() * rb;
    let along = [ra.transpose() * between, rb.transpose() * between];
    let mut depths = [[0.0; 4]; 2];
    for k in 0..3 {
        let reach = ha[k] + hb.x * c.x_axis[k].abs() + hb.y * c.y_axis[k].abs() + hb.z * c.z_axis[k].abs();
        depths[0][k] = reach - along[0][k].abs();
        depths[1][k] = hb[k] + ha.dot(c.col(k).abs()) - along[1][k].abs();
    }
    let along = along.map(|along| [along.x, along.y, along.z, 0.0]);
    let Some(mut search) = begin(couple, [ha, hb], least, (depths, along), c) else { return };
    for i in 0..3 {
        for j in 0..3 {
            if search.is_parted_across(i, j) {
                return;
            }
        }
    }
    if lasts && search.push_faces(couple, boxes, out) {
        return;
    }
    let (depth, normal) = search.best;
    manifold::points_of_boxes(couple, boxes, (normal, depth), least, out);
}

/// As [`plainly`], four numbers side by side.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn by_four(
    couple: &Couple<Placed, Placed>,
    boxes: [&Cuboid; 2],
    (least, lasts): (f64, bool),
    out: &mut Vec<ManifoldPoint>,
) {
    let half = boxes.map(|cuboid| cuboid.half_extents);
    let axes =
        Axes::between_boxes([&couple.a.rotation, &couple.b.rotation], half, couple.a.position - couple.b.position);
    let Some(mut search) = begin(couple, half, least, (axes.depths, axes.along), axes.matrix()) else { return };
    // The bound only falls: an axis that is left out now would be later on.
    let bound = search.bound();
    for i in 0..3 {
        let mut some = axes.edges_within(i, half, bound);
        while some != 0 {
            if search.is_parted_across(i, some.trailing_zeros() as usize) {
                return;
            }
            some &= some - 1;
        }
    }
    if lasts && search.push_faces(couple, boxes, out) {
        return;
    }
    let (depth, normal) = search.best;
    manifold::points_of_boxes_by_four(couple, boxes, (normal, depth), least, out);
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use glam::{DQuat, dvec3};

    use super::*;

    #[test]
    fn four_numbers_side_by_side_have_the_bits_of_plain_ones() {
        if !std::arch::is_x86_feature_detected!("avx2") {
            return;
        }
        let mut number = 1u64;
        let mut random = move || {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (number >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let mut touching = 0;
        for round in 0..5000 {
            let [a, b] = [0; 2].map(|_| dvec3(0.3 + random().abs(), 0.3 + random().abs(), 0.3 + random().abs()));
            // Aligned, nearly aligned, and anyhow.
            let tilt = [0.0, 1e-9, 1e-5, 1e-3, 1.0][round % 5];
            let [p, q] = [0; 2].map(|_| DQuat::from_scaled_axis(tilt * dvec3(random(), random(), random()) * 6.0));
            let half = if round % 3 == 0 { 0.5 } else { random() };
            let at = dvec3(half * a.x, random() * a.y, (a.z + b.z) * (1.0 - 0.02 * random().abs()));
            let (first, second) = (Shape::Box(Cuboid { half_extents: a }), Shape::Box(Cuboid { half_extents: b }));
            let start = dvec3(1.0, 2.0, 3.0);
            let poses = [(start, p), (start + at, q)].map(|(position, rotation)| Pose { position, rotation });
            let query = ContactQuery { margin: 0.01, ..ContactQuery::default() };
            let couple = Couple::new(&first, &poses[0], &second, &poses[1]);
            let boxes = [&Cuboid { half_extents: a }, &Cuboid { half_extents: b }];
            let (mut plain, mut wide) = (Vec::new(), Vec::new());
            plainly(&couple, boxes, (couple.least(&query), round % 2 == 0), &mut plain);
            // SAFETY: the processor has the feature.
            unsafe { by_four(&couple, boxes, (couple.least(&query), round % 2 == 0), &mut wide) }
            touching += usize::from(plain.len() > 2);
            // With the signs of zeros.
            assert_eq!(format!("{plain:?}"), format!("{wide:?}"), "round {round}");
        }
        assert!(touching > 2000, "{touching}");
    }
}
