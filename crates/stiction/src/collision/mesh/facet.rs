//! A triangle as a flat convex set.

use glam::DVec3;

use crate::collision::convex::Convex;
use crate::collision::feature::{Feature, FeaturePoint, Polygon};
use crate::shape::Triangle;

/// A triangle about the origin of its couple.
#[derive(Clone, Copy, Debug)]
pub(in crate::collision) struct Facet {
    pub corners: [DVec3; 3],
    pub normal: DVec3,
}

/// The face counts as what touches within 45 degrees of its normal; farther, to drop points onto it along the contact
/// normal would carry them too far.
const FACE_COSINE: f64 = std::f64::consts::FRAC_1_SQRT_2;

impl Facet {
    pub fn new(triangle: &Triangle, origin: DVec3) -> Self {
        Self { corners: triangle.corners.map(|p| p - origin), normal: triangle.normal }
    }

    /// Longest side \[m\].
    pub fn size(&self) -> f64 {
        let [a, b, c] = self.corners;
        (b - a).length_squared().max((c - b).length_squared()).max((a - c).length_squared()).sqrt()
    }

    /// Seen along the normal, a point lies inside or within `slack` \[m\] of it.
    pub fn covers(&self, point: DVec3, slack: f64) -> bool {
        (0..3).all(|k| {
            let (p, q) = (self.corners[k], self.corners[(k + 1) % 3]);
            let inward = self.normal.cross(q - p);
            inward.dot(point - p) >= -slack * inward.length()
        })
    }

    fn corner(&self, k: usize) -> FeaturePoint {
        FeaturePoint { point: self.corners[k], id: k as u32 }
    }

    /// The corners in the order of their height along a direction, highest first.
    fn by_height(&self, direction: DVec3) -> [(f64, usize); 3] {
        let mut order = [0, 1, 2].map(|k| (self.corners[k].dot(direction), k));
        order.sort_unstable_by(|p, q| q.0.total_cmp(&p.0).then(p.1.cmp(&q.1)));
        order
    }
}

impl Convex for Facet {
    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        let [a, b, c] = self.corners.map(|p| p.dot(direction));
        if a >= b && a >= c {
            self.corners[0]
        } else if b >= c {
            self.corners[1]
        } else {
            self.corners[2]
        }
    }

    fn core_support(&self, direction: DVec3) -> DVec3 {
        self.support(direction)
    }

    fn radius(&self) -> f64 {
        0.0
    }

    fn center(&self) -> DVec3 {
        (self.corners[0] + self.corners[1] + self.corners[2]) / 3.0
    }

    fn feature(&self, direction: DVec3) -> Feature<'_> {
        if self.normal.dot(direction) > FACE_COSINE * direction.length() {
            return Feature::Polygon(Polygon::new(self.normal, [0, 1, 2].map(|k| self.corner(k))));
        }
        let order = self.by_height(direction);
        Feature::Edge([self.corner(order[0].1), self.corner(order[1].1)])
    }

    fn ridge(&self, direction: DVec3) -> Feature<'_> {
        let order = self.by_height(direction);
        if order[0].0 - order[1].0 <= 1e-6 * self.size() {
            Feature::Edge([self.corner(order[0].1), self.corner(order[1].1)])
        } else {
            Feature::Point(self.corner(order[0].1))
        }
    }
}
