//! The factor of the mass matrix by the articulated-body recursion, in O(n) and without the matrix.
//!
//! Featherstone (2008), chapter 7, one column at a time (a joint of several dofs is a sequence of single ones). From the
//! last dof to the first, with the articulated inertia P of what hangs on it:
//!
//! `U_k = P S_k`, `D_k = S_kᵀ U_k + e_k`, `P_parent += P − U_k U_kᵀ / D_k`.
//!
//! That is the factor `M + diag(e) = LᵀL` with L lower triangular: `L_kk = √D_k`, `L_kj = U_kᵀ S_j / √D_k` for the dofs j
//! between k and the base, zero elsewhere. It stores `s_k = S_k / √D_k` and `w_k = U_k / √D_k`, which is all that
//! products with L⁻¹ and L⁻ᵀ need.

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
    /// `w = U / √D`: the momentum of what hangs on the dof in that motion.
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
        let dofs = self.dof_count();
        assert!(extra.is_empty() || extra.len() == dofs, "extra diagonal");
        assert_eq!(kin.subspace.len(), dofs, "positions come first");
        factor.columns.resize(dofs, FactorColumn::default());
        factor.articulated.clear();
        factor.articulated.extend(kin.inertias.iter().map(ArticulatedInertia::new));
        for (index, link) in self.links.iter().enumerate().rev() {
            let span = link.dof_range();
            let mut inertia = factor.articulated[index + 1];
            let diagonal = inertia.diagonal();
            for k in span.rev() {
                let s = kin.subspace[k].0;
                let u = inertia.apply(&s);
                let e = extra.get(k).copied().unwrap_or(0.0);
                let d = dot(&s, &u) + e;
                // S_kᵀ P S_k ≥ 0 is a sum of terms of the size S_i² P_ii: what is left below their rounding is nothing.
                let scale: [f64; 6] = std::array::from_fn(|i| s[i] * diagonal[i]);
                if !(d > 32.0 * f64::EPSILON * dot(&scale, &s)) {
                    return Err(FactorError { dof: k, link: index });
                }
                let root_d = d.sqrt();
                let inverse_root_d = 1.0 / root_d;
                let w = u.map(|x| x * inverse_root_d);
                inertia.subtract_square(&w);
                factor.columns[k] = FactorColumn {
                    motion: MotionVector(s.map(|x| x * inverse_root_d)),
                    momentum: ForceVector(w),
                    root_d,
                    inverse_root_d,
                };
            }
            if link.parent != 0 {
                factor.articulated[link.parent as usize].add(&inertia);
            }
        }
        Ok(())
    }
}

/// Symmetric 6 × 6 matrix from motions to forces. All 36 numbers are kept: whole columns are what vector units want.
#[derive(Clone, Copy, Debug)]
struct ArticulatedInertia([[f64; 6]; 6]);

impl ArticulatedInertia {
    /// `[J, h×; −h×, m 1]`, column by column.
    #[inline(always)]
    fn new(inertia: &SpatialInertia) -> Self {
        let [xx, xy, xz, yy, yz, zz] = inertia.rotational;
        let (h, m) = (inertia.first_moment, inertia.mass);
        Self([
            [xx, xy, xz, 0.0, -h.z, h.y],
            [xy, yy, yz, h.z, 0.0, -h.x],
            [xz, yz, zz, -h.y, h.x, 0.0],
            [0.0, h.z, -h.y, m, 0.0, 0.0],
            [-h.z, 0.0, h.x, 0.0, m, 0.0],
            [h.y, -h.x, 0.0, 0.0, 0.0, m],
        ])
    }

    #[inline(always)]
    fn diagonal(&self) -> [f64; 6] {
        std::array::from_fn(|i| self.0[i][i])
    }

    #[inline(always)]
    fn apply(&self, s: &[f64; 6]) -> [f64; 6] {
        let p = &self.0;
        std::array::from_fn(|i| {
            ((p[0][i] * s[0] + p[1][i] * s[1]) + (p[2][i] * s[2] + p[3][i] * s[3])) + (p[4][i] * s[4] + p[5][i] * s[5])
        })
    }

    #[inline(always)]
    fn subtract_square(&mut self, w: &[f64; 6]) {
        for (column, factor) in self.0.iter_mut().zip(w) {
            for (p, x) in column.iter_mut().zip(w) {
                *p -= x * factor;
            }
        }
    }

    #[inline(always)]
    fn add(&mut self, other: &Self) {
        for (column, o) in self.0.iter_mut().zip(&other.0) {
            for (p, x) in column.iter_mut().zip(o) {
                *p += x;
            }
        }
    }
}
