//! Cone along the z axis.

use glam::DVec3;

use super::{Surface, chord::Chord};

/// A cone with its tip at `+half_length` and its base at `-half_length` on local z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Radius of the base \[m\].
    pub radius: f64,
    /// Half of the height \[m\].
    pub half_length: f64,
}

impl Cone {
    pub(crate) fn tip(&self) -> DVec3 {
        DVec3::Z * self.half_length
    }

    pub(crate) fn rim(&self, direction: DVec3) -> DVec3 {
        direction.with_z(0.0).normalize_or(DVec3::X) * self.radius - DVec3::Z * self.half_length
    }

    pub(crate) fn support(&self, direction: DVec3) -> DVec3 {
        let (tip, rim) = (self.tip(), self.rim(direction));
        if direction.dot(tip) > direction.dot(rim) { tip } else { rim }
    }

    pub(crate) fn volume(&self) -> f64 {
        std::f64::consts::PI * self.radius * self.radius * 2.0 * self.half_length / 3.0
    }

    /// Outward normal of the slope on the side of `radial`: `(2L, r)` in (radial, axial), normalized.
    pub(crate) fn slope_normal(&self, radial: DVec3) -> DVec3 {
        (radial * (2.0 * self.half_length) + DVec3::Z * self.radius).normalize()
    }

    /// In the half plane of the axis and the point the section is a triangle.
    pub(crate) fn surface(&self, point: DVec3) -> Surface {
        let radial = point.with_z(0.0).normalize_or(DVec3::X);
        let slope = self.slope_normal(radial);
        let (to_slope, to_base) = (slope.dot(point - self.tip()), -point.z - self.half_length);
        if to_slope <= 0.0 && to_base <= 0.0 {
            return if to_slope > to_base {
                Surface { distance: to_slope, normal: slope }
            } else {
                Surface { distance: to_base, normal: -DVec3::Z }
            };
        }
        let rim = self.rim(radial);
        let on_base = DVec3::new(0.0, 0.0, -self.half_length) + radial * point.dot(radial).clamp(0.0, self.radius);
        let along = self.tip() - rim;
        let s = ((point - rim).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        let on_slope = rim + along * s;
        let (from_base, from_slope) = (point - on_base, point - on_slope);
        if from_slope.length_squared() <= from_base.length_squared() {
            Surface { distance: from_slope.length(), normal: from_slope.normalize_or(slope) }
        } else {
            Surface { distance: from_base.length(), normal: from_base.normalize_or(-DVec3::Z) }
        }
    }

    /// Slope `x² + y² <= k² w²` with `w = L - z` and `k = r / 2L`, cut to `0 <= w <= 2L`.
    pub(crate) fn chord(&self, origin: DVec3, direction: DVec3) -> Option<Chord> {
        let k2 = (self.radius / (2.0 * self.half_length)).powi(2);
        let (w, dw) = (self.half_length - origin.z, -direction.z);
        let (o, d) = (origin.with_z(0.0), direction.with_z(0.0));
        // a t² + 2 b t + c <= 0 is the inside of both nappes.
        let a = d.length_squared() - k2 * dw * dw;
        let b = o.dot(d) - k2 * w * dw;
        let c = o.length_squared() - k2 * w * w;
        let scale = d.length_squared() + k2 * dw * dw;
        let (enter, exit) = if a.abs() <= 1e-14 * scale {
            if b == 0.0 {
                return None;
            }
            let t = -0.5 * c / b;
            if b > 0.0 { (f64::NEG_INFINITY, t) } else { (t, f64::INFINITY) }
        } else {
            let discriminant = b * b - a * c;
            if discriminant < 0.0 {
                return None;
            }
            let q = -(b + discriminant.sqrt().copysign(b));
            let (s, t) = if q == 0.0 { (0.0, 0.0) } else { (q / a, c / q) };
            let (t1, t2) = (s.min(t), s.max(t));
            if a > 0.0 {
                (t1, t2)
            } else if dw > 0.0 {
                (t2, f64::INFINITY)
            } else {
                (f64::NEG_INFINITY, t1)
            }
        };
        let normal_at = |t: f64| {
            if !t.is_finite() {
                return DVec3::ZERO;
            }
            let radial = (o + d * t).normalize_or(-d.normalize_or(DVec3::X));
            self.slope_normal(radial)
        };
        let slope = Chord { enter, enter_normal: normal_at(enter), exit, exit_normal: normal_at(exit) };
        let below_tip = Chord::half_space(DVec3::Z, self.half_length, origin, direction)?;
        let above_base = Chord::half_space(-DVec3::Z, self.half_length, origin, direction)?;
        slope.intersection(below_tip)?.intersection(above_base)
    }
}
