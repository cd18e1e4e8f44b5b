//! Solver-level facts of Drake's `implicit_stribeck_solver_test.cc`: a tripod that a moment turns, a cylinder that lands.

use stiction::constraint::{Bound, ContactPoint, Island, Problem, RowKind, RowSource, SmoothLaw};
use stiction::contact::compliance::NormalForce;
use stiction::math::DVec3;
use stiction::solvers::{Pass, SolveStatistics, Solver, Tamsi};

fn pass(tolerance: f64) -> Pass {
    Pass {
        capped: false,
        iterations: 20,
        relaxation: 1.0,
        accelerated: false,
        bounds_once: false,
        budget: Pass::FULL_BUDGET,
        stiction_tolerance: tolerance,
    }
}

fn point(row: u32, depth: f64, smooth: Option<SmoothLaw>) -> ContactPoint {
    ContactPoint {
        position: DVec3::ZERO,
        normal: DVec3::Z,
        tangents: [DVec3::X, DVec3::Y],
        depth,
        row,
        has_friction: [true; 2],
        has_rolling: [false; 3],
        rebound: 0.0,
        prescribed: 0.0,
        smooth,
        impact: None,
    }
}

fn solve(problem: &Problem, tolerance: f64) -> (Vec<f64>, Vec<f64>, SolveStatistics) {
    let mut z = problem.z_free.clone();
    let mut lambda = vec![0.0; problem.rows.len()];
    let island: Island = problem.islands[0].clone();
    let statistics = Tamsi::default().solve(problem, &island, &pass(tolerance), &mut z, &mut lambda);
    (z, lambda, statistics)
}

const STEP: f64 = 1e-3;

/// Three contacts at the distance 1 carry a third of the weight each; mass and inertia 1, gravity 10, μ ½. Velocities are
/// x, y and the turn. The normal forces are given: friction is bounded by a constant.
fn tripod(moment: f64) -> Problem {
    let mut problem = Problem::default();
    problem.clear(STEP);
    let body = problem.push_clique(&[0.0, 0.0, STEP * moment]);
    problem.z_before = vec![0.0; 3];
    let bound = 0.5 * 10.0 / 3.0 * STEP;
    for k in 0..3 {
        let angle = std::f64::consts::TAU * f64::from(k) / 3.0;
        let (x, y) = (angle.cos(), angle.sin());
        let normal = problem.push_row(&[], 0.0, 0.0, RowKind::Normal, RowSource::Contact(k));
        for direction in [[1.0, 0.0, -y], [0.0, 1.0, x]] {
            let row =
                problem.push_row(&[(body, &direction)], 0.0, 0.0, RowKind::Friction, RowSource::Contact(k)) as usize;
            [problem.rows[row].lower, problem.rows[row].upper] = [-bound, bound];
        }
        let contact = point(normal, 0.0, None);
        problem.contacts.push(contact);
    }
    problem.close_island();
    problem
}

fn torque(lambda: &[f64]) -> f64 {
    (0..3)
        .map(|k| {
            let angle = std::f64::consts::TAU * k as f64 / 3.0;
            (angle.cos() * lambda[3 * k + 2] - angle.sin() * lambda[3 * k + 1]) / STEP
        })
        .sum()
}

#[test]
fn a_small_moment_is_held() {
    let tolerance = 1e-6;
    let (z, lambda, statistics) = solve(&tripod(3.0), tolerance);
    assert!(!statistics.gave_up && (torque(&lambda) + 3.0).abs() < 5e-4, "{}", torque(&lambda));
    assert!(z[2].abs() < tolerance && z[0].abs() < 1e-15 && z[1].abs() < 1e-15, "{z:?}");
}

#[test]
fn a_large_moment_slips_with_full_friction() {
    let (z, lambda, statistics) = solve(&tripod(6.0), 1e-6);
    // The soft norm takes (ε/v)²/2 = 5e-11 of the friction.
    assert!(!statistics.gave_up && (torque(&lambda) + 5.0).abs() < 3e-10, "{}", torque(&lambda));
    assert!((z[2] - STEP).abs() < 3e-10 * STEP);
}

/// A cylinder that lands with vy = −3 at the slip `vx + ω R`, on a law that stops it: mass, inertia and radius 1, μ 0.1.
fn landing(vx: f64) -> (Vec<f64>, Vec<f64>, SolveStatistics) {
    let mut problem = Problem::default();
    problem.clear(STEP);
    let before = [vx, -3.0, 0.0];
    let body = problem.push_clique(&[vx, -3.0 - 9.0 * STEP, 0.0]);
    problem.z_before = before.to_vec();
    let normal = problem.push_row(&[(body, &[0.0, 1.0, 0.0])], 0.0, 0.0, RowKind::Normal, RowSource::Contact(0));
    problem.rows[normal as usize].lower = 0.0;
    for direction in [[1.0, 0.0, 1.0], [0.0, 0.0, 0.0]] {
        let row = problem.push_row(&[(body, &direction)], 0.0, 0.0, RowKind::Friction, RowSource::Contact(0));
        problem.rows[row as usize].bound = Bound::Coefficient { normal, coefficient: 0.1 };
    }
    // δ = 1e-6 m: k = m g / δ, d = 1/√(g δ).
    let law = NormalForce::HuntCrossley { stiffness: 9e6, dissipation: 1.0 / (9.0f64 * 1e-6).sqrt() };
    let smooth = SmoothLaw { normal: law, friction: 0.1, surface_velocity: 0.0 };
    let contact = point(normal, 1e-3, Some(smooth));
    problem.contacts.push(contact);
    problem.close_island();
    solve(&problem, 1e-6)
}

#[test]
fn a_cylinder_that_lands_slowly_sticks_and_a_fast_one_slides() {
    let (z, lambda, statistics) = landing(0.5);
    assert!(!statistics.gave_up && (z[0] + z[2]).abs() < 1e-6, "{z:?}");
    // What friction takes from the speed it gives to the turn: the moment is R f_t, to the tolerance of Newton's method.
    assert!((z[0] - 0.5 - lambda[1]).abs() < 1e-6 && (z[2] - lambda[1]).abs() < 1e-6);
    let (z, lambda, statistics) = landing(0.7);
    assert!(!statistics.gave_up && z[2] < 0.0 && (z[0] + z[2]) > 1e-6, "{z:?}");
    assert!((lambda[1] + 0.1 * lambda[0]).abs() < 1e-9 * lambda[0]);
}

#[test]
fn without_contacts_the_first_solve_is_the_last() {
    let mut problem = Problem::default();
    problem.clear(STEP);
    problem.push_clique(&[0.0, 0.0, STEP * 6.0]);
    problem.close_island();
    let (z, _, statistics) = solve(&problem, 1e-6);
    assert_eq!((z[2], statistics.gave_up), (STEP * 6.0, false));
}
