//! Up to three rows over the same one or two free bodies, as one record; several records side by side are a bundle.
//!
//! With `u = Yᵀz` of the three rows and their products `A_ij = Y_iᵀY_j` taken at once, the rows follow each other as
//! in a sweep row by row: row i sees `u_i + Σ_{j<i} A_ij δ_j`, and z is read and written once.

use crate::math::{F64x4, Lane};

/// Where numbers of one record, or of several in lanes, are kept.
pub(super) trait Store: Copy {
    /// Number of lanes.
    const WIDTH: usize;
    /// The same number in every lane.
    fn splat(value: f64) -> Self;
    /// One lane.
    fn get(&self, lane: usize) -> f64;
    /// Sets one lane.
    fn set(&mut self, lane: usize, value: f64);
}

/// How they are reckoned with.
pub(super) trait Bundle: Lane {
    /// Where they are kept.
    type Store: Store;
    /// From memory.
    fn load(from: &Self::Store) -> Self;
    /// To memory.
    fn store(self, to: &mut Self::Store);
    /// Six coordinates of a body a lane.
    fn gather(z: &[f64], at: &[u32; 4]) -> [Self; 6];
    /// Puts them back. The first lane comes last: lanes without a record of their own repeat its body.
    fn scatter(values: &[Self; 6], z: &mut [f64], at: &[u32; 4]);
}

/// Six coordinates from `z[at]` on.
#[inline(always)]
pub(super) fn six(z: &[f64], at: u32) -> &[f64; 6] {
    z[at as usize..].first_chunk().unwrap_or(&[0.0; 6])
}

impl Store for f64 {
    const WIDTH: usize = 1;
    fn splat(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn get(&self, _: usize) -> f64 {
        *self
    }
    #[inline(always)]
    fn set(&mut self, _: usize, value: f64) {
        *self = value;
    }
}

impl Store for F64x4 {
    const WIDTH: usize = 4;
    fn splat(value: f64) -> Self {
        Self([value; 4])
    }
    #[inline(always)]
    fn get(&self, lane: usize) -> f64 {
        self.0[lane]
    }
    #[inline(always)]
    fn set(&mut self, lane: usize, value: f64) {
        self.0[lane] = value;
    }
}

impl Bundle for f64 {
    type Store = Self;
    #[inline(always)]
    fn load(from: &Self) -> Self {
        *from
    }
    #[inline(always)]
    fn store(self, to: &mut Self) {
        *to = self;
    }
    #[inline(always)]
    fn gather(z: &[f64], at: &[u32; 4]) -> [f64; 6] {
        *six(z, at[0])
    }
    #[inline(always)]
    fn scatter(values: &[f64; 6], z: &mut [f64], at: &[u32; 4]) {
        let at = at[0] as usize;
        z[at..at + 6].copy_from_slice(values);
    }
}

impl Bundle for F64x4 {
    type Store = Self;
    #[inline(always)]
    fn load(from: &Self) -> Self {
        *from
    }
    #[inline(always)]
    fn store(self, to: &mut Self) {
        *to = self;
    }
    #[inline(always)]
    fn gather(z: &[f64], at: &[u32; 4]) -> [F64x4; 6] {
        let s = [six(z, at[0]), six(z, at[1]), six(z, at[2]), six(z, at[3])];
        let column = |k: usize| F64x4([s[0][k], s[1][k], s[2][k], s[3][k]]);
        [column(0), column(1), column(2), column(3), column(4), column(5)]
    }
    #[inline(always)]
    fn scatter(v: &[F64x4; 6], z: &mut [f64], at: &[u32; 4]) {
        for lane in [3, 2, 1, 0] {
            let at = at[lane] as usize;
            for k in 0..6 {
                z[at + k] = v[k].0[lane];
            }
        }
    }
}

/// Three rows over `BODIES` bodies in every lane. Rows that are not there have zeros and keep their λ.
#[derive(Clone, Debug)]
pub(super) struct Record<S, const BODIES: usize> {
    /// `Y` of each row on each body.
    pub(super) y: [[[S; 6]; BODIES]; 3],
    /// `A₁₀, A₂₀, A₂₁`.
    pub(super) cross: [S; 3],
    /// `1 − ω Γ / A_ii`.
    pub(super) keep: [S; 3],
    /// `ω b / A_ii`.
    pub(super) goal: [S; 3],
    /// `ω / A_ii`.
    pub(super) scale: [S; 3],
    /// `A_ii`, which turns a change of λ into one of velocity.
    pub(super) diagonal: [S; 3],
    /// Bounds; to those of the last two rows the coefficient times the impulse of the first is added.
    pub(super) bounds: [[S; 2]; 3],
    /// Coefficients of the last two rows.
    pub(super) coefficients: [S; 2],
    /// Impulses.
    pub(super) lambda: [S; 3],
    /// Where the bodies are in z.
    pub(super) at: [[u32; 4]; BODIES],
    /// Island of each lane in the batch.
    pub(super) island: [u32; 4],
    /// First row of each lane in the problem.
    pub(super) row: [u32; 4],
    /// Number of rows of each lane; zero for a lane without a record.
    pub(super) rows: [u8; 4],
}

/// `Y_iᵀ z` of a row of a body.
#[inline(always)]
fn dot<L: Bundle>(y: &[L::Store; 6], z: &[L; 6]) -> L {
    let [a, b, c] = [L::load(&y[0]) * z[0], L::load(&y[2]) * z[2], L::load(&y[4]) * z[4]];
    (a + L::load(&y[1]) * z[1]) + (b + L::load(&y[3]) * z[3]) + (c + L::load(&y[5]) * z[5])
}

/// `|δλ| A_ii`.
#[inline(always)]
fn change<L: Bundle>(delta: L, diagonal: &L::Store) -> L {
    delta.abs() * L::load(diagonal)
}

impl<S: Store, const BODIES: usize> Record<S, BODIES> {
    /// A record without rows.
    pub(super) fn empty() -> Self {
        let zero = S::splat(0.0);
        Self {
            y: [[[zero; 6]; BODIES]; 3],
            cross: [zero; 3],
            keep: [S::splat(1.0); 3],
            goal: [zero; 3],
            scale: [zero; 3],
            diagonal: [zero; 3],
            bounds: [[zero; 2]; 3],
            coefficients: [zero; 2],
            lambda: [zero; 3],
            at: [[0; 4]; BODIES],
            island: [0; 4],
            row: [0; 4],
            rows: [0; 4],
        }
    }

    /// Leaves the rows of a lane as they are from now on.
    pub(super) fn freeze(&mut self, lane: usize) {
        for i in 0..3 {
            self.keep[i].set(lane, 1.0);
            self.goal[i].set(lane, 0.0);
            self.scale[i].set(lane, 0.0);
        }
    }

    /// `Y_iᵀ z` of row i.
    #[inline(always)]
    fn velocity<L: Bundle<Store = S>>(&self, i: usize, z: &[[L; 6]; BODIES]) -> L {
        let first = dot(&self.y[i][0], &z[0]);
        if BODIES == 2 { first + dot(&self.y[i][BODIES - 1], &z[BODIES - 1]) } else { first }
    }

    /// The new impulse of row i, whose velocity is u, between bounds that leave `room` beside their own.
    #[inline(always)]
    fn project<L: Bundle<Store = S>>(&self, i: usize, old: L, u: L, room: L) -> L {
        let wanted = L::load(&self.keep[i]) * old + L::load(&self.goal[i]) - L::load(&self.scale[i]) * u;
        wanted.max(L::load(&self.bounds[i][0]) - room).min(L::load(&self.bounds[i][1]) + room)
    }

    /// Visits the three rows in order; returns the largest change of a velocity.
    #[inline(always)]
    pub(super) fn visit<L: Bundle<Store = S>>(&mut self, z: &mut [f64]) -> L {
        let mut v = [[L::splat(0.0); 6]; BODIES];
        for b in 0..BODIES {
            v[b] = L::gather(z, &self.at[b]);
        }
        let (u0, u1, u2) = (self.velocity(0, &v), self.velocity(1, &v), self.velocity(2, &v));
        let zero = L::splat(0.0);
        let [old0, old1, old2] = [L::load(&self.lambda[0]), L::load(&self.lambda[1]), L::load(&self.lambda[2])];
        let [a10, a20, a21] = [L::load(&self.cross[0]), L::load(&self.cross[1]), L::load(&self.cross[2])];
        let new0 = self.project(0, old0, u0, zero);
        let d0 = new0 - old0;
        let normal = new0.max(zero);
        let new1 = self.project(1, old1, u1 + a10 * d0, L::load(&self.coefficients[0]) * normal);
        let d1 = new1 - old1;
        let new2 = self.project(2, old2, u2 + a20 * d0 + a21 * d1, L::load(&self.coefficients[1]) * normal);
        let d2 = new2 - old2;
        new0.store(&mut self.lambda[0]);
        new1.store(&mut self.lambda[1]);
        new2.store(&mut self.lambda[2]);
        for b in 0..BODIES {
            for k in 0..6 {
                let [y0, y1, y2] = [L::load(&self.y[0][b][k]), L::load(&self.y[1][b][k]), L::load(&self.y[2][b][k])];
                v[b][k] = v[b][k] + (y0 * d0 + y1 * d1 + y2 * d2);
            }
            L::scatter(&v[b], z, &self.at[b]);
        }
        let [a0, a1, a2] = &self.diagonal;
        change(d0, a0).max(change(d1, a1)).max(change(d2, a2))
    }
}
