//! Energy in the rows of SPOOK.
//!
//! A row `u⁺ + Γ λ = −4 β g / h + β u⁰`, `Γ = 4 ε β / h²`, is a spring ε on the error's mean of two steps, `m = (g + g₋) / 2`,
//! and a damper. Without the damper it keeps `T + m² / 2 ε`; beyond the error at which its force is bounded it pulls with the
//! bound F, and stores `F |m| − F² ε / 2`. Where the spring would swing faster than the step can follow,
//! `h² > 10 ε / d` with the row's inverse mass d, the row is a hard one that closes its error by
//! `(1 + s) x₊ = (s − 2) x₀ − x₋`, `s = 4 τ / h`.

use crate::constraint::Problem;

/// What a row of SPOOK is.
pub(super) enum SpookRow {
    /// A spring, with the energy that it stores before and after the step \[J\].
    Spring([f64; 2]),
    /// A hard row, with the kinetic energy of the motion of its own that it wants, `b² / 2 d` \[J\].
    Hard(f64),
}

/// What the law of a row is, with the velocities that the step ends with; `None` for rows of other laws.
pub(super) fn of(problem: &Problem, index: usize, z: &[f64]) -> Option<SpookRow> {
    let share = problem.share_kept(index as u32);
    if share == 0.0 {
        return None;
    }
    let (row, step) = (&problem.rows[index], problem.step);
    let inverse_mass = row.diagonal - row.compliance;
    let compliance = row.compliance * step * step / (4.0 * share);
    if 10.0 * compliance < step * step * inverse_mass {
        return Some(SpookRow::Hard(0.5 * row.target * row.target / inverse_mass));
    }
    let [before, after] = [&problem.z_before[..], z].map(|z| problem.velocity(row, z));
    let error = (before - row.target / share) * step / 4.0;
    let means = [error - 0.5 * step * before, error + 0.5 * step * after];
    let force = |m: f64| (-m / compliance).max(row.lower / step).min(row.upper / step);
    Some(SpookRow::Spring(means.map(|m| {
        let force = force(m);
        -force * m - 0.5 * compliance * force * force
    })))
}
