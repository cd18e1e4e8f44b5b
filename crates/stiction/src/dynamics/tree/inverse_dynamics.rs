//! The recursive Newton-Euler algorithm: `τ = M v̇ + h − Q` (Featherstone 2008, section 5.3), and the wrenches that the
//! joints transmit.

use super::kinematics::Kinematics;
use super::loads::Loads;
use super::spatial::{ForceVector, MotionVector};
use super::structure::{Joint, Tree};
use super::whitening::Scratch;

impl Tree {
    /// Joint forces `τ` of the accelerations `v̇`, under loads: `τ = M v̇ + h − Q`.
    ///
    /// The bias h of the equations of motion is `τ` at `v̇ = 0` without external wrenches; the force of gravity is h at
    /// `v = 0`; Q is minus what wrenches add.
    pub fn inverse_dynamics(
        &self,
        kin: &Kinematics,
        loads: &Loads,
        accelerations: &[f64],
        tau: &mut [f64],
        scratch: &mut Scratch,
    ) {
        assert!(accelerations.len() == self.dof_count() && tau.len() == self.dof_count());
        self.transmit(kin, loads, accelerations, scratch);
        for (index, link) in self.links.iter().enumerate() {
            let span = link.dof_range();
            for (tau, s) in tau[span.clone()].iter_mut().zip(&kin.subspace[span]) {
                *tau = s.dot(&scratch.forces[index + 1]);
            }
        }
    }

    /// The wrench at the origin by which the parent's side acts on each link across its joint, the components along its
    /// freedom (the joint's force) included.
    pub fn reactions(
        &self,
        kin: &Kinematics,
        loads: &Loads,
        accelerations: &[f64],
        reactions: &mut [ForceVector],
        scratch: &mut Scratch,
    ) {
        assert_eq!(reactions.len(), self.links.len(), "reactions");
        self.transmit(kin, loads, accelerations, scratch);
        reactions.copy_from_slice(&scratch.forces[1..]);
    }

    /// Spatial acceleration of each link (entry 0 is the base) at the accelerations `v̇`.
    pub(super) fn outward(&self, kin: &Kinematics, accelerations: &[f64], motions: &mut [MotionVector]) {
        motions[0] = kin.bias_accelerations[0];
        for (index, link) in self.links.iter().enumerate() {
            // What v̇ adds, beside the velocity products known from the outward pass over velocities.
            let parent = link.parent as usize;
            let mut own = match link.joint {
                Joint::Free => MotionVector::ZERO,
                _ => motions[parent] - kin.bias_accelerations[parent],
            };
            let span = link.dof_range();
            for (s, a) in kin.subspace[span.clone()].iter().zip(&accelerations[span]) {
                own += *s * *a;
            }
            motions[index + 1] = kin.bias_accelerations[index + 1] + own;
        }
    }

    /// Leaves in `scratch.forces` what each joint transmits to its link, and in entry 0 what acts on the base, negated.
    fn transmit(&self, kin: &Kinematics, loads: &Loads, accelerations: &[f64], scratch: &mut Scratch) {
        loads.check(self);
        scratch.fit(self);
        self.outward(kin, accelerations, &mut scratch.motions);
        scratch.forces[0] = ForceVector::ZERO;
        for index in 0..self.links.len() {
            let (inertia, twist) = (&kin.inertias[index + 1], &kin.twists[index + 1]);
            let mut needed = inertia.apply(&scratch.motions[index + 1]) + twist.cross_force(&inertia.apply(twist));
            if !kin.added.is_empty() {
                needed += kin.added_need(index, &scratch.motions[index + 1]);
            }
            scratch.forces[index + 1] = needed - loads.on(index, kin);
        }
        for (index, link) in self.links.iter().enumerate().rev() {
            let transmitted = scratch.forces[index + 1];
            scratch.forces[link.parent as usize] += transmitted;
        }
    }
}
