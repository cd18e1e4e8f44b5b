//! Problems as text: bodies in elimination order with diagonal masses and free velocities, then rows.

use stiction::constraint::{Bound, Problem, RowKind, RowSource};

/// Reads `nodes rows band`, then twelve numbers a body (mass, free velocity), then rows
/// `body body J₁ J₂ Γ b lower upper normal`.
pub fn read(text: &str) -> Problem {
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<f64>().expect("a number"));
    let mut next = || numbers.next().expect("another number");
    let (bodies, rows, _band) = (next() as usize, next() as usize, next());
    let mut problem = Problem::default();
    problem.clear(0.01);
    let mut roots = vec![[0.0; 6]; bodies];
    for root in &mut roots {
        *root = std::array::from_fn(|_| next().sqrt());
        let z: [f64; 6] = std::array::from_fn(|k| root[k] * next());
        problem.push_clique(&z);
    }
    for _ in 0..rows {
        let at = [next() as i64, next() as i64];
        let j: [[f64; 6]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| next()));
        let [compliance, target, lower, upper, normal] = std::array::from_fn(|_| next());
        let mut blocks = Vec::new();
        for k in 0..2 {
            if let Ok(body) = usize::try_from(at[k]) {
                let y: [f64; 6] = std::array::from_fn(|c| j[k][c] / roots[body][c]);
                blocks.push((body as u32, y));
            }
        }
        let blocks: Vec<(u32, &[f64])> = blocks.iter().map(|(body, y)| (*body, y.as_slice())).collect();
        let i = problem.push_row(&blocks, target, compliance, RowKind::Joint, RowSource::Contact(0));
        let row = &mut problem.rows[i as usize];
        let unbounded = |x: f64| if x.abs() >= 1e290 { x.signum() * f64::INFINITY } else { x };
        (row.lower, row.upper) = (unbounded(lower), unbounded(upper));
        if normal >= 0.0 {
            row.kind = RowKind::Friction;
            row.bound = Bound::Coefficient { normal: normal as u32, coefficient: unbounded(upper) };
        } else if lower == 0.0 {
            row.kind = RowKind::Normal;
        }
    }
    problem.close_island();
    problem
}
