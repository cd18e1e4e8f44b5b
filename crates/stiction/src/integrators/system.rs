//! What is integrated: a second-order system in positions and velocities.

/// `q̇ = N(q) v`, `v̇ = a(t, q, v)`. `a` is a pure function of its arguments while an integrator uses the system.
///
/// Inside a step quaternions are only nearly of unit length; the functions of `q` normalise what they use.
pub trait System {
    /// Numbers in `q`.
    fn position_count(&self) -> usize;

    /// Numbers in `v`.
    fn velocity_count(&self) -> usize;

    /// `v̇` \[m/s², rad/s²\]. May be costly; the only thing that is counted as an evaluation.
    fn accelerations(&mut self, t: f64, q: &[f64], v: &[f64], accelerations: &mut [f64]);

    /// `q̇ = N(q) v`, linear in `v`.
    fn position_rates(&self, q: &[f64], v: &[f64], rates: &mut [f64]);

    /// `N⁺(q) δq`: a change of positions as one of velocity coordinates \[m, rad\], in which its size is judged
    /// (quaternions: a rotation vector).
    fn position_change(&self, q: &[f64], change: &[f64], out: &mut [f64]);

    /// Brings quaternions to unit length; called at the end of every step, before `a` is evaluated there.
    fn normalize(&self, q: &mut [f64]);
}
