//! Capsules and cylinders that touch with their sides, and nearly in parallel.
//!
//! Where two axes cross at a small angle θ and a distance D, the gap between the surfaces grows by `θ² s² / 2D` with the distance s from the
//! crossing: the rods rock on each other with a radius of curvature `D/θ²`, kilometres for a hundredth of a radian. The contact point moves from one
//! end to the other as a rod turns by a millionth of a radian, so a single point cannot support a load next to it. Two points can. Each has its own gap,
//! and they lie as far from the crossing as the gap grows by less than a small part of the radius. The ends beyond are points with normals of their own: a
//! rod that lands on one end comes down on the other in the same step.

use glam::DVec3;

use super::capsule_capsule::nearest_on_segments;
use super::convex::Couple;
use super::placed::Placed;
use super::{ContactQuery, ManifoldPoint};
use crate::shape::Shape;

/// Sine of the angle between two axes up to which they are nearly parallel.
const NEARLY_PARALLEL: f64 = 0.2;
/// Component of the normal along the axis of a cylinder up to which it touches with its side.
const ON_SIDE: f64 = 0.02;
/// Growth of the gap between the two points, relative to the smaller radius.
const FLAT: f64 = 5e-5;
/// Distance of two axes by the sum of the radii below which they have gone through each other.
const APART: f64 = 0.5;
/// Keys of the two points, and of the two ends.
const FEATURES: [u32; 2] = [1 << 29, (1 << 29) + 1];
const ENDS: [u32; 2] = [(1 << 29) + 2, (1 << 29) + 3];
/// Change of the normal from which an end is a point of its own \[rad\].
const OTHER_NORMAL: f64 = 1e-4;

/// A capsule or a cylinder.
#[derive(Clone, Copy)]
struct Rod {
    center: DVec3,
    axis: DVec3,
    half_length: f64,
    radius: f64,
    has_caps: bool,
}

impl Rod {
    fn from_placed(placed: &Placed) -> Option<Self> {
        let (half_length, radius, has_caps) = match placed.shape {
            Shape::Capsule(own) => (own.half_length, own.radius, false),
            Shape::Cylinder(own) => (own.half_length, own.radius, true),
            _ => return None,
        };
        Some(Self { center: placed.position, axis: placed.rotation.z_axis, half_length, radius, has_caps })
    }

    fn at(&self, along: f64) -> DVec3 {
        self.center + along * self.axis
    }

    fn ends(&self) -> (DVec3, DVec3) {
        (self.at(-self.half_length), self.at(self.half_length))
    }

    /// Where a point is along the axis, as far as the axis goes.
    fn place(&self, point: DVec3) -> f64 {
        (point - self.center).dot(self.axis).clamp(-self.half_length, self.half_length)
    }

    /// The point of the surface above a place of the axis that is farthest along a direction.
    fn surface(&self, at: DVec3, direction: DVec3) -> DVec3 {
        let across = if self.has_caps { direction - direction.dot(self.axis) * self.axis } else { direction };
        at + self.radius * across.normalize_or_zero()
    }

    /// It touches with its side where a normal is this one.
    fn is_on_side(&self, normal: DVec3) -> bool {
        !self.has_caps || normal.dot(self.axis).abs() < ON_SIDE
    }
}

/// Appends the points of two that lie side by side; false if they do not.
pub(super) fn side_by_side(
    couple: &Couple<Placed, Placed>,
    query: &ContactQuery,
    out: &mut Vec<ManifoldPoint>,
) -> bool {
    let (Some(a), Some(b)) = (Rod::from_placed(&couple.a), Rod::from_placed(&couple.b)) else { return false };
    let sine = a.axis.cross(b.axis).length();
    if sine > NEARLY_PARALLEL {
        return false;
    }
    let (p, q) = nearest_on_segments(a.ends(), b.ends());
    let distance = (p - q).length();
    if distance < APART * (a.radius + b.radius) {
        return false;
    }
    let least = couple.least(query);
    let depth = a.radius + b.radius - distance;
    if depth < least {
        return true;
    }
    // Where one lies above the other.
    let [first, second] = [b.ends().0, b.ends().1].map(|end| a.place(end));
    let ends = [first.min(second), first.max(second)];
    let caps = [a, b].iter().filter(|rod| !rod.has_caps).map(|rod| rod.radius).sum::<f64>();
    if ends[1] - ends[0] + caps < depth {
        // The minimum translation is along the axes: they lie on each other with their ends.
        return false;
    }
    let way = (2.0 * distance * FLAT * a.radius.min(b.radius)).sqrt() / sine.max(f64::MIN_POSITIVE);
    let crossing = a.place(p);
    let places = [ends[0].max(crossing - way), ends[1].min(crossing + way)];
    if places[1] - places[0] < 1e-6 * couple.size {
        return false;
    }
    let across = |along: f64| {
        let at = a.at(along);
        let on_b = b.at(b.place(at));
        (at, on_b, (at - on_b).normalize_or_zero())
    };
    let (_, _, normal) = across(0.5 * (places[0] + places[1]));
    let (own, ends) = (places.map(across), ends.map(across));
    if !own.iter().all(|(.., n)| a.is_on_side(*n) && b.is_on_side(*n)) {
        return false;
    }
    let mut push = |(at, on_b, n): (DVec3, DVec3, DVec3), normal: DVec3, feature: u32| {
        let (on_a, on_b) = (a.surface(at, -n), b.surface(on_b, n));
        let depth = (on_b - on_a).dot(n);
        if depth >= least {
            out.push(ManifoldPoint::new(couple.origin + 0.5 * (on_a + on_b), normal, depth, feature));
        }
    };
    for (place, feature) in own.into_iter().zip(FEATURES) {
        push(place, normal, feature);
    }
    for (end, feature) in ends.into_iter().zip(ENDS) {
        if (end.2 - normal).length() > OTHER_NORMAL {
            push(end, end.2, feature);
        }
    }
    true
}
