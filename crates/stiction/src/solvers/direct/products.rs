//! Products with the rows, and the sum `H = 1 + C D⁻¹ Yᵀ`. Two fused products make one correction of the impulses.

use super::rows::{DirectIsland, FIXED, FREE, NO_SUM, Pair, Run, SLIDING};
use crate::solvers::sparse::block::{Block, N, Vector, ZERO, add_scaled, dot};
use crate::solvers::sparse::factor::Factor;
use crate::solvers::sparse::ordering::NONE;

impl Run {
    fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..self.end as usize
    }
}

#[inline(always)]
fn dot_pair(y: &Pair, a: &Vector, b: &Vector) -> f64 {
    let (p, q) = (&y[0], &y[1]);
    let even = (p[0] * a[0] + p[2] * a[2] + p[4] * a[4]) + (q[0] * b[0] + q[2] * b[2] + q[4] * b[4]);
    let odd = (p[1] * a[1] + p[3] * a[3] + p[5] * a[5]) + (q[1] * b[1] + q[3] * b[3] + q[5] * b[5]);
    even + odd
}

#[inline(always)]
fn add(to: &mut Vector, x: &Vector) {
    for k in 0..N {
        to[k] += x[k];
    }
}

impl DirectIsland {
    /// `w = u + D λ − β` of all rows that can move, and `rhs = −C D⁻¹ w` over the free ones. Returns their largest |w|.
    pub fn residuals(&mut self, is_coupled: bool) -> f64 {
        let Self { runs, wide, parts, y, c, d, inverse, beta, trial, state, w, z, rhs, .. } = self;
        rhs.fill([0.0; N]);
        let mut largest = 0.0f64;
        for run in runs.iter() {
            let [a, b] = run.nodes.map(|n| n as usize);
            let (za, zb) = (z[a], z[b]);
            let (mut ra, mut rb) = ([0.0; N], [0.0; N]);
            let rows = run.range();
            let c = if is_coupled { &c[rows.clone()] } else { &y[rows.clone()] };
            let (y, d, inverse) = (&y[rows.clone()], &d[rows.clone()], &inverse[rows.clone()]);
            let (beta, trial, state, w) =
                (&beta[rows.clone()], &trial[rows.clone()], &state[rows.clone()], &mut w[rows]);
            for i in 0..y.len() {
                if state[i] == FIXED {
                    continue;
                }
                let x = dot_pair(&y[i], &za, &zb) + d[i] * trial[i] - beta[i];
                w[i] = x;
                if state[i] == FREE {
                    largest = largest.max(x.abs());
                    let g = -x * inverse[i];
                    add_scaled(&mut ra, &c[i][0], g);
                    add_scaled(&mut rb, &c[i][1], g);
                }
            }
            add(&mut rhs[a], &ra);
            add(&mut rhs[b], &rb);
        }
        for row in wide.iter() {
            let i = row.row as usize;
            let parts = &parts[row.first as usize..row.end as usize];
            let x = parts.iter().map(|(n, y)| dot(y, &z[*n as usize])).sum::<f64>() + d[i] * trial[i] - beta[i];
            w[i] = x;
            if state[i] == FREE {
                largest = largest.max(x.abs());
                for (n, y) in parts {
                    add_scaled(&mut rhs[*n as usize], y, -x * inverse[i]);
                }
            }
        }
        largest
    }

    /// With `x = H⁻¹ rhs` in `rhs`: `λ −= D⁻¹ (w + Yᵀ x)` on free rows; then `z = z_free + Y λ`.
    pub fn correct(&mut self, is_coupled: bool) {
        self.update::<true>(is_coupled);
    }

    /// `z = z_free + Y λ`.
    pub fn velocities(&mut self, is_coupled: bool) {
        self.update::<false>(is_coupled);
    }

    fn update<const MOVES: bool>(&mut self, is_coupled: bool) {
        let Self { runs, wide, parts, y, c, inverse, trial, state, w, z, z_free, rhs, share, slant, normal, .. } = self;
        z.copy_from_slice(z_free);
        for run in runs.iter() {
            let [a, b] = run.nodes.map(|n| n as usize);
            let (xa, xb) = (rhs[a], rhs[b]);
            let (mut za, mut zb) = ([0.0; N], [0.0; N]);
            for i in run.range() {
                if MOVES && state[i] == FREE {
                    trial[i] -= (w[i] + dot_pair(&y[i], &xa, &xb)) * inverse[i];
                }
                if is_coupled && state[i] == SLIDING {
                    // Its part is in the columns of the rows it moves with.
                    trial[i] = share[i] * trial[normal[i] as usize];
                    if slant[i] != 0.0 && share[i] > 0.0 {
                        trial[i] += slant[i] * trial[i - 1];
                    }
                } else if trial[i] != 0.0 {
                    let column = if is_coupled { &c[i] } else { &y[i] };
                    add_scaled(&mut za, &column[0], trial[i]);
                    add_scaled(&mut zb, &column[1], trial[i]);
                }
            }
            add(&mut z[a], &za);
            add(&mut z[b], &zb);
        }
        for row in wide.iter() {
            let i = row.row as usize;
            let parts = &parts[row.first as usize..row.end as usize];
            if MOVES && state[i] == FREE {
                let u = parts.iter().map(|(n, y)| dot(y, &rhs[*n as usize])).sum::<f64>();
                trial[i] -= (w[i] + u) * inverse[i];
            }
            for (n, y) in parts {
                add_scaled(&mut z[*n as usize], y, trial[i]);
            }
        }
        // The node that does not exist stays at rest.
        if let Some(nothing) = z.last_mut() {
            *nothing = [0.0; N];
        }
    }

    /// `out = Yᵀ x`.
    pub fn gather(&self, x: &[Vector], out: &mut [f64]) {
        for run in &self.runs {
            let (xa, xb) = (x[run.nodes[0] as usize], x[run.nodes[1] as usize]);
            for i in run.range() {
                out[i] = dot_pair(&self.y[i], &xa, &xb);
            }
        }
        for row in &self.wide {
            let parts = &self.parts[row.first as usize..row.end as usize];
            out[row.row as usize] = parts.iter().map(|(n, y)| dot(y, &x[*n as usize])).sum::<f64>();
        }
    }

    /// `out += Y x`.
    pub fn scatter(&self, x: &[f64], out: &mut [Vector]) {
        for run in &self.runs {
            let (mut za, mut zb) = ([0.0; N], [0.0; N]);
            for i in run.range() {
                if x[i] != 0.0 {
                    add_scaled(&mut za, &self.y[i][0], x[i]);
                    add_scaled(&mut zb, &self.y[i][1], x[i]);
                }
            }
            add(&mut out[run.nodes[0] as usize], &za);
            add(&mut out[run.nodes[1] as usize], &zb);
        }
        for row in &self.wide {
            for (n, y) in &self.parts[row.first as usize..row.end as usize] {
                add_scaled(&mut out[*n as usize], y, x[row.row as usize]);
            }
        }
    }

    /// Cholesky of `1 + Y D⁻¹ Yᵀ` over the free rows; runs whose free rows are the same keep their sum.
    pub fn factor_free(&mut self) {
        self.factorizations += 1;
        self.factor.reset(true);
        if std::mem::take(&mut self.sums_are_stale) {
            self.masks.fill(NO_SUM);
        }
        for (k, run) in self.runs.iter().enumerate() {
            let mask = run.range().rev().fold(0u64, |m, i| (m << 1) | u64::from(self.state[i] == FREE));
            if self.masks[k] != mask {
                self.masks[k] = mask;
                let weights = |i: usize| if self.state[i] == FREE { self.inverse[i] } else { 0.0 };
                self.sums[k] = sum(run, &self.y, weights);
            }
            if mask != 0 {
                add_sums(&mut self.factor, run, &self.sums[k]);
            }
        }
        let Self { factor, wide, parts, state, inverse, .. } = self;
        add_wide(factor, wide, parts, |i| if state[i] == FREE { inverse[i] } else { 0.0 });
        self.factor.cholesky();
    }

    /// Cholesky of `1 + Y W Yᵀ` for weights of all rows (0: not in it).
    pub fn factor_weighted(&mut self, weights: &[f64]) {
        self.factorizations += 1;
        self.factor.reset(true);
        for run in &self.runs {
            add_sums(&mut self.factor, run, &sum(run, &self.y, |i| weights[i]));
        }
        add_wide(&mut self.factor, &self.wide, &self.parts, |i| weights[i]);
        self.factor.cholesky();
    }

    /// LU of `1 + C D⁻¹ Yᵀ` over the free rows.
    pub fn factor_coupled(&mut self) {
        self.factorizations += 1;
        self.factor.reset(false);
        let Self { factor, wide, parts, state, inverse, y, c, runs, .. } = self;
        for run in runs.iter() {
            let (first, second) = run.nodes.map(|n| n as usize).into();
            for i in run.range().filter(|i| state[*i] == FREE) {
                add_outer(&mut factor.diagonal[first], &c[i][0], &y[i][0], inverse[i]);
                if run.slot == NONE {
                    continue;
                }
                add_outer(&mut factor.diagonal[second], &c[i][1], &y[i][1], inverse[i]);
                let (low, high) = if first < second { (0, 1) } else { (1, 0) };
                add_outer(&mut factor.lower[run.slot as usize], &c[i][high], &y[i][low], inverse[i]);
                add_outer(&mut factor.upper[run.slot as usize], &y[i][high], &c[i][low], inverse[i]);
            }
        }
        add_wide(factor, wide, parts, |i| if state[i] == FREE { inverse[i] } else { 0.0 });
        factor.lu();
    }
}

/// `b += x yᵀ f`.
#[inline(always)]
fn add_outer(b: &mut Block, x: &Vector, y: &Vector, f: f64) {
    for q in 0..N {
        add_scaled(&mut b[q], x, y[q] * f);
    }
}

/// Blocks (low, low), (high, low), (high, high) of a run: columns outside, rows inside, so that a column stays in
/// registers.
fn sum(run: &Run, y: &[Pair], weight: impl Fn(usize) -> f64) -> [Block; 3] {
    let (low, high) = if run.nodes[0] <= run.nodes[1] { (0, 1) } else { (1, 0) };
    let mut weighted = [(0, 0.0); 63];
    let mut count = 0;
    for i in run.range() {
        let f = weight(i);
        if f != 0.0 {
            weighted[count] = (i, f);
            count += 1;
        }
    }
    let weighted = &weighted[..count];
    let mut out = [ZERO; 3];
    for q in 0..N {
        let (mut x, mut h) = ([0.0; N], [0.0; N]);
        for (i, f) in weighted {
            let y = &y[*i];
            let g = y[low][q] * f;
            add_scaled(&mut x, &y[low], g);
            add_scaled(&mut h, &y[high], g);
        }
        out[0][q] = x;
        out[1][q] = h;
    }
    if run.slot != NONE {
        for q in 0..N {
            let mut x = [0.0; N];
            for (i, f) in weighted {
                add_scaled(&mut x, &y[*i][high], y[*i][high][q] * f);
            }
            out[2][q] = x;
        }
    }
    out
}

#[inline(always)]
fn add_block(to: &mut Block, x: &Block) {
    for q in 0..N {
        add(&mut to[q], &x[q]);
    }
}

fn add_sums(factor: &mut Factor, run: &Run, sums: &[Block; 3]) {
    let low = run.nodes[0].min(run.nodes[1]) as usize;
    add_block(&mut factor.diagonal[low], &sums[0]);
    if run.slot != NONE {
        add_block(&mut factor.lower[run.slot as usize], &sums[1]);
        add_block(&mut factor.diagonal[run.nodes[0].max(run.nodes[1]) as usize], &sums[2]);
    }
}

fn add_wide(factor: &mut Factor, wide: &[super::rows::Wide], parts: &[(u32, Vector)], weight: impl Fn(usize) -> f64) {
    for row in wide {
        let f = weight(row.row as usize);
        if f == 0.0 {
            continue;
        }
        let parts = &parts[row.first as usize..row.end as usize];
        for (n, y) in parts {
            add_outer(&mut factor.diagonal[*n as usize], y, y, f);
            for (low, x) in parts.iter().filter(|(low, _)| low < n) {
                let slot = factor.slot(*n, *low);
                add_outer(&mut factor.lower[slot], y, x, f);
                if !factor.upper.is_empty() {
                    add_outer(&mut factor.upper[slot], y, x, f);
                }
            }
        }
    }
}
