//! Articulated inertias in lanes, `[A B; Bᵀ C]` with symmetric A and C: momentum `A v + B ω` and moment `Bᵀ v + C ω` of the velocity of a
//! point and the angular velocity.
//!
//! Without closures: they would hide the features of the processor from what is inlined into them.

use super::super::lane::{L3, Lanes, cross, dot, minus, plus, times};
use super::link::INERTIA;

/// A symmetric matrix: xx, xy, xz, yy, yz, zz.
pub(super) type Symmetric<L> = [L; 6];

#[inline(always)]
pub(super) fn row<L: Copy>(s: &Symmetric<L>, k: usize) -> L3<L> {
    match k {
        0 => [s[0], s[1], s[2]],
        1 => [s[1], s[3], s[4]],
        _ => [s[2], s[4], s[5]],
    }
}

#[inline(always)]
fn column<L: Copy>(m: &[L3<L>; 3], j: usize) -> L3<L> {
    [m[0][j], m[1][j], m[2][j]]
}

/// An inertia; B by rows.
#[derive(Clone, Copy)]
pub(super) struct Inertia<L> {
    pub(super) a: Symmetric<L>,
    pub(super) b: [L3<L>; 3],
    pub(super) c: Symmetric<L>,
}

impl<L> Inertia<L> {
    /// Of a body about its centre, with principal axes by columns.
    #[inline(always)]
    pub(super) fn of_body<const W: usize>(mass: L, axes: &[L3<L>; 3], moments: L3<L>) -> Self
    where
        L: Lanes<W>,
    {
        let zero = L::splat(0.0);
        Self { a: [mass, zero, zero, mass, zero, mass], b: [[zero; 3]; 3], c: in_world(axes, moments) }
    }

    #[inline(always)]
    pub(super) fn load<const W: usize>(from: &[[f64; W]; INERTIA]) -> Self
    where
        L: Lanes<W>,
    {
        let zero = L::splat(0.0);
        let mut own = Self { a: [zero; 6], b: [[zero; 3]; 3], c: [zero; 6] };
        for k in 0..6 {
            own.a[k] = L::load(&from[k]);
            own.c[k] = L::load(&from[15 + k]);
        }
        for i in 0..3 {
            for j in 0..3 {
                own.b[i][j] = L::load(&from[6 + 3 * i + j]);
            }
        }
        own
    }

    #[inline(always)]
    pub(super) fn store<const W: usize>(&self, to: &mut [[f64; W]; INERTIA])
    where
        L: Lanes<W>,
    {
        for k in 0..6 {
            self.a[k].store(&mut to[k]);
            self.c[k].store(&mut to[15 + k]);
        }
        for i in 0..3 {
            for j in 0..3 {
                self.b[i][j].store(&mut to[6 + 3 * i + j]);
            }
        }
    }

    /// Momentum and moment.
    #[inline(always)]
    pub(super) fn times<const W: usize>(&self, linear: L3<L>, angular: L3<L>) -> [L3<L>; 2]
    where
        L: Lanes<W>,
    {
        let mut momentum = [[L::splat(0.0); 3]; 2];
        for i in 0..3 {
            momentum[0][i] = dot(row(&self.a, i), linear) + dot(self.b[i], angular);
            momentum[1][i] = dot(column(&self.b, i), linear) + dot(row(&self.c, i), angular);
        }
        momentum
    }

    /// `self − u tᵀ`, of what is symmetric in the sum.
    #[inline(always)]
    pub(super) fn without<const W: usize>(&mut self, u: [L3<L>; 2], t: [L3<L>; 2])
    where
        L: Lanes<W>,
    {
        let mut k = 0;
        for i in 0..3 {
            for j in i..3 {
                self.a[k] = self.a[k] - u[0][i] * t[0][j];
                self.c[k] = self.c[k] - u[1][i] * t[1][j];
                k += 1;
            }
            for j in 0..3 {
                self.b[i][j] = self.b[i][j] - u[0][i] * t[1][j];
            }
        }
    }

    /// About a point that is an arm r away: `B_r = B + A [r]×`, `C_r = C + [r]×ᵀ B_r + Bᵀ [r]×`.
    #[inline(always)]
    pub(super) fn at<const W: usize>(&self, arm: L3<L>) -> Self
    where
        L: Lanes<W>,
    {
        let zero = [L::splat(0.0); 3];
        let (mut b, mut after, mut before) = ([zero; 3], [zero; 3], [zero; 3]);
        for i in 0..3 {
            // A row s times [r]× is s × r.
            b[i] = plus(self.b[i], cross(row(&self.a, i), arm));
            before[i] = cross(column(&self.b, i), arm);
        }
        for j in 0..3 {
            after[j] = cross(column(&b, j), arm);
        }
        let mut c = self.c;
        let mut k = 0;
        for i in 0..3 {
            for j in i..3 {
                c[k] = c[k] + (after[j][i] + before[i][j]);
                k += 1;
            }
        }
        Self { a: self.a, b, c }
    }

    #[inline(always)]
    pub(super) fn plus<const W: usize>(&self, other: &Self) -> Self
    where
        L: Lanes<W>,
    {
        let mut sum = *self;
        for k in 0..6 {
            sum.a[k] = sum.a[k] + other.a[k];
            sum.c[k] = sum.c[k] + other.c[k];
        }
        for i in 0..3 {
            sum.b[i] = plus(sum.b[i], other.b[i]);
        }
        sum
    }

    /// The entry of the whole matrix in a row and a column up to it.
    #[inline(always)]
    pub(super) fn entry(&self, i: usize, j: usize) -> L
    where
        L: Copy,
    {
        match (i < 3, j < 3) {
            (true, _) => row(&self.a, i)[j],
            (false, true) => self.b[j][i - 3],
            (false, false) => row(&self.c, i - 3)[j - 3],
        }
    }
}

/// `R diag(m) Rᵀ` of the axes R by columns.
#[inline(always)]
pub(super) fn in_world<L: Lanes<W>, const W: usize>(axes: &[L3<L>; 3], moments: L3<L>) -> Symmetric<L> {
    let scaled = [times(axes[0], moments[0]), times(axes[1], moments[1]), times(axes[2], moments[2])];
    let mut matrix = [L::splat(0.0); 6];
    let mut k = 0;
    for i in 0..3 {
        for j in i..3 {
            matrix[k] = scaled[0][i] * axes[0][j] + scaled[1][i] * axes[1][j] + scaled[2][i] * axes[2][j];
            k += 1;
        }
    }
    matrix
}

/// A vector of the frame of the axes R by columns, in the world.
#[inline(always)]
pub(super) fn to_world<L: Lanes<W>, const W: usize>(axes: &[L3<L>; 3], v: L3<L>) -> L3<L> {
    plus(plus(times(axes[0], v[0]), times(axes[1], v[1])), times(axes[2], v[2]))
}

/// The way back.
#[inline(always)]
pub(super) fn to_frame<L: Lanes<W>, const W: usize>(axes: &[L3<L>; 3], v: L3<L>) -> L3<L> {
    [dot(axes[0], v), dot(axes[1], v), dot(axes[2], v)]
}

/// Velocity of a point that is an arm away.
#[inline(always)]
pub(super) fn velocity_at<L: Lanes<W>, const W: usize>(v: [L3<L>; 2], arm: L3<L>) -> [L3<L>; 2] {
    [minus(v[0], cross(arm, v[1])), v[1]]
}
