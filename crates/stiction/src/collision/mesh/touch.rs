//! Whether a solid can meet a triangle, in the solid's own axes. Most triangles near a solid do not; these tests tell them
//! apart without a search.

use glam::{DMat3, DVec3};

use super::facet::Facet;
use super::source::TriangleSource;
use crate::collision::placed::Placed;
use crate::shape::{Shape, Triangle};

/// A solid in its own axes, grown by the gap at which it still counts as touching.
pub(super) struct Probe<'a> {
    shape: &'a Shape,
    into: DMat3,
    position: DVec3,
    /// The box of the solid and its gap.
    low: DVec3,
    high: DVec3,
    gap: f64,
    /// Of a solid that is not symmetric about its centre, the radius of a ball about that which it holds \[m\].
    pub inner_radius: Option<f64>,
}

impl<'a> Probe<'a> {
    /// `least` is the least depth that counts \[m\].
    pub fn new(placed: &Placed<'a>, least: f64) -> Self {
        let gap = (-least).max(0.0);
        let symmetric = |half: DVec3| (-half, half);
        let (low, high) = match placed.shape {
            Shape::Box(s) => symmetric(s.half_extents),
            Shape::Capsule(s) => symmetric(DVec3::new(s.radius, s.radius, s.half_length + s.radius)),
            Shape::Cylinder(s) => symmetric(DVec3::new(s.radius, s.radius, s.half_length)),
            Shape::Cone(s) => symmetric(DVec3::new(s.radius, s.radius, s.half_length)),
            Shape::Ellipsoid(s) => symmetric(s.semi_axes),
            Shape::ConvexHull(hull) => (hull.bounds().min, hull.bounds().max),
            _ => (DVec3::NEG_INFINITY, DVec3::INFINITY),
        };
        let margin = DVec3::splat(gap);
        let into = placed.rotation.transpose();
        let inner_radius = match placed.shape {
            Shape::ConvexHull(hull) => Some(hull.inner_radius()),
            Shape::Cone(cone) => Some(-cone.surface(into * (placed.center() - placed.position)).distance),
            _ => None,
        };
        Self {
            shape: placed.shape,
            into,
            position: placed.position,
            low: low - margin,
            high: high + margin,
            gap,
            inner_radius,
        }
    }

    /// Calls `visit` with the triangles about the solid, which lies about `origin`.
    pub fn visit(&self, triangles: &dyn TriangleSource, origin: DVec3, visit: &mut dyn FnMut(&Triangle)) {
        let axes = self.into.transpose();
        let center = origin + self.position + axes * (0.5 * (self.low + self.high));
        triangles.visit_block(center, &axes, 0.5 * (self.high - self.low), visit);
    }

    /// The corners of a triangle in the solid's axes, and the overlap along its normal \[m\]; `None` if solid and triangle
    /// are proved apart by more than the gap.
    #[inline]
    pub fn meets(&self, facet: &Facet, least: f64) -> Option<([DVec3; 3], f64)> {
        let v = facet.corners.map(|p| self.into * (p - self.position));
        if self.is_beside(&v) {
            return None;
        }
        let along = self.along(self.into * facet.normal, &v);
        (along >= least && !self.is_apart(&v)).then_some((v, along))
    }

    /// The triangle lies beside the solid's box.
    #[inline]
    fn is_beside(&self, v: &[DVec3; 3]) -> bool {
        let (low, high) = (v[0].min(v[1]).min(v[2]), v[0].max(v[1]).max(v[2]));
        low.cmpgt(self.high).any() || high.cmplt(self.low).any()
    }

    /// A direction in the solid's axes.
    #[inline]
    pub fn direction(&self, d: DVec3) -> DVec3 {
        self.into * d
    }

    /// How far the solid reaches against a unit direction in its axes.
    #[inline]
    pub fn reach(&self, n: DVec3) -> f64 {
        match self.shape {
            Shape::Box(s) => s.half_extents.dot(n.abs()),
            Shape::Capsule(s) => s.half_length * n.z.abs() + s.radius,
            Shape::Cylinder(s) => s.half_length * n.z.abs() + s.radius * (n.x * n.x + n.y * n.y).sqrt(),
            Shape::Ellipsoid(s) => (s.semi_axes * n).length(),
            shape => -shape.support(-n).dot(n),
        }
    }

    /// Overlap along the triangle's normal, given in the solid's axes like its corners.
    #[inline]
    fn along(&self, normal: DVec3, v: &[DVec3; 3]) -> f64 {
        normal.dot(v[0]).max(normal.dot(v[1])).max(normal.dot(v[2])) + self.reach(normal)
    }

    /// Solid and triangle are proved apart by more than the gap.
    #[inline]
    fn is_apart(&self, v: &[DVec3; 3]) -> bool {
        match self.shape {
            Shape::Cylinder(s) => is_off_cylinder(s.radius + self.gap, s.half_length + self.gap, v),
            Shape::Capsule(s) => {
                let reach = s.radius + self.gap;
                is_off_cylinder(reach, s.half_length + reach, v)
            }
            Shape::Cone(s) => is_off_cylinder(s.radius + self.gap, s.half_length + self.gap, v),
            // Scaled to a unit ball.
            Shape::Ellipsoid(s) => {
                let grown = s.semi_axes + DVec3::splat(self.gap);
                let scaled = Triangle { index: 0, corners: v.map(|p| p / grown), normal: DVec3::ZERO };
                scaled.nearest(DVec3::ZERO).point.length_squared() > 1.0 + 1e-12
            }
            Shape::ConvexHull(hull) => hull.faces().iter().any(|face| {
                let n = face.normal;
                n.dot(v[0]).min(n.dot(v[1])).min(n.dot(v[2])) > face.offset + self.gap
            }),
            _ => false,
        }
    }
}

/// A triangle and the cylinder `x² + y² <= r²`, `|z| <= h` have no point in common: the part of the triangle within the
/// height, seen along the axis, keeps away from the circle.
pub(super) fn is_off_cylinder(r: f64, h: f64, v: &[DVec3; 3]) -> bool {
    let square = r * r;
    // Where sides cross the planes of the caps.
    let mut cuts = [[DVec3::ZERO; 2]; 2];
    let mut cut = [0; 2];
    let mut winds = [0.0; 3];
    for k in 0..3 {
        let (p, q) = (v[k], v[(k + 1) % 3]);
        winds[k] = p.x * q.y - p.y * q.x;
        let rise = q.z - p.z;
        let (mut low, mut high) = (0.0f64, 1.0f64);
        for (cap, z) in [-h, h].into_iter().enumerate() {
            if (p.z < z) != (q.z < z) {
                let t = ((z - p.z) / rise).clamp(0.0, 1.0);
                if cut[cap] < 2 {
                    cuts[cap][cut[cap]] = p + (q - p) * t;
                    cut[cap] += 1;
                }
                if (cap == 0) == (rise > 0.0) { low = t } else { high = t }
            }
        }
        let is_within = p.z.max(q.z) >= -h && p.z.min(q.z) <= h;
        if is_within && low <= high && flat_distance_squared(p + (q - p) * low, p + (q - p) * high) <= square {
            return false;
        }
    }
    if (0..2).any(|cap| cut[cap] == 2 && flat_distance_squared(cuts[cap][0], cuts[cap][1]) <= square) {
        return false;
    }
    // The axis goes through the triangle, at the height by the areas about it.
    let is_around = winds.iter().all(|w| *w >= 0.0) || winds.iter().all(|w| *w <= 0.0);
    let sum = winds[0] + winds[1] + winds[2];
    if is_around && sum != 0.0 {
        let z = (winds[1] * v[0].z + winds[2] * v[1].z + winds[0] * v[2].z) / sum;
        return z.abs() > h;
    }
    true
}

/// Squared distance of a segment from the z axis.
fn flat_distance_squared(p: DVec3, q: DVec3) -> f64 {
    let (x, y) = (q.x - p.x, q.y - p.y);
    let square = x * x + y * y;
    let t = if square > 0.0 { (-(p.x * x + p.y * y) / square).clamp(0.0, 1.0) } else { 0.0 };
    let (x, y) = (p.x + x * t, p.y + y * t);
    x * x + y * y
}
