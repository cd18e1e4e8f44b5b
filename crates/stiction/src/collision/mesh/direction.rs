//! The direction of least depth of a solid and a triangle.

use glam::DVec3;

use super::{
    box_axes::box_direction, capsule_axes::capsule_direction, facet::Facet, hull_axes::hull_direction,
    round_axes::round_direction, touch::Probe,
};
use crate::collision::convex::{Axes, Couple, least_depth};
use crate::collision::placed::Placed;
use crate::shape::Shape;

/// Error of the least depth where it is not small, in parts of it: such contacts are searched for the way out.
const ROUGH: f64 = 1e-3;

/// Directions of a triangle in a solid's axes, and the least depth among those tried.
pub(super) struct Trial {
    /// The triangle's corners and normal.
    pub corners: [DVec3; 3],
    pub normal: DVec3,
    /// The best so far, from the triangle to the solid, and the depth along it \[m\].
    pub best: DVec3,
    pub depth: f64,
    /// Rounding below which a later direction is no better \[m\].
    pub slack: f64,
}

impl Trial {
    /// Takes a unit direction along which solid and triangle overlap by `depth`, if that is less.
    #[inline]
    pub fn take(&mut self, direction: DVec3, depth: f64) {
        if depth < self.depth - self.slack {
            (self.best, self.depth) = (direction, depth);
        }
    }

    /// How far the triangle reaches along a direction.
    #[inline]
    pub fn reach(&self, d: DVec3) -> f64 {
        let [a, b, c] = self.corners.map(|p| p.dot(d));
        a.max(b).max(c)
    }
}

/// The triangle's normal is the direction of least depth: with p the solid's point farthest behind the face, by `a`, and
/// a disc of radius ρ about its foot inside the triangle, the depth along a direction at the angle θ ≤ 90° to the normal
/// is at least `a cos θ + ρ sin θ`, no less than a where `ρ >= a`.
///
/// To the back a solid that is symmetric about its centre before the face is deeper still. Of others, with a ball of
/// radius R about the centre and D from there to p, the depth is at least `ρ sin θ + a cos θ`, which is below a only for
/// `sin θ < 2a/ρ`, and at least `R - D sin θ`: no less than a where `ρ (R - a) >= 2 a D`.
fn is_face_contact(couple: &Couple<Placed, Facet>, probe: &Probe, along_normal: f64) -> bool {
    let along = along_normal.max(0.0);
    let lowest = couple.a.support(-couple.b.normal);
    let disc = match probe.inner_radius {
        None => along,
        Some(inner) if inner > along => {
            along * (2.0 * (lowest - couple.a.center()).length() / (inner - along)).max(1.0)
        }
        Some(_) => return false,
    };
    couple.b.covers(lowest, -disc)
}

/// The direction of least depth, and that depth \[m\]; below `least` any that separates. `corners` are the triangle's in
/// the solid's axes; `is_before`: the solid's centre is not behind the face, so that of directions to the back none is less.
pub(super) fn direction(
    couple: &Couple<Placed, Facet>,
    probe: &Probe,
    corners: &[DVec3; 3],
    along_normal: f64,
    least: f64,
    is_before: bool,
) -> (DVec3, f64) {
    let normal = couple.b.normal;
    if is_before && is_face_contact(couple, probe, along_normal) {
        return (normal, along_normal);
    }
    let rotation = couple.a.rotation;
    let local = probe.direction(normal);
    let mut trial =
        Trial { corners: *corners, normal: local, best: local, depth: along_normal, slack: 1e-9 * couple.size };
    // The centre of what is not symmetric may be before the face, and yet the way to the back the shorter one.
    if !is_before || probe.inner_radius.is_some() {
        let back = probe.reach(-local) - local.dot(corners[0]).min(local.dot(corners[1])).min(local.dot(corners[2]));
        trial.take(-local, back);
    }
    if trial.depth >= least {
        let is_known = match couple.a.shape {
            Shape::Box(cuboid) => {
                box_direction(cuboid.half_extents, &mut trial, least);
                // Apart by less than the margin the distance may be more than the axes show.
                trial.depth >= 0.0 || trial.depth < least
            }
            Shape::Capsule(capsule) => {
                capsule_direction(capsule, &mut trial);
                true
            }
            Shape::Cylinder(_) | Shape::Cone(_) => round_direction(couple.a.shape, &mut trial, least),
            Shape::ConvexHull(hull) => hull_direction(hull, &mut trial, least),
            _ => false,
        };
        if !is_known && trial.depth >= least {
            let mut axes = Axes::new(couple);
            let start = if trial.best == local { normal } else { rotation * trial.best };
            (axes.normal, axes.depth) = (start, trial.depth);
            return least_depth(couple, axes, least, ROUGH);
        }
    }
    // Unturned, the normal is exact.
    (if trial.best == local { normal } else { rotation * trial.best }, trial.depth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{DQuat, Pose};
    use crate::shape::Triangle;

    /// Numbers in [0, 1), the same in every run.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1u64 << 53) as f64
        }
    }

    fn vector(r: &mut Numbers) -> DVec3 {
        DVec3::new(r.next() - 0.5, r.next() - 0.5, r.next() - 0.5)
    }

    fn solids(r: &mut Numbers) -> [Shape; 6] {
        let points: Vec<DVec3> = (0..12).map(|_| vector(r)).collect();
        [
            Shape::cuboid(DVec3::new(0.5, 0.7, 0.9)).unwrap(),
            Shape::capsule(0.3, 0.6).unwrap(),
            Shape::cylinder(0.4, 0.8).unwrap(),
            Shape::cone(0.4, 0.9).unwrap(),
            Shape::ellipsoid(DVec3::new(0.3, 0.4, 0.5)).unwrap(),
            Shape::convex_hull(&points).unwrap(),
        ]
    }

    /// The least depth by looks about the best of many random directions.
    fn least_of_many(couple: &Couple<Placed, Facet>, r: &mut Numbers) -> f64 {
        let mut best = (DVec3::X, f64::INFINITY);
        let look = |n: DVec3, best: &mut (DVec3, f64)| {
            let n = n.normalize_or(DVec3::X);
            let depth = couple.depth(n);
            if depth < best.1 {
                *best = (n, depth);
            }
        };
        (0..300).for_each(|_| look(vector(r), &mut best));
        for k in 0..300 {
            let step = 0.5 * 0.96f64.powi(k);
            look(best.0 + vector(r) * step, &mut best);
        }
        best.1
    }

    #[test]
    fn no_direction_is_less_deep() {
        let mut r = Numbers(3);
        let mut met = 0;
        for round in 0..400 {
            for (kind, solid) in solids(&mut r).iter().enumerate() {
                let scale = if round % 2 == 0 { 0.4 } else { 2.0 };
                let corners = [0; 3].map(|_| scale * vector(&mut r));
                let pose = Pose::new(1.2 * vector(&mut r), DQuat::from_scaled_axis(6.0 * vector(&mut r)));
                let facet = Facet::new(&Triangle::new(0, corners), pose.position);
                let placed = Placed::new(solid, &pose, pose.position);
                let size = placed.size().min(facet.size());
                let couple = Couple { a: placed, b: facet, origin: pose.position, size };
                let least = if round % 4 < 2 { -1e-10 } else { -0.1 };
                let by_looks = least_of_many(&couple, &mut r);
                let probe = Probe::new(&couple.a, least);
                let Some((local, along)) = probe.meets(&facet, least) else {
                    assert!(by_looks < least + 1e-6, "{kind}: told apart, {by_looks} m deep");
                    continue;
                };
                assert!((along - couple.depth(facet.normal)).abs() < 1e-12);
                let is_before = (couple.a.center() - facet.corners[0]).dot(facet.normal) >= 0.0;
                let (n, depth) = direction(&couple, &probe, &local, along, least, is_before);
                assert!(n.is_normalized(), "{kind}: {n}");
                if depth < least {
                    assert!(couple.depth(n) < least + 1e-12, "{kind}: {depth} {by_looks}");
                    continue;
                }
                met += 1;
                assert!(
                    (couple.depth(n) - depth).abs() < 1e-8,
                    "{kind}: {depth} along a direction of {}",
                    couple.depth(n)
                );
                let slack = 2.0 * ROUGH * by_looks.abs() + 1e-6;
                assert!(depth <= by_looks + slack, "{kind}: {depth} m, {by_looks} m is enough");
            }
        }
        assert!(met > 600, "{met}");
    }
}
