//! Rotation without constraint forces: `I ω̇ + ω × I ω = τ` in principal axes of the body.

use glam::{DMat3, DVec3};

/// Which formula turns the angular velocity in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gyroscopic {
    /// Implicit midpoint: keeps rotational energy, and with [`super::rotation::cayley`] of the mean angular velocity
    /// also the angular momentum in space (Austin, Krishnaprasad, Wang 1993), to rounding.
    #[default]
    Midpoint,
    /// Explicit torque `−ω × I ω`: gains energy.
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
#[must_use]
pub fn free_spin(formula: Gyroscopic, moments: DVec3, omega: DVec3, torque: DVec3, step: f64) -> Spin {
    let is_round = moments.x == moments.y && moments.y == moments.z;
    let stretched = step * stretch(0.5 * step * omega.length());
    let after = if is_round || omega == DVec3::ZERO && torque == DVec3::ZERO {
        omega + step * torque / moments
    } else {
        match formula {
            Gyroscopic::None => omega + step * torque / moments,
            Gyroscopic::Explicit => omega + step * (torque - omega.cross(moments * omega)) / moments,
            Gyroscopic::Ode => ode(moments, omega, step) + step * torque / moments,
            Gyroscopic::Midpoint => midpoint(moments, omega, step * torque, stretched),
        }
    };
    Spin { after, turn: 0.5 * stretched * (omega + after) }
}

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
/// handful of rounds reach rounding.
fn midpoint(moments: DVec3, omega: DVec3, impulse: DVec3, step: f64) -> DVec3 {
    let inertia = DMat3::from_diagonal(moments);
    let mut after = omega + (impulse - step * omega.cross(moments * omega)) / moments;
    for _ in 0..8 {
        let mean = 0.5 * (omega + after);
        let momentum = moments * mean;
        let residual = moments * (after - omega) + step * mean.cross(momentum) - impulse;
        let jacobian = inertia + 0.5 * step * (skew(mean) * inertia - skew(momentum));
        let change = jacobian.inverse() * residual;
        if !change.is_finite() {
            // So fast a spin that the step cannot resolve it; keep the last iterate.
            break;
        }
        after -= change;
        // Newton squares the error: what is left after a change of 1e-8 is rounding.
        if change.abs().max_element() <= 1e-8 * after.abs().max_element() {
            break;
        }
    }
    after
}

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
