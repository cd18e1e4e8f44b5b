//! What acts on the links besides the joints.

use glam::DVec3;

use super::kinematics::Kinematics;
use super::spatial::ForceVector;
use super::structure::Tree;

/// Gravity and external wrenches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Loads<'a> {
    /// Acceleration of gravity in the world \[m/s²\].
    pub gravity: DVec3,
    /// Factor on gravity, one a link; empty for 1 everywhere.
    pub gravity_scale: &'a [f64],
    /// External wrench on each link, at the origin of the [`Kinematics`]; empty for none.
    pub wrenches: &'a [ForceVector],
}

impl Loads<'_> {
    /// Gravity alone.
    #[must_use]
    pub const fn gravity(gravity: DVec3) -> Self {
        Self { gravity, gravity_scale: &[], wrenches: &[] }
    }

    #[inline(always)]
    pub(super) fn gravity_on(&self, link: usize) -> DVec3 {
        match self.gravity_scale.get(link) {
            Some(scale) => self.gravity * *scale,
            None => self.gravity,
        }
    }

    /// Gravity and the external wrench on a link, at the origin.
    #[inline(always)]
    pub(super) fn on(&self, link: usize, kin: &Kinematics) -> ForceVector {
        let inertia = &kin.inertias[link + 1];
        let gravity = self.gravity_on(link);
        let weight = ForceVector::new(inertia.first_moment.cross(gravity), inertia.mass * gravity);
        match self.wrenches.get(link) {
            Some(wrench) => weight + *wrench,
            None => weight,
        }
    }

    pub(super) fn check(&self, tree: &Tree) {
        let fits = |length: usize| length == 0 || length == tree.links.len();
        assert!(fits(self.gravity_scale.len()) && fits(self.wrenches.len()), "loads");
    }
}
