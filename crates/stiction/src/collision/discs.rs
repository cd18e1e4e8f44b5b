//! Two round ends that lie on each other.

use glam::DVec3;

use super::feature::{Disc, disc_points};
use super::manifold::{FLAT, ON_B, Sink, crossing, dropped};

/// Slope of two ends against each other up to which they lie flat in any case.
const NEARLY: f64 = 1e-4;
/// Distance of the rims beyond that of circles that touch from inside, by the smaller radius, from which on they count as crossing.
const CROSSES: f64 = 0.05;
/// Slope of two ends against each other up to which they meet in what they have in common, as seen along the normal.
const PARALLEL: f64 = 0.05;
/// Key of the first of four points of the outline of both, in axes of the smaller, in those of the line of centres, and in those of the slope.
const OUTLINE: u32 = 32;

/// Rim points of each inside the other, and the crossings of two rims that lie flat on each other; points of the outline that last where
/// they are to.
pub(super) fn disc_disc(sink: &mut Sink, a: &Disc, b: &Disc) {
    let n = sink.normal;
    if sink.lasts && lie_flat(n, a, b) {
        return outline(sink, a, b);
    }
    if sink.lasts && slope(n, a, b).length() <= PARALLEL {
        return leaning_outline(sink, a, b);
    }
    for p in disc_points(a, -n, None) {
        let q = dropped(p.point, n, b.center, b.normal);
        if (q - b.center).length() <= b.radius + 0.1 * sink.apart {
            sink.push(p.point, q, p.id);
        }
    }
    for p in disc_points(b, n, None) {
        let q = dropped(p.point, n, a.center, a.normal);
        if (q - a.center).length() <= a.radius + 0.1 * sink.apart {
            sink.push(q, p.point, ON_B | p.id);
        }
    }
    let flat = |m: DVec3| m.dot(n).abs() > FLAT;
    if !flat(a.normal) || !flat(b.normal) {
        return;
    }
    let common = Common::new(n, [a, b]);
    if common.distance <= sink.apart {
        return;
    }
    let (x, square) = common.crossings();
    if square <= 0.0 {
        return;
    }
    let (u, v) = (common.line, n.cross(common.line));
    for (k, sign) in [(0, 1.0), (1, -1.0)] {
        let p = dropped(a.center + u * x + v * (sign * square.sqrt()), n, a.center, a.normal);
        sink.push(p, dropped(p, n, b.center, b.normal), crossing(a.id + k, b.id));
    }
}

/// How the overlap of two ends along the normal grows across it.
fn slope(n: DVec3, a: &Disc, b: &Disc) -> DVec3 {
    // The height of an end with normal m grows by -m⊥ / (m·n).
    let [of_a, of_b] = [a.normal, b.normal].map(|m| (m - n * m.dot(n)) / m.dot(n));
    of_a - of_b
}

fn smaller<'a>(a: &'a Disc, b: &'a Disc) -> &'a Disc {
    if a.radius <= b.radius { a } else { b }
}

/// Two ends lie flat on each other: nowhere are their surfaces apart, or they are hardly tilted.
fn lie_flat(n: DVec3, a: &Disc, b: &Disc) -> bool {
    let slope = slope(n, a, b).length();
    let radius = a.radius.min(b.radius);
    let small = smaller(a, b);
    let overlap = (dropped(small.center, n, b.center, b.normal) - dropped(small.center, n, a.center, a.normal)).dot(n);
    slope <= NEARLY.max(overlap / radius)
}

/// What two discs have in common as seen along the normal.
struct Common<'a> {
    discs: [&'a Disc; 2],
    n: DVec3,
    /// From the first centre to the second: how far, and which way across the normal.
    distance: f64,
    line: DVec3,
    middle: DVec3,
}

impl<'a> Common<'a> {
    fn new(n: DVec3, discs: [&'a Disc; 2]) -> Self {
        let [a, b] = discs;
        let between = b.center - a.center;
        let across = between - n * between.dot(n);
        let distance = across.length();
        let line = if distance > 0.0 { across / distance } else { DVec3::ZERO };
        // Along the line of centres, from the first one.
        let (low, high) = ((-a.radius).max(distance - b.radius), a.radius.min(distance + b.radius));
        Self { discs, n, distance, line, middle: a.center + line * (0.5 * (low + high)) }
    }

    fn across(&self, way: DVec3) -> DVec3 {
        way - self.n * way.dot(self.n)
    }

    /// Where a ray from the middle leaves both.
    fn exit(&self, direction: DVec3) -> DVec3 {
        // |middle + t w - c|² = r² of the nearer rim.
        let way = |disc: &Disc| {
            let from = self.across(self.middle - disc.center);
            let along = from.dot(direction);
            let rest = disc.radius * disc.radius - (from.length_squared() - along * along);
            rest.max(0.0).sqrt() - along
        };
        self.middle + direction * way(self.discs[0]).min(way(self.discs[1]))
    }

    /// The point that is farthest in a direction across the normal: of the rim of one inside the other, or where both rims cross.
    fn farthest(&self, direction: DVec3) -> DVec3 {
        let [a, b] = self.discs;
        for (own, other) in [(a, b), (b, a)] {
            let point = own.center + own.radius * direction;
            if self.across(point - other.center).length() <= other.radius {
                return point;
            }
        }
        let (x, square) = self.crossings();
        let side = self.n.cross(self.line);
        a.center + x * self.line + square.max(0.0).sqrt().copysign(side.dot(direction)) * side
    }

    /// Where both rims cross: how far from the first centre along the line of centres, and the square of how far to its sides.
    fn crossings(&self) -> (f64, f64) {
        // Circles of radii r and R at distance d cross at x = (d² + r² - R²) / 2d from the first centre.
        let [a, b] = self.discs;
        let d = self.distance;
        let x = (d * d + a.radius * a.radius - b.radius * b.radius) / (2.0 * d);
        (x, a.radius * a.radius - x * x)
    }
}

/// Four points of the outline of what two discs that lie on each other have in common: where four rays from its middle leave it. They move no faster
/// than the discs do against each other, so that the impulses of one step are those of the next at the same places.
fn outline(sink: &mut Sink, a: &Disc, b: &Disc) {
    let n = sink.normal;
    let common = Common::new(n, [a, b]);
    let small = smaller(a, b);
    let crosses = common.distance > (a.radius - b.radius).abs() + CROSSES * small.radius;
    let u = if crosses { common.line } else { common.across(small.reference).normalize() };
    let v = n.cross(u);
    for (k, w) in [u, v, -u, -v].into_iter().enumerate() {
        let key = crossing(OUTLINE + 4 * u32::from(crosses) + k as u32, a.id + b.id);
        push_between(sink, [a, b], common.exit(w), key);
    }
}

/// Those of two that lean a little: the deepest point of what they have in common, the highest, and the ends of the line between both sides.
fn leaning_outline(sink: &mut Sink, a: &Disc, b: &Disc) {
    let n = sink.normal;
    let common = Common::new(n, [a, b]);
    let u = slope(n, a, b).normalize();
    let v = n.cross(u);
    for (k, x) in [common.farthest(u), common.exit(v), common.farthest(-u), common.exit(-v)].into_iter().enumerate() {
        push_between(sink, [a, b], x, crossing(OUTLINE + 8 + k as u32, a.id + b.id));
    }
}

/// The points of both ends at a place across the normal.
fn push_between(sink: &mut Sink, discs: [&Disc; 2], at: DVec3, key: u32) {
    let [on_a, on_b] = discs.map(|disc| dropped(at, sink.normal, disc.center, disc.normal));
    sink.push(on_a, on_b, key);
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use crate::collision::{ContactQuery, ManifoldPoint, collide};
    use crate::math::Pose;
    use crate::shape::Shape;

    const RADIUS: f64 = 0.2;

    /// Points of a disc that overlaps a shape under it by 1 mm, off its middle, and leans to some side.
    fn points_on(other: &Shape, top: f64, off: f64, [slope, side]: [f64; 2]) -> Vec<ManifoldPoint> {
        let disc = Shape::cylinder(RADIUS, 0.05).unwrap();
        let axis = DVec3::new(side.cos(), side.sin(), 0.0);
        let rotation = DQuat::from_axis_angle(axis, slope);
        let pose = Pose { position: DVec3::new(off, 0.0, top + 0.024), rotation };
        let query = ContactQuery { max_points: 20, margin: 0.01, whole_faces: true, ..ContactQuery::default() };
        let mut points = Vec::new();
        collide(&disc, &pose, other, &Pose::IDENTITY, &query, &mut points);
        points.sort_by_key(|point| point.feature);
        points
    }

    #[test]
    fn points_of_an_end_whose_whole_rim_overlaps_stay_wherever_it_leans() {
        let under = [
            (Shape::plane(DVec3::Z, 0.0).unwrap(), 0.0),
            (Shape::cuboid(DVec3::new(2.0, 2.0, 0.1)).unwrap(), 0.05),
            (Shape::cylinder(RADIUS, 0.05).unwrap(), 0.025),
            (Shape::cylinder(0.7 * RADIUS, 0.05).unwrap(), 0.025),
            (Shape::cylinder(3.0 * RADIUS, 0.05).unwrap(), 0.025),
        ];
        for (other, top) in &under {
            for off in [0.0, 0.003, 0.02, 0.15] {
                let flat = points_on(other, *top, off, [0.0; 2]);
                for side in 0..12 {
                    let leaning = points_on(other, *top, off, [2e-3, 0.5 * f64::from(side)]);
                    assert_eq!(leaning.len(), flat.len(), "{other:?} {off} {side}");
                    for (a, b) in leaning.iter().zip(&flat) {
                        let way = (a.position - b.position).length();
                        assert!(a.feature == b.feature && way < 0.01 * RADIUS, "{other:?} {off} {side}: {way}");
                    }
                }
            }
        }
    }

    /// Where the rim is clear of the other on one side, its lowest point is the contact.
    #[test]
    fn the_lowest_point_of_a_tilted_end_is_a_point() {
        for other in [Shape::plane(DVec3::Z, 0.0).unwrap(), Shape::cylinder(3.0 * RADIUS, 0.05).unwrap()] {
            let top = if matches!(other, Shape::Plane(_)) { 0.0 } else { 0.025 };
            for side in 0..12 {
                let side = 0.5 * f64::from(side);
                let deepest =
                    points_on(&other, top, 0.0, [6e-3, side]).into_iter().max_by(|a, b| a.depth.total_cmp(&b.depth));
                let lowest = DVec3::new(side.sin(), -side.cos(), 0.0) * RADIUS;
                assert!((deepest.unwrap().position.with_z(0.0) - lowest).length() < 0.01 * RADIUS, "{other:?} {side}");
            }
        }
    }

    /// The four points span what both ends have in common: its border is on the rim of the one or the other, and no farther from both.
    #[test]
    fn points_of_two_flat_ends_are_on_the_outline_of_both() {
        for (radius, off) in [(0.2, 0.0), (0.2, 0.1), (0.2, 0.3), (0.14, 0.03), (0.14, 0.2), (0.6, 0.3), (0.6, 0.7)] {
            let other = Shape::cylinder(radius, 0.05).unwrap();
            let points = points_on(&other, 0.025, off, [0.0; 2]);
            assert_eq!(points.len(), 4, "{radius} {off}: {points:?}");
            for point in &points {
                let within = [(DVec3::X * off, RADIUS), (DVec3::ZERO, radius)]
                    .map(|(center, radius)| radius - (point.position - center).with_z(0.0).length());
                assert!(within[0].min(within[1]).abs() < 1e-9, "{radius} {off}: {within:?}");
                assert!((point.depth - 1e-3).abs() < 1e-12);
            }
            // The middle of the common part is that of the points.
            let (low, high) = ((off - RADIUS).max(-radius), (off + RADIUS).min(radius));
            let middle = points.iter().map(|point| point.position.x).sum::<f64>() / 4.0;
            assert!((middle - 0.5 * (low + high)).abs() < 0.05 * RADIUS, "{radius} {off}: {middle}");
        }
    }
}
