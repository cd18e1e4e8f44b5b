//! `H = 1 + C D⁻¹ Yᵀ` over the free rows, factored in blocks of six.
//!
//! In whitened coordinates the mass is the identity, so that H is positive definite whatever the rows are: dependent,
//! doubled, none. Its shape is the graph of the nodes for every set of free rows. With `C = Y` (fixed bounds) H is
//! symmetric: Cholesky. With bounds inside the matrix (`C = Y P`, coupled friction) it is not: LU in the same shape,
//! the largest pivot inside a block, none between blocks.

use super::block::{self, Block, Lu, Vector, ZERO, identity};
use super::ordering::Pattern;

/// Numbers of a factor. The shape is the [`Pattern`] it was begun with.
#[derive(Clone, Debug, Default)]
pub(in crate::solvers) struct Factor {
    starts: Vec<u32>,
    rows: Vec<u32>,
    targets: Vec<u32>,
    is_symmetric: bool,
    /// Diagonal blocks of H; after the factorisation `C⁻¹` (Cholesky).
    pub diagonal: Vec<Block>,
    /// Factored diagonal blocks of U.
    pivots: Vec<Lu>,
    /// Blocks below the diagonal of H; after the factorisation of L.
    pub lower: Vec<Block>,
    /// Blocks above the diagonal, transposed; empty when symmetric.
    pub upper: Vec<Block>,
}

impl Factor {
    /// Takes over the shape of an island.
    pub fn begin(&mut self, pattern: &Pattern) {
        self.starts.clone_from(&pattern.starts);
        self.rows.clone_from(&pattern.rows);
        self.targets.clone_from(&pattern.targets);
    }

    /// The shape of one node, which needs no order.
    pub fn begin_single(&mut self) {
        self.starts.clear();
        self.starts.extend([0, 0]);
        self.rows.clear();
        self.targets.clear();
    }

    /// Block of two different places.
    pub fn slot(&self, high: u32, low: u32) -> usize {
        let first = self.starts[low as usize] as usize;
        let column = &self.rows[first..self.starts[low as usize + 1] as usize];
        first + column.partition_point(|r| *r < high)
    }

    /// Sets H to the identity.
    pub fn reset(&mut self, is_symmetric: bool) {
        let n = self.starts.len() - 1;
        self.is_symmetric = is_symmetric;
        self.diagonal.clear();
        self.diagonal.resize(n, identity());
        self.lower.clear();
        self.lower.resize(self.rows.len(), ZERO);
        self.upper.clear();
        if !is_symmetric {
            self.upper.resize(self.rows.len(), ZERO);
        }
    }

    /// Cholesky, column by column to the right.
    pub fn cholesky(&mut self) {
        let mut target = 0;
        for j in 0..self.diagonal.len() {
            let (first, end) = (self.starts[j] as usize, self.starts[j + 1] as usize);
            let w = block::inverse_cholesky(&self.diagonal[j]);
            self.diagonal[j] = w;
            let (column, later) = self.lower.split_at_mut(end);
            for b in &mut column[first..] {
                *b = block::times_transposed_lower(b, &w);
            }
            for k in first..end {
                block::subtract_square(&mut self.diagonal[self.rows[k] as usize], &column[k]);
                for i in k + 1..end {
                    let slot = self.targets[target] as usize - end;
                    block::subtract_outer(&mut later[slot], &column[i], &column[k]);
                    target += 1;
                }
            }
        }
    }

    /// LU: L has ones on its diagonal, U keeps the diagonal blocks (factored).
    pub fn lu(&mut self) {
        let mut target = 0;
        self.pivots.clear();
        for j in 0..self.diagonal.len() {
            let (first, end) = (self.starts[j] as usize, self.starts[j + 1] as usize);
            let pivot = Lu::new(&self.diagonal[j]);
            self.pivots.push(pivot);
            let (column, later) = self.lower.split_at_mut(end);
            let (row, later_rows) = self.upper.split_at_mut(end);
            for b in &mut column[first..] {
                *b = pivot.divide(b);
            }
            for k in first..end {
                block::subtract_outer(&mut self.diagonal[self.rows[k] as usize], &column[k], &row[k]);
                for i in k + 1..end {
                    let slot = self.targets[target] as usize - end;
                    block::subtract_outer(&mut later[slot], &column[i], &row[k]);
                    block::subtract_outer(&mut later_rows[slot], &row[i], &column[k]);
                    target += 1;
                }
            }
        }
    }

    /// `x ← H⁻¹ x`.
    pub fn solve(&self, x: &mut [Vector]) {
        if self.is_symmetric {
            self.solve_cholesky(x);
        } else {
            self.solve_lu(x);
        }
    }

    fn solve_cholesky(&self, x: &mut [Vector]) {
        let n = self.diagonal.len();
        for j in 0..n {
            let t = block::times(&self.diagonal[j], &x[j]);
            x[j] = t;
            for s in self.starts[j] as usize..self.starts[j + 1] as usize {
                block::subtract_product(&mut x[self.rows[s] as usize], &self.lower[s], &t);
            }
        }
        for j in (0..n).rev() {
            let mut t = x[j];
            for s in self.starts[j] as usize..self.starts[j + 1] as usize {
                let u = block::transposed_times(&self.lower[s], &x[self.rows[s] as usize]);
                for p in 0..block::N {
                    t[p] -= u[p];
                }
            }
            x[j] = block::transposed_times(&self.diagonal[j], &t);
        }
    }

    fn solve_lu(&self, x: &mut [Vector]) {
        let n = self.diagonal.len();
        for j in 0..n {
            let t = x[j];
            for s in self.starts[j] as usize..self.starts[j + 1] as usize {
                block::subtract_product(&mut x[self.rows[s] as usize], &self.lower[s], &t);
            }
        }
        for j in (0..n).rev() {
            let mut t = x[j];
            for s in self.starts[j] as usize..self.starts[j + 1] as usize {
                let u = block::transposed_times(&self.upper[s], &x[self.rows[s] as usize]);
                for p in 0..block::N {
                    t[p] -= u[p];
                }
            }
            x[j] = self.pivots[j].solve(&t);
        }
    }
}
