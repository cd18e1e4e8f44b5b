//! Cores: smaller copies of convex shapes about a point inside, which lie within the shapes and within each other.

use glam::DVec3;

use super::cast::{advance, of_triangles, spin_near};
use super::convex::{Convex, Couple, common_scale};
use super::course::Course;
use super::distance::{apart, is_inside};
use super::feature::Feature;
use super::mesh::source;
use super::placed::Placed;
use super::{NO_TRIANGLE, Proximity};
use crate::math::Pose;
use crate::shape::Shape;

/// A copy of a shape about its centre, at its pose.
struct Core<'a> {
    placed: Placed<'a>,
    /// Its size beside the shape's.
    scale: f64,
}

impl Core<'_> {
    fn scaled(&self, point: DVec3) -> DVec3 {
        let center = self.placed.center();
        center + self.scale * (point - center)
    }
}

impl Convex for Core<'_> {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.scaled(self.placed.support(direction))
    }

    fn core_support(&self, direction: DVec3) -> DVec3 {
        self.scaled(self.placed.core_support(direction))
    }

    fn radius(&self) -> f64 {
        self.scale * self.placed.radius()
    }

    fn center(&self) -> DVec3 {
        self.placed.center()
    }

    /// The whole shape's: only its normal counts here, which is the same.
    fn feature(&self, direction: DVec3) -> Feature<'_> {
        self.placed.feature(direction)
    }

    fn ridge(&self, direction: DVec3) -> Feature<'_> {
        self.placed.edge(direction)
    }
}

/// Fraction of the motions at which the core of a convex shape comes to touch another shape: 0 where it does at the start.
pub(super) fn core_touch(
    shape: &Shape,
    scale: f64,
    own: &Course,
    other: &Shape,
    its: &Course,
    gap: f64,
) -> Option<f64> {
    let bounds = shape.aabb(&Pose::IDENTITY);
    let core = |pose: &Pose, origin: DVec3| Core { placed: Placed::new(shape, pose, origin), scale };
    let size = Placed::new(shape, &Pose::IDENTITY, DVec3::ZERO).size();
    if let Some(triangles) = source(other) {
        let center = core(&own.from, DVec3::ZERO).center();
        if is_inside(triangles, &its.from, center) {
            return Some(0.0);
        }
        let place = |relative: &Pose| core(relative, relative.position);
        return of_triangles(&place, size, own, &bounds, triangles, its, gap).map(|hit| hit.fraction);
    }
    let its_bounds = other.aabb(&Pose::IDENTITY);
    let spin = spin_near(own, &bounds, &its.bounds(&its_bounds)) + spin_near(its, &its_bounds, &own.bounds(&bounds));
    let way = own.way() - its.way();
    let found = |distance: f64, normal: DVec3| {
        let proximity = Proximity { distance, points: [DVec3::ZERO; 2], normal, triangles: [NO_TRIANGLE; 2] };
        Some((proximity, spin - way.dot(normal)))
    };
    let hit = advance(gap, 1.0, |t| {
        let [pose, its_pose] = [own.at(t), its.at(t)];
        let origin = pose.position;
        let a = core(&pose, origin);
        if let Shape::Plane(plane) = other {
            let (normal, _) = plane.at(&its_pose);
            let offset = plane.offset + normal.dot(its_pose.position - origin);
            return found(normal.dot(a.support(-normal)) - offset, normal);
        }
        let b = Placed::new(other, &its_pose, origin);
        let size = common_scale(size, b.size());
        // Within each other is a touch.
        apart(&Couple { a, b, origin, size }).map_or_else(|| found(0.0, DVec3::Z), |p| found(p.distance, p.normal))
    });
    hit.map(|hit| hit.fraction)
}
