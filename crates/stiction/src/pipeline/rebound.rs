//! Restitution of several contacts at once makes no energy.
//!
//! Newton's law sets each separation speed to e times its approach, whatever the others do: balls in a row, or a body
//! that hits with several points, then gain. The work of the contacts in a step is `W = Σ λ (u_free + u⁺) / 2`, and an impact may not
//! have it positive. Where it is, the answer is the point between the solutions without and with restitution,
//! `λ = λ₀ + s (λ_e − λ₀)`, of the largest s that makes none: every bound is convex, so that it keeps what both keep.

use crate::constraint::{Island, Problem};

/// Something in the island bounces.
pub(super) fn bounces(problem: &Problem, island: &Island) -> bool {
    problem.contacts[island.contact_range()].iter().any(|c| c.rebound > 0.0)
}

/// `W = a + b s + c s²` of the contacts between two solutions, from the velocities `start`; friction of what rows do not
/// move is left out.
fn work(problem: &Problem, island: &Island, start: &[f64], from: (&[f64], &[f64]), to: (&[f64], &[f64])) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for contact in &problem.contacts[island.contact_range()] {
        let first = contact.row as usize;
        let count = if contact.prescribed == 0.0 { usize::MAX } else { 1 };
        for n in contact.rows().take(count) {
            let row = &problem.rows[n];
            let prescribed = if n == first { 2.0 * contact.prescribed } else { 0.0 };
            let free = problem.velocity(row, start) + prescribed;
            let (own, x) = (problem.velocity(row, from.0), from.1[n]);
            let (u, du, dx) = (free + own, problem.velocity(row, to.0) - own, to.1[n] - x);
            sum[0] += 0.5 * x * u;
            sum[1] += 0.5 * (x * du + dx * u);
            sum[2] += 0.5 * dx * du;
        }
    }
    sum
}

/// Whether the contacts of an island made energy.
pub(super) fn made_energy(problem: &Problem, island: &Island, start: &[f64], z: &[f64], lambda: &[f64]) -> bool {
    work(problem, island, start, (z, lambda), (z, lambda))[0] > 0.0
}

/// Adds a share of the restitution to the targets of the island: −1 takes it out, 1 puts it in.
pub(super) fn shift_targets(problem: &mut Problem, island: &Island, share: f64) {
    let Problem { contacts, rows, .. } = problem;
    for contact in &contacts[island.contact_range()] {
        let row = &mut rows[contact.row as usize];
        row.target += share * contact.rebound;
        row.velocity_target += share * contact.rebound;
    }
}

/// The largest share s of restitution with which contacts of the work `W = a + b s + c s²` make no more energy than without.
pub(super) fn largest_share([a, b, c]: [f64; 3]) -> f64 {
    // Push-out of overlap makes energy without restitution too.
    let most = a.max(0.0);
    let value = |s: f64| a + s * (b + s * c);
    if value(1.0) <= most {
        return 1.0;
    }
    // W(0) ≤ most < W(1): the crossing lies between, and halving finds it whatever the curve.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if value(middle) > most { high = middle } else { low = middle }
    }
    low
}

/// Moves the solution with restitution from the velocities `start`, `z` and `lambda`, towards that without until the contacts make no energy. Returns
/// the share of restitution that is left.
pub(super) fn blend(
    problem: &Problem,
    island: &Island,
    start: &[f64],
    without: (&[f64], &[f64]),
    z: &mut [f64],
    lambda: &mut [f64],
) -> f64 {
    let share = largest_share(work(problem, island, start, without, (z, lambda)));
    let (span, rows) = (island.z_range(), island.row_range());
    for i in span {
        z[i] = without.0[i] + share * (z[i] - without.0[i]);
    }
    for i in rows {
        lambda[i] = without.1[i] + share * (lambda[i] - without.1[i]);
    }
    share
}

/// Shortens an impact of an island, from the velocities `start` to `z` by the impulses `lambda`, to what makes no kinetic energy. Joint
/// rows hold the rate at which their bodies part or close, as a taut belt of light plates has it, and do work on what hits:
/// `T(s) = T + a s + b s²` along the impulses may end above T. They stay within their bounds as a share, and the rows of the step take
/// what is left of the approach. Surfaces that move by themselves may give energy.
pub(super) fn shorten(problem: &Problem, island: &Island, start: &[f64], z: &mut [f64], lambda: &mut [f64]) {
    let (span, rows) = (island.z_range(), island.row_range());
    let (mut before, mut a, mut b) = (0.0, 0.0, 0.0);
    for i in span.clone() {
        let change = z[i] - start[i];
        before += 0.5 * start[i] * start[i];
        a += start[i] * change;
        b += 0.5 * change * change;
    }
    let is_driven = problem.contacts[island.contact_range()].iter().any(|contact| contact.prescribed != 0.0);
    if is_driven || a + b <= ROUNDING * before {
        return;
    }
    let share = (-a / b).max(0.0);
    for i in span {
        z[i] = start[i] + share * (z[i] - start[i]);
    }
    for i in rows {
        lambda[i] *= share;
    }
}

/// Share of the kinetic energy by which sums of it are off.
const ROUNDING: f64 = 1e-12;
