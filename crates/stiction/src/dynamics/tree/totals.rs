//! Sums over the tree: mass, momentum, energy.

use glam::DVec3;

use super::kinematics::Kinematics;
use super::loads::Loads;
use super::spatial::ForceVector;
use super::structure::Tree;

/// Momentum of the whole tree, and what goes with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Momentum {
    /// Total mass \[kg\].
    pub mass: f64,
    /// Centre of mass in the world \[m\]; the origin of the spatial vectors where there is no mass.
    pub center_of_mass: DVec3,
    /// Its velocity \[m/s\].
    pub center_of_mass_velocity: DVec3,
    /// Linear momentum \[kg m/s\].
    pub linear: DVec3,
    /// Angular momentum about the origin of the world \[kg m²/s\].
    pub angular_about_world: DVec3,
    /// Angular momentum about the centre of mass \[kg m²/s\].
    pub angular_about_center: DVec3,
}

impl Kinematics {
    /// Mass and momentum of the whole tree.
    #[must_use]
    pub fn momentum(&self) -> Momentum {
        let (mut mass, mut first_moment, mut sum) = (0.0, DVec3::ZERO, ForceVector::ZERO);
        for (inertia, twist) in self.inertias.iter().zip(&self.twists).skip(1) {
            mass += inertia.mass;
            first_moment += inertia.first_moment;
            sum += inertia.apply(twist);
        }
        let per_mass = if mass > 0.0 { 1.0 / mass } else { 0.0 };
        let center = first_moment * per_mass;
        let linear = sum.linear();
        Momentum {
            mass,
            center_of_mass: self.origin + center,
            center_of_mass_velocity: linear * per_mass,
            linear,
            angular_about_world: sum.angular() + self.origin.cross(linear),
            angular_about_center: sum.moment_about(center),
        }
    }

    /// `½ vᵀ M v`, the sum over the links \[J\].
    #[must_use]
    pub fn kinetic_energy(&self) -> f64 {
        let links = self.inertias.iter().zip(&self.twists).skip(1);
        links.map(|(inertia, twist)| 0.5 * twist.dot(&inertia.apply(twist))).sum()
    }
}

impl Tree {
    /// Energy in the gravity of the loads, `−Σ m g · x`, zero at the origin of the world \[J\].
    #[must_use]
    pub fn potential_energy(&self, kin: &Kinematics, loads: &Loads) -> f64 {
        loads.check(self);
        let links = kin.inertias.iter().skip(1).enumerate();
        links.map(|(i, part)| -loads.gravity_on(i).dot(part.first_moment + part.mass * kin.origin)).sum()
    }
}
