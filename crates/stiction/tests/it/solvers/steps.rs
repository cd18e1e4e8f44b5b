//! Forty steps with the geometry frozen: velocities and gaps go on, impulses start the next step.

use stiction::solvers::{Direct, Pass};

use super::problems::*;
use super::scene::*;

/// Mean and largest factorisations a step, steps that gave up, largest residual of the others.
fn run(mut scene: Scene, pass: &Pass) -> (f64, u32, u32, f64) {
    let mut direct = Direct::default();
    let mut lambda = vec![0.0; scene.lines.len()];
    let (mut sum, mut most, mut failed, mut worst) = (0, 0, 0, 0.0f64);
    for _ in 0..40 {
        let problem = scene.problem();
        let solved = solve_from(&mut direct, &problem, pass, &lambda);
        sum += solved.statistics.factorizations;
        most = most.max(solved.statistics.factorizations);
        if solved.statistics.gave_up {
            failed += 1;
        } else {
            let judged = if pass.bounds_once { with_bounds_once(&problem) } else { problem.clone() };
            worst = worst.max(residual(&judged, &solved, false));
        }
        for (i, body) in scene.bodies.iter_mut().enumerate() {
            body.velocity = std::array::from_fn(|k| solved.z[6 * i + k] / body.root[k]);
        }
        for (line, row) in scene.lines.iter_mut().zip(&problem.rows).filter(|(l, _)| l.friction.is_none()) {
            line.gap += H * problem.velocity(row, &solved.z);
        }
        lambda = solved.lambda;
    }
    (f64::from(sum) / 40.0, most, failed, worst)
}

#[test]
fn warm_steps_take_few_factorizations() {
    for (name, make, mean, allowed) in [
        ("tower 12", (|| tower(12, 0.5, 1.0).perturb(0.02)) as fn() -> Scene, 3.0, 0),
        ("tower 12 kicked", || tower(12, 0.5, 1.0).perturb(0.2), 40.0, 4),
        ("wall 5", || wall(5).perturb(0.02), 3.0, 0),
        ("five under a thousand", || tower(6, 0.5, 1000.0).perturb(0.02), 3.0, 0),
        ("chain 100", || chain(100, 0.0).perturb(0.05), 1.0, 0),
    ] {
        for pass in [ONCE, CONVERGED] {
            let (f, most, failed, worst) = run(make(), &pass);
            println!(
                "{name}, once {}: {f:.1} f a step, most {most}, {failed} gave up, residual {worst:.0e}",
                pass.bounds_once
            );
            assert!(f <= mean && failed <= allowed && worst < 1e-9, "{name}: {f} {failed} {worst:e}");
        }
    }
}
