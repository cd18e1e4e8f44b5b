//! The transition-aware line search of TAMSI (arXiv 1909.05700; Drake's `tamsi_solver.cc`): friction changes its law at
//! the circle |v| = vₛ, and Newton's method must not jump over it.

use glam::DVec2;

/// Share of a change `dv` of a slip velocity `v` that may be taken, 0 < α ≤ 1.
///
/// `tolerance` is vₛ \[m/s\], `softening` ε_v \[m/s\], `cos_turn` the cosine of the largest turn of a sliding velocity.
///
/// 1. No change to speak of: all of it.
/// 2. From rest to sliding: to half the tolerance, whence the gradient knows the direction.
/// 3. From sliding to rest: back to half the tolerance.
/// 4. From or to sticking: all of it.
/// 5. Across the circle: to the point nearest to rest.
/// 6. Sliding before and after: the turn is bounded.
#[must_use]
pub fn limit(v: DVec2, dv: DVec2, tolerance: f64, softening: f64, cos_turn: f64) -> f64 {
    // Speeds are compared by their squares: most changes are taken whole, without a root.
    let after = v + dv;
    let [change, speed, speed_after] = [dv, v, after].map(DVec2::length_squared);
    let [soft, slow] = [softening * softening, tolerance * tolerance];
    if change < soft {
        return 1.0;
    }
    let half = || 0.5 * tolerance / change.sqrt();
    if speed < soft && speed_after > slow {
        return half();
    }
    if speed > slow && speed_after < soft {
        return 1.0 - half();
    }
    if speed < slow || speed_after < slow {
        return 1.0;
    }
    let towards = -v.dot(dv);
    if towards > 0.0 && towards < change {
        let nearest = towards / change;
        let least = (v + nearest * dv).length_squared();
        if least < slow {
            return nearest - if least < soft { half() } else { 0.0 };
        }
    }
    let cosine = v.dot(after);
    if cosine >= cos_turn * (speed * speed_after).sqrt() { 1.0 } else { turned(v, dv, cos_turn) }
}

/// The smallest positive root of `cos²θ |v|² |v + α Δv|² = (v · (v + α Δv))²`: where the turn is θ.
fn turned(v: DVec2, dv: DVec2, cos_turn: f64) -> f64 {
    let c = cos_turn * cos_turn;
    let (vv, vd, dd) = (v.length_squared(), v.dot(dv), dv.length_squared());
    let a2 = vd * vd - c * vv * dd;
    let a1 = 2.0 * vv * vd * (1.0 - c);
    let a0 = vv * vv * (1.0 - c);
    let smallest_positive =
        |roots: [f64; 2]| roots.into_iter().filter(|r| r.is_finite() && *r > 0.0).fold(f64::INFINITY, f64::min);
    let root = if a2.abs() <= f64::EPSILON * c * vv * dd {
        // One root alone: the turn at infinity is θ.
        -a0 / a1
    } else {
        let discriminant = (a1 * a1 - 4.0 * a2 * a0).max(0.0).sqrt();
        let q = -0.5 * (a1 + discriminant.copysign(a1));
        smallest_positive([q / a2, a0 / q])
    };
    if root.is_finite() { root.clamp(0.0, 1.0) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    //! The cases of Drake's `implicit_stribeck_solver_test.cc`, restated.
    use super::*;
    use std::f64::consts::{FRAC_PI_6, PI};

    const VS: f64 = 1e-4;
    const SOFT: f64 = 0.01 * VS;

    fn alpha(v: DVec2, dv: DVec2) -> f64 {
        limit(v, dv, VS, SOFT, FRAC_PI_6.cos())
    }

    fn near(a: DVec2, b: DVec2) {
        assert!((a - b).length() <= 10.0 * f64::EPSILON * a.length().max(b.length()), "{a} {b}");
    }

    #[test]
    fn at_rest_and_within_stiction_all_is_taken() {
        assert_eq!(alpha(DVec2::ZERO, DVec2::ZERO), 1.0);
        assert_eq!(alpha(DVec2::ZERO, DVec2::new(-0.5, 0.7) * VS), 1.0);
        let (v, v1) = (DVec2::new(1.2, 0.4) * VS, DVec2::new(-0.3, 0.45) * VS);
        assert_eq!(alpha(v, v1 - v), 1.0);
        assert_eq!(alpha(DVec2::new(-0.5, 0.7) * VS, DVec2::new(0.9, -0.3)), 1.0);
    }

    #[test]
    fn from_rest_to_sliding_and_back_stops_at_half_the_tolerance() {
        let v1 = DVec2::new(0.3, -0.1);
        near(alpha(DVec2::ZERO, v1) * v1, v1.normalize() * 0.5 * VS);
        let a = alpha(v1, -v1);
        assert!((a * -v1 + v1 - v1.normalize() * 0.5 * VS).length() < 1e-15);
    }

    #[test]
    fn a_change_through_the_origin_stops_before_it() {
        let v = DVec2::new(0.1, 0.05);
        let dv = -3.0 * v;
        assert!((v + alpha(v, dv) * dv - v.normalize() * 0.5 * VS).length() < 1e-15);
    }

    #[test]
    fn a_change_across_the_circle_stops_at_the_nearest_point() {
        let v = DVec2::new(0.1, 0.05);
        let across = DVec2::new(-v.y, v.x).normalize();
        // A line that passes at 0.3 vₛ.
        let nearest = 0.3 * VS * across;
        let dv = (nearest - v) * 2.5;
        // The foot of the perpendicular from the origin on that line.
        let direction = dv.normalize();
        let foot = v - direction * v.dot(direction);
        assert!((v + alpha(v, dv) * dv - foot).length() < 1e-15);
    }

    #[test]
    fn turns_of_sliding_are_bounded() {
        let v = DVec2::new(0.1, 0.05);
        let turn = |angle: f64, scale: f64| DVec2::from_angle(angle).rotate(v) * scale;
        assert_eq!(alpha(v, turn(PI / 8.0, 1.0) - v), 1.0);
        for (angle, scale) in [(PI / 3.0, 1.0), (5.0 * PI / 6.0, 1.0), (PI / 3.0, 1.7)] {
            let dv = turn(angle, scale) - v;
            let after = v + alpha(v, dv) * dv;
            let found = v.angle_to(after).abs();
            assert!((found - FRAC_PI_6).abs() < 1e-14, "{angle}: {found}");
        }
        // Δv turned by exactly θ against v: the quadratic has one root only.
        let dv = DVec2::from_angle(FRAC_PI_6).rotate(-v) * 3.0;
        let after = v + alpha(v, dv) * dv;
        assert!((v.angle_to(after).abs() - FRAC_PI_6).abs() < 1e-7 || (v + dv).length() < VS);
    }
}
