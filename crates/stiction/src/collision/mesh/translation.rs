//! The least translation that a few contacts are content with.

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
    /// corner of three; `None` if they leave nothing.
    pub fn least(&self, slack: f64) -> Option<DVec3> {
        let planes = &self.list[..self.len];
        let mut best: Option<DVec3> = None;
        let mut consider = |t: DVec3| {
            if !t.is_finite() || best.is_some_and(|b| t.length_squared() >= b.length_squared()) {
                return;
            }
            if planes.iter().all(|(n, d)| t.dot(*n) >= d - slack) {
                best = Some(t);
            }
        };
        consider(DVec3::ZERO);
        for (i, &(n, d)) in planes.iter().enumerate() {
            consider(n * d);
            for (j, &(m, e)) in planes[..i].iter().enumerate() {
                let cosine = n.dot(m);
                let rest = 1.0 - cosine * cosine;
                if rest <= 1e-9 {
                    continue;
                }
                consider(n * ((d - cosine * e) / rest) + m * ((e - cosine * d) / rest));
                for &(l, f) in &planes[..j] {
                    let volume = n.dot(m.cross(l));
                    if volume.abs() > 1e-6 {
                        consider((m.cross(l) * d + l.cross(n) * e + n.cross(m) * f) / volume);
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
    fn a_slope_that_the_other_plane_covers_counts_for_nothing() {
        let mut planes = Planes::new();
        let slope = DVec3::new(0.6, 0.0, 0.8);
        planes.push(DVec3::Z, 1.0);
        planes.push(slope, 0.7);
        assert!((planes.least(1e-12).unwrap() - DVec3::Z).length() < 1e-12);
    }
}
