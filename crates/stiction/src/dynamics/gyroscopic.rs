//! Rotation without constraint forces: `I ω̇ + ω × I ω = τ` in principal axes of the body.

use glam::{DMat3, DQuat, DVec3};

use super::rotation::cayley;

/// Which formula turns the angular velocity in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Gyroscopic {
    /// Implicit midpoint: keeps rotational energy, and with [`super::rotation::cayley`] of the mean angular velocity
    /// also the angular momentum in space (Austin, Krishnaprasad, Wang 1993), to rounding.
    #[default]
    Midpoint,
    /// Explicit torque `−ω × I ω`: gains energy. A body that turns by more than a radian in a step, which would gain without bound,
    /// moves by the midpoint rule, and so does a free one that nothing touches and that turns by more than a thousandth of one.
    Explicit,
    /// ODE 0.16's linearly implicit torque (Lacoursière): loses energy.
    Ode,
    /// No gyroscopic torque.
    None,
}

/// Free rotation in a step, in principal axes at its start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spin {
    /// ω⁺ \[rad/s\].
    pub after: DVec3,
    /// Turn of the body, an argument of [`super::rotation::cayley`]: `h' (ω⁰ + ω⁺) / 2` \[rad\].
    pub turn: DVec3,
}

/// One free step; `moments` are the principal moments \[kg m²\], `omega` and `torque` in principal axes.
#[inline]
#[must_use]
pub fn free_spin(formula: Gyroscopic, moments: DVec3, omega: DVec3, torque: DVec3, step: f64) -> Spin {
    let stretched = step * stretch(0.5 * step * omega.length());
    let is_round = moments.x == moments.y && moments.y == moments.z;
    let is_plain = is_round || omega == DVec3::ZERO && torque == DVec3::ZERO;
    let push = step * torque / moments;
    let after = match formula {
        Gyroscopic::Midpoint | Gyroscopic::Explicit if !is_plain && step * omega.length() > RESOLVED => {
            return spin_in_parts(moments, omega, torque, step);
        }
        _ if is_plain => omega + push,
        Gyroscopic::None => omega + push,
        Gyroscopic::Explicit => omega + step * (torque - omega.cross(moments * omega)) / moments,
        Gyroscopic::Ode => ode(moments, omega, step) + push,
        Gyroscopic::Midpoint => midpoint(moments, omega, step * torque, stretched).unwrap_or(omega + push),
    };
    Spin { after, turn: 0.5 * stretched * (omega + after) }
}

/// Turn in a step that a rule takes at once \[rad\]: for larger ones Newton may not find the midpoint rule's solution.
pub(crate) const RESOLVED: f64 = 1.0;
/// Parts of a step at most. A spin too fast for them keeps its angular velocity in the body: its energy is right, and where it
/// points nobody can tell.
const PARTS: f64 = 64.0;

/// The midpoint rule in parts of a step.
#[cold]
fn spin_in_parts(moments: DVec3, omega: DVec3, torque: DVec3, step: f64) -> Spin {
    let parts = (step * omega.length() / RESOLVED).ceil().min(PARTS);
    let part = step / parts;
    let is_resolved = part * omega.length() <= RESOLVED;
    let (mut after, mut turn) = (omega, DQuat::IDENTITY);
    for _ in 0..parts as u32 {
        let stretched = part * stretch(0.5 * part * after.length());
        let before = after;
        let pushed = before + part * torque / moments;
        let found = if is_resolved { midpoint(moments, before, part * torque, stretched) } else { None };
        after = found.unwrap_or(pushed);
        // A part turns in the axes at its start, those of the parts before it.
        turn = (turn * cayley(0.5 * stretched * (before + after))).normalize();
    }
    // Cayley's argument of the whole; half a turn has none.
    let cosine = if turn.w < 0.0 { turn.w.min(-HALF_TURN) } else { turn.w.max(HALF_TURN) };
    Spin { after, turn: 2.0 * turn.xyz() / cosine }
}

/// Least cosine of half a turn.
const HALF_TURN: f64 = 1e-9;

/// `tan x / x`. Cayley's map turns by `2 atan(|ω| h / 2)`; with the step stretched by this it turns by `|ω| h`, so that a
/// steady spin is exact. The midpoint rule conserves for every step, and so for the stretched one.
fn stretch(x: f64) -> f64 {
    let square = x * x;
    if square < 1e-6 {
        1.0 + square * (1.0 / 3.0 + square * (2.0 / 15.0))
    } else if x < 1.0 {
        libm::tan(x) / x
    } else {
        // More than two radians a step: nothing resolves that.
        1.0
    }
}

/// Solves `I (ω⁺ − ω) + h ω_m × I ω_m − J = 0`, `ω_m = (ω + ω⁺) / 2`, with the impulse J of the torque, by Newton; a
/// handful of rounds reach rounding, or none do.
fn midpoint(moments: DVec3, omega: DVec3, impulse: DVec3, step: f64) -> Option<DVec3> {
    let inertia = DMat3::from_diagonal(moments);
    let mut after = omega + (impulse - step * omega.cross(moments * omega)) / moments;
    for _ in 0..ROUNDS {
        let mean = 0.5 * (omega + after);
        let momentum = moments * mean;
        let residual = moments * (after - omega) + step * mean.cross(momentum) - impulse;
        let jacobian = inertia + 0.5 * step * (skew(mean) * inertia - skew(momentum));
        let change = jacobian.inverse() * residual;
        if !change.is_finite() {
            return None;
        }
        after -= change;
        // Newton squares the error: what is left after a change of 1e-8 is rounding.
        if change.abs().max_element() <= 1e-8 * after.abs().max_element() {
            return Some(after);
        }
    }
    None
}

/// Rounds of Newton's method.
const ROUNDS: usize = 8;

/// `ω⁺ = (I + h [L]ₓ⁻)⁻¹ L` with `[L]ₓ⁻` the negated cross matrix of `L = I ω`, as ODE 0.16 does it.
fn ode(moments: DVec3, omega: DVec3, step: f64) -> DVec3 {
    let momentum = moments * omega;
    let matrix = DMat3::from_diagonal(moments) - step * skew(momentum);
    if matrix.determinant() == 0.0 { omega } else { matrix.inverse() * momentum }
}

fn skew(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_midpoint_keeps_rotational_energy() {
        let moments = DVec3::new(0.80833333, 0.68333333, 0.14166667);
        let mut omega = DVec3::new(0.1, 5.0, 0.1);
        let energy = |w: DVec3| 0.5 * w.dot(moments * w);
        let start = energy(omega);
        for _ in 0..10_000 {
            omega = free_spin(Gyroscopic::Midpoint, moments, omega, DVec3::ZERO, 1e-3).after;
        }
        assert!((energy(omega) / start - 1.0).abs() < 1e-12, "{}", energy(omega) / start - 1.0);
    }

    /// Bodies from needles to plates, turning by up to a thousand radians a step: energy holds, and of those that can be resolved
    /// the momentum in space.
    #[test]
    fn no_spin_is_too_fast_for_the_energy() {
        let mut seed = 1u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1u64 << 53) as f64
        };
        for _ in 0..20_000 {
            let thin = 10f64.powf(-3.0 * next());
            let sides = DVec3::new(next(), next(), thin * next()) + DVec3::splat(1e-4);
            let moments = DVec3::splat(sides.length_squared()) - sides * sides;
            let direction = DVec3::new(next() - 0.5, next() - 0.5, next() - 0.5).normalize_or(DVec3::X);
            let turn = 10f64.powf(5.0 * next() - 2.0);
            let omega = turn * direction;
            let spin = free_spin(Gyroscopic::Midpoint, moments, omega, DVec3::ZERO, 1.0);
            let energy = |w: DVec3| 0.5 * w.dot(moments * w);
            let kept = energy(spin.after) / energy(omega);
            assert!((kept - 1.0).abs() < 1e-6, "turn {turn}, moments {moments}: {kept}");
            if turn < 60.0 && thin > 0.1 {
                let momentum = cayley(spin.turn) * (moments * spin.after);
                let off = (momentum - moments * omega).length() / (moments * omega).length();
                assert!(off < 1e-6, "turn {turn}, moments {moments}: momentum off by {off}");
            }
        }
    }

    #[test]
    fn odes_formula_gives_the_measured_loss() {
        // Figure of the stock library: I = (1, 2, 3), ω = (0.1, 5, 0.1), 1000 steps of 0.01 s end with energy × 0.800.
        // The rotation must follow, since the formula works on world axes; in principal axes it is the same map.
        let moments = DVec3::new(1.0, 2.0, 3.0);
        let mut omega = DVec3::new(0.1, 5.0, 0.1);
        let energy = |w: DVec3| 0.5 * w.dot(moments * w);
        let start = energy(omega);
        for _ in 0..1000 {
            omega = free_spin(Gyroscopic::Ode, moments, omega, DVec3::ZERO, 0.01).after;
        }
        assert!((energy(omega) / start - 0.800).abs() < 0.01, "{}", energy(omega) / start);
    }
}
