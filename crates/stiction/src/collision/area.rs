//! The area that contact points span.

use glam::DVec3;

use super::ManifoldPoint;
use crate::math::plane_space;
use crate::shape::Shape;

/// Least depth that an area is taken at where points span none \[m\].
const LEAST_DEPTH: f64 = 1e-6;
/// Points this near to a rim are on it, in parts of its radius.
const ON_RIM: f64 = 1e-4;

/// Area of a contact of two shapes \[m²\]: that of the outline of its points, seen along their mean normal. Points that span none
/// stand for the cut of round shapes at their depth d: `2 π R d` at one point, `2 √(2 R d)` by their length in a row, with
/// `1 / R = 1 / R₁ + 1 / R₂`.
pub(crate) fn of_contact(points: &[ManifoldPoint], shapes: [&Shape; 2]) -> f64 {
    let normal = points.iter().map(|p| p.normal).sum::<DVec3>().normalize_or(DVec3::Z);
    let (first, second) = plane_space(normal.into());
    let (first, second) = (DVec3::from(first), DVec3::from(second));
    let at = |p: &ManifoldPoint| [first.dot(p.position), second.dot(p.position)];
    let distance = |from: DVec3, p: &ManifoldPoint| (p.position - from).reject_from(normal).length();
    let farthest = |from: DVec3| {
        let order = |a: &&ManifoldPoint, b: &&ManifoldPoint| distance(from, a).total_cmp(&distance(from, b));
        points.iter().max_by(order).map_or(from, |p| p.position)
    };
    // Of points in a row the one farthest from any is an end.
    let end = farthest(points.first().map_or(DVec3::ZERO, |p| p.position));
    let length = (farthest(end) - end).reject_from(normal).length();
    let depth = points.iter().map(|p| p.depth).fold(LEAST_DEPTH, f64::max);
    let [a, b] = shapes.map(|shape| radius(shape).max(depth));
    let round = if a.is_finite() && b.is_finite() { a * b / (a + b) } else { a.min(b) };
    let round = if round.is_finite() { round } else { depth };
    let row = length * 2.0 * (2.0 * round * depth).sqrt();
    let point = std::f64::consts::TAU * round * depth;
    disc(points, shapes).unwrap_or_else(|| outline(points, at)).max(row).max(point)
}

/// Area of a round face that lies on another shape whole: its points are four of its rim.
fn disc(points: &[ManifoldPoint], shapes: [&Shape; 2]) -> Option<f64> {
    let is_round = |shape: &&&Shape| matches!(shape, Shape::Cylinder(_) | Shape::Cone(_));
    let center = points.iter().map(|p| p.position).sum::<DVec3>() / points.len().max(1) as f64;
    let radii = shapes.iter().filter(is_round).map(|shape| radius(shape));
    let is_rim = |r: f64| points.iter().all(|p| ((p.position - center).length() - r).abs() <= ON_RIM * r);
    radii.filter(|r| points.len() >= 4 && is_rim(*r)).map(|r| std::f64::consts::PI * r * r).next()
}

/// Area of the convex outline of points in a plane, by walking around it.
fn outline(points: &[ManifoldPoint], at: impl Fn(&ManifoldPoint) -> [f64; 2]) -> f64 {
    let turn = |o: [f64; 2], a: [f64; 2], b: [f64; 2]| (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    let far = |o: [f64; 2], a: [f64; 2]| (a[0] - o[0]).powi(2) + (a[1] - o[1]).powi(2);
    let lowest = |a: &[f64; 2], b: &[f64; 2]| a[1].total_cmp(&b[1]).then(a[0].total_cmp(&b[0]));
    let Some(start) = points.iter().map(&at).min_by(lowest) else { return 0.0 };
    let (mut here, mut area) = (start, 0.0);
    for _ in 0..points.len() {
        let mut next = here;
        for candidate in points.iter().map(&at) {
            let side = turn(here, next, candidate);
            if next == here || side < 0.0 || (side == 0.0 && far(here, candidate) > far(here, next)) {
                next = candidate;
            }
        }
        area += turn(start, here, next);
        here = next;
        if here == start {
            break;
        }
    }
    0.5 * area.abs()
}

/// Radius of curvature of a shape, infinite for flat ones \[m\].
fn radius(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere(sphere) => sphere.radius,
        Shape::Capsule(capsule) => capsule.radius,
        Shape::Cylinder(cylinder) => cylinder.radius,
        Shape::Cone(cone) => cone.radius,
        Shape::Ellipsoid(ellipsoid) => ellipsoid.semi_axes.min_element(),
        _ => f64::INFINITY,
    }
}
