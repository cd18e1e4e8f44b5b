//! A few free bodies on rows that give way a little: the pivots of [`super::pivots`], with friction bounds taken once, on lists of
//! fixed length. Boxes at rest are such islands, in their thousands, and small stacks and cars. What does not end here at once is
//! left to the others.

use super::Pass;
use super::pivots::{REFINED, RHO, TOLERANCE, WRONG, is_no_freedom, state_at};
use super::rows::{FIXED, FREE, LOWER, UPPER};
use crate::constraint::{Bound, Island, Problem};
use crate::contact::friction;
use crate::solvers::sparse::block::{N, Vector, ZERO, add_scaled, dot};
use crate::solvers::sparse::ordering::NONE;

const CORRECTIONS: usize = 3;
const PIVOTS: u32 = 60;
/// Pivots of several rows at once that may bring no progress.
const PATIENCE: u32 = 3;
/// Rows that are wrong by this share of the worst flip with it.
const SHARE: f64 = 0.5;
/// Free rows are solved for as they are if each is so far from depending on the others, as a share of its diagonal: corrections
/// mend what the roundings of `1 / APART` spoil.
const APART: f64 = 1e-10;

/// One body. More rows than these are solved for by its six velocities.
pub(super) type OneBody = Few<1, 1, 32, 9>;
/// Up to six bodies, and a place for the one that a row on one body does not have. More rows are faster by the graph of bodies.
pub(super) type FewBodies = Few<2, 7, 24, 24>;

/// Rows, impulses and velocities of an island: up to `ROWS` of them, `BLOCKS` blocks a row, `PLACES` for bodies, up to `FREE_ROWS` free
/// rows that are solved for as they are.
#[derive(Clone, Debug)]
pub(super) struct Few<const BLOCKS: usize, const PLACES: usize, const ROWS: usize, const FREE_ROWS: usize> {
    count: usize,
    bodies: usize,
    y: [[Vector; BLOCKS]; ROWS],
    /// Places of the bodies of each row; the last place where it has none.
    places: [[u8; BLOCKS]; ROWS],
    target: [f64; ROWS],
    compliance: [f64; ROWS],
    inverse: [f64; ROWS],
    diagonal: [f64; ROWS],
    lower: [f64; ROWS],
    upper: [f64; ROWS],
    coefficient: [f64; ROWS],
    normal: [u32; ROWS],
    lambda: [f64; ROWS],
    /// `u + Γ λ − b`.
    w: [f64; ROWS],
    state: [i8; ROWS],
    z_free: [Vector; PLACES],
    z: [Vector; PLACES],
    /// Cholesky factor of `1 + Y_F Γ_F⁻¹ Y_Fᵀ`, by columns, with reciprocals on its diagonal.
    factor: [Vector; N],
    /// The free rows, L of `Y_F Y_Fᵀ + Γ_F` by rows, and the reciprocals of D, where it is used instead.
    is_by_rows: bool,
    free: [usize; FREE_ROWS],
    free_count: usize,
    l: [[f64; FREE_ROWS]; FREE_ROWS],
    pivots: [f64; FREE_ROWS],
    /// Factorisations.
    pub factorizations: u32,
}

impl<const BLOCKS: usize, const PLACES: usize, const ROWS: usize, const FREE_ROWS: usize> Default
    for Few<BLOCKS, PLACES, ROWS, FREE_ROWS>
{
    fn default() -> Self {
        Self {
            count: 0,
            bodies: 0,
            y: [[[0.0; N]; BLOCKS]; ROWS],
            places: [[0; BLOCKS]; ROWS],
            target: [0.0; ROWS],
            compliance: [0.0; ROWS],
            inverse: [0.0; ROWS],
            diagonal: [0.0; ROWS],
            lower: [0.0; ROWS],
            upper: [0.0; ROWS],
            coefficient: [0.0; ROWS],
            normal: [0; ROWS],
            lambda: [0.0; ROWS],
            w: [0.0; ROWS],
            state: [FREE; ROWS],
            z_free: [[0.0; N]; PLACES],
            z: [[0.0; N]; PLACES],
            factor: ZERO,
            is_by_rows: false,
            free: [0; FREE_ROWS],
            free_count: 0,
            l: [[0.0; FREE_ROWS]; FREE_ROWS],
            pivots: [0.0; FREE_ROWS],
            factorizations: 0,
        }
    }
}

impl<const BLOCKS: usize, const PLACES: usize, const ROWS: usize, const FREE_ROWS: usize>
    Few<BLOCKS, PLACES, ROWS, FREE_ROWS>
{
    /// One body, whose velocities can be solved for.
    const IS_ONE_BODY: bool = BLOCKS == 1;

    /// Solves the island, and says whether it did; the answer is given back by [`Self::store`].
    pub fn solve(&mut self, problem: &Problem, island: &Island, pass: &Pass, z: &[f64], lambda: &[f64]) -> bool {
        self.factorizations = 0;
        let Some(has_friction) = self.load(problem, island, pass, z, lambda) else { return false };
        for i in 0..self.count {
            self.state[i] = if is_no_freedom(self.lower[i], self.upper[i], self.diagonal[i]) { FIXED } else { FREE };
            self.lambda[i] = if self.state[i] == FIXED { self.lower[i] } else { 0.0 };
        }
        self.move_bodies();
        if !self.pivot() {
            return false;
        }
        if has_friction {
            self.bound_friction();
            self.guess_states();
            self.move_bodies();
            if !self.pivot() {
                return false;
            }
        }
        self.residual() < TOLERANCE
    }

    /// Gives velocity and impulses back.
    pub fn store(&self, problem: &Problem, island: &Island, z: &mut [f64], lambda: &mut [f64]) {
        let cliques = &problem.cliques[island.cliques.start as usize..island.cliques.end as usize];
        for (clique, own) in cliques.iter().zip(&self.z) {
            z[clique.start as usize..][..N].copy_from_slice(own);
        }
        lambda[island.row_range()].copy_from_slice(&self.lambda[..self.count]);
    }

    /// Takes the island over, friction without any bounds yet, and says whether there is friction; none where it is of
    /// another kind.
    fn load(&mut self, problem: &Problem, island: &Island, pass: &Pass, z: &[f64], lambda: &[f64]) -> Option<bool> {
        let range = island.row_range();
        let rows = &problem.rows[range.clone()];
        let cliques = problem.cliques.get(island.cliques.start as usize..island.cliques.end as usize)?;
        let bodies = if Self::IS_ONE_BODY { 1..=1 } else { 2..=PLACES - 1 };
        // Welded links that close a loop are an island of rows without coordinates.
        let fits =
            bodies.contains(&cliques.len()) && rows.len() <= ROWS && cliques.iter().all(|c| c.dofs as usize == N);
        if !fits || pass.capped || !pass.bounds_once || lambda[range].iter().any(|l| *l != 0.0) {
            return None;
        }
        self.count = rows.len();
        self.bodies = cliques.len();
        for (own, clique) in self.z_free.iter_mut().zip(cliques) {
            own.copy_from_slice(&z[clique.start as usize..][..N]);
        }
        let mut has_friction = false;
        for (i, row) in rows.iter().enumerate() {
            let blocks = problem.row_blocks(row);
            let is_soft = !Self::IS_ONE_BODY || row.compliance >= 0.1 * RHO * row.diagonal;
            if blocks.len() > BLOCKS || row.ellipse || !is_soft || row.diagonal <= 0.0 {
                return None;
            }
            self.y[i] = [[0.0; N]; BLOCKS];
            self.places[i] = [PLACES as u8 - 1; BLOCKS];
            for (side, block) in blocks.iter().enumerate() {
                self.y[i][side].copy_from_slice(&problem.y[block.y as usize..][..N]);
                self.places[i][side] = (block.clique - island.cliques.start) as u8;
            }
            self.target[i] = row.target;
            self.compliance[i] = row.compliance;
            self.inverse[i] = 1.0 / row.compliance;
            self.diagonal[i] = row.diagonal;
            (self.normal[i], self.coefficient[i]) = match row.bound {
                Bound::Fixed => (NONE, 0.0),
                Bound::Coefficient { normal, coefficient } => (normal - island.rows.start, coefficient),
            };
            let is_fixed = self.normal[i] == NONE;
            has_friction |= !is_fixed;
            (self.lower[i], self.upper[i]) = if is_fixed { (row.lower, row.upper) } else { (0.0, 0.0) };
        }
        Some(has_friction)
    }

    fn bound_friction(&mut self) {
        for i in (0..self.count).filter(|&i| self.normal[i] != NONE) {
            let bound = friction::bound(self.coefficient[i], self.lambda[self.normal[i] as usize]);
            (self.lower[i], self.upper[i]) = (-bound, bound);
        }
    }

    /// Free, or on the bound that `λ − w / A_ii` is beyond.
    fn guess_states(&mut self) {
        for i in 0..self.count {
            let w = self.along(i, &self.z) + self.compliance[i] * self.lambda[i] - self.target[i];
            let x = self.lambda[i] - w / self.diagonal[i];
            self.state[i] = state_at(x, self.lower[i], self.upper[i], self.diagonal[i]);
            match self.state[i] {
                FREE => self.lambda[i] = self.lambda[i].max(self.lower[i]).min(self.upper[i]),
                UPPER => self.lambda[i] = self.upper[i],
                _ => self.lambda[i] = self.lower[i],
            }
        }
    }

    /// Pivots until no row is wrong. The worst flip at once, because many others then need not; where that goes in circles only
    /// the last wrong one does, which comes to an end, until fewer are wrong than ever (Júdice and Pires 1994). False: they did
    /// not come to an end.
    fn pivot(&mut self) -> bool {
        let (mut least, mut patience) = (usize::MAX, PATIENCE);
        for _ in 0..PIVOTS {
            if !self.factor_free() {
                return false;
            }
            self.refine();
            let (wrong, last, worst) = self.wrong();
            if wrong == 0 {
                return true;
            }
            if wrong < least {
                (least, patience) = (wrong, PATIENCE);
            } else {
                patience = patience.saturating_sub(1);
            }
            if patience > 0 {
                (0..self.count).for_each(|i| self.flip(i, SHARE * worst));
            } else {
                self.flip(last, 0.0);
            }
            self.move_bodies();
        }
        false
    }

    fn refine(&mut self) {
        for _ in 0..CORRECTIONS {
            let (largest, mut x) = self.residuals();
            if largest < REFINED {
                return;
            }
            if self.is_by_rows {
                self.correct_rows();
            } else {
                self.substitute(&mut x);
                for i in 0..self.count {
                    if self.state[i] == FREE {
                        self.lambda[i] -= (self.w[i] + dot(&self.y[i][0], &x)) * self.inverse[i];
                    }
                }
            }
            self.move_bodies();
        }
        self.residuals();
    }

    /// `w`, the largest of a free row, and `−Y_F Γ_F⁻¹ w_F`.
    fn residuals(&mut self) -> (f64, Vector) {
        let mut largest = 0.0f64;
        let mut rhs = [0.0; N];
        for i in 0..self.count {
            let w = self.along(i, &self.z) + self.compliance[i] * self.lambda[i] - self.target[i];
            self.w[i] = w;
            if self.state[i] == FREE {
                largest = largest.max(w.abs());
                if Self::IS_ONE_BODY {
                    add_scaled(&mut rhs, &self.y[i][0], -w * self.inverse[i]);
                }
            }
        }
        (largest, rhs)
    }

    /// Where a row ought to stand, and by how much it is wrong [m/s]; zero for one that is right.
    fn state_of(&self, i: usize) -> (i8, f64) {
        let (state, wrong) = match self.state[i] {
            FREE if self.lambda[i] < self.lower[i] => (LOWER, (self.lower[i] - self.lambda[i]) * self.diagonal[i]),
            FREE => (UPPER, (self.lambda[i] - self.upper[i]) * self.diagonal[i]),
            LOWER => (FREE, -self.w[i]),
            UPPER => (FREE, self.w[i]),
            state => (state, 0.0),
        };
        if wrong > WRONG { (state, wrong) } else { (self.state[i], 0.0) }
    }

    /// How many rows stand wrong, the last of them, and by how much the worst is.
    fn wrong(&self) -> (usize, usize, f64) {
        let (mut count, mut last, mut worst) = (0, 0, 0.0f64);
        for i in 0..self.count {
            let (_, wrong) = self.state_of(i);
            if wrong > 0.0 {
                (count, last, worst) = (count + 1, i, worst.max(wrong));
            }
        }
        (count, last, worst)
    }

    /// Flips a row if it is wrong by so much.
    fn flip(&mut self, i: usize, least: f64) {
        let (state, wrong) = self.state_of(i);
        if wrong > 0.0 && wrong >= least {
            self.state[i] = state;
            match state {
                LOWER => self.lambda[i] = self.lower[i],
                UPPER => self.lambda[i] = self.upper[i],
                _ => {}
            }
        }
    }

    /// `y_iᵀ z`.
    #[inline(always)]
    fn along(&self, i: usize, z: &[Vector; PLACES]) -> f64 {
        let mut sum = 0.0;
        for side in 0..BLOCKS {
            sum += dot(&self.y[i][side], &z[self.places[i][side] as usize]);
        }
        sum
    }

    /// `z = z_free + Y λ`.
    fn move_bodies(&mut self) {
        self.z = self.z_free;
        for i in 0..self.count {
            for side in 0..BLOCKS {
                add_scaled(&mut self.z[self.places[i][side] as usize], &self.y[i][side], self.lambda[i]);
            }
        }
    }

    /// `y_iᵀ y_j`.
    #[inline(always)]
    fn product(&self, i: usize, j: usize) -> f64 {
        let mut sum = 0.0;
        for s in 0..BLOCKS {
            for t in 0..BLOCKS {
                // Of the place that is none the blocks are zero.
                if Self::IS_ONE_BODY || self.places[i][s] == self.places[j][t] {
                    sum += dot(&self.y[i][s], &self.y[j][t]);
                }
            }
        }
        sum
    }

    /// Puts impulses between their bounds; the largest natural residual.
    fn residual(&mut self) -> f64 {
        for i in 0..self.count {
            self.lambda[i] = self.lambda[i].max(self.lower[i]).min(self.upper[i]);
        }
        self.move_bodies();
        let mut largest = 0.0f64;
        for i in (0..self.count).filter(|&i| self.state[i] != FIXED) {
            let w = self.along(i, &self.z) + self.compliance[i] * self.lambda[i] - self.target[i];
            let projected = (self.lambda[i] - w / self.diagonal[i]).max(self.lower[i]).min(self.upper[i]);
            let wrong = (self.lambda[i] - projected).abs() * self.diagonal[i];
            // A number that is none must not look small.
            largest = if wrong.is_nan() { f64::INFINITY } else { largest.max(wrong) };
        }
        largest
    }

    /// Few rows that do not depend on each other are solved for as they are, which takes less than the velocities of one body do.
    /// False: neither can be done.
    fn factor_free(&mut self) -> bool {
        self.factorizations += 1;
        self.is_by_rows = self.factor_rows();
        if !self.is_by_rows && Self::IS_ONE_BODY {
            self.factor_velocities();
        }
        self.is_by_rows || Self::IS_ONE_BODY
    }

    /// `L D Lᵀ = Y_F Y_Fᵀ + Γ_F` of few free rows; false where there are more, or they nearly depend on each other.
    fn factor_rows(&mut self) -> bool {
        let mut count = 0;
        for i in (0..self.count).filter(|&i| self.state[i] == FREE) {
            if count == FREE_ROWS {
                return false;
            }
            self.free[count] = i;
            count += 1;
        }
        self.free_count = count;
        let mut least = [0.0; FREE_ROWS];
        for a in 0..count {
            let i = self.free[a];
            for b in 0..=a {
                self.l[a][b] = self.product(i, self.free[b]);
            }
            self.l[a][a] += self.compliance[i];
            least[a] = APART * self.l[a][a];
        }
        for k in 0..count {
            let pivot = self.l[k][k];
            // What is no number is not apart from anything.
            if pivot.is_nan() || pivot <= least[k] {
                return false;
            }
            self.pivots[k] = 1.0 / pivot;
            let mut column = [0.0; FREE_ROWS];
            for a in k + 1..count {
                column[a] = self.l[a][k];
                let l = column[a] * self.pivots[k];
                for b in k + 1..=a {
                    self.l[a][b] -= l * column[b];
                }
                self.l[a][k] = l;
            }
        }
        true
    }

    /// `λ_F ← λ_F − (Y_F Y_Fᵀ + Γ_F)⁻¹ w_F`.
    fn correct_rows(&mut self) {
        let n = self.free_count;
        let mut x = [0.0; FREE_ROWS];
        for a in 0..n {
            x[a] = self.w[self.free[a]];
            for b in 0..a {
                x[a] -= self.l[a][b] * x[b];
            }
        }
        for a in (0..n).rev() {
            x[a] *= self.pivots[a];
            for b in a + 1..n {
                x[a] -= self.l[b][a] * x[b];
            }
            self.lambda[self.free[a]] -= x[a];
        }
    }

    fn factor_velocities(&mut self) {
        let mut h = ZERO;
        for (k, column) in h.iter_mut().enumerate() {
            column[k] = 1.0;
        }
        for i in (0..self.count).filter(|&i| self.state[i] == FREE) {
            let y = &self.y[i][0];
            for (column, x) in h.iter_mut().zip(y) {
                add_scaled(column, y, x * self.inverse[i]);
            }
        }
        for k in 0..N {
            let root = h[k][k].sqrt();
            let inverse = 1.0 / root;
            for p in k + 1..N {
                h[k][p] *= inverse;
            }
            for q in k + 1..N {
                let factor = h[k][q];
                for p in q..N {
                    h[q][p] -= h[k][p] * factor;
                }
            }
            h[k][k] = inverse;
        }
        self.factor = h;
    }

    /// `x = H⁻¹ x`.
    fn substitute(&self, x: &mut Vector) {
        let h = &self.factor;
        for k in 0..N {
            x[k] *= h[k][k];
            for p in k + 1..N {
                x[p] -= h[k][p] * x[k];
            }
        }
        for k in (0..N).rev() {
            for p in k + 1..N {
                x[k] -= h[k][p] * x[p];
            }
            x[k] *= h[k][k];
        }
    }
}
