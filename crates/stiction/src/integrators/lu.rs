//! Dense LU factorization with partial pivoting: `P A = L U` (Golub, van Loan, *Matrix Computations*, 3.4).

/// Factors of a square matrix.
#[derive(Clone, Debug, Default)]
pub(super) struct Factors {
    n: usize,
    /// The matrix by rows; after [`Self::factor`], U and, below the diagonal, L without its ones.
    pub matrix: Vec<f64>,
    /// Row that was exchanged with each row.
    pivots: Vec<usize>,
}

impl Factors {
    /// A matrix of `n` rows, all zero; no allocation once it was as large.
    pub fn clear(&mut self, n: usize) {
        self.n = n;
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        self.pivots.resize(n, 0);
    }

    /// Factors the matrix in place; false if it is singular or not finite.
    pub fn factor(&mut self) -> bool {
        let n = self.n;
        for k in 0..n {
            let mut pivot = k;
            for i in k + 1..n {
                if self.matrix[i * n + k].abs() > self.matrix[pivot * n + k].abs() {
                    pivot = i;
                }
            }
            self.pivots[k] = pivot;
            if pivot != k {
                let (upper, lower) = self.matrix.split_at_mut(pivot * n);
                upper[k * n..(k + 1) * n].swap_with_slice(&mut lower[..n]);
            }
            let diagonal = self.matrix[k * n + k];
            if !(diagonal != 0.0 && diagonal.is_finite()) {
                return false;
            }
            let (upper, lower) = self.matrix.split_at_mut((k + 1) * n);
            let row_k = &upper[k * n + k + 1..];
            for row in lower.chunks_exact_mut(n) {
                let factor = row[k] / diagonal;
                row[k] = factor;
                if factor != 0.0 {
                    for (x, u) in row[k + 1..].iter_mut().zip(row_k) {
                        *x -= factor * u;
                    }
                }
            }
        }
        true
    }

    /// Solves `A x = b` in place.
    pub fn solve(&self, x: &mut [f64]) {
        let n = self.n;
        // L carries the exchanges of all later columns, so the right side is exchanged as a whole first.
        for k in 0..n {
            x.swap(k, self.pivots[k]);
        }
        for i in 1..n {
            let row = &self.matrix[i * n..i * n + i];
            x[i] -= row.iter().zip(&*x).map(|(l, x)| l * x).sum::<f64>();
        }
        for i in (0..n).rev() {
            let row = &self.matrix[i * n..(i + 1) * n];
            let rest: f64 = row[i + 1..].iter().zip(&x[i + 1..]).map(|(u, x)| u * x).sum();
            x[i] = (x[i] - rest) / row[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_undone() {
        let n = 7;
        let mut factors = Factors::default();
        factors.clear(n);
        // Zeros on the diagonal ask for pivots.
        for i in 0..n {
            for j in 0..n {
                factors.matrix[i * n + j] = if i == j { 0.0 } else { libm::sin((3 * i + 5 * j * j) as f64) };
            }
        }
        let x: Vec<f64> = (0..n).map(|i| i as f64 - 2.5).collect();
        let mut b: Vec<f64> =
            factors.matrix.chunks(n).map(|row| row.iter().zip(&x).map(|(a, x)| a * x).sum()).collect();
        assert!(factors.factor());
        factors.solve(&mut b);
        for (found, expected) in b.iter().zip(&x) {
            assert!((found - expected).abs() < 1e-12, "{b:?}");
        }
    }

    #[test]
    fn singular_matrices_are_told() {
        let mut factors = Factors::default();
        factors.clear(2);
        factors.matrix.copy_from_slice(&[1.0, 2.0, 2.0, 4.0]);
        assert!(!factors.factor());
        factors.clear(2);
        factors.matrix.copy_from_slice(&[f64::NAN, 2.0, 2.0, 4.0]);
        assert!(!factors.factor());
    }
}
