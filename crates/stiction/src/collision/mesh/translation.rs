//! The shortest translation that satisfies a few contacts.

use glam::DVec3;

/// Planes kept at most.
const MOST: usize = 16;
/// Normals of one plane (cosine).
const SAME: f64 = 1.0 - 1e-6;

/// Half-spaces `t·n >= d` of translations t.
#[derive(Clone, Copy)]
pub(super) struct Planes {
    list: [(DVec3, f64); MOST],
    len: usize,
}

impl Planes {
    pub fn new() -> Self {
        Self { list: [(DVec3::ZERO, 0.0); MOST], len: 0 }
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Of planes along one normal the farthest counts, of too many those that are farthest.
    pub fn push(&mut self, normal: DVec3, depth: f64) {
        if let Some(known) = self.list[..self.len].iter_mut().find(|p| p.0.dot(normal) > SAME) {
            if depth > known.1 {
                *known = (normal, depth);
            }
            return;
        }
        if self.len < MOST {
            self.list[self.len] = (normal, depth);
            self.len += 1;
            return;
        }
        let least = (1..MOST).fold(0, |best, i| if self.list[i].1 < self.list[best].1 { i } else { best });
        if depth > self.list[least].1 {
            self.list[least] = (normal, depth);
        }
    }

    /// The least t inside all of them: the point nearest to the origin of one plane, of the line of two, or of the
    /// corner of three; `None` if they leave nothing. One that all are content with and that is a sum of its planes'
    /// normals with no factor below zero is the least (Karush, Kuhn and Tucker).
    pub fn least(&self, slack: f64) -> Option<DVec3> {
        let planes = &self.list[..self.len];
        let fits = |t: DVec3| t.is_finite() && planes.iter().all(|(n, d)| t.dot(*n) >= d - slack);
        let mut best: Option<DVec3> = None;
        let mut consider = |t: DVec3| {
            let is_less = best.is_none_or(|b| t.length_squared() < b.length_squared()) && fits(t);
            if is_less {
                best = Some(t);
            }
            is_less
        };
        if consider(DVec3::ZERO) {
            return Some(DVec3::ZERO);
        }
        for &(n, d) in planes {
            if consider(n * d) && d >= 0.0 {
                return Some(n * d);
            }
        }
        for (i, &(n, d)) in planes.iter().enumerate() {
            for &(m, e) in &planes[..i] {
                let cosine = n.dot(m);
                let rest = 1.0 - cosine * cosine;
                if rest <= 1e-9 {
                    continue;
                }
                let (a, b) = ((d - cosine * e) / rest, (e - cosine * d) / rest);
                let t = n * a + m * b;
                if consider(t) && a >= 0.0 && b >= 0.0 {
                    return Some(t);
                }
            }
        }
        for (i, &(n, d)) in planes.iter().enumerate() {
            for (j, &(m, e)) in planes[..i].iter().enumerate() {
                for &(l, f) in &planes[..j] {
                    let (nm, ml, ln) = (n.cross(m), m.cross(l), l.cross(n));
                    let volume = n.dot(ml);
                    if volume.abs() <= 1e-6 {
                        continue;
                    }
                    let t = (ml * d + ln * e + nm * f) / volume;
                    let factors = [ml, ln, nm].map(|side| side.dot(t) * volume);
                    if consider(t) && factors.iter().all(|factor| *factor >= 0.0) {
                        return Some(t);
                    }
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_is_left_along_all_its_walls() {
        let mut planes = Planes::new();
        planes.push(DVec3::X, 1.0);
        planes.push(DVec3::Y, 2.0);
        planes.push(DVec3::Z, -3.0);
        assert!((planes.least(1e-12).unwrap() - DVec3::new(1.0, 2.0, 0.0)).length() < 1e-12);
        planes.push(DVec3::NEG_X, -0.5);
        assert_eq!(planes.least(1e-12), None);
    }

    #[test]
    fn no_point_of_random_planes_is_nearer() {
        let mut seed = 1u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            2.0 * (seed >> 11) as f64 / (1u64 << 53) as f64 - 1.0
        };
        for round in 0..500 {
            let mut planes = Planes::new();
            let count = 1 + round % 12;
            for _ in 0..count {
                // Mostly to one side, as about a body on the ground.
                let n = DVec3::new(next(), next(), next() + 1.0).normalize();
                planes.push(n, 1.0 + 0.5 * next());
            }
            let fits = |t: DVec3| planes.list[..planes.len].iter().all(|(n, d)| t.dot(*n) >= d - 1e-9);
            let Some(least) = planes.least(1e-9) else { continue };
            assert!(fits(least));
            // The set is convex: a nearer point would make some small step towards the origin fit.
            for _ in 0..2000 {
                let step = DVec3::new(next(), next(), next()) * 1e-2;
                let t = least + step;
                assert!(t.length() >= least.length() - 1e-6 || !fits(t), "{least} {t}");
            }
        }
    }

    #[test]
    fn a_slope_that_the_other_plane_covers_counts_for_nothing() {
        let mut planes = Planes::new();
        let slope = DVec3::new(0.6, 0.0, 0.8);
        planes.push(DVec3::Z, 1.0);
        planes.push(slope, 0.7);
        assert!((planes.least(1e-12).unwrap() - DVec3::Z).length() < 1e-12);
    }
}
