//! When a fast shape comes to touch another one, and how much of its way it then keeps.
//!
//! Contacts are found at the start of a step; what moves by more than half its inner radius in one may have passed a thin plate
//! at its end. A shape that touches another at the start of the step slides on it, or is pushed out; it is not held, but its core
//! must not go through: the largest of several smaller copies of it that is free of the other shape then.

use glam::DVec3;

use super::cast::{Sweep, cast};
use crate::math::Pose;
use crate::shape::{Aabb, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Shape, Sphere};

/// Way in a step, in inner radii, above which a shape is fast.
const FAST: f64 = 0.5;
/// Overlap that a stopped shape has, in inner radii: the contact is found, and hardly pushed out.
const TOUCH: f64 = 1e-5;
/// Sizes of cores, relative to the shape.
const CORES: [f64; 10] = [0.95, 0.8, 0.6, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01];

/// The share of a motion that is kept where it ends at an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Fraction of the motion before the impact.
    pub fraction: f64,
    /// The rest of the motion of what is hit, if nothing stops that: it takes what it has met along.
    pub carrier: Option<Sweep>,
}

impl Stop {
    /// The motion is not stopped.
    pub const NONE: Self = Self { fraction: 1.0, carrier: None };

    /// The pose at the end: that at the impact, carried by what it has met.
    #[must_use]
    pub fn end(&self, sweep: &Sweep) -> Pose {
        let met = sweep.at(self.fraction);
        match self.carrier {
            Some(carrier) => carrier.to.compose(&carrier.from.inverse()).compose(&met),
            None => met,
        }
    }
}

/// Inner radius of a shape: half its thickness. A sheet without any counts as a twentieth as thick as it is long.
fn inner_radius(bounds: &Aabb) -> f64 {
    let size = bounds.size();
    if size.min_element() > 0.0 { 0.5 * size.min_element() } else { 0.025 * size.max_element() }
}

/// A point of the shape moves by more than half the shape's inner radius. `bounds` is the shape's box in its own frame. Rays,
/// planes and heightfields are never fast.
#[must_use]
pub fn is_fast(shape: &Shape, bounds: &Aabb, sweep: &Sweep) -> bool {
    if matches!(shape, Shape::Ray(_) | Shape::Plane(_) | Shape::Heightfield(_)) || !bounds.is_finite() {
        return false;
    }
    let way = sweep.to.point(sweep.center) - sweep.from.point(sweep.center);
    // The turn by a quaternion's vector part: |q⁺ − q⁰| is half the angle of a small turn.
    let (p, q) = (sweep.from.rotation, sweep.to.rotation);
    let turn = 2.0 * (q - p).length().min((q + p).length());
    let inner = inner_radius(bounds);
    let reach = (bounds.center() - sweep.center).length() + 0.5 * bounds.size().length() - inner;
    way.length() + turn * reach > FAST * inner
}

/// Fraction of the motions at which a fast shape comes to touch another one; `None` where it does not.
#[must_use]
pub fn time_of_impact(shape: &Shape, own: &Sweep, other: &Shape, its: &Sweep) -> Option<f64> {
    let bounds = shape.aabb(&Pose::IDENTITY);
    let gap = TOUCH * inner_radius(&bounds);
    let mut hit = cast(shape, own, other, its, gap)?;
    if hit.fraction == 0.0 {
        hit = CORES.iter().find_map(|size| {
            let (shape, offset) = core(shape, &bounds, *size);
            let [from, to] = [own.from, own.to].map(|pose| pose.compose(&offset));
            let way = Sweep { from, to, center: offset.inverse_point(own.center) };
            // One that is free ends the search, whether it hits or not.
            match cast(&shape, &way, other, its, gap) {
                Some(hit) if hit.fraction == 0.0 => None,
                found => Some(found),
            }
        })??;
        return Some(hit.fraction);
    }
    // On, until they overlap by as much as the gap was.
    let approach =
        (its.to.position - its.from.position - own.to.position + own.from.position).dot(hit.proximity.normal);
    let further = if approach > 0.0 { (hit.proximity.distance + gap) / approach } else { 0.0 };
    Some((hit.fraction + further).min(1.0))
}

/// A copy of a shape of another size about a point well inside, with its pose in the shape's frame. What has no such copy has a
/// ball.
fn core(shape: &Shape, bounds: &Aabb, size: f64) -> (Shape, Pose) {
    let at = |z: f64| Pose::from_position(z * DVec3::Z);
    match shape {
        Shape::Sphere(s) => (Shape::Sphere(Sphere { radius: size * s.radius }), Pose::IDENTITY),
        Shape::Box(s) => (Shape::Box(Cuboid { half_extents: size * s.half_extents }), Pose::IDENTITY),
        Shape::Capsule(s) => {
            (Shape::Capsule(Capsule { radius: size * s.radius, half_length: size * s.half_length }), Pose::IDENTITY)
        }
        Shape::Cylinder(s) => {
            (Shape::Cylinder(Cylinder { radius: size * s.radius, half_length: size * s.half_length }), Pose::IDENTITY)
        }
        Shape::Ellipsoid(s) => (Shape::Ellipsoid(Ellipsoid { semi_axes: size * s.semi_axes }), Pose::IDENTITY),
        // About a quarter of its height.
        Shape::Cone(s) => (
            Shape::Cone(Cone { radius: size * s.radius, half_length: size * s.half_length }),
            at(-0.5 * s.half_length * (1.0 - size)),
        ),
        Shape::ConvexHull(hull) => {
            let center = hull.centroid();
            let inner = hull.faces().iter().fold(f64::INFINITY, |r, f| r.min(f.offset - f.normal.dot(center)));
            (Shape::Sphere(Sphere { radius: size * inner }), Pose::from_position(center))
        }
        _ => (Shape::Sphere(Sphere { radius: size * inner_radius(bounds) }), Pose::from_position(bounds.center())),
    }
}
