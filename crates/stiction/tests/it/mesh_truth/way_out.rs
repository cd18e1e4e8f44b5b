//! The way out of an overlap: what contacts show, and whether a shorter one exists.

use stiction::math::DVec3;

use super::distance::Convex;
use super::numbers::Numbers;
use super::soup::{Soup, normal, on_triangle};

/// Least t with `t·n >= d` for all planes (n, d): the least point of one, two or three of them that all are content
/// with.
pub fn least_translation(planes: &[(DVec3, f64)]) -> DVec3 {
    let fits = |t: DVec3| planes.iter().all(|(n, d)| t.dot(*n) >= d - 1e-9 - 1e-6 * d.abs());
    let mut best: Option<DVec3> = None;
    let mut consider = |t: DVec3| {
        if t.is_finite() && fits(t) && best.is_none_or(|b| t.length() < b.length()) {
            best = Some(t);
        }
    };
    for (i, (n, d)) in planes.iter().enumerate() {
        consider(*n * *d);
        for (j, (m, e)) in planes[..i].iter().enumerate() {
            let c = n.dot(*m);
            let rest = 1.0 - c * c;
            if rest > 1e-9 {
                consider(*n * ((d - c * e) / rest) + *m * ((e - c * d) / rest));
            }
            for (l, f) in &planes[..j] {
                let volume = n.dot(m.cross(*l));
                if volume.abs() > 1e-6 {
                    consider((m.cross(*l) * *d + l.cross(*n) * *e + n.cross(*m) * *f) / volume);
                }
            }
        }
    }
    // Contacts that contradict each other: the deepest.
    let deepest = planes.iter().max_by(|p, q| p.1.total_cmp(&q.1)).unwrap();
    best.unwrap_or(deepest.0 * deepest.1)
}

/// How far a point lies before an open sheet, by the side of the nearest place; negative behind.
pub fn front(soup: &Soup, p: DVec3) -> f64 {
    let nearest = soup.nearest(p);
    let off = p - nearest;
    let near = soup.triangles.iter().filter(|t| (on_triangle(p, t) - nearest).length() < 1e-9);
    let height = near.map(|t| normal(t).dot(off)).fold(0.0f64, |best, h| if h.abs() > best.abs() { h } else { best });
    off.length().copysign(height)
}

pub enum Verdict {
    Least,
    Short,
    Long(DVec3),
}

/// What a way out is judged as, to a hundredth.
pub fn verdict(soup: &Soup, set: &Convex, way: DVec3) -> Verdict {
    let slack = 1e-6;
    let is_free = |by: DVec3| {
        let moved = set.moved(by);
        !soup.overlaps(&moved) && soup.is_outside(moved.center())
    };
    let length = way.length();
    // Past the rim of what ends somewhere it is free as well, but no shorter way leads there.
    if soup.overlaps(&set.moved(way * 1.01 + way.normalize_or_zero() * slack)) {
        return Verdict::Short;
    }
    let shorter = 0.99 * length - slack;
    if shorter <= 0.0 {
        return Verdict::Least;
    }
    let mut r = Numbers(3);
    let mut directions: Vec<DVec3> = (0..150).map(|_| r.vector().normalize()).collect();
    let along = way.normalize();
    for spread in [0.3, 0.1, 0.03] {
        directions.extend((0..20).map(|_| (along + r.vector() * spread).normalize()));
    }
    // Towards the nearest place out, and along the normals about.
    let near = soup.triangles.iter().filter(|t| (on_triangle(set.center(), t) - set.center()).length() < set.reach());
    directions.extend(near.map(normal).take(60));
    match directions.into_iter().find(|d| is_free(*d * shorter)) {
        Some(d) => {
            let (mut low, mut high) = (0.0, shorter);
            for _ in 0..20 {
                let middle = 0.5 * (low + high);
                *(if is_free(d * middle) { &mut high } else { &mut low }) = middle;
            }
            Verdict::Long(d * high)
        }
        None => Verdict::Least,
    }
}
