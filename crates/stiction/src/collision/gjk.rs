//! Distance of a convex set from the origin (Gilbert, Johnson and Keerthi).

use glam::DVec3;

/// The point of the set nearest the origin, and the longest side of the simplex that carries it (zero for a
/// corner); `None` when it is within `touch` \[m\] of the origin or contains it.
///
/// `support(d)` is the set's farthest point along d. A set that is proved to be farther than `enough` \[m\] is left at a
/// point whose direction proves it.
pub(super) fn nearest(
    support: &impl Fn(DVec3) -> DVec3,
    start: DVec3,
    touch: f64,
    enough: f64,
) -> Option<(DVec3, DVec3)> {
    search(support, start, touch, enough).map(|(v, simplex, _)| (v, simplex.longest_side()))
}

/// The nearest point, and the corners of the set that carry it, of which there are one to three.
pub(super) fn nearest_simplex(
    support: &impl Fn(DVec3) -> DVec3,
    start: DVec3,
    touch: f64,
) -> Option<(DVec3, [DVec3; 4], usize)> {
    search(support, start, touch, f64::INFINITY).map(|(v, _, carrier)| (v, carrier.points, carrier.len))
}

/// The nearest point, the last simplex, which rounding may have flattened, and the one that carries the point.
#[inline(always)]
fn search(
    support: &impl Fn(DVec3) -> DVec3,
    start: DVec3,
    touch: f64,
    enough: f64,
) -> Option<(DVec3, Simplex, Simplex)> {
    let mut simplex = Simplex { points: [DVec3::ZERO; 4], len: 0 };
    let mut v = support(-start);
    simplex.push(v);
    let mut carrier = simplex;
    for _ in 0..MAX_ITERATIONS {
        let square = v.length_squared();
        if square <= touch * touch {
            return None;
        }
        let w = support(-v);
        // |v|² - v·w bounds |v|² - |v*|² from above.
        let along = v.dot(w);
        let is_far = along > 0.0 && along * along > enough * enough * square;
        if is_far || square - along <= 1e-13 * square || simplex.contains(w) {
            break;
        }
        simplex.push(w);
        let Some(next) = simplex.nearest() else {
            // v·w > 0 proves the set apart; only a simplex flattened by rounding then seems to hold the origin.
            if v.dot(w) > 1e-3 * touch * v.length() {
                break;
            }
            return None;
        };
        // Rounding has the last word when the distance no longer falls.
        if next.length_squared() >= square {
            break;
        }
        v = next;
        carrier = simplex;
    }
    Some((v, simplex, carrier))
}

const MAX_ITERATIONS: usize = 128;
/// Supports that a search asks for at most.
pub(super) const MOST_SUPPORTS: usize = MAX_ITERATIONS + 1;

#[derive(Clone, Copy)]
struct Simplex {
    points: [DVec3; 4],
    len: usize,
}

impl Simplex {
    fn push(&mut self, point: DVec3) {
        self.points[self.len] = point;
        self.len += 1;
    }

    fn keep(&mut self, points: &[DVec3]) {
        self.points[..points.len()].copy_from_slice(points);
        self.len = points.len();
    }

    fn longest_side(&self) -> DVec3 {
        let mut best = DVec3::ZERO;
        for (i, p) in self.points[..self.len].iter().enumerate() {
            for q in &self.points[..i] {
                if (*p - *q).length_squared() > best.length_squared() {
                    best = *p - *q;
                }
            }
        }
        best
    }

    fn contains(&self, point: DVec3) -> bool {
        self.points[..self.len].contains(&point)
    }

    /// Nearest point of the simplex to the origin, keeping only the corners that carry it; `None` inside.
    fn nearest(&mut self) -> Option<DVec3> {
        let p = self.points;
        if self.len < 4 {
            let (point, kept, count) = match self.len {
                1 => (p[0], p, 1),
                2 => on_segment(p[0], p[1]),
                _ => on_triangle(p[0], p[1], p[2]),
            };
            self.keep(&kept[..count]);
            return Some(point);
        }
        let mut best: Option<(DVec3, [DVec3; 4], usize)> = None;
        for (a, b, c, opposite) in
            [(p[0], p[1], p[2], p[3]), (p[0], p[1], p[3], p[2]), (p[0], p[2], p[3], p[1]), (p[1], p[2], p[3], p[0])]
        {
            let normal = (b - a).cross(c - a);
            // Only a face with the origin on its outer side can carry the nearest point.
            if normal.dot(a) * normal.dot(opposite - a) < 0.0 {
                continue;
            }
            let candidate = on_triangle(a, b, c);
            if best.is_none_or(|b| candidate.0.length_squared() < b.0.length_squared()) {
                best = Some(candidate);
            }
        }
        let (point, kept, count) = best?;
        self.keep(&kept[..count]);
        Some(point)
    }
}

/// Nearest point to the origin and the corners that carry it.
fn on_segment(a: DVec3, b: DVec3) -> (DVec3, [DVec3; 4], usize) {
    let ab = b - a;
    let t = -a.dot(ab);
    let square = ab.length_squared();
    let pack = |p: DVec3, q: DVec3| [p, q, DVec3::ZERO, DVec3::ZERO];
    if t <= 0.0 {
        (a, pack(a, a), 1)
    } else if t >= square {
        (b, pack(b, b), 1)
    } else {
        (a + ab * (t / square), pack(a, b), 2)
    }
}

fn on_triangle(a: DVec3, b: DVec3, c: DVec3) -> (DVec3, [DVec3; 4], usize) {
    let normal = (b - a).cross(c - a);
    let square = normal.length_squared();
    // Barycentric coordinates of the origin's foot point, times the squared double area.
    let (u, v, w) = (normal.dot(b.cross(c)), normal.dot(c.cross(a)), normal.dot(a.cross(b)));
    if square > 0.0 && u > 0.0 && v > 0.0 && w > 0.0 {
        return (normal * (normal.dot(a) / square), [a, b, c, DVec3::ZERO], 3);
    }
    let mut best = on_segment(a, b);
    for (p, q) in [(b, c), (c, a)] {
        let candidate = on_segment(p, q);
        if candidate.0.length_squared() < best.0.length_squared() {
            best = candidate;
        }
    }
    best
}
