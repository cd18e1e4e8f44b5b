//! A few rows over the same one or two free bodies, as one record; several records side by side are a bundle.
//!
//! With `u = Yᵀz` of the rows and their products `A_ij = Y_iᵀY_j` taken at once, the rows follow each other as
//! in a sweep row by row: row i sees `u_i + Σ_{j<i} A_ij δ_j`, and z is read and written once.

use super::two::Two;
use crate::math::{F64x4, Lane};

/// Where numbers of one record, or of several in lanes, are kept.
pub(super) trait Store: Copy {
    /// Number of lanes.
    const WIDTH: usize;
    /// The same number in every lane.
    fn splat(value: f64) -> Self;
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
    type Six: Copy;
    /// Coordinates from `z[at]` on.
    fn gather(z: &[f64], at: &[u32; 4]) -> Self::Six;
    /// Puts them back. The first lane comes last: lanes without a record of their own repeat its body.
    fn scatter(v: &Self::Six, z: &mut [f64], at: &[u32; 4]);
    /// `Yᵀz` over one body: `(y₀z₀ + y₂z₂ + y₄z₄) + (y₁z₁ + y₃z₃ + y₅z₅)`.
    fn dot(y: &[Self::Store; 6], v: &Self::Six) -> Self;
    /// `Yᵀz` over two: the even products of both, plus the odd ones of both.
    fn dot2(y: &[[Self::Store; 6]; 2], v: &[Self::Six; 2]) -> Self;
    /// `z + Y e`.
    fn push(v: &Self::Six, y: &[Self::Store; 6], e: Self) -> Self::Six;
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
    fn set(&mut self, lane: usize, value: f64) {
        // The mask spares the check of the bound.
        self.0[lane & 3] = value;
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
    type Six = [Two; 3];
    #[inline(always)]
    fn gather(z: &[f64], at: &[u32; 4]) -> [Two; 3] {
        pairs(six(z, at[0]))
    }
    #[inline(always)]
    fn scatter(v: &[Two; 3], z: &mut [f64], at: &[u32; 4]) {
        let at = at[0] as usize;
        let (to, _) = z[at..at + 6].as_chunks_mut();
        v[0].store(&mut to[0]);
        v[1].store(&mut to[1]);
        v[2].store(&mut to[2]);
    }
    #[inline(always)]
    fn dot(y: &[f64; 6], v: &[Two; 3]) -> f64 {
        products(y, v).sum()
    }
    #[inline(always)]
    fn dot2(y: &[[f64; 6]; 2], v: &[[Two; 3]; 2]) -> f64 {
        products(&y[0], &v[0]).plus(products(&y[1], &v[1])).sum()
    }
    #[inline(always)]
    fn push(v: &[Two; 3], y: &[f64; 6], e: f64) -> [Two; 3] {
        let (y, e) = (pairs(y), Two::splat(e));
        [v[0].plus(y[0].times(e)), v[1].plus(y[1].times(e)), v[2].plus(y[2].times(e))]
    }
}

#[inline(always)]
fn pairs(s: &[f64; 6]) -> [Two; 3] {
    let (p, _) = s.as_chunks();
    [Two::load(&p[0]), Two::load(&p[1]), Two::load(&p[2])]
}

#[inline(always)]
fn products(y: &[f64; 6], v: &[Two; 3]) -> Two {
    let y = pairs(y);
    y[0].times(v[0]).plus(y[1].times(v[1])).plus(y[2].times(v[2]))
}

/// The operations on six coordinates in lanes, the same for every kind of lane.
macro_rules! six_lanes {
    () => {
        type Six = [Self; 6];
        #[inline(always)]
        fn dot(y: &[F64x4; 6], v: &[Self; 6]) -> Self {
            let (even, odd) = $crate::solvers::pgs::record::products_of_lanes(y, v);
            even + odd
        }
        #[inline(always)]
        fn dot2(y: &[[F64x4; 6]; 2], v: &[[Self; 6]; 2]) -> Self {
            let (even0, odd0) = $crate::solvers::pgs::record::products_of_lanes(&y[0], &v[0]);
            let (even1, odd1) = $crate::solvers::pgs::record::products_of_lanes(&y[1], &v[1]);
            (even0 + even1) + (odd0 + odd1)
        }
        #[inline(always)]
        fn push(v: &[Self; 6], y: &[F64x4; 6], e: Self) -> [Self; 6] {
            let mut out = *v;
            for k in 0..6 {
                out[k] = v[k] + Self::load(&y[k]) * e;
            }
            out
        }
    };
}
pub(super) use six_lanes;

/// `y₀z₀ + y₂z₂ + y₄z₄` and `y₁z₁ + y₃z₃ + y₅z₅`.
#[inline(always)]
pub(super) fn products_of_lanes<L: Bundle>(y: &[L::Store; 6], v: &[L; 6]) -> (L, L) {
    let even = L::load(&y[0]) * v[0] + L::load(&y[2]) * v[2] + L::load(&y[4]) * v[4];
    let odd = L::load(&y[1]) * v[1] + L::load(&y[3]) * v[3] + L::load(&y[5]) * v[5];
    (even, odd)
}

impl Bundle for F64x4 {
    six_lanes!();
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

/// `ROWS` rows over `BODIES` bodies in every lane, all multiplied by `ω / A_ii`: a visit is then
/// `x = (1 − ω Γ / A_ii) λ + ω b / A_ii − Yᵀz`. Rows that are not there have zeros and keep their λ.
#[derive(Clone, Debug)]
pub(super) struct Record<S, const BODIES: usize, const ROWS: usize, const BOUNDS: usize> {
    /// `ω Y / A_ii` of each row on each body.
    pub(super) y: [[[S; 6]; BODIES]; ROWS],
    /// Below the diagonal `ω A_ij / A_ii`; on it `A_ii / ω`, which turns a change of λ into one of velocity; in the
    /// first line, above it, the coefficients by which the bounds of the later rows follow the impulse of the first.
    pub(super) matrix: [[S; ROWS]; ROWS],
    /// `1 − ω Γ / A_ii`.
    pub(super) keep: [S; ROWS],
    /// `ω b / A_ii`.
    pub(super) goal: [S; ROWS],
    /// Bounds of each row, to which what follows the first row is added. A record without them is that of a contact:
    /// from 0 to ∞ for the first row, and zero for the others. Less memory is more speed.
    pub(super) bounds: [[S; 2]; BOUNDS],
    /// Impulses.
    pub(super) lambda: [S; ROWS],
    /// Where the bodies are in z.
    pub(super) at: [[u32; 4]; BODIES],
    /// Island of each lane in the batch.
    pub(super) island: [u32; 4],
    /// First row of each lane in the problem.
    pub(super) row: [u32; 4],
    /// Number of rows of each lane; zero for a lane without a record.
    pub(super) rows: [u8; 4],
    /// The rows of every lane are orthogonal: none sees the change of another.
    pub(super) is_orthogonal: bool,
}

impl<S: Store, const BODIES: usize, const ROWS: usize, const BOUNDS: usize> Record<S, BODIES, ROWS, BOUNDS> {
    /// A record without rows.
    pub(super) fn empty() -> Self {
        let zero = S::splat(0.0);
        Self {
            y: [[[zero; 6]; BODIES]; ROWS],
            matrix: [[zero; ROWS]; ROWS],
            keep: [S::splat(1.0); ROWS],
            goal: [zero; ROWS],
            bounds: [[zero; 2]; BOUNDS],
            lambda: [zero; ROWS],
            at: [[0; 4]; BODIES],
            island: [0; 4],
            row: [0; 4],
            rows: [0; 4],
            is_orthogonal: false,
        }
    }

    /// Leaves a row of a lane as it is from now on.
    #[inline(always)]
    pub(super) fn freeze(&mut self, lane: usize, i: usize) {
        for k in 0..6 {
            (0..BODIES).for_each(|b| self.y[i][b][k].set(lane, 0.0));
        }
        self.keep[i].set(lane, 1.0);
        self.goal[i].set(lane, 0.0);
        (0..i).for_each(|j| self.matrix[i][j].set(lane, 0.0));
    }

    /// `Y_iᵀ z` of row i.
    #[inline(always)]
    fn velocity<L: Bundle<Store = S>>(&self, i: usize, z: &[L::Six; BODIES]) -> L {
        match (self.y[i].first_chunk(), z.first_chunk()) {
            (Some(y), Some(z)) => L::dot2(y, z),
            _ => L::dot(&self.y[i][0], &z[0]),
        }
    }

    /// The impulse of row i without its bounds and without the rows before it.
    #[inline(always)]
    fn wanted<L: Bundle<Store = S>>(&self, i: usize, old: L, z: &[L::Six; BODIES]) -> L {
        (L::load(&self.keep[i]) * old + L::load(&self.goal[i])) - self.velocity(i, z)
    }

    /// Within the bounds of row i and the room beside them.
    #[inline(always)]
    fn clamp<L: Bundle<Store = S>>(&self, i: usize, wanted: L, room: L) -> L {
        if BOUNDS > 0 {
            return wanted.max(L::load(&self.bounds[i][0]) - room).min(L::load(&self.bounds[i][1]) + room);
        }
        if i == 0 { wanted.max(room) } else { wanted.max(-room).min(room) }
    }

    /// Visits the rows in order; returns the largest change of a velocity in parts of ω.
    #[inline(always)]
    pub(super) fn visit<L: Bundle<Store = S>>(&mut self, z: &mut [f64]) -> L {
        let mut v = [L::gather(z, &self.at[0]); BODIES];
        for b in 1..BODIES {
            v[b] = L::gather(z, &self.at[b]);
        }
        let zero = L::splat(0.0);
        let (mut old, mut wanted) = ([zero; ROWS], [zero; ROWS]);
        for i in 0..ROWS {
            old[i] = L::load(&self.lambda[i]);
            wanted[i] = self.wanted(i, old[i], &v);
        }
        let (mut normal, mut largest) = (zero, zero);
        let mut push = [zero; ROWS];
        for i in 0..ROWS {
            // Only records of contacts have coefficients, and they have three rows.
            let room = if i > 0 && ROWS == 3 { L::load(&self.matrix[0][i]) * normal } else { zero };
            let new = self.clamp(i, wanted[i], room);
            new.store(&mut self.lambda[i]);
            let delta = new - old[i];
            for k in i + 1..if self.is_orthogonal { 0 } else { ROWS } {
                wanted[k] = wanted[k] - L::load(&self.matrix[k][i]) * delta;
            }
            if i == 0 {
                normal = new.max(zero);
            }
            push[i] = delta * L::load(&self.matrix[i][i]);
            largest = largest.max(push[i].abs());
        }
        for b in 0..BODIES {
            for i in 0..ROWS {
                v[b] = L::push(&v[b], &self.y[i][b], push[i]);
            }
            L::scatter(&v[b], z, &self.at[b]);
        }
        largest
    }
}

/// Records whose memory is kept when they are made anew.
#[derive(Clone, Debug)]
pub(super) struct Records<S, const BODIES: usize, const ROWS: usize, const BOUNDS: usize> {
    records: Vec<Record<S, BODIES, ROWS, BOUNDS>>,
    used: usize,
}

impl<S, const BODIES: usize, const ROWS: usize, const BOUNDS: usize> Default for Records<S, BODIES, ROWS, BOUNDS> {
    fn default() -> Self {
        Self { records: Vec::new(), used: 0 }
    }
}

impl<S: Store, const BODIES: usize, const ROWS: usize, const BOUNDS: usize> Records<S, BODIES, ROWS, BOUNDS> {
    /// Forgets all records.
    pub(super) fn clear(&mut self) {
        self.used = 0;
    }

    /// One more record, with anything in it.
    pub(super) fn add(&mut self) -> &mut Record<S, BODIES, ROWS, BOUNDS> {
        if self.used == self.records.len() {
            self.records.push(Record::empty());
        }
        self.used += 1;
        &mut self.records[self.used - 1]
    }

    /// The records.
    pub(super) fn used(&self) -> &[Record<S, BODIES, ROWS, BOUNDS>] {
        &self.records[..self.used]
    }

    /// The records.
    pub(super) fn used_mut(&mut self) -> &mut [Record<S, BODIES, ROWS, BOUNDS>] {
        &mut self.records[..self.used]
    }
}
