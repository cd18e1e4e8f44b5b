//! The closed curve that a belt takes around circles: the boundary of their convex hull, of tangents and arcs, and the equal
//! chords of a chain along it.

use std::f64::consts::TAU;

use stiction::math::DVec2;

/// Angles closer than that are one \[rad\].
const SAME_ANGLE: f64 = 1e-9;
/// Halvings of an interval, down to the spacing of numbers.
const HALVINGS: usize = 60;

/// A wheel in the plane of the belt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Circle {
    /// Centre \[m\].
    pub(super) center: DVec2,
    /// Radius \[m\].
    pub(super) radius: f64,
}

/// A part of the route: an arc about a centre, then the tangent to the next circle.
#[derive(Clone, Copy, Debug)]
struct Part {
    center: DVec2,
    radius: f64,
    /// Direction of the outward normal where the arc begins, and by how much it turns \[rad\].
    begin: f64,
    turn: f64,
    /// Length of the tangent \[m\].
    tangent: f64,
}

/// Counterclockwise route around circles.
#[derive(Clone, Debug)]
pub(super) struct Route {
    parts: Vec<Part>,
    /// Its length \[m\].
    pub(super) length: f64,
}

fn unit(angle: f64) -> DVec2 {
    DVec2::new(libm::cos(angle), libm::sin(angle))
}

impl Route {
    /// The route around circles. With the outward normal `n(φ)`, circle j is outermost where `cⱼ·n + rⱼ` is greatest; going
    /// round from circle i it becomes so at `φ = β − acos((rᵢ − rⱼ) / d)`, d and β the length and direction of `cⱼ − cᵢ`.
    pub(super) fn new(circles: &[Circle]) -> Self {
        let reach = |circle: &Circle| [circle.center.x + circle.radius, circle.center.y];
        let Some(first) = circles.iter().max_by(|a, b| {
            let (a, b) = (reach(a), reach(b));
            a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
        }) else {
            return Self { parts: Vec::new(), length: 0.0 };
        };
        let mut parts = Vec::new();
        let (mut at, mut angle) = (*first, 0.0);
        // Each tangent of the hull is passed once, and a hull of n circles has at most 2 n.
        for _ in 0..=2 * circles.len() {
            let next = circles.iter().filter_map(|other| {
                let offset = other.center - at.center;
                let distance = offset.length();
                let lead = at.radius - other.radius;
                if distance <= lead.abs() {
                    return None;
                }
                let enters = libm::atan2(offset.y, offset.x) - libm::acos(lead / distance);
                let wait = (enters - angle).rem_euclid(TAU);
                let wait = if TAU - wait < SAME_ANGLE { 0.0 } else { wait };
                Some((wait, (distance * distance - lead * lead).sqrt(), *other))
            });
            // Of circles with one tangent the farthest.
            let next = next.min_by(|a, b| {
                let is_same = (a.0 - b.0).abs() < SAME_ANGLE;
                if is_same { b.1.total_cmp(&a.1) } else { a.0.total_cmp(&b.0) }
            });
            let (center, radius) = (at.center, at.radius);
            match next {
                Some((turn, tangent, other)) if angle + turn < TAU => {
                    parts.push(Part { center, radius, begin: angle, turn, tangent });
                    (at, angle) = (other, angle + turn);
                }
                _ => {
                    parts.push(Part { center, radius, begin: angle, turn: TAU - angle, tangent: 0.0 });
                    break;
                }
            }
        }
        let length = parts.iter().map(|part| part.radius * part.turn + part.tangent).sum();
        Self { parts, length }
    }

    /// The point at a length along the route \[m\], which may be more than once round.
    fn point(&self, along: f64) -> DVec2 {
        let mut rest = along.rem_euclid(self.length);
        for part in &self.parts {
            let arc = part.radius * part.turn;
            if rest < arc {
                return part.center + part.radius * unit(part.begin + rest / part.radius);
            }
            rest -= arc;
            if rest < part.tangent {
                let normal = unit(part.begin + part.turn);
                return part.center + part.radius * normal + rest * normal.perp();
            }
            rest -= part.tangent;
        }
        self.point(0.0)
    }

    /// Corners of the closed chain of `count` equal links along the route, and the length of a link \[m\].
    pub(super) fn chain(&self, count: u32) -> (Vec<DVec2>, f64) {
        let (mut least, mut most) = (0.0, self.length / f64::from(count));
        for _ in 0..HALVINGS {
            let link = 0.5 * (least + most);
            if self.walk(link, count).1 < self.length { least = link } else { most = link }
        }
        (self.walk(least, count).0, least)
    }

    /// The corners that so many links of a length take from the start, and how far along the route they come \[m\].
    fn walk(&self, link: f64, count: u32) -> (Vec<DVec2>, f64) {
        let mut corners = Vec::with_capacity(count as usize);
        let mut along = 0.0;
        for _ in 0..count {
            let from = self.point(along);
            corners.push(from);
            // A chord is no longer than its arc, nor shorter than 2/π of it for less than half a turn.
            let (mut near, mut far) = (along + link, along + 1.6 * link);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (near + far);
                if self.point(middle).distance(from) < link { near = middle } else { far = middle }
            }
            along = near;
        }
        (corners, along)
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    fn circle(x: f64, y: f64, radius: f64) -> Circle {
        Circle { center: DVec2::new(x, y), radius }
    }

    /// An open belt about two wheels: `2 √(d² − (R − r)²) + R (π + 2 α) + r (π − 2 α)` with `sin α = (R − r)/d`.
    #[test]
    fn two_wheels_have_the_length_of_an_open_belt() {
        for (large, small, distance, heading) in
            [(0.1, 0.1, 0.5, 0.0), (0.3, 0.1, 0.9, 1.0), (0.2, 0.05, 0.4, -2.5), (0.3, 0.299, 2.0, 3.1)]
        {
            let end = distance * unit(heading);
            let circles = [circle(0.3, -0.2, large), circle(0.3 + end.x, -0.2 + end.y, small)];
            let tilt = libm::asin((large - small) / distance);
            let straight = 2.0 * (distance * distance - (large - small) * (large - small)).sqrt();
            let wanted = straight + large * (PI + 2.0 * tilt) + small * (PI - 2.0 * tilt);
            let found = Route::new(&circles).length;
            assert!((found - wanted).abs() < 1e-12, "{found} m, wanted {wanted} m");
        }
    }

    /// Cauchy: the perimeter of a convex curve is the integral of its support function, here the greatest `c·n + r`.
    #[test]
    fn any_wheels_have_the_perimeter_of_their_hull() {
        let mut seed = 7_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64
        };
        for _ in 0..200 {
            let count = 1 + (6.0 * random()) as usize;
            let circles: Vec<Circle> =
                (0..count).map(|_| circle(2.0 * random(), random(), 0.05 + 0.4 * random())).collect();
            const SAMPLES: u32 = 20_000;
            let support = |k: u32| {
                let normal = unit(TAU * f64::from(k) / f64::from(SAMPLES));
                circles.iter().map(|c| c.center.dot(normal) + c.radius).fold(f64::NEG_INFINITY, f64::max)
            };
            let wanted = (0..SAMPLES).map(support).sum::<f64>() * TAU / f64::from(SAMPLES);
            let found = Route::new(&circles).length;
            assert!((found - wanted).abs() < 1e-5, "{circles:?}: {found} m, wanted {wanted} m");
        }
    }

    /// Rollers in line with two equal wheels change nothing.
    #[test]
    fn a_roller_on_the_tangent_changes_nothing() {
        let ends = [circle(-0.25, 0.0, 0.08), circle(0.25, 0.0, 0.08)];
        let with = [ends[0], circle(0.0, 0.0, 0.08), ends[1]];
        assert!((Route::new(&ends).length - Route::new(&with).length).abs() < 1e-12);
    }

    /// Around one circle the links are the sides of a regular polygon: `2 R sin(π / n)`; in general all are equal and close.
    #[test]
    fn links_are_equal_and_close() {
        let (_, side) = Route::new(&[circle(0.1, 0.2, 0.5)]).chain(12);
        assert!((side - libm::sin(PI / 12.0)).abs() < 1e-12, "{side}");
        let (corners, link) = Route::new(&[circle(0.0, 0.0, 0.3), circle(1.0, 0.2, 0.1)]).chain(31);
        for (k, corner) in corners.iter().enumerate() {
            let length = corner.distance(corners[(k + 1) % corners.len()]);
            assert!((length - link).abs() < 1e-9, "link {k}: {length} m of {link} m");
        }
    }
}
