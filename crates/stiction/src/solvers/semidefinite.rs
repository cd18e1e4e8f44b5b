//! Symmetric systems in which some rows follow from others.

/// A row this much smaller than the largest is rounding: its direction cannot move, as out of the plane of a planar loop.
const STILL: f64 = 1e-20;

/// Memory of a solution.
#[derive(Clone, Debug, Default)]
pub(crate) struct SemidefiniteSystem {
    /// Diagonal before the elimination.
    diagonal: Vec<f64>,
    /// Rows in the order of elimination, and those that are left.
    order: Vec<usize>,
    left: Vec<usize>,
}

impl SemidefiniteSystem {
    /// Solves `A x = b` in place for a symmetric positive semidefinite A, of which the lower half is given, row by row: see [`Self::factor`].
    pub(crate) fn solve(
        &mut self,
        a: &mut [f64],
        x: &mut [f64],
        scale: impl Fn(usize) -> f64,
        least: impl Fn(usize, f64) -> f64,
    ) {
        self.factor(a, x.len(), scale, least);
        self.solve_factored(a, x);
    }

    /// Eliminates in place. The row that is left with the largest share of its scale comes first: of rows that say almost the same, the one that moves most.
    /// Rows of which no more than `least` is left, by their diagonal, are implied by others, and get zero.
    pub(crate) fn factor(
        &mut self,
        a: &mut [f64],
        n: usize,
        scale: impl Fn(usize) -> f64,
        least: impl Fn(usize, f64) -> f64,
    ) {
        let at = |i: usize, j: usize| place(n, i, j);
        let Self { diagonal, order, left } = self;
        diagonal.clear();
        diagonal.extend((0..n).map(|i| a[at(i, i)]));
        let still = STILL * diagonal.iter().copied().fold(0.0, f64::max);
        order.clear();
        left.clear();
        left.extend(0..n);
        loop {
            left.retain(|i| a[at(*i, *i)] > still.max(least(*i, diagonal[*i])));
            let share = |i: usize| a[at(i, i)] / scale(i);
            // Of equal ones the first.
            let largest = |best: usize, k: usize| if share(left[k]) > share(left[best]) { k } else { best };
            let Some(place) = (0..left.len()).reduce(largest) else { break };
            let pivot = left.remove(place);
            order.push(pivot);
            let by = 1.0 / a[at(pivot, pivot)];
            for (k, i) in left.iter().enumerate() {
                let factor = a[at(*i, pivot)] * by;
                for j in &left[..=k] {
                    a[at(*i, *j)] -= factor * a[at(*j, pivot)];
                }
            }
        }
    }

    /// Rows that others do not imply, in the order of elimination.
    pub(crate) fn independent(&self) -> &[usize] {
        &self.order
    }

    /// Writes the combination of rows that is zero: 1 of a row that is left out, and the coefficients of those on which it depends.
    pub(crate) fn dependence(&self, a: &[f64], row: usize, x: &mut [f64]) {
        let n = x.len();
        let at = |i: usize, j: usize| place(n, i, j);
        x.fill(0.0);
        x[row] = 1.0;
        for (k, i) in self.order.iter().enumerate().rev() {
            let known = self.order[k + 1..].iter().map(|j| a[at(*j, *i)] * x[*j]).sum::<f64>();
            x[*i] = -(a[at(row, *i)] + known) / a[at(*i, *i)];
        }
    }

    /// Solves with what has been eliminated.
    pub(crate) fn solve_factored(&self, a: &[f64], x: &mut [f64]) {
        let n = x.len();
        let at = |i: usize, j: usize| place(n, i, j);
        for (k, pivot) in self.order.iter().enumerate() {
            let by = 1.0 / a[at(*pivot, *pivot)];
            for i in &self.order[k + 1..] {
                x[*i] -= a[at(*i, *pivot)] * by * x[*pivot];
            }
        }
        for (k, i) in self.order.iter().enumerate().rev() {
            let known = self.order[k + 1..].iter().map(|j| a[at(*j, *i)] * x[*j]).sum::<f64>();
            x[*i] = (x[*i] - known) / a[at(*i, *i)];
        }
        (0..n).filter(|i| !self.order.contains(i)).for_each(|i| x[i] = 0.0);
    }
}

/// Where an entry of a symmetric matrix is, of which the lower half is given.
const fn place(n: usize, i: usize, j: usize) -> usize {
    if i > j { i * n + j } else { j * n + i }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(a: &mut [f64], x: &mut [f64]) {
        SemidefiniteSystem::default().solve(a, x, |_| 1.0, |_, diagonal| 1e-9 * diagonal);
    }

    #[test]
    fn a_doubled_row_is_solved_once() {
        // Rows (1, 1), (1, 1), (0, 2) of a 2-space: A = Y Yᵀ.
        let y = [[1.0, 1.0], [1.0, 1.0], [0.0, 2.0]];
        let mut a: Vec<f64> =
            (0..9).map(|i| y[i / 3].iter().zip(y[i % 3]).map(|(p, q): (&f64, f64)| p * q).sum()).collect();
        let mut x = vec![3.0, 3.0, 1.0];
        solve(&mut a, &mut x);
        let z: Vec<f64> = (0..2).map(|k| (0..3).map(|i| y[i][k] * x[i]).sum()).collect();
        for (row, b) in y.iter().zip([3.0, 3.0, 1.0]) {
            assert!((row[0] * z[0] + row[1] * z[1] - b).abs() < 1e-12);
        }
        assert_eq!(x[1], 0.0);
    }

    #[test]
    fn a_row_that_is_left_out_is_a_combination_of_others() {
        // Rows y of a 2-space, the third the first less twice the second.
        let y = [[1.0, 0.5], [0.25, -1.0], [0.5, 2.5], [0.0, 1e-30]];
        let mut a: Vec<f64> =
            (0..16).map(|i| y[i / 4].iter().zip(y[i % 4]).map(|(p, q): (&f64, f64)| p * q).sum()).collect();
        let mut system = SemidefiniteSystem::default();
        system.factor(&mut a, 4, |_| 1.0, |_, diagonal| 1e-9 * diagonal);
        let left_out: Vec<usize> = (0..4).filter(|row| !system.independent().contains(row)).collect();
        assert_eq!(left_out.len(), 2);
        for row in left_out {
            let mut x = [7.0; 4];
            system.dependence(&a, row, &mut x);
            assert_eq!(x[row], 1.0);
            for k in 0..2 {
                let sum: f64 = y.iter().zip(x).map(|(y, x)| y[k] * x).sum();
                assert!(sum.abs() < 1e-14, "{row}: {x:?}");
            }
        }
    }

    #[test]
    fn a_row_of_rounding_is_left_out() {
        let mut a = vec![2.0, 0.0, 1e-17, 1e-33];
        let mut x = vec![3.0, 1e-16];
        solve(&mut a, &mut x);
        assert_eq!(x, [1.5, 0.0]);
    }

    #[test]
    fn of_rows_that_contradict_each_other_the_one_that_moves_most_is_met() {
        // Rows (0.01), (1) of a line, which should change by 1 and by 0.
        let mut x = vec![1.0, 0.0];
        solve(&mut [1e-4, 0.0, 1e-2, 1.0], &mut x);
        assert_eq!(x, [0.0, 0.0]);
    }

    #[test]
    fn independent_rows_are_all_met() {
        let mut seed = 7u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        for n in 1..12 {
            let y: Vec<f64> = (0..n * n).map(|_| next()).collect();
            let full: Vec<f64> = (0..n * n)
                .map(|place| (0..n).map(|k| y[place / n * n + k] * y[place % n * n + k]).sum::<f64>())
                .collect();
            let b: Vec<f64> = (0..n).map(|_| next()).collect();
            let (mut a, mut x) = (full.clone(), b.clone());
            solve(&mut a, &mut x);
            for i in 0..n {
                let met: f64 = (0..n).map(|j| full[i * n + j] * x[j]).sum();
                let size: f64 = x.iter().map(|x| x.abs()).sum();
                assert!((met - b[i]).abs() < 1e-12 * (1.0 + size), "{n} {met} {}", b[i]);
            }
        }
    }
}
