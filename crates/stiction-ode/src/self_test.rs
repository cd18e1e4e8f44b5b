//! Tests inside the library, which ODE exports without a header for its own programs.

use std::ffi::c_int;
use std::time::Instant;

use stiction::constraint::{Problem, RowKind, RowSource};
use stiction::solvers::{Direct, Pass, Solver};

use crate::lifetime::{dBodyDestroy, dWorldDestroy};
use crate::objects::body_creation::dBodyCreate;
use crate::objects::joint::{dJointAttach, dJointDestroy};
use crate::objects::world::{dWorldCheck, dWorldCreate};
use crate::random;
use crate::report;
use crate::stream::print;

/// Bodies and joints at most, and rounds of random changes.
const OBJECTS: usize = 100;
const ROUNDS: usize = 2000;

/// Creates, attaches and destroys bodies and joints at random, and checks the world's lists after every change.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dTestDataStructures() {
    let world = dWorldCreate();
    let (mut bodies, mut joints) = (Vec::new(), Vec::new());
    let coin = || random::real() > 0.5;
    for _ in 0..ROUNDS {
        if bodies.len() < OBJECTS && coin() {
            bodies.push(dBodyCreate(world));
        }
        dWorldCheck(world);
        if joints.len() < OBJECTS && bodies.len() > 2 && coin() {
            joints.push(crate::joints::dJointCreateBall(world, std::ptr::null_mut()));
        }
        dWorldCheck(world);
        if !joints.is_empty() && bodies.len() > 2 && coin() {
            let (a, b) = (bodies[random::index(bodies.len())], bodies[random::index(bodies.len())]);
            if a != b {
                dJointAttach(joints[random::index(joints.len())], a, b);
            }
        }
        dWorldCheck(world);
        if !bodies.is_empty() && coin() && coin() {
            dBodyDestroy(bodies.swap_remove(random::index(bodies.len())));
        }
        dWorldCheck(world);
        if !joints.is_empty() && coin() && coin() {
            dJointDestroy(joints.swap_remove(random::index(joints.len())));
        }
        dWorldCheck(world);
    }
    dWorldDestroy(world);
}

/// Rows of a problem, those without bounds, problems.
const ROWS: usize = 100;
const UNBOUNDED: usize = 50;
const PROBLEMS: usize = 1000;
/// Allowed error of the complementarity, beside right sides of some ten.
const TOLERANCE: f64 = 1e-7;

/// Random number between −range and range.
fn symmetric(range: f64) -> f64 {
    (f64::from(random::real()) * 2.0 - 1.0) * range
}

/// `A x = b + w` with `lo <= x <= hi` and w only at bounds, A = G Gᵀ.
struct RandomProblem {
    factor: Vec<[f64; ROWS]>,
    target: Vec<f64>,
    bounds: Vec<(f64, f64)>,
}

impl RandomProblem {
    fn new() -> Self {
        let factor: Vec<[f64; ROWS]> = (0..ROWS).map(|_| std::array::from_fn(|_| symmetric(1.0))).collect();
        let guess: Vec<f64> = (0..ROWS).map(|_| symmetric(1.0)).collect();
        let target = Self::product(&factor, &guess).into_iter().map(|value| value + symmetric(0.1)).collect();
        let bound = || f64::from(random::real()) + 0.01;
        let bounds = (0..ROWS)
            .map(|row| if row < UNBOUNDED { (f64::NEG_INFINITY, f64::INFINITY) } else { (-bound(), bound()) })
            .collect();
        Self { factor, target, bounds }
    }

    /// `G Gᵀ x`.
    fn product(factor: &[[f64; ROWS]], x: &[f64]) -> Vec<f64> {
        let mut z = [0.0; ROWS];
        for (row, x) in factor.iter().zip(x) {
            for (z, g) in z.iter_mut().zip(row) {
                *z += g * x;
            }
        }
        factor.iter().map(|row| row.iter().zip(&z).map(|(g, z)| g * z).sum()).collect()
    }

    fn solve(&self, problem: &mut Problem, solver: &mut Direct) -> Vec<f64> {
        problem.clear(1.0);
        let clique = problem.push_clique(&[0.0; ROWS]);
        for (row, factor) in self.factor.iter().enumerate() {
            let source = RowSource::Joint { slot: 0, row: row as u32 };
            let blocks = std::iter::once((clique, &factor[..]));
            let kind = if row < UNBOUNDED { RowKind::Joint } else { RowKind::Motor };
            let at = problem.push_blocks(blocks, self.target[row], 0.0, kind, source) as usize;
            (problem.rows[at].lower, problem.rows[at].upper) = self.bounds[row];
        }
        problem.close_island();
        let (mut z, mut lambda) = (vec![0.0; ROWS], vec![0.0; ROWS]);
        let pass = Pass {
            capped: false,
            iterations: 0,
            relaxation: 1.0,
            accelerated: false,
            bounds_once: true,
            budget: Pass::FULL_BUDGET,
            stiction_tolerance: 1e-4,
        };
        solver.solve(problem, &problem.islands[0], &pass, &mut z, &mut lambda);
        lambda
    }

    /// Rows at the lower bound, at the upper one, and between; or the row that is none.
    fn judge(&self, x: &[f64]) -> Result<[usize; 3], usize> {
        let mut counts = [0; 3];
        for (row, (value, target)) in Self::product(&self.factor, x).iter().zip(&self.target).enumerate() {
            let (slack, (low, high)) = (value - target, self.bounds[row]);
            let place = if x[row] <= low && slack >= -TOLERANCE {
                0
            } else if x[row] >= high && slack <= TOLERANCE {
                1
            } else if (low..=high).contains(&x[row]) && slack.abs() <= TOLERANCE {
                2
            } else {
                return Err(row);
            };
            counts[place] += 1;
        }
        Ok(counts)
    }
}

/// Solves random linear complementarity problems with the solver of `dWorldStep`, prints a line for each, and reports to the
/// debug handler what is no solution.
#[unsafe(no_mangle)]
extern "C-unwind" fn dTestSolveLCP() -> c_int {
    print("dTestSolveLCP()\n");
    let (mut problem, mut solver) = (Problem::default(), Direct::default());
    let mut total = 0.0;
    for count in 1..=PROBLEMS {
        let random = RandomProblem::new();
        let start = Instant::now();
        let x = random.solve(&mut problem, &mut solver);
        let time = start.elapsed().as_secs_f64() * 1e3;
        total += time;
        match random.judge(&x) {
            Ok([low, high, free]) => {
                let average = total / count as f64;
                print(&format!(
                    "passed: NL={low:3} NH={high:3} C={free:3}   time={time:10.3} ms  avg={average:10.4}\n"
                ));
            }
            Err(row) => report::debug(report::UNKNOWN, &format!("FAILED: i={row} x={:.4e}", x[row])),
        }
    }
    1
}
