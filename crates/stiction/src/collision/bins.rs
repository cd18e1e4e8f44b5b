//! Contact points made fewer by bins of their normals and moments (AGX's contact reduction).
//!
//! A point at r from the middle of all carries the wrench `(n, r × n)`. Its bin is that of the six numbers `(n, r × n / ℓ)`, ℓ the
//! largest distance from the middle. Of each bin one of the deepest points stays, and of the points of each side (of about one
//! normal, however many bins) those farthest in [`DIRECTIONS`] directions, so that the area that supports a load stays: of a disc all but
//! `1 − cos(π / 24)` = 0.9 % of the moment.

use glam::DVec3;

use super::ManifoldPoint;
use crate::math::plane_space;

/// Directions in which the farthest points of each side stay.
const DIRECTIONS: u32 = 24;
/// Bins of normals, in each dimension, that are a side.
const SIDES: u32 = 10;
/// Differences that count as rounding, as a share of the size.
const ROUNDING: f64 = 1e-9;
/// Share of the depth by which points of a bin may be less deep than the deepest and stand for it.
const ABOUT: f64 = 0.1;
/// Numbers by so much below the border of two bins are in the upper one, so that rounding splits no face.
const BORDER: f64 = 1e-6;

/// Memory of a reduction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bins {
    /// Bin and number of each point, in the order of bins.
    keys: Vec<(u32, u32)>,
    is_kept: Vec<bool>,
}

impl Bins {
    /// Which points stay, with so many bins in each dimension, 1 to 10.
    pub(crate) fn choose(&mut self, points: &[ManifoldPoint], bins: u32) -> &[bool] {
        self.is_kept.clear();
        self.is_kept.resize(points.len(), false);
        let middle = points.iter().map(|p| p.position).sum::<DVec3>() / points.len().max(1) as f64;
        let size = points.iter().map(|p| (p.position - middle).length()).fold(0.0, f64::max);
        self.sort(points, |point| key(point.normal, SIDES));
        for side in self.keys.chunk_by(|a, b| a.0 == b.0) {
            keep_outline(side, points, size * ROUNDING, &mut self.is_kept);
        }
        self.sort(points, |point| {
            let moment = (point.position - middle).cross(point.normal) / if size > 0.0 { size } else { 1.0 };
            key(point.normal, bins) * bins.pow(3) + key(moment, bins)
        });
        for bin in self.keys.chunk_by(|a, b| a.0 == b.0) {
            if let Some(number) = representative(bin, points, size * ROUNDING, &self.is_kept) {
                self.is_kept[number] = true;
            }
        }
        &self.is_kept
    }

    fn sort(&mut self, points: &[ManifoldPoint], key: impl Fn(&ManifoldPoint) -> u32) {
        self.keys.clear();
        self.keys.extend(points.iter().enumerate().map(|(number, point)| (key(point), number as u32)));
        self.keys.sort_unstable();
    }

    /// Leaves the points that stay, in their order, where there are more than `threshold`.
    pub(crate) fn reduce(&mut self, points: &mut Vec<ManifoldPoint>, bins: u32, threshold: u32) {
        if points.len() <= threshold as usize {
            return;
        }
        let mut is_kept = self.choose(points, bins).iter();
        points.retain(|_| is_kept.next().copied().unwrap_or(false));
    }
}

/// Number of the bin of three numbers from −1 to 1.
fn key(numbers: DVec3, bins: u32) -> u32 {
    let bin = |x: f64| (((x + 1.0) / 2.0 * f64::from(bins) + BORDER) as u32).min(bins - 1);
    (bin(numbers.x) * bins + bin(numbers.y)) * bins + bin(numbers.z)
}

/// The point that stands for a bin: of those about as deep as the deepest the one nearest to their middle, so that the choice
/// stays when springs give way a little; `None` where one of them stays anyway.
fn representative(bin: &[(u32, u32)], points: &[ManifoldPoint], rounding: f64, is_kept: &[bool]) -> Option<usize> {
    let numbers = || bin.iter().map(|(_, number)| *number as usize);
    let deepest = numbers().map(|number| points[number].depth).fold(f64::NEG_INFINITY, f64::max);
    let least = deepest - ABOUT * deepest.abs() - rounding;
    let deep = || numbers().filter(|number| points[*number].depth >= least);
    if deep().any(|number| is_kept[number]) {
        return None;
    }
    let middle = deep().map(|number| points[number].position).sum::<DVec3>() / deep().count() as f64;
    let mut best: Option<(f64, usize)> = None;
    for number in deep() {
        let distance = (points[number].position - middle).length();
        if best.is_none_or(|(least, _)| distance < least - rounding) {
            best = Some((distance, number));
        }
    }
    best.map(|(_, number)| number)
}

/// Keeps the farthest points of a side in each direction; of several as far the farthest one to the side. A long side is taken
/// as if it were as wide.
fn keep_outline(side: &[(u32, u32)], points: &[ManifoldPoint], rounding: f64, is_kept: &mut [bool]) {
    let of_side = || side.iter().map(|(_, number)| &points[*number as usize]);
    let normal = of_side().map(|p| p.normal).sum::<DVec3>();
    let (first, second) = plane_space(normal.normalize_or(DVec3::Z).into());
    let (first, second) = principal(of_side(), first.into(), second.into());
    for k in 0..DIRECTIONS {
        let (sin, cos) = libm::sincos(std::f64::consts::TAU * f64::from(k) / f64::from(DIRECTIONS));
        let (along, across) = (cos * first + sin * second, cos * second - sin * first);
        let mut best: Option<(f64, f64, usize)> = None;
        for (_, number) in side {
            let number = *number as usize;
            let (x, y) = (along.dot(points[number].position), across.dot(points[number].position));
            let is_better =
                best.is_none_or(|(far, aside, _)| x > far + rounding || (x > far - rounding && y > aside + rounding));
            if is_better {
                best = Some((x, y, number));
            }
        }
        if let Some((_, _, number)) = best {
            is_kept[number] = true;
        }
    }
}

/// Axes in a plane along which points spread most and least, the latter longer by the ratio of the two spreads; the given ones
/// where the spreads are much the same, so that rounding does not turn them.
fn principal<'a>(
    points: impl Iterator<Item = &'a ManifoldPoint> + Clone,
    first: DVec3,
    second: DVec3,
) -> (DVec3, DVec3) {
    let count = points.clone().count().max(1) as f64;
    let middle = points.clone().map(|p| p.position).sum::<DVec3>() / count;
    let [mut xx, mut xy, mut yy] = [0.0; 3];
    for point in points {
        let (x, y) = (first.dot(point.position - middle), second.dot(point.position - middle));
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    let (mean, half) = (0.5 * (xx + yy), (0.25 * (xx - yy) * (xx - yy) + xy * xy).sqrt());
    if half <= 0.2 * mean {
        return (first, second);
    }
    let (sin, cos) = libm::sincos(0.5 * libm::atan2(2.0 * xy, xx - yy));
    let ratio = ((mean + half) / (mean - half).max(1e-6 * mean)).sqrt();
    (cos * first + sin * second, ratio * (cos * second - sin * first))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random numbers, xorshift.
    struct Random(u64);

    impl Random {
        fn unit(&mut self) -> f64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as f64 / (1u64 << 53) as f64
        }
    }

    /// Points of two flat sides of random outline, tilt and number.
    fn sides(random: &mut Random) -> Vec<ManifoldPoint> {
        let mut points = Vec::new();
        for side in 0..1 + (random.unit() * 2.0) as u32 {
            let mut number = || 2.0 * random.unit() - 1.0;
            let normal = DVec3::new(number(), number(), number()).normalize_or(DVec3::Z);
            let (first, second) = plane_space(normal.into());
            let (first, second) = (DVec3::from(first), DVec3::from(second));
            let (a, b, center) = (0.1 + number().abs(), 0.1 + number().abs(), f64::from(side) * first);
            for k in 0..40 {
                let (mut x, mut y) = (number(), number());
                if x * x + y * y > 1.0 {
                    (x, y) = (0.5 * x, 0.5 * y);
                }
                let position = center + a * x * first + b * y * second;
                points.push(ManifoldPoint::new(position, normal, 1e-3, 100 * side + k));
            }
        }
        points
    }

    /// Of a thousand random contacts with 100 random wrenches each: what the points that stay give along a wrench is within
    /// 5 % of the spread of what all give; the order of the points does not matter.
    #[test]
    fn what_stays_can_carry_what_all_can() {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let mut bins = Bins::default();
        for _ in 0..1000 {
            let points = sides(&mut random);
            let count = 1 + (random.unit() * 10.0) as u32;
            let stays = bins.choose(&points, count.min(10)).to_vec();
            let wrench = |p: &ManifoldPoint, w: [DVec3; 2]| w[0].dot(p.normal) + w[1].dot(p.position.cross(p.normal));
            for _ in 0..100 {
                let mut vector = || DVec3::new(random.unit() - 0.5, random.unit() - 0.5, random.unit() - 0.5);
                let w = [vector(), vector()];
                let most = |points: &mut dyn Iterator<Item = &ManifoldPoint>| {
                    points.map(|p| wrench(p, w)).fold(f64::NEG_INFINITY, f64::max)
                };
                let all = most(&mut points.iter());
                let least = points.iter().map(|p| wrench(p, w)).fold(f64::INFINITY, f64::min);
                let kept = most(&mut points.iter().zip(&stays).filter(|(_, stays)| **stays).map(|(p, _)| p));
                assert!(all - kept <= 0.05 * (all - least), "{kept} of {all} to {least}, {count} bins");
            }
        }
    }
}
