//! The factor of the mass matrix by the articulated-body recursion, in O(n) and without the matrix.
//!
//! Featherstone (2008), chapter 7, one column at a time (a joint of several dofs is a sequence of single ones). From the
//! last dof to the first, with the articulated inertia P of its subtree:
//!
//! `U_k = P S_k`, `D_k = S_kᵀ U_k + e_k`, `P_parent += P − U_k U_kᵀ / D_k`.
//!
//! That is the factor `M + diag(e) = LᵀL` with L lower triangular: `L_kk = √D_k`, `L_kj = U_kᵀ S_j / √D_k` for the dofs j
//! between k and the base, zero elsewhere. It stores `s_k = S_k / √D_k` and `w_k = U_k / √D_k`, which is all that
//! products with L⁻¹ and L⁻ᵀ need.

use glam::DMat3;

use super::kinematics::Kinematics;
use super::spatial::{ForceVector, MotionVector, SpatialInertia, dot};
use super::structure::Tree;

/// `M + diag(e) = LᵀL`: memory of the caller, filled by [`Tree::factor`].
#[derive(Clone, Debug, Default)]
pub struct Factor {
    pub(super) columns: Vec<FactorColumn>,
    articulated: Vec<ArticulatedInertia>,
}

/// What the factor keeps of a dof.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FactorColumn {
    /// `s = S / √D`: motion of the links beyond at unit whitened velocity.
    pub motion: MotionVector,
    /// `w = U / √D`: the momentum of the subtree of the dof in that motion.
    pub momentum: ForceVector,
    /// `√D`.
    pub root_d: f64,
    /// `1/√D`.
    pub inverse_root_d: f64,
}

/// The mass matrix has no factor: nothing resists a dof.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("nothing resists dof {dof} of link {link}: the links beyond it have no inertia along it")]
pub struct FactorError {
    /// The dof.
    pub dof: usize,
    /// Its link.
    pub link: usize,
}

impl Factor {
    /// One entry a dof.
    #[must_use]
    pub fn columns(&self) -> &[FactorColumn] {
        &self.columns
    }
}

impl Tree {
    /// Factors `M + diag(extra)` at the positions of `kin`. `extra` (armature, `h` times damping, `h²` times stiffness)
    /// has an entry a dof, or none at all for zeros.
    ///
    /// # Errors
    /// A dof with an inertia of zero, up to rounding.
    pub fn factor(&self, kin: &Kinematics, extra: &[f64], factor: &mut Factor) -> Result<(), FactorError> {
        self.factor_holding(kin, extra, &[], factor)
    }

    /// The same without the dofs that are held: the factor of the block of the others. Columns of held dofs are zero, so
    /// that products with `L⁻¹` and `L⁻ᵀ` leave zeros there. `held` has an entry a dof, or none at all.
    ///
    /// # Errors
    /// A dof with an inertia of zero, up to rounding.
    pub(crate) fn factor_holding(
        &self,
        kin: &Kinematics,
        extra: &[f64],
        held: &[bool],
        factor: &mut Factor,
    ) -> Result<(), FactorError> {
        let dofs = self.dof_count();
        assert!(extra.is_empty() || extra.len() == dofs, "extra diagonal");
        assert!(held.is_empty() || held.len() == dofs, "held dofs");
        assert_eq!(kin.subspace.len(), dofs, "positions come first");
        factor.columns.resize(dofs, FactorColumn::default());
        factor.articulated.resize(self.links.len() + 1, ArticulatedInertia::ZERO);
        // What comes from the link just eliminated, where its parent is the next one: a chain never leaves registers.
        let mut inertia = ArticulatedInertia::ZERO;
        for (index, link) in self.links.iter().enumerate().rev() {
            if link.has_far_children {
                inertia.add(&factor.articulated[index + 1]);
                factor.articulated[index + 1] = ArticulatedInertia::ZERO;
            }
            inertia.add_rigid(&kin.inertias[index + 1]);
            if let Some(Some(added)) = kin.added.get(index) {
                inertia.add(added);
            }
            let diagonal = inertia.diagonal();
            for k in link.dof_range().rev() {
                if held.get(k).is_some_and(|held| *held) {
                    factor.columns[k] = FactorColumn::default();
                    continue;
                }
                let s = kin.subspace[k].0;
                let u = inertia.apply(&s);
                let e = extra.get(k).copied().unwrap_or(0.0);
                let d = dot(&s, &u) + e;
                // S_kᵀ P S_k ≥ 0 is a sum of terms of the size S_i² P_ii: what is left below their rounding is nothing.
                let scale: [f64; 6] = std::array::from_fn(|i| s[i] * diagonal[i]);
                let resists = d > 32.0 * f64::EPSILON * dot(&scale, &s);
                if !resists || !d.is_finite() {
                    factor.articulated.clear();
                    return Err(FactorError { dof: k, link: index });
                }
                // The chain from link to link runs over one quotient; the root is taken beside it.
                let inverse_d = 1.0 / d;
                inertia.subtract_product(&u, &u.map(|x| x * inverse_d));
                let root_d = d.sqrt();
                let inverse_root_d = inverse_d * root_d;
                let w = u.map(|x| x * inverse_root_d);
                factor.columns[k] = FactorColumn {
                    motion: MotionVector(s.map(|x| x * inverse_root_d)),
                    momentum: ForceVector(w),
                    root_d,
                    inverse_root_d,
                };
            }
            if link.parent as usize != index {
                factor.articulated[link.parent as usize].add(&inertia);
                inertia = ArticulatedInertia::ZERO;
            }
        }
        factor.articulated[0] = ArticulatedInertia::ZERO;
        Ok(())
    }
}

/// Symmetric matrix from motions to forces, `[J, H; Hᵀ, M]`: J and M by their upper triangles, row by row, H by rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArticulatedInertia {
    j: [f64; 6],
    h: [f64; 9],
    m: [f64; 6],
}

impl ArticulatedInertia {
    const ZERO: Self = Self { j: [0.0; 6], h: [0.0; 9], m: [0.0; 6] };

    /// Of its blocks, of which J and M are symmetric.
    pub(super) fn new(j: DMat3, h: DMat3, m: DMat3) -> Self {
        let upper = |a: DMat3| [a.x_axis.x, a.y_axis.x, a.z_axis.x, a.y_axis.y, a.z_axis.y, a.z_axis.z];
        Self { j: upper(j), h: h.transpose().to_cols_array(), m: upper(m) }
    }

    /// Adds `[J, h×; −h×, m 1]`.
    #[inline(always)]
    fn add_rigid(&mut self, inertia: &SpatialInertia) {
        for (a, b) in self.j.iter_mut().zip(&inertia.rotational) {
            *a += b;
        }
        let c = inertia.first_moment;
        let h = &mut self.h;
        h[1] -= c.z;
        h[2] += c.y;
        h[3] += c.z;
        h[5] -= c.x;
        h[6] -= c.y;
        h[7] += c.x;
        self.m[0] += inertia.mass;
        self.m[3] += inertia.mass;
        self.m[5] += inertia.mass;
    }

    #[inline(always)]
    fn diagonal(&self) -> [f64; 6] {
        let (j, m) = (&self.j, &self.m);
        [j[0], j[3], j[5], m[0], m[3], m[5]]
    }

    #[inline(always)]
    pub(super) fn apply(&self, s: &[f64; 6]) -> [f64; 6] {
        let (j, h, m) = (&self.j, &self.h, &self.m);
        let [a, b, c, x, y, z] = *s;
        [
            ((j[0] * a + j[1] * b) + (j[2] * c + h[0] * x)) + (h[1] * y + h[2] * z),
            ((j[1] * a + j[3] * b) + (j[4] * c + h[3] * x)) + (h[4] * y + h[5] * z),
            ((j[2] * a + j[4] * b) + (j[5] * c + h[6] * x)) + (h[7] * y + h[8] * z),
            ((h[0] * a + h[3] * b) + (h[6] * c + m[0] * x)) + (m[1] * y + m[2] * z),
            ((h[1] * a + h[4] * b) + (h[7] * c + m[1] * x)) + (m[3] * y + m[4] * z),
            ((h[2] * a + h[5] * b) + (h[8] * c + m[2] * x)) + (m[4] * y + m[5] * z),
        ]
    }

    /// Subtracts `u wᵀ`, with w a multiple of u.
    #[inline(always)]
    fn subtract_product(&mut self, u: &[f64; 6], w: &[f64; 6]) {
        let (j, h, m) = (&mut self.j, &mut self.h, &mut self.m);
        j[0] -= u[0] * w[0];
        j[1] -= u[1] * w[0];
        j[2] -= u[2] * w[0];
        j[3] -= u[1] * w[1];
        j[4] -= u[2] * w[1];
        j[5] -= u[2] * w[2];
        for row in 0..3 {
            for column in 0..3 {
                h[3 * row + column] -= u[3 + column] * w[row];
            }
        }
        m[0] -= u[3] * w[3];
        m[1] -= u[4] * w[3];
        m[2] -= u[5] * w[3];
        m[3] -= u[4] * w[4];
        m[4] -= u[5] * w[4];
        m[5] -= u[5] * w[5];
    }

    #[inline(always)]
    fn add(&mut self, o: &Self) {
        // Three loops of known length; one over a chain of the arrays would ask at each entry which it is in.
        self.j.iter_mut().zip(&o.j).for_each(|(a, b)| *a += b);
        self.h.iter_mut().zip(&o.h).for_each(|(a, b)| *a += b);
        self.m.iter_mut().zip(&o.m).for_each(|(a, b)| *a += b);
    }
}
