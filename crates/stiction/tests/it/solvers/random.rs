//! Random rows of every form: one to four blocks, cliques of one to thirteen coordinates, doubled rows, bounds of every
//! kind, caps, empty rows.

use stiction::constraint::{Bound, Problem, RowKind, RowSource};
use stiction::solvers::Pass;

use super::scene::*;

fn random_problem(random: &mut Scene, compliant: bool) -> Problem {
    let mut problem = Problem::default();
    problem.clear(H);
    let mut pick = |n: u32| ((random.random() * 0.5 + 0.5) * f64::from(n)) as u32 % n;
    let cliques = 1 + pick(6);
    let sizes: Vec<u32> = (0..cliques).map(|_| [6, 6, 6, 6, 1, 7, 13][pick(7) as usize]).collect();
    let rows = 1 + pick(20);
    for size in &sizes {
        let z: Vec<f64> = (0..*size).map(|_| random.random()).collect();
        problem.push_clique(&z);
    }
    for _ in 0..rows {
        let mut pick = |n: u32| ((random.random() * 0.5 + 0.5) * f64::from(n)) as u32 % n;
        let (kind, blocks, repeats) = (pick(8), 1 + pick(4).min(pick(4)), pick(5) == 0);
        let on: Vec<u32> = (0..blocks).map(|_| pick(cliques)).collect();
        let mut y = |size: u32| -> Vec<f64> { (0..size).map(|_| random.random()).collect() };
        let rows_of = if kind < 3 { 3 } else { 1 };
        let mut normal = 0;
        for k in 0..rows_of {
            let parts: Vec<(u32, Vec<f64>)> = on.iter().map(|c| (*c, y(sizes[*c as usize]))).collect();
            let parts: Vec<(u32, &[f64])> = parts.iter().map(|(c, y)| (*c, y.as_slice())).collect();
            let compliance = if compliant { 0.3 } else { 0.0 };
            for copy in 0..=u32::from(repeats && kind >= 3) {
                // Only unilateral rows are doubled with other targets: bilateral ones would contradict.
                let target = if (3..5).contains(&kind) { 0.5 - 0.1 * f64::from(copy) } else { 0.5 };
                let i = problem.push_row(&parts, target, compliance, RowKind::Joint, RowSource::Contact(0));
                let row = &mut problem.rows[i as usize];
                match kind {
                    0..3 if k == 0 => {
                        normal = i;
                        row.lower = 0.0;
                        row.cap = 0.2;
                    }
                    0..3 => {
                        row.target = 0.0;
                        let coefficient = [0.5, f64::INFINITY, 0.0][kind as usize];
                        row.bound = Bound::Coefficient { normal, coefficient };
                    }
                    3 | 4 => row.lower = 0.0,
                    5 => (row.lower, row.upper) = (-0.1, 0.1),
                    6 => (row.lower, row.upper) = (-0.3, -0.3),
                    _ => {}
                }
            }
        }
    }
    problem.push_row(&[], 0.0, 0.0, RowKind::Joint, RowSource::Contact(0));
    problem.close_island();
    problem
}

#[test]
fn every_form_of_row_is_solved_or_reported() {
    let mut random = Scene::default();
    let mut solved_hard = 0;
    for case in 0..600 {
        let compliant = case % 2 == 0;
        let problem = random_problem(&mut random, compliant);
        for (once, capped) in [(true, false), (false, false), (true, true), (false, true)] {
            let pass = Pass { bounds_once: once, capped, ..ONCE };
            let solved = solve(&problem, &pass);
            assert!(solved.z.iter().chain(&solved.lambda).all(|x| x.is_finite()), "case {case}");
            let s = solved.statistics;
            let is_reported = s.gave_up || s.inconsistent_rows > 0;
            if compliant && once {
                assert!(!is_reported, "case {case}: {s:?}");
            }
            if !once && !is_reported {
                let e = residual(&problem, &solved, capped);
                assert!(e < 1e-9, "case {case}: {e:e} {s:?}");
                solved_hard += u32::from(!compliant);
            }
        }
    }
    println!("{solved_hard} hard solves");
    assert!(solved_hard > 200);
}
