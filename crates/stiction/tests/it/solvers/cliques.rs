//! A clique of seven coordinates with a full mass matrix under both solvers.

use stiction::constraint::{Bound, Problem, RowKind, RowSource};
use stiction::solvers::{Direct, Pass, Pgs};

use super::scene::*;

const N: usize = 7;

/// A mass matrix, its lower factor `M = C Cᵀ`; with `z = Cᵀ v` a row has `Y = C⁻¹ Jᵀ`.
struct Mechanism {
    factor: [[f64; N]; N],
}

impl Mechanism {
    fn new(random: &mut Scene) -> Self {
        let a: [[f64; N]; N] = std::array::from_fn(|_| std::array::from_fn(|_| random.random()));
        let mass: [[f64; N]; N] = std::array::from_fn(|i| {
            std::array::from_fn(|j| (0..N).map(|k| a[i][k] * a[j][k]).sum::<f64>() + if i == j { 0.5 } else { 0.0 })
        });
        let mut c = [[0.0; N]; N];
        for i in 0..N {
            for j in 0..=i {
                let s = mass[i][j] - (0..j).map(|k| c[i][k] * c[j][k]).sum::<f64>();
                c[i][j] = if i == j { s.sqrt() } else { s / c[j][j] };
            }
        }
        Self { factor: c }
    }

    fn whiten(&self, j: [f64; N]) -> [f64; N] {
        let mut y = [0.0; N];
        for i in 0..N {
            y[i] = (j[i] - (0..i).map(|k| self.factor[i][k] * y[k]).sum::<f64>()) / self.factor[i][i];
        }
        y
    }

    fn to_z(&self, v: [f64; N]) -> [f64; N] {
        std::array::from_fn(|i| (i..N).map(|k| self.factor[k][i] * v[k]).sum())
    }
}

fn problem() -> Problem {
    let mut random = Scene::default();
    let mechanism = Mechanism::new(&mut random);
    let mut vector = || -> [f64; N] { std::array::from_fn(|_| random.random()) };
    let mut problem = Problem::default();
    problem.clear(H);
    let arm = problem.push_clique(&mechanism.to_z(vector()));
    let body = problem.push_clique(&[0.1, -0.2, -0.3, 0.4, 0.0, 0.2]);
    let mut push = |problem: &mut Problem, on_body: Option<[f64; 6]>, target: f64, kind: RowKind| {
        let y = mechanism.whiten(vector());
        let mut blocks: Vec<(u32, &[f64])> = vec![(arm, &y)];
        if let Some(six) = &on_body {
            blocks.push((body, six));
        }
        problem.push_row(&blocks, target, 0.0, kind, RowSource::Contact(0))
    };
    push(&mut problem, Some([1.0, 0.0, 0.0, 0.0, 0.3, 0.0]), 0.1, RowKind::Joint);
    push(&mut problem, Some([0.0, 1.0, 0.0, 0.2, 0.0, 0.0]), 0.0, RowKind::Joint);
    push(&mut problem, None, -0.2, RowKind::Joint);
    let normal = push(&mut problem, Some([0.0, 0.0, 1.0, 0.0, 0.1, 0.1]), 0.5, RowKind::Normal);
    problem.rows[normal as usize].lower = 0.0;
    for k in 0..2 {
        let i = push(&mut problem, Some([f64::from(k), 1.0, 0.0, 0.0, 0.0, 0.5]), 0.3, RowKind::Friction);
        problem.rows[i as usize].bound = Bound::Coefficient { normal, coefficient: 0.2 };
    }
    problem.close_island();
    problem
}

/// Solves `A λ = b − Yᵀ z_free` over these rows by elimination, with sliding rows at `share · λ_normal`.
fn dense(problem: &Problem, states: &[Option<(usize, f64)>]) -> Vec<f64> {
    let m = problem.rows.len();
    let velocity_of = |i: usize| {
        let mut z = vec![0.0; problem.z_free.len()];
        problem.apply(&problem.rows[i], 1.0, &mut z);
        z
    };
    let mut a = vec![vec![0.0; m + 1]; m];
    for i in 0..m {
        match states[i] {
            Some((normal, share)) => {
                a[i][i] = 1.0;
                a[i][normal] = -share;
            }
            None => {
                for j in 0..m {
                    a[i][j] = problem.velocity(&problem.rows[i], &velocity_of(j));
                }
                a[i][m] = problem.rows[i].target - problem.velocity(&problem.rows[i], &problem.z_free);
            }
        }
    }
    for p in 0..m {
        let best = (p..m).max_by(|i, j| a[*i][p].abs().total_cmp(&a[*j][p].abs())).unwrap_or(p);
        a.swap(p, best);
        for i in 0..m {
            if i != p {
                let f = a[i][p] / a[p][p];
                for k in p..=m {
                    a[i][k] -= f * a[p][k];
                }
            }
        }
    }
    (0..m).map(|i| a[i][m] / a[i][i]).collect()
}

#[test]
fn seven_coordinates_under_both_solvers() {
    let problem = problem();
    let start = vec![0.0; problem.rows.len()];
    let direct = solve_from(&mut Direct::default(), &problem, &CONVERGED, &start);
    assert!(residual(&problem, &direct, false) < 1e-9 && !direct.statistics.gave_up, "{:?}", direct.statistics);
    let long = Pass { iterations: 200_000, ..CONVERGED };
    let swept = solve_from(&mut Pgs::default(), &problem, &long, &start);
    for (a, b) in direct.z.iter().zip(&swept.z) {
        assert!((a - b).abs() < 1e-6, "{a} against {b}");
    }
    // The normal presses, so that the comparison says something.
    assert!(direct.lambda[3] > 0.0);
    let states: Vec<_> = (0..problem.rows.len())
        .map(|i| {
            let bound = problem.rows[i].bounds(&direct.lambda).1;
            (bound.is_finite() && direct.lambda[i].abs() >= bound - 1e-12).then(|| (3, 0.2 * direct.lambda[i].signum()))
        })
        .collect();
    for (a, b) in direct.lambda.iter().zip(dense(&problem, &states)) {
        assert!((a - b).abs() < 1e-8, "{a} against {b}");
    }
}
