//! The mass matrix by the composite-rigid-body algorithm, and its factor by elimination along the branches.
//!
//! Featherstone (2008), sections 6.2 and 6.5: M_kj is zero unless one dof is on the path of the other, and so is L of
//! `M = LᵀL`, which keeps exactly these entries.

use super::kinematics::Kinematics;
use super::spatial::SpatialInertia;
use super::structure::{Tree, some};

impl Tree {
    /// The mass matrix, row by row, nv² entries; `composite` is memory with no meaning between calls.
    pub fn mass_matrix(&self, kin: &Kinematics, matrix: &mut [f64], composite: &mut Vec<SpatialInertia>) {
        let dofs = self.dof_count();
        assert_eq!(matrix.len(), dofs * dofs, "mass matrix");
        composite.clear();
        composite.extend_from_slice(&kin.inertias);
        matrix.fill(0.0);
        for (index, link) in self.links.iter().enumerate().rev() {
            let inertia = composite[index + 1];
            composite[link.parent as usize] += inertia;
            for k in link.dof_range() {
                let momentum = inertia.apply(&kin.subspace[k]);
                let mut next = Some(k);
                while let Some(j) = next {
                    let entry = kin.subspace[j].dot(&momentum);
                    matrix[k * dofs + j] = entry;
                    matrix[j * dofs + k] = entry;
                    next = some(self.dof_parents[j]);
                }
            }
        }
    }

    /// Replaces the lower triangle of a matrix with the tree's sparsity by L of `M = LᵀL`, in O(n d²) of the depth d.
    ///
    /// # Errors
    /// The dof whose pivot is not positive.
    pub fn factor_matrix(&self, matrix: &mut [f64]) -> Result<(), usize> {
        let dofs = self.dof_count();
        assert_eq!(matrix.len(), dofs * dofs, "mass matrix");
        for k in (0..dofs).rev() {
            let pivot = matrix[k * dofs + k];
            let is_positive = pivot > 0.0;
            if !is_positive {
                return Err(k);
            }
            let root = pivot.sqrt();
            matrix[k * dofs + k] = root;
            let mut i = some(self.dof_parents[k]);
            while let Some(row) = i {
                matrix[k * dofs + row] /= root;
                i = some(self.dof_parents[row]);
            }
            let mut i = some(self.dof_parents[k]);
            while let Some(row) = i {
                let mut j = Some(row);
                while let Some(column) = j {
                    matrix[row * dofs + column] -= matrix[k * dofs + row] * matrix[k * dofs + column];
                    j = some(self.dof_parents[column]);
                }
                i = some(self.dof_parents[row]);
            }
        }
        Ok(())
    }

    /// `x = L⁻ᵀ x` with the factor of [`Tree::factor_matrix`].
    pub fn solve_matrix_transposed(&self, factor: &[f64], x: &mut [f64]) {
        let dofs = self.dof_count();
        for k in (0..dofs).rev() {
            x[k] /= factor[k * dofs + k];
            let mut next = some(self.dof_parents[k]);
            while let Some(j) = next {
                x[j] -= factor[k * dofs + j] * x[k];
                next = some(self.dof_parents[j]);
            }
        }
    }

    /// `x = L⁻¹ x` with the factor of [`Tree::factor_matrix`].
    pub fn solve_matrix(&self, factor: &[f64], x: &mut [f64]) {
        let dofs = self.dof_count();
        for k in 0..dofs {
            let mut next = some(self.dof_parents[k]);
            while let Some(j) = next {
                x[k] -= factor[k * dofs + j] * x[j];
                next = some(self.dof_parents[j]);
            }
            x[k] /= factor[k * dofs + k];
        }
    }
}
