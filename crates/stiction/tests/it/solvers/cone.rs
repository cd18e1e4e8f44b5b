//! Friction ellipses: opposite to the sliding, of the length of the bound.

use stiction::constraint::Problem;

use super::problems::{sliding, spinning, tower, wall};
use super::scene::*;

fn with_cones(mut scene: Scene, second: f64) -> Problem {
    let mut is_first = true;
    for line in &mut scene.lines {
        if let Some((_, coefficient)) = &mut line.friction {
            line.ellipse = is_first;
            if !is_first {
                *coefficient *= second;
            }
            is_first = !is_first;
        }
    }
    scene.problem()
}

/// Checks the law at every contact: sticking inside, or sliding opposite at the bound.
fn check(name: &str, problem: &Problem, solved: &Solved) {
    for (i, row) in problem.rows.iter().enumerate().filter(|(_, r)| r.ellipse) {
        let second = &problem.rows[i + 1];
        let (b1, b2) = (row.bounds(&solved.lambda).1, second.bounds(&solved.lambda).1);
        let (p, q) = (solved.lambda[i], solved.lambda[i + 1]);
        if b1 <= 0.0 {
            assert!(p == 0.0 && q == 0.0, "{name}");
            continue;
        }
        let (u, v) =
            (problem.velocity(row, &solved.z) - row.target, problem.velocity(second, &solved.z) - second.target);
        let length = (p / b1).hypot(q / b2);
        assert!(length < 1.0 + 1e-6, "{name}: {length}");
        if u.hypot(v) > 1e-6 {
            assert!((length - 1.0).abs() < 1e-6, "{name}: slides at {length}");
            let cosine = (p * u + q * v) / (p.hypot(q) * u.hypot(v));
            assert!((cosine + 1.0).abs() < 1e-8, "{name}: cosine {cosine}");
        }
    }
}

#[test]
fn friction_opposes_sliding() {
    for second in [1.0, 0.4] {
        for (name, scene) in [
            ("sliding", sliding()),
            ("spinning", spinning()),
            ("at rest", tower(5, 0.5, 1.0)),
            ("tower 5", tower(5, 0.5, 1.0).perturb(0.02)),
            ("tower 12", tower(12, 0.5, 1.0).perturb(0.02)),
            ("wall 5", wall(5).perturb(0.02)),
        ] {
            let problem = with_cones(scene, second);
            let solved = solve(&problem, &CONVERGED);
            println!("{name} {second}: {:?}", solved.statistics);
            assert!(!solved.statistics.gave_up, "{name} {second}: {:?}", solved.statistics);
            check(name, &problem, &solved);
        }
    }
}

#[test]
fn a_box_sliding_askew_loses_speed_along_its_path() {
    let problem = with_cones(sliding(), 1.0);
    for pass in [ONCE, CONVERGED] {
        let solved = solve(&problem, &pass);
        assert!(!solved.statistics.gave_up, "{:?}", solved.statistics);
        let impulse: f64 =
            problem.rows.iter().zip(&solved.lambda).filter(|(r, _)| r.lower == 0.0).map(|(_, x)| x).sum();
        // Without turning, μ Σ λ_n brakes along (cos 30°, sin 30°); the box is free to pitch, so compare directions.
        let lost = [problem.z_free[0] - solved.z[0], problem.z_free[1] - solved.z[1]];
        assert!((lost[1] / lost[0] - 1.0 / 3.0f64.sqrt()).abs() < 1e-2, "{lost:?}");
        assert!(lost[0].hypot(lost[1]) <= 0.5 * impulse * (1.0 + 1e-9) || pass.bounds_once);
    }
}
