//! Torque-free rotation of a link in its principal axes, `I ẇ + w × I w = 0`, over half a step of the flow.

use glam::{DMat3, DVec3};

/// `w⁺` by the implicit midpoint rule, which keeps `wᵀ I w`: Newton's rounds, and what they leave of that energy given
/// back, so that the map is an isometry at any rate.
pub(super) fn spin(moments: DVec3, w: DVec3, step: f64) -> DVec3 {
    // Without inertia about an axis nothing determines the rate about it.
    let moments = moments.max(DVec3::splat(FLOOR * moments.max_element()));
    let explicit = -step * w.cross(moments * w) / moments;
    let product = explicit.length_squared();
    if product <= NEGLIGIBLE * w.length_squared() || !product.is_finite() {
        return w;
    }
    let mut after = w + explicit;
    if product <= SLOW * w.length_squared() {
        // Each round takes the error down by the size of the product; four reach rounding.
        let rates = -step / moments;
        for _ in 0..4 {
            let mean = 0.5 * (w + after);
            after = w + rates * mean.cross(moments * mean);
        }
        return rescaled(moments, w, after);
    }
    let inertia = DMat3::from_diagonal(moments);
    for _ in 0..ROUNDS {
        let mean = 0.5 * (w + after);
        let momentum = moments * mean;
        let residual = moments * (after - w) + step * mean.cross(momentum);
        let jacobian = inertia + 0.5 * step * (skew(mean) * inertia - skew(momentum));
        let change = jacobian.inverse() * residual;
        if !change.is_finite() {
            break;
        }
        after -= change;
        // Newton squares the error: what is left after a change of 1e-8 is rounding.
        if change.length_squared() <= 1e-16 * after.length_squared() {
            break;
        }
    }
    rescaled(moments, w, after)
}

/// `after` with the energy of `w`.
fn rescaled(moments: DVec3, w: DVec3, after: DVec3) -> DVec3 {
    let (wanted, found) = (w.dot(moments * w), after.dot(moments * after));
    if found > 0.0 && found.is_finite() { after * (wanted / found).sqrt() } else { w }
}

/// Square of a relative change below which rounds of substitution do.
const SLOW: f64 = 1e-6;

/// Least moment that counts, over the largest.
const FLOOR: f64 = 1e-12;
/// Square of a relative change that is rounding.
const NEGLIGIBLE: f64 = 1e-32;
const ROUNDS: usize = 6;

fn skew(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn energy_stays_at_any_rate_and_the_momentum_where_the_step_resolves_it() {
        let moments = DVec3::new(0.3, 0.5, 0.7);
        for (rate, step) in [(1.0, 1e-3), (300.0, 1e-3), (300.0, 1.0 / 60.0), (1e5, 0.1)] {
            let w = rate * DVec3::new(0.5, 0.7, -0.6);
            let after = spin(moments, w, step);
            assert!((after.dot(moments * after) / w.dot(moments * w) - 1.0).abs() < 1e-14);
            if rate * step < 0.5 {
                let (before, now) = ((moments * w).length(), (moments * after).length());
                assert!((now / before - 1.0).abs() < 1e-14, "{before} {now}");
            }
        }
        assert!(spin(DVec3::new(1.0, 1.0, 0.0), DVec3::new(0.0, 3.0, 4.0), 1e-3).is_finite());
    }
}
