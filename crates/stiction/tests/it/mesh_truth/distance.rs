//! Distance of a convex solid and a triangle by the least point of their difference.
//!
//! The least point of a simplex is found by trying all its faces. With v the nearest point so far and w the set's
//! farthest point towards the origin, `v·w / |v| <= distance <= |v|`: the answer comes with its own proof, which only
//! leans on the farthest points of the solids.

use stiction::math::{DVec3, Pose};

/// A convex solid in the axes of the mesh, by its own formulas.
#[derive(Clone, Debug)]
pub struct Convex {
    pub kind: Kind,
    pub pose: Pose,
}

#[derive(Clone, Debug)]
pub enum Kind {
    Points { points: Vec<DVec3>, radius: f64 },
    Cylinder { radius: f64, half: f64 },
    Cone { radius: f64, half: f64 },
    Ellipsoid { semi_axes: DVec3 },
}

impl Kind {
    fn support(&self, d: DVec3) -> DVec3 {
        match self {
            Self::Points { points, radius } => {
                let far = points.iter().max_by(|p, q| p.dot(d).total_cmp(&q.dot(d))).unwrap();
                *far + d.normalize_or(DVec3::X) * *radius
            }
            Self::Cylinder { radius, half } => {
                d.with_z(0.0).normalize_or(DVec3::X) * *radius + DVec3::Z * half.copysign(d.z)
            }
            Self::Cone { radius, half } => {
                let rim = d.with_z(0.0).normalize_or(DVec3::X) * *radius - DVec3::Z * *half;
                let tip = DVec3::Z * *half;
                if tip.dot(d) > rim.dot(d) { tip } else { rim }
            }
            Self::Ellipsoid { semi_axes } => {
                let scaled = *semi_axes * d;
                *semi_axes * scaled.normalize_or(DVec3::X)
            }
        }
    }

    /// The same solid with everything moved in by `by` at least along its own axes.
    pub fn shrunk(&self, by: f64) -> Self {
        match self {
            Self::Points { points, radius } if *radius > 0.0 => {
                Self::Points { points: points.clone(), radius: radius - by }
            }
            Self::Points { points, .. } => {
                let center = points.iter().sum::<DVec3>() / points.len() as f64;
                let size = points.iter().map(|p| (*p - center).length()).fold(f64::INFINITY, f64::min);
                let scale = 1.0 - 2.0 * by / size;
                Self::Points { points: points.iter().map(|p| center + (*p - center) * scale).collect(), radius: 0.0 }
            }
            Self::Cylinder { radius, half } => Self::Cylinder { radius: radius - by, half: half - by },
            Self::Cone { radius, half } => Self::Cone { radius: radius - 2.0 * by, half: half - 2.0 * by },
            Self::Ellipsoid { semi_axes } => Self::Ellipsoid { semi_axes: *semi_axes - DVec3::splat(by) },
        }
    }
}

impl Convex {
    pub fn support(&self, d: DVec3) -> DVec3 {
        self.pose.point(self.kind.support(self.pose.inverse_direction(d)))
    }

    /// A point inside.
    pub fn center(&self) -> DVec3 {
        match &self.kind {
            Kind::Points { points, .. } => self.pose.point(points.iter().sum::<DVec3>() / points.len() as f64),
            Kind::Cone { half, .. } => self.pose.point(DVec3::Z * (-0.5 * half)),
            _ => self.pose.position,
        }
    }

    /// Radius of a ball about the centre that holds all.
    pub fn reach(&self) -> f64 {
        match &self.kind {
            Kind::Points { points, radius } => {
                let center = points.iter().sum::<DVec3>() / points.len() as f64;
                points.iter().map(|p| (*p - center).length()).fold(0.0, f64::max) + radius
            }
            Kind::Cylinder { radius, half } => radius.hypot(*half),
            Kind::Cone { radius, half } => radius.hypot(1.5 * half),
            Kind::Ellipsoid { semi_axes } => semi_axes.max_element(),
        }
    }

    pub fn moved(&self, by: DVec3) -> Self {
        Self { kind: self.kind.clone(), pose: Pose::new(self.pose.position + by, self.pose.rotation) }
    }
}

/// Coefficients of the point of the affine hull nearest to the origin, if none is negative.
fn affine(points: &[DVec3]) -> Option<DVec3> {
    let o = points[0];
    let e: Vec<DVec3> = points[1..].iter().map(|p| *p - o).collect();
    match e.len() {
        0 => Some(o),
        1 => {
            let t = -o.dot(e[0]) / e[0].length_squared();
            (0.0..=1.0).contains(&t).then(|| o + e[0] * t)
        }
        2 => {
            let (a, b, c) = (e[0].length_squared(), e[0].dot(e[1]), e[1].length_squared());
            let (p, q) = (-o.dot(e[0]), -o.dot(e[1]));
            let determinant = a * c - b * b;
            if determinant <= 1e-14 * a * c {
                return None;
            }
            let (s, t) = ((p * c - q * b) / determinant, (a * q - b * p) / determinant);
            (s >= 0.0 && t >= 0.0 && s + t <= 1.0).then(|| o + e[0] * s + e[1] * t)
        }
        _ => {
            let volume = e[0].dot(e[1].cross(e[2]));
            if volume.abs() <= 1e-14 * e[0].length() * e[1].length() * e[2].length() {
                return None;
            }
            let (s, t, u) = (
                -o.dot(e[1].cross(e[2])) / volume,
                -o.dot(e[2].cross(e[0])) / volume,
                -o.dot(e[0].cross(e[1])) / volume,
            );
            (s >= 0.0 && t >= 0.0 && u >= 0.0 && s + t + u <= 1.0).then_some(DVec3::ZERO)
        }
    }
}

/// Distance of a solid and a triangle; 0 if they meet. With `is_enough` any positive number will do if they do not.
pub fn gap(set: &Convex, t: &[DVec3; 3], is_enough: bool) -> f64 {
    let far = |d: DVec3| *t.iter().max_by(|p, q| p.dot(d).total_cmp(&q.dot(d))).unwrap();
    least_point(|d| set.support(d) - far(-d), set.center() - t[0], is_enough)
}

/// Distance of the origin from a convex set given by its farthest points.
pub fn least_point(support: impl Fn(DVec3) -> DVec3, start: DVec3, is_enough: bool) -> f64 {
    let mut simplex = vec![support(-start)];
    let mut v = simplex[0];
    for _ in 0..200 {
        let length = v.length();
        if length < 1e-10 {
            return 0.0;
        }
        let w = support(-v);
        let bound = v.dot(w) / length;
        if bound > 0.0 && (is_enough || length - bound <= 1e-9 * length) {
            return bound;
        }
        if length - bound <= 1e-13 || simplex.contains(&w) {
            return bound.max(0.0);
        }
        simplex.push(w);
        let mut best: Option<(DVec3, Vec<DVec3>)> = None;
        for mask in 1..1u32 << simplex.len() {
            let part: Vec<DVec3> = (0..simplex.len()).filter(|k| mask >> k & 1 == 1).map(|k| simplex[k]).collect();
            if part.len() > 4 {
                continue;
            }
            if let Some(p) = affine(&part)
                && best.as_ref().is_none_or(|b| p.length_squared() < b.0.length_squared())
            {
                best = Some((p, part));
            }
        }
        let Some((next, part)) = best else { return bound.max(0.0) };
        if next.length() >= length {
            return bound.max(0.0);
        }
        (v, simplex) = (next, part);
        if simplex.len() == 4 {
            return 0.0;
        }
    }
    (v.dot(support(-v)) / v.length()).max(0.0)
}
