//! Blocks of six by six, column by column: `block[column][row]`. Loops of six that become lanes.

/// Dofs of a node.
pub(in crate::solvers) const N: usize = 6;
/// A vector of a node.
pub(in crate::solvers) type Vector = [f64; N];
/// A block between two nodes.
pub(in crate::solvers) type Block = [[f64; N]; N];
/// No entries.
pub(in crate::solvers) const ZERO: Block = [[0.0; N]; N];

/// `1`.
pub(in crate::solvers) const fn identity() -> Block {
    let mut b = ZERO;
    let mut i = 0;
    while i < N {
        b[i][i] = 1.0;
        i += 1;
    }
    b
}

/// `c −= a bᵀ`.
#[inline(always)]
pub(in crate::solvers) fn subtract_outer(c: &mut Block, a: &Block, b: &Block) {
    // Two columns at once: six accumulators of two lanes stay in registers.
    for q in [0, 2, 4] {
        let (mut x, mut y) = (c[q], c[q + 1]);
        for k in 0..N {
            let (f, g) = (b[k][q], b[k][q + 1]);
            for p in 0..N {
                x[p] -= a[k][p] * f;
                y[p] -= a[k][p] * g;
            }
        }
        c[q] = x;
        c[q + 1] = y;
    }
}

/// `c −= a aᵀ`, rows at and below the diagonal only (and a few above it).
#[inline(always)]
pub(in crate::solvers) fn subtract_square(c: &mut Block, a: &Block) {
    for k in 0..N {
        let column = a[k];
        for p in 0..N {
            c[0][p] -= column[p] * column[0];
            c[1][p] -= column[p] * column[1];
        }
        for p in 2..N {
            c[2][p] -= column[p] * column[2];
            c[3][p] -= column[p] * column[3];
        }
        for p in 4..N {
            c[4][p] -= column[p] * column[4];
            c[5][p] -= column[p] * column[5];
        }
    }
}

/// `a wᵀ` with `w` lower triangular.
#[inline(always)]
pub(in crate::solvers) fn times_transposed_lower(a: &Block, w: &Block) -> Block {
    let mut c = ZERO;
    for q in 0..N {
        let mut x = [0.0; N];
        for k in 0..=q {
            let f = w[k][q];
            for p in 0..N {
                x[p] += a[k][p] * f;
            }
        }
        c[q] = x;
    }
    c
}

/// `x −= a y`.
#[inline(always)]
pub(in crate::solvers) fn subtract_product(x: &mut Vector, a: &Block, y: &Vector) {
    let mut s = *x;
    for k in 0..N {
        let f = y[k];
        for p in 0..N {
            s[p] -= a[k][p] * f;
        }
    }
    *x = s;
}

/// `a y`.
#[inline(always)]
pub(in crate::solvers) fn times(a: &Block, y: &Vector) -> Vector {
    let mut s = [0.0; N];
    for k in 0..N {
        let f = y[k];
        for p in 0..N {
            s[p] += a[k][p] * f;
        }
    }
    s
}

/// `aᵀ y`.
#[inline(always)]
pub(in crate::solvers) fn transposed_times(a: &Block, y: &Vector) -> Vector {
    let mut s = [0.0; N];
    for k in 0..N {
        s[k] = dot(&a[k], y);
    }
    s
}

/// `a · b` in two lanes.
#[inline(always)]
pub(in crate::solvers) fn dot(a: &Vector, b: &Vector) -> f64 {
    (a[0] * b[0] + a[2] * b[2] + a[4] * b[4]) + (a[1] * b[1] + a[3] * b[3] + a[5] * b[5])
}

/// `x += a f`.
#[inline(always)]
pub(in crate::solvers) fn add_scaled(x: &mut Vector, a: &Vector, f: f64) {
    for p in 0..N {
        x[p] += a[p] * f;
    }
}

/// `C⁻¹` of `a = C Cᵀ`, from the lower half of `a`. A pivot that rounding made nonpositive becomes one: `a` contains
/// the identity, so no true pivot is below one.
#[inline(always)]
pub(in crate::solvers) fn inverse_cholesky(a: &Block) -> Block {
    let mut c = *a;
    let mut reciprocal = [0.0; N];
    for j in 0..N {
        let pivot = if c[j][j] >= 1.0 { c[j][j] } else { 1.0 };
        let r = 1.0 / pivot.sqrt();
        reciprocal[j] = r;
        for p in j..N {
            c[j][p] *= r;
        }
        for k in j + 1..N {
            let f = c[j][k];
            for p in k..N {
                c[k][p] -= c[j][p] * f;
            }
        }
    }
    let mut w = ZERO;
    for j in 0..N {
        // Column j of the inverse: C w = e_j, forward.
        w[j][j] = reciprocal[j];
        for p in j + 1..N {
            let mut s = 0.0;
            for k in j..p {
                s -= c[k][p] * w[j][k];
            }
            w[j][p] = s * reciprocal[p];
        }
    }
    w
}

/// `P a = L U` with the largest pivot of each column; a vanishing pivot counts as one. Substitution, never an explicit
/// inverse: its error would not stay in the directions that 1/D makes stiff, and corrections would diverge.
#[derive(Clone, Copy, Debug)]
pub(in crate::solvers) struct Lu {
    factors: Block,
    order: [usize; N],
}

impl Lu {
    /// Factors a block.
    pub fn new(a: &Block) -> Self {
        let mut lu = Self { factors: *a, order: [0, 1, 2, 3, 4, 5] };
        lu.eliminate::<0>();
        lu.eliminate::<1>();
        lu.eliminate::<2>();
        lu.eliminate::<3>();
        lu.eliminate::<4>();
        lu.eliminate::<5>();
        lu
    }

    /// Column J: a constant, so that every loop has a known length and becomes lanes.
    #[inline(always)]
    fn eliminate<const J: usize>(&mut self) {
        let m = &mut self.factors;
        let (mut best, mut largest) = (J, m[J][J].abs());
        for p in J + 1..N {
            if m[J][p].abs() > largest {
                (best, largest) = (p, m[J][p].abs());
            }
        }
        if best != J {
            for column in m.iter_mut() {
                column.swap(J, best);
            }
            self.order.swap(J, best);
        }
        if m[J][J].abs() <= f64::MIN_POSITIVE {
            m[J][J] = 1.0;
        }
        let mut low = m[J];
        for p in J + 1..N {
            low[p] /= low[J];
        }
        m[J] = low;
        for column in &mut m[J + 1..] {
            let f = column[J];
            for p in J + 1..N {
                column[p] -= low[p] * f;
            }
        }
    }

    /// `a⁻¹ y`.
    pub fn solve(&self, y: &Vector) -> Vector {
        let m = &self.factors;
        let mut x = self.order.map(|p| y[p]);
        for j in 0..N {
            for p in j + 1..N {
                x[p] -= m[j][p] * x[j];
            }
        }
        for j in (0..N).rev() {
            x[j] /= m[j][j];
            for p in 0..j {
                x[p] -= m[j][p] * x[j];
            }
        }
        x
    }

    /// `b a⁻¹`, all rows at once.
    pub fn divide(&self, b: &Block) -> Block {
        let m = &self.factors;
        let mut x = *b;
        for j in 0..N {
            for k in 0..j {
                let from = x[k];
                add_scaled(&mut x[j], &from, -m[j][k]);
            }
            for p in 0..N {
                x[j][p] /= m[j][j];
            }
        }
        for j in (0..N).rev() {
            for k in j + 1..N {
                let from = x[k];
                add_scaled(&mut x[j], &from, -m[j][k]);
            }
        }
        let mut out = ZERO;
        for (column, p) in x.iter().zip(self.order) {
            out[p] = *column;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Block {
        let mut a = identity();
        for i in 0..N {
            for j in 0..N {
                a[i][j] += 1.0 / (1.0 + i as f64 + j as f64);
            }
        }
        a
    }

    /// `a b`.
    fn product(a: &Block, b: &Block) -> Block {
        let mut c = ZERO;
        for q in 0..N {
            for k in 0..N {
                let f = b[q][k];
                for p in 0..N {
                    c[q][p] += a[k][p] * f;
                }
            }
        }
        c
    }

    fn is_identity(a: &Block) -> bool {
        (0..N).all(|i| (0..N).all(|j| (a[i][j] - identity()[i][j]).abs() < 1e-12))
    }

    #[test]
    fn inverses_invert() {
        let a = example();
        assert!(is_identity(&Lu::new(&a).divide(&a)));
        let x = [1.0, -2.0, 3.0, 0.5, 0.25, -1.0];
        for (p, q) in Lu::new(&a).solve(&times(&a, &x)).iter().zip(x) {
            assert!((p - q).abs() < 1e-12);
        }
        let w = inverse_cholesky(&a);
        // W A Wᵀ = 1.
        assert!(is_identity(&times_transposed_lower(&product(&w, &a), &w)));
    }

    #[test]
    fn products_agree() {
        let (a, b) = (example(), Lu::new(&example()).divide(&identity()));
        let (mut c, mut d) = (a, a);
        subtract_outer(&mut c, &a, &b);
        subtract_square(&mut d, &b);
        let x = [1.0, -2.0, 3.0, 0.5, 0.25, -1.0];
        let bx = transposed_times(&b, &x);
        let mut expected = times(&a, &x);
        subtract_product(&mut expected, &a, &bx);
        for (p, q) in times(&c, &x).iter().zip(expected) {
            assert!((p - q).abs() < 1e-12);
        }
        let expected = a[1][4] - (0..N).map(|k| b[k][1] * b[k][4]).sum::<f64>();
        assert!((d[1][4] - expected).abs() < 1e-12);
    }
}
