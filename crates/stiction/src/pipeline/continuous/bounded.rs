//! `A x = b` with `|x_i| ≤ F_i`, for the forces that hold loops (no bound) and those of motors: where a motor is at its
//! bound, its row asks for more than it gets.

/// A pivot this much smaller than its row's own is a row that others imply.
const IMPLIED: f64 = 1e-9;
/// A row this much smaller than the largest is rounding: its direction cannot move, as out of the plane of a planar loop.
const STILL: f64 = 1e-20;
/// Changes of the active set; motors of a robot need two or three.
const ROUNDS: usize = 32;

/// Memory of the solution.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounded {
    /// Solution.
    pub(super) x: Vec<f64>,
    /// −1 or 1 for rows at a bound.
    sides: Vec<f64>,
    /// Factor of the last solution: its diagonal is the reciprocal of the pivots, 0 for rows that others imply.
    factor: Vec<f64>,
}

impl Bounded {
    /// Solves for a symmetric positive semidefinite A, of which the lower half counts.
    pub(super) fn solve(&mut self, a: &[f64], b: &[f64], bounds: &[f64]) {
        let n = b.len();
        let at = |i: usize, j: usize| a[i.max(j) * n + i.min(j)];
        self.sides.clear();
        self.sides.resize(n, 0.0);
        for _ in 0..ROUNDS {
            self.x.clear();
            self.factor.clear();
            for i in 0..n {
                let is_held = self.sides[i] != 0.0;
                let others: f64 =
                    (0..n).filter(|j| self.sides[*j] != 0.0).map(|j| at(i, j) * self.sides[j] * bounds[j]).sum();
                self.x.push(if is_held { self.sides[i] * bounds[i] } else { b[i] - others });
                for j in 0..n {
                    let is_apart = i != j && (is_held || self.sides[j] != 0.0);
                    self.factor.push(match (is_apart || j > i, is_held) {
                        (true, _) => 0.0,
                        (false, true) => 1.0,
                        (false, false) => at(i, j),
                    });
                }
            }
            solve_semidefinite(&mut self.factor, &mut self.x);
            if !self.change_sides(n, b, bounds, at) {
                return;
            }
        }
        for (x, bound) in self.x.iter_mut().zip(bounds) {
            *x = x.clamp(-bound, *bound);
        }
    }

    /// Holds rows beyond their bounds; if there are none, lets go of those at a bound that ask for less.
    fn change_sides(&mut self, n: usize, b: &[f64], bounds: &[f64], at: impl Fn(usize, usize) -> f64) -> bool {
        let mut has_changed = false;
        for i in 0..n {
            if self.sides[i] == 0.0 && self.x[i].abs() > bounds[i] {
                self.sides[i] = self.x[i].signum();
                has_changed = true;
            }
        }
        if has_changed {
            return true;
        }
        for i in 0..n {
            let left: f64 = b[i] - (0..n).map(|j| at(i, j) * self.x[j]).sum::<f64>();
            if self.sides[i] * left < 0.0 {
                self.sides[i] = 0.0;
                has_changed = true;
            }
        }
        has_changed
    }

    /// Least share of its own diagonal that a row which the rows before it do not imply keeps beside them, among the
    /// first `count`, and how many such rows there are.
    pub(super) fn independence(&self, a: &[f64], count: usize) -> (f64, usize) {
        let n = self.x.len();
        let shares =
            (0..count).filter(|i| self.factor[i * n + i] > 0.0).map(|i| 1.0 / (self.factor[i * n + i] * a[i * n + i]));
        shares.fold((1.0, 0), |(least, rows), share| (share.min(least), rows + 1))
    }
}

/// Solves `A x = b` in place for a symmetric positive semidefinite A (lower half, row by row): rows that others imply get
/// zero.
fn solve_semidefinite(a: &mut [f64], x: &mut [f64]) {
    let n = x.len();
    let still = STILL * (0..n).fold(0.0, |largest: f64, j| largest.max(a[j * n + j]));
    for j in 0..n {
        let own = a[j * n + j];
        for k in 0..j {
            // Columns hold L with `A = L D Lᵀ`, the diagonal 1/D; 0 for an implied row.
            let mut s = a[j * n + k];
            for m in 0..k {
                s -= a[j * n + m] * a[k * n + m] * pivot(a[m * n + m]);
            }
            a[j * n + k] = s * a[k * n + k];
        }
        let mut d = own;
        for m in 0..j {
            d -= a[j * n + m] * a[j * n + m] * pivot(a[m * n + m]);
        }
        a[j * n + j] = if d > still.max(IMPLIED * own) { 1.0 / d } else { 0.0 };
    }
    for j in 0..n {
        for k in 0..j {
            x[j] -= a[j * n + k] * x[k];
        }
    }
    for j in (0..n).rev() {
        let mut s = x[j] * a[j * n + j];
        for i in j + 1..n {
            s -= a[i * n + j] * x[i];
        }
        x[j] = if a[j * n + j] > 0.0 { s } else { 0.0 };
    }
}

/// D of its stored reciprocal.
fn pivot(reciprocal: f64) -> f64 {
    if reciprocal > 0.0 { 1.0 / reciprocal } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_at_a_bound_asks_for_more() {
        // A = Y Yᵀ of scattered rows.
        let n = 5;
        let y = |i: usize, k: usize| libm::sin((7 * i + 3 * k) as f64 + 0.3 * (i * k) as f64);
        let a: Vec<f64> = (0..n * n).map(|c| (0..8).map(|k| y(c / n, k) * y(c % n, k)).sum()).collect();
        for trial in 0..200 {
            let b: Vec<f64> = (0..n).map(|i| 5.0 * libm::sin((11 * trial + i) as f64)).collect();
            let bounds: Vec<f64> = (0..n).map(|i| if i < 2 { f64::INFINITY } else { 0.2 * i as f64 }).collect();
            let mut solved = Bounded::default();
            solved.solve(&a, &b, &bounds);
            for i in 0..n {
                let left: f64 = b[i] - (0..n).map(|j| a[i * n + j] * solved.x[j]).sum::<f64>();
                assert!(solved.x[i].abs() <= bounds[i] + 1e-12);
                let is_within = solved.x[i].abs() < bounds[i] - 1e-12;
                assert!(if is_within { left.abs() < 1e-9 } else { left * solved.x[i] >= -1e-9 }, "{trial} {i}: {left}");
            }
        }
    }
}
