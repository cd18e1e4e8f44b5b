//! Forward dynamics: `v̇ = M⁻¹ (τ + Q − h)` by the articulated-body algorithm (Featherstone 2008, section 7.3).
//!
//! Its inward pass over bias forces is `y = L⁻ᵀ (τ + Q − h)`, its outward pass `v̇ = L⁻¹ y`. Unlike the book's, the
//! passes run on accelerations without the velocity products: these are known from the outward pass over velocities, and
//! what they cost in force goes with the loads.

use super::factor::Factor;
use super::kinematics::Kinematics;
use super::loads::Loads;
use super::spatial::ForceVector;
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
        assert!(kin.bias_accelerations.len() == self.links.len() + 1, "velocities come first");
        let on = |link: usize| loads.on(link, kin) - velocity_product(kin, link);
        self.whiten_down(factor, on, tau, scratch);
    }

    /// `y = L⁻ᵀ (τ + Q)` in place of `τ`, without the velocity products.
    pub(crate) fn whiten_applied_loads(
        &self,
        kin: &Kinematics,
        factor: &Factor,
        loads: &Loads,
        tau: &mut [f64],
        scratch: &mut Scratch,
    ) {
        loads.check(self);
        self.whiten_down(factor, |link| loads.on(link, kin), tau, scratch);
    }

    /// `y = −L⁻ᵀ c` of the velocity products c (with the prescribed acceleration of the base).
    pub(crate) fn whiten_velocity_products(
        &self,
        kin: &Kinematics,
        factor: &Factor,
        y: &mut [f64],
        scratch: &mut Scratch,
    ) {
        assert!(kin.bias_accelerations.len() == self.links.len() + 1, "velocities come first");
        y.fill(0.0);
        self.whiten_down(factor, |link| -velocity_product(kin, link), y, scratch);
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

/// Force that a link needs for the acceleration that it has at `v̇ = 0`.
#[inline(always)]
fn velocity_product(kin: &Kinematics, link: usize) -> ForceVector {
    let (inertia, twist) = (&kin.inertias[link + 1], &kin.twists[link + 1]);
    let bias = &kin.bias_accelerations[link + 1];
    let own = inertia.apply(bias) + twist.cross_force(&inertia.apply(twist));
    if kin.added.is_empty() { own } else { own + kin.added_need(link, bias) }
}
