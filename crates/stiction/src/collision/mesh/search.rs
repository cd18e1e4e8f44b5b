//! The shortest translation that separates a body, found by search.
//!
//! Contacts are exact where shapes just touch. So a translation t is sought at which they do: at `t` the contacts of
//! normal n and depth d ask for `t'·n >= t·n + d`, and the least such t' is the next one (Newton's method on the
//! boundary of all translations that overlap). The contacts at its end, moved back by t, are those of the overlap.

use glam::DVec3;

use super::translation::Planes;
use crate::collision::ManifoldPoint;

/// Steps from one start at most.
const STEPS: usize = 8;
/// Overlap left that counts as free, in parts of the way; the way itself is as exact.
pub(super) const FREE: f64 = 4e-3;
/// Gaps that a look takes in, in parts of the way; a second one if the first shows nothing. At the end of the way, points
/// that are less deep by no more than this are part of the contact.
pub(super) const NEAR: f64 = 0.2;
const FAR: f64 = 0.5;

/// A body that may be looked at where it is not.
pub(super) trait Movable {
    /// Replaces the points by the contacts of the body moved by a way, of depths from `least` on.
    fn look(&mut self, way: DVec3, least: f64, out: &mut Vec<ManifoldPoint>) -> Look;
    /// The body moved by a way overlaps although its contacts show nothing: a direction out and the depth along it.
    fn overlap(&mut self, _way: DVec3) -> Option<(DVec3, f64)> {
        None
    }

    /// The body moved by a way is known at a glance to overlap by more than a slack \[m\].
    fn is_met(&mut self, _way: DVec3, _slack: f64) -> bool {
        false
    }

    /// Scale of tolerances \[m\].
    fn size(&self) -> f64;
}

/// What a look shows beside the contacts.
#[derive(Clone, Copy, Default)]
pub(super) struct Look {
    /// The body is on the wrong side.
    pub is_behind: bool,
    /// It is met without a contact: how deep at least, and a direction with the depth along it.
    pub missed: Option<(f64, DVec3, f64)>,
}

/// Steps along one direction at most; the last is four times as far as the first, and may be thousands of times.
const PUSHES: usize = 16;
/// Contacts whose normals are farther from a direction than this do not count as ahead of it (cosine).
const STEEP: f64 = 0.1;

/// Directions about the best way, at these tangents from it, and the part of its length that is tried.
const ABOUT: usize = 10;
const SPREADS: [f64; 4] = [1.5, 0.8, 0.4, 0.15];
const LESS: f64 = 0.99;

/// A start is given up where it asks for so many times the best way.
const LONGER: f64 = 1.4;

/// What a look at a body moved by a way shows of the way.
pub(super) struct Step {
    pub is_free: bool,
    /// The least way that the contacts there ask for.
    pub next: Option<DVec3>,
}

pub(super) fn step(body: &mut dyn Movable, way: DVec3, near: f64, out: &mut Vec<ManifoldPoint>) -> Step {
    let length = way.length();
    let rounding = 1e-9 * body.size();
    let slack = FREE * length + rounding;
    let look = body.look(way, -near * length - slack, out);
    let overlap = out.iter().fold(0.0f64, |most, p| most.max(p.depth));
    let missed = look.missed.filter(|m| m.0 > slack.max(overlap));
    let seems_free = !look.is_behind && overlap <= slack && missed.is_none();
    // Where contacts leave a slack, the body is moved on by it.
    let unseen = if seems_free { body.overlap(way + way.normalize_or_zero() * slack) } else { None };
    let is_free = seems_free && unseen.is_none();
    let mut planes = planes_of(out, way);
    if let Some((normal, along)) = missed.map(|m| (m.1, m.2)).or(unseen) {
        planes.get_or_insert_with(Planes::new).push(normal, way.dot(normal) + along);
    }
    Step { is_free, next: planes.and_then(|planes| planes.least(rounding)) }
}

/// What the contacts at a translation ask for.
pub(super) fn planes_of(points: &[ManifoldPoint], at: DVec3) -> Option<Planes> {
    let mut planes = Planes::new();
    points.iter().for_each(|p| planes.push(p.normal, at.dot(p.normal) + p.depth));
    (!planes.is_empty()).then_some(planes)
}

/// The points show a way that is as long as the one found: with less the body would not be free.
pub(super) fn shows(points: &[ManifoldPoint], way: DVec3) -> bool {
    let shown = planes_of(points, DVec3::ZERO).map(|planes| planes.least(FREE * way.length()));
    // Planes that leave nothing hold in any case.
    shown.is_some_and(|least| least.is_none_or(|t| t.length() >= (1.0 - 5.0 * FREE) * way.length()))
}

/// The least way that the points ask for is the way found, or they leave none.
pub(super) fn ask_for(points: &[ManifoldPoint], way: DVec3) -> bool {
    let asked = planes_of(points, DVec3::ZERO).map(|planes| planes.least(1e-3 * FREE * way.length()));
    asked.is_some_and(|least| least.is_none_or(|t| (t - way).length() <= FREE * way.length()))
}

/// Ways that are remembered as looked at.
const TRIED: usize = 32;

/// The least way known that frees a body.
pub(super) struct Search {
    pub best: Option<DVec3>,
    /// The points are those of the body moved by this.
    pub at: Option<DVec3>,
    tried: [DVec3; TRIED],
    count: usize,
}

impl Search {
    pub fn new() -> Self {
        Self { best: None, at: None, tried: [DVec3::ZERO; TRIED], count: 0 }
    }

    /// The points are those of the body moved by a way, which frees it or not.
    pub fn note(&mut self, way: DVec3, is_free: bool) {
        self.at = Some(way);
        if is_free && self.best.is_none_or(|b| way.length() < b.length()) {
            self.best = Some(way);
        }
        self.tried[self.count % TRIED] = way;
        self.count += 1;
    }

    /// A look at a way has been taken: from there on everything would be the same.
    fn is_tried(&self, way: DVec3, slack: f64) -> bool {
        self.tried[..self.count.min(TRIED)].iter().any(|t| (*t - way).length_squared() <= slack * slack)
    }

    /// Looks for a less way from a start on.
    pub fn follow(&mut self, body: &mut dyn Movable, start: DVec3, out: &mut Vec<ManifoldPoint>) {
        let mut way = start;
        for _ in 0..STEPS {
            let length = way.length();
            if self.is_tried(way, 1e-6 * length + 1e-9 * body.size()) {
                break;
            }
            let mut found = step(body, way, NEAR, out);
            if found.is_free && out.is_empty() {
                found = step(body, way, FAR, out);
            }
            self.note(way, found.is_free);
            // Nothing is near: back halfway.
            let next = match found.next {
                None if found.is_free && out.is_empty() => Some(0.5 * way),
                next => next,
            };
            // What asks for much more than the best way leads nowhere.
            let is_longer = |next: DVec3| self.best.is_some_and(|b| b != way && next.length() >= LONGER * b.length());
            match next {
                Some(next) if is_longer(next) => break,
                Some(next) if (next - way).length() > FREE * length + 1e-9 * body.size() => way = next,
                _ => break,
            }
        }
    }

    /// Looks about the best way for a less one that frees the body as well.
    pub fn look_about(&mut self, body: &mut dyn Movable, out: &mut Vec<ManifoldPoint>) {
        for spread in SPREADS {
            let Some(best) = self.best else { return };
            let along = best.normalize_or_zero();
            let (u, v) = along.any_orthonormal_pair();
            for k in 0..ABOUT {
                let angle = std::f64::consts::TAU * k as f64 / ABOUT as f64;
                let aside = u * libm::cos(angle) + v * libm::sin(angle);
                let way = (along + aside * spread).normalize() * (LESS * best.length());
                if body.is_met(way, FREE * way.length() + 1e-9 * body.size()) {
                    continue;
                }
                self.at = None;
                if step(body, way, NEAR, out).is_free {
                    self.follow(body, way, out);
                    break;
                }
            }
        }
    }

    /// Moves the body on along one direction until it is free, and looks for a less way from there.
    pub fn push_on(&mut self, body: &mut dyn Movable, start: DVec3, out: &mut Vec<ManifoldPoint>) {
        let Some(along) = start.try_normalize() else { return };
        let mut length = start.length();
        for _ in 0..PUSHES {
            self.at = None;
            if step(body, along * length, NEAR, out).is_free {
                self.follow(body, along * length, out);
                return;
            }
            // As far as what lies ahead asks for.
            let ahead = out.iter().filter(|p| p.normal.dot(along) > STEEP).map(|p| p.depth / p.normal.dot(along));
            length += ahead.fold(0.0, f64::max).clamp(0.1 * length, length);
        }
    }

    /// Replaces the points by those of the body where it is: by the best way they are deeper. Without a way they are
    /// those that a look finds.
    pub fn finish(self, body: &mut dyn Movable, least: f64, out: &mut Vec<ManifoldPoint>) {
        let Some(way) = self.best else {
            body.look(DVec3::ZERO, least, out);
            return;
        };
        // Looks on the way show what is near it alone.
        if self.at != Some(way) || -least > NEAR * way.length() {
            body.look(way, -NEAR * way.length() + least, out);
        }
        for point in out.iter_mut() {
            // Deeper by the way along the normal, and the point on the body moves back by the way.
            let along = way.dot(point.normal);
            point.depth += along;
            point.position += point.normal * (0.5 * along) - way;
        }
        out.retain(|p| p.depth >= least);
    }
}
