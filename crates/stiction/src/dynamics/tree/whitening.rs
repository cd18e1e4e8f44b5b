//! Products with the factor: `z = L v`, `v = L⁻¹ z`, `y = L⁻ᵀ τ`, and `Y = L⁻ᵀ Jᵀ` of forces on links.
//!
//! In whitened coordinates the mass matrix is the identity: `J M⁻¹ Jᵀ = YᵀY`, `J v = Yᵀ z`. With the twist A of the
//! parent and the force f on the subtree of dof k,
//!
//! `z_k = √D_k v_k + w_kᵀ A`, `A += S_k v_k = s_k (z_k − w_kᵀ A)`, and `y_k = s_kᵀ f`, `f −= w_k y_k` on the way down.

use super::factor::Factor;
use super::spatial::{ForceVector, MotionVector};
use super::structure::{Tree, some};

/// Vectors per link for one pass over the tree: memory of the caller, with no meaning between calls.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) motions: Vec<MotionVector>,
    pub(super) forces: Vec<ForceVector>,
    pub(super) rates: Vec<f64>,
    pub(super) twists: Vec<MotionVector>,
}

impl Scratch {
    pub(super) fn fit(&mut self, tree: &Tree) {
        self.motions.resize(tree.links.len() + 1, MotionVector::ZERO);
        self.forces.resize(tree.links.len() + 1, ForceVector::ZERO);
    }
}

impl Tree {
    /// `z = L v` in place.
    pub fn whiten_velocity(&self, factor: &Factor, v: &mut [f64], scratch: &mut Scratch) {
        assert_eq!(v.len(), factor.columns.len(), "velocities");
        scratch.fit(self);
        scratch.motions[0] = MotionVector::ZERO;
        for (index, link) in self.links.iter().enumerate() {
            let span = link.dof_range();
            let mut twist = scratch.motions[link.parent as usize];
            for (column, x) in factor.columns[span.clone()].iter().zip(&mut v[span]) {
                let z = column.root_d * *x + twist.dot(&column.momentum);
                twist += column.motion * (column.root_d * *x);
                *x = z;
            }
            scratch.motions[index + 1] = twist;
        }
    }

    /// `v = L⁻¹ z` in place.
    pub fn unwhiten_velocity(&self, factor: &Factor, z: &mut [f64], scratch: &mut Scratch) {
        assert_eq!(z.len(), factor.columns.len(), "velocities");
        scratch.fit(self);
        scratch.motions[0] = MotionVector::ZERO;
        for (index, link) in self.links.iter().enumerate() {
            let span = link.dof_range();
            let mut twist = scratch.motions[link.parent as usize];
            for (column, x) in factor.columns[span.clone()].iter().zip(&mut z[span]) {
                let own = *x - twist.dot(&column.momentum);
                twist += column.motion * own;
                *x = column.inverse_root_d * own;
            }
            scratch.motions[index + 1] = twist;
        }
    }

    /// `y = L⁻ᵀ τ` in place.
    pub fn whiten_force(&self, factor: &Factor, tau: &mut [f64], scratch: &mut Scratch) {
        self.whiten_down(factor, |_| ForceVector::ZERO, tau, scratch);
    }

    /// `y = L⁻ᵀ (τ + Σ J_iᵀ f_i)` in place, with one wrench a link.
    pub fn whiten_forces(&self, factor: &Factor, wrenches: &[ForceVector], tau: &mut [f64], scratch: &mut Scratch) {
        assert_eq!(wrenches.len(), self.links.len(), "wrenches");
        self.whiten_down(factor, |link| wrenches[link], tau, scratch);
    }

    /// One pass from the tips to the base, with the force `on(link)` on each link.
    #[inline(always)]
    pub(super) fn whiten_down(
        &self,
        factor: &Factor,
        on: impl Fn(usize) -> ForceVector,
        tau: &mut [f64],
        scratch: &mut Scratch,
    ) {
        assert_eq!(tau.len(), factor.columns.len(), "forces");
        scratch.fit(self);
        scratch.forces.fill(ForceVector::ZERO);
        let forces = &mut scratch.forces[..];
        for (index, link) in self.links.iter().enumerate().rev() {
            let span = link.dof_range();
            let mut force = forces[index + 1] + on(index);
            for (column, x) in factor.columns[span.clone()].iter().zip(&mut tau[span]).rev() {
                let y = column.inverse_root_d * *x + column.motion.dot(&force);
                force -= column.momentum * y;
                *x = y;
            }
            forces[link.parent as usize] += force;
        }
    }

    /// `Y = L⁻ᵀ Jᵀ` of a wrench on a link: calls `each(dof, y)` for the dofs of its path, from the last to the base; all
    /// others are zero.
    #[inline]
    pub fn whiten_wrench(&self, factor: &Factor, link: usize, wrench: ForceVector, mut each: impl FnMut(usize, f64)) {
        self.whiten_wrenches(factor, link, [wrench], |dof, [y]| each(dof, y));
    }

    /// The same for several wrenches on one link, which share the walk.
    #[inline]
    pub fn whiten_wrenches<const N: usize>(
        &self,
        factor: &Factor,
        link: usize,
        wrenches: [ForceVector; N],
        each: impl FnMut(usize, [f64; N]),
    ) {
        self.walk(factor, self.last_dof(link), wrenches, each);
    }

    /// `Y` of a unit generalized force on one dof: a row of the identity as the Jacobian.
    #[inline]
    pub fn whiten_unit(&self, factor: &Factor, dof: usize, mut each: impl FnMut(usize, f64)) {
        let column = &factor.columns[dof];
        let y = column.inverse_root_d;
        each(dof, y);
        self.walk(factor, self.dof_parent(dof), [-(column.momentum * y)], |k, [y]| each(k, y));
    }

    #[inline(always)]
    fn walk<const N: usize>(
        &self,
        factor: &Factor,
        last: Option<usize>,
        mut wrenches: [ForceVector; N],
        mut each: impl FnMut(usize, [f64; N]),
    ) {
        let mut next = last;
        while let Some(k) = next {
            let column = &factor.columns[k];
            let mut y = [0.0; N];
            for (y, wrench) in y.iter_mut().zip(&mut wrenches) {
                *y = column.motion.dot(wrench);
                *wrench -= column.momentum * *y;
            }
            each(k, y);
            next = some(self.dof_parents[k]);
        }
    }
}
