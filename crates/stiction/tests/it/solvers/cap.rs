//! Rows whose correction may not leave more than a cap of velocity behind: `u⁺ = min(b − Γ λ, cap)`.

use stiction::solvers::{Direct, Pass, Pgs, Solver};

use super::problems::tower;
use super::scene::*;

fn capped(compliance: f64, cap: f64) -> stiction::constraint::Problem {
    let mut scene = tower(3, 0.5, 1.0).perturb(0.02);
    for line in scene.lines.iter_mut().filter(|l| l.friction.is_none()) {
        line.gap = -5e-3;
        line.compliance = compliance;
        line.cap = cap;
    }
    scene.problem()
}

#[test]
fn caps_hold_for_hard_and_soft_rows() {
    for compliance in [0.0, 1e-6, 0.02, 0.3, 2.0] {
        for cap in [0.0, 0.03, 0.09] {
            let problem = capped(compliance, cap);
            let pass = Pass { capped: true, ..CONVERGED };
            let solved = solve(&problem, &pass);
            let e = residual(&problem, &solved, true);
            assert!(
                e < 1e-9 && !solved.statistics.gave_up,
                "compliance {compliance}, cap {cap}: {e:e} {:?}",
                solved.statistics
            );
            for row in &problem.rows {
                if row.lower == 0.0 && row.cap < row.target && solved.statistics.inconsistent_rows == 0 {
                    let lambda = solved.lambda[problem.rows.iter().position(|r| std::ptr::eq(r, row)).unwrap()];
                    let u = problem.velocity(row, &solved.z);
                    assert!(lambda == 0.0 || u <= row.cap + 1e-9);
                }
            }
            let uncapped = solve(&problem, &CONVERGED);
            assert!(residual(&problem, &uncapped, false) < 1e-9);
        }
    }
}

#[test]
fn sweeps_agree_on_the_branch() {
    for compliance in [0.02, 0.3] {
        let problem = capped(compliance, 0.03);
        let pass = Pass { capped: true, iterations: 20_000, ..CONVERGED };
        let start = vec![0.0; problem.rows.len()];
        let direct = solve_from(&mut Direct::default(), &problem, &pass, &start);
        let swept = solve_from(&mut Pgs::default(), &problem, &pass, &start);
        for (a, b) in direct.z.iter().zip(&swept.z) {
            assert!((a - b).abs() < 1e-7, "{a} against {b}");
        }
    }
    assert!(Direct::default().abilities().cap);
}
