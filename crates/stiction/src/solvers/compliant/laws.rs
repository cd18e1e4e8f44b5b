//! Impulses of groups as functions of their velocities, and their derivatives.

use super::island::{CompliantIsland, Group, Slopes, Triple};
use crate::constraint::{Bound, Problem, Row};
use crate::contact::friction::{convex_regularized, regularized};

/// Share of a row's own inverse mass that a hard row of a joint gives way by, so that its impulse is a function of the
/// velocity: velocities are met to this share.
const HARD: f64 = 1e-7;

/// Compliance of a hard contact: that of a spring whose period is the step, `Γ = β² W / 4π²` with β = 1 (Drake's
/// near-rigid contact, arXiv 2110.10107).
const NEAR_RIGID: f64 = 1.0 / (4.0 * std::f64::consts::PI * std::f64::consts::PI);

/// Share of the step's gravity that a convex friction may slip by: the tolerance is at least `σ μ W λ_n` (the same source).
const SLIP_SHARE: f64 = 1e-3;

/// What the laws of a step have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    /// Part of the step that is solved \[s\].
    pub step: f64,
    /// Slip speed below which friction counts as sticking \[m/s\].
    pub tolerance: f64,
    /// Speed that softens the direction of slip at rest, ε_v \[m/s\].
    pub softening: f64,
}

/// An impulse along a normal, and its derivative by the velocity.
fn normal(problem: &Problem, group: &Group, system: &CompliantIsland, index: usize, context: &Context) -> (f64, f64) {
    let u = system.u[index][0];
    match &system.laws[index] {
        Some(law) => law.normal.implicit_impulse(system.depth[index], u, context.step),
        None => {
            let row = &problem.rows[group.row];
            spring(row, u, row.compliance.max(NEAR_RIGID * (row.diagonal - row.compliance)))
        }
    }
}

/// A linear row as a spring: `λ = −(u − b) / Γ` within its fixed bounds.
fn spring(row: &Row, u: f64, compliance: f64) -> (f64, f64) {
    if compliance <= 0.0 {
        return (0.0, 0.0);
    }
    let lambda = -u / compliance;
    if lambda < row.lower {
        (row.lower, 0.0)
    } else if lambda > row.upper {
        (row.upper, 0.0)
    } else {
        (lambda, -1.0 / compliance)
    }
}

/// The bound of a friction axis: a constant impulse, or a coefficient of the normal's.
enum FrictionLimit {
    Impulse(f64),
    Coefficient(f64),
}

fn limit(problem: &Problem, group: &Group, system: &CompliantIsland, index: usize, share: f64) -> FrictionLimit {
    if let Some(law) = &system.laws[index] {
        return FrictionLimit::Coefficient(law.friction);
    }
    let row = &problem.rows[group.row + 1];
    match row.bound {
        Bound::Coefficient { coefficient, .. } => FrictionLimit::Coefficient(coefficient.min(MOST)),
        Bound::Fixed => FrictionLimit::Impulse(share * row.upper.min(MOST)),
    }
}

/// A coefficient or impulse beyond this is without limit for any contact.
const MOST: f64 = 1e9;

/// Impulses and slopes of every group with friction that follows the normal in the same step:
/// `λ_t = −μ(s) λ_n t̂`, `t̂ = v_t / √(v_t² + ε_v²)` (TAMSI). `share` is the part of the step that is solved.
///
/// A last evaluation, of the accepted velocities, needs no slopes and leaves those of the contacts as they are.
pub(super) fn coupled(problem: &Problem, system: &mut CompliantIsland, context: &Context, share: f64, is_last: bool) {
    for index in 0..system.groups.len() {
        let group = system.groups[index];
        if group.contact.is_none() {
            single(problem, system, index, context, None);
            continue;
        }
        let (lambda_n, slope_n) = normal(problem, &group, system, index, context);
        let mut lambda = [lambda_n, 0.0, 0.0];
        let mut g: Slopes = [[0.0; 3]; 3];
        g[0][0] = -slope_n;
        if group.count > 1 {
            let (load, load_slope) = match limit(problem, &group, system, index, share) {
                FrictionLimit::Coefficient(mu) => (mu * lambda_n, mu * slope_n),
                FrictionLimit::Impulse(impulse) => (impulse, 0.0),
            };
            // One tangent alone has no slip along the other.
            let [_, a, b] = system.u[index];
            let slip = [a, b];
            let speed = (a * a + b * b + context.softening * context.softening).sqrt();
            let (inverse_speed, inverse_tolerance) = (1.0 / speed, 1.0 / context.tolerance);
            let (share, share_slope) = regularized(speed * inverse_tolerance);
            let (across, along) = (share * inverse_speed, share_slope * inverse_tolerance);
            let t = slip.map(|v| v * inverse_speed);
            (lambda[1], lambda[2]) = (-share * load * t[0], -share * load * t[1]);
            for i in 0..if is_last { 0 } else { 2 } {
                g[i + 1][0] = share * load_slope * t[i];
                for j in 0..2 {
                    let projector = t[i] * t[j];
                    let unit = f64::from(i == j);
                    g[i + 1][j + 1] = load * ((unit - projector) * across + projector * along);
                }
            }
        }
        system.lambda[index] = lambda;
        if !is_last {
            system.slopes[index] = g;
        }
    }
}

/// The same with friction bounded by given normal impulses: every impulse is minus the gradient of a convex potential.
pub(super) fn lagged(problem: &Problem, system: &mut CompliantIsland, context: &Context, normals: &[f64]) {
    for index in 0..system.groups.len() {
        let group = system.groups[index];
        if group.contact.is_none() {
            single(problem, system, index, context, Some(normals));
            continue;
        }
        let (lambda_n, slope_n) = normal(problem, &group, system, index, context);
        let mut lambda = [lambda_n, 0.0, 0.0];
        let mut g: Slopes = [[0.0; 3]; 3];
        g[0][0] = -slope_n;
        if group.count > 1 {
            let row = &problem.rows[group.row + 1];
            let load = match limit(problem, &group, system, index, 1.0) {
                FrictionLimit::Coefficient(mu) => mu * normals[index],
                FrictionLimit::Impulse(impulse) => impulse,
            };
            let tolerance = context.tolerance.max(SLIP_SHARE * (row.diagonal - row.compliance) * load);
            let slip = &system.u[index][1..group.count];
            let s = slip.iter().map(|v| v * v).sum::<f64>().sqrt() / tolerance;
            let (_, radial) = convex_regularized(s);
            // λ_t = −L v / √(ε² + v²): across the slip the slope is that of the quotient, along it the radial one.
            let across = 1.0 / (tolerance * (1.0 + s * s).sqrt());
            let along = radial / tolerance;
            let square = (s * tolerance) * (s * tolerance);
            for (i, v) in slip.iter().enumerate() {
                lambda[i + 1] = -load * across * v;
                for (j, w) in slip.iter().enumerate() {
                    let projector = if square > 0.0 { v * w / square } else { 0.0 };
                    let unit = f64::from(i == j);
                    g[i + 1][j + 1] = load * ((unit - projector) * across + projector * along);
                }
            }
        }
        system.lambda[index] = lambda;
        system.slopes[index] = g;
    }
}

/// A linear row alone. One that follows a contact's normal (rolling, spinning), the present or a given one, saturates at
/// its tolerance.
fn single(problem: &Problem, system: &mut CompliantIsland, index: usize, context: &Context, normals: Option<&[f64]>) {
    let group = &system.groups[index];
    let row = &problem.rows[group.row];
    let u = system.u[index][0];
    let (lambda, slope) = match row.bound {
        Bound::Fixed => spring(row, u, row.compliance.max(HARD * (row.diagonal - row.compliance))),
        Bound::Coefficient { normal, coefficient } => {
            let found = system.groups[..index].iter().rposition(|g| g.row == normal as usize);
            let load = coefficient.min(MOST)
                * found.map_or(0.0, |n| normals.map_or(system.lambda[n][0], |normals| normals[n]));
            let (share, slope) = convex_regularized(u / context.tolerance);
            (-load * share, -load * slope / context.tolerance)
        }
    };
    system.lambda[index] = [lambda, 0.0, 0.0];
    system.slopes[index] = [[-slope, 0.0, 0.0], [0.0; 3], [0.0; 3]];
}

/// Normal impulses of the start of the step, `h f(x₀, v⁰)`: bounds of friction that make the problem convex.
pub(super) fn normals_before(problem: &Problem, system: &CompliantIsland, context: &Context, normals: &mut Vec<f64>) {
    normals.clear();
    normals.extend(system.groups.iter().enumerate().map(|(index, group)| {
        let u: &Triple = &system.u[index];
        match (&system.laws[index], group.contact) {
            (Some(law), _) => context.step * law.normal.force(system.depth[index], u[0]),
            (None, Some(_)) => normal(problem, group, system, index, context).0,
            (None, None) => 0.0,
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{ContactPoint, RowKind, RowSource, SmoothLaw};
    use crate::contact::compliance::NormalForce;
    use glam::DVec3;

    /// One contact of a clique of three coordinates, whose velocity is its own.
    fn contact(law: Option<SmoothLaw>) -> (Problem, CompliantIsland) {
        let mut problem = Problem::default();
        problem.clear(1e-3);
        let clique = problem.push_clique(&[0.0; 3]);
        let source = RowSource::Contact(0);
        let rows = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
            .map(|y| problem.push_row(&[(clique, &y[..])], 0.0, 1e-4, RowKind::Friction, source));
        problem.rows[0].lower = 0.0;
        for row in &rows[1..] {
            problem.rows[*row as usize].bound = Bound::Coefficient { normal: rows[0], coefficient: 0.4 };
        }
        problem.contacts.push(ContactPoint {
            position: DVec3::ZERO,
            normal: DVec3::X,
            tangents: [DVec3::Y, DVec3::Z],
            depth: 1e-3,
            row: rows[0],
            has_friction: [true; 2],
            has_rolling: [false; 3],
            rebound: 0.0,
            prescribed: 0.0,
            smooth: law,
            impact: None,
        });
        problem.close_island();
        let mut system = CompliantIsland::default();
        let island = problem.islands[0].clone();
        system.load(&problem, &island, &problem.z_free.clone());
        (problem, system)
    }

    #[test]
    fn slopes_are_those_of_the_impulses() {
        let context = Context { step: 1e-3, tolerance: 1e-2, softening: 1e-4 };
        let hunt_crossley = NormalForce::HuntCrossley { stiffness: 1e4, dissipation: 5.0 };
        let laws = [None, Some(SmoothLaw { normal: hunt_crossley, friction: 0.4, surface_velocity: 0.0 })];
        let velocities =
            [[-0.02, 1e-3, 2e-3], [-0.05, 3e-2, -4e-2], [0.01, -6e-3, 1e-3], [-0.5, 1e-6, -2e-6], [2.0, 0.1, 0.1]];
        for law in laws {
            let (problem, mut system) = contact(law);
            for velocity in velocities {
                for is_convex in [false, true] {
                    let mut impulses = |u: Triple| {
                        system.u[0] = u;
                        if is_convex {
                            lagged(&problem, &mut system, &context, &[0.02]);
                        } else {
                            coupled(&problem, &mut system, &context, 1.0, false);
                        }
                        (system.lambda[0], system.slopes[0])
                    };
                    let (lambda, g) = impulses(velocity);
                    for j in 0..3 {
                        // Richardson's central difference, to the fourth order.
                        let difference = |e: f64, i: usize, impulses: &mut dyn FnMut(Triple) -> Triple| {
                            let mut shifted = [velocity; 2];
                            shifted[0][j] += e;
                            shifted[1][j] -= e;
                            let [a, b] = shifted.map(|u| impulses(u)[i]);
                            (a - b) / (2.0 * e)
                        };
                        let mut only = |u: Triple| impulses(u).0;
                        for i in 0..3 {
                            let e = 1e-7;
                            let slope = (4.0 * difference(0.5 * e, i, &mut only) - difference(e, i, &mut only)) / 3.0;
                            let scale = g.iter().flatten().fold(0.0f64, |s, x| s.max(x.abs())).max(1e-12);
                            assert!(
                                (slope + g[i][j]).abs() < 1e-6 * scale,
                                "{law:?} {velocity:?} convex {is_convex} ({i}, {j}): {slope} {} of {lambda:?}",
                                -g[i][j]
                            );
                        }
                    }
                }
            }
        }
    }
}
