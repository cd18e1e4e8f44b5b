//! Restitution.

/// Newton's restitution with a threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Restitution {
    /// e, from 0 (no bounce) to 1.
    pub coefficient: f64,
    /// Approach speeds up to this one do not bounce \[m/s\].
    pub threshold: f64,
}

/// Separation velocity asked for by the bounce \[m/s\], if it bounces: `e a + w` when the approach `a = w − u⁰`
/// exceeds the threshold; u⁰ is the normal velocity before the step, w that of the surface.
#[inline]
#[must_use]
pub fn bounce_velocity(restitution: &Restitution, velocity_before: f64, surface_velocity: f64) -> Option<f64> {
    let approach = surface_velocity - velocity_before;
    let bounces = restitution.coefficient > 0.0 && restitution.threshold >= 0.0 && approach > restitution.threshold;
    bounces.then_some(restitution.coefficient * approach + surface_velocity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_the_threshold_nothing_bounces() {
        let r = Restitution { coefficient: 0.5, threshold: 1.0 };
        assert_eq!(bounce_velocity(&r, -1.0, 0.0), None);
        assert_eq!(bounce_velocity(&r, -2.0, 0.0), Some(1.0));
    }
}
