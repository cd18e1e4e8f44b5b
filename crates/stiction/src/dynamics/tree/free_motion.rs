//! Forward dynamics: `v̇ = M⁻¹ (τ + Q − h)` by the articulated-body algorithm (Featherstone 2008, section 7.3).
//!
//! Its inward pass over bias forces is `y = L⁻ᵀ (τ + Q − h)`, its outward pass `v̇ = L⁻¹ y`. Unlike the book's, the
//! passes run on accelerations without the velocity products: these are known from the outward pass over velocities, and
//! what they cost in force goes with the loads.

use super::factor::Factor;
use super::kinematics::Kinematics;
use super::loads::Loads;
use super::structure::Tree;
use super::whitening::Scratch;

impl Tree {
    /// `y = L⁻ᵀ (τ + Q − h)` in place of `τ`: the whitened acceleration `L v̇` of the free motion. Over a step h the
    /// whitened velocity becomes `L v + h y`.
    pub fn whiten_loads(
        &self,
        kin: &Kinematics,
        factor: &Factor,
        loads: &Loads,
        tau: &mut [f64],
        scratch: &mut Scratch,
    ) {
        loads.check(self);
        scratch.fit(self);
        let links = scratch.forces.iter_mut().zip(&kin.inertias).zip(&kin.twists).zip(&kin.bias_accelerations);
        for (index, (((force, inertia), twist), bias)) in links.skip(1).enumerate() {
            let momentum = inertia.apply(twist);
            *force = loads.on(index, kin) - inertia.apply(bias) - twist.cross_force(&momentum);
        }
        self.whiten_down(factor, tau, &mut scratch.forces);
    }

    /// Accelerations `v̇` in place of `τ`. The factor may hold an extra diagonal: `(M + diag(e)) v̇ = τ + Q − h`.
    pub fn accelerations(
        &self,
        kin: &Kinematics,
        factor: &Factor,
        loads: &Loads,
        tau: &mut [f64],
        scratch: &mut Scratch,
    ) {
        self.whiten_loads(kin, factor, loads, tau, scratch);
        self.unwhiten_velocity(factor, tau, scratch);
    }
}
