//! Dofs that are held: what the others do when the rates of these change, and the momenta of all.

use super::factor::Factor;
use super::flow::parent_twist;
use super::kinematics::Kinematics;
use super::spatial::{ForceVector, MotionVector};
use super::structure::Tree;
use super::whitening::Scratch;

impl Tree {
    /// Completes a change of the rates of held dofs, given in `change`, by that of the others which keeps their
    /// momentum: `M_ff x_f = −M_fh x_h`. The factor is that without the held dofs ([`Tree::factor_holding`]).
    pub(crate) fn follow_held(
        &self,
        kin: &Kinematics,
        factor: &Factor,
        held: &[bool],
        change: &mut [f64],
        scratch: &mut Scratch,
    ) {
        scratch.fit(self);
        scratch.rates.clear();
        scratch.rates.extend_from_slice(change);
        let mut twists = std::mem::take(&mut scratch.twists);
        twists.resize(self.links.len() + 1, MotionVector::ZERO);
        for (index, link) in self.links.iter().enumerate() {
            let mut twist = parent_twist(link.joint, &twists[link.parent as usize]);
            for k in link.dof_range().filter(|k| held[*k]) {
                twist += kin.subspace[k] * change[k];
            }
            twists[index + 1] = twist;
        }
        change.fill(0.0);
        self.whiten_down(factor, |link| -kin.inertias[link + 1].apply(&twists[link + 1]), change, scratch);
        self.unwhiten_velocity(factor, change, scratch);
        for ((x, own), _) in change.iter_mut().zip(&scratch.rates).zip(held).filter(|(_, held)| **held) {
            *x = *own;
        }
        scratch.twists = twists;
    }

    /// `(M + diag(e)) v`.
    pub fn momenta(&self, kin: &Kinematics, extra: &[f64], v: &[f64], momenta: &mut [f64], scratch: &mut Scratch) {
        scratch.fit(self);
        scratch.motions[0] = MotionVector::ZERO;
        for (index, link) in self.links.iter().enumerate() {
            let span = link.dof_range();
            let mut twist = scratch.motions[link.parent as usize];
            for (s, v) in kin.subspace[span.clone()].iter().zip(&v[span]) {
                twist += *s * *v;
            }
            scratch.motions[index + 1] = twist;
            scratch.forces[index + 1] = kin.inertias[index + 1].apply(&twist);
        }
        scratch.forces[0] = ForceVector::ZERO;
        for (index, link) in self.links.iter().enumerate().rev() {
            let force = scratch.forces[index + 1];
            for k in link.dof_range() {
                momenta[k] = kin.subspace[k].dot(&force) + extra.get(k).map_or(0.0, |e| e * v[k]);
            }
            scratch.forces[link.parent as usize] += force;
        }
    }
}
