//! Times of the direct solver on problems given as text files: `solver_timing FILE...`.

use std::time::Instant;

use stiction::constraint::{Bound, Problem, RowKind, RowSource};
use stiction::solvers::{Direct, Pass, Pgs, SolveStatistics, Solver};

#[path = "../tests/it/solvers/reader.rs"]
mod reader;

struct Run {
    statistics: SolveStatistics,
    micros: f64,
    lambda: Vec<f64>,
    z: Vec<f64>,
}

fn best_of(times: u32, problem: &Problem, solver: &mut dyn Solver, pass: &Pass, start: &[f64]) -> Run {
    let mut best =
        Run { statistics: SolveStatistics::default(), micros: f64::INFINITY, lambda: Vec::new(), z: Vec::new() };
    for _ in 0..times {
        let (mut z, mut lambda) = (problem.z_free.clone(), start.to_vec());
        let clock = Instant::now();
        let statistics = solver.solve(problem, &problem.islands[0], pass, &mut z, &mut lambda);
        let micros = clock.elapsed().as_secs_f64() * 1e6;
        best = Run { statistics, micros: best.micros.min(micros), lambda, z };
    }
    best
}

fn worst(problem: &Problem, run: &Run) -> f64 {
    (0..problem.rows.len())
        .map(|i| problem.residual(&problem.rows[i], i, &run.lambda, &run.z, false, false))
        .fold(0.0, f64::max)
}

fn main() -> std::io::Result<()> {
    println!(
        "| problem | dofs | rows | once cold: f, us | once warm: f, us | converged cold: f, us, residual | converged warm: f, us | PGS us a sweep |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for path in std::env::args().skip(1) {
        let problem = reader::read(&std::fs::read_to_string(&path)?);
        let name = path.rsplit('/').next().unwrap_or(&path).trim_end_matches(".txt").to_owned();
        let once = Pass {
            capped: false,
            iterations: 20,
            relaxation: 1.0,
            accelerated: false,
            bounds_once: true,
            budget: Pass::FULL_BUDGET,
            stiction_tolerance: 1e-3,
        };
        let converged = Pass { bounds_once: false, ..once };
        let cold = vec![0.0; problem.rows.len()];
        let mut direct = Direct::default();
        let a = best_of(9, &problem, &mut direct, &once, &cold);
        let b = best_of(9, &problem, &mut direct, &once, &a.lambda);
        let c = best_of(3, &problem, &mut direct, &converged, &cold);
        let d = best_of(9, &problem, &mut direct, &converged, &c.lambda);
        let sweeps = Pass { iterations: 200, ..converged };
        let p = best_of(1, &problem, &mut Pgs::default(), &sweeps, &cold);
        println!(
            "| {name} | {} | {} | {}, {:.0} | {}, {:.0} | {}, {:.0}, {:.0e}{} | {}, {:.0} | {:.1} |",
            problem.z_free.len(),
            problem.rows.len(),
            a.statistics.factorizations,
            a.micros,
            b.statistics.factorizations,
            b.micros,
            c.statistics.factorizations,
            c.micros,
            worst(&problem, &c),
            if c.statistics.gave_up { " gave up" } else { "" },
            d.statistics.factorizations,
            d.micros,
            p.micros / f64::from(p.statistics.sweeps.max(1)),
        );
    }
    let boxes = boxes(1000);
    let (converged, mut direct, mut best) = (
        Pass {
            capped: false,
            iterations: 20,
            relaxation: 1.0,
            accelerated: false,
            bounds_once: false,
            budget: Pass::FULL_BUDGET,
            stiction_tolerance: 1e-3,
        },
        Direct::default(),
        f64::INFINITY,
    );
    for _ in 0..9 {
        let (mut z, mut lambda) = (boxes.z_free.clone(), vec![0.0; boxes.rows.len()]);
        let clock = Instant::now();
        for island in &boxes.islands {
            direct.solve(&boxes, island, &converged, &mut z, &mut lambda);
        }
        best = best.min(clock.elapsed().as_secs_f64() * 1e6);
    }
    println!("1000 boxes on a plane, converged, cold: {:.2} us each", best / 1e3);
    Ok(())
}

/// Boxes on a plane, each on four contacts: islands of twelve rows.
fn boxes(count: u32) -> Problem {
    let mut problem = Problem::default();
    problem.clear(0.01);
    let inertia = 6.0f64.sqrt();
    for k in 0..count {
        let body = problem.push_clique(&[0.0, 0.01, -0.0981, 1e-5 * f64::from(k), 0.0, 0.0]);
        for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
            let normal = problem.push_row(
                &[(body, &[0.0, 0.0, 1.0, y * inertia, -x * inertia, 0.0])],
                2e-4,
                0.0,
                RowKind::Normal,
                RowSource::Contact(0),
            );
            problem.rows[normal as usize].lower = 0.0;
            for tangent in
                [[1.0, 0.0, 0.0, 0.0, -0.5 * inertia, -y * inertia], [0.0, 1.0, 0.0, 0.5 * inertia, 0.0, x * inertia]]
            {
                let row = problem.push_row(&[(body, &tangent)], 0.0, 0.0, RowKind::Friction, RowSource::Contact(0));
                problem.rows[row as usize].bound = Bound::Coefficient { normal, coefficient: 0.5 };
            }
        }
        problem.close_island();
    }
    problem
}
